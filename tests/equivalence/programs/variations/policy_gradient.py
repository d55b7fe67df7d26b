# expect: equal
"""REINFORCE with a categorical policy: actions are drawn, and their log-probabilities are weighted with returns."""

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 16)
        self.head = nn.Linear(16, 3)

    def forward(self, obs):
        return Categorical(logits=self.head(torch.tanh(self.hidden(obs))))


def act(policy, obs):
    with torch.no_grad():
        dist = policy(obs)
        action = dist.sample()
    return action, dist.log_prob(action)


def main():
    torch.manual_seed(0)
    policy = Policy()
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
    losses = []
    for step in range(5):
        obs = torch.randn(8, 4)
        actions, old = act(policy, obs)
        returns = torch.where(actions == 1, 1.0, -0.5) + obs[:, 0]
        dist = policy(obs)
        ratio = torch.exp(dist.log_prob(actions) - old)
        loss = -(ratio * returns).mean() - 0.01 * dist.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"{step} {losses[-1]:.4f}")
    print(policy(obs).probs.argmax(-1).tolist())
    return losses


if __name__ == "__main__":
    main()

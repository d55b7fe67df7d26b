# also: nnx, linen
"""Lists in which a module keeps what the functions around it put there and use up."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 8)
        self.affine2 = nn.Linear(8, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.affine2(F.relu(self.affine1(x))), dim=1)


policy = Policy()
with torch.no_grad():
    for p in policy.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


def select_action(state, a):
    state = state.float().unsqueeze(0)
    probs = policy(state)
    m = Categorical(probs)
    action = torch.tensor([a])
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    R = 0
    policy_loss = []
    returns = []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    for log_prob, R in zip(policy.saved_log_probs, returns):
        policy_loss.append(-log_prob * R)
    optimizer.zero_grad()
    policy_loss = torch.cat(policy_loss).sum()
    policy_loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return policy_loss.item()


def main():
    for ep in range(2):
        state = torch.linspace(-1, 1, 4)
        for t in range(3 + ep):
            a = select_action(state, (t * ep) % 2)
            policy.rewards.append(float(a) + t * 0.2)
            state = torch.roll(state, 1) * (0.5 + 0.5 * a)
        print(round(finish_episode(), 4), len(policy.saved_log_probs), len(policy.rewards))


main()
print([name for name, _ in policy.named_parameters()])

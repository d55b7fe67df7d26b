# expect: equal
"""The actor of soft actor-critic: a Gaussian squashed by tanh, whose draws carry gradients."""

import torch
import torch.nn as nn
from torch import distributions as pyd


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(6, 32)
        self.head = nn.Linear(32, 4)

    def forward(self, obs):
        mu, log_std = self.head(torch.relu(self.trunk(obs))).chunk(2, dim=-1)
        std = torch.clamp(log_std, -5, 2).exp()
        base = pyd.Normal(mu, std)
        return pyd.TransformedDistribution(base, [pyd.transforms.TanhTransform(cache_size=1)])


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, obs, action):
        return self.net(torch.cat([obs, action], dim=-1)).squeeze(-1)


def main():
    torch.manual_seed(0)
    actor, critic = Actor(), Critic()
    optimizer = torch.optim.Adam(actor.parameters(), lr=0.003)
    alpha = 0.2
    losses = []
    for step in range(5):
        obs = torch.randn(16, 6)
        dist = actor(obs)
        action = dist.rsample()
        log_prob = dist.log_prob(action).sum(-1)
        loss = (alpha * log_prob - critic(obs, action)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"{step} {losses[-1]:.4f}")
    return losses


if __name__ == "__main__":
    main()

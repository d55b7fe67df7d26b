# flagged: T2J500
"""Losses of several optimizers that are all computed first, from values that they share."""

import torch
from torch import nn

torch.manual_seed(0)


class Agent:
    def __init__(self):
        self.value, self.quality, self.policy = nn.Linear(3, 1), nn.Linear(3, 1), nn.Linear(3, 3)
        self.value_optimizer = torch.optim.Adam(self.value.parameters(), lr=0.01)
        self.quality_optimizer = torch.optim.Adam(self.quality.parameters(), lr=0.01)
        self.policy_optimizer = torch.optim.Adam(self.policy.parameters(), lr=0.01)
        self.criterion = nn.MSELoss()

    def update(self, state):
        expected = self.value(state)
        quality = self.quality(state)
        action = self.policy(state)
        better = self.quality(action)
        value_loss = self.criterion(expected, (better - action.sum()).detach())
        quality_loss = self.criterion(quality, state[:, :1])
        policy_loss = (action.mean() * (action.mean() - (better - expected)).detach()).mean()
        self.value_optimizer.zero_grad()
        value_loss.backward(retain_graph=True)
        self.value_optimizer.step()
        self.quality_optimizer.zero_grad()
        quality_loss.backward(retain_graph=True)
        self.quality_optimizer.step()
        self.policy_optimizer.zero_grad()
        policy_loss.backward()
        self.policy_optimizer.step()
        print(value_loss.item(), quality_loss.item(), policy_loss.item())


agent = Agent()
for _ in range(3):
    agent.update(torch.randn(4, 3))

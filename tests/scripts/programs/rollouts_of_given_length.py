"""Rollouts of as many steps as the caller says: a counter of steps picks the rows that are written."""

import torch


class Storage:
    def __init__(self, num_steps, num_processes):
        self.obs = torch.zeros(num_steps + 1, num_processes, 2)
        self.rewards = torch.zeros(num_steps, num_processes, 1)
        self.returns = torch.zeros(num_steps + 1, num_processes, 1)
        self.num_steps = num_steps
        self.step = 0

    def to(self, device):
        self.obs = self.obs.to(device)
        self.returns = self.returns.to(device)

    def insert(self, obs, rewards):
        self.obs[self.step + 1].copy_(obs)
        self.rewards[self.step].copy_(rewards)
        self.step = (self.step + 1) % self.num_steps

    def after_update(self):
        self.obs[0].copy_(self.obs[-1])

    def compute(self, next_value, gamma):
        self.returns[-1] = next_value
        for step in reversed(range(self.rewards.size(0))):
            self.returns[step] = self.returns[step + 1] * gamma + self.rewards[step]


def show(*ts):
    print([t.tolist() for t in ts])


s = Storage(3, 2)
s.to("cpu")
for i in range(5):
    s.insert(torch.full((2, 2), float(i)), torch.full((2, 1), i / 2))
    if i == 3:
        s.after_update()
s.compute(torch.ones(2, 1), 0.5)
show(s.obs, s.rewards, s.returns)

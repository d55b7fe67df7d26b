# also: nnx
"""Copies of a network that are taken out of training where they are made: averages, targets, teachers."""

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 1)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def make_net():
    net = Net()
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).view_as(p) * 0.3)
    return net


def frozen(net):
    return net.requires_grad_(False).eval()


class Average:
    def __init__(self, decay):
        self.decay, self.steps = decay, 0

    def update(self, average, model):
        for old, new in zip(average.parameters(), model.parameters()):
            old.data = self.decay * old.data + (1 - self.decay) * new.data
        self.steps += 1


class Learner:
    def __init__(self):
        self.online = make_net()
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.optimizer = torch.optim.SGD(self.online.parameters(), lr=0.1)

    def learn(self, x):
        loss = (self.online(x) - 0.5 * self.target(x) - 1).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


x = torch.arange(12.0).view(4, 3) / 12
model = make_net()
teacher = frozen(make_net())
average = copy.deepcopy(model).eval().requires_grad_(False)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
ema = Average(0.9)
for step in range(4):
    loss = (model(x) - 1).pow(2).mean() + (model(x) - teacher(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema.update(average, model)
    print(loss.item(), average(x).sum().item())
print(sum(p.requires_grad for p in average.parameters()), ema.steps)
learner = Learner()
print([learner.learn(x) for _ in range(3)], learner.target(x).sum().item())

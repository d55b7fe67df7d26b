# also: nnx
"""Functions and methods that lend a module to an object which trains it, and whose callers go on with the module."""

import torch
from torch import nn


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).reshape(p.shape) * 0.3)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.bn = nn.BatchNorm1d(8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.tanh(self.bn(self.fc1(x))))


x = torch.cos(torch.arange(24.0)).reshape(6, 4)
y = torch.sin(torch.arange(12.0)).reshape(6, 2)
data = [(x, y), (x * 0.5, y * 2)]


class Trainer:
    def __init__(self, model, lr=0.1):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr)

    def train(self, batches):
        total = 0.0
        for x, y in batches:
            loss = ((self.model(x) - y) ** 2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total


def fit(model, batches, epochs=2):
    trainer = Trainer(model)
    losses = []
    for _ in range(epochs):
        losses.append(trainer.train(batches))
    return losses


def fit_once(model, batches):
    Trainer(model, 0.02).train(batches)


def search(model, rates):
    best = 100.0
    for lr in rates:
        trainer = Trainer(model, lr)
        best = min(best, trainer.train(data))
        if best < 1.0:
            return best
    return Trainer(model, 0.001).train(data)


class Experiment:
    def __init__(self, model):
        self.net = model

    def run(self, batches):
        trainer = Trainer(self.net)
        first = trainer.train(batches)
        print(self.net(x).sum().item())
        return first, trainer.train(batches[:1])


net = Net()
fill(net)
print(fit(net, data))
print(net(x).sum().item())
fit_once(net, data)
print(net(x).sum().item())
print(search(net, [0.1, 0.2]))
print(net(x).sum().item())
for lr in (0.1, 0.05, 0.01):
    trainer = Trainer(net, lr)
    print(trainer.train(data))
    if lr == 0.05:
        continue
    print(net(x).sum().item())
net.eval()
print(net(x).sum().item())

plain = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
fill(plain)
experiment = Experiment(plain)
for step in range(2):
    print(step, experiment.net(x).sum().item())
    another = Trainer(experiment.net, 0.1)
    print(another.train(data))
print(experiment.net(x).sum().item())

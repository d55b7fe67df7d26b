# also: nnx, linen
"""Models that become parts of others, and are read and trained under their own names."""

import copy

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, x):
        return self.norm(self.fc(x))


class Diffusion(nn.Module):
    def __init__(self, model, scale=2.0):
        super().__init__()
        self.model = model
        self.scale = scale
        self.register_buffer("betas", torch.linspace(0.1, 0.2, 4))

    def forward(self, x):
        return ((self.model(x * self.betas) - x * self.scale) ** 2).mean()

    @torch.no_grad()
    def sample(self, x):
        return self.model(x) * self.scale


class Solver(nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x):
        return ((self.first(x) - self.second(x) - 1.0) ** 2).mean()


def fill(module):
    for i, p in enumerate(module.parameters()):
        p.data = torch.linspace(-1, 1, p.numel()).view(p.shape) + 0.1 * i
    return module


x = torch.sin(torch.arange(12.0)).view(3, 4)


def ema(old, new):
    for p, q in zip(old.parameters(), new.parameters()):
        p.data = p.data * 0.9 + q.data * 0.1


def by_the_whole():
    model = fill(Net())
    diffusion = Diffusion(model)
    optimizer = torch.optim.Adam(diffusion.parameters(), lr=0.05)
    average = copy.deepcopy(model)
    for step in range(3):
        loss = diffusion(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema(average, model)
        print(step, loss.item(), model.fc.weight.sum().item())
    model.eval()
    print(diffusion.sample(x).sum().item(), model(x).sum().item(), average.fc.bias.sum().item())


def by_its_own_name():
    model = fill(Net())
    diffusion = Diffusion(model=model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(3):
        optimizer.zero_grad()
        loss = diffusion(x)
        loss.backward()
        nn.utils.clip_grad_norm_(diffusion.parameters(), 0.5)
        optimizer.step()
    print(loss.item(), diffusion.sample(x).sum().item(), sum(p.sum().item() for p in model.parameters()))


def of_two():
    first, second = fill(nn.Linear(4, 2)), fill(nn.Linear(4, 2))
    solver = Solver(first, second)
    optimizer = torch.optim.SGD(solver.parameters(), lr=0.05)
    for step in range(3):
        optimizer.zero_grad()
        loss = solver(x)
        loss.backward()
        optimizer.step()
    print(loss.item(), first(x).sum().item(), second(x).sum().item())


by_the_whole()
by_its_own_name()
of_two()

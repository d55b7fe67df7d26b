"""Modules that keep state are made, or built by a function, where a call is given them: one or two of them at once."""

import torch
from torch import nn


class Normed(nn.Module):
    def __init__(self, scale=0.3):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        for p in self.parameters():
            nn.init.constant_(p, scale)
        nn.init.eye_(self.a.weight)

    def forward(self, x):
        return self.bn(self.a(x))


def build(scale):
    net = Normed(scale)
    return net


def train(model):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = (model(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, f"{loss.item():.4f}")
    model.eval()
    print(f"{model(x).sum().item():.4f}")


def trained(model):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = (model(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return model


def last(model):
    for step in range(3):
        out = model(x + step)
    return out.sum().item() + model.bn.running_mean.sum().item()


def compare(one, other):
    for step in range(3):
        a = one(x + step)
        b = other(2 * x + step)
    return (a * b).sum().item() + (one.bn.running_mean - 2 * other.bn.running_mean).sum().item()


x = torch.linspace(-1, 1, 15).view(5, 3)
y = torch.linspace(0, 1, 20).view(5, 4)
train(Normed().train())
print(f"{last(Normed(0.5)):.4f}")
print(f"{last(build(0.5)):.4f}")
train(model=build(0.7))
print(f"{compare(Normed(0.5), Normed(0.2)):.4f}")
print(f"{compare(Normed(0.5), build(0.2)):.4f}")
model = trained(Normed())
print(f"{model(x).square().sum().item():.4f}", f"{model.bn.running_mean.sum().item():.4f}")


def main():
    state = 3
    for scale in (0.3, 0.4):
        train(Normed(scale))
        print(f"{state + compare(Normed(scale), build(0.2)):.4f}")


main()

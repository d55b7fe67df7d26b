# also: nnx
"""Activations, losses and functions that are asked of torch by a name that is known when the program runs."""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--act", default="Softplus")
args = parser.parse_args([])


def fill(module):
    with torch.no_grad():
        for number, p in enumerate(module.parameters()):
            if p.dim() > 1:
                p.copy_(torch.linspace(-0.7, 0.9, p.numel()).reshape(p.shape) * (1 + number % 3))


def mlp(sizes, activation="Tanh"):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b, bias=False))
        layers.append(getattr(nn, activation)())
    return nn.Sequential(*layers)


class Block(nn.Module):
    def __init__(self, width, activation="ELU", options={"alpha": 1.5}, final=None):
        super().__init__()
        act = getattr(nn, activation)
        parts = [act(**options), nn.Linear(width, width, bias=False)]
        if final is not None:
            last = getattr(nn, final)
            parts += [last()]
        self.net = nn.Sequential(*parts)

    def forward(self, x):
        return x + self.net(x)


class Gated(nn.Module):
    def __init__(self, name, args):
        super().__init__()
        self.act = getattr(F, name)
        self.out = nn.__dict__[args.act]()
        self.name = "tanh"

    def forward(self, x):
        return self.out(self.act(x)) * getattr(torch, self.name)(x)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = mlp([3, 4, 4], "SiLU")
        self.second = Block(4, final="Mish")
        self.third = Block(4, "LeakyReLU", {"negative_slope": 0.3})
        self.gate = Gated("gelu", args)

    def forward(self, x):
        return self.gate(self.third(self.second(self.first(x))))


def train(loss_name, function_name="smooth_l1_loss"):
    model = Model()
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    criterion = getattr(nn, loss_name)()
    x = torch.linspace(-1.0, 1.0, 15).reshape(5, 3)
    y = torch.linspace(0.0, 2.0, 20).reshape(5, 4)
    for _ in range(4):
        out = model(x)
        loss = criterion(out, y) + getattr(F, function_name)(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))


train("MSELoss")
train("L1Loss", "mse_loss")

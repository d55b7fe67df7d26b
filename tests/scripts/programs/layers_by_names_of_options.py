# also: nnx, linen
"""Layers whose names are choices of an option, or that helpers ask torch for; `inplace` among their options; texts that are evaluated."""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--act", default="relu", choices=["relu", "tanh", "elu"])
parser.add_argument("--optimizer", default="Adam", choices=["SGD", "Adam"])
args = parser.parse_args([])


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(torch.linspace(-0.7, 0.9, p.numel()).reshape(p.shape) * (1 + i % 3))


def _get_activation(name):
    nonlinear = getattr(nn, name)
    return nonlinear


def get_act(name):
    return getattr(nn, name)()


class Discriminator(nn.Module):
    def __init__(self, width, nonlinear_activation="LeakyReLU", nonlinear_activation_params={"negative_slope": 0.2}):
        super().__init__()
        self.first = nn.Sequential(
            nn.Linear(4, width), getattr(torch.nn, nonlinear_activation)(inplace=True, **nonlinear_activation_params)
        )
        self.layers = nn.ModuleList()
        self.layers += [
            nn.Linear(width, 4),
            getattr(torch.nn, nonlinear_activation)(inplace=True, **nonlinear_activation_params),
        ]

    def forward(self, x):
        x = self.first(x)
        for f in self.layers:
            x = f(x)
        return x


class Up(nn.Module):
    def __init__(self, scales, activation="none", activation_params={}):
        super().__init__()
        self.up_layers = nn.ModuleList()
        for scale in scales:
            self.up_layers.append(nn.Linear(4, 4))
            if activation != "none":
                nonlinear = _get_activation(activation)
                self.up_layers.append(nonlinear(**activation_params))
        self.last = get_act("Tanh" if scales else "ReLU")

    def forward(self, x):
        for f in self.up_layers:
            x = f(x)
        return self.last(x)


class Chosen(nn.Module):
    def __init__(self, activation_function, kind="ReLU", out="Sigmoid"):
        super().__init__()
        self.act_fn = getattr(F, activation_function)
        self.fc = nn.Linear(4, 4)
        self.kind = getattr(nn, kind)(inplace=True)
        self.out = eval(f"nn.{out}()")

    def forward(self, x):
        return self.out(self.kind(self.act_fn(self.fc(x)) - 0.5))


x = torch.linspace(-2, 2, 12).reshape(3, 4)
for given in ((5,), (3, "ReLU", {}), (3, "ELU", {"alpha": 0.5})):
    net = Discriminator(*given)
    fill(net)
    print([round(v, 4) for v in net(x).flatten().tolist()])
for given in (((1, 2),), ((1,), "ReLU"), ((1, 2), "LeakyReLU", {"negative_slope": 0.3})):
    net = Up(*given)
    fill(net)
    print([round(v, 4) for v in net(x).flatten().tolist()])
for net in (Chosen(args.act), Chosen("elu", "SiLU", "Tanh")):
    fill(net)
    print([round(v, 4) for v in net(x).flatten().tolist()])

model = nn.Linear(4, 2)
fill(model)
optimizer = torch.optim.__dict__[args.optimizer](model.parameters(), lr=0.05)
scheduler = torch.optim.lr_scheduler.__dict__["ExponentialLR"](optimizer, gamma=0.9)
for _ in range(3):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(round(loss.item(), 4))

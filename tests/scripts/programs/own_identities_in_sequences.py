"""Blocks whose sequences end with a norm or a class of the program that hands on what it is given: `out += self.shortcut(x)`."""

# also: nnx, linen

import torch
import torch.nn as nn


class Identity(nn.Module):
    def forward(self, x):
        return x

    def __repr__(self):
        return "Identity()"


class Scaled(nn.Module):
    def forward(self, x, scale=None):
        if scale is not None:
            return x * scale
        return x


class Block(nn.Module):
    def __init__(self, wide, out, norm=True, last=False):
        super().__init__()
        self.first = nn.Sequential(
            nn.Linear(wide, out, bias=not norm),
            nn.LayerNorm(out) if norm else Identity(),
            nn.ReLU() if norm else nn.Tanh(),
        )
        self.second = nn.Sequential(nn.Linear(out, out), nn.LayerNorm(out) if norm else Identity(), Scaled())
        self.shortcut = Identity()
        if wide != out:
            self.shortcut = nn.Sequential(nn.Linear(wide, out), nn.LayerNorm(out) if norm else Identity())
        self.act = Identity() if last else nn.ReLU()

    def forward(self, x):
        out = self.second(self.first(x))
        out += self.shortcut(x)
        return self.act(out)


def main():
    x = torch.arange(6.0).reshape(2, 3) / 6
    for norm in (True, False):
        model = nn.Sequential(Block(3, 4, norm), Block(4, 4, norm, last=True))
        for number, parameter in enumerate(model.parameters()):
            with torch.no_grad():
                parameter.copy_(torch.linspace(-0.5, 0.7, parameter.numel()).view(parameter.shape) + 0.1 * number)
        loss = (model(x) ** 2).mean()
        loss.backward()
        print(loss.item(), [round(parameter.grad.abs().sum().item(), 3) for parameter in model.parameters()])
        print(x.sum().item())


main()

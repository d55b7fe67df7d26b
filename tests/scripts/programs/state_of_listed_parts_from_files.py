# also: nnx
"""Fields of the parts that a list holds get what a file has kept; the list has some parts of a model, chosen by their class."""

import os
import tempfile

import torch
import torch.nn as nn


class Mix(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.order = torch.eye(n)
        self.sign = torch.ones(n)
        self.weight = nn.Parameter(torch.arange(n * n).view(n, n).float() * 0.05)

    def forward(self, x):
        if str(self.order.device) != str(self.weight.device):
            self.order = self.order.to(self.weight.device)
            self.sign = self.sign.to(self.weight.device)
        return x @ (self.order @ self.weight) * self.sign


class Shift(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.bias = nn.Parameter(torch.arange(n).float() * 0.1)

    def forward(self, x):
        return x + self.bias


class Flow(nn.Sequential):
    def total(self, x):
        return self(x).sum()


def make(n):
    parts = []
    for _ in range(2):
        parts += [Mix(n), Shift(n)]
    return Flow(*parts)


def main():
    flow = make(3)
    x = torch.linspace(-1, 1, 6).view(2, 3)
    print(flow.total(x).item())
    mixers = [module for module in flow if isinstance(module, Mix)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kept.pt")
        torch.save({"order": [m.order.flip(0) for m in mixers], "signs": [m.sign * -0.5 for m in mixers]}, path)
        kept = torch.load(path)
    for mixer, order, sign in zip(mixers, kept["order"], kept["signs"]):
        mixer.order, mixer.sign = order, sign
    print(flow.total(x).item())
    for mixer in list(mixers):
        mixer.sign = mixer.sign * 2
    print(flow.total(x).item(), [m.sign.sum().item() for m in mixers])
    for shift in reversed([part for part in flow.modules() if isinstance(part, Shift)]):
        print(shift.bias.sum().item())
    optimizer = torch.optim.SGD(flow.parameters(), lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        loss = flow(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())


main()

# also: nnx
"""Functions that make a model under its name and give it back: `if model == "small": model = Small()`."""

import argparse

import torch
from torch import nn


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(2, 2)

    def forward(self, x):
        return self.f(x)


class B(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.f = nn.Linear(2, n)
        self.d = nn.Dropout(0.5)

    def forward(self, x):
        return self.d(self.f(x))


def load_model(model, checkpoint, device):
    ckpt = checkpoint
    if model == "a":
        model = A()
    elif model == "b":
        model = B(2)
    model.load_state_dict(ckpt)
    model = model.to(device)
    model.eval()
    return model


parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="a")
args = parser.parse_args([])
a = load_model(args.arch, {"f.weight": torch.ones(2, 2), "f.bias": torch.zeros(2)}, "cpu")
print(args.arch)
for name in ("a", "b"):
    c = load_model(args.arch, {"f.weight": torch.ones(2, 2), "f.bias": torch.zeros(2)}, "cpu")
    print(args.arch, c(torch.ones(1, 2)).sum().item())
name = "b"
b = load_model(name, {"f.weight": torch.ones(2, 2) * 2, "f.bias": torch.zeros(2)}, "cpu")
print(name)
print(a(torch.ones(1, 2)).sum().item(), b(torch.ones(1, 2)).sum().item())

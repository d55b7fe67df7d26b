# also: nnx
"""Dtypes that are asked for by their names, and tests for dtypes: classes stand for most of them."""

import argparse

import torch
from torch import nn


def summed(dtype: str = "float32") -> float:
    dt = getattr(torch, dtype, None)
    if not isinstance(dt, torch.dtype):
        raise ValueError(f"{dtype} is not a valid dtype.")
    dtype = dt
    x = torch.arange(6, dtype=dtype).reshape(2, 3)
    return (x / 3).sum().item()


def kind(x) -> int:
    return 1 if isinstance(x, (str, torch.dtype)) else 0


class Config:
    def __init__(self, name: str):
        self.dtype = getattr(torch, name)


class Net(nn.Module):
    def __init__(self, name: str):
        super().__init__()
        self.a = nn.Linear(3, 2, dtype=getattr(torch, name))

    def forward(self, x):
        return self.a(x)


print(summed(), summed("bfloat16"), summed("double"))
for name in ("nothing", "relu"):
    try:
        summed(name)
    except ValueError as error:
        print(error)
print([kind(x) for x in (torch.float64, torch.long, torch.zeros(1).dtype, "a", 3, None)])
print(isinstance(torch.float32, torch.dtype), isinstance(3, torch.dtype))

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", default="float64")
dtype = getattr(torch, parser.parse_args([]).dtype)
net = Net("float" + "32").to(dtype)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.arange(p.numel()).reshape(p.shape) * 0.1)
print(net(torch.ones(2, 3, dtype=dtype)).sum().item())
half = torch.ones(3, dtype=Config("float16").dtype)
print((half / 3).sum().item(), half.to(getattr(torch, "int" + "32")).sum().item())

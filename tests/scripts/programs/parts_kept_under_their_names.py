# also: nnx, linen
import torch
from torch import nn

other = nn.Sequential(nn.ReLU(), nn.Linear(2, 2))
layers = {}
for n, ch in other.named_children():
    layers[n + "x"] = ch
print(len(layers), list(layers))
import torch
from torch import nn

other = nn.Sequential(nn.Tanh(), nn.Linear(2, 2), nn.ReLU())
for m in other.modules():
    last = m
print(isinstance(last, nn.ReLU))
names = {}
for n, m in other.named_modules():
    names[n] = m.__class__
print(len(names))

"""Weights in files of safetensors, whose functions of torch read and write arrays as well."""

import os
import tempfile

import torch
from safetensors.torch import load_file, save_file
from torch import nn


def make():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p) / (i + 1))
    return net


path = os.path.join(tempfile.mkdtemp(), "net.safetensors")
net = make()
save_file(net.state_dict(), path)
with torch.no_grad():
    for p in net.parameters():
        p.zero_()
x = torch.linspace(0, 1, 6).view(2, 3)
print(net(x).abs().sum().item())
weights = load_file(path, device="cpu")
print(sorted(weights), weights["0.weight"].shape, float(weights["2.bias"].sum()))
net.load_state_dict(weights)
print(net(x).sum().item())

# also: nnx
"""Weights in files of safetensors: written from a state dict, read into another model, and looked at one by one."""

import os
import tempfile

import safetensors.torch
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)
        self.second = nn.Linear(4, 2)

    def forward(self, x):
        return self.second(torch.relu(self.norm(self.first(x))))


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).view_as(p) * 0.3)


def load_weights(model, path, device="cpu"):
    weights = load_file(path, device=device)
    model.load_state_dict(weights)
    return sorted(weights)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.safetensors")
    model, other = Net(), Net()
    fill(model)
    save_file(model.state_dict(), path)
    print(load_weights(other, path))
    x = torch.arange(6.0).view(2, 3)
    other.eval()
    print(other(x).tolist())
    with safe_open(path, framework="pt", device="cpu") as f:
        for name in sorted(f.keys()):
            tensor = f.get_tensor(name)
            print(name, tuple(tensor.shape), tensor.float().sum().item())
    again = safetensors.torch.load_file(path, "cpu")
    print(torch.allclose(again["first.weight"], model.first.weight))
    safetensors.torch.save_file({"a": x * 2, "b": torch.ones(2)}, path, metadata={"kind": "test"})
    print({name: value.sum().item() for name, value in load_file(path).items()})

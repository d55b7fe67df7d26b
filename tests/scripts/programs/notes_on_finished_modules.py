"""Modules that get notes from outside, and layers whose weights a method of `__init__` makes anew."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - 3) * 0.05 + 0.01 * i)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 6)
        self.act = nn.GELU()
        self.scale = 1.0
        self.layers = nn.ModuleList([nn.Linear(6, 6) for _ in range(2)])
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        x = self.act(self.fc(x)) * self.scale
        for l in self.layers:
            x = torch.tanh(l(x))
        return self.head(x)


class Offsets(nn.Module):
    def __init__(self):
        super().__init__()
        self.sampling = nn.Linear(4, 6)
        self.heads = nn.ModuleList([nn.Linear(6, 2) for _ in range(2)])
        self.reset()

    def reset(self):
        nn.init.constant_(self.sampling.weight.data, 0.1)
        with torch.no_grad():
            self.sampling.bias = nn.Parameter((torch.arange(6.0) / 3).view(-1))
        for layer in self.heads:
            nn.init.constant_(layer.weight, 0.2)
            layer.bias = nn.Parameter(torch.full((2,), -0.5))
        self.heads[0].weight = nn.Parameter(torch.ones(2, 6) * 0.3)

    def forward(self, x):
        x = self.sampling(x)
        return self.heads[0](x) + self.heads[1](x)


def train(model, x):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())


x = torch.arange(8.0).reshape(2, 4) / 8
model = Net()
fill(model)
model.class_to_idx = {"b": 0, "a": 1, "c": 2}
model.num_classes = 3
train(model, x)
print(list(model.class_to_idx), model.class_to_idx["c"], model.num_classes, hasattr(model, "class_to_idx"))
saved = {"index": model.class_to_idx, "state": model.state_dict()}
print(len(saved["state"]), {number: name for name, number in saved["index"].items()}[1])

offsets = Offsets()
print(offsets(x).sum().item())
train(offsets, x)
print([tuple(p.shape) for p in offsets.parameters()])

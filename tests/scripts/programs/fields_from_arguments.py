# also: nnx, linen
"""Fields by the names of arguments that hold something else, and arguments that become parts behind others."""

import torch
import torch.nn as nn


class Inner(nn.Module):
    def __init__(self, dim, scale=None, bias=True, mask=None):
        super().__init__()
        self.dim = dim
        self.scale = scale or dim**-0.5
        self.bias = nn.Parameter(torch.zeros(dim)) if bias else None
        self.register_buffer("mask", torch.ones(dim) if mask is None else mask)
        dim = dim * 2
        self.fc = nn.Linear(self.dim, dim)

    def forward(self, x):
        y = self.fc(x * self.mask)[..., : self.dim] * self.scale
        return y if self.bias is None else y + self.bias


class Pair(nn.Module):
    def __init__(self, first, second, act=None, rate=0.0):
        super().__init__()
        self.head = nn.Linear(4, 2)
        self.first = first
        self.other = second
        if act is None:
            act = nn.Tanh()
        self.act = act
        self.rate = rate
        self.rate += 0.5

    def forward(self, x):
        return self.head(self.act(self.first(x) + self.other(x))) * self.rate


class Stack(nn.Module):
    def __init__(self, layers, names=("a", "b")):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.layers = nn.ModuleList(layers)
        self.names = list(names)
        self.pair = Pair(Inner(4), Inner(4, 0.3, bias=False), nn.ReLU())

    def forward(self, x):
        x = self.norm(x)
        for layer in self.layers:
            x = layer(x)
        return self.pair(x)


model = Stack([nn.Linear(4, 4), nn.Linear(4, 4)])
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.linspace(-0.3, 0.4, p.numel()).view(p.shape) + 0.1 * i)
print([name for name, _ in model.named_parameters()])
print(sorted(model.state_dict()))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 12).view(3, 4)
for step in range(3):
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(model.names, model.pair.rate, model.pair.first.scale, model.pair.first.dim)

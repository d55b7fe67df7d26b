# also: nnx
"""Methods that load the values of their own module from a file."""

import os
import tempfile
from pathlib import Path

import torch
import torch.nn as nn


def fill(model, by=0.3):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * by)


class Net(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, 1)

    def save(self, path):
        torch.save(self.state_dict(), path)

    def load(self, path, strict=True):
        path = Path(path)
        assert path.exists()
        self.load_state_dict(torch.load(str(path)), strict=strict)

    def forward(self, x):
        return self.head(self.fc(x))


class Holder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = Net(dim)
        self.scale = nn.Parameter(torch.full((1,), 2.0))

    def restore(self, path):
        self.net.load(path)

    def forward(self, x):
        return self.scale * self.net(x)


path = os.path.join(tempfile.mkdtemp(), "net.pt")
first = Net(3)
second = Net(3)
fill(first)
fill(second, 0.1)
x = torch.ones(2, 3)
first.save(path)
print(first(x).sum().item(), second(x).sum().item())
second.load(path)
print(second(x).sum().item())
opt = torch.optim.SGD(second.parameters(), lr=0.1)
for _ in range(2):
    loss = second(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
second.load(path, strict=False)
print(second(x).sum().item())
holder = Holder(3)
holder.restore(path)
print(holder(x).sum().item(), [name for name, _ in holder.named_parameters()])

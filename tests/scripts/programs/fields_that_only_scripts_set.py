# also: nnx
"""Tensors that only code outside of the class of a module gives it, under names that the class never makes."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        y = self.fc(x)
        if hasattr(self, "shift"):
            y = y + self.shift
        return y


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x) * self.scale + self.offset


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape))


def build(scale):
    net = Scaled()
    net.scale = scale
    net.offset = torch.zeros(2)
    return net


x = torch.arange(6.0).reshape(2, 3)
net = Net()
fill(net)
print(net(x).sum().item())
net.shift = torch.tensor([1.0, 2.0])
net.tag = "hello"
print(net(x).sum().item(), net.tag)

scaled = build(2.0)
fill(scaled)
opt = torch.optim.SGD(scaled.parameters(), lr=0.1)
for step in range(3):
    loss = (scaled(x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    scaled.offset = scaled.offset + 1
    print(loss.item())
print(list(scaled.state_dict()))

# also: nnx
"""Functions and classes that make modules are called in files that do not use torch themselves."""

import torch
import torch.nn as nn
from builder import build, build_pair


class Net(nn.Module):
    def __init__(self, size=2):
        super().__init__()
        self.norm = nn.LayerNorm(3)
        self.linear = nn.Linear(3, size)

    def forward(self, x):
        return self.linear(self.norm(x))


def small(size=2):
    return nn.Linear(3, size)


def filled(net):
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() + number).reshape(p.shape))
    return net


x = torch.sin(torch.arange(12.0)).reshape(4, 3)
net = filled(build(small))
print(net(x).sum().item())
first, second = build_pair(small)
print(filled(second)(x).shape, first.weight.shape)
model = filled(build(Net))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    loss = model(x).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())

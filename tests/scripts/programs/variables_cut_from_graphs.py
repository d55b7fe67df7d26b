# also: nnx, linen
"""A variable around what has a graph is cut from it."""

import torch
import torch.nn as nn
from torch.autograd import Variable

net, other = nn.Linear(2, 2), nn.Linear(2, 2)
for m in (net, other):
    for i, p in enumerate(m.parameters()):
        nn.init.constant_(p, 0.1 + 0.2 * i)
opt = torch.optim.SGD([*net.parameters(), *other.parameters()], lr=0.1)
x = torch.ones(3, 2)
for _ in range(2):
    opt.zero_grad()
    h = other(x)
    loss = (net(x) * Variable(h)).sum()
    loss.backward()
    opt.step()
    print(loss.item(), net.weight.sum().item(), other.weight.sum().item())


class Cut(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(2, 2), nn.Linear(2, 1)

    def forward(self, x):
        hidden = self.first(x)
        return self.second(Variable(hidden)) + hidden.sum(1, keepdim=True) * 0.5


cut = Cut()
for i, p in enumerate(cut.parameters()):
    nn.init.constant_(p, 0.1 + 0.2 * i)
cut(Variable(x)).sum().backward()
print(cut.first.weight.grad.sum().item(), cut.second.weight.grad.sum().item())

# also: linen
"""Changes in place that one branch of a conditional expression makes: `y = x.mul_(2) if doubled else x`."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def show(*tensors):
    print([t.tolist() for t in tensors])


class Scale(nn.Module):
    def __init__(self, dim: int, inplace: bool = False):
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(0.5 * torch.ones(dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class Block(nn.Module):
    def __init__(self, inplace):
        super().__init__()
        self.scale = Scale(3, inplace)
        self.fc = nn.Linear(3, 3)
        with torch.no_grad():
            self.fc.weight.fill_(0.5)
            self.fc.bias.zero_()

    def forward(self, x):
        return x + self.scale(self.fc(x))


def views(flag):
    x = torch.ones(3)
    y = x[1:]
    z = y.add_(1) if flag else y
    show(x, y, z)
    w = x.clone().mul_(2) if flag else x.neg_()  # two tensors, or one
    show(x, y, w)
    x = x.sub_(1) if not flag else x
    show(x, y)
    v = F.relu(x, inplace=True) if flag else x
    show(x, v, y)


def shift(x, by=None):
    return x if by is None else x.add_(by)


def chosen(flags):
    x, y = torch.zeros(2), torch.ones(2)
    total = torch.zeros(2)
    for flag in flags:
        total = total.add_(x) if flag else y.mul_(2).add(total)
        show(x, y, total)


for flag in (False, True):
    block = Block(flag)
    optimizer = torch.optim.SGD(block.parameters(), lr=0.1)
    for step in range(3):
        loss = block(torch.ones(2, 3)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))
    views(flag)
t = torch.ones(2)
u = shift(t, 3)
show(t, u, shift(t))
chosen([True, False, True])

"""Tensors that are views of parameters and buffers, or lie in lists of a module, are seen changing in torch, whoever keeps them."""

import torch
import torch.nn as nn


class Box(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.x = torch.arange(4.0)
        self.xs = [torch.arange(4.0), torch.ones(4)]
        self.register_buffer("table", torch.ones(3, 2))

    def forward(self, x):
        return self.fc(x)


class Seen:
    def __init__(self, v):
        self.v = v


class Trainer:
    def __init__(self, net):
        self.net = net

    def change(self):
        for p in self.net.parameters():
            p.data.add_(0.1)


def trained(net, x):
    row = net.fc.weight[0]  # T2J303
    col = net.fc.weight.data.t()[0]  # T2J303
    kept = net.fc.bias.detach().unsqueeze(0)  # T2J303
    before = net.fc.weight[0].clone()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = net(x).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return row, col, kept, before


b = Box()
print(trained(b, torch.ones(1, 2)))
row = b.table[0]  # T2J303
some = b.table[[0, 1]]
b.table += 1
print(row, some, b.table)
seen = Seen(b.table)  # T2J303
b.table.add_(1)
print(seen.v)
b.x = torch.arange(4.0)
field = Seen(b.x)  # T2J303
b.x.data = b.x + 1
print(field.v, b.x)
first = Seen(b.xs[0])  # T2J303
b.xs[0].data = b.xs[0] * 2
print(first.v, b.xs[0])

net = Box()
w = net.fc.weight.data
trainer = Trainer(net)  # T2J303
trainer.change()
print(w)

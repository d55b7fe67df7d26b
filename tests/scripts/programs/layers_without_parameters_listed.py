# flagged: T2J303, also: nnx
"""Layers without parameters are among the parts of a module: they are counted, named, tested for, taken out and called."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, act=nn.Tanh):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.act = act()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(4, 2), nn.Softplus())
        self.loss = nn.MSELoss()

    def forward(self, x, y=None):
        out = self.body(self.act(self.first(x)))
        return out if y is None else self.loss(out, y)


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()) + i).view(p.shape))


net = Net()
fill(net)
print([name for name, part in net.named_modules() if "loss" not in name])
print(len(list(net.body.children())), [name for name, _ in net.body.named_children()])
x = torch.linspace(-1, 1, 12).view(3, 4)
head = nn.Sequential(*list(net.children())[:2])
print(head(x).sum().item())
h = x
for layer in net.body.children():
    h = layer(h)
    print(tuple(h.shape), h.sum().item())
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(x, torch.ones(3, 2))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), F.relu(net(x)).sum().item(), head(x).sum().item())

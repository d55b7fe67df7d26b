# also: nnx, linen
"""Lists and dicts of parts among what modules list, and the classes of parts."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])
        self.norm = nn.LayerNorm(4)
        self.heads = nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.Linear(4, 2)})
        self.out = nn.Linear(4, 2)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.out(self.heads["a"](self.norm(x)))


def init(m):
    if type(m) == nn.Linear:
        nn.init.constant_(m.weight, 0.5)
        m.bias.data.fill_(0.1)
    elif type(m) in (nn.LayerNorm, nn.BatchNorm1d):
        nn.init.constant_(m.weight, 2.0)


def sizes(model):
    return {name: sum(p.numel() for p in part.parameters()) for name, part in model.named_children()}


def sums(model):
    return [round(p.sum().item(), 3) for p in model.parameters()]


net = Net()
net.apply(init)
print(sums(net), net(torch.ones(1, 4)).sum().item())
print(len(list(net.children())), len(list(net.modules())), sizes(net))
print([name for name, _ in net.named_modules()])
print([type(part).__name__ for part in net.children()], [part.__class__.__name__ for part in net.modules()])

count = 0
for part in net.modules():
    count += 1
    if type(part) is nn.Linear:
        part.weight.data.fill_(0.25)
print(count, sums(net), sum(type(part) == nn.Linear for part in net.modules()))

for name, part in net.named_children():
    if name == "layers":
        for p in part.parameters():
            p.requires_grad = False
print([p.requires_grad for p in net.parameters()])

body = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 2))
print(type(body) is nn.Sequential, type(body[0]) == nn.Linear, type(body[1]).__name__)
net.eval()
net.layers.train()
for child in net.heads.children():
    child.train()
net.layers.apply(init)
print(len(list(net.layers.children())), [name for name, _ in net.layers.named_modules()], sums(net))

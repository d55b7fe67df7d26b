# also: nnx, linen
"""Modules with fields of their own that are called `frozen` and `plain`, as what translations keep has been."""

import torch
import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self, frozen=True):
        super().__init__()
        self.frozen = frozen
        self.fc = nn.Linear(3, 4)
        self.out = nn.Linear(4, 4)
        if frozen:
            for p in self.fc.parameters():
                p.requires_grad = False

    def forward(self, x):
        return self.out(torch.relu(self.fc(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = Backbone(True)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.backbone(x))



class Staged(nn.Module):
    def __init__(self):
        super().__init__()
        self.frozen = "fc"
        self.fc = nn.Linear(3, 3)
        self.out = nn.Linear(3, 2)

    def forward(self, x):
        return self.out(self.fc(x))


class Around(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Staged()
        self.head = nn.Linear(2, 2)
        for p in self.head.parameters():
            p.requires_grad = False

    def forward(self, x):
        return self.head(self.body(x))


class Block(nn.Module):
    def __init__(self, plain=False):
        super().__init__()
        self.plain = plain
        self.fc = nn.Linear(3, 3)
        self.computed = plain
        self.names = ["a"]
        self.way = nn.Linear(3, 3)

    def forward(self, x):
        y = self.way(self.fc(x))
        return y if self.plain else x + y


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.5)
        nn.init.zeros_(m.bias)


class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(False), Block(True)])
        self.apply(init_weights)

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return x


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape))
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1, weight_decay=0.1)
x = torch.cos(torch.arange(6.0)).view(2, 3)
for step in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), net.backbone.fc.weight.sum().item(), net.backbone.frozen)

net = Around()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.cos(torch.arange(p.numel()).float() + i).view(p.shape))
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
for step in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), net.body.fc.weight.sum().item(), net.head.weight.sum().item(), net.body.frozen)

net = Deep()
net.apply(init_weights)
for m in net.modules():
    if isinstance(m, nn.Linear):
        m.bias.data.fill_(0.25)
print(net(torch.ones(1, 3)).sum().item(), [b.plain for b in net.blocks])
print(len(list(net.modules())), sum(p.numel() for p in net.parameters()))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(2):
    opt.zero_grad()
    loss = net(torch.ones(1, 3)).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item())

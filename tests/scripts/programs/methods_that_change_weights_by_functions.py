# also: nnx, linen
import copy

import torch
import torch.nn as nn


def follow(ema, slow, fast):
    for p, q in zip(fast.parameters(), slow.parameters()):
        old, new = q.data, p.data
        q.data = old * ema + (1 - ema) * new


def copy_all(source, target):
    with torch.no_grad():
        for p, q in zip(source.parameters(), target.parameters()):
            q.copy_(p)


def set_requires_grad(model, flag):
    for p in model.parameters():
        p.requires_grad = flag


def double(model):
    for p in model.parameters():
        p.data.mul_(2.0)


def double_both(one, two):
    double(one)
    double(two)


def clip(model, size):
    for p in model.parameters():
        p.data.clamp_(-size, size)


def size_of(model):
    return sum(p.numel() for p in model.parameters())


class Pair(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.online = net
        self.target = copy.deepcopy(net)
        set_requires_grad(self.target, False)

    def update_target(self):
        follow(0.9, self.target, self.online)

    def reset_target(self):
        copy_all(self.online, self.target)

    def grow(self):
        double_both(self.online, self.target)

    def freeze_online(self):
        set_requires_grad(self.online, False)

    def limit(self):
        clip(self, 0.5)

    def size(self):
        return size_of(self.online)

    def forward(self, x):
        return (self.online(x) - self.target(x).detach()).pow(2).mean() + self.online(x).mean()


def make():
    net = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1))
    for i, p in enumerate(net.parameters()):
        p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).view_as(p) + 0.1 * i)
    return net


def show(pair):
    print([round(p.sum().item(), 5) for p in pair.parameters()])


pair = Pair(make())
opt = torch.optim.SGD([p for p in pair.parameters() if p.requires_grad], lr=0.1)
x = torch.linspace(-1, 1, 12).view(4, 3)
for step in range(3):
    opt.zero_grad()
    loss = pair(x)
    loss.backward()
    opt.step()
    pair.update_target()
    print(round(loss.item(), 5), pair.size())
show(pair)
pair.grow()
show(pair)
pair.limit()
show(pair)
pair.reset_target()
show(pair)
pair.freeze_online()
print([p.requires_grad for p in pair.parameters()])

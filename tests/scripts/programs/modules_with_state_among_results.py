# also: nnx
"""Modules with state that functions return among other things."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(3, n)
        self.bn = nn.BatchNorm1d(n)

    def forward(self, x):
        return self.bn(self.fc(x))


class Words:
    def __init__(self, n):
        self.n = n


def fill(model, by=0.7):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()) * by + 0.2).view_as(p))


def from_size(n):
    model = Net(n)
    fill(model)
    model.cpu()
    return model


def load(n, path=None):
    step = None if path is None else 3
    model = from_size(n)
    return model, step


def loaded(n, other):
    model = Net(n)
    fill(model, 0.3)
    if other:
        second = Net(n + 1)
        fill(second)
        second(torch.ones(2, 3))
        second.eval()
        return second, "second"
    model.eval()
    return model, "first"


class Whole(nn.Module):
    def __init__(self, backbone, size):
        super().__init__()
        self.backbone = backbone
        self.own, width = backbone_of(size)
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        return self.head(self.backbone(x) + self.own(x))


def backbone_of(n):
    net = Net(n)
    return net, n


def pair(n):
    first, second = Net(n), Net(n)
    fill(first)
    fill(second, 0.4)
    return Words(n), first, second


def with_optimizer(n):
    net = Net(n)
    fill(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for _ in range(2):
        optimizer.zero_grad()
        net(torch.arange(6.0).view(2, 3)).square().sum().backward()
        optimizer.step()
    return net, optimizer


class Predictor:
    def __init__(self, n):
        self.model, self.step = load(n, "x")

    def __call__(self, x):
        return self.model(x)


def show(x):
    print(round(x.sum().item(), 4), round(x.square().sum().item(), 4))


def main():
    x = torch.linspace(-1, 1, 12).view(4, 3) ** 3
    model, step = load(4)
    show(model(x))
    model.eval()
    show(model(x))
    for other in (False, True):
        net, name = loaded(3, other)
        print(name)
        show(net(x))
    words, one, two = pair(5)
    show(one(x))
    show(two(x) * words.n)
    show(two.bn.running_mean)
    show(one.bn.running_mean)
    net, optimizer = with_optimizer(2)
    optimizer.zero_grad()
    net(x).sum().backward()
    optimizer.step()
    show(net(x))
    show(net.bn.running_var)
    backbone, size = backbone_of(3)
    whole = Whole(backbone, size)
    fill(whole)
    show(whole(x))
    show(whole.backbone.bn.running_mean)
    predict = Predictor(3)
    print(predict.step)
    show(predict(x))
    show(predict.model.bn.running_mean)


model, _ = load(2)
show(model(torch.eye(3)))
main()

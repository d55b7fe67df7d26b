# also: nnx, linen
"""Models that evaluate, but for some parts: these count on, and the statistics go with them."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.bn = nn.BatchNorm1d(8)
        self.fc2 = nn.Linear(8, 3)

    def forward(self, x):
        return self.fc2(torch.relu(self.bn(self.fc1(x))))
import torch.optim as optim


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + k).view(p.shape) * 0.5)


def batches():
    for n in range(2):
        x = torch.cos(torch.arange(24.0) * (n + 1)).view(4, 6).abs()
        yield x, torch.tensor([0, 1, 2, n])


def show(name, model):
    with torch.no_grad():
        total = sum(model(x).abs().sum().item() for x, _ in batches())
    print(name, round(total, 4), round(model.bn.running_mean.sum().item(), 4))


def by_name(model):
    model.eval()
    model.bn.train()
    for x, _ in batches():
        print(round(model(x).abs().sum().item(), 4))


def in_a_loop(model):
    model.eval()
    for m in model.modules():
        if isinstance(m, nn.BatchNorm1d):
            m.train()
    for x, _ in batches():
        print(round(model(x).abs().sum().item(), 4))


def by_another_name(model):
    model.eval()
    bn = model.bn
    bn.train()
    for x, _ in batches():
        print(round(model(x).abs().sum().item(), 4))


def count_on(net):
    for m in net.modules():
        if m.__class__.__name__.startswith("BatchNorm"):
            m.train()


def by_a_function(model):
    model.eval()
    count_on(model)
    for x, _ in batches():
        print(round(model(x).abs().sum().item(), 4))


def switch(m):
    if isinstance(m, nn.BatchNorm1d):
        m.train()


def by_an_applied_function(model):
    model.eval()
    model.apply(switch)
    for x, _ in batches():
        print(round(model(x).abs().sum().item(), 4))


def by_an_inner_function(model):
    def enable(m):
        if isinstance(m, nn.BatchNorm1d):
            m.train()

    model.eval()
    model.apply(enable)
    for x, _ in batches():
        print(round(model(x).abs().sum().item(), 4))


def as_a_whole(model):
    model.eval()
    for x, _ in batches():
        print(round(model(x).abs().sum().item(), 4))


model = Net()
fill(model)
by_name(model)
show("by name", model)
in_a_loop(model)
show("in a loop", model)
by_another_name(model)
show("by another name", model)
by_a_function(model)
show("by a function", model)
by_an_applied_function(model)
show("by an applied function", model)
by_an_inner_function(model)
show("by an inner function", model)
as_a_whole(model)
show("as a whole", model)

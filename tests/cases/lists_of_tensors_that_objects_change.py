import torch
from torch import nn


class Decays:
    def __init__(self, tensors):
        self.tensors = list(tensors)

    def step(self):
        for tensor in self.tensors:
            tensor.mul_(0.9)  # T2J303


class DecaysCopies:
    def __init__(self, tensors):
        self.tensors = [tensor.clone() for tensor in tensors]

    def step(self):
        for tensor in self.tensors:
            tensor.mul_(0.9)


class First:
    def __init__(self, tables):
        self.values = list(tables.values())

    def step(self):
        for value in self.values:
            value.add_(1.0)  # T2J303


class Norms:
    def __init__(self, model):
        self.params = [parameter for parameter in model.parameters() if parameter.dim() > 1]

    def now(self):
        return sum(parameter.pow(2).sum().item() for parameter in self.params)


class Sizes:
    def __init__(self, model):
        self.count = len(list(model.parameters()))


def listed(x, y):
    decays = Decays([x, y])
    decays.step()
    return x + y


def held(x, y):
    both = [x * 1.0, y * 1.0]
    decays = Decays(both)  # T2J303
    decays.step()
    return both[0] + both[1]


def handed_over(x, y):
    decays = Decays([x * 1.0, y * 1.0])
    decays.step()
    return decays.tensors[0]


def copied(x, y):
    decays = DecaysCopies([x, y])
    decays.step()
    return x + y + decays.tensors[0]


def of_dicts(x):
    tables = {"x": x * 2.0}
    first = First(tables)  # T2J303
    first.step()
    return tables["x"]


def trained(x):
    net = nn.Linear(3, 3)
    norms = Norms(net)  # T2J303
    sizes = Sizes(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = net(x).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return norms.now() + sizes.count

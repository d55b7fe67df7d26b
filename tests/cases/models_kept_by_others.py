import functools

import torch
from torch import nn


class Report:
    def __init__(self, fn):
        self.fn = fn

    def show(self):
        print(self.fn(torch.ones(1, 2)).sum().item())


class Sizes:
    def __init__(self, model):
        self.names = [name for name, _ in model.named_parameters()]


def norm_of(model: nn.Module):
    return sum(p.norm().item() for p in model.parameters())


def scorer(model):
    def run(x):
        return model(x).sum().item()

    return run


net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
measure = functools.partial(norm_of, net)
report = Report(net)
sizes = Sizes(net)
run = scorer(net)
short = lambda x, m=net: m(x)  # T2J303
pairs = [(name, p) for name, p in net.named_parameters()]  # T2J303
for _ in range(2):
    optimizer.zero_grad()
    loss = net(torch.ones(4, 2)).pow(2).sum()
    loss.backward()
    optimizer.step()
report.show()
print(measure(), run(torch.ones(1, 2)), short(torch.ones(1, 2)), pairs, sizes.names)

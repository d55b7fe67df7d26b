# also: nnx linen
"""Objects that are given a module which a function has filled, and that choose what they do by a name."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.linspace(-1, 1, 12).reshape(6, 2)
y = (x.sum(1, keepdim=True) * 2).clone()


def fill(m):
    for i, p in enumerate(m.parameters()):
        nn.init.constant_(p, 0.1 * (i + 1))
    return m


class Runner:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.log = {"train": [], "valid": []}

    def on_train(self):
        self.net.train()
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()

    def on_valid(self):
        self.net.eval()
        with torch.no_grad():
            return nn.functional.mse_loss(self.net(x), y).item()

    def run(self, phases):
        for phase in phases:
            value = getattr(self, f"on_{phase}")()
            self.log[phase].append(value)


r = Runner(fill(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))))
r.run(["train", "valid", "train", "valid"])
print(r.log)

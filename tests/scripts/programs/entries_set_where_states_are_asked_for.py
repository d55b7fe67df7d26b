# also: nnx, linen
"""Tensors of state dicts that are set right where the module is asked for its state dict."""

import torch
from torch import nn


def report(net):
    return [round(v.float().sum().item(), 4) for v in net.state_dict().values()]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 1)
        self.bn = nn.BatchNorm1d(3)
        self.last = nn.Conv1d(3, 2, 1)

    def forward(self, x):
        return self.last(self.bn(self.conv(x)))

    def load_my_state_dict(self, state_dict):
        own_state = self.state_dict()
        for name, param in state_dict.items():
            if name not in own_state:
                continue
            if isinstance(param, nn.Parameter):
                param = param.data
            own_state[name].copy_(param)

    def partial(self, saved):
        for name, param in saved.items():
            if name in self.state_dict():
                self.state_dict()[name].data.copy_(param)

    def scaled(self, saved):
        for name in saved:
            if name.startswith("conv"):
                self.state_dict()[name].copy_(saved[name])
                self.state_dict()[name].mul_(2)


def load_part_of_model(model, params):
    added = 0
    for name, param in params.items():
        if name in model.state_dict().keys():
            try:
                model.state_dict()[name].copy_(param)
                added += 1
            except Exception:
                print("no", name)
    print("added %s of params:" % (added / float(len(model.state_dict().keys()))))


def one(net):
    net.state_dict()["last.weight"].fill_(0.25)
    net.state_dict()["bn.running_mean"][1] = 4.0
    net.state_dict()["bn.running_var"][:2] *= 3
    nn.init.constant_(net.state_dict()["conv.bias"], 0.125)
    net.state_dict()["last.weight"].mul_(net.conv.bias[0])


def fill(net):
    for key in net.state_dict():
        net.state_dict()[key].fill_(0.5)
    return net


def doubled(net):
    total = 0
    for k, v in net.state_dict().items():
        total += v.sum().item()
        net.state_dict()[k].copy_(v * 2)
    return total


def added(net, other):
    for key, v in net.state_dict().items():
        if "num" not in key:
            other.state_dict()[key].add_(v)


def until(net):
    while net.last.bias.sum().item() < 20:
        net.state_dict()["last.bias"].mul_(2)


def with_early_end(net):
    for k in ("conv.weight", "missing"):
        net.state_dict()[k].mul_(2)
        if k == "conv.weight":
            return net.conv.weight.sum().item()


def with_errors(net):
    try:
        for k in ("conv.weight", "missing"):
            net.state_dict()[k].mul_(2)
    except KeyError as error:
        print("missing", error)


net = fill(Net())
print(report(net))
other = fill(Net())
one(other)
print(report(other))
saved = other.state_dict()
net.partial(saved)
print(report(net))
third = fill(Net())
third.scaled(saved)
print(report(third))
fourth = fill(Net())
saved = {k: v.clone() for k, v in saved.items()}
saved["conv.bias"] = torch.ones(7)
saved["other"] = torch.ones(7)
load_part_of_model(fourth, saved)
print(report(fourth))
fifth = fill(Net())
fifth.load_my_state_dict(other.state_dict())
print(report(fifth))
x = torch.cos(torch.arange(8.0)).reshape(2, 2, 2)
print(fifth(x).sum().item())
print(doubled(fifth), report(fifth))
added(fourth, fifth)
until(fifth)
print(with_early_end(fifth))
with_errors(fifth)
fifth.state_dict()["bn.running_mean"].copy_(torch.tensor(0.5))
print(report(fifth))

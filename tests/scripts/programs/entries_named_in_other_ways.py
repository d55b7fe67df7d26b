# also: nnx, linen
"""Entries of state dicts under names that are computed, behind tests of shapes, in `try`, from arrays and other models."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.conv = nn.Conv1d(2, width, 1)
        self.bn = nn.BatchNorm1d(width)

    def forward(self, x):
        return self.bn(self.conv(x))

    def load_shapes(self, saved):
        for k, v in saved.items():
            if k in self.state_dict() and self.state_dict()[k].shape == v.shape:
                self.state_dict()[k].copy_(v)
            else:
                print("skipped", k)

    def load_sizes(self, saved):
        own = self.state_dict()
        for k, v in saved.items():
            if k not in own:
                print("unknown", k)
                continue
            if own[k].size() != v.size():
                print("other size", k)
                continue
            self.state_dict()[k].copy_(v)

    def load_numpy(self, arrays):
        for name, value in arrays.items():
            self.state_dict()[name.replace("/", ".")].copy_(torch.from_numpy(value))

    def load_prefixed(self, saved, prefix="module."):
        for k in saved:
            if k.startswith(prefix):
                self.state_dict()[k[len(prefix) :]].copy_(saved[k])

    def load_try(self, saved):
        for k in saved.keys():
            try:
                self.state_dict()[k].copy_(saved[k])
            except KeyError:
                print("missing", k)
                continue
            except RuntimeError:
                print("shape", k)

    def copy_first(self, other):
        with torch.no_grad():
            for k in list(self.state_dict())[:2]:
                self.state_dict()[k].copy_(other.state_dict()[k])


def fill(net, start=0.0):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.cos(torch.arange(float(p.numel())) + i + start).reshape(p.shape))
    return net


def report(net):
    return [round(v.float().sum().item(), 4) for v in net.state_dict().values()]


source = fill(Net(), 2.0)
source(torch.ones(2, 2, 2))
saved = {k: v.clone() for k, v in source.state_dict().items()}
wrong = dict(saved)
wrong["conv.bias"] = torch.ones(7)
wrong["extra"] = torch.ones(1)
net = fill(Net())
net.load_shapes(wrong)
print(report(net))
net = fill(Net())
net.load_sizes(wrong)
print(report(net))
net = fill(Net())
net.load_numpy({"conv/weight": np.ones((3, 2, 1), np.float32), "bn/bias": np.full(3, 2.0)})
print(report(net))
net = fill(Net())
net.load_prefixed({"module." + k: v for k, v in saved.items()})
print(report(net))
net = fill(Net())
net.load_try(wrong)
print(report(net))
net = fill(Net())
net.copy_first(source)
print(report(net))
parallel = nn.DataParallel(net)
parallel.module.state_dict()["bn.bias"].fill_(3.0)
print(report(net))

# also: nnx, linen
"""Functions of torch that are passed around, and are called with more than their first argument where they have arrived."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def log_sum_exp(tensor, dim=-1, sum_op=torch.sum):
    top, _ = torch.max(tensor, dim=dim, keepdim=True)
    return torch.log(sum_op(torch.exp(tensor - top), dim=dim, keepdim=True) + 1e-8) + top


def by_place(x, op=torch.sum):
    return op(x, 1, True)


def of_all(x, op=torch.sum):
    return op(x)


def both(x, op):
    return op(x) + op(x, dim=0).sum()


def smallest(x, pick=torch.max):
    return pick(x, dim=1)[0]


class Decoder(nn.Module):
    def __init__(self, norm=F.softmax, act=F.relu):
        super().__init__()
        self.fc = nn.Linear(3, 5)
        self.norm = norm
        self.act = act

    def step(self, x, function):
        return function(self.act(self.fc(x)), dim=1).view(2, 5, -1)

    def forward(self, x, function=F.log_softmax):
        return self.step(x, function=function) + self.norm(x, dim=-1).sum()


class Pool:
    kinds = {"sum": torch.sum, "mean": torch.mean, "amax": torch.amax}

    def __call__(self, x, kind):
        return self.kinds[kind](x, dim=1)


torch.manual_seed(0)
for decoder in (Decoder(), Decoder(F.log_softmax, torch.tanh)):
    for i, p in enumerate(decoder.parameters()):
        p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape) + i)
    x = torch.arange(6.0).view(2, 3)
    print(decoder(x).sum(1).detach())
    print(decoder(x, F.softmax).sum(1).detach())
print(log_sum_exp(x), log_sum_exp(x, sum_op=torch.mean))
print(by_place(x), by_place(x, torch.mean))
print(of_all(x), of_all(x, torch.mean), of_all(x, torch.std))
print(both(x, torch.sum), both(x, torch.mean))
print(smallest(x), smallest(x, torch.min))
print([Pool()(x, kind).tolist() for kind in ("sum", "mean", "amax")])

"""The parts of an nn.ModuleDict keep their order, where JAX sorts the keys of dictionaries."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"b": nn.Linear(2, 5), "a": nn.Linear(5, 1)})


def case_first():
    return next(Net().parameters()).shape


def case_listed():
    return [p.shape for p in Net().parameters()]


def case_counted():
    model = Net()
    return sum(p.numel() for p in model.parameters()), next(model.parameters()).dtype == torch.float32

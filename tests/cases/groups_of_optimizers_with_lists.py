"""Optimizers that keep what they have computed of one group for all groups, with groups that may differ in it."""

import torch
import torch.nn as nn
from torch.optim import Optimizer


class Rated(Optimizer):
    def __init__(self, params, lr=0.1, beta=0.9):
        super().__init__(params, dict(lr=lr, beta=beta))
        self.buffer = [[None, None] for _ in range(10)]

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                state["step"] += 1
                buffered = self.buffer[int(state["step"] % 10)]
                if state["step"] == buffered[0]:
                    scale = buffered[1]
                else:
                    buffered[0] = state["step"]
                    scale = 1 - group["beta"] ** state["step"]
                    buffered[1] = scale
                p.sub_(p.grad * group["lr"] * scale)


def trained(model, optimizer):
    for _ in range(3):
        optimizer.zero_grad()
        loss = (model(torch.ones(2, 3)) ** 2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())


def made(params):
    return Rated(params)  # T2J201


first, second = nn.Linear(3, 2), nn.Linear(3, 2)
trained(first, Rated(first.parameters()))
trained(first, Rated([{"params": [first.weight], "lr": 0.2}, {"params": [first.bias]}]))
trained(second, Rated([{"params": [second.weight], "beta": 0.5}, {"params": [second.bias]}]))  # T2J201
trained(second, made(second.parameters()))  # T2J501

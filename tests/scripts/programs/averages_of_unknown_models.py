# also: nnx
"""A class that averages copies of models of which nobody here says what they are."""

from copy import deepcopy

import torch
from torch import nn


class Average:
    def __init__(self, model, decay):
        self.ema = deepcopy(model)
        self.ema.eval()
        self.decay = decay
        self.names = [k for k, _ in self.ema.named_parameters()]
        for p in self.ema.parameters():
            p.requires_grad_(False)

    def update(self, model):
        with torch.no_grad():
            values = model.state_dict()
            own = self.ema.state_dict()
            for k in self.names:
                own[k].copy_(own[k] * self.decay + (1.0 - self.decay) * values[k].detach())


print(torch.ones(2).sum().item())

"""An optimizer whose options another file changes."""

import torch
from torch.optim import Optimizer


class Later(Optimizer):
    def __init__(self, params, lr=0.01, weight_decay=0.0, momentum=0.5):
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if "m" not in state:
                    state["m"] = torch.zeros_like(p)
                state["m"].mul_(group["momentum"]).add_(p.grad)
                if group["weight_decay"] != 0:
                    p.mul_(1 - group["weight_decay"])
                p.sub_(state["m"] * group["lr"])

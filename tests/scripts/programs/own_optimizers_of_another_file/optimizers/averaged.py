"""An optimizer whose file imports no more of torch than its base."""

import copy

from torch.optim.optimizer import Optimizer


class Averaged(Optimizer):
    def __init__(self, params, lr=0.1, beta=0.9, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, beta=beta, weight_decay=weight_decay))

    def step(self, closure=None):
        loss = None
        if closure is not None:
            loss = closure()
        for group in self.param_groups:
            scale = group["lr"] / group["beta"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                if group["weight_decay"] != 0:
                    d_p.add_(p.data, alpha=group["weight_decay"])
                state = self.state[p]
                if "buffer" not in state:
                    state["buffer"] = copy.deepcopy(p.data)
                buffer = state["buffer"]
                buffer.mul_(group["beta"]).add_(d_p, alpha=-scale)
                p.data.mul_(0.5).add_(buffer, alpha=0.5)
        return loss

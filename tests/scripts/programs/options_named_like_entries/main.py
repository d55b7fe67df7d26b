"""An optimizer with an option `momentum` beside one of another file that keeps something by that name for each parameter."""

import torch
from other import Averaging


class Momentum(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1, momentum=0.0):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            momentum = group["momentum"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad
                if momentum != 0:
                    state = self.state[p]
                    if "buf" not in state:
                        buf = state["buf"] = torch.clone(d_p)
                    else:
                        buf = state["buf"]
                        buf.mul_(momentum).add_(d_p)
                    d_p = buf
                p.add_(d_p, alpha=-group["lr"])


net = torch.nn.Linear(3, 2)
for p in net.parameters():
    torch.nn.init.constant_(p, 0.1)
first = Momentum(net.parameters(), lr=0.05, momentum=0.9)
second = Averaging(net.parameters(), lr=0.05)
x = torch.arange(6.0).reshape(2, 3) / 10
for _ in range(3):
    first.zero_grad()
    loss = (net(x) - 1).pow(2).sum()
    loss.backward()
    first.step()
    second.zero_grad()
    loss = (net(x) - 2).pow(2).sum()
    loss.backward()
    second.step()
    print(round(loss.item(), 4))

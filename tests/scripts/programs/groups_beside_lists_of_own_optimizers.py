# also: nnx, linen
"""Optimizers of a program that go over their groups with numbers, or with what they have listed of each group when they were made."""

import torch
import torch.nn as nn
from torch.optim import Optimizer

x = torch.cos(torch.arange(40.0)).view(10, 4)
y = torch.sin(torch.arange(20.0)).view(10, 2)


class Bounded(Optimizer):
    """Bounds that a scheduler does not move."""

    def __init__(self, params, lr=1e-3, final_lr=0.1, gamma=0.1):
        super().__init__(params, dict(lr=lr, final_lr=final_lr, gamma=gamma))
        self.base_lrs = [group["lr"] for group in self.param_groups]
        self.gammas = list(map(lambda group: group["gamma"], self.param_groups))

    def step(self, closure=None):
        loss = None
        if closure is not None:
            loss = closure()
        for group, base_lr, gamma in zip(self.param_groups, self.base_lrs, self.gammas):
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["square"] = torch.zeros_like(p)
                square = state["square"]
                state["step"] += 1
                square.mul_(0.9).addcmul_(p.grad.data, p.grad.data, value=0.1)
                final_lr = group["final_lr"] * group["lr"] / base_lr
                lower = final_lr * (1 - 1 / (gamma * state["step"] + 1))
                upper = final_lr * (1 + 1 / (gamma * state["step"]))
                step_size = torch.full_like(square, group["lr"])
                step_size.div_(square.sqrt().add_(1e-8)).clamp_(lower, upper).mul_(p.grad.data)
                p.data.add_(-step_size)
        return loss


class Numbered(Optimizer):
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for number, group in enumerate(self.param_groups):
            lr = group["lr"] / (number + 1)
            for p in group["params"]:
                p.sub_(p.grad * lr)


def made():
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) + number).view(p.shape) * 0.5)
    return model


model = made()
groups = [{"params": model[0].parameters()}, {"params": model[2].parameters(), "lr": 0.01, "gamma": 0.5}]
optimizer = Bounded(groups, lr=0.05)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
for _ in range(6):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print("bounded", loss.item())

model = made()
numbered = Numbered([{"params": model[0].parameters()}, {"params": model[2].parameters()}])
for _ in range(4):
    numbered.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    numbered.step()
    print("counted", loss.item())

# flagged: T2J507, T2J203
"""Two optimizers with their schedulers, made by one function: each scheduler steps beside the optimizer of the other."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.37 + k).reshape(p.shape) * 0.4)


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.backbone = nn.Linear(4, width)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(torch.tanh(self.norm(self.backbone(x))))


def batches(n=6):
    for i in range(n):
        x = torch.cos(torch.arange(20, dtype=torch.float32) * 0.3 + i).reshape(5, 4)
        y = torch.arange(5) % 3
        yield x, y


def make(model, lr):
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    return opt, sched


def run(model, opt, sched, n):
    for i, (x, y) in enumerate(batches(n)):
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
        sched.step()
        print(i, loss.item(), opt.param_groups[0]["lr"])


a, b = Net(), Net(6)
fill(a)
fill(b)
opt_a, sched_a = make(a, 0.1)
opt_b, sched_b = make(b, 0.2)
run(a, opt_a, sched_b, 5)
run(b, opt_b, sched_a, 5)

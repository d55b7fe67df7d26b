# flagged: T2J507, T2J203
"""Objects that get the scheduler of the optimizer of another."""

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


class Trainer:
    def __init__(self, model, opt, sched):
        self.model = model
        self.opt = opt
        self.sched = sched

    def run(self, n):
        for i, (x, y) in enumerate(batches(n)):
            self.opt.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.opt.step()
            self.sched.step()
            print(i, loss.item(), self.opt.param_groups[0]["lr"])


def make(model, lr):
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    return opt, sched


a, b = Net(), Net(6)
fill(a)
fill(b)
opt_a, sched_a = make(a, 0.1)
opt_b, sched_b = make(b, 0.2)
ta = Trainer(a, opt_a, sched_b)
tb = Trainer(b, opt_b, sched_a)
ta.run(5)
tb.run(5)

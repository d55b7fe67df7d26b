"""Optimizers and their schedulers, several pairs made by the same functions, that stay together where they are handed on."""

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


def get_scheduler(name, opt):
    if name == "step":
        sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    else:
        sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    return sched


def run(model, opt, sched, n):
    for i, (x, y) in enumerate(batches(n)):
        one(model, opt, sched, i, x, y)


def one(model, opt, scheduler, i, x, y):
    opt.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    scheduler.step()
    print(i, loss.item(), opt.param_groups[0]["lr"])


class Warm:
    def __init__(self, optimizer, warm):
        self.optimizer = optimizer
        self.base = optimizer.param_groups[0]["lr"]
        self.warm = warm
        self.n = 0

    def step(self):
        self.n += 1
        for g in self.optimizer.param_groups:
            g["lr"] = self.base * min(1.0, self.n / self.warm)


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


def experiment(lr):
    a = Net(5)
    fill(a)
    opt = torch.optim.SGD(a.parameters(), lr=lr)
    sched = get_scheduler("step" if lr > 0.1 else "exp", opt)
    run(a, opt, sched, 3)


def make_own(model, lr):
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    sched = Warm(opt, 3)
    return opt, sched


def run_own(model, opt, sched, n):
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
run(a, opt_a, sched_a, 5)
run(b, opt_b, sched_b, 5)
for lr in (0.1, 0.2):
    experiment(lr)
c, d = Net(), Net(6)
fill(c)
fill(d)
opt_c, sched_c = make(c, 0.1)
tc = Trainer(c, opt_c, sched_c)
opt_d, sched_d = make(d, 0.3)
td = Trainer(d, opt_d, sched_d)
tc.run(4)
td.run(4)
e, f = Net(), Net(6)
fill(e)
fill(f)
opt_e, sched_e = make_own(e, 0.1)
opt_f, sched_f = make_own(f, 0.2)
run_own(e, opt_e, sched_e, 4)
run_own(f, opt_f, sched_f, 4)

# also: nnx, linen
"""Optimizers whose class and options are known only when the program runs, beside what torch makes of the same."""

import argparse
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
y = torch.tensor([0, 1, 1, 0, 1, 0, 0, 1])


def make():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape))
    return model


def steps(model, optimizer, scheduler=None):
    for step in range(6):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            print(loss.item())


def of_options(name, **options):
    model = make()
    optimizer = getattr(optim, name)(model.parameters(), **options)
    steps(model, optimizer)


def of_class(make_optimizer):
    model = make()
    optimizer = make_optimizer(model.parameters(), lr=0.05)
    steps(model, optimizer)


def of_arguments(args):
    model = make()
    options = dict(lr=args.lr, weight_decay=args.weight_decay)
    if args.momentum is not None:
        options["momentum"] = args.momentum
    if args.opt == "sgd":
        optimizer = optim.SGD(model.parameters(), nesterov=args.nesterov, **options)
    else:
        options.pop("momentum", None)
        optimizer = optim.Adam(model.parameters(), amsgrad=args.amsgrad, **options)
    steps(model, optimizer)


def of_groups(weight_decay, **options):
    model = make()
    decayed, others = [], []
    for name, p in model.named_parameters():
        if p.ndim == 1 or name.endswith(".bias"):
            others.append(p)
        else:
            decayed.append(p)
    groups = [{"params": others, "weight_decay": 0.0}, {"params": decayed, "weight_decay": weight_decay}]
    optimizer = optim.AdamW(groups, **options)
    print(optimizer.param_groups[0]["lr"], [g["weight_decay"] for g in optimizer.param_groups])
    steps(model, optimizer)


def with_schedule(**options):
    model = make()
    optimizer = optim.SGD(model.parameters(), lr=0.2, **options)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    for step in range(6):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        print(loss.item())


for name in ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adamax", "Adadelta", "NAdam", "RAdam"]:
    of_options(name, lr=0.05, weight_decay=0.1)
of_options("SGD", lr=0.1, momentum=0.9, dampening=0.5)
of_options("RMSprop", lr=0.01, momentum=0.5, centered=True, alpha=0.9, maximize=True)
of_options("Adam", lr=0.1, betas=(0.5, 0.6), amsgrad=True, foreach=False)
of_class(optim.SGD)
of_class(optim.Adam)
of_class(partial(optim.AdamW, weight_decay=0.5))
for opt in ["sgd", "adam"]:
    for flag in [False, True]:
        of_arguments(argparse.Namespace(opt=opt, lr=0.05, weight_decay=0.1, momentum=0.9, nesterov=flag, amsgrad=flag))
of_groups(0.3, lr=0.02)
of_groups(0.3, betas=(0.7, 0.8), eps=1e-3)
with_schedule()
with_schedule(momentum=0.9, weight_decay=0.01)

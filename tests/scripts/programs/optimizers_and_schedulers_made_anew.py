# also: nnx, linen
"""Another optimizer, and another scheduler, in the second half of a training."""

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import ExponentialLR, StepLR

net = nn.Linear(2, 1)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.1)
x = torch.ones(3, 2)


def run(optimizer, scheduler, n):
    for j in range(n):
        optimizer.zero_grad()
        loss = ((net(x) - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        print("%.5f" % loss.item(), "%.6f" % optimizer.param_groups[0]["lr"])


def main(kind, sched):
    if kind == "adam":
        optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    else:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    if sched == "step":
        scheduler = StepLR(optimizer, 2)
    elif sched == "exp":
        scheduler = ExponentialLR(optimizer, 0.5)
    else:
        scheduler = None
    run(optimizer, scheduler, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    run(optimizer, None, 2)
    scheduler = StepLR(optimizer, 1)
    run(optimizer, scheduler, 2)


main("adam", "step")
main("sgd", "exp")
main("sgd", "no")

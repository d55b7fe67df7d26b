# flagged: T2J508
"""Rows that are taken by ranks which fields of other objects hold, or variables that may hold None."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn


def setup(args):
    args.rank = int(os.environ["RANK"])
    dist.init_process_group("gloo")


def own_rank(args):
    return args.rank


def worker(args, x, gpu=None):
    model = nn.Linear(3, 1)
    model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    half = args.rank % 2
    for _ in range(2):
        start = args.rank * 4
        rows = x[start : start + 4]
        if own_rank(args) == 1 or gpu == 1:
            print(half * 2)
        loss = model(rows).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if args.rank == 0:
        print(x[gpu].sum().item())


def main():
    args = argparse.Namespace()
    x = torch.sin(torch.arange(48.0)).reshape(16, 3)
    if os.environ.get("RANK") is not None:
        setup(args)
        worker(args, x, int(os.environ["LOCAL_RANK"]))
    else:
        worker(args, x)


if __name__ == "__main__":
    main()

# also: nnx, linen
"""Optimizers and schedulers chosen by arguments of the command line: a scheduler of a function, and none, among them."""

import argparse
import math
import numpy as np
import torch
import torch.nn as nn


def parse(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--optim", default="sgd")
    parser.add_argument("--scheduler", default="cosine")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--step-size", type=int, default=2)
    parser.add_argument("--gamma", type=float, default=0.5)
    parser.add_argument("--warmup", type=int, default=2)
    return parser.parse_args(argv)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 5)
        self.fc2 = nn.Linear(5, 1)
        for p in self.parameters():
            nn.init.constant_(p, 0.1)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def main(args):
    rng = np.random.RandomState(0)
    x = torch.tensor(rng.randn(16, 4), dtype=torch.float32)
    y = torch.tensor(rng.randn(16, 1), dtype=torch.float32)
    model = Net()
    criterion = nn.MSELoss()
    if args.optim == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    elif args.optim == "adam":
        optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    else:
        raise ValueError("unknown optimizer {}".format(args.optim))

    if args.scheduler == "cosine":
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs)
    elif args.scheduler == "step":
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=args.step_size, gamma=args.gamma)
    elif args.scheduler == "warmup":
        lf = lambda e: min(1.0, (e + 1) / args.warmup) * 0.9**e
        scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=lf)
    else:
        scheduler = None

    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        print(epoch, "%.5f" % loss.item(), "%.6f" % optimizer.param_groups[0]["lr"])


if __name__ == "__main__":
    for name in ("sgd", "adam"):
        for schedule in ("cosine", "step", "warmup", "none"):
            print(len(name), len(schedule))
            main(parse(["--optim", name, "--scheduler", schedule]))

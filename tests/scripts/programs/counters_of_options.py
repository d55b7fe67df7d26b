# also: nnx, linen
"""Counters that come from files, options, and functions that give several things, beside what is kept elsewhere."""

import argparse
import os

import torch
from torch import nn


class Bar:
    def __init__(self):
        self.seen = []

    def update(self, n):
        self.seen.append(n)


class Solver:
    def __init__(self, args):
        self.global_iter = 0
        self.size = args.size
        self.net = nn.Linear(2, 2)
        nn.init.ones_(self.net.weight)
        nn.init.zeros_(self.net.bias)
        self.path = args.path
        if args.resume is not None:
            self.load(args.path)

    def load(self, path):
        if os.path.isfile(path):
            checkpoint = torch.load(path)
            self.global_iter = checkpoint["iter"]
            self.net.load_state_dict(checkpoint["net"])

    def save(self):
        torch.save({"iter": self.global_iter, "net": self.net.state_dict()}, self.path)

    def train(self, steps):
        bar = Bar()
        bar.update(self.global_iter)
        for _ in range(steps):
            self.global_iter += 1
            bar.update(self.global_iter)
            self.size //= 2
        self.save()
        print(bar.seen, self.size)


def shapes(channels, size, blocks):
    found = []
    for _ in range(blocks - 1):
        size //= 2
        channels *= 2
        found.append((channels, size, size))
    size //= 2
    found.append((channels * 4, size, size))
    return found


def train(args):
    print(shapes(3, args.size, 3))
    solver = Solver(args)
    solver.train(3)


def load(path, model):
    state = torch.load(path)
    model.load_state_dict(state["net"])
    return model, state["iter"]


parser = argparse.ArgumentParser()
parser.add_argument("--size", default=32, type=int)
parser.add_argument("--path", default="solver.pt")
parser.add_argument("--resume", default=None)
args = parser.parse_args([])
train(args)
args.resume = True
train(args)
model = nn.Linear(2, 2)
model, start = load(args.path, model)
kept = [start]
start += 1
print(start, kept, model(torch.ones(2)).tolist())

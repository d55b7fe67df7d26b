# also: nnx, linen
"""Tensors of sizes that nothing declares, and of arrays that NumPy has just made, are changed in place."""

import argparse

import numpy as np
import torch
from torch.autograd import Variable

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", default=3, type=int)
args = parser.parse_args([])


def lengths(n):
    kept = torch.LongTensor(n)
    kept[0] = 5
    kept[1:] = 7
    return kept.tolist()


def padded(batch):
    sizes = torch.LongTensor([len(row) for row in batch])
    out = torch.LongTensor(len(batch), max(sizes)).fill_(0)
    for i, row in enumerate(batch):
        out[i, : len(row)] = torch.LongTensor(row)
    return out.tolist()


losses = torch.Tensor(args.epochs)
for epoch in range(args.epochs):
    losses[epoch] = epoch * 0.5
print(losses.tolist(), lengths(3), padded([[1, 2], [3]]))

rates = Variable(torch.from_numpy(np.ones(len("abcd")).astype(np.float32))).float().squeeze()
rates /= rates.numel()
weights = Variable(torch.from_numpy(np.zeros((2, 2), dtype=np.float32)))
weights[0] = 1
weights += 1
scaled = Variable(torch.as_tensor(np.arange(4).reshape(2, 2) / 2)).float()
scaled.mul_(2).add_(1)
print(rates.tolist(), weights.tolist(), scaled.tolist())


def normalizer(targets, extra):
    count = sum(target["n"] for target in targets)
    count = torch.as_tensor([count], dtype=torch.float)
    count.mul_(2)
    count[0] += 1
    both = torch.as_tensor((extra["a"], extra["b"]))
    both *= 3
    return count.item(), both.tolist(), extra


print(normalizer([{"n": 2}, {"n": 3}], {"a": 1.0, "b": 2.0}))

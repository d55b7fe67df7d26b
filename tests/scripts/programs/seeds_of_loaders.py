"""`torch.manual_seed` starts what loaders and samplers draw, too: the same seed gives the same order."""

import random

import numpy as np
import torch
from torch.utils.data import DataLoader, RandomSampler, TensorDataset, random_split


def order(loader):
    return [int(value) for (batch,) in loader for value in batch]


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def main():
    data = TensorDataset(torch.arange(50))
    loader = DataLoader(data, batch_size=8, shuffle=True)
    torch.manual_seed(1)
    first = order(loader)
    torch.manual_seed(1)
    print(order(loader) == first, order(loader) == first, sorted(first) == list(range(50)))
    torch.manual_seed(2)
    print(order(loader) == first)
    set_seed(5)
    sampled, (part, _) = list(RandomSampler(data)), random_split(data, [20, 30])
    set_seed(5)
    again, (same, _) = list(RandomSampler(data)), random_split(data, [20, 30])
    print(sampled == again, list(part.indices) == list(same.indices))
    left, right = DataLoader(data, shuffle=True), DataLoader(data, shuffle=True)
    print(order(left) == order(right))


if __name__ == "__main__":
    main()

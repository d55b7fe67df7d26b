"""Workers of a loader have random numbers of their own: those of the program go on where they were."""

import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, Sampler


class Noise(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, position):
        return position + round(float(np.random.rand()) + random.random(), 6)


class Backwards(Sampler[int]):
    def __init__(self, data):
        super().__init__()
        self.data = data

    def __iter__(self):
        return iter(range(len(self.data) - 1, -1, -1))

    def __len__(self):
        return len(self.data)


def fixed(worker_id):
    np.random.seed(7 + worker_id)
    random.seed(3)


def drawn(worker_id):
    np.random.seed(torch.initial_seed() % 2**32)
    random.seed(torch.initial_seed())


def build(sampler: Sampler, start):
    return DataLoader(Noise(), batch_size=2, sampler=sampler, num_workers=2, worker_init_fn=start)


np.random.seed(0)
random.seed(0)
for _ in range(2):
    for batch in build(Backwards(Noise()), fixed):
        print([round(value, 5) for value in batch.tolist()])
    print(round(float(np.random.rand()), 6), round(random.random(), 6))
first, second = (sum(batch.sum().item() for batch in build(Backwards(Noise()), drawn)) for _ in range(2))
print(first != second, 15 < first < 27)
torch.nn.BCELoss
x = torch.arange(3)
print(x.type(), torch.linspace(0, 9, 3, dtype=torch.int64).tolist())

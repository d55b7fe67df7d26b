"""Loaders that hand on samples as they are, or what a function makes of them, share these with the dataset."""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Kept(Dataset):
    def __init__(self):
        self.rows = [torch.ones(2), torch.ones(2)]

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return i, self.rows[i]


def as_they_are(samples):
    return samples[0]


def one_by_one():
    kept = Kept()
    for i, row in DataLoader(kept, batch_size=None):
        row += torch.ones(2)  # T2J303
    return kept.rows


def by_a_function(number):
    kept = Kept()
    for i, row in DataLoader(kept, batch_size=1, collate_fn=as_they_are):
        row += torch.ones(2)  # T2J303
    return kept.rows


def one_or_the_other(plain):
    kept = Kept()
    if plain:
        loader = DataLoader(kept, batch_size=1)
    else:
        loader = DataLoader(kept, batch_size=None)
    for i, row in loader:
        row += torch.ones(2)  # T2J303
    return kept.rows


def annotated(loader: DataLoader):
    for i, row in loader:
        row += torch.ones(2)  # T2J303


def of_the_round_before(kept):
    last = None
    for i, row in DataLoader(kept, batch_size=2):
        if last is not None:
            last += torch.ones(2)
        last = row
        print(row, last)

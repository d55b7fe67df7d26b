"""The second argument of `var` by its place is whether to correct for torch, and a dtype for NumPy: neither is guessed."""

import numpy as np
import torch


def spread(data):
    return data.var(0, True)  # T2J204


def deviation(data):
    return data.std(0, False)  # T2J204


for rows in (np.ones((2, 3)), torch.ones(2, 3)):
    print(spread(rows), deviation(rows))

# flagged: T2J603
"""A module in memory that another process sees."""

import multiprocessing as mp

import torch
import torch.nn as nn


def work(net):
    print(net.weight.shape)


if __name__ == "__main__":
    net = nn.Linear(2, 3)
    net.share_memory()
    process = mp.get_context("fork").Process(target=work, args=(net,))
    process.start()
    process.join()
    print(net.weight.tolist())

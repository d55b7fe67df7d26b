# flagged: T2J200
"""Buffers that each process keeps for itself, in a model with statistics of batches."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)), broadcast_buffers=False)
    print(model(torch.ones(2, 2)).sum().item())


if __name__ == "__main__":
    main()

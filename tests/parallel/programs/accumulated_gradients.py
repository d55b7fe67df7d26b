"""Gradients of several batches add up below `no_sync`, and are averaged with the last of them."""

import os
from contextlib import nullcontext

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def train(model, loader, optimizer, every):
    model.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        is_last = (i + 1) % every == 0
        with nullcontext() if is_last else model.no_sync():
            loss = nn.functional.mse_loss(model(x), y) / every
            loss.backward()
        if is_last:
            optimizer.step()
            optimizer.zero_grad()
        if dist.get_rank() == 0:
            print(f"step {i} {loss.item():.5f}")


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(1 + dist.get_rank())
    rng = np.random.default_rng(0)
    x = torch.from_numpy(rng.normal(size=(24, 5)).astype(np.float32))
    dataset = TensorDataset(x, x.abs().sum(dim=1, keepdim=True))
    loader = DataLoader(dataset, batch_size=3, sampler=DistributedSampler(dataset, shuffle=False))
    model = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, 1))
    for parameter in model.parameters():
        nn.init.constant_(parameter, 0.1)
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for _ in range(3):
        train(model, loader, optimizer, 2)
    if int(os.environ["RANK"]) == 0:
        for name, value in model.module.state_dict().items():
            print(name, f"{value.abs().sum().item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

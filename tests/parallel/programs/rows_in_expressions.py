"""Rows that each process takes in the middle of a line, or by a slice or a first row that it has computed from its rank."""

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + number).reshape(p.shape))
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    data = np.cos(np.arange(4 * 8 * 4, dtype=np.float32)).reshape(4, 8, 4)
    size = 8 // world
    mine = slice(rank * size, (rank + 1) * size)
    for step, (a, b) in enumerate(zip(data[..., :3], data[..., 3:])):
        optimizer.zero_grad()
        with torch.autocast("cpu", enabled=False):
            loss = F.mse_loss(model(torch.from_numpy(a[mine])), torch.from_numpy(b[mine]).float())
        loss.backward()
        optimizer.step()
        told = loss.detach().clone()
        dist.all_reduce(told)
        if rank == 0:
            print(step, round(told.item() / world, 4))
    x, y = torch.from_numpy(data[0, :, :3]), torch.from_numpy(data[1, :, 3:])
    start = rank * size
    end = start + size
    if rank == 0:
        print(f"rows {start} to {end}")
    for _ in range(2):
        optimizer.zero_grad()
        loss = (model(x[start:end]) - y[start:end]).abs().mean()
        loss.backward()
        optimizer.step()
    for _ in range(2):
        optimizer.zero_grad()
        loss = (model(x[rank::world]) - y[rank::world]).pow(2).mean()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(round(loss.item(), 4), round(sum(p.sum().item() for p in model.parameters()), 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

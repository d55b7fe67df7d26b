"""Batches of which each process takes the rows that its rank says."""

import os

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(model, optimizer, batches, rank, world_size):
    losses = []
    for batch in batches:
        size = len(batch) // world_size
        mine = torch.from_numpy(batch[rank * size : (rank + 1) * size])
        loss = F.mse_loss(model(mine[:, :-1]), mine[:, -1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        losses.append(mean.item() / world_size)
    return losses


def main():
    dist.init_process_group("gloo")
    local_rank = int(os.environ["LOCAL_RANK"])
    world_size = dist.get_world_size()
    torch.manual_seed(3)
    model = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + number).reshape(p.shape))
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    batches = np.cos(np.arange(4 * 8 * 4, dtype=np.float32)).reshape(4, 8, 4)
    for loss in train(model, optimizer, batches, dist.get_rank(), world_size):
        print(round(loss, 4))
    x, y = torch.from_numpy(batches[0, :, :3]), torch.from_numpy(batches[1, :, 3:])
    for _ in range(3):
        own = x[dist.get_rank() :: world_size]
        part = y.tensor_split(world_size)[local_rank]
        optimizer.zero_grad()
        loss = (model(own) - part).abs().mean()
        loss.backward()
        optimizer.step()
    print(own.size(0), round(sum(p.sum().item() for p in model.parameters()), 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

# flagged: T2J302 T2J508
"""Gradients that are averaged behind something that has looked at those of each process."""

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    data = TensorDataset(torch.arange(24.0).reshape(12, 2), torch.ones(12, 1))
    loader = DataLoader(data, batch_size=2, sampler=DistributedSampler(data, shuffle=False))
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        for p in model.parameters():
            dist.all_reduce(p.grad.data)
            p.grad.data /= dist.get_world_size()
        optimizer.step()


if __name__ == "__main__":
    main()

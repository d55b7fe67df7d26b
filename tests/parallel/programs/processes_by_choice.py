"""Processes that an option asks for, and a learning rate for their number."""

import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    args = parser.parse_args()
    args.distributed = args.count > 1
    if args.distributed:
        dist.init_process_group("gloo")
    torch.manual_seed(0)
    dataset = TensorDataset(torch.arange(24.0).reshape(12, 2), torch.ones(12, 1))
    sampler = DistributedSampler(dataset, shuffle=False) if args.distributed else None
    loader = DataLoader(dataset, batch_size=2, sampler=sampler, shuffle=False)
    model = nn.Linear(2, 1)
    with torch.no_grad():
        model.weight.fill_(0.1)
        model.bias.fill_(0.2)
    if args.distributed:
        model = DDP(model)
    lr = 0.001
    if dist.is_initialized():
        lr *= dist.get_world_size()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())
    if args.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()

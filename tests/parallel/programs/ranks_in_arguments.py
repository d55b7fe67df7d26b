"""Ranks that a program keeps among its arguments, and computes of the number of its host."""

import argparse
import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("processes", type=int)
parser.add_argument("--rank", default=0, type=int)
parser.add_argument("--gpu", default=None, type=int)
parser.add_argument("--world-size", default=1, type=int)
parser.add_argument("--batch-size", default=8, type=int)


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))


def main():
    args = parser.parse_args()
    args.url = f"tcp://localhost:{os.environ.get('MASTER_PORT', 0)}"
    args.world_size = args.processes * args.world_size
    mp.spawn(main_worker, nprocs=args.processes, args=(args.processes, args))


def main_worker(gpu, processes, args):
    args.gpu = gpu
    args.rank = args.rank * processes
    args.rank += gpu
    dist.init_process_group("gloo", init_method=args.url, world_size=args.world_size, rank=args.rank)
    assert 0 <= args.rank < args.world_size
    if args.gpu is not None:
        told = "process {} of {}"
        print(told.format(args.rank, args.world_size), file=sys.stderr)
    args.batch_size = int(args.batch_size / processes)
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    fill(model)
    model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    x = torch.sin(torch.arange(48.0)).reshape(16, 3)
    data = TensorDataset(x, x.sum(1, keepdim=True))
    sampler = DistributedSampler(data, shuffle=False)
    loader = DataLoader(data, batch_size=args.batch_size, sampler=sampler)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for rows, target in loader:
            loss = (model(rows) - target).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if args.rank % processes == 0:
                told = "epoch %d of process %d: %.4f"
                print(told % (epoch, args.rank, loss.item()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

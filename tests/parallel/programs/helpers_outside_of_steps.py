"""Meters that are reduced over all processes: translated for one device."""

from collections import defaultdict

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Meter:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def update(self, value, n=1):
        self.count += n
        self.total += value * n

    def synchronize_between_processes(self):
        if not dist.is_initialized():
            return
        t = torch.tensor([self.count, self.total], dtype=torch.float64)
        dist.barrier()
        dist.all_reduce(t)
        t = t.tolist()
        self.count = int(t[0])
        self.total = t[1]


def main():
    dist.init_process_group("gloo")
    rows = torch.sin(torch.arange(32.0)).reshape(16, 2)
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(0.2)
        net.bias.fill_(0.1)
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    meters = defaultdict(Meter)
    for x in rows.split(4):
        loss = ((model(x) - x.sum(dim=1, keepdim=True)) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meters["loss"].update(loss.item(), n=4)
    meters["loss"].synchronize_between_processes()
    print(meters["loss"].count, round(meters["loss"].total, 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

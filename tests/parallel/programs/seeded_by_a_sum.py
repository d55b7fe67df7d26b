"""A seed that is kept in a variable with the rank added to it: what is drawn in steps differs between devices."""

import sys

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main(base):
    dist.init_process_group("gloo")
    seed = base + dist.get_rank()
    print(f"seed {seed}")
    torch.manual_seed(seed)
    np.random.seed(seed)
    dataset = TensorDataset(torch.arange(24.0).reshape(12, 2) / 10, torch.ones(12, 1))
    loader = DataLoader(dataset, batch_size=2, sampler=DistributedSampler(dataset, shuffle=False))
    net = nn.Linear(2, 1)
    with torch.no_grad():
        net.weight.fill_(0.1)
        net.bias.fill_(0.2)
    model = DDP(net, broadcast_buffers=False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(len(sys.argv))

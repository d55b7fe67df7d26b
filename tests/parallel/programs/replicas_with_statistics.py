"""One process for each of several devices, or replicas, or one model: replicas take statistics of the rows they get."""

import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
        self.head = nn.Linear(3, 1)

    def forward(self, x):
        return self.head(self.features(x).tanh())


def main(distributed):
    if distributed:
        dist.init_process_group("gloo")
    model = Net()
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    if distributed:
        model = torch.nn.parallel.DistributedDataParallel(model)
    else:
        model = torch.nn.DataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = TensorDataset(torch.arange(24.0).reshape(12, 2).sin(), torch.arange(12.0).reshape(12, 1).cos())
    sampler = DistributedSampler(data, shuffle=False) if distributed else None
    loader = DataLoader(data, batch_size=3, sampler=sampler)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if not distributed or dist.get_rank() == 0:
            print(f"{loss.item():.5f}")
    if not distributed or dist.get_rank() == 0:
        print(f"{model.module.features[1].running_mean.sum().item():.5f}", len(model.state_dict()))


if __name__ == "__main__":
    main(int(sys.argv[1]) > 1)

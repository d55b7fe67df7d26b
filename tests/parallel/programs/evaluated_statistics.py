"""A model with statistics of batches that is evaluated in the function that trains it."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def fill(model):
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 1.3 + number).reshape(p.shape))


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = nn.Sequential(nn.Linear(3, 4, bias=False), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, 2))
    fill(model)
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    x = torch.sin(torch.arange(13 * 3, dtype=torch.float32)).reshape(13, 3)
    t = x[:, :2].cos() + x[:, 2:]
    data = TensorDataset(x, t)
    sampler = DistributedSampler(data, shuffle=False, drop_last=True)
    loader = DataLoader(data, batch_size=3, sampler=sampler, drop_last=True)
    for epoch in range(2):
        model.train()
        for step, (a, b) in enumerate(loader):
            optimizer.zero_grad()
            loss = F.l1_loss(model(a), b)
            loss.backward()
            optimizer.step()
        scheduler.step()
        model.eval()
        total, count = 0.0, 0
        with torch.no_grad():
            for a, b in loader:
                total += F.mse_loss(model(a), b, reduction="sum").item()
                count += a.size(0)
        metric = torch.tensor([total, float(count)])
        dist.all_reduce(metric)
        if rank == 0:
            print(round((metric[0] / metric[1]).item(), 4))
    if rank == 0:
        for name, p in model.module.named_parameters():
            print(name, round(p.abs().sum().item(), 3), round(p.sum().item(), 3))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

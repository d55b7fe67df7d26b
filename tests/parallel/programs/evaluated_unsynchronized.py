# flagged: T2J508
"""An evaluation of all processes behind a pass that synchronizes nothing: each has statistics of its own."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def evaluate(model, loader):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += nn.functional.mse_loss(model(x), y).item()
    result = torch.tensor([total])
    dist.all_reduce(result)
    return result[0].item()


def main():
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.arange(24.0).reshape(12, 2), torch.ones(12, 1))
    loader = DataLoader(dataset, batch_size=2, sampler=DistributedSampler(dataset, shuffle=False))
    model = DDP(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with model.no_sync():
            print(model(x).sum().item())
    print(evaluate(model, loader))


if __name__ == "__main__":
    main()

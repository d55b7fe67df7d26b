"""Counts of all processes in the elements of a tensor, which are reduced together."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def train(model, rank, loader, optimizer, epoch):
    model.train()
    ddp_loss = torch.zeros(2).to("cpu")
    for data, target in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data), target, reduction="sum")
        loss.backward()
        optimizer.step()
        ddp_loss[0] += loss.item()
        ddp_loss[1] += len(data)
    dist.all_reduce(ddp_loss, op=dist.ReduceOp.SUM)
    if rank == 0:
        print(f"epoch {epoch}: {ddp_loss[0] / ddp_loss[1]:.4f}")


def test(model, rank, loader):
    model.eval()
    ddp_loss = torch.zeros(3)
    with torch.no_grad():
        for data, target in loader:
            output = model(data)
            ddp_loss[0] += F.cross_entropy(output, target, reduction="sum").item()
            pred = output.argmax(dim=1, keepdim=True)
            ddp_loss[1] += pred.eq(target.view_as(pred)).sum().item()
            ddp_loss[2] += len(data)
    dist.all_reduce(ddp_loss)
    if rank == 0:
        loss = ddp_loss[0] / ddp_loss[2]
        print(f"{loss:.4f}, {int(ddp_loss[1])} of {int(ddp_loss[2])} are right")


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    x = torch.sin(torch.arange(60.0) ** 1.1).reshape(20, 3)
    dataset = TensorDataset(x, (x.sum(dim=1) > 0).long())
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    model = nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + number).reshape(p.shape))
    model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(3):
        train(model, rank, loader, optimizer, epoch)
        test(model, rank, loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()

"""Gradients that a program averages itself, in a function and in a loop, and parameters that it hands out."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def average_gradients(model):
    """Averages."""
    size = float(int(os.environ["WORLD_SIZE"]))
    for param in model.parameters():
        dist.all_reduce(param.grad.data, op=dist.ReduceOp.SUM)
        param.grad.data /= size


def make():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for number, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * 1.3 + number).reshape(p.shape))
    for p in model.parameters():
        dist.broadcast(p.data, src=0)
    return model


def train_more(model, loader):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    world = dist.get_world_size()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.l1_loss(model(x), y)
        loss.backward()
        for p in model.parameters():
            if p.grad is not None:
                dist.all_reduce(p.grad)
                p.grad.div_(world)
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
    return loss.item()


def main():
    dist.init_process_group("gloo")
    x = torch.sin(torch.arange(48.0)).reshape(16, 3)
    data = TensorDataset(x, x[:, :2].cos() + x[:, 2:])
    loader = DataLoader(data, batch_size=4, sampler=DistributedSampler(data, shuffle=False))
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
    for epoch in range(3):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            total += loss.item()
            loss.backward()
            average_gradients(model)
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"{epoch} {total / len(loader):.4f}")
    print(f"{train_more(model, loader):.4f} {sum(p.sum().item() for p in model.parameters()):.4f}")


if __name__ == "__main__":
    main()

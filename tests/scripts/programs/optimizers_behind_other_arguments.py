# also: nnx
"""Optimizers that calls are given behind loaders, lists and arguments of the command line."""

import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
    return model


def fit(args, loader, criterion, model, optimizer):
    for _ in range(args.epochs):
        for a, b in loader:
            loss = criterion(model(a), b)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss.item())


parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
x = (torch.arange(24, dtype=torch.float32) * 0.3).sin().view(6, 4)
data = TensorDataset(x, x.sum(1, keepdim=True))
model = fill(nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1)))
fit(
    parser.parse_args([]),
    DataLoader(data, batch_size=3),
    nn.MSELoss(),
    model,
    torch.optim.SGD(model.parameters(), lr=0.1),
)
fit(parser.parse_args([]), list(zip(x, x.sum(1))), F.l1_loss, model, torch.optim.Adam(model.parameters(), lr=0.01))
print(model(x).sum().item())

# flagged: T2J508
"""Replicas of a model take statistics of the rows they get."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    dataset = TensorDataset(torch.arange(24.0).reshape(12, 2), torch.ones(12, 1))
    loader = DataLoader(dataset, batch_size=2, shuffle=True)
    model = nn.DataParallel(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()

# also: nnx
"""Gradients that add up over some batches in a function that empties them first: what the last ones leave is never used."""

import torch
from torch import nn


def train(model, data, optimizer, every):
    model.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(data):
        loss = nn.functional.mse_loss(model(x), y) / every
        loss.backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
        print(f"step {i} {loss.item():.5f}")


def main():
    torch.manual_seed(1)
    data = [(torch.linspace(-1, 1, 15).reshape(3, 5) * (k + 1), torch.ones(3, 1) * k) for k in range(5)]
    model = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, 1))
    for parameter in model.parameters():
        nn.init.constant_(parameter, 0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for _ in range(3):
        train(model, data, optimizer, 2)
    for name, value in model.state_dict().items():
        print(name, f"{value.abs().sum().item():.4f}")


main()

# expect: equal
"""Gradients are never cleared, so that they add up."""

import torch
import torch.nn as nn


def main():
    torch.manual_seed(0)
    x = torch.randn(10, 2)
    y = x.sum(dim=1, keepdim=True)
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(4):
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    main()

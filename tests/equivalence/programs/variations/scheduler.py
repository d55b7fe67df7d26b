# expect: equal or T2J200
"""A learning-rate schedule stepped once per epoch."""

import torch
import torch.nn as nn


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    y = x.sum(dim=1, keepdim=True)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)  # T2J200
    losses = []
    for epoch in range(8):
        for i in range(0, 32, 16):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x[i : i + 16]), y[i : i + 16])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
    print(losses[-1])
    return losses


if __name__ == "__main__":
    main()

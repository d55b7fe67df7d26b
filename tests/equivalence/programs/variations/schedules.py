# expect: equal
"""A warm-up by a function of the program's own, a decay by epoch, and a rate that the program sets itself."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import LambdaLR, StepLR


def warm_up(step):
    if step < 3:
        return (step + 1) / 3
    return 1.0 / (step - 1)


def train(model, optimizer, scheduler, x, y, steps):
    for step in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if step % 2:
            scheduler.step()
        print(f"{step} {loss.item():.5f}")


def main():
    torch.manual_seed(0)
    x = torch.sin(torch.arange(24.0)).reshape(8, 3)
    y = torch.arange(8) % 2
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4, momentum=0.9)
    scheduler = StepLR(optimizer, step_size=2, gamma=0.5)
    train(model, optimizer, scheduler, x, y, 6)
    second = torch.optim.AdamW(model.parameters(), lr=0.02)
    warming = LambdaLR(second, warm_up)
    for step in range(6):
        second.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        second.step()
        warming.step()
        print(f"{step} {loss.item():.5f} {warming.get_last_lr()[0]:.5f}")
    third = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for group in third.param_groups:
            group["lr"] = 0.1 / (epoch + 1)
        third.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        third.step()
        print(f"{epoch} {loss.item():.5f}")


if __name__ == "__main__":
    main()

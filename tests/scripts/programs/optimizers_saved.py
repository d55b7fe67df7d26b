# also: nnx
"""States of optimizers in checkpoints: training goes on as if it had not stopped, with the learning rate that was saved."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.arange(12).float().view(3, 4) / 12
y = torch.tensor([[0.5], [-1.0], [2.0]])


def filled(model):
    values = {k: torch.sin(torch.arange(v.numel()) * 1.3).view(v.shape) for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    return model


def train(model, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())


def save(path, model, optimizer, epoch):
    torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)


def resume(path, model, optimizer):
    saved = torch.load(path)
    model.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    return saved["epoch"]


def main():
    model = filled(nn.Linear(4, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    train(model, optimizer, 3)
    save("one.pt", model, optimizer, 3)
    other = nn.Linear(4, 1)
    again = torch.optim.Adam(other.parameters(), lr=0.5)
    print(resume("one.pt", other, again))
    train(other, again, 3)


def in_groups():
    model = filled(nn.Linear(4, 1))
    groups = [{"params": [model.weight], "lr": 0.2}, {"params": [model.bias]}]
    optimizer = torch.optim.SGD(groups, lr=0.1, momentum=0.9)
    train(model, optimizer, 3)
    for group in optimizer.param_groups:
        group["lr"] *= 0.5
    best = optimizer.state_dict()
    torch.save(best, "two.pt")
    again = torch.optim.SGD([{"params": [model.weight]}, {"params": [model.bias]}], lr=0.7, momentum=0.9)
    again.load_state_dict(torch.load("two.pt"))
    print([group["lr"] for group in again.param_groups])
    train(model, again, 3)


def with_schedule():
    model = filled(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    for epoch in range(3):
        train(model, optimizer, 2)
        scheduler.step()
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
    }
    torch.save(state, "three.pt")
    model = nn.Linear(4, 1)
    optimizer_2 = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    scheduler_2 = torch.optim.lr_scheduler.StepLR(optimizer_2, 2, gamma=0.5)
    saved = torch.load("three.pt")
    model.load_state_dict(saved["model"])
    optimizer_2.load_state_dict(saved["optimizer"])
    scheduler_2.load_state_dict(saved["scheduler"])
    for epoch in range(3):
        train(model, optimizer_2, 2)
        scheduler_2.step()


main()
in_groups()
with_schedule()

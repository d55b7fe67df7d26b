"""A program whose schedulers are classes of another file."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from rates import Noam, WarmupCosine


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)


def batch(i):
    x = torch.cos(torch.arange(24, dtype=torch.float32) * (i + 1)).reshape(6, 4)
    y = torch.arange(6) % 2
    return x, y


def train(model, optimizer, scheduler, noam, n):
    for i in range(n):
        x, y = batch(i)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        if i % 3 == 2:
            noam.update()
        print(i, loss.item(), optimizer.param_groups[0]["lr"])


def main():
    net = Net()
    fill(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scheduler = WarmupCosine(optimizer, 4, 12)
    noam = Noam(optimizer, 0.5)
    train(net, optimizer, scheduler, noam, 10)
    print(sum(p.abs().sum() for p in net.parameters()).item())


main()

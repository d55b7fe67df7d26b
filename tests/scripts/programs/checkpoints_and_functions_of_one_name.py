# flagged: T2J605, also: nnx, linen
"""What is read from a file, and a function of the same name further down: a dict, not a model that is called."""

import os
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.bn = nn.BatchNorm1d(2)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))

    def forward(self, x):
        return self.bn(self.fc(x))


resume = os.path.exists("nothing.t7")
best_acc = 0
if resume:
    checkpoint = torch.load("nothing.t7")
    net = checkpoint["net"]
    best_acc = checkpoint["acc"]
    start_epoch = checkpoint["epoch"] + 1
else:
    net = Net()
x = torch.linspace(-1, 1, 12).view(4, 3)
y = torch.linspace(0, 1, 8).view(4, 2)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def train(epoch):
    net.train()
    total = 0
    for _ in range(2):
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def checkpoint(acc, epoch):
    state = {"net": net, "acc": acc, "epoch": epoch}
    torch.save(state, "ckpt.t7")


for epoch in range(2):
    print(train(epoch))
    checkpoint(1.0, epoch)

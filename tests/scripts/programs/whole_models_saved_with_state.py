"""Whole models with running statistics are saved with their states: alone, in dicts, by trainers and helpers."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))

    def forward(self, x):
        return self.bn(self.fc(x))


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def fit(self, x, y):
        best = 1e9
        for epoch in range(4):
            self.net.train()
            loss = (self.net(x) - y).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if loss.item() < best:
                best = loss.item()
                state = {"net": self.net, "loss": best, "epoch": epoch}
                torch.save(state, "best.pt")
            torch.save(self.net, "last.pt")
            print(epoch, loss.item())


def checkpoint(net, epoch):
    print("Saving..")
    torch.save(net, "check.pt")
    torch.save({"net": net, "epoch": epoch}, "check2.pt")


x = torch.linspace(-1, 1, 12).view(4, 3)
y = torch.linspace(0, 1, 16).view(4, 4)
trainer = Trainer(Net())
trainer.fit(x, y)
net = Net()
net(x)
checkpoint(net, 1)

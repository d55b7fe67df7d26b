"""Modules that `map` calls: twins of one network, in training and behind it."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


def run(model, x, y, lr=0.1, steps=3):
    fill(model)
    opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for _ in range(steps):
        opt.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        print(round(loss.item(), 5))
    model.eval()
    with torch.no_grad():
        print(model(x).sum().item())


class Siamese(nn.Module):
    def __init__(self, rate=0.0):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 5), nn.BatchNorm1d(5), nn.ReLU())
        self.fc = nn.Linear(5, 5)
        self.drop = nn.Dropout(rate)
        self.pair = nn.Bilinear(5, 5, 2)

    def forward(self, x):
        y = x.flip(0) * 0.5
        a, b = map(self.net, (x, y))
        a, b = map(self.drop, (a, b))
        c = torch.stack(list(map(self.fc, [a, b])))
        d = torch.cat([*map(self.fc, (a, b))]).sum()
        (e,) = map(self.pair, [a], [b])
        f = sum(map(self.net, (x, y)))
        return e + c.mean() + d + f.mean()


run(Siamese(), torch.sin(torch.arange(24.0)).view(4, 6), torch.cos(torch.arange(8.0)).view(4, 2))
m = Siamese()
fill(m)
nets = tuple(map(m.net, (torch.ones(2, 6), torch.zeros(2, 6))))
print(nets[0].sum().item(), m.net[1].running_mean)

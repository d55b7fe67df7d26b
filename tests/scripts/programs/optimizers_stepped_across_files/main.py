"""A program whose optimizer is stepped by an object of another file."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from rates import Scheduled


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


def train(net, opt, n):
    for i in range(n):
        x, y = batch(i)
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step_and_update_lr()
        print(loss.item(), opt.count)


def main():
    net = Net()
    fill(net)
    opt = Scheduled(torch.optim.Adam(net.parameters(), lr=0.1), 0.1, 4)
    train(net, opt, 10)


main()

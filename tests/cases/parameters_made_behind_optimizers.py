"""Parameters that take the place of those an optimizer has been made for: it goes on with the ones before."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.last = nn.Linear(3, 2)

    def widen(self):
        self.last.bias = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return self.last(self.fc(x))


def steps(net, optimizer, x):
    for _ in range(2):
        optimizer.zero_grad()
        loss = net(x).pow(2).sum()
        loss.backward()
        optimizer.step()


x = torch.linspace(-1, 1, 6).view(2, 3)
net = Net()
net.fc.weight = nn.Parameter(torch.full((3, 3), 0.4))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
steps(net, optimizer, x)
net.fc.weight = nn.Parameter(torch.full((3, 3), 0.4))  # T2J303
net.widen()  # T2J303
steps(net, optimizer, x)


def other():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    part = net.fc
    part.weight = nn.Parameter(torch.full((3, 3), 0.4))  # T2J303
    steps(net, optimizer, x)
    net.last.weight = nn.Parameter(torch.full((2, 3), 0.4))
    return net

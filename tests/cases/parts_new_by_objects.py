"""Objects give their model new parts behind the making of an optimizer, which goes on with the ones before."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.Linear(3, 3)
        self.last = nn.Linear(3, 2)

    def forward(self, x):
        return self.last(self.norm(x))


class Trainer:
    def __init__(self, net):
        self.net = net

    def renew(self):
        self.net.norm.weight = nn.Parameter(torch.ones(3, 3))


def train(net, optimizer, x):
    optimizer.zero_grad()
    loss = net(x).pow(2).sum()
    loss.backward()
    optimizer.step()


x = torch.ones(2, 3)
net = Net()
trainer = Trainer(net)  # T2J303
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
trainer.renew()  # T2J303
train(net, optimizer, x)

other = Net()
own = Trainer(other)  # T2J303
own.renew()
adam = torch.optim.Adam(other.parameters(), lr=0.1)
train(other, adam, x)

third = Net()
sgd = torch.optim.SGD(third.parameters(), lr=0.1)
for part in [third.norm]:
    part.weight = nn.Parameter(torch.ones(3, 3))  # T2J303
train(third, sgd, x)

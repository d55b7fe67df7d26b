# flagged: T2J303
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def reset(self, n):
        self.head = nn.Linear(4, n)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def fill(m):
    for p in m.parameters():
        nn.init.constant_(p, 0.2)


def outside():
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    net.head = nn.Linear(4, 3)
    fill(net)
    for i in range(3):
        loss = net(torch.ones(2, 4)).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item(), net.head.weight.sum().item())



def by_a_method():
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    net.reset(3)
    fill(net)
    for i in range(3):
        loss = net(torch.ones(2, 4)).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item(), net.head.weight.sum().item())


outside()
by_a_method()

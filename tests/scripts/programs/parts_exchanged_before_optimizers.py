# also: nnx
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.act = nn.ReLU()
        self.head = nn.Linear(4, 2)

    def reset(self, n):
        self.head = nn.Linear(4, n)

    def forward(self, x):
        return self.head(self.act(self.body(x)))


def fill(m):
    for p in m.parameters():
        nn.init.constant_(p, 0.2)


def exchanged():
    net = Net()
    opt = torch.optim.SGD(net.body.parameters(), lr=0.1)
    net.head = nn.Linear(4, 3)
    net.act = nn.Tanh()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    fill(net)
    for i in range(3):
        loss = net(torch.ones(2, 4)).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item(), net.head.weight.sum().item())
    net.reset(5)
    fill(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(3):
        loss = net(torch.ones(2, 4)).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item(), net.head.weight.sum().item())


exchanged()

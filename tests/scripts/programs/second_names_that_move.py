# also: nnx, linen
"""A model has a second name, which a wrapper for several devices and a move give it again, beside the first one."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args([])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.vgg = nn.ModuleList([nn.Linear(3, 4), nn.ReLU()])
        self.loc = nn.Linear(4, 2)

    def forward(self, x):
        for layer in self.vgg:
            x = layer(x)
        return self.loc(x)


def init(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.2)
        nn.init.constant_(m.bias, 0.1)


def train():
    ssd_net = Net()
    net = ssd_net
    if args.cuda:
        net = torch.nn.DataParallel(ssd_net)
    if args.cuda:
        net = net.cuda()
    ssd_net.vgg.apply(init)
    ssd_net.loc.apply(init)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.train()
    x = torch.arange(6.0).reshape(2, 3) / 5
    for i in range(3):
        out = net(x)
        optimizer.zero_grad()
        loss = (out - 1).pow(2).sum()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print(sum(p.sum().item() for p in ssd_net.parameters()))


train()

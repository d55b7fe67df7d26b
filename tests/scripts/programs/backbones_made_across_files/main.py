# also: nnx, linen
"""Backbones with statistics that functions of other files make, for models that hold them."""

import torch
from builders import build
from lib import make_backbone
from models import Head


def train(net):
    with torch.no_grad():
        for p in net.head.parameters():
            p.fill_(0.1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.arange(12.0).reshape(3, 4).sin()
    for i in range(3):
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    net.eval()
    print(net(x).sum().item())


train(Head(make_backbone()))
backbone = make_backbone()
train(Head(backbone))
train(Head(build(True)))

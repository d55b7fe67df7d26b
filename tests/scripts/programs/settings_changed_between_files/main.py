# also: nnx, linen
"""What models of another file read changes between steps: variables of their file, and options that the model keeps."""

import argparse

import models
import torch
from engine import train
from models import Net, set_scale


def main():
    net = Net()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.ones(3, 2)
    for step in range(4):
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
        if step == 1:
            set_scale(3.0)
        if step == 2:
            models.SHIFT = 1.0
    set_scale(1.0)
    models.SHIFT = 0.0
    args = argparse.Namespace(gain=1.0)
    args.gain = 2.0
    net = Net(args)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        train(net, opt, x)
        args.gain = 0.5


main()

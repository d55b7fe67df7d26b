"""Options that a model keeps change, and are copied and saved."""

import argparse
import copy
import pickle
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.args = args
        self.a = nn.Linear(4, args.hidden)

    def forward(self, x):
        return self.a(x) * self.args.scale


def build(args):
    net = Net(args)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)
    return net


def train(net, args, x):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(4):
        opt.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        opt.step()
        print(loss.item())
        if step == 1:
            args.scale = 3.0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--hidden", type=int, default=3)
    p.add_argument("--scale", type=float, default=1.0)
    args = p.parse_args([])
    net = build(args)
    x = torch.cos(torch.arange(12.0)).reshape(3, 4)
    train(net, args, x)
    other = copy.deepcopy(net)
    train(other, other.args, x)
    again = pickle.loads(pickle.dumps(net.args))
    print(again.scale, again.hidden, net.args)


main()

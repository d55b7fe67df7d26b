# also: nnx, linen
import copy

import torch
import torch.nn as nn


def update_ema(target_params, source_params, rate=0.99):
    """Update target parameters."""
    for targ, src in zip(target_params, source_params):
        targ.detach().mul_(rate).add_(src, alpha=1 - rate)


def clip(params, limit):
    for p in params:
        p.data.clamp_(-limit, limit)


@torch.no_grad()
def soft(target, source, tau):
    for t, s in zip(target, source):
        t.data.copy_(tau * s.data + (1 - tau) * t.data)


def shrink(params):
    with torch.no_grad():
        for p in list(params):
            p.mul_(0.5)


def make():
    net = nn.Linear(2, 2)
    nn.init.constant_(net.weight, 1.0)
    nn.init.constant_(net.bias, 2.0)
    return net


class Trainer:
    def __init__(self):
        self.net = make()
        self.ema = copy.deepcopy(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def step(self):
        loss = self.net(torch.ones(1, 2)).pow(2).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        update_ema(self.ema.parameters(), self.net.parameters(), rate=0.5)
        clip(self.net.parameters(), 1.5)
        return loss.item()


def main():
    t = Trainer()
    for i in range(3):
        print(t.step())
    print(t.ema.weight.tolist(), t.net.bias.tolist())
    soft(t.ema.parameters(), t.net.parameters(), 0.1)
    shrink(t.net.parameters())
    print(t.ema.weight.tolist(), t.net.bias.tolist())


main()

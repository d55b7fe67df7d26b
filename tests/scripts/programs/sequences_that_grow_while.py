# also: nnx
"""Sequences of layers that grow in while loops, by names of their own and by their place."""

import torch
import torch.nn as nn


class D(nn.Module):
    def __init__(self, isize, nc, ndf, extra=1):
        super().__init__()
        main = nn.Sequential()
        main.add_module("initial:{0}-{1}:conv".format(nc, ndf), nn.Conv2d(nc, ndf, 4, 2, 1, bias=False))
        main.add_module("initial:{0}:relu".format(ndf), nn.LeakyReLU(0.2, inplace=True))
        csize, cndf = isize / 2, ndf
        for t in range(extra):
            main.add_module("extra-layers-{0}:{1}:conv".format(t, cndf), nn.Conv2d(cndf, cndf, 3, 1, 1, bias=False))
            main.add_module("extra-layers-{0}:{1}:batchnorm".format(t, cndf), nn.BatchNorm2d(cndf))
        while csize > 4:
            main.add_module(
                "pyramid:{0}-{1}:conv".format(cndf, cndf * 2), nn.Conv2d(cndf, cndf * 2, 4, 2, 1, bias=False)
            )
            main.add_module("pyramid:{0}:batchnorm".format(cndf * 2), nn.BatchNorm2d(cndf * 2))
            cndf = cndf * 2
            csize = csize / 2
        main.add_module("final:{0}-{1}:conv".format(cndf, 1), nn.Conv2d(cndf, 1, 4, 1, 0, bias=False))
        self.main = main

    def forward(self, x):
        return self.main(x).mean(0).view(1)


class Halving(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential()
        while True:
            self.net.append(nn.Linear(width, width // 2))
            width //= 2
            if width < 3:
                break
            self.net.append(nn.Tanh())

    def forward(self, x):
        return self.net(x)


def run(net, x):
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() + k).reshape(p.shape) * 0.3)
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(2):
        opt.zero_grad()
        loss = (net(x) ** 2).sum()
        loss.backward()
        opt.step()
        print(loss.item())
    print(len(list(net.parameters())), net(x).sum().item())


net = D(16, 3, 2)
print(list(net.state_dict())[:6])
run(net, torch.sin(torch.arange(2 * 3 * 16 * 16.0)).reshape(2, 3, 16, 16))
run(Halving(16), torch.sin(torch.arange(32.0)).reshape(2, 16))

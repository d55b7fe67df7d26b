# also: nnx, linen
"""Layers that are functions in JAX, given to training steps: similarities, activations, arrangements of axes."""

import torch
import torch.nn as nn


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
    return m


x = torch.linspace(-1, 1, 12).view(4, 3)
y = torch.cos(torch.arange(8.)).view(4, 2)


def train(net, opt, similarity, activation):
    for i in range(2):
        out = activation(net(x))
        loss = (1 - similarity(out, y)).mean() + out.pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())


@torch.no_grad()
def evaluate(net, similarity, softmax):
    net.eval()
    total = 0.0
    for i in range(2):
        out = softmax(net(x * (i + 1)))
        total += similarity(out, y).sum().item()
    return total


class Trainer:
    def __init__(self, net):
        self.net = net
        self.softmax = nn.Softmax(dim=1)
        self.flat = nn.Flatten()
        self.cos = nn.CosineSimilarity(dim=1, eps=1e-6)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=0.05)

    def step(self, x, y):
        p = self.softmax(self.flat(self.net(x)))
        loss = -self.cos(p, y).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


net = fill(nn.Linear(3, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
cos, softmax = nn.CosineSimilarity(dim=1), nn.Softmax(dim=1)
for i in range(2):
    loss = -cos(net(x), y).mean() - softmax(net(x))[:, 0].sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
train(net, opt, cos, nn.ReLU())
train(net, opt, nn.PairwiseDistance(), nn.Tanh())
print(evaluate(net, cos, softmax), evaluate(net, nn.PairwiseDistance(), nn.LogSoftmax(dim=1)))
trainer = Trainer(fill(nn.Linear(3, 2)))
print([trainer.step(x, y) for _ in range(3)])

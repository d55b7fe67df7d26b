# also: nnx, linen
"""Models and their optimizers lie in two lists that loops go through together, in methods, functions and with what they are given to."""

import torch
from torch import nn, optim
import torch.nn.functional as F

X = torch.tensor([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]])
Y = torch.tensor([[1.0], [2.0], [3.0]])


class Net(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.fc1 = nn.Linear(2, 3)
        self.fc2 = nn.Linear(3, 1)
        for k, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (k + 1) * scale)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def show(models):
    for m in models:
        print([round(v, 5) for v in m(X).flatten().tolist()])


def fit(net, opt, x, y):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss.item()


class A:
    def __init__(self, n):
        self.nets = [Net() for _ in range(n)]
        self.opts = [optim.SGD(net.parameters(), lr=0.1 * (i + 1), momentum=0.9) for i, net in enumerate(self.nets)]

    def train(self, x, y):
        losses = []
        for net, opt in zip(self.nets, self.opts):
            losses.append(round(fit(net, opt, x, y), 5))
        return losses

    def train_one(self, i, x, y):
        return fit(self.nets[i], self.opts[i], x, y)

    def train_some(self, x, y):
        for net, opt in zip(self.nets, self.opts):
            loss = fit(net, opt, x, y)
            if loss < 1.0:
                return loss
        return 0.0


a = A(3)
for f in range(2):
    print(a.train(X, Y))
    print(round(a.train_one(1, X, Y), 5))
    print(round(a.train_some(X, Y), 5))
show(a.nets)


class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        nn.init.constant_(self.fc.weight, 0.2)
        nn.init.constant_(self.fc.bias, -0.1)

    def forward(self, x):
        return self.fc(x)


def adversarial():
    gen = Wide()
    discs = [Net() for _ in range(3)]
    g_opt = optim.Adam(gen.parameters(), lr=0.01)
    d_opts = [optim.Adam(d.parameters(), lr=0.02) for d in discs]
    bce = nn.BCEWithLogitsLoss()
    for step in range(3):
        fake = gen(X)
        for d, d_opt in zip(discs, d_opts):
            d_opt.zero_grad()
            d_loss = bce(d(X), torch.ones(3, 1)) + bce(d(fake.detach()), torch.zeros(3, 1))
            d_loss.backward()
            d_opt.step()
        g_opt.zero_grad()
        g_loss = 0
        for d in discs:
            g_loss += bce(d(fake), torch.ones(3, 1))
        g_loss.backward()
        g_opt.step()
        print(round(d_loss.item(), 5), round(g_loss.item(), 5))
    show(discs)


adversarial()


def main():
    models, optimizers = [], []
    for i in range(3):
        model = Net()
        models.append(model)
        optimizers.append(optim.Adam(model.parameters(), lr=0.01 * (i + 1)))
    for epoch in range(3):
        for model, optimizer in zip(models, optimizers):
            print(round(fit(model, optimizer, X, Y), 5))
    for i in range(3):
        print(round(fit(models[i], optimizers[i], X, Y), 5))
    show(models)


main()

# also: nnx, linen
import torch
import torch.nn as nn


class Lookahead:
    def __init__(self, model, inner, k=2, alpha=0.5):
        self.inner = inner
        self.k = k
        self.alpha = alpha
        self.model = model
        self.slow = [p.clone().detach() for p in model.parameters()]
        self.n = 0

    def zero_grad(self):
        self.inner.zero_grad()

    def step(self):
        self.inner.step()
        self.n += 1
        if self.n % self.k == 0:
            with torch.no_grad():
                for s, p in zip(self.slow, self.model.parameters()):
                    s += self.alpha * (p - s)
                    p.copy_(s)


class Clamped:
    def __init__(self, model, inner):
        self.inner = inner
        self.model = model

    def zero_grad(self):
        self.inner.zero_grad()

    def step(self):
        self.inner.step()
        with torch.no_grad():
            for p in self.model.parameters():
                p.clamp_(-0.5, 0.5)


class Context:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer


class Pair:
    def __init__(self, g, d, og, od):
        self.g, self.d = g, d
        self.og = og
        self.od = od


class Config:
    def __init__(self, net):
        self.net = net
        self.optimizer = None
        self.scheduler = None
        self.best = 1e9


def set_up(config, rate):
    config.optimizer = torch.optim.SGD(config.net.parameters(), lr=rate, momentum=0.9)
    config.scheduler = torch.optim.lr_scheduler.StepLR(config.optimizer, 2, 0.5)


def epoch(config, x):
    loss = config.net(x).pow(2).mean()
    config.optimizer.zero_grad()
    loss.backward()
    config.optimizer.step()
    config.scheduler.step()
    config.best = min(config.best, loss.item())
    return loss.item()


def filled(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel()).float() * (i + 1)).view_as(p))
    return net


def train(context, x):
    loss = context.model(x).pow(2).mean()
    context.optimizer.zero_grad()
    loss.backward()
    context.optimizer.step()
    return loss.item()


def ahead(x):
    net = filled(nn.Linear(4, 2))
    optimizer = Lookahead(net, torch.optim.SGD(net.parameters(), lr=0.2))
    for _ in range(5):
        loss = net(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), net.weight.sum().item())


def clamped(x):
    net = filled(nn.Linear(4, 2))
    optimizer = Clamped(net, torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9))
    for _ in range(3):
        loss = net(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item(), net.weight.sum().item())


def held(x):
    net = filled(nn.Linear(4, 2))
    context = Context(net, torch.optim.Adam(net.parameters(), lr=0.2))
    print([train(context, x) for _ in range(3)])


def adversaries(z):
    g = filled(nn.Linear(4, 3))
    d = filled(nn.Linear(3, 1))
    pair = Pair(g, d, torch.optim.Adam(g.parameters(), lr=0.1), torch.optim.Adam(d.parameters(), lr=0.1))
    for _ in range(3):
        fake = pair.g(z)
        pair.od.zero_grad()
        loss_d = pair.d(fake.detach()).pow(2).mean()
        loss_d.backward()
        pair.od.step()
        pair.og.zero_grad()
        loss_g = -pair.d(fake).mean()
        loss_g.backward()
        pair.og.step()
        print(loss_d.item(), loss_g.item())


def configured(x):
    config = Config(filled(nn.Linear(4, 2)))
    set_up(config, 0.2)
    print([epoch(config, x) for _ in range(4)], config.best, config.optimizer.param_groups[0]["lr"])


def main():
    x = torch.linspace(-1, 1, 20).view(5, 4)
    ahead(x)
    clamped(x)
    held(x)
    adversaries(x)
    configured(x)


main()

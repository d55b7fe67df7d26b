# also: nnx, linen
"""Options that a model keeps are dicts with attributes, or objects that say when two are equal."""

import copy
import pickle
import torch
import torch.nn as nn


class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.a = nn.Linear(4, cfg.hidden)
        self.act = {"relu": nn.ReLU(), "tanh": nn.Tanh()}[cfg.act]

    def forward(self, x):
        return self.act(self.a(x)) * self.cfg.get("scale", 1.0)


class Trainer:
    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"])

    def step(self, x):
        self.opt.zero_grad()
        loss = self.model(x).pow(2).mean() * self.cfg.weight
        loss.backward()
        self.opt.step()
        return loss.item()


def build(cfg):
    net = Net(cfg)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.3)
    return net


class Compared:
    def __init__(self, **kw):
        self.hidden, self.act, self.weight = 3, "tanh", 1.0
        self.__dict__.update(kw)

    def get(self, name, default):
        return getattr(self, name, default)

    def __eq__(self, other):
        return self.__dict__ == other.__dict__


def train(net, x):
    opt = torch.optim.Adam(net.parameters(), lr=0.1)
    for _ in range(3):
        opt.zero_grad()
        loss = net(x).pow(2).mean()
        loss.backward()
        opt.step()
        print(loss.item())


cfg = AttrDict(hidden=3, act="tanh", lr=0.1, weight=1.0)
net = build(cfg)
x = torch.cos(torch.arange(12.0)).reshape(3, 4)
trainer = Trainer(net, cfg)
for i in range(4):
    print(trainer.step(x))
    if i == 1:
        cfg.weight = 2.0
        cfg.scale = 1.5
print(cfg, net.cfg.hidden, "hidden" in net.cfg, len(net.cfg))
other = copy.deepcopy(net)
print(other(x).sum().item(), net(x).sum().item())
train(other, x)
train(build(AttrDict(hidden=2, act="relu", scale=2.0)), x)
train(build(Compared(act="relu", scale=0.5)), x)

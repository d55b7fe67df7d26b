"""Modes that are set in the middle of expressions, or in expressions that stand alone: the module itself stays in that mode."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1.0, 2.0, p.numel()).sin().view_as(p) * 0.4)
    return model


def normed():
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    filled(model)
    return model


def dropping():
    return filled(nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.9)))


x = torch.tensor([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]])
y = torch.tensor([0, 1, 1])


def loop(model, opt=None):
    train = opt is not None
    model.train() if train else model.eval()  # the mode
    with torch.set_grad_enabled(train):
        out = model(x)
        loss = F.cross_entropy(out, y)
        if train:
            opt.zero_grad()
            loss.backward()
            opt.step()
    return loss.item()


def training():
    model = normed()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        print(loop(model, opt), loop(model))


def in_turns():
    model = normed()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(4):
        opt.zero_grad() if i % 2 == 0 else None
        loss = model(x).pow(2).mean() + model[0].weight.sum()
        loss.backward()
        opt.step() if i % 2 else None
        print(loss.item())


def tensors():
    a = torch.ones(3)
    b = a
    for i in range(3):
        a.add_(1) if i % 2 else a.mul_(2)
        i == 2 and a.zero_()
        print(a, b)


def alone():
    model, flag = normed(), True
    flag and model.eval()
    print(model(x)[0].tolist())
    not flag or model.train()
    print(model(x)[0].tolist())
    None if flag else model.eval()
    print(model(x)[0].tolist())


def given_back(model):
    return model.eval()


class Holder:
    def __init__(self, model):
        self.model = model

    def ready(self):
        return self.model.eval()

    def run(self):
        return self.model(x)[0].tolist()


def use(model):
    return model(x)[0].tolist()


def as_values():
    first, second, third, fourth = dropping(), dropping(), normed(), dropping()
    given_back(first)
    print(first(x)[0].tolist())
    holder = Holder(second)
    holder.ready()
    print(holder.run())
    print(use(third.eval()))
    print(use(third))
    print(use(third.train()))
    print(use(third))
    print(third.eval()(x)[0].tolist())
    print(third(x)[0].tolist())
    resting = fourth.to("cpu").eval()
    print(resting(x)[0].tolist(), fourth(x)[0].tolist())


training()
in_turns()
tensors()
alone()
as_values()

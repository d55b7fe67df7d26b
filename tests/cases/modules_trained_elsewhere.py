import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def train(self, x):
        loss = self.model(x).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


class Holder:
    def __init__(self, model, name):
        self.model = model
        self.name = name

    def show(self, x):
        print(self.name, self.model(x).sum().item())


def make_trainer(model):
    return Trainer(model)


def pretrain(model, x):
    trainer = make_trainer(model)
    trainer.train(x)
    return trainer


x = torch.ones(2, 4)
net = nn.Linear(4, 2)
trainer = make_trainer(net)  # T2J303
trainer.train(x)
print(net(x).sum().item())

other = nn.Linear(4, 2)
kept = pretrain(other, x)  # T2J303
print(other(x).sum().item())

shared = nn.Linear(4, 2)
first = Holder(shared, "first")
second = Holder(shared, "second")  # T2J303
opt = torch.optim.SGD(first.model.parameters(), lr=0.1)
loss = first.model(x).pow(2).mean()
opt.zero_grad()
loss.backward()
opt.step()
first.show(x)
second.show(x)

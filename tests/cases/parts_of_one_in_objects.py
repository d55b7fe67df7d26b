"""One part is in two modules that functions and objects make, and one of them is trained from outside."""

import copy

import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, base, out):
        super().__init__()
        self.base = base
        self.fc = nn.Linear(4, out)

    def forward(self, x):
        return self.fc(torch.tanh(self.base(x)))


class Other(Head):
    pass


class Agent:
    def __init__(self):
        base = nn.Linear(3, 4)
        self.actor = Head(base, 1)  # T2J303
        self.critic = Other(base, 2)  # T2J303


class Pair:
    def __init__(self):
        self.first = Head(nn.Linear(3, 4), 1)
        self.second = Head(self.first.base, 2)  # T2J303


def train(model, x):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = (model(x) ** 2).mean()
    loss.backward()
    opt.step()


def twin(model):
    return Other(model.base, 2)


def build():
    actor = Head(nn.Linear(3, 4), 1)
    critic = Head(actor.base, 2)
    return actor, critic


x = torch.arange(6.0).reshape(2, 3)

agent = Agent()
train(agent.actor, x)
print(agent.critic(x))

pair = Pair()
first, second = pair.first, pair.second
train(first, x)
print(second(x))

one = Head(nn.Linear(3, 4), 1)
two = twin(one)  # T2J303
train(one, x)
print(two(x))

three, four = build()  # T2J303
train(three, x)
print(four(x))

five = Head(nn.Linear(3, 4), 1)
base = five.base
six = Head(base, 2)  # T2J303
train(five, x)
print(six(x))

seven = Head(nn.Linear(3, 4), 1)
eight = copy.copy(seven)  # T2J303
train(seven, x)
print(eight(x))

# flagged: T2J303, also: nnx
"""Models that have a part in common, made by an object, by functions and out of a list: what one learns, the other one knows."""

import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, base, out):
        super().__init__()
        self.base = base
        self.fc = nn.Linear(2, out)
        nn.init.constant_(self.fc.weight, 0.1)
        nn.init.constant_(self.fc.bias, 0.1)

    def forward(self, x):
        return self.fc(torch.tanh(self.base(x)))


class Agent:
    def __init__(self):
        self.actor = Head(make(), 1)
        self.critic = Head(self.actor.base, 2)


def make():
    net = nn.Linear(4, 2)
    for i, p in enumerate(net.parameters()):
        p.data = torch.linspace(-1, 1, p.numel()).view(p.shape) + 0.1 * i
    return net


def fit(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for _ in range(2):
        loss = net(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def twin(model):
    return Head(model.base, 2)


def build():
    actor = Head(make(), 1)
    critic = Head(actor.base, 2)
    return actor, critic


x = torch.linspace(-1, 1, 12).view(3, 4)

agent = Agent()
actor, critic = agent.actor, agent.critic
fit(actor)
print(critic(x).sum().item(), agent.critic(x).sum().item())

one = Head(make(), 1)
two = twin(one)
fit(one)
print(two(x).sum().item())

three, four = build()
fit(three)
print(four(x).sum().item())

five = Head(make(), 1)
parts = [five.base]
six = Head(parts[0], 2)
fit(six)
print(five(x).sum().item())

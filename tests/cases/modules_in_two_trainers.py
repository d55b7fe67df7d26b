"""Modules that become parts of what objects train, and are used by themselves, too."""

import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.out = nn.Linear(3, 1)

    def forward(self, x):
        return self.out(self.encoder(x))


class Trainer:
    def __init__(self, encoder):
        self.net = Critic(encoder)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, x):
        self.opt.zero_grad()
        loss = (self.net(x) - 1).pow(2).mean()
        loss.backward()
        self.opt.step()


class Keeping:
    def __init__(self, encoder):
        self.encoder = encoder
        self.net = Critic(encoder)  # T2J303
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, x):
        self.opt.zero_grad()
        loss = (self.net(x) - 1).pow(2).mean()
        loss.backward()
        self.opt.step()
        return self.encoder(x)


class Agent:
    def __init__(self):
        encoder, act = nn.Linear(2, 3), nn.Tanh()
        self.actor = Critic(encoder)  # T2J303
        self.critic = Critic(encoder)  # T2J303
        self.value = Critic(act)
        self.next_value = Critic(act)
        encoder = nn.Linear(2, 3)
        self.last = Critic(encoder)
        self.opt = torch.optim.SGD(self.critic.parameters(), lr=0.1)

    def fit(self, x):
        self.opt.zero_grad()
        loss = (self.critic(x) - 1).pow(2).mean()
        loss.backward()
        self.opt.step()
        return self.actor(x), self.last(x), self.value(x), self.next_value(x)


def case_two_trainers(x: torch.Tensor):
    encoder = nn.Linear(2, 3)
    one = Trainer(encoder)  # T2J303
    two = Trainer(encoder)
    one.fit(x)
    two.fit(x)
    return one.net(x), two.net(x)


def case_list_of_trainers(x: torch.Tensor):
    encoder = nn.Linear(2, 3)
    every = [Trainer(encoder) for _ in range(2)]  # T2J303
    for one in every:
        one.fit(x)
    return every[0].net(x)


def case_in_a_function(x: torch.Tensor):
    encoder = nn.Linear(2, 3)
    one = made(encoder)  # T2J303
    one.fit(x)
    return encoder(x)


def made(encoder):
    return Trainer(encoder)


def case_keeping(x: torch.Tensor):
    one = Keeping(nn.Linear(2, 3))
    return one.fit(x)


def case_agent(x: torch.Tensor):
    return Agent().fit(x)

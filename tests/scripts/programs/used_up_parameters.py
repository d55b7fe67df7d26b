# also: nnx, linen
# An iterator over parameters is used up by what takes it first: the lines behind that do nothing.
import itertools

import torch
import torch.nn as nn

torch.manual_seed(0)


class Critic(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.fc = nn.Linear(inputs, outputs)
        with torch.no_grad():
            self.fc.weight.copy_(torch.arange(inputs * outputs).reshape(outputs, inputs) / (inputs * outputs))
            self.fc.bias.fill_(0.1)

    def forward(self, x):
        return self.fc(x)


x = torch.arange(12.0).reshape(4, 3) / 12
y = torch.arange(8.0).reshape(4, 2) / 8


def frozen_too_late(steps=3):
    q1, q2, actor = Critic(3, 2), Critic(3, 2), Critic(3, 3)
    q_params = itertools.chain(q1.parameters(), q2.parameters())
    q_optimizer = torch.optim.Adam(q_params, lr=0.01)
    actor_optimizer = torch.optim.Adam(actor.parameters(), lr=0.01)

    def update(batch):
        q_optimizer.zero_grad()
        loss = (q1(batch) - y).pow(2).mean() + (q2(batch) - 2 * y).pow(2).mean()
        loss.backward()
        q_optimizer.step()
        for p in q_params:
            p.requires_grad = False
        actor_optimizer.zero_grad()
        value = torch.min(q1(actor(batch)), q2(actor(batch))).mean()
        value.backward()
        actor_optimizer.step()
        for p in q_params:
            p.requires_grad = True
        print(loss.item(), value.item())

    for _ in range(steps):
        update(x)


def clipped_too_late(steps=3):
    a, b = Critic(3, 2), Critic(3, 2)
    params = itertools.chain(a.parameters(), b.parameters())
    opt = torch.optim.SGD(params, lr=0.1)
    for _ in range(steps):
        opt.zero_grad()
        loss = (a(x) + b(x) - y).pow(2).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 0.1)
        opt.step()
        print(loss.item())


def one_model(steps=3):
    net = Critic(3, 2)
    params = net.parameters()
    opt = torch.optim.SGD(params, lr=0.1, momentum=0.9)
    for p in params:
        p.requires_grad = False
    for p in params:
        nn.init.zeros_(p)
    for _ in range(steps):
        opt.zero_grad()
        loss = (net(x) - y).pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(params, max_norm=0.001)
        opt.step()
        print(loss.item())


def loops(steps=3):
    a, b, c = Critic(3, 2), Critic(3, 2), Critic(3, 3)
    params = itertools.chain(a.parameters(), b.parameters())
    for p in params:
        p.requires_grad = False
    for p in params:
        p.requires_grad = True
    opt = torch.optim.SGD(c.parameters(), lr=0.1)
    for _ in range(steps):
        opt.zero_grad()
        loss = (a(c(x)) - 2 * b(c(x)) - y).pow(2).mean()
        loss.backward()
        opt.step()
        print(loss.item())


def kept_in_a_list(steps=3):
    a, b = Critic(3, 2), Critic(3, 2)
    params = list(itertools.chain(a.parameters(), b.parameters()))
    opt = torch.optim.SGD(params, lr=0.1)
    for _ in range(steps):
        opt.zero_grad()
        loss = (a(x) + b(x) - y).pow(2).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 0.1)
        opt.step()
        print(loss.item())


frozen_too_late()
clipped_too_late()
one_model()
loops()
kept_in_a_list()

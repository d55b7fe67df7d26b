# also: nnx, linen
"""Objects that keep the parameters of several models in a list: for an optimizer, for clipping, for a penalty, and to freeze them."""

import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim import SGD, Adam


class Net(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.first = nn.Linear(inputs, 8)
        self.last = nn.Linear(8, outputs)
        for i, p in enumerate(self.parameters()):
            p.data.copy_(torch.cos(torch.arange(p.numel()).float() * (i + 1)).view_as(p) * 0.4)

    def forward(self, *x):
        return self.last(torch.relu(self.first(torch.cat(x, 1))))


class Agent:
    def __init__(self, obs, act):
        self.actor = Net(obs, act)
        self.q1 = Net(obs + act, 1)
        self.q2 = Net(obs + act, 1)
        self.q_params = list(self.q1.parameters()) + list(self.q2.parameters())
        self.actor_opt = Adam(self.actor.parameters(), lr=1e-2)
        self.q_opt = Adam(self.q_params, lr=1e-2)

    def learn(self, state, action, reward):
        both = torch.cat([state, action], 1)
        loss_q = F.mse_loss(self.q1(both), reward) + F.mse_loss(self.q2(both), reward)
        loss_q = loss_q + 1e-3 * sum(p.pow(2).sum() for p in self.q_params)
        self.q_opt.zero_grad()
        loss_q.backward()
        nn.utils.clip_grad_norm_(self.q_params, 0.5)
        self.q_opt.step()

        for p in self.q_params:
            p.requires_grad = False
        new = torch.cat([state, torch.tanh(self.actor(state))], 1)
        loss_pi = -torch.min(self.q1(new), self.q2(new)).mean()
        self.actor_opt.zero_grad()
        loss_pi.backward()
        self.actor_opt.step()
        for p in self.q_params:
            p.requires_grad = True
        return round(loss_q.item(), 5), round(loss_pi.item(), 5)


class Chained:
    """A chain is used up by the optimizer: the loops behind it do nothing."""

    def __init__(self):
        self.encoder, self.decoder = Net(3, 2), Net(2, 3)
        self.params = itertools.chain(self.encoder.parameters(), self.decoder.parameters())
        self.optimizer = SGD(self.params, lr=0.1, momentum=0.9)

    def step(self, x):
        loss = F.mse_loss(self.decoder(self.encoder(x)), x)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.params, 1e-3)
        self.optimizer.step()
        for p in self.params:
            p.data.clamp_(-0.01, 0.01)
        return round(loss.item(), 5)


class Single:
    def __init__(self, model, limit):
        self.model = model
        self.params = list(self.model.parameters())
        self.limit = limit
        self.optimizer = Adam(self.params, lr=0.01)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.model(x), y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.params, self.limit)
        self.optimizer.step()
        return round(loss.item(), 5), round(norm.item(), 5)


states = torch.sin(torch.arange(18.0)).view(6, 3)
actions = torch.cos(torch.arange(12.0)).view(6, 2)
rewards = torch.linspace(-1, 1, 6).view(6, 1)
agent, chained, single = Agent(3, 2), Chained(), Single(Net(3, 1), 0.1)
for _ in range(4):
    print(agent.learn(states, actions, rewards), chained.step(states), single.step(states, rewards))

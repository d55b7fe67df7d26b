# also: nnx, linen
"""Agents in lists of actors, critics and their targets: the actor of each is trained through its critic."""

import copy

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


def soft_update(target, source, t):
    for target_param, source_param in zip(target.parameters(), source.parameters()):
        target_param.data.copy_((1 - t) * target_param.data + t * source_param.data)


class Critic(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(2 * n + n, 1)
        nn.init.constant_(self.fc.weight, 0.1)
        nn.init.constant_(self.fc.bias, 0.1)

    def forward(self, x, a):
        return self.fc(torch.cat([x, a], 1))


class Agents:
    def __init__(self, n):
        self.n = n
        self.actors = [Net() for _ in range(n)]
        self.critics = [Critic(n) for _ in range(n)]
        self.actors_target = copy.deepcopy(self.actors)
        self.critics_target = copy.deepcopy(self.critics)
        self.critic_optimizer = [optim.Adam(x.parameters(), lr=0.01) for x in self.critics]
        self.actor_optimizer = [optim.Adam(x.parameters(), lr=0.02) for x in self.actors]
        self.steps = 0

    def update(self, states, actions, rewards):
        c_loss, a_loss = [], []
        for agent in range(self.n):
            whole = states.view(3, -1)
            self.critic_optimizer[agent].zero_grad()
            q = self.critics[agent](whole, actions)
            nxt = [self.actors_target[i](states[:, i, :]) for i in range(self.n)]
            tq = self.critics_target[agent](whole, torch.cat(nxt, 1))
            loss = nn.MSELoss()(q, (rewards[:, agent:agent + 1] + 0.9 * tq).detach())
            loss.backward()
            self.critic_optimizer[agent].step()

            self.actor_optimizer[agent].zero_grad()
            own = self.actors[agent](states[:, agent, :])
            ac = actions.clone()
            ac[:, agent:agent + 1] = own
            actor_loss = -self.critics[agent](whole, ac).mean()
            actor_loss.backward()
            self.actor_optimizer[agent].step()
            c_loss.append(loss)
            a_loss.append(actor_loss)
        self.steps += 1
        if self.steps % 2 == 0:
            for i in range(self.n):
                soft_update(self.critics_target[i], self.critics[i], 0.1)
                soft_update(self.actors_target[i], self.actors[i], 0.1)
        return c_loss, a_loss

    def act(self, states):
        actions = torch.zeros(self.n, 1)
        for i in range(self.n):
            actions[i, :] = self.actors[i](states[i, :].detach().unsqueeze(0)).squeeze()
        return actions


agents = Agents(2)
S = torch.linspace(-1, 1, 12).view(3, 2, 2)
A = torch.linspace(0, 1, 6).view(3, 2)
R = torch.linspace(1, 2, 6).view(3, 2)
for _ in range(4):
    c, a = agents.update(S, A, R)
    print([round(v.item(), 5) for v in c + a])
    print([round(v, 5) for v in agents.act(S[0]).flatten().tolist()])
show(agents.actors_target)

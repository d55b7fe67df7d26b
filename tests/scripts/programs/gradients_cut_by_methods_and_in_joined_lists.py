# also: nnx, linen
import itertools

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(model):
    rng = np.random.RandomState(0)
    for p in model.parameters():
        p.data = torch.from_numpy(rng.randn(*p.shape).astype(np.float32) * 0.5)
    return model


rng = np.random.RandomState(1)
x = torch.from_numpy(rng.randn(8, 4).astype(np.float32))
y = torch.from_numpy(rng.randint(0, 3, 8))


class Agent:
    def __init__(self, noise):
        self.actor = filled(nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3)))
        self.critic = filled(nn.Linear(4, 3))
        self.actor_optim = torch.optim.Adam(self.actor.parameters(), lr=0.05)
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=0.05)
        self.noise = noise

    def update(self):
        value = F.cross_entropy(self.critic(x), y)
        self.critic_optim.zero_grad()
        value.backward()
        self.clip(self.critic)
        self.critic_optim.step()
        loss = F.cross_entropy(self.actor(x), y)
        self.actor_optim.zero_grad()
        loss.backward()
        for param in self.actor.parameters():
            if param.grad is not None:
                param.grad += torch.randn_like(param.grad) * self.noise
        for param in self.actor.parameters():
            param.grad.data.clamp_(-0.03, 0.03)
        self.actor_optim.step()
        return value.item(), loss.item()

    def clip(self, net):
        for param in net.parameters():
            if param.grad is not None:
                param.grad.data.clamp_(-0.02, 0.02)


agent = Agent(0.0)
for _ in range(3):
    print([round(v, 5) for v in agent.update()])
print([round(p.sum().item(), 5) for p in (*agent.actor.parameters(), *agent.critic.parameters())])


def clip_all(params, limit):
    for p in params:
        if p.grad is not None:
            p.grad.data.clamp_(-limit, limit)


first = filled(nn.Linear(4, 3))
second = filled(nn.Linear(3, 3))
opt = torch.optim.Adam(list(first.parameters()) + list(second.parameters()), lr=0.05)
for _ in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(second(torch.tanh(first(x))), y)
    loss.backward()
    clip_all(list(first.parameters()) + list(second.parameters()), 0.05)
    clip_all(itertools.chain(first.parameters(), second.parameters()), 0.02)
    opt.step()
    print(round(loss.item(), 5))
print([round(p.sum().item(), 5) for p in (*first.parameters(), *second.parameters())])

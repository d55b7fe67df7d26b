# also: nnx, linen
# Numbers that change from step to step: they go into arrays, or decide what is computed.
import math

import numpy as np
import torch
import torch.nn as nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(3, 1)
        with torch.no_grad():
            for p in self.net.parameters():
                p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=0.01)

    def learn(self, obs, reward, scale, power=2):
        value = self.net(torch.from_numpy(obs))
        loss = scale * ((reward - value) ** power).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def run(agent, obs, r, scale):
    return agent.learn(obs, r * 2.0, scale)


agent = Agent()
rng = np.random.RandomState(1)
for step in range(6):
    obs = rng.randn(3).astype(np.float32)
    print(run(agent, obs, float(rng.rand()), 0.5))

net = nn.Linear(3, 1)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
rng = np.random.RandomState(1)
for step in range(6):
    obs = rng.randn(3).astype(np.float32)
    w = float(rng.rand())
    opt.zero_grad()
    value = net(torch.from_numpy(obs))
    loss = value.pow(2).mean()
    if w > 0.5:
        loss = loss * w
    loss = loss + math.exp(w) * value.mean() + max(w, 0.3) * value.sum() + (0.1 if w < 0.2 else 0.3) * value.sum()
    loss.backward()
    opt.step()
    print(loss.item())


class Weighing:
    def __init__(self):
        self.net = nn.Linear(3, 1)
        with torch.no_grad():
            for p in self.net.parameters():
                p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=0.01)

    def learn(self, obs, w, v=1.0):
        self.opt.zero_grad()
        value = self.net(torch.from_numpy(obs))
        loss = value.pow(2).mean()
        if w > 0.5:
            loss = loss * w
        loss = loss + math.exp(w) * value.mean() + max(w, 0.3) * value.sum() + (0.1 if v < 0.2 else 0.3) * value.sum()
        loss.backward()
        self.opt.step()
        return loss.item()

weighing = Weighing()
rng = np.random.RandomState(1)
for step in range(6):
    obs = rng.randn(3).astype(np.float32)
    print(weighing.learn(obs, float(rng.rand()), v=float(rng.rand())))

# also: nnx
"""An actor and two critics with targets: buffers of NumPy, delayed updates, networks frozen for one of the updates, averages by hand."""

import copy
import random
from dataclasses import dataclass, field
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from typing import List, Optional


@dataclass
class Config:
    obs: int = 3
    act: int = 2
    hidden: List[int] = field(default_factory=lambda: [8, 8])
    gamma: float = 0.9
    tau: float = 0.1
    lr: float = 1e-2
    alpha: Optional[float] = None


def mlp(sizes, act=nn.ReLU, out=nn.Identity):
    layers = []
    for j in range(len(sizes) - 1):
        layers += [nn.Linear(sizes[j], sizes[j + 1]), (act if j < len(sizes) - 2 else out)()]
    return nn.Sequential(*layers)


class Q(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.q1 = mlp([c.obs + c.act, *c.hidden, 1])
        self.q2 = mlp([c.obs + c.act, *c.hidden, 1])

    def forward(self, s, a):
        x = torch.cat([s, a], -1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class Actor(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.net = mlp([c.obs, *c.hidden, c.act], out=nn.Tanh)

    def forward(self, s):
        return self.net(s)


class Buffer:
    def __init__(self, n, c):
        self.s = np.zeros((n, c.obs), np.float32)
        self.a = np.zeros((n, c.act), np.float32)
        self.r = np.zeros(n, np.float32)
        self.s2 = np.zeros((n, c.obs), np.float32)
        self.d = np.zeros(n, np.float32)
        self.i = 0
        self.n = n
        self.full = False

    def add(self, s, a, r, s2, d):
        j = self.i
        self.s[j], self.a[j], self.r[j], self.s2[j], self.d[j] = s, a, r, s2, d
        self.i = (j + 1) % self.n
        self.full = self.full or self.i == 0

    def sample(self, k, rng):
        top = self.n if self.full else self.i
        idx = rng.integers(0, top, k)
        return {key: torch.as_tensor(getattr(self, key)[idx]) for key in ("s", "a", "r", "s2", "d")}


class Agent:
    def __init__(self, c):
        self.c = c
        self.actor, self.q = Actor(c), Q(c)
        for m in (self.actor, self.q):
            for i, p in enumerate(m.parameters()):
                p.data.copy_(torch.cos(torch.arange(p.numel()).float() * (i + 1)).view_as(p) * 0.4)
        self.actor_t, self.q_t = copy.deepcopy(self.actor), copy.deepcopy(self.q)
        for p in [*self.actor_t.parameters(), *self.q_t.parameters()]:
            p.requires_grad = False
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=c.lr)
        self.opt_q = torch.optim.Adam(self.q.parameters(), lr=c.lr)
        self.updates = 0

    @torch.no_grad()
    def act(self, s, noise=0.0):
        a = self.actor(torch.as_tensor(s, dtype=torch.float32).unsqueeze(0)).squeeze(0).numpy()
        return np.clip(a + noise, -1, 1)

    def update(self, b):
        c = self.c
        with torch.no_grad():
            a2 = self.actor_t(b["s2"])
            q1, q2 = self.q_t(b["s2"], a2)
            y = b["r"] + c.gamma * (1 - b["d"]) * torch.min(q1, q2)
        q1, q2 = self.q(b["s"], b["a"])
        loss_q = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        self.opt_q.zero_grad()
        loss_q.backward()
        self.opt_q.step()
        self.updates += 1
        info = {"q": loss_q.item()}
        if self.updates % 2 == 0:
            for p in self.q.parameters():
                p.requires_grad = False
            loss_a = -self.q(b["s"], self.actor(b["s"]))[0].mean()
            self.opt_a.zero_grad()
            loss_a.backward()
            self.opt_a.step()
            for p in self.q.parameters():
                p.requires_grad = True
            with torch.no_grad():
                for m, t in ((self.actor, self.actor_t), (self.q, self.q_t)):
                    for p, pt in zip(m.parameters(), t.parameters()):
                        pt.data.mul_(1 - c.tau)
                        pt.data.add_(c.tau * p.data)
            info["a"] = loss_a.item()
        return info


c = Config()
agent, buf, rng = Agent(c), Buffer(20, c), np.random.default_rng(0)
s = np.ones(3)
for t in range(30):
    a = agent.act(s, noise=0.1 * np.sin(t))
    s2 = np.sin(s + a.sum() * 0.1 + t)
    buf.add(s, a, float(s2.sum()), s2, float(t % 7 == 6))
    s = s2
    if t > 8:
        info = agent.update(buf.sample(6, rng))
        if t % 5 == 0:
            print(t, {k: round(v, 4) for k, v in info.items()})
print(round(sum(p.sum().item() for p in agent.q_t.parameters()), 4), agent.updates)

# also: nnx
"""Rollouts, statistics and replay buffers are kept in dicts and lists of tensors, which methods of plain objects fill in place."""

import torch
import torch.nn as nn


class Rollout:
    def __init__(self, steps, envs, dim):
        self.data = {}
        self.data["obs"] = torch.zeros(steps, envs, dim)
        self.data["rew"] = torch.zeros(steps, envs)
        for name in ("val", "adv"):
            self.data[name] = torch.zeros(steps, envs)
        self.step = 0

    def insert(self, obs, rew, val):
        self.data["obs"][self.step].copy_(obs)
        self.data["rew"][self.step] = rew
        self.data["val"][self.step] = val.detach()
        self.step += 1

    def compute(self, gamma):
        running = torch.zeros(self.data["rew"].shape[1])
        for t in reversed(range(self.step)):
            running = self.data["rew"][t] + gamma * running
            self.data["adv"][t] = running - self.data["val"][t]

    def batches(self, size):
        for start in range(0, self.step, size):
            yield {k: v[start : start + size] for k, v in self.data.items()}

    def clear(self):
        for k in self.data:
            self.data[k].zero_()
        self.step = 0


class Stats:
    def __init__(self, names):
        self.sums = {n: torch.zeros(2) for n in names}
        self.counts = [torch.zeros(1), torch.zeros(1)]

    def update(self, name, x):
        self.sums[name] += x.sum(0)
        self.counts[0].add_(1)

    def mean(self):
        return {n: (s / self.counts[0]) for n, s in self.sums.items()}


net = nn.Linear(3, 1)
with torch.no_grad():
    net.weight.fill_(0.3)
    net.bias.fill_(0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
buf = Rollout(4, 2, 3)
for epoch in range(2):
    for t in range(4):
        obs = torch.sin(torch.arange(6.0) + t + epoch).view(2, 3)
        val = net(obs).squeeze(-1)
        buf.insert(obs, obs.sum(1), val)
    buf.compute(0.9)
    for batch in buf.batches(2):
        loss = (net(batch["obs"]).squeeze(-1) - batch["adv"]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    buf.clear()
s = Stats(["a", "b"])
s.update("a", torch.ones(3, 2))
s.update("a", torch.ones(3, 2) * 2)
print({k: v.sum().item() for k, v in s.mean().items()}, s.counts[0].item(), s.counts[1].item())


class ReplayBuffer:
    def __init__(self, capacity, dim):
        self.storage = {
            "obs": torch.zeros(capacity, dim),
            "act": torch.zeros(capacity, dtype=torch.long),
            "rew": torch.zeros(capacity),
        }
        self.capacity = capacity
        self.ptr = 0
        self.size = 0

    def add(self, **kwargs):
        for k, v in kwargs.items():
            self.storage[k][self.ptr] = v
        self.ptr = (self.ptr + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def store(self, obs, act, rew):
        self.storage["obs"][self.ptr] = obs
        self.storage["act"][self.ptr] = act
        self.storage["rew"][self.ptr] = rew
        self.ptr = (self.ptr + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, idx):
        return {k: v[idx] for k, v in self.storage.items()}


buf = ReplayBuffer(4, 3)
for i in range(6):
    buf.store(torch.arange(3).float() + i, i % 2, float(i))
buf.add(obs=torch.ones(3) * 9, act=1, rew=0.5)
b = buf.sample(torch.tensor([0, 2, 3]))
for k, v in b.items():
    print(k, v.float().sum().item())

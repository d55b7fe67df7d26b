# also: nnx
"""One optimizer for several models: together, in groups with options of their own, in a function and in an object."""

import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.n, self.b = nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Linear(3, 2)

    def forward(self, x):
        return self.b(self.n(torch.tanh(self.a(x))))

    def optimizer(self, decay):
        named = dict(self.named_parameters())
        groups = [
            {"params": [p for p in named.values() if p.dim() >= 2], "weight_decay": decay},
            {"params": [p for p in named.values() if p.dim() < 2], "weight_decay": 0.0},
        ]
        return torch.optim.AdamW(groups, lr=0.01, betas=(0.9, 0.95))


class Trainer:
    def __init__(self):
        self.encoder, self.decoder = Net(), nn.Linear(2, 2)
        fill(self.encoder)
        fill(self.decoder)
        self.optimizer = torch.optim.Adam([*self.encoder.parameters(), *self.decoder.parameters()], lr=0.01)

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = F.mse_loss(self.decoder(self.encoder(x)), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).view(p.shape) * 0.3)


def show(m):
    print([round(v.float().abs().sum().item(), 3) for v in m.state_dict().values()])


def train(a, b, optimizer, x, y):
    a.train()
    optimizer.zero_grad()
    out = b(a(x))
    loss = F.mse_loss(out, y)
    loss.backward()
    nn.utils.clip_grad_norm_(list(a.parameters()) + list(b.parameters()), 0.1)
    optimizer.step()
    return loss.item(), out.mean().item()


x, y = torch.sin(torch.arange(12.0)).view(3, 4), torch.cos(torch.arange(6.0)).view(3, 2)

a, b = Net(), nn.Linear(2, 2)
fill(a)
fill(b)
optimizer = torch.optim.RMSprop(itertools.chain(a.parameters(), b.parameters()), lr=0.01)
for _ in range(3):
    print(*train(a, b, optimizer, x, y))
show(a)

c, d = Net(), nn.Linear(2, 2)
fill(c)
fill(d)
grouped = torch.optim.SGD([{"params": c.parameters()}, {"params": d.parameters(), "lr": 0.05}], lr=0.1, momentum=0.9)
for _ in range(3):
    grouped.zero_grad()
    loss = F.mse_loss(d(c(x)), y)
    loss.backward()
    grouped.step()
    print(loss.item())
show(c)

net = Net()
fill(net)
decayed = net.optimizer(0.1)
for _ in range(3):
    decayed.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    decayed.step()
    print(loss.item())
show(net)

trainer = Trainer()
for _ in range(3):
    print(trainer.step(x, y))

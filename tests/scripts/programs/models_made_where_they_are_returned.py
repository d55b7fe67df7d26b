"""Models that functions make where they return them among other things have their state, and their mode."""
# also: nnx, linen

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, n, zero=False):
        super().__init__()
        self.fc = nn.Linear(3, n)
        self.bn = nn.BatchNorm1d(n)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.0 if zero else 0.1 * i + 0.2)

    def forward(self, x):
        return self.bn(self.fc(x))


def make(n, **kwargs):
    return Net(n, **kwargs), n * 2


def two(n):
    return Net(n).to("cpu"), Net(n + 1)


def sized(n):
    size = n + 1
    return size, Net(size).eval()


def named(n):
    return make(n)


class Trainer:
    def __init__(self, n):
        self.model, self.size = make(n)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self, x):
        loss = (self.model(x) ** 3).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


x = torch.tensor([[1.0, 2.0, 3.0], [3.0, -1.0, 0.5], [0.0, 1.0, 1.0]])
a, _ = make(2, zero=True)
print(a(x).sum().item())
b, c = two(2)
print(b(x).sum().item(), c(x).shape, b.bn.running_mean.sum().item())
n, d = sized(3)
print(n, d(x).sum().item(), d.training)
e, size = named(4)
print(e(x).shape, size, e.bn.num_batches_tracked.item())
trainer = Trainer(3)
print(trainer.step(x), trainer.step(x), trainer.size)


# also: linen
"""Methods that only subclasses have are called in their base class: one of them keeps state, one draws in training."""

import torch
from torch import nn
import torch.nn.functional as F


class Base(nn.Module):
    def forward(self, x):
        return self.decode(self.encode(x))

    def loss(self, x, y):
        return F.mse_loss(self(x), y) + self.penalty()


class Plain(Base):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 2)
        for p in self.parameters():
            nn.init.constant_(p, 0.3)
        nn.init.eye_(self.a.weight)

    def encode(self, x):
        return torch.tanh(self.a(x))

    def decode(self, h):
        return self.b(h)

    def penalty(self):
        return 0.01 * self.a.weight.pow(2).sum()


class Normed(Base):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.b = nn.Linear(4, 2)
        for p in self.parameters():
            nn.init.constant_(p, 0.3)
        nn.init.eye_(self.a.weight)

    def encode(self, x):
        return self.bn(self.a(x))

    def decode(self, h):
        return self.b(h)

    def penalty(self):
        return self.b.bias.abs().sum()


class Dropping(Plain):
    def encode(self, x):
        return F.dropout(super().encode(x), 0.5, self.training)


class Template(nn.Module):
    def forward(self, x):
        return self.decode(self.encode(x))

    def encode(self, x):
        raise NotImplementedError

    def decode(self, h):
        raise NotImplementedError


class Counting(Template):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def encode(self, x):
        self.count += 1
        return x * self.count

    def decode(self, h):
        return h + 1


class Doubling(Template):
    def encode(self, x):
        return 2 * x

    def decode(self, h):
        return h - 1


def train(model):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(3):
        loss = model.loss(x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(step, f"{loss.item():.4f}")
    model.eval()
    print(f"{model(x).sum().item():.4f}")


x = torch.linspace(-1, 1, 15).view(5, 3)
y = torch.linspace(0, 1, 10).view(5, 2)
train(Plain())
train(Normed())
dropping = Dropping()
print(dropping(x).shape)
counting = Counting()
print(f"{(counting(x) ** 2).sum().item() + (counting(x) ** 2).sum().item():.4f}", counting.count.item())
print(f"{Doubling()(x).sum().item():.4f}")

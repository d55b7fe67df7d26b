"""Fields that nobody reads are left out; those that may be read are state."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def attend(q, k, v):
    weights = F.softmax(q @ k.transpose(-2, -1), -1)
    return weights @ v, weights


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(3, 3)
        self.weights = None
        self.calls = 0

    def forward(self, x):
        q = self.q(x)
        x, self.weights = attend(q, q, x)
        self.calls += 1
        self.norm = last = x.norm()
        self.noise = torch.rand(2)
        return x * last


class Kept(nn.Module):
    """Each of its fields is read in a way of its own."""

    def __init__(self):
        super().__init__()
        self.total = 0.0
        self.named = 0
        self.seen = torch.zeros(())

    def forward(self, x):
        self.total = self.total + x.sum()
        self.named = 3
        self.seen = x.mean()
        return x + 1


class Around(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = Kept()
        self.inner = nn.Linear(3, 3)
        self.chosen = None

    def forward(self, x):
        self.chosen = self.inner(x)
        return self.kept(x) + self.peek()

    def peek(self):
        return self.chosen.sum()


def filled(model):
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.1)
    return model


def case_unread(x: torch.Tensor):
    model = filled(nn.Sequential(Attention(), Attention()))
    return model(x), len(model.state_dict())


def case_read(x: torch.Tensor):
    model = filled(Around())
    y = model(x)
    y = model(y)
    return y, model.kept.total, model.kept.named, model.kept.seen


def case_trained(x: torch.Tensor):
    model = filled(nn.Sequential(Attention(), nn.Linear(3, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.start = 0.5

    def forward(self, x):
        return x + self.start


def drawn():
    return torch.ones(2)


def case_set_from_outside(x: torch.Tensor):
    net = Recurrent()
    net.hidden = (torch.zeros(1, 2), torch.zeros(1, 2))  # nobody reads it
    net.made = drawn()
    net.start = 1.0
    return net(x)

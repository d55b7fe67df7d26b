# also: nnx, linen
"""A base class trains what classes derived from it make."""

import torch
import torch.nn.functional as F
from torch import nn


class Base:
    def __init__(self, epochs):
        self.net = None
        self.optimizer = None
        self.history = []
        self.extra = {}
        self.epochs = epochs

    def loss(self, x, y):
        raise NotImplementedError

    def fit(self, x, y):
        self.net.train()
        for epoch in range(self.epochs):
            self.optimizer.zero_grad()
            loss = self.loss(x, y)
            loss.backward()
            self.optimizer.step()
            self.history.append(loss.item())
        return self.history[-1]

    def predict(self, x):
        self.net.eval()
        with torch.no_grad():
            return self.net(x)


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) * (1 + i / 3))


class Regressor(Base):
    def __init__(self, epochs=3):
        super().__init__(epochs)
        self.net = nn.Sequential(nn.Linear(4, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Linear(5, 2))
        fill(self.net)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def loss(self, x, y):
        return F.mse_loss(self.net(x), y)


x = torch.linspace(-1, 1, 24).view(6, 4)
y = torch.stack([x.sum(1), x[:, 0] * x[:, 1]], 1)
r = Regressor()
print(r.fit(x, y))
print(r.predict(x).sum().item(), r.history)

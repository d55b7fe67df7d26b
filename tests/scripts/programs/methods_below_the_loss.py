# also: nnx, linen
import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.weight = 0.5
        self.calls = 0
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def penalty(self):
        total = 0.0
        for p in self.model.parameters():
            total = total + (p**2).sum()
        return 1e-2 * total

    def residual(self, x):
        self.calls += 1
        out = self.model(x)
        return out.abs().mean()

    def compute_loss(self, x, y):
        a = (self.model(x) - y).pow(2).mean()
        return self.weight * a + self.residual(x) * (self.calls + 1.0) + self.penalty()

    def train(self, x, y, epochs):
        for epoch in range(epochs):
            self.optimizer.zero_grad()
            loss = self.compute_loss(x, y)
            loss.backward()
            self.optimizer.step()
            print(loss.item(), self.calls)

    def evaluate(self, x, y):
        with torch.no_grad():
            return self.compute_loss(x, y).item() + self.residual(x).item()


model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
for p in model.parameters():
    nn.init.constant_(p, 0.1)
t = Trainer(model, 0.1)
x, y = torch.tensor([[1.0, 2.0], [0.5, -1.0], [0.0, 1.0]]), torch.tensor([[0.0], [1.0], [2.0]])
t.train(x, y, 3)
print(t.evaluate(x, y), t.calls)

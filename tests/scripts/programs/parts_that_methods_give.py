# also: nnx, linen
"""Methods that give a part of their model, or the model of another object: what changes it then changes the model."""

import torch
import torch.nn as nn


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Linear(3, 3)

    def get_table(self):
        """The first layer."""
        return self.table

    def forward(self, x):
        return torch.tanh(self.table(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Body()
        self.last = nn.Linear(3, 2)

    def get_table(self):
        return self.body.get_table()

    def head(self):
        return self.last

    def forward(self, x):
        return self.head()(self.body(x))


class Trainer:
    def __init__(self):
        self.net = Net()
        for i, p in enumerate(self.net.parameters()):
            p.data.copy_(torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.1 * i)
        self.optimizer = torch.optim.SGD(self.net.head().parameters(), lr=0.1)

    def model(self):
        return self.net

    def fit(self, x):
        for _ in range(2):
            self.optimizer.zero_grad()
            loss = self.net(x).pow(2).mean()
            loss.backward()
            self.optimizer.step()
            print(round(loss.item(), 5))


x = torch.linspace(-1, 1, 6).view(2, 3)
trainer = Trainer()
trainer.fit(x)
part = trainer.net.get_table()
part.weight.data.mul_(2)
nn.init.constant_(trainer.net.head().bias, 0.3)
trainer.model().last.weight.data[0] = 0.5
print(round(trainer.net(x).sum().item(), 5), part.weight.shape)
trainer.fit(x)
print(round(trainer.net(x).sum().item(), 5))

"""An object keeps a module of the file, which is trained as a part of another one: what both are read for would differ."""

import torch
from torch import nn

backbone = nn.Linear(3, 3)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = backbone

    def forward(self, x):
        return self.inner(x)


class Keeper:
    def __init__(self):
        self.net = backbone

    def total(self):
        return sum(p.sum() for p in self.net.parameters())


model = Model()  # T2J303
keeper = Keeper()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer.zero_grad()
loss = model(torch.ones(2, 3)).pow(2).mean()
loss.backward()
optimizer.step()
print(keeper.total(), loss)

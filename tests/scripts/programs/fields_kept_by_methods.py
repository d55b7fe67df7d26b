# also: nnx, linen
"""Fields that methods set later, and that the module asks for with `hasattr`: inverses, tables, caches in training."""

import torch
import torch.nn as nn


class Convolution(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(3) * scale)

    def forward(self, x, reverse=False):
        if not reverse:
            return x @ self.weight, torch.logdet(self.weight)
        if not hasattr(self, "weight_inv"):
            self.weight_inv = torch.inverse(self.weight.detach())
        return x @ self.weight_inv, None


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.flows = nn.ModuleList([Convolution(2.0), Convolution(0.25)])

    def forward(self, x, reverse=False):
        if not reverse:
            flows, total = self.flows, 0
        else:
            flows, total = self.flows[::-1], None
        for f in flows:
            if not reverse:
                x, logdet = f(x, reverse=reverse)
                total += logdet
            else:
                x, logdet = f(x, reverse=reverse)
        return x, total


class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.constant_(self.fc.bias, 0.1)

    def forward(self, x):
        if not hasattr(self, "positions"):
            self.positions = torch.arange(x.shape[1], dtype=torch.float32)
        return self.fc(x) + self.positions


class Bias(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.arange(4.0))
        self.register_buffer("index", torch.tensor([[0, 1], [2, 3]]))

    def keep(self):
        self.stored = self.table[self.index].detach()

    def forward(self, x):
        bias = self.stored if hasattr(self, "stored") else self.table[self.index]
        return x + bias


flow = Flow()
x = torch.arange(6.0).reshape(2, 3)
y, logdet = flow(x)
print(y.sum().item(), logdet.item())
print(flow(y, reverse=True)[0].tolist())
with torch.no_grad():
    flow.flows[0].weight.mul_(2)
print(flow(y, reverse=True)[0].tolist())

model = Positions()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(3):
    optimizer.zero_grad()
    loss = (model(x) - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))

bias = Bias()
print(bias(torch.zeros(2, 2)).tolist())
bias.keep()
with torch.no_grad():
    bias.table.zero_()
print(bias(torch.zeros(2, 2)).tolist())

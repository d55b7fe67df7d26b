# also: nnx
"""Functions that `__init__` defines and keeps in fields: they use the parts of their module as these are trained."""

import torch
import torch.nn as nn


class Lambda(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.ModuleDict(dict(a=nn.Linear(4, 8), b=nn.Linear(8, 4)))
        m = self.mlp
        self.mlpf = lambda x: m.b(torch.tanh(m.a(x)))

    def forward(self, x):
        return x + self.mlpf(x)


class Defined(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        fc = self.fc

        def gated(x, power=2):
            """A gate."""
            for fold in range(power):
                x = torch.sigmoid(fc(x)) * x + fold
            return x

        self.gated = gated
        self.scale = scale

    def forward(self, x):
        return self.gated(x) * self.scale + self.gated(x, power=1)


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).view(p.shape) * 0.3)


x = torch.linspace(-1, 1, 12).view(3, 4)
for model in (Lambda(), Defined(0.5)):
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = (model(x) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print(sum(p.sum() for p in model.parameters()).item())

# also: nnx, linen
"""Fields that a branch makes a list of parts, which grows there, and another one a single layer."""

import torch
from torch import nn


class Forecast(nn.Module):
    def __init__(self, length, ahead, individual, channels):
        super().__init__()
        self.ahead = ahead
        self.individual = individual
        self.channels = channels
        if self.individual:
            self.linear = nn.ModuleList()
            for _ in range(self.channels):
                self.linear.append(nn.Linear(length, ahead))
        else:
            self.linear = nn.Linear(length, ahead)

    def forward(self, x):
        if self.individual:
            out = torch.zeros([x.size(0), x.size(1), self.ahead], dtype=x.dtype).to(x.device)
            for i in range(self.channels):
                out[:, i, :] = self.linear[i](x[:, i, :])
        else:
            out = self.linear(x)
        return out.permute(0, 2, 1)


class Chosen(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        if kind == "list":
            self.parts = nn.ModuleList()
            self.parts.extend([nn.Linear(3, 3), nn.Linear(3, 3)])
            self.parts += [nn.Linear(3, 3)]
        elif kind == "norm":
            self.parts = nn.LayerNorm(3)
        else:
            self.parts = nn.Linear(3, 3)

    def forward(self, x):
        if self.kind == "list":
            for part in self.parts:
                x = part(x)
            return x
        return self.parts(x)


def fill(module):
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_((torch.arange(p.numel()).float().reshape(p.shape) % 7 - 3) / (10 + i))


for individual in (True, False):
    model = Forecast(4, 3, individual, 2)
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(2):
        loss = (model(torch.arange(16.0).reshape(2, 2, 4) / 8) - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())

for kind in ("list", "norm", "linear"):
    chosen = Chosen(kind)
    fill(chosen)
    print(chosen(torch.arange(6.0).reshape(2, 3) ** 2)[:, 1].sum().item(), len(list(chosen.parameters())))

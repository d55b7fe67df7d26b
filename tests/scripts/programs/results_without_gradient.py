"""Functions under `no_grad` that differentiated code calls, and that may hand back what they are given."""

import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.scale = nn.Parameter(torch.ones(3))

    @torch.no_grad()
    def forward(self, x, flag=False):
        if flag:
            return x
        h = self.fc(x)
        outputs = []
        for row in h:
            outputs.append({"masks": row > 0, "low": row * 2, "name": "n"})
        return outputs

    @torch.no_grad()
    def encode(self, x):
        if x.shape[0] > 100:
            return x
        return self.fc(x), self.scale


class Head(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.lift = nn.Linear(3, 3)
        self.out = nn.Linear(4, 2)

    def forward(self, x):
        x = self.lift(x)
        rows = self.encoder(x)
        same = self.encoder(x, flag=True)
        h, s = self.encoder.encode(x)
        h2 = torch.stack([r["low"] for r in rows]) + h
        return self.out(h2), same * s


def main():
    model = Head(Encoder())
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6 + i * 0.1, p.numel()).reshape(p.shape))
    x = torch.linspace(-1, 1.7, 24).reshape(8, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(4):
        y, z = model(x)
        loss = y.pow(2).mean() + z.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
    for n, p in model.named_parameters():
        print(n, p.abs().sum().item(), p.sum().item())
    print(list(model.encoder(x)[0]))


main()

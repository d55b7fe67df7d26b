# also: nnx
"""Residual blocks whose body begins with a ReLU in place add what that has made of their argument."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels, hidden):
        super().__init__()
        self.body = nn.Sequential(
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, hidden, 3, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(hidden, channels, 1),
        )

    def forward(self, input):
        out = self.body(input)
        out += input
        return out


class Beside(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(nn.ReLU(inplace=True), nn.Conv2d(channels, channels, 1))

    def forward(self, x):
        return self.body(x) + x


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        blocks = [nn.Conv2d(3, 4, 3, padding=1)]
        for _ in range(2):
            blocks.append(Block(4, 2))
        blocks.append(nn.ReLU(inplace=True))
        self.blocks = nn.Sequential(*blocks)
        self.last = Beside(4)

    def forward(self, input):
        return self.last(self.blocks(input) - 0.3)


model = Encoder()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.7 + i))
x = torch.arange(96.0).reshape(2, 3, 4, 4) / 96 - 0.5
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(2):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(model.blocks[0].weight.sum().item(), x.sum().item())

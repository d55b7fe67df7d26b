# also: nnx, linen
import torch
from torch import nn

from helpers import scaled, zero_module


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.out = zero_module(nn.Linear(width, width))
        self.net = nn.Sequential(scaled(nn.Linear(width, width), std=0.5), nn.Tanh(), zero_module(nn.Linear(width, 2)))
        self.head = scaled(nn.Linear(width, 1), 0.25)

    def forward(self, x):
        return self.head(x + self.out(self.norm(x))) + self.net(x).sum()


block = Block(3)
x = torch.arange(6.0).reshape(2, 3) / 5
print([(name, p.abs().sum().item()) for name, p in block.named_parameters()])
optimizer = torch.optim.SGD(block.parameters(), lr=0.1)
for _ in range(2):
    loss = (block(x) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())

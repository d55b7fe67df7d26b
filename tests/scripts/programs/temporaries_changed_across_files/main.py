# also: nnx
"""A layer and a function of another file change what nobody looks at behind their calls."""

import torch
from layers import Scale, padded
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, inplace):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, dim)
        self.scale = Scale(dim, 0.5, inplace) if dim else nn.Identity()

    def forward(self, x):
        return x + self.scale(self.fc(self.norm(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(4, i % 2 == 0) for i in range(3)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


model = Net()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.7 + i))
x = torch.arange(8.0).reshape(2, 4) / 8
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
boxes = torch.arange(6.0).reshape(3, 2)
print(padded(boxes + 1, 0.5).sum().item(), boxes.sum().item())

# flagged: T2J500
"""A module that holds trainers of layers is held by another module, which would set their modes and list their parameters."""

import torch
from torch import nn
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear, self.norm, self.head = nn.Linear(width, width), nn.BatchNorm1d(width), nn.Linear(width, 3)
        with torch.no_grad():
            for i, p in enumerate(self.parameters()):
                p.copy_(torch.sin(torch.arange(float(p.numel())) * 0.7 + i).reshape(p.shape) * 0.3)
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
    def forward(self, x):
        return torch.relu(self.norm(self.linear(x)))
    def learn(self, x, y):
        loss = nn.functional.cross_entropy(self.head(self(x)), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return round(loss.item(), 5)
class Greedy(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(count):
            self.blocks.append(Block(width))
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.blocks[-1].head(x)
    def fit(self, x, y):
        losses = []
        for block in self.blocks:
            losses.append(block.learn(x, y))
            x = block(x).detach()
        return losses
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Greedy(8, 2)
    def forward(self, x):
        return self.inner(x)
    def fit(self, x, y):
        return self.inner.fit(x, y)
x = torch.cos(torch.arange(32.0)).reshape(4, 8)
y = torch.tensor([0, 1, 2, 1])
net = Outer()
for epoch in range(3):
    net.train()
    print(net.fit(x, y))
    net.eval()
    with torch.no_grad():
        print(round(net(x).sum().item(), 4))

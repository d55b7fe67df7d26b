"""Parts that are taken away from outside, in the constructor of a larger module and from a finished one."""

import torch
from torch import nn


class Fusion(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.first = nn.Linear(dim, dim)
        self.second = nn.Linear(dim, dim)
        self.project = nn.Linear(dim, 1)

    def forward(self, x, y=None):
        if y is not None:
            x = x + self.first(y)
        x = self.second(x)
        if self.project is not None:
            x = self.project(x)
        return x


class Decoder(nn.Module):
    def __init__(self, dim, n):
        super().__init__()
        self.blocks = nn.ModuleList([Fusion(dim) for _ in range(n)])
        self.blocks[0].first = None
        for block in self.blocks:
            block.project = None
        self.last = Fusion(dim)

    def forward(self, x):
        y = self.blocks[0](x)
        for block in self.blocks[1:]:
            y = block(y, x)
        return self.last(y, x)


model = Decoder(2, 3)
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.arange(p.numel()).view(p.shape) * 0.1 + 0.1)
print([name for name, _ in model.named_parameters()])
x = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
print(model(x).tolist())
model.last.project = None
print(model(x).tolist())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for i in range(2):
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())


class Tree(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.below = Tree(depth - 1) if depth else None
        self.fc = nn.Linear(2, 2)
        self.extra = nn.Linear(2, 2)

    def forward(self, x):
        x = self.fc(x)
        return x if self.below is None else self.below(x)


tree = Tree(1)
with torch.no_grad():
    for p in tree.parameters():
        p.copy_(torch.arange(p.numel()).view(p.shape) * 0.1 + 0.1)
optimizer = torch.optim.SGD(tree.parameters(), lr=0.1, momentum=0.9)
for i in range(2):
    loss = tree(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())

# also: nnx, linen
"""A block with statistics, or a function in its place, trained."""

import torch
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.bn = nn.BatchNorm1d(3)
        nn.init.constant_(self.lin.weight, 0.1)
        nn.init.constant_(self.lin.bias, 0.1)
    def forward(self, x):
        return self.bn(self.lin(x))
def double(x):
    return x * 2
class Net(nn.Module):
    def __init__(self, use, norm=None):
        super().__init__()
        self.block = Block() if use else double
        self.head = nn.Linear(3, 1)
        self.norm = norm
        nn.init.constant_(self.head.weight, 0.1)
        nn.init.constant_(self.head.bias, 0.1)
    def forward(self, x):
        out = self.block(x)
        return self.head(out)
x = torch.arange(12.0).reshape(4, 3) / 5
for use in (True, False):
    n = Net(use)
    opt = torch.optim.SGD(n.parameters(), lr=0.1)
    for k in range(3):
        opt.zero_grad()
        loss = ((n(x) - x[:, :1]) ** 2).mean()
        loss.backward()
        opt.step()
    print(loss.item())
    n.eval()
    print(n(x).tolist())

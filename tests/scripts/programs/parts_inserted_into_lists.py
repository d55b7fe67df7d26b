# also: nnx, linen
"""Parts that __init__ inserts into lists of parts keep their names by their places."""

import torch
from torch import nn


class Up(nn.Module):
    def __init__(self, block, size):
        super().__init__()
        self.block = block
        self.size = size

    def forward(self, x):
        for b in self.block:
            x = torch.tanh(b(x))
        return x + self.size


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.up = nn.ModuleList()
        for i in reversed(range(depth)):
            block = nn.ModuleList()
            for j in range(2):
                block.append(nn.Linear(3, 3))
            block.insert(1, nn.Linear(3, 3, bias=False))
            self.up.insert(0, Up(block, i))
        self.up.insert(1, Up(nn.ModuleList([nn.Linear(3, 3)]), 10))
        self.up.insert(3, Up(nn.ModuleList([nn.BatchNorm1d(3)]), 20))
        self.up.append(nn.Linear(3, 2))

    def forward(self, x):
        for up in self.up:
            x = up(x)
        return x


net = Net(3)
print([n for n, _ in net.named_parameters()])
print([up.size for up in net.up[:-1]])
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.linspace(-1, 1, 12).view(4, 3)
for _ in range(2):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
net.eval()
print(net(x).sum().item(), sorted(net.state_dict()))

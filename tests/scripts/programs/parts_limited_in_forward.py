# also: nnx
"""A forward pass begins with limits for the parameters of parts of the model, those in a list among them."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, n, k):
        super().__init__()
        self.weight = nn.Parameter(torch.cos(torch.arange(n * n, dtype=torch.float32) + k).view(n, n))
        self.gain = nn.Parameter(torch.tensor(1.4))

    def forward(self, x):
        return torch.tanh(x @ self.weight) * self.gain


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(3, 0)
        self.blocks = nn.ModuleList([Block(3, 1), Block(3, 2)])

    def limit(self):
        with torch.no_grad():
            self.first.weight.clamp_(-0.6, 0.6)
            for block in self.blocks:
                block.gain.clamp_(0.5, 1.2)
                block.weight.copy_(F.normalize(block.weight, dim=0))

    def forward(self, x):
        self.limit()
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return x


net = Net()
x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.cos(torch.arange(12.0)).view(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
for step in range(4):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    print(f"{loss.item():.5f} {net.first.weight.norm().item():.5f} {net.blocks[1].gain.item():.5f}")
print(net(x).sum().item())

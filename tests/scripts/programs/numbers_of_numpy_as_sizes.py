# also: nnx, linen
"""Numbers of NumPy in fields of modules that say how large something is, how often, and whether at all, in training steps."""

import numpy as np
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.size = np.prod(shape)
        self.depth = np.log2(4)
        self.limit = np.float32(0.5) * 2
        self.fc = nn.Linear(self.size, 4)

    def forward(self, x):
        x = x.view(-1, self.size)
        for _ in range(int(self.depth)):
            x = x * 1.5
        if self.limit > 0.5:
            x = x + torch.ones(self.size) * self.limit
        return self.fc(x)


net = Net((2, 3))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p))
x = torch.linspace(-1, 1, 12).view(2, 2, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(net.size, net.depth, net.limit, sorted(net.state_dict()))

# also: nnx, linen
"""Layers that a helper of another file initializes, given them in a list."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from utils import set_init


class Net(nn.Module):
    def __init__(self, s_dim, a_dim):
        super(Net, self).__init__()
        self.pi1 = nn.Linear(s_dim, 4)
        self.pi2 = nn.Linear(4, a_dim)
        self.v1 = nn.Linear(s_dim, 4)
        set_init([self.pi1, self.pi2])

    def forward(self, x):
        return self.pi2(torch.tanh(self.pi1(x)))


net = Net(3, 2)
x = torch.linspace(-1, 1, 6).view(2, 3)
print(net(x).tolist())
print(net.pi1.bias.tolist())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = (net(x) - 1).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())

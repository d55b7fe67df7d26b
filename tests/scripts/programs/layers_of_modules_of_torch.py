"""Layers under the names of the modules that define them."""

import torch
import torch.nn.modules as nm
import torch.nn.modules.conv
import torch.nn.modules.linear as linear
import torch.nn.modules.utils as sizes
from torch.nn import modules
from torch.nn.modules import Linear
from torch.nn.modules import utils as more
from torch.nn.modules.activation import ReLU


class Net(modules.module.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.modules.conv.Conv2d(1, 2, sizes._pair(2))
        self.act = getattr(torch.nn.modules, "ReLU")()
        self.layers = nm.Sequential(linear.Linear(8, 3), ReLU(), Linear(3, 2))
        self.last = modules.linear.Linear(2, 1)

    def forward(self, x):
        return self.last(self.layers(self.act(self.conv(x)).flatten(1)))


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))
x = torch.linspace(-1, 1, 18).view(2, 1, 3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = modules.loss.MSELoss()(net(x), torch.ones(2, 1))
    loss.backward()
    optimizer.step()
    print(loss.item())
print(isinstance(net.conv, nm.Conv2d), isinstance(net.conv, linear.Linear), isinstance(net, nm.Module))
print(sizes._pair(2), more._triple(3), torch.nn.modules.utils._single(1))

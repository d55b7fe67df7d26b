"""Files of a program that have the names of packages on top of torch are the program's own."""

import timm
import timm.layers
import torch
import torch.nn as nn
from lion_pytorch import sign_of
from timm.layers import DropPath
from ranger import warm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.drop = DropPath(0.25)
        self.other = timm.layers.DropPath(4.0)

    def forward(self, x):
        return self.other(self.drop(self.fc(x)))


net = Net()
for parameter in net.fc.parameters():
    nn.init.constant_(parameter, 0.5)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    loss = net(torch.ones(2, 3)).pow(2).mean() * warm(step)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5))
print(sign_of(torch.tensor([-2.0, 3.0])).tolist(), timm.__version__, isinstance(net.drop, timm.DropPath))

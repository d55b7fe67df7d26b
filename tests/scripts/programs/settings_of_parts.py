# also: nnx, linen
import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.power = 1
        self.fc = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)
        for p in self.parameters():
            nn.init.constant_(p, 0.2)

    def forward(self, x):
        return self.drop(self.fc(x)) ** self.power


class Pair(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.last = nn.Linear(3, 1)
        nn.init.constant_(self.last.weight, 0.3)
        nn.init.constant_(self.last.bias, 0.1)

    def forward(self, x):
        return self.last(self.net(x))


x = torch.linspace(-1, 1, 6).reshape(2, 3)
net = Net()
for layer in net.children():
    if isinstance(layer, nn.Dropout):
        layer.p = 0.0
net.power = 2
twin = copy.deepcopy(net)
net.power = 3
print(twin.power, net.power, twin(x).sum().item(), net(x).sum().item())
net.drop.p = 0.0
pair = Pair(net)
print(pair(x).sum().item(), pair.net.power)
net.power = 1
print(pair(x).sum().item(), pair.net.power)
optimizer = torch.optim.SGD(pair.parameters(), lr=0.1)
for step in range(3):
    pair.net.power = step
    loss = pair(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), net.power)

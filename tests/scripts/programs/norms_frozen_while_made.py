# also: nnx
"""Norms that `__init__` freezes by a method which is called again whenever the model has been set to training."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.bn = nn.BatchNorm1d(3)
        self.drop = nn.Dropout(0.5)
        self.freeze()

    def freeze(self):
        for m in self.modules():
            if isinstance(m, nn.BatchNorm1d):
                m.eval()

    def forward(self, x):
        return self.drop(self.bn(self.fc(x)))


net = Net()
with torch.no_grad():
    net.fc.weight.fill_(0.5)
    net.fc.bias.fill_(0.5)
x = torch.arange(6.0).reshape(2, 3)
net.drop.eval()
print(net(x).sum().item(), net.bn.running_mean.sum().item())
net.train()
net.drop.eval()
print(net(x).sum().item(), net.bn.running_mean.sum().item())
net.freeze()
print(net(x).sum().item(), net.bn.running_mean.sum().item())

# flagged: T2J005, also: nnx, linen
"""Statistics of norms are set anew in a loop over modules, as weight averages do before they are measured again."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.bn(self.fc(x))


def reset(net):
    for m in net.modules():
        if isinstance(m, nn.BatchNorm1d):
            m.running_mean = torch.zeros_like(m.running_mean)
            m.running_var = torch.ones_like(m.running_var)


net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape))
x = torch.cos(torch.arange(12.0)).view(4, 3)
net(x)
print(net.bn.running_mean.sum().item())
reset(net)
print(net.bn.running_mean.sum().item())
net(x)
print(net.bn.running_mean.sum().item(), net.bn.running_var.sum().item())

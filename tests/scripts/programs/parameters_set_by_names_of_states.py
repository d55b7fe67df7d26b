# also: nnx, linen
"""Models that set their weights and biases by the names in their state dict."""

import torch
from torch import nn
from torch.nn import init


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 1)
        self.bn = nn.BatchNorm1d(3)
        self.last = nn.Conv1d(3, 2, 1)
        for key in self.state_dict():
            if key.split(".")[-1] == "weight":
                if "conv" in key:
                    init.constant_(self.state_dict()[key], 0.5)
                if "bn" in key:
                    self.state_dict()[key][...] = 1.5
            elif key.split(".")[-1] == "bias":
                self.state_dict()[key][...] = 0.25

    def forward(self, x):
        return self.last(self.bn(self.conv(x)))


def fill(net):
    for name in net.state_dict().keys():
        if name.endswith(".weight") and "last" in name:
            net.state_dict()[name].fill_(0.75)
        elif name.endswith("bias"):
            net.state_dict()[name].mul_(2)


net = Net()
fill(net)
x = torch.cos(torch.arange(8.0)).reshape(2, 2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    loss = net(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
print([p.sum().item() for p in net.parameters()], net.bn.running_mean.sum().item())

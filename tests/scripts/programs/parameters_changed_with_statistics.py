# also: nnx, linen
"""Methods that change parameters and statistics of their module, and give something or nothing."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.bn = nn.BatchNorm1d(2)

    def reset(self, value):
        if value is None:
            return
        self.fc.bias.data.fill_(value)
        self.bn.running_mean.fill_(value)

    def fold(self):
        scale = self.bn.weight / torch.sqrt(self.bn.running_var + self.bn.eps)
        self.fc.weight.data.mul_(scale[:, None])
        self.bn.running_var.fill_(1.0)
        self.bn.num_batches_tracked.zero_()
        return scale

    def forward(self, x):
        return self.bn(self.fc(x))


def prepare(net, value):
    net.reset(value)
    return net


class Runner:
    def __init__(self):
        self.net = Net()
        for p in self.net.parameters():
            nn.init.constant_(p, 0.25)

    def run(self, x):
        self.net.reset(1.5)
        return self.net(x)


net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.5)
x = torch.tensor([[1.0, 2.0], [3.0, 5.0], [7.0, 1.0]])
net(x)
net.reset(None)
net.reset(2.0)
print(net.fc.bias.tolist(), net.bn.running_mean.tolist())
scale = net.fold()
print(scale.tolist(), net.fc.weight.tolist(), net.bn.running_var.tolist(), net.bn.num_batches_tracked.item())
net.eval()
print(net(x).tolist())
for value in (1.0, 2.0):
    net.reset(value)
    print(net(x).tolist())
runner = Runner()
print(runner.run(x).tolist(), runner.net.bn.running_mean.tolist(), runner.net.fc.bias.tolist())

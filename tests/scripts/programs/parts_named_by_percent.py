"""Parts of a module that loops name by the percent sign."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        for i in range(3):
            self.add_module("fc%d" % i, nn.Linear(4, 4))
            setattr(self, "norm%s" % i, nn.BatchNorm1d(4))
        for name in ("left", "right"):
            setattr(self, "%s_part" % name, nn.Linear(4, 4))
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (i % 4 + 1))

    def forward(self, x):
        x = self.norm0(self.fc0(x))
        return self.norm2(self.fc1(x)) + self.left_part(x) * self.right_part(x)


net = Net()
print([name for name, _ in net.named_parameters()])
print(net(torch.arange(8.0).view(2, 4).sin()).tolist())

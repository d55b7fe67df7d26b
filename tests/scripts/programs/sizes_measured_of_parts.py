# also: nnx, linen
"""What parts give for some input is measured while a module is made: batch norm keeps statistics of that input only then."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, shape, classes):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(shape[0], 4, 3), nn.BatchNorm2d(4), nn.ReLU())
        self.fc = nn.Linear(self._get_conv_out(shape), classes)

    def _get_conv_out(self, shape):
        o = self.conv(torch.ones(1, *shape))
        return int(np.prod(o.size()))

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


class Other(nn.Module):
    def __init__(self, shape, classes):
        super().__init__()
        self.conv1 = nn.Conv2d(shape[0], 4, 3)
        self.bn = nn.BatchNorm2d(4)
        with torch.no_grad():
            n = self.features(torch.zeros(1, *shape)).shape[1]
        self.fc = nn.Linear(n, classes)
        dummy = torch.rand(2, *shape)
        self.more = nn.Linear(self.features(dummy).size(1) + 1, 1)

    def features(self, x):
        return torch.relu(self.bn(self.conv1(x))).flatten(1)

    def forward(self, x):
        return self.fc(self.features(x))


for made in (Net, Other):
    net = made((2, 6, 6), 3)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)
    for b in net.buffers():
        if b.ndim == 1:
            b.fill_(1.0)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.linspace(-1, 1, 2 * 72).view(2, 2, 6, 6)
    for _ in range(2):
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
    print([p.shape[0] for p in net.parameters()], sum(b.float().sum().item() for n, b in net.named_buffers() if "num" not in n))
    net.eval()
    print(net(x).sum().item())
    print(net(x).sum().item(), sum(b.float().sum().item() for n, b in net.named_buffers() if "num" not in n))

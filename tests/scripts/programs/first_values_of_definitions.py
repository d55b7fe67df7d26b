# also: nnx, linen
import math
import torch
import torch.nn as nn


def weights_init(m):
    if isinstance(m, nn.Conv2d):
        nn.init.constant_(m.weight, 0.1)


class Own(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.empty(n, n))
        self.b = nn.Parameter(torch.empty(n))
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1.0 / math.sqrt(self.w.size(1))
        self.w.data.uniform_(-stdv, stdv)
        self.w.data.mul_(0).add_(0.3)
        nn.init.zeros_(self.b)

    def forward(self, x):
        return x @ self.w + self.b


class Net(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.bn = nn.BatchNorm2d(2)
        self.own = Own(n)
        self.fc1 = nn.Linear(n, n)
        self.fc2 = nn.Linear(n, 2)
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
                nn.init.constant_(m.bias, 0.5)
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 2)
                nn.init.constant_(m.bias, 0)
        self.apply(self._init_weights)
        self.apply(weights_init)
        nn.init.constant_(self.fc2.bias, 0.25)
        self.fc2.weight.data.fill_(0.125)

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.0)
            if module.bias is not None:
                torch.nn.init.ones_(module.bias)

    def count(self):
        return sum(p.numel() for p in self.parameters())

    def forward(self, x):
        x = torch.relu(self.bn(self.conv(x))).mean(dim=(1, 2))
        return self.fc2(self.fc1(self.own(x)))


net = Net()
x = torch.arange(32.0).reshape(2, 1, 4, 4) / 10
print(net(x).sum().item(), net.count())
for n, p in net.named_parameters():
    print(n, p.sum().item())
nn.init.constant_(net.fc1.weight, 0.5)
net.fc1.bias.data.fill_(2.0)
net.apply(weights_init)
print(net(x).sum().item())

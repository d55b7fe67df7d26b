# also: nnx
"""Methods that go through the parts of their own module, by the table of their names, and fill them after it has been made."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def normal_init(m, mean, std):
    if isinstance(m, nn.ConvTranspose2d) or isinstance(m, nn.Conv2d):
        m.weight.data.fill_(mean + std)
        m.bias.data.zero_()


class Discriminator(nn.Module):
    def __init__(self, d=4):
        super().__init__()
        self.conv1 = nn.Conv2d(1, d, 3, 2, 1)
        self.conv2 = nn.Conv2d(d, d * 2, 3, 2, 1)
        self.conv2_bn = nn.BatchNorm2d(d * 2)
        self.conv3 = nn.Conv2d(d * 2, 1, 2, 1, 0)

    def weight_init(self, mean, std):
        for m in self._modules:
            normal_init(self._modules[m], mean, std)

    def forward(self, x):
        x = F.leaky_relu(self.conv1(x), 0.2)
        x = F.leaky_relu(self.conv2_bn(self.conv2(x)), 0.2)
        return torch.sigmoid(self.conv3(x))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 2)

    def reset(self, v):
        for p in self.parameters():
            nn.init.constant_(p, v)

    def scale(self, v):
        for m in self.modules():
            if isinstance(m, nn.Linear):
                m.weight.data.mul_(v)

    def forward(self, x):
        return self.b(self.a(x))


D = Discriminator()
D.weight_init(mean=0.0, std=0.02)
x = torch.sin(torch.arange(128, dtype=torch.float32)).reshape(2, 1, 8, 8)
opt = torch.optim.SGD(D.parameters(), lr=0.1)
for step in range(3):
    loss = (D(x) - 0.3).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(D.conv1.weight.sum().item(), D.conv2_bn.running_mean.sum().item())
net = Plain()
net.reset(0.2)
print(net(torch.ones(2, 3)).sum().item())
net.scale(0.5)
print(net(torch.ones(2, 3)).sum().item())

# also: nnx
"""What layers keep of their arguments is read as torch has it, whatever the layers of the translation keep."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1, stride=2)
        self.bn = nn.BatchNorm2d(8)
        self.plain = nn.BatchNorm2d(8, affine=False)
        self.up = nn.ConvTranspose2d(8, 6, 4, stride=2, padding=1, groups=2)
        self.norm = nn.GroupNorm(2, 6)
        self.fc = nn.Linear(6, 5)
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.05 * (i % 3 + 1))

    def forward(self, x):
        h = F.relu(self.plain(self.bn(self.conv(x))))
        return self.fc(self.norm(self.up(h)).mean((2, 3)))


net = Net().eval()
for name, m in net.named_modules():
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        print(name, m.in_channels, m.out_channels, m.kernel_size[0], m.stride[0], m.padding, m.dilation[0], m.groups)
        print(m.kernel_size[0] * m.kernel_size[1] * m.out_channels)
    elif isinstance(m, nn.Linear):
        print(name, m.in_features, m.out_features, tuple(m.weight.shape))
    elif isinstance(m, nn.BatchNorm2d):
        print(name, m.num_features, m.eps, m.momentum, m.affine)
print(net.norm.num_groups, net.norm.num_channels, net.norm.affine, net.conv.padding_mode, net.conv.padding[0] == 1)
x = torch.linspace(-1, 1, 2 * 3 * 8 * 8).reshape(2, 3, 8, 8)
conv = net.conv
y = F.conv2d(x, conv.weight, conv.bias, conv.stride, conv.padding, conv.dilation, conv.groups)
print(y.sum().item(), net(x).sum().item())

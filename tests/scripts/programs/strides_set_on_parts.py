# also: nnx
"""A dilated network: strides, paddings and dilations of convolutions that another module has made are set in `__init__`."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width_in, width, step):
        super().__init__()
        self.conv1 = nn.Conv2d(width_in, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride=step, padding=1)
        self.downsample, self.stride = None, step
        if step != 1:
            self.downsample = nn.Sequential(nn.Conv2d(width_in, width, 1, stride=step), nn.BatchNorm2d(width))

    def forward(self, x):
        y = self.conv2(torch.relu(self.bn1(self.conv1(x))))
        return y + (x if self.downsample is None else self.downsample(x))


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = nn.Sequential(Block(3, 8, 2), Block(8, 8, 1))
        self.layer2 = nn.Sequential(Block(8, 16, 2), Block(16, 16, 1))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        net = Backbone()
        self.layer1, self.layer2 = net.layer1, net.layer2
        for n, m in self.layer2.named_modules():
            if "conv2" in n:
                m.dilation, m.padding, m.stride = (2, 2), (2, 2), (1, 1)
            elif "downsample.0" in n:
                m.stride = (1, 1)
        for m in self.layer1.modules():
            if isinstance(m, nn.Conv2d) and m.kernel_size == (3, 3):
                m.padding, m.dilation = (3, 3), (3, 3)
        self.up = nn.ConvTranspose2d(16, 4, 2, stride=2)
        self.pool = nn.MaxPool2d(2)
        self.head = nn.Conv2d(4, 2, 3, stride=2)
        self.head.stride = [1, 1]
        self.head.padding = (0, 1)

    def forward(self, x):
        return self.head(self.pool(self.up(self.layer2(self.layer1(x)))))


net = Net()
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.arange(p.numel()).reshape(p.shape).float().cos() * 0.3)
x = torch.arange(2 * 3 * 16 * 16).reshape(2, 3, 16, 16).float().sin()
y = net(x)
print(tuple(y.shape), y.sum().item(), y.abs().max().item())
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
for _ in range(3):
    loss = (net(x) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
net.eval()
print(net(x).abs().sum().item())

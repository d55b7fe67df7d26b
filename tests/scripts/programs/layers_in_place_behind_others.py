# also: nnx
from collections import OrderedDict
import torch
import torch.nn as nn
import torch.nn.functional as F


class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class B(nn.Module):
    def __init__(self):
        super().__init__()
        layers = OrderedDict()
        layers["fc1"] = nn.Linear(3, 4)
        layers["relu1"] = nn.ReLU(inplace=True)
        layers["fc2"] = nn.Linear(4, 2)
        self.net = nn.Sequential(layers)

    def forward(self, x):
        return self.net(x)


class C(nn.Module):
    def __init__(self, cfg=(4, "M", 6)):
        super().__init__()
        self.features = self._make_layers(cfg)
        self.classifier = nn.Sequential(nn.Dropout(0.0), nn.Linear(6, 4), nn.ReLU(True), nn.Linear(4, 2))

    def forward(self, x):
        out = self.features(x)
        out = out.view(out.size(0), -1)
        return self.classifier(out)

    def _make_layers(self, cfg):
        layers = []
        in_channels = 1
        for x in cfg:
            if x == "M":
                layers += [nn.MaxPool2d(kernel_size=2, stride=2)]
            else:
                layers += [
                    nn.Conv2d(in_channels, x, kernel_size=3, padding=1),
                    nn.BatchNorm2d(x),
                    nn.ReLU(inplace=True),
                ]
                in_channels = x
        layers += [nn.AvgPool2d(kernel_size=1, stride=1), nn.AdaptiveAvgPool2d(1)]
        return nn.Sequential(*layers)


def conv_bn(i, o, s):
    return nn.Sequential(nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU6(inplace=True))


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = [conv_bn(1, 4, 1)]
        for i in range(2):
            self.features.append(nn.Sequential(nn.Conv2d(4, 4, 1), nn.ReLU(inplace=True)))
        self.features = nn.Sequential(*self.features)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.features(x).mean([2, 3]))


class E(nn.Module):
    def __init__(self, sizes=(3, 4, 2), act=nn.ReLU(inplace=True)):
        super().__init__()
        mods = []
        for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
            mods.append(nn.Linear(a, b))
            mods.append(act)
        self.body = nn.Sequential(*mods, nn.Linear(b, 2))

    def forward(self, x):
        return self.body(x)


class Block(nn.Module):
    expansion = 1

    def __init__(self, i, o, stride=1):
        super().__init__()
        self.residual_function = nn.Sequential(
            nn.Conv2d(i, o, 3, stride, 1, bias=False),
            nn.BatchNorm2d(o),
            nn.ReLU(inplace=True),
            nn.Conv2d(o, o, 3, 1, 1, bias=False),
            nn.BatchNorm2d(o),
        )
        self.shortcut = nn.Sequential()
        if stride != 1 or i != o:
            self.shortcut = nn.Sequential(nn.Conv2d(i, o, 1, stride, bias=False), nn.BatchNorm2d(o))

    def forward(self, x):
        return nn.ReLU(inplace=True)(self.residual_function(x) + self.shortcut(x))


class R(nn.Module):
    def __init__(self, block=Block, num=(1, 2)):
        super().__init__()
        self.i = 4
        self.conv1 = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.ReLU(inplace=True))
        self.conv2_x = self._make_layer(block, 4, num[0], 1)
        self.conv3_x = self._make_layer(block, 8, num[1], 2)
        self.avg_pool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(8, 2)

    def _make_layer(self, block, o, n, stride):
        layers = []
        for s in [stride] + [1] * (n - 1):
            layers.append(block(self.i, o, s))
            self.i = o * block.expansion
        return nn.Sequential(*layers)

    def forward(self, x):
        output = self.conv1(x)
        output = self.conv2_x(output)
        output = self.conv3_x(output)
        output = self.avg_pool(output)
        return self.fc(output.view(output.size(0), -1))


class Widths(nn.Module):
    def __init__(self, widths=(5, 4)):
        super().__init__()
        layers, last = [], 3
        for width in widths:
            layers += [nn.Linear(last, width), nn.ReLU(inplace=True)]
            last = width
        self.net = nn.Sequential(*layers, nn.Linear(last, 2))

    def forward(self, x):
        return self.net(x)


def fill(m):
    for i, p in enumerate(m.parameters()):
        p.data = torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5
    return m


flat = torch.cos(torch.arange(12.0)).view(4, 3)
img = torch.cos(torch.arange(100.0)).view(4, 1, 5, 5)
y = torch.tensor([0, 1, 1, 0])


def train(net, x):
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for _ in range(2):
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss.item(), x.sum().item())


A_net = fill(A())
train(A_net, flat)
B_net = fill(B())
train(B_net, flat)
E_net = fill(E())
train(E_net, flat)
C_net = fill(C())
train(C_net, img)
D_net = fill(D())
train(D_net, img)
R_net = fill(R())
train(R_net, img)
W_net = fill(Widths())
train(W_net, flat)

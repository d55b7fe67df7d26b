# also: nnx, linen
"""Sequences that one of two branches makes, of which one grows at once and both grow below: DenseNet for small images."""

from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class _DenseLayer(nn.Module):
    def __init__(self, n, growth_rate):
        super().__init__()
        self.add_module("norm1", nn.BatchNorm2d(n)),
        self.add_module("relu1", nn.ReLU(inplace=True)),
        self.add_module("conv1", nn.Conv2d(n, growth_rate, kernel_size=1, bias=False)),

    def forward(self, *prev_features):
        return self.conv1(self.relu1(self.norm1(torch.cat(prev_features, 1))))


class _DenseBlock(nn.Module):
    def __init__(self, num_layers, n, growth_rate):
        super().__init__()
        for i in range(num_layers):
            self.add_module("denselayer%d" % (i + 1), _DenseLayer(n + i * growth_rate, growth_rate))

    def forward(self, init_features):
        features = [init_features]
        for name, layer in self.named_children():
            features.append(layer(*features))
        return torch.cat(features, 1)


class DenseNet(nn.Module):
    def __init__(self, small_inputs=True, blocks=(2, 1)):
        super().__init__()
        if small_inputs:
            self.features = nn.Sequential(OrderedDict([("conv0", nn.Conv2d(3, 4, kernel_size=3, padding=1, bias=False))]))
        else:
            self.features = nn.Sequential(
                OrderedDict([("conv0", nn.Conv2d(3, 4, kernel_size=7, stride=2, padding=3, bias=False))])
            )
            self.features.add_module("norm0", nn.BatchNorm2d(4))
            self.features.add_module("relu0", nn.ReLU(inplace=True))
        n = 4
        for i, num_layers in enumerate(blocks):
            self.features.add_module("denseblock%d" % (i + 1), _DenseBlock(num_layers, n, 2))
            n = n + num_layers * 2
            if i != len(blocks) - 1:
                self.features.add_module("transition%d" % (i + 1), nn.Conv2d(n, n // 2, 1))
                n = n // 2
        self.features.add_module("norm_final", nn.BatchNorm2d(n))
        self.classifier = nn.Linear(n, 2)
        for name, param in self.named_parameters():
            if "conv" in name and "weight" in name:
                param.data.copy_(torch.linspace(-1, 1, param.numel()).view_as(param))
        for p in self.parameters():
            p.data.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))

    def forward(self, x):
        features = self.features(x)
        out = F.relu(features, inplace=True)
        out = F.adaptive_avg_pool2d(out, (1, 1)).flatten(1)
        return self.classifier(out)


x = torch.linspace(-1, 1, 2 * 3 * 8 * 8).view(2, 3, 8, 8)
for small in (True, False):
    net = DenseNet(small)
    print(net(x).tolist())
    net.eval()
    print(net(x).tolist())
    print([n for n, p in net.named_parameters()])

# also: nnx, linen
"""Layers that stand in plain dicts under keys of any kind, and are registered as a list behind it."""

from collections import OrderedDict

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.conv = nn.Conv2d(n_in, n_out, 3, padding=1)
        self.norm = nn.BatchNorm2d(n_out)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class PoseNet(nn.Module):
    def __init__(self, num_frames):
        super().__init__()
        self.convs = {}
        self.convs[0] = nn.Conv2d(3 * num_frames, 4, 3, 2, 1)
        self.convs[1] = nn.Conv2d(4, 4, 3, 2, 1)
        self.num_convs = len(self.convs)
        self.last = nn.Conv2d(4, 6, 1)
        self.net = nn.ModuleList(list(self.convs.values()))

    def forward(self, x):
        for i in range(self.num_convs):
            x = torch.relu(self.convs[i](x))
        return self.last(x).mean(3).mean(2)


class PoseDecoder(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.convs = OrderedDict()
        self.convs["squeeze"] = nn.Conv2d(channels, 4, 1)
        self.convs[("pose", 0)] = nn.Conv2d(4, 4, 3, 1, 1)
        self.convs[("pose", 1)] = nn.Conv2d(4, 6, 1)
        self.relu = nn.ReLU()
        self.net = nn.ModuleList(self.convs.values())

    def forward(self, features):
        x = torch.cat([self.relu(self.convs["squeeze"](f)) for f in features], 0)
        for i in range(2):
            if ("pose", i) in self.convs:
                x = self.convs[("pose", i)](x)
        return x.mean((2, 3))


class DepthDecoder(nn.Module):
    def __init__(self, channels, scales=range(2)):
        super().__init__()
        self.scales = scales
        self.convs = OrderedDict()
        for i in range(1, -1, -1):
            self.convs[("upconv", i, 0)] = Block(channels if i == 1 else 4, 4)
            self.convs[("upconv", i, 1)] = Block(4, 4)
        for s in self.scales:
            self.convs[("dispconv", s)] = nn.Conv2d(4, 1, 3, padding=1)
        self.decoder = nn.ModuleList(list(self.convs.values()))
        self.sigmoid = nn.Sigmoid()

    def forward(self, x):
        outputs = {}
        for i in range(1, -1, -1):
            x = self.convs[("upconv", i, 0)](x)
            x = self.convs[("upconv", i, 1)](x)
            if i in self.scales:
                outputs[("disp", i)] = self.sigmoid(self.convs[("dispconv", i)](x))
        return outputs


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.5, p.numel()).view(p.shape) + 0.01 * i)


def train(model, x, loss_of):
    print(len(model.convs), list(model.state_dict()))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(3):
        loss = loss_of(model(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 4))


image = torch.linspace(-1, 1, 96).view(1, 6, 4, 4)
pose = PoseNet(2)
fill(pose)
train(pose, image, lambda y: (y**2).mean())
depth = DepthDecoder(6)
fill(depth)
train(depth, image, lambda y: (y[("disp", 0)] ** 2).mean() + (y[("disp", 1)] - 1).abs().mean())
decoder = PoseDecoder(3)
fill(decoder)
print([round(v, 4) for v in decoder([image[:, :3], image[:, 3:]]).flatten().tolist()])
for key, conv in decoder.convs.items():
    print(key, tuple(conv.weight.shape))

# also: nnx, linen
import torch
from torch import nn


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(4)
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(self.bn(x))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.classifier = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))

    def forward(self, x):
        return self.classifier(x)


def normed():
    return Normed()


def plain():
    return Plain()


def initialize(name, classes):
    net = None
    size = 0
    if name == "normed":
        net = normed()
        net.fc = nn.Linear(net.fc.in_features, classes)
        size = 4
    elif name == "plain":
        net = plain()
        net.classifier[1] = nn.Linear(4, classes)
        size = 5
    return net, size


def total(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * (0.3 + k)).reshape(p.shape))
    return model(torch.arange(8.0).reshape(2, 4)).sum().item()


net, size = initialize("plain", 3)
print(size, total(net))
net, size = initialize("normed", 3)
print(size, total(net), net.bn.running_mean.tolist())
alone = plain()
print(total(alone), total(plain()))

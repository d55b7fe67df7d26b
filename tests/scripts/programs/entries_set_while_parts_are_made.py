# also: nnx
"""Parts that are given weights of files while the whole is made, entry by entry."""

import os
import tempfile

import torch
from torch import nn

FOLDER = tempfile.mkdtemp()


class Filled(nn.Module):
    def __init__(self, saved=None):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 1)
        self.bn = nn.BatchNorm1d(3)
        for key in self.state_dict():
            self.state_dict()[key].fill_(0.5)
        if saved is not None:
            own = self.state_dict()
            for k in saved:
                if k in own:
                    own[k] = saved[k]
            self.load_state_dict(own)

    def forward(self, x):
        return self.bn(self.conv(x))


class Anywhere(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(3)
        for key in self.state_dict():
            if "mean" in key:
                self.state_dict()[key][...] = 1
            elif key.endswith("weight"):
                self.state_dict()[key][...] = 3
            else:
                self.state_dict()[key][...] = 2
        self.key = key


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        x = torch.relu(self.bn(self.conv(x)))
        return x.mean((2, 3))

    def load_param(self, model_path):
        param_dict = torch.load(model_path)
        for i in param_dict:
            if 'fc' in i:
                continue
            self.state_dict()[i].copy_(param_dict[i])


class Baseline(nn.Module):
    def __init__(self, path, choice):
        super().__init__()
        self.base = Base()
        if choice == "imagenet":
            self.base.load_param(path)
            print("loading")
        self.classifier = nn.Linear(4, 5)

    def forward(self, x):
        return self.classifier(self.base(x))

    def load_param(self, trained_path):
        param_dict = torch.load(trained_path)
        for i in param_dict:
            if 'classifier' in i:
                continue
            self.state_dict()[i].copy_(param_dict[i])


def main():
    anywhere = Anywhere()
    print([value.tolist() for value in anywhere.state_dict().values()], anywhere.key)
    filled = Filled()
    x = torch.cos(torch.arange(8.0)).reshape(2, 2, 2)
    print(filled(x).sum().item(), filled.bn.running_mean.tolist())
    filled = Filled(filled.state_dict())
    print(filled(x).sum().item(), filled.bn.running_mean.tolist())
    torch.manual_seed(0)
    base = Base()
    with torch.no_grad():
        for i, p in enumerate(base.parameters()):
            p.copy_(torch.cos(torch.arange(float(p.numel())) + i).reshape(p.shape))
        base.bn.running_mean.add_(0.5)
    torch.save(base.state_dict(), os.path.join(FOLDER, "base.pth"))
    net = Baseline(os.path.join(FOLDER, "base.pth"), "imagenet")
    with torch.no_grad():
        net.classifier.weight.fill_(0.1)
        net.classifier.bias.fill_(0.2)
    x = torch.sin(torch.arange(2 * 3 * 4 * 4.0)).reshape(2, 3, 4, 4)
    print(net.base.bn.running_mean.tolist())
    print(net(x).sum().item())
    torch.save(net.state_dict(), os.path.join(FOLDER, "net.pth"))
    other = Baseline("", "no")
    with torch.no_grad():
        other.classifier.weight.fill_(0.3)
        other.classifier.bias.fill_(0.2)
    other.load_param(os.path.join(FOLDER, "net.pth"))
    other.eval()
    print(other(x).sum().item(), other.classifier.weight.sum().item())


main()

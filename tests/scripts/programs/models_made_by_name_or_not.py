# also: nnx
"""Functions that make a model with state for the names they know, and give nothing for others: behind their last line there is none."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width=4, depth=1):
        super().__init__()
        self.conv = nn.Conv2d(1, width, 3, padding=1)
        self.bn = nn.BatchNorm2d(width)
        self.depth = depth

    def forward(self, x):
        return self.bn(self.conv(x)).relu().mean((1, 2, 3)) * self.depth


class Small(Net):
    def __init__(self, width=2, **kwargs):
        kwargs["width"] = width
        super().__init__(**kwargs)


def build(**config):
    dataset = config.pop("dataset", "imagenet")
    if dataset == "imagenet":
        config.setdefault("depth", 3)
        return Net(**config)
    elif dataset == "cifar10":
        config.setdefault("depth", 2)
        return Small(**config)


def build_with_size(name):
    if name == "unknown":
        return
    if name == "wide":
        model = Net(6)
        return model


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view(p.shape) + 0.1 * i)


def main():
    x = torch.linspace(-1, 1, 32).view(2, 1, 4, 4)
    for name in ("imagenet", "cifar10"):
        model = build(dataset=name)
        fill(model)
        for i in range(2):
            print(name, model(x * (i + 1)).sum().item())
        model.eval()
        print(name, "eval", model(x).sum().item())
    print(build(dataset="other") is None, build_with_size("unknown") is None, build_with_size("narrow") is None)
    net = build_with_size("wide")
    fill(net)
    print(net(x).sum().item(), net.bn.running_mean.sum().item())


main()

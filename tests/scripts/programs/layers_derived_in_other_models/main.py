# also: nnx, linen
"""Layers are tested for in models that have none of the layers of the program that derive from them, in another file."""

import torch
from models import ResNet18, SameNet, small

x = torch.linspace(-1, 1, 2 * 3 * 36).reshape(2, 3, 6, 6)
net = ResNet18()
print(net(x).sum().item())
for name, p in net.named_parameters():
    if "linear" in name or "conv1" in name:
        print(name, f"{p.abs().sum().item():.3f}")
other = small(num_classes=3)
print(tuple(other(x).shape))
same = SameNet()
print(tuple(same(x).shape))

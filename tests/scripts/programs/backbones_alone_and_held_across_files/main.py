# flagged: T2J200, also: nnx, linen
"""A function of another file makes backbones with statistics for models that hold them, and such that stand alone."""

import torch
from lib import make_backbone
from models import Head

net = Head(make_backbone())
with torch.no_grad():
    for p in net.head.parameters():
        p.fill_(0.1)
x = torch.arange(12.0).reshape(3, 4).sin()
print(net(x).sum().item())
alone = make_backbone()
print(alone(x).sum().item())

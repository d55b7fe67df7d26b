# also: nnx
"""Loops take pairs of names and parts apart by position."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, freeze_bn=False):
        super().__init__()
        self.freeze_bn = freeze_bn
        self.backbone = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU())
        self.decoder = nn.Conv2d(2, 3, 1)
        self.last = nn.Linear(3, 1)

    def forward(self, x):
        return self.last(self.decoder(self.backbone(x)).mean((2, 3)))

    def get_1x_lr_params(self):
        modules = [self.backbone]
        for i in range(len(modules)):
            for m in modules[i].named_modules():
                if self.freeze_bn:
                    if isinstance(m[1], nn.Conv2d):
                        for p in m[1].parameters():
                            if p.requires_grad:
                                yield p
                else:
                    if isinstance(m[1], nn.Conv2d) or isinstance(m[1], nn.BatchNorm2d):
                        for p in m[1].parameters():
                            if p.requires_grad:
                                yield p

    def get_10x_lr_params(self):
        modules = [self.decoder, self.last]
        for i in range(len(modules)):
            for m in modules[i].named_modules():
                if isinstance(m[1], (nn.Conv2d, nn.Linear)):
                    for p in m[1].parameters():
                        if p.requires_grad:
                            yield p


def fill(net):
    with torch.no_grad():
        for pair in net.named_parameters():
            pair[1].copy_(torch.linspace(-0.5, 1.0, pair[1].numel()).view(pair[1].shape))


net = Net()
fill(net)
for m in net.named_children():
    print(m[0], sum(p.numel() for p in m[1].parameters()))
for m in list(net.named_modules()):
    if isinstance(m[1], nn.BatchNorm2d):
        print(m[0], m[1].eps)
print([tuple(p.shape) for p in net.get_1x_lr_params()])
frozen = Net(True)
print([tuple(p.shape) for p in frozen.get_1x_lr_params()])
print([tuple(p.shape) for p in net.get_10x_lr_params()])

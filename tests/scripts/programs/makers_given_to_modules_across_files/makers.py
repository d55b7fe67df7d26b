from functools import partial

import torch
from models import Block, Identity
from torch import nn


def norm_by_name(kind):
    if kind == "layer":
        norm = partial(nn.LayerNorm, eps=1e-3)
    else:

        def norm(width):
            return Identity()

    return norm


def build(kind):
    net = Block(3, norm=norm_by_name(kind))
    with torch.no_grad():
        for number, p in enumerate(net.parameters()):
            p.copy_((torch.arange(p.numel()) * 0.7 + number).sin().view_as(p))
    return net

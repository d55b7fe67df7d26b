"""What a chain over several lines says of a layer is reported where it cannot be kept, and the line stays a line."""

import torch
import torch.nn as nn


def fuse(conv, scale):
    fused = (  # T2J502
        nn.Conv2d(
            conv.in_channels,
            conv.out_channels,
            1,
        )
        .requires_grad_(False)
        .to(conv.weight.device)
    )
    return fused, torch.ones(3) * scale

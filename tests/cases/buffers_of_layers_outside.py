import torch
import torch.nn as nn


class Split(torch.nn.BatchNorm2d):
    def __init__(self, features, eps=1e-5, momentum=0.1, affine=True, tracking=True, parts=2):
        self.parts = nn.ModuleList([nn.BatchNorm2d(features, eps, momentum, affine, tracking) for _ in range(parts)])


def renew(layer, parts=2):
    mod = layer
    if isinstance(layer, torch.nn.modules.batchnorm._BatchNorm):
        mod = Split(layer.num_features, layer.eps, layer.momentum, layer.affine, layer.tracking, parts=parts)  # T2J603
        for part in mod.parts:
            part.running_mean = layer.running_mean.clone()
    return mod

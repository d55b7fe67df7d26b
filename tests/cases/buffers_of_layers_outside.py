import torch
import torch.nn as nn


class Split(torch.nn.BatchNorm2d):
    def __init__(self, features, eps=1e-5, momentum=0.1, affine=True, tracking=True, parts=2):
        self.parts = nn.ModuleList([nn.BatchNorm2d(features, eps, momentum, affine, tracking) for _ in range(parts)])


def renew(module, parts=2):
    mod = module
    if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
        mod = Split(
            module.num_features, module.eps, module.momentum, module.affine, module.tracking, parts=parts
        )  # T2J603
        for part in mod.parts:
            part.running_mean = module.running_mean.clone()
    return mod

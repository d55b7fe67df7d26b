# also: nnx, linen
"""Functions that change rows or views of a tensor that they give back, where what calls them is found by its name."""

import torch


class Denormalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, tensor: torch.Tensor):
        for t, m, s in zip(tensor, self.mean, self.std):
            t.mul_(s).add_(m)
        return tensor


class GroupNormalize:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def __call__(self, tensor):
        means = self.mean * (tensor.size(0) // len(self.mean))
        for t, m in zip(tensor, means):
            t.sub_(m)
            t.div_(self.std)
        return tensor


def made(name, *args):
    return globals()[name](*args)


x = torch.arange(6.0).view(2, 3)
for stage in [made("Denormalize", [0.5, 1.0], [2.0, 4.0]), made("GroupNormalize", [0.5], 2.0)]:
    x = stage(x)
    print(x.tolist())

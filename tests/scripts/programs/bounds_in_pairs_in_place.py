# also: nnx, linen
"""Bounds that come as a pair, for what is changed in place."""

import torch


def tensor2img(tensor, out_type="uint8", min_max=(0, 1)):
    tensor = tensor.squeeze().float().cpu().clamp_(*min_max)
    tensor = (tensor - min_max[0]) / (min_max[1] - min_max[0])
    return (tensor.numpy() * 255.0).round()


def bounded(tensor, bounds):
    tensor = tensor * 2
    tensor.clamp_(*bounds)
    return tensor


x = torch.linspace(-1, 2, 12).reshape(3, 2, 2)
print(tensor2img(x[None] + 1).tolist(), tensor2img(x * 2, min_max=(-1, 1)).tolist())
print(bounded(x, (-1, 0.5)).tolist(), bounded(x, [0, 2]).tolist())

# also: nnx, linen
"""Norms of instances whose input may be one example, in Sequentials and in batches of one; with their gradients."""

import torch
from torch import nn

image = torch.arange(48.0).reshape(3, 4, 4).sin()
plane, line = nn.InstanceNorm2d(3, affine=True), nn.InstanceNorm1d(3)
print(plane(image).flatten()[:5].tolist(), line(image.flatten(1)).flatten()[:5].tolist())
print(plane(image[None]).flatten()[:5].tolist(), line(image).flatten()[:5].tolist())
net = nn.Sequential(nn.Conv2d(3, 2, 3), nn.InstanceNorm2d(2, affine=True), nn.ReLU())
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.cos(torch.arange(p.numel()).float()).view(p.shape))
for x in (image, image[None], torch.stack([image, image * 2])):
    y = net(x)
    grads = torch.autograd.grad((y**2).sum(), list(net.parameters()))
    print(tuple(y.shape), y.sum().item(), [g.abs().sum().item() for g in grads])
solid = nn.InstanceNorm3d(2)
print(solid(image.reshape(2, 3, 4, 2)).flatten()[:6].tolist())

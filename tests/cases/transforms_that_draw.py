"""Transforms of the program that draw: a lambda takes the next key of a sequence, an object keeps one. A step that calls transforms
that may draw stays uncompiled.
"""

import torch
from torch import nn
from torchvision import transforms as T


class AddNoise:
    def __init__(self, std=1.0):
        self.std = std

    def __call__(self, image):
        return image + torch.randn(image.size()) * self.std


def pipeline():
    dequantize = T.Lambda(lambda x: (x * 255 + torch.rand_like(x)) / 256)
    return T.Compose([T.ToTensor(), T.RandomHorizontalFlip(), dequantize, AddNoise(0.1)])


flip = T.RandomHorizontalFlip()
prepare = pipeline()
model = nn.Conv2d(1, 1, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = model(flip(torch.ones(1, 1, 4, 4))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

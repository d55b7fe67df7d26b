"""Transforms that draw and that nobody can give a key: objects that make none, and those that the program calls as well."""

import torch
from torchvision import transforms as T


class Bare:
    def __call__(self, image):
        return image + torch.randn(image.size())


class Noise:
    def __init__(self, std):
        self.std = std

    def __call__(self, image):
        return image + torch.randn(image.size()) * self.std


noise = Noise(0.1)
second = T.Compose([T.ToTensor(), Bare()])  # T2J400
third = T.Compose([T.ToTensor(), noise])  # T2J400
print(noise(torch.ones(3, 4, 4)).shape)

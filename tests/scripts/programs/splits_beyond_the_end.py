"""Tensors split at indices beyond the end, and their elements counted where their type stays open."""

import torch


def counted(items):
    return [item.numel() for item in items]


image = torch.arange(16.0).reshape(1, 4, 4) - 5
for parts in (
    torch.tensor_split(image[0], (1, 7)),
    torch.hsplit(image[0], [3, 6]),
    image[0].tensor_split((-1,), dim=1),
):
    print([tuple(part.shape) for part in parts], [part.sum().item() for part in parts])
print(counted([image, image[0, 0]]))

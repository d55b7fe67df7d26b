"""Lists that a comprehension fills with views of tensors that it makes, which are written to one by one."""

# also: nnx, linen

import numpy as np
import torch


def grid(sizes, dim=2):
    if isinstance(sizes, int):
        sizes = dim * (sizes,)
    points = np.stack(np.mgrid[: sizes[0], : sizes[1]], axis=-1)[None, ...].astype(np.float32)
    points -= 0.5
    return torch.Tensor(points).view(-1, dim)


def frames(times):
    coords = [grid((2, 2))[None, ...].cpu() for _ in times]
    for number, time in enumerate(times):
        coords[number][..., 0] = time
    return torch.cat(coords, dim=0)


def rows(count):
    parts = [torch.zeros(count, 3)[1:] for _ in range(2)]
    for part in parts:
        part[0] += 1
    parts[0][0, 1] = 5
    return torch.stack(parts)


def flattened(count):
    parts = [torch.arange(6.0).view(2, 3).unsqueeze(0) for _ in range(count)]
    flat = parts[0].view(-1)
    flat[0] = 9
    return flat, parts[0], parts[1]


print(frames([0.0, 0.5, 1.0]).tolist())
print(rows(3).tolist())
print([item.tolist() for item in flattened(2)])

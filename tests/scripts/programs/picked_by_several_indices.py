# also: nnx, linen
"""Points that several tensors of indices, or the order of something, pick are new: groups of neighbours around their centres."""

import torch


def index_points(points, idx):
    b = points.shape[0]
    view_shape = list(idx.shape)
    view_shape[1:] = [1] * (len(view_shape) - 1)
    repeat_shape = list(idx.shape)
    repeat_shape[0] = 1
    batches = torch.arange(b, dtype=torch.long).view(view_shape).repeat(repeat_shape)
    new_points = points[batches, idx, :]
    return new_points


def group(xyz, centres, n):
    far = ((centres[:, :, None] - xyz[:, None]) ** 2).sum(-1)
    idx = far.sort(dim=-1)[1][:, :, :n]
    grouped = index_points(xyz, idx)
    grouped -= centres[:, :, None]
    return grouped


def best(scores, rows, k):
    order = scores.topk(k)[1]
    chosen = rows[order]
    chosen *= 2
    return chosen


xyz = torch.linspace(0, 1, 24).reshape(2, 4, 3) ** 2
print(group(xyz, xyz[:, :2] + 0.1, 2).flatten().tolist(), xyz.sum().item())
rows = torch.arange(6.0).reshape(3, 2)
print(best(torch.tensor([0.1, 0.5, 0.3]), rows, 2).tolist(), rows.tolist())

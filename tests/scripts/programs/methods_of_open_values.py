# also: nnx, linen
"""What the words of a call tell of something that nothing else tells the kind of: arrays of NumPy, and tensors."""

import numpy as np
import torch


def softmax(scores):
    shifted = np.exp(scores - scores.max(axis=-1)[..., None])
    return shifted / shifted.sum(axis=-1)[..., None]


def log_softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def above(x, bound):
    rows, columns = (x[:, 1:] > bound).nonzero(as_tuple=False).T
    return rows, columns


def overlap(first, second):
    return (torch.min(first[:, None, 2:], second[:, 2:]) - torch.max(first[:, None, :2], second[:, :2])).clamp(0).prod(2)


def corners(x):
    y = x.new(x.shape)
    y[..., :2] = x[..., :2] - x[..., 2:] / 2
    y[..., 2:] = x[..., :2] + x[..., 2:] / 2
    return y


def beside(x):
    return x.new([1.5, 2.5]), x.new(*x.size()).fill_(2), x.new(2, 3).zero_(), x.new(np.arange(3.0))


def pieces(targets, masks, bounds):
    parts = []
    for mask in masks:
        if not parts:
            parts.append([])
        parts.append(torch.masked_select(targets, mask))
    return [(parts[place] - bounds[place]).view(-1, 1) for place in range(1, len(parts))]


kinds = {"softmax": softmax, "log": log_softmax}
table = np.arange(12.0).reshape(3, 4) % 5
for name in sorted(kinds):
    print(name, kinds[name](table).round(4).tolist())

boxes = torch.tensor([[1.0, 2.0, 4.0, 2.0], [3.0, 3.0, 2.0, 6.0]])
calls = [above, overlap, corners, beside]
print([item.tolist() for item in calls[0](boxes, 2.5)])
print(calls[1](boxes, boxes + 1).tolist())
print(calls[2](boxes).tolist(), [item.tolist() for item in calls[3](boxes)])
print([item.tolist() for item in pieces(torch.arange(6), [torch.arange(6) < 3, torch.arange(6) > 3], [0, 0, 4])])

# also: nnx, linen
"""Suppression of overlapping boxes, with tensors made by `new()` that operations fill through `out`."""

import torch


def nms(boxes, scores, overlap=0.5, top_k=200):
    keep = scores.new(scores.size(0)).zero_().long()
    if boxes.numel() == 0:
        return keep
    x1 = boxes[:, 0]
    x2 = boxes[:, 2]
    v, idx = scores.sort(0)
    idx = idx[-top_k:]
    xx1 = boxes.new()
    xx2 = boxes.new()
    w = boxes.new()
    count = 0
    while idx.numel() > 0:
        i = idx[-1]
        keep[count] = i
        count += 1
        if idx.size(0) == 1:
            break
        idx = idx[:-1]
        torch.index_select(x1, 0, idx, out=xx1)
        torch.index_select(x2, 0, idx, out=xx2)
        xx1 = torch.clamp(xx1, min=x1[i])
        xx2 = torch.clamp(xx2, max=x2[i])
        w.resize_as_(xx2)
        w = xx2 - xx1
        w = torch.clamp(w, min=0.0)
        idx = idx[w.le(overlap)]
    return keep, count



b = torch.arange(40.0).reshape(10, 4).sin() * 2
s = torch.arange(10.0).cos()
keep, count = nms(b, s)
print(keep.tolist(), count)

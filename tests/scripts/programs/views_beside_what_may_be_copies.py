"""Parts of a tensor that may have been copied by a cast or a move stand beside other parts, which are changed in place."""

import numpy as np
import torch


def targets(t, n):
    out = []
    for _ in range(n):
        b, c = t[:, :2].long().T
        gxy = t[:, 2:4] * 1.0
        gij = gxy.long()
        gi, gj = gij.T
        out.append((b, gj.clamp_(0, 3), gi.clamp_(0, 3)))
        out.append((gxy - gij, c))
    return out


def columns(t):
    whole = t[:, 2:].long()
    first = whole[:, 0]
    first.clamp_(0, 2)
    return whole.sum(), t[:, 0].sum()


def rows(t):
    below = t[1:].cpu()
    above = t[:1].cpu()
    below += 1
    return above.sum() + below.sum()


def detected(detections, w, h):
    total = 0.0
    for j in range(1, detections.size(1)):
        dets = detections[0, j, :]
        mask = dets[:, 0].gt(0.0).expand(5, dets.size(0)).t()
        dets = torch.masked_select(dets, mask).view(-1, 5)
        if dets.size(0) == 0:
            continue
        boxes = dets[:, 1:]
        boxes[:, 0] *= w
        boxes[:, 2] *= w
        boxes[:, 1] *= h
        boxes[:, 3] *= h
        scores = dets[:, 0].cpu().numpy()
        kept = np.hstack((boxes.cpu().numpy(), scores[:, np.newaxis])).astype(np.float32, copy=False)
        total += float(kept.sum()) * j
    return total


for found in targets(torch.arange(12.0).reshape(2, 6), 2):
    print([x.sum().item() for x in found])
print([x.item() for x in columns(torch.arange(12.0).reshape(2, 6))])
print(rows(torch.arange(12.0).reshape(2, 6) * 2).item())
print(detected(torch.arange(60.0).reshape(1, 3, 4, 5) / 60, 3, 5))
a, total = np.arange(4.0), 0.0
for k in range(3):
    t = torch.from_numpy(a)
    total += t.sum().item()
    a[k] = 10
for k in range(3):
    d = torch.arange(4.0) + k
    d[0] = 9
    total += float(d.numpy().sum())
print(total)

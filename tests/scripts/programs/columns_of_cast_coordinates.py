# also: nnx, linen
"""Targets of unknown dtype are scaled by floats: what is cast to whole numbers then is a copy, whose columns are clamped in place."""

import torch


def build_targets(shapes, targets, anchors_all):
    na, nt = 3, targets.shape[0]
    tcls, tbox, indices, anch = [], [], [], []
    gain = torch.ones(7, device=targets.device)
    ai = torch.arange(na, device=targets.device).float().view(na, 1).repeat(1, nt)
    targets = torch.cat((targets.repeat(na, 1, 1), ai[:, :, None]), 2)

    for i, anchors in enumerate(anchors_all):
        gain[2:6] = torch.tensor(shapes[i])[[3, 2, 3, 2]]
        t = targets * gain
        if nt:
            r = t[:, :, 4:6] / anchors[:, None]
            j = torch.max(r, 1. / r).max(2)[0] < 4
            t = t[j]
        else:
            t = targets[0]
        b, c = t[:, :2].long().T
        gxy = t[:, 2:4]
        gwh = t[:, 4:6]
        gij = gxy.long()
        gi, gj = gij.T
        a = t[:, 6].long()
        indices.append((b, a, gj.clamp_(0, gain[3].long() - 1), gi.clamp_(0, gain[2].long() - 1)))
        tbox.append(torch.cat((gxy - gij, gwh), 1))
        anch.append(anchors[a])
        tcls.append(c)
    return tcls, tbox, indices, anch


def main(targets):
    shapes = [(2, 3, 4, 5), (2, 3, 8, 9)]
    anchors = [torch.tensor([[1.0, 2.0], [2.0, 1.0], [1.5, 3.0]]), torch.tensor([[2.0, 2.0], [3.0, 1.0], [2.5, 3.0]])]
    for part in build_targets(shapes, targets, anchors):
        for item in part:
            print([x.tolist() for x in item] if isinstance(item, tuple) else item.tolist())


main(torch.tensor([[0, 1, 0.5, 0.6, 0.3, 0.4], [1, 0, 1.1, 1.2, 0.4, 0.3], [1, 2, 0.2, -0.1, 0.5, 0.5]]))
main(torch.tensor([[0, 1, 2, 1, 3, 4], [1, 0, 1, 0, 2, 3]]))

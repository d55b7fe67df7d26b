# also: nnx, linen
"""What indices with an axis pick is new, and changed alone: priors that match a box, names that win a vote, parts of a buffer."""

import torch
from torch import nn


def matched(overlap, labels, threshold):
    best, which = overlap.max(dim=1)
    label = labels[which]
    label[best < threshold] = 0
    return label


def voted(scores, names):
    which = torch.argmax(scores, 1)
    name = names[which]
    name += 1
    return name


def second(scores, names):
    which = scores.max(1)[1]
    name = names[which]
    name.mul_(2)
    return name


class Head(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.register_buffer("names", names)

    def forward(self, overlap):
        which = overlap.argmax(dim=-2)
        which[0] = 1
        name = self.names[which]
        name[0] = 9
        return name


overlap = torch.tensor([[0.1, 0.7], [0.6, 0.2], [0.3, 0.4]])
labels = torch.tensor([3, 4])
print(matched(overlap, labels, 0.5).tolist(), labels.tolist())
print(voted(overlap, labels).tolist(), labels.tolist())
print(second(overlap, labels).tolist(), labels.tolist())
head = Head(torch.tensor([5, 6, 7]))
print(head(overlap).tolist(), head.names.tolist())
class Matching(nn.Module):
    def __init__(self, priors, threshold=0.5):
        super().__init__()
        self.priors_xy = priors
        self.threshold = threshold

    def forward(self, scores, boxes, labels):
        n = scores.size(0)
        count = self.priors_xy.size(0)
        classes = torch.zeros((n, count), dtype=torch.long)
        for i in range(n):
            objects = boxes[i].size(0)
            overlap = overlaps(boxes[i], self.priors_xy)
            best, which = overlap.max(dim=0)
            _, prior = overlap.max(dim=1)
            which[prior] = torch.LongTensor(range(objects))
            best[prior] = 1.0
            label = labels[i][which]
            label[best < self.threshold] = 0
            classes[i] = label
        return classes


def overlaps(a, b):
    low = torch.max(a[:, None, :2], b[None, :, :2])
    high = torch.min(a[:, None, 2:], b[None, :, 2:])
    common = (high - low).clamp(min=0).prod(2)
    first = (a[:, 2:] - a[:, :2]).prod(1)
    second = (b[:, 2:] - b[:, :2]).prod(1)
    return common / (first[:, None] + second[None] - common)


priors = torch.tensor([[0.0, 0, 2, 2], [1, 1, 3, 3], [2, 2, 5, 5], [0, 2, 2, 4]])
boxes = [torch.tensor([[0.0, 0, 2, 3]]), torch.tensor([[1.0, 1, 3, 3], [2, 2, 4, 4]])]
kinds = [torch.tensor([3]), torch.tensor([1, 2])]
print(Matching(priors)(torch.zeros(2, 4), boxes, kinds).tolist(), kinds[1].tolist())

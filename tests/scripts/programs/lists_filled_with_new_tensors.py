# also: nnx linen
"""Lists that a loop fills with new tensors, of which others change parts in place: padded rows, pointers of a search."""

import torch

def pad(rows, n, features, length):
    seqs = []
    for f in range(features):
        seqs.append(torch.zeros((n, length)).long())
    mask = torch.zeros((n, length)).bool()
    for i, row in enumerate(rows):
        k = len(row[0])
        mask[i, :k] = torch.Tensor([1] * k)
        for j in range(features):
            seqs[j][i, :k] = torch.LongTensor(row[j])
    order = torch.tensor([1, 0])
    for j in range(features):
        seqs[j] = seqs[j][order]
    return seqs, mask


s, m = pad([[[1, 2], [3, 4]], [[5, 6, 7], [8, 9, 1]]], 2, 2, 4)
for x in s:
    print(x.tolist())
print(m.tolist())


def first(values, mask):
    points = []
    partition = values[0]
    for idx in range(1, values.size(0)):
        cur = values[idx] + partition.view(2, 3, 1).expand(2, 3, 3)
        partition, bp = torch.topk(cur, 2, 1)
        if idx == 1:
            bp = bp * 2
        bp = bp.transpose(2, 1)
        partition = partition[:, 0, :]
        bp.masked_fill_(mask[idx].view(2, 1, 1).expand(2, 3, 2), 0)
        points.append(bp)
    return torch.stack(points)

def second(values, mask):
    points = []
    for idx in range(values.size(0)):
        best, bp = torch.max(values[idx], 1)
        bp.masked_fill_(mask[idx].view(2, 1).expand(2, 3), 0)
        points.append(bp)
    return points

torch.manual_seed(0)
v = torch.arange(4 * 2 * 3 * 3.).reshape(4, 2, 3, 3) % 7
m = torch.tensor([[True, False], [False, True], [True, True], [False, False]])
v0 = torch.arange(6.).reshape(2, 3)

def third(values, mask):
    points = []
    partition = v0
    for idx in range(values.size(0)):
        cur = values[idx] + partition.view(2, 3, 1).expand(2, 3, 3)
        partition, bp = torch.topk(cur, 2, 1)
        bp = bp.transpose(2, 1)
        partition = partition[:, 0, :]
        bp.masked_fill_(mask[idx].view(2, 1, 1).expand(2, 3, 2), 0)
        points.append(bp)
    return torch.stack(points)

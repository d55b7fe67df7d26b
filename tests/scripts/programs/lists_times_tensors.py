# also: nnx
"""Lists repeat as often as a tensor says."""

import torch


def padded(rows, lengths):
    longest = lengths.max()
    out = []
    for row, n in zip(rows, lengths):
        out.append(row[:n] + [0] * (longest - n))
    return torch.tensor(out)


n = torch.tensor([1, 2, 3]).sum()
print(len([0] * n), len((1, 2) * n))
grid = [[0] * n for _ in range(2)]
grid[0][1] = 5
print(grid)
m = (torch.arange(5) > 2).sum()
print([0] * (5 - m) + [1] * m, [1.5] * m.item(), [2] * 2, [0] * torch.tensor(2), "ab" * m)
print(padded([[1, 2, 3, 4], [5, 6, 7, 8]], torch.tensor([3, 1])).tolist())

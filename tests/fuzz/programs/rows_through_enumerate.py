# why: `v = v.copy_(b)` did not reach the container that a loop goes through
# entry: f
# inputs:
#     torch.tensor([[-3, 4], [1, 0], [-1, 5]])
from torch import Tensor


def f(x: Tensor):
    table = {i: row * i for i, row in enumerate(x)}
    for b in x:
        for label, v in table.items():
            v = v.copy_(b)
    rows = [row * 2 for row in x]
    for i, row in enumerate(rows):
        row = row.mul_(3).add_(i)
    other = [row * 2 for row in x]
    for row in other:
        twice = row.mul_(3)
    return table, rows, other, twice

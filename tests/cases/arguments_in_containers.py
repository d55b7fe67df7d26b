import torch
from torch import Tensor


def listed(p: Tensor, x: Tensor):
    items = [p, x]
    items[0] *= 2  # T2J303
    return x


def twice(p: Tensor, x: Tensor):
    items = [p, p]
    items[0] += x  # T2J303
    return [e.sum() for e in items]


def by_name(p: Tensor, x: Tensor):
    kept = {"a": p}
    kept["a"] += x  # T2J303
    return kept


def appended(p: Tensor, x: Tensor):
    items = []
    items.append(p)
    items[-1] -= x  # T2J303
    return items


def nested(p: Tensor, x: Tensor):
    items = [[p], x]
    items[0][0] -= 1  # T2J303
    return items


def viewed(p: Tensor, x: Tensor):
    items = [p.view(-1), x]
    items[0] += 1  # T2J303
    return items


def unannotated(x, p):
    items = [p, p]
    items[0] *= torch.ones(3)  # T2J303
    return items


def unpacked(q):
    first, *others = q
    others[0] += first  # T2J303
    return q


def own(p: Tensor, x: Tensor):
    items = [p.clone(), x * 2]
    items[0] += x
    items[1] *= 2
    return items


def counts(names):
    found = [0, 0]
    sizes = list(names)
    for name in names:
        found[0] += len(name)
        sizes[0] += 1
    return found, sizes

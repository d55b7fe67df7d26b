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


def copied(x: Tensor, y: Tensor):
    x = x * 1
    items = [x, y]
    kept = items.copy()
    x[0] = 7  # T2J301
    return kept[0], x


def popped(x: Tensor):
    x = x * 1
    named = {"a": x}
    m = named.pop("a")
    x.zero_()  # T2J301
    return m, x


def generated(x: Tensor, y: Tensor):
    x = x * 1
    kept = tuple(t for t in [x, y])
    x += 1  # T2J301
    return kept[0], x


def given_back(x: Tensor):
    x = x * 1

    def give():
        return x

    m = give()
    m[0].add_(1)  # T2J301
    return m, x


def passed_on(x: Tensor):
    x = x * 1
    m = torch.nn.Identity()(x)
    x[0] = 7  # T2J301
    return m, x


def queued(x: Tensor):
    from collections import deque

    x = x * 1
    m = deque([x])
    x[0] = 7  # T2J301
    return m[0], x


def computed(x: Tensor, y: Tensor):
    x = x * 1

    def double():
        return x * 2

    m = double()
    m[0] = 1
    x += 1
    items = [x.clone(), y]
    last = items.pop()
    x[0] = 2
    return m, x, last


def filled(x: Tensor, y: Tensor | None = None):
    if y is None:
        y = torch.zeros_like(x)
    y += x
    return y


def none_for_its_caller(x: Tensor, y: Tensor | None = None):
    filled(x, y)  # T2J303
    return x if y is None else y


def asks_for_it(x: Tensor):
    return none_for_its_caller(x) + none_for_its_caller(x, x * 2)


def known_by_its_caller(x: Tensor):
    y = x * 2
    filled(x, y)
    return filled(x) + y


def named_views(a: Tensor):
    b = a * 2
    return {"whole": a, "part": a[1:], "b": b, "c": b[1:]}


def part_by_name(x: Tensor):
    found = named_views(x)
    found["part"] *= 3  # T2J301
    return found, x


def view_of_other_result(x: Tensor):
    found = named_views(x)
    found["c"] *= 3  # T2J301
    return found

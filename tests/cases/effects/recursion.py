"""Functions that change their arguments by calling each other."""

import torch
from torch import Tensor


def _inner(t: Tensor, i: int):
    t[i] = -1.0


def _outer(t: Tensor):
    _inner(t, 0)
    _inner(t, 1)
    return t.sum()


def case_through_two(x: Tensor):
    y = x.clone()
    s = _outer(y)
    return y, s


def _count_down(t: Tensor, n: int):
    if n == 0:
        return
    t += n
    _count_down(t, n - 1)


def case_recursion(x: Tensor):
    y = x.clone()
    _count_down(y, 3)
    return y


def _fill(t: Tensor, n: int) -> Tensor:
    if n == 0:
        return t
    t[n - 1] = float(n)
    return _fill(t, n - 1)


def case_recursion_with_result(x: Tensor):
    y = x.clone()
    z = _fill(y, 2)
    return y, z


def _depth(t: Tensor, n: int) -> int:
    if n == 0:
        return 0
    t.mul_(2)
    return 1 + _depth(t, n - 1)


def case_depth(x: Tensor):
    y = x.clone()
    n = _depth(y, 3)
    return y, n


def _even(t: Tensor, n: int):
    if n > 0:
        t.add_(1)
        _odd(t, n - 1)


def _odd(t: Tensor, n: int):
    if n > 0:
        t.mul_(2)
        _even(t, n - 1)


def case_mutual(x: Tensor):
    y = x.clone()
    _even(y, 4)
    return y


def _sort(t: Tensor, low: int, high: int):
    if low >= high:
        return
    pivot, i = float(t[high]), low
    for j in range(low, high):
        if float(t[j]) < pivot:
            t[[i, j]] = t[[j, i]]
            i += 1
    t[[i, high]] = t[[high, i]]
    _sort(t, low, i - 1)
    _sort(t, i + 1, high)


def case_quicksort(v: Tensor):
    y = torch.cat([v, v * 2, v - 1])
    _sort(y, 0, len(y) - 1)
    return y


def _halves(t: Tensor):
    if t.shape[0] <= 1:
        t += 1
        return
    _halves(t[: t.shape[0] // 2])
    _halves(t[t.shape[0] // 2 :])


def case_halves(x: Tensor):
    y = torch.cat([x, x])
    _halves(y)
    return y


def _owner(t: Tensor, n: int) -> Tensor:
    t.sub_(1)
    return t if n == 0 else _owner(t * 2, n - 1)


# unchanged
def case_owner(x):
    return _owner(x + 1, 2)


def _copying(t: Tensor, n: int) -> Tensor:
    if n == 0:
        return t
    u = t.clone()
    u[0] += 1
    return _copying(u, n - 1)


# unchanged
def case_copying(x):
    y = _copying(x, 2)
    return x, y

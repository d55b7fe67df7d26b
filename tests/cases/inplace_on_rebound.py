import torch
from torch import Tensor


def base_bound_again(x: Tensor):
    e = x + 1
    v = e[0]
    v.mul_(2)
    r = e * 1
    e = x * 2
    return r, e


def view_bound_again(x: Tensor):
    e = x + 1
    v = e
    e[0] = 2
    v = v * 2
    return e, v


def unrelated_in_the_end(x: Tensor):
    e = x + 1
    v = x * 3
    v.mul_(2)
    v = e[0]
    return e, v


def rows_of_a_loop(x: Tensor):
    e = x + 1
    for v in e:
        v.index_fill_(0, torch.tensor([0]), 0.5)
    e = -e
    return e


def chain(x: Tensor):
    v = x * 2
    v.mul_(2).add_(v)
    w = x * 2
    w.mul_(w).add_(x)
    return v, w


def expression(x: Tensor):
    v = x * 2
    v = v.mul_(2) + v
    w = x * 2
    w = w.mul_(w) + x
    return v, w


def grid():
    w, c = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
    w[0] = 1  # T2J301
    c.neg_()  # T2J301
    return w, c


def unknown(x: Tensor, source):
    b = source.something()
    b.neg_()  # T2J303
    return b


def part_with_other_shape(x: Tensor):
    b = x * 2
    b[...].t_()
    b[0].neg_()
    return b

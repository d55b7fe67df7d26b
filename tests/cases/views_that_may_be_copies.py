"""Copies that are none where the dtype is there already, and arrays of NumPy, of which somebody has an older one."""

import numpy as np
import torch


def kept_for_a_round(t):
    kept, total = None, 0
    for _ in range(3):
        g = t.to(torch.float64)
        if kept is not None:
            g += 1  # T2J301
            total = total + kept.sum()
        kept = g
    return total


def same_part(t):
    y = t * 2
    a = y[0].cpu().numpy()
    z = y[0:]
    z += 1  # T2J301
    return float(a.sum()) + z.sum().item()


def array_of_the_round_before():
    b, kept = torch.arange(4.0), None
    for k in range(3):
        if kept is not None:
            b[k] = 7  # T2J301
            print(float(kept.sum()))
        kept = b.numpy()


def array_of_some_rounds():
    for k in range(3):
        c = torch.arange(4.0) + k
        n = c.numpy()
        if k:
            c[0] = 9
            print(float(n.sum()))


def two_of_one_array(a):
    t = torch.from_numpy(a)
    u = torch.from_numpy(a)
    t += 1  # T2J303
    return u.sum()


def two_of_which_one_is_computed(a):
    t = torch.from_numpy(a[0])
    u = torch.from_numpy(a[1])
    v = t + u
    t = v * 2
    t += 1
    return u.sum()


def shape_of_two_names(a):
    t = torch.from_numpy(a)
    s = t
    t.unsqueeze_(0)  # T2J301
    return s.shape


print(two_of_one_array(np.ones(3)), two_of_which_one_is_computed(np.ones((2, 3))), shape_of_two_names(np.ones(3)))
print(kept_for_a_round(torch.ones(2)), same_part(torch.ones(2, 3)))
array_of_the_round_before()
array_of_some_rounds()

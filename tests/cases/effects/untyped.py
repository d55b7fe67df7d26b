"""What an unannotated parameter is, shown by how it and what is computed from it are used."""

import torch


def case_computed_with_a_number(x):
    y = x * 2
    z = y.T
    y.add_(1)
    return y, z


def case_part_of_computed(x):
    y = x * 2
    part = y.mT
    row = part[0]
    row += 1
    return y


def case_slice_takes_a_number(x):
    y = x * 1
    part = y[1:]
    same = part
    part += 1
    same *= 2
    return y, part


def case_index_and_difference(x, y):
    z = x * 1
    part = z[0:1]
    z -= y
    return z, part


def case_new_axis(x):
    y = x * 1
    wide = y[None]
    y += 1
    return wide


def case_swapped(x):
    y = x.swapaxes(0, 1)
    z = x * 1
    y, z = z, y
    row = y[0]
    row += 1
    return y, z


def case_as_tensor(x, flag):
    y = x * 1
    z = torch.as_tensor(y)
    z.mul_(3)  # T2J301
    return y, z


def case_part_on_one_way(x, flag):
    z = x[0]
    if not flag:
        z = z + 1
    z.add_(2)  # T2J303
    return z


def case_changed_parameter(x, p):
    y = torch.exp(x)
    p *= 0.5  # T2J208
    return y, p


def case_counted_parameter(x, n):
    y = torch.exp(x)
    n += 1
    return y * n


def case_number(n):
    m = n + 1
    k = m
    k += 1
    k += m
    return m, k


def case_pair(n):
    pair = (n, n + 1)
    first = pair[0]
    first += 1
    return first, pair


def case_rows_of_argument(x, p):
    y = torch.exp(x)
    for row, other in zip(p, y):
        row *= 0.5  # T2J208
    for i, row in enumerate(p[1:]):
        row -= 0.5  # T2J208
    first, *rest = p
    first += 0.5  # T2J208
    return y


def case_parts_of_argument(x, batch):
    y = torch.exp(x)
    image = batch["image"]
    image /= 255  # T2J208
    for name, value in batch.items():
        value *= 0.5  # T2J208
    position = batch.position
    position -= 0.5  # T2J208
    return y


def chosen(value, make):
    return value if value is not None else make()


def summed(value, other):
    return value + other


def case_optional_tensor(x, noise=None, *, scale=None, n=None):
    noise = torch.ones_like(x) if noise is None else noise
    noise += 1  # T2J208
    scale = chosen(scale, lambda: torch.ones_like(x))
    scale -= x  # T2J300
    n = len(x) if n is None else n
    n += 1
    total = summed(n, x)
    total += 1
    return x * n, noise, scale, total

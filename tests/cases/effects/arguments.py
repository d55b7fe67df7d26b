"""Functions that change tensors they are given, and what their callers look at afterwards."""

import torch
from torch import Tensor


def _bump(t: Tensor, k: float):
    t += k
    return t.sum()


def _clear(t: Tensor) -> None:
    t.zero_()


def _scale_(t: Tensor, by: float) -> Tensor:
    t.mul_(by)
    return t


def _set_first(t: Tensor, value: float = 1.0):
    t[0] = value


def _swap_rows(a: Tensor, b: Tensor):
    first = a[0].clone()
    a[0] = b[0]
    b[0] = first


def _add_noise_free(t: Tensor, steps: int) -> Tensor:
    if steps == 0:
        return t.mean()
    t.add_(1)
    if steps == 1:
        return t.max()
    t.mul_(2)
    return t.min()


def _maybe(t: Tensor, flag: bool):
    if flag:
        t.add_(1)
        return
    t.sub_(1)


def _rebinds(t: Tensor):
    t.add_(1)
    t = t * 2
    return t.sum()


def _masked(t: Tensor, mask: Tensor) -> Tensor:
    t.masked_fill_(mask, 0.0)
    return mask.sum()


def _pair(t: Tensor):
    t.clamp_(min=0)
    return t.sum(), t.max()


def case_result_and_change(x: Tensor):
    y = x.clone()
    s = _bump(y, 1.0)
    return y, s


def case_no_result(x: Tensor):
    y = x.clone()
    z = y + 1
    _clear(y)
    return y, z


def case_result_is_the_argument(x: Tensor):
    y = x.clone()
    z = _scale_(y, 2.0)
    return y, z


def case_result_dropped(x: Tensor):
    y = x.clone()
    _scale_(y, 3.0)
    return y


def case_default(x: Tensor):
    y = x.clone()
    _set_first(y)
    _set_first(y[1], 7.0)
    return y


def case_keywords(x: Tensor):
    y = x.clone()
    s = _bump(k=2.0, t=y)
    return s, y


def case_two_arguments(x: Tensor, y: Tensor):
    a, b = x.clone(), y.clone()
    _swap_rows(a, b)
    return a, b


def case_one_of_two_is_read(x: Tensor, y: Tensor):
    b = y.clone()
    _swap_rows(x.clone(), b)
    return b


def case_early_returns(x: Tensor, n: int):
    y = x.clone()
    results = []
    for steps in range(n + 1):
        results.append(_add_noise_free(y, steps))
    return results, y


def case_bare_returns(x: Tensor, flag: bool):
    y = x.clone()
    _maybe(y, flag)
    _maybe(y, not flag)
    _maybe(y, not flag)
    return y


def case_parameter_bound_again(x: Tensor):
    y = x.clone()
    s = _rebinds(y)
    return y, s


def case_row(x: Tensor):
    y = x.clone()
    s = _bump(y[0], 1.0)
    _clear(y[1])
    return y, s


def case_columns(x: Tensor):
    y = x.clone()
    _clear(y[:, 1:])
    return y


def case_mask(x: Tensor, mask: Tensor):
    y = x.clone()
    n = _masked(y, mask)
    return y, n


def case_copy_by_index(x: Tensor, index: Tensor):
    y = x.clone()
    s = _bump(y[:, index], 1.0)
    return y, s


def case_tuple_result(x: Tensor):
    y = x.clone()
    total, most = _pair(y)
    both = _pair(y)
    return y, total, most, both


def case_in_a_loop(x: Tensor):
    y = x.clone()
    total = torch.zeros(())
    for i in range(3):
        total = total + _bump(y, float(i))
    return y, total


# unchanged
def case_lists(n: int):
    items = [1, 2, n]
    _append(items, 3)
    _append(items, 4)
    return items


# unchanged
def case_temporary(x):
    return _scale_(x * 2, 3.0)


# unchanged
def case_rebound(x):
    y = x + 1
    y = _scale_(y, 3.0)
    return y


def _append(items: list, value):
    items.append(value)
    items[0] += 1


def _own_copy(t: Tensor):
    t = t.clone()
    t.add_(1)
    return t


# unchanged
def case_copies_first(x):
    y = _own_copy(x)
    return x, y


def _owns(t: Tensor):
    t += 1
    return t * 2


# unchanged
def case_not_read_again(x):
    y = _owns(x * 2)
    z = _owns(y)
    return z


def _dropped(t: Tensor, inplace: bool = False) -> Tensor:
    return t.mul_(0.5) if inplace else t * 0.5


def case_flag_in_place(x: Tensor):
    y = x.clone()
    z = _dropped(y).sum()
    w = _dropped(y, inplace=True)
    return z, w + 1, y


def _shifted(t: Tensor, inplace: bool = False):
    if inplace:
        t += 1
    else:
        t = t + 1
    return t


def case_flag_never_set(x: Tensor):
    y = x.clone()
    z = _shifted(y)
    return z, y


def clamp_weights(w: Tensor, low: float = 0.0):
    w.clamp_(min=low)  # T2J300


def normalise_(t: Tensor) -> Tensor:
    t -= t.mean()
    t /= t.std()
    return t


def _activated(t: Tensor):
    y = torch.nn.functional.relu(t, inplace=True)
    return y.sum()


def case_activation(x: Tensor):
    y = x.clone()
    s = _activated(y)
    return s, y


def normalised_rows(x: Tensor):
    for row, mean, scale in zip(x, [0.5, 1.0], [2.0, 4.0]):
        row.sub_(mean).div_(scale)
    return x


def marked_view(x: Tensor):
    flat = x.view(-1)
    flat[0] = 5  # T2J300
    flat[1:].mul_(2)  # T2J300
    return x


def counted_rows(x: Tensor, times: int = 2):
    for i in range(times):
        x[i].add_(i + 1)  # T2J300
    return x

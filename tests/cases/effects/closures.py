"""Nested functions that change tensors of the functions around them, callbacks, and functions as values."""

from collections.abc import Callable

import torch
from torch import Tensor


def case_store():
    y = torch.zeros(3)

    def put(i: int):
        y[i] = float(i)

    put(0)
    put(2)
    return y


def case_update(x: Tensor):
    total = torch.zeros(3)

    def add(row: Tensor):
        total.add_(row)

    for row in x:
        add(row)
    return total


def case_nonlocal_already(x: Tensor):
    total = torch.zeros(3)

    def add(row: Tensor):
        nonlocal total
        total += row

    add(x[0])
    add(x[1])
    return total


def case_two_levels(n: int):
    y = torch.zeros(3)

    def outer(i: int):
        def inner(j: int):
            y[j] += i

        inner(0)
        inner(i)

    outer(1)
    outer(n)
    return y


def case_argument_of_nested(x: Tensor):
    def clear(t: Tensor, i: int):
        t[i] = 0.0

    y = x.clone()
    clear(y, 0)
    return y


def _fill(t: Tensor):
    t.fill_(2.0)


def case_call_in_nested():
    y = torch.zeros(3)

    def run():
        _fill(y)

    run()
    return y


def case_own_variable(x: Tensor):
    y = x.clone()

    def shifted(by: float):
        y = x + by
        y.mul_(2)
        return y

    return shifted(1.0), y


# unchanged
def case_list_of_outer():
    found = []

    def note(value):
        found.append(value)
        found[0] = value

    note(1)
    note(2)
    return found


# unchanged
def case_counter():
    count = 0

    def step():
        nonlocal count
        count += 1
        return count

    return step() + step()


def _apply(f: Callable, t: Tensor):
    f(t)
    return t


def _double_(t: Tensor):
    t.mul_(2)  # T2J300


def case_callback(x: Tensor):
    y = x.clone()
    return _apply(_double_, y)


def _halve_(t: Tensor):
    t.div_(2)  # T2J300


def case_function_in_a_list(x: Tensor):
    y = x.clone()
    for f in [_halve_, _halve_]:
        f(y)
    return y


def case_alias_of_the_variable():
    y = torch.zeros(4)
    z = y.view(2, 2)

    def put(i: int):
        y[i] = 1.0  # T2J301

    put(0)
    return z


def case_keyword_of_nested(x: Tensor):
    buffer = x.clone()

    def write(at: int, value: float = 1.0):
        buffer[at] = value
        return buffer.sum()

    a = write(0)
    b = write(at=1, value=2.0)
    return a, b, buffer


_BUFFER = torch.zeros(3)


def _record(i: int):
    _BUFFER[i] = 1.0


def case_module_variable():
    _record(1)
    return _BUFFER.clone()


def make_adder(start: Tensor):
    total = start.clone()

    def add(value: float):
        total.add_(value)
        return total.sum()

    return add


def case_factory(v: Tensor):
    add = make_adder(v)
    add(1.0)
    return add(2.0)

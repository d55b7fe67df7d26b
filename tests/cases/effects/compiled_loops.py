"""Loops whose length the values of tensors decide, in compiled functions."""

import torch


@torch.compile(backend="eager")
def halved(x: torch.Tensor):
    while x.norm() > 1:
        x = x / 2
    return x


def case_while_with_one_value(x: torch.Tensor):
    return halved(x)


@torch.compile(backend="eager")
def root(a: torch.Tensor, tol: float):
    guess = torch.ones_like(a)
    steps = 0
    # Newton's method
    while (guess * guess - a).abs().max() > tol and steps < 50:
        guess = 0.5 * (guess + a / guess)
        steps += 1
    return guess, guess * steps


def case_while_with_counter(x: torch.Tensor):
    return root(x.abs() + 1, 1e-4)


@torch.compile(backend="eager")
def counted(x: torch.Tensor):
    n = 0
    while n < 10 and x.sum() < 100:
        x = x + 1
        n = n + 1
    return x * n


def case_counter_first(x: torch.Tensor):
    return counted(x)


@torch.compile(backend="eager")
def power(m: torch.Tensor, v: torch.Tensor, rounds: int):
    for i in range(rounds):
        w = m @ v
        w = w / w.norm()
        change = (w - v).norm()
        v = w
        if change < 1e-3:
            break
    return v


def case_break_at_the_end(square: torch.Tensor, v: torch.Tensor):
    return power(square, v, 40), power(square, v, 2)


@torch.compile(backend="eager")
def shrunk(x: torch.Tensor):
    for _ in range(20):
        if x.abs().max() < 0.5:
            break
        x = x * 0.7
    return x


def case_break_at_the_start(x: torch.Tensor):
    return shrunk(x)


@torch.compile(backend="eager")
def grown(x: torch.Tensor):
    while len(x) < 10:
        x = torch.cat([x, x])
    return x


def case_while_on_shapes_is_unrolled(x: torch.Tensor):
    return grown(x)


@torch.compile(backend="eager")
def summed(x: torch.Tensor):
    total = torch.zeros(3)
    for row in x:
        total = total + row
    return total


def case_loop_over_rows_is_unrolled(x: torch.Tensor):
    return summed(x)


@torch.compile(backend="eager")
def collected(x: torch.Tensor):
    found = []
    while x.sum() > 1:
        x = x / 2
        found.append(x.max())
    return x, len(found)


def case_growing_list_stays_uncompiled(x: torch.Tensor):
    return collected(x)


@torch.compile(backend="eager")
def appended(x: torch.Tensor):
    while x.sum() > -20:
        x = torch.cat([x, x - 1])
    return x


def case_growing_tensor_stays_uncompiled(x: torch.Tensor):
    return appended(x)


@torch.compile(backend="eager")
def nested(x: torch.Tensor):
    while x.abs().max() > 0.5:
        if x.sum() > 0:
            x = x * 0.5
        else:
            x = -x * 0.9
    return x


def case_branch_in_loop(x: torch.Tensor):
    return nested(x)


@torch.compile(backend="eager")
def taken(x: torch.Tensor, n: int):
    for i in range(n):
        x = x * 2 + i
        if x.max() > 30:
            break
    return x


def case_counter_in_the_body(x: torch.Tensor):
    return taken(x, 5), taken(x, 50)


@torch.compile(backend="eager")
def picked(x: torch.Tensor):
    for i in range(3):
        if x[0, i] < 0:
            return x[0] * 2
    return x[1]


def case_return_in_loop_stays_uncompiled(x: torch.Tensor):
    return picked(x)


def iterate(x):
    while x.norm() > 1:
        x = x / 2
    for i in range(5):
        x = x + i
        if x.max() > 3:
            break
    return x


def case_eager_loops(x: torch.Tensor):
    return iterate(x)

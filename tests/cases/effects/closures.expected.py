"""Nested functions that change tensors of the functions around them, callbacks, and functions as values."""

from collections.abc import Callable

import jax
import jax.numpy as jnp


def case_store():
    y = jnp.zeros(3)

    def put(i: int):
        nonlocal y
        y = y.at[i].set(float(i))

    put(0)
    put(2)
    return y


def case_update(x: jax.Array):
    total = jnp.zeros(3)

    def add(row: jax.Array):
        nonlocal total
        total = total + row

    for row in x:
        add(row)
    return total


def case_nonlocal_already(x: jax.Array):
    total = jnp.zeros(3)

    def add(row: jax.Array):
        nonlocal total
        total += row

    add(x[0])
    add(x[1])
    return total


def case_two_levels(n: int):
    y = jnp.zeros(3)

    def outer(i: int):
        def inner(j: int):
            nonlocal y
            y = y.at[j].add(i)

        inner(0)
        inner(i)

    outer(1)
    outer(n)
    return y


def case_argument_of_nested(x: jax.Array):
    def clear(t: jax.Array, i: int):
        t = t.at[i].set(0.0)
        return t

    y = x
    y = clear(y, 0)
    return y


def _fill(t: jax.Array):
    return jnp.full_like(t, 2.0)


def case_call_in_nested():
    y = jnp.zeros(3)

    def run():
        nonlocal y
        y = jnp.broadcast_to(_fill(y), y.shape).astype(y.dtype)

    run()
    return y


def case_own_variable(x: jax.Array):
    y = x

    def shifted(by: float):
        y = x + by
        y = y * 2
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


def _apply(f: Callable, t: jax.Array):
    f(t)
    return t


def _double_(t: jax.Array):
    # torch2jax: T2J300 `_double_` changes its argument `t` in place, and its callers would not see the change
    t.mul_(2)  # T2J300


def case_callback(x: jax.Array):
    y = x
    return _apply(_double_, y)


def _halve_(t: jax.Array):
    # torch2jax: T2J300 `_halve_` changes its argument `t` in place, and its callers would not see the change
    t.div_(2)  # T2J300


def case_function_in_a_list(x: jax.Array):
    y = x
    for f in [_halve_, _halve_]:
        f(y)
    return y


def case_alias_of_the_variable():
    y = jnp.zeros(4)
    z = y.reshape(2, 2)

    def put(i: int):
        # torch2jax: T2J301 `y` is a view of `z`, and changing it in place changes both
        y = y.at[i].set(1.0)  # T2J301

    put(0)
    return z


def case_keyword_of_nested(x: jax.Array):
    buffer = x

    def write(at: int, value: float = 1.0):
        nonlocal buffer
        buffer = buffer.at[at].set(value)
        return buffer.sum()

    a = write(0)
    b = write(at=1, value=2.0)
    return a, b, buffer


_BUFFER = jnp.zeros(3)


def _record(i: int):
    global _BUFFER
    _BUFFER = _BUFFER.at[i].set(1.0)


def case_module_variable():
    _record(1)
    return _BUFFER


def make_adder(start: jax.Array):
    total = start

    def add(value: float):
        nonlocal total
        total = total + value
        return total.sum()

    return add


def case_factory(v: jax.Array):
    add = make_adder(v)
    add(1.0)
    return add(2.0)

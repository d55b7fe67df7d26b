"""Loops whose length the values of tensors decide, in compiled functions."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.reductions import absolute, norm


@eqx.filter_jit
def halved(x: jax.Array):
    x = jax.lax.while_loop(lambda x: norm(x) > 1, lambda x: x / 2, x)
    return x


def case_while_with_one_value(x: jax.Array):
    return halved(x)


@eqx.filter_jit
def root(a: jax.Array, tol: float):
    guess = jnp.ones_like(a)
    steps = 0
    # Newton's method
    def running(carry):
        guess, steps = carry
        return (absolute(guess * guess - a).max() > tol) & (steps < 50)

    def step(carry):
        guess, steps = carry
        guess = 0.5 * (guess + a / guess)
        steps = steps + 1
        return guess, steps

    guess, steps = jax.lax.while_loop(running, step, (guess, steps))
    return guess, guess * steps


def case_while_with_counter(x: jax.Array):
    return root(absolute(x) + 1, 1e-4)


@eqx.filter_jit
def counted(x: jax.Array):
    n = 0

    def running(carry):
        x, n = carry
        return (n < 10) & (x.sum() < 100)

    def step(carry):
        x, n = carry
        x = x + 1
        n = n + 1
        return x, n

    x, n = jax.lax.while_loop(running, step, (x, n))
    return x * n


def case_counter_first(x: jax.Array):
    return counted(x)


def power(m: jax.Array, v: jax.Array, rounds: int):
    for i in range(rounds):
        w = m @ v
        w = w / norm(w)
        change = norm(w - v)
        v = w
        if change < 1e-3:
            break
    return v


def case_break_at_the_end(square: jax.Array, v: jax.Array):
    return power(square, v, 40), power(square, v, 2)


@eqx.filter_jit
def shrunk(x: jax.Array):
    def running(carry):
        step_number, x = carry
        return (step_number < 20) & ~(absolute(x).max() < 0.5)

    def step(carry):
        step_number, x = carry
        x = x * 0.7
        return step_number + 1, x

    step_number, x = jax.lax.while_loop(running, step, (0, x))
    return x


def case_break_at_the_start(x: jax.Array):
    return shrunk(x)


@eqx.filter_jit
def grown(x: jax.Array):
    while len(x) < 10:
        x = jnp.concatenate([x, x])
    return x


def case_while_on_shapes_is_unrolled(x: jax.Array):
    return grown(x)


@eqx.filter_jit
def summed(x: jax.Array):
    total = jnp.zeros(3)
    for row in x:
        total = total + row
    return total


def case_loop_over_rows_is_unrolled(x: jax.Array):
    return summed(x)


def collected(x: jax.Array):
    found = []
    while x.sum() > 1:
        x = x / 2
        found.append(x.max())
    return x, len(found)


def case_growing_list_stays_uncompiled(x: jax.Array):
    return collected(x)


def appended(x: jax.Array):
    while x.sum() > -20:
        x = jnp.concatenate([x, x - 1])
    return x


def case_growing_tensor_stays_uncompiled(x: jax.Array):
    return appended(x)


@eqx.filter_jit
def nested(x: jax.Array):
    x = jax.lax.while_loop(lambda x: absolute(x).max() > 0.5, lambda x: jax.lax.cond(x.sum() > 0, lambda: x * 0.5, lambda: -x * 0.9), x)
    return x


def case_branch_in_loop(x: jax.Array):
    return nested(x)


@eqx.filter_jit
def taken(x: jax.Array, n: int):
    def running(carry):
        i, done, x = carry
        return (i < n) & ~done

    def step(carry):
        i, done, x = carry
        x = x * 2 + i
        return i + 1, x.max() > 30, x

    i, done, x = jax.lax.while_loop(running, step, (0, False, x))
    return x


def case_counter_in_the_body(x: jax.Array):
    return taken(x, 5), taken(x, 50)


def picked(x: jax.Array):
    for i in range(3):
        if x[0, i] < 0:
            return x[0] * 2
    return x[1]


def case_return_in_loop_stays_uncompiled(x: jax.Array):
    return picked(x)


def iterate(x):
    while norm(x) > 1:
        x = x / 2
    for i in range(5):
        x = x + i
        if x.max() > 3:
            break
    return x


def case_eager_loops(x: jax.Array):
    return iterate(x)

"""Assignments with several targets of which some are stores into tensors: Python evaluates once and fills from left to right."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.reductions import sort


def case_of_an_accumulator(x: jax.Array, y: jax.Array):
    advantages = jnp.zeros_like(x)
    last = 0
    for t in reversed(range(x.shape[0])):
        last = x[t] + 0.9 * last - y[t]
        advantages = advantages.at[t].set(last)
    return advantages, last


def case_of_a_number(x):
    z = x
    z = z.at[0, 0].set(3.0)
    z = z.at[1, 1].set(3.0)
    return z


def case_of_a_variable(x, y):
    z, first = x, y[0]
    z = z.at[0].set(first)
    z = z.at[1].set(first)
    return z, first


def case_of_an_index(x):
    z = x
    i = 0
    i = 1
    z = z.at[i].set(1)
    return z, i


def case_of_an_index_that_is_computed(x):
    z = x
    i = 0
    value = i + 1
    i = value
    z = z.at[i].set(value)
    value = i + 1
    z = z.at[0, i].set(value)
    i = value
    return z, i


def case_of_two_names(x: jax.Array, y: jax.Array):
    z = jnp.zeros((2, 3))
    a = b = x[0] + y[0]
    z = z.at[0].set(a)
    return a, b, z


def case_of_results_only(x: jax.Array, y: jax.Array):
    z, w = x, y
    value = z[1] * w[0]
    z = z.at[0].set(value)
    w = w.at[1].set(value)
    return z, w


def case_of_what_is_not_known(x):
    # torch2jax: T2J207 `x[...]` is written to, and what `x` is cannot be told: arrays of JAX take no stores
    x[0] = 1.0  # T2J207
    # torch2jax: T2J207 `x[...]` is written to, and what `x` is cannot be told: arrays of JAX take no stores
    x[1] = 1.0
    return x


def case_together(x, y):
    z, w = x, y
    z = z.at[0, 0].set(1)
    w = w.at[1, 1].set(2)
    value, first = sort(z[0] + w[1])
    z = z.at[1].set(value)
    return z, w, first


def case_exchanged(x):
    z = x
    value, value_1 = z[1], z[0]
    z = z.at[0].set(value)
    z = z.at[1].set(value_1)
    return z


def case_exchanged_views(x):
    z = x
    value, value_1 = z[1], z[0]
    z = z.at[0].set(value)
    value_1 = z[0]
    z = z.at[1].set(value_1)
    return z


def case_index_bound_together(x):
    z = x
    i = 0
    # torch2jax: T2J302 `i, z[i] = 1, 5.0` changes `z` in the middle of an expression
    i, z[i] = 1, 5.0  # T2J302
    return z


# unchanged
def case_of_lists(x):
    found = [None, None]
    found[0] = found[1] = x
    return found

"""Loops over the rows of a tensor that change them."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.reductions import absolute


def case_rows(x: jax.Array):
    y = x
    for i, row in enumerate(y):
        row = row * 2
        y = y.at[i].set(row)
    return y


def case_enumerated(x: jax.Array):
    y = x
    for i, row in enumerate(y):
        row += i
        row = row.at[0].set(9)
        y = y.at[i].set(row)
    return y


def case_zipped(x: jax.Array, y: jax.Array):
    z = x
    for i, (row, other) in enumerate(zip(z, y)):
        row = row + other
        z = z.at[i].set(row)
    return z


def case_counter_is_taken(x: jax.Array):
    y = x
    i = 10
    for j, row in enumerate(y):
        row = row + i
        y = y.at[j].set(row)
    return y, i


def case_nested(batch: jax.Array):
    y = batch
    for i, matrix in enumerate(y):
        for j, row in enumerate(matrix):
            row /= absolute(row).sum() + 1
            y_part = y[i]
            y_part = y_part.at[j].set(row)
            y = y.at[i].set(y_part)
    return y


def case_base_changes_as_well(x: jax.Array):
    y = x
    total = 0.0
    for i in range(len(y)):
        row = y[i]
        y = y.at[1, 0].add(1)
        row = y[i]
        total = total + row.sum()
    return y, total


def case_base_and_rows_change(x: jax.Array):
    y = x
    for i in range(len(y)):
        row = y[i]
        y = y.at[1].add(1)
        row = y[i]
        row = row * 2
        y = y.at[i].set(row)
    return y


def case_range_of_rows(x: jax.Array):
    y = x
    for i in range(y.shape[0]):
        row = y[i]
        row -= row.mean()
        y = y.at[i].set(row)
    return y


def case_last_row_lives_on(x: jax.Array):
    y = x
    for i, row in enumerate(y):
        row += 1
        y = y.at[i].set(row)
    row = jnp.zeros_like(row)
    y = y.at[i].set(row)
    return y


def case_stopped_early(x: jax.Array):
    y = x
    for i, row in enumerate(y):
        row += 1
        y = y.at[i].set(row)
        if i == 0:
            break
    return y


def case_rows_of_unnamed(x: jax.Array):
    y = x
    y_t = y.T
    for i, row in enumerate(y_t):
        row += 1
        y_part = y.T
        y_part = y_part.at[i].set(row)
        y = y_part.T
    return y


def case_rows_of_a_given_tensor(x: jax.Array):
    y = jnp.zeros(3)
    for row in x:
        y += row
    return y


# unchanged
def case_rows_are_read(x):
    total = 0
    for row in x:
        total = total + row.sum()
    return total


# unchanged
def case_rows_are_rebound(x):
    found = []
    for row in x:
        row = row * 2
        found.append(row)
    return found

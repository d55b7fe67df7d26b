"""Lists that have a name, or that something makes, as indices: read, stored to, empty, of booleans and of tensors."""

import jax
import jax.numpy as jnp
import numpy as np


def kept(scores: jax.Array, limit: int):
    found = []
    order = scores.argsort(descending=True)
    while order.size > limit:
        found.append(order[0].item())
        order = order[1:]
    return found


def case_grown(square: jax.Array):
    keep = kept(square[:, 0], 1)
    return square[jnp.array(keep, dtype=int)], square[jnp.array(kept(square[:, 1], 0), dtype=int)], square[keep, 1]


def case_empty(square: jax.Array):
    return square[jnp.array(kept(square[:, 0], 100), dtype=int)]


def case_made(square: jax.Array):
    rows = [0, 2]
    return (
        square[jnp.array(rows)],
        square[jnp.array([i for i in range(2)], dtype=int)],
        square[jnp.array(list(range(2)), dtype=int)],
        square[jnp.array(sorted(rows, reverse=True), dtype=int)],
        square[jnp.array(rows + [1])],
    )


def case_booleans(square: jax.Array):
    mask = [i % 2 == 0 for i in range(square.shape[0])]
    return square[np.array(mask, dtype=bool)]


def case_tensors(square: jax.Array):
    rows = [square[:, 0].argmax(), square[:, 1].argmin()]
    nested = [[0, 1], [1, 2]]
    return square[tuple(rows)], square[tuple([square[:, 0].argmax(), rows[0]])], square[tuple(nested)], square[tuple([[0, 2]])]


def pick(square: jax.Array, rows):
    return square[jnp.array(rows, dtype=int)]


def case_passed(square: jax.Array):
    return pick(square, [2, 1]), pick(square, kept(square[:, 0], 2))


def case_stores(square: jax.Array):
    rows = kept(square[:, 0], 1)
    y = square
    y = y.at[jnp.array(rows, dtype=int)].set(0)
    y = y.at[jnp.array(rows[:1], dtype=int)].set(y[jnp.array(rows[:1], dtype=int)] + 2)
    y = y.at[rows, 0].set(y[rows, 0] * 3)
    return y


def case_ranges(square: jax.Array):
    columns = jnp.array([2, 0, 1])
    y = square
    y = y.at[jnp.arange(2), columns[:2]].set(-1)
    return square[jnp.arange(3), columns], square[jnp.arange(len(columns)), columns], square[jnp.arange(1, 3)], square[:, jnp.arange(2)], y

"""Every form of index as the target of a store."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.indexing import (
    as_index,
    fill_at,
    index_add,
    index_copy,
    index_fill,
    index_put,
    masked_scatter,
    scatter,
    scatter_add,
    scatter_reduce,
    set_masked,
    set_where,
)


def case_numbers(x: jax.Array):
    y = x
    y = y.at[0].set(1)
    y = y.at[-1].set(2)
    y = y.at[1, -1].set(3)
    y = y.at[0, 1].set(4)
    y = y.at[0, 1].add(4)
    return y


def case_slices(batch: jax.Array):
    y = batch
    y = y.at[:1].set(0)
    y = y.at[:, 1:].multiply(2)
    y = y.at[..., ::2].set(3)
    y = y.at[:, -2:, 1].subtract(1)
    y = y.at[1, ..., 0].set(5)
    return y


def case_none(x: jax.Array, v: jax.Array):
    y = x
    y = y.at[None, 0].set(v)
    y = y.at[:, None, 1].set(7)
    return y


def case_whole(x: jax.Array):
    y = x
    y = y.at[:].set(2)
    y = y.at[...].add(1)
    return y


def case_masks(x: jax.Array, mask: jax.Array):
    y = x
    y = fill_at(y, mask, 0)
    y = jnp.where(y > 0.2, y * 2, y)
    y = y.at[~mask].set(y[~mask] + 1)
    y = set_where(y, x.sum(axis=1) > 0, 5)
    y = y.at[0, mask[0]].set(6)
    return y


def case_values_of_a_mask(x: jax.Array, y: jax.Array, mask: jax.Array):
    z = x
    small = z < 0
    z = set_where(z, small, y)
    z = set_where(z, small, z * 2 + y)
    z = set_where(z, small, -y / 2)
    return z


def case_values_in_order(x: jax.Array, y: jax.Array):
    z = x
    small = z < 0
    z = set_masked(z, small, jnp.arange(2.0))
    rows = z.sum(axis=1) > -100
    z = set_masked(z, rows, y + 1)
    z = set_masked(z, rows, y[0] * 1)
    z = set_masked(z, z > 2, jnp.array([5.0]))
    return z


def case_integer_tensors(square: jax.Array, index: jax.Array):
    y = square
    y = fill_at(y, index, 0)
    y = y.at[:, index].set(y[:, index] + 1)
    y = y.at[index, 1].set(9)
    y = y.at[index, index].set(3)
    y = y.at[jnp.arange(3), jnp.array([0, 2, 1])].set(y[jnp.arange(3), jnp.array([0, 2, 1])] * 2)
    return y


def case_lists_and_tuples(square: jax.Array):
    y = square
    y = y.at[jnp.array([0, 2])].set(1)
    y = y.at[[0, 1], [1, 2]].set(5)
    y = y.at[(1, 1)].set(6)
    place = (2, 0)
    y = y.at[place].set(7)
    return y


def case_slice_objects(square: jax.Array):
    y = square
    some = slice(0, 2)
    y = y.at[as_index(some)].set(1)
    y = y.at[some, slice(None, None, 2)].set(y[some, slice(None, None, 2)] + 2)
    return y


def case_repeated_indices(v: jax.Array):
    y = v
    i = jnp.array([0, 0, 1])
    y = y.at[i].set(y[i] + 1)
    y = y.at[i].set(y[i] * 2)
    return y


def case_repeated_list(v: jax.Array):
    y = v
    y = y.at[jnp.array([0, 0, 1])].set(y[jnp.array([0, 0, 1])] + 1)
    return y


def case_zero_dimensional_index(x: jax.Array):
    y = x
    i = x.argmax()
    y_flat = y.reshape(-1)
    y_flat = y_flat.at[i].set(0)
    y = y_flat.reshape(y.shape)
    y = y.at[y[:, 0].argmax()].set(1)
    return y


def case_index_methods(square: jax.Array, index: jax.Array):
    y = square
    y = index_fill(y, 0, index, -1.0)
    y = index_add(y, 0, index, jnp.ones((2, 3)))
    y = index_copy(y, 1, index, jnp.zeros((3, 2)))
    y = index_put(y, (index, index), jnp.array([4.0, 5.0]))
    y = index_put(y, (jnp.array([0, 0]),), jnp.ones(3), accumulate=True)
    return y


def case_scatter_methods(square: jax.Array):
    y = square
    i = jnp.array([[0, 2, 1]])
    y = scatter(y, 0, i, 7.0)
    y = scatter_add(y, 1, i, jnp.ones((1, 3)))
    y = scatter_reduce(y, 0, i, jnp.full((1, 3), 2.0, dtype=float), "amax")
    return y


def case_masked_methods(x: jax.Array, mask: jax.Array):
    y = x
    y = jnp.where(mask, jnp.asarray(3.0, y.dtype), y)
    y = masked_scatter(y, ~mask, jnp.arange(6.0))
    return y


def case_index_methods_of_views(square: jax.Array, index: jax.Array):
    y = square
    z = y.T
    z = index_fill(z, 0, index, -1.0)
    z = jnp.where(z > 2, 0, z)
    y = z.T
    y = y.at[1].set(scatter(y[1], 0, index, 8.0))
    return y


def case_copies_are_written(x: jax.Array):
    y = x
    mask = y > 0
    return y


def case_swapped_rows(x: jax.Array):
    y = x
    y = y.at[jnp.array([0, 1])].set(y[jnp.array([1, 0])])
    first = y[0]
    y = y.at[0].set(y[1])
    y = y.at[1].set(first)
    return y


def case_shifted(v: jax.Array):
    y = jnp.concatenate([v, v])
    y = y.at[1:4].set(y[0:3])
    return y


def case_cast_on_the_way(tokens: jax.Array):
    y = tokens
    y = y.at[0].set(1.7)
    y = y.at[1].add(2)
    return y


def case_stores_from_views(square: jax.Array):
    y = square
    y = y.at[0].set(y[:, 1])
    y = y.at[:, 2].set(jnp.diagonal(y))
    return y


# unchanged
def case_lists(n):
    values = [0] * 5
    values[1:3] = [n, n]
    values[-1] += 2
    return values

"""Views that are written to: what they are cut from sees it, and so do other views of it."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.array_ops import diagonal_scatter
from torch2jax.runtime.indexing import squeeze


def case_flat_view():
    y = jnp.zeros((2, 3))
    z = y.reshape(-1)
    z = z.at[1].set(5)
    y = z.reshape(y.shape)
    return y


def case_both_are_read(x: jax.Array):
    y = x
    z = y.reshape(-1)
    z = z.at[1].set(5)
    z += 1
    y = z.reshape(y.shape)
    y = y.at[0, 0].set(3)
    z = y.reshape(-1)
    return y, z


def case_row(x: jax.Array):
    y = x
    first = y[0]
    first = (first + 1) * 2
    y = y.at[0].set(first)
    return y


def case_column(x: jax.Array):
    y = x
    column = y[:, 1]
    column *= 3
    y = y.at[:, 1].set(column)
    return y, column


def case_transposed(x: jax.Array):
    y = x
    t = y.T
    t = t.at[1, 0].set(7)
    t = t.at[0].add(1)
    y = t.T
    return y


def case_permuted(batch: jax.Array):
    y = batch
    p = y.transpose(2, 0, 1)
    p = p.at[0, 1].set(9.0)
    y = p.transpose(1, 2, 0)
    return y, p


def case_swapped(batch: jax.Array):
    y = batch
    heads = y.swapaxes(1, 2)
    heads = heads.at[:, 0].subtract(1)
    y = heads.swapaxes(1, 2)
    return y


def case_squeezed(v: jax.Array):
    y = v[None]
    z = squeeze(y, 0)
    z = z.at[0].set(4)
    y = z.reshape(y.shape)
    w = z[..., None]
    w = w * 2
    z = w.reshape(z.shape)
    y = z.reshape(y.shape)
    return y, z


def case_narrowed(batch: jax.Array):
    y = batch
    y_part = jax.lax.dynamic_slice_in_dim(y, 1, 2, axis=1)
    y_part = jnp.zeros_like(y_part)
    y = y.at[:, 1:3].set(y_part)
    z = jax.lax.dynamic_slice_in_dim(y, 0, 2, axis=2)
    z = z + 1
    y = y.at[:, :, 0:2].set(z)
    return y


def case_selected(batch: jax.Array):
    y = batch
    z = y[:, 0]
    z = jnp.full_like(z, 2)
    y = y.at[:, 0].set(z)
    w = y[..., 3]
    w = w.at[0].set(5)
    y = y.at[..., 3].set(w)
    return y


def case_diagonal(square: jax.Array):
    y = square
    d = jnp.diagonal(y)
    d += 10
    y = diagonal_scatter(y, d)
    return y


def case_diagonal_zeroed(square: jax.Array):
    kernel = square @ square.T
    kernel_diagonal = jnp.diagonal(kernel)
    kernel_diagonal = jnp.zeros_like(kernel_diagonal)
    kernel = diagonal_scatter(kernel, kernel_diagonal)
    return kernel


def case_chunks(x: jax.Array):
    y = jnp.concatenate([x, x])
    a, b = jnp.split(y, 2)
    a = a + 1
    y = jnp.concatenate((a, b))
    b = b.at[0].set(0)
    y = jnp.concatenate((a, b))
    return y


def case_chunks_along_columns(batch: jax.Array):
    y = batch
    left, right = jnp.split(y, 2, axis=-1)
    left = left * 2
    y = jnp.concatenate((left, right), axis=-1)
    return y, right


def case_splits(v: jax.Array):
    y = jnp.concatenate([v, v])
    a, b = jnp.split(y, [3])
    b = -b
    y = y.at[3:6].set(b)
    y = y * 2
    a = y[:3]
    b = y[3:6]
    return y, a, b


def case_unbound(x: jax.Array):
    y = x
    first, second = y
    second += first
    y = y.at[1].set(second)
    return y


def case_unpacked_rows(x: jax.Array):
    y = x
    first, second = y
    first = jnp.zeros_like(first)
    y = y.at[0].set(first)
    return y, second


def case_detached(x: jax.Array):
    y = x
    z = jax.lax.stop_gradient(y)
    z = z.at[0].set(1)
    y = z
    return y


def case_data(x: jax.Array):
    y = x
    y = y.at[0].set(1)
    z = jax.lax.stop_gradient(y)
    z += 1
    y = z
    return y


def case_view_of_a_view(batch: jax.Array):
    y = batch
    z = y[1]
    w = z.reshape(-1)
    w = w.at[2].set(5)
    z = w.reshape(z.shape)
    y = y.at[1].set(z)
    return y, z


def case_overlapping_views(v: jax.Array):
    y = v
    a = y[0:2]
    b = y[1:3]
    a = a + 1
    y = y.at[0:2].set(a)
    b = y[1:3]
    return a, b


def case_written_base(v: jax.Array):
    y = v
    a = y[:2]
    y *= 2
    a = y[:2]
    s = a.sum()
    y = y + 1
    return s, y


def case_halves_of_a_matrix(square: jax.Array):
    y = square
    upper, lower = y[:1], y[1:]
    upper = upper * 2
    y = y.at[:1].set(upper)
    lower = lower * 3
    y = y.at[1:].set(lower)
    return y


def case_written_in_a_loop(x: jax.Array):
    y = x
    flat = y.reshape(-1)
    for i in range(flat.size):
        flat = flat.at[i].set(flat[i] * i)
    y = flat.reshape(y.shape)
    return y


def case_both_in_a_loop(x: jax.Array):
    y = x
    flat = y.reshape(-1)
    for i in range(2):
        flat = flat.at[i].add(1)
        y = flat.reshape(y.shape)
        y = y.at[1, i].set(flat[i])
        flat = y.reshape(-1)
    return y, flat


def case_in_one_branch(x: jax.Array, flag: bool):
    y = x
    z = y[0]
    if flag:
        z = jnp.zeros_like(z)
        y = y.at[0].set(z)
    else:
        y = jnp.full_like(y, 1)
        z = y[0]
    return y, z


def case_view_only_in_one_branch(x: jax.Array, flag: bool):
    y = x
    if flag:
        z = y[0]
        z += 1
        y = y.at[0].set(z)
    return y


def case_through_a_view(x: jax.Array):
    y = x
    y_flat = y.reshape(-1)
    y_flat = y_flat.at[4].set(8)
    y = y_flat.reshape(y.shape)
    y_t = y.T
    y_t = y_t.at[0, 1].set(2)
    y = y_t.T
    y_part = y.reshape(3, 2)[1]
    y_part = jnp.zeros_like(y_part)
    y_part_1 = y.reshape(3, 2)
    y_part_1 = y_part_1.at[1].set(y_part)
    y = y_part_1.reshape(y.shape)
    y_t = y.T
    y_t = y_t * 2
    y = y_t.T
    return y


def case_slice_of_a_slice(batch: jax.Array):
    y = batch
    y_part = y[0:2]
    y_part = y_part.at[1].set(3)
    y = y.at[0:2].set(y_part)
    y_part = y[:, 1:]
    y_part = y_part.at[0, :, 2].set(4)
    y = y.at[:, 1:].set(y_part)
    return y


def case_expanded_is_read(v: jax.Array):
    y = v
    wide = jnp.broadcast_to(y, (2, 3))
    y = y.at[0].set(5)
    wide = jnp.broadcast_to(y, (2, 3))
    return wide


def case_expanded_is_written(v: jax.Array):
    y = v
    wide = jnp.broadcast_to(y, (2, 3))
    # torch2jax: T2J301 `wide` is a view of `a tensor whose elements it repeats`, and changing it in place changes both
    wide[0] = 5  # T2J301
    return y


def case_view_or_copy(x: jax.Array):
    y = x
    z = y.T.reshape(-1)
    # torch2jax: T2J301 `z` is a view of `y`, and changing it in place changes both
    z[0] = 5  # T2J301
    return y


def case_view_of_one_or_the_other(x: jax.Array, y: jax.Array, flag: bool):
    a, b = x, y
    z = a if flag else b
    # torch2jax: T2J301 `z` is a view of `a`, and changing it in place changes both
    z[0] = 1  # T2J301
    return a, b


def case_shape_of_the_view_itself(batch: jax.Array):
    h = batch * 2
    h = h.reshape(h.shape[0], -1)
    h = h.at[0].set(0)
    return h


# unchanged
def case_only_read(x):
    top = x[0]
    bottom = x[1]
    return top + bottom, x


# unchanged
def case_other_names_for_numbers(n):
    a = n
    b = a
    b += 1
    return a, b


def case_part_of_part_of_part(x: jax.Array):
    column = x.swapaxes(0, 1)[1]
    first = column[0]
    first += 1
    column = column.at[0].set(first)
    x_part = x.swapaxes(0, 1)
    x_part = x_part.at[1].set(column)
    x = x_part.swapaxes(0, 1)
    column = column.at[1:].multiply(3)
    x_part = x.swapaxes(0, 1)
    x_part = x_part.at[1].set(column)
    x = x_part.swapaxes(0, 1)
    return x, column


def case_split_columns(x: jax.Array):
    column = jnp.hsplit(x, 3)[1]
    # torch2jax: T2J301 `column` is a view of `x`, and changing it in place changes both
    column += 1  # T2J301
    return x


def case_conjugate(x: jax.Array):
    y = x
    z = jnp.conj(y)
    # torch2jax: T2J301 `z` is a view of `y`, and changing it in place changes both
    z += 1  # T2J301
    return y

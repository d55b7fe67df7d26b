"""What an unannotated parameter is, shown by how it and what is computed from it are used."""

import jax.numpy as jnp


def case_computed_with_a_number(x):
    y = x * 2
    z = y.T
    y = y + 1
    z = y.T
    return y, z


def case_part_of_computed(x):
    y = x * 2
    part = y.mT
    row = part[0]
    row += 1
    y_part = y.mT
    y_part = y_part.at[0].set(row)
    y = y_part.mT
    return y


def case_slice_takes_a_number(x):
    y = x * 1
    part = y[1:]
    same = part
    part += 1
    same = part
    y = y.at[1:].set(part)
    same *= 2
    part = same
    y = y.at[1:].set(same)
    return y, part


def case_index_and_difference(x, y):
    z = x * 1
    part = z[0:1]
    z -= y
    part = z[0:1]
    return z, part


def case_new_axis(x):
    y = x * 1
    wide = y[None]
    y += 1
    wide = y[None]
    return wide


def case_swapped(x):
    y = x.swapaxes(0, 1)
    z = x * 1
    y, z = z, y
    row = y[0]
    row += 1
    y = y.at[0].set(row)
    return y, z


def case_as_tensor(x, flag):
    y = x * 1
    z = jnp.asarray(y)
    # torch2jax: T2J301 `z` is a view of `y`, and changing it in place changes both
    z.mul_(3)  # T2J301
    return y, z


def case_part_on_one_way(x, flag):
    z = x[0]
    if not flag:
        z = z + 1
    # torch2jax: T2J303 `z` is changed in place and may be shared with `a container, a field or a caller`
    z.add_(2)  # T2J303
    return z


def case_changed_parameter(x, p):
    y = jnp.exp(x)
    # torch2jax: T2J208 `p *= ...` changes the caller's argument if `p` is a tensor, and what it is cannot be told
    p *= 0.5  # T2J208
    return y, p


def case_counted_parameter(x, n):
    y = jnp.exp(x)
    n += 1
    return y * n


def case_number(n):
    m = n + 1
    k = m
    k += 1
    k += m
    return m, k


def case_pair(n):
    pair = (n, n + 1)
    first = pair[0]
    first += 1
    return first, pair


def case_rows_of_argument(x, p):
    y = jnp.exp(x)
    for row, other in zip(p, y):
        # torch2jax: T2J208 `row *= ...` changes the caller's argument if `row` is a tensor, and what it is cannot be told
        row *= 0.5  # T2J208
    for i, row in enumerate(p[1:]):
        # torch2jax: T2J208 `row -= ...` changes the caller's argument if `row` is a tensor, and what it is cannot be told
        row -= 0.5  # T2J208
    first, *rest = p
    # torch2jax: T2J208 `first += ...` changes the caller's argument if `first` is a tensor, and what it is cannot be told
    first += 0.5  # T2J208
    return y


def case_parts_of_argument(x, batch):
    y = jnp.exp(x)
    image = batch["image"]
    # torch2jax: T2J208 `image /= ...` changes the caller's argument if `image` is a tensor, and what it is cannot be told
    image /= 255  # T2J208
    for name, value in batch.items():
        # torch2jax: T2J208 `value *= ...` changes the caller's argument if `value` is a tensor, and what it is cannot be told
        value *= 0.5  # T2J208
    position = batch.position
    # torch2jax: T2J208 `position -= ...` changes the caller's argument if `position` is a tensor, and what it is cannot be told
    position -= 0.5  # T2J208
    return y


def chosen(value, make):
    return value if value is not None else make()


def summed(value, other):
    return value + other


def case_optional_tensor(x, noise=None, *, scale=None, n=None):
    noise = jnp.ones_like(x) if noise is None else noise
    # torch2jax: T2J208 `noise += ...` changes the caller's argument if `noise` is a tensor, and what it is cannot be told
    noise += 1  # T2J208
    scale = chosen(scale, lambda: jnp.ones_like(x))
    # torch2jax: T2J300 `case_optional_tensor` changes its argument `scale` in place, and its callers would not see the change: call it as `scale, result = case_optional_tensor(x, noise, scale=scale, n=n)`
    scale -= x  # T2J300
    n = len(x) if n is None else n
    n += 1
    total = summed(n, x)
    total += 1
    return scale, (x * n, noise, scale, total)

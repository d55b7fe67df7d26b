"""Functions that change tensors they are given, and what their callers look at afterwards."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.reductions import clamp, std


def _bump(t: jax.Array, k: float):
    t += k
    return t, t.sum()


def _clear(t: jax.Array) -> jax.Array:
    return jnp.zeros_like(t)


def _scale_(t: jax.Array, by: float) -> jax.Array:
    t = t * by
    return t


def _set_first(t: jax.Array, value: float = 1.0):
    t = t.at[0].set(value)
    return t


def _swap_rows(a: jax.Array, b: jax.Array):
    first = a[0]
    a = a.at[0].set(b[0])
    b = b.at[0].set(first)
    return a, b


def _add_noise_free(t: jax.Array, steps: int) -> tuple[jax.Array, jax.Array]:
    if steps == 0:
        return t, t.mean()
    t = t + 1
    if steps == 1:
        return t, t.max()
    t = t * 2
    return t, t.min()


def _maybe(t: jax.Array, flag: bool):
    if flag:
        return t + 1
    return t - 1


def _rebinds(t: jax.Array):
    t = t + 1
    changed_t = t
    t = t * 2
    return changed_t, t.sum()


def _masked(t: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
    t = jnp.where(mask, 0, t)
    return t, mask.sum()


def _pair(t: jax.Array):
    t = clamp(t, min=0)
    return t, (t.sum(), t.max())


def case_result_and_change(x: jax.Array):
    y = x
    y, s = _bump(y, 1.0)
    return y, s


def case_no_result(x: jax.Array):
    y = x
    z = y + 1
    y = _clear(y)
    return y, z


def case_result_is_the_argument(x: jax.Array):
    y = x
    y = _scale_(y, 2.0)
    z = y
    return y, z


def case_result_dropped(x: jax.Array):
    y = x
    y = _scale_(y, 3.0)
    return y


def case_default(x: jax.Array):
    y = x
    y = _set_first(y)
    y = y.at[1].set(_set_first(y[1], 7.0))
    return y


def case_keywords(x: jax.Array):
    y = x
    y, s = _bump(k=2.0, t=y)
    return s, y


def case_two_arguments(x: jax.Array, y: jax.Array):
    a, b = x, y
    a, b = _swap_rows(a, b)
    return a, b


def case_one_of_two_is_read(x: jax.Array, y: jax.Array):
    b = y
    _, b = _swap_rows(x, b)
    return b


def case_early_returns(x: jax.Array, n: int):
    y = x
    results = []
    for steps in range(n + 1):
        y, result = _add_noise_free(y, steps)
        results.append(result)
    return results, y


def case_bare_returns(x: jax.Array, flag: bool):
    y = x
    y = _maybe(y, flag)
    y = _maybe(y, not flag)
    y = _maybe(y, not flag)
    return y


def case_parameter_bound_again(x: jax.Array):
    y = x
    y, s = _rebinds(y)
    return y, s


def case_row(x: jax.Array):
    y = x
    changed, s = _bump(y[0], 1.0)
    y = y.at[0].set(changed)
    y = y.at[1].set(_clear(y[1]))
    return y, s


def case_columns(x: jax.Array):
    y = x
    y = y.at[:, 1:].set(_clear(y[:, 1:]))
    return y


def case_mask(x: jax.Array, mask: jax.Array):
    y = x
    y, n = _masked(y, mask)
    return y, n


def case_copy_by_index(x: jax.Array, index: jax.Array):
    y = x
    _, s = _bump(y[:, index], 1.0)
    return y, s


def case_tuple_result(x: jax.Array):
    y = x
    y, (total, most) = _pair(y)
    y, both = _pair(y)
    return y, total, most, both


def case_in_a_loop(x: jax.Array):
    y = x
    total = jnp.zeros(())
    for i in range(3):
        y, result = _bump(y, float(i))
        total = total + result
    return y, total


# unchanged
def case_lists(n: int):
    items = [1, 2, n]
    _append(items, 3)
    _append(items, 4)
    return items


# unchanged
def case_temporary(x):
    return _scale_(x * 2, 3.0)


# unchanged
def case_rebound(x):
    y = x + 1
    y = _scale_(y, 3.0)
    return y


def _append(items: list, value):
    items.append(value)
    items[0] += 1


def _own_copy(t: jax.Array):
    t = t + 1
    return t


# unchanged
def case_copies_first(x):
    y = _own_copy(x)
    return x, y


def _owns(t: jax.Array):
    t += 1
    return t * 2


# unchanged
def case_not_read_again(x):
    y = _owns(x * 2)
    z = _owns(y)
    return z


def _dropped(t: jax.Array, inplace: bool = False) -> tuple[jax.Array, jax.Array]:
    if inplace:
        t = t * 0.5
        return t, t
    return t, t * 0.5


def case_flag_in_place(x: jax.Array):
    y = x
    z = _dropped(y)[1].sum()
    y, w = _dropped(y, inplace=True)
    return z, w + 1, y


def _shifted(t: jax.Array, inplace: bool = False):
    if inplace:
        t += 1
    else:
        t = t + 1
    return t


def case_flag_never_set(x: jax.Array):
    y = x
    z = _shifted(y)
    return z, y


def clamp_weights(w: jax.Array, low: float = 0.0):
    # torch2jax: T2J300 `clamp_weights` changes its argument `w` in place, and its callers would not see the change: call it as `w = clamp_weights(w, low)`
    return clamp(w, min=low)  # T2J300


def normalise_(t: jax.Array) -> jax.Array:
    t -= t.mean()
    t /= std(t)
    return t


def _activated(t: jax.Array):
    t = jax.nn.relu(t)
    y = t
    return t, y.sum()


def case_activation(x: jax.Array):
    y = x
    y, s = _activated(y)
    return s, y


def normalised_rows(x: jax.Array):
    for i, (row, mean, scale) in enumerate(zip(x, [0.5, 1.0], [2.0, 4.0])):
        row = (row - mean) / scale
        x = x.at[i].set(row)
    return x


def marked_view(x: jax.Array):
    flat = x.reshape(-1)
    # torch2jax: T2J300 `marked_view` changes its argument `flat` in place, and its callers would not see the change
    flat[0] = 5  # T2J300
    # torch2jax: T2J300 `marked_view` changes its argument `flat` in place, and its callers would not see the change
    flat[1:].mul_(2)  # T2J300
    return x


def counted_rows(x: jax.Array, times: int = 2):
    for i in range(times):
        # torch2jax: T2J300 `counted_rows` changes its argument `x` in place, and its callers would not see the change
        x[i].add_(i + 1)  # T2J300
    return x

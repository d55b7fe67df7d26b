"""Functions that change their arguments by calling each other."""

import jax
import jax.numpy as jnp


def _inner(t: jax.Array, i: int):
    t = t.at[i].set(-1.0)
    return t


def _outer(t: jax.Array):
    t = _inner(t, 0)
    t = _inner(t, 1)
    return t, t.sum()


def case_through_two(x: jax.Array):
    y = x
    y, s = _outer(y)
    return y, s


def _count_down(t: jax.Array, n: int):
    if n == 0:
        return t
    t += n
    return _count_down(t, n - 1)


def case_recursion(x: jax.Array):
    y = x
    y = _count_down(y, 3)
    return y


def _fill(t: jax.Array, n: int) -> jax.Array:
    if n == 0:
        return t
    t = t.at[n - 1].set(float(n))
    return _fill(t, n - 1)


def case_recursion_with_result(x: jax.Array):
    y = x
    y = _fill(y, 2)
    z = y
    return y, z


def _depth(t: jax.Array, n: int) -> tuple[jax.Array, int]:
    if n == 0:
        return t, 0
    t = t * 2
    t, result = _depth(t, n - 1)
    return t, 1 + result


def case_depth(x: jax.Array):
    y = x
    y, n = _depth(y, 3)
    return y, n


def _even(t: jax.Array, n: int):
    if n > 0:
        t = t + 1
        t = _odd(t, n - 1)
    return t


def _odd(t: jax.Array, n: int):
    if n > 0:
        t = t * 2
        t = _even(t, n - 1)
    return t


def case_mutual(x: jax.Array):
    y = x
    y = _even(y, 4)
    return y


def _sort(t: jax.Array, low: int, high: int):
    if low >= high:
        return t
    pivot, i = float(t[high].item()), low
    for j in range(low, high):
        if float(t[j].item()) < pivot:
            t = t.at[jnp.array([i, j])].set(t[jnp.array([j, i])])
            i += 1
    t = t.at[jnp.array([i, high])].set(t[jnp.array([high, i])])
    t = _sort(t, low, i - 1)
    return _sort(t, i + 1, high)


def case_quicksort(v: jax.Array):
    y = jnp.concatenate([v, v * 2, v - 1])
    y = _sort(y, 0, len(y) - 1)
    return y


def _halves(t: jax.Array):
    if t.shape[0] <= 1:
        t += 1
        return t
    t = t.at[: t.shape[0] // 2].set(_halves(t[: t.shape[0] // 2]))
    t = t.at[t.shape[0] // 2 :].set(_halves(t[t.shape[0] // 2 :]))
    return t


def case_halves(x: jax.Array):
    y = jnp.concatenate([x, x])
    y = _halves(y)
    return y


def _owner(t: jax.Array, n: int) -> jax.Array:
    t = t - 1
    return t if n == 0 else _owner(t * 2, n - 1)


# unchanged
def case_owner(x):
    return _owner(x + 1, 2)


def _copying(t: jax.Array, n: int) -> jax.Array:
    if n == 0:
        return t
    u = t
    u = u.at[0].add(1)
    return _copying(u, n - 1)


# unchanged
def case_copying(x):
    y = _copying(x, 2)
    return x, y

"""In-place operations on names."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.indexing import expand


def case_augmented():
    x = jnp.array([1.0, 2.0])
    x += 1
    return x


def case_method_of_argument_copy(x: jax.Array):
    x = x * 2 + 1
    return x


# unchanged
def case_dictionary():
    counts = {}
    counts["a"] = 1
    counts["a"] += 2
    return counts


# random
def case_noise(x: jax.Array, *, key):
    return x + jax.random.normal(key, x.shape, x.dtype)


def case_refused(x: jax.Array):
    b = expand(x[0], 2, -1)
    # torch2jax: T2J300 `case_refused` changes its argument `b` in place, and its callers would not see the change
    b[0] = 1  # T2J300
    return b

"""torch.Tensor, torch.FloatTensor and their like: sizes, or data; and what is filled where it is made."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.open_receivers import legacy_tensor


class Graph(eqx.Module):
    weight: jax.Array
    bias: jax.Array
    shift: jax.Array

    def __init__(self, in_features, out_features, bias=True):
        self.weight = jnp.empty((in_features, out_features), dtype=jnp.float32)
        self.bias = jnp.empty(out_features, dtype=jnp.float32) if bias else None
        self.shift = jnp.array([0.5])
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.weight.shape[1])
        self.weight = jnp.full_like(self.weight, bound)
        if self.bias is not None:
            self.bias = jnp.full_like(self.bias, -bound)

    def __call__(self, x, adjacency):
        y = adjacency @ (x @ self.weight) + self.shift
        return y if self.bias is None else y + self.bias


def case_layer(x, square):
    return Graph(3, 4)(square, square), Graph(3, 2, bias=False)(square, square)


def case_data(n):
    numbers = jnp.array([1, 2], dtype=float), jnp.array([[1.5, 2], [n, 0]], dtype=float), jnp.array((2, 3), dtype=float), jnp.empty(0)
    whole = jnp.array([1, 2], dtype=int), jnp.array((3, 4), dtype=jnp.int32), jnp.array([1, 0], dtype=jnp.uint8), jnp.array([True, False], dtype=bool)
    return numbers, whole


def case_sizes(x, n: int):
    a = jnp.full((2, 3), 0.5)
    b = jnp.zeros(x.shape)
    c = jnp.full((n, 2), 7, dtype=int)
    d = jnp.full(n, n, dtype=float)
    return (
        a,
        b,
        c,
        d,
        jnp.empty((x.shape[0], 1)).shape,
        jnp.full(3, 1.0, dtype=float),
        jnp.zeros((2, 2), dtype=jnp.int8),
    )


def case_filled_where_made(x, n):
    a = jnp.full((2, 3), 1.0), jnp.full(2, n, dtype=int), jnp.zeros_like(x)
    return a, jnp.full(3, n, dtype=float), jnp.full((2, 2), 2, dtype=x.dtype), jnp.full(2, 0, dtype=bool)


# random
def case_drawn(n, *, key):
    draw_key, draw_key_1, draw_key_2 = jax.random.split(key, 3)
    return jax.random.uniform(draw_key, (40, n), minval=-1, maxval=1), jax.random.normal(draw_key_1, 80), jax.random.randint(draw_key_2, 80, 0, 5).astype(int)


def case_of_a_tensor(x: jax.Array):
    return x


def length_or_data(width):
    return legacy_tensor(width)


def length(width):
    return jnp.empty(width)


def case_length():
    return jnp.full_like(length(3), 1)


def typed(x: jax.Array, y: jax.Array) -> jax.Array:
    return x + y


def case_annotations(x, n: int):
    return typed(x, jnp.full(n, 0.5).sum())

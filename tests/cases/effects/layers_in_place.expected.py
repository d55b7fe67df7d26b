"""Layers that are made with `inplace=True` change nothing when they are made, whatever their other arguments."""

from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.activations import hardtanh, leaky_relu, threshold
from torch2jax.runtime.batching import batched
from torch2jax.runtime.parameters import set_parameters


class Net(eqx.Module):
    act: eqx.nn.Lambda
    main: eqx.nn.Sequential
    rest: list[eqx.Module]

    def __init__(self, slope=0.2, *, key):
        main_key, main_key_1 = jax.random.split(key)
        self.act = eqx.nn.Lambda(partial(leaky_relu, negative_slope=slope))
        self.main = eqx.nn.Sequential([
            eqx.nn.Linear(3, 4, key=main_key), eqx.nn.Lambda(partial(leaky_relu, negative_slope=0.2)), eqx.nn.Linear(4, 2, key=main_key_1), eqx.nn.Lambda(jax.nn.elu)])
        self.rest = [eqx.nn.Lambda(hardtanh), eqx.nn.Lambda(partial(threshold, threshold=0.1, value=slope))]
        set_parameters(lambda p: jnp.full_like(p, 0.25), self)

    def __call__(self, x):
        x = self.act(batched(self.main)(x))
        for layer in self.rest:
            x = layer(x)
        return x


def make(slope):
    return eqx.nn.Lambda(partial(leaky_relu, negative_slope=slope))


def case_layers(x, *, key):
    return Net(key=key)(x)


def case_made_by_a_function(x):
    slope = 0.3
    layer = make(slope)
    return layer(x * 1), slope


def case_function_with_another_argument(x):
    x = x * 1
    x = leaky_relu(x, negative_slope=0.2)
    return x

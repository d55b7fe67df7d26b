"""Parameters come in torch's order: those of a module itself before those of its parts; and `next` takes the first one."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.checkpoints import named_parameters, parameters
from torch2jax.runtime.parameters import set_parameters


class Net(eqx.Module):
    linear: eqx.nn.Linear
    scale: jax.Array
    parts: list[eqx.nn.Linear]

    def __init__(self, *, key):
        linear_key, parts_key, parts_key_1 = jax.random.split(key, 3)
        self.linear = eqx.nn.Linear(3, 2, key=linear_key)
        self.scale = jnp.full((4,), 2.0, dtype=float)
        self.parts = [eqx.nn.Linear(2, 5, key=parts_key), eqx.nn.Linear(5, 1, key=parts_key_1)]
        set_parameters(lambda p: jnp.full_like(p, 0.5), self)

    def first(self):
        return parameters(self)[0]

    def zeros(self, n):
        weight = parameters(self)[0]
        return jnp.zeros(n, weight.dtype).astype(jax.tree.leaves(eqx.filter(self, eqx.is_inexact_array))[0].dtype)


def case_shapes(*, key):
    model = Net(key=key)
    shapes = [tuple(p.shape) for p in parameters(model)]
    total = sum(p.size for p in jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array)))
    return shapes, list(parameters(model))[0], total, len(list(jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))))


def case_first(*, key):
    model = Net(key=key)
    name, value = named_parameters(model)[0]
    return model.first(), model.zeros(3), name, value, next(iter(parameters(model))), next(iter(parameters(model)), None)


def case_one_by_one(*, key):
    model = Net(key=key)
    found = iter(parameters(model))
    a = next(found)
    b = next(found)
    return a, b.shape, max(p.size for p in jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array)))


def case_loop(*, key):
    sizes = []
    for p in parameters(Net(key=key)):
        sizes.append(p.shape[0])
    return sizes

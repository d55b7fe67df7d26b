"""The parts of an nn.ModuleDict keep their order, where JAX sorts the keys of dictionaries."""

from collections import OrderedDict

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.checkpoints import parameters


class Net(eqx.Module):
    parts: dict

    def __init__(self, *, key):
        parts_key, parts_key_1 = jax.random.split(key)
        self.parts = OrderedDict({"b": eqx.nn.Linear(2, 5, key=parts_key), "a": eqx.nn.Linear(5, 1, key=parts_key_1)})


def case_first(*, key):
    return parameters(Net(key=key))[0].shape


def case_listed(*, key):
    return [p.shape for p in parameters(Net(key=key))]


def case_counted(*, key):
    model = Net(key=key)
    return sum(p.size for p in jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))), jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))[0].dtype == jnp.float32

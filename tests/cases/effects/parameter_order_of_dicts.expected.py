"""The order of the parts of an nn.ModuleDict is lost in JAX, which sorts the keys of dictionaries."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    parts: dict

    def __init__(self, *, key):
        parts_key, parts_key_1 = jax.random.split(key)
        self.parts = {"b": eqx.nn.Linear(2, 5, key=parts_key), "a": eqx.nn.Linear(5, 1, key=parts_key_1)}


def case_first(*, key):
    # torch2jax: T2J603 `Net().parameters` of modules has no translation yet
    return next(Net().parameters()).shape  # T2J603


def case_listed(*, key):
    # torch2jax: T2J603 `Net().parameters` of modules has no translation yet
    return [p.shape for p in Net().parameters()]  # T2J603


def case_counted(*, key):
    model = Net(key=key)
    return sum(p.size for p in jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))), jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))[0].dtype == jnp.float32

"""`apply` of the variable of a loop over modules."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.checkpoints import children, modules
from torch2jax.runtime.initializers import with_init


def set_layer(module):
    if isinstance(module, eqx.nn.Linear):
        module = eqx.tree_at(lambda m: m.weight, module, jnp.full_like(module.weight, 0.5))
    return module


class Parts(eqx.Module):
    first: eqx.nn.Linear

    def __init__(self, *, key):
        self.first = eqx.nn.Linear(3, 3, key=key)
        for m in children(self):
            # torch2jax: T2J200 `m.apply` has no translation yet: it changes a part of a model by another name: write `apply` of the whole model, or of the field
            m = m.apply(set_layer)  # T2J200


class Deep(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Sequential

    def __init__(self, *, key):
        first_key, second_key = jax.random.split(key)
        self.first = eqx.nn.Linear(3, 3, key=first_key)
        self.second = eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=second_key)])
        for m in children(self):
            for k in modules(m):
                # torch2jax: T2J303 `k` is changed in place and may be shared with `m`
                k = set_layer(k)  # T2J303
        self.second = with_init(self.second, set_layer)

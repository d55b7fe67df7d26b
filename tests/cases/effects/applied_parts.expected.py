"""`apply` of the variable of a loop over modules."""

import equinox as eqx
import jax.numpy as jnp
from torch2jax.runtime.checkpoints import children
from torch2jax.runtime.parallel import first


def set_layer(module):
    if isinstance(module, eqx.nn.Linear):
        module = eqx.tree_at(lambda m: m.weight, module, jnp.full_like(module.weight, 0.5))
    return module


class Parts(eqx.Module):
    first: eqx.nn.Linear

    def __init__(self, *, key):
        self.first = eqx.nn.Linear(3, 3, key=key)
        for m in children(self):
            # torch2jax: T2J200 `m.apply` has no translation yet: it changes the modules that a loop runs through: write `apply` of the whole model
            m = m.apply(set_layer)  # T2J200

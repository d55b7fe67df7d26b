"""`apply` of the variable of a loop over modules."""

import equinox as eqx
import jax
import jax.numpy as jnp
from torch2jax.runtime.initializers import with_init
from torch2jax.runtime.module_loops import map_modules, set_children


def set_layer(module):
    if isinstance(module, eqx.nn.Linear):
        module = eqx.tree_at(lambda m: m.weight, module, jnp.full_like(module.weight, 0.5))
    return module


class Parts(eqx.Module):
    first: eqx.nn.Linear

    def __init__(self, *, key):
        self.first = eqx.nn.Linear(3, 3, key=key)

        def init_layer(m):
            return with_init(m, set_layer)

        set_children(init_layer, self)


class Deep(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Sequential

    def __init__(self, *, key):
        first_key, second_key = jax.random.split(key)
        self.first = eqx.nn.Linear(3, 3, key=first_key)
        self.second = eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=second_key)])

        def init_layer(m):
            def update_layer(k):
                return set_layer(k)

            return map_modules(update_layer, m)

        set_children(init_layer, self)
        self.second = with_init(self.second, set_layer)

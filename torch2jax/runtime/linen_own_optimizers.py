"""Optimizers that a program writes itself, for the parameters of modules of Flax Linen."""

from torch2jax.runtime.linen_modules import Store
from torch2jax.runtime.linen_parameter_groups import paths_of_members
from torch2jax.runtime.linen_training import Optimizer, stores_in
from torch2jax.runtime.own_optimizers import with_fixed_options


class OwnOptimizer(Optimizer):
    """torch.optim.Optimizer: what it keeps of a parameter is there from its first step on."""

    def __init__(self, model, transformation):
        stores = stores_in(model)
        frozen = [store.frozen for store in stores]
        for store in stores:
            store.frozen = frozenset()  # some may be trained later
        state = with_fixed_options(transformation.init(model, paths_of_members))
        for store, places in zip(stores, frozen):
            store.frozen = places
        self.store = Store({"opt_state": state}, transformation)

"""Optimizers that a program writes itself, which hold the state of the parameters of modules of Flax NNX."""

import jax
import jax.numpy as jnp
from flax import nnx

from torch2jax.runtime.nnx_checkpoints import FrozenParam
from torch2jax.runtime.own_optimizers import with_fixed_options


class OwnOptimizer(nnx.Optimizer):
    """torch.optim.Optimizer: what it keeps of a parameter is there from its first step on."""

    def __init__(self, model, tx):
        self.graph, self.wrt, self.tx = None, nnx.Param, tx
        self.step = nnx.OptState(jnp.array(0, jnp.uint32))
        every = nnx.state(model, nnx.Any(nnx.Param, FrozenParam))  # some may be trained later
        self.keep(with_fixed_options(tx.init(nnx.as_pure(every))))

    def keep(self, state):
        self.opt_state = nnx.data(jax.tree.map(nnx.OptArray, state))

    def update(self, model, grads):
        params = nnx.as_pure(nnx.state(model, nnx.Param))
        grads = nnx.as_pure(nnx.state(grads, nnx.Param))
        updates, state = self.tx.update(grads, nnx.as_pure(self.opt_state), params)
        nnx.update(model, jax.tree.map(lambda p, update: p if update is None else p + update, params, updates))
        self.keep(state)
        self.step[...] += 1

"""States of optimizers of Flax NNX in torch's form."""

import jax
from flax import nnx

from torch2jax.runtime.optimizer_states import load_optimizer_state


def restore_optimizer(optimizer, saved):
    """torch's optimizer.load_state_dict: the optimizer gets what was saved, the options of its groups among it."""
    state = load_optimizer_state(nnx.as_pure(optimizer.opt_state), saved)
    optimizer.opt_state = nnx.data(jax.tree.map(nnx.OptArray, state))

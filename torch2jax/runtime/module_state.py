"""State of modules beyond what `eqx.nn.State` keeps by itself."""

import equinox as eqx
import jax
import jax.numpy as jnp


def set_state(state, index, value):
    """`state.set(index, value)`, also where the value has another shape or structure than the one before (None, perhaps)."""
    old = state.get(index)
    value = jax.tree.map(jnp.asarray, value)
    return eqx.tree_at(lambda s: s.get(index), state, value, is_leaf=lambda node: node is old)

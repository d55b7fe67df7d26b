"""Constants of a model that torch keeps as buffers: saved with it, but not trained."""

import equinox as eqx
import jax
import numpy as np


def buffer(persistent=True):
    """A field that holds one of torch's buffers: not trained; not in the state dict either unless persistent."""
    return eqx.field(metadata={"buffer": True} if persistent else {"buffer": True, "torch_name": None})


def unregistered():
    """A field that holds tensors which are no parameters and no buffers: torch neither trains nor saves nor casts them."""
    return eqx.field(metadata={"buffer": True, "torch_name": None, "unregistered": True})


def frozen_parameter():
    """A field that holds a parameter made with requires_grad=False: not trained, but one of the parameters."""
    return eqx.field(metadata={"buffer": True, "parameter": True})


def is_buffer(module, name):
    """Whether a field of a module is not trained: of all modules of its class, or of those that say so in `buffer_names`."""
    marks = type(module).__dataclass_fields__[name].metadata
    return marks.get("buffer") or name in getattr(module, "buffer_names", ())


def trainable(model):
    """Which leaves of `model` are parameters (floating point, not in a `buffer` field), for `eqx.partition`."""

    def is_parameter(path, leaf):
        node = model
        for step in path:
            if isinstance(node, eqx.Module):
                if is_buffer(node, step.name):
                    return False
                node = getattr(node, step.name)
            else:
                node = node[step.key if isinstance(step, jax.tree_util.DictKey) else step.idx]
        return eqx.is_inexact_array(leaf) and not isinstance(leaf, np.ndarray)

    return jax.tree_util.tree_map_with_path(is_parameter, model)

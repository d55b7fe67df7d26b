"""Models of Equinox with parameters and buffers of another dtype."""

import equinox as eqx
import jax
import jax.numpy as jnp

from torch2jax.runtime.module_state import part_at, set_state


def is_unregistered(tree, path):
    """Whether what lies at a path of a model is no parameter and no buffer of torch's."""
    for step in path:
        marks = type(tree).__dataclass_fields__[step.name].metadata if isinstance(tree, eqx.Module) else {}
        if marks.get("unregistered"):
            return True
        tree = part_at(tree, step)
    return False


def cast_module(model, dtype, state=None):
    """torch's `model.to(dtype)`: the model (with `state`: the model and the state) with such floats; tied ones stay tied."""
    is_float = lambda x: eqx.is_array_like(x) and hasattr(x, "dtype") and jnp.issubdtype(x.dtype, jnp.floating)
    is_index = lambda x: isinstance(x, eqx.nn.StateIndex)
    renewed, indices = {}, []

    def cast(path, leaf):
        if is_unregistered(model, path):
            return leaf
        if is_index(leaf):
            indices.append(leaf)
            return leaf if state is not None else jax.tree.map(lambda x: x.astype(dtype) if is_float(x) else x, leaf)
        return renewed.setdefault(id(leaf), leaf.astype(dtype)) if is_float(leaf) else leaf

    cast_model = jax.tree_util.tree_map_with_path(cast, model, is_leaf=is_index)
    if state is None:
        return cast_model
    for index in indices:
        value = state.get(index)
        state = set_state(state, index, value.astype(dtype)) if is_float(value) else state
    return cast_model, state


def cast_own(module, dtype):
    """torch's `self.to(dtype)` inside `__init__`: what the module has by now gets another dtype."""
    marks = {name: field.metadata for name, field in type(module).__dataclass_fields__.items()}
    own = {name: value for name, value in vars(module).items() if not marks[name].get("unregistered")}
    for name, value in cast_module(own, dtype).items():
        setattr(module, name, value)

"""State of modules beyond what `eqx.nn.State` keeps by itself."""

import dataclasses
import functools

import equinox as eqx
import jax
import jax.numpy as jnp


class FirstState:
    """The state of a module that `__init__` is making: each field holds what it has been made with."""

    def get(self, index):
        return index.init


def state_so_far(module):
    """The state of a module that `__init__` is making, which a call in it may change: see `keep_state`."""
    return eqx.nn.State(vars(module))


def keep_state(module, state):
    """The fields of a module that `__init__` is making start with what a call in it has made of its state."""
    kept = lambda x: eqx.tree_at(lambda i: i.init, x, state.get(x)) if isinstance(x, eqx.nn.StateIndex) else x
    for name, value in list(vars(module).items()):
        setattr(module, name, jax.tree.map(kept, value, is_leaf=lambda x: isinstance(x, eqx.nn.StateIndex)))


def made_with_state(make):
    """What gives a module and its state: a function that does, or else a class of modules, or a function that gives one."""

    def build(*args, **kwargs):
        made = make(*args, **kwargs)
        return made if isinstance(made, tuple) else eqx.nn.make_with_state(lambda: made)()

    return build


def set_state(state, index, value):
    """`state.set(index, value)`, also where the value has another shape or structure than the one before (None, perhaps)."""
    old = state.get(index)
    value = jax.tree.map(jnp.asarray, value)
    return eqx.tree_at(lambda s: s.get(index), state, value, is_leaf=lambda node: node is old)


def is_training(model, default=None):
    """torch's `model.training`: the mode that the model, or the first of its parts that keeps one, is in."""
    if isinstance(getattr(model, "inference", None), bool):
        return not model.inference
    parts = jax.tree.leaves(model, is_leaf=lambda x: x is not model and isinstance(x, eqx.Module))
    for part in parts:
        if isinstance(part, eqx.Module) and part is not model:
            found = is_training(part, default="none")
            if found != "none":
                return found
    if default is None:
        raise ValueError("no part of this model keeps a mode")
    return default


def with_written(model, state):
    """The model with the values that methods of its modules have given to parameters, where torch puts them."""
    for path, flag in written_flags(model):
        module = functools.reduce(part_at, path[:-1], model)
        name = path[-1].name.removesuffix("_is_written")
        old = getattr(module, name)
        new = jnp.where(state.get(flag), state.get(getattr(module, f"written_{name}")), old)
        value = jax.lax.stop_gradient(new).astype(old.dtype) + (old - jax.lax.stop_gradient(old))
        place = functools.partial(functools.reduce, part_at, [*path[:-1], jax.tree_util.GetAttrKey(name)])
        model = eqx.tree_at(place, model, value)
    return model


def take_written(model, state):
    """`with_written`, and the state without such values."""
    model = with_written(model, state)
    for _, flag in written_flags(model):
        state = state.set(flag, jnp.zeros_like(state.get(flag)))
    return model, state


def written_flags(model):
    """The places in a model where its state holds whether a parameter has another value, with their paths."""
    leaves = jax.tree_util.tree_leaves_with_path(model, is_leaf=lambda node: isinstance(node, eqx.nn.StateIndex))
    return [(path, leaf) for path, leaf in leaves if getattr(path[-1], "name", "").endswith("_is_written")]


def part_at(node, step):
    """The part of a tree that one step of a path leads to."""
    match step:
        case jax.tree_util.GetAttrKey(name=name):
            return getattr(node, name)
        case jax.tree_util.DictKey(key=key):
            return node[key]
    return node[step.idx]


def set_fields(module, changed):
    """What a function has made of a module, for the module itself, whose `__init__` is running."""
    for name, value in vars(changed).items():
        setattr(module, name, value)


def with_attributes(module, **attributes):
    """The module with more attributes, which are constants: its class is one that is derived from the module's own."""
    noted = noting_class(type(module), tuple(sorted(attributes.items())))
    made = object.__new__(noted)
    for field in dataclasses.fields(module):
        if hasattr(module, field.name):
            object.__setattr__(made, field.name, getattr(module, field.name))
    return made


@functools.cache
def noting_class(cls, attributes):
    """A class like `cls`, with some attributes; the same for the same ones, since trees are compared by their classes."""
    return type(cls)(cls.__name__, (cls,), {"__module__": cls.__module__, "__doc__": cls.__doc__, **dict(attributes)})

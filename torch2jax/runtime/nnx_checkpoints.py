"""Parameters by torch's names: state dicts of Flax NNX models."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

from torch2jax.runtime.loading import IncompatibleKeys, fields_in_order, host_array


class FrozenParam(nnx.Variable):
    """A parameter made with requires_grad=False: not trained, but one of the parameters."""


class TorchVariable(NamedTuple):
    """A parameter or buffer of a model by torch's name."""

    name: str
    variable: Any
    is_parameter: bool


def in_torch_order(module):
    """`(name, value)` of the fields of a module, in the order in which they were first assigned, or that its class names.

    Compiled functions give modules back with sorted fields; their own record of what is data stays as it was."""
    if isinstance(module, nnx.List):
        return list(enumerate(module))
    held = vars(module)
    names = dict.fromkeys([*(name for name in module._pytree__nodes if name in held), *held])
    return [(name, held[name]) for name in fields_in_order(module, names)]


def torch_members(module):
    """`(torch name, value)` of the variables and modules that a module holds.

    torch has no names for streams of random numbers."""
    kinds, unnamed, members = (nnx.Variable, nnx.Module), getattr(type(module), "unnamed", ()), []
    for name, value in in_torch_order(module):
        if name in unnamed:
            members += torch_members(value)
        elif isinstance(value, kinds) and not isinstance(value, (nnx.RngState, nnx.RngStream, nnx.Rngs)):
            members.append((str(name), value))
    return members


def torch_variables(module, prefix="", persistent=True):
    """All parameters and buffers of a model as `TorchVariable`s, in the order of torch's state dict, tied ones at each place.

    Buffers that torch does not save are left out if `persistent`, and tensors that torch does not know always."""
    members = torch_members(module)
    variables = [(name, value) for name, value in members if isinstance(value, nnx.Variable)]
    variables = [(name, value) for name, value in variables if not value.get_metadata("unregistered", False)]
    kept = [(name, value) for name, value in variables if not (persistent and value.get_metadata("hidden", False))]
    found = [TorchVariable(prefix + name, value, isinstance(value, (nnx.Param, FrozenParam))) for name, value in kept]
    found.sort(key=lambda entry: not entry.is_parameter)
    for name, value in members:
        if isinstance(value, nnx.Module):
            found += torch_variables(value, f"{prefix}{name}.", persistent)
    return found


def state_dict(model):
    """torch's state_dict: NumPy arrays by torch's names."""
    return {name: host_array(variable[...]) for name, variable, _ in torch_variables(model)}


def load_state_dict(model, state_dict, strict=True):
    """torch's load_state_dict: the model gets the values of a torch state dict, by torch's names.

    Missing, unexpected and misshapen entries are one ValueError; strict=False allows the first two."""
    wanted, problems = {name: variable for name, variable, _ in torch_variables(model)}, []
    arrays = {name: host_array(value) for name, value in state_dict.items()}
    for name, variable in wanted.items():
        if name not in arrays:
            problems += [f"missing {name} {variable.shape}"] if strict else []
        elif arrays[name].shape != variable.shape:
            problems.append(f"misshapen {name}: {arrays[name].shape} in the file, {variable.shape} in the model")
    unexpected = [name for name in arrays if name not in wanted]
    problems += [f"unexpected {name} {arrays[name].shape}" for name in unexpected] if strict else []
    if problems:
        raise ValueError("the state dict does not fit the model:\n  " + "\n  ".join(sorted(problems)))
    for name, variable in wanted.items():
        if name in arrays:
            variable[...] = jnp.asarray(arrays[name], variable.dtype)


def each_once(entries):
    """Entries of variables, tied ones at the first of their places only."""
    found = {}
    for entry in entries:
        found.setdefault(id(entry.variable), entry)
    return list(found.values())


def incompatible_keys(model, state_dict):
    """The names that do not fit when a model loads a state dict.

    torch does not miss the counters of batches, which files of its first versions lack."""
    wanted = {name: None for name, _, _ in torch_variables(model)}
    missing = [n for n in wanted if n not in state_dict and not n.endswith("num_batches_tracked")]
    return IncompatibleKeys(missing, [name for name in state_dict if name not in wanted])


def named_parameters(model, recurse=True):
    """torch's named_parameters: `(name, array)` of the parameters that have a value, tied ones once."""
    found = {}
    for name, variable, is_parameter in torch_variables(model):
        if is_parameter and (recurse or "." not in name) and variable.get_value() is not None:
            found.setdefault(id(variable), (name, variable[...]))
    return list(found.values())


def trained_names(model):
    """The names of the parameters of a model whose `requires_grad` is true."""
    return {name for name, variable, _ in torch_variables(model) if isinstance(variable, nnx.Param)}


def parameters(model, recurse=True):
    """torch's parameters, tied ones once."""
    return [variable for _, variable in named_parameters(model, recurse)]


def named_children(module):
    """torch's named_children: `(name, module)` of the parts of a module, each once."""
    children = []
    for name, value in torch_members(module):
        if isinstance(value, nnx.Module) and not any(value is other for _, other in children):
            children.append((name, value))
    return children


def children(module):
    """torch's children: the parts of a module."""
    return [child for _, child in named_children(module)]


def named_modules(module, prefix="", memo=None):
    """torch's named_modules: `(name, module)` of a module, its parts, their parts, and so on, each once."""
    memo = set() if memo is None else memo
    if id(module) in memo:
        return []
    memo.add(id(module))
    found = [(prefix, module)]
    for name, child in named_children(module):
        found += named_modules(child, f"{prefix}.{name}" if prefix else name, memo)
    return found


def modules(module):
    """torch's modules: a module, its parts, their parts, and so on, each once."""
    return [part for _, part in named_modules(module)]


def named_buffers(model):
    """torch's named_buffers: `(name, array)` of the buffers, each once."""
    entries = each_once(torch_variables(model, persistent=False))
    return [(entry.name, entry.variable[...]) for entry in entries if not entry.is_parameter]


def buffers(model):
    """torch's buffers."""
    return [buffer for _, buffer in named_buffers(model)]


def tree_entries(tree):
    """The arrays of a state (of an optimizer, say) by their paths, to be stored with `save`."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(nnx.as_pure(tree))
    widened = lambda leaf: np.asarray(
        leaf, np.int64 if leaf.dtype == jnp.uint32 else leaf.dtype
    )  # as torch has no uint32
    return {jax.tree_util.keystr(path): widened(leaf) for path, leaf in leaves}


def restore_tree(tree, entries):
    """Such a state with the arrays that `tree_entries` collected."""
    wanted = tree_entries(tree)
    if wanted.keys() != entries.keys() or any(wanted[key].shape != np.shape(entries[key]) for key in wanted):
        raise ValueError("what was saved is not the state of such a tree: states that torch wrote cannot be read")
    restore = lambda path, leaf: jnp.asarray(entries[jax.tree_util.keystr(path)], leaf.dtype)
    return jax.tree_util.tree_map_with_path(restore, nnx.as_pure(tree))

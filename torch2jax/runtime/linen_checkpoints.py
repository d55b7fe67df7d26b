"""Parameters by torch's names: state dicts of Flax Linen models."""

import inspect
from collections.abc import Mapping
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn

from torch2jax.runtime.linen_modules import as_model, each_part, field_names, is_bound, parts_of, place_of, set_variable
from torch2jax.runtime.loading import IncompatibleKeys, host_array


class TorchVariable(NamedTuple):
    """A parameter or buffer of a model: torch's name, and its collection and the scopes on the way to it."""

    name: str
    place: tuple
    kind: str


def torch_variables(module, prefix=""):
    """All parameters and buffers of a module that has its variables, in the order of torch's state dict."""
    parts, kinds = parts_of(module), ("params", "frozen", "batch_stats", "buffers")
    values = {kind: module.variables.get(kind, {}) for kind in kinds}
    held = [(name, getattr(module, name)) for name in field_names(module)]
    fields = [key for name, value in held for key in (name, *(value if isinstance(value, Mapping) else ()))]
    is_array = lambda value: value is not None and not hasattr(value, "items")
    places = [(kind, name) for kind in kinds for name, value in values[kind].items() if is_array(value)]
    is_buffer = lambda place: place[0] not in ("params", "frozen")
    rank = lambda name: fields.index(name) if name in fields else len(fields)
    places.sort(key=lambda place: (is_buffer(place), rank(place[1])))
    found = [TorchVariable(prefix + name, place_of(module, name), kind) for kind, name in places]
    for path, part in parts:
        found += torch_variables(part, prefix + torch_prefix(module, path))
    return found


def torch_prefix(module, path):
    """torch's name of a part, followed by a dot: those in a sequence have numbers only."""
    steps = path[1:] if path[0] in unnamed_fields(module) else path
    return "".join(f"{step}." for step in steps)


def unnamed_fields(module):
    """The fields of a sequence that torch's names leave out."""
    return ("layers",) if isinstance(module, nn.Sequential) else getattr(module, "unnamed", ())


def entries_of(model):
    """The parameters and buffers of a model, or of a list or dict of parts, those in several places at each of them."""
    if not isinstance(model, nn.Module):
        named = [(".".join(map(str, path)), part) for path, part in each_part(model)]
        return [entry._replace(name=f"{name}.{entry.name}") for name, part in named for entry in entries_of(part)]
    return model.look(torch_variables) if is_bound(model) else torch_variables(model)


def value_at(model, place):
    """The array of a variable of a model, or of a module that is being used."""
    model = model if isinstance(model, nn.Module) else each_part(model)[0][1]
    if is_bound(model):
        return model.get(place)
    value = model.scope.root.variables()
    for name in place:
        value = value[name]
    return value


def each_once(entries):
    """The entries, tied ones at the first of their places."""
    found = {}
    for entry in entries:
        found.setdefault(entry.place, entry)
    return list(found.values())


def is_parameter(entry):
    """Whether a variable is a parameter of torch's: trained, or made with requires_grad=False."""
    return entry.kind in ("params", "frozen")


def state_dict(model):
    """torch's state_dict: NumPy arrays by torch's names."""
    return {entry.name: host_array(value_at(model, entry.place)) for entry in entries_of(model)}


def load_state_dict(model, state_dict, strict=True):
    """torch's load_state_dict: the model gets the values of a torch state dict, by torch's names.

    Missing, unexpected and misshapen entries are one ValueError; strict=False allows the first two."""
    wanted, problems = {entry.name: entry.place for entry in entries_of(model)}, []
    arrays = {name: host_array(value) for name, value in state_dict.items()}
    for name, place in wanted.items():
        shape = model.get(place).shape
        if name not in arrays:
            problems += [f"missing {name} {shape}"] if strict else []
        elif arrays[name].shape != shape:
            problems.append(f"misshapen {name}: {arrays[name].shape} in the file, {shape} in the model")
    unexpected = [name for name in arrays if name not in wanted]
    problems += [f"unexpected {name} {arrays[name].shape}" for name in unexpected] if strict else []
    if problems:
        raise ValueError("the state dict does not fit the model:\n  " + "\n  ".join(sorted(problems)))
    for name, place in wanted.items():
        if name in arrays:
            model.put(place, jnp.asarray(arrays[name], model.get(place).dtype))


def incompatible_keys(model, state_dict):
    """The names that do not fit when a model loads a state dict.

    torch does not miss the counters of batches, which files of its first versions lack."""
    wanted = [entry.name for entry in entries_of(model)]
    missing = [n for n in wanted if n not in state_dict and not n.endswith("num_batches_tracked")]
    return IncompatibleKeys(missing, [name for name in state_dict if name not in wanted])


def named_parameters(model, recurse=True):
    """torch's named_parameters: `(name, array)` of the parameters, tied ones once."""
    entries = [entry for entry in each_once(entries_of(model)) if is_parameter(entry)]
    return [(entry.name, value_at(model, entry.place)) for entry in entries if recurse or "." not in entry.name]


def parameters(model, recurse=True):
    """torch's parameters, tied ones once."""
    return [array for _, array in named_parameters(model, recurse)]


def trained_names(model):
    """The names of the parameters of a model whose `requires_grad` is true."""
    return {entry.name for entry in entries_of(model) if is_trained_in(model, entry)}


def is_trained_in(model, entry):
    """Whether a variable is a parameter of which a loss gets gradients."""
    return entry.kind == "params" and not (is_bound(model) and entry.place[1:] in model.store.frozen)


def named_buffers(model):
    """torch's named_buffers: `(name, array)` of the buffers, each once."""
    return [
        (entry.name, value_at(model, entry.place)) for entry in each_once(entries_of(model)) if not is_parameter(entry)
    ]


def buffers(model):
    """torch's buffers."""
    return [buffer for _, buffer in named_buffers(model)]


def named_children(model):
    """torch's named_children: `(name, module)` of the parts of a module, lists and dicts of parts among them, each once."""
    if not isinstance(model, nn.Module):
        pairs = model.items() if hasattr(model, "items") else enumerate(model)
        return [
            (str(key), part) for key, part in pairs if each_part(part)
        ]  # functions, such as activations, are no parts
    if not is_bound(model):
        return [(name, part) for name, _, part in direct_parts(model)]
    named = lambda part, path: model.bound(part, (*model.path, *path))
    return model.look(lambda module: [(name, named(part, path)) for name, path, part in direct_parts(module)])


def direct_parts(module):
    """torch's names of the parts of a module, the ways to them and the parts, each at the first of its places."""
    found = {}
    for path, part in parts_of(module):
        name = torch_prefix(module, path)[:-1]
        if not name:  # a sequence that the module is itself for torch
            for inner, rest, item in direct_parts(part):
                found.setdefault(getattr(item, "path", ("in", inner)), (inner, (*path, *rest), item))
        elif len(path) > 1 and path[0] not in unnamed_fields(module):
            found.setdefault(("in", path[0]), (path[0], path[:1], getattr(module, path[0])))
        else:
            found.setdefault(place_of_part(part), (name, path, part))
    return list(found.values())


def place_of_part(part):
    """The scopes of a part, by which it is known in all places that it has in a model; of a list or dict those of all in it."""
    if not isinstance(part, nn.Module):
        return ("in", *(place_of_part(inner) for _, inner in named_children(part)))
    if not is_bound(part) and part.scope is None:  # it has been made, and is no part yet
        return ("made", id(part))
    return part.scope_path if is_bound(part) else part.path


def children(model):
    """torch's children: the parts of a module."""
    return [child for _, child in named_children(model)]


def named_modules(model, prefix=""):
    """torch's named_modules: `(name, module)` of a module, its parts, their parts, and so on."""
    found = {place_of_part(model): (prefix, model)}
    for name, child in named_children(model):
        for inner, part in named_modules(child, f"{prefix}.{name}" if prefix else name):
            found.setdefault(place_of_part(part), (inner, part))
    return list(found.values())


def modules(model):
    """torch's modules: a module, its parts, their parts, and so on."""
    return [part for _, part in named_modules(model)]


def tree_entries(tree):
    """The arrays of a state (of an optimizer, say) by their paths, to be stored with `save`."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
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
    return jax.tree_util.tree_map_with_path(restore, tree)


def values_beside(model, entries, other):
    """The values that belong to parameters of a model: its gradients, the parameters of another model, or of a list of parts, or
    the items of a list."""
    if each_part(other):
        return parameters(other)
    if isinstance(other, dict):
        held = as_model(model, other)
        return [held.get(entry.place) if is_trained_in(model, entry) else None for entry in entries]
    return other


def map_parameters(function, model, *others, named=False, key=None):
    """`function(p, ...)` in the place of each parameter p of a model, which is given back.

    The function is given the parameters of the other models (or the items of lists) beside it; if `named` the name of the
    parameter first; with a key one of its own."""
    own = [entry for entry in each_once(entries_of(model)) if is_parameter(entry)]
    columns = [values_beside(model, own, other) for other in others]
    for number, (entry, *row) in enumerate(zip(own, *columns)):
        names, given = (entry.name,) if named else (), {} if key is None else {"key": jax.random.fold_in(key, number)}
        old = value_at(model, entry.place)
        put_at(model, entry, jnp.asarray(function(*names, old, *row, **given), old.dtype))
    return model


def map_gradients(function, grads, model, *others, named=False, key=None):
    """`grads` with `function(grad, p, ...)` in the place of the gradient of each parameter p of a model.

    The items of the others are given beside it; if `named` the name of the parameter first; with a key one of its own. What has
    no gradient stays without."""
    held = as_model(model, grads)
    own = [entry for entry in each_once(entries_of(model)) if is_parameter(entry)]
    columns = [values_beside(model, own, other) for other in others]
    for number, (entry, *row) in enumerate(zip(own, *columns)):
        if is_trained_in(model, entry) and (grad := held.get(entry.place)) is not None:
            names, given = (
                (entry.name,) if named else (),
                {} if key is None else {"key": jax.random.fold_in(key, number)},
            )
            value = function(*names, grad, value_at(model, entry.place), *row, **given)
            held.put(entry.place, jnp.asarray(value, grad.dtype))
    return held.get(("params", *held.scope_path))


def set_parameters(function, module, *others, named=False, key=None):
    """The same inside of `setup`, for the parameters that the module has by now."""
    map_parameters(function, module, *others, named=named, key=key)


def put_at(model, entry, value):
    """Give a parameter of a model, or of a module that is being used, another value."""
    if is_bound(model):
        model.put(entry.place, value)
        return
    *steps, name = entry.name.split(".")
    set_variable(dict(named_modules(model))[".".join(steps)], name, value)


def apply_to_modules(model, function, *, key=None):
    """torch's `model.apply(function)`: the function is given each part of a model, then the model itself."""
    takes_key = "key" in inspect.signature(function).parameters
    for number, part in enumerate(parts_first(model)):
        function(part, **({"key": jax.random.fold_in(key, number)} if takes_key else {}))
    return model


def parts_first(model):
    """The parts of a module, each behind its own parts, and the module."""
    return [part for child in children(model) for part in parts_first(child)] + [model]

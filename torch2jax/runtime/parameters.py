"""All parameters of a model given other values, one by one, as loops over `model.parameters()` do."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from torch2jax.runtime.buffers import is_buffer
from torch2jax.runtime.checkpoints import follow_path, parameters, torch_entries


def map_parameters(function, model, *others, named=False, key=None):
    """`model` with `function(p, ...)` in the place of each parameter p.

    The function is given the parameters of the other models (or the items of lists) beside it; if `named` the name of the
    parameter first; with a key one of its own."""
    entries = [entry for entry in torch_entries(model) if entry.is_parameter]
    columns = [[entry.value.reshape(entry.shape) for entry in entries]]
    for other in others:
        has_modules = isinstance(other, list) and any(isinstance(part, eqx.Module) for part in other)
        if isinstance(other, eqx.Module) or has_modules:
            other = [entry.value.reshape(entry.shape) for entry in torch_entries(other) if entry.is_parameter]
        columns.append(other)
    values = []
    for entry, *row in zip(entries, *columns):
        names = (entry.name,) if named else ()
        if key is None:
            value = function(*names, *row)
        else:
            key, subkey = jax.random.split(key)
            value = function(*names, *row, key=subkey)
        shared = any(value is given for given in row[1:])  # two models may not hold one array: steps donate them
        value = (jnp.copy(value) if shared else value).astype(entry.value.dtype)
        values.append(value.reshape(entry.value.shape))
    paths = [entry.path for entry in entries[: len(values)]]
    return eqx.tree_at(lambda m: [follow_path(m, path) for path in paths], model, values) if values else model


def map_gradients(function, grads, model, *others, named=False, key=None):
    """`grads` with `function(grad, p, ...)` in the place of the gradient of each parameter p of a model.

    The items of the others are given beside it; if `named` the name of the parameter first; with a key one of its own. What has
    no gradient stays without."""
    entries = [entry for entry in torch_entries(model) if entry.is_parameter]
    columns = [parameters(other) if isinstance(other, eqx.Module) else other for other in others]
    paths, values = [], []
    for number, (entry, *row) in enumerate(zip(entries, *columns)):
        grad = follow_path(grads, entry.path)
        if grad is not None:
            names, given = (
                (entry.name,) if named else (),
                {} if key is None else {"key": jax.random.fold_in(key, number)},
            )
            value = function(*names, grad.reshape(entry.shape), entry.value.reshape(entry.shape), *row, **given)
            values.append(value.astype(grad.dtype).reshape(grad.shape))
            paths.append(entry.path)
    return eqx.tree_at(lambda g: [follow_path(g, path) for path in paths], grads, values) if values else grads


def set_parameters(function, module, *others, named=False, key=None):
    """The same inside `module.__init__`, for the parameters that the module has by now."""
    marks = {name: field.metadata for name, field in type(module).__dataclass_fields__.items()}
    is_marked = lambda name: is_buffer(module, name) and not marks[name].get("parameter")
    is_kept = lambda name, value: not (name in marks and is_marked(name)) and not isinstance(value, np.ndarray)
    fields = {name: value for name, value in vars(module).items() if is_kept(name, value)}
    fields = dict(
        sorted(fields.items(), key=lambda item: not eqx.is_array(item[1]))
    )  # its own before those of its parts
    for name, value in map_parameters(function, fields, *others, named=named, key=key).items():
        setattr(module, name, value)


def set_tied_parameters(function, module, *others, tied, named=False, key=None):
    """`set_parameters` where parameters may be one with an earlier one by now, as `(field, way from there, way to the first)`."""
    tied = [item for item in tied if item[1](getattr(module, item[0])) is item[2](module)]
    for field, where, _ in tied:
        setattr(module, field, eqx.tree_at(where, getattr(module, field), None))
    set_parameters(function, module, *others, named=named, key=key)
    for field, where, first in tied:
        value = eqx.tree_at(where, getattr(module, field), first(module), is_leaf=lambda x: x is None)
        setattr(module, field, value)

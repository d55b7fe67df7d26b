"""What functions of torch do to whole modules, for modules of Flax NNX."""

import inspect

import jax
from flax import nnx

from torch2jax.runtime.nnx_checkpoints import each_once, modules, parameters, torch_members, torch_variables


def apply_to_modules(model, function, *, rngs=None):
    """torch's `model.apply(function)`: the function is given each part of a model, then the model itself."""
    given = {"rngs": rngs} if "rngs" in inspect.signature(function).parameters else {}
    for part in parts_first(model):
        function(part, **given)
    return model


def is_training(model, default=None):
    """torch's `model.training`: the mode that the model, or the first of its parts that keeps one, is in."""
    modes = (getattr(module, "deterministic", None) for module in modules(model))
    mode = next((mode for mode in modes if isinstance(mode, bool)), None)
    if mode is None and default is None:
        raise ValueError("no part of this model keeps a mode")
    return default if mode is None else not mode


def parts_first(module):
    """The parts of a module, each behind its own parts, and the module."""
    found = []
    for _, value in torch_members(module):
        if isinstance(value, nnx.Module):
            found += [part for part in parts_first(value) if not any(part is other for other in found)]
    return [*found, module]


def checkpoint(function):
    """torch.utils.checkpoint: a module, a method or a function that computes its intermediate values again for gradients."""
    owner, plain = getattr(function, "__self__", None), getattr(function, "__func__", function)
    if isinstance(function, nnx.Module):
        owner, plain = function, type(function).__call__

    def call(*args, **kwargs):
        leaves, structure = jax.tree.flatten((args, kwargs))
        arrays = [leaf for leaf in leaves if isinstance(leaf, jax.Array)]

        def run(owner, arrays):
            given = iter(arrays)
            args, kwargs = structure.unflatten([next(given) if isinstance(x, jax.Array) else x for x in leaves])
            return plain(owner, *args, **kwargs) if owner is not None else plain(*args, **kwargs)

        return nnx.remat(run)(owner, arrays)

    return call


def values_beside(model, entries, other):
    """The values that belong to parameters of a model: its gradients, the parameters of another model, or the items of a list."""
    if isinstance(other, nnx.State):
        found = {name: variable[...] for name, variable, _ in torch_variables(as_module(model, other))}
        return [found[entry.name] for entry in entries]
    return parameters(other) if isinstance(other, nnx.Module) else other


def map_parameters(function, model, *others, named=False, rngs=None):
    """`function(p, ...)` in the place of each parameter p of a model, which is given back.

    The function is given the parameters of the other models (or the items of lists) beside it; if `named` the name of the
    parameter first; with a stream of random numbers a key of its own."""
    own = [entry for entry in each_once(torch_variables(model)) if entry.is_parameter]
    columns = [values_beside(model, own, other) for other in others]
    for entry, *row in zip(own, *columns):
        names, given = (entry.name,) if named else (), {} if rngs is None else {"rngs": rngs}
        value = function(*names, entry.variable[...], *row, **given)
        entry.variable.set_value(value.astype(entry.variable.dtype))
    return model


def set_parameters(function, module, *others, named=False, rngs=None):
    """The same inside `module.__init__`, for the parameters that the module has by now."""
    map_parameters(function, module, *others, named=named, rngs=rngs)


def as_module(model, grads):
    """A model that holds the gradients of another one in the places of its parameters."""
    graph, _, rest = nnx.split(model, nnx.Param, ...)
    return nnx.merge(graph, grads, rest)


def map_gradients(function, grads, model, *others, named=False, rngs=None):
    """`grads` with `function(grad, p, ...)` in the place of the gradient of each parameter p of a model.

    The items of the others are given beside it; if `named` the name of the parameter first; with a stream of random numbers that.
    What has no gradient stays without."""
    held = as_module(model, grads)
    own, beside = ([entry for entry in each_once(torch_variables(m)) if entry.is_parameter] for m in (model, held))
    columns = [values_beside(model, own, other) for other in others]
    for entry, of_grad, *row in zip(own, beside, *columns):
        grad = of_grad.variable.get_value()
        if isinstance(entry.variable, nnx.Param) and grad is not None:
            names, given = (entry.name,) if named else (), {} if rngs is None else {"rngs": rngs}
            value = function(*names, grad, entry.variable[...], *row, **given)
            of_grad.variable.set_value(value.astype(grad.dtype))
    return nnx.state(held, nnx.Param)


def pullback(function, model, *others, has_aux=False):
    """The value of a function of a model, or of a tuple of some, and what takes a gradient of it on to their parameters.

    The model and the objects among the `others` change as they do when the function is called."""
    is_object = lambda x: isinstance(x, (nnx.Pytree, nnx.Variable))
    is_own = lambda path, value: path[0] == 0 and isinstance(value, nnx.Param)
    objects = (model, *filter(is_object, others))
    graph, params, rest = nnx.split(objects, is_own, ...)
    params = params[0]
    if isinstance(model, tuple):
        params = tuple(params[number] for number in range(len(model)))

    def compute(params):
        held = nnx.State(dict(enumerate(params))) if isinstance(model, tuple) else params
        model_copy, *own = copies = nnx.merge(graph, nnx.State({0: held}), rest, copy=True)
        given = iter(own)
        result = function(model_copy, *(next(given) if is_object(x) else x for x in others))
        value, aux = result if has_aux else (result, None)
        return value, (aux, nnx.state(copies, nnx.Not(is_own)))

    value, vjp, (aux, changed) = jax.vjp(compute, params, has_aux=True)
    nnx.update(objects, changed)
    return (value, vjp, aux) if has_aux else (value, vjp)


def input_pullback(function, models, *inputs, has_aux=False):
    """`jax.vjp` of a function that is given models first, by what it is given behind them.

    The models change as they do when the function is called."""
    graph, params, rest = nnx.split(models, nnx.Param, ...)

    def compute(*inputs):
        copies = nnx.merge(graph, params, rest, copy=True)
        result = function(*copies, *inputs)
        value, aux = result if has_aux else (result, None)
        return value, (aux, nnx.state(copies, nnx.Not(nnx.Param)))

    value, vjp, (aux, changed) = jax.vjp(compute, *inputs, has_aux=True)
    nnx.update(models, changed)
    return (value, vjp, aux) if has_aux else (value, vjp)

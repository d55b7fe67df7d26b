"""Equinox layers, which take one example, applied to batches as torch does it."""

import inspect
import math

import equinox as eqx
import jax

from torch2jax.runtime.keys import split_key


def example_ndim(layer, x):
    """How many trailing axes of `x` are one example of an Equinox layer; None for whatever takes the whole batch."""
    if not isinstance(layer, eqx.Module) or not type(layer).__call__.__module__.startswith("equinox."):
        return None
    match layer:
        case eqx.nn.Embedding():
            return 0
        case eqx.nn.Linear():
            return 1
        case eqx.nn.LayerNorm() | eqx.nn.RMSNorm():
            return len(layer.shape)
        case eqx.nn.GroupNorm():
            return x.ndim - 1
        case eqx.nn.Conv() | eqx.nn.ConvTranspose() | eqx.nn.Pool():
            return layer.num_spatial_dims + 1
        case eqx.nn.AdaptivePool():
            return len(layer.target_shape) + 1
    return None


def refuse_state(layer, *args, **kwargs):
    """Raise a TypeError for a module that keeps state, where none is passed."""
    signature = inspect.signature(layer)
    takes = signature.parameters.get("state")
    if takes and takes.default is takes.empty and "state" not in signature.bind_partial(*args, **kwargs).arguments:
        name = type(layer).__name__
        raise TypeError(
            f"{name} keeps state, which has to be passed with it and taken back: `y, state = model(x, state)`. "
            f"Annotate the parameter that holds the module with its class and translate again"
        )


def batched(layer):
    """Apply `layer` to a batch: Equinox's own layers over all leading axes (flattened: one matrix product), an
    `eqx.nn.Sequential` member by member, anything else as it is. With `state`, returns `(y, state)`."""

    def apply(x, state=None, *, key=None):
        if state is not None:
            return batched_with_state(layer, x, state, key)
        if isinstance(layer, eqx.nn.Sequential) and type(layer).__call__ is eqx.nn.Sequential.__call__:
            for sublayer, subkey in zip(layer.layers, split_key(key, len(layer.layers))):
                x = batched(sublayer)(x, key=subkey)
            return x
        ndim = example_ndim(layer, x)
        if ndim is not None:
            leading, example = x.shape[: x.ndim - ndim], x.shape[x.ndim - ndim :]
            y = jax.vmap(layer)(x.reshape(math.prod(leading), *example))
            return y.reshape(*leading, *y.shape[1:])
        refuse_state(layer, x)
        draws = key is not None and "key" in inspect.signature(layer).parameters
        return layer(x, key=key) if draws else layer(x)

    return apply


def batched_with_state(layer, x, state, key):
    """`batched(layer)(x)` and the state after it."""
    if isinstance(layer, eqx.nn.Sequential) and type(layer).__call__ is eqx.nn.Sequential.__call__:
        for sublayer, subkey in zip(layer.layers, split_key(key, len(layer.layers))):
            x, state = batched_with_state(sublayer, x, state, subkey)
        return x, state
    takes = {} if example_ndim(layer, x) is not None else inspect.signature(layer).parameters
    is_first = [p.kind for p in takes.values()][1:2] == [inspect.Parameter.VAR_POSITIONAL]  # `forward(*args)`
    if not {"state", "module_state"}.isdisjoint(list(takes)[not is_first :]):  # else `state` is what it is applied to
        args = (state, x) if is_first else (x, state)
        return layer(*args, key=key) if key is not None and "key" in takes else layer(*args)
    return batched(layer)(x, key=key), state


def call(layer, *args, key=None, **kwargs):
    """`layer(*args, **kwargs)` for a module or function of any class that keeps no state: Equinox's own layers take a batch
    here, and only what draws is given the key."""
    if len(args) == 1 and not kwargs and isinstance(layer, eqx.Module):
        if isinstance(layer, eqx.nn.Sequential) or example_ndim(layer, *args) is not None:
            return batched(layer)(*args, key=key)
    takes = inspect.signature(layer).parameters
    refuse_state(layer, *args, **kwargs)
    return layer(*args, **kwargs, **({"key": key} if "key" in takes else {}))


def position_of_state(takes, args, kwargs, keeps_state, is_module):
    """Where a module, method or function is passed the state, None where it takes none: `state` may be an argument of its own."""
    if keeps_state and [p.kind for p in takes.values()][1:2] == [inspect.Parameter.VAR_POSITIONAL]:
        return 0  # `forward(*args)` takes the state first
    required = [n for n, p in takes.items() if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    if "module_state" in required:
        return list(takes).index("module_state")
    given = min(len(args), len(required)) + sum(n in required for n in kwargs)
    is_missing = len(required) > given or (keeps_state and is_module)
    return list(takes).index("state") if "state" in required and is_missing else None


def call_with_state(layer, *args, state, key=None, **kwargs):
    """`y, state = layer(*args, **kwargs)` for a module, method or function of any class: the state goes through what keeps
    some, and the key to what draws."""
    if len(args) == 1 and not kwargs and isinstance(layer, eqx.Module):
        if isinstance(layer, eqx.nn.Sequential) or example_ndim(layer, *args) is not None:
            return batched(layer)(*args, state, key=key)
    takes, owner = inspect.signature(layer).parameters, getattr(layer, "__self__", layer)
    draws = {n: key for n in ("key", "rng_key") if n in takes and takes[n].kind is inspect.Parameter.KEYWORD_ONLY}
    position = position_of_state(takes, args, kwargs, isinstance(owner, eqx.nn.StatefulLayer), layer is owner)
    if position is None:
        return layer(*args, **kwargs, **draws), state
    if position > len(args):
        result = layer(*args, **kwargs, **draws, **{list(takes)[position]: state})
    else:
        result = layer(*args[:position], state, *args[position:], **kwargs, **draws)
    gives = isinstance(result, tuple) and result and isinstance(result[-1], eqx.nn.State)
    return result if gives else (result, state)

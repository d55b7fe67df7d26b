"""Functions whose results have no gradient."""

import functools

import jax
import numpy as np


def without_gradient(function):
    """torch.no_grad as a decorator: what a function makes is constant, and an array that it was given and hands back is not."""

    @functools.wraps(function)
    def constant(*args, **kwargs):
        given = {id(leaf) for leaf in jax.tree.leaves((args, kwargs))}
        return as_constants(function(*args, **kwargs), given)

    return constant


def as_constants(tree, kept=()):
    """A tuple, list or dict of arrays without their gradients, but for those whose ids are in `kept`; all else as it is."""
    if isinstance(tree, jax.Array):
        return tree if id(tree) in kept else jax.lax.stop_gradient(tree)
    if isinstance(tree, dict):
        return type(tree)((key, as_constants(value, kept)) for key, value in tree.items())
    if isinstance(tree, (list, tuple)):
        parts = [as_constants(part, kept) for part in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return tree


def plain_number(x):
    """A number of NumPy as one of Python's, which is part of compiled code; anything else as it is."""
    return x.item() if isinstance(x, np.generic) else x


def with_data(x, values):
    """`x.data` gets other values: the gradient goes on to `x`, as if these had always been its own."""

    @jax.custom_jvp
    def keep(x, values):
        return values

    keep.defjvps(lambda tangent, result, x, values: tangent, None)
    return keep(x, values)

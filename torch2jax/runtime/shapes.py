"""Arguments that torch takes as one number or as one number per axis."""


def per_axis(value, ndim):
    """`value` as a tuple of `ndim` entries; a single number counts for every axis."""
    if isinstance(value, (tuple, list)):
        return tuple(value) * ndim if len(value) == 1 else tuple(value)
    return (value,) * ndim


def ntuple(x, n):
    """torch.nn.modules.utils._pair and its like: a number `n` times, or the elements of what has several."""
    return tuple(x) if hasattr(x, "__iter__") else (x,) * n


def fixed(value):
    """A size, or a tuple of the sizes that a list has."""
    return tuple(value) if isinstance(value, list) else value

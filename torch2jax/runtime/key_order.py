"""Dicts whose keys stay in order."""

from collections import OrderedDict


def in_order(tree):
    """A tree whose dicts are OrderedDicts: JAX sorts the keys of a dict, and leaves those of an OrderedDict as they are."""
    if isinstance(tree, dict):
        return OrderedDict((key, in_order(value)) for key, value in tree.items())
    if isinstance(tree, (list, tuple)):
        parts = map(in_order, tree)
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    return tree

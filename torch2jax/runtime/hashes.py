"""Objects that a model keeps and that are no arrays: compiled code knows them again by their hash."""

import argparse
import dataclasses


def hashable(options):
    """The same object, with a hash of its own where its class has none, as that of `argparse.parse_args()`."""
    kind = type(options)
    if kind.__hash__ is None and (isinstance(options, argparse.Namespace) or dataclasses.is_dataclass(options)):
        options.__class__ = type(kind.__name__, (kind,), {"__hash__": object.__hash__, "__module__": kind.__module__})
    return options

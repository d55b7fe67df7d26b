"""Objects that a model keeps and that are no arrays: compiled code knows them again by their hash."""

import argparse
import dataclasses
import types


class KeptOptions:
    """The fields of a `types.SimpleNamespace`, with a hash, which compiled code needs."""

    __slots__ = ("_kept",)

    def __init__(self, options):
        object.__setattr__(self, "_kept", options)

    def __getattr__(self, name):
        return getattr(object.__getattribute__(self, "_kept"), name)

    def __setattr__(self, name, value):
        setattr(self._kept, name, value)

    def __reduce__(self):
        return KeptOptions, (self._kept,)

    @property
    def __dict__(self):
        return vars(self._kept)


def hashable(options):
    """The same object, with a hash of its own where its class has none, as that of `argparse.parse_args()`."""
    kind = type(options)
    if kind is types.SimpleNamespace:  # no class can take the place of this one
        return KeptOptions(options)
    if kind.__hash__ is None and (isinstance(options, argparse.Namespace) or dataclasses.is_dataclass(options)):
        options.__class__ = type(kind.__name__, (kind,), {"__hash__": object.__hash__, "__module__": kind.__module__})
    return options

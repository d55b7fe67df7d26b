"""Objects that a model keeps and that are no arrays: compiled code knows them again by their hash."""

import types

import jax


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


def without_hash(options):
    """The object in the class that it had: what is saved, so that other programs find the class."""
    kind = type(options).__mro__[1]
    plain = kind.__new__(kind)
    if isinstance(options, dict):
        dict.update(plain, options)
    plain.__dict__.update(vars(options))
    return plain


def hashable(options):
    """The same object, with a hash of what it holds now where its class has none: `argparse.parse_args()`, a dict with attributes."""
    kind = type(options)
    if kind is types.SimpleNamespace:  # no class can take the place of this one
        return KeptOptions(options)
    is_of_python = kind.__flags__ & 1 << 9 and hasattr(
        options, "__dict__"
    )  # an object of a class of Python's may get another
    if kind.__hash__ is None and is_of_python and not isinstance(options, (list, set, jax.Array)):
        named = {
            "__hash__": lambda self: hash(repr((vars(self), dict(self) if isinstance(self, dict) else None))),
            "__reduce_ex__": lambda self, protocol: (hashable, (without_hash(self),)),
            "without_hash": without_hash,
            "__module__": kind.__module__,
        }
        object.__setattr__(options, "__class__", type(kind.__name__, (kind,), named))
    return options

"""What state dicts hold, and what loading one says."""

from typing import NamedTuple

import jax
import numpy as np


class IncompatibleKeys(NamedTuple):
    """What torch's load_state_dict gives back: names that the file lacks, and names that the model lacks."""

    missing_keys: list
    unexpected_keys: list

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    __str__ = __repr__


def host_array(value):
    """An entry of a state dict: a NumPy array, or what a compiled function computes with."""
    return value if isinstance(value, jax.core.Tracer) else np.asarray(value)


def fields_in_order(module, names):
    """The names of fields of a module, those that its class orders (`torch_order`) as torch registers them."""
    order = getattr(type(module), "torch_order", ())
    ordered = iter(sorted((name for name in names if name in order), key=order.index))
    return [next(ordered) if name in order else name for name in names]

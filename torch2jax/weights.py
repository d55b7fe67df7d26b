"""Files with weights: `.pt` of torch to `.safetensors`, and back; torch is not needed.

The reading and writing is the support code's own (`runtime.checkpoints`), which is loaded only here, by its name: it needs JAX
and Equinox, which translating programs does not.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any


class WeightsError(Exception):
    """A file that holds no weights, or cannot be read; the message is one line for the user."""


def convert_weights(source: Path, target: Path, key: str | None = None, prefix: str = "") -> int:
    """Write the arrays of a file to another one, by their names without `prefix`; how many there are.

    Of a checkpoint with several things `key` says which one holds the weights; a dict of arrays among them is found where it
    is the only one. Raises WeightsError, and OSError for files.
    """
    try:
        checkpoints: Any = import_module("torch2jax.runtime.checkpoints")
    except ImportError as error:
        raise WeightsError(f"{error.name} is needed to read weights: pip install jax equinox") from error
    try:
        loaded = checkpoints.load(source)
    except (ValueError, pickle.UnpicklingError, KeyError, StopIteration, EOFError) as error:
        raise WeightsError(f"{source} cannot be read: {error}") from error
    arrays = _chosen(loaded, key, source)
    checkpoints.save({name.removeprefix(prefix): array for name, array in arrays.items()}, target)
    return len(arrays)


def _chosen(loaded: object, key: str | None, source: Path) -> Mapping[str, Any]:
    """The dict of arrays among what a file holds."""
    if key is not None:
        for part in key.split("."):
            if not isinstance(loaded, Mapping) or part not in loaded:
                raise WeightsError(f"{source} has no {key!r}{_listing(loaded)}")
            loaded = loaded[part]
    if _holds_arrays(loaded):
        return loaded  # type: ignore[return-value]
    candidates = [name for name, value in loaded.items() if _holds_arrays(value)] if isinstance(loaded, Mapping) else []
    if len(candidates) == 1:
        return loaded[candidates[0]]  # type: ignore[index,no-any-return]
    raise WeightsError(f"{source} is no dict of arrays: say which of its parts is one with --key{_listing(loaded)}")


def _holds_arrays(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(hasattr(item, "dtype") for item in value.values())


def _listing(loaded: object) -> str:
    return f"; it has {', '.join(map(str, loaded))}" if isinstance(loaded, Mapping) else ""

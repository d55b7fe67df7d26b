"""Where a file may speak of a field of the objects of some classes."""

from __future__ import annotations

from torch2jax.values import Kind, Value


def may_be_of(value: Value, keys: set[str]) -> bool:
    """Whether an object may be of one of some classes."""
    if value.kind in (Kind.MODULE, Kind.OBJECT) and value.types:
        return not value.types.isdisjoint(keys)
    return value.kind in (Kind.MODULE, Kind.OBJECT, Kind.UNKNOWN, Kind.CLASS)


__all__ = ["may_be_of"]

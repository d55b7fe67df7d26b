"""What objects that run a program in several processes, or in one, give back of what they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from torch2jax.values import Kind, Value

ACCELERATOR, FABRIC = "Accelerator", "Fabric"  # the types of their values
PREPARING: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        ACCELERATOR: frozenset(
            {"prepare", "prepare_model", "prepare_optimizer", "prepare_scheduler", "prepare_data_loader"}
        ),
        FABRIC: frozenset({"setup", "setup_module", "setup_optimizers", "setup_dataloaders"}),
    }
)  # methods that wrap, or share out, what comes back


def is_made_of(value: Value, library: str) -> bool:
    """Whether a value is the object of one of these libraries, and no other."""
    return value.kind is Kind.TORCH_OBJECT and value.types == {library}


def prepared(base: Value, name: str, given: Sequence[Value]) -> Value | None:
    """What a method gives that prepares models, optimizers and loaders: these; None where it does something else."""
    if not given or not any(name in PREPARING.get(kind, ()) for kind in base.types):
        return None
    return given[0] if len(given) == 1 else Value(Kind.TUPLE, items=tuple(given))


__all__ = ["ACCELERATOR", "FABRIC", "PREPARING", "is_made_of", "prepared"]

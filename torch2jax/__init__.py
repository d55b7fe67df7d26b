"""Translate PyTorch programs into JAX programs that a person would like to read."""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "Conversion",
    "Diagnostic",
    "Options",
    "Severity",
    "TableError",
    "convert",
    "convert_file",
    "convert_tree",
    "explain",
]

if TYPE_CHECKING:
    from torch2jax.api import convert, convert_file, convert_tree
    from torch2jax.diagnostics import Diagnostic, Severity, explain
    from torch2jax.options import Options, TableError
    from torch2jax.pipeline import Conversion

_HOMES = {
    "Conversion": "torch2jax.pipeline",
    "Diagnostic": "torch2jax.diagnostics",
    "Options": "torch2jax.options",
    "Severity": "torch2jax.diagnostics",
    "TableError": "torch2jax.options",
    "convert": "torch2jax.api",
    "convert_file": "torch2jax.api",
    "convert_tree": "torch2jax.api",
    "explain": "torch2jax.diagnostics",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that the command starts quickly."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

"""Layers without parameters whose fields a program reads, as far as its text says so: they keep what they were made with.

self.pool = nn.MaxPool2d(3, stride=2)                 size // self.pool.stride
self.body = nn.Sequential(nn.Conv2d(3, 8, 3), nn.LeakyReLU(0.2))       gain(self.body[1].negative_slope)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

_POOLS = r"(Max|Avg)Pool[123]d"
_FIELDS = {
    "kernel_size stride ceil_mode": _POOLS,
    "padding": rf"{_POOLS}|(Reflection|Replication|Constant|Zero)Pad[123]d",
    "dilation return_indices": r"(Max|AdaptiveMax)Pool[123]d",
    "count_include_pad divisor_override": r"AvgPool[123]d",
    "output_size": r"Adaptive(Avg|Max)Pool[123]d",
    "negative_slope": "LeakyReLU",
    "start_dim end_dim": "Flatten",
    "dim": "Softmax|LogSoftmax|GLU",
    "upscale_factor": "PixelShuffle",
    "downscale_factor": "PixelUnshuffle",
    "min_val max_val": "Hardtanh|ReLU6",
    "alpha": "ELU|CELU",
    "approximate": "GELU",
}
_CLASSES = {name: re.compile(classes) for names, classes in _FIELDS.items() for name in names.split()}


def layers_read(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The classes of layers that variables and fields hold of which such fields are read."""
    every = list(nodes)
    read = [(node, asked) for node in every if isinstance(node, ast.Attribute) and (asked := _CLASSES.get(node.attr))]
    if not read:
        return frozenset()
    held: dict[str, set[str]] = {}
    for node in every:
        for target, value in _bindings(node):
            held.setdefault(_name(target), set()).update(_made(value))
    return frozenset(name for node, asked in read for name in held.get(_name(node.value), ()) if asked.fullmatch(name))


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value


def _name(node: ast.expr) -> str:
    """The last name of a place, what is taken out of a container there left out."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _made(value: ast.expr) -> Iterator[str]:
    """The names of all that is called in an expression."""
    return (_name(node.func) for node in ast.walk(value) if isinstance(node, ast.Call))


__all__ = ["layers_read"]

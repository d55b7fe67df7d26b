"""Files of safetensors that a program reads and writes as tensors of torch: the package does the same for arrays of JAX.

from safetensors.torch import load_file         ->   from safetensors.flax import load_file
weights = load_file(path, device="cpu")              weights = load_file(path)

safe_open(path, framework="pt")                 ->   safe_open(path, framework="flax")
"""

from __future__ import annotations

import libcst as cst

from torch2jax.ops.array_files import FRAMEWORK_OF_JAX, FRAMEWORKS, OF_JAX, OF_TORCH, OPENING, SAME
from torch2jax.program.program import dotted, imported_module
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.walk import Index, build_index

_PACKAGE, _, _OPENING = OPENING.partition(".")


def with_arrays_of_files(index: Index) -> Index:
    """The file with the functions for JAX in the place of those for torch, where it uses no others of these."""
    imports = [node for node in index.imports if any(name.startswith(_PACKAGE) for name in imported_module(node))]
    if not imports:
        return index
    edits = Edits()
    of_torch = [node for node in imports if imported_module(node) == [OF_TORCH]]
    places = [node for node in index.attributes if dotted(node) == OF_TORCH]
    names = {name for node in of_torch for name in _names(node)}
    asked = {name for node in places for name in _asked(index, node)}
    if names | asked <= SAME:
        for node in places:
            edits.replace(node, always(cst.parse_expression(OF_JAX)))
        for call in index.calls:
            name = dotted(call.func) or ""
            if (name in names and name == "load_file") or name == f"{OF_TORCH}.load_file":
                _read_without_device(edits, call)
    if any(imported_module(node) == [_PACKAGE] and _OPENING in _names(node) for node in imports):
        for call in index.calls:
            if dotted(call.func) == _OPENING:
                _open_for_arrays(edits, call)
    return build_index(apply_edits(index.module, edits, index.parents)) if edits.nodes else index


def _names(node: cst.CSTNode) -> list[str]:
    """The names that an import takes of a module; another name for one, or all of them, is "*"."""
    if not isinstance(node, cst.ImportFrom):
        return [] if isinstance(node, cst.Import) and all(item.asname is None for item in node.names) else ["*"]
    if isinstance(node.names, cst.ImportStar):
        return ["*"]
    return [item.evaluated_name if item.asname is None else "*" for item in node.names]


def _asked(index: Index, place: cst.Attribute) -> list[str]:
    """What is asked of the module where it is named, but in an import."""
    parent = index.parents[place]
    if isinstance(parent, (cst.ImportAlias, cst.ImportFrom)):
        return []
    return [parent.attr.value if isinstance(parent, cst.Attribute) else "*"]


def _read_without_device(edits: Edits, call: cst.Call) -> None:
    given = [item for item in call.args if item.keyword is None or item.keyword.value != "device"][:1]
    if not any(item.star for item in call.args):
        _give(edits, call, given)


def _give(edits: Edits, call: cst.Call, args: list[cst.Arg]) -> None:
    """A call of the same function, which keeps the edits within it, with other arguments."""
    last = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in args[-1:]]
    edits.replace(call, lambda rewrite: call.with_changes(func=rewrite.expression(call.func), args=[*args[:-1], *last]))


def _open_for_arrays(edits: Edits, call: cst.Call) -> None:
    """`safe_open(path, "pt", device="cuda")` gives arrays of JAX, which are where JAX makes them."""
    kept = [item for item in call.args if item.keyword is None or item.keyword.value != "device"][:2]
    framework = next((item for item in kept if item.keyword is not None and item.keyword.value == "framework"), None)
    framework = framework or (kept[1] if len(kept) == 2 else None)
    value = framework.value if framework is not None else None
    if framework is None or not isinstance(value, cst.SimpleString) or value.evaluated_value not in FRAMEWORKS:
        return
    named = cst.SimpleString(f'"{FRAMEWORK_OF_JAX}"')
    _give(edits, call, [item.with_changes(value=named) if item is framework else item for item in kept])


__all__ = ["with_arrays_of_files"]

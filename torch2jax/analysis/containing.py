"""Which variables of a function hold tensors that something else may come to hold, too: a container, an object, a closure."""

from __future__ import annotations

import libcst as cst

from torch2jax.analysis.program import Function
from torch2jax.analysis.restating import Restating
from torch2jax.analysis.storage import is_new
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_HOLDING = (Kind.OBJECT, Kind.MODULE, Kind.PYTHON, Kind.FUNCTION, Kind.TORCH_OBJECT, Kind.DATASET, Kind.LOADER)
_CONTAINERS = (Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.UNKNOWN)
_STORING = {"append", "extend", "insert", "add", "setdefault", "update", "appendleft", "put"}


def contained_names(work: Restating, function: Function | None) -> frozenset[str]:
    """The names that stand, somewhere in a function, where a container or an object is made of them or given them."""
    if function not in work.contained:
        scope: cst.CSTNode = function.node if function is not None else work.index.module
        names = {
            item.value for part in _kept_parts(work, scope) for item in descendants(part) if isinstance(item, cst.Name)
        }
        work.contained[function] = frozenset(names)
    return work.contained[function]


def _kept_parts(work: Restating, scope: cst.CSTNode) -> list[cst.CSTNode]:
    values, parts = work.values, list[cst.CSTNode]()
    for node in descendants(scope):
        match node:
            case cst.List() | cst.Tuple() | cst.Dict() | cst.Set():
                if not isinstance(work.index.parents[node], (cst.AssignTarget, cst.Return)):
                    parts.append(node)
            case cst.Call(func=cst.Attribute(attr=cst.Name(name))) if name in _STORING:
                parts += node.args
            case cst.Call():
                made = values(node)
                is_kept = made.is_a(*_HOLDING) or "parameter" in made.types
                parts_are_new = bool(made.items) and all(map(_holds_nothing, made.items or ()))
                if is_kept or (made.is_a(*_CONTAINERS) and values.callees.get(node) and not parts_are_new):
                    parts += node.args
            case cst.Assign() if isinstance(node.targets[0].target, (cst.Subscript, cst.Attribute)):
                parts.append(node.value)
            case cst.Param() if node.default is not None:
                parts.append(node.default)
            case cst.ClassDef() if node is not scope:
                parts.append(node.body)
    return parts


def _holds_nothing(value: Value) -> bool:
    return value.is_number or (value.kind is Kind.TENSOR and is_new(value.roots))


__all__ = ["contained_names"]

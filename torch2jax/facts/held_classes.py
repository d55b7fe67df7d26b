"""The classes of which the parts of a module are, all the way down, as far as the whole program says so.

net = Net()          Net.body: nn.Sequential of Block        {Net, Block, nn.Sequential, nn.Conv2d}
net = Net(backbone)  Net.backbone is given by somebody       None: nobody knows
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.bindings import CONTAINERS
from torch2jax.facts.infer import Values
from torch2jax.program.program import Class, Program, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_OPEN = (Kind.UNKNOWN, Kind.PYTHON)
_ADDING = frozenset({"add_module", "register_module", "setattr"})
_ASKING = frozenset("abs bool float int isinstance len max min print range repr round str".split())
_COUNTING = (
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.BooleanOperation,
    cst.Comparison,
    cst.ComparisonTarget,
    cst.FormattedStringExpression,
    cst.If,
    cst.IfExp,
    cst.Assert,
    cst.AssignTarget,
    cst.AugAssign,
)


def classes_held(program: Program, values: Values, module: Value) -> frozenset[str] | None:
    """The keys and names of the classes of a module and of all its parts; None where a part may be of any class."""
    found = set[str]()
    waiting = [module]
    while waiting:
        value = waiting.pop()
        if value.kind is not Kind.MODULE or not value.types:
            return None
        parts = [*(value.items or ()), *((value.elem,) if value.elem is not None else ())]
        for key in value.types:
            item = program.class_by_key.get(key)
            is_open = key in CONTAINERS and value.items is None and value.elem is None
            if item is None and (is_open or not key.startswith("torch.nn.")):
                return None
            if item is not None and key not in found:
                fields = list(_registered(program, values, item))
                if None in fields:
                    return None
                parts += [part for part in fields if part is not None]
            found.add(key)
        waiting += parts
    return frozenset(found)


def _registered(program: Program, values: Values, item: Class) -> Iterator[Value | None]:
    """What the fields of a class hold that torch registers as parts; None for what may be a module of any class."""
    for name, value in item.all_fields():
        if value.kind is Kind.MODULE:
            yield value
        elif value.kind in _OPEN and not _is_counted(program, values, name):
            yield None
    for part in item.lineage:
        for call in descendants(part.node, cst.Call):
            if isinstance(call, cst.Call) and (dotted(call.func) or "").rpartition(".")[2] in _ADDING and call.args:
                yield values(call.args[-1].value)


def _is_counted(program: Program, values: Values, name: str) -> bool:
    """Whether fields of some name are only set, counted with, compared, and given to functions of torch."""
    nodes = ((file, node) for file in program.files for node in file.index.attributes if node.attr.value == name)
    return all(_is_number(file, values, node) for file, node in nodes)


def _is_number(file: Program, values: Values, node: cst.BaseExpression) -> bool:
    parent = file.index.parents[node]
    while isinstance(parent, cst.Attribute) and parent.value is node:
        node, parent = parent, file.index.parents[parent]
    if isinstance(parent, cst.Arg):
        call = file.index.parents[parent]
        name = (values.torch_name(call.func) or "") if isinstance(call, cst.Call) else ""
        is_known = name.startswith("torch.") and name not in CONTAINERS
        return is_known or (isinstance(call, cst.Call) and dotted(call.func) in _ASKING)
    return isinstance(parent, _COUNTING)


__all__ = ["classes_held"]

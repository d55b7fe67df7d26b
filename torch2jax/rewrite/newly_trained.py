"""Parts that a module gets in `__init__` behind what froze it: torch trains what is new, so its names are no longer kept.

for p in self.backbone.parameters():             freeze_in_place(self, "backbone")
    p.requires_grad = False               ->     self.backbone = eqx.tree_at(lambda m: m.fc, self.backbone, ...)
self.backbone.fc = nn.Linear(4, 2)               unfreeze_in_place(self, "backbone.fc")
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.freezing import Freeze
from torch2jax.program.program import Class, Function, dotted
from torch2jax.rewrite.kept_frozen import may_hold_older
from torch2jax.rewrite.parameter_loops import is_at_init
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_Line = tuple[cst.SimpleStatementLine, cst.BaseExpression, cst.BaseExpression]


def train_what_is_new(unit: Unit) -> None:
    """Say so behind all such lines of a file, where modules keep the names of what is frozen."""
    if not unit.facts.target.immutable:
        return
    said = set[cst.SimpleStatementLine]()
    for item in unit.facts.freezing.statements:
        if item.function is None or item.place != item.function.self_name or not is_at_init(item.function):
            continue
        if item.is_idle or item.flag is not None or item.value is True:
            continue
        for function, anchor in _behind(unit, item.function, item.statement, {item.function}):
            for line, target, value in _given(unit, function, anchor):
                path = code(target).partition(".")[2].replace("[", ".").replace("]", "")
                if line not in said and _may_be_frozen(unit, item, function, anchor, path):
                    said.add(line)
                    _train(unit, function, line, target, value, path)


def _behind(
    unit: Unit, function: Function, anchor: cst.CSTNode, seen: set[Function]
) -> Iterator[tuple[Function, cst.CSTNode]]:
    """Where a module is made further behind a statement: in its method, and in those that call it."""
    yield function, anchor
    for call in function.callers:
        around = unit.facts.program.function_around(call)
        if (
            call in unit.facts.program.index.parents
            and around is not None
            and around not in seen
            and is_at_init(around)
        ):
            seen.add(around)
            yield from _behind(unit, around, call, seen)


def _given(unit: Unit, function: Function, anchor: cst.CSTNode) -> Iterator[_Line]:
    """The lines behind a statement that give the module itself, or one of its parts, a part or a parameter."""
    order, values = unit.facts.program.index.order, unit.facts.values
    for line in descendants(function.node.body):
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Attribute() | cst.Subscript() as target)], value=value
                    )
                ]
            ) if order[line] > order[anchor] and code(target).partition(".")[0] == function.self_name:
                new = values(value)
                if new.kind is Kind.MODULE or "parameter" in new.types:
                    yield line, target, value


def _may_be_frozen(unit: Unit, item: Freeze, function: Function, anchor: cst.CSTNode, path: str) -> bool:
    """Whether a place may be among those that were frozen: below them or above them."""
    if item.path:
        return f"{path}.".startswith(f"{item.path}.") or f"{item.path}.".startswith(f"{path}.")
    field, _, inner = path.partition(".")
    owner = function.owner
    assert owner is not None
    return bool(inner) or _is_made_before(unit, owner, field, anchor)


def _is_made_before(unit: Unit, owner: Class, field: str, anchor: cst.CSTNode) -> bool:
    """Whether a module has a field before a statement of its class."""
    order = unit.facts.program.index.order
    if any(field in part.field_nodes for part in owner.lineage if part is not owner):
        return True
    return any(
        isinstance(node, cst.AssignTarget) and (dotted(node.target) or "").partition(".")[2] == field
        for node in descendants(owner.node)
        if order[node] < order[anchor]
    )


def _train(
    unit: Unit,
    function: Function,
    line: cst.SimpleStatementLine,
    target: cst.BaseExpression,
    value: cst.BaseExpression,
    path: str,
) -> None:
    is_known = all(part.isidentifier() or part.isdecimal() for part in path.split("."))
    is_known = is_known and all(
        not isinstance(node, cst.Index) or isinstance(node.value, cst.Integer) for node in descendants(target)
    )
    if not is_known or may_hold_older(unit, value) or unit.facts.effects.has_frozen(unit.facts.values(value)):
        unit.problem(line, "T2J502", name=code(target))
        return
    helper = unit.spell("unfreeze_in_place()").removesuffix("()")
    unit.edits.after(line, lambda rewrite: [quote_statement(f'{helper}({function.self_name}, "{path}")')])


__all__ = ["train_what_is_new"]

"""A store into a tensor among other targets, normalized to lines of their own.

x[t] = last = delta + last    ->   last = delta + last
                                   x[t] = last

x[0], y = f(y)                ->   value, y = f(y)
                                   x[0] = value

So are parts that modules get from outside, and fields that methods empty together:

net.fc, net.head = nn.Identity(), nn.Linear(4, 2)    ->   net.fc = nn.Identity()
                                                          net.head = nn.Linear(4, 2)

self.keys = self.values = None                       ->   self.keys = None
                                                          self.values = None
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import with_fields
from torch2jax.values import Kind


def normalize_chained_stores(work: NormalizationRound) -> None:
    """Normalize all such lines of a file."""
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[_, _, *_]) as small] if any(_is_store(work, item) for item in small.targets):
                _normalize(work, line, small)
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple() as target)]) as small]:
                if any(_is_store(work, item) for item in target.elements):
                    _normalize_together(work, line, small, target)
                elif any(_is_part(work, item.value) for item in target.elements):
                    _normalize_parts(work, line, small, target)
            case [cst.Assign(targets=[_, _, *_], value=cst.Name("None" | "True" | "False")) as small] if all(
                _is_emptied(work, item.target) for item in small.targets
            ):
                _replace(work, line, [cst.Assign([item], small.value.deep_clone()) for item in small.targets])


def _is_part(work: NormalizationRound, target: cst.BaseExpression) -> bool:
    """Whether a target is a part of a module, and no field of the object whose method is at work."""
    if isinstance(target, cst.Subscript):
        return work.values(target.value).kind is Kind.MODULE
    function = work.program.function_around(target)
    if not isinstance(target, cst.Attribute) or work.values(target.value).kind is not Kind.MODULE:
        return False
    return function is None or dotted(target.value) != function.self_name


def _is_emptied(work: NormalizationRound, target: cst.BaseExpression) -> bool:
    """Whether a target is a field that a method of a module sets when it is called."""
    function = work.program.function_around(target)
    if not isinstance(target, cst.Attribute) or function is None or function.owner is None:
        return False
    is_own = function.owner.is_module and dotted(target.value) == function.self_name
    return is_own and function.name != "__init__"


def _normalize_parts(
    work: NormalizationRound, line: cst.SimpleStatementLine, small: cst.Assign, target: cst.Tuple
) -> None:
    """Each part gets its module by itself, where no value speaks of what gets a part, or of another variable of the line."""
    given = small.value.elements if isinstance(small.value, cst.Tuple) else []
    starred = any(isinstance(item, cst.StarredElement) for item in (*given, *target.elements))
    if len(given) != len(target.elements) or starred:
        return
    if names_in(target) & names_in(small.value):
        return
    _replace(work, line, _one_by_one(target.elements, given))


def _one_by_one(targets: Sequence[cst.BaseElement], given: Sequence[cst.BaseElement]) -> list[cst.Assign]:
    return [
        cst.Assign([cst.AssignTarget(item.value)], value.value)  # type: ignore[arg-type]
        for item, value in zip(targets, given, strict=True)
    ]


def _is_store(work: NormalizationRound, item: cst.AssignTarget | cst.BaseElement) -> bool:
    target = item.target if isinstance(item, cst.AssignTarget) else item.value
    return isinstance(target, cst.Subscript) and work.values(target.value).kind in (Kind.TENSOR, Kind.UNKNOWN)


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, small: cst.Assign) -> None:
    """Python evaluates the value first, then fills the targets from left to right."""
    targets = list(small.targets)
    names = [item for item in targets if isinstance(item.target, cst.Name)]
    stores = [item for item in targets if item not in names]
    bound = {item.target.value for item in names if isinstance(item.target, cst.Name)}
    made: list[cst.Assign] = []
    shared: cst.BaseExpression = small.value
    if not isinstance(shared, (cst.Name, cst.Integer, cst.Float)):
        if names and not bound & {name for item in stores for name in names_in(item.target)}:
            shared = names[0].target
            made.append(with_fields(small, targets=names))
            targets = stores
        else:
            shared = cst.Name(work.names_at(line)("value"))
            made.append(cst.Assign([cst.AssignTarget(shared)], small.value))
    made += [cst.Assign([item], shared.deep_clone()) for item in targets]
    _replace(work, line, made)


def _normalize_together(
    work: NormalizationRound, line: cst.SimpleStatementLine, small: cst.Assign, target: cst.Tuple
) -> None:
    """All values are there before the first target is filled."""
    stores = [item for item in target.elements if _is_store(work, item)]
    bound = {name for item in target.elements if item not in stores for name in names_in(item.value)}
    if bound & {name for item in stores for name in names_in(item.value)}:
        return  # `i, x[i] = ...`
    given = small.value.elements if isinstance(small.value, cst.Tuple) else []
    if len(given) == len(stores) == len(target.elements) and all(
        isinstance(item.value, (cst.Integer, cst.Float)) for item in given
    ):
        made = _one_by_one(stores, given)
    else:
        fresh = work.names_at(line)
        names = {item: cst.Name(fresh("value")) for item in stores}
        elements = [with_fields(item, value=names[item]) if item in names else item for item in target.elements]
        together = with_fields(small, targets=[cst.AssignTarget(with_fields(target, elements=elements))])
        made = [together]
        made += [cst.Assign([cst.AssignTarget(item.value)], names[item].deep_clone()) for item in stores]  # type: ignore[arg-type]
    _replace(work, line, made)


def _replace(work: NormalizationRound, line: cst.SimpleStatementLine, made: Sequence[cst.Assign]) -> None:
    """Put assignments, each on a line of its own, in the place of a line."""
    first, *others = made
    lines = [with_fields(line, body=[first]), *(cst.SimpleStatementLine([item]) for item in others)]
    work.edits.rewrite_statement(line, lambda rewrite: lines)


__all__ = ["normalize_chained_stores"]

"""Lists of modules and optimizers that have names, written out where they are gone through: training makes others of them.

nets = [small, large]                            ->   (gone)
for net, opt in zip(nets, [one, two]):                for net, opt in zip([small, large], [one, two]):
y = nets[0](x)                                        y = small(x)

A list that nothing else is done with holds what its names stand for, as long as these are not bound again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.kept_fields import stores_of
from torch2jax.normalize.module_aliases import is_settled
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_CHANGED = frozenset({Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER})
_GOING_THROUGH = frozenset({"zip", "enumerate", "len", "reversed"})


def normalize_listed_modules(work: NormalizationRound) -> None:
    """Normalize such lists; those of models alone where these are values."""
    if work.effects is None:
        return
    for assign in work.index.every(cst.Assign):
        match assign, work.index.parents.get(assign):
            case (
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name() as target)], value=cst.List() | cst.Tuple() as display
                ),
                cst.SimpleStatementLine(body=[_]) as line,
            ):
                _normalize(work, line, target, display)


def _normalize(
    work: NormalizationRound, line: cst.SimpleStatementLine, target: cst.Name, display: cst.List | cst.Tuple
) -> None:
    definition = work.program.definitions.bound_once(target)
    items = [element.value for element in display.elements if not isinstance(element, cst.StarredElement)]
    kinds = {work.values(item).kind for item in items}
    if definition is None or len(items) < len(display.elements):
        return
    if not all(_is_field(work, item) or is_variable(work, item, definition, line) for item in items):
        return
    uses = work.program.definitions.uses(definition)
    if not may_be_written_out(work, kinds, uses):
        return
    places = [place_read(work, use) for use in uses]
    is_plain = all(
        _sees(work, use, line, items) and (goes_through(work, use) if place is None else place < len(items))
        for use, place in zip(uses, places, strict=True)
    )
    if not uses or not is_plain:
        return
    if is_known_elsewhere(work, definition, target.value):
        return
    for use, place in zip(uses, places, strict=True):
        if place is None:
            work.edits.replace(use, partial(_written_out, display))
        else:
            work.edits.replace(work.index.parents[use], always(items[place].deep_clone()))
    work.edits.remove(line)


def may_be_written_out(work: NormalizationRound, kinds: set[Kind], uses: Sequence[cst.CSTNode] = ()) -> bool:
    """Whether members of such kinds are written out: training makes others of them, or looks for their names."""
    assert work.effects is not None
    is_trained = work.effects.threads or Kind.MODULE not in kinds or train_through(work, uses)
    return bool(kinds) and kinds <= _CHANGED and is_trained


def train_through(work: NormalizationRound, uses: Sequence[cst.CSTNode]) -> bool:
    """Whether a loop through a list or dict trains its members, or makes optimizers, or one is made of an entry."""
    calls = (item for use in uses for item in work.index.ancestors(use) if isinstance(item, cst.Call))
    if any(work.values(call).kind is Kind.OPTIMIZER for call in calls):
        return True
    loops = (cst.For, cst.ListComp, cst.DictComp, cst.GeneratorExp)
    around = {item for use in uses for item in work.index.ancestors(use) if isinstance(item, loops)}
    return any(
        isinstance(node, cst.Call)
        and (work.values(node).kind is Kind.OPTIMIZER or (dotted(node.func) or "").endswith(".backward"))
        for loop in around
        for node in descendants(loop)
    )


def is_known_elsewhere(work: NormalizationRound, definition: Definition, name: str) -> bool:
    """Whether other files may read a variable of this one."""
    of_file = definition.variable.owner is work.index.module
    return of_file and any(item.mentions(name) for item in work.program.files if item is not work.program)


def is_variable(
    work: NormalizationRound, item: cst.BaseExpression, listed: Definition, line: cst.SimpleStatementLine
) -> bool:
    """Whether an item of a list is a variable beside that of the list, which is bound in front of it."""
    variable = work.program.definitions.scopes.variable(item) if isinstance(item, cst.Name) else None
    return variable is not None and variable.owner is listed.variable.owner and is_settled(work, [line], variable)


def _is_field(work: NormalizationRound, item: cst.BaseExpression) -> bool:
    """Whether an item of a list is a field of the object of a method that only `__init__` sets."""
    function = work.program.function_around(item)
    if function is None or function.owner is None or function.name == "__init__" or not isinstance(item, cst.Attribute):
        return False
    own, name = function.self_name, item.attr.value
    return own is not None and dotted(item) == f"{own}.{name}" and bool(stores_of(function.owner, name))


def goes_through(work: NormalizationRound, use: cst.BaseExpression) -> bool:
    """Whether a read only goes through a list, or asks for its length."""
    parent = work.index.parents[use]
    if isinstance(parent, cst.Arg):
        call = work.index.parents[parent]
        return isinstance(call, cst.Call) and dotted(call.func) in _GOING_THROUGH and not work.values.callees.get(call)
    return isinstance(parent, cst.For | cst.CompFor) and parent.iter is use


def place_read(work: NormalizationRound, use: cst.Name) -> int | None:
    """The place of the item that `nets[0]` reads of a list."""
    match work.index.parents[use]:
        case (
            cst.Subscript(
                value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer() as number))]
            ) as item
        ):
            holder = work.index.parents[item]
            if value is use and not isinstance(holder, cst.AssignTarget | cst.AugAssign | cst.AnnAssign | cst.Del):
                return int(number.evaluated_value)
    return None


def _sees(
    work: NormalizationRound, use: cst.Name, line: cst.SimpleStatementLine, items: Sequence[cst.BaseExpression]
) -> bool:
    """Whether the names in a list mean the same where it is read."""
    scopes = work.program.definitions.scopes
    roots = [item for place in items for item in (place, *descendants(place)) if isinstance(item, cst.Name)]
    own = [root for root in roots if not work.index.is_label(root)]
    return all(scopes.lookup(root.value, scopes.around(use)) == scopes.variable(root) for root in own)


def _written_out(display: cst.List | cst.Tuple, rewrite: Rewriter) -> cst.CSTNode:
    made = display.deep_clone()
    if isinstance(made, cst.Tuple) and not made.lpar:
        return made.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return made


__all__ = [
    "goes_through",
    "is_known_elsewhere",
    "is_variable",
    "may_be_written_out",
    "normalize_listed_modules",
    "place_read",
    "train_through",
]

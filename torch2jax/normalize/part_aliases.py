"""A variable for a part of a module that is changed, normalized to the place that holds the part.

last = self.net[-1]                              ->
nn.init.zeros_(last.weight)                          nn.init.zeros_(self.net[-1].weight)

conv = nn.Conv2d(3, 8, 1)                            conv = nn.Conv2d(3, 8, 1)
self.net = nn.Sequential(conv, nn.ReLU())        ->  self.net = nn.Sequential(conv, nn.ReLU())
self.fill_(conv)                                     self.fill_(self.net[0])

In torch both are the same module. The variable has this value only, is read in the block of the line only (behind it, where it
holds the part before), and nothing that runs there puts another module into one of the places on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.changed_parts import changes_part, changes_tensor
from torch2jax.normalize.parameter_aliases import changes_held, functions_reached, is_read_here, may_exchange
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition
from torch2jax.program.program import root_name
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_GROWING = frozenset({"append", "extend", "insert", "add_module", "register_module", "pop", "setattr", "delattr"})
_FILLING = frozenset({"apply"})
_MODES = frozenset({"eval", "train"})


def normalize_part_aliases(work: NormalizationRound) -> None:
    """Normalize all such variables where modules are values."""
    if work.effects is None or not work.effects.threads:
        return
    done = set[cst.CSTNode]()
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as alias)], value=place)] if _is_part(
                work, place
            ):
                _name_place(work, line, alias, place, done)
            case [cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]:
                for name, place in _members(work, target, value):
                    _name_place(work, line, name, place, done)


def _is_part(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether an expression is a part of a module that a variable holds: `self.fc`, `model.net[-1]`."""
    return isinstance(place, (cst.Attribute, cst.Subscript)) and _is_place(work, place) and _is_module(work, place)


def _is_place(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    while isinstance(place, (cst.Attribute, cst.Subscript)):
        if isinstance(place, cst.Subscript) and not _is_member(work, place):
            return False
        place = place.value
    return isinstance(place, cst.Name)


def _is_member(work: NormalizationRound, place: cst.Subscript) -> bool:
    """Whether a place is one of a list of modules, by a number that is written there or that a variable holds."""
    match place.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=index))]:
            is_number = isinstance(work.values(index).const, int) or work.values(index).kind is Kind.INT
            return (
                is_number
                and not any(descendants(index, cst.Call))
                and work.values(place.value).types <= _LISTS
                and _is_module(work, place.value)
            )
    return False


def _is_module(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    return work.values(node).kind is Kind.MODULE


def _members(
    work: NormalizationRound, target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.Name, cst.BaseExpression]]:
    """The variables whose modules an assignment makes parts of its target, and where."""
    if not isinstance(target, (cst.Name, cst.Attribute)) or not _is_place(work, target):
        return
    if isinstance(value, cst.Name) and isinstance(target, cst.Attribute) and _is_module(work, value):
        if _is_module(work, target.value):
            yield value, target
        return
    every = _listed(work, value)
    for position, item in enumerate(every):
        is_once = sum(isinstance(other, cst.Name) and other.value == getattr(item, "value", "") for other in every) == 1
        if isinstance(item, cst.Name) and is_once and _is_module(work, item):
            index = cst.SubscriptElement(cst.Index(cst.Integer(str(position))))
            yield item, cst.Subscript(target.deep_clone(), [index])


def _listed(work: NormalizationRound, value: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What stands in `nn.Sequential(a, b)` and `nn.ModuleList([a, b])`."""
    if not isinstance(value, cst.Call) or work.values.torch_name(value.func) not in _LISTS:
        return []
    if any(item.star or item.keyword is not None for item in value.args):
        return []
    match value.args:
        case [cst.Arg(value=cst.List(elements=elements) | cst.Tuple(elements=elements))]:
            if any(isinstance(item, cst.StarredElement) for item in elements):
                return []
            return [item.value for item in elements]
    return [item.value for item in value.args]


def _name_place(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    alias: cst.Name,
    place: cst.BaseExpression,
    done: set[cst.CSTNode],
) -> None:
    """Let the uses of a variable behind a line speak of the place that holds the module from there on."""
    block = work.index.parents[line]
    definition = work.program.definitions.bound_once(alias)
    if definition is None or definition.node in done or not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return
    made, below = work.index.statement_of(definition.node), block.body[list(block.body).index(line) + 1 :]
    if work.index.parents.get(made) is not block or root_name(place) == alias.value:
        return  # a loop would come back to the line with another module
    if isinstance(block, cst.Module) and _is_known_elsewhere(work, alias.value):
        return
    behind = {node for item in below for node in descendants(item)}
    if _binds_index(below, place):
        return
    uses = _uses_behind(work, line, definition, behind)
    if not any(_may_change(work, use) for use in uses) or may_exchange(work, below, place) or _grows(work, behind):
        return
    done.add(definition.node)
    for use in uses:
        work.edits.replace(use, partial(_copy, place))
    if made is line:
        work.edits.rewrite_statement(line, _nothing)


def _binds_index(below: Sequence[cst.BaseStatement], place: cst.BaseExpression) -> bool:
    """Whether lines bind a variable again that says which of a list of modules is meant."""
    names = {name for item in descendants(place, cst.SubscriptElement) for name in names_in(item)}
    return bool(names) and any(not names.isdisjoint(reads_and_writes(line)[1]) for line in below)


def _uses_behind(
    work: NormalizationRound, line: cst.SimpleStatementLine, definition: Definition, behind: set[cst.CSTNode]
) -> list[cst.Name]:
    """The uses of a variable in the lines behind one; none where some stand elsewhere, or cannot be replaced."""
    block = work.index.parents[line]
    assert isinstance(block, (cst.IndentedBlock, cst.Module))
    before = {node for item in block.body[: list(block.body).index(line) + 1] for node in descendants(item)}
    every = work.program.definitions.uses(definition)
    uses = [use for use in every if use in behind]
    is_here = all(use in behind or use in before for use in every)
    return uses if is_here and all(is_read_here(work, use, line) for use in uses) else []


def _is_known_elsewhere(work: NormalizationRound, name: str) -> bool:
    """Whether another file of the program may speak of a variable."""
    return any(item.mentions(name) for item in work.program.files if item is not work.program)


def _may_change(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a use may give a parameter of the module other values: itself, or by a function that it is given to."""
    parent = work.index.parents[use]
    match parent, work.index.parents.get(parent):
        case cst.Arg(), cst.Call() as call:
            is_filled = any(_fills(work, item.node) for item in functions_reached(work, call))
            return is_filled or changes_held(work, use) or changes_part(work.program, work.values, call, use.value)
        case cst.Attribute(value=value, attr=cst.Name(method)), cst.Call(func=func) if func is parent and value is use:
            return method in _FILLING or (method in _MODES and work.effects is not None and _has_mode(work, use))
    if not isinstance(parent, (cst.Attribute, cst.Subscript)):
        return False
    return changes_held(work, use) or changes_tensor(work.values, work.index.statement_of(use), use.value)


def _has_mode(work: NormalizationRound, use: cst.Name) -> bool:
    assert work.effects is not None
    return work.effects.has_mode(work.values(use))


def _fills(work: NormalizationRound, function: cst.FunctionDef) -> bool:
    params = {item.name.value for item in function.params.params}
    names = (item for item in descendants(function.body) if isinstance(item, cst.Name) and item.value in params)
    return any(isinstance(work.index.parents.get(name), cst.Attribute) and changes_held(work, name) for name in names)


def _grows(work: NormalizationRound, nodes: set[cst.CSTNode]) -> bool:
    """Whether a list of modules may get other members, or a module a part by a name that is computed."""
    for node in nodes:
        match node:
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name))) if name in _GROWING:
                if work.values(owner).kind in (Kind.MODULE, Kind.UNKNOWN):
                    return True
            case cst.Call(func=cst.Name(name)) if name in _GROWING:
                return True
            case cst.AssignTarget(target=cst.Subscript(value=owner)) if work.values(owner).kind is Kind.MODULE:
                return True
    return False


def _copy(place: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    """The place, in which another such variable may have been replaced."""
    return rewrite(place).deep_clone()


def _nothing(rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    return ()


__all__ = ["normalize_part_aliases"]

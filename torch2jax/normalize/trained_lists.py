"""Lists of tensors and parameters, and the optimizers that are given exactly what is in them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.quote import names_in
from torch2jax.values import Kind

Members = dict[object, None]  # names of tensors that are bound once, otherwise the nodes that say what is in a list


def optimizers_of(work: NormalizationRound, loop: cst.For) -> list[str]:
    """The optimizers that together update just what a loop goes over; none where that is not known."""
    wanted = _members(work, loop.iter)
    if not wanted:
        return []
    found: list[str] = []
    covered: Members = {}
    for name, call in _optimizers(work, loop):
        own = _members(work, call.args[0].value) if call.args and call.args[0].keyword is None else None
        if own and wanted.keys() >= own.keys() and not covered.keys() >= own.keys():
            found.append(name)
            covered.update(own)
    return found if covered.keys() == wanted.keys() else []


def bindings(work: NormalizationRound, name: str) -> Iterator[cst.CSTNode]:
    """What binds a name, wherever in the file."""
    kinds = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr, cst.Param)
    for item in work.index.every(*kinds):
        match item:
            case cst.Param(name=target):
                pass
            case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.AnnAssign(target=target):
                pass
            case cst.For(target=target) | cst.NamedExpr(target=target):
                pass
            case _:
                continue
        if name in names_in(target):
            yield item


def bound_once(work: NormalizationRound, name: str) -> cst.Assign | None:
    """The one assignment of the file that gives a name its value."""
    bound = list(bindings(work, name))
    parent = work.index.parents[bound[0]] if len(bound) == 1 else None
    is_plain = isinstance(parent, cst.Assign) and len(parent.targets) == 1
    return parent if is_plain and isinstance(parent.targets[0].target, cst.Name) else None  # type: ignore[union-attr,return-value]


def _optimizers(work: NormalizationRound, loop: cst.For) -> Iterator[tuple[str, cst.Call]]:
    """The optimizers in variables that are bound once, in sight of a loop and before it runs."""
    for target in work.index.every(cst.AssignTarget):
        match target.target:
            case cst.Name(value=name):
                made = bound_once(work, name)
                if made is None or not _makes_optimizer(work, made.value) or not _is_before(work, made, loop):
                    continue
                if not _gains_groups(work, name):
                    assert isinstance(made.value, cst.Call)
                    yield name, made.value


def _makes_optimizer(work: NormalizationRound, node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and work.values(node).kind is Kind.OPTIMIZER


def _gains_groups(work: NormalizationRound, name: str) -> bool:
    """Whether an optimizer may be given more than it was made of."""
    return any(item.attr.value == "add_param_group" and dotted(item.value) == name for item in work.index.attributes)


def _is_before(work: NormalizationRound, made: cst.Assign, loop: cst.For) -> bool:
    """Whether an optimizer is made where it always is there when a loop runs."""
    there, here = work.program.function_around(made), work.program.function_around(loop)
    block = work.index.parents[work.index.statement_of(made)]
    if there is not here:
        runs = [
            call for call in (here.callers if here is not None else ()) if work.program.function_around(call) is None
        ]
        is_outside = there is None and block is work.index.module
        return is_outside and all(_stands_before(work, made, call) for call in runs)
    return block in set(work.index.ancestors(loop)) and _stands_before(work, made, loop)


def _stands_before(work: NormalizationRound, first: cst.CSTNode, second: cst.CSTNode) -> bool:
    around = [item for item in work.index.ancestors(second) if isinstance(item, cst.BaseStatement)]
    outer = {id(item) for item in (second, *around)}
    statement = work.index.statement_of(first)
    for item in work.index.parents[statement].body:  # type: ignore[attr-defined]
        if item is statement:
            return True
        if id(item) in outer:
            return False
    return False


def _members(work: NormalizationRound, node: cst.BaseExpression) -> Members | None:
    """What is in a list for good; None where that is not known."""
    match node:
        case cst.Name(value=name):
            made = bound_once(work, name)
            if made is None or isinstance(made.value, cst.Name) or not _stays(work, name):
                return None
            return _members(work, made.value)
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return _together([_members(work, left), _members(work, right)])
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return _together([_member(work, item) for item in elements])
        case cst.Call(func=cst.Name("list"), args=[cst.Arg(value=inner, keyword=None, star="")]):
            return {inner: None} if _gives_parameters(work, inner) else _members(work, inner)
    return None


def _member(work: NormalizationRound, element: cst.BaseElement) -> Members | None:
    node = element.value
    if isinstance(element, cst.StarredElement):
        return {node: None} if _gives_parameters(work, node) else _members(work, node)
    if work.values(node).kind is not Kind.TENSOR:
        return None
    once = isinstance(node, cst.Name) and bound_once(work, node.value) is not None
    return {node.value if once else node: None}  # type: ignore[attr-defined]


def _together(parts: list[Members | None]) -> Members | None:
    found: Members = {}
    for part in parts:
        if part is None:
            return None
        found.update(part)
    return found


def _gives_parameters(work: NormalizationRound, node: cst.CSTNode) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            return work.values(module).kind is Kind.MODULE
    return False


def _stays(work: NormalizationRound, name: str) -> bool:
    """Whether a list keeps its members: it is gone over, added to others and given to optimizers, and nothing else."""
    uses = [item for item in work.index.names if item.value == name and not _is_label(work, item)]
    return all(_only_reads(work, item) for item in uses)


def _is_label(work: NormalizationRound, item: cst.Name) -> bool:
    parent = work.index.parents[item]
    return (isinstance(parent, cst.Attribute) and parent.attr is item) or (
        isinstance(parent, cst.Arg) and parent.keyword is item
    )


def _only_reads(work: NormalizationRound, item: cst.Name) -> bool:
    parent = work.index.parents[item]
    if isinstance(parent, cst.Arg):
        call = work.index.parents[parent]
        is_list = isinstance(call, cst.Call) and dotted(call.func) in ("list", "len", "tuple")
        return is_list or _makes_optimizer(work, call)
    return isinstance(parent, (cst.For, cst.CompFor, cst.AssignTarget, cst.BinaryOperation, cst.StarredElement))


__all__ = ["bindings", "bound_once", "optimizers_of"]

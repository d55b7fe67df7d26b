"""Groups of parameters that an optimizer is given right behind the line that makes it: it is made with them.

optimizer = SGD(head, lr=0.1)                                 optimizer = SGD(
optimizer.add_param_group({"params": body, "lr": 0.01})  ->       [{"params": head}, {"params": body, "lr": 0.01}], lr=0.1
                                                              )

The optimizer may be chosen by branches. Nothing stands between, so that what the groups say is what it was one line above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.parameters import given_parameters
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_DISPLAYS = (cst.Call, cst.Dict)


def normalize_added_groups(work: NormalizationRound) -> None:
    """Make optimizers with the groups that they are given at once."""
    if not work.program.mentions("add_param_group"):
        return
    blocks: list[cst.Module | cst.IndentedBlock] = [work.index.module, *work.index.every(cst.IndentedBlock)]
    for block in blocks:
        body = list(block.body)
        for number, line in enumerate(body):
            places = {place for item in body[number + 1 : number + 2] for place, _ in _added(item)}
            for place in places:
                _make_with(work, line, place, body[number + 1 :])


def _added(line: cst.CSTNode) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The optimizer that a line gives a group of parameters, and the group."""
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(
                    value=cst.Call(
                        func=cst.Attribute(value=optimizer, attr=cst.Name("add_param_group")),
                        args=[cst.Arg(value=group, star="", keyword=None | cst.Name("param_group"))],
                    )
                )
            ]
        ):
            place = dotted(optimizer)
            if place is not None:
                yield place, group


def _make_with(
    work: NormalizationRound, line: cst.BaseStatement | cst.BaseSmallStatement, place: str, below: Sequence[cst.CSTNode]
) -> None:
    """Give the groups that the lines below add to an optimizer to the calls that make it in a line."""
    groups: list[cst.BaseExpression] = []
    lines: list[cst.CSTNode] = []
    for item in below:
        found = [group for name, group in _added(item) if name == place]
        if not found:
            break
        groups += found
        lines.append(item)
    makers = list(_makers(work, line, place))
    known = [given_parameters(call) for call in makers]
    if not makers or not all(_is_known(work, given, groups) for given in known):
        return
    if not all(map(_is_plain, groups)):
        return
    for given in known:
        copies = [work.copy(group) for group in groups]
        work.edits.replace(given, partial(_joined, given, copies))  # type: ignore[arg-type]
    for item in lines:
        work.edits.remove(item)


def _joined(given: cst.BaseExpression, added: Sequence[cst.BaseExpression], rewrite: Rewriter) -> cst.BaseExpression:
    """The groups that an optimizer was given, or the one that it made of its parameters, and others."""
    inner = as_expression(rewrite.inside(given))
    first = [item.value for item in inner.elements] if _lists_groups(inner) else [quote("dict(params={p})", p=inner)]  # type: ignore[attr-defined]
    return cst.List([cst.Element(item) for item in (*first, *added)])


def _lists_groups(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.List) and bool(node.elements) and all(_is_plain(item.value) for item in node.elements)


def _is_known(work: NormalizationRound, given: cst.BaseExpression | None, groups: Sequence[cst.BaseExpression]) -> bool:
    """Whether it is seen that an optimizer is given groups, or parameters: not one or the other."""
    match given:
        case None:
            return False
        case cst.Call(func=cst.Attribute(attr=cst.Name("parameters"))):
            return True
        case cst.Call(func=cst.Name("filter")) | cst.ListComp(elt=cst.Name()):
            return not _writes_groups(work, given, groups)
        case cst.Name() | cst.Subscript(value=cst.Name()):
            root = given if isinstance(given, cst.Name) else given.value
            assert isinstance(root, cst.Name)
            bound = work.program.definitions.every_of_name(root)
            is_filled_here = bool(bound) and all(_is_empty(item.value) for item in bound)
            return is_filled_here and not _writes_groups(work, given, groups)
    return _lists_groups(given)


def _is_empty(node: cst.BaseExpression | None) -> bool:
    """`[]`, `list()`, `[], []`"""
    match node:
        case cst.List(elements=[]) | cst.Call(func=cst.Name("list"), args=[]):
            return True
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return all(_is_empty(item.value) for item in elements)
    return False


def _writes_groups(work: NormalizationRound, given: cst.CSTNode, groups: Sequence[cst.BaseExpression]) -> bool:
    """Whether the function around writes out groups that may be in its lists."""
    scope = work.index.function_of(given) or work.index.module
    return any(_is_plain(node) and node not in groups for node in descendants(scope) if isinstance(node, _DISPLAYS))


def _makers(work: NormalizationRound, line: cst.CSTNode, place: str) -> Iterator[cst.Call]:
    """The calls that make an optimizer in a line, or in each branch of it that does not leave; none where one may be missed."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[target], value=cst.Call() as call)]) if (
            dotted(target.target) == place
        ):
            name = work.values.torch_name(call.func) or ""
            if work.values(call).kind is Kind.OPTIMIZER and name.startswith("torch.optim."):
                yield call
        case cst.If(body=body, orelse=orelse):
            parts = [*_branches(body, orelse)]
            found = [
                list(_makers(work, part, place)) if part is not None else [] for part in parts if not _leaves(part)
            ]
            if all(found):
                yield from (call for calls in found for call in calls)


def _branches(body: cst.BaseSuite, orelse: cst.If | cst.Else | None) -> Iterator[cst.CSTNode | None]:
    """The last lines of all branches; None where one is missing."""
    yield body.body[-1] if isinstance(body, cst.IndentedBlock) else None
    if isinstance(orelse, cst.If):
        yield from _branches(orelse.body, orelse.orelse)
    else:
        last = orelse.body if orelse is not None else None
        yield last.body[-1] if isinstance(last, cst.IndentedBlock) else None


def _leaves(line: cst.CSTNode | None) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[-1], (cst.Raise, cst.Return))


def _is_plain(group: cst.BaseExpression) -> bool:
    """Whether a group is written out: `{"params": ...}` or `dict(params=...)`."""
    match group:
        case cst.Dict(elements=elements):
            keys = [item.key.raw_value for item in elements if isinstance(item, cst.DictElement) and _is_text(item.key)]  # type: ignore[attr-defined]
        case cst.Call(func=cst.Name("dict"), args=args):
            keys = [item.keyword.value for item in args if item.keyword is not None]
        case _:
            return False
    return "params" in keys


def _is_text(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.SimpleString)


__all__ = ["normalize_added_groups"]

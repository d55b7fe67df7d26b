"""Modules that a constructor freezes before it puts them, or parts of them, into fields: the fields are frozen.

resnet = models.resnet50()                                         resnet = models.resnet50()
for p in resnet.parameters():                                ->    self.stem = resnet.conv1
    p.requires_grad = False                                        self.stem.requires_grad_(False)
self.stem = resnet.conv1                                           self.body = nn.Sequential(*list(resnet.children())[5:-1])
self.body = nn.Sequential(*list(resnet.children())[5:-1])          self.body.requires_grad_(False)

Fields keep what of them is trained; a module that is taken apart is gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

import libcst as cst

from torch2jax.facts.flag_statements import flag_statements
from torch2jax.facts.freezing import field_that_keeps, whole_path
from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted, root_name
from torch2jax.program.statements import assigned_pairs, bound_by
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_ADDING = frozenset({"add_module", "append"})
_ON_WHOLE = frozenset("cpu cuda double eval float half load_state_dict to train".split())
_LISTS = frozenset({"list", "tuple"})
_NUMBERS = (Kind.INT, Kind.FLOAT, Kind.BOOL)


def normalize_frozen_sources(work: NormalizationRound) -> None:
    """Normalize one such statement of each constructor."""
    if not any(map(work.program.mentions, ("requires_grad", "requires_grad_"))):
        return
    seen: set[Function] = set()
    for line, module, flag, text, _ in list(flag_statements(work.program, work.values)):
        function = work.program.function_around(line)
        if function is None or function in seen or text is not None or flag is None:
            continue
        if function.name != "__init__" or function.owner is None or not function.owner.is_module:
            continue
        if (
            isinstance(module, cst.Name)
            and module.value != function.self_name
            and field_that_keeps(work.program, line, module.value, function) is None
        ):
            seen.add(function)
            _normalize(work, function, line, module.value, flag)


def _block(function: Function) -> Sequence[cst.BaseStatement]:
    body = function.node.body
    return body.body if isinstance(body, cst.IndentedBlock) else []


def _normalize(work: NormalizationRound, function: Function, line: cst.BaseStatement, name: str, flag: bool) -> None:
    """Freeze the fields behind the statements that fill them, and not the module that they are filled from."""
    block, whole, test = list(_block(function)), line, None
    if line not in block:
        above = work.index.parents[work.index.parents[line]]
        if not isinstance(above, cst.If) or above.orelse is not None or list(above.body.body) != [line]:
            return
        whole, test = above, above.test
        if above not in block or names_in(test) & bound_by(function.node.body):
            return
    filled = _filled(work, block, whole, name)
    if not filled:
        return
    work.edits.remove(whole)
    for place, last in filled.items():
        behind = max(last, block.index(whole))
        text = f"{place}.requires_grad_({flag})"
        made = quote_statement(f"if {code(test)}:\n    {text}" if test is not None else text)
        work.edits.after(block[behind], always_statements([made]))


def _filled(
    work: NormalizationRound, block: Sequence[cst.BaseStatement], frozen: cst.BaseStatement, name: str
) -> dict[str, int]:
    """The fields that hold parts of a module and nothing else, each with the number of the last line that fills it; none if
    other lines do something with the module.
    """
    names, filled = {name}, dict[str, int]()
    at = block.index(frozen)
    for number, line in enumerate(block):
        if line is frozen:
            continue
        places = [] if _makes_empty(work, line) else list(_places_filled(line))
        if not names_in(line) & names:
            filled.update((place, -1) for place in places)
            continue
        binds = _bound_lists(work, line, names)
        if binds is not None:
            if not binds and number > at:
                return {}
            names |= binds
            continue
        found = list(_fills(work, line, names))
        if any(filled.get(place) == -1 for place in found):
            return {}
        filled.update((place, number if place in found else -1) for place in places)
        if not found and not _only_asks(work, line, names) and not _is_on_whole(work, line, name, number < at):
            return {}
    return {place: number for place, number in filled.items() if number >= 0}


def _makes_empty(work: NormalizationRound, line: cst.BaseStatement) -> bool:
    """`self.slice = nn.Sequential()`"""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(value=cst.Call(func=function, args=[]))]):
            return work.values.torch_name(function) in _CONTAINERS
    return False


def _bound_lists(work: NormalizationRound, line: cst.BaseStatement, names: set[str]) -> set[str] | None:
    """`modules` of `modules = list(resnet.children())[:-1]`; what binds the module itself binds no list."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(bound))], value=value)]
        ):
            if not names_in(value) & names:
                return set() if bound in names else None
            return {bound} if bound not in names and _is_part(work, value, names) else None
        case cst.If(orelse=None):  # `if pretrained: resnet.load_state_dict(...)`
            return None
    return None


def _fills(work: NormalizationRound, line: cst.CSTNode, names: set[str]) -> Iterator[str]:
    """The fields that a line gives parts of a module, if it does nothing else."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            pairs = list(assigned_pairs(target, value))
            if all(_is_field(place) and _is_part(work, given, names) for place, given in pairs):
                yield from (str(dotted(place)) for place, _ in pairs)
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name(method)), args=args))]
        ) if method in _ADDING and _is_field(place) and args:
            if _is_part(work, args[-1].value, names) and not any(names_in(item.value) & names for item in args[:-1]):
                yield str(dotted(place))
        case cst.For(iter=iterated, body=cst.IndentedBlock(body=lines), orelse=None) if not names_in(iterated) & names:
            found = [list(_fills(work, item, names)) for item in lines]
            if all(found):
                yield from (place for places in found for place in places)


def _places_filled(line: cst.CSTNode) -> Iterator[str]:
    """The fields that lines bind, or add something to."""
    for node in (line, *descendants(line)):
        match node:
            case cst.AssignTarget(target=target):
                yield from (str(dotted(item)) for item in (target, *descendants(target)) if _is_field(item))
            case cst.Call(func=cst.Attribute(value=place, attr=cst.Name(method))) if method in _ADDING:
                yield str(dotted(place))


def _is_field(node: cst.CSTNode) -> TypeGuard[cst.Attribute]:
    return isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name) and node.value.value == "self"


def _is_part(work: NormalizationRound, node: cst.BaseExpression, names: set[str]) -> bool:
    """Whether an expression is a module, a part of it, or a container of such parts and of layers that hold nothing."""
    match node:
        case cst.Name(name):
            return name in names
        case cst.Attribute(value=inner):
            return work.values(node).kind is Kind.MODULE and _is_part(work, inner, names)
        case cst.Subscript(value=inner):
            return _is_part(work, inner, names)
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("children" | "eval")), args=[]):
            return _is_part(work, inner, names)
        case cst.Call(func=cst.Name(function), args=[cst.Arg(value=inner, star="")]) if function in _LISTS:
            return _is_part(work, inner, names)
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return all(_is_part(work, item.value, names) or _holds_nothing(work, item.value) for item in elements)
        case cst.Call(func=function, args=args) if work.values.torch_name(function) in _CONTAINERS:
            given = [item.value for item in args]
            return bool(given) and all(_is_part(work, item, names) or _holds_nothing(work, item) for item in given)
    return False


def _holds_nothing(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    assert work.effects is not None
    return isinstance(node, cst.Call) and is_plain_layer(work.effects.tables, work.values(node))


def _only_asks(work: NormalizationRound, line: cst.BaseStatement, names: set[str]) -> bool:
    """Whether a line asks a module for numbers only: `nn.Linear(resnet.fc.in_features, 2)`."""
    for node in descendants(line, cst.Name):
        if node.value in names and not work.index.is_label(node):
            path, _ = whole_path(work.program, node)
            if work.values(path).kind not in _NUMBERS:
                return False
    return True


def _is_on_whole(work: NormalizationRound, line: cst.BaseStatement, name: str, is_before: bool) -> bool:
    """Whether a line changes the numbers or the mode of a module, deletes it or, before it is frozen, makes it or one of its parts."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name(method)), args=args))]
        ):
            return owner == name and method in _ON_WHOLE and not any(name in names_in(item.value) for item in args)
        case cst.SimpleStatementLine(body=[cst.Del(target=cst.Name(gone))]):
            return gone == name
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            is_own = root_name(target) == name
            return is_own and (is_before or _holds_nothing(work, value))
        case cst.If() if is_before:
            inner = [item for part in descendants(line, cst.IndentedBlock) for item in part.body]
            return not _asks(line, name) and all(
                isinstance(item, (cst.If, cst.SimpleStatementLine))
                and (name not in names_in(item) or _is_on_whole(work, item, name, is_before))
                for item in inner
            )
    return False


def _asks(line: cst.If, name: str) -> bool:
    return name in names_in(line.test) or (isinstance(line.orelse, cst.If) and _asks(line.orelse, name))


__all__ = ["normalize_frozen_sources"]

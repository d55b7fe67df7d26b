"""Bare modules that only hold parts, each normalized to a class with these parts.

self.mid = nn.Module()                     ->   class Mid(nn.Module):
self.mid.block_1 = Block(4)                         def __init__(self, block_1, attn_1):
self.mid.attn_1 = Attention(4)                          super().__init__()
                                                        self.block_1 = block_1
                                                        self.attn_1 = attn_1

                                                mid_block_1 = Block(4)
                                                mid_attn_1 = Attention(4)
                                                self.mid = Mid(mid_block_1, mid_attn_1)

A part that is set under a condition is None where that does not hold. The order of evaluation stays, and that of the parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import is_own_method
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, is_label

_Place = cst.Name | cst.Attribute


@dataclass(slots=True)
class _Bare:
    """A bare module: where it is made, its place, the statements up to the one that completes it, and what is done with it there."""

    made: cst.Assign
    line: cst.SimpleStatementLine
    place: str
    behind: Sequence[cst.CSTNode]
    stores: dict[cst.Assign, str]
    reads: dict[cst.Attribute, str]
    given: cst.Name | None  # where it is handed on

    @property
    def parts(self) -> list[str]:
        return list(dict.fromkeys(self.stores.values()))

    @property
    def optional(self) -> list[str]:
        """The parts that some run of the statements may not set."""
        sure = {
            name for store, name in self.stores.items() if any(self._is_at_top(line, store) for line in self.behind)
        }
        return [name for name in self.parts if name not in sure]

    @staticmethod
    def _is_at_top(line: cst.CSTNode, store: cst.Assign) -> bool:
        return isinstance(line, cst.SimpleStatementLine) and any(item is store for item in line.body)


def normalize_bare_modules(work: NormalizationRound) -> None:
    """Normalize all bare modules of a file."""
    if not work.program.mentions("Module"):
        return
    found = [item for node in work.index.every(cst.Assign) if (item := _bare(work, node)) is not None]
    classes: dict[tuple[str, tuple[str, ...], tuple[str, ...]], str] = {}
    for item in found:
        base = "".join(word.capitalize() for word in item.place.rpartition(".")[2].split("_")) or "Parts"
        kind = (base, tuple(item.parts), tuple(item.optional))
        if kind not in classes:
            classes[kind] = work.fresh(base)
            top = [item.line, *work.index.ancestors(item.line)][-2]
            function = cst.ensure_type(item.made.value, cst.Call).func
            made = _class(classes[kind], function, item)
            work.edits.before(top, partial(_built, made))
        _normalize(work, item, classes[kind])


def _built(made: cst.BaseStatement, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [made]


def _bare(work: NormalizationRound, node: cst.Assign) -> _Bare | None:
    """The bare module that an assignment makes, if all that is done with it stands in sight."""
    line, function = work.index.parents[node], work.program.function_around(node)
    block = work.index.parents.get(line)
    place = dotted(node.targets[0].target) if len(node.targets) == 1 else None
    is_bare = isinstance(node.value, cst.Call) and not node.value.args
    if not is_bare or work.values.torch_name(node.value.func) != "torch.nn.Module":  # type: ignore[attr-defined]
        return None
    if place is None or function is None or not isinstance(block, cst.IndentedBlock):
        return None
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    root, _, field = place.partition(".")
    if "." in field or (field and (root != function.self_name or function.name != "__init__")):
        return None
    at = next(number for number, item in enumerate(block.body) if item is line)
    return _uses(work, _Bare(node, line, place, block.body[at + 1 :], {}, {}, None), function)


def _uses(work: NormalizationRound, item: _Bare, function: Function) -> _Bare | None:
    """The same with what is done with it; None where something of that has no counterpart."""
    last = -1
    for number, statement in enumerate(item.behind):
        again = _makes_again(statement, item.place)
        if again:
            break
        for node in _places(work, statement, item.place):
            if item.given is not None or not _note(work, item, node, function):
                return None
            last = number
    inside = {node for line in item.behind[: last + 1] for node in (line, *descendants(line))}
    elsewhere = [
        node
        for node in _places(work, function.node.body, item.place)
        if node not in inside and not _is_target_of_another(work, node, item)
    ]
    if last < 0 or not item.stores or [node for node in elsewhere if not _belongs_to_another(work, node, item.place)]:
        return None
    complete = item.behind[last]
    if not isinstance(complete, cst.SimpleStatementLine) and item.given is not None:
        return None  # it is handed on in a branch or a loop
    is_field = "." in item.place
    if is_field == (item.given is not None):
        return None
    item.behind = item.behind[: last + 1]
    if (is_field and _looks_at_self(work, item, function)) or _is_asked_for(work, item.optional):
        return None
    return item


def _is_asked_for(work: NormalizationRound, names: Sequence[str]) -> bool:
    """Whether the program asks if a module has one of some parts: it always has those that may be None."""
    for call in work.index.calls if names else ():
        match call:
            case cst.Call(func=cst.Name("hasattr" | "delattr"), args=[_, cst.Arg(value=name)]):
                if work.values(name).const in names or not isinstance(name, cst.SimpleString):
                    return True
    return False


def _makes_again(statement: cst.CSTNode, place: str) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)])]):
            return dotted(target) == place
    return False


def _is_target_of_another(work: NormalizationRound, node: _Place, item: _Bare) -> bool:
    """Whether a place is the target of an assignment that makes a bare module, this one or another of that name, or sets None."""
    target = work.index.parents[node]
    made = work.index.parents[target] if isinstance(target, cst.AssignTarget) else None
    if made is item.made or not isinstance(made, cst.Assign):
        return made is item.made
    return _is_bare_call(work, made.value) or dotted(made.value) == "None"


def _is_bare_call(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and not node.args and work.values.torch_name(node.func) == "torch.nn.Module"


def _belongs_to_another(work: NormalizationRound, node: _Place, place: str) -> bool:
    """Whether a use of a name stands behind another assignment in the block around it that makes a bare module of that name."""
    for ancestor in (node, *work.index.ancestors(node)):
        block = work.index.parents.get(ancestor)
        if not isinstance(block, cst.IndentedBlock):
            continue
        for statement in block.body:
            if statement is ancestor:
                break
            match statement:
                case cst.SimpleStatementLine(body=[cst.Assign(value=value)]) if _makes_again(statement, place):
                    if _is_bare_call(work, value):
                        return True
    return False


def _places(work: NormalizationRound, node: cst.CSTNode, place: str) -> Iterator[_Place]:
    """Where a place is named in a piece of code."""
    for item in (node, *descendants(node)):
        if isinstance(item, (cst.Name, cst.Attribute)) and dotted(item) == place:
            if not (isinstance(item, cst.Name) and is_label(item, work.index.parents[item])):
                yield item


def _note(work: NormalizationRound, item: _Bare, node: _Place, function: Function) -> bool:
    """Note a store to a part, a read of one, or that the module is handed on; False for anything else."""
    parents = work.index.parents
    if work.program.function_running(node) is not function:
        return False
    around = parents[node]
    if isinstance(around, cst.Attribute) and around.value is node:
        name, target = around.attr.value, parents[around]
        if not is_own_method(name):
            return False
        if isinstance(target, cst.AssignTarget):
            store = parents[target]
            line = parents[store]
            is_plain = isinstance(store, cst.Assign) and len(store.targets) == 1
            if not is_plain or not isinstance(line, cst.SimpleStatementLine):
                return False
            item.stores[store] = name  # type: ignore[index]
            return True
        item.reads[around] = name
        return not isinstance(target, (cst.AugAssign, cst.Del, cst.AnnAssign)) and name in item.stores.values()
    if isinstance(node, cst.Name) and isinstance(around, (cst.Arg, cst.Assign)):
        item.given = node
        return True
    return False


def _looks_at_self(work: NormalizationRound, item: _Bare, function: Function) -> bool:
    """Whether `self` itself, a method or another field is used or set before the module is complete."""
    for line in item.behind:
        for node in (line, *descendants(line)):
            if isinstance(node, cst.Name) and node.value == function.self_name:
                field = work.index.parents[node]
                if not isinstance(field, cst.Attribute) or field.value is not node:
                    return True
                around = work.index.parents[field]
                is_place = dotted(field) == item.place
                if not is_place and isinstance(around, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
                    return True
                if not is_place and isinstance(around, cst.Call) and around.func is field:
                    return True
    return False


def _class(name: str, base: cst.BaseExpression, item: _Bare) -> cst.BaseStatement:
    given = [part for part in item.parts if part not in item.optional]
    parameters = ", ".join(["self", *given, *(f"{part}=None" for part in item.optional)])
    body = "".join(f"\n        self.{part} = {part}" for part in item.parts)
    text = f"class {name}({{base}}):\n    def __init__({parameters}):\n        super().__init__(){body}"
    made = quote_statement(text, base=base.deep_clone())
    blank = cst.EmptyLine(indent=False)
    return made.with_changes(leading_lines=[blank, blank])


def _normalize(work: NormalizationRound, item: _Bare, name: str) -> None:
    fresh = work.names_at(item.line)
    short = item.place.rpartition(".")[2]
    variables = {part: fresh(f"{short}_{part}") for part in item.parts}
    for store, part in item.stores.items():
        work.edits.replace(store.targets[0].target, always(cst.Name(variables[part])))
    for read, part in item.reads.items():
        work.edits.replace(read, always(cst.Name(variables[part])))
    given = [variables[part] for part in item.parts if part not in item.optional]
    given += [f"{part}={variables[part]}" for part in item.optional]
    made = f"{name}({', '.join(given)})"
    lines = [quote_statement(f"{variables[part]} = None") for part in item.optional]
    work.edits.rewrite_statement(item.line, lambda rewrite: lines)
    if item.given is not None:
        work.edits.replace(item.given, lambda rewrite: quote(made))
    else:
        work.edits.after(item.behind[-1], lambda rewrite: [quote_statement(f"{item.place} = {made}")])


__all__ = ["normalize_bare_modules"]

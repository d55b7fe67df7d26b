"""Containers of parts that a module holds by themselves, too, become properties that collect them.

self.conv = nn.Conv1d(2, 4, 3)                    self.conv = nn.Conv1d(2, 4, 3)
self.act = nn.ReLU()                       ->     self.act = nn.ReLU()
self.net = nn.Sequential(self.conv, self.act)
                                                  @property
                                                  def net(self):
                                                      return nn.Sequential(self.conv, self.act)

A module that is a value would hold each of them twice, and train two copies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.normalize.own_fields import may_be_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import with_fields
from torch2jax.values import Kind

_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_LISTING = ("children", "named_children", "named_modules")  # which list the container as a part of its own
_GROWING = frozenset({"append", "extend", "insert", "add_module", "register_module", "pop", "__setitem__"})


def normalize_collected_parts(work: NormalizationRound) -> None:
    """Make properties of all such containers of a file."""
    assert work.effects is not None
    if not work.effects.threads or any(map(work.program.mentions, _LISTING)):
        return  # modules that are objects may be held twice
    for item in work.program.classes.values():
        maker = item.method("__init__")
        if (
            not item.is_module
            or maker is None
            or maker.owner is not item
            or not isinstance(item.node.body, cst.IndentedBlock)
        ):
            continue
        found = list(_collections(work, item, maker))
        if found:
            for line, _, _ in found:
                work.edits.remove(line)
            _define(work, item, maker, [(name, value) for _, name, value in found])


Collection = tuple[cst.SimpleStatementLine, str, cst.Call]


def _collections(work: NormalizationRound, item: Class, maker: Function) -> Iterator[Collection]:
    """The lines of `__init__` that collect parts in a container: the field and its value."""
    body = maker.node.body
    for line in body.body if isinstance(body, cst.IndentedBlock) else ():
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[
                            cst.AssignTarget(target=cst.Attribute(value=cst.Name(own), attr=cst.Name(name)) as target)
                        ],
                        value=cst.Call() as call,
                    )
                ]
            ) if own == maker.self_name and work.values.torch_name(call.func) in _CONTAINERS:
                parts = _parts(call)
                fields = [_field(part, own) for part in parts]
                if (
                    fields
                    and None not in fields
                    and item.method(name) is None
                    and not _changes(work, item, target, name)
                    and all(_is_made_before(work, item, str(field), line) for field in fields)
                ):
                    yield line, name, call


def _parts(call: cst.Call) -> list[cst.BaseExpression]:
    """What a container is given; nothing if not all of it is in sight."""
    given = call.args
    if len(given) == 1 and isinstance(given[0].value, (cst.List, cst.Tuple)) and given[0].star in ("", "*"):
        return [element.value for element in given[0].value.elements if isinstance(element, cst.Element)]
    return [] if any(arg.star or arg.keyword is not None for arg in given) else [arg.value for arg in given]


def _field(part: cst.BaseExpression, own: str) -> str | None:
    match part:
        case cst.Attribute(value=cst.Name(value), attr=cst.Name(name)) if value == own:
            return name
    return None


def _of_class(work: NormalizationRound, item: Class, name: str) -> Iterator[cst.Attribute]:
    """Where the file speaks of a field of the objects of a class, or of what may be such."""
    related = {
        key for key, other in work.program.class_by_key.items() if item in other.lineage or other in item.lineage
    }
    for node in work.index.attributes:
        if node.attr.value == name and may_be_of(work.values(node.value), related):
            yield node


def _changes(work: NormalizationRound, item: Class, made: cst.Attribute, name: str) -> bool:
    """Whether anything else in the file may set such a field, or change the container in it."""
    parents = work.index.parents
    for node in _of_class(work, item, name):
        if node is made:
            continue
        parent: cst.CSTNode = parents[node]
        while isinstance(parent, (cst.Element, cst.Tuple, cst.Subscript)):
            parent = parents[parent]
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del)):
            return True
        if isinstance(parent, cst.Attribute) and parent.attr.value in _GROWING:
            return True
    return False


def _is_made_before(work: NormalizationRound, item: Class, name: str, line: cst.CSTNode) -> bool:
    """Whether a field holds one module, which it was given before a line of `__init__` and keeps."""
    value = item.field_value(name)
    if value is None or value.kind is not Kind.MODULE:
        return False
    index = work.index
    stores = [
        index.statement_of(node)
        for node in _of_class(work, item, name)
        if isinstance(index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.Del))
    ]
    body = list(index.parents[line].body)  # type: ignore[attr-defined]
    return bool(stores) and all(store in body and body.index(store) < body.index(line) for store in stores)


def _define(work: NormalizationRound, item: Class, maker: Function, found: Sequence[tuple[str, cst.Call]]) -> None:
    own = str(maker.self_name)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        made = []
        for name, value in found:
            text = f"@property\ndef {name}({own}):\n    return {{value}}\n"
            definition = quote_statement(text, value=work.copy(value))
            made.append(with_fields(definition, leading_lines=[cst.EmptyLine(indent=False)]))
        return made

    work.edits.after(maker.node, build)


__all__ = ["normalize_collected_parts"]

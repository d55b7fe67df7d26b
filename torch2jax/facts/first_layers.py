"""What may be the first layer of `nn.Sequential(*layers)`, where a function fills the list: it sees the argument itself.

layers = []
for width in widths:
    if norm:
        layers.append(nn.BatchNorm1d(width))     # this one
    layers.extend(block(width))                  # or the first one of these, should there be any
    layers.append(nn.ReLU(True))                 # or this one
    layers.append(nn.Linear(width, width))       # never this one

A may-analysis forwards over the statements behind the one that makes the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst

from torch2jax.program.program import dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.syntax.walk import Index, count_name, descendants

_EMPTY = frozenset({"OrderedDict", "collections.OrderedDict", "dict", "list"})
_BLOCKS = (cst.If, cst.For, cst.While, cst.With)


class First(NamedTuple):
    """An expression that gives what may be the first element of a list, or (`is_list`) the list whose first element that is."""

    node: cst.BaseExpression
    is_list: bool = False


def first_elements(index: Index, name: cst.Name) -> list[First] | None:
    """The expressions of which one gives the first element of a list in a variable; None if that cannot be seen."""
    block, start = _start(index, name)
    if block is None:
        return None
    search = _Search(name.value)
    end = index.statement_of(name)
    return search.found if search.run(block[start:], end) and not search.is_lost else None


def grown_elements(index: Index, call: cst.Call) -> list[First] | None:
    """The same of a list of modules that a field or a variable holds from where it is made, `self.layers = nn.ModuleList()`, to
    the end of the function; None where other code puts layers into one of that name.
    """
    line = index.statement_of(call)
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            path = dotted(target)
        case _:
            return None
    block = index.parents.get(line)
    function = index.function_of(call)
    if path is None or value is not call or function is None or block is not function.body:
        return None
    if any(_may_begin(index, other, path, function) for other in index.calls):
        return None
    search = _Search(path)
    body = list(function.body.body)
    search.run(body[body.index(line) + 1 :], None)
    return None if search.is_lost else search.found


def _may_begin(index: Index, call: cst.Call, path: str, function: cst.FunctionDef) -> bool:
    """Whether a call in another function may put the first layer into a list; classes that derive from its own add behind."""
    match call.func:
        case cst.Attribute(
            value=cst.Attribute(value=owner, attr=cst.Name(name)),
            attr=cst.Name("append" | "extend" | "insert" as method),
        ):
            other = index.function_of(call)
            if name != path.rpartition(".")[2] or other is function:
                return False
            own, others = (
                next(item for item in index.ancestors(part) if isinstance(item, (cst.ClassDef, cst.Module)))
                for part in (function, call)
            )
            return dotted(owner) != "self" or own is others or (method == "insert" and _derives(others, own))
    return False


def _derives(item: cst.CSTNode, base: cst.CSTNode) -> bool:
    return (
        isinstance(item, cst.ClassDef)
        and isinstance(base, cst.ClassDef)
        and any(dotted(arg.value) == base.name.value for arg in item.bases)
    )


def named_elements(index: Index | None, table: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The layers of `OrderedDict([("norm", layer), ...])` and of `OrderedDict(norm=layer)`, as far as they are written out; of
    a dict in a variable those that may be the first.
    """
    found: list[cst.BaseExpression] = []
    match table:
        case cst.Name():
            firsts = first_elements(index, table) or [] if index is not None else []
            return [] if any(item.is_list for item in firsts) else [item.node for item in firsts]
        case cst.Call(args=[cst.Arg(value=cst.List() | cst.Tuple() as pairs, keyword=None, star="")]):
            for pair in pairs.elements:
                match pair:
                    case cst.Element(value=cst.Tuple(elements=[_, cst.Element(value=layer)])):
                        found.append(layer)
                    case _:
                        break
        case cst.Call(args=args):
            for item in args:
                if item.keyword is None:
                    break
                found.append(item.value)
    return found


def _start(index: Index, name: cst.Name) -> tuple[Sequence[cst.CSTNode] | None, int]:
    """The innermost block around a reader that makes the list above it, and the place of the last statement that does so."""
    below: cst.CSTNode = name
    for node in index.ancestors(name):
        if isinstance(node, (cst.IndentedBlock, cst.Module)):
            body = list(node.body)
            above = body[: next(place for place, line in enumerate(body) if line is below)]
            made = [_made(line, name.value) for line in above]
            makers = [at for at, value in enumerate(made) if value is not None and not _is_beginning(value, name.value)]
            if makers:
                return body, makers[-1]
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            return None, 0
        below = node
    return None, 0


def _made(line: cst.CSTNode, name: str) -> cst.BaseExpression | None:
    """The value of `name = value`, and of `name, other = value, another`."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            pairs = assigned_pairs(target, value)
            return next((given for place, given in pairs if dotted(place) == name), None)
        case cst.SimpleStatementLine(body=[cst.AnnAssign(target=cst.Name(target), value=value)]) if target == name:
            return value
    return None


def _is_beginning(value: cst.BaseExpression, name: str) -> bool:
    """Whether a list becomes its own first elements, `layers = layers[:-1]`: what it begins with stays, should any be left."""
    match value:
        case cst.Subscript(
            value=whole,
            slice=[cst.SubscriptElement(slice=cst.Slice(lower=None, upper=cst.BaseExpression(), step=None))],
        ):
            return dotted(whole) == name and count_name(value, name) == 1
    return False


class _Search:
    """One walk; `is_lost` once something is done to the list that is not followed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[First] = []
        self.is_lost = False

    def run(self, block: Sequence[cst.CSTNode], end: cst.CSTNode | None) -> bool:
        """Whether the list surely has an element behind a block, or where it is read."""
        return any(line is end or self.is_lost or self.line(line, end) for line in block)

    def line(self, line: cst.CSTNode, end: cst.CSTNode | None) -> bool:
        if isinstance(line, _BLOCKS):
            ways = [self.run(line.body.body, end)]
            orelse = line.orelse if isinstance(line, cst.If) else None
            if isinstance(orelse, cst.If):
                ways.append(self.line(orelse, end))
            else:
                ways.append(orelse is not None and self.run(orelse.body.body, end))
            return (all(ways) and isinstance(line, cst.If)) or (isinstance(line, cst.With) and ways[0])
        if (value := _made(line, self.name)) is not None:
            return not _is_beginning(value, self.name) and self.of_list(value)
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Expr(
                        value=cst.Call(
                            func=cst.Attribute(value=grown, attr=cst.Name(method)),
                            args=[cst.Arg(value=value, keyword=None, star="")],
                        )
                    )
                ]
            ) if method in ("append", "extend") and dotted(grown) == self.name:
                if method == "append":
                    self.found.append(First(value))
                    return True
                return self.of_list(value)
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=grown))], value=value)]
            ) if dotted(grown) == self.name:  # of a dict: the first one that is stored
                self.found.append(First(value))
                return True
            case cst.SimpleStatementLine(body=[cst.AugAssign(target=grown, operator=cst.AddAssign(), value=value)]) if (
                dotted(grown) == self.name
            ):
                return self.of_list(value)
        self.is_lost = self.is_lost or self.names(line)
        return False

    def names(self, line: cst.CSTNode) -> bool:
        """Whether a statement names the list."""
        return any(
            dotted(item) == self.name for item in descendants(line) if isinstance(item, (cst.Name, cst.Attribute))
        )

    def of_list(self, value: cst.BaseExpression) -> bool:
        """Note the first element of a display; whether there is one."""
        while isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add):
            value = value.left
        if isinstance(value, cst.Call) and not value.args and dotted(value.func) in _EMPTY:
            return False
        if isinstance(value, cst.Call) and dotted(value.func) in _EMPTY - {"list"}:
            entries = named_elements(None, value)
            self.is_lost = self.is_lost or not entries
            self.found.extend(map(First, entries[:1]))
            return bool(entries)
        if isinstance(value, cst.Dict):
            entry = value.elements[0] if value.elements else None
            self.is_lost = self.is_lost or isinstance(entry, cst.StarredDictElement)
            self.found.extend([First(entry.value)] if isinstance(entry, cst.DictElement) else [])
            return entry is not None
        if not isinstance(value, cst.List):
            self.is_lost = self.is_lost or count_name(value, self.name) > 0
            self.found.append(First(value, is_list=True))
            return False
        for item in value.elements:
            starred = isinstance(item, cst.StarredElement)
            self.is_lost = self.is_lost or (starred and count_name(item, self.name) > 0)
            self.found.append(First(item.value, starred))
            if not starred:
                return True
        return False


__all__ = ["First", "first_elements", "grown_elements", "named_elements"]

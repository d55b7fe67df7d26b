"""Fields that `__init__` sets on some ways only.

A must-analysis over the statements of `__init__` and of the methods that it calls on its own object: forward, the lattice is
the set of fields that are set on every way here, the join is the intersection, and a way that raises joins with nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.ops.modules import REGISTERING
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def unset_fields(item: Class) -> tuple[str, ...]:
    """The fields of a class, in the order of their assignments, that its objects may lack after `__init__`."""
    init = item.methods.get("__init__")
    if init is None:
        return ()
    walk = _Walk(item)
    surely = walk.method(init)
    declared = {name for part in item.lineage for name in names_of_class(part)}
    inherited = {name for base in item.base_classes for name, _ in base.all_fields()}
    return tuple(name for name in walk.seen if name not in surely | declared | inherited)


def is_surely_set(item: Class, name: str) -> bool:
    """Whether the objects of a class have a field once they are made."""
    declared = {one for part in item.lineage for one in names_of_class(part)}
    init = item.method("__init__")
    return name in declared or (init is not None and name in _Walk(item).method(init))


def fields_in_order(item: Class) -> tuple[str, ...]:
    """All fields of a class in the order in which `__init__` sets them, which is torch's order of what they hold: one that is
    None at first is registered when it gets a parameter or a part.
    """
    return _orders(item)[1]


def ordered_parts(item: Class) -> tuple[str, ...]:
    """The fields of a class with parameters, buffers and parts in torch's order, if some are None before; none otherwise."""
    met, order = ([name for name in names if name in _holding(item)] for names in _orders(item))
    return tuple(order) if order != met else ()


def _orders(item: Class) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of a class in the order in which they are first met, and in which they get what is no None."""
    walk = _Walk(item)
    init = item.methods.get("__init__")
    if init is not None:
        walk.method(init)
    held = _holding(item)
    place = {name: walk.filled.get(name, place) if name in held else place for name, place in walk.met.items()}
    first = [name for name in walk.seen if name in item.fields]
    others = [name for name in item.fields if name not in walk.seen]
    return (*first, *others), (*sorted(first, key=place.__getitem__), *others)


def _holding(item: Class) -> frozenset[str]:
    return frozenset(name for name, value in item.fields.items() if value.is_a(Kind.TENSOR, Kind.MODULE))


def fields_set_by(item: Class, init: Function, line: cst.CSTNode) -> frozenset[str]:
    """The fields that a statement of `__init__` may set."""
    walk = _Walk(item)
    walk.running.add(init)
    walk.block([line], frozenset(), init)
    return frozenset(walk.seen)


class _Walk:
    """What the statements of a class set on every way; `seen` are all fields that are met, in order."""

    def __init__(self, item: Class) -> None:
        self.item = item
        self.seen: dict[str, None] = {}
        self.met: dict[str, int] = {}  # when a field is first met
        self.filled: dict[str, int] = {}  # and when it first gets something else than None
        self.running: set[Function] = set()
        self.exits: list[frozenset[str]] = []

    def method(self, function: Function) -> frozenset[str]:
        """The fields that a method sets on every way through it."""
        if function in self.running or function.self_name is None:
            return frozenset()
        self.running.add(function)
        outer, self.exits = self.exits, []
        end = self.block(function.node.body.body, frozenset(), function)
        ends = [*self.exits, *([end] if end is not None else [])]
        self.exits = outer
        self.running.discard(function)
        return frozenset.intersection(*ends) if ends else frozenset()

    def block(self, lines: Sequence[cst.CSTNode], before: frozenset[str], function: Function) -> frozenset[str] | None:
        """What is set behind some lines; None where no way leads there."""
        now: frozenset[str] | None = before
        for line in lines:
            now = self.line(line, now if now is not None else frozenset(), function) if now is not None else None
        return now

    def line(self, line: cst.CSTNode, before: frozenset[str], function: Function) -> frozenset[str] | None:
        match line:
            case cst.SimpleStatementLine():
                return self.block(line.body, before, function)
            case cst.Return():
                self.exits.append(before | self.sets(line, function))
                return None
            case cst.Raise():
                return None
            case cst.If():
                after = [self.block(line.body.body, before, function)]
                orelse = line.orelse
                if isinstance(orelse, cst.If):
                    after.append(self.line(orelse, before, function))
                else:
                    after.append(self.block(orelse.body.body, before, function) if orelse is not None else before)
                return _joined(after)
            case cst.For() | cst.While():
                self.block(line.body.body, before, function)
                rest = line.orelse.body.body if line.orelse is not None else ()
                return self.block(rest, before, function)
            case cst.With():
                return self.block(line.body.body, before | self.targets(line, function), function)
            case cst.Try():
                tried = self.block(line.body.body, before, function)
                if tried is not None and line.orelse is not None:
                    tried = self.block(line.orelse.body.body, tried, function)
                caught = [self.block(handler.body.body, before, function) for handler in line.handlers]
                end = _joined([tried, *caught])
                if end is None or line.finalbody is None:
                    return end
                return self.block(line.finalbody.body.body, end, function)
            case cst.Match():
                cases = [self.block(case.body.body, before, function) for case in line.cases]
                last = line.cases[-1] if line.cases else None
                is_full = last is not None and last.guard is None and _is_wildcard(last.pattern)
                return _joined([*cases, *([] if is_full else [before])])
            case cst.FunctionDef() | cst.ClassDef():
                return before
        return before | self.sets(line, function)

    def sets(self, line: cst.CSTNode, function: Function) -> frozenset[str]:
        """The fields that one simple statement sets: by itself, or by the methods of the object that it calls."""
        found = set(self.targets(line, function))
        for call in descendants(line):
            if type(call) is not cst.Call:
                continue
            name = given_name(call, function.self_name)
            if name is not None:
                found.add(name)
                self.note([name])
            elif isinstance(call.func, cst.Attribute) and dotted(call.func.value) == function.self_name:
                method = self.item.method(call.func.attr.value)
                if method is not None and method.name != "forward":
                    found |= self.method(method)
        return frozenset(found)

    def targets(self, line: cst.CSTNode, function: Function) -> frozenset[str]:
        found = []
        for target in _targets(line):
            for node in descendants(target):
                if isinstance(node, cst.Attribute) and dotted(node.value) == function.self_name:
                    if target is node or isinstance(target, (cst.Tuple, cst.List)):
                        found.append(node.attr.value)
        self.note(found, is_none=isinstance(line, cst.Assign | cst.AnnAssign) and _is_none(line.value))
        return frozenset(found)

    def note(self, names: Sequence[str], is_none: bool = False) -> None:
        """Note that fields are set."""
        for name in names:
            self.seen.setdefault(name)
            now = len(self.met) + len(self.filled)
            self.met.setdefault(name, now)
            if not is_none:
                self.filled.setdefault(name, now)


def _is_none(value: cst.BaseExpression | None) -> bool:
    if isinstance(value, cst.Tuple):
        return all(_is_none(item.value) for item in value.elements)
    return isinstance(value, cst.Name) and value.value == "None"


def _is_wildcard(pattern: cst.MatchPattern) -> bool:
    """Whether a pattern matches everything: `_`, or a name."""
    return isinstance(pattern, cst.MatchAs) and pattern.pattern is None


def _joined(ways: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    open_ways = [way for way in ways if way is not None]
    return frozenset.intersection(*open_ways) if open_ways else None


def _targets(line: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    match line:
        case cst.Assign():
            yield from (target.target for target in line.targets)
        case cst.AnnAssign() if line.value is not None:
            yield line.target
        case cst.With():
            for item in line.items:
                if item.asname is not None:
                    yield item.asname.name


def given_name(call: cst.Call, own: str | None) -> str | None:
    """The field that `self.register_buffer("name", ...)` or `setattr(self, "name", ...)` makes, where `own` is `self`."""
    args = [item.value for item in call.args]
    if dotted(call.func) == "setattr" and len(args) == 3 and dotted(args[0]) == own:
        name = args[1]
    elif (
        isinstance(call.func, cst.Attribute)
        and call.func.attr.value in REGISTERING
        and dotted(call.func.value) == own
        and args
    ):
        name = args[0]
    else:
        return None
    return str(name.evaluated_value) if isinstance(name, cst.SimpleString) else None


def names_of_class(item: Class) -> Iterator[str]:
    """What the body of a class binds itself."""
    yield from item.methods
    for statement in item.node.body.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                for target in _targets(small):
                    if isinstance(target, cst.Name):
                        yield target.value


__all__ = [
    "fields_in_order",
    "fields_set_by",
    "given_name",
    "is_surely_set",
    "names_of_class",
    "ordered_parts",
    "unset_fields",
]

"""Plain objects that change tensors in place which they were given, or have given away: whoever else holds one sees it.

box = Box(x)     # self.x = x
box.reset()      # self.x.zero_()
return x         # has changed, too

In JAX the field of the object is rebound, and nobody else sees it: such programs are refused.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import Class, Function
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def shared_fields(work: NormalizationRound) -> Iterator[Problem]:
    """What must be told of the objects of a file."""
    written = {item: fields for item in work.program.classes.values() if (fields := _written_fields(work, item))}
    if not written or work.flows is None:
        return
    by_key = {item.key: item for item in written}
    for call in work.index.calls:
        value = work.values(call.func)
        for key in value.types if value.kind is Kind.CLASS else ():
            if key in by_key:
                yield from _given(work, call, by_key[key], written[by_key[key]])
    changed = {field for fields in written.values() for field in fields}
    changing = {
        method
        for item, fields in written.items()
        for method in item.methods.values()
        if method.name != "__init__" and _changes(work, method, fields)
    }
    yield from _taken(work, changed, changing)


def _written_fields(work: NormalizationRound, item: Class) -> frozenset[str]:
    """The fields of a plain class whose tensors its methods change in place."""
    if item.is_module:
        return frozenset()
    return frozenset(
        name for method in item.methods.values() if method.self_name is not None for name in _field_writes(work, method)
    )


def _field_writes(work: NormalizationRound, method: Function) -> Iterator[str]:
    for node in descendants(method.node.body):
        place: cst.CSTNode | None = None
        match node:
            case cst.AugAssign(target=target):
                place = target
            case cst.AssignTarget(target=cst.Subscript() as target):
                place = target
            case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=name))) if is_inplace_name(name):
                place = receiver
        while isinstance(place, (cst.Subscript, cst.Call)):
            inner = place.value if isinstance(place, cst.Subscript) else place.func
            place = inner.value if isinstance(place, cst.Call) and isinstance(inner, cst.Attribute) else inner
            if isinstance(place, cst.Name):
                break
        match place:
            case cst.Attribute(value=cst.Name(value=owner), attr=cst.Name(value=name)):
                if owner == method.self_name and work.values(place).kind in (Kind.TENSOR, Kind.UNKNOWN):
                    yield name


def _changes(work: NormalizationRound, method: Function, fields: frozenset[str]) -> bool:
    if any(name in fields for name in _field_writes(work, method)):
        return True
    return any(
        isinstance(node, cst.Call)
        and any(
            other is not method and any(name in fields for name in _field_writes(work, other))
            for other in work.values.callees.get(node, ())
        )
        for node in descendants(method.node.body)
    )


def _given(work: NormalizationRound, call: cst.Call, item: Class, fields: frozenset[str]) -> Iterator[Problem]:
    """`Box(x)` where `x` is read later, and the box changes it."""
    maker = item.method("__init__")
    if maker is None or work.flows is None:
        return
    names = maker.parameter_names[1:]
    kept = dict(_kept_parameters(maker, fields))
    line = work.index.statement_of(call)
    live = work.flows.liveness(work.program.function_around(call)).after_statement(line)
    for position, argument in enumerate(call.args):
        name = argument.keyword.value if argument.keyword is not None else None
        name = name or (names[position] if position < len(names) else None)
        if name not in kept or work.values(argument.value).kind not in (Kind.TENSOR, Kind.UNKNOWN):
            continue
        root = argument.value
        while isinstance(root, (cst.Subscript, cst.Attribute)):
            root = root.value
        if isinstance(root, cst.Name) and _is_seen(work, call, line, root, live):
            yield Problem(call, "T2J303", {"name": f"self.{kept[name]}", "other": code(argument.value)})


def _is_seen(
    work: NormalizationRound, call: cst.Call, line: cst.BaseStatement, root: cst.Name, live: frozenset[str]
) -> bool:
    """Whether a variable, or another one of its storage, is read behind a line."""
    value = work.values(root)
    if value.kind not in (Kind.TENSOR, Kind.UNKNOWN) or not value.roots:
        return value.kind is Kind.TENSOR and root.value in live
    if root.value in live or any(item.startswith(("param:", "field:")) or item == "*" for item in value.roots):
        return True
    after = work.values.after.get(line, {})
    return any(after[name].roots & value.roots for name in live if name in after)


def _kept_parameters(maker: Function, fields: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The parameters that become fields as they are."""
    names = set(maker.parameter_names)
    for node in descendants(maker.node.body):
        match node:
            case cst.Assign(
                targets=[
                    cst.AssignTarget(target=cst.Attribute(value=cst.Name(value=owner), attr=cst.Name(value=name)))
                ],
                value=value,
            ) if owner == maker.self_name and name in fields:
                root: cst.CSTNode = value
                while isinstance(root, (cst.Subscript, cst.Attribute)):
                    root = root.value
                if isinstance(root, cst.Name) and root.value in names:
                    yield root.value, name


def _taken(work: NormalizationRound, changed: set[str], changing: set[Function]) -> Iterator[Problem]:
    """`x = box.x` or `x = box.step()`, where `x` is read behind another call that changes it."""
    if work.flows is None:
        return
    takers: dict[tuple[Function | None, str], list[cst.BaseStatement]] = {}
    for line in work.index.every(cst.SimpleStatementLine):
        if not isinstance(line.body[0], cst.Assign):
            continue
        small = line.body[0]
        if _takes(work, small.value, changed):
            for target in small.targets:
                if isinstance(target.target, cst.Name):
                    around = work.program.function_around(line)
                    takers.setdefault((around, target.target.value), []).append(line)
    if not takers:
        return
    for call in work.index.calls:
        if not any(callee in changing for callee in work.values.callees.get(call, ())):
            continue
        calling = work.index.statement_of(call)
        around = work.program.function_around(call)
        live = work.flows.liveness(around).after_statement(calling)
        before = work.flows.liveness(around).before_statement(calling)
        for name in live & before:
            if line not in takers.get((around, name), [line]):  # else the variable gets the new value
                yield Problem(call, "T2J303", {"name": "a field", "other": name})


def _takes(work: NormalizationRound, node: cst.BaseExpression, changed: set[str]) -> bool:
    """Whether an expression gives a field that is changed in place, or a method's result that may be one."""
    while isinstance(node, cst.Subscript):
        node = node.value
    if isinstance(node, cst.Attribute):
        owner = work.values(node.value)
        return node.attr.value in changed and owner.kind is Kind.OBJECT
    if isinstance(node, cst.Call):
        for callee in work.values.callees.get(node, ()):
            if callee.owner is None or callee.owner.is_module or callee.returns is None:
                continue
            if any(f"field:{name}" in callee.returns.roots for name in changed):
                return True
    return False

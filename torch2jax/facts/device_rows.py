"""Which reads of batches outside of steps may be given the rows of the first device alone.

output, loss = validate_step(model, images, target)     what the first device has
acc = accuracy(output, target)                          `target` holds the rows of all devices

Values of the program are those of the first device. A batch is the exception, since all devices run the steps: it may be cut down
where nothing that is computed from it goes on into a step, or to where that cannot be seen. Forward over the assignments of a
function: a may-analysis.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from torch2jax.facts.evaluation import Evaluation
from torch2jax.facts.infer import Values
from torch2jax.facts.reductions import assignments
from torch2jax.facts.training import Step
from torch2jax.program.program import Function, Program, dotted
from torch2jax.syntax.walk import Index, descendants
from torch2jax.values import Kind, Value

_SINGLE = frozenset({Kind.STR, Kind.NONE, Kind.BOOL})


def is_for_first(
    program: Program,
    values: Values,
    node: cst.Name,
    regions: Sequence[Step | Evaluation],
    inside: Collection[cst.CSTNode],
) -> bool:
    """Whether a read of a batch outside of all `regions` may be given the rows of the first device alone.

    `inside`: all that runs on every device."""
    if _changes(program.index, node):
        return False
    function = program.function_around(node)
    body: cst.CSTNode = program.index.module if function is None else function.node.body
    pairs = [
        (target, value)
        for target, value in _bindings(program, values, body)
        if value not in inside and program.function_around(value) is function and not _is_single(values(value))
    ]
    paths = _derived(pairs, node)
    if any(
        _touches(path, place)
        for item in _seen_from(program, function, regions)
        for place in _places(item)
        for path in paths
    ):
        return False
    return not any(
        _goes_on(program, values, item, node, paths, regions) for item in descendants(body) if item not in inside
    )


def _changes(index: Index, node: cst.CSTNode) -> bool:
    """Whether the batch gets other rows, or another value, where it stands."""
    parent = index.parents[node]
    while isinstance(parent, (cst.Subscript, cst.Attribute)) and parent.value is node:
        node, parent = parent, index.parents[parent]
    match parent:
        case cst.AssignTarget() | cst.Del():
            return True
        case cst.AugAssign(target=target):
            return target is node
        case cst.Call(func=cst.Attribute(attr=cst.Name(name))) if parent.func is node:
            return name.endswith("_") and not name.endswith("__")
    return False


def _bindings(program: Program, values: Values, body: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """What is bound, or filled by a method, with what: functions of torch, modules and texts fill nothing that they belong to."""
    for target, value in assignments(descendants(body)):
        method = program.index.parents[target]
        call = program.index.parents[method] if isinstance(method, cst.Attribute) else None
        if isinstance(method, cst.Attribute) and isinstance(call, cst.Call) and call.func is method:
            if values(method).kind is Kind.MODULE or values(method.value).is_a(Kind.TORCH, Kind.STR):
                continue
        yield target, value
    for node in descendants(body):
        if isinstance(node, (cst.For, cst.CompFor)):
            yield node.target, node.iter


def _derived(pairs: Sequence[tuple[cst.CSTNode, cst.CSTNode]], node: cst.Name) -> frozenset[str]:
    """The places that may hold something of what is computed from a read."""
    found = {path for target, value in pairs if value is node or node in descendants(value) for path in _bound(target)}
    size = -1
    while size < len(found):
        size = len(found)
        found |= {path for target, value in pairs if _reads(value, found) for path in _bound(target)}
    return frozenset(found)


def _bound(target: cst.CSTNode) -> Iterator[str]:
    match target:
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for item in elements:
                yield from _bound(item.value)
        case cst.Subscript(value=value):
            yield from _bound(value)
        case cst.AsName(name=name):
            yield from _bound(name)
        case cst.Name() | cst.Attribute():
            yield dotted(target) or ""
        case _:
            yield ""


def _reads(node: cst.CSTNode, paths: Collection[str]) -> bool:
    return any(
        isinstance(item, (cst.Name, cst.Attribute)) and dotted(item) in paths for item in (node, *descendants(node))
    )


def _seen_from(
    program: Program, function: Function | None, regions: Sequence[Step | Evaluation]
) -> Iterator[Step | Evaluation]:
    """What is run on all devices, and may read the variables of a function."""
    for item in regions:
        around = item.function
        if (
            function is None
            or around is function
            or (around is not None and function.node in program.index.ancestors(around.node))
        ):
            yield item


def _places(item: Step | Evaluation) -> Iterator[str]:
    yield from item.inputs
    yield from item.models


def _touches(path: str, place: str) -> bool:
    return not path or path == place or path.startswith(f"{place}.") or place.startswith(f"{path}.")


def _goes_on(
    program: Program,
    values: Values,
    item: cst.CSTNode,
    node: cst.Name,
    paths: Collection[str],
    regions: Sequence[Step | Evaluation],
) -> bool:
    """Whether a part of a function hands rows on to what all devices run, or to where that cannot be seen."""

    def has_rows(value: cst.CSTNode) -> bool:
        return (value is node or node in descendants(value) or _reads(value, paths)) and not _is_single(values(value))

    match item:
        case cst.Return(value=value) | cst.Yield(value=value):
            if program.function_around(item) is not program.function_around(node):
                return False
            parts = [part.value for part in value.elements] if isinstance(value, cst.Tuple) else [value]
            return any(part is not None and not _is_open_field(values, part) and has_rows(part) for part in parts)
        case cst.Assign(targets=targets, value=value):
            return any(isinstance(target.target, cst.Attribute) for target in targets) and has_rows(value)
        case cst.Global(names=names) | cst.Nonlocal(names=names):
            return any(name.name.value in paths for name in names)
        case cst.Call():
            runs = any(_runs(program, values, callee, regions, set()) for callee in values.callees.get(item, ()))
            return runs and any(has_rows(argument.value) for argument in item.args)
    return False


def _is_open_field(values: Values, node: cst.CSTNode) -> bool:
    """Whether a field holds what methods have made of what they were given: numbers, as far as anybody can say (`meter.avg`)."""
    return isinstance(node, cst.Attribute) and values(node).kind is Kind.UNKNOWN


def _is_single(value: Value) -> bool:
    """Whether a value has no rows: numbers, texts, and tensors without axes."""
    return value.is_number or value.kind in _SINGLE or (value.kind is Kind.TENSOR and value.rank == 0)


def _runs(
    program: Program, values: Values, function: Function, regions: Sequence[Step | Evaluation], seen: set[Function]
) -> bool:
    """Whether a function has something that all devices run, or calls one that has."""
    if function in seen:
        return False
    seen.add(function)
    if any(item.function is function for item in regions):
        return True
    calls = [node for node in descendants(function.node.body) if isinstance(node, cst.Call)]
    return any(
        _runs(program, values, callee, regions, seen) for call in calls for callee in values.callees.get(call, ())
    )


__all__ = ["is_for_first"]

"""Variables that hold where a tensor is, normalized away: JAX places arrays itself, and one that is traced is in no place.

device = x.device                      ->
mask = torch.ones(n, device=device)         mask = torch.ones(n, device=x.device)
b, n, device = *x.shape, x.device      ->   b, n = x.shape

What is made in the place of a tensor, or moved there, is an array like any other in JAX; the rows leave such arguments out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.precision import changes_nothing
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.contexts import AUTOCASTS
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.walk import descendants, is_label, own_nodes, with_fields
from torch2jax.values import Kind


@dataclass(frozen=True, slots=True)
class _Binding:
    """`device = x.device`, alone or as one of the parts of `b, device = n, x.device`."""

    target: cst.Name
    line: cst.SimpleStatementLine
    place: cst.BaseExpression


def normalize_devices(work: NormalizationRound) -> None:
    """Normalize the functions of a file in which such a variable does nothing but say where tensors are to be."""
    if not work.program.mentions("device"):
        return
    types = _types(work)
    speaking = {work.index.function_of(item) for item in work.index.attributes if _is_device(item)}
    for function in work.program.functions.values():
        found: dict[str, list[_Binding]] = {}
        for binding in _bindings(work, function) if function.node in speaking else ():
            found.setdefault(binding.target.value, []).append(binding)
        gone: dict[cst.SimpleStatementLine, set[cst.CSTNode]] = {}
        for name, bindings in found.items():
            reads = _reads(work, function, name, bindings)
            if reads is None:
                continue
            for read in reads:
                work.edits.replace(read, lambda rewrite, place=bindings[0].place: work.copy(place))  # type: ignore[misc]
            for binding in bindings:
                gone.setdefault(binding.line, set()).add(binding.target)
        for line, targets in gone.items():
            _drop(work, line, targets)
        for line, target in types.get(function.node, ()):
            if line not in gone:
                _drop_type(work, function, line, target)


def _bindings(work: NormalizationRound, function: Function) -> Iterator[_Binding]:
    for node in own_nodes(function.node):
        if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
            continue
        match node.body[0]:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=value):
                if _is_place(work, value):
                    yield _Binding(target, node, value)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple() as names)], value=cst.Tuple() as values):
                for name, part in _pairs(names.elements, values.elements):
                    if isinstance(name, cst.Name) and _is_place(work, part):
                        yield _Binding(name, node, part)


def _pairs(
    targets: Sequence[cst.BaseElement], values: Sequence[cst.BaseElement]
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """The targets and values that belong together, counted from the end as far as nothing has a star."""
    for target, value in zip(reversed(targets), reversed(values), strict=False):
        if isinstance(target, cst.StarredElement) or isinstance(value, cst.StarredElement):
            return
        yield target.value, value.value


def _is_place(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether an expression is `x.device` of a tensor, or of one of two."""
    if isinstance(value, cst.IfExp):
        return _is_place(work, value.body) and _is_place(work, value.orelse)
    return (
        isinstance(value, cst.Attribute)
        and _is_device(value)
        and (dotted(value) is not None or _is_first_parameter(work, value.value))
        and work.values(value.value).is_a(Kind.TENSOR, Kind.UNKNOWN)
    )


def _is_first_parameter(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """`next(model.parameters())`, which leaves nothing behind."""
    match node:
        case cst.Call(func=cst.Name("next" | "iter"), args=[cst.Arg(value=cst.Call() as inner, star="")]):
            return _is_first_parameter(work, inner)
    return isinstance(node, cst.Call) and work.values(node).kind is Kind.PARAMETERS


def _reads(
    work: NormalizationRound, function: Function, name: str, bindings: Sequence[_Binding]
) -> list[cst.Name] | None:
    """The places where a variable says where a tensor is to be; None if it is bound or used in any other way."""
    own = set(own_nodes(function.node))
    reads = _others(work, function, name, {binding.target for binding in bindings})
    return reads if all(node in own and _says_where(work, node) for node in reads) else None


def _others(work: NormalizationRound, function: Function, name: str, bound: set[cst.Name]) -> list[cst.Name]:
    """Where a variable stands in a function but for the places that are known to bind it."""
    return [
        node
        for node in descendants(function.node)
        if isinstance(node, cst.Name)
        and node.value == name
        and node not in bound
        and not is_label(node, work.index.parents[node])
    ]


def _says_where(work: NormalizationRound, node: cst.Name) -> bool:
    """Whether a name is an argument that the rows of its call leave out, or is asked only for its type."""
    argument = work.index.parents[node]
    if isinstance(argument, cst.Attribute):
        return argument.attr.value == "type"
    call = work.index.parents[argument]
    if not isinstance(argument, cst.Arg) or not isinstance(call, cst.Call) or argument.star:
        return False
    receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
    is_method = receiver is not None and work.values(receiver).kind is Kind.TENSOR
    if is_method and isinstance(call.func, cst.Attribute) and call.func.attr.value == "to":
        return argument.keyword is None or argument.keyword.value == "device"
    is_row = is_method or work.values.torch_name(call.func) is not None
    return is_row and argument.keyword is not None and argument.keyword.value == "device"


def _types(work: NormalizationRound) -> dict[cst.FunctionDef, list[tuple[cst.SimpleStatementLine, cst.Name]]]:
    """By functions, `kind = x.device.type`, or what else such a type decides without any call but of `isinstance`."""
    index = work.index
    asking = [item for item in index.attributes if item.attr.value == "type" and _is_device(item.value)]
    found: dict[cst.FunctionDef, list[tuple[cst.SimpleStatementLine, cst.Name]]] = {}
    for line in dict.fromkeys(index.statement_of(item) for item in asking):
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)], value=value)]
            ):
                calls = (part for part in descendants(value) if isinstance(part, cst.Call))
                function = index.function_of(line)
                if function is not None and all(dotted(call.func) == "isinstance" for call in calls):
                    found.setdefault(function, []).append((line, name))
    return found


def _is_device(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "device"


def _drop_type(work: NormalizationRound, function: Function, line: cst.SimpleStatementLine, target: cst.Name) -> None:
    """Drop a variable that only tells `torch.autocast(device_type=kind, enabled=False)`, which does nothing, the platform."""
    reads = _others(work, function, target.value, {target})
    if all(_is_idle(work, work.index.parents[node]) for node in reads):
        for node in reads:
            work.edits.replace(node, lambda rewrite: cst.SimpleString('"cpu"'))
        work.edits.remove(line)


def _is_idle(work: NormalizationRound, argument: cst.CSTNode) -> bool:
    """Whether something is an argument of a context that switches mixed precision off."""
    call = work.index.parents[argument]
    if not isinstance(argument, cst.Arg) or not isinstance(call, cst.Call):
        return False
    name = work.values.torch_name(call.func)
    return name in AUTOCASTS and changes_nothing(call, name, work.values, work.index.parents)


def _drop(work: NormalizationRound, line: cst.SimpleStatementLine, targets: set[cst.CSTNode]) -> None:
    """Take the variables out of the assignment that binds them."""
    small = line.body[0]
    assert isinstance(small, cst.Assign)
    names, values = small.targets[0].target, small.value
    if not isinstance(names, cst.Tuple) or not isinstance(values, cst.Tuple):
        work.edits.remove(line)
        return
    count = len(names.elements)
    places = [count - place for place, item in enumerate(names.elements) if item.value in targets]  # from the end
    left = [item for place, item in enumerate(names.elements) if count - place not in places]
    right = [item for place, item in enumerate(values.elements) if len(values.elements) - place not in places]
    if not left:
        work.edits.remove(line)
        return
    work.edits.replace(small, lambda rewrite: _without(small, names, left, values, right, rewrite))


def _without(
    small: cst.Assign,
    names: cst.Tuple,
    left: Sequence[cst.BaseElement],
    values: cst.Tuple,
    right: Sequence[cst.BaseElement],
    rewrite: Rewriter,
) -> cst.Assign:
    """The assignment of what is left; `b, n = *x.shape` is `b, n = x.shape`."""
    is_spread = len(right) == 1 and isinstance(right[0], cst.StarredElement)
    is_alone = len(left) == len(right) == 1 and not is_spread and not isinstance(left[0], cst.StarredElement)
    target = left[0].value if is_alone else _display(names, left)
    rewritten = [with_fields(item, value=rewrite.expression(item.value)) for item in right]
    value = rewritten[0].value if is_alone or is_spread else _display(values, rewritten)
    return with_fields(small, targets=[with_fields(small.targets[0], target=target)], value=value)


def _display(tuple_: cst.Tuple, elements: Sequence[cst.BaseElement]) -> cst.Tuple:
    comma = cst.Comma() if len(elements) == 1 else cst.MaybeSentinel.DEFAULT
    return tuple_.with_changes(elements=[*elements[:-1], elements[-1].with_changes(comma=comma)])

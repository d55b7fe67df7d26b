"""Variables, fields and results with numbers, or with what comes from outside of a program: files of torch, options of the command line.

step = 0
if resume:
    checkpoint = torch.load(path)
    step = checkpoint["step"]
...
step += 1                           a number on both ways; an array of NumPy would change in `checkpoint`, too, as in torch

Numbers, and arrays of NumPy that such files hold, do the same in a translation, whoever else holds them. A must-analysis over
definitions, what functions give, what is passed to them, and what fields get: the greatest fixpoint, so that what is found to
depend on itself is taken to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.number_arrays import is_number_array
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import own_nodes
from torch2jax.values import Kind

_NO_TENSORS = (Kind.STR, Kind.NONE, Kind.DEVICE, Kind.DTYPE)
_ARITHMETIC = frozenset({"max", "min", "abs", "round", "sum", "pow", "divmod"})
_OPENING = frozenset({"torch.load"})
_PARSING = frozenset({"parse_args", "parse_known_args"})

Seen = frozenset[object]


def is_number_or_read(node: cst.BaseExpression, values: Values) -> bool:
    """Whether a variable or a field holds a number, or what a file held or a user has asked for, and was at most changed by such."""
    return _is_plain(node, values, frozenset())


def _is_plain(node: cst.BaseExpression, values: Values, seen: Seen) -> bool:
    if node in seen:
        return True
    seen |= {node}
    value = values(node)
    if value.is_number or value.kind in _NO_TENSORS:
        return True
    if value.kind is Kind.TENSOR:
        return False
    if isinstance(node, (cst.Name, cst.Attribute)) and _is_learning_rate(node, values):
        return True
    match node:
        case cst.Name():
            definitions = values.program.definitions.of(node)
            return bool(definitions) and all(_gives_plain(item, values, seen) for item in definitions)
        case cst.BinaryOperation(left=left, right=right) | cst.BooleanOperation(left=left, right=right):
            return _is_plain(left, values, seen) and _is_plain(right, values, seen)
        case cst.IfExp(body=body, orelse=orelse):
            return _is_plain(body, values, seen) and _is_plain(orelse, values, seen)
        case cst.UnaryOperation(expression=inner):
            return _is_plain(inner, values, seen)
        case cst.Call(func=cst.Name(name), args=args) if name in _ARITHMETIC and args:
            return not values.callees.get(node) and all(_is_plain(item.value, values, seen) for item in args)
        case cst.Call():
            return _is_read(node, values, seen) or _is_result_plain(node, None, values, seen)
        case cst.Attribute(value=owner) if values(owner).is_a(Kind.OBJECT, Kind.MODULE):
            return _is_field_plain(node, values, seen)
        case cst.Subscript(value=field, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]) if values(
            index
        ).kind is Kind.INT and is_number_array(field, values, rank=1):
            return True
    return _is_read(node, values, seen)


def _is_learning_rate(node: cst.Name | cst.Attribute, values: Values) -> bool:
    """Whether an optimizer is made with a variable or field as its learning rate, or is given it as such later: a number."""
    place, around = dotted(node), _scope(node, values)
    return any(dotted(given) == place and _scope(given, values) == around for given in _learning_rates(values))


def _scope(node: cst.BaseExpression, values: Values) -> object:
    """In which function a variable, or of which class a field is meant by its name."""
    function = values.program.function_around(node)
    return function.owner.key if isinstance(node, cst.Attribute) and function and function.owner else function


def _learning_rates(values: Values) -> Iterator[cst.BaseExpression]:
    index = values.program.index
    for call in index.calls:
        if str(values.torch_name(call.func)).startswith("torch.optim.") and values(call).kind is Kind.OPTIMIZER:
            positional = [item.value for item in call.args if item.keyword is None and not item.star]
            named = [item.value for item in call.args if item.keyword is not None and item.keyword.value == "lr"]
            yield from (*positional[1:2], *named)
    for line in index.every(cst.Assign):
        match line:
            case cst.Assign(
                targets=[
                    cst.AssignTarget(
                        target=cst.Subscript(
                            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
                        )
                    )
                ],
                value=value,
            ) if key.evaluated_value == "lr":
                yield value


def _gives_plain(definition: Definition, values: Values, seen: Seen) -> bool:
    node, value = definition.node, definition.value
    if isinstance(node, cst.AugAssign) and isinstance(node.target, cst.Name):
        return _is_plain(node.value, values, seen) and _is_plain(node.target, values, seen)
    if definition.how is How.ASSIGNED and value is not None:
        return _is_plain(value, values, seen)
    if definition.how is How.PART and isinstance(value, cst.Call):
        place = _place_in(node, values)
        return place is not None and _is_result_plain(value, place, values, seen)
    if definition.how is How.PARAMETER:
        return _is_passed(definition, values, seen, _is_plain)
    return False


def _place_in(target: cst.CSTNode, values: Values) -> int | None:
    """Which of the names in `a, b = ...` one is."""
    parents = values.program.index.parents
    element = parents[target]
    around = parents[element]
    if not isinstance(around, (cst.Tuple, cst.List)) or not isinstance(parents[around], cst.AssignTarget):
        return None
    if any(isinstance(item, cst.StarredElement) for item in around.elements):
        return None
    return list(around.elements).index(element)  # type: ignore[arg-type]


def _is_result_plain(call: cst.Call, place: int | None, values: Values, seen: Seen) -> bool:
    """Whether all that functions of the program give to a call, or a place of the tuples that they give, is plain."""
    callees = values.callees.get(call, ())
    return bool(callees) and all(_returns_plain(item, place, values, seen) for item in callees)


def _returns_plain(function: Function, place: int | None, values: Values, seen: Seen) -> bool:
    if function.node not in values.program.functions or function.node.asynchronous is not None:
        return False
    nodes = own_nodes(function.node)
    returned = [node.value for node in nodes if isinstance(node, cst.Return)]
    if not returned or any(isinstance(node, cst.Yield) for node in nodes):
        return False
    for value in returned:
        if place is not None:
            elements = value.elements if isinstance(value, cst.Tuple) else ()
            if place >= len(elements) or any(isinstance(item, cst.StarredElement) for item in elements):
                return False
            value = elements[place].value
        if value is not None and not _is_plain(value, values, seen):
            return False
    return True


def _is_passed(definition: Definition, values: Values, seen: Seen, holds: Callable[..., bool]) -> bool:
    """Whether something holds of all that calls pass for a parameter, and there are some."""
    function, name = values.program.functions.get(definition.variable.owner), definition.variable.name  # type: ignore[arg-type]
    if function is None:
        return False
    param = next((item for item in function.parameters if item.name.value == name), None)
    calls = [call for call in function.callers if isinstance(call, cst.Call)]
    if param is None or not calls or len(calls) < len(function.callers):
        return False
    for call in calls:
        if call not in values.program.index.parents or any(item.star for item in call.args):
            return False
        given = dict(arguments_by_parameter(function, call, values)).get(name, param.default)
        if given is None or not holds(given, values, seen):
            return False
    return True


def _is_field_plain(field: cst.Attribute, values: Values, seen: Seen) -> bool:
    """Whether all that is stored in fields of that name anywhere in the file is plain, and something is."""
    name, owner = field.attr.value, values(field.value)
    classes = [values.program.class_by_key.get(key) for key in owner.types]
    if ("field", name) in seen:
        return True
    if not classes or any(item is None or item.node not in values.program.index.parents for item in classes):
        return False
    seen |= {("field", name)}
    parents = values.program.index.parents
    is_stored = False
    for place in values.program.index.attributes:
        if place.attr.value != name:
            continue
        around = parents[place]
        match around:
            case cst.AssignTarget():
                value = parents[around].value  # type: ignore[attr-defined]
            case cst.AugAssign(target=target, value=value) if target is place:
                pass
            case cst.AnnAssign(target=target, value=cst.BaseExpression() as value) if target is place:
                pass
            case cst.Element() if _is_target(around, values):
                return False
            case cst.For(target=target) | cst.CompFor(target=target) | cst.AsName(name=target) if target is place:
                return False
            case _:
                continue
        is_stored = True
        if not _is_plain(value, values, seen):
            return False
    return is_stored


def _is_target(element: cst.Element, values: Values) -> bool:
    """Whether an element of a display is one of several targets."""
    parents = values.program.index.parents
    around = parents[element]
    while isinstance(around, (cst.Element, cst.Tuple, cst.List)):
        around = parents[around]
    return isinstance(around, (cst.AssignTarget, cst.For, cst.CompFor, cst.AsName))


def _is_read(node: cst.BaseExpression, values: Values, seen: Seen) -> bool:
    """Whether an expression is an entry of what `torch.load` gives, or an option of what a parser of the command line gives,
    which nothing else is put into.
    """
    while isinstance(node, (cst.Subscript, cst.Attribute)):
        node = node.value
    if isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in _PARSING:
            return not values.callees.get(node)
        return values.torch_name(node.func) in _OPENING
    if not isinstance(node, cst.Name) or _gets_entries(node, values, seen):
        return False
    definitions = values.program.definitions.of(node)
    return bool(definitions) and all(_gives_read(item, values, seen) for item in definitions)


def _gives_read(definition: Definition, values: Values, seen: Seen) -> bool:
    if definition.how is How.PARAMETER:
        return _is_passed(definition, values, seen, _holds_read)
    return (
        definition.how is How.ASSIGNED and definition.value is not None and _holds_read(definition.value, values, seen)
    )


def _holds_read(node: cst.BaseExpression, values: Values, seen: Seen) -> bool:
    """Whether an expression is such an entry, or the whole of them, or something that is none and has none."""
    if node in seen or values(node).kind in _NO_TENSORS:
        return True
    seen |= {node}
    if isinstance(node, cst.Name):
        return _is_read(node, values, seen)
    return isinstance(node, (cst.Call, cst.Subscript, cst.Attribute)) and _is_read(node, values, seen)


def _gets_entries(container: cst.Name, values: Values, seen: Seen) -> bool:
    """Whether something else is stored into a variable's container somewhere: `checkpoint["image"] = image`."""
    parents = values.program.index.parents
    for name in values.program.index.names:
        if name.value != container.value:
            continue
        place: cst.CSTNode = name
        while isinstance(parent := parents[place], (cst.Subscript, cst.Attribute)) and parent.value is place:
            if isinstance(parent, cst.Attribute) and parent.attr.value in ("update", "setdefault"):
                return True
            place = parent
        if place is name:
            continue
        match parent:
            case cst.AugAssign(target=target, value=value) if target is place:
                if not _is_plain(value, values, seen):
                    return True
            case cst.AssignTarget():
                if not _is_plain(parents[parent].value, values, seen):  # type: ignore[attr-defined]
                    return True
            case cst.Element() if _is_target(parent, values):
                return True
    return False


__all__ = ["is_number_or_read"]

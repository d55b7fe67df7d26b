"""Whether code changes the parts of a module that a variable holds: their tensors, or which parts there are.

nn.init.zeros_(m.weight)                                m.weight = w, m.apply(init)
fill(m)                                                 where the function changes what it is given
for p in m.parameters(): p.data.zero_()                 for k in m.modules(): fill(k), k.eval()

A may-analysis over the text of the statements and of the functions that they call.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.module_state import is_state
from torch2jax.facts.moves import changes_parameters
from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program, dotted, root_name
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants, elements_of
from torch2jax.values import Kind

_PARTS = frozenset({"modules", "named_modules", "children", "named_children"})
_TENSORS = frozenset({"parameters", "named_parameters"})
_Seen = frozenset[tuple[Function, str]]


def changes_part(program: Program, values: Values, body: cst.CSTNode, name: str) -> bool:
    """Whether statements change tensors or parts of the module in a variable."""
    return _changes(program, values, body, name, frozenset())


def changes_tensor(values: Values, body: cst.CSTNode, name: str) -> bool:
    """Whether statements change the tensor in a variable in place, themselves or by the functions that they call."""
    seen: set[tuple[Function, str]] = set()
    waiting = [(body, name)]
    while waiting:
        place, variable = waiting.pop()
        if place not in values.changes:
            values.changes[place] = _changes_of_tensors(values, place)
        changed, passed = values.changes[place]
        if variable in changed:
            return True
        new = [item for item in passed.get(variable, ()) if item not in seen]
        seen.update(new)
        waiting += [(callee.node.body, parameter) for callee, parameter in new]
    return False


def _changes_of_tensors(values: Values, body: cst.CSTNode) -> tuple[set[str], dict[str, list[tuple[Function, str]]]]:
    """The variables whose tensors statements change in place, and the parameters of functions that they are passed for."""
    changed: set[str] = set()
    passed: dict[str, list[tuple[Function, str]]] = {}
    for node in descendants(body, cst.AssignTarget, cst.AugAssign, cst.Call):
        places: list[cst.BaseExpression] = []
        match node:
            case cst.AssignTarget(target=cst.Subscript() as place) | cst.AugAssign(target=place):
                places = [place]
            case cst.AssignTarget(target=cst.Attribute(attr=cst.Name("data")) as place):
                places = [place]
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(method))) if (
                values.torch_name(node.func) is None
            ):
                places = [owner] if changes_values(method) else []
            case cst.Call():
                places = list(filled_arguments(node))
        changed.update(name for place in places if (name := _viewed(place)) is not None)
        if isinstance(node, cst.Call):
            for callee in values.callees.get(node, ()):
                for parameter, value in arguments_by_parameter(callee, node, values):
                    if (name := _viewed(value)) is not None:
                        passed.setdefault(name, []).append((callee, parameter))
    return changed, passed


def _viewed(place: cst.BaseExpression) -> str | None:
    """The variable whose tensor an expression is, or may be a view of: `x` of `x.view(-1)[0]`."""
    while not isinstance(place, cst.Name):
        match place:
            case cst.Attribute(value=value) | cst.Subscript(value=value):
                place = value
            case cst.Call(func=cst.Attribute(value=value)):
                place = value
            case _:
                return None
    return place.value


def sets_mode(values: Values, body: cst.CSTNode, name: str) -> bool:
    """Whether a line sets the mode of the module in a variable: `m.eval()`."""
    for node in descendants(body, cst.Expr):
        match node:
            case cst.Expr(cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("train" | "eval")) as func)):
                if owner == name and values(func.value).kind is Kind.MODULE:
                    return True
    return False


def changes_each(program: Program, values: Values, loop: cst.For, name: str) -> bool:
    """Whether a loop goes through the parts or the parameters of the module in a variable, and changes them."""
    return _changes_each(program, values, loop, name, frozenset())


def _changes(program: Program, values: Values, body: cst.CSTNode, name: str, seen: _Seen) -> bool:
    """Whether statements change tensors or parts of the module in a variable, themselves or by what they call."""
    for place in _changed(body):
        if root_name(place) == name and not isinstance(place, cst.Name) and not _is_state(program, values, place):
            return True
    for node in descendants(body):
        if isinstance(node, cst.For) and _changes_each(program, values, node, name, seen):
            return True
        if not isinstance(node, cst.Call):
            continue
        if isinstance(node.func, cst.Attribute) and changes_parameters(node):
            if root_name(node.func.value) == name and values(node.func.value).kind is Kind.MODULE:
                return True
        for callee in values.callees.get(node, ()):
            passed = arguments_by_parameter(callee, node, values)
            given = [(key, root_name(value)) for key, value in passed]
            tensors = [key for key, value in passed if root_name(value) == name and values(value).kind is Kind.TENSOR]
            if any(changes_tensor(values, callee.node.body, key) for key in tensors):
                return True
            if callee.self_name is not None and isinstance(node.func, cst.Attribute) and callee.name != "forward":
                given.append((callee.self_name, root_name(node.func.value)))
            for parameter, root in given:
                if root == name and (callee, parameter) not in seen:
                    if _changes(program, values, callee.node.body, parameter, seen | {(callee, parameter)}):
                        return True
    return False


def _changes_each(program: Program, values: Values, loop: cst.For, name: str, seen: _Seen) -> bool:
    asked = [
        item.attr.value
        for item in descendants(loop.iter)
        if isinstance(item, cst.Attribute) and root_name(item.value) == name
    ]
    if _PARTS.intersection(asked):
        parts = names_in(loop.target)
        return any(
            _changes(program, values, loop.body, part, seen) or sets_mode(values, loop.body, part) for part in parts
        )
    names = _gone_through(loop, name)
    return bool(_TENSORS.intersection(asked)) and any(root_name(place) in names for place in _changed(loop.body))


def _gone_through(loop: cst.For, name: str) -> frozenset[str]:
    """The variables that a loop gives what it goes through of the module in a variable: `p` of `zip(net.parameters(), others)`."""
    match loop.iter, loop.target:
        case cst.Call(func=cst.Name("zip"), args=args), cst.Tuple(elements=elements) if len(args) == len(elements):
            pairs = zip(elements, args, strict=True)
            own = [element.value for element, item in pairs if name in names_in(item.value)]
            return frozenset[str]().union(*map(names_in, own))
    return names_in(loop.target)


def _is_state(program: Program, values: Values, place: cst.BaseExpression) -> bool:
    """Whether a place lies in a field that is kept in the state of the module, and so changes there."""
    while isinstance(place, (cst.Attribute, cst.Subscript)):
        if isinstance(place, cst.Attribute) and is_state(program, values, place):
            return True
        place = place.value
    return False


def _changed(body: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The places that statements change: `m.weight` of `nn.init.zeros_(m.weight)`, `m.weight.data.mul_(2)`, `m.weight = w`."""
    for node in descendants(body):
        match node:
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(method))) if changes_values(method):
                yield owner
                yield from (argument.value for argument in node.args[:1])
            case cst.Call():
                if changes_values((dotted(node.func) or "").split(".")[-1]):
                    yield from (argument.value for argument in node.args[:1])
                yield from filled_arguments(node)
            case cst.AssignTarget() | cst.AugAssign():
                for target in elements_of(node.target):
                    if not (isinstance(target, cst.Attribute) and target.attr.value == "requires_grad"):
                        yield target


__all__ = ["changes_each", "changes_part", "changes_tensor", "sets_mode"]

"""`part.apply(init)` of a variable for a part of a model is reported where what it makes would be lost.

for part in self.children():
    part.apply(init)            T2J200
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.parameter_loops import find_parameter_loops
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted, root_name
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants, own_nodes
from torch2jax.values import Kind

_REASON = "it changes a part of a model by another name: write `apply` of the whole model, or of the field"
_GIVING = frozenset({"getattr", "next"})


def normalize_applied_parts(work: NormalizationRound) -> None:
    """Report all such calls of a file where modules are values."""
    if work.effects is None or not work.effects.threads or work.flows is None:
        return
    outlined = {item.loop: item.changed for item in find_parameter_loops(work.program, work.values, work.flows)}
    for call in work.index.calls:
        match call.func:
            case cst.Attribute(value=module, attr=cst.Name("apply")) if len(call.args) == 1:
                around = {name for loop, name in outlined.items() if loop in work.index.ancestors(call)}
                is_outlined = root_name(module) in around and isinstance(work.index.parents[call], cst.Expr)
                if work.values(module).kind is Kind.MODULE and names_part(work, module) and not is_outlined:
                    work.refuse(call, code(call.func), _REASON)


def names_part(work: NormalizationRound, module: cst.BaseExpression) -> bool:
    """Whether a module is, or lies in, what a variable stands for that is no more than a name for a part of a model.

    A variable that is given one field, once and in no loop, is written as the field.
    """
    name = root_name(module)
    if name is None:
        return False
    if any(name in names_in(loop.target) for loop in _loops(work, module)):
        return True
    function = work.index.function_of(module)
    nodes = own_nodes(function) if function is not None else tuple(descendants(work.index.module))
    given = [pair for node in nodes if work.index.function_of(node) is function for pair in _given(node, name)]
    match given:
        case [(value, cst.Assign(value=whole) as line)] if value is whole and dotted(value) is not None:
            return bool(_loops(work, line))
    return any(_gives_part(work, value) for value, _ in given)


def _loops(work: NormalizationRound, node: cst.CSTNode) -> list[cst.For | cst.CompFor]:
    """The loops and the parts of comprehensions that a node lies in."""
    around: list[cst.For | cst.CompFor] = []
    for item in work.index.ancestors(node):
        if isinstance(item, cst.For):
            around.append(item)
        elif isinstance(item, cst.BaseComp):
            around.extend(_parts(item.for_in))
    return around


def _parts(part: cst.CompFor | None) -> list[cst.CompFor]:
    return [] if part is None else [part, *_parts(part.inner_for_in)]


def _given(node: cst.CSTNode, name: str) -> Iterator[tuple[cst.BaseExpression, cst.CSTNode]]:
    """What a statement or a walrus gives to a variable, and the node that does so."""
    match node:
        case cst.Assign(targets=targets, value=value):
            for target in targets:
                if name in bound_names(target.target):
                    yield _element(target.target, value, name), node
        case cst.NamedExpr(target=cst.Name(bound), value=value) if bound == name:
            yield value, node


def _element(target: cst.BaseExpression, value: cst.BaseExpression, name: str) -> cst.BaseExpression:
    """`self.b` for `f` of `e, f = self.a, self.b`."""
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        for variable, item in zip(target.elements, value.elements, strict=True):
            if isinstance(variable.value, cst.Name) and variable.value.value == name:
                return item.value
    return value


def _gives_part(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether an expression is a place that holds a module, or a call that gives such a place."""
    match value:
        case cst.IfExp(body=first, orelse=second) | cst.BooleanOperation(left=first, right=second):
            return _gives_part(work, first) or _gives_part(work, second)
        case cst.NamedExpr(value=inner):
            return _gives_part(work, inner)
        case cst.Name("None"):
            return False
        case cst.Name() | cst.Attribute() | cst.Subscript():
            return True
        case cst.Call(func=cst.Name(called)) if called in _GIVING:
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name("children" | "modules"))):
            return True
        case cst.Call():
            return any(_returns_field(callee.node, callee.self_name) for callee in work.values.callees.get(value, ()))
    return False


def _returns_field(function: cst.FunctionDef | cst.Lambda, self_name: str | None) -> bool:
    """Whether a method gives a place in its object."""
    return isinstance(function, cst.FunctionDef) and any(
        isinstance(item, cst.Return)
        and isinstance(item.value, (cst.Attribute, cst.Subscript))
        and root_name(item.value) == self_name
        for item in own_nodes(function)
    )


__all__ = ["names_part", "normalize_applied_parts"]

"""Loops that give each module of a model to a function that fills it: the model applies the function.

for m in model.modules():                ->   model.apply(fill)
    fill(m)

The function looks at the tensors of the module itself only, so that it makes no difference which module comes first. All
other such loops are reported: the parts that the function gives back would have to be put into their places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from torch2jax.facts.changed_parts import changes_part
from torch2jax.facts.mutations import changes_values
from torch2jax.facts.parameter_loops import find_parameter_loops
from torch2jax.normalize.applied_parts import names_part
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted, root_name
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants, is_label
from torch2jax.values import Kind

_EACH = frozenset({"modules", "named_modules", "children", "named_children"})
_LOOKING = frozenset({"isinstance", "type", "hasattr", "getattr", "print"})
_OF_TENSORS = frozenset({"data", "shape", "size", "dim", "ndim", "numel", "dtype", "device", "__name__", "T"})


def normalize_helper_loops(work: NormalizationRound) -> None:
    """Normalize, or report, all such loops where modules are values."""
    if work.effects is None or not work.effects.threads or work.flows is None:
        return
    outlined = {item.loop: item.changed for item in find_parameter_loops(work.program, work.values, work.flows)}
    loops: list[cst.For | cst.CompFor] = [*work.index.every(cst.For), *work.index.every(cst.CompFor)]
    for node in loops:
        owner = _each(work, node.iter)
        names = set(names_in(node.target)) if owner is not None else set[str]()
        calls = [call for call in _calls(work, node) if any(_is_filled(work, call, name) for name in names)]
        if owner is None or not calls:
            continue
        if isinstance(node, cst.For) and _is_apply(work, node, calls[0]) and not names_part(work, owner):
            func = calls[0].func
            text = f"{code(owner)}.apply({code(func)})"
            work.edits.rewrite_statement(node, lambda rewrite, text=text: [quote_statement(text)])  # type: ignore[misc]
        elif not isinstance(node, cst.For) or not _is_outlined(work, node, owner, outlined):
            name = next(name for name in sorted(names) if _is_filled(work, calls[0], name))
            work.problems.append(Problem(calls[0], "T2J303", {"name": name, "other": code(owner)}))


def _is_outlined(
    work: NormalizationRound, node: cst.For, owner: cst.BaseExpression, outlined: Mapping[cst.For, str]
) -> bool:
    """Whether the body of a loop becomes a function that gives the parts back, into a place that can be bound again."""
    around = {name for loop, name in outlined.items() if loop in work.index.ancestors(node)}
    return node in outlined and (not names_part(work, owner) or root_name(owner) in around)


def _each(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The module whose parts a loop goes through."""
    match node:
        case cst.Call(func=cst.Name("list" | "enumerate" | "tuple"), args=[cst.Arg(value=inner), *_]):
            return _each(work, inner)
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name))) if name in _EACH:
            return owner if work.values(owner).kind is Kind.MODULE else None
    return None


def _calls(work: NormalizationRound, node: cst.For | cst.CompFor) -> Iterator[cst.Call]:
    """The calls of functions of the program in the body of a loop, or in what a comprehension makes."""
    bodies: list[cst.CSTNode] = [node.body] if isinstance(node, cst.For) else [work.index.parents[node]]
    for body in bodies:
        for call in descendants(body):
            if isinstance(call, cst.Call) and work.values.callees.get(call):
                yield call


def _is_filled(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    """Whether a call is given a variable whose module the function changes."""
    is_given = any(isinstance(item.value, cst.Name) and item.value.value == name for item in call.args)
    return is_given and changes_part(work.program, work.values, cst.Expr(call), name)


def _is_apply(work: NormalizationRound, node: cst.For, call: cst.Call) -> bool:
    """Whether a loop over all modules is nothing but a call of a function that looks at one module at a time."""
    match node:
        case cst.For(
            target=cst.Name(name),
            iter=cst.Call(func=cst.Attribute(attr=cst.Name("modules")), args=[]),
            body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Expr(value=only)])]),
            orelse=None,
        ) if only is call and isinstance(call.func, cst.Name):
            pass
        case _:
            return False
    callees, given = work.values.callees[call], [item.value for item in call.args]
    is_plain = len(callees) == 1 and len(given) == 1 and isinstance(given[0], cst.Name) and given[0].value == name
    return is_plain and not _is_read_elsewhere(work, node, name) and _looks_at_one(work, callees[0], call)


def _is_read_elsewhere(work: NormalizationRound, node: cst.For, name: str) -> bool:
    """Whether the variable of a loop is read outside of it."""
    scope, inside = work.index.function_of(node) or work.index.module, set(descendants(node))
    return any(
        isinstance(item, cst.Name)
        and item.value == name
        and item not in inside
        and not is_label(item, work.index.parents[item])
        for item in descendants(scope)
        if work.index.function_of(item) is work.index.function_of(node)
    )


def _looks_at_one(work: NormalizationRound, function: Function, call: cst.Call) -> bool:
    """Whether a function speaks of the tensors of its module only, and of none of its parts."""
    names = [name for name, _ in arguments_by_parameter(function, call, work.values)]
    if function.node not in work.program.functions:
        return False
    uses = [node for node in descendants(function.node.body) if isinstance(node, cst.Name) and node.value in names]
    return all(is_label(node, work.index.parents[node]) or _is_of_tensor(work, node) for node in uses)


def _is_of_tensor(work: NormalizationRound, use: cst.Name) -> bool:
    parent = work.index.parents[use]
    above = work.index.parents.get(parent)
    if isinstance(parent, cst.Arg):
        return isinstance(above, cst.Call) and dotted(above.func) in _LOOKING
    if not isinstance(parent, cst.Attribute) or work.values(parent).kind in (Kind.MODULE, Kind.FUNCTION):
        return False
    if parent.attr.value in _EACH or parent.attr.value in ("parameters", "named_parameters", "apply", "state_dict"):
        return False
    return not isinstance(above, cst.Attribute) or above.attr.value in _OF_TENSORS or changes_values(above.attr.value)


__all__ = ["normalize_helper_loops"]

"""Lambdas that gradients are taken of, normalized to functions with statements where what they call changes the state of modules.

u, u_vjp = jax.vjp(lambda x: net(x), x)   ->   def u_of_x(x):
                                                   return net(x)

                                               u, u_vjp = jax.vjp(lambda x: u_of_x(x), x)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.left_modes import evaluates_at
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_differentiated_lambdas(work: NormalizationRound) -> None:
    """Normalize all such lambdas of a file."""
    assert work.effects is not None
    if not work.effects.threads or not work.program.mentions("vjp"):
        return
    for line in work.index.every(cst.SimpleStatementLine):
        found = differentiated(line)
        if found is None:
            continue
        calls = [
            *descendants(found.body, cst.Call)
        ]  # a module that is all there is gives its state back from the lambda
        calls += [found.body] if isinstance(found.body, cst.Call) and work.values.callees.get(found.body) else []
        if any(_changes_state(work, line, call) for call in calls):
            name_differentiated(work, line)


def name_differentiated(work: NormalizationRound, line: cst.CSTNode) -> cst.Lambda | None:
    """Give the lambda of a line a name, and lines, if a gradient is taken of it."""
    found = differentiated(line)
    if found is None:
        return None
    name = work.names_at(line)(_name(line, found))
    names = ", ".join(param.name.value for param in found.params.params)
    text = f"def {name}({names}):\n    return {{value}}\n"
    made = quote_statements(text, value=work.copy(found.body))
    work.edits.before(line, always_statements(made))
    work.edits.replace(found.body, always(cst.parse_expression(f"{name}({names})")))
    return found


def _name(line: cst.CSTNode, found: cst.Lambda) -> str:
    first = next(node for node in descendants(line, cst.AssignTarget)).target
    value = first.elements[0].value if isinstance(first, cst.Tuple) else first
    return "_of_".join([str(dotted(value)), "_".join(param.name.value for param in found.params.params)])


def differentiated(line: cst.CSTNode) -> cst.Lambda | None:
    """The lambda of which a line takes the gradient."""
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Tuple(elements=[_, *_]))],
                    value=cst.Call(
                        func=cst.Attribute(value=cst.Name("jax"), attr=cst.Name("vjp")),
                        args=[cst.Arg(value=cst.Lambda() as given), *_],
                    ),
                )
            ]
        ):
            return given
    return None


def _changes_state(work: NormalizationRound, line: cst.CSTNode, call: cst.Call) -> bool:
    """Whether a call runs, or hands on, a module that may change its state there."""
    handed = [item.value for item in call.args] if work.values.callees.get(call) else []
    return any(_may_change(work, line, node) for node in (call.func, *handed))


def _may_change(work: NormalizationRound, line: cst.CSTNode, node: cst.BaseExpression) -> bool:
    value, place, effects = work.values(node), dotted(node), work.effects
    assert effects is not None
    if value.kind is not Kind.MODULE or not value.types or not effects.is_stateful(value):
        return False
    function = work.program.function_around(line)
    if place is None or function is None:
        return True
    evaluates = place in effects.evaluated_places(function) and not effects.has_own_state(value)
    return not evaluates and not evaluates_at(work.values, function.node.body.body, place, line)


__all__ = ["differentiated", "name_differentiated", "normalize_differentiated_lambdas"]

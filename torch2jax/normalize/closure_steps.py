"""Steps that are given a closure, normalized to what they run: the closure once, and an update with the gradients it leaves.

def closure():                                  optimizer.zero_grad()
    optimizer.zero_grad()                 ->    loss = criterion(model(x), y)
    loss = criterion(model(x), y)               loss.backward()
    loss.backward()                             optimizer.step()
    return loss
...
loss = optimizer.step(closure)

A program that speaks of LBFGS, which runs its closure several times in one step, is left as it is. A step within a line comes in
front of it: `losses.append(optimizer.step(closure).item())`.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.contexts import turns_off
from torch2jax.normalize.evaluation_order import evaluated_before, give_name
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.step_functions import renamed
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import bound_by, suite_body, target_of_call
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_SEVERAL_RUNS = "LBFGS"


def normalize_steps_within_lines(work: NormalizationRound) -> None:
    """Give a name to what a step with a closure gives back, where a line does more with it."""
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Attribute(value=optimizer, attr=cst.Name("step")), args=[cst.Arg(star="")]):
                line = work.index.statement_of(call)
                if work.values(optimizer).kind is Kind.OPTIMIZER and _can_come_first(work, line, call):
                    give_name(work, line, call, work.names_at(call)("loss"))


def _can_come_first(work: NormalizationRound, line: cst.CSTNode, call: cst.Call) -> bool:
    """Whether a call that stands within a line may run in front of it: all before it are names that no closure binds."""
    if not isinstance(line, cst.SimpleStatementLine) or target_of_call(line, call) is not None:
        return False
    before = evaluated_before(work.index, call)
    small = line.body[0]
    targets = [small.target] if isinstance(small, cst.AugAssign) else []
    places = [item for item in (*(before or ()), *targets) if not isinstance(item, (cst.BaseString, cst.BaseNumber))]
    names = [dotted(item) for item in places]
    kinds: tuple[type[cst.Nonlocal | cst.Global], ...] = (cst.Nonlocal, cst.Global)
    declared = {item.name.value for kind in kinds for node in work.index.every(kind) for item in node.names}
    return before is not None and all(name and name.partition(".")[0] not in declared for name in names)


def normalize_closure_steps(work: NormalizationRound) -> None:
    """Write out the closures that steps are given, in the function where both stand."""
    if any(item.mentions(_SEVERAL_RUNS) for item in work.program.files):
        return
    steps: dict[Function, list[cst.Call]] = {}
    for call in work.index.calls:
        closure = _closure(work, call)
        if closure is not None:
            steps.setdefault(closure, []).append(call)
    for closure, calls in steps.items():
        returned = returned_by(closure)
        targets = [target_of_call(work.index.statement_of(call), call) for call in calls]
        if returned is None or None in targets or len(work.program.definitions.uses_at(closure.node.name)) > len(calls):
            continue
        work.edits.remove(closure.node)
        for call, target in zip(calls, targets, strict=True):
            _write_out(work, call, closure, returned, str(target))


def _closure(work: NormalizationRound, call: cst.Call) -> Function | None:
    """The function that an optimizer is to run in its step."""
    match call:
        case cst.Call(
            func=cst.Attribute(value=optimizer, attr=cst.Name("step")),
            args=[cst.Arg(value=cst.Name() as given, star="", keyword=None | cst.Name("closure"))],
        ) if work.values(optimizer).kind is Kind.OPTIMIZER:
            kinds = work.values(optimizer).types
        case _:
            return None
    bound = work.program.definitions.only(given)
    node = bound.node if bound is not None else None
    function = work.program.functions.get(node) if isinstance(node, cst.FunctionDef) else None
    if function is None or not kinds or _is_constant(work, call):
        return None
    is_near = function.outer is work.program.function_around(call) and function.owner is None
    return function if is_near else None


def _write_out(
    work: NormalizationRound, call: cst.Call, closure: Function, returned: cst.BaseExpression, target: str
) -> None:
    """Put what a closure does, and an update, in the place of a step."""
    line = work.index.statement_of(call)
    assert isinstance(call.func, cst.Attribute) and isinstance(line, cst.SimpleStatementLine)
    names = new_names(work, call, closure, target)
    body = [item for item in suite_body(closure.node)[:-1] if not _is_declaration(item)]
    made: list[cst.BaseStatement] = [renamed(work, item, names) for item in body]
    value = renamed(work, returned, names)
    if target and target != getattr(value, "value", None):
        made.append(quote_statement(f"{target} = {{value}}", value=value))
    elif not target and not isinstance(value, cst.Name):
        made.append(cst.SimpleStatementLine([cst.Expr(value)]))
    made.append(cst.SimpleStatementLine([cst.Expr(quote("{step}()", step=work.copy(call.func)))]))
    made[0] = made[0].with_changes(leading_lines=[*line.leading_lines, *made[0].leading_lines])  # type: ignore[attr-defined]
    work.edits.rewrite_statement(line, always_statements(made))


def _is_constant(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether gradients are switched off around a step, which switches them on for its closure."""
    around = [item for item in work.index.ancestors(call) if isinstance(item, cst.With)]
    return any(turns_off(part.item, work.values) for item in around for part in item.items)


def returned_by(closure: Function) -> cst.BaseExpression | None:
    """What a closure gives back in its last line; None if it has arguments, or another way out."""
    body = suite_body(closure.node)
    leaving = [
        node for node in descendants(closure.node.body) if isinstance(node, (cst.Return, cst.Yield, cst.FunctionDef))
    ]
    if (
        len(leaving) != 1
        or len(body) < 2
        or set(closure.parameter_names) - {closure.self_name}
        or closure.node.decorators
    ):
        return None
    match body[-1]:
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as value)]):
            return value
    return None


def _is_declaration(statement: cst.BaseStatement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], (cst.Nonlocal, cst.Global))


def new_names(work: NormalizationRound, call: cst.Call, closure: Function, target: str) -> dict[str, str]:
    """Other names for the variables of a closure that the code around it has, too: those are not the same."""
    inside = set(descendants(closure.node))
    scope = closure.outer.node if closure.outer is not None else work.index.module
    line = set(descendants(work.index.statement_of(call)))
    taken = {
        node.value
        for node in descendants(scope)
        if isinstance(node, cst.Name) and node not in inside and node not in line and not work.index.is_label(node)
    }
    fresh = work.names_at(call)
    own = set(bound_by(closure.node.body)) - _declared(closure) - {target}
    return {name: fresh(name) for name in sorted(own & taken)}


def _declared(closure: Function) -> set[str]:
    """The variables of the code around a closure that it says it binds."""
    return {
        item.name.value
        for node in descendants(closure.node.body)
        if isinstance(node, (cst.Nonlocal, cst.Global))
        for item in node.names
    }


__all__ = ["new_names", "normalize_closure_steps", "normalize_steps_within_lines", "returned_by"]

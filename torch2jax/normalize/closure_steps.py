"""Steps that are given a closure, normalized to what they run: the closure once, and an update with the gradients it leaves.

def closure():                                  optimizer.zero_grad()
    optimizer.zero_grad()                 ->    loss = criterion(model(x), y)
    loss = criterion(model(x), y)               loss.backward()
    loss.backward()                             optimizer.step()
    return loss
...
loss = optimizer.step(closure)

A method of the object that steps may be the closure: `self.optimizer.step(self.closure)`. Optimizers that may be LBFGS, which runs
its closure several times in one step, are left as they are. A step within a line comes in front of it:
`losses.append(optimizer.step(closure).item())`.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.contexts import turns_off
from torch2jax.normalize.evaluation_order import evaluated_before, give_name
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import renamed
from torch2jax.program.flow import free_variables
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
    searching = _searching(work)
    if searching is None:
        return
    steps: dict[Function, list[cst.Call]] = {}
    for call in work.index.calls:
        closure = _closure(work, call)
        if closure is not None and work.values(_receiver(call)).types.isdisjoint(searching):
            steps.setdefault(closure, []).append(call)
    for closure, calls in steps.items():
        returned = returned_by(closure)
        targets = [target_of_call(work.index.statement_of(call), call) for call in calls]
        if returned is None or None in targets or len(uses_of(work, closure)) > len(calls):
            continue
        work.edits.remove(closure.node)
        for call, target in zip(calls, targets, strict=True):
            _write_out(work, call, closure, returned, str(target))


def _receiver(call: cst.Call) -> cst.BaseExpression:
    assert isinstance(call.func, cst.Attribute)
    return call.func.value


def _searching(work: NormalizationRound) -> frozenset[str] | None:
    """The marks of optimizers that run closures several times; None where it cannot be seen which ones do."""
    if any(item.mentions(_SEVERAL_RUNS) for item in work.program.files if item.index is not work.index):
        return None
    made = [call for call in work.index.calls if work.values.torch_name(call.func) == f"torch.optim.{_SEVERAL_RUNS}"]
    known = {node for call in made for node in (call.func, *descendants(call.func))}
    known |= {node for item in work.index.imports for node in descendants(item)}
    known |= {item.node.name for item in work.program.classes.values()}  # searches that have been written out
    for node in work.index.names:
        if node.value == _SEVERAL_RUNS and node not in known and work.values(node).kind is not Kind.CLASS:
            return None
    return frozenset[str]().union(*(work.values(call).types for call in made))


def _closure(work: NormalizationRound, call: cst.Call) -> Function | None:
    """The function that an optimizer is to run in its step."""
    match call:
        case cst.Call(
            func=cst.Attribute(value=optimizer, attr=cst.Name("step")),
            args=[cst.Arg(value=given, star="", keyword=None | cst.Name("closure"))],
        ) if work.values(optimizer).kind is Kind.OPTIMIZER:
            kinds = work.values(optimizer).types
        case _:
            return None
    around = work.program.function_around(call)
    found = given_closures(work, given)
    if len(found) != 1 or not kinds or _is_constant(work, call):
        return None
    (function,) = found
    is_method = function.owner is not None and around is not None and function.owner is around.owner
    if is_method and around is not None and not bound_by(around.node.body).isdisjoint(free_variables(function.node)):
        return None
    is_near = function.outer is around and function.owner is None
    return function if is_near or (is_method and not _is_overridden(work, function)) else None


def _is_overridden(work: NormalizationRound, function: Function) -> bool:
    """Whether a class that derives from that of a method has another one of the name."""
    kin = (item for item in work.program.classes.values() if function.owner in item.lineage)
    return any(item.method(function.name) is not function for item in kin)


def given_closures(work: NormalizationRound, given: cst.BaseExpression) -> list[Function]:
    """The function or the method of the same object that a step is given, if it is known."""
    if isinstance(given, cst.Name):
        bound = work.program.definitions.only(given)
        found = work.program.functions.get(bound.node) if bound is not None else None  # type: ignore[call-overload]
        return [found] if found is not None else []
    function = work.program.function_around(given)
    if isinstance(given, cst.Attribute) and function is not None and dotted(given.value) == function.self_name:
        method = function.owner.methods.get(given.attr.value) if function.owner is not None else None
        return [method] if method is not None and method.self_name == function.self_name else []
    return []


def uses_of(work: NormalizationRound, closure: Function) -> Sequence[cst.BaseExpression]:
    """Where a file names a function or method."""
    if closure.owner is None:
        return work.program.definitions.uses_at(closure.node.name)
    return [node for node in work.index.attributes if node.attr.value == closure.name]


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
    around = work.program.function_around(call) if closure.owner is not None else closure.outer
    scope: cst.CSTNode = around.node if around is not None else work.index.module
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


__all__ = [
    "given_closures",
    "new_names",
    "normalize_closure_steps",
    "normalize_steps_within_lines",
    "returned_by",
    "uses_of",
]

"""Report states of optimizers that torch would see changing: those that it gives and takes have the same moments.

saved = optimizer.state_dict()         # the moments themselves: later steps change them too
train(model, optimizer)
optimizer.load_state_dict(saved)       # in torch this changes no moments

other.load_state_dict(optimizer.state_dict())    # from now on steps of both change the same moments
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from torch2jax.facts.field_aliases import dotted_part, is_loading
from torch2jax.facts.parameters import makes_optimizer
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.sharing import is_used, points_of, reached_behind
from torch2jax.plan.unreached import may_be_given
from torch2jax.program.calls import arguments_by_parameter, spread_to_callers
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, dotted
from torch2jax.values import Kind

_Steps = list[tuple[cst.BaseStatement, set[str]]]
"""Statements that run steps, with the places of the optimizers."""


def check_optimizer_states(facts: Facts, plan: Plan) -> None:
    if not facts.program.mentions("state_dict"):
        return
    shares: dict[Function | None, list[tuple[cst.CSTNode, str, cst.Call]]] = {}
    for point, left, call in _shares(facts):
        if _keeps_moments(facts, call):
            shares.setdefault(facts.program.function_around(call), []).append((point, left, call))
    steps = _steps(facts) if shares else {}
    for function, found in shares.items():
        for point, left, call in found:
            right = _optimizer(call)
            if right == left or not _may_have_stepped(facts, function, call, steps.get(function, [])):
                continue
            changed = _conflict(facts, function, point, (left, right), steps)
            if changed is not None:
                plan.problem(point, "T2J303", name=changed, other=left if changed == right else right)


def _optimizer(call: cst.Call) -> str:
    """The place of the optimizer that a call of `state_dict` asks."""
    assert isinstance(call.func, cst.Attribute)
    return dotted(call.func.value) or ""


def _shares(facts: Facts) -> Iterator[tuple[cst.CSTNode, str, cst.Call]]:
    """The points behind which what lies at a place has the moments of the optimizer that a call asks for its state."""
    for assign in facts.program.index.every(cst.Assign):
        for target in assign.targets:
            for call in _states(facts, assign.value, through_names=False):
                yield assign, dotted_part(target.target) or "", call
    for load in facts.program.index.calls:
        point = facts.program.index.parents[load]
        if is_loading(load) and load.args and isinstance(point, cst.Expr):
            owner = load.func.value  # type: ignore[attr-defined]
            if facts.values(owner).kind is Kind.OPTIMIZER:
                for call in _states(facts, load.args[0].value):
                    yield point, dotted_part(owner) or "", call


def _states(facts: Facts, node: cst.BaseExpression, through_names: bool = True) -> Iterator[cst.Call]:
    """The calls of `optimizer.state_dict()` whose results an expression holds."""
    match node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("state_dict"))):
            if facts.values(owner).kind is Kind.OPTIMIZER and dotted(owner) is not None:
                yield node
        case cst.Dict(elements=elements) | cst.List(elements=elements) | cst.Tuple(elements=elements):
            for element in elements:
                yield from _states(facts, element.value, through_names)
        case cst.Subscript(value=cst.Name() as holder) if through_names:
            yield from _states(facts, holder)
        case cst.Name() if through_names:
            for item in facts.program.definitions.of(node):
                if item.how is How.ASSIGNED and item.value is not None:
                    yield from _states(facts, item.value, through_names=False)


def _keeps_moments(facts: Facts, state: cst.Call) -> bool:
    """Whether the optimizer that is asked for its state may have tensors in it: `SGD` without momentum has none."""
    own = facts.values(state.func.value).types  # type: ignore[attr-defined]
    makers = [call for call in facts.program.index.calls if makes_optimizer(call, facts.values)]
    makers = [call for call in makers if not own or own & facts.values(call).types]
    is_plain = [facts.values.torch_name(call.func) == "torch.optim.SGD" for call in makers]
    return not (makers and all(is_plain)) or any(may_be_given(facts, call, "momentum") for call in makers)


def _steps(facts: Facts) -> Mapping[Function | None, _Steps]:
    """The statements of each function that run steps of optimizers."""
    calls: dict[Function | None, list[cst.Call]] = {}
    for call in facts.program.index.calls:
        calls.setdefault(facts.program.function_around(call), []).append(call)
    found = {function: {place for call in own for place in _stepped(facts, call)} for function, own in calls.items()}

    def reached(call: cst.Call) -> set[str]:
        callees = facts.values.callees.get(call, ())
        return {place for callee in callees for place in _of_caller(facts, callee, call, found.get(callee, set()))}

    spread_to_callers(found, calls, reached)
    steps: dict[Function | None, _Steps] = {}
    for function, own in calls.items():
        for call in own:
            places = _stepped(facts, call) | reached(call)
            if places:
                steps.setdefault(function, []).append((facts.program.index.statement_of(call), places))
    return steps


def _of_caller(facts: Facts, callee: Function, call: cst.Call, places: set[str]) -> Iterator[str]:
    """The places of a function in the words of a call of it."""
    arguments = dict(arguments_by_parameter(callee, call, facts.values))
    for place in places:
        root, _, rest = place.partition(".")
        is_method = root == callee.self_name and isinstance(call.func, cst.Attribute)
        owner = call.func.value if is_method else arguments.get(root)  # type: ignore[attr-defined]
        if owner is not None:
            yield ".".join(part for part in (_place(owner), rest) if part)
        elif root not in callee.env:
            yield place


def _place(node: cst.BaseExpression) -> str:
    return dotted_part(node) or ""


def _stepped(facts: Facts, call: cst.Call) -> set[str]:
    """The optimizers that a call steps itself: `optimizer.step()`, `scaler.step(optimizer)`."""
    if not (isinstance(call.func, cst.Attribute) and call.func.attr.value == "step"):
        return set()
    nodes = [call.func.value, *(item.value for item in call.args)]
    return {_place(node) for node in nodes if facts.values(node).kind is Kind.OPTIMIZER}


def _may_have_stepped(facts: Facts, function: Function | None, state: cst.Call, steps: _Steps) -> bool:
    """Whether an optimizer may have moments where it is asked for its state: one that the function makes has none at first."""
    place, flow = _optimizer(state), facts.flows.liveness(function).flow
    is_made = any(
        isinstance(item, cst.Assign)
        and makes_optimizer(item.value, facts.values)
        and any(dotted(target.target) == place for target in item.targets)
        for item in flow
        if isinstance(item, cst.Assign) and isinstance(item.value, cst.Call)
    )
    if not is_made:
        return True
    asked = set(points_of(facts.program.index.statement_of(state)))
    return any(
        point in asked
        for statement, places in steps
        if place in places
        for start in points_of(statement)
        for point in reached_behind(start, {place.split(".")[0]}, flow)
    )


def _conflict(
    facts: Facts,
    function: Function | None,
    point: cst.CSTNode,
    pair: tuple[str, str],
    steps: Mapping[Function | None, _Steps],
) -> str | None:
    """Which of two places a step behind a point changes while the other one is still read; two optimizers are both stepped."""
    liveness = facts.flows.liveness(function)
    behind = set(reached_behind(point, {place.split(".")[0] for place in pair}, liveness.flow))
    left, right = pair
    reached = [item for item in steps.get(function, []) if not behind.isdisjoint(points_of(item[0]))]
    if isinstance(point, cst.Expr):
        stepped = {place for _, places in reached for place in places} | set(_stepped_later(function, pair, steps))
        return right if {left, right} <= stepped else None
    changing = (statement for statement, places in reached if right in places)
    is_read = any(is_used(left, liveness.after_statement(item), function, is_new=True) for item in changing)
    return right if is_read else None


def _stepped_later(
    function: Function | None, places: tuple[str, str], steps: Mapping[Function | None, _Steps]
) -> Iterator[str]:
    """Those of some places that a function is given, fields of objects, which other code may step: `other.optimizer`."""
    given = function.parameter_names if function is not None else ()
    fields = {place.rpartition(".")[2] for found in steps.values() for _, those in found for place in those}
    for place in places:
        if "." in place and place.split(".")[0] in given and place.rpartition(".")[2] in fields:
            yield place


__all__ = ["check_optimizer_states"]

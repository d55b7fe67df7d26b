"""Functions that outlive the one around them, and go on changing what that one was given: callers would not see it.

def make_step(model, optimizer):
    def step(x): ...                 binds `model` and the state of its optimizer anew, in the variables of `make_step`
    return step

step = make_step(net, optimizer)
step(x)
net(x)                               is what `net` was before
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.plan.model import Facts, Plan
from torch2jax.program.calls import arguments_by_parameter, outlives
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_CHANGES = frozenset({"value", "mode", "state"})


def check_outliving(facts: Facts, plan: Plan, function: Function, owner: Function, place: str) -> None:
    """Report a variable of a function which an inner one binds anew when the outer has returned, and that others look at."""
    if not outlives(facts.program, function, owner):
        return
    root = place.split(".")[0]
    for other in _seen_elsewhere(facts, owner, root) if root in owner.parameter_names else _returned(owner, root):
        plan.problem(function.node, "T2J303", name=place, other=other)
        return


def check_two_names(
    facts: Facts, plan: Plan, call: cst.Call, callee: Function, events_of: Callable[[Function], Mapping[str, set[str]]]
) -> None:
    """Report a model that a function changes by one name and reads by another: `def fit(model): ...; print(net(x))` of `fit(net)`,
    `def epoch(self, model): ...; print(self.model(x))` of `self.epoch(self.model)`.
    """
    if callee.node not in facts.program.functions:
        return  # of another file, which sees no variables of this one
    reading = [callee, *(item for item in reached([callee.node.body], facts.values) if item is not callee)]
    for name, node in arguments_by_parameter(callee, call, facts.values):
        if facts.values(node).kind is not Kind.MODULE:
            continue
        changed = _CHANGES & events_of(callee).get(name, set())
        for function in reading:
            other = _other_name(callee, call, node, function)
            if other is None or not _names_place(facts, function, other, node):
                continue
            if changed or (_CHANGES & events_of(function).get(other, set()) and _reads(facts, callee, name)):
                plan.problem(call, "T2J303", name=name, other=other)
                return


def _other_name(callee: Function, call: cst.Call, given: cst.BaseExpression, function: Function) -> str | None:
    """What a function that a call runs calls the thing which is given, if it does not get it from there: a variable that it sees,
    or a field of the object that the method is called on.
    """
    if isinstance(given, cst.Name):
        return given.value
    place, held = dotted(given), dotted(call.func.value) if isinstance(call.func, cst.Attribute) else None
    is_own = function.owner is not None and callee.owner is not None and _are_related(function.owner, callee.owner)
    if place is None or held is None or not is_own or not place.startswith(f"{held}."):
        return None
    return f"{function.self_name}.{place.removeprefix(f'{held}.')}"


def _are_related(one: Class, other: Class) -> bool:
    return one in other.lineage or other in one.lineage


def _names_place(facts: Facts, function: Function, place: str, given: cst.BaseExpression) -> bool:
    """Whether a function names a place, which is a variable from around it or a field."""
    if "." in place:
        nodes = (item for item in descendants(function.node.body) if isinstance(item, cst.Attribute))
        return any(dotted(item) == place for item in nodes)
    if place not in free_variables(function.node) or not isinstance(given, cst.Name):
        return False
    scopes = facts.program.definitions.scopes
    return any(
        isinstance(item, cst.Name) and item.value == place and scopes.variable(item) == scopes.variable(given)
        for item in descendants(function.node.body)
        if not facts.program.index.is_label(item)
    )


def _reads(facts: Facts, function: Function, name: str) -> bool:
    names = (item for item in descendants(function.node.body) if isinstance(item, cst.Name) and item.value == name)
    return any(not facts.program.index.is_label(item) for item in names)


def _seen_elsewhere(facts: Facts, owner: Function, parameter: str) -> list[str]:
    """What the callers of a function give for a parameter, and look at afterwards, or have from their own callers."""
    calls = [call for call in owner.callers if isinstance(call, cst.Call)]
    found = [] if calls else [f"an argument of `{owner.name}`"]
    for call in calls:
        given = dotted(dict(arguments_by_parameter(owner, call, facts.values)).get(parameter))
        function = facts.program.function_around(call)
        live = facts.flows.liveness(function).after_statement(facts.program.index.statement_of(call))
        root = given.split(".")[0] if given is not None else ""
        if given is not None and (root in live or (function is not None and root in function.parameter_names)):
            found.append(given)
    return found


def _returned(owner: Function, name: str) -> list[str]:
    """Whether a function gives a variable of its own to its callers, beside the function that changes it."""
    returned = [node.value for node in own_nodes(owner.node) if isinstance(node, cst.Return) and node.value is not None]
    return [f"a result of `{owner.name}`"] if any(name in names_in(value) for value in returned) else []


__all__ = ["check_outliving", "check_two_names"]

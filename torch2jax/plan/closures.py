"""Functions that outlive the one around them, and go on changing what that one was given: callers would not see it.

def make_step(model, optimizer):
    def step(x): ...                 binds `model` and the state of its optimizer anew, in the variables of `make_step`
    return step

step = make_step(net, optimizer)
step(x)
net(x)                               is what `net` was before
"""

from __future__ import annotations

import libcst as cst

from torch2jax.plan.model import Facts, Plan
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants, own_nodes


def check_outliving(facts: Facts, plan: Plan, function: Function, owner: Function, place: str) -> None:
    """Report a variable of a function which an inner one binds anew when the outer has returned, and that others look at."""
    if not _outlives(facts, function, owner):
        return
    root = place.split(".")[0]
    for other in _seen_elsewhere(facts, owner, root) if root in owner.parameter_names else _returned(owner, root):
        plan.problem(function.node, "T2J303", name=place, other=other)
        return


def _outlives(facts: Facts, function: Function, owner: Function) -> bool:
    """Whether a function, or one between it and `owner`, is returned or kept: it is named other than to be called."""
    inner: Function | None = function
    while inner is not None and inner is not owner:
        around = inner.outer
        parents = facts.program.index.parents
        for node in descendants(around.node.body) if around is not None else ():
            if isinstance(node, cst.Name) and node.value == inner.name and node is not inner.node.name:
                parent = parents.get(node)
                if not facts.program.index.is_label(node) and not (
                    isinstance(parent, cst.Call) and parent.func is node
                ):
                    return True
        inner = around
    return False


def _seen_elsewhere(facts: Facts, owner: Function, parameter: str) -> list[str]:
    """What the callers of a function give for a parameter, and look at afterwards."""
    calls = [call for call in owner.callers if isinstance(call, cst.Call)]
    found = [] if calls else [f"an argument of `{owner.name}`"]
    for call in calls:
        given = dotted(dict(arguments_by_parameter(owner, call, facts.values)).get(parameter))
        function = facts.program.function_around(call)
        live = facts.flows.liveness(function).after_statement(facts.program.index.statement_of(call))
        if given is not None and given.split(".")[0] in live:
            found.append(given)
    return found


def _returned(owner: Function, name: str) -> list[str]:
    """Whether a function gives a variable of its own to its callers, beside the function that changes it."""
    returned = [node.value for node in own_nodes(owner.node) if isinstance(node, cst.Return) and node.value is not None]
    return [f"a result of `{owner.name}`"] if any(name in names_in(value) for value in returned) else []


__all__ = ["check_outliving"]

"""Generators whose changes of a module nobody sees: a generator cannot return what it has changed, and need not then.

def report(model, x):                                      np.savez(path, **dict(report(net, x)))
    model.eval()                                           ... `net` is not read again
    yield "scores", model(x)

That holds where a call consumes the generator at once, and the variable it was given is dead behind the statement and has no
other name. A must-analysis on what each call in sight shows; a generator without calls in sight has callers that may look.
"""

from __future__ import annotations

from functools import lru_cache

import libcst as cst

from torch2jax.ops.python import CONSUMERS
from torch2jax.plan.model import Facts
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind, module_sites

_HOLDERS = frozenset({Kind.MODULE, Kind.OPTIMIZER, Kind.OBJECT})


def private_parameters(facts: Facts) -> list[tuple[Function, str]]:
    """The generators, and the parameters of theirs, whose changes no caller can see."""
    functions = [item for item in facts.program.functions.values() if is_generator(item) and item.owner is None]
    return [(item, name) for item in functions for name in item.parameter_names if _is_private(facts, item, name)]


def is_generator(function: Function) -> bool:
    """Whether a call makes a generator and runs nothing yet."""
    return _yields(function.node)


@lru_cache(maxsize=8192)
def _yields(function: cst.FunctionDef) -> bool:
    return any(type(node) is cst.Yield for node in own_nodes(function))


def _is_private(facts: Facts, function: Function, parameter: str) -> bool:
    calls = [call for call in function.callers if isinstance(call, cst.Call)]
    return bool(calls) and all(
        len(facts.values.callees.get(call, ())) == 1 and is_unseen_behind(facts, call, function, parameter)
        for call in calls
    )


def is_unseen_behind(facts: Facts, call: cst.Call, function: Function, parameter: str) -> bool:
    """Whether nobody looks at what a call gives for a parameter once the generator runs."""
    given = dict(arguments_by_parameter(function, call, facts.values)).get(parameter)
    if given is None or isinstance(given, cst.Call):
        return True  # nobody else has it
    if not isinstance(given, cst.Name):
        return False
    caller = facts.program.function_around(call)
    if caller is not None and (given.value not in caller.env or given.value in caller.parameter_names):
        return False
    if not _is_consumed_once(facts, call) or _other_names(facts, caller, given):
        return False
    statement = facts.program.index.statement_of(call)
    mentions = [node for node in descendants(statement) if isinstance(node, cst.Name) and node.value == given.value]
    if len(mentions) > 1 or (isinstance(statement, cst.For) and _may_change_others(facts, statement)):
        return False
    return given.value not in facts.flows.liveness(caller).after_statement(statement)


def _is_consumed_once(facts: Facts, call: cst.Call) -> bool:
    """Whether a generator runs to its end where it is made, and only there: `dict(g())`, `for x in g()`."""
    parents = facts.program.index.parents
    node: cst.CSTNode = call
    consumed = False
    while not isinstance(node, cst.BaseSmallStatement):
        parent = parents[node]
        if isinstance(parent, cst.For):
            return node is parent.iter
        if isinstance(parent, (cst.Lambda, cst.BaseCompoundStatement)):
            return False
        if isinstance(parent, cst.CompFor):
            if node is not parent.iter or not _is_outermost(parents, parent):
                return False
            consumed = consumed or not isinstance(parents[parent], cst.GeneratorExp)
        if isinstance(parent, cst.Call) and isinstance(parent.func, cst.Name) and parent.func.value in CONSUMERS:
            consumed = True
        if isinstance(parent, cst.Call) and not consumed and node is not parent.func:
            return False  # something keeps it for later
        node = parent
    return consumed


def _is_outermost(parents: dict[cst.CSTNode, cst.CSTNode], loop: cst.CompFor) -> bool:
    return not isinstance(parents[loop], cst.CompFor)


def _other_names(facts: Facts, caller: Function | None, given: cst.Name) -> bool:
    """Whether another variable in sight may hold the same module, or an object with it."""
    sites = module_sites(facts.values(given))
    scopes = [facts.program.module_env, *([caller.env] if caller is not None else [])]
    return any(
        name != given.value and not sites.isdisjoint(module_sites(value))
        for env in scopes
        for name, value in env.items()
    )


def _may_change_others(facts: Facts, loop: cst.For) -> bool:
    """Whether the body of a loop does something with modules, which the generator might see."""
    values = facts.values
    for node in descendants(loop.body):
        if isinstance(node, cst.Call) and values.callees.get(node):
            return True
        if isinstance(node, cst.Name) and values(node).kind in _HOLDERS:
            return True
    return False


__all__ = ["is_generator", "is_unseen_behind", "private_parameters"]

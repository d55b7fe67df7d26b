"""Generators that go on with a module which has changed since they began: they hold what it was when they were made.

def scores(model, batches):            for score in scores(net, batches):
    for x in batches:                      ...
        yield model(x)                     net, opt_state = train_step(...)       the generator has the old `net`

A may-analysis: the body of a loop over a generator, and what is reached behind an assignment while its variable is read.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.ops.python import CONSUMERS
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.private_changes import is_generator
from torch2jax.plan.sharing import Changes, points_of, reached_behind, related
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def check_suspended(facts: Facts, plan: Plan, changes: Changes) -> None:
    """Report every generator that a module is given which changes before the generator has come to its end."""
    for call, callees in facts.values.callees.items():
        if call not in facts.program.index.parents or not any(is_generator(item) for item in callees):
            continue
        function = facts.program.function_running(call)
        meanwhile = list(_meanwhile(facts, function, call))
        for place in dict.fromkeys(_given(facts, call)) if meanwhile else ():
            changed = any(
                statement in meanwhile and related(place, other) for statement, other in changes.get(function, ())
            )
            is_evaluated = place in facts.effects.evaluated_places(function)
            if changed or any(_changes_beside(facts, item, place, is_evaluated) for item in meanwhile):
                plan.problem(call, "T2J303", name=place, other=code(call))


def _given(facts: Facts, call: cst.Call) -> Iterator[str]:
    """The places of the modules that a generator reads."""
    given = [
        node for item in facts.values.callees[call] for _, node in arguments_by_parameter(item, call, facts.values)
    ]
    if isinstance(call.func, cst.Attribute):
        given.append(call.func.value)
    for node in given:
        place = dotted(node)
        if place is not None and facts.values(node).kind is Kind.MODULE:
            yield place


def _meanwhile(facts: Facts, function: Function | None, call: cst.Call) -> Iterator[cst.BaseStatement]:
    """The statements that run while a generator waits."""
    index = facts.program.index
    statement = index.statement_of(call)
    around = [call, *index.ancestors(call)]
    if any(_uses_up(facts, item) for item in around[1:]):
        return
    if isinstance(statement, cst.For):
        if statement.iter in around:
            inner = list(descendants(statement.body))
            yield from (item for item in inner if isinstance(item, cst.BaseStatement))
        return
    small = next((item for item in around if isinstance(item, cst.Assign)), None)
    if small is None or small.value not in around or len(small.targets) != 1:
        return
    name = dotted(small.targets[0].target)
    liveness = facts.flows.liveness(function)
    for point in reached_behind(small, {name} if name is not None else set(), liveness.flow):
        behind = index.statement_of(point)
        if point in points_of(behind) and (name is None or "." in name or name in liveness.after_statement(behind)):
            yield behind


def _uses_up(facts: Facts, node: cst.CSTNode) -> bool:
    """Whether a call runs through what it is given before it gives anything back: `list(...)`, an optimizer that is made."""
    if not isinstance(node, cst.Call):
        return False
    name = facts.values.torch_name(node.func) or ""
    is_optimizer = facts.values(node).kind is Kind.OPTIMIZER and name.startswith("torch.optim.")
    return is_optimizer or (dotted(node.func) in CONSUMERS and not facts.values.callees.get(node))


def _changes_beside(facts: Facts, statement: cst.BaseStatement, place: str, is_evaluated: bool) -> bool:
    """Whether a statement sets the mode of a module, or calls one that changes its own state."""
    if not isinstance(statement, cst.SimpleStatementLine) or place.split(".")[0] not in names_in(statement):
        return False
    for node in descendants(statement):
        if not isinstance(node, cst.Call):
            continue
        if isinstance(node.func, cst.Attribute) and dotted(node.func.value) == place:
            receiver = facts.values(node.func.value)
            if facts.effects.is_mode_method(receiver, node.func.attr.value) and facts.effects.has_mode(receiver):
                return True
        is_call = dotted(node.func) == place or any(dotted(item.value) == place for item in node.args)
        if is_call and not is_evaluated and facts.effects.changes_state(node):
            return True
    return False


__all__ = ["check_suspended"]

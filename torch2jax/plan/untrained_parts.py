"""Parts that a module gets while an optimizer has been made for the ones before: torch does not train the new ones.

optimizer = SGD(net.parameters(), lr)
net.head = nn.Linear(64, 10)            or net.reset_classifier(10)      T2J303: here the optimizer updates what the module has
train(net, optimizer)

A may-analysis: the lines behind which such an optimizer is still used.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.sharing import is_used, points_of, reached_behind, related
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTS = frozenset({"parameters", "named_parameters"})


def check_untrained_parts(facts: Facts, plan: Plan) -> None:
    """Report every line that gives a module a new part behind the making of an optimizer that is used later."""
    exchanges: dict[Function | None, list[tuple[cst.BaseStatement, str]]] = {}
    for target in facts.program.index.every(cst.AssignTarget):
        line = facts.program.index.statement_of(target)
        for place in _new_part(facts, target):
            exchanges.setdefault(facts.program.function_around(target), []).append((line, place))
    for call in facts.program.index.calls:
        line = facts.program.index.statement_of(call)
        for place in _exchanged_by(facts, call):
            exchanges.setdefault(facts.program.function_around(call), []).append((line, place))
    for function, changed in exchanges.items():
        for line in facts.program.index.every(cst.SimpleStatementLine):
            if facts.program.function_around(line) is function:
                for optimizer, point, places in _optimizers(facts, line):
                    _check(facts, plan, function, changed, optimizer, point, places)


def _check(
    facts: Facts,
    plan: Plan,
    function: Function | None,
    changed: list[tuple[cst.BaseStatement, str]],
    optimizer: str,
    point: cst.CSTNode,
    places: list[str],
) -> None:
    liveness = facts.flows.liveness(function)
    behind = set(reached_behind(point, {optimizer.split(".")[0]}, liveness.flow))
    for line, place in changed:
        if not any(related(place, held) for held in places) or behind.isdisjoint(points_of(line)):
            continue
        if is_used(optimizer, liveness.after_statement(line), function, is_new=True):
            plan.problem(line, "T2J303", name=place, other=optimizer)


def _new_part(facts: Facts, target: cst.CSTNode) -> Iterator[str]:
    """`net.head` of a line that assigns it a module."""
    match target:
        case cst.AssignTarget(target=cst.Attribute(value=owner) as field) if facts.values(owner).kind is Kind.MODULE:
            value = facts.values(field)
            place = dotted(field)
            if place is not None and value.kind is Kind.MODULE and not is_plain_layer(facts.tables, value):
                yield place


def _exchanged_by(facts: Facts, call: cst.Call) -> Iterator[str]:
    """The parts, in the words of the caller, that functions of the program exchange: of `net.reset(10)`, `adapt(net)`."""
    for callee in facts.values.callees.get(call, ()):
        if callee.name == "__init__":
            continue
        given = {name: dotted(value) for name, value in arguments_by_parameter(callee, call, facts.values)}
        if callee.self_name is not None and isinstance(call.func, cst.Attribute):
            given[callee.self_name] = dotted(call.func.value)
        for target in descendants(callee.node.body, cst.AssignTarget):
            for place in _new_part(facts, target):
                root, _, rest = place.partition(".")
                if given.get(root) is not None:
                    yield f"{given[root]}.{rest}"


def _optimizers(facts: Facts, line: cst.SimpleStatementLine) -> Iterator[tuple[str, cst.CSTNode, list[str]]]:
    """The variable or field that a line puts an optimizer in, where it does, and the modules whose parameters it has."""
    for small in line.body:
        match small:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as made) if (
                dotted(target) is not None and facts.values(made).kind is Kind.OPTIMIZER
            ):
                asked = (
                    item.func.value
                    for item in descendants(made, cst.Call)
                    if isinstance(item.func, cst.Attribute) and item.func.attr.value in _LISTS
                )
                modules = (item.value for item in made.args if facts.values(item.value).kind is Kind.MODULE)
                places = [place for node in (*asked, *modules) if (place := dotted(node)) is not None]
                yield str(dotted(target)), small, places


__all__ = ["check_untrained_parts"]

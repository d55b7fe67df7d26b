"""Parts that a module gets while an optimizer has been made for the ones before: torch does not train the new ones.

optimizer = SGD(net.parameters(), lr)
net.head = nn.Linear(64, 10)            or net.reset_classifier(10)      T2J303: here the optimizer updates what the module has
net.head.weight = nn.Parameter(w)
train(net, optimizer)

A may-analysis: the lines behind which such an optimizer is still used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import libcst as cst

from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.sharing import is_used, points_of, reached_behind, related
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTS = frozenset({"parameters", "named_parameters"})


@dataclass(frozen=True, slots=True)
class _Made:
    """An optimizer of the parameters of some modules, and where it is put into a variable or field."""

    point: cst.CSTNode
    place: str
    modules: list[str]


def check_untrained_parts(facts: Facts, plan: Plan) -> None:
    """Report every line that gives a module a new part behind the making of an optimizer that is used later."""
    made: dict[Function | None, list[_Made]] = {}
    for assign in facts.program.index.every(cst.Assign):
        if (optimizer := _optimizer(facts, assign)) is not None:
            made.setdefault(facts.program.function_around(assign), []).append(optimizer)
    if not made:
        return
    exchanged = cache(partial(_exchanged, facts))
    for node in facts.program.index.every(cst.AssignTarget, cst.Call):
        function = facts.program.function_around(node)
        if function in made:
            places = _exchanged_by(facts, node, exchanged) if isinstance(node, cst.Call) else _new_part(facts, node)
            for place in places:
                _check(facts, plan, function, made[function], node, place)


def _check(
    facts: Facts, plan: Plan, function: Function | None, made: Sequence[_Made], node: cst.CSTNode, place: str
) -> None:
    line, liveness = facts.program.index.statement_of(node), facts.flows.liveness(function)
    for item in made:
        if any(related(place, module) for module in item.modules):
            behind = set(reached_behind(item.point, {item.place.split(".")[0]}, liveness.flow))
            is_used_later = is_used(item.place, liveness.after_statement(line), function, is_new=True)
            if is_used_later and not behind.isdisjoint(points_of(line)):
                plan.problem(line, "T2J303", name=place, other=item.place)


def _new_part(facts: Facts, target: cst.CSTNode) -> Iterator[str]:
    """`net.head` of a line that assigns it a module, or a parameter that is made there."""
    match target:
        case cst.AssignTarget(target=cst.Attribute(value=owner) as field) if facts.values(owner).kind is Kind.MODULE:
            value = facts.values(field)
            place = _whole_place(facts, field)
            is_part = value.kind is Kind.MODULE and not is_plain_layer(facts.tables, value)
            if place is not None and (is_part or _is_new_parameter(facts, target)):
                yield place


def _is_new_parameter(facts: Facts, target: cst.CSTNode) -> bool:
    line = facts.program.home(target).index.parents.get(target)  # it may be one of another file
    made = line.value if isinstance(line, cst.Assign) else None
    return isinstance(made, cst.Call) and facts.values.torch_name(made.func) == "torch.nn.Parameter"


def _whole_place(facts: Facts, field: cst.Attribute) -> str | None:
    """The place of a field, from the model on: of `part.weight` behind `part = net.fc` that is `net.fc.weight`."""
    place = dotted(field)
    root: cst.BaseExpression = field
    while isinstance(root, cst.Attribute):
        root = root.value
    bound = facts.program.definitions.bound_once(root) if isinstance(root, cst.Name) else None
    part = dotted(bound.value) if bound is not None and isinstance(bound.value, cst.Attribute) else None
    return place if place is None or part is None else f"{part}.{place.partition('.')[2]}"


def _exchanged(facts: Facts, function: Function) -> list[str]:
    """The parts that a function exchanges, in its own words."""
    targets = descendants(function.node.body, cst.AssignTarget)
    return [place for target in targets for place in _new_part(facts, target)]


def _exchanged_by(facts: Facts, call: cst.Call, exchanged: Callable[[Function], list[str]]) -> Iterator[str]:
    """The same in the words of the caller: of `net.reset(10)`, `adapt(net)`."""
    for callee in facts.values.callees.get(call, ()):
        if callee.name == "__init__" or not (places := exchanged(callee)):
            continue
        given = {name: dotted(value) for name, value in arguments_by_parameter(callee, call, facts.values)}
        if callee.self_name is not None and isinstance(call.func, cst.Attribute):
            given[callee.self_name] = dotted(call.func.value)
        for place in places:
            root, _, rest = place.partition(".")
            if given.get(root) is not None:
                yield f"{given[root]}.{rest}"


def _optimizer(facts: Facts, assign: cst.Assign) -> _Made | None:
    match assign:
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as made) if (
            place := dotted(target)
        ) is not None and facts.values(made).kind is Kind.OPTIMIZER:
            asked = (
                item.func.value
                for item in descendants(made, cst.Call)
                if isinstance(item.func, cst.Attribute) and item.func.attr.value in _LISTS
            )
            modules = (item.value for item in made.args if facts.values(item.value).kind is Kind.MODULE)
            return _Made(assign, place, [name for node in (*asked, *modules) if (name := dotted(node)) is not None])
    return None


__all__ = ["check_untrained_parts"]

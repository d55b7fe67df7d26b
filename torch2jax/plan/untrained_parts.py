"""Parts that a module gets while an optimizer has been made for the ones before: torch does not train the new ones.

optimizer = SGD(net.parameters(), lr)
net.head = nn.Linear(64, 10)            or net.reset_classifier(10)      T2J303: here the optimizer updates what the module has
net.head.weight = nn.Parameter(w)
trainer.grow()                          or where a method of an object that has the module does it
train(net, optimizer)

A may-analysis: the lines behind which such an optimizer is still used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import libcst as cst

from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.sharing import is_used, points_of, reached_behind, related, sites_within
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import UNKNOWN, Kind

_LISTS = frozenset({"parameters", "named_parameters"})


@dataclass(frozen=True, slots=True)
class _Made:
    """An optimizer of the parameters of some modules, and where it is put into a variable or field."""

    point: cst.CSTNode
    place: str
    modules: list[str]
    sites: frozenset[int]  # where these modules and their parts are made


@dataclass(frozen=True, slots=True)
class _New:
    """The place of a new part, and where the modules are made that get it, as far as only that tells which these are."""

    place: str
    sites: frozenset[int] = frozenset()


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
            of_callee = _exchanged_by(facts, node, exchanged) if isinstance(node, cst.Call) else ()
            for new in (*of_callee, *_new_part(facts, node)):
                _check(facts, plan, function, made[function], node, new)


def _check(
    facts: Facts, plan: Plan, function: Function | None, made: Sequence[_Made], node: cst.CSTNode, new: _New
) -> None:
    line, liveness = facts.program.index.statement_of(node), facts.flows.liveness(function)
    for item in made:
        if any(related(new.place, module) for module in item.modules) or item.sites & new.sites:
            behind = set(reached_behind(item.point, {item.place.split(".")[0]}, liveness.flow))
            is_used_later = is_used(item.place, liveness.after_statement(line), function, is_new=True)
            if is_used_later and not behind.isdisjoint(points_of(line)):
                plan.problem(line, "T2J303", name=new.place, other=item.place)


def _new_part(facts: Facts, node: cst.CSTNode) -> Iterator[_New]:
    """`net.head` of a line that assigns it a module, or a parameter that is made there; of `setattr(net, "head", ...)`, too."""
    owner, name, made = _given_part(facts, node)
    if owner is None or facts.values(owner).kind is not Kind.MODULE:
        return
    place = _whole_place(facts, owner)
    value = facts.values(made) if made is not None else UNKNOWN
    is_part = value.kind is Kind.MODULE and not is_plain_layer(facts.tables, value)
    is_parameter = isinstance(made, cst.Call) and facts.values.torch_name(made.func) == "torch.nn.Parameter"
    if place is not None and (is_part or is_parameter):
        yield _New(f"{place}.{name}", _sites_of_owners(facts, owner) if _is_of_loop(facts, owner) else frozenset())


def _given_part(facts: Facts, node: cst.CSTNode) -> tuple[cst.BaseExpression | None, object, cst.BaseExpression | None]:
    """What is given something under a name, by a line or by `setattr`, the name, and what it is given."""
    match node:
        case cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name(name))):
            line = facts.program.home(node).index.parents.get(node)  # it may be one of another file
            return owner, name, line.value if isinstance(line, cst.Assign) else None
        case cst.Call(func=cst.Name("setattr"), args=[cst.Arg(value=owner), cst.Arg(value=word), cst.Arg(value=made)]):
            return owner, facts.values(word).const, made
    return None, None, None


def _sites_of_owners(facts: Facts, node: cst.BaseExpression) -> frozenset[int]:
    """Where a module is made, and those that it is a part of."""
    value = facts.values(node)
    own = value.sites if value.kind is Kind.MODULE else frozenset()
    return own | _sites_of_owners(facts, node.value) if isinstance(node, (cst.Attribute, cst.Subscript)) else own


def _is_of_loop(facts: Facts, owner: cst.BaseExpression) -> bool:
    """Whether a place begins with what a loop goes through: `part` in `for part in (net.first, net.last)`."""
    root = (dotted(owner) or "").partition(".")[0]
    loops = (item for item in facts.program.home(owner).index.ancestors(owner) if isinstance(item, cst.For))
    return any(root in names_in(loop.target) for loop in loops)


def _whole_place(facts: Facts, owner: cst.BaseExpression) -> str | None:
    """The place of a part, from the model on: of `part` behind `part = net.fc` that is `net.fc`."""
    place, root = dotted(owner), owner
    while isinstance(root, cst.Attribute):
        root = root.value
    bound = facts.program.definitions.bound_once(root) if isinstance(root, cst.Name) else None
    part = dotted(bound.value) if bound is not None and isinstance(bound.value, cst.Attribute) else None
    if place is None or part is None:
        return place
    return f"{part}.{place.partition('.')[2]}" if "." in place else part


def _exchanged(facts: Facts, function: Function) -> list[_New]:
    """The parts that a function exchanges, in its own words."""
    given = ((node, _given_part(facts, node)[0]) for node in descendants(function.node.body))
    parts = ((node, owner) for node, owner in given if owner is not None)
    return [_New(new.place, _sites_of_owners(facts, owner)) for node, owner in parts for new in _new_part(facts, node)]


def _exchanged_by(facts: Facts, call: cst.Call, exchanged: Callable[[Function], list[_New]]) -> Iterator[_New]:
    """The same in the words of the caller: of `net.reset(10)`, `adapt(net)`."""
    for callee in facts.values.callees.get(call, ()):
        if callee.name == "__init__" or not (places := exchanged(callee)):
            continue
        given = {name: dotted(value) for name, value in arguments_by_parameter(callee, call, facts.values)}
        if callee.self_name is not None and isinstance(call.func, cst.Attribute):
            given[callee.self_name] = dotted(call.func.value)
        for new in places:
            root, _, rest = new.place.partition(".")
            if given.get(root) is not None:
                is_kept = callee.owner is not None and not callee.owner.is_module and root == callee.self_name
                yield _New(f"{given[root]}.{rest}", new.sites if is_kept else frozenset())


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
            nodes = [*asked, *modules]
            sites = frozenset(site for node in nodes for site in sites_within(facts, facts.values(node)))
            return _Made(assign, place, [name for node in nodes if (name := dotted(node)) is not None], sites)
    return None


__all__ = ["check_untrained_parts"]

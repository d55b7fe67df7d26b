"""Steps that train an element of a list, and read the list beside it: the element may be read there, too.

for net, opt in zip(nets, opts):
    loss = F.mse_loss(net(x) + nets[0](x), y)        T2J500: no gradient of `net` would go through `nets[0]`
    loss.backward()
    opt.step()

Gradients are taken of what has the name. Lists that are read without gradients only may hold it.

So are steps reported whose optimizer and module are elements of two lists that do not go together:

for net, opt in zip(nets[1:], opts):                 T2J501: `opt` trains the module in front of `net`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from torch2jax.facts.contexts import is_under_no_grad
from torch2jax.facts.listed_optimizers import ListPlace, list_place, trained_lists
from torch2jax.facts.training import Step, value_of_place
from torch2jax.plan.model import Facts, Plan
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, module_sites

_SHUFFLING = frozenset({"np.random.shuffle", "numpy.random.shuffle", "random.shuffle", "shuffle"})
_CONTAINERS = (Kind.LIST, Kind.TUPLE, Kind.DICT)


def check_elements_read(facts: Facts, plan: Plan) -> None:
    """Report every step that may read what it trains by way of a list."""
    if facts.target.bound is not None:
        return  # whose gradients are of the variables, by whatever name they are reached
    for step in facts.steps:
        if step.problem is not None:
            continue
        name = next(_read_beside(facts, step), None)
        if name is not None:
            reason = f"`{name[0]}` may be an element of `{name[1]}`, which is read beside it"
            plan.problem(step.backward, "T2J500", reason=reason)


def check_elements_paired(facts: Facts, plan: Plan) -> None:
    """Report every step of an optimizer with a module that are at other places of their lists."""
    partners = None
    for step in facts.steps:
        if step.problem is not None:
            continue
        pairs = [(step.optimizer, place) for place in step.trained] if step.optimizer is not None else []
        pairs += [(update.node, place) for update in step.updates for place in update.models if update.node is not None]
        for optimizer, place in pairs:
            given = _element(facts, optimizer) if isinstance(optimizer, cst.Name) else None
            names = (node for part in step.region for node in descendants(part, cst.Name) if node.value == place)
            named = next((node for node in names if node in facts.program.index.parents), None)
            trained = _element(facts, named) if named is not None and given is not None else None
            if given is None or trained is None:
                continue
            partners = trained_lists(facts.program, facts.values) if partners is None else partners
            is_other = given.way != trained.way or _is_of_others(facts, partners, given.container, trained.container)
            is_other = is_other or (facts.target.immutable and not _are_partners(facts, partners, given, trained))
            if is_other or any(_is_reordered(facts, item.container) for item in (given, trained)):
                plan.problem(optimizer, "T2J501", name=code(optimizer))


@dataclass(frozen=True, slots=True)
class _Element:
    """An element of a list, and the way to it: `_[i]`, `_` for what a loop goes through, `reversed(_)`."""

    container: cst.BaseExpression
    way: str


def _element(facts: Facts, name: cst.BaseExpression) -> _Element | None:
    """What a variable is an element of, where it is bound once; None for what is not."""
    bound = facts.program.definitions.of(name) if isinstance(name, cst.Name) else ()
    if len(bound) != 1 or not isinstance(name, cst.Name):
        return None
    for around in facts.program.index.ancestors(bound[0].node):
        match around:
            case cst.For(target=target, iter=over):
                return _element_of_loop(target, over, name.value)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=cst.Subscript(value=inner) as value):
                return _Element(inner, code(value).replace(code(inner), "_", 1))
            case cst.BaseStatement() | cst.BaseSmallStatement():
                return None
    return None


def _element_of_loop(
    target: cst.BaseExpression, over: cst.BaseExpression, name: str, counter: str = ""
) -> _Element | None:
    match over, target:
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner), *others]), cst.Tuple(
            elements=[first, last]
        ):
            own = first.value.value if isinstance(first.value, cst.Name) and not others else counter
            return _element_of_loop(last.value, inner, name, own)
        case cst.Call(func=cst.Name("zip"), args=args), cst.Tuple(elements=elements) if len(args) == len(elements):
            pairs = zip(elements, args, strict=True)
            found = [_element_of_loop(element.value, item.value, name, counter) for element, item in pairs]
            return next((item for item in found if item is not None), None)
        case _, cst.Name(value) if value == name:
            places = [item for item in (over, *descendants(over)) if isinstance(item, (cst.Name, cst.Attribute))]
            if isinstance(over, (cst.Name, cst.Attribute)):
                return _Element(over, f"_[{counter}]" if counter else "_")
            match over:
                case cst.Call(func=cst.Name("reversed"), args=[cst.Arg(value=inner)]) | cst.Subscript(value=inner):
                    return _Element(inner, code(over).replace(code(inner), "_", 1)) if places else None
    return None


def _is_of_others(
    facts: Facts,
    partners: Mapping[ListPlace, ListPlace],
    optimizers: cst.BaseExpression,
    modules: cst.BaseExpression,
) -> bool:
    """Whether a list of optimizers is known to be made for another list of modules."""
    place, trained = list_place(facts.program, optimizers), list_place(facts.program, modules)
    known = partners.get(place) if place is not None else None
    return known is not None and trained in partners.values() and known != trained


def _are_partners(facts: Facts, partners: Mapping[ListPlace, ListPlace], given: _Element, trained: _Element) -> bool:
    """Whether a list of optimizers is made for a list of modules, place by place; parameters are what all calls give for them."""
    places = list_place(facts.program, given.container), list_place(facts.program, trained.container)
    return _go_together(facts, partners, *places, 3)


def _go_together(
    facts: Facts, partners: Mapping[ListPlace, ListPlace], one: ListPlace | None, other: ListPlace | None, depth: int
) -> bool:
    if one is None or other is None or depth == 0:
        return False
    if one in partners:
        return partners[one] == other
    function = one.owner
    if not isinstance(function, Function) or function is not other.owner:
        return False
    if not {one.name, other.name} <= set(function.parameter_names):
        return False
    for call in function.callers:
        if not isinstance(call, cst.Call) or call not in facts.program.index.parents:
            return False
        nodes = dict(arguments_by_parameter(function, call, facts.values))
        if one.name not in nodes or other.name not in nodes:
            return False
        given = [list_place(facts.program, nodes[item.name]) for item in (one, other)]
        if not _go_together(facts, partners, given[0], given[1], depth - 1):
            return False
    return True


def _is_reordered(facts: Facts, container: cst.BaseExpression) -> bool:
    """Whether the file changes the order of a list: `nets.reverse()`, `random.shuffle(nets)`, `nets[0], nets[1] = nets[1], nets[0]`."""
    place = list_place(facts.program, container)
    for node in facts.program.index.every(cst.Call, cst.AssignTarget):
        match node:
            case cst.Call(func=cst.Attribute(value=changed, attr=cst.Name("reverse" | "sort"))):
                found = [changed]
            case cst.Call(func=function, args=[cst.Arg(value=changed)]) if dotted(function) in _SHUFFLING:
                found = [changed]
            case cst.AssignTarget(target=cst.Tuple(elements=elements)):
                found = [item.value.value for item in elements if isinstance(item.value, cst.Subscript)]
            case _:
                continue
        if place is not None and any(list_place(facts.program, item) == place for item in found):
            return True
    return False


def _read_beside(facts: Facts, step: Step) -> Iterator[tuple[str, str]]:
    """What a step trains, and a list that it reads beside it."""
    region, values = step.region, facts.values
    trained = step.trained or tuple(place for update in step.updates for place in update.models) or step.models
    for place in trained:
        value = value_of_place(region, place, values)
        if value is None or value.kind is not Kind.MODULE:
            continue
        for other in step.inputs:
            held = value_of_place(region, other, values)
            if held is None or held.kind not in _CONTAINERS or value.sites.isdisjoint(module_sites(held)):
                continue
            if _may_come_from(facts, region, place, other) and _is_read(facts, region, other):
                yield place, other


def _may_come_from(facts: Facts, region: list[cst.CSTNode], place: str, container: str) -> bool:
    """Whether what a place holds may be an element of a container: unless it is seen to be one of others only."""
    names = [node for part in region for node in descendants(part, cst.Name) if node.value == place]
    named = [node for node in names if node in facts.program.index.parents and not facts.program.index.is_label(node)]
    bound = [item for node in named[:1] for item in facts.program.definitions.of(node)]
    sources = [_source(facts, item.node) for item in bound if item.how is not How.PARAMETER]
    if not bound or len(sources) < len(bound) or None in sources:
        return True
    return any(container in source for source in sources if source is not None)


def _source(facts: Facts, node: cst.CSTNode) -> set[str] | None:
    """The places that are named where a variable is bound to an element of something; None for what is bound otherwise."""
    for around in facts.program.index.ancestors(node):
        match around:
            case cst.For(iter=source) | cst.Assign(value=cst.Subscript() as source):
                return {str(dotted(item)) for item in descendants(source, cst.Name, cst.Attribute)}
            case cst.Assign() | cst.FunctionDef():
                return None
    return None


def _is_read(facts: Facts, region: list[cst.CSTNode], place: str) -> bool:
    """Whether code reads a place where gradients are recorded."""
    return any(
        dotted(node) == place and not _is_constant(facts, node)
        for part in region
        for node in (part, *descendants(part))
        if isinstance(node, (cst.Name, cst.Attribute))
    )


def _is_constant(facts: Facts, node: cst.CSTNode) -> bool:
    """Whether no gradient goes on from what is read: `nets[0](x).detach()`, `len(nets)`."""
    if node not in facts.program.index.parents:
        return False
    if is_under_no_grad(node, facts.values):
        return True
    child = node
    for around in facts.program.index.ancestors(node):
        match around:
            case cst.Attribute(value=inner, attr=cst.Name("detach" | "item" | "data" | "shape")) if inner is child:
                return True
            case cst.Call(func=cst.Name("len")):
                return True
            case cst.BaseStatement():
                return False
        child = around
    return False


__all__ = ["check_elements_paired", "check_elements_read"]

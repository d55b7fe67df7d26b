"""Lists whose modules are all different objects, with no parts in common: what one place gets concerns no other place.

self.nets = [Net(i) for i in range(n)]        apart
self.targets = copy.deepcopy(self.nets)       apart, as `self.nets` is
self.nets = [net, net]                        not
self.nets = [Net(encoder) for _ in range(n)]  not

A must-analysis over all that a file does with the list; a parameter is as what all its callers give for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.facts.listed_optimizers import MUTATING, ListPlace, list_place, lists_put_back, puts_back
from torch2jax.plan.model import Facts
from torch2jax.plan.sharing import Changes, held_places, is_fresh, related, unmoved
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_COPYING = frozenset({"copy.deepcopy", "deepcopy"})
_LISTING = frozenset({"list", "tuple"})


def are_apart(facts: Facts, container: ListPlace | None, depth: int = 3) -> bool:
    """Whether the modules in a list are all different objects."""
    if container is None or depth == 0:
        return False
    owner = container.owner
    if not all(_keeps_elements(facts, node, depth) for node in _reads(facts, container)):
        return False
    if isinstance(owner, Class) and not all(
        _runs_elements(facts, item, container.name) for item in facts.program.files
    ):
        return False
    if isinstance(owner, Function) and container.name in owner.parameter_names:
        return _are_given_apart(facts, owner, container.name, depth)
    found = list(_fillings(facts, container))
    return bool(found) and all(_is_apart(facts, node, depth) for node in found)


def find_put_back(facts: Facts, changes: Changes) -> dict[Function | None, list[tuple[cst.BaseStatement, str, str]]]:
    """The changes of elements of lists, all different, that go back to their places."""
    found: dict[Function | None, list[tuple[cst.BaseStatement, str, str]]] = {}
    for function, changed in changes.items():
        for statement, name in changed:
            for container in lists_put_back(facts.program, facts.values, statement, name):
                place = str(dotted(container))
                is_alone = not any(line is statement and related(other, place) for line, other in changed)
                if is_alone and are_apart(facts, list_place(facts.program, container)):
                    found.setdefault(function, []).append((statement, name, place))
    return found


def find_refilled(files: Sequence[Facts]) -> dict[Function, set[str]]:
    """For every function the lists that get back changed elements in it, or in what it calls, in its own words."""
    found: dict[Function, set[str]] = {}
    for facts in files:
        for target in facts.program.index.every(cst.AssignTarget):
            function = facts.program.function_around(target)
            if function is not None and isinstance(target.target, cst.Subscript) and puts_back(facts.program, target):
                found.setdefault(function, set()).add(str(dotted(target.target.value)))
    is_new = bool(found)
    while is_new:
        is_new = False
        for facts in files:
            for call, places in refilled_by_calls(facts, found):
                function = facts.program.function_around(call)
                if function is not None and not places <= found.get(function, set()):
                    found.setdefault(function, set()).update(places)
                    is_new = True
    return found


def refilled_by_calls(facts: Facts, refilled: Mapping[Function, set[str]]) -> Iterator[tuple[cst.Call, set[str]]]:
    """The calls of a file that change elements of lists, with these lists in the words of the caller."""
    for call, callees in facts.values.callees.items():
        known = [item for item in callees if item in refilled]
        if not known or not isinstance(call, cst.Call) or call not in facts.program.index.parents:
            continue
        found: set[str] = set()
        for callee in known:
            given = {name: dotted(node) for name, node in arguments_by_parameter(callee, call, facts.values)}
            if callee.self_name is not None and isinstance(call.func, cst.Attribute) and callee.name != "__init__":
                given[callee.self_name] = dotted(call.func.value)
            for place in refilled[callee]:
                root, dot, rest = place.partition(".")
                place = f"{given[root]}{dot}{rest}" if given.get(root) else place
                if given.get(root) or root not in (*callee.parameter_names, callee.self_name):
                    found.add(place)  # perhaps of a variable around both
        if found:
            yield call, found


def _are_given_apart(facts: Facts, function: Function, name: str, depth: int) -> bool:
    """Whether all callers of a function, in this file, give it a list of different modules; the function adds nothing."""
    program = facts.program
    if function.seen_elsewhere or not function.callers or list(_fillings(facts, ListPlace(function, name))):
        return False
    for call in function.callers:
        if not isinstance(call, cst.Call) or call not in program.index.parents:
            return False
        given = dict(arguments_by_parameter(function, call, facts.values)).get(name)
        if given is None or not are_apart(facts, list_place(program, given), depth - 1):
            return False
    return True


# who reads a list


def _reads(facts: Facts, container: ListPlace) -> Iterator[cst.BaseExpression]:
    """The reads of a list; of a field, all that have its name, of whatever objects."""
    index = facts.program.index
    if isinstance(container.owner, Class):
        yield from (node for node in index.attributes if node.attr.value == container.name)
        return
    for name in index.names:
        if name.value == container.name and not index.is_label(name) and list_place(facts.program, name) == container:
            yield name


def _runs_elements(facts: Facts, program: Program, name: str) -> bool:
    """Whether another file of the program does nothing with fields of a name but to go through them, and to run an element."""
    if program is facts.program:
        return True
    parents = program.index.parents
    for node in program.index.attributes:
        if node.attr.value != name:
            continue
        match parents[node], parents[parents[node]]:
            case cst.For(), _:
                continue
            case cst.Subscript() as element, cst.Call(func=func) if func is element:
                continue
        return False
    return True


def _keeps_elements(facts: Facts, node: cst.BaseExpression, depth: int) -> bool:
    """Whether a list that is read, or bound, gives its elements to no other container, and to variables only that are followed."""
    index = facts.program.index
    parent = index.parents[node]
    around = index.parents.get(parent)
    match parent, around:
        case cst.AssignTarget() | cst.AnnAssign() | cst.Param() | cst.For(), _:
            return not isinstance(parent, cst.For) or parent.iter is node
        case cst.Element(), cst.Tuple():
            return isinstance(index.parents[around], cst.AssignTarget)
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index())]), _:
            return value is node
        case cst.Attribute(attr=cst.Name(method)), cst.Call(func=func) if func is parent:
            return method in MUTATING
        case cst.CompFor(), _:
            return parent.iter is node and _only_runs(facts, parent.target, around)
        case cst.Arg(), cst.Call(func=function):
            return _is_given_on(facts, node, around, function, depth)
    return False


def _is_given_on(
    facts: Facts, node: cst.BaseExpression, call: cst.Call, function: cst.BaseExpression, depth: int
) -> bool:
    """Whether a call that is given a list keeps none of its elements."""
    index, name = facts.program.index, dotted(function)
    callees = facts.values.callees.get(call, ())
    if callees:
        given = [
            (item, key)
            for item in callees
            for key, value in arguments_by_parameter(item, call, facts.values)
            if value is node
        ]
        own = [item.node in facts.program.functions for item, _ in given]
        if len(given) < len(callees) or not all(own) or depth == 0:
            return False
        return all(
            _keeps_elements(facts, read, depth - 1)
            for item, key in given
            for read in _reads(facts, ListPlace(item, key))
        )
    if name in ("len", "print") or name in _COPYING:
        return True
    if name not in ("enumerate", "reversed", "zip"):
        return False
    parent = index.parents[call]
    match parent, index.parents.get(parent):
        case cst.For(), _:
            return parent.iter is call
        case cst.CompFor(), around:
            return parent.iter is call and _only_runs(facts, parent.target, around)
        case cst.Arg(), cst.Call(func=outer) as wider:
            return dotted(outer) == "enumerate" and _is_given_on(facts, call, wider, outer, depth)
    return False


def _only_runs(facts: Facts, target: cst.BaseAssignTargetExpression, made: cst.CSTNode | None) -> bool:
    """Whether a comprehension calls the modules that it goes through, copies them, or makes optimizers of them."""
    names = names_in(target)
    uses = (node for node in descendants(made, cst.Name) if node.value in names) if made is not None else ()
    inside = set(descendants(target)) | {target}
    return all(
        _only_runs_here(facts, node) for node in uses if node not in inside and not facts.program.index.is_label(node)
    )


def _only_runs_here(facts: Facts, node: cst.CSTNode) -> bool:
    parents = facts.program.index.parents
    if not facts.values(node).is_a(Kind.MODULE, Kind.UNKNOWN):
        return True
    parent = parents[node]
    match parent, parents.get(parent):
        case cst.Call(func=func), _ if func is node:
            return True
        case cst.Arg(), cst.Call(func=func):
            return dotted(func) in _COPYING or facts.values(parents[parent]).kind is Kind.TENSOR
        case cst.Attribute(), cst.Call(func=func) as call if func is parent:
            if facts.values(call).kind is Kind.PARAMETERS:
                return _is_of_optimizer_or_count(facts, call)
            return facts.values(call).kind in (Kind.TENSOR, Kind.FLOAT, Kind.INT, Kind.NONE)
    return False


def _is_of_optimizer_or_count(facts: Facts, parameters: cst.Call) -> bool:
    """Whether the parameters of a module make an optimizer, or are counted: `sum(p.numel() for p in net.parameters())`."""
    parent = facts.program.index.parents[parameters]
    match parent, facts.program.index.parents.get(parent):
        case cst.Arg(), cst.Call() as call:
            return facts.values(call).kind is Kind.OPTIMIZER
        case cst.CompFor(), _:
            for around in facts.program.index.ancestors(parent):
                if isinstance(around, cst.Call):
                    return dotted(around.func) == "sum"
    return False


def _fillings(facts: Facts, container: ListPlace) -> Iterator[cst.BaseExpression | None]:
    """What a list is bound to and what is put into it; None for what is not understood."""
    program = facts.program
    for node in program.index.every(cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.Del, cst.Call):
        match node:
            case cst.AssignTarget(target=cst.Name() | cst.Attribute() | cst.Tuple() as whole):
                for target, value in assigned_pairs(whole, program.index.parents[node].value):  # type: ignore[attr-defined]
                    parts = [target, *descendants(target)] if isinstance(target, cst.Tuple) else [target]
                    places = [item for item in parts if isinstance(item, (cst.Name, cst.Attribute))]
                    if any(list_place(program, item) == container for item in places):
                        yield value if target is not whole or not isinstance(whole, cst.Tuple) else None
            case cst.AssignTarget(target=cst.Subscript(value=target, slice=[cst.SubscriptElement(slice=cst.Index())])):
                if list_place(program, target) == container and not puts_back(program, node):
                    yield program.index.parents[node].value  # type: ignore[attr-defined]
            case cst.Call(func=cst.Attribute(value=target, attr=cst.Name(method)), args=args) if method in MUTATING:
                if list_place(program, target) == container:
                    is_plain = method == "append" and len(args) == 1
                    yield _added(facts, args[0].value) if is_plain else None
            case cst.Call():
                pass
            case _:
                inner = node.target  # type: ignore[attr-defined]
                places = [item for item in (inner, *descendants(inner)) if isinstance(item, (cst.Name, cst.Attribute))]
                if any(list_place(program, item) == container for item in places):
                    yield getattr(node, "value", None) if isinstance(node, cst.AnnAssign) else None


def _added(facts: Facts, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """What is added to a list: where it is a variable, what that is bound to in the same pass of the loop."""
    if not isinstance(node, cst.Name):
        return node
    bound = facts.program.definitions.of(node)
    if len(bound) != 1 or bound[0].how is not How.ASSIGNED or bound[0].value is None:
        return None
    program = facts.program
    here, there = (_block(facts, item) for item in (node, bound[0].node))
    uses = [use for use in program.definitions.uses(bound[0]) if isinstance(program.index.parents[use], cst.Arg)]
    adding = [use for use in uses if _is_adding(facts, use)]
    return bound[0].value if here is there and len(adding) == 1 else None


def _is_adding(facts: Facts, use: cst.CSTNode) -> bool:
    call = facts.program.index.parents[facts.program.index.parents[use]]
    return isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value in MUTATING


def _block(facts: Facts, node: cst.CSTNode) -> cst.CSTNode:
    return facts.program.index.parents[facts.program.index.statement_of(node)]


def _is_apart(facts: Facts, node: cst.BaseExpression | None, depth: int) -> bool:
    """Whether what a list is bound to, or gets, is new and made of different modules."""
    match node:
        case None:
            return False
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return all(isinstance(item, cst.Element) and _is_new(facts, item.value) for item in elements)
        case cst.ListComp(elt=elt):
            return _is_new(facts, elt)
        case cst.Call(func=function, args=[cst.Arg(value=inner, star="")]) if dotted(function) in _COPYING | _LISTING:
            if isinstance(inner, (cst.Name, cst.Attribute)) and dotted(function) in _COPYING:
                source = facts.values(inner)
                if source.kind is Kind.LIST:
                    return are_apart(facts, list_place(facts.program, inner), depth - 1)
            elif dotted(function) in _LISTING:
                return _is_apart(facts, inner, depth)
    return node is not None and _is_new(facts, node)


def _is_new(facts: Facts, node: cst.BaseExpression) -> bool:
    """Whether an expression makes a module that has nothing in common with others."""
    made = unmoved(node)
    if not isinstance(made, cst.Call):
        return False
    if dotted(made.func) in _COPYING:
        return True
    return facts.values(made).kind is Kind.MODULE and is_fresh(facts, made, "") and not held_places(facts, made)


__all__ = ["are_apart", "find_put_back", "find_refilled", "refilled_by_calls"]

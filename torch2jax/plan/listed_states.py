"""Lists of optimizers whose states lie beside them, where states are values: each place has a pair.

opts = []                                           opts = []
for net in nets:                                    for net in nets:
    opt = Adam(net.parameters())                        opt = optax.adam(0.001)
    opts.append(opt)                       ->           opt_state = opt.init(eqx.filter(net, ...))
                                                        opts.append((opt, opt_state))
for i, (net, opt) in enumerate(zip(nets, opts)):    for i, (net, (opt, opt_state)) in enumerate(zip(nets, opts)):
    ...                                                 net, opt_state = train_step(opt, net, opt_state)
    nets[i] = net                                       nets[i] = net
    opts[i] = opt                                       opts[i] = opt, opt_state

That is so for all lists of optimizers of a file, or for none: all that is done with them must be of these forms. A variable that
has an element is the only one at its time.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.listed_optimizers import ListPlace, list_place, source_of
from torch2jax.plan.model import Facts, ListedStates
from torch2jax.program.calls import reached_from
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import assigned_pairs, reads_and_writes
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value


def find_listed_states(facts: Facts) -> ListedStates:
    """What takes optimizers out of lists, and what puts them there; nothing where something else is done with such a list."""
    taken: dict[cst.Name, cst.CSTNode] = {}
    given: list[cst.Name] = []
    lists = list(_lists(facts))
    for node in lists:
        found = _use(facts, node)
        if found is None:
            return ListedStates()
        for name, point in found:
            if point is None:
                given.append(name)
            else:
                taken[name] = point
    if not taken or _are_known_elsewhere(facts, lists) or _overlap(facts, taken):
        return ListedStates()
    return ListedStates(frozenset(taken), frozenset(given))


def _is_list(value: Value) -> bool:
    return value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT) and any(
        part.kind is Kind.OPTIMIZER for part in (value.element(), *value.parts)
    )


def _lists(facts: Facts) -> Iterator[cst.BaseExpression]:
    """The expressions that are lists of optimizers, and what such are made of."""
    index = facts.program.index
    for node in (*index.names, *index.attributes, *index.every(cst.Call, cst.List, cst.Tuple, cst.ListComp, cst.Dict)):
        assert isinstance(node, cst.BaseExpression)
        if isinstance(node, cst.Name) and index.is_label(node):
            continue
        if _is_list(facts.values(node)) or _gets_optimizers(facts, node):
            yield node


def _gets_optimizers(facts: Facts, node: cst.BaseExpression) -> bool:
    """Whether a line puts an optimizer into something."""
    parent = facts.program.index.parents[node]
    match parent, facts.program.index.parents.get(parent):
        case cst.Attribute(value=value, attr=cst.Name("append")), cst.Call(args=[cst.Arg(value=given)]):
            return value is node and facts.values(given).kind is Kind.OPTIMIZER
    return False


def _use(facts: Facts, node: cst.BaseExpression) -> list[tuple[cst.Name, cst.CSTNode | None]] | None:
    """The variables that get an element of a list here, and where, or (without a place) are put into it; None for what is not
    understood.
    """
    index = facts.program.index
    parent = index.parents[node]
    around = index.parents.get(parent)
    if isinstance(node, (cst.List, cst.Tuple, cst.ListComp, cst.Dict, cst.Call)):
        return None if _is_kept(facts, node) else []
    match parent, around:
        case cst.Subscript(value=value), cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]) if (
            value is node
        ):
            return [(name, around)]
        case cst.Subscript(value=value), cst.AssignTarget() if value is node:
            stored = index.parents[around]
            if isinstance(stored, cst.Assign) and len(stored.targets) == 1 and isinstance(stored.value, cst.Name):
                return [(stored.value, None)] if facts.values(stored.value).kind is Kind.OPTIMIZER else None
        case cst.Attribute(attr=cst.Name("append")), cst.Call(args=[cst.Arg(value=cst.Name() as name)]):
            is_line = isinstance(index.parents[around], cst.Expr)
            return [(name, None)] if is_line and facts.values(name).kind is Kind.OPTIMIZER else None
        case cst.Arg(), cst.Call(func=cst.Name("len")):
            return []
        case cst.AssignTarget(), cst.Assign(targets=[_], value=cst.List(elements=[])):
            return []
        case cst.Element(), cst.Tuple() if isinstance(index.parents[around], cst.AssignTarget):
            whole = index.parents[index.parents[around]].value  # type: ignore[attr-defined]
            pairs = assigned_pairs(around, whole)
            is_empty = any(
                target is node and isinstance(value, cst.List) and not value.elements for target, value in pairs
            )
            return [] if is_empty else None
        case cst.Param(), _:
            return []
        case cst.Arg(), cst.Call() if facts.values.callees.get(around):
            callees = facts.values.callees[around]
            return [] if all(item.node in facts.program.functions for item in callees) else None
    return _use_of_loop(facts, node)


def _is_kept(facts: Facts, node: cst.BaseExpression) -> bool:
    """Whether a display or call that gives a list of optimizers is more than what a loop goes through."""
    if isinstance(node, cst.List) and not node.elements:
        return False
    if isinstance(node, cst.Tuple):
        return not all(
            isinstance(item.value, cst.List) and not item.value.elements for item in node.elements
        ) and not isinstance(facts.program.index.parents[node], cst.AssignTarget)
    parent = facts.program.index.parents[node]
    is_going = isinstance(node, cst.Call) and dotted(node.func) in ("zip", "enumerate")
    is_part = (
        isinstance(parent, cst.Arg)
        and dotted(getattr(facts.program.index.parents[parent], "func", None)) == "enumerate"
    )
    return not (is_going and (is_part or (isinstance(parent, cst.For) and parent.iter is node)))


def _use_of_loop(facts: Facts, node: cst.BaseExpression) -> list[tuple[cst.Name, cst.CSTNode | None]] | None:
    """The variable to which a loop gives the elements of a list."""
    for around in facts.program.index.ancestors(node):
        if isinstance(around, cst.For):
            names = [item for item in (around.target, *descendants(around.target)) if isinstance(item, cst.Name)]
            found = [name for name in names if source_of(around.target, around.iter, name.value) is node]
            return [(found[0], around)] if len(found) == 1 else None
        if isinstance(around, (cst.BaseStatement, cst.BaseSmallStatement, cst.CompFor, cst.Lambda)):
            return None
    return None


def _are_known_elsewhere(facts: Facts, lists: list[cst.BaseExpression]) -> bool:
    """Whether other files may have such a list."""
    program = facts.program
    fields = {node.attr.value for node in lists if isinstance(node, cst.Attribute)}
    names = {node.value for node in lists if isinstance(node, cst.Name) if program.function_around(node) is None}
    others = [item for item in program.files if item is not program]
    given = [value for function in program.functions.values() for value in function.seen_elsewhere.values()]
    return (
        bool(fields & set(program.read_elsewhere))
        or any(item.mentions(name) for item in others for name in names)
        or any(map(_is_list, given))
    )


def _overlap(facts: Facts, taken: dict[cst.Name, cst.CSTNode]) -> bool:
    """Whether an element may be taken out of a list once more while a variable still has it."""
    by_function: dict[Function | None, list[cst.Name]] = {}
    for name in taken:
        by_function.setdefault(facts.program.function_around(name), []).append(name)
    takers = {function for function in by_function if function is not None}
    places = {name: _container(facts, name, point) for name, point in taken.items()}
    for name, point in taken.items():
        lines = _lines_with(facts, name, point)
        for line in lines:
            others = [item for item in descendants(line, cst.Name) if item in taken]
            if any(_may_be_one(places[name], places[item]) for item in others if isinstance(item, cst.Name)):
                return True
            if any(function in takers for function in _reached(facts, line)):
                return True
    return False


def _container(facts: Facts, name: cst.Name, point: cst.CSTNode) -> ListPlace | None:
    match point:
        case cst.Assign(value=cst.Subscript(value=container)):
            return list_place(facts.program, container)
        case cst.For(target=target, iter=over):
            source = source_of(target, over, name.value)
            return list_place(facts.program, source) if source is not None else None
    return None


def _may_be_one(one: ListPlace | None, other: ListPlace | None) -> bool:
    """Whether two places may hold one list: fields of one name do, variables of one scope, and parameters all."""
    if one is None or other is None:
        return True
    return one.name == other.name or isinstance(one.owner, Function) or isinstance(other.owner, Function)


def _lines_with(facts: Facts, name: cst.Name, point: cst.CSTNode) -> list[cst.BaseStatement]:
    """The statements in which a variable has what it took: of the loop, or up to its last use in the block behind."""
    if isinstance(point, cst.For):
        return [line for line in point.body.body if isinstance(line, cst.BaseStatement)]
    line = facts.program.index.statement_of(point)
    block = facts.program.index.parents[line]
    body = [item for item in getattr(block, "body", ()) if isinstance(item, cst.BaseStatement)]
    behind = body[body.index(line) + 1 :] if line in body else []
    used = [n for n, item in enumerate(behind) if name.value in reads_and_writes(item)[0]]
    bound = [n for n, item in enumerate(behind) if name.value in reads_and_writes(item)[1]]
    last = max((n for n in used if not bound or n <= bound[0]), default=-1)
    return behind[: last + 1]


def _reached(facts: Facts, line: cst.CSTNode) -> list[Function]:
    """The functions that a statement runs."""
    callees = facts.values.callees
    return reached_from((item for call in descendants(line, cst.Call) for item in callees.get(call, ())), callees)


__all__ = ["find_listed_states"]

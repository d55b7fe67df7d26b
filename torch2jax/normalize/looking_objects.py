"""Objects that look at a module which is trained beside them: they are given what has become of it where they are used.

adversary = LinfPGDAttack(net)                        adversary = LinfPGDAttack(net)
for x, y in loader:                                   for x, y in loader:
    adv = adversary.perturb(x, y)             ->          adversary.model = net
    loss = f(net(adv), y)                                 adv = adversary.perturb(x, y)
    loss.backward()                                       ...
    optimizer.step()

In torch both are the same object, so the new line changes nothing. The class only calls the module, and keeps it in one field for
good; its methods change nothing of it.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.captures import surroundings
from torch2jax.facts.given_modules import REFRESHED, TOLD
from torch2jax.facts.infer import is_differentiated_lambda
from torch2jax.facts.kept_fields import field_of, made_class, trains
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function
from torch2jax.program.statements import bound_parts
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_INNER = (cst.Lambda, cst.FunctionDef, cst.ClassDef)


def normalize_looking_objects(work: NormalizationRound) -> None:
    """Write such lines where modules are values."""
    if work.effects is None or not work.effects.threads or not work.program.is_trained:
        return
    for call, callees in work.values.callees.items():
        is_here = isinstance(call, cst.Call) and call in work.index.parents
        if is_here and len(callees) == 1 and callees[0].name == "__init__":
            _refresh(work, call, callees[0])


def _refresh(work: NormalizationRound, call: cst.Call, init: Function) -> None:
    owner, made = made_class(work.program, work.values, call), variable_of(work, call)
    if (
        owner is None
        or owner.is_module
        or (TOLD, owner.key) in work.marks
        or made is None
        or _steps(owner)
        or trains(work.values, owner)
    ):
        return
    changed = surroundings(work.program, work.values).changed_modules
    for parameter, given in arguments_by_parameter(init, call, work.values):
        value = work.values(given)
        if not isinstance(given, cst.Name) or value.kind is not Kind.MODULE or not value.sites & changed:
            continue
        field = field_of(work.values, init, owner, parameter)
        is_kept = field is not None and _only_calls(owner, field)
        if field is None or not is_kept or work.program.definitions.bound_once(given) is None:
            continue
        _write(work, made, given, field)


def _steps(owner: Class) -> bool:
    """Whether methods of a class step an optimizer, which may be that of the module."""
    parts = [item.node for item in owner.lineage]
    return any(node.attr.value == "step" for part in parts for node in descendants(part, cst.Attribute))


def variable_of(work: NormalizationRound, call: cst.Call) -> cst.Name | None:
    """The variable that an object gets, and nothing else ever does."""
    match work.index.parents[call]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as made)]):
            return made if work.program.definitions.bound_once(made) is not None else None
    return None


def _only_calls(owner: Class, field: str) -> bool:
    """Whether the methods of a class do nothing with the module in a field but call it, in the mode that it has, and leave
    nothing that would call it later.
    """
    methods = (method for item in owner.lineage for method in item.methods.values())
    return all(_only_calls_itself(item, field) for item in owner.lineage) and not any(map(_hands_out_itself, methods))


def _hands_out_itself(method: Function) -> bool:
    """Whether a method gives away its object, or functions that know it, other than those that a gradient is taken of at once."""
    at_once = {node.args[0].value for node in descendants(method.node, cst.Call) if is_differentiated_lambda(node)}
    names = {name for node in at_once for name in names_in(node)}
    fields = {id(node.value) for node in descendants(method.node, cst.Attribute)}
    for node in descendants(method.node.body):
        match node:
            case cst.Yield():
                return True
            case cst.Lambda() if node not in at_once and method.self_name in names_in(node):
                return True
            case cst.FunctionDef(name=cst.Name(name)) if name not in names and method.self_name in names_in(node):
                return True
            case cst.Name(name) if name == method.self_name and id(node) not in fields:
                return True
    return False


def _only_calls_itself(item: Class, field: str) -> bool:
    called, stored = set[int](), set[int]()
    for node in descendants(item.node):
        match node:
            case cst.Call(func=func):
                called.add(id(func))
            case cst.Attribute(value=inner, attr=cst.Name("training" | "zero_grad")):
                called.add(id(inner))
            case cst.AssignTarget(target=target):
                stored.update(map(id, bound_parts(target)))
    fields = (node for node in descendants(item.node, cst.Attribute) if node.attr.value == field)
    return all(id(node) in called or id(node) in stored for node in fields)


def _write(work: NormalizationRound, made: cst.Name, given: cst.Name, field: str) -> None:
    function = work.program.function_around(made)
    mark = (REFRESHED, function.key if function is not None else "", made.value, field, given.value)
    definition = work.program.definitions.bound_once(made)
    if mark in work.program.marks or definition is None:
        return
    uses = work.program.definitions.uses(definition)
    places = {_place(work, use, given, field) for use in uses}
    if not places or None in places:
        return
    for line in sorted(filter(None, places), key=work.index.order.__getitem__):
        work.edits.before(line, always_statements([quote_statement(f"{made.value}.{field} = {given.value}")]))
    work.marks.add(mark)


def _place(work: NormalizationRound, use: cst.Name, given: cst.Name, field: str) -> cst.BaseStatement | None:
    """The statement in front of which an object can be given the module, for a use of it by its methods."""
    parent = work.index.parents[use]
    match parent:
        case cst.Call(func=func) if func is use:
            pass
        case cst.Attribute() if parent.attr.value != field and _is_asked_at_once(work, parent):
            pass
        case _:
            return None
    node: cst.CSTNode = use
    for around in work.index.ancestors(use):
        if isinstance(around, (*_INNER, cst.While)):
            return None
        if isinstance(around, (cst.SimpleStatementLine, cst.For, cst.If, cst.With)):
            is_head = isinstance(around, cst.SimpleStatementLine) or node is not around.body
            return around if is_head and sees_same(work, use, given) else None
        node = around
    return None


def _is_asked_at_once(work: NormalizationRound, attribute: cst.Attribute) -> bool:
    """Whether a method is called where it is named, or a field holds nothing that would look at the module later."""
    call = work.index.parents[attribute]
    if isinstance(call, cst.Call) and call.func is attribute:
        return True
    return work.values(attribute).kind in (Kind.TENSOR, Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR)


def sees_same(work: NormalizationRound, use: cst.Name, given: cst.Name) -> bool:
    """Whether the variable of the module means the same where an object is used."""
    bound = work.program.definitions.bound_once(given)
    function, home = work.program.function_around(use), work.program.function_around(bound.node) if bound else None
    while function is not home and function is not None:
        if given.value in function.env or given.value in function.parameter_names:
            return False
        function = function.outer
    return function is home


__all__ = ["normalize_looking_objects", "sees_same", "variable_of"]

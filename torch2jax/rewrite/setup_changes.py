"""What a module holds that is no part and no variable of it, where modules are definitions: `setup` makes it anew at each use.

self.meter = Meter()             setup: another meter whenever the module is used
self.meter.update(loss)          the next use would not know of it                       T2J612
net.options["scale"] *= 0.5                                                              T2J612
Net(weights); weights.append(1)  the module has a copy of a list or dict that it is given                  T2J612
self.table = table               an argument of the module, which stays the same object: changes are seen
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.module_state import init_methods, runs_only_at_init
from torch2jax.facts.object_changes import object_changes
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_COPIED = (Kind.LIST, Kind.DICT)
_OTHERWISE = (Kind.MODULE, Kind.TENSOR, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.PARAMETERS, Kind.TORCH, Kind.GENERATOR)
_MADE = (cst.Call, cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp)


def lost_changes(unit: Unit) -> Iterator[tuple[cst.CSTNode, cst.Attribute]]:
    """The places that change something which a module holds and makes anew, each with the field."""
    seen = set()
    for node, held in object_changes(unit.facts.values).every():
        field = _field(unit, held)
        if field is not None and node not in seen and not _is_being_made(unit, node) and _is_made_anew(unit, field):
            seen.add(node)
            yield node, field


def _field(unit: Unit, held: cst.BaseExpression) -> cst.Attribute | None:
    """The field of a module from which an object is reached, maybe through others and under a name of its own."""
    values = unit.facts.values
    while values(held).kind not in _OTHERWISE:
        if isinstance(held, cst.Attribute) and values(held.value).kind is Kind.MODULE:
            return held
        if isinstance(held, cst.Attribute | cst.Subscript):
            held = held.value
        elif isinstance(held, cst.Name):
            bound = unit.facts.program.definitions.only(held)
            if bound is None or not isinstance(bound.value, cst.Attribute | cst.Subscript):
                return None
            held = bound.value
        else:
            return None
    return None


def _is_being_made(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether code runs only while modules are made."""
    program, bound = unit.facts.program, unit.facts.effects.bound
    function: Function | None = program.function_around(node)
    while function is not None and function.outer is not None:
        function = function.outer
    is_maker = bound is not None and function in bound.inside and function is not None and function.owner is None
    return is_maker or runs_only_at_init(program, function)


def _is_made_anew(unit: Unit, field: cst.Attribute) -> bool:
    """Whether the `setup` of a module makes what a field holds, or a copy of what it is given."""
    values = unit.facts.values
    for item in unit.facts.effects.classes_of(values(field.value)):
        for method in init_methods(item):
            place = f"{method.self_name}.{field.attr.value}"
            for line in descendants(method.node.body, cst.Assign):
                if any(dotted(target.target) == place for target in line.targets):
                    makes = any(isinstance(part, _MADE) for part in (line.value, *descendants(line.value)))
                    if makes or values(line.value).kind in _COPIED:
                        return True
    return False


def unseen_changes(unit: Unit) -> Iterator[cst.CSTNode]:
    """The places that change a list or dict which a module has been given, and keeps a copy of."""
    program = unit.facts.program
    stores = [(node, _root(held)) for node, held in object_changes(unit.facts.values).every()]
    for call, given in _given(unit):
        variable = program.definitions.scopes.variable(given)
        for node, root in stores:
            is_same = (
                root is not None and variable is not None and program.definitions.scopes.variable(root) == variable
            )
            if is_same and _may_follow(unit, node, call):
                yield node


def _root(held: cst.BaseExpression) -> cst.Name | None:
    while isinstance(held, cst.Subscript):
        held = held.value
    return held if isinstance(held, cst.Name) else None


def _given(unit: Unit) -> Iterator[tuple[cst.Call, cst.Name]]:
    """The calls that make modules of the program, each with a list or dict that the module keeps."""
    values = unit.facts.values
    for call in unit.facts.program.index.calls:
        if values(call).kind is not Kind.MODULE or values(call.func).kind is not Kind.CLASS:
            continue
        for init in values.reached_by(call):
            kept = {
                line.value.value
                for line in descendants(init.node.body, cst.Assign)
                if isinstance(line.value, cst.Name) and isinstance(line.targets[0].target, cst.Attribute)
            }
            for name, given in arguments_by_parameter(init, call, values):
                if name in kept and isinstance(given, cst.Name) and values(given).kind in _COPIED:
                    yield call, given


def _may_follow(unit: Unit, node: cst.CSTNode, call: cst.Call) -> bool:
    """Whether something may run behind a call: it stands behind it, in a loop around it, or in another function."""
    index, program = unit.facts.program.index, unit.facts.program
    loops = [item for item in index.ancestors(call) if isinstance(item, (cst.For, cst.While))]
    is_apart = program.function_around(node) is not program.function_around(call)
    return is_apart or index.order[node] > index.order[call] or any(item in index.ancestors(node) for item in loops)


__all__ = ["lost_changes", "unseen_changes"]

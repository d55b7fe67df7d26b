"""Parts that a module gives to several others while it is made, where each of them would hold a copy, and those that come into one
module by way of several that are made of them.

norm = nn.LayerNorm(dim)
self.layers = nn.ModuleList([Block(dim, norm) for _ in range(4)])       # T2J604: one layer in torch, four in a tree of values

first, second = Head(base, 4), Head(base, 3)
model = nn.Sequential(first, second)                                    # T2J604: `base` is in both of them
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.copied_patterns import is_pattern
from torch2jax.facts.module_state import init_methods
from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.plan.sharing import kept_parts, makes_module, unmoved
from torch2jax.program.program import Class, Function, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind, Value, module_sites

_EMPTY = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Identity"})
_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_ANOTHER = "another element of its container"
_LOOPS = (cst.For, cst.While, cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)


def report_parts_of_several(unit: Unit, item: Class) -> None:
    """Report the parts that `__init__`, and what it calls, gives to several modules, or to one of each round of a loop."""
    for method in init_methods(item):
        held: dict[str, list[cst.BaseExpression]] = {}
        for node in _held_parts(unit, method) if method.owner is item else ():
            held.setdefault(str(dotted(node)), []).append(node)
        for place, nodes in held.items():
            first = nodes[0]
            again = [node for node in nodes[1:] if _is_same(unit, first, node)]
            is_field = place.startswith(f"{method.self_name}.")
            if _are_patterns(unit, nodes):
                continue
            if again or is_field or any(_is_given_each_time(unit, node, place) for node in nodes):
                unit.problem(again[0] if again else first, "T2J604", name=place, other="a part of another module")


def report_repeated_elements(unit: Unit) -> None:
    """Report modules that stand in one container several times: `[nn.Linear(4, 4)] * 3`, `nn.Sequential(fc, nn.Tanh(), fc)`."""
    values, index = unit.facts.values, unit.facts.program.index
    for node in index.every(cst.BinaryOperation, cst.AugAssign):
        element = next(_multiplied(unit, node), None)
        if element is not None and _is_for_container(unit, node):
            unit.problem(element, "T2J604", name=code(element), other=_ANOTHER)
    held: dict[tuple[Function | None, str], list[cst.BaseExpression]] = {}
    for node in index.every(cst.Call, cst.List, cst.ListComp):
        for element in _elements(unit, node):
            if isinstance(element, cst.Name) and _has_variables(unit, values(element), set()):
                held.setdefault((unit.facts.program.function_around(node), element.value), []).append(element)
    for (_, place), nodes in held.items():
        again = next((node for node in nodes[1:] if _is_same(unit, nodes[0], node)), None)
        again = again or next((node for node in nodes if _is_given_each_time(unit, node, place)), None)
        if again is not None and not _are_patterns(unit, nodes):
            unit.problem(again, "T2J604", name=place, other=_ANOTHER)


def _multiplied(unit: Unit, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The modules with variables in a list that becomes several times as long, or the list where they are not in sight."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            sides = [left, right]
        case cst.AugAssign(target=left, operator=cst.MultiplyAssign(), value=right):
            sides = [left, right]
        case _:
            return
    values = unit.facts.values
    if any(values(side).const == 1 for side in sides):
        return
    for side in sides:
        value = values(side)
        if isinstance(side, (cst.List, cst.Tuple)):
            yield from (item.value for item in side.elements if _has_variables(unit, values(item.value), set()))
        elif value.is_a(Kind.LIST, Kind.TUPLE) and any(_has_variables(unit, part, set()) for part in value.parts):
            yield side
        elif isinstance(node, cst.AugAssign) and isinstance(side, cst.Name) and value.kind is Kind.UNKNOWN:
            program = unit.facts.program
            bound = program.assigned_in(program.function_around(node), side.value)
            lists = [item.value for item in bound if isinstance(item, cst.Assign) and isinstance(item.value, cst.List)]
            made = [item.value for held in lists for item in held.elements]
            yield from (item for item in made if _has_variables(unit, values(item), set()))


def _elements(unit: Unit, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What is put into a container of modules, or into a list that one is made of."""
    values = unit.facts.values
    match node:
        case cst.Call(func=function) if values.torch_name(function) in _CONTAINERS:
            yield from (item.value for item in node.args if not item.star)
        case cst.Call(func=cst.Attribute(value=holder, attr=cst.Name("append" | "insert" | "add_module"))) if node.args:
            is_list = isinstance(holder, cst.Name) and _makes_container(unit, node, holder.value)
            if values(holder).kind is Kind.MODULE or is_list:
                yield node.args[-1].value
        case cst.List(elements=elements) if _is_for_container(unit, node):
            yield from (item.value for item in elements)
        case cst.ListComp(elt=element) if _is_for_container(unit, node):
            yield element


def _is_for_container(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a container of modules is made of a list, or gets its elements."""
    above = unit.facts.program.index.parents.get(node)
    if isinstance(node, cst.AugAssign):
        return isinstance(node.target, cst.Name) and _makes_container(unit, node, node.target.value)
    match above:
        case cst.Arg():
            call = unit.facts.program.index.parents[above]
            return isinstance(call, cst.Call) and _fills_container(unit, call)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]) | cst.AugAssign(target=cst.Name(name)):
            return _makes_container(unit, node, name)
        case cst.BinaryOperation(operator=cst.Add()):
            return _is_for_container(unit, above)
    return False


def _makes_container(unit: Unit, node: cst.CSTNode, name: str) -> bool:
    """Whether a container is made of what a variable of the function around a node holds."""
    program = unit.facts.program
    around = program.function_around(node)
    return any(
        _fills_container(unit, call) and any(dotted(item.value) == name for item in call.args)
        for call in program.index.calls
        if program.function_around(call) is around
    )


def _fills_container(unit: Unit, call: cst.Call) -> bool:
    is_filled = isinstance(call.func, cst.Attribute) and call.func.attr.value == "extend"
    holder = call.func.value if isinstance(call.func, cst.Attribute) else call
    values = unit.facts.values
    return values.torch_name(call.func) in _CONTAINERS or (is_filled and values(holder).kind is Kind.MODULE)


def report_parts_on_several_ways(unit: Unit) -> None:
    """Report the modules that are made of one part by way of several others, outside of classes of modules."""
    for call, _ in _made_outside(unit):
        seen: set[str] = set()
        for name in _given_names(unit, call):
            held = dict.fromkeys(_made_of(unit, name, frozenset()))
            again = next((place for place in held if place in seen), None)
            if again is not None:
                unit.problem(call, "T2J604", name=again, other="a part of another module")
                break
            seen.update(held)


def report_parts_of_trained_models(unit: Unit) -> None:
    """Report modules that two models are made of which one step trains with optimizers of their own, where modules are objects:
    the gradients of such a part are those of the first model alone.
    """
    together = any(len(step.models) > 1 and len(step.updates) > 1 for step in unit.facts.steps)
    if unit.facts.target.immutable or not together:
        return
    seen: dict[tuple[Function | None, str], cst.Call] = {}
    for call, function in _made_outside(unit):
        for place in dict.fromkeys(
            held for name in _given_names(unit, call) for held in _made_of(unit, name, frozenset())
        ):
            if seen.setdefault((function, place), call) is not call:
                unit.problem(call, "T2J604", name=place, other="a part of another module")
                return


def _made_outside(unit: Unit) -> Iterator[tuple[cst.Call, Function | None]]:
    """The calls that make modules outside of classes of modules, each with the function around it."""
    program = unit.facts.program
    for call in program.index.calls:
        if unit.facts.values(call).kind is Kind.MODULE and makes_module(unit.facts, call):
            function = program.function_around(call)
            if function is None or function.owner is None or not function.owner.is_module:
                yield call, function


def _given_names(unit: Unit, call: cst.Call) -> Iterator[cst.Name]:
    """The variables with modules that a new one is made of and keeps."""
    yield from (part for part in kept_parts(unit.facts, call) if isinstance(part, cst.Name))


def _made_of(unit: Unit, name: cst.Name, around: frozenset[str]) -> Iterator[str]:
    """The variables, each bound once, whose modules with variables are that of a name, or parts of it."""
    found = [item.value for item in unit.facts.program.definitions.every_of_name(name)]
    bound = [unmoved(value) for value in found if value is not None]
    made = [node for node in bound if not (isinstance(node, cst.Name) and node.value == name.value)]
    if len(bound) < len(found) or len(made) != 1 or name.value in around:
        return
    match made[0]:
        case cst.Name() as other:
            yield from _made_of(unit, other, around | {name.value})
        case cst.Call() as call if makes_module(unit.facts, call):
            if _has_variables(unit, unit.facts.values(call), set()):
                yield name.value
            for inner in _given_names(unit, call):
                yield from _made_of(unit, inner, around | {name.value})


def _held_parts(unit: Unit, method: Function) -> Iterator[cst.BaseExpression]:
    """Where a method gives a module in a variable or field, which has parameters of its own, to a new one that keeps it."""
    values, index = unit.facts.values, unit.facts.program.index
    for call in [node for node in descendants(method.node.body) if isinstance(node, cst.Call)]:
        made = values(call)
        if made.kind is not Kind.MODULE or not makes_module(unit.facts, call):
            continue
        for argument in call.args:
            node, given = argument.value, values(argument.value)
            is_place = isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) is not None
            if is_place and _has_variables(unit, given, set()) and _keeps(unit, made, given):
                yield node
    for assignment in index.every(cst.Assign):
        if index.function_of(assignment) is method.node and isinstance(assignment.value, cst.Name):
            is_kept = any(isinstance(target.target, cst.Attribute) for target in assignment.targets)
            if is_kept and _has_variables(unit, values(assignment.value), set()):
                yield assignment.value


def _are_patterns(unit: Unit, nodes: Sequence[cst.BaseExpression]) -> bool:
    """Whether a part in a variable is only given to modules each of which is only copied, with the part."""
    program = unit.facts.program
    name = nodes[0]
    definition = program.definitions.bound_once(name) if isinstance(name, cst.Name) else None
    if definition is None or not set(program.definitions.uses(definition)) <= set(nodes):
        return False
    around = [program.index.parents[program.index.parents[node]] for node in nodes]
    return all(isinstance(call, cst.Call) and is_pattern(program, unit.facts.values, call) for call in around)


def _keeps(unit: Unit, made: Value, given: Value) -> bool:
    """Whether a module that is given another one has it as a part."""
    classes = [unit.facts.program.class_by_key.get(name) for name in made.types]
    fields = [value for item in classes if item is not None for _, value in item.all_fields()]
    return any(not module_sites(value).isdisjoint(given.sites) for value in fields)


def _has_variables(unit: Unit, value: Value, seen: set[str]) -> bool:
    """Whether a module has parameters, or state: two copies of others are the same."""
    if value.kind is not Kind.MODULE or is_plain_layer(unit.facts.tables, value):
        return False
    if unit.facts.effects.is_stateful(value):
        return True
    held = list(unit.facts.effects.members(value))
    for name in value.types - seen:
        seen.add(name)
        item = unit.facts.program.class_by_key.get(name)
        if item is None and name not in _EMPTY:
            return True
        held += [field for _, field in item.all_fields()] if item is not None else []
    parts = [part for field in held for part in (field, *field.parts)]
    return any("parameter" in part.types or _has_variables(unit, part, seen) for part in parts)


def _is_same(unit: Unit, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether one module is given in both places, of which no run takes only one."""
    values, index = unit.facts.values, unit.facts.program.index
    return not values(one).sites.isdisjoint(values(other).sites) and not index.are_exclusive(one, other)


def _is_given_each_time(unit: Unit, node: cst.BaseExpression, place: str) -> bool:
    """Whether a loop gives what was made before it."""
    inner: cst.CSTNode = node
    for around in unit.facts.program.index.ancestors(node):
        if isinstance(around, cst.FunctionDef):
            return False
        is_source = inner in (getattr(around, "iter", None), getattr(around, "for_in", None))
        if isinstance(around, _LOOPS) and not is_source and place not in _bound_in(around):
            return True
        inner = around
    return False


def _bound_in(loop: cst.CSTNode) -> set[str]:
    """The places that are given something in each round of a loop."""
    targets = [
        node.target
        for node in descendants(loop)
        if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.CompFor))
    ]
    targets += [loop.target] if isinstance(loop, cst.For) else []
    return {name for target in targets for name in (*bound_names(target), str(dotted(target)))}


__all__ = [
    "report_parts_of_several",
    "report_parts_of_trained_models",
    "report_parts_on_several_ways",
    "report_repeated_elements",
]

"""Functions under `torch.compile` are compiled in JAX, too, where tracing them once says all that they do.

@torch.compile          ->   @eqx.filter_jit
def gelu(x): ...             def gelu(x): ...
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.compiled import compiler, find_obstacle
from torch2jax.facts.key_order import holds_dict, is_seen_outside, looks_at_order
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import always
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import UNKNOWN, Kind

_FIXED = frozenset(
    {Kind.FUNCTION, Kind.CLASS, Kind.TORCH, Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.DTYPE, Kind.DEVICE,
     Kind.PYTHON, Kind.TENSOR}
)  # fmt: skip
OBJECT = UNKNOWN.but(kind=Kind.OBJECT)


def compile_function(unit: Unit, decorator: cst.Decorator, function: Function) -> bool:
    """Put the target's decorator in the place of `@torch.compile`; False if the function stays uncompiled."""
    if compiler(function, unit.facts.values) is not decorator or _is_switched_off(decorator):
        return False
    if any(step.function is function for step in unit.facts.steps):
        return False  # its steps are compiled
    reason = _objection(unit, function)
    if reason is not None:
        unit.problems.append(Problem(decorator, "T2J505", {"function": function.name, "reason": reason}))
        return False
    text = unit.spell(unit.facts.target.decorator_keeping_inputs.removeprefix("@"))
    unit.settle(decorator)
    unit.edits.replace(decorator.decorator, always(quote(text)))
    return True


def _is_switched_off(decorator: cst.Decorator) -> bool:
    node = decorator.decorator
    return isinstance(node, cst.Call) and any(
        item.keyword is not None and item.keyword.value == "disable" and dotted(item.value) != "False"
        for item in node.args
    )


def _objection(unit: Unit, function: Function) -> str | None:
    """Why a function cannot be compiled: tracing would fail, or compiled code would not see or do something."""
    values = unit.facts.values
    if function.owner is not None and not (function.owner.is_module and function.self_name is not None):
        return "its object is no tree of arrays"
    node = function.node
    if node.asynchronous is not None or any(isinstance(item, cst.Yield) for item in descendants(node.body)):
        return "it is a generator or a coroutine"
    obstacle = find_obstacle([node.body], values)
    if obstacle is not None:
        return obstacle
    returned = (item.value for item in own_nodes(node) if isinstance(item, cst.Return) and item.value is not None)
    gives_dict = any(holds_dict(values(item)) for item in returned)
    if looks_at_order([node.body], values) or (gives_dict and is_seen_outside([node.body], values)):
        return "JAX would sort the keys of the dicts that it is given or gives"
    if unit.facts.target.compiles_arrays and not all(
        unit.facts.values(param.name).kind in (Kind.TENSOR, Kind.MODULE) for param in function.parameters
    ):
        return "some of its arguments may be no arrays"
    for item in (function, *reached([node.body], values)):
        plan = unit.plan.of(item)
        if plan.outer_names or plan.enclosing_names:
            return "it changes objects that others see"
        changed = next(_changing_names(unit, item, function), None)
        if changed is not None:
            return f"`{changed}` may hold something else in its next call"
    return None


def _changing_names(unit: Unit, function: Function, compiled: Function) -> Iterator[str]:
    """Variables from around compiled code that may hold something else, or something changed, when it is called again."""
    for name in free_variables(function.node):
        owner = _owner(function, name)
        if owner is not None and _is_inside(owner, compiled):
            continue
        env = owner.env if owner is not None else unit.facts.program.module_env
        value = env.get(name, OBJECT if owner is not None else UNKNOWN)
        if value.kind is Kind.UNKNOWN:
            continue  # a builtin, or something imported
        if value.kind not in _FIXED or _count_stores(unit, name, owner) > 1:
            yield name


def _owner(function: Function, name: str) -> Function | None:
    """The function around another to which a variable belongs; None: the module."""
    outer = function.outer
    while outer is not None and name not in outer.env and name not in outer.parameter_names:
        outer = outer.outer
    return outer


def _is_inside(function: Function | None, other: Function) -> bool:
    while function is not None and function is not other:
        function = function.outer
    return function is other


def _count_stores(unit: Unit, name: str, owner: Function | None) -> int:
    """How often a variable is bound; what changes its value in place counts as more."""
    index, program = unit.facts.program.index, unit.facts.program
    stores = 0
    for node in index.names:
        if node.value != name:
            continue
        function = program.function_around(node)
        if function is not owner and function is not None and _is_local(function, name):
            continue
        parent = index.parents[node]
        grand = index.parents.get(parent)
        if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For)):
            stores += getattr(parent, "target", node) is node
        elif isinstance(parent, (cst.Subscript, cst.Attribute)) and isinstance(
            grand, (cst.AssignTarget, cst.AugAssign)
        ):
            stores += 2 if getattr(grand, "target", None) is parent else 0
        elif isinstance(parent, cst.Attribute) and parent.value is node:
            stores += 2 * is_inplace_name(parent.attr.value)
        elif isinstance(parent, cst.NameItem):
            stores += 2
    return stores


def _is_local(function: Function, name: str) -> bool:
    """Whether a name is a variable of a function's own."""
    if name in function.parameter_names:
        return True
    declared = {
        item.name.value
        for node in descendants(function.node.body)
        if isinstance(node, (cst.Global, cst.Nonlocal))
        for item in node.names
    }
    return name in function.env and name not in declared


__all__ = ["compile_function"]

"""Parameters that no forward pass reads: their gradient is None in torch, whose optimizers then leave them alone, and zero in
JAX, where weight decay shrinks them all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.analysis.differentiated import find_differentiated
from torch2jax.analysis.program import Class
from torch2jax.plan.model import Facts, Plan
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_DECAYING = {"torch.optim.AdamW"}  # by default
_DYNAMIC = {"children", "named_children", "__dict__"}  # a forward pass may reach fields through these
_NAMED = {"getattr", "vars"}


def check_unused_parameters(facts: Facts, plan: Plan) -> None:
    """Report fields with parameters that nothing reads, in a program that trains with weight decay."""
    if not facts.steps or not any(_decays(facts, call) for call in facts.program.index.calls):
        return
    index = facts.program.index
    below = find_differentiated(facts.program, facts.steps)
    read = {
        attribute.attr.value
        for attribute in index.attributes
        if not _is_target(facts, attribute)
        and (_is_in_method(facts, attribute) or below.holds(facts.program, attribute))
    }
    if read & _DYNAMIC or any(name.value in _NAMED for name in index.names):
        return
    for item in facts.program.classes.values():
        if not item.is_module:
            continue
        for name, node in _parameter_fields(facts, item):
            if name not in read:
                plan.problem(node, "T2J506", name=name)


def _decays(facts: Facts, call: cst.Call) -> bool:
    """Whether a call makes an optimizer that shrinks weights, or may do so."""
    name = facts.values.torch_name(call.func)
    if name is None or not name.startswith("torch.optim.") or facts.values(call).kind is not Kind.OPTIMIZER:
        return False
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == "weight_decay":
            return facts.values(argument.value).const not in (0, 0.0)
    return name in _DECAYING


def _is_target(facts: Facts, attribute: cst.Attribute) -> bool:
    """Whether an attribute is only given a value here."""
    return isinstance(facts.program.index.parents.get(attribute), cst.AssignTarget)


def _is_in_method(facts: Facts, attribute: cst.Attribute) -> bool:
    function = facts.program.function_around(attribute)
    return function is not None and function.owner is not None


def _parameter_fields(facts: Facts, item: Class) -> Iterator[tuple[str, cst.CSTNode]]:
    init = item.methods.get("__init__")
    for node in descendants(init.node.body) if init is not None else ():
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(value=owner)) as place)]):
                if init is not None and owner == init.self_name and _has_parameters(facts, facts.values(node.value)):
                    yield place.attr.value, place


def _has_parameters(facts: Facts, value: Value) -> bool:
    if value.kind is Kind.TENSOR:
        return "parameter" in value.types
    if value.kind is not Kind.MODULE:
        return False
    for name in value.types:
        row = facts.tables.layers.get(name)
        if row is not None and (facts.target.draws_at_init(row) or "Norm" in name):
            return True
        item = facts.program.class_by_key.get(name)
        if item is not None and any(_has_parameters(facts, field) for _, field in item.all_fields()):
            return True
    return any(_has_parameters(facts, member) for member in value.items or ())

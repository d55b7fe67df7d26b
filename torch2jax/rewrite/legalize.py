"""What the passes have left: torch names without a decision, assumptions, and types that become narrower."""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.moves import default_set
from torch2jax.program.program import Function, imported_module
from torch2jax.program.torch_packages import needs_torch
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.problem import Problem
from torch2jax.values import Kind


def legalize(unit: Unit) -> None:
    """Every torch name must have been decided; this check trusts no pass."""
    index, values = unit.facts.program.index, unit.facts.values
    for node in (*index.attributes, *index.names):
        name = values.torch_name(node)
        if name is None or node in unit.settled or node in unit.edits.nodes:
            continue
        parent = index.parents.get(node)
        if isinstance(parent, cst.Attribute) and values.torch_name(parent) is not None:
            continue
        if any(
            isinstance(item, (cst.Import, cst.ImportFrom)) or item in unit.edits.nodes or item in unit.settled
            for item in index.ancestors(node)
        ):
            continue
        if isinstance(parent, (cst.AssignTarget, cst.Param)) or (
            isinstance(parent, cst.Arg) and parent.keyword is node
        ):
            continue
        unit.problem(node, "T2J200", name=name)


def note_assumptions(unit: Unit) -> None:
    """Say which names were taken for tensors by their use, and which imports of files out of sight could hide anything."""
    for function in unit.facts.program.functions.values():
        for param in function.parameters:
            if unit.facts.values(param.name).kind is Kind.TENSOR and _is_assumed(function, param):
                unit.problems.append(Problem(param, "T2J101", {"name": param.name.value}))
    for node in unit.facts.program.index.imports:
        if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar):
            module = imported_module(node)[0]
            if not needs_torch(module) and unit.facts.program.module_asked(module) is None:
                unit.problems.append(Problem(node, "T2J004", {"module": module}))


def _is_assumed(function: Function, param: cst.Param) -> bool:
    name = param.name.value
    known = param.annotation is not None or name in function.seen
    return not known and name in function.evidence and function.name != "forward"


_WIDE = {"torch.long": "int64", "torch.int64": "int64", "torch.double": "float64", "torch.float64": "float64"}


_WIDE_METHODS = {"long": "int64", "double": "float64"}


def note_wide_types(unit: Unit) -> None:
    """Say once per file what 64-bit types become."""
    values = unit.facts.values
    for node in unit.facts.program.index.attributes:
        wide = _WIDE.get(values.torch_name(node) or "")
        owner = values(node.value)
        is_own = any(item.method(node.attr.value) for item in unit.facts.effects.classes_of(owner))
        if wide is None and owner.kind in (Kind.TENSOR, Kind.MODULE) and not is_own:
            wide = _WIDE_METHODS.get(node.attr.value)
        if wide is not None:
            unit.problems.append(Problem(node, "T2J100", {"dtype": wide}))
            return
    for call in unit.facts.program.index.calls:
        if default_set(call, values.torch_name(call.func), values) == "float64":
            unit.problems.append(Problem(call, "T2J100", {"dtype": "float64"}))
            return

"""Modules that `__init__` is given, puts into a field and changes behind that: they are changed where they are kept.

def __init__(self, backbone):               def __init__(self, backbone):
    self.backbone = backbone           ->       self.backbone = backbone
    backbone.fc = nn.Identity()                 self.backbone.fc = nn.Identity()

In torch both are the same object. The argument and the field get no other value. Where a caller speaks of what it has given
once more, it is reported: it would see the module without the changes.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_INNER = (cst.FunctionDef, cst.Lambda)


def normalize_kept_arguments(work: NormalizationRound) -> None:
    """Speak of such modules by their fields, where modules are values."""
    if work.effects is None or not work.effects.threads:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as field)], value=cst.Name() as given)]:
                if _is_kept(work, line, field, given):
                    _normalize(work, line, field, given)


def _is_kept(work: NormalizationRound, line: cst.SimpleStatementLine, field: cst.Attribute, given: cst.Name) -> bool:
    """Whether a line of `__init__` puts an argument, which may be a module, into a field of the new module."""
    function = work.program.function_around(line)
    if function is None or function.name != "__init__" or function.owner is None or not function.owner.is_module:
        return False
    is_own = dotted(field.value) == function.self_name and work.index.parents[line] is function.node.body
    definition = work.program.definitions.bound_once(given)
    is_argument = definition is not None and definition.how is How.PARAMETER
    return is_own and is_argument and work.values(given).kind is Kind.MODULE


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, field: cst.Attribute, given: cst.Name) -> None:
    block = work.index.parents[line]
    assert isinstance(block, cst.IndentedBlock)
    below = [node for item in block.body[block.body.index(line) + 1 :] for node in (item, *descendants(item))]
    definition = work.program.definitions.bound_once(given)
    assert definition is not None
    inside = set(below)
    uses = [use for use in work.program.definitions.uses(definition) if use in inside]
    function = work.index.function_of(line)
    is_given_again = any(
        isinstance(node, cst.AssignTarget) and dotted(node.target) == dotted(field) for node in below
    ) or any(isinstance(work.index.parents[use], (cst.Assign, cst.AnnAssign)) for use in uses)
    is_elsewhere = any(isinstance(item, _INNER) and item is not function for use in uses for item in _around(work, use))
    if is_given_again or is_elsewhere or not any(_acts(work, use) for use in uses):
        return
    owner = work.program.function_around(line)
    assert owner is not None
    if any(_is_named_again(work, owner, call, given.value) for call in owner.callers if isinstance(call, cst.Call)):
        fields = {"name": code(field), "other": given.value}
        work.problems.append(Problem(line, "T2J303", fields))
        return
    for use in uses:
        work.edits.replace(use, always(field.deep_clone()))


def _is_named_again(work: NormalizationRound, init: Function, call: cst.Call, name: str) -> bool:
    """Whether the code around a call speaks again of what it gives for an argument."""
    home = work.program.home(call)
    for parameter, argument in arguments_by_parameter(init, call, work.values):
        if parameter != name or isinstance(argument, cst.Call):
            continue
        if not isinstance(argument, cst.Name):
            return True
        loops = [item for item in home.index.ancestors(call) if isinstance(item, (cst.For, cst.While))]
        behind = set(home.index.nodes[home.index.nodes.index(call) :]) - {call, *descendants(call)}
        again = behind.union(*(descendants(loop) for loop in loops)) - {argument}
        uses = [use for item in home.definitions.of(argument) for use in home.definitions.uses(item)]
        if not uses or not again.isdisjoint(uses):
            return True
    return False


def _around(work: NormalizationRound, use: cst.Name) -> list[cst.CSTNode]:
    """What is around a use, up to the class of the method."""
    found: list[cst.CSTNode] = []
    for item in work.index.ancestors(use):
        if isinstance(item, cst.ClassDef):
            break
        found.append(item)
    return found


def _acts(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a module may be changed where it is named: by a store into it, a call that stands alone, a loop over its parts."""
    node: cst.CSTNode = use
    for parent in work.index.ancestors(use):
        match parent:
            case cst.AssignTarget() | cst.AugAssign() | cst.Expr():
                return True
            case cst.For():
                return node is parent.iter
            case cst.BaseStatement() | cst.BaseSmallStatement():
                return False
        node = parent
    return False


__all__ = ["normalize_kept_arguments"]

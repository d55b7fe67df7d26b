"""Module lists outside of modules that are used as lists only, where optimizers train their members one by one: they are lists.

class Agent:                                                    class Agent:
    def __init__(self, n):                                          def __init__(self, n):
        self.nets = nn.ModuleList([Net() for _ in range(n)])   ->       self.nets = [Net() for _ in range(n)]

Nobody asks such a list for its parameters, its mode or its state: it is gone through, or asked for an element or its length.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.listed_optimizers import ListPlace, list_place, trained_lists
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import always
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LIST = "torch.nn.ModuleList"
_GOING_THROUGH = frozenset({"enumerate", "len", "reversed", "zip"})


def normalize_plain_module_lists(work: NormalizationRound) -> None:
    """Normalize all such lists of a file, those of targets that loops go through beside them included."""
    trained = set(trained_lists(work.program, work.values).values())
    if not trained or work.effects is None:
        return
    chosen = trained | set(_beside(work, trained))
    for assign in work.index.every(cst.Assign):
        match assign:
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Name() | cst.Attribute() as target)], value=cst.Call() as call
            ) if work.values.torch_name(call.func) == _LIST and _is_outside(work, target):
                if list_place(work.program, target) not in chosen or _is_stateful(work, target):
                    continue
                made, uses = _listed(call), list(_uses(work, target))
                if made is not None and len(uses) > 1 and all(_is_used_as_list(work, node) for node in uses):
                    work.edits.replace(call, always(work.copy(made)))


def _beside(work: NormalizationRound, trained: set[ListPlace]) -> Iterator[ListPlace]:
    """The lists that loops go through beside others."""
    for loop in work.index.every(cst.For):
        match loop:
            case cst.For(iter=cst.Call(func=cst.Name("zip"), args=args)):
                found = [list_place(work.program, item.value) for item in args]
                if not trained.isdisjoint(found):
                    yield from (place for place in found if place is not None)


def _is_stateful(work: NormalizationRound, target: cst.BaseExpression) -> bool:
    """Whether calls of a member change its state."""
    assert work.effects is not None
    return work.effects.is_stateful(work.values(target))


def _listed(call: cst.Call) -> cst.BaseExpression | None:
    """The list of `nn.ModuleList([a, b])`."""
    match call.args:
        case []:
            return cst.List([])
        case [cst.Arg(value=cst.List() | cst.ListComp() as made, keyword=None, star="")]:
            return made
    return None


def _is_outside(work: NormalizationRound, target: cst.BaseExpression) -> bool:
    """Whether a place is a variable of code outside of modules, or a field of an object that is none."""
    function = work.program.function_around(target)
    if isinstance(target, cst.Attribute):
        is_own = function is not None and dotted(target) == f"{function.self_name}.{target.attr.value}"
        return is_own and _is_plain(function) and target.attr.value not in work.program.read_elsewhere
    others = [item for item in work.program.files if item is not work.program]
    is_known = function is None and any(item.mentions(str(dotted(target))) for item in others)
    return (function is None or function.owner is None or _is_plain(function)) and not is_known


def _is_plain(function: Function | None) -> bool:
    return function is not None and function.owner is not None and not function.owner.is_module


def _uses(work: NormalizationRound, target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(target, cst.Attribute):
        yield from (node for node in work.index.attributes if node.attr.value == target.attr.value)
    elif isinstance(target, cst.Name):
        variable = work.program.definitions.scopes.variable(target)
        for name in work.index.names:
            if name.value == target.value and not work.index.is_label(name):
                if work.program.definitions.scopes.variable(name) == variable:
                    yield name


def _takes_list(
    work: NormalizationRound, function: Function, call: cst.Call, given: cst.BaseExpression, depth: int
) -> bool:
    """Whether a function of the file uses what a call gives it as a list."""
    names = [name for name, node in arguments_by_parameter(function, call, work.values) if node is given]
    uses = [
        node
        for node in descendants(function.node.body, cst.Name)
        if node.value in names and not work.index.is_label(node)
    ]
    is_own = function.node in work.program.functions and len(names) == 1
    return is_own and all(_is_used_as_list(work, node, depth) for node in uses)


def _is_used_as_list(work: NormalizationRound, node: cst.BaseExpression, depth: int = 2) -> bool:
    """Whether a place is bound to a module list, or read as lists are."""
    parent = work.index.parents[node]
    around = work.index.parents.get(parent)
    match parent, around:
        case cst.AssignTarget(), cst.Assign(value=cst.Call() as call):
            return work.values.torch_name(call.func) == _LIST and _listed(call) is not None
        case cst.For() | cst.CompFor(), _:
            return parent.iter is node
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]), _:
            asked = around.attr.value if isinstance(around, cst.Attribute) else ""
            is_given = asked == "parameters" and isinstance(
                index, cst.Integer
            )  # to one optimizer, of a part of the whole
            return value is node and work.values(parent).kind is Kind.MODULE and not is_given
        case cst.Arg(), cst.Call(func=function) as call:
            callees = work.values.callees.get(call, ())
            if not callees:
                return dotted(function) in _GOING_THROUGH
            return depth > 0 and all(_takes_list(work, item, call, node, depth - 1) for item in callees)
        case cst.Attribute(attr=cst.Name("append")), cst.Call(args=[_]) as call:
            return isinstance(work.index.parents[call], cst.Expr)
    return False


__all__ = ["normalize_plain_module_lists"]

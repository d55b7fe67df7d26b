"""Optimizers of one part of a model of which all else is frozen for good: they have the model, of which they train that part.

for p in model.parameters():                     for p in model.parameters():
    p.requires_grad = False                          p.requires_grad = False
model.fc = nn.Linear(512, 2)                ->   model.fc = nn.Linear(512, 2)
opt = optim.SGD(model.fc.parameters(), 0.1)      opt = optim.SGD(model.parameters(), 0.1)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from torch2jax.facts.flag_statements import flag_statements
from torch2jax.facts.parameters import given_parameters, makes_optimizer
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_ASKING = ("param_groups", "add_param_group")  # what shows which parameters an optimizer has
_NAMES = ("requires_grad", "requires_grad_")


def normalize_trained_heads(work: NormalizationRound) -> None:
    """Normalize all such optimizers of a file."""
    if not any(map(work.program.mentions, _NAMES)) or any(map(work.program.mentions, _ASKING)):
        return
    for call in work.index.calls:
        given = given_parameters(call) if makes_optimizer(call, work.values) else None
        match given:
            case cst.Call(func=cst.Attribute(value=cst.Attribute() as part, attr=cst.Name("parameters")), args=[]):
                name = _root(part)
                if name is not None and _trains_alone(work, call, name, str(dotted(part))):
                    work.edits.replace(part, always(cst.Name(name.value)))


def _root(part: cst.BaseExpression) -> cst.Name | None:
    """The variable that a path of fields begins with."""
    while isinstance(part, cst.Attribute):
        part = part.value
    return part if isinstance(part, cst.Name) else None


def _trains_alone(work: NormalizationRound, call: cst.Call, name: cst.Name, part: str) -> bool:
    """Whether nothing of a model but one part is trained from where an optimizer of that part is made."""
    model, line = work.values(name), work.index.statement_of(call)
    if model.kind is not Kind.MODULE or not model.sites or _is_saved(work, call):
        return False
    block = work.index.parents.get(line)
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return False
    above = list(takewhile(lambda item: item is not line, block.body))
    flags = {node: (module, value, text) for node, module, value, text, _ in flag_statements(work.program, work.values)}
    frozen = [
        item
        for item in above
        if item in flags and dotted(flags[item][0]) == name.value and flags[item][1:] == (False, None)
    ]
    if not frozen or _set_elsewhere(work, name, frozen[-1], above[above.index(frozen[-1]) + 1 :], part):
        return False
    mine = {node for node, found in flags.items() if node in frozen or _is_of_another(work, found[0], model.sites)}
    return all(any(node in (item, *descendants(item)) for item in mine) for node in _flags(work))


def _is_of_another(work: NormalizationRound, module: cst.BaseExpression, sites: frozenset[int]) -> bool:
    """Whether a module is part of a model that is made elsewhere than at some places."""
    root = _root(module)
    found = work.values(root).sites if root is not None else frozenset[int]()
    return bool(found) and not found & sites


def _flags(work: NormalizationRound) -> Iterator[cst.Attribute]:
    """What gives parameters their flags, or may."""
    for node in work.index.attributes:
        parent = work.index.parents[node]
        is_call = isinstance(parent, cst.Call) and parent.func is node
        if (node.attr.value == "requires_grad_" and is_call) or (
            node.attr.value == "requires_grad" and isinstance(parent, cst.AssignTarget)
        ):
            yield node


def _set_elsewhere(
    work: NormalizationRound, name: cst.Name, frozen: cst.CSTNode, between: list[cst.BaseStatement], part: str
) -> bool:
    """Whether the model may be another one, or get parts that are trained, but for the part between two lines of a block."""
    sites = work.values(name).sites
    for target in work.index.every(cst.AssignTarget):
        assert isinstance(target, cst.AssignTarget)
        place: cst.CSTNode = target.target
        while isinstance(place, cst.Subscript):
            place = place.value
        if not isinstance(place, cst.Attribute) or not work.values(place.value).is_a(Kind.MODULE, Kind.UNKNOWN):
            continue
        holder, function = work.values(place.value), work.program.function_around(target)
        if function is not None and function.name == "__init__" and dotted(place.value) == function.self_name:
            continue
        is_within = dotted(place) == part and work.index.statement_of(target) in between
        root = _root(place)
        is_part = root is not None and bool(work.values(root).sites & sites)
        if not is_within and (is_part or holder.kind is Kind.UNKNOWN or not holder.sites or holder.sites & sites):
            return True
    calls = {
        item.attr.value for item in work.index.attributes if item.attr.value in ("add_module", "register_parameter")
    }
    bound = work.program.definitions.of(name)
    return bool(calls) or any(not _is_moved(item.value, name.value) for item in bound if item.node in _inside(between))


def _inside(lines: list[cst.BaseStatement]) -> set[cst.CSTNode]:
    return {node for line in lines for node in descendants(line)}


def _is_moved(node: cst.BaseExpression | None, name: str) -> bool:
    """`model.to(device)`."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Name(base), attr=cst.Name("to" | "cuda" | "cpu"))):
            return base == name
    return False


def _is_saved(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether the state of an optimizer is looked at, which says what it has."""
    keys = work.values(call).types
    asked = (node for node in work.index.attributes if node.attr.value in ("state_dict", "load_state_dict", "state"))
    found = (work.values(node.value) for node in asked)
    return any(item.kind is Kind.OPTIMIZER and (not item.types or item.types & keys) for item in found)


__all__ = ["normalize_trained_heads"]

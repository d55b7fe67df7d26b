"""Functions that change the parameters that they are given, normalized to their statements where they are called.

def update(targets, sources, rate):                     for t, s in zip(ema.parameters(), net.parameters()):
    for t, s in zip(targets, sources):                      t.detach().mul_(0.9).add_(s, alpha=1 - 0.9)
        t.detach().mul_(rate).add_(s, alpha=1 - rate)
                                                  ->
update(ema.parameters(), net.parameters(), 0.9)

Arrays that a function is given without their module have no place that they could be put back into, and neither have layers that it
is given in a list: `initialize([self.fc1, self.fc2])`.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.changed_parts import changes_part
from torch2jax.facts.gradient_reads import LEFT_TO_CALLERS, OPEN_TO_CALLERS
from torch2jax.facts.parameter_loops import changes_tensor, root_of_tensor
from torch2jax.normalize.given_constants import in_its_context, write_out_as_given
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import drop_unused, has_one_ending, is_listed, is_row, listed_in, uses_of
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value


def normalize_changed_parameters(work: NormalizationRound) -> None:
    """Normalize one call of such functions in each function around, and leave those that only other files call to them."""
    for function in list(work.program.functions.values()):
        names = _changed(work, function) if function.outer is None else frozenset()
        if names:
            _write_out(work, function, names)


def _changed(work: NormalizationRound, function: Function) -> frozenset[str]:
    """The parameters of a function whose members its loops change."""
    found = set[str]()
    for loop in descendants(function.node.body, cst.For):
        for name, member in _columns(loop):
            variable = member.value
            if name not in function.parameter_names:
                continue
            if changes_tensor(loop.body, variable, work.values) or _is_sent(work, loop, variable):
                found.add(name)
            elif work.values(member).kind in (Kind.MODULE, Kind.UNKNOWN):
                found |= {name} if changes_part(work.program, work.values, loop.body, variable) else set()
    return frozenset(found)


def _is_sent(work: NormalizationRound, loop: cst.For, variable: str) -> bool:
    """Whether a loop gives processes the same values for a tensor: `dist.broadcast(p, 0)`."""
    return any(
        (work.values.torch_name(call.func) or "").startswith("torch.distributed.")
        and any(root_of_tensor(item.value) == variable for item in call.args[:1])
        for call in descendants(loop.body, cst.Call)
    )


def _columns(loop: cst.For) -> list[tuple[str, cst.Name]]:
    """What a loop goes through, by name, and the variables that it gives the members."""
    given = listed_in(loop.iter)
    targets: list[cst.BaseExpression] = [loop.target]
    if isinstance(loop.target, cst.Tuple) and len(loop.target.elements) == len(given) > 1:
        targets = [element.value for element in loop.target.elements]
    if len(targets) != len(given):
        return []
    pairs = zip(given, targets, strict=True)
    return [
        (name.value, target) for name, target in pairs if isinstance(name, cst.Name) and isinstance(target, cst.Name)
    ]


def _write_out(work: NormalizationRound, function: Function, names: frozenset[str]) -> None:
    uses = list(uses_of(work, function))
    if not uses and work.program.is_imported and not function.name.startswith("__"):
        seen = [function.seen_elsewhere.get(name) for name in names]
        if all(item is not None and _holds_members(item) for item in seen):
            if is_row(function, in_its_context(function)) or has_one_ending(function):
                work.marks.add((LEFT_TO_CALLERS, function.key))
                if function.owner is not None:
                    work.marks.add((OPEN_TO_CALLERS, function.key))
        return
    calls = [call for use in uses if isinstance(call := work.index.parents[use], cst.Call) and call.func is use]
    of_modules = [call for call in calls if _gives_parameters(work, call, function, names)]
    if not of_modules:
        return
    changed: set[Function | None] = set()
    gone: list[cst.Call] = []
    for call in (*(call for call in calls if call not in of_modules), *of_modules):  # while there is one of these
        around = work.program.function_around(call)
        if around not in changed and _gives_members(work, call, function, names):
            if write_out_as_given(work, call, function):
                changed.add(around)
                gone.append(call)
    drop_unused(work, function, *gone)


def _gives_parameters(work: NormalizationRound, call: cst.Call, function: Function, names: frozenset[str]) -> bool:
    """Whether a call gives a function the parameters of a module, or modules in a list, to change."""
    given = dict(arguments_by_parameter(function, call, work.values))
    return any(name in given and _holds_members(work.values(given[name])) for name in names)


def _holds_members(value: Value) -> bool:
    """Whether something is the parameters of a module, or modules of torch in a list."""
    items = value.items or ((value.elem,) if value.elem is not None else ())
    is_list = value.is_a(Kind.LIST, Kind.TUPLE) and bool(items) and all(item.kind is Kind.MODULE for item in items)
    return value.kind is Kind.PARAMETERS or is_list


def _gives_members(work: NormalizationRound, call: cst.Call, function: Function, names: frozenset[str]) -> bool:
    """Whether a call says where all that a function changes belongs: `net.parameters()`, `[w, b]`, `[self.fc1, self.fc2]`."""
    given = dict(arguments_by_parameter(function, call, work.values))
    return all(name in given and is_listed(given[name]) for name in names)


__all__ = ["normalize_changed_parameters"]

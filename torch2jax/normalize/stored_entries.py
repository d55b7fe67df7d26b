"""What objects add to lists of theirs for the loss of a later step, normalized to lines that stand where it is computed.

action, logp = agent.select(state)            dist = Categorical(agent.net(state))
agent.buffer.add(logp, reward)                action = dist.mode
                                     ->       logp = dist.log_prob(action)
                                              agent.buffer.logps.append(logp)
                                              agent.buffer.rewards.append(reward)
...                                           ...
loss = -torch.stack(agent.buffer.logps)       loss = -torch.stack(agent.buffer.logps)

An entry of a list is computed together with its pullback (see `facts.stored_graphs`), where its line says from what.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import Step
from torch2jax.normalize.joined_parameters import is_at_init
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import drop_unused, is_row, write_out
from torch2jax.program.program import Function
from torch2jax.syntax.codegen import code
from torch2jax.syntax.folding import Folder
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind


def normalize_stored_entries(work: NormalizationRound) -> None:
    """Write out one call in each function that adds to a list which a step reads, or gives what is added."""
    if not work.program.mentions("backward") or not work.program.mentions("append"):
        return
    assert work.flows is not None
    steps = find_steps(work.program, work.values, work.flows)
    kept = {place.rpartition(".")[2] for place in work.flows.stores.full if "." in place}
    fields = {field for step in steps if step.problem is not None for field in _fields_read(work, step)} & kept
    changed: set[Function | None] = set()
    for call, function in _parts(work, fields) if fields else ():
        around = work.program.function_around(call)
        if around in changed or around is function or not is_row(function):
            continue
        if write_out(work, call, function, _of_held_object(work, call, function)):
            changed.add(around)
            drop_unused(work, function, call)


def _of_held_object(work: NormalizationRound, call: cst.Call, function: Function) -> cst.FunctionDef | None:
    """A method of an object that another one holds for good, with its place for `self`: `agent.buffer.logps.append(logp)`."""
    if not isinstance(call.func, cst.Attribute) or not isinstance(held := call.func.value, cst.Attribute):
        return None
    fields = {held.attr.value, *(item.attr.value for item in descendants(held, cst.Attribute))}
    for node in work.index.attributes:
        is_bound = isinstance(work.index.parents[node], (cst.AssignTarget, cst.Element, cst.Del))
        if node.attr.value in fields and is_bound and not is_at_init(work, node):
            return None
    body = function.node.body.visit(Folder({str(function.self_name): code(held)}))
    return function.node.with_changes(body=body)


def _fields_read(work: NormalizationRound, step: Step) -> Iterator[str]:
    """The fields of plain objects that the lines in front of `backward()` read."""
    for part in step.block.body[step.begin : step.end + 1]:
        for node in descendants(part, cst.Attribute):
            if work.values(node.value).kind is Kind.OBJECT and work.values(node).kind is not Kind.FUNCTION:
                yield node.attr.value


def _parts(work: NormalizationRound, fields: set[str]) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of methods that add what they are given to lists, and those of functions that give what lines add."""
    for call in work.index.calls:
        match call:
            case cst.Call(
                func=cst.Attribute(value=cst.Attribute(attr=cst.Name(field)), attr=cst.Name("append")),
                args=[cst.Arg(value=added)],
            ) if field in fields:
                function = work.program.function_around(call)
                if function is not None and not names_in(added).isdisjoint(function.parameter_names):
                    yield from _callers(work, function)
                else:
                    yield from _makers(work, added, function)


def _callers(work: NormalizationRound, function: Function) -> Iterator[tuple[cst.Call, Function]]:
    """The calls that give a method of a plain object tensors to keep."""
    if function.owner is None or function.owner.is_module:
        return
    for call in function.callers:
        if isinstance(call, cst.Call) and call in work.index.parents:
            if any(work.values(item.value).kind is Kind.TENSOR for item in call.args):
                yield call, function


def _makers(
    work: NormalizationRound, added: cst.BaseExpression, around: Function | None
) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of functions, not of modules, that give the tensors which a line adds to a list."""
    names = names_in(added)
    for call in work.index.calls:
        if work.program.function_around(call) is not around or work.values(call.func).kind is Kind.MODULE:
            continue
        if call in descendants(added) or not names.isdisjoint(_targets(work.index.parents[call])):
            if len(reached := work.values.callees.get(call, ())) == 1:
                yield call, next(iter(reached))


def _targets(line: cst.CSTNode) -> set[str]:
    """The variables that an assignment gives what its value is."""
    targets = line.targets if isinstance(line, cst.Assign) else ()
    return {name for item in targets for name in bound_names(item.target)}


__all__ = ["normalize_stored_entries"]

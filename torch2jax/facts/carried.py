"""Parts of a loss that were computed before its step: they become functions that give their pullbacks, too.

fake = generator(noise)                    fake, fake_vjp = compute_fake(generator, noise)
...                                  ->    ...                                                 (a step of the discriminator)
loss = -discriminator(fake).mean()         generator, opt_state = train_step(optimizer, generator, opt_state, discriminator, fake, fake_vjp)
loss.backward()
optimizer.step()

The gradient of the loss is taken of `fake`, and the pullback takes it on to the parameters: all is computed once, at the place and
with the parameters, draws and states where torch computes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from torch2jax.facts.dependence import Dependence
from torch2jax.facts.infer import Values
from torch2jax.facts.stored_graphs import StoredGraphs
from torch2jax.facts.training import (
    Block,
    Flows,
    Step,
    find_forward,
    find_interface,
    method_call,
    step_ends,
    value_of_place,
    written_by,
)
from torch2jax.program.program import Program
from torch2jax.values import Kind, Value

__all__ = ["find_carried"]


def find_carried(
    step: Step,
    program: Program,
    values: Values,
    flows: Flows,
    known: Mapping[cst.BaseStatement, Step],
    stored: StoredGraphs,
) -> tuple[Step, ...]:
    """The parts that bring graphs into a step, in source order; none if one of them cannot be computed apart. `known` are those
    that have been found for other steps, by their statements.
    """
    names = step.brought or frozenset(filter(None, [step.uses_earlier]))
    lists = sorted(names & flows.stores.full)
    if not all(_is_plain(value_of_place(step.region, name, values)) for name in names.difference(lists)):
        return ()
    kept = _kept_in_lists(step, lists, flows, known, stored)
    if kept is None:
        return ()
    names = names.difference(lists)
    lines: dict[cst.BaseStatement, frozenset[str]] = {}
    for name in sorted(names):
        line = _last_writer(step, name, program, values)
        if line is None:
            return ()
        lines[line] = lines.get(line, frozenset()) | {name}
    order = program.index.order
    found: list[Step] = []
    for line in sorted(lines, key=lambda item: order[item]):
        own = {line: lines[line]}
        while True:
            part = _known(own, known) or _part(step, own, program, values, flows)
            if part is None or part.problem is not None:
                return ()
            same = [other for other in found if not set(part.forward).isdisjoint(other.forward)]
            if not same:
                break
            found = [other for other in found if other not in same]
            own |= {item: lines[item] for item in lines if any(item in other.forward for other in same)}
        found.append(part)
    return (*kept, *found)


def _kept_in_lists(
    step: Step, names: Sequence[str], flows: Flows, known: Mapping[cst.BaseStatement, Step], stored: StoredGraphs
) -> Sequence[Step] | None:
    """The parts that lists bring into a step; None if one of them cannot be computed apart."""
    parts = stored.parts(step, names, flows)
    if parts is None or any(part.problem is not None for part in parts):
        return None
    found = []
    for part in parts:
        others = {id(other): other for line in (*part.forward, *part.added) if (other := known.get(line)) is not None}
        if not others:
            found.append(part)
            continue
        (other, *more) = others.values()
        if more or other.stores != part.stores:
            return None
        found.append(other)
    return found


def _known(lines: Mapping[cst.BaseStatement, frozenset[str]], known: Mapping[cst.BaseStatement, Step]) -> Step | None:
    """The part that has been found for another step, if it gives the same variables."""
    part = known.get(next(iter(lines)))
    names = frozenset().union(*lines.values())
    return part if part is not None and names <= set(part.carries) and lines.keys() <= set(part.forward) else None


def _last_writer(step: Step, name: str, program: Program, values: Values) -> cst.BaseStatement | None:
    """The statement that gives a variable the value with which it comes into a step; None if there may be several."""
    if not name.isidentifier():
        return None  # others may give a field another value
    index = program.index
    dependence = Dependence(values, step.function)
    node: cst.CSTNode = step.first
    while True:
        block = index.parents[node]
        if not isinstance(block, (cst.IndentedBlock, cst.Module)) or isinstance(node, cst.FunctionDef):
            return None
        body = list(block.body)
        position = body.index(node)  # type: ignore[arg-type]
        for line in reversed(body[:position]):
            if name in written_by(line, dependence):
                return line
        if block is index.module:
            return None
        node = index.parents[block]
        while not isinstance(index.parents[node], (cst.IndentedBlock, cst.Module)):
            node = index.parents[node]
        around = node.test if isinstance(node, cst.If) else node  # one way of a choice sees nothing of the others
        if name in written_by(around, dependence):
            return None


def _part(
    step: Step, lines: Mapping[cst.BaseStatement, frozenset[str]], program: Program, values: Values, flows: Flows
) -> Step | None:
    """What gives variables their values, up to the last of some statements of a block, as a part of the loss of a step."""
    blocks = {program.index.parents[line] for line in lines}
    block = blocks.pop()
    if blocks or not isinstance(block, Block):
        return None
    body: Sequence[cst.BaseStatement] = list(block.body)
    places = {line: body.index(line) for line in lines}
    last = max(places, key=places.__getitem__)
    carries = tuple(name for line in sorted(places, key=places.__getitem__) for name in sorted(lines[line]))
    names = [cst.Name(name) for name in carries]
    loss = names[0] if len(names) == 1 else cst.Tuple([cst.Element(name) for name in names])
    mark = last.body if isinstance(last, cst.BaseCompoundStatement) else last.body[0]  # type: ignore[attr-defined]
    part = Step(step.function, block, mark, last, loss, carries=carries)  # type: ignore[arg-type]
    part.end = places[last] + 1
    part.begin = max((place + 1 for place in step_ends(body, values) if place < part.end), default=0)
    find_forward(part, values, flows)
    if not part.is_refused:
        find_interface(part, program, values, flows)
    part.results = [name for name in part.results if name not in carries]
    part.after = [
        item for item in part.after if method_call(item, "zero_grad") is None
    ]  # they make no difference to it
    if part.uses_earlier or part.leaves or not part.models or not lines.keys() <= set(part.forward):
        return None
    return part


def _is_plain(value: Value | None) -> bool:
    """Whether a value is a tensor of real numbers, or a tuple or list of such tensors."""
    if value is None:
        return False
    if value.kind in (Kind.TUPLE, Kind.LIST):
        parts = value.items if value.items is not None else (value.elem,)
        return all(part is not None and part.kind is Kind.TENSOR and _is_plain(part) for part in parts)
    return value.kind is Kind.TENSOR and not (value.dtype or "").startswith("complex")

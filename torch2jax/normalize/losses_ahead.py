"""Losses that are computed together, ahead of the steps of several optimizers, normalized to losses at their own steps.

value, q = self.value(x), self.q(x, a)             value, q = self.value(x), self.q(x, a)
value_loss = F.mse_loss(value, q.detach())         value_loss = F.mse_loss(value, q.detach())
q_loss = F.mse_loss(q, y - value.detach())         q_loss = F.mse_loss(q, y - value.detach())
self.value_opt.zero_grad()                         self.value_opt.zero_grad()
value_loss.backward()                              value_loss.backward()
self.value_opt.step()                       ->     self.value_opt.step()
self.q_opt.zero_grad()                             q = self.q(x, a)
q_loss.backward()                                  q_loss = F.mse_loss(q, y - value.detach())
self.q_opt.step()                                  self.q_opt.zero_grad()
                                                   q_loss.backward()
                                                   self.q_opt.step()

Each loss is computed again where the parameters are the same still: of what its own modules make, the rest stays as it was. The
step of a loss that draws, or changes the state of its modules, comes first, and computes it once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import libcst as cst

from torch2jax.facts.dependence import Dependence
from torch2jax.facts.effects import Draw
from torch2jax.facts.provenance import Graphs
from torch2jax.facts.training import method_call
from torch2jax.normalize.early_losses import (
    acts_on_gradients,
    are_parts,
    assigned_variables,
    blocks_of_steps,
    called_modules,
    stepping,
)
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, root_name
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind, module_sites

_APART = frozenset({"detach", "item", "numpy", "tolist", "size", "dim", "numel"})  # whose results have no gradients
_LABELS = frozenset({"data", "shape", "dtype", "device"})


@dataclass(frozen=True, slots=True)
class _Group:
    """The lines of one step, from `zero_grad()` to `step()`, with the loss and the sites of the modules that it trains, and what
    is computed of it behind the step before.
    """

    own: tuple[cst.BaseStatement, ...]
    lines: tuple[cst.BaseStatement, ...]
    loss: str
    sites: frozenset[int]


def normalize_losses_ahead(work: NormalizationRound) -> None:
    """Compute losses again at their steps in all blocks with several steps, one of which is not understood as it stands."""
    for block in blocks_of_steps(work):
        _compute_at_steps(work, list(block.body))


def _compute_at_steps(work: NormalizationRound, body: Sequence[cst.BaseStatement]) -> None:
    """Compute the losses of a block at their steps, where these follow each other and train other modules each."""
    start, groups = _groups(work, body)
    every = [site for group in groups for site in group.sites]
    if len(groups) < 2 or len(set(every)) < len(every) or are_parts(work, set(every)):
        return
    ahead = _Ahead(work, body[:start])
    slices = [lines for group in groups if (lines := ahead.lines_of(group)) is not None]
    if len(slices) < len(groups):
        return
    drawing = [number for number, lines in enumerate(slices) if not all(map(ahead.is_repeatable, lines))]
    if len(drawing) > 1:
        return
    first = drawing[0] if drawing else 0
    own = [line for group in groups for line in group.own]
    if own and (first or not all(ahead.leaves(line, item) for lines in slices for item in lines for line in own)):
        return
    others = [number for number in range(len(groups)) if number != first]
    if not all(ahead.is_trained_alone(slices[number], groups[number]) for number in others):
        return
    moved = [work.copy(line) for line in groups[first].lines]
    for number in others:
        moved += [work.copy(line) for line in (*slices[number], *groups[number].own, *groups[number].lines)]
    lines = [line for group in groups for line in (*group.own, *group.lines)]
    for line in lines[1:]:
        work.edits.remove(line)
    work.edits.rewrite_statement(lines[0], always_statements(moved))


def _groups(work: NormalizationRound, body: Sequence[cst.BaseStatement]) -> tuple[int, list[_Group]]:
    """The steps of a block that follow each other, and where the first one begins; none if more stands between them than what
    their losses are computed with.
    """
    places = [place for place, line in enumerate(body) if method_call(line, "backward") is not None]
    start = places[0] if places else 0
    while start > 0 and method_call(body[start - 1], "zero_grad") is not None:
        start -= 1
    found, own, lines = list[_Group](), list[cst.BaseStatement](), list[cst.BaseStatement]()
    last = places[-1] if places else 0
    for place, line in enumerate(body[start:], start):
        if found and not lines and place < last and assigned_variables(line):
            own.append(line)
            continue
        optimizer = stepping(work, line)
        if optimizer is None and not acts_on_gradients(work, line):
            break
        lines.append(line)
        if optimizer is not None:
            group = _group(work, own, lines, optimizer.sites)
            if group is None:
                return start, []
            found.append(group)
            own, lines = [], []
    return start, found if not own and not lines and any(body[last] in group.lines for group in found) else []


def _group(
    work: NormalizationRound,
    own: Sequence[cst.BaseStatement],
    lines: Sequence[cst.BaseStatement],
    sites: frozenset[int],
) -> _Group | None:
    passes = [call for line in lines if (call := method_call(line, "backward")) is not None]
    is_cleared = any(method_call(line, "zero_grad") is not None for line in lines)
    match passes:
        case [cst.Call(func=cst.Attribute(value=cst.Name(loss) as place))] if is_cleared and sites:
            return _Group(tuple(own), tuple(lines), loss, sites) if work.values(place).kind is Kind.TENSOR else None
    return None


class _Ahead:
    """The lines in front of the steps of a block."""

    def __init__(self, work: NormalizationRound, lines: Sequence[cst.BaseStatement]) -> None:
        self.work, self.lines = work, lines
        self.function = work.program.function_around(lines[0]) if lines else None
        self.dependence = Dependence(work.values, self.function)

    def lines_of(self, group: _Group) -> list[cst.BaseStatement] | None:
        """The lines that compute a loss of what the modules of its step make, in order; None if that cannot be told, or what else
        they read changes behind them.
        """
        made = set[str]()  # the variables whose values depend on the parameters
        depends = list[bool]()
        for place, line in enumerate(self.lines):
            names = assigned_variables(line)
            is_made = not self.sites_of(line).isdisjoint(group.sites) or not made.isdisjoint(_read(line))
            is_made |= self._reads_kept(line, self.lines[:place])
            if is_made and not names and not made.isdisjoint(self.dependence.of(line).binds):
                return None
            made = made | names if is_made else made - names
            depends.append(is_made and bool(names))
        wanted, found = {group.loss}, list[cst.BaseStatement]()
        for line in reversed(group.own):
            if not wanted.isdisjoint(assigned_variables(line)):
                wanted = (wanted - assigned_variables(line)) | _read(line)
        if wanted.isdisjoint(made):
            return None
        for place in range(len(self.lines) - 1, -1, -1):
            line = self.lines[place]
            if not depends[place] or wanted.isdisjoint(assigned_variables(line)):
                continue
            behind = [item for item in self.lines[place + 1 :] if item not in found]
            if not all(self.leaves(item, line) for item in behind):
                return None
            found.insert(0, line)
            wanted = (wanted - assigned_variables(line)) | _read(line)
        return found

    def _reads_kept(self, line: cst.BaseStatement, before: Sequence[cst.BaseStatement]) -> bool:
        """Whether a line computes something of values with graphs that others have kept, and runs no module itself."""
        if not assigned_variables(line) or self.sites_of(line) or any(called_modules(self.work, line)):
            return False
        own = set[str]().union(*map(assigned_variables, before))
        read = _read(line) - own
        kept = (node for node in descendants(line) if isinstance(node, (cst.Name, cst.Attribute)))
        return any(root_name(node) in read and self._graphs.is_computed(node) for node in kept)

    @cached_property
    def _graphs(self) -> Graphs:
        return Graphs(self.work.program, self.work.values)

    def leaves(self, other: cst.BaseStatement, line: cst.BaseStatement) -> bool:
        """Whether another line leaves what a line reads, and what it has computed."""
        access, own = self.dependence.of(other), self.dependence.of(line)
        touched = access.binds | access.changes
        return not access.leaves and touched.isdisjoint(own.reads | assigned_variables(line))

    def is_repeatable(self, line: cst.BaseStatement) -> bool:
        """Whether a line gives the same if it runs once more, and leaves everything else as it is."""
        effects, own = self.work.effects, self.dependence.of(line)
        assert effects is not None
        calls = list(descendants(line, cst.Call))
        is_drawn = any(effects.draw_of(call) is not Draw.NONE or effects.changes_state(call) for call in calls)
        return not (
            is_drawn or own.world or own.changes or any(map(effects.is_stateful, called_modules(self.work, line)))
        )

    def is_trained_alone(self, lines: Sequence[cst.BaseStatement], group: _Group) -> bool:
        """Whether lines run no modules but those of their step, which no other step has changed."""
        return all(self.sites_of(line) <= group.sites for line in lines)

    def sites_of(self, line: cst.CSTNode) -> set[int]:
        """The modules that a line runs, or hands on, itself or in functions that it calls."""
        return set(self._sites(line, set()))

    def _sites(self, node: cst.CSTNode, seen: set[Function]) -> Iterator[int]:
        for value in called_modules(self.work, node):
            yield from module_sites(value)
        for call in descendants(node, cst.Call):
            for function in self.work.values.callees.get(call, ()):
                if function not in seen and function.name != "forward":
                    seen.add(function)
                    yield from self._sites(function.node.body, seen)


def _read(node: cst.CSTNode) -> set[str]:
    """The variables that an expression or a line reads with their gradients: those of `x.detach()` and `x.shape` are left out."""
    match node:
        case cst.Name(value=name):
            return {name}
        case cst.Call(func=cst.Attribute(attr=cst.Name(method))) if method in _APART:
            return set()
        case cst.Attribute(value=inner, attr=cst.Name(label)):
            return set() if label in _LABELS else _read(inner)
        case cst.Arg(value=inner):
            return _read(inner)
        case cst.AssignTarget(target=target):
            return set() if isinstance(target, (cst.Name, cst.Tuple)) else _read(target)
    return set[str]().union(*map(_read, children(node)))


__all__ = ["normalize_losses_ahead"]

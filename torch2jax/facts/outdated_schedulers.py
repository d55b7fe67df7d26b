"""Schedulers whose variable keeps them when that of their optimizer gets another one.

for seed in seeds:
    optimizer = SGD(net.parameters(), 0.1)
    if seed == 0:
        scheduler = StepLR(optimizer, 30)
    train(net, optimizer, scheduler)          # for all other seeds, `scheduler` is that of an optimizer which is gone

A may-analysis, forward, over the points of the scope that binds both: whether the scheduler is one, and whether its optimizer
was bound since. Conditions that stay what they are lead the same way each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from torch2jax.program.definitions import Definitions, bindings
from torch2jax.program.flow import Flow, Point
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants

_BRANCHES = (cst.SimpleStatementLine, cst.IndentedBlock, cst.If, cst.Else)
_LOOPS = (cst.For, cst.While)


def may_be_outdated(definitions: Definitions, scheduler: str, optimizer: str, at: cst.CSTNode) -> bool:
    """Whether the optimizer of these variables may have been bound since the scheduler was, where a node runs."""
    scope = definitions.scopes.around(at)
    first, second = (definitions.scopes.lookup(name, scope) for name in (scheduler, optimizer))
    if first is None or second is None or first.owner is not second.owner or isinstance(first.owner, cst.CompFor):
        return False
    flow = definitions.scopes.flow(first.owner)
    outdated = _Bindings(definitions, flow, scheduler, optimizer).outdated()
    if first.owner is not scope:
        return bool(outdated)  # code of another function runs at any time
    return any(flow.index(point) in outdated for point in _points(definitions, flow, at))


def _points(definitions: Definitions, flow: Flow, at: cst.CSTNode) -> Iterator[Point]:
    if isinstance(at, cst.SimpleStatementLine):
        yield from (item for item in at.body if item in flow)
        return
    yield from [item for item in (at, *definitions.index.ancestors(at)) if item in flow][:1]


@dataclass(slots=True)
class _Bindings:
    definitions: Definitions
    flow: Flow
    scheduler: str
    optimizer: str

    def outdated(self) -> set[int]:
        """The points at which the scheduler may be that of an optimizer from before."""
        decided, waiting = self.decided(), [(0, False, False)]
        seen = set(waiting)
        while waiting:
            index, is_one, is_old = waiting.pop()
            after = [(False, False)] if self.flow.points[index] is decided else self.after(index, is_one, is_old)
            new = {(item, is_one, is_old) for item in self.flow.failure_indices[index]}
            new |= {(item, *state) for item in self.flow.successor_indices[index] for state in after}
            waiting += new - seen
            seen |= new
        return {index for index, is_one, is_old in seen if is_one and is_old}

    def after(self, index: int, is_one: bool, is_old: bool) -> list[tuple[bool, bool]]:
        """What may hold behind a point."""
        found, point = self.flow.accesses_by_index[index], self.flow.points[index]
        bound = {*found.defs, *found.may_defs}
        if self.scheduler in bound:
            is_made = not isinstance(point, cst.CSTNode) or self.makes(point)
            return [(is_made, False), *([(is_one, is_old)] if self.scheduler not in found.defs else [])]
        return [(is_one, is_old or (is_one and self.optimizer in bound))]

    def makes(self, point: cst.CSTNode) -> bool:
        """Whether a point gives the variable something else than None."""
        return any(name == self.scheduler and dotted(value) != "None" for name, _, _, value in bindings(point))

    def decided(self) -> cst.If | None:
        """The statement in which all schedulers are made, where its conditions stay what they are."""
        index = self.definitions.index
        above = [takewhile(self.is_branch, index.ancestors(point)) for point in self.flow if self.makes(point)]
        ways = [[item for item in way if isinstance(item, cst.If)] for way in above]
        shared = next((item for item in ways[0] if all(item in way for way in ways)), None) if ways else None
        if shared is None or self.has_other_uses(shared):
            return None
        while isinstance(index.parents.get(shared), cst.If):  # the first of `if`, `elif`
            shared = index.parents[shared]  # type: ignore[assignment]
        tests = [item.test for way in ways for item in way[: way.index(shared) + 1]]
        return shared if all(self.is_lasting(test) for test in tests) else None

    def is_branch(self, node: cst.CSTNode) -> bool:
        return isinstance(node, _BRANCHES)

    def has_other_uses(self, statement: cst.If) -> bool:
        """Whether a statement reads the scheduler, or binds the optimizer."""
        names = [item for item in descendants(statement, cst.Name) if item.value in (self.scheduler, self.optimizer)]
        bound = [item.value for item in names if self.definitions.is_bound(item)]
        return self.optimizer in bound or len(bound) < sum(item.value == self.scheduler for item in names)

    def is_lasting(self, test: cst.BaseExpression) -> bool:
        """Whether a condition only asks for what no loop changes."""
        if any(True for _ in descendants(test, cst.Call, cst.NamedExpr)):
            return False
        index = self.definitions.index
        for name in descendants(test, cst.Name):
            nodes = [item.node for item in self.definitions.every_of_name(name)] if not index.is_label(name) else []
            if any(isinstance(item, _LOOPS) for node in nodes for item in index.ancestors(node)):
                return False
        changed = [
            item.target
            for item in index.every(cst.AssignTarget)
            if isinstance(item.target, (cst.Attribute, cst.Subscript))
        ]
        read = list(descendants(test, cst.Attribute, cst.Subscript))
        return not any(item.deep_equals(node) for item in changed for node in read)


__all__ = ["may_be_outdated"]

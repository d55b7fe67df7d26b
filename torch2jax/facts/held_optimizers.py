"""Optimizers that objects keep and step: from then on, what they have come to is known there, and nowhere else.

trainer = Trainer(model, optimizer)
trainer.train(data)
scheduler.step()                      # sets the learning rate of `trainer.optimizer`
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.kept_fields import field_of, made_class, trains
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Program, dotted
from torch2jax.records import dataclass

_LOOPS = (cst.For, cst.While)


@dataclass(frozen=True, slots=True)
class HeldOptimizers:
    """Where the optimizers of a file are, at each of its nodes."""

    program: Program
    values: Values

    def place(self, name: str, node: cst.CSTNode) -> str | None:
        """The place of the optimizer in a variable, where a node is; None if it may be in one of several."""
        holders = list(self._holders(name, node))
        if not holders:
            return name
        found = [self._held(call, given, field, node) for call, given, field in holders]
        if all(place == name for place in found):
            return name
        return found[0] if len(found) == 1 else None

    def _holders(self, name: str, node: cst.CSTNode) -> Iterator[tuple[cst.Call, cst.Name, str | None]]:
        """The calls that make objects which keep a variable and train, with the fields in which they keep it."""
        scopes = self.program.definitions.scopes
        variable = scopes.lookup(name, scopes.around(node))
        for call in self.program.index.calls:
            callees = self.values.callees.get(call, ())
            init = callees[0] if callees else None
            if init is None or init.name != "__init__" or init.owner is None or init.owner.is_module:
                continue
            for parameter, given in arguments_by_parameter(init, call, self.values):
                if not isinstance(given, cst.Name) or given.value != name:
                    continue
                if scopes.lookup(name, scopes.around(given)) == variable and trains(self.values, init.owner):
                    owner = made_class(self.program, self.values, call) if len(callees) == 1 else None
                    yield call, given, field_of(self.values, init, owner, parameter) if owner is not None else None

    def _held(self, call: cst.Call, given: cst.Name, field: str | None, node: cst.CSTNode) -> str | None:
        """The place of an optimizer that an object is given, in front of the line that makes the object and behind it."""
        index, definitions = self.program.index, self.program.definitions
        line, around = index.statement_of(call), set(index.ancestors(node))
        if self.program.function_around(call) is not self.program.function_around(node):
            return None
        if index.order[node] < index.order[call]:
            loop = next((item for item in index.ancestors(call) if isinstance(item, _LOOPS) and item in around), None)
            is_new = all(loop in set(index.ancestors(item.node)) for item in definitions.of(given))
            return given.value if loop is None or is_new else None
        made = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        if index.parents[line] not in around or not isinstance(made, cst.Assign) or made.value is not call:
            return None
        target = made.targets[0].target if len(made.targets) == 1 else None
        is_one = isinstance(target, cst.Name) and definitions.bound_once(target) is not None
        return f"{dotted(target)}.{field}" if is_one and field is not None else None


__all__ = ["HeldOptimizers"]

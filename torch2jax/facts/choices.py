"""Which way conditions in the methods of modules go, as far as training steps tell."""

from __future__ import annotations

from dataclasses import field

import libcst as cst

from torch2jax.facts.differentiated import Differentiated
from torch2jax.facts.infer import Values
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program
from torch2jax.program.statements import bound_by
from torch2jax.records import dataclass
from torch2jax.values import Kind, Value

_SETTING = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)
_PLAIN = (bool, int, str, float)


@dataclass(frozen=True, slots=True)
class Choices:
    """What is known of conditions below gradients, found once for each of them."""

    program: Program
    values: Values
    below: Differentiated
    _outcomes: dict[cst.BaseExpression, bool | None] = field(default_factory=dict)
    _fields: dict[cst.Module, dict[str, list[cst.Attribute]]] = field(default_factory=dict)

    def outcome(self, test: cst.BaseExpression) -> bool | None:
        """What a condition is in every step; None where that is unknown."""
        if test not in self._outcomes:
            self._outcomes[test] = self._find_outcome(test)
        return self._outcomes[test]

    def _find_outcome(self, test: cst.BaseExpression) -> bool | None:
        known = self.values(test).const
        if isinstance(known, bool):
            return known
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            inner = self.outcome(test.expression)
            return None if inner is None else not inner
        if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
            part = test.comparisons[0]
            if isinstance(part.operator, (cst.Is, cst.IsNot)) and self.values(part.comparator).kind is Kind.NONE:
                absent = self._is_absent(test.left)
                return None if absent is None else absent is isinstance(part.operator, cst.Is)
            left, right = self.constant(test.left), self.constant(part.comparator)
            if left is None or right is None or not isinstance(part.operator, (cst.Equal, cst.NotEqual)):
                return None
            return (left == right) is isinstance(part.operator, cst.Equal)
        found = self.constant(test)
        return None if found is None else bool(found)

    def _is_absent(self, node: cst.BaseExpression) -> bool | None:
        """Whether a variable, or a parameter in all calls that matter, is None; None where that is unknown."""
        found = {_absence(self.values(node))}
        function = self.program.home(node).function_around(node)
        if None in found and function is not None and isinstance(node, cst.Name) and not function.seen_elsewhere:
            if node.value in function.parameter_names and node.value not in bound_by(function.node.body):
                calls = [call for call in function.callers if self.below.holds(self.program, call)]
                given = [self._given(function, call, node.value) for call in calls]
                found = {None if item is None else _absence(self.values(item)) for item in given} or {None}
        return found.pop() if len(found) == 1 else None

    def constant(self, node: cst.BaseExpression) -> object:
        """The number or text that a variable, or a field, always has; None where that is unknown."""
        known = self._known(node)
        if known is not None:
            return known
        function = self.program.home(node).function_around(node)
        if function is None:
            return None
        if isinstance(node, cst.Name):
            return self._argument(function, node.value)
        return self._field(function, node)

    def _argument(self, function: Function, name: str) -> object:
        """What all calls that matter pass for a parameter."""
        if name not in function.parameter_names or name in bound_by(function.node.body):
            return None
        if function.seen_elsewhere:
            return None
        made = function.name == "__init__"
        calls = [call for call in function.callers if made or self.below.holds(self.program, call)]
        found = {self._passed(function, call, name) for call in calls}
        return found.pop() if len(found) == 1 else None

    def _passed(self, function: Function, call: cst.CSTNode, name: str) -> object:
        node = self._given(function, call, name)
        return self._known(node) if node is not None else None

    def _given(self, function: Function, call: cst.CSTNode, name: str) -> cst.BaseExpression | None:
        """What a call passes for a parameter; None where that cannot be seen."""
        if not isinstance(call, cst.Call) or any(argument.star for argument in call.args):
            return None
        given = dict(arguments_by_parameter(function, call, self.values))
        default = next(item.default for item in function.parameters if item.name.value == name)
        return given.get(name, default)

    def _known(self, node: cst.BaseExpression) -> object:
        known = self.values(node).const
        return known if type(known) in _PLAIN else None

    def _field(self, function: Function, node: cst.BaseExpression) -> object:
        """What the only assignment to a field of a module, in its `__init__`, gives it."""
        match node:
            case cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=field)) if name == function.self_name:
                pass
            case _:
                return None
        home = self.program.home(node)
        index = home.index
        targets = self._set_in(home).get(field, [])
        holder = index.parents.get(index.parents[targets[0]]) if len(targets) == 1 else None
        maker = home.function_around(targets[0]) if targets else None
        if maker is None or maker.name != "__init__" or maker.owner is not function.owner:
            return None
        if not isinstance(holder, cst.Assign) or index.parents[index.parents[holder]] is not maker.node.body:
            return None
        return self.constant(holder.value)

    def _set_in(self, file: Program) -> dict[str, list[cst.Attribute]]:
        """The attributes that a file sets, by their names."""
        module = file.index.module
        if module not in self._fields:
            found = self._fields[module] = {}
            for item in file.index.attributes:
                if isinstance(file.index.parents.get(item), _SETTING):
                    found.setdefault(item.attr.value, []).append(item)
        return self._fields[module]


def _absence(value: Value) -> bool | None:
    if value.kind is Kind.NONE:
        return True
    return None if value.kind is Kind.UNKNOWN or value.optional else False


__all__ = ["Choices"]

"""Functions that take a value or a lambda that makes one, written out as a choice where the lambda changes the state of a module.

def default(value, make):                      out = out if out is not None else self.model(x)
    if value is not None:
        return value                     ->
    return make() if callable(make) else make
...
out = default(out, lambda: self.model(x))

A choice becomes statements, and these can take the new state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from torch2jax.facts.default_factories import is_default_factory
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.python import FUNCTION_TESTS
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.syntax.edits import always, is_docstring
from torch2jax.syntax.folding import literal_value
from torch2jax.syntax.quote import parenthesized
from torch2jax.syntax.walk import descendants, lines_of

_DEEPEST = 4  # functions that ask others for what they decide by


def normalize_chosen_defaults(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    for node in work.index.every(cst.Lambda):
        assert isinstance(node, cst.Lambda)
        if node.params.children or not _changes_state(work, node) or not is_default_factory(work.values, node):
            continue
        call = cst.ensure_type(work.index.parents[work.index.parents[node]], cst.Call)
        callees = work.values.callees.get(call, ())
        chosen = _written_out(work, callees[0], call) if len(callees) == 1 else None
        if chosen is not None:
            work.edits.replace(call, always(chosen))


def _changes_state(work: NormalizationRound, node: cst.Lambda) -> bool:
    effects = work.effects
    calls = [item for item in (node.body, *descendants(node.body)) if isinstance(item, cst.Call)]
    return effects is not None and any(
        effects.changes_state(call) or effects.is_stateful(work.values(call.func)) for call in calls
    )


def _written_out(
    work: NormalizationRound, function: Function, call: cst.Call, depth: int = 0
) -> cst.BaseExpression | None:
    """What a call gives, as an expression of its arguments; None where it is more than a choice between these."""
    value = _result([line for line in suite_body(function.node) if not is_docstring(line)])
    given = dict(arguments_by_parameter(function, call, work.values))
    if value is None or function.owner is not None or set(given) != set(function.parameter_names) or depth > _DEEPEST:
        return None
    plain = (cst.Name, cst.Attribute, cst.Lambda, cst.SimpleString, cst.BaseNumber)
    if not all(isinstance(item, plain) for item in given.values()):
        return None
    made = _Choosing(work, function, given, depth)
    chosen = value.visit(made)
    return chosen if isinstance(chosen, cst.BaseExpression) and not made.failed else None


def _result(lines: Sequence[cst.BaseStatement]) -> cst.BaseExpression | None:
    """The expression that a function gives back, whose statements do nothing but choose."""
    match lines:
        case [cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as value)])]:
            return value
        case [cst.If(test=test, body=body, orelse=None), *rest]:
            first, second = _result(lines_of(body)), _result(rest)
        case [cst.If(test=test, body=body, orelse=cst.Else(body=other))]:
            first, second = _result(lines_of(body)), _result(lines_of(other))
        case _:
            return None
    return None if first is None or second is None else cst.IfExp(test, parenthesized(first), parenthesized(second))


class _Choosing(cst.CSTTransformer):
    """Puts arguments for parameters, what a lambda gives for its call, and what functions come to that are asked."""

    def __init__(
        self, work: NormalizationRound, function: Function, given: Mapping[str, cst.BaseExpression], depth: int
    ) -> None:
        super().__init__()
        self.work, self.function, self.given, self.depth, self.failed = work, function, given, depth, False

    def visit_Call(self, node: cst.Call) -> bool:
        return False  # it is decided as a whole

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        name, asked = dotted(original_node.func), original_node.args
        given = self.given.get(name or "")
        if isinstance(given, cst.Lambda) and not asked:
            return parenthesized(self.work.copy(given.body))
        if name in FUNCTION_TESTS and len(asked) == 1 and dotted(asked[0].value) in self.given:
            is_lambda = isinstance(self.given[str(dotted(asked[0].value))], cst.Lambda)
            return cst.Name("True") if is_lambda else self.fail(updated_node)
        for callee in self.work.values.callees.get(original_node, ()) or self.named(name):
            args = [item.with_changes(value=item.value.visit(self)) for item in asked]
            inner = _written_out(self.work, callee, original_node.with_changes(args=args), self.depth + 1)
            return self.fail(updated_node) if inner is None else parenthesized(inner)
        return self.fail(updated_node)

    def named(self, name: str | None) -> list[Function]:
        """The function of a name beside the one that is written out."""
        home = self.work.program.home(self.function.node)
        return [
            item for item in home.functions.values() if item.name == name and item.owner is None and item.outer is None
        ]

    def fail(self, node: cst.Call) -> cst.Call:
        self.failed = True
        return node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        given = self.given.get(updated_node.value)
        if given is None:
            self.failed |= literal_value(updated_node) is None
            return updated_node
        made = self.work.copy(given)
        return parenthesized(made) if isinstance(made, cst.Lambda) else made

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        test = literal_value(updated_node.test)
        return updated_node if test is None else updated_node.body if test.value else updated_node.orelse


__all__ = ["normalize_chosen_defaults"]

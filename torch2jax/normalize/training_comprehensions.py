"""Comprehensions that train, or run modules with state, normalized to loops: what each pass changes needs a statement.

losses = [step(net, optimizer, *batch) for batch in data]   ->   losses = []
                                                                 for batch in data:
                                                                     losses.append(step(net, optimizer, *batch))
total = sum(step(net, optimizer, x) for x in data)          ->   results = []
                                                                 for x in data:
                                                                     results.append(step(net, optimizer, x))
                                                                 total = sum(results)
[p.data.mul_(2) for p in net.parameters()]                  ->   for p in net.parameters():
                                                                     p.data.mul_(2)

A statement that computes something else before its comprehension stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import NOT_ALWAYS, descendants, is_label, own_nodes
from torch2jax.values import PARAMETER_ROOT, Kind

_Comprehension = cst.ListComp | cst.DictComp | cst.GeneratorExp
_TRAINING = frozenset({"backward", "step"})
_CONSUMERS = frozenset({"sum", "list", "tuple", "dict", "max", "min", "sorted", "set"})


def normalize_training_comprehensions(work: NormalizationRound) -> None:
    """Normalize all such comprehensions of a file."""
    trains = _Trainers(work)
    for node in work.index.every(cst.ListComp, cst.DictComp, cst.GeneratorExp):
        assert isinstance(node, _Comprehension)
        acts = any(isinstance(item, cst.Call) and trains.does(item) for item in descendants(node))
        if acts or _is_statement_about_modules(work, node):
            line = _line_of(work, node)
            if line is not None:
                _as_loop(work, node, line)


_ABOUT = (Kind.MODULE, Kind.OPTIMIZER, Kind.PARAMETERS, Kind.SCHEDULER)


def _is_statement_about_modules(work: NormalizationRound, node: _Comprehension) -> bool:
    """Whether a list that nobody looks at is made for what happens to modules, their parameters or optimizers."""
    if not isinstance(node, cst.ListComp) or not isinstance(work.index.parents[node], cst.Expr):
        return False
    calls = [item.func for item in (node.elt, *descendants(node.elt)) if isinstance(item, cst.Call)]
    named = [part for loop in _loops(node.for_in) for part in (loop.target, loop.iter)]
    values = [work.values(item) for part in named for item in (part, *descendants(part))]
    return bool(calls) and any(value.kind in _ABOUT or PARAMETER_ROOT in value.roots for value in values)


class _Trainers:
    """Which functions of the program train something, or run modules with state."""

    def __init__(self, work: NormalizationRound) -> None:
        self.work = work
        self._known: dict[Function, bool] = {}

    def does(self, call: cst.Call) -> bool:
        """Whether a call changes models or optimizers."""
        effects = self.work.effects
        assert effects is not None
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "backward":
            return True
        return effects.changes_state(call) or any(map(self.trains, self.work.values.callees.get(call, ())))

    def trains(self, function: Function) -> bool:
        if function not in self._known:
            self._known[function] = False  # while it is being looked at
            calls = [item for item in own_nodes(function.node) if isinstance(item, cst.Call)]
            methods = {item.func.attr.value for item in calls if isinstance(item.func, cst.Attribute)}
            effects = self.work.effects
            assert effects is not None
            self._known[function] = (
                methods >= _TRAINING
                or any(map(effects.changes_state, calls))
                or any(self.trains(callee) for call in calls for callee in self.work.values.callees.get(call, ()))
            )
        return self._known[function]


def _line_of(work: NormalizationRound, node: _Comprehension) -> cst.SimpleStatementLine | None:
    """The statement of a comprehension before which it can be computed; None if something else may come first."""
    if any(item.asynchronous is not None for item in _loops(node.for_in)):
        return None
    parent = work.index.parents[node]
    if isinstance(node, cst.GeneratorExp):
        call = work.index.parents[parent]
        if not isinstance(parent, cst.Arg) or not isinstance(call, cst.Call) or dotted(call.func) not in _CONSUMERS:
            return None
        if call.args[0] is not parent:
            return None
    return line_computing_first(work, node)


def line_computing_first(work: NormalizationRound, node: cst.BaseExpression) -> cst.SimpleStatementLine | None:
    """The statement that computes an expression always, and before all else; None if something else may come first."""
    inside = set(descendants(node))
    around: set[cst.CSTNode] = {node}
    line: cst.SimpleStatementLine | None = None
    for item in work.index.ancestors(node):
        if isinstance(item, cst.SimpleStatementLine):
            line = item
            break
        if isinstance(item, (*NOT_ALWAYS, cst.BaseStatement)):
            return None
        around.add(item)
    for item in descendants(line) if line is not None else ():
        if item is node:
            return line if line is not None and len(line.body) == 1 else None
        if isinstance(item, (cst.Call, cst.Await, cst.Yield)) and item not in around and item not in inside:
            return None
    return None


def _loops(first: cst.CompFor) -> Iterator[cst.CompFor]:
    loop: cst.CompFor | None = first
    while loop is not None:
        yield loop
        loop = loop.inner_for_in


def _as_loop(work: NormalizationRound, node: _Comprehension, line: cst.SimpleStatementLine) -> None:
    bound = {name for loop in _loops(node.for_in) for name in names_in(loop.target)}
    scope = work.index.function_of(line) or work.index.module
    inside = set(descendants(node))
    elsewhere = {
        item.value
        for item in descendants(scope)
        if isinstance(item, cst.Name)
        and item.value in bound
        and item not in inside
        and not is_label(item, work.index.parents[item])
        and not _is_of_another(work, item)
    }
    fresh = work.names_at(line)
    stands_alone = isinstance(work.index.parents[node], cst.Expr)
    for name in sorted(elsewhere):  # names of a comprehension are its own
        other = fresh(f"{name}_")
        for item in inside:
            if isinstance(item, cst.Name) and item.value == name and not is_label(item, work.index.parents[item]):
                work.edits.replace(item, always(cst.Name(other)))
    match line.body[0]:
        case cst.Expr() if isinstance(node, cst.ListComp) and stands_alone and isinstance(node.elt, cst.Call):
            work.edits.rewrite_statement(line, partial(_loop_alone, node, line))
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value) if (
            value is node and name not in names_in(node) and not isinstance(node, cst.GeneratorExp)
        ):
            work.edits.rewrite_statement(line, partial(_statements, node, name, line, False))
        case _:
            name = fresh("results")
            work.edits.replace(node, always(cst.Name(name)))
            work.edits.rewrite_statement(line, partial(_statements, node, name, line, True))


def _is_of_another(work: NormalizationRound, name: cst.Name) -> bool:
    """Whether a variable belongs to a comprehension around it."""
    around = work.index.ancestors(name)
    found = [item for item in around if isinstance(item, (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp))]
    return any(name.value in names_in(loop.target) for item in found for loop in _loops(item.for_in))


def _statements(
    node: _Comprehension, name: str, line: cst.SimpleStatementLine, stays: bool, rewrite: Rewriter
) -> Sequence[cst.BaseStatement]:
    made = "{}" if isinstance(node, cst.DictComp) else "[]"
    first = quote_statement(f"{name} = {made}").with_changes(leading_lines=line.leading_lines)
    if isinstance(node, cst.DictComp):
        parts = {"key": rewrite.expression(node.key), "value": rewrite.expression(node.value)}
        added = quote_statement(f"{name}[{{key}}] = {{value}}", **parts)
    else:
        added = quote_statement(f"{name}.append({{x}})", x=rewrite.expression(node.elt))
    added = _looped(node, added, rewrite)
    if not stays:
        return [first, added]
    last = rewrite.inside(line)
    assert isinstance(last, cst.SimpleStatementLine)
    return [first, added, last.with_changes(leading_lines=())]


def _loop_alone(node: cst.ListComp, line: cst.SimpleStatementLine, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    made = _looped(node, quote_statement("{x}", x=rewrite.expression(node.elt)), rewrite)
    return [made.with_changes(leading_lines=line.leading_lines)]


def _looped(node: _Comprehension, added: cst.BaseStatement, rewrite: Rewriter) -> cst.BaseStatement:
    for loop in reversed(list(_loops(node.for_in))):
        for condition in reversed(loop.ifs):
            added = cst.If(rewrite.expression(condition.test), cst.IndentedBlock([added]))
        target = rewrite(loop.target)
        assert isinstance(target, cst.BaseAssignTargetExpression)
        added = cst.For(target, rewrite.expression(loop.iter), cst.IndentedBlock([added]))
    return added


__all__ = ["line_computing_first", "normalize_training_comprehensions"]

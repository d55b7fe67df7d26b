"""Functions that empty the gradients of what they are given, and leave it to others to make new ones: files that call them do it.

def robust_loss(net, x, y, optimizer):         def robust_loss(net, x, y, optimizer):
    adv = attack(net, x)                           adv = attack(net, x)
    optimizer.zero_grad()                    ->    return F.cross_entropy(net(adv), y)
    return F.cross_entropy(net(adv), y)

loss = robust_loss(net, x, y, optimizer)       loss = robust_loss(net, x, y, optimizer)
loss.backward()                                optimizer.zero_grad()
                                               loss.backward()

Nothing behind the line in the function sees gradients, so they may as well be emptied behind its call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.infer import all_marks
from torch2jax.facts.training import method_call
from torch2jax.normalize.evaluation_order import evaluated_before, give_name, stays
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import uses_of
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import bound_by, suite_body
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, own_nodes

_EMPTIED = "emptied by callers"  # marks (function, parameter, arguments): its gradients are emptied behind calls of the function
_SEEING = frozenset({"grad", "backward", "step", "parameters", "named_parameters"})


def normalize_handed_clears(work: NormalizationRound) -> None:
    """Leave such lines to the callers of a file's functions, and empty gradients behind calls of those of others."""
    if work.program.is_imported and work.program.mentions("zero_grad"):
        for function in work.program.functions.values():
            _leave(work, function)
    for _, key, parameter, arguments in sorted(mark for mark in all_marks(work.program) if mark[0] == _EMPTIED):
        if (emptying := work.program.by_key.get(key)) is not None:
            for node in list(uses_of(work, emptying)):
                _follow(work, emptying, node, parameter, arguments)


def _leave(work: NormalizationRound, function: Function) -> None:
    """Take the line out of a function that other files call."""
    texts = {node.evaluated_value for node in work.index.every(cst.SimpleString)}
    if function.owner is not None or function.outer is not None or function.decorators or function.name in texts:
        return
    if any(True for _ in uses_of(work, function)):
        return  # whose calls in sight say what is trained
    given = set(function.parameter_names) - bound_by(function.node.body)
    body = suite_body(function.node)
    for position, line in enumerate(body):
        call = method_call(line, "zero_grad")
        place = dotted(call.func.value) if call is not None else None  # type: ignore[attr-defined]
        if call is not None and place in given and not _sees_gradients(work, body[position + 1 :]):
            if not _leaves(function, body[:position]) and all(isinstance(item.value, cst.Name) for item in call.args):
                work.marks.add((_EMPTIED, function.key, str(place), _arguments(call)))
                work.edits.remove(line)
                return


def _arguments(call: cst.Call) -> str:
    return code(call).partition("(")[2].removesuffix(")")


def _leaves(function: Function, body: Sequence[cst.BaseStatement]) -> bool:
    """Whether statements of a function may leave it."""
    own = {node for node in own_nodes(function.node) if isinstance(node, cst.Return | cst.Yield)}
    return any(node in own for line in body for node in descendants(line))


def _sees_gradients(work: NormalizationRound, body: Sequence[cst.BaseStatement]) -> bool:
    """Whether statements, or functions that they call, may ask for gradients, make or use them."""
    nodes = [*body, *(item.node.body for item in reached(list(body), work.values))]
    return not body or any(node.attr.value in _SEEING for part in nodes for node in descendants(part, cst.Attribute))


def _follow(work: NormalizationRound, function: Function, node: cst.BaseExpression, parameter: str, text: str) -> None:
    """Empty the gradients behind a call, if that is a statement."""
    call = work.index.parents[node]
    given = dict(arguments_by_parameter(function, call, work.values)) if isinstance(call, cst.Call) else {}
    place, line = dotted(given.get(parameter)), work.index.statement_of(node)
    if place is not None and isinstance(call, cst.Call) and call.func is node:
        made = quote_statement(f"{place}.zero_grad({text})")
        work.copies[made] = line
        if _has_place_behind(work, line) and not _goes_on(work, line, call):
            if code(made).strip() not in [code(item).strip() for item in _behind(work, line)]:
                work.edits.after(line, lambda rewrite: [made])
            return
        if _can_have_name(work, line, call):
            give_name(work, line, call, work.names_at(call)("loss"))
            work.edits.before(line, lambda rewrite: [made])
            return
    reason = f"`{function.name}` empties the gradients of `{parameter}`, and others take new ones"
    work.problems.append(Problem(node, "T2J500", {"reason": reason}))


def _can_have_name(work: NormalizationRound, line: cst.CSTNode, call: cst.Call) -> bool:
    """Whether a call can stand in a line in front of its statement."""
    before = evaluated_before(work.index, call)
    is_row = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    is_row = is_row and isinstance(work.index.parents[line], cst.IndentedBlock | cst.Module)
    return is_row and before is not None and all(stays(work, item) for item in before)


def _has_place_behind(work: NormalizationRound, line: cst.CSTNode) -> bool:
    """Whether something can be done right behind a statement."""
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    is_plain = isinstance(line.body[0], cst.Assign | cst.AnnAssign | cst.AugAssign | cst.Expr)
    is_row = isinstance(work.index.parents[line], cst.IndentedBlock | cst.Module)
    return is_plain and is_row and not any(isinstance(node, cst.Lambda) for node in descendants(line))


def _goes_on(work: NormalizationRound, line: cst.CSTNode, call: cst.CSTNode) -> bool:
    """Whether a statement does more with gradients than a call in it: `robust_loss(net, x, y, optimizer).backward()`."""
    inside = {call, *descendants(call)}
    others = [node for node in descendants(line) if node not in inside]
    bodies = [
        item.node.body
        for node in others
        if isinstance(node, cst.Call)
        for callee in work.values.callees.get(node, ())
        for item in (callee, *reached([callee.node.body], work.values))
    ]
    nodes = [*others, *(node for body in bodies for node in descendants(body))]
    return any(isinstance(node, cst.Attribute) and node.attr.value in _SEEING for node in nodes)


def _behind(work: NormalizationRound, line: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The statement behind another one."""
    body = list(work.index.parents[line].body)  # type: ignore[attr-defined]
    yield from body[body.index(line) + 1 :][:1]


__all__ = ["normalize_handed_clears"]

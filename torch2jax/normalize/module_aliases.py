"""One name for a module that has two: what training makes of it has no other.

model = Net()                                    ->   model = Net()
m = model.to(device)                                  model.to(device)
raw = model if flag else model                        (gone)
if flag:                                              if flag:
    raw = model.eval()                                    model.eval()
... model(x) ... m.generate(context) ...              ... model(x) ... model.generate(context) ...

In torch all names stand for the same object. They are variables of one scope; whatever binds another name makes it the
module, and the module's own name gets no other value behind the first line that does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile

import libcst as cst

from torch2jax.facts.training import CLIPS
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING, SETTING
from torch2jax.program.calls import arguments_by_parameter, chain_start
from torch2jax.program.program import Function
from torch2jax.program.scopes import Variable
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_ACTING = (cst.Call, cst.NamedExpr, cst.Await, cst.Yield)


def normalize_module_aliases(work: NormalizationRound) -> None:
    """Normalize such names where modules are values, and where gradients are clipped of one name and taken of another."""
    if work.effects is None or not (work.effects.threads or any(map(work.program.mentions, CLIPS))):
        return
    if work.effects.threads:
        for function in work.program.functions.values():
            _name_arguments(work, function)
    definitions, seen = work.program.definitions, set[Variable]()
    for assign in work.index.every(cst.Assign):
        target = assign.targets[0].target
        if not isinstance(target, cst.Name) or _module_named(work, assign) is None:
            continue
        variable = definitions.scopes.variable(target)
        if variable is not None and variable not in seen:
            seen.add(variable)
            _normalize(work, variable)


def _name_arguments(work: NormalizationRound, function: Function) -> None:
    """Read the parameter of a function, and not the variable of the file by which all its calls give it the same module."""
    calls = work.values.calls_of(function)
    if function.outer is not None or not all(
        isinstance(call, cst.Call) and call in work.index.parents for call in calls
    ):
        return
    scopes = work.program.definitions.scopes
    for param in function.parameters if calls else ():
        given = [dict(arguments_by_parameter(function, call, work.values)).get(param.name.value) for call in calls]
        names = {item.value if isinstance(item, cst.Name) else None for item in given}
        name = names.pop() if len(names) == 1 else None
        definition = work.program.definitions.bound_once(param.name)
        if name is None or name == param.name.value or work.values(param.name).kind is not Kind.MODULE:
            continue
        variable = scopes.lookup(name, function.node)
        places = {scopes.lookup(name, scopes.around(item)) for item in given if item is not None}
        uses = [
            use
            for use in descendants(function.node.body, cst.Name)
            if use.value == name and not work.index.is_label(use)
        ]
        is_of_file = variable is not None and places == {variable} and _is_bound_by_file(work, variable)
        seen = {
            (scopes.lookup(name, scopes.around(use)), scopes.lookup(param.name.value, scopes.around(use)))
            for use in uses
        }
        is_read = seen == {(variable, Variable(function.node, param.name.value))}
        if definition is not None and is_of_file and is_read and not any(map(partial(_is_bound, work), uses)):
            for use in uses:
                work.edits.replace(use, always(cst.Name(param.name.value)))


def _is_bound_by_file(work: NormalizationRound, variable: Variable) -> bool:
    """Whether a variable of the file gets its values at the top, where no function runs meanwhile."""
    every, scopes = work.program.definitions.every(variable), work.program.definitions.scopes
    return variable.owner is work.index.module and all(scopes.around(item.node) is work.index.module for item in every)


def _is_bound(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a name is given a value, or declared, where it stands; or hidden by a parameter of an inner function."""
    return isinstance(
        work.index.parents[use], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del, cst.NameItem, cst.For)
    )


def _module_named(work: NormalizationRound, assign: cst.CSTNode | None, or_itself: bool = False) -> cst.Name | None:
    """The name of the module that an assignment, alone in its line, gives another name, or (`or_itself`) the one that it has:
    `net = net.cuda()`.
    """
    match assign, work.index.parents.get(assign) if assign is not None else None:
        case (
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as alias)], value=value),
            cst.SimpleStatementLine(body=[_]),
        ):
            model = _start(work, value)
            is_other = model is not None and (or_itself or model.value != alias.value)
            return model if is_other and work.values(value).kind is Kind.MODULE else None
    return None


def _start(work: NormalizationRound, value: cst.BaseExpression) -> cst.Name | None:
    """The name of a module that an expression moves or only gives: `model` of `model.to(device)`, `model if flag else model`."""
    if isinstance(value, cst.IfExp):
        yes, no = _start(work, value.body), _start(work, value.orelse)
        is_one = yes is not None and no is not None and yes.value == no.value
        only_gives = isinstance(value.body, cst.Name) and isinstance(value.orelse, cst.Name)
        return yes if is_one and only_gives and _is_looked_at(value.test) else None
    start = chain_start(value, PLACING | SETTING)
    return start if isinstance(start, cst.Name) else None


def _is_looked_at(test: cst.BaseExpression) -> bool:
    """Whether a condition only reads: it need not be asked."""
    return not any(isinstance(item, _ACTING) for item in (test, *descendants(test)))


def _is_unknown_elsewhere(work: NormalizationRound, variable: Variable) -> bool:
    """Whether no other file of the program speaks of a variable."""
    of_file = variable.owner is work.index.module
    others = [item for item in work.program.files if item is not work.program] if of_file else []
    return not any(item.mentions(variable.name) for item in others)


def _normalize(work: NormalizationRound, alias: Variable) -> None:
    definitions, found = work.program.definitions, list[tuple[cst.SimpleStatementLine, cst.BaseExpression]]()
    models = set[Variable | None]()
    every = definitions.every(alias)
    for item in every:
        assign = work.index.parents.get(work.index.parents.get(item.node, item.node))
        model, line = _module_named(work, assign, or_itself=True), work.index.statement_of(item.node)
        if model is None or not isinstance(assign, cst.Assign) or not isinstance(line, cst.SimpleStatementLine):
            return
        models.add(definitions.scopes.variable(model))
        models.discard(alias)
        found.append((line, assign.value))
    variable = models.pop() if len(models) == 1 else None
    uses = list(dict.fromkeys(use for item in every for use in definitions.uses(item)))
    if variable is None or variable.owner is not alias.owner or not uses or not _is_unknown_elsewhere(work, alias):
        return
    if not is_settled(work, [line for line, _ in found], variable) or not _are_replaceable(work, uses, variable):
        return
    for use in uses:
        work.edits.replace(use, lambda rewrite: cst.Name(variable.name))
    for line, value in found:
        if isinstance(value, (cst.Name, cst.IfExp)):
            work.edits.remove(line)
        else:
            work.edits.rewrite_statement(line, partial(_moved, line, value))


def is_settled(work: NormalizationRound, lines: Sequence[cst.SimpleStatementLine], variable: Variable) -> bool:
    """Whether all that binds the module's name stands in front of some lines, and in no loop with one of them."""
    owner, scopes = variable.owner, work.program.definitions.scopes
    every = [item.node for item in work.program.definitions.every(variable)]
    bound = [node for node in every if not _is_parameter(work, node, owner)]
    if any(scopes.around(node) is not owner for node in bound):
        return False
    order = work.index.order
    if any(order[node] > min(order[line] for line in lines) for node in bound):
        return False
    around = [set(_loops(work, line, owner)) for line in lines]
    return not any(loop in loops for node in bound for loop in _loops(work, node, owner) for loops in around)


def _loops(work: NormalizationRound, node: cst.CSTNode, owner: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The loops of a scope that a node stands in."""
    for item in takewhile(lambda item: item is not owner, work.index.ancestors(node)):
        if isinstance(item, (cst.For, cst.While)):
            yield item


def _is_parameter(work: NormalizationRound, node: cst.CSTNode, function: cst.CSTNode | None) -> bool:
    while isinstance(node, (cst.Name, cst.Param, cst.Parameters)):
        node = work.index.parents[node]
    return node is function and node is not None


def _are_replaceable(work: NormalizationRound, uses: Sequence[cst.Name], variable: Variable) -> bool:
    """Whether reads may be of another name, which means the same variable where they stand."""
    scopes = work.program.definitions.scopes
    return all(
        not isinstance(work.index.parents[use], (cst.Del, cst.NameItem))
        and scopes.lookup(variable.name, scopes.around(use)) == variable
        for use in uses
    )


def _moved(line: cst.SimpleStatementLine, value: cst.BaseExpression, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    """What is left of the line: the module moves, or is put into a mode."""
    moved = rewrite(value)
    assert isinstance(moved, cst.BaseExpression)
    return [line.with_changes(body=[cst.Expr(moved)])]


__all__ = ["is_settled", "normalize_module_aliases"]

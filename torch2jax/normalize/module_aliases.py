"""One name for a module that has two: what training makes of it has no other.

model = Net()                                    ->   model = Net()
m = model.to(device)                                  model.to(device)
... model(x) ... m.generate(context) ...              ... model(x) ... model.generate(context) ...

In torch both names stand for the same object. Both are variables of one scope, and neither gets another value behind the line
that makes them one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING, SETTING
from torch2jax.program.calls import chain_start
from torch2jax.program.scopes import Variable
from torch2jax.syntax.edits import Rewriter
from torch2jax.values import Kind


def normalize_module_aliases(work: NormalizationRound) -> None:
    """Normalize such names where modules are values."""
    if work.effects is None or not work.effects.threads:
        return
    for assign in work.index.every(cst.Assign):
        match assign, work.index.parents.get(assign):
            case (
                cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as alias)], value=value),
                cst.SimpleStatementLine(body=[_]) as line,
            ):
                model = chain_start(value, PLACING | SETTING)
                if isinstance(model, cst.Name) and alias.value != model.value and _is_known(work, alias, value, line):
                    _normalize(work, line, alias, model, value)


def _is_known(
    work: NormalizationRound, alias: cst.Name, value: cst.BaseExpression, line: cst.SimpleStatementLine
) -> bool:
    """Whether a value is a module, in a line whose name no other file of the program speaks of."""
    of_file = isinstance(work.index.parents.get(line), cst.Module)
    others = [item for item in work.program.files if item is not work.program] if of_file else []
    return work.values(value).kind is Kind.MODULE and not any(item.mentions(alias.value) for item in others)


def _normalize(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    alias: cst.Name,
    model: cst.Name,
    value: cst.BaseExpression,
) -> None:
    definitions = work.program.definitions
    definition, variable = definitions.bound_once(alias), definitions.scopes.variable(model)
    if definition is None or variable is None or definition.variable.owner is not variable.owner:
        return
    uses = definitions.uses(definition)
    if not uses or not _is_settled(work, line, variable) or not _are_replaceable(work, uses, variable):
        return
    for use in uses:
        work.edits.replace(use, lambda rewrite: cst.Name(model.value))
    work.edits.rewrite_statement(line, partial(_moved, line, value))


def _is_settled(work: NormalizationRound, line: cst.SimpleStatementLine, variable: Variable) -> bool:
    """Whether all that binds the module's name stands in front of a line of the same block, which is no loop's or branch's."""
    block = work.index.parents[line]
    around = work.index.parents.get(block)
    if not isinstance(block, cst.Module) and not isinstance(around, cst.FunctionDef):
        return False
    body: Sequence[cst.CSTNode] = block.body if isinstance(block, (cst.Module, cst.IndentedBlock)) else ()
    above = set(body[: body.index(line)])
    return all(
        item.node is around
        or any(node in above for node in (item.node, *work.index.ancestors(item.node)))
        or _is_parameter(work, item.node, around)
        for item in work.program.definitions.every(variable)
    )


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
    if isinstance(value, cst.Name):
        return ()
    moved = rewrite(value)
    assert isinstance(moved, cst.BaseExpression)
    return [line.with_changes(body=[cst.Expr(moved)])]

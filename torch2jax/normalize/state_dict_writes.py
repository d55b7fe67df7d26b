"""Writes to the tensors of a module's state dict, which are its parameters: the dict gets other ones, and the module the dict.

sd = model.state_dict()                      ->   sd = model.state_dict()
for k in keys:                                    for k in keys:
    sd[k].copy_(other[k])                             sd[k] = other[k]
                                                  model.load_state_dict(sd)
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_state_dict_writes(work: NormalizationRound) -> None:
    """Normalize all such writes of a file whose module is used for nothing else meanwhile."""
    if not work.program.mentions("state_dict") or not work.program.mentions("copy_"):
        return
    written: dict[tuple[cst.BaseStatement, str, str], list[cst.Expr]] = {}
    for call in work.index.calls:
        found = _write(work, call)
        made = _made(work, call, found) if found is not None else None
        line = _line_beside(work, call, made[0]) if made is not None else None
        statement = work.index.parents.get(call)
        if found is not None and made is not None and line is not None and isinstance(statement, cst.Expr):
            written.setdefault((line, found, made[1]), []).append(statement)
    for (place, name, model), statements in written.items():
        names = {node.value for node in descendants(place) if isinstance(node, cst.Name)}
        if model.split(".")[0] in names:
            continue
        for item in statements:
            work.edits.replace(item, partial(_stored, item))
        loaded = f"{model}.load_state_dict({name})"
        work.edits.after(place, lambda rewrite, loaded=loaded: [quote_statement(loaded)])  # type: ignore[misc]


def _write(work: NormalizationRound, call: cst.Call) -> str | None:
    """The variable with the state dict in `sd[k].copy_(v)`."""
    match call:
        case cst.Call(
            func=cst.Attribute(value=cst.Subscript(value=cst.Name(name) as owner), attr=cst.Name("copy_")),
            args=[cst.Arg(keyword=None, star="")],
        ) if work.values(owner).kind is Kind.STATE_DICT:
            return name
    return None


def _made(work: NormalizationRound, call: cst.Call, name: str) -> tuple[cst.BaseStatement, str] | None:
    """The statement that alone binds the variable, and the module whose dict it is: `sd = model.state_dict()`."""
    function = work.index.function_of(call)
    bound = [
        node
        for node in work.index.nodes
        if work.index.function_of(node) is function
        and isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr))
        and isinstance(node.target, cst.Name)
        and node.target.value == name
    ]
    assignment = work.index.parents.get(bound[0]) if len(bound) == 1 else None
    match assignment:
        case cst.Assign(value=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("state_dict")), args=[])):
            model = dotted(owner)
            line = work.index.parents.get(assignment)
            if (
                model is not None
                and work.values(owner).kind is Kind.MODULE
                and isinstance(line, cst.SimpleStatementLine)
            ):
                return line, model
    return None


def _line_beside(work: NormalizationRound, call: cst.Call, made: cst.BaseStatement) -> cst.BaseStatement | None:
    """The statement of the block that `made` stands in, behind it, in which a call stands."""
    block = work.index.parents.get(made)
    child: cst.CSTNode = call
    for ancestor in work.index.ancestors(call):
        if ancestor is block and isinstance(ancestor, (cst.IndentedBlock, cst.Module)):
            lines = list(ancestor.body)
            numbers = [number for number, line in enumerate(lines) if line is child or line is made]
            return lines[numbers[1]] if len(numbers) == 2 and lines[numbers[0]] is made else None
        child = ancestor
    return None


def _stored(statement: cst.Expr, rewrite: Rewriter) -> cst.Assign:
    call = cst.ensure_type(rewrite.inside(statement.value), cst.Call)
    place = cst.ensure_type(cst.ensure_type(call.func, cst.Attribute).value, cst.Subscript)
    return cst.Assign([cst.AssignTarget(place)], call.args[0].value)


__all__ = ["normalize_state_dict_writes"]

"""Arguments whose name goes on as that of something else, which shares storage with them and is changed: it gets a name of its own.

def total(x):                           def total(x):
    x = x.view(-1)                          x_1 = x.view(-1)
    x[0] = 0                                x_1[0] = 0
    return x.sum()                 ->       return x_1.sum()

def shifted(x):                         def shifted(x):
    if x.size(0) == 1:                      if x.size(0) == 1:
        x = x.repeat(3, 1)                      x_1 = x.repeat(3, 1)
    x[0] -= 1                      ->           x_1[0] -= 1
    return x                                    return x_1
                                            else:
                                                x[0] -= 1
                                                return x

So the argument can be given back, as what it has become.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import INNER_SCOPES, descendants

_LONGEST = 8  # lines that stand in two branches


def part_names(work: NormalizationRound, function: Function, name: str, rebinding: cst.BaseStatement) -> bool:
    """Whether what a statement binds to the name of an argument has got another one, or stands where it can get one next."""
    body = function.node.body
    inner = [node for node in descendants(body) if isinstance(node, INNER_SCOPES) and name in names_in(node)]
    if inner or not isinstance(body, cst.IndentedBlock) or not _is_plain(rebinding):
        return False
    block = work.index.parents[rebinding]
    if not isinstance(block, cst.IndentedBlock):
        return False
    if _ends_function(work, function, block):
        _rename(work, block, rebinding, name)
        return True
    return _take_rest_inside(work, body, block)


def _is_plain(line: cst.BaseStatement) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[_])]):
            return True
    return False


def _ends_function(work: NormalizationRound, function: Function, block: cst.CSTNode) -> bool:
    """Whether nothing of a function runs behind a block: it is the last on its way."""
    while block is not function.node.body:
        branch = work.index.parents[block]
        choice = branch
        while isinstance(choice, (cst.Else, cst.If)) and not isinstance(work.index.parents[choice], cst.IndentedBlock):
            choice = work.index.parents[choice]
        around = work.index.parents[choice]
        if not isinstance(choice, cst.If) or not isinstance(around, cst.IndentedBlock):
            return False
        if not _leaves(block) and around.body[-1] is not choice:
            return False
        block = around
    return True


def _leaves(block: cst.CSTNode) -> bool:
    match block:
        case cst.IndentedBlock(body=[*_, cst.SimpleStatementLine(body=[*_, cst.Return() | cst.Raise()])]):
            return True
    return False


def _rename(work: NormalizationRound, block: cst.IndentedBlock, rebinding: cst.BaseStatement, name: str) -> None:
    new = work.names_at(rebinding)(name)
    lines = list(block.body)
    behind = lines[lines.index(rebinding) + 1 :]
    assign = cst.ensure_type(cst.ensure_type(rebinding, cst.SimpleStatementLine).body[0], cst.Assign)
    for part in (assign.targets[0], *behind):
        for node in (part, *descendants(part)):
            if isinstance(node, cst.Name) and node.value == name and not work.index.is_label(node):
                work.edits.replace(node, partial(_named, new))


def _named(name: str, rewrite: Rewriter) -> cst.CSTNode:
    return cst.Name(name)


def _take_rest_inside(work: NormalizationRound, body: cst.IndentedBlock, block: cst.IndentedBlock) -> bool:
    """Let the lines behind a choice stand in its branches, which then end the function."""
    choice = work.index.parents[block]
    while isinstance(choice, (cst.Else, cst.If)) and choice not in body.body:
        choice = work.index.parents[choice]
    if not isinstance(choice, cst.If) or choice not in body.body:
        return False
    lines = list(body.body)
    rest = lines[lines.index(choice) + 1 :]
    simple = [node for line in rest for node in (line, *descendants(line)) if isinstance(node, cst.SimpleStatementLine)]
    if (
        not rest
        or len(simple) > _LONGEST
        or any(isinstance(node, INNER_SCOPES) for line in rest for node in descendants(line))
    ):
        return False
    for line in rest:
        work.edits.remove(line)
    work.edits.rewrite_statement(choice, lambda rewrite: [_with_rest(work, choice, rest)])
    return True


def _with_rest(work: NormalizationRound, choice: cst.If, rest: Sequence[cst.BaseStatement]) -> cst.If:
    def extended(block: cst.BaseSuite) -> cst.BaseSuite:
        copied = work.copy(cst.ensure_type(block, cst.IndentedBlock))
        if _leaves(block):
            return copied
        return copied.with_changes(body=[*copied.body, *map(work.copy, rest)])

    match choice.orelse:
        case cst.If() as other:
            otherwise: cst.If | cst.Else = _with_rest(work, other, rest)
        case cst.Else(body=block) as other:
            otherwise = other.with_changes(body=extended(block))
        case _:
            first, *others = map(work.copy, rest)
            notes = [line for line in getattr(first, "leading_lines", ()) if line.comment is not None]
            otherwise = cst.Else(cst.IndentedBlock([first.with_changes(leading_lines=notes), *others]))
    return choice.with_changes(test=work.copy(choice.test), body=extended(choice.body), orelse=otherwise)


__all__ = ["part_names"]

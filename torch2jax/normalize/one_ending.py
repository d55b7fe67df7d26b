"""A function that gives something back in several branches, as one that does so at its end.

def loss(self, logit, target):                      def loss(self, logit, target):
    if self.kind == "soft":                             if self.kind == "soft":
        return F.mse_loss(logit, target)       ->           result = F.mse_loss(logit, target)
    scale = self.scale                                  else:
    return scale * F.cross_entropy(logit, target)           scale = self.scale
                                                            result = scale * F.cross_entropy(logit, target)
                                                        return result
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.program.statements import suite_body
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants

Row = Sequence[cst.BaseStatement]


def with_one_ending(node: cst.FunctionDef, name: str) -> cst.FunctionDef | None:
    """A function of the same statements that binds what it gives back to a variable, and gives that back at its end; None where
    returns lie in loops and their like.
    """
    body = _ended(suite_body(node), name)
    if body is None:
        return None
    return node.with_changes(body=cst.IndentedBlock([*body, quote_statement(f"return {name}")]))


def _ended(body: Row, name: str) -> list[cst.BaseStatement] | None:
    """A row of statements with a store for each return; what stands behind a choice goes into the branch that goes on."""
    for position, line in enumerate(body):
        before, rest = [*body[:position]], body[position + 1 :]
        if not _returns(line):
            continue
        match line:
            case cst.SimpleStatementLine(body=[*others, cst.Return(value=value)]):
                stored = quote_statement(f"{name} = {{value}}", value=value or cst.Name("None"))
                kept = [line.with_changes(body=others)] if others else []
                return [*before, *kept, stored.with_changes(leading_lines=() if others else line.leading_lines)]
            case cst.If():
                choice = _choice(line, rest, name)
                return None if choice is None else [*before, choice]
        return None
    return [*body] if not _may_end(body) else [*body, quote_statement(f"{name} = None")]


def _choice(node: cst.If, rest: Row, name: str) -> cst.If | None:
    """A choice whose branches all end with a store; None where what stands behind it would be needed in several of them."""
    otherwise = node.orelse
    if rest and _goes_on(node) > 1:
        return None
    own = suite_body(node)
    body = _ended([*own, *(rest if _may_end(own) else ())], name)
    if body is None:
        return None
    if isinstance(otherwise, cst.If):
        other: cst.If | cst.Else | None = _choice(otherwise, rest, name)
        if other is None:
            return None
    else:
        theirs = suite_body(otherwise) if otherwise is not None else ()
        ended = _ended([*theirs, *(rest if _may_end(theirs) else ())], name)
        if ended is None:
            return None
        kept = otherwise if otherwise is not None else cst.Else(cst.IndentedBlock([]))
        other = kept.with_changes(body=cst.IndentedBlock(ended))
    return node.with_changes(body=cst.IndentedBlock(body), orelse=other)


def _goes_on(node: cst.If) -> int:
    """How many branches of a choice come to what stands behind it."""
    otherwise = node.orelse
    own = int(_may_end(suite_body(node)))
    if isinstance(otherwise, cst.If):
        return own + _goes_on(otherwise)
    return own + int(otherwise is None or _may_end(suite_body(otherwise)))


def _may_end(body: Row) -> bool:
    """Whether some way comes to the end of a row of statements."""
    last = body[-1] if body else None
    if isinstance(last, cst.SimpleStatementLine):
        return not isinstance(last.body[-1], (cst.Return, cst.Raise))
    if isinstance(last, cst.If):
        return _goes_on(last) > 0
    return True


def _returns(line: cst.BaseStatement) -> bool:
    return any(isinstance(node, cst.Return) for node in (line, *descendants(line)))


__all__ = ["with_one_ending"]

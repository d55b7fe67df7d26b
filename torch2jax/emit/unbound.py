"""Variables that a program reads before any line can have bound them, of its text alone.

def train(nets, optimizers):
    first, second = optimizers
    for x in data:
        opt_state = step(first, opt_state, x)      # Python stops here: UnboundLocalError

A variable counts as bound behind every line that may bind it, so that what is found always fails.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence, Set

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
Read = tuple[str, int, int]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def unbound_reads(tree: ast.Module) -> list[tuple[str, str, int, int]]:
    """(function, variable, line, column) of the first such read of each variable in each function, lines and columns from 1."""
    found: list[tuple[str, str, int, int]] = []
    for function in (node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)):
        known = {argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)}
        outer = {
            name for node in _own(function.body) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names
        }
        own = set(_bound(function.body)) - outer - known
        in_expressions = {item.target.id for item in ast.walk(function) if isinstance(item, ast.NamedExpr)}
        given_away = {  # what inner functions bind may be bound when one of them has run
            name for node in ast.walk(function) if isinstance(node, ast.Nonlocal) for name in node.names
        }
        seen = set[str]()
        for name, line, column in sorted(
            _Reader(own - given_away - in_expressions).block(function.body, frozenset())[0], key=lambda item: item[1:]
        ):
            if name not in seen:
                seen.add(name)
                found.append((function.name, name, line, column))
    return found


def _own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function, without those of the functions and classes in it."""
    for node in body:
        yield node
        if not isinstance(node, _SCOPES):
            yield from _own(ast.iter_child_nodes(node))


def _bound(body: Iterable[ast.AST]) -> Iterator[str]:
    """The variables that statements may bind, those of comprehensions left out."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                continue
            case ast.Lambda():
                continue
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                yield from (item.target.id for item in ast.walk(node) if isinstance(item, ast.NamedExpr))
                continue
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (item.asname or item.name.partition(".")[0] for item in names)
        yield from _bound(ast.iter_child_nodes(node))


class _Reader:
    """Goes through the statements of a function as they run. Behind a read that fails nothing runs."""

    def __init__(self, own: Set[str]) -> None:
        self.own = own - set(dir(builtins))

    def block(self, body: Iterable[ast.stmt], bound: frozenset[str]) -> tuple[list[Read], frozenset[str] | None]:
        """The reads that fail, and what may be bound behind the statements; None where that is not reached."""
        found: list[Read] = []
        now: frozenset[str] | None = bound
        for statement in body:
            if now is None:
                break
            reads, now = self.statement(statement, now)
            found += reads
        return found, now

    def statement(self, statement: ast.stmt, bound: frozenset[str]) -> tuple[list[Read], frozenset[str] | None]:
        """The same of one statement."""
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return self.behind(statement.decorator_list, bound, frozenset({statement.name}))
            case ast.If(test=test, body=body, orelse=orelse):
                return self.branches([test], bound, [body, orelse])
            case (
                ast.For(iter=iterated, target=target, body=body) | ast.AsyncFor(iter=iterated, target=target, body=body)
            ):
                return self.loop([iterated], bound, frozenset(_bound([target])), body, statement.orelse)
            case ast.While(test=test, body=body, orelse=orelse):
                return self.loop([test], bound, frozenset(), body, orelse)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                found: list[Read] = []
                now: frozenset[str] | None = bound
                for item in items:
                    if now is not None:
                        reads, now = self.behind([item], now, frozenset(_bound([item])))
                        found += reads
                inner, behind = self.block(body, now) if now is not None else ([], None)
                return found + inner, behind
            case ast.Match(subject=subject, cases=cases):
                named = [name for case in cases for name in _bound([case.pattern])]
                return self.branches([subject], bound | frozenset(named), [*(case.body for case in cases), []])
            case ast.Try() | ast.TryStar():
                inner, behind = self.block(statement.body, bound)
                may_be = bound | frozenset(_bound(statement.body)) | frozenset(_bound(statement.handlers))
                parts = [self.block(item.body, may_be) for item in statement.handlers]
                parts.append(self.block(statement.orelse, may_be))
                last, after = self.block(statement.finalbody, may_be.union(*(part or frozenset() for _, part in parts)))
                reads = [
                    *(inner if not statement.handlers else []),
                    *(item for part, _ in parts for item in part),
                    *last,
                ]
                return reads, after if behind is not None or statement.handlers else None
            case ast.Return() | ast.Raise():
                return self.reads([statement], bound), None
        return self.behind([statement], bound, frozenset(_bound([statement])))

    def behind(
        self, nodes: Iterable[ast.AST], bound: frozenset[str], made: frozenset[str]
    ) -> tuple[list[Read], frozenset[str] | None]:
        found = self.reads(nodes, bound)
        return found, None if found else bound | made

    def branches(
        self, head: Sequence[ast.AST], bound: frozenset[str], parts: Sequence[Sequence[ast.stmt]]
    ) -> tuple[list[Read], frozenset[str] | None]:
        """Statements of which some run, or none."""
        found, now = self.behind(head, bound, frozenset(_bound(head)))
        if now is None:
            return found, None
        done = [self.block(part, now) for part in parts]
        reached = [behind for _, behind in done if behind is not None]
        reads = found + [item for part, _ in done for item in part]
        return reads, now.union(*reached) if reached else None

    def loop(
        self,
        head: Sequence[ast.AST],
        bound: frozenset[str],
        made: frozenset[str],
        body: Sequence[ast.stmt],
        orelse: Sequence[ast.stmt],
    ) -> tuple[list[Read], frozenset[str] | None]:
        """A read in a later round may find what an earlier one has bound."""
        found, now = self.behind(head, bound, frozenset(_bound(head)) | made)
        if now is None:
            return found, None
        _, behind = self.block(body, now)
        reads, behind = self.block(body, now | (behind or frozenset()))
        last, after = self.block(orelse, now | (behind or frozenset()))
        return [*reads, *last], after

    def reads(self, nodes: Iterable[ast.AST], bound: frozenset[str]) -> list[Read]:
        """The reads of expressions that run for sure: not those of inner functions, of comprehensions, which have variables
        of their own, and of what a condition leaves out.
        """
        waiting, found = list(nodes), list[Read]()
        while waiting:
            node = waiting.pop()
            match node:
                case ast.Name(id=name, ctx=ast.Load()) if name in self.own and name not in bound:
                    found.append((name, node.lineno, node.col_offset + 1))
                case ast.IfExp(test=test):
                    waiting.append(test)
                case ast.BoolOp(values=values):
                    waiting.append(values[0])
                case ast.Name() | ast.Constant() | ast.Lambda():
                    continue
                case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                    waiting.append(node.generators[0].iter)
                case _:
                    waiting += ast.iter_child_nodes(node)
        return found


__all__ = ["unbound_reads"]

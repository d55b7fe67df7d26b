"""Makes a failing program smaller as long as it fails in the same way: fewer statements, then simpler expressions."""

import ast
import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.fuzz.generate import Program
from tests.fuzz.running import CRASHED, FAILURES, Outcome, judge


def shrink(program: Program, outcome: Outcome, seconds: float = 60) -> Program:
    """A smaller program with the same kind of failure; the same one if it does not fail alone."""
    deadline = time.monotonic() + seconds
    wanted = _signature(outcome)

    def fails(candidate: Program) -> bool:
        found = judge([candidate])[candidate.name]
        return found.kind in FAILURES and _signature(found) == wanted

    for count in range(len(program.inputs)):
        one = replace(program, inputs=program.inputs[count : count + 1])
        if fails(one):
            program = one
            break
    tree = ast.parse(program.source)
    changed = True
    while changed and time.monotonic() < deadline:
        changed = False
        for candidate in smaller(tree):
            if time.monotonic() > deadline:
                break
            text = ast.unparse(candidate) + "\n"
            if fails(replace(program, source=text)):
                tree, changed = ast.parse(text), True
                break
    return replace(program, source=ast.unparse(tree) + "\n")


def _signature(outcome: Outcome) -> str:
    """The kind of a failure; of a crash also the type of the exception and the start of what it says."""
    if outcome.kind == CRASHED:
        return f"{outcome.kind} {outcome.codes} {outcome.detail[:30]}"
    place, _, what = outcome.detail.partition(": ")
    return f"{outcome.kind} {' '.join(what.split()[:1])}" if place else outcome.kind


def smaller(tree: ast.Module) -> Iterator[ast.Module]:
    """Variants of a program, the boldest first."""
    lists = _count(tree, _suites)
    for size in (4, 2, 1):
        for number in reversed(range(lists)):
            length = len(_nth(tree, _suites, number))
            for start in reversed(range(0, length, 1)):
                if start + size <= length:
                    yield _changed(tree, _suites, number, lambda suite, at=start, n=size: _cut(suite, at, n))
    for number in reversed(range(lists)):
        for at, statement in enumerate(_nth(tree, _suites, number)):
            if isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
                yield _changed(tree, _suites, number, lambda suite, at=at: _flatten(suite, at, "body"))
            if isinstance(statement, (ast.If, ast.For, ast.While)) and statement.orelse:
                yield _changed(tree, _suites, number, lambda suite, at=at: _flatten(suite, at, "orelse"))
    for number in range(_count(tree, _holders)):
        node, field, index = _nth(tree, _holders, number)
        value = _get(node, field, index)
        for simpler in _simpler(value):
            yield _changed(tree, _holders, number, lambda holder, new=simpler: _set(*holder, new))


def _changed(tree: ast.Module, find: Callable, number: int, change: Callable) -> ast.Module:
    other = copy.deepcopy(tree)
    change(_nth(other, find, number))
    return other


def _count(tree: ast.Module, find: Callable) -> int:
    return sum(1 for _ in find(tree))


def _nth(tree: ast.Module, find: Callable, number: int) -> object:
    return next(item for count, item in enumerate(find(tree)) if count == number)


def _suites(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            suite = getattr(node, field, None)
            if isinstance(suite, list) and suite:
                yield suite


def _cut(suite: list[ast.stmt], at: int, count: int) -> None:
    suite[at : at + count] = []
    if not suite:
        suite.append(ast.Pass())


def _flatten(suite: list[ast.stmt], at: int, field: str) -> None:
    suite[at : at + 1] = getattr(suite[at], field)


def _holders(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Every place of an expression that may become simpler."""
    for node in ast.walk(tree):
        for field, value in () if isinstance(node, ast.JoinedStr) else ast.iter_fields(node):
            if isinstance(value, ast.expr) and field not in ("func", "annotation", "target", "returns"):
                yield node, field, None
            elif isinstance(value, list) and field in ("args", "elts", "values", "comparators", "keywords"):
                for index, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        yield node, field, index


def _get(node: ast.AST, field: str, index: int | None) -> ast.expr:
    value = getattr(node, field)
    return value if index is None else value[index]


def _set(node: ast.AST, field: str, index: int | None, new: ast.expr) -> None:
    if index is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[index] = new


def _simpler(value: ast.expr) -> Iterator[ast.expr]:
    match value:
        case ast.Constant() | ast.Name():
            return
        case ast.Tuple(elts=items) | ast.List(elts=items):
            if isinstance(getattr(value, "ctx", None), ast.Store):
                return
            yield from items
            for number in range(len(items)):
                if len(items) > 1:
                    yield type(value)(elts=items[:number] + items[number + 1 :], ctx=ast.Load())
        case ast.Dict(keys=keys, values=values):
            yield from values
            for number in range(len(values)):
                yield ast.Dict(keys=keys[:number] + keys[number + 1 :], values=values[:number] + values[number + 1 :])
        case ast.Call(func=ast.Attribute(value=receiver), args=arguments):
            yield receiver
            yield from arguments
        case ast.BinOp(left=left, right=right):
            yield left
            yield right
        case ast.BoolOp(values=values):
            yield from values
        case ast.IfExp(body=body, orelse=other):
            yield body
            yield other
        case ast.Compare(left=left):
            yield ast.Constant(True)
            yield ast.Constant(False)
            yield left
        case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.UnaryOp(operand=inner):
            yield inner
        case ast.Call(args=arguments):
            yield from arguments
    yield ast.Constant(1)
    yield ast.Constant(0.5)

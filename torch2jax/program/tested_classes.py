"""Which classes a program asks modules about, as far as its text says so, also where variables stand for them.

isinstance(m, nn.ReLU)                      type(m) == nn.ReLU                 m.__class__.__name__ == "ReLU"

SKIPPED = (nn.ReLU, nn.Dropout2d)           handlers = {nn.ReLU: count_zero}   def count(model, kinds): ...
isinstance(m, SKIPPED)                      handlers[type(m)](m)               count(model, nn.ReLU)

Names are all that is known of a variable, in whatever file: what is found may be more than what is asked for.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Iterator

from torch2jax.records import dataclass

_TESTS = ("isinstance", "issubclass")
_LOOKUPS = ("get", "pop", "index", "count")
GROWING = frozenset({"append", "add", "extend", "insert", "update"})
_COLLECTING = ("tuple", "list", "set", "frozenset", "dict", "zip", "enumerate", "items", "keys")
_IDENTITY = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
_CLASS = re.compile(r"[A-Z]\w+")
_WORD = re.compile(r"[A-Z][A-Za-z0-9]{2,}")


@dataclass(frozen=True, slots=True)
class TestedClasses:
    """What a file says: the names in each of its `tests`, what stands for what (`bound`), the `texts` with which it may compare
    names of classes, and the classes that it defines.
    """

    tests: frozenset[frozenset[str]] = frozenset()
    bound: frozenset[tuple[str, str]] = frozenset()
    texts: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()


def tested_classes(nodes: Iterable[ast.AST]) -> TestedClasses:
    """What the nodes of a parsed file say."""
    every = list(nodes)
    kept = frozenset(_names_kept(every))
    tests = frozenset(frozenset(names) for node in every for names in _tests(node, kept) if names)
    texts: frozenset[str] = frozenset()
    if any(isinstance(node, ast.Attribute) and node.attr == "__name__" and _is_class_of(node.value) for node in every):
        words = (node.value for node in every if isinstance(node, ast.Constant) and isinstance(node.value, str))
        texts = frozenset(word for word in words if _WORD.fullmatch(word))
    bound = frozenset((name, other) for node in every for name, other in _bindings(node) if name != other)
    defined = frozenset(node.name for node in every if isinstance(node, ast.ClassDef))
    return TestedClasses(tests, bound, texts, defined)


@functools.lru_cache(maxsize=256)
def bindings_of(text: str) -> frozenset[tuple[str, str]]:
    """The names of a file, each with one that it may stand for. `f[0]` is the first argument of `f`."""
    return frozenset(pair for node in ast.walk(ast.parse(text)) for pair in _bindings(node) if pair[0] != pair[1])


def names_tested(files: Iterable[TestedClasses]) -> Iterator[frozenset[str]]:
    """For each test of a program the names of all classes and variables that it may be about."""
    known = list(files)
    stands_for: dict[str, set[str]] = {}
    for file in known:
        for name, other in file.bound if any(item.tests for item in known) else ():
            stands_for.setdefault(name, set()).add(other)
    for test in {test for file in known for test in file.tests}:
        found, waiting = set(test), list(test)
        while waiting:
            more = stands_for.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        yield frozenset(found)


def _tests(node: ast.AST, kept: frozenset[str]) -> Iterator[set[str]]:
    """The names in what a node asks a class to be; `kept` are variables that hold the class of something."""
    match node:
        case ast.Call(func=ast.Name(id=function), args=[_, asked]) if function in _TESTS:
            yield _names(asked)
        case ast.Call(func=ast.Attribute(value=table, attr=method), args=[first, *_]) if method in _LOOKUPS:
            if _is_class_of(first, kept):
                yield _names(table)
        case ast.Subscript(value=table, slice=key) if _is_class_of(key, kept):
            yield _names(table)
        case ast.Compare(left=left, ops=ops, comparators=others) if any(isinstance(item, _IDENTITY) for item in ops):
            found = {name for item in (left, *others) for name in _names(item)}
            asks = any(_is_class_of(item, kept) for item in (left, *others))
            yield found if asks else {name for name in found if _CLASS.fullmatch(name)}
        case ast.MatchClass(cls=asked):
            yield _names(asked)


def _names_kept(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_class_of(value):
                yield name


def _is_class_of(node: ast.AST, kept: frozenset[str] = frozenset()) -> bool:
    """`type(m)`, `m.__class__`, or a variable that holds such."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[_]) | ast.Attribute(attr="__class__"):
            return True
        case ast.Name(id=name):
            return name in kept
    return False


def _bindings(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What a node binds: a name, and a name in what it stands for. `f[0]` is the first argument of `f`."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((name, other) for target in targets for name in _targets(target) for other in _names(value))
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
            yield from ((name, other) for name in _targets(target) for other in _names(value))
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            yield from ((name, other) for name in _targets(target) for other in _names(value))
        case ast.Call(func=function, args=args, keywords=keywords):
            yield from ((item.arg, other) for item in keywords if item.arg for other in _names(item.value))
            for name in _targets(function):
                yield from ((f"{name}[{at}]", other) for at, item in enumerate(args) for other in _names(item))
            if isinstance(function, ast.Attribute) and function.attr in GROWING:
                grown = _targets(function.value)
                yield from ((name, other) for name in grown for item in args for other in _names(item))
        case ast.ClassDef(name=name, body=body):
            for item in body:
                if isinstance(item, ast.FunctionDef):
                    yield from _parameters(name if item.name == "__init__" else item.name, item.args, skipped=1)
        case ast.FunctionDef(name=name, args=arguments):
            yield from _parameters(name, arguments)
        case ast.ImportFrom(names=names):
            yield from ((item.asname, item.name) for item in names if item.asname)


def _parameters(name: str, arguments: ast.arguments, skipped: int = 0) -> Iterator[tuple[str, str]]:
    """What the parameters of a function stand for: their arguments, and their values where there are none."""
    plain = [*arguments.posonlyargs, *arguments.args]
    yield from ((item.arg, f"{name}[{at}]") for at, item in enumerate(plain[skipped:]))
    pairs = [*zip(plain[::-1], arguments.defaults[::-1], strict=False)]
    pairs += [(item, value) for item, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value]
    yield from ((item.arg, other) for item, value in pairs for other in _names(value))


def _targets(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Tuple(elts=several) | ast.List(elts=several):
            for item in several:
                yield from _targets(item)


def _names(node: ast.AST) -> set[str]:
    """The last words of the names in an expression that lists, chooses or takes apart what they stand for."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return {name}
        case ast.Tuple(elts=several) | ast.List(elts=several) | ast.Set(elts=several) | ast.BoolOp(values=several):
            return {name for item in several for name in _names(item)}
        case ast.Dict(keys=keys, values=values):
            return {name for item in (*keys, *values) if item is not None for name in _names(item)}
        case ast.BinOp(left=left, right=right) | ast.IfExp(body=left, orelse=right):
            return _names(left) | _names(right)
        case ast.Subscript(value=value) | ast.Starred(value=value):
            return _names(value)
        case ast.Call(func=ast.Name(id=function), args=args) if function in _COLLECTING:
            return {name for item in args for name in _names(item)}
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=[]) if method in _COLLECTING:
            return _names(value)
    return set()


__all__ = ["GROWING", "TestedClasses", "bindings_of", "names_tested", "tested_classes"]

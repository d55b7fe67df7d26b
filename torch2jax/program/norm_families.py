"""Which norms a program tells apart that are one class for whatever has no reason to: `BatchNorm` for 1d, 2d and 3d.

isinstance(m, nn.BatchNorm2d)                     where some model has an `nn.BatchNorm1d`, too
m.__class__.__name__.find("BatchNorm2d") != -1    where no layer is in sight

It is read from the text of files, so that all files of a program have the same answer, and have it before they are analysed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from torch2jax.records import dataclass

FAMILIES = {family: tuple(f"{family}{ndim}d" for ndim in (1, 2, 3)) for family in ("BatchNorm", "InstanceNorm")}
_MEMBERS = frozenset(member for family in FAMILIES.values() for member in family)


@dataclass(frozen=True, slots=True)
class NormMentions:
    """The norms that a file names, but where it asks for them, and those that each of its tests asks for together."""

    named: frozenset[str] = frozenset()
    tests: frozenset[frozenset[str]] = frozenset()


def mentions_in_text(text: str | bytes) -> NormMentions:
    """What a file says, which is nothing where it does not parse."""
    try:
        return mentions_of(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return NormMentions()


def mentions_of(tree: ast.Module) -> NormMentions:
    """What a parsed file says of norms."""
    nodes = list(ast.walk(tree))
    reads_names = any(isinstance(node, ast.Attribute) and node.attr == "__name__" for node in nodes)
    within: set[ast.AST] = set()
    tests: set[frozenset[str]] = set()
    for node in nodes:
        for asked in _asked(node):
            inside = [item for item in ast.walk(asked) if _named(item)]
            within.update(inside)
            tests.add(frozenset(map(_named, inside)))
        if reads_names and isinstance(node, ast.Constant) and isinstance(node.value, str):
            tests.add(frozenset(member for member in _MEMBERS if member in node.value))
    named = frozenset(_named(node) for node in nodes if node not in within) - {""}
    return NormMentions(named, frozenset(tests) - {frozenset()})


def told_apart(mentions: Iterable[NormMentions]) -> frozenset[str]:
    """The families of which some test asks for other members than those that the program names."""
    files = list(mentions)
    named = frozenset[str]().union(*(item.named for item in files))
    tests = frozenset[frozenset[str]]().union(*(item.tests for item in files))
    found = []
    for family, members in FAMILIES.items():
        asked = [test.intersection(members) for test in tests if test.intersection(members)]
        used = named.intersection(members)
        if any(not used or not used <= test for test in asked):
            found.append(family)
    return frozenset(found)


def _asked(node: ast.AST) -> Iterator[ast.AST]:
    """What a node asks the class of something to be."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, asked]):
            yield asked
        case ast.Compare(left=left, comparators=others) if any(map(_is_class_of, (left, *others))):
            yield from (left, *others)
        case ast.MatchClass(cls=asked):
            yield asked


def _is_class_of(node: ast.AST) -> bool:
    """`type(m)`, `m.__class__`."""
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[_]) | ast.Attribute(attr="__class__"):
            return True
    return False


def _named(node: ast.AST) -> str:
    """The norm that a node names; empty where it names none."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name if name in _MEMBERS else ""


__all__ = ["FAMILIES", "NormMentions", "mentions_in_text", "mentions_of", "told_apart"]

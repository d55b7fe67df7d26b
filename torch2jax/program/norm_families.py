"""Which layers a program tells apart that are one class for whatever has no reason to: `BatchNorm` for 1d, 2d and 3d, and what
layers without parameters are.

isinstance(m, nn.BatchNorm2d)                     where some model has an `nn.BatchNorm1d`, too
m.__class__.__name__.find("BatchNorm2d") != -1    where no layer is in sight

Norms of instances are of other classes where some call may ask that they keep running statistics: they have state then.

    nn.InstanceNorm2d(8, track_running_stats=True)

It is read from the text of files, so that all files of a program have the same answer, and have it before they are analysed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from torch2jax.program.layers_read import layers_read
from torch2jax.program.tested_classes import TestedClasses, names_tested, tested_classes
from torch2jax.records import dataclass

FAMILIES = {"BatchNorm": ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d")}
INSTANCE_NORMS = ("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d")
_TRACKED = "track_running_stats"
STATEFUL = "Stateful"  # stands among the families where norms of instances keep statistics; their classes begin with it
OWN_MODES = "mode:inference"  # stands there where a field, a method or an option of the program has the name of a mode of Equinox
_MODE = "inference"
_MEMBERS = frozenset(member for family in FAMILIES.values() for member in family)


@dataclass(frozen=True, slots=True)
class NormMentions:
    """The norms that a file names, but where it asks for them, those that each of its tests asks for together, whether
    something but a norm of batches is given `track_running_stats`, all classes that are `tested`, whether an object may
    answer for a mode of Equinox, and the layers without parameters whose fields it has `read`.
    """

    named: frozenset[str] = frozenset()
    tests: frozenset[frozenset[str]] = frozenset()
    tracked: bool = False
    tested: TestedClasses = TestedClasses()
    own_modes: bool = False
    read: frozenset[str] = frozenset()


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
    own_modes = any(map(_is_own_mode, nodes))
    tracked = any(map(_is_tracked, nodes))
    return NormMentions(
        named, frozenset(tests) - {frozenset()}, tracked, tested_classes(nodes), own_modes, layers_read(nodes)
    )


def told_apart(mentions: Iterable[NormMentions]) -> frozenset[str]:
    """The families of which some test asks for other members than those that the program names, `STATEFUL`, `OWN_MODES`, and the names of all
    classes that are asked for, or read, but those of the program; texts, and the names that hold them, stand between quotes.
    """
    files = list(mentions)
    named = frozenset[str]().union(*(item.named for item in files))
    asked_for = list(names_tested(item.tested for item in files))
    tests = frozenset[frozenset[str]](asked_for).union(*(item.tests for item in files))
    found = [f"'{text}'" for item in files for text in item.tested.texts]
    found += (
        frozenset[str]()
        .union(*asked_for, *(item.read for item in files))
        .difference(*(item.tested.defined for item in files))
    )
    for family, members in FAMILIES.items():
        asked = [test.intersection(members) for test in tests if test.intersection(members)]
        used = named.intersection(members)
        if any(not used or not used <= test for test in asked):
            found.append(family)
    if any(item.tracked for item in files):
        found.append(STATEFUL)
    if any(item.own_modes for item in files):
        found.append(OWN_MODES)
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


def _is_tracked(node: ast.AST) -> bool:
    """`norm(8, track_running_stats=True)`, `nn.InstanceNorm2d(8, 1e-5, 0.1, True, tracked)`, `{"track_running_stats": True}`."""
    match node:
        case ast.Call(func=function, args=args, keywords=keywords):
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            given = [item.value for item in keywords if item.arg == _TRACKED]
            if name.startswith("InstanceNorm"):
                given += args[4:5]
            return "BatchNorm" not in name and not all(map(_is_false, given))
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            named = [value for key, value in pairs if isinstance(key, ast.Constant) and key.value == _TRACKED]
            return not all(map(_is_false, named))
    return False


def _is_own_mode(node: ast.AST) -> bool:
    """`self.inference = flag`, `def inference(self, x)`, `Config(inference=False)`, `"--inference"`; and `__getattr__` of an object,
    which may raise another exception than `hasattr` expects.
    """
    match node:
        case ast.Attribute(attr=name) | ast.keyword(arg=name):
            return name == _MODE
        case ast.Constant(value=str() as text):
            return text.lstrip("-") == _MODE
        case ast.ClassDef(bases=bases, body=body):
            names = {name for line in body for name in _defined(line)}
            is_module = any(ast.unparse(base).endswith("Module") for base in bases)
            return _MODE in names or ("__getattr__" in names and not is_module)
    return False


def _defined(line: ast.stmt) -> Iterator[str]:
    """The names that a line of a class defines."""
    match line:
        case ast.FunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _is_false(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _named(node: ast.AST) -> str:
    """The norm that a node names; empty where it names none."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name if name in _MEMBERS else ""


__all__ = [
    "FAMILIES",
    "INSTANCE_NORMS",
    "OWN_MODES",
    "STATEFUL",
    "NormMentions",
    "mentions_in_text",
    "mentions_of",
    "told_apart",
]

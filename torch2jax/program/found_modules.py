"""Files that a program imports by names that it finds when it runs: `importlib.import_module(name)`.

model = importlib.import_module(args.model)                any file that has all that is asked of it: `Net` and `Loss`
net, loss = model.Net(3), model.Loss()
module = importlib.import_module(f"models.{args.arch}")    any of those in this package
net = getattr(module, "Network")(config)

Nobody but the program says which file it is; all that it may be are taken, and each has to be right.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torch2jax.records import dataclass

IMPORTING = frozenset({"importlib.import_module", "import_module", "__import__"})


@dataclass(frozen=True, slots=True)
class FoundModule:
    """What is known of such a file: what its name begins with, and the names that it has."""

    prefix: str
    names: frozenset[str]

    def may_be(self, name: str, defined: frozenset[str]) -> bool:
        """Whether it may be the file of this name that defines these names."""
        return bool(self.names) and self.names <= defined and name.startswith(self.prefix)


def found_modules(tree: ast.AST) -> Iterator[str | FoundModule]:
    """What a file imports in this way: the names of modules where they are written out, or what is known of others."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_import(node)]
    variables = {
        node.value: node.targets[0].id
        for node in (ast.walk(tree) if calls else ())
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    functions = [node for node in (ast.walk(tree) if calls else ()) if isinstance(node, ast.FunctionDef)]
    for call in calls:
        text = call.args[0]
        if isinstance(text, ast.Constant):
            if isinstance(text.value, str) and not text.value.startswith("."):
                yield text.value
        else:
            around: list[ast.AST] = [node for node in functions if any(inner is call for inner in ast.walk(node))]
            yield FoundModule(_beginning(text), frozenset(_asked((around or [tree])[-1], call, variables.get(call))))


def defined_names(tree: ast.Module) -> frozenset[str]:
    """The functions and classes of a file, and what it binds to its names."""
    found: set[str] = set()
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=targets):
                found.update(target.id for target in targets if isinstance(target, ast.Name))
    return frozenset(found)


def _is_import(call: ast.Call) -> bool:
    return bool(call.args) and ast.unparse(call.func) in IMPORTING


def _beginning(text: ast.expr) -> str:
    """What a text that is put together begins with, where that is written out."""
    match text:
        case ast.Constant(value=str(value)):
            return value
        case ast.JoinedStr(values=[first, *_]):
            return _beginning(first)
        case ast.BinOp(left=left, op=ast.Add()):
            return _beginning(left)
        case ast.BinOp(left=ast.Constant(value=str(value)), op=ast.Mod()):
            return value.partition("%")[0]
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(value)), attr="format")):
            return value.partition("{")[0]
    return ""


def _asked(tree: ast.AST, call: ast.Call, variable: str | None) -> Iterator[str]:
    """The names that are asked of what a call gives, at once or by a variable."""

    def is_it(node: ast.expr) -> bool:
        return node is call or (variable is not None and isinstance(node, ast.Name) and node.id == variable)

    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=held, attr=name) if is_it(held):
                yield name
            case ast.Call(func=ast.Name(id="getattr"), args=[held, ast.Constant(value=str(name)), *_]) if is_it(held):
                yield name


__all__ = ["IMPORTING", "FoundModule", "defined_names", "found_modules"]

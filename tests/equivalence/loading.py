"""Loads programs from text as modules of their own, and runs their main part.

The block under `if __name__ == "__main__":` is cut off when a module is loaded and kept beside it, so that hooks can
be put between loading and running. The local variables of `main` are kept when it ends: there live the trained models.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import importlib.util
import io
import itertools
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

_FOLDER = tempfile.TemporaryDirectory(prefix="programs")
atexit.register(_FOLDER.cleanup)
_NUMBERS = itertools.count()
_CAPTURE = "_captured_locals"


@dataclass(frozen=True, slots=True)
class MainPart:
    """The block under `if __name__ == "__main__":`; an `expression` where it is one call whose result is wanted."""

    code: CodeType
    is_expression: bool


@dataclass(frozen=True, slots=True)
class Run:
    """What a program did: the value of its main part, what it printed, and the variables that were alive at the end."""

    result: Any
    printed: str
    variables: Mapping[str, Any]


def load_module(text: str, name: str) -> ModuleType:
    """A new module made from `text`, under a name that was not used before and that starts with `name`."""
    number = next(_NUMBERS)
    path = Path(_FOLDER.name, f"{name}_{number}.py")
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"loaded_{name}_{number}", path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    tree = ast.parse(text, filename=str(path))
    main_part = _cut_main_part(tree, str(path))
    _capture_locals_of_main(tree)
    setattr(module, _CAPTURE, {})
    module.__dict__["_main_part"] = main_part
    sys.modules[module.__name__] = module  # annotations of dataclasses and modules are looked up there
    exec(compile(tree, str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def run_main(module: ModuleType) -> Run:
    """Run the main part of a loaded module, or its function `main`."""
    part: MainPart | None = module.__dict__["_main_part"]
    printed, result = io.StringIO(), None
    arguments, sys.argv = sys.argv, [str(module.__file__)]
    try:
        with contextlib.redirect_stdout(printed):
            if part is None:
                result = module.main()
            elif part.is_expression:
                result = eval(part.code, module.__dict__)
            else:
                exec(part.code, module.__dict__)
    finally:
        sys.argv = arguments
    variables = dict(getattr(module, _CAPTURE)) or {k: v for k, v in vars(module).items() if not k.startswith("_")}
    return Run(result, printed.getvalue(), variables)


def _cut_main_part(tree: ast.Module, filename: str) -> MainPart | None:
    for statement in tree.body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) in (
            "__name__ == '__main__'",
            "'__main__' == __name__",
        ):
            tree.body.remove(statement)
            if len(statement.body) == 1 and isinstance(statement.body[0], ast.Expr):
                expression = ast.Expression(statement.body[0].value)
                return MainPart(compile(expression, filename, "eval", dont_inherit=True), True)
            block = ast.Module(statement.body, type_ignores=[])
            return MainPart(compile(block, filename, "exec", dont_inherit=True), False)
    return None


def _capture_locals_of_main(tree: ast.Module) -> None:
    """`def main(): BODY` -> `def main(): try: BODY finally: _captured_locals.update(locals())`."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "main":
            capture = ast.parse(f"{_CAPTURE}.update(locals())").body
            guarded = ast.Try(body=statement.body, handlers=[], orelse=[], finalbody=capture)
            statement.body = [ast.copy_location(guarded, statement.body[0])]
            ast.fix_missing_locations(statement)

"""Copy just those definitions of `torch2jax/runtime` that a program uses (tree-shaking).

The runtime is read as text and never imported: beginnings of lines tell its statements, `symtable` the names that each needs.
Definitions are copied verbatim, with decorators and the comments directly above, each once, in a stable order: a module
after the modules that it imports from, else by name; within a module in source order.
"""

import ast
import re
import symtable
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import libcst as cst

from torch2jax.emit.check import free_names
from torch2jax.emit.imports import render_imports
from torch2jax.ops.python import QUESTIONS
from torch2jax.records import dataclass
from torch2jax.syntax.imported import Import
from torch2jax.syntax.notebook import SUPPORT_CELL, border, is_border
from torch2jax.syntax.walk import children, descendants, is_node_type
from torch2jax.targets import TARGETS

PACKAGE = "torch2jax.runtime"
RUNTIME = Path(__file__).parent.parent / "runtime"
_MODULE_HEADING = "What the translated files of this package share: torch's functions and layers where JAX has others."
HEADING = "# --- torch2jax support -------------------------------------------------------------------------"

_LAST_COMMENTS = re.compile(r"(?:^#[^\r\n]*(?:\r\n?|\n))+\Z", re.MULTILINE)
# What most lines begin with tells that they begin no statement.
_TOP_LEVEL_NAME = re.compile(r"\n(?=[^ \n#])(?:(?:(?:async )?def|class) +(\w+)|(\w+) *(?::[^=\n]*)?=(?!=))")


_DEFINED_NAME = re.compile(r"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)
_INSIDE = " \n#)]}"  # lines that begin so begin no statement


@dataclass(frozen=True, slots=True)
class SupportPart:
    """One definition of a module of the runtime: the names that it binds, and its text."""

    module: str
    names: tuple[str, ...]
    text: str
    is_short: bool = False
    """An assignment or call on one line, which needs no blank lines around it."""


@dataclass(frozen=True, slots=True)
class SupportCode:
    """Definitions to add to a program, in their order, and the imports that they need."""

    parts: tuple[SupportPart, ...]
    imports: tuple[Import, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the definitions bind."""
        return tuple(name for part in self.parts for name in part.names)

    @property
    def text(self) -> str:
        """The definitions two blank lines apart; neighbouring short ones directly below each other."""
        text = ""
        for i, part in enumerate(self.parts):
            if i:
                both_short = part.is_short and self.parts[i - 1].is_short
                text += "" if both_short and part.module == self.parts[i - 1].module else "\n\n"
            text += part.text
        return text

    def closure(self, names: Iterable[str]) -> tuple[SupportPart, ...]:
        """The definitions that bind some names, and those that these need, in their order."""
        by_name: dict[str, list[SupportPart]] = {}
        for part in self.parts:
            for name in part.names or part_needs(part.text):  # a registration comes along with what it registers
                by_name.setdefault(name, []).append(part)
        found: set[SupportPart] = set()
        waiting = [part for name in names for part in by_name.get(name, ())]
        while waiting:
            part = waiting.pop()
            if part not in found:
                found.add(part)
                waiting += [more for name in part_needs(part.text) for more in by_name.get(name, ())]
        return tuple(part for part in self.parts if part in found)

    def applied(self, names: Iterable[str]) -> Iterator[SupportPart]:
        """The definitions that some decorators need when they are given a function, which is called later."""
        by_name = {name: part for part in self.parts for name in part.names}
        found: set[str] = set()
        waiting = [name for name in names if name in by_name]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                needs = _needs_of_call(by_name[name].text)
                waiting += sorted(needs & by_name.keys())
        return (by_name[name] for name in found)


part_needs = cache(free_names)


@cache
def _needs_of_call(text: str) -> frozenset[str]:
    """The names that a definition reads when it is made and called, unless in functions that it makes and does not call."""
    (made,) = ast.parse(text).body
    needs = frozenset(part_needs(text))
    if not isinstance(made, ast.FunctionDef):
        return needs
    called = {node.func.id for node in ast.walk(made) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    later = [node for node in ast.walk(made) if isinstance(node, ast.FunctionDef | ast.Lambda) and node is not made]
    bodies = [node for node in later if getattr(node, "name", None) not in called]
    inside = {id(inner) for node in bodies for part in _body_of(node) for inner in ast.walk(part)}
    read = {node.id for node in ast.walk(made) if isinstance(node, ast.Name) and id(node) not in inside}
    return needs & read


def _body_of(node: ast.FunctionDef | ast.Lambda) -> Sequence[ast.AST]:
    return [node.body] if isinstance(node, ast.Lambda) else node.body


def collect_support(names: Sequence[str], runtime_dir: Path = RUNTIME) -> SupportCode:
    """The definitions of `names` and all that they need. KeyError for a name that no runtime module defines.

    A name that several modules define is given as `module.name`. ValueError if two definitions or imports that are needed
    together bind the same name differently.
    """
    selected: dict[tuple[str, int], _Definition] = {}
    imports: dict[str, dict[Import, None]] = {}
    waiting = [_locate(name, runtime_dir) for name in reversed(names)]
    while waiting:
        module_name, name = waiting.pop()
        module = _read_module(runtime_dir / f"{module_name}.py")
        if name not in module.definitions:
            raise KeyError(f"{module_name}.{name} is not defined in {runtime_dir}")
        for definition in module.definitions[name]:
            if (module_name, definition.line) in selected:
                continue
            selected[module_name, definition.line] = definition
            for needed in sorted(part_needs(definition.text)):
                if needed in module.definitions:
                    waiting.append((module_name, needed))
                elif needed in module.siblings:
                    waiting.append(module.siblings[needed])
                for item in module.imports.get(needed, ()):
                    imports.setdefault(needed, {})[item] = None
            for item in module.imports.get("annotations", ()):
                imports.setdefault("annotations", {})[item] = None
    _refuse_conflicts(selected.values(), imports)
    order = {name: i for i, name in enumerate(_order_modules({module for module, _ in selected}, runtime_dir))}
    ordered = sorted(selected.values(), key=lambda definition: (order[definition.module], definition.line))
    return SupportCode(
        tuple(SupportPart(it.module, it.names, it.text, it.is_short) for it in ordered),
        tuple(item for name in sorted(imports) for item in imports[name]),
    )


def import_support(names: Iterable[str], runtime_dir: Path = RUNTIME) -> tuple[Import, ...]:
    """Imports from `torch2jax.runtime` that bring the same names without copying anything."""
    located = sorted({_locate(name, runtime_dir) for name in names})
    return tuple(Import(f"{PACKAGE}.{module}", name) for module, name in located)


def support_module(names: Iterable[str], runtime_dir: Path = RUNTIME) -> str:
    """The text of a module that holds `names` and all that they need."""
    support = collect_support(sorted(set(names)), runtime_dir)
    parts = (f'"""{_MODULE_HEADING}"""\n', render_imports(support.imports), f"\n{support.text}")
    return "\n".join(part for part in parts if part.strip())


def place_support(module: cst.Module, support: SupportCode, text_of: Callable[[cst.CSTNode], str]) -> str:
    """The program with support code under its heading: behind the last definition, before `if __name__ == "__main__":`.

    Before a definition further up that needs some of it while the module is being imported (a base class, an annotation, the
    value of a field) stands what this one needs; before a statement that may run anything, all the rest. A notebook has one
    cell for all of it. `text_of` gives the text of a line or statement of the module.
    """
    text = "".join(map(text_of, (*module.header, *module.body, *module.footer)))
    pieces: list[str] = []
    end = 0
    for chosen, chunk in _choose_places(module.body, support):
        cell = _cell_of(module.body, chosen)
        place = _offset_above(module, chosen if cell is None else cell, text_of)
        if not text[end:place].strip() and end:  # two places with nothing between
            pieces[-1] = f"{pieces[-1]}\n\n\n{chunk.text.strip()}"
            continue
        pieces += [text[end:place].strip("\r\n").rstrip(), heading_of(cell), chunk.text.strip()]
        end = place
    pieces.append(text[end:].strip("\r\n"))
    newline = module.default_newline
    placed = "\n\n\n".join(piece for piece in pieces if piece) + "\n"
    return placed if newline == "\n" else placed.replace(newline, "\n").replace("\n", newline)


def heading_of(cell: int | None) -> str:
    """The heading of support code; in a notebook it has a cell of its own."""
    return HEADING if cell is None else f"{border(SUPPORT_CELL)}\n{HEADING}"


def _offset_above(module: cst.Module, chosen: int, text_of: Callable[[cst.CSTNode], str]) -> int:
    """Where in the text of a module the statement of that number begins, with the comments directly above it."""
    if chosen == len(module.body):
        return sum(len(text_of(part)) for part in (*module.header, *module.body, *module.footer))
    above = "".join(map(text_of, (*module.header, *module.body[:chosen])))
    lines = getattr(module.body[chosen], "leading_lines", ())
    attached = sum(len(text_of(line)) for line in _without_attached(lines))
    if attached == 0:  # comments directly above the first statement may be the module's
        return len(_LAST_COMMENTS.sub("", above))
    return len(above) + attached


def _cell_of(statements: Sequence[cst.BaseStatement], place: int) -> int | None:
    """Where a cell of a notebook begins in which a place lies; None if it is the first one, or there are no cells."""
    borders = [i for i, statement in enumerate(statements) if _is_border(statement)]
    if place == len(statements) and borders:
        return place
    return next((i for i in reversed(borders[1:]) if i <= place), None)


def _is_border(statement: cst.BaseStatement) -> bool:
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString(value=text))]):
            return is_border(text)
    return False


def _without_attached(lines: Sequence[cst.EmptyLine]) -> Sequence[cst.EmptyLine]:
    """The lines above a statement but for the comments that stand directly above it."""
    count = len(lines)
    while count and lines[count - 1].comment is not None:
        count -= 1
    return lines[:count]


def _registers(statement: cst.BaseStatement) -> bool:
    """Whether a statement is `f.defvjp(f_fwd, f_bwd)`, which calls nothing and belongs to the definitions above it."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name("defvjp"))))]):
            return True
    return False


def _choose_places(statements: Sequence[cst.BaseStatement], support: SupportCode) -> Iterator[tuple[int, SupportCode]]:
    """Indices of the statements before which support code must, or should, stand, and what stands there."""
    definitions = (cst.FunctionDef, cst.ClassDef)
    own = {statement.name.value: statement for statement in statements if isinstance(statement, definitions)}
    ends = [i + 1 for i, s in enumerate(statements) if isinstance(s, definitions) or _is_import(s) or _registers(s)]
    last = max(ends, default=0)
    # A statement that uses functions or classes of the program may reach all support code through them; a definition needs
    # what it names itself, and what functions and classes name that it calls.
    runs = (i for i, s in enumerate(statements[:last]) if _may_reach(s, own.keys() | support.names))
    last = next(runs, last)
    needed: set[SupportPart] = set()
    first = last
    for i, statement in enumerate(statements[:last]):
        if not isinstance(statement, definitions):
            continue
        read = {*_read_at_import(statement), *_run_by(statement, own)}
        if more := {*support.closure(read), *support.applied(_decorators_of(statement))}:
            needed.update(more)
            first = min(first, i)
    early = SupportCode(tuple(part for part in support.parts if part in needed))
    late = SupportCode(tuple(part for part in support.parts if part not in needed))
    if early.parts and late.parts and not any(map(_is_border, statements)):
        yield first, early
        yield last, late
    else:
        yield first, support


def _run_by(definition: cst.CSTNode, own: Mapping[str, cst.CSTNode]) -> set[str]:
    """The names in functions and classes of the program that a definition calls while the module is being imported."""
    found: set[str] = set()
    waiting = [name for name in _called_at_import(definition) if name in own]
    followed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in followed:
            followed.add(name)
            named = {node.value for node in descendants(own[name]) if isinstance(node, cst.Name)}
            found |= named
            waiting += sorted(named & own.keys())
    return found


def _called_at_import(definition: cst.CSTNode) -> Iterator[str]:
    """The names of what a definition calls while the module is being imported, decorators among them."""
    for node in _nodes_at_import(definition):
        match node:
            case cst.Call(func=cst.Name(name)) | cst.Decorator(decorator=cst.Name(name)):
                yield name


def _may_reach(statement: cst.BaseStatement, names: Container[str]) -> bool:
    """Whether a statement may run, while the module is being imported, one of some functions."""
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)) or _registers(statement):
        return False
    return any(name in names for name in _named_in(statement)) or _calls_by_name(statement)


def _calls_by_name(statement: cst.BaseStatement) -> bool:
    """Whether a statement takes something out of `globals()`, other than to ask what it is, or evaluates a text."""
    asked = {
        item.value
        for call in descendants(statement)
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Name) and call.func.value in QUESTIONS
        for item in call.args
    }
    return any(_is_by_name(node) and node not in asked for node in descendants(statement))


def _is_by_name(node: cst.CSTNode) -> bool:
    match node:
        case cst.Call(func=cst.Name("eval")):
            return True
        case cst.Subscript(value=holder) | cst.Attribute(value=holder):
            return isinstance(holder, cst.Call) and isinstance(holder.func, cst.Name) and holder.func.value == "globals"
    return False


def _is_import(statement: cst.BaseStatement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and any(
        isinstance(item, (cst.Import, cst.ImportFrom)) for item in statement.body
    )


# The parts of a node that are evaluated while the module is being imported, where these are not all of its children.
_AT_IMPORT: Mapping[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Import: (),
    cst.ImportFrom: (),
    cst.Attribute: ("value",),
    cst.Arg: ("value",),
    cst.Lambda: ("params",),
    cst.FunctionDef: ("decorators", "params", "returns"),
    cst.ClassDef: ("decorators", "bases", "keywords", "body"),
    cst.Param: ("annotation", "default"),
}


def _named_in(statement: cst.CSTNode) -> Iterator[str]:
    """Names that a statement may read: those in functions and lambdas within it, too, which may be called in it."""
    for inner in descendants(statement):
        if isinstance(inner, cst.FunctionDef | cst.Lambda):
            yield from _read_at_import(inner.body)
    yield from _read_at_import(statement)


def _read_at_import(statement: cst.CSTNode) -> Iterator[str]:
    """Names that are read while the module is being imported: all but those in bodies of functions, and bare decorators."""
    nodes = list(_nodes_at_import(statement))
    decorators = {id(node.decorator) for node in nodes if isinstance(node, cst.Decorator)}
    return (node.value for node in nodes if isinstance(node, cst.Name) and id(node) not in decorators)


def _decorators_of(statement: cst.CSTNode) -> Iterator[str]:
    """The names of the decorators of a definition, and of those in it."""
    for node in _nodes_at_import(statement):
        if isinstance(node, cst.Decorator) and isinstance(node.decorator, cst.Name):
            yield node.decorator.value


def _nodes_at_import(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes that are evaluated while the module is being imported."""
    stack: list[Any] = [statement]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is tuple or kind is list:
            stack += node
        elif is_node_type(kind):  # type: ignore[arg-type]
            yield node
            if kind in _AT_IMPORT:
                stack += [getattr(node, name) for name in _AT_IMPORT[kind]]
            elif kind is not cst.Name:
                stack += children(node)


@dataclass(frozen=True, slots=True)
class _Definition:
    module: str
    names: tuple[str, ...]
    line: int
    text: str
    is_short: bool  # an assignment or call on one line, which needs no blank lines around it


@dataclass(frozen=True, slots=True)
class _RuntimeModule:
    definitions: Mapping[str, tuple[_Definition, ...]]
    imports: Mapping[str, tuple[Import, ...]]
    siblings: Mapping[str, tuple[str, str]]


def qualify_names(names: Iterable[str], target: str, runtime_dir: Path = RUNTIME) -> list[str]:
    """Names of definitions as `module.name` where several modules define them: modules named after a target are for it alone."""
    return [_qualify(name, target, runtime_dir) for name in names]


def _qualify(name: str, target: str, runtime_dir: Path) -> str:
    homes = [home for home, names in _index(runtime_dir) if name in names]
    if len(homes) < 2:
        return name
    others = tuple(f"{other}_" for other in TARGETS if other != target)
    own = [home for home in homes if home.startswith(f"{target}_")] or [h for h in homes if not h.startswith(others)]
    return f"{own[0]}.{name}" if len(own) == 1 else name


def _locate(name: str, runtime_dir: Path) -> tuple[str, str]:
    """Module and name of a definition, found without parsing anything."""
    module, _, bare = name.rpartition(".")
    homes = [module] if module else [home for home, names in _index(runtime_dir) if bare in names]
    if not homes:
        raise KeyError(f"{name} is not defined in {runtime_dir}")
    if len(homes) > 1:
        raise ValueError(f"{name} is defined in {' and '.join(homes)}; write {homes[0]}.{name}")
    return homes[0], bare


@cache
def _index(runtime_dir: Path) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (path.stem, frozenset(a or b for a, b in _TOP_LEVEL_NAME.findall("\n" + path.read_text(encoding="utf-8"))))
        for path in sorted(runtime_dir.glob("*.py"))
    )


@cache
def _read_module(path: Path) -> _RuntimeModule:
    definitions: dict[str, list[_Definition]] = {}
    imports: dict[str, list[Import]] = {}
    siblings: dict[str, tuple[str, str]] = {}
    for line, text in statements(path.read_text(encoding="utf-8")):
        names: tuple[str, ...] = tuple(_DEFINED_NAME.findall(text)[:1])
        node = None if names else ast.parse(text).body[0]
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for item in _imported(node):
                if item.module.startswith(f"{PACKAGE}.") and item.name is not None:
                    if item.asname not in (None, item.name):
                        raise ValueError(
                            f"{path.name} imports {item.name} under another name; it is copied under its own"
                        )
                    siblings[item.bound] = item.module.removeprefix(f"{PACKAGE}."), item.name
                else:
                    imports.setdefault(item.bound, []).append(item)
            continue
        is_short = isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr))
        definition = _Definition(path.stem, names if node is None else _bound_by(node, text), line, text, is_short)
        # A call such as jax.tree_util.register_dataclass(Point) belongs to the first definition that it mentions.
        for name in (
            definition.names or [name for name in sorted(part_needs(definition.text)) if name in definitions][:1]
        ):
            definitions.setdefault(name, []).append(definition)
    return _RuntimeModule(
        {name: tuple(parts) for name, parts in definitions.items()},
        {name: tuple(items) for name, items in imports.items()},
        siblings,
    )


def statements(text: str) -> Iterator[tuple[int, str]]:
    """The statements of a module of the runtime but for its docstring, with their decorators and the comments directly above, and
    the numbers of their first lines. They are told by what stands at the beginning of lines: nothing is parsed.
    """
    lines = text.splitlines(keepends=True)
    above = text.index('"""', 3) if text.startswith('"""') else 0
    starts: list[int] = []
    is_decorated = False
    for i in range(text.count("\n", 0, above) + 1 if above else 0, len(lines)):
        if lines[i][0] not in _INSIDE:
            if not is_decorated:
                starts.append(i)
            is_decorated = lines[i][0] == "@"
    ends = [*starts[1:], len(lines)]
    for start, end in zip(starts, ends, strict=False):
        first, last = start, end
        while first and lines[first - 1][0] == "#":
            first -= 1
        while lines[last - 1][0] in "#\n":
            last -= 1
        yield first + 1, "".join(lines[first:last]).rstrip() + "\n"


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[Import]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield Import(alias.name, None, alias.asname)
        else:
            module = f"{PACKAGE}.{node.module or ''}" if node.level else node.module or ""
            yield Import(module, alias.name, alias.asname)


def _bound_by(node: ast.stmt, text: str) -> tuple[str, ...]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return (name,)
    symbols = symtable.symtable(text, "<text>", "exec").get_symbols()
    return tuple(it.get_name() for it in symbols if it.is_assigned() or it.is_namespace() or it.is_annotated())


def _refuse_conflicts(definitions: Iterable[_Definition], imports: Mapping[str, Mapping[Import, None]]) -> None:
    homes: dict[str, str] = {}
    for definition in definitions:
        for name in definition.names:
            if homes.setdefault(name, definition.module) != definition.module:
                raise ValueError(f"{name} is defined in {homes[name]} and in {definition.module}, and both are needed")
            if name in imports:
                raise ValueError(f"{name} is defined in {definition.module}, and an import of that name is needed too")
    for name, items in imports.items():
        if len(items) > 1 and any(item.asname is not None or item.name is not None for item in items):
            raise ValueError(f"{name} is imported in several ways: {', '.join(map(str, items))}")


def _order_modules(modules: set[str], runtime_dir: Path) -> list[str]:
    """A module after those that it imports from; where that leaves a choice, by name."""
    needs = {
        module: {home for home, _ in _read_module(runtime_dir / f"{module}.py").siblings.values()} & modules - {module}
        for module in sorted(modules)
    }
    ordered: list[str] = []
    while needs:
        ready = next((module for module in needs if needs[module] <= set(ordered)), next(iter(needs)))
        ordered.append(ready)
        del needs[ready]
    return ordered


def support_names(target: str, runtime_dir: Path = RUNTIME) -> frozenset[str]:
    """Every name that some module of the runtime defines for a target."""
    others = tuple(f"{other}_" for other in TARGETS if other != target)
    return frozenset(name for home, names in _index(runtime_dir) for name in names if not home.startswith(others))


def names_of_module(module: str, runtime_dir: Path = RUNTIME) -> frozenset[str]:
    """What one module of the runtime defines."""
    return next(names for home, names in _index(runtime_dir) if home == module)


_LIBRARIES = {"equinox": ("equinox", None), "nnx": ("flax", "nnx"), "linen": ("flax", "linen")}


def foreign_names(names: Sequence[str], target: str) -> list[str]:
    """The names whose definitions need the library of another target, among those that a program for this one uses."""
    return [name for name in names if _needs_other(qualify_names([name], target)[0], target)]


@cache
def _needs_other(name: str, target: str) -> bool:
    needed = {(item.module, item.name) for item in collect_support([name]).imports}
    return any(library in needed for other, library in _LIBRARIES.items() if other != target)

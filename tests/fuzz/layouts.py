"""Lays the classes, functions and constants of a script into several files, as people do when a program grows.

    script -> pieces: what each defines, and which names of the script it needs
           -> a file for each piece that may move; one that needs what lies further up moves up, too
           -> texts: the imports that are needed, in one of the styles that people import with

A piece may move whose names are bound once and that needs nothing but such pieces, imports and builtins: then it does not
matter that it is defined before the rest of the script runs.
"""

import ast
import builtins
import random
import re
import symtable
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

STYLES = {
    "from": "from {file} import {names}",
    "module": "import {file}",
    "as": "import {file} as {short}",
    "star": "from {file} import *",
    "package": "from {package}.{file} import {names}",
    "package module": "from {package} import {file}",
    "package dotted": "import {package}.{file}",
    "package init": "from {package} import {names}",
}
_QUALIFIED = {
    "module": "{file}.{name}",
    "as": "{short}.{name}",
    "package module": "{file}.{name}",
    "package dotted": "{package}.{file}.{name}",
}
# How files of a package import each other; `package init` and `package` do so alike.
_INSIDE = {
    "package": ("from .{file} import {names}", None),
    "package module": ("from . import {file}", "{file}.{name}"),
    "package dotted": ("from {package}.{file} import {names}", None),
    "package init": ("from .{file} import {names}", None),
}
# The kinds of pieces in each file, lowest file first; what is named nowhere stays in the script.
ROLES: dict[str, Sequence[tuple[str, str]]] = {
    "models": (("models", "model"),),
    "helpers": (("utils", "function constant"),),
    "models, training": (("models", "model class"), ("engine", "training function")),
    "helpers, models": (("utils", "function class"), ("models", "model")),
    "models, helpers": (("models", "model class"), ("utils", "function training")),
    "config, models, training": (("config", "constant"), ("models", "model class"), ("engine", "training function")),
    "all apart": (("config", "constant"), ("utils", "function"), ("models", "model class"), ("engine", "training")),
    "halves": (),
    "thirds": (),
    "strewn": (),
}
_OTHER_NAMES = {
    "models": "networks", "utils": "helpers", "engine": "loops", "config": "settings", "package": "library", "first": "part1",
    "second": "part2", "third": "part3",
}  # fmt: skip
_READS_ITSELF = re.compile(
    r"\b(globals\(|locals\(|vars\(\)|sys\.modules|__file__|exec\(|eval\(\"|inspect\.|multiprocessing|\bspawn\(|pickle|"
    r"torch\.distributed|runpy|importlib|__main__\.)"
)
_SHORT = ("constant", "rest")
_GAPS = ("\n\n", "")
_TRAINS = re.compile(r"\.(step|backward|zero_grad)\(|autograd\.grad|optim\.")
_PURE = frozenset(
    "arange linspace tensor zeros ones eye full device reshape view sin cos float long int bool tuple list dict range len Namespace "
    "SimpleNamespace OrderedDict namedtuple partial sorted Size tanh exp abs unsqueeze repeat Path".split()
)


class NotSplit(Exception):
    """A script that cannot be laid into files, with the reason."""


@dataclass(frozen=True)
class Piece:
    """A statement of a script: its lines (with decorators, and comments right above), the names that it defines, and those of the
    script that it needs.
    """

    text: str
    node: ast.stmt
    defines: frozenset[str]
    needs: frozenset[str]
    shadows: frozenset[str]
    kind: str
    first: int


@dataclass(frozen=True)
class Layout:
    """Files of a script by their paths; `main.py` is the one that is started."""

    name: str
    files: Mapping[str, str]


@dataclass
class _Parts:
    """A script taken apart; `movable` are names of pieces that may lie elsewhere."""

    imports: dict[str, str] = field(default_factory=dict)
    future: str = ""
    pieces: list[Piece] = field(default_factory=list)
    movable: dict[str, Piece] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)


def layouts(source: str, seed: str) -> Iterator[Layout]:
    """Layouts of a script, each another one, without an end where a seed draws many. Raises NotSplit."""
    parts = _taken_apart(source)
    rng = random.Random(seed)
    seen: set[tuple[tuple[str, str], ...]] = set()
    for _ in range(60):
        role, style = rng.choice(list(ROLES)), rng.choice(list(STYLES))
        order, homes = _homes(parts, role, rng)
        if not homes:
            continue
        files = _Writer(parts, order, homes, style).files()
        key = tuple(sorted(files.items()))
        if key not in seen:
            seen.add(key)
            yield Layout(f"{role}; {style}", files)


def write(files: Mapping[str, str], folder: Path) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


# taking apart


def _taken_apart(source: str) -> _Parts:
    if found := _READS_ITSELF.search(source):
        raise NotSplit(f"looks at itself: {found[0]}")
    tree = ast.parse(source)
    parts = _Parts(words=set(re.findall(r"\w+", source)))
    lines = source.splitlines()
    before = 0
    for node in tree.body:
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))])
        if first <= before:
            raise NotSplit("two statements share a line")
        if _is_docstring(node):
            pass
        elif isinstance(node, ast.ImportFrom) and node.module == "__future__":
            parts.future = ast.unparse(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            parts.imports.update(_imported(node))
        else:
            while first - 1 > before and lines[first - 2].startswith("#"):
                first -= 1
            parts.pieces.append(_piece(node, lines[first - 1 : node.end_lineno], first))
        before = node.end_lineno or 0
    parts.movable = _movable(parts, tree)
    return parts


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import binds, each with an import of it alone."""
    for item in node.names:
        if item.name == "*":
            raise NotSplit("star import")
        if isinstance(node, ast.Import):
            yield item.asname or item.name.partition(".")[0], ast.unparse(ast.Import([item]))
        else:
            yield item.asname or item.name, ast.unparse(ast.ImportFrom(node.module, [item], node.level))


def _piece(node: ast.stmt, lines: Sequence[str], first: int) -> Piece:
    text = "\n".join(lines) + "\n"
    needs, shadows = _names(symtable.symtable(text, "piece", "exec"))
    return Piece(text, node, frozenset(_bound(node)), needs, shadows, _kind(node, text), first)


def _names(table: symtable.SymbolTable) -> tuple[frozenset[str], frozenset[str]]:
    """The global names that a statement reads, and those that some scope inside of it has for itself."""
    needs = {item.get_name() for item in table.get_symbols() if item.is_referenced()}
    shadows: set[str] = set()
    waiting = list(table.get_children())
    while waiting:
        inner = waiting.pop()
        waiting += inner.get_children()
        for item in inner.get_symbols():
            (needs if item.is_global() else shadows).add(item.get_name())
    return frozenset(needs), frozenset(shadows)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds where it stands, and those that functions inside of it declare global."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
        for inner in ast.walk(node):
            if isinstance(inner, ast.Global):
                yield from inner.names
        return
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.Global):
        yield from node.names
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (name for name, _ in _imported(node))
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name
    for child in ast.iter_child_nodes(node):
        yield from _bound(child)


def _kind(node: ast.stmt, text: str) -> str:
    if isinstance(node, ast.ClassDef):
        return "training" if _TRAINS.search(text) else "model" if "forward(" in text else "class"
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return "training" if _TRAINS.search(text) else "function"
    return "constant" if _is_pure(node) else "rest"


def _is_pure(node: ast.stmt) -> bool:
    """Whether a statement gives one name a value that is the same wherever it is computed."""
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
        return False
    inner = list(ast.walk(node.value))
    calls = [item.func for item in inner if isinstance(item, ast.Call)]
    words = [item.attr if isinstance(item, ast.Attribute) else getattr(item, "id", "") for item in calls]
    odd = (ast.Lambda, ast.Await, ast.NamedExpr, ast.Yield)
    return all(word in _PURE for word in words) and not any(isinstance(item, odd) for item in inner)


def _movable(parts: _Parts, tree: ast.Module) -> dict[str, Piece]:
    counts = Counter(name for piece in parts.pieces for name in piece.defines)
    counts.update(
        name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in {n for n, _ in _imported(node)}
    )
    found = {
        next(iter(piece.defines)): piece
        for piece in parts.pieces
        if piece.kind != "rest" and len(piece.defines) == 1 and all(counts[name] == 1 for name in piece.defines)
    }
    if "set_default" in " ".join(parts.words):
        found = {name: piece for name, piece in found.items() if piece.kind != "constant"}
    known = {name for name in parts.imports if counts[name] == 1} | set(dir(builtins))
    size = -1
    while size != len(found):
        size = len(found)
        found = {name: piece for name, piece in found.items() if piece.needs <= known | found.keys()}
    return found


# homes


def _homes(parts: _Parts, role: str, rng: random.Random) -> tuple[list[str], dict[str, str]]:
    """The files from the lowest to the highest, and the file of each name that moves."""
    if ROLES[role]:
        order = [_free(file, parts) for file, _ in ROLES[role]]
        kinds = {kind: number for number, (_, said) in enumerate(ROLES[role]) for kind in said.split()}
        ranks = {name: kinds.get(piece.kind, len(order)) for name, piece in parts.movable.items()}
    else:
        order = [_free(file, parts) for file in ("first", "second", "third")[: 2 if role == "halves" else 3]]
        count = len(parts.movable) + rng.randint(0, 2)  # the last ones may stay
        ranks = {
            name: rng.randrange(len(order)) if role == "strewn" else number * len(order) // max(count, 1)
            for number, name in enumerate(parts.movable)
        }
    stay = len(order)
    changed = True
    while changed:
        changed = False
        for name, piece in parts.movable.items():
            needed = [other for other in piece.needs if other in ranks]
            for other in needed:
                if ranks[other] == stay > ranks[name]:  # it comes along
                    ranks[other], changed = ranks[name], True
            rank = max([ranks[name], *(ranks[other] for other in needed)])
            changed |= rank != ranks[name]
            ranks[name] = rank
    homes = {name: order[rank] for name, rank in ranks.items() if rank < len(order)}
    return [file for file in order if file in homes.values()], homes


def _free(file: str, parts: _Parts) -> str:
    """The name of a file that means nothing else in the script."""
    if file not in parts.words:
        return file
    other = _OTHER_NAMES[file]
    return other if other not in parts.words else f"{other}_"


# texts


@dataclass(frozen=True)
class _Writer:
    """Writes the files of a layout."""

    parts: _Parts
    order: Sequence[str]
    homes: Mapping[str, str]
    style: str

    def files(self) -> dict[str, str]:
        folder = f"{_free('package', self.parts)}/" if self.style.startswith("package") else ""
        found = {f"{folder}{file}.py": self._text(file) for file in self.order}
        if folder:
            lines = [f"from .{file} import {', '.join(self._of(file))}\n" for file in self.order]
            found[f"{folder}__init__.py"] = "".join(lines) if self.style == "package init" else ""
        return {**found, "main.py": self._text("main")}

    def _of(self, file: str) -> list[str]:
        return [name for name, home in self.homes.items() if home == file]

    def _text(self, file: str) -> str:
        pieces = [item for item in self.parts.pieces if self._home(item) == file]
        needs = frozenset[str]().union(*(item.needs for item in pieces))
        outside = [name for name in self.homes if name in needs and self.homes[name] != file]
        qualified, imports = self._imports(file, pieces, outside)
        head = [self.parts.imports[name] for name in self.parts.imports if name in needs]
        future = [self.parts.future] if self.parts.future else []
        body = "".join(f"{_written(item, qualified)}{_GAPS[item.kind in _SHORT]}" for item in pieces).strip("\n") + "\n"
        lines = [*future, *dict.fromkeys(head), "", *imports]
        return "\n".join(lines).strip("\n") + "\n\n\n" + body

    def _home(self, piece: Piece) -> str:
        name = next(iter(piece.defines), "")
        return self.homes[name] if self.parts.movable.get(name) is piece and name in self.homes else "main"

    def _imports(self, file: str, pieces: Sequence[Piece], outside: Sequence[str]) -> tuple[dict[str, str], list[str]]:
        """How names of other files are written in a file, where that is not their own name, and its imports of them."""
        inside = file != "main" and self.style in _INSIDE
        line, spelled = _INSIDE[self.style] if inside else (STYLES[self.style], _QUALIFIED.get(self.style))
        qualified: dict[str, str] = {}
        lines: dict[str, None] = {}
        for home in self.order:
            names = [name for name in outside if self.homes[name] == home]
            words = {"file": home, "package": _free("package", self.parts), "short": self._short(home)}
            plain = [name for name in names if not spelled or not all(_is_plain(name, item) for item in pieces)]
            if spelled is None and self.style == "star" and not any(name.startswith("_") for name in names):
                plain = []
            if spelled and len(plain) < len(names):
                qualified.update({name: spelled.format(name=name, **words) for name in names if name not in plain})
            if names and (len(plain) < len(names) or not spelled):
                lines[line.format(names=", ".join(names), **words)] = None
            if plain and (spelled or self.style == "star"):
                style = "package" if self.style.startswith("package") else "from"
                template = _INSIDE["package"][0] if inside else STYLES[style]
                lines[template.format(names=", ".join(plain), **words)] = None
        return qualified, list(lines)

    def _short(self, file: str) -> str:
        tries = [file[0], file[:2], f"{file[0]}_", f"{file}_module"]
        others = {item[0] for item in self.order if item != file}
        return next(item for item in tries if item not in self.parts.words and item not in others)


def _is_plain(name: str, piece: Piece) -> bool:
    """Whether a name means the global one wherever a piece has it, and not in a string that is filled in: Python does not tell where."""
    if name in piece.shadows:
        return False
    texts = [item for item in ast.walk(piece.node) if isinstance(item, ast.JoinedStr)]
    return not any(isinstance(item, ast.Name) and item.id == name for text in texts for item in ast.walk(text))


def _written(piece: Piece, qualified: Mapping[str, str]) -> str:
    lines = [line.encode() for line in piece.text.splitlines()]
    found = [item for item in ast.walk(piece.node) if isinstance(item, ast.Name) and item.id in qualified]
    for item in sorted(found, key=lambda item: (item.lineno, item.col_offset), reverse=True):
        row, column = item.lineno - piece.first, item.col_offset
        line = lines[row]
        lines[row] = line[:column] + qualified[item.id].encode() + line[column + len(item.id) :]
    return b"\n".join(lines).decode() + "\n"

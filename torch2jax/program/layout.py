"""Where the modules of a program lie: which file an import asks for, and which files belong together.

Python searches folders that depend on how a program is started. Here a name is looked for where a person would: relative
imports from the importing file; others in the folder of that file, in the folders above it, in those that scripts put on
`sys.path`, in folders called `src`, and last wherever only one file of the program answers to a dotted name. A file of a package is found by its
whole name first, as Python finds it when the program is started above the package.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path, PurePath

from torch2jax.program.found_modules import FoundModule, defined_names, found_modules
from torch2jax.program.norm_families import NormMentions, mentions_of
from torch2jax.program.torch_packages import needs_torch
from torch2jax.records import dataclass
from torch2jax.syntax.notebook import SUFFIX, read_program

_FOLLOWED_FOLDERS = 4  # where one file is translated alone: its own and those above
_SOURCES = "src"  # where packages that are installed lie in many repositories
_PLACING = frozenset({"append", "insert", "extend"})


@dataclass(frozen=True, slots=True)
class Scan:
    """What the imports of a file may ask for (relative names with their dots), and the folders it puts on `sys.path`."""

    modules: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    uses_torch: bool = False
    is_script: bool = False  # it asks whether it is the program that was started
    read: frozenset[str] = frozenset()
    """Names of fields that are read, also of modules, and texts that may be such, and `setattr` and `vars`; `=name` of fields that are set; `.name` of
    what is read of libraries (`torch.optim`). Of a file that asks for the groups of optimizers also the keys that get values, as `[lr]`.
    """
    own: frozenset[str] = frozenset()
    """Those that only methods read, or set, of their own objects, of classes without bases of other files."""
    derives: bool = False  # a class may have a base of another file
    lines: int = 0
    norms: NormMentions = NormMentions()
    found: tuple[FoundModule, ...] = ()  # what it imports by names that it finds when it runs
    defined: frozenset[str] = frozenset()


SUPPORT_MODULE = "_torch2jax"


@dataclass(frozen=True, slots=True)
class SupportPlace:
    """A module that holds support code: how a file imports it, and where it lies (beside the originals)."""

    module: str
    file: Path


@dataclass(frozen=True, slots=True)
class _Support:
    """A folder with support code, the one from which Python finds it, and the dots of relative imports."""

    searched: Path
    folder: Path
    level: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """The files of a program below `root`; without `files`, whatever lies on the disk around a file."""

    root: Path
    files: frozenset[Path] | None = None
    scans: Mapping[Path, Scan] = field(default_factory=dict)
    folders: frozenset[Path] = frozenset()
    """The folders that hold files of the program, at whatever depth."""
    named: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    """The files by their names without an ending; packages by those of their folders."""
    _ways: Mapping[Path, set[Path]] = field(
        default_factory=dict
    )  # from where others find a file by a name without dots
    _relatives: frozenset[Path] = frozenset()  # files that others find by relative names
    _shared: Mapping[Path, _Support] = field(default_factory=dict)  # support code that several packages have in common
    _names: dict[Path, frozenset[str]] = field(default_factory=dict)  # what lies in folders on the disk
    _places: dict[Path, str] = field(default_factory=dict)
    _searched: dict[tuple[int, Path], list[Path]] = field(
        default_factory=dict
    )  # the folders for a file, by dots of names
    _resolved: dict[tuple[str, Path], tuple[Path, Path | None] | None] = field(default_factory=dict)
    _imported: dict[Path, list[Path]] = field(default_factory=dict)

    def place(self, file: Path) -> str:
        """What sets the names of a file apart from those of others: `pkg/model:`."""
        if file not in self._places:
            self._places[file] = f"{_relative(file if file.suffix == SUFFIX else file.with_suffix(''), self.root)}:"
        return self._places[file]

    def asked(self, name: str, importer: Path) -> str | None:
        """The place of the module or folder that an import asks for; None if it does not belong to the program."""
        file = self.locate(name, importer)
        if file is not None:
            return self.place(file)
        level, parts = _split(name)
        for base in self._bases(level, importer):
            folder = base.joinpath(*parts)
            if folder in self.folders and (level or (parts and not self._gives_way(parts[0], base, importer))):
                return f"{_relative(folder, self.root)}/"
        return None

    def _gives_way(self, name: str, base: Path, importer: Path) -> bool:
        """Whether Python prefers a library to a folder of its name: to one in a package, and torch and its own modules to one that
        is no package. Other libraries are installed where the program has no folder for them.
        """
        is_package = self._is_file(base / name / "__init__.py")
        is_there = name == "torch" or name in sys.stdlib_module_names
        return self._is_hidden(name, base, importer) or (is_there and not is_package)

    def found_by(self, importer: Path) -> list[str]:
        """The names of the files that a file may import by names that it finds when it runs, as it would call them."""
        placed = self.scans[importer].folders
        bases = sorted(self._bases(0, importer), key=lambda base: (base in placed, len(base.parts)), reverse=True)
        found = dict[str, None]()
        for item in self.scans[importer].found:
            for file in sorted((self.files or frozenset()) - {importer}):
                within = [base for base in bases if base in file.parents]
                names = (".".join(file.relative_to(base).with_suffix("").parts) for base in within)
                own = [name for name in names if item.may_be(name, self.scans[file].defined)]
                found.update(dict.fromkeys(name for name in own[:1] if self.locate(name, importer) == file))
        return list(found)

    def locate(self, name: str, importer: Path) -> Path | None:
        """The file of a module, as seen from another file."""
        found = self.resolve(name, importer)
        return found[0] if found is not None else None

    def resolve(self, name: str, importer: Path) -> tuple[Path, Path | None] | None:
        """The file of a module, and the folder that a name without dots was found from."""
        if (name, importer) not in self._resolved:
            self._resolved[name, importer] = self._resolve(name, importer)
        return self._resolved[name, importer]

    def _resolve(self, name: str, importer: Path) -> tuple[Path, Path | None] | None:
        level, parts = _split(name)
        if not level and not parts:
            return None
        for base in self._bases(level, importer):
            file = self._inside(base, parts)
            if file is not None and (level or (file != importer and not self._is_hidden(parts[0], base, importer))):
                return file, None if level else base
        return None if level else self._anywhere(parts, importer)

    def _bases(self, level: int, importer: Path) -> list[Path]:
        """The folders in which a file looks for a name with so many dots."""
        if (level, importer) not in self._searched:
            self._searched[level, importer] = list(self._find_bases(level, importer))
        return self._searched[level, importer]

    def _find_bases(self, level: int, importer: Path) -> Iterator[Path]:
        if level:
            yield from list(importer.parents)[level - 1 : level]
            return
        above = list(importer.parents)
        if self.files is None:
            yield from above[:_FOLLOWED_FOLDERS]
            yield from (folder / _SOURCES for folder in above[:_FOLLOWED_FOLDERS])
            return
        folders = [folder for folder in above if folder == self.root or self.root in folder.parents]
        top = next((folder for folder in folders if not self._is_file(folder / "__init__.py")), None)
        placed = self.scans[importer].folders if importer in self.scans else ()
        others = dict.fromkeys(folder for scan in self.scans.values() for folder in scan.folders)
        sources = [folder / _SOURCES for folder in folders if not self._is_file(folder / _SOURCES / "__init__.py")]
        yield from dict.fromkeys([*([top] if top is not None else []), *folders, *placed, *others, *sources])

    def _inside(self, base: Path, parts: Sequence[str]) -> Path | None:
        if parts and self.files is None and not self._may_hold(base, parts[0]):
            return None
        folder = base.joinpath(*parts)
        candidates = [folder / "__init__.py", *([folder.with_name(f"{folder.name}.py")] if parts else [])]
        return next((file for file in candidates if self._is_file(file)), None)

    def _may_hold(self, folder: Path, name: str) -> bool:
        """Whether a folder on the disk may hold a module or package of a name: all names of it are read at once."""
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(item.name for item in folder.iterdir())
            except OSError:
                self._names[folder] = frozenset() if not folder.is_dir() else frozenset({"*"})  # which cannot be listed
        return not self._names[folder].isdisjoint({name, f"{name}.py", "*"})

    def _is_hidden(self, name: str, package: Path, importer: Path) -> bool:
        """Whether a module of a package has the name of a library: a plain import means the library then, but in a script that
        stands in the package, before whose folder Python looks nowhere.
        """
        if not self._is_file(package / "__init__.py"):
            return False
        is_started = package == importer.parent and self.scans.get(importer, Scan()).is_script
        return needs_torch(name) or (name in sys.stdlib_module_names and not is_started)

    def _is_file(self, file: Path) -> bool:
        return file.is_file() if self.files is None else file in self.files

    def _anywhere(self, parts: Sequence[str], importer: Path) -> tuple[Path, Path | None] | None:
        """The only file that answers to a dotted name, or to any name where scripts have changed `sys.path`."""
        is_library = parts[0] == "torch" or (len(parts) == 1 and needs_torch(parts[0]))
        if self.files is None or parts[0] in sys.stdlib_module_names or is_library:
            return None
        if len(parts) < 2 and not any(scan.folders for scan in self.scans.values()):
            return None
        endings = ((*parts[:-1], f"{parts[-1]}.py"), (*parts, "__init__.py"))
        alike = [file for file in self.named.get(parts[-1], ()) if file != importer]
        found = [file for file in alike if any(file.parts[-len(end) :] == end for end in endings)]
        if len(found) != 1:
            return None
        depth = len(parts) + (found[0].name == "__init__.py")
        return found[0], found[0].parents[depth - 1]

    def imported(self, file: Path) -> list[Path]:
        """The files that a file imports, in the order of its imports."""
        if file not in self._imported:
            found = [self.locate(name, file) for name in self.scans.get(file, Scan()).modules]
            self._imported[file] = list(dict.fromkeys(item for item in found if item is not None and item != file))
        return self._imported[file]

    def support_of(self, file: Path) -> SupportPlace | None:
        """The module from which a file imports the support code that it shares with others; None if the file may be found in
        several ways.
        """
        found = self._shared.get(file) or self._own_support(file)
        if found is None:
            return None
        module = self._free(found.folder)
        dotted = ".".join([*found.folder.relative_to(found.searched).parts, module])
        return SupportPlace(f"{'.' * found.level}{module}" if found.level else dotted, found.folder / f"{module}.py")

    def _own_support(self, file: Path) -> _Support | None:
        """Where the package, or the folder of scripts, that a file belongs to has its support code."""
        roots, is_inside = self._roots(file), self._is_file(file.parent / "__init__.py")
        if is_inside and (self._has_relatives(file) or (not roots and not self.scans.get(file, Scan()).is_script)):
            top, level = file.parent, 1
            while self._is_file(top.parent / "__init__.py"):
                top, level = top.parent, level + 1
            return _Support(top.parent, top, level)
        if len(roots) > 1 or (is_inside and not roots):
            return None
        root = roots.pop() if roots else file.parent
        return _Support(root, root.joinpath(*file.relative_to(root).parts[:-1][:1]))

    def _shared_support(self) -> dict[Path, _Support]:
        """Where files of several packages, or of packages and scripts, that are one program have their support code: a class of
        it, which one file makes objects of and another one asks for, has to be the same in both.
        """
        shared: dict[Path, _Support] = {}
        for group in self.groups():
            own = {file: place for file in group if (place := self._own_support(file)) is not None}
            if len({place.folder for place in own.values()}) > 1:
                shared.update(self._in_common(own))
        return shared

    def _in_common(self, own: Mapping[Path, _Support]) -> dict[Path, _Support]:
        """One place for the files of a program, from a folder that is searched wherever most of them are used: that of the only
        package in it, which is installed with the package, unless this needs files that would need it; else the folder itself.
        """
        searched = {file: {place.searched, *self._found_from(file)} for file, place in own.items()}
        roots = sorted({place.searched for place in own.values()})
        root = max(roots, key=lambda item: sum(item in folders for folders in searched.values()))
        found = [file for file in own if root in searched[file]]
        inside = {own[file].folder for file in found if own[file].searched == root} - {root}
        package = inside.pop() if len(inside) == 1 else root
        within = [file for file in own if package in file.parents]
        outside = [other for file in within for other in self.imported(file) if package not in other.parents]
        place = _Support(root, root if outside else package)
        return {file: own[file] if own[file].folder == place.folder else place for file in found}

    def _found_from(self, file: Path) -> set[Path]:
        """The folders that are searched for what a file imports."""
        found = (self.resolve(name, file) for name in self.scans.get(file, Scan()).modules)
        return {item[1] for item in found if item is not None and item[1] is not None}

    def searched(self) -> frozenset[Path]:
        """The folders that must be on `sys.path` for all imports between the files to be found."""
        return frozenset().union(*self._ways.values())

    def module_of(self, file: Path) -> tuple[Path, tuple[str, ...]]:
        """A folder that Python may search, and the name of a file as a module from there."""
        top = file.parent
        while self._is_file(top / "__init__.py"):
            top = top.parent
        root = min(self._ways.get(file, set()), default=top)
        parts = file.relative_to(root).with_suffix("").parts
        return root, parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts

    def _roots(self, file: Path) -> set[Path]:
        """The folders that must be on `sys.path` for a file to be found by others or, if none asks for it, to find others."""
        ways = self._ways.get(file, set())
        if ways:
            return set(ways)
        if not self._is_file(file.parent / "__init__.py"):
            return {file.parent}  # it is started, and Python looks beside it first
        return {folder for folder in self._found_from(file) if folder in file.parents}

    def _has_relatives(self, file: Path) -> bool:
        scan = self.scans.get(file, Scan())
        return (
            file.name == "__init__.py" or any(name.startswith(".") for name in scan.modules) or file in self._relatives
        )

    def _free(self, folder: Path) -> str:
        """A name that no module of a folder has."""
        names = (SUPPORT_MODULE, *(f"{SUPPORT_MODULE}_{number}" for number in range(2, 100)))
        return next(name for name in names if not self._is_file(folder / f"{name}.py"))

    def groups(self) -> list[tuple[Path, ...]]:
        """The programs among the files: those that are connected by imports, in the order of their files."""
        files = sorted(self.files or ())
        leader = {file: file for file in files}

        def find(file: Path) -> Path:
            while leader[file] != file:
                leader[file] = leader[leader[file]]
                file = leader[file]
            return file

        for file in files:
            for other in self.imported(file):
                leader[find(other)] = find(file)
        groups: dict[Path, list[Path]] = {}
        for file in files:
            groups.setdefault(find(file), []).append(file)
        return [tuple(group) for group in groups.values()]


def layout_of(files: Iterable[Path]) -> Layout:
    """The layout of a program of several files, all of them resolved."""
    known = frozenset(files)
    scans = {file: scan_file(file) for file in sorted(known)}
    folders = [file.parent for file in known]
    root = min(folders, key=lambda folder: len(folder.parts), default=Path())
    while not all(root == folder or root in folder.parents for folder in folders):
        root = root.parent
    above = frozenset(folder for file in known for folder in file.parents)
    named: dict[str, list[Path]] = {}
    for file in sorted(known):
        named.setdefault(file.parent.name if file.name == "__init__.py" else file.stem, []).append(file)
    layout = Layout(root, known, scans, above, named)
    for file, names in {file: layout.found_by(file) for file, scan in scans.items() if scan.found}.items():
        scans[file] = replace(scans[file], modules=(*scans[file].modules, *names))
    ways: dict[Path, set[Path]] = {}
    relatives: set[Path] = set()
    for file in sorted(known):
        for name in scans[file].modules:
            found = layout.resolve(name, file)
            if found is not None and found[1] is None:
                relatives.add(found[0])
            elif found is not None and found[1] is not None:
                ways.setdefault(found[0], set()).add(found[1])
    layout = replace(layout, _ways=ways, _relatives=frozenset(relatives))
    return replace(layout, _shared=layout._shared_support())


def layout_around(file: Path) -> Layout:
    """The layout of a file that is translated alone: what lies around it on the disk."""
    return Layout(list(file.parents)[:_FOLLOWED_FOLDERS][-1])


def _names_of_states(tree: ast.Module) -> set[str]:
    """Variables that hold nothing but what an optimizer keeps for a parameter: `state = self.state[p]`."""
    found: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Attribute(attr="state"))):
                found.add(name)
            case ast.Assign(targets=targets):
                others.update(item.id for item in targets if isinstance(item, ast.Name))
            case ast.For(target=ast.Name(id=name)) | ast.arg(arg=name):
                others.add(name)
    return found - others


def scan_file(file: Path) -> Scan:
    """What a file imports; nothing for a file that is no program."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program = read_program(file)
            tree = ast.parse(program)
    except (SyntaxError, ValueError, OSError, RecursionError, MemoryError):
        return Scan()
    modules: dict[str, None] = {}
    read: set[str] = set()
    own: set[str] = set()
    stored: set[str] = set()
    states, closed, libraries = _names_of_states(tree), _closed_classes(tree), _libraries(tree)
    fields = {field for item in closed for field in _own_fields(item)}
    named, placing, placed = _named_once(tree), _placing_functions(tree), list[ast.expr]()
    derives = False
    for node in ast.walk(tree):
        derives |= isinstance(node, ast.ClassDef) and node not in closed
        match node:
            case ast.Subscript(value=held, slice=ast.Constant(value=str(key)), ctx=ast.Store()):
                if not (isinstance(held, ast.Name) and held.id in states):
                    stored.add(f"[{key}]")
            case ast.Import(names=names):
                modules.update((alias.name, None) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = "." * level + (module or "")
                modules[base] = None
                modules.update((joined(base, alias.name), None) for alias in names if alias.name != "*")
                read.update(alias.name for alias in names)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                (own if node in fields else read).add(f"={name}")
            case ast.Attribute(attr=name, ctx=ast.Load()):
                if _root(node) in libraries:
                    read.add(f".{name}")
                else:
                    (own if node in fields and name not in _CASTS else read).add(name)
            case ast.AugAssign(target=ast.Attribute(attr=name) as target):
                (own if target in fields else read).add(name)
            case ast.Name(id="setattr" | "vars" as name):
                read.add(name)
            case ast.Constant(value=str(text)) if text.isidentifier():
                read.add(text)
        placed += _placed(node, placing)
    read |= stored if "param_groups" in read else set()
    by_name = list(found_modules(tree))
    modules.update((name, None) for name in by_name if isinstance(name, str))
    uses_torch = any(name.split(".")[0] == "torch" for name in modules)
    # what a file with torch in it imports at its top is looked for before its variables have values
    known = {} if uses_torch else named
    folders = [folder for given in placed if (folder := _folder(given, file, known)) is not None]
    is_script = any(isinstance(node, ast.If) and "__name__" in ast.unparse(node.test) for node in tree.body)
    return Scan(
        tuple(modules),
        tuple(folders),
        uses_torch,
        is_script,
        frozenset(read),
        frozenset(own - read),
        derives,
        program.count(b"\n"),
        mentions_of(tree),
        tuple(item for item in by_name if isinstance(item, FoundModule)),
        defined_names(tree),
    )


_CASTS = frozenset(
    "half double bfloat16 dtype float16 float64".split()
)  # which facts/moves.py asks for, whose object it may be
_LIBRARIES = frozenset({"torch", "torchvision", "numpy", "math", "os", "sys", "time", "random"})


def _libraries(tree: ast.Module) -> set[str]:
    """The names of a file for nothing but libraries, and parts of these: `np`, `F` of `torch.nn.functional`."""
    found, others = set[str](), set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    is_library = alias.name.split(".")[0] in _LIBRARIES
                    (found if is_library else others).add(alias.asname or alias.name.split(".")[0])
            case ast.ImportFrom(module=module, names=aliases, level=level):
                is_library = level == 0 and (module or "").split(".")[0] in _LIBRARIES
                (found if is_library else others).update(alias.asname or alias.name for alias in aliases)
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                others.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                others.add(name)
    return found - others


def _root(node: ast.expr) -> str | None:
    """The variable that a chain of fields begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _closed_classes(tree: ast.Module) -> list[ast.ClassDef]:
    """The classes at the top of a file that derive from nothing of other files but torch's modules."""
    names, found = {"object"}, list[ast.ClassDef]()
    for item in tree.body:
        match item:
            case ast.ImportFrom(module=str(module), names=aliases, level=0) if module.split(".")[0] == "torch":
                names.update("Module" for alias in aliases if alias.name == "Module" and alias.asname is None)
            case ast.ClassDef(name=name, bases=bases, keywords=[]) if all(_is_closed(base, names) for base in bases):
                names.add(name)
                found.append(item)
    return found


def _own_fields(item: ast.ClassDef) -> Iterator[ast.Attribute]:
    """The fields that methods of a class name of their own objects."""
    for method in item.body:
        if isinstance(method, ast.FunctionDef) and method.args.args:
            name = method.args.args[0].arg
            for node in ast.walk(method):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
                    yield node


def _is_closed(base: ast.expr, closed: set[str]) -> bool:
    """Whether a base is `nn.Module`, or a class of the file that derives from it or from nothing."""
    match base:
        case ast.Name(id=name):
            return name in closed
        case ast.Attribute(
            value=ast.Name(id="nn") | ast.Attribute(value=ast.Name(id="torch"), attr="nn"), attr="Module"
        ):
            return True
    return False


def joined(base: str, name: str) -> str:
    """The dotted name of a part of a module; `base` may be dots only."""
    return f"{base}{name}" if base.endswith(".") else f"{base}.{name}"


def _placed(node: ast.AST, placing: Mapping[str, Collection[int]]) -> list[ast.expr]:
    """What a call puts on `sys.path`, itself or by one of the functions of its file that do so with what they are given."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="path"), attr=method)) if method in _PLACING:
            return node.args
        case ast.Call(func=ast.Name(id=name)) if name in placing:
            return [item for place, item in enumerate(node.args) if place in placing[name]]
    return []


def _placing_functions(tree: ast.Module) -> dict[str, set[int]]:
    """The functions of a file that put what they are given on `sys.path`, each with the numbers of these parameters."""
    found: dict[str, set[int]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            names = [item.arg for item in function.args.args]
            placed = [item for node in ast.walk(function) for item in _placed(node, {})]
            numbers = {names.index(item.id) for item in placed if isinstance(item, ast.Name) and item.id in names}
            found |= {function.name: numbers} if numbers else {}
    return found


def _named_once(tree: ast.Module) -> dict[str, ast.expr]:
    """What the variables of a file hold that it binds once: `root = os.path.dirname(__file__)`."""
    found: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.AugAssign(target=ast.Name(id=name)) | ast.arg(arg=name):
                found.setdefault(name, []).append(None)
    return {name: values[0] for name, values in found.items() if len(values) == 1 and values[0] is not None}


def _folder(node: ast.expr, file: Path, named: Mapping[str, ast.expr]) -> Path | None:
    """The folder that an expression names, where it says so: texts, `__file__` and what is usually made of them."""
    value = _evaluate(node, file, named)
    if value is None or (isinstance(node, ast.Constant) and not isinstance(node.value, str)):
        return None
    return Path(_normalized(file.parent / value))


def _evaluate(node: ast.expr, file: Path, named: Mapping[str, ast.expr]) -> PurePath | None:
    match node:
        case ast.Constant(value=str(text)):
            return PurePath(text)
        case ast.Name(id="__file__"):
            return file
        case ast.Name(id=name) if name in named:
            others = {other: value for other, value in named.items() if other != name}
            return _evaluate(named[name], file, others)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            first, second = _evaluate(left, file, named), _evaluate(right, file, named)
            return first / second if first is not None and second is not None else None
        case ast.Attribute(value=inner, attr="parent"):
            path = _evaluate(inner, file, named)
            return PurePath(_normalized(file.parent / path)).parent if path is not None else None
        case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int(number))):
            path = _evaluate(inner, file, named)
            above = PurePath(_normalized(file.parent / path)).parents if path is not None else ()
            return above[number] if 0 <= number < len(above) else None
        case ast.Call(func=ast.Attribute(attr="dirname"), args=[inner]):
            path = _evaluate(inner, file, named)
            return path.parent if path is not None else None
        case ast.Call(func=ast.Attribute(attr="join"), args=[first, *rest]):
            paths = [_evaluate(item, file, named) for item in (first, *rest)]
            known = [path for path in paths if path is not None]
            return known[0].joinpath(*known[1:]) if len(known) == len(paths) else None
        case ast.Call(func=ast.Attribute(attr="getcwd"), args=[]):
            return file.parent
        case ast.Call(func=ast.Attribute(attr="abspath" | "realpath" | "normpath" | "expanduser"), args=[inner]):
            return _evaluate(inner, file, named)
        case ast.Call(func=ast.Name(id="str" | "Path" | "PurePath"), args=[inner]):
            return _evaluate(inner, file, named)
        case ast.Call(func=ast.Attribute(value=inner, attr="resolve" | "absolute" | "as_posix"), args=[]):
            return _evaluate(inner, file, named)
    return None


def _normalized(path: PurePath) -> str:
    """A path without `..`: they are taken as words, links are not followed."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return str(PurePath(*parts))


def _split(name: str) -> tuple[int, list[str]]:
    level = len(name) - len(name.lstrip("."))
    return level, [part for part in name[level:].split(".") if part]


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()

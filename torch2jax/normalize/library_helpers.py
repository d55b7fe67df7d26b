"""Parts of libraries on top of torch, defined in the program that uses them, before all else.

from timm.models.layers import DropPath, trunc_normal_      ->   from torch.nn.init import trunc_normal_
from torchvision import models
                                                                 class DropPath(nn.Module): ...
class Net(nn.Module):                                            class BasicBlock(nn.Module): ...
    def __init__(self, rate):                                    class ResNet(nn.Module): ...
        self.drop_path = DropPath(rate)
        self.body = models.resnet18(pretrained=True)             def resnet18(*, weights=None): ...
                                                                 class Net(nn.Module):
                                                                     def __init__(self, rate):
                                                                         self.drop_path = DropPath(rate)
                                                                         self.body = resnet18(weights="IMAGENET1K_V1")
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.normalize.insertion import MEANT, Definition, imported_names, insert_definitions
from torch2jax.normalize.library_calls import call_with_weights, weights_named
from torch2jax.normalize.library_options import Uses, without_unused_options
from torch2jax.normalize.library_sources import ROOTS, Part, closure, find_part, rest_of
from torch2jax.normalize.library_tables import with_tables_of_models
from torch2jax.normalize.library_weights import with_named_weights
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.folding import Insertion
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import Index, build_index, descendants

# What torch has, or what does nothing in a translation, where nothing is looked up by its name.
_FROM_TORCH = {"timm": {"trunc_normal_": "torch.nn.init"}}
_IDENTITIES = {"timm": frozenset({"register_model"})}


def with_library_helpers(index: Index, asked: Container[str], is_imported: bool = False) -> Index:
    """The file with definitions of its own for what it uses of libraries; `asked` are modules that are files of the program,
    and where it `is_imported`, others may use what it imports.
    """
    roots = {_root(item) for node in index.imports for item in _modules(node)} & ROOTS
    if not roots or any(root in asked for root in roots):
        return index
    imported = [item for node in index.imports for item in _modules(node)]
    is_alone = not is_imported and not any(item in asked or not item for item in imported)
    read = _Libraries(index)
    named = with_named_weights(index, read.full, read.weights, read.is_call_of_model, is_imported)
    if named is not index:
        index, read = named, _Libraries(named)
    index, table = with_tables_of_models(index, read.full, read.weights)
    return _Libraries(index, is_imported, is_alone, table).defined()


def _root(name: str) -> str:
    return name.partition(".")[0]


def _modules(node: cst.Import | cst.ImportFrom) -> list[str]:
    if isinstance(node, cst.Import):
        return [dotted(alias.name) or "" for alias in node.names]
    return [""] if node.relative else [dotted(node.module) or ""]


@dataclass(frozen=True, slots=True)
class _Use:
    """A place that names a part of a library: the whole dotted name, and the call that it is called by."""

    node: cst.BaseExpression
    part: Part
    call: cst.Call | None


@dataclass(slots=True)
class _Libraries:
    """What one file uses of libraries."""

    index: Index
    is_imported: bool = False
    is_alone: bool = True
    """Whether no other file calls what this one defines or passes on."""
    table: str = ""
    """The name of a table of models that this file calls itself."""
    edits: Edits = field(default_factory=Edits)
    bound: dict[str, str] = field(init=False)
    """What names are bound to that imports of libraries bind, and nothing else."""
    imported: dict[str, Part] = field(default_factory=dict)
    local: dict[tuple[str, str], str] = field(default_factory=dict)
    """The names that definitions have in the file."""
    used: frozenset[tuple[str, str]] = frozenset()

    def __post_init__(self) -> None:
        self.bound = {}
        for node in self.index.imports:
            self.bound |= {name: path for name, path in _bound_by(node).items() if _root(path) in ROOTS}
        for name in list(self.bound):
            if self.has_other_meaning(name):
                del self.bound[name]

    def has_other_meaning(self, name: str) -> bool:
        return any(_binds(self.index, node) for node in self.index.names if node.value == name)

    def defined(self) -> Index:
        found: dict[tuple[str, str], list[_Use]] = {}
        for use in self.uses():
            found.setdefault(use.part.key, []).append(use)
        for name, path in self.bound.items():
            part = find_part(*_split(path))
            if part is not None:
                self.imported[name] = part
                if self.is_imported or not part.makes_schedule:  # also what only other files use
                    found.setdefault(part.key, [])
        self.used = frozenset(found)
        meanings = imported_names(self.index)
        made = closure(use.part for uses in found.values() for use in uses if not self.is_question(use))
        own = {part.key for part in made}
        kept = {
            key: uses
            for key, uses in found.items()
            if self.can_define(key, uses, meanings) and (key in own or not uses)
        }
        definitions = self.definitions(kept)
        for node in self.index.every(cst.ImportFrom):
            self.rewrite_import(node, kept)
        for uses in kept.values():
            for use in uses:
                self.rewrite(use)
        if not self.edits.touched():
            return self.index
        module = apply_edits(self.index.module, self.edits, self.index.parents)
        return build_index(insert_definitions(module, definitions, meanings))

    # what is used

    def uses(self) -> Iterable[_Use]:
        for name in self.index.names:
            if name.value in self.bound and _is_read(self.index, name):
                use = self.use(name)
                if use is not None:
                    yield use

    def use(self, name: cst.Name) -> _Use | None:
        """The part of a library that a name leads to, through dots."""
        node: cst.BaseExpression = name
        path = self.bound[name.value]
        while True:
            part = find_part(*_split(path))
            parent = self.index.parents[node]
            if part is not None:
                is_called = isinstance(parent, cst.Call) and parent.func is node
                return _Use(node, part, parent if is_called else None)  # type: ignore[arg-type]
            if not isinstance(parent, cst.Attribute) or parent.value is not node:
                return None
            node, path = parent, f"{path}.{parent.attr.value}"

    # what can be defined

    def can_define(self, key: tuple[str, str], uses: Sequence[_Use], meanings: Mapping[str, str]) -> bool:
        """Whether the file uses a part as it is defined here, and its words for torch mean the same."""
        part = next((use.part for use in uses), None) or next(it for it in self.imported.values() if it.key == key)
        words = frozenset().union(*(item.used for item in closure([part])))
        if any(word in words and meanings.get(word, meant) != meant for word, meant in MEANT.items()):
            return False
        return all(self.fits(use) for use in uses)

    def is_only_shown(self, call: cst.Call) -> bool:
        """Whether nothing but a `print` looks at what a call gives."""
        parent = self.index.parents[call]
        around = self.index.parents[parent] if isinstance(parent, cst.Arg) else None
        if not isinstance(around, cst.Call) or dotted(around.func) != "print":
            return isinstance(parent, cst.Expr)
        return isinstance(self.index.parents[around], cst.Expr)

    def fits(self, use: _Use) -> bool:
        signature = use.part.signature
        if use.call is None:
            is_asked = bool(self.words & {"pretrained", "weights"}) and not self.is_in_table(use)
            return not (is_asked and use.part.makes_model) and self.keeps_class(use)
        if signature is None or (use.part.gives_nothing and not self.is_only_shown(use.call)):
            return False
        call = call_with_weights(use.call, self.weights) if use.part.makes_model else use.call
        if call is None:
            return False
        rest = rest_of(use.part)
        more = (*rest.signature.positional, *rest.signature.options) if rest is not None and rest.signature else ()
        plain = [item for item in call.args if item.keyword is None and not item.star]
        given = {item.keyword.value for item in call.args if item.keyword is not None}
        stars = {item.star for item in call.args if item.star}
        if "*" in stars or (stars and rest is None and not signature.takes_any):
            return False
        if given & signature.settled or len(plain) > len(signature.positional):
            return False
        return signature.takes_any or given <= {*signature.positional, *signature.options, *more}

    def is_in_table(self, use: _Use) -> bool:
        """Whether a use stands in the table, whose models are called with weights as functions here take them."""
        targets = (item.targets for item in self.index.ancestors(use.node) if isinstance(item, cst.Assign))
        return any(dotted(target.target) == self.table for target in next(targets, ()))

    def is_question(self, use: _Use) -> bool:
        """Whether a class is only asked about, as `isinstance(x, ResNet)` does: objects from other files are of another one."""
        for above in self.index.ancestors(use.node):
            if isinstance(above, cst.Call):
                return dotted(above.func) in ("isinstance", "issubclass")
            if isinstance(above, cst.BaseStatement):
                break
        return False

    def keeps_class(self, use: _Use) -> bool:
        """Whether what a subclass asks of its base is there."""
        parent = self.index.parents.get(self.index.parents[use.node])
        if not use.part.omitted or not isinstance(parent, cst.ClassDef):
            return True
        fields = {
            item.attr.value
            for item in descendants(parent.body)
            if isinstance(item, cst.Attribute) and dotted(item.value) == "self"
        }
        methods = {item.name.value for item in descendants(parent.body) if isinstance(item, cst.FunctionDef)}
        return not use.part.omitted & (fields | methods)

    def weights(self, node: cst.BaseExpression) -> str | None:
        """The name of weights that an expression names, such as `models.ResNet18_Weights.DEFAULT`."""
        return weights_named(self.full(node))

    def full(self, node: cst.BaseExpression) -> str:
        """The name that an expression has in a library, "" for none."""
        path = dotted(node) or ""
        full = self.bound.get(_root(path))
        return f"{full}{path[len(_root(path)) :]}" if full is not None else ""

    def is_call_of_model(self, call: cst.Call) -> bool:
        """Whether a function of a library that is known here makes a model."""
        part = find_part(*_split(self.full(call.func)))
        return part is not None and part.makes_model

    @property
    def words(self) -> frozenset[str]:
        """Keywords, and strings that are words."""
        found = {call.keyword.value for call in self.index.every(cst.Arg) if call.keyword is not None}
        texts = (node.raw_value for node in self.index.every(cst.SimpleString))
        return frozenset({*found, *(text for text in texts if text.isidentifier())})

    # definitions

    def definitions(self, kept: Mapping[tuple[str, str], Sequence[_Use]]) -> list[Definition]:
        parts = closure(self.part(key, uses) for key, uses in kept.items())
        names = {part.key: name for name, part in self.imported.items() if part.key in kept}
        fresh = FreshNames(name.value for name in self.index.names if _stands_alone(self.index, name))
        for part in parts:
            self.local[part.key] = names.get(part.key) or fresh(part.name)
        nodes: dict[str, cst.BaseStatement] = {}
        for part in parts:
            statement = cst.parse_module(part.text).body[0]
            siblings = {name: self.local.get(key) for name, key in _named(part, parts)}
            renamed = {name: cst.Name(new) for name, new in siblings.items() if new not in (None, name)}
            changed = statement.visit(Insertion(renamed)) if renamed else statement
            assert isinstance(changed, cst.BaseStatement)
            nodes[self.local[part.key]] = changed
        made = without_unused_options(nodes, self.recorded(kept))
        return [Definition(name, code(node).strip("\n"), names_in(node)) for name, node in made.items()]

    def part(self, key: tuple[str, str], uses: Sequence[_Use]) -> Part:
        return uses[0].part if uses else next(item for item in self.imported.values() if item.key == key)

    def recorded(self, kept: Mapping[tuple[str, str], Sequence[_Use]]) -> Uses:
        calls: dict[str, list[frozenset[str]]] = {}
        otherwise: set[str] = set()
        for key, uses in kept.items():
            name = self.local[key]
            for use in uses:
                if use.call is None or any(item.star for item in use.call.args):
                    otherwise.add(name)
                    continue
                call = call_with_weights(use.call, self.weights) if use.part.makes_model else use.call
                assert call is not None
                given = frozenset(item.keyword.value for item in call.args if item.keyword is not None)
                calls.setdefault(name, []).append(given)
            if not uses:
                otherwise.add(name)
        known = () if self.is_alone else closure(self.part(key, uses) for key, uses in kept.items())
        options = {name for part in known if part.signature is not None for name in part.signature.options}
        return Uses(calls, frozenset(otherwise), self.words | options)

    # edits

    def rewrite(self, use: _Use) -> None:
        name = self.local[use.part.key]
        if dotted(use.node) != name:
            self.edits.replace(use.node, always(cst.Name(name)))
        if use.call is not None and use.part.makes_model:
            call = call_with_weights(use.call, self.weights)
            assert call is not None
            if call is not use.call:
                self.edits.replace(use.call, lambda rewrite: call.with_changes(func=cst.Name(name)))

    def rewrite_import(self, statement: cst.ImportFrom, kept: Mapping[tuple[str, str], Sequence[_Use]]) -> None:
        """The import without the names that are defined, and with torch's own in an import from there."""
        module = dotted(statement.module) or ""
        if statement.relative or isinstance(statement.names, cst.ImportStar) or _root(module) not in ROOTS:
            return
        remaining: list[cst.ImportAlias] = []
        moved: dict[str, list[cst.ImportAlias]] = {}
        for alias in statement.names:
            name = str(dotted(alias.name))
            part = self.imported.get(_local_name(alias))
            if (home := _FROM_TORCH.get(_root(module), {}).get(name)) is not None:
                moved.setdefault(home, []).append(alias)
            elif name in _IDENTITIES.get(_root(module), ()) and alias.asname is None and self.only_decorates(name):
                self.undecorate(name)
            elif part is not None and part.makes_schedule and part.key not in self.used:
                continue  # nothing is made by it
            elif part is None or part.key not in kept:
                remaining.append(alias)
        if len(remaining) < len(statement.names):
            self.replace_import(statement, [(module, remaining), *moved.items()])

    def replace_import(
        self, statement: cst.ImportFrom, groups: Sequence[tuple[str, Sequence[cst.ImportAlias]]]
    ) -> None:
        line = cst.ensure_type(self.index.parents[statement], cst.SimpleStatementLine)
        lines: list[cst.BaseStatement] = []
        for source, aliases in groups:
            names = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in aliases]
            if names:
                listed = ", ".join(self.index.module.code_for_node(item) for item in names)
                lines.append(quote_statement(f"from {source} import {listed}"))
        block = self.index.parents[line]
        if not lines and isinstance(block, cst.IndentedBlock) and len(block.body) == 1:
            lines.append(quote_statement("pass"))
        self.edits.rewrite_statement(line, lambda rewrite: lines)

    def only_decorates(self, name: str) -> bool:
        uses = [node for node in self.index.names if node.value == name]
        return all(isinstance(self.index.parents[node], (cst.Decorator, cst.ImportAlias)) for node in uses)

    def undecorate(self, name: str) -> None:
        for function in self.index.every(cst.FunctionDef):
            kept = [item for item in function.decorators if dotted(item.decorator) != name]
            if len(kept) < len(function.decorators):
                self.edits.replace(
                    function,
                    lambda rewrite, function=function, kept=kept: _decorated(rewrite.inside(function), kept),  # type: ignore[misc]
                )


def _decorated(function: cst.CSTNode, decorators: list[cst.Decorator]) -> cst.FunctionDef:
    return cst.ensure_type(function, cst.FunctionDef).with_changes(decorators=decorators)


def _split(path: str) -> tuple[str, str]:
    module, _, name = path.rpartition(".")
    return module, name


def _local_name(alias: cst.ImportAlias) -> str:
    return str(dotted(alias.asname.name if alias.asname is not None else alias.name))


def _bound_by(node: cst.Import | cst.ImportFrom) -> dict[str, str]:
    """What an import binds, with all dots."""
    if isinstance(node, cst.Import):
        names = {alias: str(dotted(alias.name)) for alias in node.names}
        return {_local_name(it): path for it, path in names.items() if it.asname is not None} | {
            _root(path): _root(path) for it, path in names.items() if it.asname is None
        }
    if node.relative or isinstance(node.names, cst.ImportStar):
        return {}
    return {_local_name(alias): f"{dotted(node.module)}.{dotted(alias.name)}" for alias in node.names}


def _named(part: Part, parts: Sequence[Part]) -> list[tuple[str, tuple[str, str]]]:
    """The names of definitions in the text of one of them, itself included."""
    return [(item.name, item.key) for item in parts if item.key == part.key or item.name in part.used]


def _is_read(index: Index, name: cst.Name) -> bool:
    """Whether a name stands for its value: no keyword, no field, no name that is bound."""
    parent = index.parents[name]
    if isinstance(parent, cst.Attribute):
        return parent.value is name
    if isinstance(parent, cst.Arg):
        return parent.keyword is not name
    return not isinstance(parent, (cst.ImportAlias, cst.AsName, cst.Param)) or getattr(parent, "default", None) is name


def _stands_alone(index: Index, name: cst.Name) -> bool:
    """Whether a name is no field and no keyword."""
    parent = index.parents[name]
    return not (isinstance(parent, cst.Attribute) and parent.attr is name) and not (
        isinstance(parent, cst.Arg) and parent.keyword is name
    )


def _binds(index: Index, name: cst.Name) -> bool:
    """Whether a name is bound, other than by an import of a library."""
    parent: cst.CSTNode = index.parents[name]
    match parent:
        case cst.AsName():
            alias = index.parents[parent]
            return not (isinstance(alias, cst.ImportAlias) and _is_of_library(index.parents[alias]))
        case cst.ImportAlias():
            return parent.asname is None and not _is_of_library(index.parents[parent])
        case cst.FunctionDef() | cst.ClassDef() | cst.Param():
            return parent.name is name
        case cst.For(target=target) | cst.CompFor(target=target) | cst.AssignTarget(target=target):
            return target is name
        case cst.AnnAssign(target=target) | cst.AugAssign(target=target) | cst.NamedExpr(target=target):
            return target is name
        case cst.Global() | cst.NameItem():
            return True
        case cst.Element():
            return any(
                isinstance(item, (cst.AssignTarget, cst.For, cst.CompFor)) and item.target in (above, parent)
                for above, item in _pairs(index, parent)
            )
    return False


def _pairs(index: Index, node: cst.CSTNode) -> Iterable[tuple[cst.CSTNode, cst.CSTNode]]:
    for above in index.ancestors(node):
        yield node, above
        node = above


def _is_of_library(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.Import, cst.ImportFrom)) and any(_root(item) in ROOTS for item in _modules(node))


__all__ = ["with_library_helpers"]

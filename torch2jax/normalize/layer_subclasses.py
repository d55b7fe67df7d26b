"""Classes that derive from torch's layers, normalized before all else: their bases are classes of the program itself.

class Linear(nn.Linear):                   ->   class LinearBase(nn.Module): ...
    def forward(self, x):
        return super().forward(x.float())       class Linear(LinearBase): ...

class Blocks(nn.Sequential):               ->   class Blocks(nn.Module):
    def __init__(self, n):                          def __init__(self, n):
        super().__init__(A(n), B(n))                    super().__init__()
                                                        self.layers = nn.Sequential(A(n), B(n))
    def forward(self, x, emb):                      def forward(self, x, emb):
        for layer in self: ...                          for layer in self.layers: ...

Parts that a sequence gives itself by assignment stand beside its other layers, and a method runs them behind those.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TypeGuard

import libcst as cst

from torch2jax.normalize.insertion import Definition, imported_names, insert_definitions, keeps_meanings
from torch2jax.program.program import canonical, dotted, is_super
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import Index, build_index, descendants, elements_of

_SOURCES = {
    "torch.nn": Path(__file__).parent.parent / "layer_bases" / "classes.py",
    "torch.distributions": Path(__file__).parent.parent / "layer_bases" / "distributions.py",
}
MEMBER_FIELDS = ("layers", "members")
"""The fields of which one holds what a class contained that derived from a container; the first whose name is free."""

FIRST_LAYERS = "first_layers"  # the field of a sequence with parts beside it, which nobody outside asks for all members
_RUN_LAYERS = "run_layers"
_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})
_FAMILIES = {
    "torch.nn._BatchNorm": "BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm",
    "torch.nn._InstanceNorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    "torch.nn._ConvNd": "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d",
    "torch.nn._DropoutNd": "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout",
    **{
        f"torch.nn._{kind}Nd": " ".join(f"{kind}{n}d" for n in (1, 2, 3))
        for kind in ("MaxPool", "AvgPool", "AdaptiveAvgPool", "AdaptiveMaxPool", "ReflectionPad", "ReplicationPad")
    },
}
_PLAIN_CALLS = frozenset(
    {"int", "float", "bool", "str", "len", "tuple", "list", "dict", "max", "min", "sum", "range", "super"}
)
_BLANK = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]


@cache
def _bases() -> dict[str, tuple[str, Definition, frozenset[str]]]:
    """By the names of torch's layers and distributions: the class to derive from, its definition, and the keywords that its
    `__init__` takes.
    """
    found: dict[str, tuple[str, Definition, frozenset[str]]] = {}
    for package, file in _SOURCES.items():
        found.update(_bases_in(package, file.read_text(encoding="utf-8")))
    return found


def _bases_in(package: str, text: str) -> Iterator[tuple[str, tuple[str, Definition, frozenset[str]]]]:
    lines = text.splitlines()
    taken: dict[str, frozenset[str]] = {}  # by the names of classes
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef):
            init = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
            keywords = frozenset(argument.arg for item in init for argument in item.args.args)
            taken[node.name] = keywords = keywords or taken[ast.unparse(node.bases[0])]
            source = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            used = frozenset(item.id for item in ast.walk(node) if isinstance(item, ast.Name))
            definition = Definition(node.name, source, used)
            yield f"{package}.{node.name.removesuffix('Base')}", (node.name, definition, keywords)


@dataclass(frozen=True, slots=True)
class Subclassed:
    """A file with classes of its own in the place of such bases. `members`: by the names of classes that were containers, the
    field that holds what they contained, which torch's names of parameters do not mention. `layers`: torch's layers for which
    classes of the program stand as bases.
    """

    index: Index
    members: Mapping[str, str]
    layers: frozenset[str] = frozenset()


def with_layer_bases(index: Index) -> Subclassed:
    """The file with classes that derive from no layers of torch."""
    if not index.every(cst.ClassDef) and not index.imports:
        return Subclassed(index, {})
    subclasses = _Subclasses(index)
    edits = subclasses.edits()
    if not edits.touched():
        return Subclassed(index, {})
    module = apply_edits(index.module, edits, index.parents)
    return Subclassed(
        build_index(insert_definitions(module, subclasses.definitions(), subclasses.bound)),
        subclasses.members,
        frozenset(subclasses.needed),
    )


class _Subclasses:
    """The classes of one file that derive from layers, and what the names of the file are bound to."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.bound = imported_names(index)
        self.taken = {name.value for name in index.names}
        self.members: dict[str, str] = {}
        self.needed: set[str] = set()  # layers that classes derive from

    def edits(self) -> Edits:
        edits = Edits()
        for node in self.index.every(cst.ClassDef):
            for base in node.bases:
                name = self.torch_name(base.value)
                if name not in ("", "torch.nn.Module") and name in _bases() and self.can_derive(node, name):
                    self.needed.add(name)
                    edits.replace(base.value, always(cst.Name(_bases()[name][0])))
                    self.mentions(edits, node, name)
                elif name in _CONTAINERS and self.can_hold(node, name):
                    edits.replace(base.value, lambda rewrite, base=base: self.module_class(base.value))  # type: ignore[misc]
                    self.hold(edits, node, name)
            self.forget_text(edits, node)
        self.tests(edits)
        return edits

    def forget_text(self, edits: Edits, node: cst.ClassDef) -> None:
        """`__doc__ = nn.Linear.__doc__` goes, where nothing else asks for such a text: it tells of torch's layer."""
        for line in node.body.body:
            match line:
                case cst.SimpleStatementLine(
                    body=[
                        cst.Assign(
                            targets=[cst.AssignTarget(target=cst.Name("__doc__"))],
                            value=cst.Attribute(value=layer, attr=cst.Name("__doc__")),
                        )
                    ]
                ) if self.torch_name(layer).startswith("torch.") and not self.reads_texts():
                    edits.remove(line)

    def reads_texts(self) -> bool:
        """Whether a line of the file, other than such ones, asks for the text of something."""
        asked = [item for item in self.index.attributes if item.attr.value == "__doc__"]
        given = [item for item in self.index.every(cst.Assign) if dotted(item.targets[0].target) == "__doc__"]
        return not {*asked} <= {item.value for item in given}

    def torch_name(self, node: cst.BaseExpression) -> str:
        path = dotted(node)
        if path is None:
            return ""
        first, _, rest = path.partition(".")
        known = self.bound.get(first, "")
        return canonical(f"{known}.{rest}" if rest else known) if known else ""

    # layers

    def can_derive(self, node: cst.ClassDef, name: str) -> bool:
        """Whether the class here takes what the class of the program gives it."""
        short, _, keywords = _bases()[name]
        if short in self.taken or not keeps_meanings(self.bound):
            return False
        for call in _calls(node):
            if self.is_init_of_base(call, name):
                given = {item.keyword.value for item in call.args if item.keyword is not None}
                if not given <= keywords:
                    return False
        return True

    def is_init_of_base(self, call: cst.Call, name: str) -> bool:
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "__init__":
            return False
        return is_super(call.func.value) or self.torch_name(call.func.value) == name

    def mentions(self, edits: Edits, node: cst.ClassDef, name: str) -> None:
        """`nn.Linear.forward(self, x)` in the class is the method of its base."""
        for attribute in descendants(node.body):
            if isinstance(attribute, cst.Attribute) and self.torch_name(attribute.value) == name:
                edits.replace(attribute.value, always(cst.Name(_bases()[name][0])))

    def definitions(self) -> list[Definition]:
        """The classes that are derived from, and those that they derive from."""
        made = {name: definition for name, definition, _ in _bases().values()}
        found = {_bases()[name][1].name: _bases()[name][1] for name in sorted(self.needed)}
        for definition in list(found.values()):
            found |= {name: made[name] for name in sorted(definition.used & made.keys())}
        return list(found.values())

    def tests(self, edits: Edits) -> None:
        """What is tested for a class of torch may be of a class here, or one of the classes that derive from it in torch."""
        for call in self.index.calls:
            if dotted(call.func) == "isinstance" and len(call.args) == 2:
                self.isinstance(edits, call)

    def isinstance(self, edits: Edits, call: cst.Call) -> None:
        given = call.args[1].value
        several = elements_of(given)
        tested = [part for item in several for part in self.members_of_family(item)]
        more = [cst.Name(_bases()[name][0]) for name in map(self.torch_name, tested) if name in self.needed]
        if more or len(tested) > len(several):
            edits.replace(given, always(cst.Tuple([cst.Element(item.deep_clone()) for item in (*tested, *more)])))

    def members_of_family(self, node: cst.BaseExpression) -> list[cst.BaseExpression]:
        """The public layers that a private base of torch stands for, or the class itself."""
        members = _FAMILIES.get(self.torch_name(node))
        known = {meant: name for name, meant in self.bound.items()}
        prefix = known.get("torch.nn") or (f"{known['torch']}.nn" if "torch" in known else None)
        if members is None or prefix is None:
            return [node]
        return [quote(f"{prefix}.{name}") for name in members.split()]

    # containers

    def can_hold(self, node: cst.ClassDef, name: str) -> bool:
        """Whether what a class asks of itself as a container is known: iteration, indices, its length."""
        if not isinstance(node.body, cst.IndentedBlock) or self.layers_of(node) is None:
            return False
        for call in _calls(node):
            if isinstance(call.func, cst.Attribute) and is_super(call.func.value):
                if call.func.attr.value not in ("__init__", "forward"):
                    return False
        parts = None if self.has_members_as_fields(node) else self.parts_beside(node)
        return parts == {} or (parts is not None and name == "torch.nn.Sequential" and self.can_run(node))

    def has_members_as_fields(self, node: cst.ClassDef) -> bool:
        """Whether a class reads members as fields, or has fields whose names are computed."""
        added = set()
        for item in descendants(node):
            match item:
                case cst.Call(func=cst.Name("setattr"), args=[cst.Arg(value=cst.Name("self")), *_]):
                    return True
                case cst.Call(
                    func=cst.Attribute(value=cst.Name("self"), attr=cst.Name("add_module")),
                    args=[cst.Arg(value=cst.SimpleString() as name), *_],
                ):
                    added.add(name.evaluated_value)
        return any(_is_own_field(item) and item.attr.value in added for item in descendants(node))

    def parts_beside(self, node: cst.ClassDef) -> dict[str, bool] | None:
        """The parts that a class gives itself by assignment, behind all others, and whether it may leave them out; None where
        that cannot be told.
        """
        found: dict[str, bool] = {}
        if any(_own_parts(item) for item in self.derived(node)):
            return None
        for item in _own_parts(node):
            around = list(takewhile(lambda outer: outer is not node, self.index.ancestors(item)))
            kinds = {type(outer) for outer in around} - {cst.SimpleStatementLine, cst.IndentedBlock, cst.FunctionDef}
            name = item.targets[0].target.attr.value  # type: ignore[attr-defined]
            is_made = len(item.targets) == 1 and self.makes_part(item.value) and kinds <= {cst.If, cst.Else}
            if not is_made or name in found or not self.is_last(node, item, around):
                return None
            found[name] = bool(kinds)
        return found

    def derived(self, node: cst.ClassDef) -> list[cst.ClassDef]:
        """The classes of the file that derive from one of it."""
        direct = [
            item
            for item in self.index.every(cst.ClassDef)
            if any(dotted(base.value) == node.name.value for base in item.bases)
        ]
        return direct + [below for item in direct if item is not node for below in self.derived(item)]

    def makes_part(self, value: cst.BaseExpression) -> bool:
        """Whether a call makes a layer of torch, or a module of a class of the file."""
        if not isinstance(value, cst.Call):
            return False
        own = [item for item in self.index.every(cst.ClassDef) if item.name.value == dotted(value.func)]
        names = [self.torch_name(base.value) for item in own for base in item.bases] or [self.torch_name(value.func)]
        return any(re.fullmatch(r"torch\.nn\.(?!Parameter)[A-Z]\w*", name) for name in names)

    def is_last(self, node: cst.ClassDef, part: cst.Assign, around: Sequence[cst.CSTNode]) -> bool:
        """Whether a part is given in `__init__`, behind all that the container was given."""
        grows = [
            call
            for call in _calls(node)
            if isinstance(call.func, cst.Attribute)
            and (
                (is_super(call.func.value) and call.func.attr.value == "__init__")
                or is_asked_for_members(self.index, call.func.value)
            )
        ]
        is_init = any(isinstance(outer, cst.FunctionDef) and outer.name.value == "__init__" for outer in around)
        return is_init and all(self.index.order[call] < self.index.order[part] for call in grows)

    def can_run(self, node: cst.ClassDef) -> bool:
        """Whether the names of what runs all parts are free, and nothing else asks for all members."""
        names = {item.value for item in descendants(node, cst.Name)}
        asks = [
            item
            for item in descendants(node, cst.Name)
            if item.value == "self" and is_asked_for_members(self.index, item)
        ]
        grows = [item for item in asks if isinstance(self.index.parents[item], cst.Attribute)]
        return (
            not names & {FIRST_LAYERS, _RUN_LAYERS}
            and len(asks) == len(grows)
            and not any(_lists_members(item) for item in descendants(node))
        )

    def layers_of(self, node: cst.ClassDef) -> str | None:
        names = {item.attr.value for item in descendants(node) if isinstance(item, cst.Attribute)}
        free = next((name for name in MEMBER_FIELDS if name not in names), None)
        return FIRST_LAYERS if free is not None and self.parts_beside(node) else free

    def module_class(self, base: cst.BaseExpression) -> cst.BaseExpression:
        return cst.Attribute(base.value, cst.Name("Module")) if isinstance(base, cst.Attribute) else quote("nn.Module")

    def hold(self, edits: Edits, node: cst.ClassDef, name: str) -> None:
        """The class with the container in a field."""
        base = next(item.value for item in node.bases if self.torch_name(item.value) == name)
        maker, field, parts = base, str(self.layers_of(node)), self.parts_beside(node)
        run = _RUN_LAYERS if parts else field
        self.members[node.name.value] = field
        methods = {item.name.value: item for item in node.body.body if isinstance(item, cst.FunctionDef)}
        for call in _calls(node):
            if isinstance(call.func, cst.Attribute) and is_super(call.func.value):
                if call.func.attr.value == "forward":
                    edits.replace(call.func, always(quote(f"self.{run}")))
                    continue
                line = self.index.statement_of(call)
                edits.rewrite_statement(
                    line,
                    lambda rewrite, call=call: [  # type: ignore[misc]
                        quote_statement("super().__init__()"),
                        quote_statement(
                            f"self.{field} = {{made}}",
                            made=cst.Call(maker.deep_clone(), [rewrite(item) for item in call.args]),
                        ),
                    ],
                )
        for item in descendants(node.body):
            is_self = isinstance(item, cst.Name) and item.value == "self"
            if _lists_members(item) or (is_self and is_asked_for_members(self.index, item)):
                edits.replace(item, always(quote(f"self.{field}")))
        added = []
        if "__init__" not in methods:
            star = "*layers" if name == "torch.nn.Sequential" else "layers=()"
            given = "*layers" if name == "torch.nn.Sequential" else "layers"
            text = f"def __init__(self, {star}):\n    super().__init__()\n    self.{field} = {{make}}({given})\n"
            added.append(quote_statement(text, make=maker.deep_clone()))
        if "forward" not in methods and name == "torch.nn.Sequential":
            added.append(quote_statement(f"def forward(self, input):\n    return self.{run}(input)\n"))
        if parts:
            added.append(quote_statement(_running(field, parts)))
        if added:
            first = methods.get("__init__")
            spaced = [item.with_changes(leading_lines=_BLANK[:1]) for item in added]
            if first is not None:
                edits.after(first, lambda rewrite: spaced)
            else:
                edits.prologue(node.body, lambda rewrite: spaced)


def is_asked_for_members(index: Index, node: cst.CSTNode) -> bool:
    """Whether a container is run through, indexed or counted."""
    parent = index.parents.get(node)
    match parent:
        case cst.For(iter=held) | cst.CompFor(iter=held) | cst.Subscript(value=held) | cst.StarredElement(value=held):
            return held is node
        case cst.Attribute(value=held, attr=cst.Name("add_module" | "append")):
            return held is node and isinstance(index.parents[parent], cst.Call)
        case cst.Arg():
            call = index.parents[parent]
            names = ("len", "enumerate", "list", "tuple", "zip", "reversed", "iter")
            return isinstance(call, cst.Call) and dotted(call.func) in names
    return False


def _calls(node: cst.CSTNode) -> list[cst.Call]:
    return [item for item in descendants(node) if isinstance(item, cst.Call)]


def _own_parts(node: cst.ClassDef) -> list[cst.Assign]:
    """The assignments by which a class may give itself parts."""
    return [
        item
        for item in descendants(node, cst.Assign)
        if isinstance(item.value, cst.Call)
        and not _gives_no_part(item.value.func)
        and any(_is_own_field(target.target) for target in item.targets)
    ]


def _running(field: str, parts: Mapping[str, bool]) -> str:
    """The method of a sequence that runs the parts beside its layers behind these."""
    lines = [f"input = self.{field}(input)"]
    for name, is_open in parts.items():
        called = f"input = self.{name}(input)"
        lines.append(f'if hasattr(self, "{name}"):\n        {called}' if is_open else called)
    return f"def {_RUN_LAYERS}(self, input):\n    " + "\n    ".join([*lines, "return input"]) + "\n"


def _gives_no_part(function: cst.BaseExpression) -> bool:
    """Whether a function makes no module: one of Python's, or a question to a tensor."""
    asks = isinstance(function, cst.Attribute) and function.attr.value in ("dim", "item", "numel", "size", "tolist")
    return asks or dotted(function) in _PLAIN_CALLS


def _lists_members(node: cst.CSTNode) -> bool:
    """`self._modules.values()`, which are the layers of a container in their order."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Attribute() as table, attr=cst.Name("values")), args=[]):
            return _is_own_field(table) and table.attr.value == "_modules"
    return False


def _is_own_field(node: cst.CSTNode) -> TypeGuard[cst.Attribute]:
    return isinstance(node, cst.Attribute) and dotted(node.value) == "self"


__all__ = ["FIRST_LAYERS", "MEMBER_FIELDS", "Subclassed", "is_asked_for_members", "with_layer_bases"]

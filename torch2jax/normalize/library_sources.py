"""The definitions that stand for parts of libraries on top of torch (`torch2jax/libraries/`), found by the libraries' names.

A library is a line of the table: a file of definitions, and the modules of the library that offer them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path

from torch2jax.records import dataclass

_FOLDER = Path(__file__).parent.parent / "libraries"
_TIMM_VISION = ("timm.layers", "timm.layers.mlp", "timm.layers.patch_embed", "timm.models.layers")
_MOBILENET = ("torchvision.models", "torchvision.models.mobilenet", "torchvision.models.mobilenetv2")
_PARTS_OF_VISION = frozenset({"Attention", "Block", "LayerScale", "Mlp", "PatchEmbed"})


@dataclass(frozen=True, slots=True)
class Library:
    """A file of definitions, and the modules whose names they have; a module that ends in `.*` stands for all below it.
    `only_in`: the modules that offer some of them, whose names other modules give to other things.
    """

    file: str
    modules: tuple[str, ...]
    only_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def offers(self, module: str, name: str) -> bool:
        """Whether a module offers a name as it is defined here."""
        modules = self.only_in.get(name, self.modules)
        return any(
            module == item or (item.endswith(".*") and (module == item[:-2] or module.startswith(item[:-1])))
            for item in modules
        )


LIBRARIES = (
    Library(
        "timm_helpers",
        ("timm.*",),
        {
            **dict.fromkeys(_PARTS_OF_VISION, (*_TIMM_VISION, "timm.models.vision_transformer")),
            "_cfg": ("timm.models.vision_transformer",),
        },
    ),
    Library("torchaudio_functional", ("torchaudio.functional", "torchaudio.functional.functional")),
    Library("torchaudio_transforms", ("torchaudio.transforms",)),
    Library("torchinfo_tables", ("torchinfo", "torchinfo.torchinfo")),
    Library("torchsummary_tables", ("torchsummary", "torchsummary.torchsummary")),
    Library("torchvision_alexnet", ("torchvision.models", "torchvision.models.alexnet")),
    Library("torchvision_convnext", ("torchvision.models", "torchvision.models.convnext")),
    Library("torchvision_densenet", ("torchvision.models", "torchvision.models.densenet")),
    Library("torchvision_efficientnet", ("torchvision.models", "torchvision.models.efficientnet")),
    Library("torchvision_googlenet", ("torchvision.models", "torchvision.models.googlenet")),
    Library("torchvision_inception", ("torchvision.models", "torchvision.models.inception")),
    Library("torchvision_mobilenetv2", _MOBILENET),
    Library("torchvision_mobilenetv3", ("torchvision.models", "torchvision.models.mobilenetv3")),
    Library("torchvision_ops", ("torchvision.ops.*",)),
    Library("torchvision_resnet", ("torchvision.models", "torchvision.models.resnet")),
    Library("torchvision_shufflenetv2", ("torchvision.models", "torchvision.models.shufflenetv2")),
    Library("torchvision_squeezenet", ("torchvision.models", "torchvision.models.squeezenet")),
    Library("torchvision_vgg", ("torchvision.models", "torchvision.models.vgg")),
    Library("torchvision_vision_transformer", ("torchvision.models", "torchvision.models.vision_transformer")),
    Library("transformers_schedules", ("transformers", "transformers.optimization")),
)
ROOTS = frozenset(module.partition(".")[0] for library in LIBRARIES for module in library.modules)


@dataclass(frozen=True, slots=True)
class Part:
    """A definition of a library's file: its text, the names that it uses, and how it may be called (None: it is no function
    or class). `omitted` are names of fields and methods that the library's class has, and this one has not.
    """

    file: str
    name: str
    text: str
    used: frozenset[str]
    signature: Signature | None
    omitted: frozenset[str] = frozenset()

    @property
    def key(self) -> tuple[str, str]:
        return self.file, self.name

    @property
    def gives_nothing(self) -> bool:
        """Whether it is a function whose result nobody can use."""
        return self.text.startswith("def ") and "return " not in self.text

    @property
    def makes_model(self) -> bool:
        """Whether it makes a model, with weights if they are asked for."""
        return self.signature is not None and "weights" in self.signature.options

    @property
    def makes_schedule(self) -> bool:
        """Whether it gives a scheduler, which is translated where it is called, with its optimizer."""
        return "torch.optim.lr_scheduler" in self.text


@dataclass(frozen=True, slots=True)
class Signature:
    """What calls may give: parameters by position, options by keyword only, and all that another function takes (`rest`)."""

    positional: tuple[str, ...]
    options: tuple[str, ...]
    rest: str | None = None
    settled: frozenset[str] = frozenset()
    """What the function gives to that other one itself."""
    takes_any: bool = False
    """Whether the function takes any other names, and gives them to none."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The definitions of one file, in order, and the files that it has names of others from."""

    parts: Mapping[str, Part]
    siblings: Mapping[str, str]

    def find(self, name: str) -> Part | None:
        """The definition that a name means in the file."""
        if name in self.parts:
            return self.parts[name]
        return read_source(self.siblings[name]).parts[name] if name in self.siblings else None


@cache
def read_source(file: str) -> SourceFile:
    text = (_FOLDER / f"{file}.py").read_text(encoding="utf-8")
    tree, lines = ast.parse(text), text.split("\n")
    omitted = _omitted(tree)
    parts: dict[str, Part] = {}
    siblings: dict[str, str] = {}
    for node in tree.body:
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("torch2jax."):
                siblings.update({alias.name: module.rpartition(".")[2] for alias in names})
            case ast.Assign(targets=[ast.Name(id=name)]) if name != "OMITTED":
                parts[name] = _part(file, name, node, lines, None)
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                parts[name] = _part(file, name, node, lines, _signature(node), omitted.get(name, frozenset()))
    return SourceFile(parts, siblings)


def _omitted(tree: ast.Module) -> dict[str, frozenset[str]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="OMITTED")], value=value):
                return {name: frozenset(words.split()) for name, words in ast.literal_eval(value).items()}
    return {}


def _part(
    file: str,
    name: str,
    node: ast.stmt,
    lines: Sequence[str],
    signature: Signature | None,
    omitted: frozenset[str] = frozenset(),
) -> Part:
    used = frozenset(item.id for item in ast.walk(node) if isinstance(item, ast.Name))
    *above, last = lines[node.lineno - 1 : node.end_lineno]
    text = "\n".join((*above, last.encode()[: node.end_col_offset].decode()))
    return Part(file, name, text, used, signature, omitted)


def _signature(node: ast.ClassDef | ast.FunctionDef) -> Signature | None:
    made: ast.FunctionDef | None
    if isinstance(node, ast.FunctionDef):
        made, skipped = node, 0
    else:
        inits = (item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__")
        made, skipped = next(inits, None), 1
    if made is None:
        return Signature((), ())
    plain = tuple(item.arg for item in made.args.args[skipped:])
    rest, settled = _called_with_rest(made)
    takes_any = made.args.kwarg is not None and rest is None
    return Signature(plain, tuple(item.arg for item in made.args.kwonlyargs), rest, settled, takes_any)


def _called_with_rest(function: ast.FunctionDef) -> tuple[str | None, frozenset[str]]:
    """The function that is given what a function takes beside its own parameters, and what it is given besides."""
    for node in ast.walk(function) if function.args.kwarg is not None else ():
        match node:
            case ast.Call(func=ast.Name(id=name), keywords=[*given, ast.keyword(arg=None)]):
                return name, frozenset(item.arg for item in given if item.arg is not None)
    return None, frozenset()


def find_part(module: str, name: str) -> Part | None:
    """The definition that stands for a name of a library's module."""
    for library in LIBRARIES:
        if library.offers(module, name):
            part = read_source(library.file).parts.get(name)
            if part is not None:
                return part
    return None


@cache
def names_of_models(module: str) -> frozenset[str]:
    """The functions of a library's module that make models."""
    files = (library.file for library in LIBRARIES if module in library.modules)
    return frozenset(name for file in files for name, part in read_source(file).parts.items() if part.makes_model)


def rest_of(part: Part) -> Part | None:
    """The definition that is given what another one takes beside its own parameters."""
    if part.signature is None or part.signature.rest is None:
        return None
    return read_source(part.file).find(part.signature.rest)


def closure(parts: Iterable[Part]) -> list[Part]:
    """Definitions and those that they use."""
    waiting, found = list(parts), dict[tuple[str, str], Part]()
    while waiting:
        part = waiting.pop(0)
        if part.key not in found:
            found[part.key] = part
            used = (read_source(part.file).find(name) for name in sorted(part.used))
            waiting += [item for item in used if item is not None]
    return list(found.values())


__all__ = [
    "LIBRARIES",
    "ROOTS",
    "Part",
    "Signature",
    "closure",
    "find_part",
    "names_of_models",
    "read_source",
    "rest_of",
]

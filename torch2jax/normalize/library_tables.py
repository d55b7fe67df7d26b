"""Models of torchvision that are looked up by their names.

from torchvision import models                         from torchvision import models

                                                       # torchvision's models that the program names
                                                       MODELS = {"resnet18": models.resnet18}
names = sorted(models.__dict__)                   ->   names = sorted(MODELS)
net = models.__dict__[args.arch](pretrained=True)      net = MODELS[args.arch](weights="IMAGENET1K_V1")
head = getattr(models, "resnet18")()                   head = models.resnet18()

A program that names none stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.normalize.library_calls import Named, call_with_weights
from torch2jax.normalize.library_sources import names_of_models
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Edits, always, apply_edits
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import Index, build_index

_MODELS = "torchvision.models"


def with_tables_of_models(index: Index, full: Callable[[cst.BaseExpression], str], named: Named) -> tuple[Index, str]:
    """The file with a table of its own for that of a library, and the name of that table where the file calls itself what it
    takes from there; `full` gives the names that expressions have in a library.
    """
    return _Tables(index, full, named).rewritten()


@dataclass(slots=True)
class _Tables:
    index: Index
    full: Callable[[cst.BaseExpression], str]
    named: Named
    edits: Edits = field(default_factory=Edits)
    table: str = ""
    is_passed_on: bool = False
    keys: set[cst.CSTNode] = field(default_factory=set)
    """The strings that a model is looked up by."""

    def rewritten(self) -> tuple[Index, str]:
        nodes = self.index.every(cst.Attribute, cst.Call)
        places = [(node, module) for node in nodes for module in self.asked(node)]
        if not places:
            return self.index, ""
        others = [(node, module) for node, module in places if not self.is_by_constant(node, module)]
        names = [name for name in self.mentioned() if name in names_of_models(_MODELS)]
        self.table = FreshNames(name.value for name in self.index.names)("MODELS")
        tabled = others if names else []
        for node, _ in tabled:
            self.look_up(node)
        if tabled:
            self.edits.before(
                self.index.top_level(tabled[0][0]), lambda rewrite: [_table(self.table, tabled[0][1], names)]
            )
        if not self.edits.touched():
            return self.index, ""
        index = build_index(apply_edits(self.index.module, self.edits, self.index.parents))
        return index, "" if self.is_passed_on else self.table

    def asked(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """The module of the library whose names an expression looks up."""
        match node:
            case cst.Attribute(value=module, attr=cst.Name("__dict__")) if self.full(module) == _MODELS:
                yield module
            case cst.Call(func=cst.Name("vars"), args=[cst.Arg(value=module)]) if self.full(module) == _MODELS:
                yield module
            case cst.Call(func=cst.Name("getattr"), args=[cst.Arg(value=module), cst.Arg()]) if (
                self.full(module) == _MODELS
            ):
                yield module

    def mentioned(self) -> Iterator[str]:
        """The words that the program has as strings, other than for what stands there, or beginnings that names are asked for."""
        seen = set[str]()
        for node in self.index.every(cst.SimpleString):
            parent = self.index.parents[node]
            around = self.index.parents[parent] if isinstance(parent, cst.Arg) else None
            is_beginning = isinstance(around, cst.Call) and (dotted(around.func) or "").endswith(".startswith")
            text = cst.ensure_type(node, cst.SimpleString).evaluated_value
            if isinstance(text, str) and text not in seen and not is_beginning and node not in self.keys:
                seen.add(text)
                yield text

    def is_by_constant(self, node: cst.CSTNode, module: cst.BaseExpression) -> bool:
        """Whether a model is looked up by a name that stands there, which then stands there as such."""
        name, whole = self.key(node)
        if not isinstance(name, cst.SimpleString) or name.evaluated_value not in names_of_models(_MODELS):
            return False
        self.keys.add(name)
        self.edits.replace(whole, always(cst.Attribute(module.deep_clone(), cst.Name(str(name.evaluated_value)))))
        return True

    def key(self, node: cst.CSTNode) -> tuple[cst.BaseExpression | None, cst.CSTNode]:
        """What a model is looked up by, and the whole expression that does."""
        if isinstance(node, cst.Call) and len(node.args) == 2:
            return node.args[1].value, node
        parent = self.index.parents[node]
        match parent:
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=given))]) if parent.value is node:
                return given, parent
        return None, node

    def look_up(self, node: cst.CSTNode) -> None:
        """Look into the table in the place of the library."""
        name, whole = self.key(node)
        if whole is node and name is not None:
            key = name
            self.edits.replace(node, lambda rewrite: quote(f"{self.table}[{{key}}]", key=rewrite.expression(key)))
        else:
            self.edits.replace(node, always(cst.Name(self.table)))
        if name is None:
            return
        call = self.index.parents[whole]
        if not isinstance(call, cst.Call) or call.func is not whole:
            around = self.index.parents[call] if isinstance(call, cst.Arg) else None
            self.is_passed_on |= not (isinstance(around, cst.Call) and dotted(around.func) == "callable")
            return
        changed = call_with_weights(call, self.named)
        self.is_passed_on |= changed is None
        if changed is not None and changed is not call:
            self.edits.replace(call, lambda rewrite: changed.with_changes(func=rewrite(call.func)))


def _table(name: str, module: cst.BaseExpression, names: Sequence[str]) -> cst.BaseStatement:
    """The line that makes the table."""
    items = ", ".join(f'"{item}": {dotted(module)}.{item}' for item in names)
    made = cst.ensure_type(quote_statement(f"{name} = {{{items}}}"), cst.SimpleStatementLine)
    comment = cst.EmptyLine(comment=cst.Comment("# torchvision's models that the program names"))
    return made.with_changes(leading_lines=[cst.EmptyLine(indent=False), comment])


__all__ = ["with_tables_of_models"]

"""What the restating of transforms shares: the facts of one file, the edits made to it, and what must be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import libcst as cst

from torch2jax.analysis.infer import Values
from torch2jax.analysis.program import Function, Program, dotted
from torch2jax.ops.schema import is_inplace_name
from torch2jax.syntax.edits import Edits
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.walk import Index, descendants

if TYPE_CHECKING:
    from torch2jax.analysis.effects import Effects
    from torch2jax.analysis.training import Flows

Node = TypeVar("Node", bound=cst.CSTNode)


@dataclass(frozen=True, slots=True)
class Problem:
    """A remark about a node: its code and the fields of its message."""

    node: cst.CSTNode
    code: str
    fields: dict[str, str]


Mark = tuple[str, ...]


class CannotRestate(Exception):
    """Why something has no restatement that is known to be right."""


@dataclass(slots=True)
class Restating:
    """One round over a file. `copies` maps nodes that were copied to the original ones.

    Restatements of effects know `effects` and `flows`, too. `settled` are nodes of the new or the old tree that are right
    as they stand, whatever they seem to change; `in_place` are new assignments to fields that stand for a change in place;
    `marks` say the like of functions, in words of the restatement's own.
    """

    index: Index
    program: Program
    values: Values
    edits: Edits = field(default_factory=Edits)
    problems: list[Problem] = field(default_factory=list)
    copies: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    checkpoints: set[cst.CSTNode] = field(default_factory=set)
    settled: set[cst.CSTNode] = field(default_factory=set)
    in_place: set[cst.CSTNode] = field(default_factory=set)
    lasting: list[Problem] = field(default_factory=list)  # problems of this round that later rounds do not find again
    marks: set[Mark] = field(default_factory=set)
    effects: Effects | None = None
    flows: Flows | None = None
    checked: str | None = None  # how the target checks values in compiled code
    contained: dict[Function | None, frozenset[str]] = field(default_factory=dict)  # names of what containers may hold
    kept: dict[Function, frozenset[str]] = field(default_factory=dict)
    _fresh: FreshNames | None = None

    @property
    def fresh(self) -> FreshNames:
        if self._fresh is None:
            parents = self.index.parents
            names = [name for name in self.index.names if not is_label(name, parents[name])]
            self._fresh = FreshNames({name.value for name in names})
        return self._fresh

    def local(self, function: cst.CSTNode) -> FreshNames:
        """Names that are free in a function."""
        return FreshNames({node.value for node in descendants(function) if isinstance(node, cst.Name)})

    def names_at(self, node: cst.CSTNode) -> FreshNames:
        """Names that are free in the function around a node, or in the file."""
        return self.local(self.index.function_of(node) or self.index.module)

    def copy(self, node: Node) -> Node:
        """A second tree of the same text: nodes stand in one place only."""
        new = node.deep_clone()
        self.copies.update(zip(descendants(new), descendants(node), strict=True))
        return new

    def refuse(self, node: cst.CSTNode, name: str, reason: str) -> None:
        self.problems.append(Problem(node, "T2J200", {"name": name, "hint": f": {reason}"}))


def is_label(name: cst.Name, parent: cst.CSTNode) -> bool:
    """Whether a name stands behind a dot or in front of the value of an argument, and so binds nothing."""
    if isinstance(parent, cst.Attribute):
        return parent.attr is name
    return isinstance(parent, cst.Arg) and parent.keyword is name


def suite_body(node: cst.FunctionDef) -> list[cst.BaseStatement]:
    """The statements of a function, as whole lines."""
    if isinstance(node.body, cst.IndentedBlock):
        return list(node.body.body)
    return [cst.SimpleStatementLine([small]) for small in node.body.body]  # type: ignore[list-item]


def block(statements: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    return cst.IndentedBlock(list(statements))


def changes_values(name: str) -> bool:
    """Whether a method or function of this name changes the values of its tensor."""
    return is_inplace_name(name) and name != "requires_grad_"


def bound_in(target: cst.CSTNode) -> Iterator[str]:
    """The names that a target binds, or into whose values it writes; an attribute is its dotted text, or `*`."""
    match target:
        case cst.Name(value=name):
            yield name
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from bound_in(element.value)
        case cst.Subscript(value=value):
            yield from bound_in(value)
        case cst.Attribute():
            yield dotted(target) or "*"


def filled_arguments(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """The arguments that a function changes: of `torch.relu_(x)`, `F.relu(x, inplace=True)` and `torch.add(a, b, out=c)`."""
    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
    keywords = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    makes_layer = name[:1].isupper()
    if call.args and (("inplace" in keywords and not makes_layer) or changes_values(name)):
        yield call.args[0].value
    if "out" in keywords:
        yield keywords["out"]

"""What the normalizing of transforms shares: the facts of one file, the edits made to it, and what must be told."""

from __future__ import annotations

from dataclasses import field
from typing import TypeVar

import libcst as cst

from torch2jax.facts.effects import Effects
from torch2jax.facts.infer import Values
from torch2jax.facts.storage import Shared
from torch2jax.facts.training import Flows
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, Program, imported_module
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Edits, core
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import Index, descendants
from torch2jax.values import Kind

Node = TypeVar("Node", bound=cst.CSTNode)


Mark = tuple[str, ...]


class CannotNormalize(Exception):
    """Why something has no normalization that is known to be right."""


@dataclass(slots=True)
class NormalizationRound:
    """One round over a file. `copies` maps nodes that were copied to the original ones.

    Normalizations of effects know `effects` and `flows`, too. `settled` are nodes of the new or the old tree that are right
    as they stand, whatever they seem to change; `in_place` are new assignments to fields that stand for a change in place;
    `marks` say the like of functions, in words of the normalization's own.
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
    unreached: set[cst.CSTNode] = field(default_factory=set)  # cores of statements that never run, and go
    effects: Effects | None = None
    flows: Flows | None = None
    checked: str | None = None  # how the target checks values in compiled code
    has_objects: bool = False  # whether modules and parameters are objects, which may have several names
    keeps_trained: bool = False  # whether optimizers keep what they train, which then is a module
    several: bool = False  # whether programs are for several devices that may be for one
    contained: dict[Function | None, frozenset[str]] = field(default_factory=dict)  # names of what containers may hold
    kept: dict[Function, frozenset[str]] = field(default_factory=dict)
    keeps_result: dict[Function, bool] = field(default_factory=dict)
    shared_results: dict[Function, Shared | None] = field(default_factory=dict)
    _fresh: FreshNames | None = None

    @property
    def fresh(self) -> FreshNames:
        if self._fresh is None:
            self._fresh = FreshNames({name.value for name in self.index.names if not self.index.is_label(name)})
        return self._fresh

    def torch_alias(self) -> str | None:
        """The name under which the file has imported torch."""
        return self.alias_of("torch", Kind.TORCH)

    def alias_of(self, module: str, kind: Kind = Kind.PYTHON) -> str | None:
        """The name under which the file has imported a module."""
        bound = self.program.module_env.items()
        return next((name for name, value in bound if value.kind is kind and value.const == module), None)

    def first_import(self, place: cst.CSTNode) -> cst.CSTNode:
        """The line of the file above which imports go that stand above a statement of the file."""
        nodes = (node for node in self.index.imports if "__future__" not in imported_module(node))
        own = [line for line in map(self.index.statement_of, nodes) if self.index.parents[line] is self.index.module]
        return min([*own, place], key=self.index.nodes.index)

    def local(self, function: cst.CSTNode) -> FreshNames:
        """Names that are free in a function."""
        return FreshNames({node.value for node in descendants(function) if isinstance(node, cst.Name)})

    def names_of_file(self) -> set[str]:
        """The names that mean something outside of functions, or in them something that stands outside."""
        outside = {item.value for item in self.index.names if self.index.function_of(item) is None}
        return outside.union(*(free_variables(item.node) for item in self.program.functions.values()))

    def beside_variables(self, function: cst.CSTNode) -> FreshNames:
        """Names that no variable in a function has; fields may have them."""
        names = [node for node in descendants(function) if isinstance(node, cst.Name)]
        return FreshNames({node.value for node in names if not self.index.is_label(node)})

    def names_at(self, node: cst.CSTNode) -> FreshNames:
        """Names that are free in the function around a node, or in the file."""
        return self.local(self.index.function_of(node) or self.index.module)

    def field_stores(self, name: str) -> list[cst.Attribute]:
        """The assignments of the file to fields of a name, of whatever objects."""
        named = [item for item in self.index.attributes if item.attr.value == name]
        return [item for item in named if isinstance(self.index.parents[item], cst.AssignTarget)]

    def set_alone(self, place: cst.CSTNode) -> cst.BaseExpression | None:
        """What an assignment says that sets one place alone."""
        assign = self.index.parents[self.index.parents[place]]
        return assign.value if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None

    def is_behind(self, use: cst.CSTNode, line: cst.CSTNode) -> bool:
        """Whether a node comes behind a line of the same block, or of a block below."""
        block = self.index.parents.get(line)
        if not isinstance(block, (cst.IndentedBlock, cst.Module)):
            return False
        node: cst.CSTNode | None = use
        while node is not None and self.index.parents.get(node) is not block:
            node = self.index.parents.get(node)
        body = list(block.body)
        return node is not None and node in body and body.index(node) > body.index(line)  # type: ignore[arg-type]

    def copy(self, node: Node) -> Node:
        """A second tree of the same text: nodes stand in one place only."""
        new = node.deep_clone()
        self.copies.update(zip(descendants(new), descendants(node), strict=True))
        return new

    def note_unreached(self, node: cst.CSTNode) -> None:
        """Note that nothing runs of what stands in a part of the program, which goes."""
        kinds = (cst.SimpleStatementLine, cst.BaseCompoundStatement)
        self.unreached.update(core(item) for item in (node, *descendants(node)) if isinstance(item, kinds))

    def refuse(self, node: cst.CSTNode, name: str, reason: str) -> None:
        self.problems.append(Problem(node, "T2J200", {"name": name, "hint": f": {reason}"}))

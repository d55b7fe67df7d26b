"""One file on its way: its facts and plan, the edits made so far, and what must be told to the user."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import libcst as cst

from torch2jax.plan.model import Facts, Plan
from torch2jax.syntax.edits import Edits, Rewriter
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import Hole, quote, quote_statement, quote_statements
from torch2jax.syntax.walk import descendants


@dataclass(frozen=True, slots=True)
class Remark:
    """A diagnostic that still refers to a node."""

    node: cst.CSTNode
    code: str
    fields: dict[str, str]


@dataclass(slots=True)
class Unit:
    """What all rewriting passes share. `support` are the names that support code defines."""

    facts: Facts
    plan: Plan
    edits: Edits
    support: frozenset[str]
    bound: frozenset[str]
    fresh: FreshNames
    remarks: list[Remark] = field(default_factory=list)
    settled: set[cst.CSTNode] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    hoists: list[tuple[cst.CSTNode, str]] = field(default_factory=list)
    inlined: dict[cst.CSTNode, str] = field(default_factory=dict)
    temporaries: dict[cst.CSTNode | None, set[str]] = field(default_factory=dict)
    hoisted: dict[cst.CSTNode, Callable[[Rewriter], cst.BaseExpression]] = field(default_factory=dict)

    def problem(self, node: cst.CSTNode, code: str, **fields: str) -> None:
        """Tell the user; errors are marked in the text too."""
        if any(item.node is node and item.code == code for item in self.remarks):
            return
        self.remarks.append(Remark(node, code, fields))
        self.settle(node)

    def settle(self, node: cst.CSTNode) -> None:
        """Everything of torch below a node has been decided."""
        self.settled.update(descendants(node))

    def spell(self, template: str) -> str:
        """The template with support names that the user's file uses for something else renamed."""
        for name in sorted(self.support & self.bound):
            renamed = re.sub(rf"(?<![\w.{{|*'\"]){name}(?![\w'\"]|\s*=[^=])", f"torch_{name}", template)
            if renamed != template:
                self.renamed[name] = f"torch_{name}"
                template = renamed
        return template

    def quote(self, template: str, **holes: Hole) -> cst.BaseExpression:
        return quote(self.spell(template), **holes)

    def statement(self, template: str, **holes: Hole) -> cst.BaseStatement:
        return quote_statement(self.spell(template), **holes)

    def statements(self, template: str, **holes: Hole) -> Sequence[cst.BaseStatement]:
        return quote_statements(self.spell(template), **holes)

"""One file on its way: its facts and plan, the edits made so far, and what must be told to the user."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.diagnostics import CODES_BY_ID, Severity
from torch2jax.facts.differentiated import Asked, Differentiated, find_differentiated
from torch2jax.facts.training import Step, Update
from torch2jax.plan.model import Facts, Plan
from torch2jax.program.program import Class, Function
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Edits, Rewriter
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import Hole, quote, quote_statement, quote_statements
from torch2jax.syntax.walk import descendants

_EXPLAINED = ("T2J200", "T2J203", "T2J205")  # remarks to which the reason in a table's row is added

_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class Unit:
    """What all rewriting passes share. `support` are the names that support code defines, `own` those that rows of the
    project import, `bound` those of the file, and `replaced` those that go with their imports.
    """

    facts: Facts
    plan: Plan
    edits: Edits
    support: frozenset[str]
    bound: frozenset[str]
    fresh: FreshNames
    problems: list[Problem] = field(default_factory=list)
    settled: set[cst.CSTNode] = field(default_factory=set)
    in_kernels: list[cst.CSTNode] = field(default_factory=list)  # kernels for GPUs, and the bodies that start them
    checkpoints: frozenset[cst.CSTNode] = frozenset()  # calls that compute their intermediate values again
    renamed: dict[str, str] = field(default_factory=dict)
    hoists: list[tuple[cst.CSTNode, str]] = field(default_factory=list)
    inlined: dict[cst.CSTNode, str] = field(default_factory=dict)
    temporaries: dict[cst.CSTNode | None, set[str]] = field(default_factory=dict)
    _differentiated: Differentiated | None = None
    gradients: dict[tuple[Function | None, str], str] = field(
        default_factory=dict
    )  # of a module: the variable with them
    gradients_of_steps: dict[tuple[Function | None, str], set[str]] = field(default_factory=dict)  # all such variables
    leaf_gradients: dict[tuple[Function | None, str], str] = field(default_factory=dict)  # the same, of tensors
    gradient_names: dict[Update, str] = field(default_factory=dict)  # of what an optimizer trains, within a function
    pullbacks: dict[Step, str] = field(
        default_factory=dict
    )  # of parts of losses that are computed before: their variables
    step_functions: dict[str, str] = field(default_factory=dict)  # definitions of training steps: what each is called
    generator_seeds: dict[cst.Call, cst.BaseExpression] = field(default_factory=dict)  # of generators, set behind them
    members: Mapping[str, str] = field(
        default_factory=dict
    )  # classes that are containers: the field that holds their parts
    constants: dict[cst.Return, str] = field(default_factory=dict)  # what makes constants of what is returned
    names_of_parameters: dict[cst.CSTNode, str] = field(default_factory=dict)  # of loops: a variable that they gain
    others: tuple[Facts, ...] = ()  # of the other files of the program, as far as these are translated with it
    taking: frozenset[str] | None = None  # classes of modules whose arguments are no fields; None until first asked for
    own: frozenset[str] = frozenset()
    replaced: frozenset[str] = frozenset()
    hoisted: dict[cst.CSTNode, Callable[[Rewriter], cst.BaseExpression]] = field(default_factory=dict)

    @property
    def differentiated(self) -> Differentiated:
        """What runs below gradients; worked out when first asked for."""
        if self._differentiated is None:
            own, *others = (
                Asked(item.program, item.values, tuple(item.steps))
                for item in (self.facts, *(item for item in self.others if item is not self.facts))
            )
            self._differentiated = find_differentiated(own, others)
        return self._differentiated

    def problem(self, node: cst.CSTNode, code: str, **fields: str) -> None:
        """Tell the user; errors are marked in the text too, and what is below them stays as it is."""
        if any(item.node is node and item.code == code for item in self.problems):
            return
        hint = self._hint(fields.get("name", "")) if code in _EXPLAINED else ""
        if code == "T2J203":
            fields.setdefault("owner", "a tensor")
        self.problems.append(Problem(node, code, {**fields, "hint": hint} if hint else fields))
        if CODES_BY_ID[code].severity is Severity.ERROR:
            self.settle(node)

    def field_node(self, item: Class, name: str) -> cst.CSTNode:
        """Where a field is told of: where it is made, or its class where another file gives it to the modules."""
        node = item.field_nodes.get(name, item.node)
        return node if node in self.facts.program.index.parents else item.node

    def _hint(self, name: str) -> str:
        """What the tables say about a torch name or method without translation."""
        tables = self.facts.tables
        packages = [name.rsplit(".", count)[0] + ".*" for count in range(1, name.count("."))]
        spec = tables.functions.get(name) or tables.layers.get(name) or tables.method(name)
        spec = spec or next((tables.functions[package] for package in packages if package in tables.functions), None)
        return f": {spec.unsupported}" if spec is not None and spec.unsupported else ""

    def note_gradients(self, function: Function | None, gradients: Mapping[str, str]) -> None:
        """Note the variables that hold the gradients of modules in a function, by the places of these."""
        for place, text in gradients.items():
            self.gradients[function, place] = text
            self.gradients_of_steps.setdefault((function, place), set()).add(text)

    def settle(self, node: cst.CSTNode) -> None:
        """Everything of torch below a node has been decided."""
        self.settled.update(descendants(node))

    def spell(self, template: str) -> str:
        """The template with support names that the user's file uses for something else renamed."""
        words = self.bound.intersection(_WORD.findall(template))
        for name in sorted(name for name in words if name in self.support or name in self.own):
            prefix = "jax" if name in self.own else "torch"
            renamed = re.sub(rf"(?<![\w.{{|*'\"]){name}(?![\w'\"]|\s*=[^=])", f"{prefix}_{name}", template)
            if renamed != template:
                self.renamed[name] = f"{prefix}_{name}"
                template = renamed
        return template

    def quote(self, template: str, **holes: Hole) -> cst.BaseExpression:
        return quote(self.spell(template), **holes)

    def statement(self, template: str, **holes: Hole) -> cst.BaseStatement:
        return quote_statement(self.spell(template), **holes)

    def statements(self, template: str, **holes: Hole) -> Sequence[cst.BaseStatement]:
        return quote_statements(self.spell(template), **holes)

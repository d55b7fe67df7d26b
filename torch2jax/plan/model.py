"""The plan of one file: decisions that refer to original nodes and hold no text but names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

import libcst as cst

from torch2jax.facts.effects import Draw, Effects, Summary
from torch2jax.facts.evaluation import Evaluation
from torch2jax.facts.freezing import Freezing
from torch2jax.facts.infer import Values
from torch2jax.facts.parallel import Parallel
from torch2jax.facts.parameter_loops import ParameterLoop
from torch2jax.facts.schedules import Schedules
from torch2jax.facts.tensor_settings import Settings
from torch2jax.facts.training import Flows, Step
from torch2jax.ops.schema import Tables
from torch2jax.program.program import Class, Function, Program
from torch2jax.records import dataclass
from torch2jax.targets.base import Target


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything known about one file before anything is decided."""

    program: Program
    values: Values
    effects: Effects
    flows: Flows
    steps: tuple[Step, ...]
    evaluations: tuple[Evaluation, ...]
    tables: Tables
    target: Target
    loops: tuple[ParameterLoop, ...] = ()
    freezing: Freezing = field(default_factory=Freezing)
    replaced: frozenset[cst.CSTNode] = frozenset()  # targets that exchange parts of modules
    schedules: Schedules = field(default_factory=Schedules)
    steps_elsewhere: tuple[Step, ...] = ()  # of the other files of the program
    parallel: Parallel = field(default_factory=Parallel)
    settings: Settings = field(default_factory=Settings)
    lists_others: bool = False  # the file lists parts of modules of other files, those among them that are functions
    returned_places: dict[Function, list[str]] = field(default_factory=dict, repr=False)  # see plan/sharing.py


@dataclass(slots=True)
class FunctionPlan:
    """What a function gains.

    `key`: how it draws, hence whether it gets a key. `state`: it takes its module's state, `gives_state`: and gives it back. Both
    are variables, `key_name` and `state_name`, that are parameters, `key_parameter` and `state_parameter`, or made of them.
    `companions`: for a parameter, the names put after it (optimizer state, module state). `extras`: names returned before
    the result; `has_result`: whether the original returns a value; `returns_changed`: what it returns is what it
    changes, and `returned` which one of several `extras` that is. `behind`: names returned after the result, and
    `behind_returns` the first of them that go with an expression that is returned; `optimizers` which elements of the result
    (None: the result itself) have their states there, behind those of `modules`. `made_at_returns`: the variables of modules
    whose states are made where such an expression is returned, with those of the states. `outer_names`: module-level variables it rebinds;
    `enclosing_names`: variables of the functions around it that it rebinds.
    """

    key: Draw = Draw.NONE
    key_name: str = "key"
    key_parameter: str = "key"
    state: bool = False
    gives_state: bool = False
    state_name: str = "state"
    state_parameter: str = "state"
    companions: dict[str, list[str]] = field(default_factory=dict)
    extras: list[str] = field(default_factory=list)
    has_result: bool = False
    behind: list[str] = field(default_factory=list)
    behind_returns: dict[cst.BaseExpression, list[str]] = field(default_factory=dict)
    made_at_returns: dict[cst.BaseExpression, list[tuple[str, str]]] = field(default_factory=dict)
    modules: list[int] = field(default_factory=list)
    optimizers: list[int | None] = field(default_factory=list)
    returns_changed: bool = False
    returned: str | None = None
    outer_names: list[str] = field(default_factory=list)
    enclosing_names: list[str] = field(default_factory=list)


class Gained(NamedTuple):
    """An argument that a call gains, `value`: behind so many of the call's own, or as the keyword `name` (None)."""

    position: int | None
    name: str
    value: str


@dataclass(slots=True)
class CallPlan:
    """What a call gains: `arguments`; `before` and `behind` are the names that its results are bound to around the original result (`None` where it has none). `same`: its only
    result is the new value of what it was given, the one name in `before`; `returned_at`: its own result is that one of several.
    `parts` are the names in `before` that stand for parts of modules, as `model.head`, with the place that is bound again
    and the path in it: `model` and `.head`. `copied`: the state that a copy of a module is given. `makes_any`: it runs one of
    several makers of modules, some of which give the state with the module and others do not.
    """

    arguments: list[Gained] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    has_result: bool = True
    same: bool = False
    returned_at: int | None = None
    first_of_pair: bool = False
    parts: dict[str, tuple[str, str]] = field(default_factory=dict)
    copied: str | None = None
    makes_any: bool = False

    @property
    def rebinds(self) -> bool:
        return bool(self.before or self.behind)


@dataclass(slots=True)
class KeySplit:
    """A statement that makes keys: `targets` from `source`, before `statement` (None: at the top of the frame)."""

    statement: cst.BaseStatement | None
    source: str
    targets: list[str]
    optional: bool
    renew: bool


@dataclass(slots=True)
class KeySequence:
    """A variable that gives another key each time: `name` from the key of a frame, where the frame is given one
    (`source`), before a statement (`new`: from a key of its own), and anew at each of its `seeds`.
    """

    name: str
    source: str | None = None
    new: cst.BaseStatement | None = None
    seeds: list[cst.Call] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ListedStates:
    """The variables to which lines and loops give optimizers out of lists, and their reads where they are put there: lists hold
    optimizers with their states.
    """

    taken: frozenset[cst.Name] = frozenset()
    given: frozenset[cst.Name] = frozenset()


@dataclass(slots=True)
class Plan:
    """All decisions of one file."""

    functions: dict[Function, FunctionPlan] = field(default_factory=dict)
    calls: dict[cst.Call, CallPlan] = field(default_factory=dict)
    keys: dict[cst.CSTNode, str] = field(default_factory=dict)
    key_takers: dict[cst.Call, Function | None] = field(default_factory=dict)
    by_signature: set[cst.Call] = field(default_factory=set)  # calls of functions of which only some take a key
    splits: list[tuple[Function | Step | None, KeySplit]] = field(default_factory=list)
    seeds: dict[cst.Call, str] = field(default_factory=dict)
    companions: dict[tuple[Function | None, str, str], str] = field(default_factory=dict)
    listed_states: ListedStates = field(default_factory=ListedStates)
    module_key: str = "key"  # the variable with the key of code at module level
    new_keys: list[cst.BaseStatement] = field(default_factory=list)
    sequences: dict[Function | Step | None, KeySequence] = field(default_factory=dict)
    keyed: dict[cst.CSTNode, cst.CSTNode | None] = field(
        default_factory=dict
    )  # lambdas with a key, and what draws in them
    kept: list[tuple[Function, str]] = field(default_factory=list)  # `__init__` that keep keys, and how
    generated: set[cst.Call] = field(default_factory=set)  # draws from a generator of their own
    passed: dict[cst.CSTNode, Function] = field(default_factory=dict)  # functions that draw, where others call them
    early_loads: set[cst.Call] = field(default_factory=set)  # into parts of modules that are being made
    comprehension_keys: dict[cst.CSTNode, tuple[str, str, int]] = field(default_factory=dict)
    hooks_within: set[cst.Call] = field(
        default_factory=set
    )  # that attach hooks which run within the steps that call them
    is_kept_within: bool = False  # steps read what hooks keep
    problems: list[tuple[cst.CSTNode, str, dict[str, str]]] = field(default_factory=list)
    step_names: dict[Step, dict[str, str]] = field(default_factory=dict)  # of variables of their functions' own
    step_prologues: dict[int, list[cst.BaseStatement]] = field(default_factory=dict)
    per_parameter: set[cst.Call] = field(default_factory=set)  # optimizers that pass over parameters without a gradient
    step_states: dict[Step, dict[str, str]] = field(default_factory=dict)  # of modules with state, by their places
    partly_watched: set[Step] = field(
        default_factory=set
    )  # steps that leave out some of the parameters whose gradients are read
    partly_reached: set[Step] = field(default_factory=set)  # steps whose gradients may be None for some parameters
    loops: dict[cst.For, tuple[str, str, bool]] = field(default_factory=dict)
    loop_key: dict[cst.For, str] = field(default_factory=dict)  # what a loop that is outlined calls the key it is given
    loop_keys: dict[cst.For, list[str]] = field(
        default_factory=dict
    )  # of the draws in one round of a loop that is outlined
    aliases: list[tuple[Function | None, cst.Assign, str, str]] = field(default_factory=list)
    modes: dict[cst.Call, list[tuple[str, str]]] = field(default_factory=dict)  # of places, behind calls that set them
    step_modes: dict[Step, list[tuple[str, str]]] = field(default_factory=dict)  # of places, behind steps that set them
    modes_wanted: set[tuple[str, str]] = field(default_factory=set)  # of functions of other files and their parameters
    imported: Mapping[Function, FunctionPlan] = field(default_factory=dict)
    parts: list[tuple[Function | None, cst.Assign, str, str]] = field(default_factory=list)  # see plan/shared_parts.py
    taken: dict[tuple[Function, str], str] = field(default_factory=dict)  # arguments that objects train on, and where
    imported_aliases: list[tuple[Function | None, cst.Assign, str, str]] = field(default_factory=list)
    events: dict[Function, dict[str, set[str]]] = field(default_factory=dict)
    number: int = 0  # among the plans that are known
    seen: int = 0  # a bit for the number of each plan that this one knows of, directly or through others
    written: dict[cst.Call, tuple[str, str]] = field(
        default_factory=dict
    )  # calls behind which a module takes parameters from a state

    def adopt(self, other: Plan) -> None:
        """Take over what an imported file has decided, but of its functions."""
        if other.parts:
            self.parts = list(dict.fromkeys((*self.parts, *other.parts)))
        self.taken.update(other.taken)
        if other.imported_aliases or other.aliases:
            every = (*self.imported_aliases, *other.imported_aliases, *other.aliases)
            self.imported_aliases = list(dict.fromkeys(every))  # the files of a program know each other in many ways
        self.seen |= other.seen | 1 << other.number
        self.companions.update(other.companions)

    def of(self, function: Function) -> FunctionPlan:
        if function in self.imported:
            return self.imported[function]
        return self.functions.setdefault(function, FunctionPlan())

    def problem(self, node: cst.CSTNode, code: str, **fields: str) -> None:
        self.problems.append((node, code, fields))


@dataclass(slots=True)
class Known:
    """What the analyses of the files of a program say of functions, also those of files that have been analysed again."""

    summaries: dict[Function, Summary] = field(default_factory=dict)
    plans: dict[Function, FunctionPlan] = field(default_factory=dict)
    events: dict[Function, dict[str, set[str]]] = field(default_factory=dict)
    fields: dict[str, list[tuple[int, Class, set[str]]]] = field(default_factory=dict)
    """What happens to fields of objects, by their names: the number of the plan, the class of the method, and the events."""
    modes_wanted: set[tuple[str, str]] = field(default_factory=set)
    """The keys of functions, and their parameters, whose callers in other files need the module back, since its mode is another one."""
    count: int = 0

    def note(self, facts: Facts, plan: Plan) -> None:
        self.modes_wanted |= plan.modes_wanted
        plan.number, self.count = self.count, self.count + 1
        for function in facts.program.functions.values():
            self.summaries[function] = facts.effects.of(function)
            self.plans[function] = plan.of(function)
            if function in plan.events:
                self.events[function] = plan.events[function]
                self._note_fields(function, plan)

    def _note_fields(self, function: Function, plan: Plan) -> None:
        start = f"{function.self_name}."
        for place, found in plan.events[function].items():
            if function.owner is not None and place.startswith(start):
                self.fields.setdefault(place[len(start) :], []).append((plan.number, function.owner, found))


__all__ = ["CallPlan", "Class", "Facts", "FunctionPlan", "KeySequence", "KeySplit", "Plan"]

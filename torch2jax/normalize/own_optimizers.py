"""Optimizers that a program writes itself: the body of the loops of `step` becomes a method for one parameter.

class Lion(torch.optim.Optimizer):                   class Lion(torch.optim.Optimizer):
    def step(self, closure=None):                        def update_parameter(self, p, grad, state, group):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:          ->
                    continue
                state = self.state[p]
                p.add_(p.grad, alpha=-group["lr"])           p = p.add(grad, alpha=-group["lr"])
                                                             return p, state

What is changed in place gets a new value, and so does what stands for it in the state. Tests that ask for shapes, options and
for what the state has by now stay; of those that only compiled code can answer both ways are computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import libcst as cst

from torch2jax.facts.parameters import (
    CHANGED_OPTIONS,
    GROUP_NUMBER,
    OWN_UPDATE,
    SHARED_OPTIONS,
    last_key,
    own_optimizer_base,
)
from torch2jax.normalize.optimizer_choices import Choice, as_condition, places_of
from torch2jax.normalize.optimizer_flow import Fate, Place, is_read_later
from torch2jax.normalize.optimizer_gradients import fills_gradients, looks_behind_steps
from torch2jax.normalize.optimizer_helpers import Inlining, changes_given
from torch2jax.normalize.optimizer_memories import Memory, without_memories
from torch2jax.normalize.optimizer_numbers import Numbers, Sort
from torch2jax.normalize.optimizer_storage import VIEWS, Storage
from torch2jax.normalize.optimizer_tables import tables_of_functions, with_calls_by_name
from torch2jax.normalize.rounds import CannotNormalize, NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import fit_instead, names_in, quote, quote_statement
from torch2jax.syntax.walk import bound_names, descendants

_KEPT = frozenset({"__init__", "__setstate__", "step"})
_OF_BASE = frozenset({"add_param_group", "load_state_dict", "param_groups", "state", "state_dict", "zero_grad"})
_STATIC = frozenset({"dim", "dtype", "is_complex", "is_sparse", "ndim", "nelement", "numel", "shape", "size"})
_HOST = frozenset({"abs", "bool", "float", "int", "max", "min", "round", "sorted", "sum"})


def normalize_own_optimizers(work: NormalizationRound) -> None:
    """Rewrite all such classes of a file whose steps can be seen through."""
    named = work.program.module_env.get("torch")
    at = _first_import(work)
    if named is None and at is None:
        return
    if named is not None and named.const != "torch":
        return  # what is written says `torch.zeros_like`
    is_done = False
    for item in work.program.classes.values():
        if not own_optimizer_base(item) or "step" not in item.methods:
            continue
        try:
            update, memories, written, shared = _update_of(item, _set_options(work), work.program)
        except CannotNormalize:
            continue  # told where the class is refused
        is_done = True
        work.edits.replace(item.methods["step"].node, lambda rewrite, update=update: update)  # type: ignore[misc]
        own = _with_lists_of_their_own(item, memories)
        changed = {str(last_key(node)) for node in descendants(update, cst.Subscript)} & (_set_options(work) - {"lr"})
        for field_name, options in ((SHARED_OPTIONS, shared - own), (CHANGED_OPTIONS, changed)):
            if not options:
                continue
            names = ", ".join(f'"{name}"' for name in sorted(options))
            line = f"{field_name} = ({names},)"
            work.edits.before(item.methods["step"].node, lambda rewrite, line=line: [quote_statement(line)])  # type: ignore[misc]
        lists = _lists_of_groups(item.methods["__init__"].node)
        if lists and not memories:
            for row, made in lists.items():
                work.edits.replace(row, lambda rewrite, made=made: made)  # type: ignore[misc]
        if memories:
            init = without_memories(item.methods["__init__"].node, memories)
            for row, made in lists.items():
                init = cst.ensure_type(init.deep_replace(row, made), cst.FunctionDef)
            work.edits.replace(item.methods["__init__"].node, lambda rewrite, init=init: init)  # type: ignore[misc]
        functions = {**{one.name: one for one in work.program.functions.values() if one.owner is None}, **item.methods}
        for name in ("__setstate__", *written):
            if name in functions:
                work.edits.remove(functions[name].node)
    if is_done and named is None and at is not None:
        work.edits.before(at, lambda rewrite: [quote_statement("import torch")])


def _with_lists_of_their_own(item: Class, memories: frozenset[str]) -> set[str]:
    """The options for which `__init__` gives groups lists of their own: `if param["betas"] != betas: param["buffer"] = []`."""
    found = set[str]()
    for node in descendants(item.methods["__init__"].node, cst.If):
        stores = [one.target for one in descendants(node.body, cst.AssignTarget)]
        if any(isinstance(target, cst.Subscript) and last_key(target) in memories for target in stores):
            found |= {str(one.raw_value) for one in descendants(node.test, cst.SimpleString)}
    return found


def _first_import(work: NormalizationRound) -> cst.SimpleStatementLine | None:
    """The statement above which a file can import torch; None where it has another use for the name."""
    lines = [line for line in work.index.module.body if isinstance(line, cst.SimpleStatementLine)]
    imports = [line for line in lines if isinstance(line.body[0], (cst.Import, cst.ImportFrom))]
    later = [line for line in imports if not code(line.body[0]).startswith("from __future__")]
    used = {name for line in work.index.module.body if line not in imports for name in names_in(line)}
    return later[0] if later and "torch" not in used else None


def _set_options(work: NormalizationRound) -> frozenset[str]:
    """The options of groups that the program may change while it trains, which compiled code does not know."""
    elsewhere = {text[1:-1] for text in work.program.read_elsewhere if text.startswith("[")}
    stored = [node.target for node in (*work.index.every(cst.AssignTarget), *work.index.every(cst.AugAssign))]  # type: ignore[attr-defined]
    return frozenset({"lr", *elsewhere, *(key for node in stored if (key := last_key(node)) is not None)})


def _update_of(
    item: Class, changing: frozenset[str], program: Program
) -> tuple[cst.FunctionDef, frozenset[str], list[str], set[str]]:
    """The method for one parameter, the lists that it does without, what is written out in it, and options of all groups."""
    try:
        return _updated(item, changing, program, inlines=False)
    except CannotNormalize:
        return _updated(item, changing, program, inlines=True)


def _updated(
    item: Class, changing: frozenset[str], program: Program, *, inlines: bool
) -> tuple[cst.FunctionDef, frozenset[str], list[str], set[str]]:
    if item.methods["step"].self_name != "self":
        raise CannotNormalize
    node = item.methods["step"].node
    if any(text.raw_value == GROUP_NUMBER for text in descendants(item.node, cst.SimpleString)):
        raise CannotNormalize
    group, loop, before = _loops(_block(node.body))
    helpers = {function.name: function for function in program.functions.values() if function.owner is None}
    helpers |= {f"self.{name}": method for name, method in item.methods.items()}
    written: list[str] = []
    tables = tables_of_functions(program, helpers)
    block = loop.body.with_changes(
        body=with_calls_by_name(_block(loop.body), tables, FreshNames(names_in(program.index.module)))
    )
    loop = loop.with_changes(body=block)
    if inlines:
        names = names_in(program.index.module)
        bound = frozenset(_names_given(node))
        inlining = Inlining(
            helpers, lambda helper, call: _is_written_out(group, loop, helper, call), FreshNames(names), bound
        )
        before = inlining.lines(before)
        loop = loop.with_changes(body=loop.body.with_changes(body=inlining.lines(_block(loop.body))))
        if not inlining.written:
            raise CannotNormalize
        written = _not_asked_elsewhere(item, [name.removeprefix("self.") for name in sorted(inlining.written)], program)
    _check_others(item, written)
    asking = frozenset(name for name, method in item.methods.items() if _asks_shape(method))
    step = _Step(group, loop, changing, asking, helpers, before)
    others = (one for file in program.files[1:] for one in file.functions.values() if one.owner is None)
    step.elsewhere = {one.name: one for one in others}
    step.check_carried()
    body = step.statements([*before, *_block(loop.body)])
    if step.keeps_gradient and fills_gradients(program):
        raise CannotNormalize  # what is kept becomes the next gradient
    if step.changes_gradient and looks_behind_steps(program, item):
        raise CannotNormalize  # the gradients outside of the step stay as they were
    lines = [line for line in _block(node.body)[:1] if is_docstring(line)]
    result = quote_statement(f"return {step.parameter}, {step.state}")
    parameters = f"self, {step.parameter}, {step.gradient}, {step.state}, {group}"
    made = quote_statement(f"def {OWN_UPDATE}({parameters}):\n    pass")
    first = body[0] if body and not lines else None
    if isinstance(first, (cst.SimpleStatementLine, cst.If)) and not any(line.comment for line in first.leading_lines):
        body[0] = first.with_changes(leading_lines=[])
    assert isinstance(made, cst.FunctionDef)
    block = cst.ensure_type(made.body, cst.IndentedBlock)
    update = made.with_changes(
        body=block.with_changes(body=[*lines, *body, result]),
        leading_lines=node.leading_lines,
        lines_after_decorators=[],
    )
    return update, frozenset(step.memories), written, step.shared


def _is_written_out(group: str, loop: cst.For, helper: Function, call: cst.Call) -> bool:
    """Whether a helper is given the state or the options, or decides or changes something."""
    states = {group, *(name for line in _states(loop) for name in bound_names(line))}
    given = {code(item.value) for item in call.args}
    if given & states or any(text.startswith("self.state[") for text in given) or changes_given(helper):
        return True
    names = frozenset({*helper.parameter_names, *_names_given(helper.node.body)} - {helper.self_name})
    nodes = descendants(helper.node.body)
    tests = [node.test for node in nodes if isinstance(node, (cst.If, cst.IfExp, cst.While, cst.Assert))]
    tests += [node for node in nodes if isinstance(node, cst.Call) and _is_of_host(node)]
    asks = any(isinstance(node, cst.Attribute) and node.attr.value in _OF_BASE for node in nodes)
    return asks or any(_depends(test, names) for test in tests if not _asks_for_none(test))


def _states(loop: cst.For) -> Iterator[cst.BaseExpression]:
    for node in descendants(loop, cst.Assign):
        if code(node.value).startswith("self.state["):
            yield from (item.target for item in node.targets)


def _not_asked_elsewhere(item: Class, names: Sequence[str], program: Program) -> list[str]:
    """The methods and private functions with some names that nothing asks for but the step and one another."""
    functions = {one.name: one for one in program.functions.values() if one.owner is None and one.outer is None}
    nodes = [
        own.node for name in (*names, "step") if (own := item.methods.get(name) or functions.get(name)) is not None
    ]
    inside = {part for node in nodes for part in (node.name, *descendants(node.body))}
    asked = {node.value for node in descendants(program.index.module, cst.Name) if node not in inside}
    private = {*item.methods, *(name for name in functions if name.startswith("_"))}
    return [name for name in names if name in private and name not in asked]


def _check_others(item: Class, written: Sequence[str]) -> None:
    """Refuse what else asks for groups and states."""
    init = item.methods.get("__init__")
    for name, method in item.methods.items():
        if name in written:
            continue
        exempt = _lists_of_groups(method.node) if name == "__init__" else {}
        own = {part for line in exempt for part in descendants(line)}
        nodes = [node for node in descendants(method.node) if isinstance(node, cst.Attribute) and node not in own]
        asked = {node.attr.value for node in nodes}
        if name in _OF_BASE or (name not in ("step", "__setstate__") and asked & (_OF_BASE | {"grad"})):
            raise CannotNormalize
    if init is None or len(item.base_classes) > 0:
        raise CannotNormalize


def _block(suite: cst.BaseSuite) -> list[cst.BaseStatement]:
    if not isinstance(suite, cst.IndentedBlock):
        raise CannotNormalize
    return list(suite.body)


def _asks_shape(method: Function) -> bool:
    """Whether a method gives back something that depends on no more than the shapes of what it is given."""
    body = [line for line in _block(method.node.body) if not is_docstring(line)]
    small = body[0].body[0] if len(body) == 1 and isinstance(body[0], cst.SimpleStatementLine) else None
    if not isinstance(small, cst.Return) or small.value is None:
        return False
    return not _depends(small.value, frozenset(method.parameter_names) - {method.self_name or ""})


def _depends(node: cst.CSTNode, names: frozenset[str]) -> bool:
    """Whether an expression reads more of some variables than their shapes."""
    if isinstance(node, cst.Attribute) and node.attr.value in _STATIC:
        return False
    if isinstance(node, cst.Name):
        return node.value in names
    return any(_depends(item, names) for item in node.children)


def _asks_for_none(test: cst.BaseExpression) -> bool:
    """`x is None`, which arrays answer without their values."""
    operators = [item.operator for item in test.comparisons] if isinstance(test, cst.Comparison) else []
    return bool(operators) and all(isinstance(item, (cst.Is, cst.IsNot)) for item in operators)


def _plain(statements: Sequence[cst.BaseStatement]) -> Iterator[cst.BaseStatement]:
    """Statements without `with torch.no_grad():` around them."""
    for item in statements:
        if isinstance(item, cst.With) and all("no_grad" in code(one.item) for one in item.items):
            yield from _plain(_block(item.body))
        else:
            yield item


def _loops(body: Sequence[cst.BaseStatement]) -> tuple[str, cst.For, list[cst.BaseStatement]]:
    """The variable of groups, the loop over the parameters of a group, and what stands above it."""
    outer: cst.For | None = None
    for line in _plain(body):
        if is_docstring(line) or _is_of_closure(line):
            continue
        if not isinstance(line, cst.For) or outer is not None:
            raise CannotNormalize
        outer = line
    if outer is None:
        raise CannotNormalize
    group, beside = _groups(outer)
    *before, inner = _plain(_block(outer.body))
    before = [*beside, *before]
    is_inner = isinstance(inner, cst.For) and code(inner.iter) in (f'{group}["params"]', f"{group}['params']")
    if not isinstance(inner, cst.For) or not is_inner or not isinstance(inner.target, cst.Name) or inner.orelse:
        raise CannotNormalize
    if any(not isinstance(line, cst.SimpleStatementLine) for line in before):
        raise CannotNormalize
    return group, inner, before


def _groups(outer: cst.For) -> tuple[str, list[cst.BaseStatement]]:
    """The variable of groups, and what else each round is given: their numbers, and lists with something for each group."""
    match outer.target, outer.iter:
        case cst.Name(group), groups if dotted(groups) == "self.param_groups":
            return group, []
        case (
            cst.Tuple(elements=[cst.Element(value=cst.Name(number)), cst.Element(value=cst.Name(group))]),
            cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=groups)]),
        ) if dotted(groups) == "self.param_groups":
            return group, [quote_statement(f'{number} = {group}["{GROUP_NUMBER}"]')]
        case (
            cst.Tuple(elements=[cst.Element(value=cst.Name(group)), *others]),
            cst.Call(func=cst.Name("zip"), args=[cst.Arg(value=groups), *lists]),
        ) if dotted(groups) == "self.param_groups" and len(others) == len(lists):
            beside = []
            for other, given in zip(others, lists, strict=True):
                place = dotted(given.value) or ""
                if not isinstance(other.value, cst.Name) or not place.startswith("self.") or place.count(".") != 1:
                    raise CannotNormalize
                beside.append(quote_statement(f'{other.value.value} = {place}[{group}["{GROUP_NUMBER}"]]'))
            return group, beside
    raise CannotNormalize


def _lists_of_groups(init: cst.FunctionDef) -> dict[cst.SimpleStatementLine, cst.SimpleStatementLine]:
    """`self.base_lrs = [group["lr"] for group in self.param_groups]`, and the same with the name for groups of the translation."""
    found = {}
    is_made = False
    for line in _block(init.body):
        is_made = is_made or any(dotted(call.func) == "super" for call in descendants(line, cst.Call))
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name("self")) as place)], value=value
                    )
                ]
            ) if is_made:
                made = _for_each_group(value)
                if made is not None:
                    new = quote_statement("{place} = {value}", place=place, value=made)
                    found[line] = cst.ensure_type(new, cst.SimpleStatementLine)
    return found


def _for_each_group(value: cst.BaseExpression) -> cst.BaseExpression | None:
    match value:
        case cst.ListComp(
            elt=asked,
            for_in=cst.CompFor(target=cst.Name(name), iter=groups, ifs=[], inner_for_in=None, asynchronous=None),
        ):
            pass
        case cst.Call(
            func=cst.Name("list"),
            args=[
                cst.Arg(
                    value=cst.Call(
                        func=cst.Name("map"),
                        args=[
                            cst.Arg(
                                value=cst.Lambda(
                                    params=cst.Parameters(params=[cst.Param(name=cst.Name(name))]), body=asked
                                )
                            ),
                            cst.Arg(value=groups),
                        ],
                    )
                )
            ],
        ):
            pass
        case _:
            return None
    is_option = (
        isinstance(asked, cst.Subscript) and dotted(asked.value) == name and last_key(asked) not in (None, "params")
    )
    if dotted(groups) != "self.param_groups" or not is_option:
        return None
    return quote(f"[{{asked}} for {name} in self.groups]", asked=asked)


def _otherwise(orelse: cst.If | cst.Else | None, made: list[cst.BaseStatement]) -> cst.If | cst.Else | None:
    """The other way of a decision, with the statements that it is made of now."""
    if isinstance(orelse, cst.If) and len(made) == 1 and isinstance(made[0], cst.If):
        return made[0]
    if isinstance(orelse, cst.Else):
        return orelse.with_changes(body=orelse.body.with_changes(body=made or [quote_statement("pass")]))
    return cst.Else(cst.IndentedBlock(made)) if made else None


def _is_of_closure(line: cst.BaseStatement) -> bool:
    """`loss = None`, `if closure is not None: loss = closure()`, `return loss`."""
    if isinstance(line, cst.If):
        return code(line.test).strip() in ("closure is not None", "closure") and line.orelse is None
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(value=cst.Name("None"))]):
            return True
        case cst.SimpleStatementLine(body=[cst.Return(value=None | cst.Name())]):
            return True
    return False


@dataclass(slots=True)
class _Step:
    """The body of the loops, statement by statement: `traced` are the variables that are known only when compiled code runs."""

    group: str
    loop: cst.For
    changing: frozenset[str]  # options of groups that may change
    asking: frozenset[str]  # methods that only ask for the shape of a parameter
    helpers: Mapping[str, Function] = field(default_factory=dict)  # functions and methods by what calls say
    before: Sequence[cst.BaseStatement] = ()  # what stands above the loop over parameters
    numbers: Numbers = field(init=False)
    parameter: str = ""
    gradient: str = "grad"
    state: str = "state"
    storage: Storage = field(default_factory=Storage)
    traced: set[str] = field(default_factory=set)
    given: frozenset[str] = frozenset()  # the variables of the step
    elsewhere: Mapping[str, Function] = field(default_factory=dict)  # functions of other files by their names
    quote: str = '"'
    ahead: list[list[cst.BaseStatement]] = field(default_factory=list)  # what follows, in each of the suites around
    memories: set[str] = field(default_factory=set)  # lists of what a step has computed, which go
    shared: set[str] = field(default_factory=set)  # options that such lists take of one group for all
    bound: set[str] = field(default_factory=set)  # variables and entries of the state that have a value
    counters: frozenset[str] = frozenset()  # the variables of loops over what is known before
    containers: set[str] = field(default_factory=set)  # entries that have entries of their own
    unsure: set[str] = field(default_factory=set)  # of the variables, those that only one way of a decision binds
    fresh: FreshNames = field(default_factory=lambda: FreshNames(()))
    is_rebound: bool = False  # the variable of the gradient holds something else
    keeps_gradient: bool = False  # in the state, as it is
    changes_gradient: bool = False

    def __post_init__(self) -> None:
        assert isinstance(self.loop.target, cst.Name)
        self.parameter = self.loop.target.value
        bound = {dotted(item.target) for item in _assigned(self.loop, f"self.state[{self.parameter}]")}
        if len(bound) > 1:
            raise CannotNormalize
        self.state = next((name for name in bound if name is not None), "state")
        keys = [node.quote for node in descendants(self.loop, cst.SimpleString)]
        self.quote = "'" if keys.count("'") > keys.count('"') else '"'
        taken = names_in(self.loop)
        attributes = [node for node in descendants(self.loop) if isinstance(node, cst.Attribute)]
        reads = [node for node in attributes if dotted(node) == f"{self.parameter}.grad"]
        given = {dotted(item.target) for text in _GRADIENTS for item in _assigned(self.loop, self.parameter + text)}
        tests = [node for node in descendants(self.loop) if isinstance(node, cst.Comparison)]
        asked = sum(dotted(node.left) == f"{self.parameter}.grad" for node in tests)
        single = next(iter(given)) if len(given) == 1 and len(reads) - asked == 1 else None
        free = next(name for name in ("grad", "gradient", "grad_of_p") if name not in taken)
        self.gradient = single if single is not None else free
        self.traced = {self.parameter, self.gradient, self.state}
        self.bound = {self.parameter, self.gradient}
        self.fresh = FreshNames(taken)
        lines = [*self.before, *_block(self.loop.body)]
        loops = [node.target for line in lines for node in descendants(line, cst.For)]
        assigned = {name for line in lines for name in _names_given(line, loops=False)}
        self.given = frozenset(assigned)
        self.counters = frozenset({name for target in loops for name in bound_names(target)} - assigned)
        stores = [node for line in lines for node in descendants(line, cst.Assign)]
        empty = [item.target for node in stores if _is_empty_dict(node.value) for item in node.targets]
        self.containers = {text for target in empty if (text := self.entry(target)) is not None}
        self.numbers = Numbers(self.group, frozenset({self.parameter, self.gradient}), self.entry)
        self.numbers.look([*self.before, self.loop.body])

    def check_carried(self) -> None:
        """Refuse variables that one parameter leaves for the next one."""
        body = _block(self.loop.body)
        outside = {name for line in self.before for name in _names_given(line)}
        for name in sorted({name for line in body for name in _names_given(line)} - {self.parameter}):
            place = Place(name, False, lambda node: None)
            if place.fate(self.before) is Fate.READ or (name in outside and place.fate(body) is Fate.READ):
                raise CannotNormalize

    # statements

    def statements(self, body: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        result, lines = [], list(_plain(body))
        while lines:
            line, *lines = lines
            if (computed := self.computed_anew(line, lines)) is not None:
                lines = [*computed, *lines[1:]]
                continue
            self.ahead.append(lines)
            made = self.statement(line)
            self.ahead.pop()
            targets = [node.target for item in made for node in descendants(item, cst.AssignTarget)]
            parts = [item.value for node in targets if isinstance(node, cst.Tuple) for item in node.elements]
            new = {code(node) for node in (*targets, *parts)}
            self.bound |= new
            self.unsure -= new if not isinstance(line, cst.If) else set()
            result += made
        return result

    def computed_anew(
        self, line: cst.BaseStatement, rest: Sequence[cst.BaseStatement]
    ) -> list[cst.BaseStatement] | None:
        """What a step computes that is kept in a list for the other parameters of that step, without the list."""
        memory = Memory.of(line, rest[0]) if rest else None
        if memory is None or self.entry(memory.asked) is None or memory.is_used_in(rest):
            return None
        reads = [node for item in memory.lines for node in descendants(item)]
        names = {node.value for node in reads if isinstance(node, cst.Name)}
        entries = {self.entry(node) for node in reads} - {None, self.entry(memory.asked)}
        options = {
            last_key(node) for node in reads if isinstance(node, cst.Subscript) and dotted(node.value) == self.group
        }
        given = {name: self.option_of(name) for name in names - {self.state, *memory.assigned}}
        if entries or any(option is None and name in self.traced for name, option in given.items()):
            return None
        self.shared |= {str(option) for option in (options | set(given.values())) - {None, memory.place}}
        self.memories.add(memory.place)
        return memory.lines

    def option_of(self, name: str) -> str | None:
        """The option of the group that a variable has, wherever it is read."""
        found = set[str | None]()
        for node in (item for line in (*self.before, self.loop.body) for item in descendants(line)):
            match node:
                case cst.Assign(targets=targets, value=value) if any(
                    name in bound_names(item.target) for item in targets
                ):
                    is_option = isinstance(value, cst.Subscript) and dotted(value.value) == self.group
                    found.add(last_key(value) if is_option else None)
                case cst.AugAssign(target=target) | cst.For(target=target) if name in bound_names(target):
                    found.add(None)
        return found.pop() if len(found) == 1 else None

    def statement(self, line: cst.BaseStatement) -> list[cst.BaseStatement]:
        if isinstance(line, cst.If):
            return self.branch(line)
        if isinstance(line, cst.For):
            return self.counted_loop(line)
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
            raise CannotNormalize
        small = line.body[0]
        if isinstance(small, cst.Continue):
            return [quote_statement(f"return {self.parameter}, {self.state}")]
        if isinstance(small, cst.Raise | cst.Pass):
            return [line]
        made = self.small(small)
        if made and line.leading_lines:
            made[0] = made[0].with_changes(leading_lines=line.leading_lines)
        return made

    def counted_loop(self, line: cst.For) -> list[cst.BaseStatement]:
        """A loop over what is known before: options, sizes, numbers."""
        names, body, items = bound_names(line.target), _block(line.body), self.expression(line.iter)
        leaves = (cst.Break, cst.Continue, cst.Return)
        is_left = any(isinstance(node, leaves) for node in descendants(line.body))
        if line.orelse is not None or is_left or self.is_traced(items) or not names <= self.counters:
            raise CannotNormalize
        for _ in range(_ROUNDS):
            storage, traced, bound = self.storage.copy(), set(self.traced), set(self.bound)
            self.forget(names)
            self.ahead.append([line])
            made = self.statements(body)
            self.ahead.pop()
            self.forget(names)
            new = {name for name in self.bound - bound if name.isidentifier()}
            joined = self.storage.joined(storage, new)
            is_same = joined == storage and self.traced <= traced | names
            self.traced |= traced
            if is_same:
                self.unsure |= new
                return [line.with_changes(iter=items, body=line.body.with_changes(body=made))]
            self.storage, self.bound = joined, bound
        raise CannotNormalize

    def forget(self, names: Iterable[str]) -> None:
        """The variables of a loop get other values: what entries were with the old ones is not known."""
        for name in names:
            self.storage.forget(name, f"{self.state}[...]")
            self.traced.discard(name)

    def branch(self, line: cst.If) -> list[cst.BaseStatement]:
        text = " ".join(code(line.test).split())
        if text in (f"{self.parameter}.grad is None", f"{self.gradient} is None") and line.orelse is None:
            return []  # parameters without a gradient are passed over
        if text == f"{self.parameter}.grad is not None" and line.orelse is None:
            return self.statements(_block(line.body))
        if text.endswith(".is_sparse") and line.orelse is None and "raise " in code(line.body):
            return []  # no gradient is
        test = self.expression(line.test)
        is_traced = self.is_traced(test)
        before, traced = self.storage.copy(), set(self.traced)
        bound, unsure = frozenset(self.bound), set(self.unsure)
        was_rebound = self.is_rebound
        then = self.statements(_block(line.body))
        is_rebound, self.is_rebound = self.is_rebound, was_rebound
        after, self.storage = self.storage, before
        traced, self.traced = self.traced, traced
        first, self.bound = self.bound, set(bound)
        other: list[cst.BaseStatement] = []
        if isinstance(line.orelse, cst.Else):
            other = self.statements(_block(line.orelse.body))
        elif isinstance(line.orelse, cst.If):
            other = self.branch(line.orelse)
        self.is_rebound &= is_rebound
        self.traced |= traced
        one_way = {name for name in first ^ self.bound if name.isidentifier()}
        self.storage = after.joined(self.storage, one_way)
        self.bound |= first
        if is_traced:
            self.unsure = unsure
            if unsure & places_of([*then, *other]).keys():
                raise CannotNormalize
            condition = as_condition(test, self.is_traced)
            made = Choice(condition, then, other, bound, self.storage.same, self.fresh, self.is_later).statements()
            self.traced |= {code(node.target) for item in made for node in descendants(item, cst.AssignTarget)}
            return made
        self.unsure |= one_way
        body = line.body.with_changes(body=then or [quote_statement("pass")])
        return [line.with_changes(test=test, body=body, orelse=_otherwise(line.orelse, other))]

    def small(self, small: cst.BaseSmallStatement) -> list[cst.BaseStatement]:
        match small:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as call) if _is_itself(
                target, call
            ):
                return self.call(call)
        if (inner := self.changed_within(small)) is not None:
            root = _root(inner)
            assert root is not None
            rest = cst.ensure_type(small.deep_replace(inner, root), cst.BaseSmallStatement)  # type: ignore[type-abstract]
            self.ahead.append([cst.SimpleStatementLine([rest])])
            made = self.call(inner)
            self.ahead.pop()
            return [*made, *self.small(rest)]
        match small:
            case cst.Assign(targets=targets, value=value):
                if (first := self.first_value(value)) is not None:
                    line = cst.ensure_type(_block(first.body)[0], cst.SimpleStatementLine)
                    entry = cst.ensure_type(line.body[0], cst.Assign).targets[0].target
                    return [*self.branch(first), *self.assignment([item.target for item in targets], entry)]
                return self.assignment([item.target for item in targets], value)
            case cst.AugAssign(target=target, operator=operator, value=value):
                symbol = code(operator).strip().removesuffix("=")
                new = quote(f"{{target}} {symbol} {{value}}", target=target, value=value)
                sort = self.numbers.of(target)
                if sort is Sort.NUMBER:
                    return self.assignment([target], new)
                return self.changed(self.expression(target), self.expression(new), may_be_number=sort is Sort.OPEN)
            case cst.Expr(value=cst.Call() as call):
                if (first := self.first_value(call)) is not None:
                    return self.branch(first)
                return self.call(call)
        raise CannotNormalize

    def first_value(self, node: cst.BaseExpression) -> cst.If | None:
        """`state.setdefault("mu", 0)` as a decision."""
        match node:
            case cst.Call(
                func=cst.Attribute(value=place, attr=cst.Name("setdefault")),
                args=[cst.Arg(value=key), cst.Arg(value=value)],
            ):
                entry = cst.Subscript(place, [cst.SubscriptElement(cst.Index(key))])
                if self.entry(entry) is not None:
                    text = f"if {{key}} not in {self.state}:\n    {{entry}} = {{value}}"
                    made = quote_statement(text, key=key, entry=entry, value=value)
                    return cst.ensure_type(made, cst.If)
        return None

    def assignment(self, targets: Sequence[cst.BaseExpression], value: cst.BaseExpression) -> list[cst.BaseStatement]:
        if code(value).replace(" ", "") == f"self.state[{self.parameter}]":
            return []
        if len(targets) == 1 and (made := self.stored(targets[0], value)) is not None:
            return made
        if len(targets) == 1 and self.entry(targets[0]) in self.containers:
            if not _is_empty_dict(value):
                raise CannotNormalize
            return [
                quote_statement(
                    "{place} = {value}", place=cst.parse_expression(str(self.entry(targets[0]))), value=value
                )
            ]
        pairs = _pairs(targets, value)
        new = self.expression(value)
        if _exchanges(targets[0], value):
            raise CannotNormalize
        if len(targets) == 1 and dotted(targets[0]) == dotted(new) == self.gradient:
            return []
        is_traced = self.is_traced(new)
        for target, given in pairs:
            self.bind(target, given, is_traced)
        places = [self.expression(item) for item in targets]
        holes = {f"t{number}": item for number, item in enumerate(places)}
        text = " = ".join(f"{{{name}}}" for name in holes)
        return [quote_statement(f"{text} = {{value}}", value=new, **holes)]

    def stored(self, target: cst.BaseExpression, value: cst.BaseExpression) -> list[cst.BaseStatement] | None:
        """`p.data = value`, `p.grad = value` and `x[x > 1] = value`."""
        name = {f"{self.parameter}.data": self.parameter, f"{self.parameter}.grad": self.gradient}.get(
            dotted(target) or ""
        )
        if name is not None:
            new = self.expression(value)
            shared = self.storage.closure(self.shares(new) - {name})
            self.storage.release(name)
            if shared - {name}:
                self.storage.others[name] = shared - {name}
            return [quote_statement(f"{name} = {{value}}", value=new)]
        match target:
            case cst.Subscript(value=place, slice=[cst.SubscriptElement(slice=cst.Index(value=mask))]) if _is_mask(
                mask
            ):
                new = quote("torch.where({mask}, {value}, {place})", mask=mask, value=value, place=place)
                return self.changed(self.expression(place), self.expression(new))
        return None

    def changed_within(self, small: cst.BaseSmallStatement) -> cst.Call | None:
        """`top.add_(eps)` in `top.add_(eps).sqrt() / scale`, where nothing else is said of `top`."""
        whole = small.value if isinstance(small, cst.Expr) else None
        chain: list[cst.CSTNode] = []
        while (
            isinstance(whole, cst.Call)
            and isinstance(whole.func, cst.Attribute)
            and is_inplace_name(whole.func.attr.value)
        ):
            chain.append(whole)
            whole = whole.func.value
        calls = [item for item in descendants(small, cst.Call) if item not in chain and _root(item) is not None]
        if not calls:
            return None
        root = _root(calls[0])
        assert root is not None
        text = code(root)
        while text.endswith(".data"):
            text = text.removesuffix(".data")
        nodes = (*descendants(small, cst.Name), *descendants(small, cst.Subscript))
        if sum(code(item) == text for item in nodes) > 1 or isinstance(small, cst.AugAssign):
            raise CannotNormalize
        return calls[0]

    def bind(self, target: cst.BaseExpression, given: Sequence[cst.BaseExpression], is_traced: bool) -> None:
        """Note what a variable stands for from now on."""
        if isinstance(target, cst.Tuple):
            for element in target.elements:
                self.bind(element.value, [], is_traced)
            return
        given = [one for one in given if not self.numbers.is_number(one)]
        entry = self.entry(target)
        if entry is not None:
            names = [one.value for one in given if isinstance(one, cst.Name) and one.value in self.traced]
            self.check_overlaps({entry})
            sharing = frozenset[str]().union(*(self.shares(self.expression(one)) for one in given)) - {*names, entry}
            self.storage.release(entry)
            for name in names:
                self.storage.join(entry, name)
            self.storage.relate(entry, sharing)
            self.keeps_gradient |= not self.is_rebound and self.gradient in self.storage.closure({entry})
            return
        if not isinstance(target, cst.Name) or target.value in (self.state, self.group, self.parameter):
            raise CannotNormalize
        name = target.value
        items = [self.expression(item) for item in given]
        found = [(item, self.key(item), self.cast_of(item), self.shares(item) - {name}) for item in items]
        is_itself = any(isinstance(item, cst.Name) and item.value == name for item in items)
        if not is_itself:
            self.is_rebound |= name == self.gradient
            base = next((base for _, _, base, _ in found if base is not None), None)
            base = self.storage.first_of(base) if base is not None else None
            self.storage.release(name)
            for item, key, cast, shared in found:
                same = key or (item.value if isinstance(item, cst.Name) and item.value in self.traced else None)
                if same is not None:
                    self.storage.same[name] = self.storage.first_of(same)
                elif cast is not None and base not in (None, name):
                    self.storage.casts[name] = str(base)
                elif shared:
                    self.storage.relate(name, shared)
        self.traced -= {name} - {self.parameter, self.gradient}
        if is_traced:
            self.traced.add(name)

    def cast_of(self, node: cst.CSTNode) -> str | None:
        """What `p.float()` has the same storage as where it has that type already."""
        match node:
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(name))) if name in _CASTS:
                key = self.key(value) or (value.value if isinstance(value, cst.Name) else None)
                return key if key is not None and key not in self.storage.casts else None
        return None

    def entry(self, node: cst.CSTNode) -> str | None:
        """`state["mu"]`, in one spelling; `state[f"mu_{i}"]` and `state["mus"][i]` with the variables of loops."""
        match node:
            case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
                place: str | None = self.state
                if dotted(value) != self.state and code(value) != f"self.state[{self.parameter}]":
                    place = self.entry(value) if isinstance(value, cst.Subscript) else None
                    place = place if place in self.containers else None
                if place is None:
                    return None
                if isinstance(key, cst.SimpleString):
                    return f"{place}[{self.quote}{key.raw_value}{self.quote}]"
                is_number = place in self.containers and isinstance(key, cst.Integer)
                return f"{place}[{code(key)}]" if is_number or self.is_counted(key) else None
        return None

    def is_counted(self, key: cst.BaseExpression) -> bool:
        """Whether a key is made of the variables of loops."""
        if not isinstance(key, (cst.Name, cst.FormattedString, cst.Call)):
            return False
        if isinstance(key, cst.Call) and not (
            isinstance(key.func, cst.Attribute)
            and key.func.attr.value == "format"
            and isinstance(key.func.value, cst.SimpleString)
        ):
            return False
        parts = [item.value for item in key.args] if isinstance(key, cst.Call) else [key]
        names = {node.value for part in parts for node in descendants(part, cst.Name)}
        return bool(names) and names <= self.counters

    def is_counted_text(self, text: str) -> bool:
        return any(re.search(rf"\b{name}\b", text.partition("[")[2]) is not None for name in self.counters)

    def key(self, node: cst.CSTNode) -> str | None:
        """An entry of the state, the parameter or its gradient."""
        if isinstance(node, (cst.Name, cst.Attribute)) and (text := dotted(node)) is not None:
            return {self.parameter: text, self.gradient: text, f"{self.parameter}.grad": self.gradient}.get(text)
        return self.entry(node)

    def is_later(self, text: str) -> bool:
        """Whether a variable or an entry of the state is read behind the statement that is looked at."""
        if self.is_counted_text(text):
            return True
        lasts = text == self.parameter or text.startswith(f"{self.state}[")
        return is_read_later(Place(text, lasts, self.key), self.ahead)

    def call(self, call: cst.Call) -> list[cst.BaseStatement]:
        """A statement that changes a tensor in place, or gives a result to `out`."""
        out = [item for item in call.args if item.keyword is not None and item.keyword.value == "out"]
        if len(out) == 1:
            args = [item for item in call.args if item is not out[0]]
            args[-1] = args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            return self.changed(self.expression(out[0].value), self.expression(call.with_changes(args=args)))
        if (bound := self.norm_bound(call)) is not None:
            text = f"{self.gradient}.mul(({{bound}} / ({self.gradient}.norm() + 1e-6)).clamp(max=1.0))"
            return self.changed(cst.Name(self.gradient), self.expression(quote(text, bound=bound)))
        root = _root(call)
        if root is None and (place := _given_to(call)) is not None:
            first = _chain(call)[-1]
            after = cst.ensure_type(call.deep_replace(first, place), cst.Call)
            self.ahead.append([cst.SimpleStatementLine([cst.Expr(after)])])
            made = self.call(first)
            self.ahead.pop()
            return [*made, *self.call(after)]
        if root is None:
            is_value = isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS
            if is_value and self.is_traced(self.expression(call)):
                return []  # a value that nobody takes
            raise CannotNormalize
        if self.numbers.is_number(root):
            raise CannotNormalize  # an option that is a tensor
        inner = cst.ensure_type(call.func, cst.Attribute).value
        later = [item.value for one in _chain(call)[:-1] for item in one.args]
        if isinstance(inner, cst.Call) and self.reads(later, root):
            after = call.with_changes(func=call.func.with_changes(value=root))
            self.ahead.append([cst.SimpleStatementLine([cst.Expr(after)])])
            made = self.call(inner)
            self.ahead.pop()
            return [*made, *self.call(after)]
        return self.changed(self.expression(root), self.expression(_without_places(call)))

    def norm_bound(self, call: cst.Call) -> cst.BaseExpression | None:
        """The bound of `clip_grad_norm_(p, bound)`, which changes the gradient of one parameter."""
        if (dotted(call.func) or "").rpartition(".")[2].removesuffix("_") != "clip_grad_norm":
            return None
        match call.args:
            case [cst.Arg(value=given, keyword=None), cst.Arg(value=bound, keyword=None)] if (
                dotted(given) == self.parameter
            ):
                return bound
        raise CannotNormalize

    def reads(self, nodes: Sequence[cst.BaseExpression], root: cst.BaseExpression) -> bool:
        """Whether something reads what a chain of calls changes."""
        place = self.expression(root)
        text = self.entry(place) or code(place)
        sharing = self.storage.closure({text})
        return any(self.shares(part) & sharing for node in nodes for part in descendants(self.expression(node)))

    def changed(
        self, place: cst.BaseExpression, value: cst.BaseExpression, *, may_be_number: bool = False
    ) -> list[cst.BaseStatement]:
        """What was changed in place has a new value, and so has all that stands for it and is read later."""
        text = self.entry(place) or (place.value if isinstance(place, cst.Name) else None)
        if text is None or text in (self.state, self.group):
            raise CannotNormalize
        storage = self.storage
        same, by_type = storage.all_same(text), storage.by_type(text)
        self.check_overlaps({*same, *by_type})
        others = storage.closure({text}) - {text}
        self.changes_gradient |= not self.is_rebound and self.gradient in {text, *others}
        if any(self.is_later(item) for item in (others if may_be_number else others - same - by_type.keys())):
            raise CannotNormalize
        made = [quote_statement(f"{text} = {{value}}", value=value)]
        made += [
            quote_statement(f"{item} = {text}") for item in sorted(same - {text}, key=_order) if self.is_later(item)
        ]
        for item in sorted(filter(self.is_later, by_type), key=_order):
            made.append(quote_statement(f"{item} = {text} if {text}.dtype == {item}.dtype else {item}"))
        return made

    def check_overlaps(self, changed: set[str]) -> None:
        """Refuse variables that stand for an entry which may be one that changes by another key."""
        known = {text for pair in self.storage.same.items() for text in pair if "[" in text}
        for entry in (text for text in changed if "[" in text):
            place = entry.partition("[")[0] if entry.count("[") == 1 else entry.rpartition("[")[0]
            others = {text for text in known - changed if text.startswith(f"{place}[")}
            if not self.is_counted_text(entry):
                others = {text for text in others if self.is_counted_text(text)}
            if any(self.is_later(name) for text in others for name in self.storage.all_same(text) - {text}):
                raise CannotNormalize

    def shares(self, node: cst.CSTNode) -> frozenset[str]:
        """The variables and entries of the state with which the value of an expression may share its storage."""
        key = self.key(node)
        if key is not None:
            return frozenset({key})
        match node:
            case cst.Name(value=name):
                return frozenset({name} if name in self.traced else ())
            case cst.Call(func=cst.Attribute(value=cst.Name("torch"), attr=cst.Name(name)), args=args):
                return self.all_shared(item.value for item in args[:1]) if name in VIEWS else frozenset()
            case cst.Call(func=cst.Attribute(value=cst.Name("self")), args=args) | cst.Call(func=cst.Name(), args=args):
                helper = self.helpers.get(dotted(node.func) or "")
                if helper is not None and _gives_new(helper):
                    return frozenset()
                return self.all_shared(item.value for item in args)
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(name))):
                return self.shares(value) if name in VIEWS else frozenset()
            case cst.Attribute(value=value) | cst.Subscript(value=value):
                return self.shares(value)
            case cst.IfExp(body=body, orelse=orelse):
                return self.shares(body) | self.shares(orelse)
            case cst.BooleanOperation(left=left, right=right):
                return self.shares(left) | self.shares(right)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                return self.all_shared(item.value for item in elements)
        return frozenset()

    def all_shared(self, nodes: Iterable[cst.CSTNode]) -> frozenset[str]:
        return frozenset[str]().union(*map(self.shares, nodes))

    # expressions

    def expression(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """An expression about one parameter, its gradient and its state, that changes nothing."""
        made = node.visit(_Respelled(self))
        assert isinstance(made, cst.BaseExpression)
        for call in (item for item in descendants(made) if isinstance(item, cst.Call)):
            name, full = (
                call.func.attr.value if isinstance(call.func, cst.Attribute) else "",
                dotted(call.func) or "",
            )
            is_host = _is_of_host(call) or name in ("item", "tolist")
            if (is_host and self.is_traced(call)) or (isinstance(call.func, cst.Attribute) and is_inplace_name(name)):
                raise CannotNormalize
            if isinstance(call.func, cst.Name) and full in self.given and self.is_traced(call):
                raise CannotNormalize  # a variable that holds a function
            helper = self.helpers.get(full)
            if helper is None and full.partition(".")[0] not in {*self.given, *self.traced, self.group, "self"}:
                helper = self.elsewhere.get(full.rpartition(".")[2])
            if helper is not None and (self.decides(helper, call) or changes_given(helper) or _draws(helper.node.body)):
                raise CannotNormalize
        if _draws(made) or any(
            isinstance(item, (cst.Lambda, cst.BaseComp, cst.NamedExpr)) for item in descendants(made)
        ):
            raise CannotNormalize
        attributes = [item for item in descendants(made) if isinstance(item, cst.Attribute)]
        if any(dotted(item) in ("self.state", "self.param_groups") for item in attributes):
            raise CannotNormalize
        self.check_state(made)
        return made

    def decides(self, helper: Function, call: cst.Call) -> bool:
        """Whether a helper asks for the values of what a call gives it: only compiled code knows them."""
        given = [name for name in helper.parameter_names if name != helper.self_name]
        named = [(item.keyword.value if item.keyword is not None else "", item.value) for item in call.args]
        pairs = [
            (name or given[number], value) for number, (name, value) in enumerate(named) if name or number < len(given)
        ]
        traced = {name for name, value in pairs if self.is_traced(value)}
        nodes = list(descendants(helper.node.body))
        for _ in helper.node.body.body:
            assigned = [
                node for node in nodes if isinstance(node, cst.Assign) and _depends(node.value, frozenset(traced))
            ]
            traced |= {name for item in assigned for target in item.targets for name in bound_names(target.target)}
        tests = [node.test for node in nodes if isinstance(node, (cst.If, cst.IfExp, cst.While, cst.Assert))]
        asked = [test for test in tests if not _asks_for_none(test)]
        asked += [node for node in nodes if isinstance(node, cst.Call) and _is_of_host(node)]
        return any(_depends(item, frozenset(traced)) for item in asked)

    def check_state(self, node: cst.BaseExpression) -> None:
        """Refuse what asks the state for more than the entries that the text names, how many there are, and whether one is there."""
        whole = list(descendants(node))
        first = [item for item in whole if isinstance(item, cst.Subscript) and dotted(item.value) == self.state]
        if any(self.entry(item) is None or self.is_whole_container(item, whole) for item in first):
            raise CannotNormalize
        known = len(first)
        known += sum(code(item) == f"len({self.state})" for item in whole if isinstance(item, cst.Call))
        known += sum(dotted(item.comparator) == self.state for item in whole if isinstance(item, cst.ComparisonTarget))
        if sum(item.value == self.state for item in whole if isinstance(item, cst.Name)) != known:
            raise CannotNormalize

    def is_whole_container(self, node: cst.Subscript, whole: Sequence[cst.CSTNode]) -> bool:
        """Whether an entry that has entries is taken as a whole."""
        taken = any(isinstance(item, cst.Subscript) and item.value is node and self.entry(item) for item in whole)
        return self.entry(node) in self.containers and not taken

    def is_traced(self, node: cst.CSTNode) -> bool:
        """Whether an expression depends on more than options and shapes."""
        if isinstance(node, cst.Attribute) and node.attr.value in _STATIC:
            return False
        if isinstance(node, cst.Name):
            return node.value in self.traced
        if isinstance(node, cst.Comparison) and self.asks_state(node):
            return False
        if isinstance(node, cst.Call) and dotted(node.func) in ("len", *(f"self.{name}" for name in self.asking)):
            return False
        if isinstance(node, cst.Subscript) and dotted(node.value) == self.group and last_key(node) in self.changing:
            return True
        return any(
            self.is_traced(item) for item in node.children if not isinstance(item, cst.BaseParenthesizableWhitespace)
        )

    def asks_state(self, node: cst.Comparison) -> bool:
        """`"mu" in state`, `x is None`."""
        if _asks_for_none(node):
            return True
        operators = [item.operator for item in node.comparisons]
        return all(isinstance(item, (cst.In, cst.NotIn)) for item in operators) and not self.is_traced(node.left)


def _is_of_host(call: cst.Call) -> bool:
    """Whether Python computes with a number: `math.cos(x)`, `float(x)`."""
    name = dotted(call.func) or ""
    return name in _HOST or name.startswith("math.")


def _gives_new(helper: Function) -> bool:
    """Whether a helper gives back what it has computed, and nothing that may have the storage of what it is given."""
    values = [node.value for node in descendants(helper.node.body, cst.Return)]
    return bool(values) and all(value is not None and _is_new(value) for value in values)


def _is_new(node: cst.BaseExpression) -> bool:
    match node:
        case cst.BinaryOperation() | cst.UnaryOperation() | cst.Comparison() | cst.Integer() | cst.Float():
            return True
        case cst.Tuple(elements=elements):
            return all(_is_new(item.value) for item in elements)
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(name))):
            return dotted(value) != "self" and name not in VIEWS | _CASTS and not is_inplace_name(name)
    return False


def _draws(node: cst.CSTNode) -> bool:
    """Whether something draws random numbers, for which an update has no key."""
    functions = [(dotted(call.func) or code(call.func)).rpartition(".")[2] for call in descendants(node, cst.Call)]
    return not _DRAWS.isdisjoint(name.removesuffix("_") for name in functions)


_DRAWS = frozenset(
    "bernoulli cauchy dropout exponential geometric kaiming_normal kaiming_uniform log_normal multinomial normal poisson rand"
    " rand_like randint randint_like randn randn_like random randperm rsample sample uniform xavier_normal xavier_uniform".split()
)
_GRADIENTS = (".grad", ".grad.data", ".grad.detach()")
_ROUNDS = 6  # in which what is known at the start of a loop is settled
_CASTS = frozenset({"bfloat16", "double", "float", "half", "to", "type", "type_as"})


def _order(text: str) -> tuple[bool, str]:
    """Entries of the state before variables."""
    return "[" not in text, text


def _is_mask(node: cst.BaseExpression) -> bool:
    """`x != x`, `~seen`, `torch.isnan(x)`."""
    match node:
        case cst.Comparison() | cst.UnaryOperation(operator=cst.BitInvert()):
            return True
        case cst.Call(func=cst.Attribute(value=cst.Name("torch"), attr=cst.Name(name))):
            return name.startswith("is")
    return False


class _Respelled(cst.CSTTransformer):
    """`p.data`, `p.grad.data` and `self.state[p]` in the words of a method for one parameter; `math.sqrt` as a power."""

    def __init__(self, step: _Step) -> None:
        super().__init__()
        self.step = step

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        return super().on_leave(original_node, _with_parentheses(original_node, updated_node))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        step = self.step
        if dotted(updated_node) == f"{step.parameter}.grad":
            return cst.Name(step.gradient)
        is_data = updated_node.attr.value == "data" and step.is_traced(updated_node.value)
        return updated_node.value if is_data else updated_node

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        is_state = code(updated_node) == f"self.state[{self.step.parameter}]"
        return cst.Name(self.step.state) if is_state else updated_node

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        match updated_node:
            case cst.UnaryOperation(operator=cst.Not(), expression=cst.Name(name)) if name == self.step.state:
                return quote(f"len({name}) == 0")
        return updated_node

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        if not self.step.is_traced(updated_node.test):
            return updated_node
        test = as_condition(updated_node.test, self.step.is_traced)
        return quote("torch.where({test}, {a}, {b})", test=test, a=updated_node.body, b=updated_node.orelse)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        is_traced = self.step.is_traced
        match updated_node:
            case cst.Call(func=func, args=args) if (word := dotted(func)) in _SCALARS and all(
                _is_plain(a) for a in args
            ):
                text = _SCALARS[str(word)][len(args) - 1] if len(args) < 3 else ""
                holes = {f"a{number}": item.value for number, item in enumerate(args)}
                return quote(text, **holes) if text and is_traced(updated_node) else updated_node
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name("item")), args=[]) if is_traced(value):
                return value
            case cst.Call(func=func, args=[cst.Arg(value=cst.Call() as made), *rest]) if (dotted(func) or "") in _FILLS:
                return quote(_FILLS[str(dotted(func))], x=made, **{f"a{n}": item.value for n, item in enumerate(rest)})
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(name))) if is_inplace_name(name):
                is_fresh = isinstance(value, (cst.Call, cst.BinaryOperation, cst.UnaryOperation))
                return _out_of_place(updated_node, name) if is_fresh else updated_node
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(name))) if is_traced(value):
                return _out_of_place(updated_node, f"{name}_") if name in _METHODS else updated_node
        return updated_node


_ROOT = ("({a0}) ** 0.5", "")
_SCALARS = {
    "abs": ("torch.abs({a0})", ""),
    "float": ("{a0}", ""),
    **{f"math.{name}": (f"torch.{name}({{a0}})", "") for name in ("cos", "exp", "log", "sin", "tanh")},
    "math.pow": ("", "({a0}) ** ({a1})"),
    "math.sqrt": _ROOT,
    "max": ("", "torch.maximum({a0}, {a1})"),
    "min": ("", "torch.minimum({a0}, {a1})"),
    "np.sqrt": _ROOT,
    "numpy.sqrt": _ROOT,
    "sqrt": _ROOT,
}  # what Python computes with numbers that only compiled code knows
_INITIAL = {
    "constant_": "torch.full_like({x}, {a0})",
    "ones_": "torch.ones_like({x})",
    "zeros_": "torch.zeros_like({x})",
}
_FILLS = {
    f"{module}.{name}": text for module in ("init", "nn.init", "torch.nn.init") for name, text in _INITIAL.items()
}


def _is_plain(item: cst.Arg) -> bool:
    return item.keyword is None and not item.star


def _with_parentheses(old: cst.CSTNode, new: cst.CSTNode) -> cst.CSTNode:
    """A node whose parts have become others, in parentheses where they must be: `2 * p.add(q)` is `2 * (p + q)`."""
    parts = {name: (getattr(old, name, None), getattr(new, name, None)) for name in _PARTS}
    pairs = {name: pair for name, pair in parts.items() if all(isinstance(part, cst.BaseExpression) for part in pair)}
    fitted = {name: fit_instead(now, before, new, name) for name, (before, now) in pairs.items()}  # type: ignore[arg-type]
    changes = {name: part for name, part in fitted.items() if part is not pairs[name][1]}
    return new.with_changes(**changes) if changes else new


_PARTS = ("value", "left", "right", "expression", "comparator", "test", "body", "orelse")


def _root(call: cst.Call) -> cst.BaseExpression | None:
    """What a chain of calls changes: `mu` in `mu.mul_(0.9).add_(g)`."""
    if (dotted(call.func) or "") in _FILLS:
        return None
    node: cst.BaseExpression = call
    while isinstance(node, cst.Call):
        if not isinstance(node.func, cst.Attribute) or not is_inplace_name(node.func.attr.value):
            return None
        node = node.func.value
    return node if isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)) else None


def _chain(call: cst.Call) -> list[cst.Call]:
    """The calls of a chain, the last one first."""
    found = [call]
    while isinstance(found[-1].func, cst.Attribute) and isinstance(found[-1].func.value, cst.Call):
        found.append(found[-1].func.value)
    return found


def _given_to(call: cst.Call) -> cst.BaseExpression | None:
    """`y` in `torch.rsqrt(x, out=y).mul_(2)`."""
    first = _chain(call)[-1]
    if first is call:
        return None
    return next((item.value for item in first.args if item.keyword is not None and item.keyword.value == "out"), None)


def _is_itself(target: cst.BaseExpression, call: cst.Call) -> bool:
    """`x = x.add_(1)`."""
    root = _root(call)
    return root is not None and isinstance(target, cst.Name) and code(root) == target.value


def _without_places(call: cst.Call) -> cst.BaseExpression:
    """The value that such a chain gives."""
    function = cst.ensure_type(call.func, cst.Attribute)
    inner = _without_places(function.value) if isinstance(function.value, cst.Call) else function.value
    return _out_of_place(call.with_changes(func=function.with_changes(value=inner)), function.attr.value)


def _out_of_place(call: cst.Call, name: str) -> cst.BaseExpression:
    """What a change in place makes of a tensor."""
    function = cst.ensure_type(call.func, cst.Attribute)
    plain = [item.value for item in call.args if item.keyword is None and not item.star]
    named = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    word = _FACTORS.get(name)
    if word is not None and len(plain) == _OPERANDS[name] + 1 and not named:
        named[word], *plain = plain  # the factor in front, as torch took it once
    text = _TEXTS.get((name, len(plain), *named))
    if text is None or len(plain) + len(named) != len(call.args):
        raise CannotNormalize
    holes = {f"a{number}": item for number, item in enumerate(plain)}
    return quote(text, x=function.value, **holes, **named)


_FACTORS = {"add_": "alpha", "sub_": "alpha", "addcmul_": "value", "addcdiv_": "value"}
_OPERANDS = {"add_": 1, "sub_": 1, "addcmul_": 2, "addcdiv_": 2}
_TEXTS = {
    ("abs_", 0): "torch.abs({x})",
    ("add_", 1): "{x} + {a0}",
    ("add_", 1, "alpha"): "{x} + {alpha} * {a0}",
    ("addcdiv_", 2): "{x} + {a0} / {a1}",
    ("addcdiv_", 2, "value"): "{x} + {value} * ({a0} / {a1})",
    ("addcmul_", 2): "{x} + {a0} * {a1}",
    ("addcmul_", 2, "value"): "{x} + {value} * ({a0} * {a1})",
    ("clamp_", 0, "max"): "torch.clamp({x}, max={max})",
    ("clamp_", 0, "min"): "torch.clamp({x}, min={min})",
    ("clamp_", 1): "torch.clamp({x}, {a0})",
    ("clamp_", 2): "torch.clamp({x}, {a0}, {a1})",
    ("clamp_", 0, "min", "max"): "torch.clamp({x}, {min}, {max})",
    ("clamp_max_", 1): "torch.clamp({x}, max={a0})",
    ("clamp_min_", 1): "torch.clamp({x}, min={a0})",
    ("copy_", 1): "{a0}",
    ("div_", 1): "{x} / {a0}",
    ("exp_", 0): "torch.exp({x})",
    ("fill_", 1): "torch.full_like({x}, {a0})",
    ("lerp_", 2): "{x} + {a1} * ({a0} - {x})",
    ("mul_", 1): "{x} * {a0}",
    ("neg_", 0): "-{x}",
    ("pow_", 1): "{x} ** {a0}",
    ("reciprocal_", 0): "torch.reciprocal({x})",
    ("rsqrt_", 0): "torch.rsqrt({x})",
    ("sign_", 0): "torch.sign({x})",
    ("sqrt_", 0): "torch.sqrt({x})",
    ("square_", 0): "torch.square({x})",
    ("sub_", 1): "{x} - {a0}",
    ("sub_", 1, "alpha"): "{x} - {alpha} * {a0}",
    ("zero_", 0): "torch.zeros_like({x})",
}


_METHODS = frozenset(str(key[0]).removesuffix("_") for key in _TEXTS) - {"copy", "fill", "zero"}


def _is_empty_dict(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Dict) and not node.elements


def _names_given(line: cst.CSTNode, *, loops: bool = True) -> set[str]:
    """The variables that get values in a statement and below it."""
    nodes = descendants(line)
    found = [node.target for node in nodes if isinstance(node, (cst.AssignTarget, cst.AugAssign))]
    found += [node.target for node in nodes if isinstance(node, cst.For) and loops]
    return {name for target in found for name in bound_names(target)}


def _assigned(loop: cst.For, text: str) -> Iterable[cst.AssignTarget]:
    for node in descendants(loop):
        if isinstance(node, cst.Assign) and code(node.value).replace(" ", "") == text.replace(" ", ""):
            yield from node.targets


def _exchanges(target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """`a, b = b, a`"""
    if not isinstance(target, cst.Tuple) or not isinstance(value, cst.Tuple):
        return False
    given = [code(item.value) for item in target.elements]
    kinds = (cst.Name, cst.Attribute, cst.Subscript)
    parts = [[node for node in descendants(item.value) if isinstance(node, kinds)] for item in value.elements]
    return any(code(part) in given[:number] for number, nodes in enumerate(parts) for part in nodes)


def _pairs(
    targets: Sequence[cst.BaseExpression], value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, list[cst.BaseExpression]]]:
    """Each target, with what it is the same as: the value, and the other targets."""
    for target in targets:
        is_row = isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple)
        if is_row and len(target.elements) == len(value.elements):  # type: ignore[attr-defined]
            yield from ((one.value, [other.value]) for one, other in zip(target.elements, value.elements, strict=True))  # type: ignore[attr-defined]
        else:
            yield target, [value, *(other for other in targets if other is not target)]


__all__ = ["normalize_own_optimizers"]

"""Schedulers of torch that set more than the one learning rate of an optimizer become classes of the program, which do that by hand.

scheduler = OneCycleLR(optimizer, 0.1, 100)      ->    class OneCycleLR(LRScheduler):
                                                           def get_lr(self):
                                                               for group in self.optimizer.param_groups:
                                                                   group["momentum"] = ...
                                                               return [...]

                                                       scheduler = OneCycleLR(optimizer, 0.1, 100)

Those that move the momentum as well; those of groups of parameters whose rates are not one factor times the first ones, or are
asked for; those of optimizers whose states are saved, which hold the rate of the moment; those that go on from rates which the
program or another scheduler has set, or that are asked for rates which they have not set (`scheduler.get_lr()`); those
that may go on from a count of steps (`last_epoch=last_epoch`); those of optimizers that the program writes itself; and those that are asked of torch by a name that is known when the
program runs: `getattr(lr_scheduler, name)(optimizer, **options)` takes one of a table of classes; and those that a scheduler
of the program takes: `Warmup(optimizer, 5, StepLR(optimizer, 30))`. All others become schedules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.combined_schedulers import argument
from torch2jax.facts.infer import all_marks, places_of_makers
from torch2jax.facts.parameters import given_parameters, last_key, makes_optimizer
from torch2jax.facts.saved_states import is_saved
from torch2jax.facts.schedules import PREFIX, has_one_factor, optimizers_with_rates_set
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.scheduler_bases import scheduler_options, scheduler_source
from torch2jax.normalize.single_groups import as_group
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import GROUPED, WHOLE, Kind, Value

_MOMENTUM = {f"{PREFIX}CyclicLR": 9, f"{PREFIX}OneCycleLR": 7}  # where `cycle_momentum` stands among the arguments
_COMBINING = frozenset({f"{PREFIX}ChainedScheduler", f"{PREFIX}SequentialLR"})
_BASE = "LRScheduler"
_WRITTEN = "has a class for a scheduler of torch"  # the mark of a file, with the name of that class
_ASKED = ("get_lr", "get_last_lr", "step", "state_dict")  # methods that mark classes as schedulers
_SET = "has learning rates set"  # the mark of a file whose optimizers another one sets the learning rates of
_ONE_RATE = frozenset(
    f"{PREFIX}{name}" for name in ("ConstantLR", "CosineAnnealingWarmRestarts", "MultiplicativeLR", "ReduceLROnPlateau")
)  # schedulers that are schedules wherever an optimizer of torch has one rate
_BY_NAME = ("CosineAnnealingLR", "ExponentialLR", "LinearLR", "MultiStepLR", "PolynomialLR", "StepLR")


def normalize_scheduler_classes(work: NormalizationRound) -> None:
    """Define such schedulers in the program, where they are made."""
    work.marks |= {(_SET, place) for place in _set_here(work) - {work.program.prefix}}
    _refuse_tests(work)
    made, asked = [call for call in work.index.calls if _is_by_hand(work, call)], list(_asked_by_name(work))
    if not made and not asked:
        return
    taken = {node.value for node in work.index.names if not work.index.is_label(node)}
    wanted = dict.fromkeys([*(_class_name(work, call) for call in made), *(_BY_NAME if asked else ())])
    names = {name: _free(work, name, taken) for name in wanted}
    first = min(map(work.index.top_level, (*made, *asked)), key=work.index.order.__getitem__)
    known_base = _base_above(work, first)
    base = known_base or work.fresh(_BASE)
    texts = [] if known_base else [scheduler_source(_BASE).replace(f"class {_BASE}", f"class {base}", 1)]
    for name, fresh in names.items():
        text = scheduler_source(name).replace(f"class {name}", f"class {fresh}", 1)
        texts.append(text.replace(f"({_BASE})", f"({base})", 1))
    if asked:
        table = work.fresh("SCHEDULERS")
        entries = ", ".join(f'"{name}": {names[name]}' for name in _BY_NAME)
        texts.append(f"{table} = {{{entries}}}\n")
        for call in asked:
            work.edits.replace(call, partial(_taken, table, call.args[1].value))
    blank = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
    lines = [cst.parse_module(text).body[0].with_changes(leading_lines=blank) for text in texts]
    work.edits.before(first, always_statements(lines))
    if any("math." in text for text in texts) and "math" not in work.program.module_env:
        work.edits.before(work.first_import(first), always_statements([quote_statement("import math")]))
    meant = {f"{PREFIX}{name}": fresh for name, fresh in names.items()}
    work.marks |= {(_WRITTEN, known, work.program.prefix) for known in meant}
    called = {call.func for call in made}
    for node in (*work.index.names, *work.index.attributes):
        known = meant.get(work.values.torch_name(node) or "")
        if known is not None and (node in called or _is_tested(work, node)):
            work.edits.replace(node, always(cst.Name(known)))
    _give_groups(work, [*made, *(work.index.parents[call] for call in asked)])


def _base_above(work: NormalizationRound, line: cst.CSTNode) -> str | None:
    """The name of the base class, where schedulers that the program writes have brought it in above a statement."""
    for item in work.program.classes.values():
        own = code(item.node).strip().replace(f"class {item.name}", f"class {_BASE}", 1)
        if own == scheduler_source(_BASE).strip() and work.index.order[item.node] < work.index.order[line]:
            return item.name
    return None


def _give_groups(work: NormalizationRound, calls: Sequence[cst.CSTNode]) -> None:
    """Such classes ask optimizers for their groups: those that have none get one."""
    given = [argument(call, 0, "optimizer") for call in calls if isinstance(call, cst.Call)]
    keys = set[str]().union(*(work.values(item).types for item in given if item is not None))
    for call in work.index.calls if keys else ():
        value, parameters = work.values(call), given_parameters(call)
        is_one = makes_optimizer(call, work.values) and value.types & keys and value.among == {WHOLE}
        if is_one and parameters is not None:
            work.edits.replace(parameters, partial(as_group, parameters))


def _asked_by_name(work: NormalizationRound) -> Iterator[cst.Call]:
    """`getattr(torch.optim.lr_scheduler, name)`, which is called."""
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Name("getattr"), args=[cst.Arg(value=holder), cst.Arg(value=text)]):
                is_open = not isinstance(work.values(text).const, str)
                if is_open and f"{work.values.torch_name(holder)}." == PREFIX:
                    yield call


def _taken(table: str, text: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(f"{table}[{{name}}]", name=rewrite.expression(text))


def _free(work: NormalizationRound, name: str, taken: set[str]) -> str:
    """`StepLR`, or `StepRates` where the file has imported that."""
    return work.fresh(f"{name.removesuffix('LR')}Rates" if name in taken else name)


def _class_name(work: NormalizationRound, call: cst.Call) -> str:
    return str(work.values.torch_name(call.func)).removeprefix(PREFIX)


def _is_by_hand(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call makes a scheduler that is no schedule of its optimizer."""
    name = work.values.torch_name(call.func) or ""
    given = argument(call, 0, "optimizer") if name.startswith(PREFIX) and _fits(call, name) else None
    optimizer = work.values(given) if given is not None else None
    if optimizer is None or optimizer.kind is not Kind.OPTIMIZER or not optimizer.types:
        return False
    if _is_combined(work, optimizer):
        return False
    is_grouped = optimizer.among == {GROUPED}
    if is_grouped and _is_own(work, optimizer):
        return True
    if _is_wrapped(work, optimizer):
        return True
    if name in _ONE_RATE and not is_grouped:
        return False
    if _computes_rates(work, optimizer):
        return True
    if _moves_momentum(work, call, name) or _goes_on(work, call, optimizer) or _is_resumed(work, call, name):
        return True
    if is_saved(optimizer, work.program, work.values):
        return True
    return is_grouped and (not has_one_factor(work.values, call) or _is_asked(work, optimizer))


def _is_own(work: NormalizationRound, optimizer: Value) -> bool:
    """Whether an optimizer is made by a class of the program."""
    makers = [call for call in work.index.calls if makes_optimizer(call, work.values)]
    makers = [call for call in makers if work.values(call).types & optimizer.types]
    return any(work.values(call.func).kind is Kind.CLASS for call in makers)


def _is_wrapped(work: NormalizationRound, optimizer: Value) -> bool:
    """Whether a scheduler that the program writes itself takes one of torch: `Warmup(optimizer, 5, after_scheduler)`."""
    for call in work.index.calls:
        made = [work.program.class_by_key.get(key) for key in work.values(call).types]
        if not any(item is not None and all(item.method(name) for name in _ASKED) for item in made):
            continue
        given = [work.values(argument.value) for argument in call.args]
        if any(value.kind is Kind.SCHEDULER and value.types == optimizer.types for value in given):
            return True
    return False


def _refuse_tests(work: NormalizationRound) -> None:
    """Where schedulers are told by a class of torch, other files may not have one of their own for it."""
    elsewhere = {mark[1] for mark in all_marks(work.program) if mark[0] == _WRITTEN and mark[2] != work.program.prefix}
    for node in (*work.index.names, *work.index.attributes) if elsewhere else ():
        if work.values.torch_name(node) in elsewhere and _is_tested(work, node):
            work.refuse(
                node, code(node), "schedulers of that class are made by another file, as objects of a class there"
            )


def _is_tested(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a class stands where a scheduler is told from others: `isinstance(s, StepLR)`, `type(s) != StepLR`."""
    around = work.index.parents[node]
    if isinstance(around, (cst.ComparisonTarget, cst.Comparison)):
        return True
    while isinstance(around, (cst.Element, cst.Tuple)):
        around = work.index.parents[around]
    call = work.index.parents[around] if isinstance(around, cst.Arg) else None
    return isinstance(call, cst.Call) and dotted(call.func) == "isinstance"


def _fits(call: cst.Call, name: str) -> bool:
    """Whether a call gives what the class takes that is here."""
    options = scheduler_options(name.removeprefix(PREFIX))
    named = [item.keyword.value for item in call.args if item.keyword is not None]
    return len(call.args) <= len(options) and set(named) <= set(options) and not any(item.star for item in call.args)


def _is_resumed(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    """Whether a scheduler may go on from a count of steps that it is given."""
    options = scheduler_options(name.removeprefix(PREFIX))
    last = argument(call, len(options) - 1, "last_epoch") if "last_epoch" in options else None
    return last is not None and work.values(last).const != -1


def _moves_momentum(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    momentum = argument(call, _MOMENTUM[name], "cycle_momentum") if name in _MOMENTUM else None
    return name in _MOMENTUM and (momentum is None or work.values(momentum).const is not False)


def _set_here(work: NormalizationRound) -> set[str]:
    """The places of the files that make the optimizers whose learning rates functions of this one set."""
    found: set[str] = set()
    for node in work.index.attributes:
        function = work.index.function_of(node) if node.attr.value == "param_groups" else None
        if isinstance(function, cst.FunctionDef) and work.values(node.value).kind is Kind.OPTIMIZER:
            targets = [item.target for item in descendants(function, cst.AssignTarget)]
            targets += [item.target for item in descendants(function, cst.AugAssign)]
            if any(last_key(item) == "lr" for item in targets):
                found |= work.values(node.value).types
    return places_of_makers(found)


def _goes_on(work: NormalizationRound, call: cst.Call, optimizer: Value) -> bool:
    """Whether something else sets the learning rate of an optimizer while a scheduler does."""
    if optimizer.types & optimizers_with_rates_set(work.program, work.values):
        return True
    if (_SET, work.program.prefix) in all_marks(work.program):
        return True
    others = [item for item in work.index.calls if work.values(item).kind is Kind.SCHEDULER and item is not call]
    return any(work.values(item).types == optimizer.types and _run_both(work, call, item) for item in others)


def _run_both(work: NormalizationRound, call: cst.Call, other: cst.Call) -> bool:
    """Whether two calls of a function may both run."""
    if work.program.function_around(call) is not work.program.function_around(other):
        return False
    name = work.values.torch_name(other.func) or ""
    lines = [work.index.statement_of(item) for item in (call, other)]
    around = list(work.index.ancestors(lines[0]))
    shared = next((item for item in work.index.ancestors(lines[1]) if item in around), None)
    returned = any(isinstance(node, cst.Return) for line in lines for node in getattr(line, "body", ()))
    return name.startswith(PREFIX) and _fits(other, name) and not isinstance(shared, cst.If) and not returned


def _is_combined(work: NormalizationRound, optimizer: Value) -> bool:
    calls = [call for call in work.index.calls if work.values.torch_name(call.func) in _COMBINING]
    return any(work.values(call).types & optimizer.types or not work.values(call).types for call in calls)


def _is_asked(work: NormalizationRound, optimizer: Value) -> bool:
    """Whether a program reads the learning rates of an optimizer, or those of its schedulers."""
    for node in work.index.attributes:
        value = work.values(node.value)
        asks = {Kind.OPTIMIZER: "param_groups", Kind.SCHEDULER: "get_last_lr"}.get(value.kind)
        if node.attr.value == asks and value.types & optimizer.types:
            return True
    return False


def _computes_rates(work: NormalizationRound, optimizer: Value) -> bool:
    """Whether a program asks a scheduler of an optimizer for the rates that it would set next: `scheduler.get_lr()`."""
    asked = [work.values(node.value) for node in work.index.attributes if node.attr.value == "get_lr"]
    return any(value.kind is Kind.SCHEDULER and value.types & optimizer.types for value in asked)


__all__ = ["normalize_scheduler_classes"]

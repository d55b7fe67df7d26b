"""Lines that go through parameters which an iterator has already given: they do nothing in torch, and go.

params = itertools.chain(a.parameters(), b.parameters())   ->   params = itertools.chain(a.parameters(), b.parameters())
opt = Adam(params, lr=1e-3)                                     opt = Adam(params, lr=1e-3)
for p in params:
    p.requires_grad = False

What is `a.parameters()`, or a chain of such, can be gone through once: an optimizer, a list, or a loop that comes first leaves
nothing of it.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.parameters import given_parameters, is_optimizer
from torch2jax.normalize.joined_parameters import parameters_stay, passing_sources
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_CLIPPING = frozenset({"torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_"})
_STOPPING = "torch.nn.utils.clip_grad_value_"  # where it is given nothing
_LOOPS = (cst.For, cst.While)
_PASSES = frozenset({"list", "tuple", "zip", "enumerate", "sum", "map", "filter", "max", "min", "sorted"})


def normalize_used_up_parameters(work: NormalizationRound) -> None:
    """Take out the lines of a file that go through nothing, and refuse those of which that is not sure."""
    settled: set[cst.CSTNode] = set()
    for line in work.index.every(cst.SimpleStatementLine):
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)], value=value)]
            ) if passing_sources(work, value) is not None:
                definition = work.program.definitions.bound_once(name)
                if definition is not None and definition.how is How.ASSIGNED and definition.value is value:
                    settled |= _take_out_later(work, line, definition)
                    for use in work.program.definitions.uses(definition):
                        if use not in settled and _is_repeated(work, use, definition):
                            _refuse(work, use)
                            settled.add(use)
    _refuse_second_passes(work)
    for call in work.index.calls:
        given = _clipped(work, call)
        if isinstance(given, cst.Name) and given not in settled and _may_be_used_up(work, given):
            _refuse(work, given)


def _refuse_second_passes(work: NormalizationRound) -> None:
    """Refuse what goes once more through the parameters that a function is given, where that is an iterator for some caller."""
    passes: dict[Definition, list[cst.Name]] = {}
    for use in filter(partial(_goes_through, work), work.index.every(cst.Name)):
        definition = work.program.definitions.only(use)
        if definition is not None and definition.how is How.PARAMETER:
            passes.setdefault(definition, []).append(use)
    for first, *later in passes.values():
        line = work.index.statement_of(first)
        again = [use for use in later if work.is_behind(use, line)]
        if again and _is_given_iterators(work, first):
            _refuse(work, again[0])


def _goes_through(work: NormalizationRound, use: cst.CSTNode) -> bool:
    """Whether an expression goes through what a variable holds: a loop over it, `list(params)`."""
    match around := work.index.parents.get(use):
        case cst.Arg(value=given):
            call = work.index.parents[around]
            is_pass = isinstance(call, cst.Call) and isinstance(call.func, cst.Name) and call.func.value in _PASSES
            return is_pass and given is use
        case cst.For(iter=given) | cst.CompFor(iter=given):
            return given is use
    return False


def _is_given_iterators(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether some caller gives a function the parameters of a module, unlisted, for a parameter of its own."""
    function = work.program.function_around(use)
    if function is None or function.outer is not None:
        return False
    elsewhere = function.seen_elsewhere.get(use.value)
    given = [
        value
        for call in function.callers
        if isinstance(call, cst.Call)
        for name, value in arguments_by_parameter(function, call, work.values)
        if name == use.value
    ]
    seen = elsewhere is not None and elsewhere.kind is Kind.PARAMETERS
    return seen or any(passing_sources(work, value) is not None for value in given)


def _take_out_later(
    work: NormalizationRound, line: cst.SimpleStatementLine, definition: Definition
) -> set[cst.CSTNode]:
    """Take out what comes behind the line that uses an iterator up; the reads that are decided by that."""
    uses, parents = work.program.definitions.uses(definition), work.index.parents
    if len(uses) < 2:
        return set()
    first, *later = uses
    using = work.index.statement_of(first)
    is_next = parents[using] is parents[line] and work.is_behind(first, line)
    if not is_next or not _uses_up(work, using, first) or not all(work.is_behind(use, using) for use in later):
        return set()
    function = work.index.function_of(line)
    in_loop = any(isinstance(node, _LOOPS) for node in work.index.ancestors(line))
    if in_loop and any(work.index.function_of(use) is not function for use in later):
        return set()
    for use in later:
        idle = idle_line(work, use)
        if idle is None:
            _refuse(work, use)
        else:
            note_idle(work, first, use, idle)
    if isinstance(using, cst.For) and definition.value is not None:
        sources = passing_sources(work, definition.value) or []
        if all(parameters_stay(work, source, (definition.value, first)) for source in sources):
            work.edits.replace(first, always(work.copy(definition.value)))
            work.edits.remove(line)
    return set(uses)


def _uses_up(work: NormalizationRound, line: cst.CSTNode, use: cst.Name) -> bool:
    """Whether a statement goes through all that an iterator gives."""
    match line:
        case cst.For(iter=given, orelse=None) if given is use:
            leaves = (cst.Break, cst.Return, cst.Raise, cst.Yield)
            return not any(isinstance(node, leaves) for node in descendants(line.body))
        case cst.SimpleStatementLine(body=[cst.Assign(value=cst.Call() as call)]):
            is_list = isinstance(call.func, cst.Name) and call.func.value in ("list", "tuple") and len(call.args) == 1
            takes_all = is_list or is_optimizer(work.values.torch_name(call.func) or "")
            return takes_all and given_parameters(call) is use
    return False


def idle_line(work: NormalizationRound, use: cst.Name | cst.Attribute) -> cst.BaseStatement | None:
    """The loop, or the line that clips gradients, which does nothing where there are no parameters."""
    line = work.index.statement_of(use)
    match line:
        case cst.For(iter=given, orelse=None) if given is use:
            return line
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]) if _clipped(work, call) is use:
            if work.values.torch_name(call.func) == _STOPPING:
                return None
            acts = any(isinstance(node, (cst.Call, cst.NamedExpr)) for item in call.args for node in descendants(item))
            return None if acts else line
    return None


def note_idle(
    work: NormalizationRound, first: cst.CSTNode, use: cst.Name | cst.Attribute, idle: cst.BaseStatement
) -> None:
    """Take out a line that goes through nothing, since an iterator is used up where it is used first."""
    work.edits.remove(idle)
    shown = code(idle).strip().splitlines()[0]
    work.lasting.append(Problem(first, "T2J514", {"name": code(use), "idle": shown}))


def _clipped(work: NormalizationRound, call: cst.Call) -> cst.Name | cst.Attribute | None:
    """The variable with the parameters whose gradients a call clips."""
    if work.values.torch_name(call.func) not in _CLIPPING or not call.args:
        return None
    named = [item.value for item in call.args if item.keyword is not None and item.keyword.value == "parameters"]
    given = named[0] if named else call.args[0].value
    return given if isinstance(given, (cst.Name, cst.Attribute)) else None


def _may_be_used_up(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether a variable may hold an iterator that something has gone through, be it the same line a round before."""
    for item in work.program.definitions.of(use):
        if item.how is not How.ASSIGNED or item.value is None or passing_sources(work, item.value) is None:
            continue
        is_elsewhere = work.index.function_of(use) is not work.index.function_of(item.value)
        if _is_repeated(work, use, item) or is_elsewhere or len(work.program.definitions.uses(item)) > 1:
            return True
    return False


def _is_repeated(work: NormalizationRound, use: cst.Name, definition: Definition) -> bool:
    """Whether a loop reads a variable in each of its rounds that is set before it."""
    around = set(work.index.ancestors(definition.value)) if definition.value is not None else set()
    inner: cst.CSTNode = use
    for node in work.index.ancestors(use):
        if isinstance(node, _LOOPS) and node not in around and getattr(node, "iter", None) is not inner:
            return True
        inner = node
    return False


def _refuse(work: NormalizationRound, use: cst.Name) -> None:
    reason = "it is an iterator over parameters, which gives them once: where it is used again, it is empty"
    work.refuse(use, code(use), reason)


__all__ = ["idle_line", "normalize_used_up_parameters", "note_idle"]

"""Functions that read what is trained from around them, normalized to functions that are given it.

def energy(x):                             def energy(x, head):
    return head(x).pow(2).mean()      ->       return head(x).pow(2).mean()

loss = energy(x)                           loss = energy(x, head)
loss.backward()                            loss.backward()

The gradient is taken of one function: what its parts read from around them, in the file or in the function that defines them, would be
a constant there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import libcst as cst

from torch2jax.facts.captures import reached, surroundings
from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import Step
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_TRAINING = frozenset({"backward", "step", "zero_grad"})


def normalize_module_readers(work: NormalizationRound) -> None:
    """Normalize the functions of a file from which steps compute their losses."""
    if not work.program.mentions("backward"):
        return
    assert work.flows is not None
    trained = surroundings(work.program, work.values).changed_modules
    wanted: dict[Function, bool] = {}
    for step in find_steps(work.program, work.values, work.flows):
        used = {*reached([*step.forward, step.loss], work.values)}
        for function in reached(_computing(step), work.values):
            if step.is_refused or not _stays_or_goes_along(work, step, function, used):
                wanted[function] = wanted.get(function, False) or step.is_refused
    for function, is_refused in wanted.items():
        names = [
            name
            for name in free_variables(function.node)
            if (home := work.program.scope_of(function.outer, name))
            not in wanted  # which are differentiated as a whole
            and (value := work.program.variables_of(home).get(name)) is not None
            and _is_trained(value)
            and (is_refused or value.sites & trained or value.kind is Kind.TENSOR)
        ]
        calls = list(_calls(work, function, names)) if names and _is_open(work, function) else []
        if calls:
            _give(work, function, calls, names)


def _computing(step: Step) -> list[cst.CSTNode]:
    """The statements from which a loss is computed, by the names that they bind."""
    body = list(step.block.body)
    position = body.index(step.backward_statement) if step.backward_statement in body else 0
    needed = names_in(step.loss) | {"loss"}
    found: list[cst.CSTNode] = [step.loss]
    for statement in reversed(body[:position]):
        reads, writes = reads_and_writes(statement)
        if writes & needed and not isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            found.append(statement)
            needed = needed | reads
    return found


def _stays_or_goes_along(work: NormalizationRound, step: Step, function: Function, used: Set[Function]) -> bool:
    """Whether a function inside of another is defined within the forward pass of a step, or is none of those that it uses."""
    if function.outer is None or function.node not in work.index.parents:
        return False
    return function not in used or not {*work.index.ancestors(function.node)}.isdisjoint(step.forward)


def _is_trained(value: Value) -> bool:
    """Whether a variable holds a module with parameters, or a tensor that is trained."""
    if value.kind is Kind.MODULE:
        return not value.is_loss_module
    return value.kind is Kind.TENSOR and not value.types.isdisjoint(("leaf", "parameter"))


def _is_open(work: NormalizationRound, function: Function) -> bool:
    """Whether a function of the file can get more parameters: it computes, and trains nothing by itself."""
    node = function.node
    if function.owner is not None or node.decorators or node.asynchronous is not None:
        return False
    if isinstance(node.params.star_arg, cst.Param) or node.params.star_kwarg is not None:
        return False
    for part in (node, *(item.node for item in reached([node.body], work.values))):
        for item in descendants(part):
            if isinstance(item, (cst.Global, cst.Nonlocal, cst.Yield)):
                return False
            if isinstance(item, cst.Attribute) and item.attr.value in _TRAINING:
                return False
    return True


def _calls(work: NormalizationRound, function: Function, names: Sequence[str]) -> Iterator[cst.Call]:
    """The calls of a function; none where something else has it too, or a caller means other things by the names."""
    found: list[cst.Call] = []
    homes = {name: work.program.scope_of(function.outer, name) for name in names}
    for use in work.index.names:
        if use.value != function.name or use is function.node.name or work.index.is_label(use):
            continue
        if work.program.scope_of(work.program.function_around(use), use.value) is not function.outer:
            continue
        call = work.index.parents[use]
        if isinstance(call, cst.FunctionDef):
            continue
        if not isinstance(call, cst.Call) or call.func is not use or any(item.star for item in call.args):
            return
        around = work.program.function_around(call)
        callees = list(work.values.callees.get(call, ()))
        if callees and function not in callees:
            continue  # the scope defines the name again
        if callees != [function] or any(
            work.program.scope_of(around, name) is not home for name, home in homes.items()
        ):
            return
        found.append(call)
    if all(call in work.index.parents for call in function.callers):
        yield from found


def _give(work: NormalizationRound, function: Function, calls: Sequence[cst.Call], names: Sequence[str]) -> None:
    """Make variables from around a function its last parameters."""
    params = function.node.params
    by_name = any(item.default is not None for item in params.params) or bool(params.kwonly_params)
    new = [cst.Param(cst.Name(name)) for name in names]
    if by_name:
        star = params.star_arg if isinstance(params.star_arg, cst.ParamStar) else cst.ParamStar()
        changed = params.with_changes(star_arg=star, kwonly_params=[*_apart(params.kwonly_params), *new])
    else:
        changed = params.with_changes(params=[*_apart(params.params), *new])
    work.edits.replace(params, always(changed))
    for call in calls:
        named = by_name or any(argument.keyword is not None for argument in call.args)
        work.edits.replace(call, _with_arguments(call, names, named))


def _apart(params: Sequence[cst.Param]) -> list[cst.Param]:
    return [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in params]


def _with_arguments(call: cst.Call, names: Sequence[str], named: bool):  # type: ignore[no-untyped-def]
    def build(rewrite: Rewriter) -> cst.CSTNode:
        inner = rewrite.inside(call)
        assert isinstance(inner, cst.Call)
        equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        given = [
            cst.Arg(cst.Name(name), keyword=cst.Name(name), equal=equal) if named else cst.Arg(cst.Name(name))
            for name in names
        ]
        kept = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in inner.args]
        return inner.with_changes(args=[*kept, *given])

    return build


__all__ = ["normalize_module_readers"]

"""Schedulers become schedules, functions of a count, which are the learning rates of their optimizers.

optimizer = SGD(model.parameters(), lr=0.1)    ->    scheduler = optax.exponential_decay(0.1, 30, 0.1, staircase=True)
scheduler = StepLR(optimizer, 30)                    optimizer = optax.sgd(scheduler)

Where the scheduler does not step behind every update, the state of the optimizer counts its steps among its hyperparameters:
`optax.inject_hyperparams(lambda count: optax.sgd(scheduler(count)))(count=0)`, and `scheduler.step()` adds 1 to that. A
scheduler with a function of the program's own iterates over learning rates, and a step puts the next one there.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.analysis.schedules import Form, Schedule
from torch2jax.analysis.training import method_call
from torch2jax.ops.signatures import parse_signature
from torch2jax.rewrite.calls import lower_torch_call
from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants


def rewrite_schedules(unit: Unit) -> None:
    """Rewrite all schedulers of the file, or say why one cannot be."""
    schedules = unit.facts.schedules
    for node, reason in schedules.problems:
        unit.problem(node, "T2J507", reason=reason)
        unit.settle(node)
    for schedule in schedules.by_optimizer.values():
        _schedule(unit, schedule)
    for line, (schedule, place) in schedules.steps.items():
        _step(unit, line, schedule, place)
    for call, (schedule, place) in schedules.reads.items():
        _read(unit, call, schedule, place)


def _schedule(unit: Unit, schedule: Schedule) -> None:
    """`scheduler = StepLR(...)` is a schedule, and stands above the optimizer."""
    name = str(unit.facts.values.torch_name(schedule.made.func))
    rate = schedule.rate if schedule.rate is not None else _default_rate(unit, schedule)
    first, *others = schedule.made.args
    factor = others[0].value if others else None
    if schedule.form is Form.ITERATED and isinstance(factor, cst.Lambda) and _is_plain(factor) and len(others) == 1:
        build = partial(_rates, rate, factor)
        unit.edits.replace(schedule.made, build)
    elif not lower_torch_call(unit, schedule.made, name, [first.with_changes(value=rate), *others]):
        return
    unit.settle(schedule.made)
    unit.edits.move(schedule.line)
    unit.edits.before(schedule.optimizer_line, lambda rewrite: rewrite.statement(schedule.line))


def _is_plain(function: cst.Lambda) -> bool:
    """Whether a lambda takes one argument, which it reads in no function of its own."""
    params = function.params
    alone = len(params.params) == 1 and not (params.kwonly_params or params.posonly_params or params.star_kwarg)
    nested = any(isinstance(node, (cst.Lambda, cst.BaseComp)) for node in descendants(function.body))
    return alone and params.params[0].default is None and not isinstance(params.star_arg, cst.Param) and not nested


def _rates(rate: cst.BaseExpression, factor: cst.Lambda, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(
        f"({{rate}} * {{factor}} for {factor.params.params[0].name.value} in itertools.count())",
        rate=rewrite.expression(rate),
        factor=rewrite.expression(factor.body),
    )


def _default_rate(unit: Unit, schedule: Schedule) -> cst.BaseExpression:
    spec = unit.facts.tables.functions[str(unit.facts.values.torch_name(schedule.optimizer.func))]
    rate = next(item.default for item in parse_signature(spec.signature).parameters if item.name == "lr")
    return cst.parse_expression(str(rate))


def _kept(unit: Unit, node: cst.CSTNode, schedule: Schedule, place: str) -> cst.BaseExpression | None:
    """Where the state of an optimizer keeps what changes with the steps of its scheduler."""
    function = unit.facts.program.function_around(node)
    state = companion_place(unit, function, place, "opt_state")
    template = unit.facts.target.hyperparameter
    if state is None and "{state}" in template:
        unit.problem(node, "T2J507", reason=f"the state of `{place}` is not known here")
        return None
    return quote(
        template, optimizer=cst.parse_expression(place), state=state or place, name=f'"{schedule.hyperparameter}"'
    )


def _step(unit: Unit, line: cst.SimpleStatementLine, schedule: Schedule, place: str) -> None:
    unit.settle(line)
    if schedule.form is Form.BY_UPDATE:
        unit.edits.remove(line)
        return
    kept = _kept(unit, line, schedule, place)
    call = method_call(line, "step")
    if kept is None or call is None or not isinstance(call.func, cst.Attribute):
        return
    scheduler = call.func.value
    template = "{kept} += 1" if schedule.form is Form.COUNTED else "{kept} = jnp.asarray(next({scheduler}))"
    unit.edits.rewrite_statement(line, lambda rewrite: [quote_statement(template, kept=kept, scheduler=scheduler)])


def _read(unit: Unit, call: cst.Call, schedule: Schedule, place: str) -> None:
    """`scheduler.get_last_lr()[0]`."""
    kept = _kept(unit, call, schedule, place)
    if kept is None:
        return
    parent = unit.facts.program.index.parents[call]
    assert isinstance(call.func, cst.Attribute)
    if schedule.form is Form.COUNTED:
        kept = quote("{schedule}({count})", schedule=call.func.value, count=kept)
    rate = quote("{rate}.item()", rate=kept)
    unit.settle(call)
    if isinstance(parent, cst.Subscript) and code(parent).endswith("[0]"):
        unit.settle(parent)
        unit.edits.replace(parent, always(rate))
    else:
        unit.edits.replace(call, always(quote("[{rate}]", rate=rate)))

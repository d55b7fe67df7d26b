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

from torch2jax.facts.combined_schedulers import milestones
from torch2jax.facts.parameters import last_key, makes_optimizer
from torch2jax.facts.schedules import LAMBDA, PLATEAU, Form, Kept, LentRates, Schedule, Scheduler, SchedulerObject
from torch2jax.facts.shared_rates import own_optimizers
from torch2jax.facts.training import method_call
from torch2jax.rewrite.calls import lower_torch_call, start_of
from torch2jax.rewrite.local_names import local_name
from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, as_expression
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, elements_of
from torch2jax.values import GROUPED, Kind


def rewrite_schedules(unit: Unit) -> None:
    """Rewrite all schedulers of the file, or say why one cannot be."""
    schedules = unit.facts.schedules
    for node, reason in schedules.problems:
        unit.problem(node, "T2J507", reason=reason)
        unit.settle(node)
    for call in unit.facts.program.index.calls:
        if _is_another_elsewhere(unit, call):
            unit.problem(call, "T2J507", reason="other files know its optimizer in another way")
    for schedule in schedules.by_optimizer.values():
        if schedule.scheduler is not None:
            _schedule(unit, schedule, schedule.scheduler)
    for item in schedules.objects:
        _object(unit, item)
    for call in schedules.states:
        unit.settle(call.func)
        unit.settled.add(call)
    for call, kept in schedules.tests.items():
        names = [name for item, name in _CLASSES.items() if item in kept]
        tested = call.args[1].value
        spelled = unit.spell(names[0] if len(names) == 1 else f"({', '.join(names)})")
        unit.edits.replace(tested, partial(_respelled, spelled))
        for node in (tested, *elements_of(tested)):
            unit.settle(node)
    for line, (stepped, place) in schedules.steps.items():
        _step(unit, line, stepped, place)
    for line, (schedule, place) in schedules.writes.items():
        _write(unit, line, schedule, place)
    for node, (read, place) in schedules.reads.items():
        _read(unit, node, read, place)
    for call, (schedule, place) in schedules.saves.items():
        _save(unit, call, schedule, place)
    for line, (schedule, place) in schedules.loads.items():
        _load(unit, line, schedule, place)
    for loop in schedules.loops:
        _only_group(unit, loop)
    for attribute, place in schedules.groups.items():
        _groups(unit, attribute, place)
    for entry in schedules.entries:
        _entry(unit, entry)


def _respelled(text: str, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(text)


def _is_another_elsewhere(unit: Unit, call: cst.Call) -> bool:
    """Whether other files look for the learning rate of an optimizer where its state does not have it."""
    around, value = unit.facts.schedules.around, unit.facts.values(call)
    own = own_optimizers(unit.facts.program, value.types) if makes_optimizer(call, unit.facts.values) else frozenset()
    schedule, is_reported = unit.facts.schedules.by_optimizer.get(call), call in dict(unit.facts.schedules.problems)
    is_missing = bool(own & around.needed) and (schedule is None or not schedule.is_shared)
    return not is_reported and (is_missing or bool(own & around.grouped and value.among != {GROUPED}))


def _schedule(unit: Unit, schedule: Schedule, scheduler: Scheduler) -> None:
    """`scheduler = StepLR(...)` is a schedule, and stands above the optimizer."""
    name = str(unit.facts.values.torch_name(scheduler.made.func))
    rate = cst.parse_expression("1.0") if schedule.grouped else start_of(unit, schedule)
    first, *others = _arguments_of_today(unit, scheduler.made, name)
    factor = others[0].value if others else None
    if name == LAMBDA and isinstance(factor, cst.Lambda) and _is_plain(factor) and len(others) == 1:
        unit.edits.replace(scheduler.made, partial(_rates, rate, factor))
    elif not lower_torch_call(unit, scheduler.made, name, [first.with_changes(value=rate), *others]):
        return
    if schedule.parts:
        _count_milestones(unit, scheduler.made)
    for part in schedule.parts:
        kind = str(unit.facts.values.torch_name(part.func))
        start, *options = _arguments_of_today(unit, part, kind)
        if not lower_torch_call(unit, part, kind, [start.with_changes(value=rate), *options]):
            return
        unit.settle(part)
    unit.settle(scheduler.made)
    index = unit.facts.program.index
    moved = {index.statement_of(item) for item in (*schedule.parts, scheduler.made)}
    for line in sorted(moved, key=index.nodes.index):
        _move(unit, line, schedule.optimizer_line)


def _arguments_of_today(unit: Unit, call: cst.Call, name: str) -> list[cst.Arg]:
    """The arguments of a scheduler without `verbose`, which older versions of torch have."""
    kept = []
    for arg in call.args:
        if arg.keyword is None or arg.keyword.value != "verbose":
            kept.append(arg)
        elif unit.facts.values(arg.value).const is not False:
            unit.problems.append(Problem(call, "T2J105", {"name": name}))
    return kept


def _count_milestones(unit: Unit, call: cst.Call) -> None:
    """Milestones that may be fractions are asked when they are known."""
    for node in milestones(call):
        if unit.facts.values(node).kind not in (Kind.INT, Kind.BOOL):
            unit.edits.replace(node, partial(_counted, unit.spell("whole_steps({n})"), node))


def _counted(template: str, node: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(template, n=as_expression(rewrite.inside(node)))


def _move(unit: Unit, line: cst.BaseStatement, below: cst.SimpleStatementLine) -> None:
    unit.edits.move(line)
    unit.edits.before(below, lambda rewrite: rewrite.statement(line))


_CLASSES = {Kept.RATES: "LearningRates", Kept.PLATEAU: "ReduceOnPlateau"}
_FUNCTIONS = {LAMBDA: "scaled_rate({optimizer}, {lr_lambda})"}  # of schedulers whose rows give iterators


def _object(unit: Unit, item: SchedulerObject) -> None:
    """A scheduler that stays an object; the optimizer starts from its first learning rate."""
    name = str(unit.facts.values.torch_name(item.made.func))
    rate, kept = (None if item.rate is None else start_of(unit, item.rate)), None
    if rate is None or item.starts:
        kept = kept_rate(unit, item.line, item.hyperparameter, item.place)
        if kept is None:
            return
        rate = rate or quote("{kept}.item()", kept=kept)
    first, *others = _arguments_of_today(unit, item.made, name)
    respell = str if name == PLATEAU else lambda template: f"{_CLASSES[Kept.RATES]}({_FUNCTIONS.get(name, template)})"
    if not lower_torch_call(unit, item.made, name, [first.with_changes(value=rate), *others], respell):
        return
    unit.settle(first)
    unit.settle(item.made.func)
    if item.starts and kept is not None:
        unit.edits.rewrite_statement(item.line, partial(_started, unit, item, kept))


def _started(unit: Unit, item: SchedulerObject, kept: cst.BaseExpression, rewrite: Rewriter) -> list[cst.BaseStatement]:
    """`scheduler = ...`, and the optimizer takes its learning rate."""
    small = item.line.body[0]
    made = rewrite.expression(item.made)
    named = small.targets[0].target if isinstance(small, cst.Assign) else None
    place = named or cst.Name(local_name(unit, item.line, "scheduler"))
    lines = [
        quote_statement("{place} = {made}", place=place, made=made),
        quote_statement("{kept} = jnp.asarray({place}.rate)", kept=kept, place=place),
    ]
    if isinstance(small, cst.Return):
        lines.append(quote_statement("return {place}", place=place))
    lines[0] = lines[0].with_changes(leading_lines=item.line.leading_lines)
    return lines


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


def kept_rate(unit: Unit, node: cst.CSTNode, hyperparameter: str, place: str) -> cst.BaseExpression | None:
    """Where the state of an optimizer keeps what changes with the steps of its scheduler."""
    function = unit.facts.program.function_around(node)
    state = companion_place(unit, function, place, "opt_state")
    template = unit.facts.target.hyperparameter
    if state is None and "{state}" in template:
        unit.problem(node, "T2J507", reason=f"the state of `{place}` is not known here")
        return None
    return quote(template, optimizer=cst.parse_expression(place), state=state or place, name=f'"{hyperparameter}"')


def _step(unit: Unit, line: cst.SimpleStatementLine, schedule: Schedule | LentRates, place: str) -> None:
    if schedule.form is Form.BY_UPDATE:
        unit.settle(line)
        unit.edits.remove(line)
        return
    kept, call = kept_rate(unit, line, schedule.hyperparameter, place), method_call(line, "step")
    if kept is None or call is None or not isinstance(call.func, cst.Attribute):
        return
    unit.settle(call.func)
    scheduler = call.func.value
    if schedule.grouped:
        _each_group(unit, line, schedule, place, "+= 1")
        return
    templates = {
        Form.COUNTED: "{kept} += 1",
        Form.ITERATED: "{kept} = jnp.asarray(next({scheduler}))",
        Form.MEASURED: "{kept} = jnp.asarray({scheduler}.step({metric}))",
        Form.OBJECT: f"{{kept}} = jnp.asarray({{scheduler}}.step({'{metric}' if call.args else ''}))",
    }

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        holes = {"metric": rewrite.expression(call.args[0].value)} if call.args else {}
        return [quote_statement(templates[schedule.form], kept=kept, scheduler=scheduler, **holes)]

    unit.settled.add(call)
    unit.edits.rewrite_statement(line, build)


def _write(unit: Unit, line: cst.SimpleStatementLine, schedule: Schedule, place: str) -> None:
    """`group["lr"] = rate`, `optimizer.param_groups[0]["lr"] *= 0.1`."""
    small, kept = line.body[0], kept_rate(unit, line, schedule.hyperparameter, place)
    if kept is None:
        return

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        if isinstance(small, cst.Assign):
            return [quote_statement("{kept} = jnp.asarray({rate})", kept=kept, rate=rewrite.expression(small.value))]
        assert isinstance(small, cst.AugAssign)
        changed = small.with_changes(target=kept, value=rewrite.expression(small.value))
        return [cst.SimpleStatementLine([changed])]

    for target in small.targets if isinstance(small, cst.Assign) else [small]:
        unit.settle(target.target)  # type: ignore[union-attr]
    unit.edits.rewrite_statement(line, build)


def _each_group(
    unit: Unit, line: cst.SimpleStatementLine, schedule: Schedule | LentRates, place: str, change: str
) -> None:
    """The count of the steps of a scheduler is kept with each group of parameters."""
    groups = _groups_of(unit, line, place)
    if groups is None:
        return
    unit.settle(line)
    group = local_name(unit, line, "group")
    entry = unit.facts.target.group_entry.replace("{entry}", f'{group}["{schedule.hyperparameter}"]')
    text = f"for {group} in {groups}:\n    {entry} {change}"
    unit.edits.rewrite_statement(line, lambda rewrite: [quote_statement(text)])


def _save(unit: Unit, call: cst.Call, schedule: Schedule, place: str) -> None:
    """`scheduler.state_dict()`: how often it has stepped."""
    kept = kept_rate(unit, call, schedule.hyperparameter, place)
    if schedule.grouped and kept is not None:
        first = f'{_groups_of(unit, call, place)}[0]["{schedule.hyperparameter}"]'
        kept = quote(unit.facts.target.group_entry.replace("{entry}", first))
    if kept is not None:
        unit.settle(call)
        unit.edits.replace(call, always(quote("dict(last_epoch={kept}.item())", kept=kept)))


def _load(unit: Unit, line: cst.SimpleStatementLine, schedule: Schedule, place: str) -> None:
    """`scheduler.load_state_dict(saved)`"""
    kept, call = kept_rate(unit, line, schedule.hyperparameter, place), method_call(line, "load_state_dict")
    if kept is None or call is None:
        return
    if schedule.grouped:
        unit.settle(line)
        unit.edits.remove(line)  # the groups have come with the state of the optimizer
        return
    saved = call.args[0].value
    unit.settle(call.func)
    unit.settled.add(call)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        text = '{kept} = jnp.asarray({saved}["last_epoch"])'
        return [quote_statement(text, kept=kept, saved=rewrite.expression(saved))]

    unit.edits.rewrite_statement(line, build)


def _only_group(unit: Unit, loop: cst.For) -> None:
    """The statements of a loop over the groups of parameters, of which there is one."""
    unit.settle(loop.target)
    unit.settle(loop.iter)
    body = loop.body.body
    unit.edits.rewrite_statement(loop, lambda rewrite: [node for item in body for node in rewrite.statement(item)])


def _read(unit: Unit, node: cst.BaseExpression, schedule: Schedule | LentRates, place: str) -> None:
    """`scheduler.get_last_lr()[0]`, `optimizer.param_groups[0]["lr"]`."""
    kept = kept_rate(unit, node, schedule.hyperparameter, place)
    if kept is None:
        return
    parent = unit.facts.program.index.parents[node]
    if schedule.form is Form.COUNTED and schedule.scheduler is not None:
        is_method = isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)
        scheduler = node.func.value if is_method else schedule.scheduler.place  # type: ignore[attr-defined]
        kept = quote("{schedule}({count})", schedule=scheduler, count=kept)
    rate = quote("{rate}.item()", rate=kept)
    unit.settle(node)
    if isinstance(node, cst.Subscript):
        unit.edits.replace(node, always(rate))
    elif isinstance(parent, cst.Subscript) and code(parent).endswith("[0]"):
        unit.settle(parent)
        unit.edits.replace(parent, always(rate))
    else:
        unit.edits.replace(node, always(quote("[{rate}]", rate=rate)))


def _groups(unit: Unit, node: cst.Attribute, place: str) -> None:
    """`optimizer.param_groups`, where there are several, is a list in the state of the optimizer."""
    groups = _groups_of(unit, node, place)
    if groups is None:
        return
    unit.settle(node)
    unit.edits.replace(node, always(quote(groups)))


def _groups_of(unit: Unit, node: cst.CSTNode, place: str) -> str | None:
    """The list of the options of the groups of an optimizer; None, and a remark, where its state is not known."""
    template = unit.facts.target.param_groups
    is_own = unit.facts.target.optimizer_state is None
    state = place if is_own else companion_place(unit, unit.facts.program.function_around(node), place, "opt_state")
    if state is None:
        unit.problem(node, "T2J507", reason=f"the state of `{place}` is not known here")
        return None
    return template.replace("{state}", state)


def _entry(unit: Unit, node: cst.Subscript) -> None:
    """`group["lr"]`, which is an array there: a number of Python's where it is read. The betas are two."""
    index = unit.facts.program.index
    parent, line = index.parents[node], index.statement_of(node)
    is_pair = last_key(node) == "betas"
    template = "{entry}" if is_pair else unit.facts.target.group_entry
    unit.settled.add(node)
    if isinstance(parent, cst.AugAssign) and parent.target is node:
        unit.edits.replace(node, lambda rewrite: quote(template, entry=as_expression(rewrite.inside(node))))
        return
    if not isinstance(parent, cst.AssignTarget):
        read = f"tuple(map(float, {template}))" if is_pair else f"{template}.item()"
        unit.edits.replace(node, lambda rewrite: quote(read, entry=as_expression(rewrite.inside(node))))
        return
    assignment = index.parents[parent]
    assert isinstance(assignment, cst.Assign) and isinstance(line, cst.SimpleStatementLine)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        text = unit.facts.target.group_pair if is_pair else "jnp.asarray({value})"
        value = quote(text, value=rewrite.expression(assignment.value))
        targets = [
            item.with_changes(target=quote(template, entry=rewrite.expression(item.target)))
            for item in assignment.targets
        ]
        return [line.with_changes(body=[assignment.with_changes(targets=targets, value=value)])]

    unit.edits.rewrite_statement(line, build)

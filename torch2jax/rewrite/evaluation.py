"""Evaluation loops get a jitted step, too.

pred = model(x).argmax(dim=1)            ->   correct += evaluate_step(model, x, y).item()
correct += (pred == y).sum().item()
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.evaluation import Evaluation
from torch2jax.facts.moves import split_move
from torch2jax.facts.training import value_of_place
from torch2jax.program.program import dotted
from torch2jax.rewrite.parallel import device_decorator
from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.training import may_be_function
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import names_in, quote_statement, quote_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def rewrite_evaluation(unit: Unit) -> None:
    """Outline all evaluation steps of the file."""
    for evaluation in unit.facts.evaluations:
        _outline(unit, evaluation)


def _outline(unit: Unit, evaluation: Evaluation) -> None:
    _stay(unit, evaluation)
    places = [*evaluation.models, *_states(unit, evaluation), *evaluation.inputs]
    names = _parameter_names(places)
    if len(set(names.values())) < len(places) or _meet_others(evaluation, names):
        return
    function = _function_name(unit, evaluation)
    _substitute(unit, evaluation, names)
    outputs = _output_names(unit, evaluation)
    for node, name in zip(evaluation.reads, outputs, strict=True):
        unit.hoists.append((node, name))
    results = [*evaluation.results, *outputs]
    call = f"{function}({', '.join(places)})"
    inline = len(results) == 1 and len(outputs) == 1
    if inline:
        unit.inlined[evaluation.reads[0]] = call
    top = unit.facts.program.index.top_level(evaluation.first)
    unit.edits.before(top, lambda rewrite: [_step_function(unit, evaluation, function, list(names.values()), rewrite)])
    statement = quote_statement(f"{', '.join(results)} = {call}")
    for line in evaluation.inside:
        unit.edits.move(line)
    if evaluation.first in evaluation.inside:
        if not inline:
            unit.edits.moved[evaluation.first] = lambda rewrite: [statement]
    elif not inline:
        unit.edits.before(evaluation.first, lambda rewrite: [statement])


def _stay(unit: Unit, evaluation: Evaluation) -> None:
    """Compiled code runs where the model is: moves to a device have nothing to say in it."""
    values = unit.facts.values
    for part in (*evaluation.inside, *evaluation.reads):
        for node in descendants(part):
            if (
                not isinstance(node, cst.Call)
                or not isinstance(node.func, cst.Attribute)
                or node.func.attr.value != "to"
            ):
                continue
            device, dtype = split_move(values, node)
            receiver = node.func.value
            if device is None or dtype is not None or values(receiver).kind is not Kind.TENSOR:
                continue
            unit.settle(device)
            unit.edits.replace(node, partial(_rewritten, receiver))
            evaluation.inputs = [place for place in evaluation.inputs if place != dotted(device)]
    evaluation.inputs = [place for place in evaluation.inputs if not _is_left_out(unit, evaluation, place)]


def _is_left_out(unit: Unit, evaluation: Evaluation, place: str) -> bool:
    """Whether an input is a device of which nothing is said in compiled code: `x.to(self.device)`, `torch.ones(n, device=device)`."""
    values, parents = unit.facts.values, unit.facts.program.index.parents
    nodes = [node for part in (*evaluation.inside, *evaluation.reads) for node in descendants(part)]
    uses = [node for node in nodes if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == place]
    for use in uses:
        given = parents[use]
        call = parents[given] if isinstance(given, cst.Arg) else None
        if values(use).kind is not Kind.DEVICE or not isinstance(call, cst.Call) or not isinstance(given, cst.Arg):
            return False
        is_made = values.torch_name(call.func) is not None and given.keyword is not None
        is_move = isinstance(call.func, cst.Attribute) and call.func.attr.value == "to"
        if not is_made and not (is_move and values(call.func.value).kind is Kind.TENSOR):  # type: ignore[attr-defined]
            return False
        if is_move and split_move(values, call)[0] is not None:
            return False
    return bool(uses)


def _rewritten(node: cst.CSTNode, rewrite: Rewriter) -> cst.CSTNode:
    return rewrite(node)


def _states(unit: Unit, evaluation: Evaluation) -> list[str]:
    """The places of the states of the stateful models."""
    if unit.facts.target.state is None:
        return []
    found = [companion_place(unit, evaluation.function, place, "state") for place in evaluation.models]
    return [place for place in found if place is not None]


def _parameter_names(places: list[str]) -> dict[str, str]:
    return {place: place.split(".")[-1] for place in places}


def _meet_others(evaluation: Evaluation, names: dict[str, str]) -> bool:
    """Whether a field is passed by a name that the step uses for something else."""
    used = {name for part in (*evaluation.inside, *evaluation.reads) for name in names_in(part)}
    own = {name for part in (*evaluation.inside, *evaluation.reads) for name in _labels(part)}
    return any(name != place and name in used - own for place, name in names.items())


def _labels(node: cst.CSTNode) -> set[str]:
    """The names behind dots."""
    return {item.attr.value for item in descendants(node) if isinstance(item, cst.Attribute)}


def _function_name(unit: Unit, evaluation: Evaluation) -> str:
    stem = "evaluate" if evaluation.function is None else evaluation.function.name.strip("_")
    stem = "evaluate" if stem in ("main", "run", "fit", "train") else stem
    return unit.fresh(f"{stem}_step")


def _substitute(unit: Unit, evaluation: Evaluation, names: dict[str, str]) -> None:
    for part in (*evaluation.inside, *evaluation.reads):
        for node in descendants(part):
            place = dotted(node) if isinstance(node, cst.Attribute) else None
            if place in names:
                unit.edits.replace(node, always(cst.Name(names[place])))
                unit.settled.add(node)
            if isinstance(node, cst.Call) and node in unit.plan.calls:
                planned = unit.plan.calls[node]
                planned.arguments = [
                    item._replace(value=names.get(item.value, item.value)) for item in planned.arguments
                ]


def _output_names(unit: Unit, evaluation: Evaluation) -> list[str]:
    """Results that are read at once are named after the variable that takes them up."""
    found = []
    for node in evaluation.reads:
        small = unit.facts.program.index.statement_of(node)
        target = None
        if isinstance(small, cst.SimpleStatementLine):
            inner = small.body[0]
            if isinstance(inner, cst.AugAssign):
                target = dotted(inner.target)
            elif isinstance(inner, cst.Assign) and len(inner.targets) == 1:
                target = dotted(inner.targets[0].target)
        stem = (target or "result").split(".")[-1].removeprefix("total_").removeprefix("running_")
        found.append(unit.fresh(f"batch_{stem}"))
    return found


def _of_devices(unit: Unit, evaluation: Evaluation, number: int, value: cst.BaseExpression) -> cst.BaseExpression:
    """A result of a step that runs on all devices: the first one's, or those of all."""
    reductions, results = unit.facts.parallel.reductions, evaluation.results
    if number < len(results):
        keeps = (evaluation, results[number]) in reductions.results
    else:
        keeps = evaluation.reads[number - len(results)] in reductions.reads
    return unit.quote("each({value})" if keeps else "first({value})", value=value)


def _step_function(
    unit: Unit, evaluation: Evaluation, function: str, parameters: list[str], rewrite: Rewriter
) -> cst.BaseStatement:
    body: list[cst.BaseStatement] = []
    for line in evaluation.inside:
        body.extend(rewrite.statement(line))
    values = [cst.parse_expression(name) for name in evaluation.results]
    values.extend(unit.hoisted[node](rewrite) for node in evaluation.reads)
    is_parallel = evaluation in unit.facts.parallel.evaluations
    if is_parallel:
        values = [_of_devices(unit, evaluation, number, value) for number, value in enumerate(values)]
    result = values[0] if len(values) == 1 else cst.Tuple([cst.Element(value) for value in values], lpar=(), rpar=())
    if isinstance(result, cst.BaseExpression) and len(result.lpar) == 1 and not isinstance(result, cst.Tuple):
        result = result.with_changes(lpar=(), rpar=())
    body.append(cst.SimpleStatementLine([cst.Return(result)]))
    body[0] = body[0].with_changes(
        leading_lines=[line for line in getattr(body[0], "leading_lines", ()) if line.comment is not None]
    )
    target = unit.facts.target
    decorator = device_decorator(unit, keeps_inputs=True) if is_parallel else target.decorator_keeping_inputs
    if target.decorator_of_values is not None and not is_parallel:
        if any(_may_be_static(unit, evaluation, place) for place in evaluation.inputs):
            decorator = unit.spell(target.decorator_of_values)
    (definition,) = quote_statements(f"{decorator}\ndef {function}({', '.join(parameters)}):\n    pass\n")
    assert isinstance(definition, cst.FunctionDef)
    blank = [cst.EmptyLine(indent=False)] * 2
    return definition.with_changes(body=cst.IndentedBlock(body), leading_lines=blank)


def _may_be_static(unit: Unit, evaluation: Evaluation, place: str) -> bool:
    """Whether an input of an evaluation step is neither array nor module: a device, or a loss, which is a function here."""
    value = value_of_place([*evaluation.inside, *map(cst.Expr, evaluation.reads)], place, unit.facts.values)
    if value is None or value.kind is not Kind.MODULE:
        return value is not None and value.kind not in (Kind.TENSOR, Kind.UNKNOWN)
    return may_be_function(unit, value)

"""Programs for several processes: what differs between devices is counted for one of them, or reported.

total += x.size(0)     ->   total += row_count(x)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.facts.parallel import RankPart
from torch2jax.facts.rank_objects import RankObject
from torch2jax.facts.reductions import Reduction, Reductions
from torch2jax.facts.training import Step, value_of_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, always, always_statements, as_expression
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import Index, descendants
from torch2jax.values import UNKNOWN, Kind


def rewrite_parallel(unit: Unit) -> None:
    """Rewrite and report what `facts/parallel.py` has found."""
    parallel = unit.facts.parallel
    _find_hosts(unit)
    for problem in parallel.problems:
        unit.problem(problem.node, problem.code, **problem.fields)
    for node, batch in parallel.counts:
        unit.edits.replace(node, partial(_counted, unit, batch))
        unit.settled.update({node, *descendants(node)} - {batch, *descendants(batch)})
    for name in parallel.firsts:
        unit.edits.replace(name, always(unit.quote("rows_of_first({rows})", rows=name)))
    for rank in parallel.ranks:
        unit.edits.replace(rank, partial(_own, unit, rank))
        if isinstance(rank, cst.Call) and unit.facts.values.torch_name(rank.func):
            unit.settled.update({rank, *descendants(rank)})
    for part in parallel.parts:
        _shard(unit, part)
    for made in parallel.objects:
        _make_for_devices(unit, made)
    for item in parallel.drawn:
        unit.edits.replace(item.assignment, partial(_draw_apart, unit, item.assignment))
    for call in parallel.sizes:
        unit.edits.replace(call, always(unit.quote("world_size()")))
        unit.settled.update({call, *descendants(call)})
    _rewrite_reductions(unit, parallel.reductions)


_ASKING = frozenset({"device_count", "get_rank", "get_world_size", "get_node_local_rank", "manual_seed"})


def _find_hosts(unit: Unit) -> None:
    """`find_hosts()` in front of what asks JAX for keys or devices before the process group is made."""
    program, values = unit.facts.program, unit.facts.values
    makers = [
        call for call in program.index.calls if values.torch_name(call.func) == "torch.distributed.init_process_group"
    ]
    if not makers:
        return
    first = next(iter(unit.plan.new_keys), None)
    entry = next((item for item in program.index.module.body if _is_entry(item)), None)
    if first is None and not any(_asks_early(unit, call, makers) for call in program.index.calls):
        return
    place = entry.body.body[0] if isinstance(entry, cst.If) else first
    if isinstance(place, cst.BaseStatement) and not any(_stands_before(program.index, call, place) for call in makers):
        unit.edits.before(place, always_statements([quote_statement("find_hosts()")]))


def _stands_before(index: Index, call: cst.Call, statement: cst.BaseStatement) -> bool:
    """Whether a call at module level has run when a statement does."""
    body = list(index.module.body)
    line, other = index.top_level(call), index.top_level(statement)
    return isinstance(line, cst.SimpleStatementLine) and body.index(line) < body.index(other)  # type: ignore[arg-type]


def _is_entry(node: cst.CSTNode) -> bool:
    """`if __name__ == "__main__":`."""
    match node:
        case cst.If(test=cst.Comparison(left=cst.Name("__name__"))):
            return True
    return False


def _asks_early(unit: Unit, call: cst.Call, makers: list[cst.Call]) -> bool:
    """Whether a call needs devices or keys in a function that has not made the process group by then."""
    if (unit.facts.values.torch_name(call.func) or "").rpartition(".")[2] not in _ASKING:
        return False
    program = unit.facts.program
    calls, function = list(program.index.calls), program.function_around(call)
    own = [item for item in makers if program.function_around(item) is function]
    if own:
        return calls.index(call) < calls.index(own[0])
    return function is None


def device_decorator(unit: Unit, *, keeps_inputs: bool, anew: bool = False, apart: bool = False) -> str:
    """What makes a function run on all devices, each of which draws for itself if `apart`."""
    target = unit.facts.target
    both = (target.data_parallel, target.data_parallel_keeping_inputs)
    if unit.facts.parallel.is_by_choice:
        both = target.data_parallel_by_choice
    text = target.data_parallel_anew[unit.facts.parallel.is_by_choice] if anew else both[keeps_inputs]
    if apart:
        text = f"{text.removesuffix(')')}, apart=True)" if text.endswith(")") else f"{text}(apart=True)"
    return unit.spell(text)


def draws_apart(unit: Unit, step: Step) -> bool:
    """Whether each device draws for itself in a step, from streams of random numbers or in modules that hold some."""
    if unit.facts.parallel.draws_alike:
        return False
    found = [value_of_place(step.region, place, unit.facts.values) for place in step.models]
    draws = (unit.facts.effects.module_draw(value or UNKNOWN) for value in found)
    return step.backward in unit.plan.keys or any(draw is not Draw.NONE for draw in draws)


_GATHERED = {"numbers": "{x}.tolist()", "tensors": "list({x})", "rows": "list(rows_of_each({x}))"}


def _rewrite_reductions(unit: Unit, reductions: Reductions) -> None:
    for item in reductions.found:
        _reduce(unit, item)
    for call in reductions.numbers:
        kind = "int" if unit.facts.values(call).kind is Kind.INT else "float"
        inner = call.func.value if isinstance(call.func, cst.Attribute) else call.args[0].value
        unit.edits.replace(call, partial(_filled, unit, f"np.asarray({{x}}, {kind})", inner))
    for gathering in reductions.gathered:
        unit.edits.replace(gathering.call, partial(_filled, unit, _GATHERED[gathering.how], gathering.given))
        unit.settled.update({gathering.call.func, gathering.inner, *descendants(gathering.inner.func)})
    for call in reductions.tensors:
        unit.edits.replace(call, partial(_filled, unit, "per_device({x})", call.args[0].value))
        unit.settled.update({call, *descendants(call)} - {*descendants(call.args[0])})
    for call, given in reductions.calls.items():
        unit.edits.replace(call, partial(_give, unit, call, given))
    for call in reductions.returned:
        inner = call.func.value if isinstance(call.func, cst.Attribute) else call
        unit.edits.replace(call, partial(_filled, unit, "as_number({x})", inner))
        unit.settled.update({call, call.func})
    for name in reductions.firsts:
        unit.edits.replace(name, always(unit.quote("of_first({value})", value=name)))


def _reduce(unit: Unit, item: Reduction) -> None:
    """`dist.all_reduce(x)` is `x = x.sum(axis=0)`."""
    unit.settle(item.statement)
    if item.source is not None and not item.is_same:
        unit.edits.rewrite_statement(item.statement, partial(_taken, item.name, item.source))
        return
    text = f"{item.name} = {item.name}.{item.how}(axis=0)"
    if item.is_same:
        text = f"{item.name} = {item.name} * jax.device_count()" if item.how == "sum" else ""
        text = f"{item.name} = {item.name} ** jax.device_count()" if item.how == "prod" else text
    if not text:
        unit.edits.remove(item.statement)
        return
    unit.edits.rewrite_statement(item.statement, always_statements([quote_statement(text)]))


def _taken(name: str, source: cst.BaseExpression, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    """`dist.broadcast(x, source)` is `x = x[source]`."""
    return [quote_statement(f"{name} = {name}[{{source}}]", source=rewrite.expression(source))]


def _filled(unit: Unit, template: str, inner: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return unit.quote(template, x=as_expression(rewrite(inner)))


def _give(unit: Unit, call: cst.Call, given: list[cst.BaseExpression], rewrite: Rewriter) -> cst.CSTNode:
    """`mean_of_all(loss, n)` is `over_devices(lambda loss: mean_of_all(loss, n), loss)`."""
    values = [as_expression(rewrite(item)) for item in given]
    function = as_expression(rewrite(call.func))
    items = ", ".join(f"{{value{number}}}" for number in range(len(values)))
    filled = {f"value{number}": value for number, value in enumerate(values)}
    read = ".item()" if unit.facts.values(call).is_number else ""
    if len(given) == len(call.args) and not any(item.keyword for item in call.args):
        return unit.quote(f"over_devices({{function}}, {items}){read}", function=function, **filled)
    names = [item.value if isinstance(item, cst.Name) else f"value_{number}" for number, item in enumerate(given)]
    places = dict(zip(given, names, strict=True))
    inner = call.with_changes(
        func=function,
        args=[
            item.with_changes(value=cst.Name(places[item.value]) if item.value in places else rewrite(item.value))
            for item in call.args
        ],
    )
    return unit.quote(f"over_devices(lambda {', '.join(names)}: {{inner}}, {items}){read}", inner=inner, **filled)


def _named_rank(unit: Unit, ranks: Sequence[cst.BaseExpression]) -> str:
    """The variable that ranks are, or are written as."""
    named = {item.value for item in ranks if isinstance(item, cst.Name)}
    if len(named) == 1 and all(isinstance(item, cst.Name) for item in ranks):
        return named.pop()
    name = unit.fresh("rank")
    for rank in ranks:
        unit.edits.replace(rank, always(cst.Name(name)))
        unit.settled.update({rank, *descendants(rank)})
    return name


def _make_for_devices(unit: Unit, item: RankObject) -> None:
    """`loader = Batches(rank)` is `loader = OnDevices(lambda rank: Batches(rank))`."""
    name = _named_rank(unit, item.ranks)

    def build(rewrite: Rewriter) -> cst.CSTNode:
        value = as_expression(rewrite(item.assignment.value))
        return item.assignment.with_changes(value=unit.quote(f"OnDevices(lambda {name}: {{value}})", value=value))

    unit.edits.replace(item.assignment, build)


def _shard(unit: Unit, part: RankPart) -> None:
    """`mine = batch[rank::n]` is `mine = shard([batch[rank::n] for rank in device_ranks()])`."""
    name = _named_rank(unit, part.ranks)
    ranks = unit.quote("range(jax.local_device_count())" if part.is_local else "device_ranks()")

    def build(rewrite: Rewriter) -> cst.CSTNode:
        value = as_expression(rewrite(part.assignment.value))
        return part.assignment.with_changes(
            value=unit.quote(f"shard([{{value}} for {name} in {{ranks}}])", value=value, ranks=ranks)
        )

    unit.edits.replace(part.assignment, build)


def _draw_apart(unit: Unit, assignment: cst.Assign, rewrite: Rewriter) -> cst.CSTNode:
    """`x = get_batch()` is `x = shard([get_batch(key=device_key) for device_key in device_keys(key)])`."""
    call = cst.ensure_type(rewrite(assignment.value), cst.Call)
    key = unit.facts.target.key
    given = next(item for item in call.args if item.keyword is not None and item.keyword.value == key)
    name = unit.fresh(f"device_{key}")
    made = call.with_changes(
        args=[item.with_changes(value=cst.Name(name)) if item is given else item for item in call.args]
    )
    value = unit.quote(f"shard([{{made}} for {name} in device_keys({{key}})])", made=made, key=given.value)
    return assignment.with_changes(value=value)


def _own(unit: Unit, node: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    if isinstance(node, cst.Call) and (name := unit.facts.values.torch_name(node.func)):
        return unit.quote("own_rank(jax.process_index())" if name.endswith("get_rank") else "own_rank(0)")
    return unit.quote("own_rank({rank})", rank=as_expression(rewrite.inside(node)))


def _counted(unit: Unit, batch: cst.CSTNode, rewrite: Rewriter) -> cst.CSTNode:
    return unit.quote("row_count({batch})", batch=as_expression(rewrite(batch)))


__all__ = ["device_decorator", "draws_apart", "rewrite_parallel"]

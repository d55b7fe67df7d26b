"""Objects that a program makes with the rank of its process: there is one for each device of a host.

loader = Batches(tokens, rank, world_size)     made with the rank of each device
x, y = loader.next_batch()                     a batch with the rows of all devices

Such an object is only asked for fields, looped over, and has methods called: what these give are batches. Its class is no module, draws
nothing and trains nothing, and knows its rank as a number.
"""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from torch2jax.facts.device_calls import bound_names_of
from torch2jax.facts.effects import Draw, Effects
from torch2jax.facts.infer import Values
from torch2jax.facts.ranks import Ranks
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants, is_label
from torch2jax.values import Kind


@dataclass(frozen=True, slots=True)
class RankObject:
    """`place = call`, which is given `ranks` and makes an object of `made`; `batches` are what is bound to what its methods give."""

    assignment: cst.Assign
    place: str
    made: Class
    ranks: tuple[cst.BaseExpression, ...]
    batches: tuple[tuple[cst.Assign, tuple[str, ...]], ...]


def find_rank_objects(
    program: Program,
    ranks: Ranks,
    effects: Effects,
    inside: Collection[cst.CSTNode],
    traced: Collection[Function],
) -> list[RankObject]:
    """The objects of a file; all that are made of a class, or none."""
    values = ranks.values
    calls: dict[Class, list[cst.Call]] = {}
    for call in program.index.calls:
        for item in values.callees.get(call, ()):
            if item.name == "__init__" and item.owner is not None and item.node in program.functions:
                calls.setdefault(item.owner, []).append(call)
    found: list[RankObject] = []
    for made, sites in calls.items():
        if not made.is_module and not made.bases and _is_plain(values, effects, made, traced):
            items = [_object(program, ranks, made, call, inside) for call in sites]
            known = [item for item in items if item is not None]
            if len(known) == len(items) and any(item.ranks for item in known):
                found.extend(item for item in known if item.ranks)
    return found


def _is_plain(values: Values, effects: Effects, made: Class, traced: Collection[Function]) -> bool:
    """Whether an object of a class may be made, and asked, once for each device."""
    for function in made.methods.values():
        if function in traced or effects.of(function).draw is not Draw.NONE or function.node.decorators:
            return False
        for node in descendants(function.node.body):
            if isinstance(node, (cst.Global, cst.Nonlocal)):
                return False
            if isinstance(node, cst.Call) and (values.torch_name(node.func) or "").startswith("torch.distributed."):
                return False
            if isinstance(node, cst.Call) and values(node.func).kind is Kind.MODULE:
                return False
    return True


def _object(
    program: Program, known: Ranks, made: Class, call: cst.Call, inside: Collection[cst.CSTNode]
) -> RankObject | None:
    assignment = program.index.parents[call]
    match assignment:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(place))]) if assignment not in inside:
            pass
        case _:
            return None
    ranks = tuple(rank for item in call.args for rank in known.outermost(item.value))
    batches: list[tuple[cst.Assign, tuple[str, ...]]] = []
    function = program.function_around(call)
    body: cst.CSTNode = program.index.module if function is None else function.node.body
    for node in descendants(body):
        if not isinstance(node, cst.Name) or node.value != place or is_label(node, program.index.parents[node]):
            continue
        if program.index.parents[node] is assignment.targets[0]:
            continue
        if node in inside or not _is_asked(program, known.values, made, node, batches):
            return None
    return RankObject(assignment, place, made, ranks, tuple(batches))


def _is_asked(
    program: Program, values: Values, made: Class, node: cst.Name, batches: list[tuple[cst.Assign, tuple[str, ...]]]
) -> bool:
    """Whether an object is asked for a field or a batch, or looped over."""
    index = program.index
    field = index.parents[node]
    if isinstance(field, cst.For):
        return field.iter is node
    if isinstance(field, cst.Arg):
        call = index.parents[field]
        return isinstance(call, cst.Call) and dotted(call.func) in ("len", "enumerate", "iter")
    if not isinstance(field, cst.Attribute):
        return False
    around = index.parents[field]
    if not isinstance(around, cst.Call) or around.func is not field:
        return field.attr.value not in made.methods and not isinstance(
            around, (cst.AssignTarget, cst.AugAssign, cst.Del)
        )
    line = index.parents[around]
    if isinstance(line, cst.Assign) and len(line.targets) == 1:
        names = bound_names_of(line.targets[0].target)
        batches.append((line, names))
        return bool(names)
    return isinstance(line, cst.Expr) or values(around).is_number


__all__ = ["RankObject", "find_rank_objects"]

"""Tensors that an optimizer changes become modules that hold them, where optimizers keep no arrays but the modules that they train.

                                                       class Trainable(torch.nn.Module):
                                                           def __init__(self, value):
                                                               super().__init__()
                                                               self.value = torch.nn.Parameter(value)

w = torch.zeros(3, requires_grad=True)            ->   w = Trainable(torch.zeros(3, requires_grad=True))
opt = torch.optim.SGD([w], lr=0.1)                     opt = torch.optim.SGD([*w.parameters()], lr=0.1)
loss = (x @ w).sum()                                   loss = (x @ w.value).sum()

A variable, or a field of objects of one class, whose tensor goes by no other name: what reads it computes with it at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.facts.parameters import makes_optimizer, optimized
from torch2jax.facts.storage import is_new
from torch2jax.normalize.leaf_fields import asks_gradients
from torch2jax.normalize.own_fields import may_be_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.unread_fields import speaks_of_all_fields
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Class, Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always, always_statements, as_expression
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_Place = cst.Name | cst.Attribute
_LOOKERS = frozenset({"float", "int", "len", "print", "str", "type"})
_COMPUTED = (
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.Comparison,
    cst.ComparisonTarget,
    cst.Subscript,
    cst.Index,
    cst.FormattedStringExpression,
)


@dataclass(frozen=True, slots=True)
class _Trained:
    """A tensor that optimizers change: what it is set to, where it is read, and where it is given to `optimizers`."""

    stores: list[cst.BaseExpression]
    reads: list[_Place]
    given: list[_Place]


def normalize_trained_tensors(work: NormalizationRound) -> None:
    """Normalize all tensors of a file that optimizers are given."""
    alias = work.torch_alias()
    if not work.keeps_trained or alias is None:
        return
    calls = [call for call in work.index.calls if makes_optimizer(call, work.values)]
    given = {call: list(_given(work, call)) for call in calls}
    found: dict[cst.CSTNode, _Trained] = {}
    for place in [place for places in given.values() for place in places]:
        if place not in found and (item := _trained(work, place, given)) is not None:
            found.update(dict.fromkeys(item.given, item))
    lacking = [places for places in given.values() if not all(place in found for place in places)]
    left = {id(found[place]) for places in lacking for place in places if place in found}
    chosen = {id(item): item for item in found.values() if id(item) not in left}
    names: dict[int | None, str] = {}  # a class for each number of axes, which is known then
    for item in chosen.values():
        ranks = {work.values(store).rank for store in item.stores}
        rank = ranks.pop() if len(ranks) == 1 else None
        if rank not in names:
            names[rank] = work.fresh("Trainable")
        _normalize(work, item, names[rank])
    if chosen:
        tops = [[store, *work.index.ancestors(store)][-2] for item in chosen.values() for store in item.stores]
        first = next(line for line in work.index.module.body if line in tops)
        work.edits.before(first, lambda rewrite: [_class(name, alias) for name in names.values()])


def _given(work: NormalizationRound, call: cst.Call) -> Iterator[_Place]:
    """The tensors that are no parts of modules among what an optimizer is given."""
    found = optimized(call, work.program.definitions, work.values)
    for root in found.roots if found is not None else ():
        if isinstance(root, (cst.Name, cst.Attribute)) and work.values(root).kind is Kind.TENSOR:
            yield root


def _trained(work: NormalizationRound, place: _Place, given: dict[cst.Call, list[_Place]]) -> _Trained | None:
    """A tensor with all that is done with it; None where some of that has no counterpart."""
    found = _variable(work, place) if isinstance(place, cst.Name) else _field(work, place)
    if found is None or not all(_is_own(work, store) for store in found.stores):
        return None
    wanted = {other for places in given.values() for other in places}
    handed = [read for read in found.reads if read in wanted or _is_clipped(work, read)]
    others = [read for read in found.reads if read not in handed]
    if not all(_is_listed(work, read) for read in handed):
        return None
    optimizers = [call for call, places in given.items() if not set(places).isdisjoint(handed)]
    is_done = all(_computes(work, read) or _is_last(work, read, found.stores, optimizers) for read in others)
    return _Trained(found.stores, others, handed) if is_done else None


def _variable(work: NormalizationRound, name: cst.Name) -> _Trained | None:
    """The bindings of a variable that an optimizer may see, and all their uses."""
    definitions = work.program.definitions
    bound = definitions.of(name)
    if not bound or not all(_is_plain(work, item) for item in bound):
        return None
    reads = list(dict.fromkeys(use for item in bound for use in definitions.uses(item)))
    if any(not set(definitions.of(use)) <= set(bound) for use in reads):
        return None
    return _Trained([item.value for item in bound if item.value is not None], list(reads), [])


def _is_plain(work: NormalizationRound, item: Definition) -> bool:
    return item.how is How.ASSIGNED and item.value is not None and work.set_alone(item.node) is item.value


def _field(work: NormalizationRound, place: cst.Attribute) -> _Trained | None:
    """What a field of objects of one class is set to, and where it is read."""
    owner, name = _owner(work, place), place.attr.value
    program = work.program
    if owner is None or owner.is_module or speaks_of_all_fields(work):
        return None
    if program.is_imported and name in program.read_elsewhere:
        return None
    every = [node for node in work.index.attributes if node.attr.value == name]
    own = [node for node in every if _owner(work, node) is owner]
    keys = {item.key for item in work.program.classes.values() if owner in item.lineage or item in owner.lineage}
    if any(may_be_of(work.values(node.value), keys) for node in every if node not in own):
        return None
    targets = [node for node in own if isinstance(work.index.parents[node], cst.AssignTarget)]
    stores = [work.set_alone(node) for node in targets]
    if len(stores) != 1 or stores[0] is None or program.function_around(targets[0]) is None:
        return None
    return _Trained([stores[0]], [node for node in own if node not in targets], [])


def _owner(work: NormalizationRound, place: cst.Attribute) -> Class | None:
    """The class of the file of which an object with a field surely is."""
    value = work.values(place.value)
    keys = value.types if value.kind is Kind.OBJECT else frozenset()
    return work.program.class_by_key.get(next(iter(keys))) if len(keys) == 1 else None


def _is_own(work: NormalizationRound, store: cst.BaseExpression) -> bool:
    """Whether what a place is set to is a tensor that has no other name."""
    value = work.values(_without_parameter(work, store))
    return value.kind is Kind.TENSOR and isinstance(store, (cst.Call, cst.BinaryOperation)) and is_new(value.roots)


def _without_parameter(work: NormalizationRound, store: cst.BaseExpression) -> cst.BaseExpression:
    """What a parameter is made of that stands by itself."""
    is_made = isinstance(store, cst.Call) and work.values.torch_name(store.func) == "torch.nn.Parameter"
    return store.args[0].value if isinstance(store, cst.Call) and is_made and len(store.args) == 1 else store


def _is_listed(work: NormalizationRound, read: _Place) -> bool:
    """Whether a tensor stands in a list of what is trained, or as all that a group has."""
    around = work.index.parents[read]
    return isinstance(around, (cst.Element, cst.Arg)) or (isinstance(around, cst.DictElement) and around.value is read)


def _is_clipped(work: NormalizationRound, read: _Place) -> bool:
    """Whether the gradients of a tensor are clipped, alone or beside those of others."""
    around = work.index.parents[read]
    argument = work.index.parents[work.index.parents[around]] if isinstance(around, cst.Element) else around
    call = work.index.parents[argument] if isinstance(argument, cst.Arg) else None
    name = work.values.torch_name(call.func) if isinstance(call, cst.Call) else None
    return (name or "").startswith("torch.nn.utils.clip_grad_")


def _computes(work: NormalizationRound, read: cst.BaseExpression) -> bool:
    """Whether what reads a tensor is done with it at once, and keeps it under no name."""
    around = work.index.parents[read]
    match around:
        case cst.Attribute():
            is_asked = isinstance(work.index.parents[around], (cst.Call, cst.Attribute))
            return is_asked or work.values(around).kind is not Kind.TENSOR or _computes(work, around)
        case cst.Arg():
            call = work.index.parents[around]
            return isinstance(call, cst.Call) and _takes_values(work, call)
        case cst.Element():
            argument = work.index.parents[work.index.parents[around]]
            taker = work.index.parents[argument] if isinstance(argument, cst.Arg) else None
            return isinstance(taker, cst.Call) and work.values.torch_name(taker.func) is not None
        case cst.IfExp():
            return around.test is read or _computes(work, around)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]):
            return _is_used_up(work, name)
    return isinstance(around, _COMPUTED)


def _is_used_up(work: NormalizationRound, name: cst.Name) -> bool:
    """Whether all that a second name of a tensor is read for is done before an optimizer changes the tensor."""
    order, uses = work.index.order, work.program.definitions.uses_at(name)
    steps: list[cst.CSTNode] = [node for node in work.index.attributes if node.attr.value == "step"]
    steps += [call for call in work.index.calls if any(map(_may_step, work.values.callees.get(call, ())))]
    for use in uses:
        between = any(order[name] < order[step] < order[use] for step in steps)
        loops = [node for node in work.index.ancestors(use) if isinstance(node, (cst.For, cst.While))]
        inner = [loop for loop in loops if name not in set(descendants(loop))]
        is_repeated = any(step in set(descendants(loop)) for loop in inner for step in steps)
        if order[use] < order[name] or between or is_repeated or not _computes(work, use):
            return False
    return True


def _may_step(function: Function) -> bool:
    """Whether a function is none of a module, which only computes."""
    return function.owner is None or not function.owner.is_module


def _takes_values(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a function computes with what it is given."""
    if work.values.torch_name(call.func) is not None or dotted(call.func) in _LOOKERS:
        return True
    kinds = (Kind.FUNCTION, Kind.MODULE)
    receiver = work.values(call.func.value) if isinstance(call.func, cst.Attribute) else None
    is_method = receiver is not None and receiver.kind in (Kind.TENSOR, Kind.TORCH_OBJECT)
    return work.values(call.func).kind in kinds or is_method


def _is_last(
    work: NormalizationRound, read: _Place, stores: list[cst.BaseExpression], optimizers: list[cst.Call]
) -> bool:
    """Whether a function gives back the tensor that it has trained with optimizers of its own, which nothing has behind it."""
    parents, program = work.index.parents, work.program
    around = parents[read]
    if isinstance(around, cst.Element) and isinstance(parents[around], cst.Tuple):
        around = parents[parents[around]]
    function = program.function_around(read)
    places = [program.function_around(node) for node in (*stores, *optimizers)]
    if not isinstance(around, cst.Return) or function is None or any(place is not function for place in places):
        return False
    return all(_stays_inside(work, call) for call in optimizers)


def _stays_inside(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether an optimizer has one name, of which only methods are called."""
    match work.index.parents[call]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)]):
            uses = work.program.definitions.uses_at(target)
            return all(isinstance(work.index.parents[use], cst.Attribute) for use in uses)
    return False


def _normalize(work: NormalizationRound, item: _Trained, name: str) -> None:
    for store in item.stores:
        work.edits.replace(store, partial(_made, store, _without_parameter(work, store), name))
    for place in item.given:
        text = "*{place}.parameters()" if isinstance(work.index.parents[place], cst.Element) else "{place}.parameters()"
        around = work.index.parents[place] if text.startswith("*") else place
        work.edits.replace(around, partial(_parameters, place, around))
    for read in item.reads:
        line = work.index.statement_of(read)
        if isinstance(line, cst.BaseStatement) and asks_gradients(line) == dotted(read):
            work.edits.remove(line)
        elif isinstance(line, cst.SimpleStatementLine) and _empties_gradient(line.body[0], read):
            cleared = quote_statement("{place}.zero_grad()", place=work.copy(read))
            work.edits.rewrite_statement(line, always_statements([cleared]))
        else:
            work.edits.replace(read, always(quote("{place}.value", place=work.copy(read))))


def _empties_gradient(small: cst.BaseSmallStatement, read: _Place) -> bool:
    """`w.grad = None`"""
    match small:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name("grad")))], value=cst.Name("None")
        ):
            return owner is read
    return False


def _made(store: cst.BaseExpression, value: cst.BaseExpression, name: str, rewrite: Rewriter) -> cst.CSTNode:
    made = rewrite.inside(store) if value is store else rewrite(value)
    return quote(f"{name}({{value}})", value=as_expression(made))


def _parameters(place: _Place, around: cst.CSTNode, rewrite: Rewriter) -> cst.CSTNode:
    call = quote("{place}.parameters()", place=as_expression(rewrite.inside(place)))
    return cst.StarredElement(call) if isinstance(around, cst.Element) else call


def _class(name: str, torch: str) -> cst.BaseStatement:
    body = f"        super().__init__()\n        self.value = {torch}.nn.Parameter(value)"
    made = quote_statement(f"class {name}({torch}.nn.Module):\n    def __init__(self, value):\n{body}")
    blank = cst.EmptyLine(indent=False)
    return made.with_changes(leading_lines=[blank, blank])


__all__ = ["normalize_trained_tensors"]

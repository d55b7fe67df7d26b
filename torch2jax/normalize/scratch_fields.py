"""Fields of modules that one method sets before it reads them, and that nobody else reads, normalized to its variables.

self.attn = scores.softmax(-1)       ->   attn = scores.softmax(-1)
return self.attn @ v                 ->   return attn @ v

They would be state, which has to be handed through every call of the module.

self.optim = Adam(net.parameters())  ->   optim = Adam(net.parameters())
self.steps = Warmup(self.optim)      ->   self.steps = Warmup(optim)

An optimizer that `__init__` hands to another object, and nobody asks for again, has one holder then.

self.conv = nn.Conv2d(3, 8, 3)       ->   conv = nn.Conv2d(3, 8, 3)
self.net = nn.Sequential(self.conv)  ->   self.net = nn.Sequential(conv)

So has a part that is a part of another one as well, unless its name is asked for.

self.layers = []                     ->   layers = []
self.layers.append(nn.Linear(3, 3))  ->   layers.append(nn.Linear(3, 3))
self.net = nn.Sequential(*self.layers) -> self.net = nn.Sequential(*layers)
...
for layer in self.layers:            ->   for layer in self.net:

torch knows nothing of a plain list, and it holds what the container holds that was made of it.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from torch2jax.facts.bindings import makes_module
from torch2jax.facts.kept_fields import made_class, stores_of
from torch2jax.normalize.collected_parts import changes_elsewhere
from torch2jax.normalize.numbered_parts import SETTING_WORDS
from torch2jax.normalize.parameter_aliases import functions_reached
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.unread_fields import (
    WrittenField,
    is_known_whole,
    is_stored,
    reads_of,
    speaks_of_all_fields,
    written_fields,
)
from torch2jax.program.flow import Flow
from torch2jax.program.program import Function, dotted, is_super
from torch2jax.syntax.edits import always
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_CONTAINERS = {"torch.nn.Sequential": "*", "torch.nn.ModuleList": ""}
_ASKING = ("enumerate", "zip", "len", "list", "tuple")
_NAMING = ("named_parameters", "named_modules", "named_children", "named_buffers", "load_state_dict")


def normalize_scratch_fields(work: NormalizationRound) -> None:
    """Normalize all such fields of a file, and say so."""
    if speaks_of_all_fields(work):
        return
    for item in written_fields(work):
        method = _only_setter(work, item)
        reads = list(reads_of(work, item)) if method is not None else []
        if method is None or not reads or not is_known_whole(work, item):
            continue
        stores = [node for node in item.stores if work.index.function_of(node) is method.node]
        if _runs_again(method) or not is_set_before(work, method, stores, reads):
            continue
        _make_variable(work, item, method, reads)
    for item, method in _optimizer_fields(work):
        reads = list(reads_of(work, item))
        is_given = any(_is_given_to_object(work, node) for node in reads)
        if is_given and is_known_whole(work, item) and is_set_before(work, method, item.stores, reads):
            _make_variable(work, item, method, reads)


def normalize_handed_parts(work: NormalizationRound) -> None:
    """Normalize the fields with parts that other parts are made of, in a program that asks for no part or parameter by name."""
    if speaks_of_all_fields(work) or any(item.mentions(word) for item in work.program.files for word in _NAMING):
        return
    for item, method in _part_fields(work):
        reads = list(reads_of(work, item))
        is_own = all(work.index.function_of(node) is method.node for node in reads)
        if is_own and any(_is_handed_on(work, node) for node in reads) and is_known_whole(work, item, of_parts=True):
            if is_set_before(work, method, item.stores, reads):
                _make_variable(work, item, method, reads)


def normalize_handed_lists(work: NormalizationRound) -> None:
    """Normalize the fields with plain lists of parts of which `__init__` makes the container that torch knows."""
    if speaks_of_all_fields(work):
        return
    for item in written_fields(work):
        method = item.owner.methods.get("__init__")
        if method is None or item.setters or not _is_plain_list(work, item):
            continue
        reads = list(reads_of(work, item))
        if not is_known_whole(work, item, of_parts=True):
            continue
        line, holder = _container_made_of(work, item, method)
        late = [] if line is None else [node for node in reads if not stands_before(work, method, node, line)]
        if line is None or not (
            not (late and any(map(work.program.mentions, SETTING_WORDS)))
            and all(stands_before(work, method, node, line) for node in item.stores)
            and all(_is_asked_only(work, node) for node in late)
            and not is_asked_early(work, method, line, late)
        ):
            late, is_own = [], all(work.index.function_of(node) is method.node for node in reads)
            if not is_own or not any(_is_handed_on(work, node) for node in reads):
                continue
        early = [node for node in reads if node not in late]
        if is_set_before(work, method, item.stores, early):
            for node in late:
                work.edits.replace(node.attr, always(cst.Name(holder)))
            _make_variable(work, item, method, early)


def _is_plain_list(work: NormalizationRound, item: WrittenField) -> bool:
    """Whether a field is set to lists as they are written, and grows."""
    parents = work.index.parents
    values = [_value_of(work, node) for node in item.stores if not isinstance(parents[node], cst.AugAssign)]
    return bool(values) and all(isinstance(value, (cst.List, cst.ListComp)) for value in values)


def _container_made_of(
    work: NormalizationRound, item: WrittenField, method: Function
) -> tuple[cst.CSTNode | None, str]:
    """The line of `__init__` that sets for good a field to the container of what a list holds, and the name of that field."""
    for line in method.node.body.body:
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Attribute() as target)],
                        value=cst.Call(args=[cst.Arg(value=cst.Attribute() as given, keyword=None, star=star)]) as made,
                    )
                ]
            ) if _CONTAINERS.get(work.values.torch_name(made.func) or "") == star:
                own, name = method.self_name, target.attr.value
                if dotted(given) != f"{own}.{item.name}" or dotted(target) != f"{own}.{name}":
                    continue
                family = [other for other in written_fields(work) if other.name == name]
                kept = [other for other in family if other.owner.lineage[-1] is item.owner.lineage[-1]]
                if len(kept) == 1 and len(kept[0].stores) == 1:
                    if not changes_elsewhere(work, item.owner, target, name):
                        return line, name
    return None, ""


def stands_before(work: NormalizationRound, method: Function, node: cst.CSTNode, line: cst.CSTNode) -> bool:
    """Whether a place of a method is one of its lines before another, or that line."""
    body = list(method.node.body.body)
    mine = next((item for item in body if node is item or item in work.index.ancestors(node)), None)
    return mine is not None and body.index(mine) <= body.index(line)


def is_asked_early(
    work: NormalizationRound, method: Function, line: cst.CSTNode, reads: Collection[cst.CSTNode]
) -> bool:
    """Whether functions that read a list may run before a line of `__init__` ends."""
    asking = {work.index.function_of(node) for node in reads} - {method.node}
    body = list(method.node.body.body)
    early = [call for item in body[: body.index(line) + 1] for call in descendants(item, cst.Call)]
    return any(item.node in asking for call in early for item in functions_reached(work, call))


def _is_asked_only(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether a list is gone through, counted, or asked for one of its parts."""
    match work.index.parents[node]:
        case cst.For() | cst.CompFor() | cst.StarredElement() | cst.Arg(star="*"):
            return True
        case cst.Arg() as argument:
            call = work.index.parents[argument]
            return isinstance(call, cst.Call) and dotted(call.func) in _ASKING
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index())]) as element:
            parent = work.index.parents[element]
            return not isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del, cst.NamedExpr))
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Slice())]) as some:
            return isinstance(work.index.parents[some], (cst.For, cst.CompFor))
    return False


def _make_variable(
    work: NormalizationRound, item: WrittenField, method: Function, reads: Sequence[cst.Attribute]
) -> None:
    """Name a variable of a method where it names a field, and say so."""
    stores = [node for node in item.stores if work.index.function_of(node) is method.node]
    is_free = item.name not in names_of(work, method)
    name = item.name if is_free else work.names_at(stores[0])(f"own_{item.name}")
    for node in (*stores, *reads):
        work.edits.replace(node, always(cst.Name(name)))
    work.lasting.append(Problem(method.node, "T2J610", {"name": item.name, "module": item.owner.name}))


def _optimizer_fields(work: NormalizationRound) -> Iterator[tuple[WrittenField, Function]]:
    """The fields of plain objects with an optimizer that `__init__` makes, each with that method."""
    for owner in work.program.classes.values():
        method = owner.methods.get("__init__")
        if owner.is_module or method is None:
            continue
        own = [node for node in descendants(method.node.body, cst.Attribute) if dotted(node.value) == method.self_name]
        names = dict.fromkeys(node.attr.value for node in own if isinstance(work.index.parents[node], cst.AssignTarget))
        for name in names:
            values = stores_of(owner, name)
            if len(values) == 1 and isinstance(values[0], cst.Call) and work.values(values[0]).kind is Kind.OPTIMIZER:
                stores = [node for node in own if node.attr.value == name and is_stored(work, node)]
                yield WrittenField(name, owner, stores), method


def _part_fields(work: NormalizationRound) -> Iterator[tuple[WrittenField, Function]]:
    """The fields of modules with a part that `__init__` alone makes, each with that method."""
    for item in written_fields(work):
        method = item.owner.methods.get("__init__")
        values = [_value_of(work, node) for node in item.stores]
        if (
            method is None
            or item.setters
            or not all(work.index.function_of(node) is method.node for node in item.stores)
        ):
            continue
        made = [value for value in values if not (isinstance(value, cst.Name) and value.value == "None")]
        if made and all(isinstance(value, cst.Call) and work.values(value).kind is Kind.MODULE for value in made):
            yield item, method


def _value_of(work: NormalizationRound, store: cst.Attribute) -> cst.BaseExpression | None:
    """What a field is set to by a line that sets nothing else."""
    match work.index.parents[work.index.parents[store]]:
        case cst.Assign(targets=[_], value=value):
            return value
    return None


def _is_handed_on(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a part is an argument of what makes another module, by itself or in a list."""
    around: cst.CSTNode = node
    while isinstance(work.index.parents[around], (cst.Element, cst.StarredElement, cst.List, cst.Tuple)):
        around = work.index.parents[around]
    argument = work.index.parents[around]
    call = work.index.parents[argument] if isinstance(argument, cst.Arg) else None
    return call is not None and makes_module(work.values, call)


def _is_given_to_object(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a field is an argument of a call that makes a plain object of the program."""
    argument = work.index.parents[node]
    call = work.index.parents[argument] if isinstance(argument, cst.Arg) else None
    made = made_class(work.program, work.values, call) if isinstance(call, cst.Call) else None
    return made is not None and not made.is_module


def _only_setter(work: NormalizationRound, item: WrittenField) -> Function | None:
    """The method that alone sets a field once its module is made."""
    setters = set(item.setters)
    node = setters.pop() if len(setters) == 1 else None
    return work.program.functions.get(node) if isinstance(node, cst.FunctionDef) else None


def names_of(work: NormalizationRound, method: Function) -> set[str]:
    """The variables that a method names, and Python's own."""
    nodes = [node for node in descendants(method.node) if isinstance(node, cst.Name)]
    return {node.value for node in nodes if not work.index.is_label(node)} | set(dir(builtins))


def _runs_again(method: Function) -> bool:
    """Whether a method may call itself, or what it overrides, on its own object."""
    own = {f"{method.self_name}.{method.name}", method.self_name}
    calls = [node for node in descendants(method.node.body) if isinstance(node, cst.Call)]
    return any(dotted(call.func) in own or is_super(call) for call in calls)


def is_set_before(
    work: NormalizationRound, method: Function, stores: Sequence[cst.Attribute], reads: Sequence[cst.Attribute]
) -> bool:
    """Whether a method sets a field on every path to each place where it is read, all of them its own."""
    flow = work.program.definitions.scopes.flow(method.node)
    whole = [node for node in stores if not isinstance(work.index.parents[node], cst.AugAssign)]
    added = [node for node in stores if node not in whole]
    places = [_point_of(work, flow, method, node) for node in (*reads, *added)]
    set_at = {_point_of(work, flow, method, node) for node in whole}
    if None in places or None in set_at:
        return False
    return _reached_without(flow, set_at).isdisjoint(places)  # type: ignore[arg-type]


def _point_of(work: NormalizationRound, flow: Flow, method: Function, node: cst.Attribute) -> int | None:
    """The point of a method at which a field of its own object is set or read."""
    if not (isinstance(node.value, cst.Name) and node.value.value == method.self_name):
        return None
    for around in (node, *work.index.ancestors(node)):
        if isinstance(around, (cst.Lambda, cst.FunctionDef)):
            return None
        if around in flow:
            return flow.index(around)
    return None


def _reached_without(flow: Flow, stops: set[int]) -> set[int]:
    """The points to which some path leads that completes none of those given."""
    seen, waiting = {0}, [0]
    while waiting:
        index = waiting.pop()
        following = [*flow.failure_indices[index], *(() if index in stops else flow.successor_indices[index])]
        new = [item for item in following if item not in seen]
        seen.update(new)
        waiting += new
    return seen


__all__ = [
    "is_asked_early",
    "is_set_before",
    "names_of",
    "normalize_handed_lists",
    "normalize_handed_parts",
    "normalize_scratch_fields",
    "stands_before",
]

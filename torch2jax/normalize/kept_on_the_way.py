"""Results that a loop over layers keeps on the way, and that the next layer changes in place: they are exchanged where it does so.

for i, layer in enumerate(self.features):        for i, layer in enumerate(self.features):
    x = layer(x)                            ->       given = x
    if i in self.kept:                               x = layer(x)
        outs.append(x)                               if i in (1, 3):                 # the layers in place
                                                         outs = [x if item is given else item for item in outs]
                                                     if i in self.kept:
                                                         outs.append(x)

The layers are known one by one, and which of them change what they are given. Where it is told what is kept (`if i in (1, 3):`),
and none of that is changed, the loop stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import partial

import libcst as cst

from torch2jax.facts.infer import NAMED, NAMED_NEW_FIRST, PASSING_LAYERS
from torch2jax.facts.mutations import surely_changes
from torch2jax.normalize.evaluation_order import placed_instead
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import INPLACE, Kind, Value

_OF_LAYERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})


@dataclass(frozen=True, slots=True)
class _Way:
    """A loop that hands on a tensor from layer to layer. `count` and `label` are the variables with the number and the name of
    a layer, as far as there are such.
    """

    loop: cst.For
    line: cst.SimpleStatementLine  # `x = layer(x)`
    given: cst.Name
    layers: cst.BaseExpression
    layer: cst.Name
    count: str | None
    label: str | None


@dataclass(frozen=True, slots=True)
class _Kept:
    """A list or dict that gets results on the way, if (`places`) it is known of which layers."""

    name: str
    is_table: bool
    places: frozenset[int] | None


def normalize_kept_on_the_way(work: NormalizationRound) -> None:
    """Normalize all such loops of a file."""
    for loop in work.index.every(cst.For):
        way = _way(work, loop)
        if way is None or way.line in work.program.settled:
            continue
        items = work.values(way.layers).items or ()
        changing = [place for place, item in enumerate(items) if INPLACE in item.among]
        if not changing or not all(_is_plain(work, items, place) for place in changing):
            continue
        kept = _kept(work, way, len(items))
        if kept is None or not _shared(work, way) <= {item.name for item in kept}:
            continue
        hit = [item for item in kept if item.places is None or any(place - 1 in item.places for place in changing)]
        work.settled.add(way.line)
        if hit:
            _exchange(work, way, changing, hit)


def _way(work: NormalizationRound, loop: cst.For) -> _Way | None:
    target: cst.BaseExpression = loop.target
    layers = loop.iter
    count: cst.BaseExpression | None = None
    label: cst.BaseExpression | None = None
    match layers:
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner, keyword=None, star="")]):
            (count, target), layers = _pair(target), inner
    match layers:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("children")), args=[]):
            layers = inner
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("named_children")), args=[]):
            (label, target), layers = _pair(target), inner
    match layers:
        case cst.Call(
            func=cst.Name("range"),
            args=[cst.Arg(value=cst.Call(func=cst.Name("len"), args=[cst.Arg(value=inner)]), keyword=None, star="")],
        ) if count is None and dotted(inner) is not None:
            count, layers = target, inner
    value = work.values(layers)
    if not isinstance(target, cst.Name) or value.kind is not Kind.MODULE or not value.types <= _OF_LAYERS:
        return None
    if label is not None and value.const in (NAMED, NAMED_NEW_FIRST):
        return None
    line = next(iter(loop.body.body), None)
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name(bound))],
                    value=cst.Call(func=called, args=[cst.Arg(value=cst.Name() as given, keyword=None, star="")]),
                )
            ]
        ) if bound == given.value != target.value and all(
            _is_bound_once(loop, name) for name in (bound, *bound_names(loop.target))
        ):
            is_layer = _is_item(called, layers, target) if count is target else dotted(called) == target.value
            return _Way(loop, line, given, layers, target, dotted(count), dotted(label)) if is_layer else None
    return None


def _is_item(called: cst.BaseExpression, layers: cst.BaseExpression, count: cst.Name) -> bool:
    """Whether an expression is `layers[i]`."""
    match called:
        case cst.Subscript(value=whole, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name(place)))]):
            return dotted(whole) == dotted(layers) and place == count.value
    return False


def _pair(target: cst.BaseExpression) -> tuple[cst.BaseExpression | None, cst.BaseExpression]:
    """The two targets of `for i, layer in ...`."""
    match target:
        case cst.Tuple(elements=[cst.Element(value=one), cst.Element(value=other)]):
            return one, other
    return None, target


def _is_bound_once(loop: cst.For, name: str) -> bool:
    """Whether one line of a loop alone binds a variable."""
    bound = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For)
    found = [item for item in descendants(loop) if isinstance(item, bound) and name in bound_names(item.target)]
    return len(found) == 1


def _is_plain(work: NormalizationRound, items: Sequence[Value], place: int) -> bool:
    """Whether a layer surely changes what the one before it, of torch, has made, or changed."""
    if place == 0 or not surely_changes(items[place]):
        return False
    assert work.effects is not None
    before = items[place - 1]
    is_layer = bool(before.types) and all(name in work.effects.tables.layers for name in before.types)
    return is_layer and not before.types & (PASSING_LAYERS | _OF_LAYERS)


def _shared(work: NormalizationRound, way: _Way) -> set[str]:
    """The other variables that are read behind the call and may share the tensor that it is given."""
    assert work.flows is not None
    function, roots = work.program.function_around(way.loop), work.values(way.given).roots
    env = work.values.after.get(way.line) or (function.env if function is not None else work.program.module_env)
    live = work.flows.liveness(function).after_statement(way.line)
    return {name for name in live if name != way.given.value and name in env and env[name].shares(roots)}


def _kept(work: NormalizationRound, way: _Way, count: int) -> list[_Kept] | None:
    """The lists and dicts that the loop fills; None where something else is done with one of them."""
    found: dict[str, _Kept] = {}
    stores: dict[str, int] = {}
    for store, name, is_table in _stores(way):
        places = _places(work, way, store, count)
        old = found.get(name)
        both = places if old is None else None if None in (places, old.places) else old.places | places  # type: ignore[operator]
        found[name] = _Kept(name, is_table, both)
        stores[name] = stores.get(name, 0) + 1
    is_own = all(_is_filled_here(work, way, item, stores[item.name]) for item in found.values())
    return list(found.values()) if is_own else None


def _stores(way: _Way) -> Iterator[tuple[cst.CSTNode, str, bool]]:
    """The lines `outs.append(x)` and `outs[name] = x`, with the names of the containers, and whether they are dicts."""
    for line in descendants(way.loop.body):
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Expr(
                        value=cst.Call(
                            func=cst.Attribute(value=cst.Name(name), attr=cst.Name("append")),
                            args=[cst.Arg(value=cst.Name(kept), star="")],
                        )
                    )
                ]
            ) if kept == way.given.value:
                yield line, name, False
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Subscript(value=cst.Name(name)))], value=cst.Name(kept)
                    )
                ]
            ) if kept == way.given.value:
                yield line, name, True


def _is_filled_here(work: NormalizationRound, way: _Way, kept: _Kept, stores: int) -> bool:
    """Whether a container is made empty in front of the loop, filled by these lines alone, and read behind it, if anywhere."""
    function = work.index.function_of(way.loop)
    if function is None or any(isinstance(item, (cst.For, cst.While)) for item in work.index.ancestors(way.loop)):
        return False
    below = set(descendants(way.loop))
    uses = [item for item in descendants(function) if isinstance(item, cst.Name) and item.value == kept.name]
    uses = [item for item in uses if not work.index.is_label(item)]
    bound = [item for item in uses if isinstance(work.index.parents[item], cst.AssignTarget)]
    inside = [item for item in uses if item in below and not _is_counted(work, item)]
    if len(bound) != 1 or len(inside) != stores or any(work.index.function_of(item) is not function for item in uses):
        return False
    order = work.index.order
    first = min(order[item] for item in inside)
    made = work.index.parents[work.index.parents[bound[0]]]
    is_first = all(item is bound[0] or order[item] >= first for item in uses)
    return is_first and isinstance(made, cst.Assign) and _is_empty(made.value, kept.is_table)


def _is_counted(work: NormalizationRound, reader: cst.CSTNode) -> bool:
    """Whether it is only asked how many results there are: `len(outs)`."""
    argument = work.index.parents[reader]
    call = work.index.parents[argument]
    return isinstance(argument, cst.Arg) and isinstance(call, cst.Call) and dotted(call.func) == "len"


def _is_empty(made: cst.BaseExpression, is_table: bool) -> bool:
    match made:
        case cst.List(elements=[]) | cst.Call(func=cst.Name("list"), args=[]):
            return not is_table
        case cst.Dict(elements=[]) | cst.Call(func=cst.Name("dict" | "OrderedDict"), args=[]):
            return is_table
    return False


def _places(work: NormalizationRound, way: _Way, store: cst.CSTNode, count: int) -> frozenset[int] | None:
    """Of which layers a line keeps the results, as far as the test around it tells."""
    around = next(iter(work.index.ancestors(work.index.parents[store])), None)
    if work.index.parents[store] is way.loop.body:
        return frozenset(range(count))
    if not isinstance(around, cst.If) or store not in around.body.body:
        return None
    match around.test:
        case cst.Comparison(
            left=cst.Name(asked),
            comparisons=[cst.ComparisonTarget(operator=cst.In() | cst.Equal() as operator, comparator=given)],
        ) if asked in (way.count, way.label):
            wanted = _constants(work, given, one=isinstance(operator, cst.Equal))
            if wanted is not None:
                return frozenset(
                    place for place in range(count) if (place if asked == way.count else str(place)) in wanted
                )
    return None


def _constants(work: NormalizationRound, node: cst.BaseExpression, one: bool) -> Set[object] | None:
    """What numbers or texts an expression holds, or is."""
    parts = [node] if one else [item.value for item in getattr(node, "elements", ())]
    found = {work.values(part).const for part in parts}
    return found if found and all(isinstance(item, (int, str)) for item in found) else None


def _exchange(work: NormalizationRound, way: _Way, changing: Sequence[int], kept: Sequence[_Kept]) -> None:
    fresh = work.names_at(way.loop)
    given, item = fresh("given"), fresh("item")
    count, label = way.count, way.label
    if count is None and label is None:
        count = fresh("i")
        target, layers = f"{count}, {way.layer.value}", way.loop.iter
        work.edits.replace(way.loop.target, lambda rewrite: _bare(target))
        work.edits.replace(way.loop.iter, partial(_counted, layers))
    places = ", ".join(str(place) if count is not None else f'"{place}"' for place in changing)
    is_changing = f"== {places}" if len(changing) == 1 else f"in ({places})"
    x = way.given.value
    lines = [f"if {count or label} {is_changing}:"]
    for held in kept:
        if held.is_table:
            key = fresh("name")
            text = f"{{{key}: {x} if {item} is {given} else {item} for {key}, {item} in {held.name}.items()}}"
        else:
            text = f"[{x} if {item} is {given} else {item} for {item} in {held.name}]"
        lines.append(f"    {held.name} = {text}")
    work.edits.before(way.line, partial(_statement, work, way.line, f"{given} = {x}"))
    work.edits.after(way.line, partial(_statement, work, way.line, "\n".join(lines)))


def _bare(target: str) -> cst.BaseExpression:
    made = cst.parse_expression(target)
    return made.with_changes(lpar=(), rpar=())


def _counted(layers: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return cst.Call(cst.Name("enumerate"), [cst.Arg(as_expression(rewrite.inside(layers)))])


def _statement(work: NormalizationRound, line: cst.CSTNode, text: str, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return placed_instead(work, line, cst.parse_statement(text))


__all__ = ["normalize_kept_on_the_way"]

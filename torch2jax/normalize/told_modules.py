"""Objects that keep the model which a step trains, and use it in the loss: their methods are given it instead.

class Penalty:                                       class Penalty:
    def __init__(self, model, weight):                   def __init__(self, weight):
        self.model = model                                   self.weight = weight
        self.weight = weight
    def __call__(self, x):                       ->      def __call__(self, model, x):
        return self.weight * self.model(x).sum()             return self.weight * model(x).sum()

penalty = Penalty(model, 0.1)                        penalty = Penalty(0.1)
loss = f(model(x)) + penalty(x)                      loss = f(model(x)) + penalty(model, x)

In torch both are the same object. A gradient is taken of what a function is given, and what an object keeps would be a constant.
The class is made once, all that is done with the object is in sight, and its methods do no more than call the module or go through
its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.given_modules import TOLD
from torch2jax.facts.kept_fields import field_of, names_field, trains
from torch2jax.facts.steps import find_steps
from torch2jax.normalize.looking_objects import sees_same, variable_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import variables_in
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function
from torch2jax.program.statements import assigned_pairs
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.walk import descendants, elements_of, is_label
from torch2jax.values import Kind

_READING = frozenset({"named_parameters", "parameters", "training"})


def normalize_told_modules(work: NormalizationRound) -> None:
    """Normalize one such class of a file in each round."""
    if work.flows is None or not work.program.mentions("backward"):
        return
    for step in find_steps(work.program, work.values, work.flows):
        if step.hidden is None:
            continue
        method, place = step.hidden
        first, _, field = place.partition(".")
        if method.owner is not None and first == method.self_name and _tell(work, method.owner, field):
            return


@dataclass(frozen=True, slots=True)
class _Kept:
    """A module that objects of a class keep: the field, the parameter of `__init__`, the variable that the one object has, and what
    that is given.
    """

    owner: Class
    init: Function
    field: str
    parameter: str
    made: cst.Name
    maker: cst.Call
    given: cst.Name


def _tell(work: NormalizationRound, owner: Class, field: str) -> bool:
    """Give the methods of a class the module in a field; False where that is not all that happens to it."""
    kept = _find(work, owner, field)
    if kept is None:
        return False
    using = _using(kept)
    uses = _uses(work, kept, using)
    own = _own_reads(work, kept, using)
    if uses is None or own is None:
        return False
    if any(field in variables_in(method.node.body) | set(method.parameter_names) for method in using):
        return False
    for method in using:
        _add_parameter(work, method, field)
        for read in own[method]:
            work.edits.replace(read, always(cst.Name(field)))
        for call in _calls_within(method, using):
            _with_first(work, call, cst.Name(field))
    for call in uses:
        _with_first(work, call, kept.given)
    _forget(work, kept)
    return True


def _find(work: NormalizationRound, owner: Class, field: str) -> _Kept | None:
    """The one object of a class and the module that it keeps in a field for good."""
    init, names = owner.methods.get("__init__"), work.index.names
    others = (item for item in work.program.class_by_key.values() if item is not owner)
    is_alone = not owner.node.bases and not owner.node.decorators and not any(owner in item.lineage for item in others)
    if init is None or owner not in work.program.classes.values() or not is_alone or trains(work.values, owner):
        return None
    makers = [call for call, callees in work.values.callees.items() if init in callees and call in work.index.parents]
    mentions = [item for item in names if item.value == owner.name and item is not owner.node.name]
    if len(makers) != 1 or not isinstance(makers[0], cst.Call) or mentions != [makers[0].func]:
        return None
    (maker,) = makers
    made = variable_of(work, maker)
    if (
        made is None
        or _store(init, field)[0] is None
        or owner.name in work.program.read_elsewhere
        or any(item.star for item in maker.args)
    ):
        return None
    for parameter, given in arguments_by_parameter(init, maker, work.values):
        if not isinstance(given, cst.Name) or work.values(given).kind is not Kind.MODULE:
            continue
        if field_of(work.values, init, owner, parameter) == field and work.program.definitions.bound_once(given):
            return _Kept(owner, init, field, parameter, made, maker, given)
    return None


def _fields(method: Function) -> Iterator[cst.Attribute]:
    """What a method asks its object for."""
    for node in descendants(method.node, cst.Attribute):
        if isinstance(node.value, cst.Name) and node.value.value == method.self_name:
            yield node


def _using(kept: _Kept) -> list[Function]:
    """The methods that read the field, and those that call them."""
    methods = [item for item in kept.owner.methods.values() if item is not kept.init]
    found: list[Function] = []
    while True:
        words = {kept.field, *(item.name for item in found)}
        more = [
            item for item in methods if item not in found and any(node.attr.value in words for node in _fields(item))
        ]
        if not more:
            return found
        found += more


def _own_reads(
    work: NormalizationRound, kept: _Kept, using: Sequence[Function]
) -> dict[Function, list[cst.Attribute]] | None:
    """The reads of the field by methods; None where more is done with it, or an object is handed on."""
    found: dict[Function, list[cst.Attribute]] = {item: [] for item in using}
    words = {item.name for item in using}
    for method in kept.owner.methods.values():
        asked = list(_fields(method))
        owned = {id(node.value) for node in asked}
        own = [item for item in descendants(method.node.body, cst.Name) if item.value == method.self_name]
        if method.self_name is None or any(id(item) not in owned for item in own) or method.node.decorators:
            return None
        for node in asked:
            parent = work.index.parents[node]
            is_called = isinstance(parent, cst.Call) and parent.func is node
            if node.attr.value == kept.field and method is not kept.init:
                if not is_called and not (isinstance(parent, cst.Attribute) and parent.attr.value in _READING):
                    return None
                found[method].append(node)
            elif node.attr.value == "__dict__" or (node.attr.value in words and not is_called):
                return None
    return found if not any(word.startswith("__") and word != "__call__" for word in words) else None


def _uses(work: NormalizationRound, kept: _Kept, using: Sequence[Function]) -> list[cst.Call] | None:
    """The calls of such methods outside of the class; None where the object is used for something else, too."""
    definition, words = work.program.definitions.bound_once(kept.made), {item.name for item in using}
    found: list[cst.Call] = []
    for use in work.program.definitions.uses(definition) if definition is not None else ():
        parent = work.index.parents[use]
        asked: cst.CSTNode = parent if isinstance(parent, cst.Attribute) and parent.value is use else use
        call = work.index.parents[asked]
        name = asked.attr.value if isinstance(asked, cst.Attribute) else "__call__"
        is_called = isinstance(call, cst.Call) and call.func is asked
        if ((asked is use or name in words) and not is_called) or name == kept.field:
            return None
        if isinstance(call, cst.Call) and is_called and name in words:
            if not sees_same(work, use, kept.given):
                return None
            found.append(call)
    return found


def _calls_within(method: Function, using: Sequence[Function]) -> Iterator[cst.Call]:
    words = {item.name for item in using}
    for call in descendants(method.node, cst.Call):
        if isinstance(call.func, cst.Attribute) and isinstance(call.func.value, cst.Name):
            if call.func.value.value == method.self_name and call.func.attr.value in words:
                yield call


def _with_first(work: NormalizationRound, call: cst.Call, given: cst.Name) -> None:
    """Pass something in front of the other arguments."""

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        made = cst.ensure_type(rewrite.inside(call), cst.Call)
        return made.with_changes(args=[cst.Arg(work.copy(given)), *made.args])

    work.edits.replace(call, build)


def _add_parameter(work: NormalizationRound, method: Function, name: str) -> None:
    params = method.node.params

    def build(rewrite: Rewriter) -> cst.Parameters:
        made = cst.ensure_type(rewrite.inside(params), cst.Parameters)
        return made.with_changes(params=[made.params[0], cst.Param(cst.Name(name)), *made.params[1:]])

    work.edits.replace(params, build)


def _store(init: Function, field: str) -> tuple[cst.SimpleStatementLine | None, int | None]:
    """The line that sets a field, and the place of the field in the row that it sets, if it sets several; None for other lines."""
    for line in init.node.body.body:
        match line:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
                pairs = list(assigned_pairs(target, value))
                places = [i for i, (one, _) in enumerate(pairs) if names_field(one, field)]
                if len(places) == 1 and len(pairs) == len(elements_of(target)):
                    return line, places[0] if len(pairs) > 1 else None
    return None, None


def _without(line: cst.SimpleStatementLine, place: int, rewrite: Rewriter) -> list[cst.BaseStatement]:
    """A line that sets several fields, without one of them."""
    assign = cst.ensure_type(line.body[0], cst.Assign)
    pairs = list(assigned_pairs(assign.targets[0].target, assign.value))
    left = [pair for i, pair in enumerate(pairs) if i != place]
    targets, values = (", ".join(code(item) for item in side) for side in zip(*left, strict=True))
    return [cst.parse_statement(f"{targets} = {values}")]


def _forget(work: NormalizationRound, kept: _Kept) -> None:
    """Take the field away, and the argument of `__init__` that nothing else reads."""
    line, place_in_row = _store(kept.init, kept.field)
    assert line is not None
    if place_in_row is None:
        work.edits.remove(line)
    else:
        work.edits.rewrite_statement(line, partial(_without, line, place_in_row))
    work.marks.add((TOLD, kept.owner.key))
    reads = [item for item in descendants(kept.init.node.body, cst.Name) if item.value == kept.parameter]
    reads = [item for item in reads if not is_label(item, work.index.parents[item])]
    params = kept.init.node.params
    place = next((i for i, item in enumerate(params.params) if item.name.value == kept.parameter), None)
    if len(reads) != 1 or place is None:
        return
    last = len(params.params) - 1

    def build(rewrite: Rewriter) -> cst.Parameters:
        made = cst.ensure_type(rewrite.inside(params), cst.Parameters)
        left = [item for i, item in enumerate(made.params) if i != place]
        if place == last:
            left[-1] = left[-1].with_changes(comma=made.params[-1].comma)
        return made.with_changes(params=left)

    work.edits.replace(params, build)
    work.edits.drop(work.index.parents[kept.given])


__all__ = ["normalize_told_modules"]

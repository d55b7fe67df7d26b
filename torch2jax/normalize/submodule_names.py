"""Parts of modules that are set by constant names, normalized to assignments.

setattr(self, "head", nn.Linear(4, 2))     ->   self.head = nn.Linear(4, 2)
self.add_module("tail", nn.Linear(2, 1))   ->   self.tail = nn.Linear(2, 1)
"""

from __future__ import annotations

import keyword

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted, root_name
from torch2jax.syntax.walk import descendants
from torch2jax.values import NOTHING, Kind

_METHODS = frozenset({"add_module", "register_module"})
_WORDS = ("setattr", *sorted(_METHODS))


def normalize_named_parts(work: NormalizationRound) -> None:
    """Normalize all such statements of a file."""
    if not any(work.program.mentions(word) for word in _WORDS):
        return
    for call in work.index.calls:
        statement = work.index.parents.get(call)
        found = _part(work, call)
        if found is None or not isinstance(statement, cst.Expr):
            continue
        owner, name, value = found
        target = cst.AssignTarget(cst.Attribute(owner, cst.Name(name)))
        work.edits.replace(
            statement,
            lambda rewrite, target=target, value=value: cst.Assign([target], rewrite.expression(value)),  # type: ignore[misc]
        )


def normalize_parts_set_together(work: NormalizationRound) -> None:
    """`model.a, model.b = x, y` from outside of the module, or modules with state: one assignment for each part."""
    for node in work.index.every(cst.Assign):
        line = work.index.parents[node]
        match node:
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Tuple(elements=places))], value=cst.Tuple(elements=given)
            ):
                pass
            case _:
                continue
        if len(places) != len(given) or not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
            continue
        function = work.program.function_around(node)
        own = function.self_name if function is not None else None
        pairs = [(place.value, value.value) for place, value in zip(places, given, strict=True)]
        parts = [place for place, _ in pairs if isinstance(place, cst.Attribute) and _is_part(work, place, own)]
        read = {item.value for _, value in pairs[1:] for item in descendants(value) if isinstance(item, cst.Name)}
        is_plain = all(isinstance(place, (cst.Attribute, cst.Name)) for place, _ in pairs)
        keeps_state = is_plain and any(_keeps_state(work, value) for _, value in pairs)
        if keeps_state and not _is_read(pairs):
            read -= {own}
        if not (len(parts) == len(pairs) or keeps_state) or read & {root_name(place) for place, _ in pairs}:
            continue
        work.edits.rewrite_statement(
            line,
            lambda rewrite, pairs=pairs: [  # type: ignore[misc]
                cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(place)], rewrite.expression(value))])
                for place, value in pairs
            ],
        )


def _is_read(pairs: list[tuple[cst.BaseExpression, cst.BaseExpression]]) -> bool:
    """Whether one of the places is read by the values of those behind it."""
    places = {dotted(place) for place, _ in pairs}
    return any(
        isinstance(node, (cst.Attribute, cst.Name)) and dotted(node) in places
        for _, value in pairs
        for node in descendants(value)
    )


def _keeps_state(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Call) and work.effects is not None and work.effects.is_stateful(work.values(value))


def _is_part(work: NormalizationRound, place: cst.Attribute, own: str | None) -> bool:
    return work.values(place.value).kind is Kind.MODULE and dotted(place.value) not in (None, own)


def _part(work: NormalizationRound, call: cst.Call) -> tuple[cst.BaseExpression, str, cst.BaseExpression] | None:
    """The module, the name and the value of a call that sets a part of a module of the program."""
    if any(item.star or item.keyword is not None for item in call.args):
        return None
    given = [item.value for item in call.args]
    if dotted(call.func) == "setattr" and len(given) == 3:
        owner, name, value = given
    elif isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS and len(given) == 2:
        owner, (name, value) = call.func.value, given
    else:
        return None
    const, module = work.values(name).const, work.values(owner)
    if (
        const is NOTHING
        or not isinstance(const, str)
        or not const.isidentifier()
        or keyword.iskeyword(const)
        or dotted(owner) is None
    ):
        return None
    is_own = bool(module.types) and module.types <= work.program.class_by_key.keys()
    return (owner, const, value) if module.kind is Kind.MODULE and is_own else None

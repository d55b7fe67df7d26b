"""Arguments behind stars that a call of torch is given, written out where it can be told what they are.

options = {"dtype": dtype}             ->   options = {"dtype": dtype}
torch.zeros(n, **options)                   torch.zeros(n, dtype=dtype)
torch.linspace(*span, count)           ->   torch.linspace(span[0], span[1], count)
w.uniform_(*bounds(layer))             ->   values = bounds(layer)
                                            w.uniform_(values[0], values[1])

How many values stand behind `*` is known of the value itself, or where the function takes one number of arguments only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.evaluation_order import evaluated_before, give_name
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.signatures import Parameter, parse_signature
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_INDEXED = (Kind.TUPLE, Kind.LIST, Kind.SIZE, Kind.TENSOR, Kind.UNKNOWN)
_BINDING = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr)


def normalize_written_arguments(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    named: set[cst.CSTNode] = set()
    for call in work.index.calls:
        if not any(item.star for item in call.args):
            continue
        parameters = _parameters(work, call)
        if parameters is None:
            continue
        line = work.index.statement_of(call)
        if line in named:
            continue
        made = _made_here(work, call, parameters)
        if made is not None:
            named.add(line)
            give_name(work, line, made, work.names_at(call)("values"))
            continue
        arguments = [_written(work, call, item, parameters) for item in call.args]
        if any(item is not None for item in arguments):
            given = [item if new is None else new for item, new in zip(call.args, arguments, strict=True)]
            work.edits.replace(call, partial(_with_arguments, work, call, given))


def _parameters(work: NormalizationRound, call: cst.Call) -> tuple[Parameter, ...] | None:
    """What a function or layer of torch, or a method of a tensor, takes."""
    assert work.effects is not None
    tables = work.effects.tables
    name = work.values.torch_name(call.func)
    if name is not None:
        spec = tables.layers.get(name) or tables.functions.get(name)
        return parse_signature(spec.signature).parameters if spec is not None and spec.unsupported is None else None
    if not isinstance(call.func, cst.Attribute) or work.values(call.func.value).kind is not Kind.TENSOR:
        return None
    method = tables.method(call.func.attr.value)
    return parse_signature(method.signature).parameters[1:] if method is not None else None


def _written(
    work: NormalizationRound, call: cst.Call, argument: cst.Arg, parameters: Sequence[Parameter]
) -> list[cst.Arg] | None:
    """The arguments that stand behind a star; None if that cannot be told, or there is none."""
    if argument.star == "**":
        pairs = _keywords(work, call, argument.value) if argument is call.args[-1] else None
        return None if pairs is None else [cst.Arg(value, keyword=cst.Name(key)) for key, value in pairs]
    return _positional(work, call, argument, parameters) if argument.star == "*" else None


def _positional(
    work: NormalizationRound, call: cst.Call, argument: cst.Arg, parameters: Sequence[Parameter]
) -> list[cst.Arg] | None:
    slots = [item for item in parameters if not item.keyword_only]
    if any(item.variadic for item in slots):
        return None
    if isinstance(argument.value, (cst.Tuple, cst.List)):
        return [cst.Arg(item.value) for item in argument.value.elements if isinstance(item, cst.Element)]
    count = _count(work, call, argument, slots)
    if count is None or dotted(argument.value) is None or work.values(argument.value).kind not in _INDEXED:
        return None
    return [cst.Arg(_item(argument.value, place)) for place in range(count)]


def _made_here(work: NormalizationRound, call: cst.Call, parameters: Sequence[Parameter]) -> cst.BaseExpression | None:
    """What a call makes, of a known length, where it may as well run in front of the statement, to be given with a star."""
    is_dataset = (work.values.torch_name(call.func) or "").startswith("torch.utils.data.")
    if is_dataset or any(item.variadic for item in parameters):
        return None
    for argument in call.args:
        value = argument.value
        if argument.star == "*" and isinstance(value, cst.Call) and work.values(value).items is not None:
            before = evaluated_before(work.index, value)
            if before is not None and all(isinstance(item, cst.BaseExpression) and _stays(item) for item in before):
                return value
    return None


def _stays(node: cst.BaseExpression) -> bool:
    return dotted(node) is not None or isinstance(node, (cst.BaseNumber, cst.BaseString))


def _count(work: NormalizationRound, call: cst.Call, starred: cst.Arg, slots: Sequence[Parameter]) -> int | None:
    """How many values stand behind a star."""
    items = work.values(starred.value).items
    if items is not None:
        return len(items)
    others = [item for item in call.args if item is not starred]
    if any(item.star for item in others):
        return None
    names = {item.keyword.value for item in others if item.keyword is not None}
    left = [item for item in slots if item.name not in names]
    plain = sum(item.keyword is None for item in others)
    least = sum(item.default is None for item in left)
    return len(left) - plain if least == len(left) > plain else None


def _item(sequence: cst.BaseExpression, place: int) -> cst.BaseExpression:
    element = cst.SubscriptElement(cst.Index(cst.Integer(str(place))))
    return cst.Subscript(sequence, [element])


def _keywords(
    work: NormalizationRound, call: cst.Call, given: cst.BaseExpression
) -> list[tuple[str, cst.BaseExpression]] | None:
    """The entries of `**{"dim": 1}`, or of `**options` where `options = {"dim": dim}` is all that the function says of it."""
    if not isinstance(given, cst.Name):
        return _entries(work, given)
    function = work.program.function_around(call)
    nodes = list(own_nodes(function.node) if function is not None else _at_module_level(work))
    stored = [name for node in nodes if isinstance(node, _BINDING) for name in _names(node.target)]
    made = [
        node.value
        for node in nodes
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and code(node.targets[0].target) == given.value
    ]
    around = function.node if function is not None else work.index.module
    named = [node for node in descendants(around) if isinstance(node, cst.Name) and node.value == given.value]
    is_changed = not all(_leaves_alone(work.index.parents[node]) for node in named)
    if len(made) != 1 or is_changed or stored.count(given.value) != 1:
        return None
    pairs = _entries(work, made[0])
    return pairs if pairs is not None and all(_is_fixed(value, stored) for _, value in pairs) else None


def _leaves_alone(user: cst.CSTNode) -> bool:
    """Whether what uses a dict does no more than bind it or hand on its entries."""
    return isinstance(user, cst.AssignTarget) or (isinstance(user, cst.Arg) and user.star == "**")


def _names(target: cst.CSTNode) -> list[str]:
    return [node.value for node in descendants(target) if isinstance(node, cst.Name)]


def _at_module_level(work: NormalizationRound) -> Iterable[cst.CSTNode]:
    return (node for node in descendants(work.index.module) if work.index.function_of(node) is None)


def _entries(work: NormalizationRound, made: cst.BaseExpression) -> list[tuple[str, cst.BaseExpression]] | None:
    """The keys and values of a dict that is written out: `{"dim": 1}`, `dict(dim=1)`."""
    if isinstance(made, cst.Dict):
        pairs = [(work.values(item.key).const, item.value) for item in made.elements
                 if isinstance(item, cst.DictElement)]  # fmt: skip
        names = [(key, value) for key, value in pairs if isinstance(key, str)]
        return names if len(names) == len(made.elements) else None
    if isinstance(made, cst.Call) and dotted(made.func) == "dict":
        given = [(item.keyword.value, item.value) for item in made.args if item.keyword is not None]
        return given if len(given) == len(made.args) else None
    return None


def _is_fixed(value: cst.BaseExpression, stored: Sequence[str]) -> bool:
    """Whether an expression means the same everywhere in a function that binds these names."""
    if isinstance(value, cst.Name):
        return value.value not in stored
    if isinstance(value, cst.Tuple):
        return all(_is_fixed(item.value, stored) for item in value.elements)
    return isinstance(value, (cst.Integer, cst.Float, cst.SimpleString))


def _with_arguments(
    work: NormalizationRound, call: cst.Call, given: Sequence[cst.Arg | list[cst.Arg]], rewrite: Rewriter
) -> cst.Call:
    inside = cst.ensure_type(rewrite.inside(call), cst.Call)
    arguments = list(_joined(work, given, inside.args))
    separated = [item.with_changes(comma=_COMMA) for item in arguments[:-1]]
    return inside.with_changes(args=[*separated, *(item.with_changes(comma=_NONE) for item in arguments[-1:])])


def _joined(
    work: NormalizationRound, given: Sequence[cst.Arg | list[cst.Arg]], rewritten: Sequence[cst.Arg]
) -> Iterator[cst.Arg]:
    """The arguments in order: what is written out is a copy of what stands elsewhere."""
    for item, new in zip(given, rewritten, strict=True):
        yield from [work.copy(part) for part in item] if isinstance(item, list) else [new]


_COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
_NONE = cst.MaybeSentinel.DEFAULT


__all__ = ["normalize_written_arguments"]

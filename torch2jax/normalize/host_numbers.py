"""Numbers that a loss takes from tensors in the middle of an expression, normalized to lines of their own.

loss = total / max(mask.sum().item(), 1)    ->    mask_sum = max(mask.sum().item(), 1)
                                                  loss = total / mask_sum

The host reads the number where it stands; what is differentiated goes on with it. So it does with `int(done)`, where `done` may be
anything that has a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.view_writes import may_change
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import NOT_ALWAYS, children, descendants, with_fields
from torch2jax.values import Kind

_OF_NUMBERS = frozenset({"abs", "float", "int", "max", "min", "round"})


def normalize_host_numbers(work: NormalizationRound) -> None:
    """Normalize all such lines in the blocks of a file that end in `backward()`."""
    names = dict[Function | None, Callable[[str], str]]()
    for line in dict.fromkeys(_lines(work)):  # once, also where a block has several
        small = line.body[0]
        if isinstance(small, cst.Assign | cst.AugAssign) and work.values(small.value).kind is Kind.TENSOR:
            found = [_whole(work, call) for call in _numbers(work, small.value) if call is not small.value]
            if found and not _disturbs(work, small.value):
                function = work.program.function_around(line)
                if function not in names:
                    names[function] = work.names_at(line)
                _take_out(work, line, found, names[function])


def _lines(work: NormalizationRound) -> Iterator[cst.SimpleStatementLine]:
    """The lines of one statement that stand in front of a `backward()` in its block."""
    for call in work.index.calls:
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "backward":
            continue
        last = work.index.statement_of(call)
        for item in getattr(work.index.parents[last], "body", ()):
            if item is last:
                break
            if isinstance(item, cst.SimpleStatementLine) and len(item.body) == 1:
                yield item


def _numbers(work: NormalizationRound, node: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls of `item()` in an expression that are made in any case, of tensors that are there without further ado, and those
    of `int` and `float` of a variable.
    """
    for child in (node, *children(node)) if isinstance(node, cst.Call) else children(node):
        match child:
            case cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("item")), args=[]):
                if work.values(tensor).kind is Kind.TENSOR and _is_plain(work, tensor):
                    yield child
                    continue
            case cst.Call(func=cst.Name("int" | "float"), args=[cst.Arg(value=cst.Name() as given, star="")]):
                if work.values(given).is_a(Kind.UNKNOWN, Kind.PYTHON, Kind.TENSOR):
                    yield child
                    continue
        if child is not node and not isinstance(child, NOT_ALWAYS):
            yield from _numbers(work, child)


def _whole(work: NormalizationRound, call: cst.Call) -> cst.BaseExpression:
    """What Python computes of a number and of others at once: `max(n.item(), 1)`, `n.item() + 1e-8`."""
    node: cst.BaseExpression = call
    parents = work.index.parents
    while True:
        parent = parents[node]
        outer = parents[parent] if isinstance(parent, cst.Arg) else parent
        match outer:
            case cst.Call(func=cst.Name(name), args=args) if name in _OF_NUMBERS:
                others = [item.value for item in args if item.value is not node]
                if any(item.star or item.keyword for item in args):
                    return node
            case cst.BinaryOperation(left=left, right=right):
                others = [right if left is node else left]
            case _:
                return node
        if not all(isinstance(item, cst.Integer | cst.Float) for item in others):
            return node
        node = outer


def _is_plain(work: NormalizationRound, tensor: cst.BaseExpression) -> bool:
    """Whether an expression computes a tensor and does nothing else."""
    assert work.effects is not None
    for node in (tensor, *descendants(tensor)):
        if isinstance(node, cst.Lambda | cst.NamedExpr | cst.BaseComp):
            return False
        if isinstance(node, cst.Call):
            is_method = isinstance(node.func, cst.Attribute) and work.values(node.func.value).kind is Kind.TENSOR
            if not is_method and work.values.torch_name(node.func) is None:
                return False
            if may_change(work, node) or work.effects.draw_of(node) is not Draw.NONE:
                return False
    return True


def _disturbs(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether something in an expression changes tensors: numbers may not be read before it."""
    return any(isinstance(node, cst.Call) and may_change(work, node) for node in descendants(value))


def _take_out(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    found: list[cst.BaseExpression],
    fresh: Callable[[str], str],
) -> None:
    made: list[cst.BaseStatement] = []
    for number in found:
        name = fresh(_wish(next(_numbers(work, number))))
        value = with_fields(work.copy(number), lpar=(), rpar=())
        made.append(quote_statement(f"{name} = {{value}}", value=value))
        work.edits.replace(number, always(cst.Name(name)))
    work.edits.before(line, always_statements(made))


def _wish(call: cst.Call) -> str:
    """`mask_sum` for `mask.sum().item()`, `done_number` for `int(done)`."""
    if call.args:
        return f"{dotted(call.args[0].value)}_number"
    words: list[str] = []
    node: cst.BaseExpression = call.func
    while isinstance(node, cst.Attribute | cst.Call | cst.Subscript):
        if isinstance(node, cst.Attribute):
            words.append(node.attr.value)
        node = node.func if isinstance(node, cst.Call) else node.value
    root = dotted(node)
    words = [word for word in words if word not in ("item", "detach", "data", "float", "self")]
    return "_".join([*([root] if root not in (None, "self", "torch") else []), *reversed(words)][:2]) or "number"


__all__ = ["normalize_host_numbers"]

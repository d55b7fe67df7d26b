"""Rows that a process takes by its rank get a line of their own, whose parts say how the rank goes in.

start = rank * size                                           ->   rows = x[rank * size : rank * size + size]
loss = criterion(model(x[start : start + size]), y)                loss = criterion(model(rows), y)

mine = slice(rank * size, (rank + 1) * size)                  ->   rows = torch.from_numpy(a[rank * size : (rank + 1) * size])
loss = model(torch.from_numpy(a[mine]))                            loss = model(rows)

Such a line is then computed for each device (`facts/parallel.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.parallel import ROW_METHODS, knows_processes
from torch2jax.facts.ranks import Ranks, find_ranks
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import How
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind

_APART = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.CompFor, cst.BaseComp, cst.NamedExpr)


def normalize_rank_rows(work: NormalizationRound) -> None:
    """Normalize all such lines of a file for several processes."""
    if not knows_processes(work.program, work.values):
        return
    ranks = find_ranks(work.program, work.values, work.program.marks)
    for line in work.index.every(cst.SimpleStatementLine):
        _spell_out(work, ranks, line)
    if work.edits.touched():
        return
    for line in work.index.every(cst.SimpleStatementLine):
        _take_first(work, ranks, line)


# start = rank * size


def _spell_out(work: NormalizationRound, ranks: Ranks, line: cst.SimpleStatementLine) -> None:
    """Write a number or slice that a rank goes into where it is read."""
    match line.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=value)]:
            definition = work.program.definitions.bound_once(target)
        case _:
            return
    if definition is None or definition.how is not How.ASSIGNED or not _names_rank(ranks, value):
        return
    bounds = _bounds(value)
    parts = [value] if bounds is None else [item for item in bounds if item is not None]
    uses = work.program.definitions.uses(definition)
    if not uses or not all(_may_read(work, use, line, bounds is not None) for use in uses):
        return
    if not all(_is_fixed(work, ranks, item, line, uses) for item in parts) or ranks(value):
        return
    for use in uses:
        if bounds is not None:
            work.edits.replace(work.index.parents[use], always(_slice(work, bounds)))
        else:
            work.edits.replace(use, partial(_copied, work, value))
    work.edits.remove(line)


def _names_rank(ranks: Ranks, node: cst.BaseExpression) -> bool:
    return any(map(ranks, (node, *descendants(node))))


def _bounds(node: cst.BaseExpression) -> list[cst.BaseExpression | None] | None:
    """The lower and upper bound and the step of `slice(...)`."""
    if not isinstance(node, cst.Call) or dotted(node.func) != "slice" or not 1 <= len(node.args) <= 3:
        return None
    if any(item.keyword is not None or item.star for item in node.args):
        return None
    given = [None if dotted(item.value) == "None" else item.value for item in node.args]
    return [None, given[0], None] if len(given) == 1 else [*given, *[None] * (3 - len(given))]


def _is_fixed(
    work: NormalizationRound,
    ranks: Ranks,
    node: cst.BaseExpression,
    line: cst.SimpleStatementLine,
    uses: Sequence[cst.Name],
) -> bool:
    """Whether an expression of a line still is what it was there where its variable is read: a sum or product of ranks, numbers
    and variables that are bound before the line, or behind all that is read.
    """
    if isinstance(node, (cst.Attribute, cst.Call)) and _is_number_of_processes(ranks, node):
        return True
    if isinstance(node, cst.Name):
        bindings = work.program.definitions.every_of_name(node)
        own = [item for item in bindings if work.index.function_of(item.node) is work.index.function_of(line)]
        is_own = len(bindings) == 1 or len(own) == len(bindings)
        return bool(bindings) and is_own and all(_is_harmless(work, item.node, line, uses) for item in bindings)
    if isinstance(node, cst.BinaryOperation):
        return all(_is_fixed(work, ranks, item, line, uses) for item in (node.left, node.right))
    return isinstance(node, cst.Integer)


def _is_harmless(
    work: NormalizationRound, binding: cst.CSTNode, line: cst.SimpleStatementLine, uses: Sequence[cst.Name]
) -> bool:
    if not work.is_behind(binding, line):
        return True
    other = work.index.statement_of(binding)
    is_beside = work.index.parents[other] is work.index.parents[line]
    return is_beside and not any(work.index.statement_of(use) is other or work.is_behind(use, other) for use in uses)


def _is_number_of_processes(ranks: Ranks, node: cst.Attribute | cst.Call) -> bool:
    if isinstance(node, cst.Attribute):
        return False  # a field may be set by others
    return ranks(node) or ranks.values.torch_name(node.func) == "torch.distributed.get_world_size"


def _may_read(work: NormalizationRound, use: cst.Name, line: cst.SimpleStatementLine, is_slice: bool) -> bool:
    """Whether a variable is read behind a line of the same function; one that holds a slice, to take rows."""
    is_index = isinstance(work.index.parents[use], cst.Index)
    same = work.index.function_of(use) is work.index.function_of(line)
    return same and work.is_behind(use, line) and (is_index or not is_slice)


def _slice(work: NormalizationRound, bounds: list[cst.BaseExpression | None]) -> cst.Slice:
    lower, upper, step = (None if item is None else work.copy(item) for item in bounds)
    space = cst.SimpleWhitespace(" ")
    colon = cst.Colon(whitespace_before=space, whitespace_after=space)
    if step is None:
        return cst.Slice(lower, upper, first_colon=colon)
    return cst.Slice(lower, upper, step, first_colon=colon, second_colon=colon)


def _copied(work: NormalizationRound, value: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return work.copy(value)


# loss = model(x[rank::world])


def _take_first(work: NormalizationRound, ranks: Ranks, line: cst.SimpleStatementLine) -> None:
    """Take the rows in front of the line that uses them."""
    block = work.index.parents[line]
    function = work.program.function_around(line)
    if not isinstance(block, (cst.IndentedBlock, cst.Module)) or len(line.body) != 1:
        return
    if function is not None and function.owner is not None and function.owner.is_module:
        return
    found = dict.fromkeys(_rows(work, ranks, line))
    for whole in found:
        if isinstance(work.index.parents[whole], cst.Assign):
            continue  # it has a line of its own
        name = work.names_at(line)("rows")
        work.edits.before(_first_place(work, line), always_statements([quote_statement(f"{name} = {{rows}}", rows=work.copy(whole))]))  # fmt: skip
        work.edits.replace(whole, always(cst.Name(name)))
        return  # the next round takes the next ones


def _rows(work: NormalizationRound, ranks: Ranks, line: cst.SimpleStatementLine) -> Iterator[cst.BaseExpression]:
    """The tensors of rows in a line, which are computed whenever it runs."""
    for node in descendants(line):
        if not isinstance(node, cst.Subscript) or not _is_taken_by_rank(ranks, node):
            continue
        whole = _whole(work, node)
        between = list(_up_to(work, whole, line))
        is_bound = any(isinstance(item, (cst.AssignTarget, cst.AugAssign)) for item in between)
        if (
            work.values(whole).kind is Kind.TENSOR
            and not is_bound
            and not any(isinstance(item, _APART) for item in between)
        ):
            yield whole


def _is_taken_by_rank(ranks: Ranks, node: cst.Subscript) -> bool:
    """`x[rank * n : (rank + 1) * n]` of a variable."""
    if not isinstance(node.value, cst.Name) or len(node.slice) != 1:
        return False
    part = node.slice[0].slice
    bounds = (
        [item for item in children(part) if isinstance(item, cst.BaseExpression)] if isinstance(part, cst.Slice) else []
    )
    return any(_names_rank(ranks, item) for item in bounds) and all(map(_is_arithmetic, bounds))


def _is_arithmetic(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.BinaryOperation):
        return _is_arithmetic(node.left) and _is_arithmetic(node.right)
    return (
        isinstance(node, (cst.Integer, cst.Name))
        or dotted(node) is not None
        or (isinstance(node, cst.Call) and not node.args)
    )


def _whole(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression:
    """The largest expression that only gives the rows another form: `torch.from_numpy(a[mine]).float()`."""
    while True:
        parent = work.index.parents[node]
        call = work.index.parents[parent]
        if not isinstance(call, cst.Call) or not isinstance(parent, (cst.Arg, cst.Attribute)):
            return node
        name = (work.values.torch_name(call.func) or "").rpartition(".")[2] if isinstance(parent, cst.Arg) else ""
        if isinstance(parent, cst.Attribute) and parent is call.func:
            name = parent.attr.value
        others = [item.value for item in call.args if item is not parent]
        if name not in ROW_METHODS or not all(map(_is_said, others)):
            return node
        node = call


def _is_said(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.Integer, cst.SimpleString)) or dotted(node) is not None


def _up_to(work: NormalizationRound, node: cst.CSTNode, line: cst.CSTNode) -> Iterator[cst.CSTNode]:
    while node is not line:
        yield node
        node = work.index.parents[node]


def _first_place(work: NormalizationRound, line: cst.CSTNode) -> cst.CSTNode:
    """The line, or the `with` that begins with it."""
    block = work.index.parents[line]
    around = work.index.parents.get(block)
    if isinstance(around, cst.With) and isinstance(block, cst.IndentedBlock) and block.body[0] is line:
        if all(item.asname is None for item in around.items):
            return _first_place(work, around)
    return line


__all__ = ["normalize_rank_rows"]

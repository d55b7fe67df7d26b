"""Variables that only serve to set the mode of a part of a module, or to freeze it, normalized to the place of the part.

m = getattr(self, f"layer{i}")
m.eval()                           ->   getattr(self, f"layer{i}").eval()
for p in m.parameters():                for p in getattr(self, f"layer{i}").parameters():
    p.requires_grad = False                 p.requires_grad = False

The module around the part keeps the names of what is frozen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.computed_names import as_filled_text, asked_by_name
from torch2jax.facts.flag_statements import flag_statements
from torch2jax.normalize.parameter_aliases import functions_reached, may_exchange
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_FLAGS = frozenset({"requires_grad", "requires_grad_"})
_SETTING = _FLAGS | {"eval", "train"}


def normalize_set_aliases(work: NormalizationRound) -> None:
    """Normalize all such variables of a file."""
    if not any(node.attr.value in _SETTING for node in work.index.attributes):
        return
    flagged = {module: statement for statement, module, *_ in flag_statements(work.program, work.values)}
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as alias)], value=place)] if _is_part(
                work, place
            ):
                _normalize(work, line, alias, place, flagged)


def _normalize(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    alias: cst.Name,
    place: cst.BaseExpression,
    flagged: Mapping[cst.BaseExpression, cst.BaseStatement],
) -> None:
    block, uses = work.index.parents[line], work.program.definitions.uses_at(alias)
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return
    found = [flagged.get(use) or _mode_statement(work, use) for use in uses]
    if not found or not all(item is not None and work.is_behind(item, line) for item in found):
        return
    below = [item for item in block.body[list(block.body).index(line) + 1 :] if isinstance(item, cst.BaseStatement)]
    if any(work.program.definitions.only(use) is None for use in uses) or _is_moved(work, below, place):
        return
    if isinstance(block, cst.Module) and any(
        item.mentions(alias.value) for item in work.program.files if item is not work.program
    ):
        return
    for use in uses:
        work.edits.replace(use, partial(_copy, place))
    work.edits.remove(line)


def _is_part(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether an expression is a part of a module, by its name: `model.layer1`, `getattr(self, f"layer{i}")`."""
    asked = asked_by_name(place)
    if asked is not None:
        holder, is_named = asked[0], as_filled_text(asked[1]) is not None
    elif isinstance(place, cst.Attribute):
        holder, is_named = place.value, True
    else:
        return False
    is_held = work.values(place).kind is Kind.MODULE and work.values(holder).kind is Kind.MODULE
    return is_named and is_held and (isinstance(holder, cst.Name) or _is_part(work, holder))


def _mode_statement(work: NormalizationRound, use: cst.Name) -> cst.BaseStatement | None:
    """The statement that sets the mode of the part in a variable."""
    parents = work.index.parents
    match parents[use]:
        case cst.Attribute(attr=cst.Name("eval" | "train")) as method:
            call = parents.get(method)
            line = parents.get(parents[call]) if call is not None else None
            is_alone = call is not None and isinstance(parents[call], cst.Expr)
            return line if isinstance(line, cst.SimpleStatementLine) and is_alone else None
    return None


def _is_moved(work: NormalizationRound, lines: Sequence[cst.BaseStatement], place: cst.BaseExpression) -> bool:
    """Whether another module may stand in a place behind some lines, or another place be meant."""
    if any(not names_in(place).isdisjoint(reads_and_writes(line)[1]) for line in lines):
        return True
    if asked_by_name(place) is None:
        return may_exchange(work, lines, place)
    nodes = [node for line in lines for node in descendants(line)]
    is_set = any(isinstance(node, cst.AssignTarget) and not _is_flag(node.target) for node in nodes)
    return is_set or any(isinstance(node, cst.Call) and functions_reached(work, node) for node in nodes)


def _is_flag(target: cst.BaseExpression) -> bool:
    return isinstance(target, cst.Attribute) and target.attr.value in _FLAGS


def _copy(place: cst.BaseExpression, rewrite: Rewriter) -> cst.CSTNode:
    return place.deep_clone()


__all__ = ["normalize_set_aliases"]

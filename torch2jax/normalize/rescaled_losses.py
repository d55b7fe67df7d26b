"""Losses that are divided under their own name, after the program has looked at them, normalized to two variables.

loss = criterion(model(x), y)              loss = criterion(model(x), y)
total += loss.item()                       total += loss.item()
loss /= accum_steps                 ->     scaled_loss = loss / accum_steps
loss.backward()                            scaled_loss.backward()
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.training import method_call
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import Definition
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_NUMBERS = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL})
_ALONE = frozenset({"item", "tolist", "clone"})
_LOOKING = frozenset(
    "float int bool print str round math.isfinite math.isnan torch.isnan torch.isfinite torch.isinf".split()
)


def normalize_rescaled_losses(work: NormalizationRound) -> None:
    """Give each such loss a name of its own."""
    if not work.program.mentions("backward"):
        return
    for line in work.index.every(cst.SimpleStatementLine):
        call = method_call(line, "backward")
        loss = call.func.value if call is not None and isinstance(call.func, cst.Attribute) else None
        if isinstance(loss, cst.Name):
            _normalize(work, loss)


def _normalize(work: NormalizationRound, loss: cst.Name) -> None:
    definitions = work.program.definitions
    second = definitions.only(loss)
    if second is None:
        return
    parts = _rescaled(work, second, loss.value)
    if parts is None:
        return
    line, read, operator, factor = parts
    uses = definitions.uses(second)
    earlier = [use for item in definitions.of(read) for use in definitions.uses(item)]
    looks = [use for use in earlier if use is not read and use not in uses]
    if not looks or any(definitions.only(use) is not second for use in uses):
        return
    if isinstance(line.body[0], cst.AugAssign) and not all(_only_looks(work, use) for use in looks):
        return
    name = work.names_at(line)(f"scaled_{loss.value}")
    made = quote_statement(f"{name} = {{loss}} {operator} {{factor}}", loss=loss.value, factor=work.copy(factor))
    work.edits.after(line, partial(_built, made))  # beside it: what looks at the first value may stay behind it
    work.edits.remove(line)
    for use in uses:
        work.edits.replace(use, always(cst.Name(name)))


def _built(made: cst.BaseStatement, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [made]


def _rescaled(
    work: NormalizationRound, definition: Definition, name: str
) -> tuple[cst.SimpleStatementLine, cst.Name, str, cst.BaseExpression] | None:
    """The line that multiplies a variable with a number, or divides it: where it reads it, the operator and the number."""
    line = work.index.statement_of(definition.node)
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.AugAssign(
                    target=cst.Name() as read,
                    operator=(cst.DivideAssign() | cst.MultiplyAssign()) as operator,
                    value=factor,
                )
            ]
        ):
            sign = "/" if isinstance(operator, cst.DivideAssign) else "*"
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name())],
                    value=cst.BinaryOperation(
                        left=cst.Name() as read, operator=cst.Divide() | cst.Multiply(), right=factor
                    ) as value,
                )
            ]
        ):
            sign = "/" if isinstance(value.operator, cst.Divide) else "*"
        case _:
            return None
    mentions = any(isinstance(node, cst.Name) and node.value == name for node in (factor, *descendants(factor)))
    return (line, read, sign, factor) if read.value == name and not mentions else None


def _only_looks(work: NormalizationRound, use: cst.Name) -> bool:
    """Whether what is done with a tensor leaves nobody who would see it change in place."""
    parent = work.index.parents[use]
    call = work.index.parents.get(parent)
    if isinstance(parent, cst.Attribute) and parent.value is use and isinstance(call, cst.Call) and call.func is parent:
        if parent.attr.value in ("detach", "cpu"):
            return _is_number_of(work, call)
        return parent.attr.value in _ALONE
    if isinstance(parent, cst.Arg) and isinstance(call, cst.Call):
        return dotted(call.func) in _LOOKING or work.values.torch_name(call.func) in _LOOKING
    return isinstance(parent, (cst.Comparison, cst.ComparisonTarget, cst.FormattedStringExpression))


def _is_number_of(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a chain of calls ends with a number: `loss.detach().cpu().item()`."""
    node: cst.CSTNode = call
    while isinstance(parent := work.index.parents.get(node), (cst.Attribute, cst.Call)):
        node = parent
    return isinstance(node, cst.Call) and work.values(node).kind in _NUMBERS


__all__ = ["normalize_rescaled_losses"]

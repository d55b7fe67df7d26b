"""Layers of torch that are given first values again: what torch does there, in the program's own words.

self.fc.reset_parameters()     ->     nn.init.kaiming_uniform_(self.fc.weight, a=5**0.5)
                                      if self.fc.bias is not None:
                                          bound = self.fc.weight[0].numel() ** -0.5
                                          nn.init.uniform_(self.fc.bias, -bound, bound)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.module_state import init_methods
from torch2jax.normalize.insertion import imported_names
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.quote import quote_statements
from torch2jax.values import Kind

_DENSE = "Linear Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d"
_NORMS = "LayerNorm GroupNorm"
_BATCH_NORMS = "BatchNorm1d BatchNorm2d BatchNorm3d"
_UNIFORM = """
{init}.kaiming_uniform_({x}.weight, a=5**0.5)
if {x}.bias is not None:
    {bound} = {x}.weight[0].numel() ** -0.5
    {init}.uniform_({x}.bias, -{bound}, {bound})
"""
_ONES = """
if {x}.weight is not None:
    {init}.ones_({x}.weight)
if {x}.bias is not None:
    {init}.zeros_({x}.bias)
"""
_ROOT_MEAN_SQUARE = """
if {x}.weight is not None:
    {init}.ones_({x}.weight)
"""
_NORMAL = """
{init}.normal_({x}.weight)
"""
_TEXTS = {
    **{f"torch.nn.{name}": _UNIFORM for name in _DENSE.split()},
    **{f"torch.nn.{name}": _ONES for name in (*_NORMS.split(), *_BATCH_NORMS.split())},
    "torch.nn.RMSNorm": _ROOT_MEAN_SQUARE,
    "torch.nn.Embedding": _NORMAL,
}


def normalize_resets(work: NormalizationRound) -> None:
    """Normalize all such statements of a file whose layers are known."""
    if not work.program.mentions("reset_parameters"):
        return
    prefix = _prefix(work)
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Attribute(value=layer, attr=cst.Name("reset_parameters")), args=[]):
                text = _text(work, call, layer)
            case _:
                continue
        line = work.index.statement_of(call)
        is_line = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        if text is None or prefix is None or not is_line or not isinstance(work.index.parents[call], cst.Expr):
            continue
        bound = work.names_at(call)("bound")
        text = text.replace("{bound}", bound).replace("{init}", prefix)
        number = text.count("{x}")
        for n in range(number):
            text = text.replace("{x}", f"{{x{n}}}", 1)
        made = quote_statements(text, **{f"x{n}": work.copy(layer) for n in range(number)})
        first = made[0].with_changes(leading_lines=line.leading_lines)
        work.edits.rewrite_statement(line, lambda rewrite, made=[first, *made[1:]]: made)  # type: ignore[misc]


def _text(work: NormalizationRound, call: cst.Call, layer: cst.BaseExpression) -> str | None:
    """What torch does with a layer; None where its class is open, or does more than statements here can say."""
    value = work.values(layer)
    texts = {_TEXTS.get(name) for name in value.types}
    if value.kind is not Kind.MODULE or len(texts) != 1 or not _is_place(layer):
        return None
    if value.types & {f"torch.nn.{name}" for name in _BATCH_NORMS.split()} and not _is_being_made(work, call):
        return None  # the statistics, too, begin anew
    if "torch.nn.Embedding" in value.types and work.program.mentions("padding_idx"):
        return None
    return texts.pop()


def _is_place(node: cst.BaseExpression) -> bool:
    """Whether evaluating an expression several times gives the same layer and does nothing."""
    while isinstance(node, cst.Subscript):
        match node.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=cst.Name() | cst.Integer()))]:
                node = node.value
            case _:
                return False
    return dotted(node) is not None


def _is_being_made(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether the module around a layer is being made, so that the layer is new."""
    function = work.program.function_around(call)
    return function is not None and function.owner is not None and function in init_methods(function.owner)


def _prefix(work: NormalizationRound) -> str | None:
    """How the file names `torch.nn.init`."""
    known = {meant: name for name, meant in imported_names(work.index).items()}
    for meant in ("torch.nn.init", "torch.nn", "torch"):
        if meant in known:
            return known[meant] + "torch.nn.init".removeprefix(meant)
    return None


__all__ = ["normalize_resets"]

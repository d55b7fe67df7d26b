"""The smaller or larger of the tensors in a list, which is passed with a star.

q = torch.min(*[critic(s, a) for critic in critics])    ->    q = functools.reduce(torch.minimum, [critic(s, a) ...])

torch takes two tensors in this way; one alone would be reduced to a number, which a list of a length that is written out tells.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.values import Kind

_OF_TWO = {
    "torch.max": "maximum",
    "torch.maximum": "maximum",
    "torch.min": "minimum",
    "torch.minimum": "minimum",
}


def normalize_starred_extremes(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    torch = work.torch_alias()
    found = {call: _OF_TWO.get(work.values.torch_name(call.func) or "") for call in work.index.calls}
    calls = [call for call, name in found.items() if name is not None and _is_of_listed_tensors(work, call)]
    if torch is None or not calls:
        return
    functools = work.alias_of("functools")
    if functools is None and "functools" in {name.value for name in work.index.names}:
        return
    if functools is None:
        first = min(map(work.index.top_level, calls), key=work.index.nodes.index)
        work.edits.before(work.first_import(first), always_statements([quote_statement("import functools")]))
    for call in calls:
        template = f"{functools or 'functools'}.reduce({torch}.{found[call]}, {{tensors}})"
        _replace(work, call, template)


def _is_of_listed_tensors(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether the one argument is a list of tensors with a star, and of two if its length is known."""
    if [item.star for item in call.args] != ["*"]:
        return False
    value = work.values(call.args[0].value)
    if value.items is not None:
        return len(value.items) == 2 and all(item.kind is Kind.TENSOR for item in value.items)
    return value.elem is not None and value.elem.kind is Kind.TENSOR and value.kind in (Kind.LIST, Kind.TUPLE)


def _replace(work: NormalizationRound, call: cst.Call, template: str) -> None:
    tensors = call.args[0].value
    work.edits.replace(call, lambda rewrite: quote(template, tensors=rewrite.expression(tensors)))


__all__ = ["normalize_starred_extremes"]

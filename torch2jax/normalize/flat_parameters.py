"""Parameters that are set from one vector, as a loop over them.

vector_to_parameters(v, net.parameters())    ->    offset = 0
                                                   for param in net.parameters():
                                                       param.data = v[offset : offset + param.numel()].view_as(param)
                                                       offset += param.numel()
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statements

_NAMES = ("torch.nn.utils.vector_to_parameters", "torch.nn.utils.convert_parameters.vector_to_parameters")


def normalize_flat_parameters(work: NormalizationRound) -> None:
    """Write out all such calls that stand alone in their lines."""
    for call in work.index.calls:
        if work.values.torch_name(call.func) not in _NAMES:
            continue
        line = work.index.statement_of(call)
        is_alone = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
        if is_alone and isinstance(work.index.parents[call], cst.Expr) and len(call.args) == 2:
            _write_out(work, call, line)


def _write_out(work: NormalizationRound, call: cst.Call, line: cst.CSTNode) -> None:
    keywords = {item.keyword.value if item.keyword else "" for item in call.args}
    given = sorted(call.args, key=lambda item: item.keyword is not None and item.keyword.value == "parameters")
    if not keywords <= {"", "vec", "parameters"} or any(item.star for item in call.args):
        return
    vector, parameters = (item.value for item in given)
    fresh = work.names_at(call)
    offset, param = fresh("offset"), fresh("param")
    name = dotted(vector) or fresh("vector")
    first = f"{name} = {{vector}}\n" if dotted(vector) is None else ""
    text = (
        f"{first}{offset} = 0\n"
        f"for {param} in {{parameters}}:\n"
        f"    {param}.data = {name}[{offset} : {offset} + {param}.numel()].view_as({param})\n"
        f"    {offset} += {param}.numel()\n"
    )

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        holes = {"parameters": rewrite.expression(parameters)}
        holes |= {"vector": rewrite.expression(vector)} if first else {}
        return list(quote_statements(text, **holes))

    work.edits.rewrite_statement(line, build)


__all__ = ["normalize_flat_parameters"]

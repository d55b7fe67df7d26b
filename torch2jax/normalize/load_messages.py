"""What `load_state_dict` gives back, normalized to a question before it: which names do not fit?

msg = model.load_state_dict(values, strict=False)     ->   msg = incompatible_keys(model, values)
                                                           model.load_state_dict(values, strict=False)
print(model.load_state_dict(load(path)))              ->   state_dict = load(path)
                                                           keys = incompatible_keys(model, state_dict)
                                                           model.load_state_dict(state_dict)
                                                           print(keys)
"""

from __future__ import annotations

from typing import cast

import libcst as cst

from torch2jax.normalize.evaluation_order import evaluated_before
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind


def normalize_load_messages(work: NormalizationRound) -> None:
    """Normalize all such lines of a file, each with one such call."""
    lines: dict[cst.CSTNode, list[cst.Call]] = {}
    for call in work.index.calls:
        is_load = isinstance(call.func, cst.Attribute) and call.func.attr.value == "load_state_dict"
        if is_load and not isinstance(work.index.parents[call], cst.Expr) and _is_of_module(work, call):
            lines.setdefault(work.index.statement_of(call), []).append(call)
    for line, calls in lines.items():
        if len(calls) == 1 and isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
            _normalize(work, line, calls[0])


def _is_of_module(work: NormalizationRound, call: cst.Call) -> bool:
    receiver = cst.ensure_type(call.func, cst.Attribute).value
    return work.values(receiver).kind is Kind.MODULE and dotted(receiver) is not None


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, call: cst.Call) -> None:
    torch = work.torch_alias()
    given = call.args[0] if call.args else None
    if torch is None or given is None or given.star or (given.keyword and given.keyword.value != "state_dict"):
        return
    before = evaluated_before(work.index, call)
    if before is None or any(isinstance(node, cst.Call) for item in before for node in (item, *descendants(item))):
        return
    fresh = work.names_at(line)
    model = code(cst.ensure_type(call.func, cst.Attribute).value)
    asked = f"{torch}.nn._incompatible_keys"
    values = given.value if isinstance(given.value, cst.Name) else cst.Name(fresh("state_dict"))
    whole = isinstance(line.body[0], cst.Assign) and line.body[0].value is call
    keys: cst.BaseExpression = cst.Name(fresh("keys"))

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        made = []
        if values is not given.value:
            made.append(quote_statement(f"{values.value} = {{x}}", x=rewrite.expression(given.value)))
        load = with_fields(call, args=[with_fields(given, value=values.deep_clone()), *call.args[1:]])
        loading = cst.SimpleStatementLine([cst.Expr(load)])
        question = f"{asked}({model}, {values.value})"
        if whole:
            small = cst.ensure_type(line.body[0], cst.Assign)
            asking = with_fields(small, value=cst.parse_expression(question))
            return [*made, with_fields(line, body=[asking]), loading]
        told = with_fields(line, body=[cast(cst.BaseSmallStatement, line.body[0].deep_replace(call, keys))])
        made += [quote_statement(f"{code(keys)} = {question}"), loading, told]
        return made

    work.edits.rewrite_statement(line, build)


__all__ = ["normalize_load_messages"]

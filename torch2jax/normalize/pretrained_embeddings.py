"""What `from_pretrained` says of a table besides its rows, in lines of its own.

self.emb = nn.Embedding.from_pretrained(w)           ->   self.emb = nn.Embedding.from_pretrained(w, freeze=False)
                                                          self.emb.weight.requires_grad = False

self.emb = nn.Embedding.from_pretrained(             ->   self.emb = nn.Embedding(w.shape[0], w.shape[1], padding_idx=0)
    w, freeze=False, padding_idx=0)                       self.emb.weight.data.copy_(w)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement

_NAME = "torch.nn.Embedding.from_pretrained"


def normalize_pretrained_embeddings(work: NormalizationRound) -> None:
    """Normalize the lines of a file that name such a table, or return it."""
    if not work.program.mentions("from_pretrained") or work.effects is None:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line:
            case cst.SimpleStatementLine(body=[cst.Return(value=cst.Call() as call)]):
                place = None
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as call)]
            ) if dotted(target) is not None:
                place = dotted(target)
            case _:
                continue
        if work.values.torch_name(call.func) != _NAME or (table := _table(work, call, place)) is None:
            continue
        work.edits.rewrite_statement(line, table.lines)


@dataclass(frozen=True, slots=True)
class _Table:
    """What a call says: its rows, the row that stays as it is, and under which condition the table is not trained."""

    call: cst.Call
    rows: cst.BaseExpression
    rows_name: str | None
    padding: cst.BaseExpression | None
    freeze: cst.BaseExpression | None
    is_frozen: bool
    place: str
    is_returned: bool

    def lines(self, rewrite: Rewriter) -> list[cst.BaseStatement]:
        rows, lines = rewrite.expression(self.rows), list[cst.BaseStatement]()
        if self.rows_name is not None:
            lines.append(quote_statement(f"{self.rows_name} = {{rows}}", rows=rows))
            rows = cst.Name(self.rows_name)
        made = rewrite.expression(self.call.func)
        if self.padding is not None:
            assert isinstance(made, cst.Attribute)
            text = f"{self.place} = {{made}}({{rows}}.shape[0], {{rows}}.shape[1], padding_idx={{padding}})"
            holes = {"made": made.value, "rows": rows, "padding": rewrite.expression(self.padding)}
            lines.append(quote_statement(text, **holes))
            lines.append(quote_statement(f"{self.place}.weight.data.copy_({{rows}})", rows=rows.deep_clone()))
        else:
            lines.append(quote_statement(f"{self.place} = {{made}}({{rows}}, freeze=False)", made=made, rows=rows))
        flag = f"{self.place}.weight.requires_grad = False"
        if self.is_frozen:
            lines.append(quote_statement(flag))
        elif self.freeze is not None:
            lines.append(quote_statement(f"if {{freeze}}:\n    {flag}\n", freeze=rewrite.expression(self.freeze)))
        return [*lines, *([quote_statement(f"return {self.place}")] if self.is_returned else [])]


def _table(work: NormalizationRound, call: cst.Call, place: str | None) -> _Table | None:
    """What a call says of a table that a place gets, or the caller; None where that is its rows, or something that has no translation."""
    assert work.effects is not None
    try:
        given = bind(parse_signature(work.effects.tables.layers[_NAME].signature), call.args)
    except BindError:
        return None
    rows, freeze, padding = given.one("embeddings"), given.one("freeze"), given.one("padding_idx")
    if rows is None or given.given.keys() - {"embeddings", "freeze", "padding_idx", "sparse"}:
        return None
    if padding is not None and dotted(padding) == "None":
        padding = None
    is_trained = freeze is not None and work.values(freeze).const is False
    if is_trained and padding is None:
        return None
    is_frozen = freeze is None or work.values(freeze).const is True
    is_bound = padding is None or isinstance(rows, (cst.Name, cst.Attribute))
    name = None if is_bound else work.names_at(call)("rows")
    own = place or work.names_at(call)("embedding")
    return _Table(call, rows, name, padding, None if is_trained else freeze, is_frozen, own, place is None)


__all__ = ["normalize_pretrained_embeddings"]

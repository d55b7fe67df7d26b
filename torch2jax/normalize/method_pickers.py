"""Methods that pick another method for a field of their module: what they decide is decided where the field is set.

self.similarity = self._pick(cosine)     ->     if cosine:
                                                    self.cos = nn.CosineSimilarity(-1)
def _pick(self, use_cosine):                        self.similarity = self._cosine
    if use_cosine:                              else:
        self.cos = nn.CosineSimilarity(-1)          self.similarity = self._dot
        return self._cosine
    return self._dot
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.named_fields import substituted
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import reads_and_writes, suite_body
from torch2jax.syntax.edits import always_statements, is_docstring
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants, lines_of, own_nodes


def normalize_method_pickers(work: NormalizationRound) -> None:
    """Normalize the calls of all such methods of a file."""
    for item in work.program.classes.values():
        init = item.methods.get("__init__") if item.is_module else None
        for line in init.node.body.body if init is not None else ():
            match line:
                case cst.SimpleStatementLine(
                    body=[
                        cst.Assign(
                            targets=[cst.AssignTarget(target=cst.Attribute() as field)],
                            value=cst.Call(func=cst.Attribute(attr=cst.Name(name)) as asked) as call,
                        )
                    ]
                ) if init is not None and dotted(field.value) == dotted(asked.value) == init.self_name:
                    method = item.methods.get(name)
                    if method is not None and _picks(item, method):
                        _write_out(work, init, line, field, call, method)


def _picks(item: Class, method: Function) -> bool:
    """Whether a method gives nothing but methods of its module."""
    given = [node.value for node in own_nodes(method.node) if isinstance(node, cst.Return)]
    names = [value.attr.value for value in given if isinstance(value, cst.Attribute)]
    is_own = all(isinstance(value, cst.Attribute) and dotted(value.value) == method.self_name for value in given)
    return bool(given) and is_own and all(item.method(name) is not None for name in names) and not method.decorators


def _write_out(
    work: NormalizationRound,
    init: Function,
    line: cst.SimpleStatementLine,
    field: cst.Attribute,
    call: cst.Call,
    method: Function,
) -> None:
    given = dict(arguments_by_parameter(method, call, work.values))
    values = {param.name.value: given.get(param.name.value, param.default) for param in method.parameters[1:]}
    if method.self_name != init.self_name or not all(map(_is_plain, values.values())):
        return
    if any(isinstance(item, cst.Param) for item in (method.node.params.star_arg, method.node.params.star_kwarg)):
        return
    body = [item for item in suite_body(method.node) if not is_docstring(item)]
    bound = set[str]().union(*(reads_and_writes(item)[1] for item in body))
    if bound & (values.keys() | names_in(init.node)):
        return
    known = {name: value for name, value in values.items() if value is not None}
    written = _with_stores(work, [substituted(work, item, known) for item in body], field)
    if written is not None:
        work.edits.rewrite_statement(line, always_statements(written))
        named = [node for node in work.index.attributes if node.attr.value == method.name]
        if len(named) == 1 and method.name not in work.program.read_elsewhere:
            work.edits.remove(method.node)


def _is_plain(value: cst.BaseExpression | None) -> bool:
    """Whether an argument may be read as often as its parameter is."""
    is_constant = isinstance(value, (cst.Integer, cst.Float, cst.SimpleString))
    return value is not None and (is_constant or dotted(value) is not None)


def _with_stores(
    work: NormalizationRound, body: Sequence[cst.BaseStatement], field: cst.Attribute
) -> list[cst.BaseStatement] | None:
    """Statements that give a field what they gave back; None where some way does not end with that, or with an error."""
    if not body:
        return None
    *before, last = body
    for number, item in enumerate(before):
        closed = _closed(item, body[number + 1 :]) if isinstance(item, cst.If) else None
        if closed is not None:
            return _with_stores(work, [*before[:number], closed], field)
        if any(isinstance(node, cst.Return) for node in (item, *descendants(item))):
            return None
    match last:
        case cst.SimpleStatementLine(body=[*others, cst.Return(value=cst.BaseExpression() as value)]):
            store = quote_statement("{place} = {value}", place=work.copy(field), value=value)
            lines = [cst.SimpleStatementLine(others)] if others else []
            return [*before, *lines, store]
        case cst.SimpleStatementLine(body=[*_, cst.Raise()]):
            return list(body)
        case cst.If(orelse=cst.Else() as other):
            taken, rest = (
                _with_stores(work, lines_of(last.body), field),
                _with_stores(work, lines_of(other.body), field),
            )
            return None if taken is None or rest is None else [*before, _if(last, taken, rest)]
        case cst.If(orelse=cst.If() as other):
            taken, more = _with_stores(work, lines_of(last.body), field), _with_stores(work, [other], field)
            if taken is None or more is None or len(more) != 1 or not isinstance(more[0], cst.If):
                return None
            return [*before, last.with_changes(body=cst.IndentedBlock(taken), orelse=more[0])]
    return None


def _closed(item: cst.If, rest: Sequence[cst.BaseStatement]) -> cst.If | None:
    """A choice with what follows it as its last way, where all other ways leave."""
    if not _leaves(item.body) or isinstance(item.orelse, cst.Else):
        return None
    last = cst.Else(cst.IndentedBlock(rest)) if item.orelse is None else _closed(item.orelse, rest)
    return None if last is None else item.with_changes(orelse=last)


def _if(item: cst.If, taken: Sequence[cst.BaseStatement], rest: Sequence[cst.BaseStatement]) -> cst.If:
    return item.with_changes(body=cst.IndentedBlock(taken), orelse=cst.Else(cst.IndentedBlock(rest)))


def _leaves(suite: cst.BaseSuite) -> bool:
    lines = lines_of(suite)
    return (
        bool(lines)
        and isinstance(lines[-1], cst.SimpleStatementLine)
        and isinstance(lines[-1].body[-1], (cst.Return, cst.Raise))
    )


__all__ = ["normalize_method_pickers"]

"""Files that `lightning.Fabric` writes and reads: state dicts of what a dict names, written with torch.

state = {"model": model, "epoch": epoch}      ->   torch.save({"model": model.state_dict(), "epoch": epoch}, path)
fabric.save(path, state)
fabric.load(path, {"model": model})           ->   checkpoint = torch.load(path)
                                                   model.load_state_dict(checkpoint["model"])
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.accelerators import FABRIC, is_made_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.values import Kind

_FILES = frozenset({"load", "load_raw", "save"})
_STATEFUL = (Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER)


def normalize_files(work: NormalizationRound, call: cst.Call, name: str) -> bool:
    """Normalize a call of `save`, `load` or `load_raw`; whether it was one that is understood."""
    torch = work.torch_alias()
    if name not in _FILES or torch is None or any(item.star or item.keyword is not None for item in call.args):
        return False
    given = [item.value for item in call.args]
    alone, line = isinstance(work.index.parents[call], cst.Expr), work.index.statement_of(call)
    if name == "load" and len(given) == 1:
        work.edits.replace(call, lambda rewrite: quote(f"{torch}.load({{path}})", path=rewrite.expression(given[0])))
        return True
    if not alone or len(given) != 2:
        return False
    if name == "load_raw" and work.values(given[1]).kind is Kind.MODULE:
        work.edits.rewrite_statement(line, lambda rewrite: [_load_raw(rewrite, torch, given)])
        return True
    state = _dict(work, given[1], call)
    if name == "load_raw" or state is None:
        return False
    if name == "save":
        work.edits.rewrite_statement(line, lambda rewrite: [_save(work, rewrite, torch, given[0], state)])
        return True
    parts = [(item.key, item.value) for item in state.elements if isinstance(item, cst.DictElement)]
    if not all(work.values(value).is_a(*_STATEFUL) for _, value in parts):
        return False
    checkpoint = work.names_at(call)("checkpoint")

    def build(rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
        read = quote_statement(f"{checkpoint} = {torch}.load({{path}})", path=rewrite.expression(given[0]))
        text = f"{{place}}.load_state_dict({checkpoint}[{{key}}])"
        return [read, *(quote_statement(text, place=value.deep_clone(), key=key.deep_clone()) for key, value in parts)]

    work.edits.rewrite_statement(line, build)
    return True


def _load_raw(rewrite: Rewriter, torch: str, given: Sequence[cst.BaseExpression]) -> cst.BaseStatement:
    path, place = (rewrite.expression(item) for item in given)
    return quote_statement(f"{{place}}.load_state_dict({torch}.load({{path}}))", place=place, path=path)


def _save(
    work: NormalizationRound, rewrite: Rewriter, torch: str, path: cst.BaseExpression, state: cst.Dict
) -> cst.BaseStatement:
    elements = []
    for item in state.elements:
        element, value = cst.ensure_type(item, cst.DictElement), item.value.deep_clone()
        if work.values(item.value).is_a(*_STATEFUL):
            value = quote("{value}.state_dict()", value=value)
        elements.append(cst.DictElement(element.key.deep_clone(), value))
    return quote_statement(
        f"{torch}.save({{state}}, {{path}})", state=cst.Dict(elements), path=rewrite.expression(path)
    )


def _dict(work: NormalizationRound, node: cst.BaseExpression, call: cst.Call) -> cst.Dict | None:
    """The dict of variables that is given, written there or in a line above, after which it is given to such calls only."""
    if isinstance(node, cst.Name):
        definition = work.program.definitions.bound_once(node)
        bound = work.index.statement_of(definition.node) if definition is not None else None
        match bound:
            case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget()], value=cst.Dict() as made)]):
                pass
            case _:
                return None
        assert definition is not None
        uses = work.program.definitions.uses(definition)
        if not all(_is_file(work, use) for use in uses) or work.index.function_of(bound) is not work.index.function_of(
            call
        ):
            return None
        node = made
    if not isinstance(node, cst.Dict):
        return None
    alone = call.args[-1].value is node
    plain = all(isinstance(item, cst.DictElement) and _is_plain(work, item.value) for item in node.elements)
    line = work.index.statement_of(node)
    if plain and not alone and line is not None and line not in work.edits.statements:
        work.edits.remove(line)
    return node if plain else None


def _is_plain(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression may be written elsewhere, and it is known whether it has a state dict."""
    known = work.values(node).kind is not Kind.UNKNOWN
    return known and (dotted(node) is not None or isinstance(node, (cst.Integer, cst.Float, cst.SimpleString)))


def _is_file(work: NormalizationRound, use: cst.Name) -> bool:
    argument = work.index.parents[use]
    call = work.index.parents[argument] if isinstance(argument, cst.Arg) else None
    match call:
        case cst.Call(func=cst.Attribute(value=place, attr=cst.Name(name))) if name in _FILES:
            return is_made_of(work.values(place), FABRIC)
    return False


__all__ = ["normalize_files"]

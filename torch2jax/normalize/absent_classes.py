"""Questions whether something is of a class of torch that nothing in the translation is of.

if isinstance(x, DTensor):                               (gone)
    x = x.full_tensor()                           ->
if isinstance(x, (torch.Tensor, torch.fx.Proxy)):  ->    if isinstance(x, torch.Tensor):
done = isinstance(p, UninitializedParameter)       ->    done = False

What would make such an object is reported where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote

_ABSENT = {
    "torch.distributed": {"DTensor", "ShardedTensor", "AsyncCollectiveTensor"},
    "torch.fx": {"Proxy", "Node", "GraphModule", "Graph", "Tracer"},
    "torch.nn.parameter": {"UninitializedParameter", "UninitializedBuffer", "UninitializedTensorMixin"},
    "torch.nn": {"UninitializedParameter", "UninitializedBuffer"},
    "torch": {"SymInt", "SymFloat", "SymBool"},
    "torch._subclasses": {"FakeTensor", "FunctionalTensor"},
}


def normalize_absent_classes(work: NormalizationRound) -> None:
    """Answer all such questions of a file."""
    for call in work.index.calls:
        if not isinstance(call.func, cst.Name) or call.func.value != "isinstance" or len(call.args) != 2:
            continue
        classes = call.args[1].value
        if isinstance(classes, cst.Tuple):
            kept = [item for item in classes.elements if not _is_absent(work, item.value)]
            if not kept:
                _answer_no(work, call)
            elif len(kept) < len(classes.elements):
                work.edits.replace(classes, partial(_tuple, kept))
        elif _is_absent(work, classes):
            _answer_no(work, call)


def _is_absent(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    name = work.values.torch_name(node)
    home, _, short = (name or "").rpartition(".")
    return any(short in classes and (home == part or home.startswith(f"{part}.")) for part, classes in _ABSENT.items())


def _tuple(kept: Sequence[cst.BaseElement], rewrite: Rewriter) -> cst.BaseExpression:
    classes = [rewrite.expression(item.value) for item in kept]
    return classes[0] if len(classes) == 1 else quote("({*classes},)", classes=classes)


def _answer_no(work: NormalizationRound, call: cst.Call) -> None:
    """Say no, and leave out what would run only otherwise."""
    node: cst.CSTNode = call
    around = work.index.parents[node]
    is_no = True
    while True:
        if isinstance(around, cst.UnaryOperation) and isinstance(around.operator, cst.Not):
            is_no = not is_no
        elif isinstance(around, cst.BooleanOperation) and around.left is node:
            decides = isinstance(around.operator, cst.And) == is_no
            if not decides:
                work.edits.replace(around, lambda rewrite, kept=around.right: rewrite.expression(kept))  # type: ignore[misc]
                return
        else:
            break
        node, around = around, work.index.parents[around]
    if isinstance(around, cst.If) and around.test is node:
        _choose(work, around, is_no)
        return
    if isinstance(around, cst.IfExp) and around.test is node:
        kept = around.orelse if is_no else around.body
        work.edits.replace(around, lambda rewrite: rewrite.expression(kept))
        return
    work.edits.replace(node, always(cst.Name("False" if is_no else "True")))


def _choose(work: NormalizationRound, choice: cst.If, is_no: bool) -> None:
    """Leave the one way of a choice that is taken."""
    above, rest = work.index.parents[choice], choice.orelse
    taken = rest if is_no else cst.Else(choice.body)
    if isinstance(above, cst.If) and above.orelse is choice:
        if taken is None:
            work.edits.drop(choice)
        elif is_no:
            work.edits.replace(choice, lambda rewrite: rewrite(taken))
        else:
            work.edits.replace(choice, lambda rewrite: cst.Else(cast("cst.BaseSuite", rewrite(choice.body))))
    elif taken is None:
        work.edits.remove(choice)
    elif isinstance(taken, cst.If):
        work.edits.rewrite_statement(choice, lambda rewrite: [cst.ensure_type(rewrite(taken), cst.If)])
    else:
        body = taken.body
        work.edits.rewrite_statement(choice, lambda rewrite: _lines(rewrite, body))


def _lines(rewrite: Rewriter, body: cst.BaseSuite) -> list[cst.BaseStatement]:
    if isinstance(body, cst.IndentedBlock):
        return list(rewrite.block(body))
    return [cst.SimpleStatementLine(cst.ensure_type(rewrite(body), cst.SimpleStatementSuite).body)]


__all__ = ["normalize_absent_classes"]

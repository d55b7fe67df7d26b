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

import libcst as cst

from torch2jax.normalize.answers import find_answer
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter
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
                find_answer(work, call, False).put()
            elif len(kept) < len(classes.elements):
                work.edits.replace(classes, partial(_tuple, kept))
        elif _is_absent(work, classes):
            find_answer(work, call, False).put()


def _is_absent(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    name = work.values.torch_name(node)
    home, _, short = (name or "").rpartition(".")
    return any(short in classes and (home == part or home.startswith(f"{part}.")) for part, classes in _ABSENT.items())


def _tuple(kept: Sequence[cst.BaseElement], rewrite: Rewriter) -> cst.BaseExpression:
    classes = [rewrite.expression(item.value) for item in kept]
    return classes[0] if len(classes) == 1 else quote("({*classes},)", classes=classes)


__all__ = ["normalize_absent_classes"]

"""Numbers of `torch.linspace` that are made whole somewhere: they have to be torch's own to the last bit.

times = torch.linspace(-1, 999, steps=51)     ->     times = torch._refs.linspace(-1, 999, steps=51)
for time in times.int().tolist():                    for time in times.int().tolist():

`jnp.linspace` is another sum, which lies on the other side of a whole number now and then. Names are followed within their
function, fields of `self` within their class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.rules import INTEGERS
from torch2jax.program.program import dotted
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_WHOLE = frozenset(
    {"floor", "ceil", "round", "trunc", "fix", "floor_divide", "int", "floor_", "round_", "ceil_", "trunc_"}
)
_SAME_NUMBERS = frozenset(
    {"list", "tuple", "reversed", "zip", "enumerate", "sorted", "iter", "next", "map", "float", "set"}
)
_DEPTH = 4  # variables that get their values one from another


def normalize_truncated_ranges(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    if not work.program.mentions("linspace"):
        return
    torch = work.torch_alias()
    for call in work.index.calls:
        if torch is not None and work.values.torch_name(call.func) == "torch.linspace" and _is_truncated(work, call):
            if not any(item.keyword is not None and item.keyword.value == "out" for item in call.args):
                work.edits.replace(call.func, lambda rewrite: quote(f"{torch}._refs.linspace"))


def _is_truncated(work: NormalizationRound, call: cst.BaseExpression) -> bool:
    """Whether what an expression gives is made whole around it, or where a variable is read that holds it."""
    followed: dict[cst.BaseExpression, int] = {}  # reads -> how many variables further they have been followed
    waiting = [(call, _DEPTH)]
    while waiting:
        node, depth = waiting.pop()
        if followed.get(node, -1) >= depth:
            continue
        followed[node] = depth
        found = _stored_from(work, node)
        if found is None:
            return True
        if depth:
            waiting += [(item, depth - 1) for target in found for item in _reads(work, target)]
    return False


def _stored_from(work: NormalizationRound, node: cst.BaseExpression) -> Sequence[cst.BaseExpression] | None:
    """The targets that hold what an expression gives; None where it is made whole around it."""
    child: cst.CSTNode = node
    for around in work.index.ancestors(node):
        if isinstance(around, cst.BaseExpression) and _makes_whole(work, around):
            return None
        if isinstance(around, cst.Arg) and not _hands_on(work, around):
            return ()
        if isinstance(around, (cst.For, cst.CompFor)) and around.iter is child:
            return (around.target,)
        if isinstance(around, cst.Assign):
            return [item.target for item in around.targets]
        if isinstance(around, (cst.AnnAssign, cst.AugAssign)):
            return (around.target,)
        if isinstance(around, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return ()
        child = around
    return ()


def _hands_on(work: NormalizationRound, argument: cst.Arg) -> bool:
    """Whether a function that gets numbers may give them back: those of torch, and some of Python's own."""
    call = work.index.parents[argument]
    if not isinstance(call, cst.Call):
        return False
    if isinstance(call.func, cst.Name) and call.func.value in _SAME_NUMBERS | {"int"}:
        return True
    is_method = isinstance(call.func, cst.Attribute) and work.values(call.func.value).kind is Kind.TENSOR
    return is_method or work.values.torch_name(call.func) is not None


def _makes_whole(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    match node:
        case cst.BinaryOperation(operator=cst.FloorDivide() | cst.Modulo()):
            return True
        case cst.Call(func=cst.Name(name)) if name in ("int", "floor", "ceil", "trunc"):
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name(name))) if name in _WHOLE:
            return True
    return work.values(node).dtype in INTEGERS


def _reads(work: NormalizationRound, target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Where variables and fields are read that a target stores into."""
    for place in descendants(target, cst.Name, cst.Attribute):
        name = dotted(place)
        if name is None or name == "self":
            continue
        kind = cst.ClassDef if isinstance(place, cst.Attribute) else cst.FunctionDef
        scope = next((item for item in work.index.ancestors(place) if isinstance(item, kind)), work.index.module)
        for item in descendants(scope, type(place)):
            if item is not place and dotted(item) == name:
                yield item


__all__ = ["normalize_truncated_ranges"]

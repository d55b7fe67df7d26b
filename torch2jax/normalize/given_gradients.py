"""`backward()` that is given where the gradient begins, normalized to the `backward()` of a number: its gradient is the same.

output.backward(weight)                   ->   (output * weight).sum().backward()
output.backward(torch.ones_like(output))  ->   output.sum().backward()
loss.backward(create_graph=True)          ->   loss.backward()      where nobody takes gradients of gradients
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind

_PARAMETERS = ("gradient", "retain_graph", "create_graph")
_ONES = frozenset({"torch.ones", "torch.ones_like"})
_NEW = frozenset(
    {
        "torch.tensor",
        "torch.Tensor",
        "torch.FloatTensor",
        "torch.from_numpy",
        "torch.full",
        "torch.full_like",
        "torch.linspace",
        "torch.ones",
        "torch.ones_like",
        "torch.rand",
        "torch.rand_like",
        "torch.randn",
        "torch.randn_like",
        "torch.zeros",
        "torch.zeros_like",
    }
)
_CUTTING = frozenset({"detach", "data", "is_cuda", "device", "dtype", "shape", "size"})


def normalize_given_gradients(work: NormalizationRound) -> None:
    """Normalize the arguments of each `backward()` of a tensor."""
    if not work.program.mentions("backward"):
        return
    for call in work.index.calls:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "backward" and call.args:
            if work.values(call.func.value).kind is Kind.TENSOR:
                _normalize(work, call, call.func.value)


def _normalize(work: NormalizationRound, call: cst.Call, output: cst.BaseExpression) -> None:
    given = _given(call)
    if given is None:
        return
    gradient, keeps, creates = (given.get(name) for name in _PARAMETERS)
    if creates is not None and not _is_off(work, creates) and not _are_plain(work):
        return
    kept = [] if keeps is None or _is_off(work, keeps) else [cst.Arg(keeps, keyword=cst.Name("retain_graph"))]
    if gradient is None or _is_off(work, gradient):
        if len(kept) < len(call.args):
            work.edits.replace(
                call,
                lambda rewrite: call.with_changes(
                    func=rewrite.expression(call.func), args=[_plain(item) for item in kept]
                ),
            )
        return
    loss = "{output}" if _is_ones(work, gradient) else "({output} * {gradient})"
    if not _is_new(work, gradient):
        loss = loss.replace("{gradient}", "{gradient}.detach()")
    loss += "" if work.values(output).rank == 0 else ".sum()"
    work.edits.replace(
        call,
        lambda rewrite: quote(
            f"{loss}.backward()", output=rewrite.expression(output), gradient=rewrite.expression(gradient)
        ).with_changes(args=[_plain(item) for item in kept]),
    )


def _plain(argument: cst.Arg) -> cst.Arg:
    return argument.with_changes(
        value=argument.value.deep_clone(),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
        comma=cst.MaybeSentinel.DEFAULT,
    )


def _given(call: cst.Call) -> dict[str, cst.BaseExpression] | None:
    """The arguments by their names; None where one is of another kind, or is not in sight."""
    found: dict[str, cst.BaseExpression] = {}
    for place, item in enumerate(call.args):
        name = item.keyword.value if item.keyword is not None else _PARAMETERS[place] if place < 3 else ""
        if item.star or name not in _PARAMETERS:
            return None
        found[name] = item.value
    return found


def _is_off(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an argument says what is so without it: `None`, `False`."""
    value = work.values(node)
    return value.kind is Kind.NONE or value.const is False


def _is_ones(work: NormalizationRound, gradient: cst.BaseExpression) -> bool:
    """Whether a gradient is made of ones, and has the shape of the output: torch takes no other one."""
    match gradient:
        case cst.Call(func=function) if work.values.torch_name(function) in _ONES:
            return True
    return False


def _is_new(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether a tensor surely has no graph: it has been made of numbers, or cut from what it was computed from."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name("detach"))) | cst.Attribute(attr=cst.Name("data")):
            return True
        case cst.Call(func=function):
            return work.values.torch_name(function) in _NEW and "leaf" not in work.values(node).types
        case cst.BinaryOperation(left=left, right=right):
            return _is_new(work, left) and _is_new(work, right)
        case cst.UnaryOperation(expression=inner):
            return _is_new(work, inner)
        case cst.Name():
            bound = work.program.definitions.only(node)
            value = bound.value if bound is not None else None
            return isinstance(value, cst.BaseExpression) and not isinstance(value, cst.Name) and _is_new(work, value)
    return isinstance(node, (cst.Integer, cst.Float))


def _are_plain(work: NormalizationRound) -> bool:
    """Whether the file only reads gradients apart from their graphs: `p.grad.detach()`, `p.grad is None`."""
    for node in work.index.attributes:
        if node.attr.value != "grad" or work.values.torch_name(node) is not None:
            continue
        match work.index.parents[node]:
            case cst.Attribute(attr=cst.Name(name)) if name in _CUTTING or name == "zero_":
                continue
            case cst.Comparison(comparisons=[cst.ComparisonTarget(comparator=cst.Name("None"))]) | cst.AssignTarget():
                continue
        return False
    return True


__all__ = ["normalize_given_gradients"]

"""The class of a tensor, asked for by its name, is its dtype, and where it lies; arrays are told by the module of theirs.

x.type() == y.data.type()                ->   x.dtype == y.dtype
x.type() == "torch.FloatTensor"          ->   x.dtype == torch.float32
x.type() != "torch.cuda.HalfTensor"      ->   not (x.dtype == torch.float16 and x.is_cuda)
type(x).__module__ == np.__name__        ->   isinstance(x, (np.ndarray, np.generic))

Where the dtype is known such a text is a constant.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.storage import without_data
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind, class_dtype, class_of_dtype


def normalize_type_comparisons(work: NormalizationRound) -> None:
    """Normalize all such tests of a file."""
    for node in work.index.every(cst.Comparison):
        match node:
            case cst.Comparison(
                left=left,
                comparisons=[cst.ComparisonTarget(operator=cst.Equal() | cst.NotEqual() as sign, comparator=right)],
            ):
                is_other = isinstance(sign, cst.NotEqual)
                _compare(work, node, left, right, is_other=is_other)
                _tell_arrays(work, node, left, right, is_other=is_other)


def _compare(
    work: NormalizationRound, node: cst.Comparison, left: cst.BaseExpression, right: cst.BaseExpression, is_other: bool
) -> None:
    first, second = _tensor_of(work, left), _tensor_of(work, right)
    asked = [item for item in (first, second) if item is not None]
    if not asked or any(work.values(item).kind not in (Kind.TENSOR, Kind.UNKNOWN) for item in asked):
        return
    if all(class_of_dtype(work.values(item).dtype) is not None for item in asked):
        return

    sign = "!=" if is_other else "=="
    if len(asked) == 2:
        template = f"{{x}}.dtype {sign} {{y}}.dtype"
    else:
        named = work.values(right if first is not None else left).const
        dtype, torch = class_dtype(named) if isinstance(named, str) else None, work.torch_alias()
        if dtype is None or torch is None or (".cuda." in str(named) and dotted(asked[0]) is None):
            return
        if ".cuda." in str(named):
            template = f"{'not ' if is_other else ''}({{x}}.dtype == {torch}.{dtype} and {{x}}.is_cuda)"
        else:
            template = f"{{x}}.dtype {sign} {torch}.{dtype}"

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        holes = dict(zip("xy", map(rewrite.expression, asked), strict=False))
        return quote(template, **holes).with_changes(lpar=node.lpar, rpar=node.rpar)

    work.edits.replace(node, build)


def _tell_arrays(
    work: NormalizationRound, node: cst.Comparison, left: cst.BaseExpression, right: cst.BaseExpression, is_other: bool
) -> None:
    asked, numpy = _instance(left), work.alias_of("numpy")
    if asked is None or numpy is None or not _names_numpy(work, right):
        return
    template = f"isinstance({{x}}, ({numpy}.ndarray, {numpy}.generic))"

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        test = quote(f"not {template}" if is_other else template, x=rewrite.expression(asked))
        return test.with_changes(lpar=node.lpar, rpar=node.rpar)

    work.edits.replace(node, build)


def _instance(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """What is asked for the module of its class: `x` of `type(x).__module__`."""
    match node:
        case cst.Attribute(
            value=cst.Call(func=cst.Name("type"), args=[cst.Arg(value=asked)])
            | cst.Attribute(value=asked, attr=cst.Name("__class__")),
            attr=cst.Name("__module__"),
        ):
            return asked
    return None


def _names_numpy(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression is the name of NumPy: `np.__name__`, `"numpy"`."""
    match node:
        case cst.Attribute(value=module, attr=cst.Name("__name__")):
            return work.values(module).const == "numpy"
        case cst.SimpleString():
            return node.evaluated_value == "numpy"
    return False


def _tensor_of(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The tensor whose class is asked for: `x` of `x.type()`."""
    match node:
        case cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name("type")), args=[]):
            return without_data(tensor, work.values)
    return None


__all__ = ["normalize_type_comparisons"]

"""Methods of something whose kind stays open: a spelling that is right for an array, a module and any other object.

data.to(device)   ->   to_device(data, device)        best.cpu().numpy()   ->   to_numpy(call_or_keep(best, "cpu"))
scores.mean(0)         (as it stands: arrays of JAX and NumPy have the same method)
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.ops.lowering import IGNORED
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter
from torch2jax.values import Kind, Value

_SAME = frozenset(
    "item tolist sum mean prod any all max min argmax argmin cumsum cumprod reshape round conj dot".split()
)
"""Methods of torch's tensors that arrays of JAX and of NumPy have with the same meaning, given no more than an axis."""

_NOTHING = frozenset(
    {"item", "tolist", "max", "min", "any", "all", "conj"}
)  # those of them that here take no arguments
_KEPT = frozenset({"cpu", "cuda", "contiguous"})
_CASTS = {
    "cdouble": "complex",
    "cfloat": "jnp.complex64",
    "bfloat16": "jnp.bfloat16",
    "double": "float",
    "float": "jnp.float32",
    "half": "jnp.float16",
}


def rewrite_open_method(unit: Unit, call: cst.Call, function: cst.Attribute) -> bool:
    """Translate a method of something unknown; False where its meaning depends on what that is."""
    name = function.attr.value
    if is_same_for_all(unit, call, name):
        return True
    spelling = _spelling(unit, call, name)
    if spelling is None:
        return False
    template, operands = spelling
    for argument in call.args:
        if argument.value not in operands.values():
            unit.settle(argument)

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        holes = {hole: dtype_expression(unit, node, rewrite) for hole, node in operands.items()}
        return unit.quote(template, x=rewrite.expression(function.value), **holes)

    unit.edits.replace(call, build)
    return True


def is_same_for_all(unit: Unit, call: cst.Call, name: str) -> bool:
    """Whether a call means the same for a tensor, an array of NumPy, and its translation, as it stands."""
    if name not in _SAME or any(item.star or item.keyword is not None for item in call.args):
        return False
    kinds = [unit.facts.values(item.value).kind for item in call.args]
    if name == "reshape":
        return bool(kinds)
    if name == "dot":
        return len(kinds) == 1
    return not kinds or (len(kinds) == 1 and kinds[0] is Kind.INT and name not in _NOTHING)


def _spelling(unit: Unit, call: cst.Call, name: str) -> tuple[str, dict[str, cst.BaseExpression]] | None:
    """The template, and the arguments that stand in it."""
    if name == "numel" and not call.args:
        return "numel({x})", {}
    if name == "numpy" and not call.args:
        return "to_numpy({x})", {}
    is_statement = isinstance(unit.facts.program.index.parents.get(call), cst.Expr)
    if name in _CASTS and not call.args:
        return None if is_statement else (f'cast({{x}}, {_CASTS[name]}, "{name}")', {})
    targets = _targets(unit, call) if name in ("to", "type", *_KEPT) else None
    if targets is None:
        return None
    kinds = [target_kind(unit.facts.values, item) for item in targets]
    nodes = {kind: item.value for kind, item in zip(kinds, targets, strict=True)}
    if name in _KEPT:
        return (f'call_or_keep({{x}}, "{name}")', {}) if set(nodes) <= {"device"} else None
    if len(nodes) < len(kinds) or not kinds or (name == "type" and kinds != ["dtype"]):
        return None
    template = "{x}"
    if "dtype" in nodes:
        if is_statement:  # of a module it would change what others hold
            return None
        template = "cast({x}, {dtype})" if name == "to" else 'cast({x}, {dtype}, "type")'
    if "unknown" in nodes:
        template = f"{'to_device' if is_statement or len(nodes) > 1 else 'to'}({template}, {{unknown}})"
    if "device" in nodes:
        template = f"to_device({template}, {{device}})"
    return template, nodes


def _targets(unit: Unit, call: cst.Call) -> list[cst.Arg] | None:
    """The arguments that say where or what something is moved to; None if they are not written out."""
    if any(item.star for item in call.args):
        return None
    ignored = (IGNORED | {"copy"}) - {"device"}
    kept = [item for item in call.args if item.keyword is None or item.keyword.value not in ignored]
    return [item for item in kept if unit.facts.values(item.value).kind is not Kind.BOOL]


def target_kind(values: Callable[[cst.CSTNode], Value], target: cst.Arg) -> str:
    """What an argument of `to` is: a "device", also by its name, a "dtype", or "unknown"."""
    value, keyword = values(target.value), target.keyword.value if target.keyword is not None else None
    if is_dtype_like(value) or keyword == "dtype":
        return "dtype"
    if value.kind in (Kind.DEVICE, Kind.STR, Kind.NONE, Kind.INT) or keyword == "device":
        return "device"
    return "unknown"


def is_dtype_like(value: Value) -> bool:
    """Whether a value is a dtype, or a class of tensors that have one: `torch.float32`, `torch.FloatTensor`."""
    return value.kind is Kind.DTYPE or (value.kind is Kind.TORCH and value.dtype is not None)


def dtype_expression(unit: Unit, node: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    """An argument of `to` or `type`."""
    return rewrite.expression(node)

"""What `torch.no_grad()` and its like do with gradients: asked of the context of a `with`, a decorator, or a call.

with torch.no_grad():                      OFF
with torch.set_grad_enabled(training):     EITHER, as `training` says
@torch.enable_grad()                       ON
torch.inference_mode(False)                AS_AROUND
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.ops.contexts import GRADIENT_CONTEXTS, Gradient, gradient_below
from torch2jax.ops.rules import INTEGERS
from torch2jax.values import Kind, Value


def gradient_set(node: cst.BaseExpression, values: Values) -> Gradient | None:
    """What a context manager or decorator, also one in a variable, sets recording of gradients to; None if it is another."""
    if values(node).kind is not Kind.CONTEXT:
        return gradient_below(values.torch_name(node) or "")  # `@torch.no_grad`
    modes = values(node).types
    if len(modes) > 1:
        return Gradient.EITHER
    return Gradient(next(iter(modes))) if modes else None


def enabling(node: cst.BaseExpression, values: Values) -> cst.BaseExpression | None:
    """`training` of `torch.set_grad_enabled(training)`."""
    if not isinstance(node, cst.Call) or len(node.args) != 1:
        return None
    is_switch = GRADIENT_CONTEXTS.get(values.torch_name(node.func) or "") == "set_grad_enabled"
    return node.args[0].value if is_switch else None


def turns_off(node: cst.BaseExpression, values: Values) -> bool:
    """Whether a context manager or decorator turns recording of gradients off, whatever the values."""
    return gradient_set(node, values) is Gradient.OFF


def is_under_no_grad(node: cst.CSTNode, values: Values) -> bool:
    """Whether a node stands, in its function, where no gradients are recorded."""
    child = node
    for around in values.program.index.ancestors(node):
        if isinstance(around, cst.FunctionDef):
            return any(turns_off(item.decorator, values) for item in around.decorators)
        if isinstance(around, cst.With) and child is around.body:
            mode = next((mode for item in reversed(around.items) if (mode := gradient_set(item.item, values))), None)
            if mode in (Gradient.OFF, Gradient.ON, Gradient.EITHER):
                return mode is Gradient.OFF
        child = around
    return False


def is_constant(value: Value) -> bool:
    """Whether what was made where no gradient is recorded has none: new tensors, and what holds nothing else. An argument
    that is handed back keeps the gradient that it has.
    """
    if value.is_a(Kind.TUPLE, Kind.LIST, Kind.DICT):
        return bool(value.parts) and all(map(is_constant, value.parts))
    if value.kind is Kind.TENSOR:
        return value.dtype in ("bool", *INTEGERS) or all(root.startswith("new:") for root in value.roots)
    return value.is_number or value.kind is Kind.NONE


def has_tensors(value: Value) -> bool:
    """Whether a constant, or what it holds, is a tensor."""
    return value.kind is Kind.TENSOR or any(map(has_tensors, value.parts))


__all__ = ["enabling", "gradient_set", "has_tensors", "is_constant", "is_under_no_grad", "turns_off"]

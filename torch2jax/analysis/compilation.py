"""Which code can be compiled: what in it, or in what it calls, needs the values of tensors while it is being traced."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.analysis.infer import Values
from torch2jax.analysis.program import Function
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_HOST_METHODS = frozenset({"item", "tolist", "numpy"})
_DYNAMIC_METHODS = frozenset({"nonzero", "masked_select", "unique", "unique_consecutive", "argwhere"})
_DYNAMIC_FUNCTIONS = frozenset({f"torch.{name}" for name in _DYNAMIC_METHODS})
_CONVERSIONS = frozenset({"float", "int", "bool"})


def find_obstacle(nodes: Sequence[cst.CSTNode], values: Values) -> str | None:
    """Why code cannot be compiled with `jax.jit`, in the user's words; None if nothing speaks against it."""
    seen: set[Function] = set()
    waiting: list[tuple[cst.CSTNode, str]] = [(node, "") for node in nodes]
    while waiting:
        root, where = waiting.pop()
        for node in descendants(root):
            reason = _obstacle(node, values)
            if reason is not None:
                return f"{reason}{where}"
            if isinstance(node, cst.Call):
                for function in values.callees.get(node, ()):
                    if function not in seen:
                        seen.add(function)
                        waiting.append((function.node.body, f" in `{function.name}`"))
    return None


def _obstacle(node: cst.CSTNode, values: Values) -> str | None:
    match node:
        case cst.If() | cst.While() | cst.IfExp() | cst.Assert():
            return "the value of a tensor decides what is done" if _tests_tensor(node.test, values) else None
        case cst.Subscript():
            return "a mask selects elements, so the shape depends on values" if _is_masked(node, values) else None
        case cst.Call():
            return _call_obstacle(node, values)
    return None


def _tests_tensor(node: cst.BaseExpression, values: Values) -> bool:
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return _tests_tensor(node.expression, values)
    if isinstance(node, cst.BooleanOperation):
        return _tests_tensor(node.left, values) or _tests_tensor(node.right, values)
    if isinstance(node, cst.Comparison):
        return values(node).kind is Kind.TENSOR
    return (values(node).kind is Kind.TENSOR and not isinstance(node, (cst.Name, cst.Attribute))) or values(
        node
    ).rank == 0


def _is_masked(node: cst.Subscript, values: Values) -> bool:
    if values(node.value).kind is not Kind.TENSOR:
        return False
    return any(
        isinstance(element.slice, cst.Index)
        and values(element.slice.value).kind is Kind.TENSOR
        and values(element.slice.value).dtype == "bool"
        for element in node.slice
    )


def _call_obstacle(node: cst.Call, values: Values) -> str | None:
    if isinstance(node.func, cst.Attribute):
        name = node.func.attr.value
        if values(node.func.value).kind is Kind.TENSOR:
            if name in _HOST_METHODS:
                return f"`.{name}()` reads a tensor"
            if name in _DYNAMIC_METHODS:
                return f"the shape of `.{name}()` depends on values"
    if values.torch_name(node.func) in _DYNAMIC_FUNCTIONS:
        return f"the shape of `{values.torch_name(node.func)}` depends on values"
    if isinstance(node.func, cst.Name) and node.args:
        if node.func.value in _CONVERSIONS and values(node.args[0].value).kind is Kind.TENSOR:
            return f"`{node.func.value}(...)` reads a tensor"
        if node.func.value == "print":
            return "it prints"
    return None

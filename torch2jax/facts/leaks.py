"""Tensors that code below a gradient hands to objects that live on: in JAX they are values of the trace, and of no use behind it.

def scale(x):
    seen.append(x.mean())             leaks where scale runs in a training step
    seen.append(x.detach().mean())    a number, as torch sees it: no gradient goes through it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.contexts import is_under_no_grad
from torch2jax.facts.infer import Values
from torch2jax.facts.object_changes import object_changes
from torch2jax.program.definitions import Definition, How
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_WITHOUT_GRADIENT = frozenset(
    {"detach", "item", "tolist", "numpy", "argmax", "argmin", "argsort", "size", "dim", "numel"}
)
_FLOATS = ("float", "bfloat", "complex")


def leaked_tensors(nodes: Sequence[cst.CSTNode], values: Values) -> Iterator[tuple[cst.BaseExpression, str]]:
    """The tensors that what code calls puts into objects from outside, each with the name of the object."""
    changes = object_changes(values).within(nodes)
    names = {store: change.variable.name for change in changes for store in change.stores}
    own = {node for part in nodes for node in descendants(part)} if names else set()
    for store in values.program.index.nodes if names else ():
        if store in names and store not in own and not is_under_no_grad(store, values):
            for stored in _stored_values(store, values):
                if _may_carry_gradient(stored, values):
                    yield stored, names[store]


def _stored_values(store: cst.CSTNode, values: Values) -> Iterator[cst.BaseExpression]:
    match store:
        case cst.Call():
            yield from (argument.value for argument in store.args)
        case cst.AugAssign():
            yield store.value
        case cst.AssignTarget():
            assign = values.program.index.parents[store]
            if isinstance(assign, cst.Assign):
                yield assign.value


def _may_carry_gradient(node: cst.BaseExpression, values: Values, depth: int = 8) -> bool:
    """Whether a value is, or holds, a tensor that may depend on what is trained."""
    value = values(node)
    if isinstance(node, (cst.List, cst.Tuple, cst.Set, cst.Dict)):
        return any(_may_carry_gradient(item.value, values, depth) for item in node.elements)
    if value.kind is not Kind.TENSOR or not depth or (value.dtype is not None and not value.dtype.startswith(_FLOATS)):
        return value.kind is Kind.TENSOR and not depth
    match node:
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(name))) if values(receiver).kind is Kind.TENSOR:
            parts = [receiver, *(argument.value for argument in node.args)]
            return name not in _WITHOUT_GRADIENT and any(_may_carry_gradient(part, values, depth) for part in parts)
        case cst.Call():
            return any(_may_carry_gradient(argument.value, values, depth) for argument in node.args)
        case cst.BinaryOperation():
            return any(_may_carry_gradient(part, values, depth) for part in (node.left, node.right))
        case cst.Subscript():
            return _may_carry_gradient(node.value, values, depth)
        case cst.Attribute():
            return node.attr.value not in ("data", "grad")
        case cst.Name():
            bound = values.program.definitions.of(node)
            given = [item.value for item in bound if item.value is not None and _gives_tensor(item, values)]
            return len(given) < len(bound) or any(_may_carry_gradient(item, values, depth - 1) for item in given)
    return True


def _gives_tensor(definition: Definition, values: Values) -> bool:
    """Whether a variable is what an expression gives, or row after row of a tensor."""
    if definition.how is How.NEXT and definition.value is not None:
        return values(definition.value).kind is Kind.TENSOR
    return definition.how is How.ASSIGNED


__all__ = ["leaked_tensors"]

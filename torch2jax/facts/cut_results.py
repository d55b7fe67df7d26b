"""Functions whose results no gradient goes through: what they compute is cut from its graph before they give it.

def attack(model, x, y):
    x = x.clone().requires_grad_()
    grad = torch.autograd.grad(f(model(x), y), x)[0]
    return (x + 0.1 * grad.sign()).detach()

What they are given themselves counts as cut: their callers see where that comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.contexts import turns_off
from torch2jax.facts.effects import is_discrete
from torch2jax.facts.infer import Values
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import Function, dotted, root_name
from torch2jax.program.statements import assigned_pairs
from torch2jax.syntax.walk import bound_names, own_nodes
from torch2jax.values import Kind

_WITHOUT_GRADIENT = re.compile(
    r".*_like$|new_.*|^(size|detach_?|stop_gradient|item|dim|numel|argmax|argmin|argsort|tolist|numpy|multinomial|rand|randn|len|range"
    r"|parameters|named_parameters|state_dict|isinstance|print|one_hot)$"
)
NO_VALUE = {"shape", "dtype", "device", "ndim", "data", "grad", "requires_grad", "indices"}
_CUTTING = {"detach", "detach_", "stop_gradient", "item", "tolist", "numpy", "argmax", "argmin", "size", "dim", "numel"}
_OF_ENVIRONMENTS = {"step", "reset", "sample"}  # which know nothing of gradients
_CUT_FIELDS = {"data", "shape", "dtype", "device", "ndim"}
_PLAIN = {Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.SIZE, Kind.DEVICE, Kind.DTYPE, Kind.TORCH}


class CutResults:
    """Answers for the functions of a program, each of which is looked at once."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self._known: dict[Function, bool] = {}
        self._variables: dict[tuple[Function, str], bool] = {}

    def gives_cut(self, function: Function) -> bool:
        """Whether all that a function gives is cut from what it was computed from, or is what it was given."""
        if function not in self._known:
            self._known[function] = True  # where it comes from itself, the others decide
            self._known[function] = self._is_under_no_grad(function) or all(
                node.value is None or self.is_cut(node.value, function) for node in _given_back(function)
            )
        return self._known[function]

    def _is_under_no_grad(self, function: Function) -> bool:
        return any(turns_off(item.decorator, self.values) for item in function.node.decorators)

    def is_cut(self, node: cst.CSTNode, function: Function) -> bool:
        """Whether a value in a function is cut from what it was computed from, or is what the function was given."""
        value = self.values(node)
        if value.kind in _PLAIN or (value.kind is Kind.TENSOR and is_discrete(value.dtype)):
            return True
        if value.kind is Kind.PYTHON and str(value.const).startswith("numpy."):
            return True
        match node:
            case cst.Name(name):
                return self._is_cut_variable(name, function)
            case cst.Attribute(value=inner, attr=cst.Name(name)):
                is_of_tensor = self.values(inner).kind is Kind.TENSOR
                return name in _CUT_FIELDS or (is_of_tensor and self.is_cut(inner, function))
            case cst.Call():
                return self._is_cut_call(node, function)
            case cst.Subscript(value=inner) | cst.UnaryOperation(expression=inner):
                return self.is_cut(inner, function)
            case cst.BinaryOperation(left=one, right=other) | cst.IfExp(body=one, orelse=other):
                return self.is_cut(one, function) and self.is_cut(other, function)
            case cst.ListComp(elt=inner):
                return self.is_cut(inner, function)
            case cst.Dict(elements=elements):
                return all(self.is_cut(item.value, function) for item in elements)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                return all(self.is_cut(item.value, function) for item in elements)
        return isinstance(node, cst.BaseNumber | cst.BaseString | cst.Comparison)

    def _is_cut_call(self, node: cst.Call, function: Function) -> bool:
        name = (dotted(node.func) or "").rpartition(".")[2]
        if isinstance(node.func, cst.Attribute):
            name = node.func.attr.value
        if name in _CUTTING:
            return True
        parts: list[cst.CSTNode] = [item.value for item in node.args]
        callees = self.values.callees.get(node, ())
        if isinstance(node.func, cst.Attribute) and self.values.torch_name(node.func) is None:
            is_library = not callees and self._has_no_graphs(node.func)
            if self.values(node.func.value).is_a(Kind.TENSOR, Kind.PYTHON) and not is_library:
                parts.append(node.func.value)
            elif not callees and not is_library:
                return False
        elif not callees and self.values.torch_name(node.func) is None:
            return False
        if self.values(node.func).kind is Kind.MODULE:
            return False
        return all(map(self.gives_cut, callees)) and all(self.is_cut(part, function) for part in parts)

    def _has_no_graphs(self, function: cst.Attribute) -> bool:
        """Whether a method that is not of the program gives no graph of its own: of an environment, or of NumPy."""
        owner, const = self.values(function.value), self.values(function).const
        is_open = owner.is_a(Kind.UNKNOWN, Kind.PYTHON)
        return (is_open and function.attr.value in _OF_ENVIRONMENTS) or str(const).startswith("numpy.")

    def _is_cut_variable(self, name: str, function: Function) -> bool:
        """Whether all that a variable of a function may be is cut."""
        if (function, name) not in self._variables:
            self._variables[function, name] = True
            found = list(_bindings(name, function))
            is_own = bool(found) or name in function.parameter_names
            self._variables[function, name] = is_own and all(
                value is not None and self.is_cut(value, function) for value in found
            )
        return self._variables[function, name]


def has_no_gradient(name: str) -> bool:
    """Whether what a function or method of a name gives has no gradient, or is none of a tensor."""
    return _WITHOUT_GRADIENT.match(name) is not None


def cuts(node: cst.CSTNode) -> bool:
    """Whether an attribute of a tensor, or what a method gives, has none of its graph."""
    return isinstance(node, cst.Attribute) and (node.attr.value in NO_VALUE or has_no_gradient(node.attr.value))


def _given_back(function: Function) -> Iterator[cst.Return | cst.Yield]:
    for node in own_nodes(function.node):
        if isinstance(node, (cst.Return, cst.Yield)):
            yield node


def _bindings(name: str, function: Function) -> Iterator[cst.BaseExpression | None]:
    """What the variable becomes, gets as an element, or is changed with; None where that is not seen."""
    for node in own_nodes(function.node):
        match node:
            case cst.Assign(targets=targets, value=value):
                for item in targets:
                    for one, other in assigned_pairs(item.target, value):
                        if name in bound_names(one) or root_name(one) == name:
                            yield other
            case cst.AugAssign(target=target, value=value) | cst.AnnAssign(target=target, value=value):
                if root_name(target) == name:
                    yield value
            case cst.For(target=target, iter=value):
                if name in bound_names(target):
                    yield value
            case cst.NamedExpr(target=target) | cst.AsName(name=target):
                if name in bound_names(target):
                    yield None
            case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(method)), args=args):
                if root_name(base) == name and (is_inplace_name(method) or method in ("append", "extend", "insert")):
                    yield from (item.value for item in args)


__all__ = ["NO_VALUE", "CutResults", "cuts", "has_no_gradient"]

"""Whether torch has recorded how a tensor was computed: what `y.requires_grad` says of a value that is no parameter.

x = torch.ones(2, requires_grad=True)
y = x * 2                                  recorded, as one of its parts is
with torch.no_grad():
    z = x * 2                              not recorded: what is made there is not
w = y.detach()                             not recorded

An answer is given only where one binding reaches each name on the way and every call is of torch; else it is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from torch2jax.facts.contexts import gradient_set, is_under_no_grad
from torch2jax.facts.infer import Values
from torch2jax.ops.contexts import GRADIENT_CONTEXTS, Gradient
from torch2jax.ops.rules import INTEGERS
from torch2jax.ops.schema import Tables, is_inplace_name
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_PLAIN = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.SIZE, Kind.DTYPE, Kind.DEVICE})
_CUTS = frozenset(
    {"detach", "argmax", "argmin", "argsort", "bernoulli", "multinomial", "sign", "floor", "round", "ceil"}
)
_DEPTH = 40


def is_recorded(node: cst.BaseExpression, values: Values, tables: Tables) -> bool | None:
    """Whether the tensor requires a gradient; None if that is not known."""
    return _Recorded(values, tables).of(node, _DEPTH)


class _Recorded:
    def __init__(self, values: Values, tables: Tables) -> None:
        self.values = values
        self.tables = tables
        self.program = values.program

    def of(self, node: cst.BaseExpression, depth: int) -> bool | None:
        value = self.values(node)
        if depth == 0:
            return None
        if value.kind in _PLAIN or (value.kind is Kind.TENSOR and value.dtype in ("bool", *INTEGERS)):
            return False
        match node:
            case cst.Name():
                return self.of_name(node, depth)
            case cst.BinaryOperation(left=left, right=right):
                return self.computed(node, (left, right), depth)
            case cst.UnaryOperation(expression=part) | cst.Subscript(value=part):
                return self.computed(node, (part,), depth)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                return self.either([item.value for item in elements], depth)
            case cst.Attribute(value=part, attr=cst.Name("T" | "mT" | "real" | "imag")):
                return self.computed(node, (part,), depth)
            case cst.Attribute(attr=cst.Name("data")):
                return False
            case cst.Call():
                return self.of_call(node, depth)
        return None

    def of_name(self, node: cst.Name, depth: int) -> bool | None:
        bound = self.program.definitions.only(node)
        if bound is None or bound.how is not How.ASSIGNED or bound.value is None:
            return None
        changes = [item for item in self.changed() if self.is_of(item, node) and not self.is_behind(item, node)]
        if changes:
            return True if all(self.is_asked(item, bound) for item in changes) else None
        return self.of(bound.value, depth - 1)

    def is_of(self, item: cst.BaseExpression, node: cst.Name) -> bool:
        """Whether what is changed may be what a variable holds, under any name."""
        found = [self.program.definitions.only(part) for part in (item, node) if isinstance(part, cst.Name)]
        is_apart = len(found) == 2 and None not in found and found[0] is not found[1]
        is_named = dotted(item) == node.value and not is_apart
        return is_named or bool(self.values(item).roots & self.values(node).roots)

    def is_behind(self, item: cst.BaseExpression, node: cst.Name) -> bool:
        """Whether lines of the file that run once change something behind a read."""
        order = self.program.index.order
        return all(map(self.runs_once, (item, node))) and order[item] > order[node]

    def runs_once(self, node: cst.CSTNode) -> bool:
        index = self.program.index
        return index.parents.get(index.statement_of(node)) is index.module

    def is_asked(self, item: cst.BaseExpression, bound: Definition) -> bool:
        """Whether a line of the file, `x.requires_grad_()` or `x = x.requires_grad_()`, asks for gradients of what a variable holds."""
        match method := self.program.index.parents[item]:
            case cst.Attribute(attr=cst.Name("requires_grad_")):
                call = self.program.index.parents[method]
            case _:
                return False
        assert bound.value is not None
        is_held = item in descendants(bound.value) or (
            isinstance(item, cst.Name) and self.program.definitions.only(item) is bound
        )
        is_line = isinstance(self.program.index.parents[call], cst.Expr | cst.Assign) and self.runs_once(item)
        return is_held and is_line and isinstance(call, cst.Call) and not call.args

    def changed(self) -> Iterator[cst.BaseExpression]:
        """What a file changes: `x.requires_grad_()`, `x.requires_grad = True`, `x += y`, `x[0] = y`, `x.add_(y)`."""
        index = self.program.index
        for node in index.every(cst.AugAssign, cst.AssignTarget):
            target = node.target  # type: ignore[attr-defined]
            if isinstance(target, cst.Subscript | cst.Attribute):
                yield target.value
            elif isinstance(node, cst.AugAssign):
                yield target
        for call in index.calls:
            if isinstance(call.func, cst.Attribute) and is_inplace_name(call.func.attr.value):
                yield call.func.value

    def of_call(self, node: cst.Call, depth: int) -> bool | None:
        asked = self.asked(node)
        if asked is not None:
            return asked
        name = self.values.torch_name(node.func)
        arguments = [item.value for item in node.args if not item.star]
        if len(arguments) != len(node.args):
            return None
        if name is not None:
            if name in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
                return True
            return self.computed(node, arguments, depth) if name in self.tables.functions else None
        match node.func:
            case cst.Attribute(value=part, attr=cst.Name(method)) if self.values(part).kind is Kind.TENSOR:
                if method in _CUTS:
                    return False
                if method.endswith("_") or self.tables.method(method) is None:
                    return None
                return self.computed(node, (part, *arguments), depth)
        return self.of_function(node)

    def of_function(self, node: cst.Call) -> bool | None:
        """What a function gives that records nothing, if what it gives is new."""
        functions = list(self.values.reached_by(node))
        value = self.values(node)
        is_new = (
            value.kind is Kind.TENSOR and bool(value.roots) and all(root.startswith("new:") for root in value.roots)
        )
        if not functions or not is_new:
            return None
        modes = [gradient_set(item.decorator, self.values) for found in functions for item in found.node.decorators]
        return False if len(modes) == len(functions) and set(modes) == {Gradient.OFF} else None

    def asked(self, node: cst.Call) -> bool | None:
        """What `requires_grad=` says."""
        for item in node.args:
            if item.keyword is not None and item.keyword.value == "requires_grad":
                known = self.values(item.value).const
                return known if isinstance(known, bool) else None
        return None

    def computed(self, node: cst.BaseExpression, parts: Iterable[cst.BaseExpression], depth: int) -> bool | None:
        """What is computed is recorded if one of its parts is, where the mode is known."""
        mode = self.mode(node)
        if mode is False:
            return False
        found = self.either(parts, depth)
        return found if found is False or mode else None

    def either(self, parts: Iterable[cst.BaseExpression], depth: int) -> bool | None:
        """Whether one of several is recorded."""
        found = [self.of(part, depth - 1) for part in parts]
        return True if True in found else None if None in found else False

    def mode(self, node: cst.BaseExpression) -> bool | None:
        """Whether computations are recorded where a node stands; None if that is not known."""
        switches = [item for item in self.program.index.calls if self.values.torch_name(item.func) in GRADIENT_CONTEXTS]
        if any(isinstance(self.program.index.parents[item], cst.Expr | cst.Assign) for item in switches):
            return None
        if is_under_no_grad(node, self.values):
            return False
        if self.program.is_imported or self.program.index.function_of(node) is not None:
            return None
        return None if self.has_other_mode(node) else True

    def has_other_mode(self, node: cst.BaseExpression) -> bool:
        for around in self.program.index.ancestors(node):
            if isinstance(around, cst.With):
                modes = {gradient_set(item.item, self.values) for item in around.items} - {None}
                if modes:
                    return modes != {Gradient.ON}
        return False


__all__ = ["is_recorded"]

"""Tensors that have an axis for sure, though nothing says how many: what they pick as indices is new.

which[prior] = n                 something was picked of `which` itself before
label = labels[which]

_, which = x.max(dim=1)          `x` has two axes at least, and `which` one less

A must-analysis over the statements that run ahead of a use on all ways, backwards to the definitions of a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from operator import is_not

import libcst as cst

from torch2jax.program.program import Program
from torch2jax.values import Kind, Value

Look = Callable[[cst.CSTNode], Value]
_REDUCING = frozenset({"max", "min", "argmax", "argmin", "median", "mode"})
_ORDERING = frozenset(
    {"topk", "sort", "argsort", "unique", "multinomial", "repeat"}
)  # of one number nobody asks for them
_OF_NUMBERS = frozenset({"argmax", "argmin"})  # which give one tensor
_NOT_SURELY = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.BaseComp, cst.FunctionDef, cst.ClassDef)


def has_axis(name: cst.Name, program: Program, look: Look) -> bool:
    """Whether the tensor in a variable has an axis at least where the variable is read."""
    return _was_indexed(name, program, look) or _is_reduced(name, program, look)


def _was_indexed(name: cst.Name, program: Program, look: Look) -> bool:
    own = set(program.definitions.of(name))
    return bool(own) and any(
        isinstance(part.value, cst.Name)
        and part.value.value == name.value
        and set(program.definitions.of(part.value)) == own
        and any(_takes_axis(element.slice, look) for element in part.slice)
        for part in _surely_before(name, program)
    )


def _surely_before(name: cst.Name, program: Program) -> Iterator[cst.Subscript]:
    """The subscripts of the lines that have run wherever an expression runs, in the function around it."""
    parents = program.index.parents
    node: cst.CSTNode | None = program.index.statement_of(name)
    while node is not None and not isinstance(node, (cst.FunctionDef, cst.Module)):
        block = parents.get(node)
        if isinstance(block, (cst.IndentedBlock, cst.Module)):
            for line in takewhile(partial(is_not, node), block.body):
                if isinstance(line, cst.SimpleStatementLine):
                    yield from _evaluated(line)
        node = block


def _evaluated(line: cst.CSTNode) -> Iterator[cst.Subscript]:
    for child in line.children:
        if isinstance(child, cst.Subscript):
            yield child
        if not isinstance(child, _NOT_SURELY):
            yield from _evaluated(child)


def _takes_axis(element: cst.BaseSlice, look: Look) -> bool:
    """Whether no tensor without axes has such an index: masks, `None` and `...` it may have."""
    if not isinstance(element, cst.Index):
        return True
    value = look(element.value)
    return is_index(value) or value.kind in (Kind.INT, Kind.LIST) or isinstance(element.value, cst.Integer)


def _is_reduced(name: cst.Name, program: Program, look: Look) -> bool:
    """Whether a variable holds what was reduced along an axis that is not the only one."""
    found, parents = program.definitions.only(name), program.index.parents
    around, names = (parents.get(found.node) if found is not None else None), _REDUCING
    if isinstance(around, cst.Element):  # best, which = x.max(dim=1)
        around, names = parents.get(parents[around]), _REDUCING - _OF_NUMBERS
    line = parents.get(around) if isinstance(around, cst.AssignTarget) else None
    value = line.value if isinstance(line, cst.Assign) else None
    match value:
        case cst.Attribute(value=inner, attr=cst.Name("values" | "indices")) | cst.Subscript(value=inner):
            value, names = inner, _REDUCING - _OF_NUMBERS
    match value:
        case cst.Call(func=cst.Attribute(attr=cst.Name(method)) as func) if method in _ORDERING:
            return look(value).kind is not Kind.UNKNOWN or look(func).kind is Kind.TORCH
        case cst.Call(func=cst.Attribute(value=reduced, attr=cst.Name(method)) as func, args=args) if method in names:
            is_method = look(reduced).kind is Kind.TENSOR
            if not is_method and look(func).kind is not Kind.TORCH:
                return False
            positional = [item.value for item in args if item.keyword is None][0 if is_method else 1 :]
            given = [item.value for item in args if item.keyword is not None and item.keyword.value == "dim"]
            numbers = [look(item).const for item in given or positional[:1]]
            return any(type(number) is int and (number > 0 or number < -1) for number in numbers)
    return False


def is_index(value: Value) -> bool:
    """Whether a value is a tensor of whole numbers, and no mask."""
    return value.kind is Kind.TENSOR and value.dtype is not None and value.dtype.startswith("int")


__all__ = ["has_axis", "is_index"]

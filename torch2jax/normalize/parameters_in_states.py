"""Loops over the names of a state dict that set parameters alone, normalized to loops over these.

for key in self.state_dict():                                for key, entry in self.named_parameters():
    if key.split(".")[-1] == "weight":                  ->       if key.split(".")[-1] == "weight":
        init.kaiming_normal_(self.state_dict()[key])                 init.kaiming_normal_(entry.data)
    elif key.endswith("bias"):                                   elif key.endswith("bias"):
        self.state_dict()[key][...] = 0                              entry.data[...] = 0

The tensors of a state dict are those of the module. No buffer of a layer of torch has such a name, and the program has none.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_PARAMETERS = frozenset({"weight", "bias"})


def normalize_parameters_in_states(work: NormalizationRound) -> None:
    """Normalize all such loops of a file."""
    if not work.program.mentions("state_dict") or work.program.mentions("register_buffer"):
        return
    for loop in work.index.every(cst.For):
        module = _module(loop.iter)
        if module is None or work.values(module).kind is not Kind.MODULE or not isinstance(loop.target, cst.Name):
            continue
        name, path = loop.target.value, dotted(module) or ""
        read = [node for node in descendants(loop.body) if _reads(node, path, name)]
        if read and loop.orelse is None and _sets_parameters_alone(work, loop, name, path, len(read)):
            entry = work.names_at(loop)("entry")
            work.edits.replace(loop.target, partial(_pair, name, entry))
            work.edits.replace(loop.iter, lambda rewrite, path=path: quote(f"{path}.named_parameters()"))  # type: ignore[misc]
            for node in read:
                work.edits.replace(node, partial(_data, entry))


def _module(names: cst.BaseExpression) -> cst.BaseExpression | None:
    """The module of `module.state_dict()`, also with `.keys()` behind it."""
    match names:
        case cst.Call(func=cst.Attribute(value=cst.Call() as state, attr=cst.Name("keys")), args=[]):
            return _module(state)
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("state_dict")), args=[]):
            return module if dotted(module) is not None else None
    return None


def _reads(node: cst.CSTNode, path: str, name: str) -> bool:
    """Whether a node is `module.state_dict()[key]`."""
    match node:
        case cst.Subscript(value=state, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name(key)))]):
            return key == name and isinstance(state, cst.Call) and dotted(_module(state)) == path
    return False


def _sets_parameters_alone(work: NormalizationRound, loop: cst.For, name: str, path: str, read: int) -> bool:
    """Whether a loop does nothing for other names than those of parameters, and speaks of the module in no other way."""
    function = work.index.function_of(loop) or work.index.module
    below = set(descendants(loop))
    outside = [node for node in descendants(function) if node not in below]
    if any(isinstance(node, cst.Name) and node.value == name and not work.index.is_label(node) for node in outside):
        return False
    binding = (cst.AssignTarget, cst.AugAssign, cst.For)
    bound = [node.target for node in descendants(loop.body) if isinstance(node, binding)]
    if any(name in bound_names(target) for target in bound):
        return False
    root = path.partition(".")[0]
    spoken = [node for node in descendants(loop.body, cst.Name) if node.value == root and not work.index.is_label(node)]
    return len(spoken) == read and all(_is_of_parameters(line, name) for line in loop.body.body)


def _is_of_parameters(line: cst.CSTNode | None, name: str) -> bool:
    """Whether a statement is a condition, with others behind it, that only names of parameters meet."""
    match line:
        case cst.If(test=test, orelse=None):
            return _names_parameter(test, name)
        case cst.If(test=test, orelse=cst.If() as other):
            return _names_parameter(test, name) and _is_of_parameters(other, name)
    return False


def _names_parameter(test: cst.BaseExpression, name: str) -> bool:
    match test:
        case cst.BooleanOperation(left=left, operator=cst.And(), right=right):
            return _names_parameter(left, name) or _names_parameter(right, name)
        case cst.Comparison(
            left=cst.Subscript(
                value=cst.Call(
                    func=cst.Attribute(value=cst.Name(key), attr=cst.Name("split" | "rsplit")),
                    args=[cst.Arg(value=cst.SimpleString() as dot)],
                ),
                slice=[
                    cst.SubscriptElement(
                        slice=cst.Index(value=cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer("1")))
                    )
                ],
            ),
            comparisons=[cst.ComparisonTarget(operator=cst.Equal(), comparator=cst.SimpleString() as word)],
        ):
            return key == name and dot.evaluated_value == "." and word.evaluated_value in _PARAMETERS
        case cst.Call(
            func=cst.Attribute(value=cst.Name(key), attr=cst.Name("endswith")),
            args=[cst.Arg(value=cst.SimpleString() as word)],
        ):
            return key == name and str(word.evaluated_value).rpartition(".")[2] in _PARAMETERS
    return False


def _pair(name: str, entry: str, rewrite: Rewriter) -> cst.CSTNode:
    return cst.ensure_type(quote(f"({name}, {entry})"), cst.Tuple).with_changes(lpar=(), rpar=())


def _data(entry: str, rewrite: Rewriter) -> cst.CSTNode:
    return quote(f"{entry}.data")


__all__ = ["normalize_parameters_in_states"]

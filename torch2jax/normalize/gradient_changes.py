"""Loops that give the gradients of a module other values: each gradient has a name, from which it is given back.

for name, p in model.named_parameters():            for name, p in model.named_parameters():
    if "weight" in name:                      ->        gradient = p.grad.clone()
        p.grad.data.mul_(p.data.ne(0))                  if "weight" in name:
                                                            gradient.mul_(p.data.ne(0))
                                                        p.grad = gradient

Loops that multiply all gradients by a number, cut them, or empty them have words of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.gradient_reads import gradient_change, scales_gradients, source_of
from torch2jax.facts.parameter_loops import changes_tensor
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_NO_VALUES = frozenset({"zero_", "detach_", "requires_grad_"})


def normalize_gradient_changes(work: NormalizationRound) -> None:
    """Normalize all such loops of a file, in programs that train."""
    if not work.program.mentions("backward") or not work.program.mentions("grad"):
        return
    for loop in work.index.every(cst.For):
        assert isinstance(loop, cst.For)
        if not isinstance(loop.body, cst.IndentedBlock) or gradient_change(loop) is not None:
            continue
        changed = [name for name in sorted(bound_names(loop.target)) if any(changes_of_gradient(loop, name))]
        if len(changed) == 1 and _is_one_of_parameters(work, loop, changed[0]):
            _name_gradient(work, loop, changed[0])


def changes_of_gradient(loop: cst.For, variable: str) -> Iterator[bool]:
    """For each place of a loop that gives the gradient of a variable other values."""
    for node in descendants(loop.body):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
                if _root(target) == variable and dotted(value) != "None":
                    yield True
            case cst.AugAssign(target=target) if _root(target) == variable:
                yield True
            case cst.Call(func=cst.Attribute(value=changed, attr=cst.Name(method))) if is_inplace_name(method):
                if method not in _NO_VALUES and _root(changed) == variable:
                    yield True


def _root(node: cst.CSTNode) -> str | None:
    """`p` of `p.grad`, `p.grad.data[0]` and `p.grad.mul_(2)`."""
    owner = owner_of_gradient(node)
    return owner.value if isinstance(owner, cst.Name) else None


def owner_of_gradient(node: cst.CSTNode) -> cst.BaseExpression | None:
    """The parameter whose gradient a place is, or lies in: `net.fc.weight` of `net.fc.weight.grad.data[0]`."""
    match node:
        case cst.Attribute(value=owner, attr=cst.Name("grad")):
            return owner
        case cst.Attribute(value=inner, attr=cst.Name("data")) | cst.Subscript(value=inner):
            return owner_of_gradient(inner)
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(method))) if is_inplace_name(method):
            return owner_of_gradient(inner)
    return None


def _is_one_of_parameters(work: NormalizationRound, loop: cst.For, variable: str) -> bool:
    """Whether a loop gives gradients of the parameters of one module other values, which its variable stands for, and nothing
    else of the kind is done in it.
    """
    module = source_of(loop.target, loop.iter, variable)
    if module is None or dotted(module) is None or work.values(module).kind is not Kind.MODULE:
        return False
    if scales_gradients(loop, variable) or changes_tensor(loop.body, variable, work.values):
        return False
    for node in descendants(loop.body):
        match node:
            case cst.Call() if (work.values.torch_name(node.func) or "").startswith("torch.distributed"):
                return False
            case cst.Assign(targets=targets, value=value) if dotted(value) == "None":
                if any(_root(item.target) == variable for item in targets):
                    return False
            case cst.Call(func=cst.Attribute(value=changed, attr=cst.Name(method))) if method in _NO_VALUES:
                if _root(changed) == variable:
                    return False
    return True


def _name_gradient(work: NormalizationRound, loop: cst.For, variable: str) -> None:
    held = work.names_at(loop)("gradient")
    for node in descendants(loop.body):
        if isinstance(node, cst.Attribute) and dotted(node) == f"{variable}.grad":
            parent = work.index.parents[node]
            is_data = isinstance(parent, cst.Attribute) and parent.attr.value == "data"
            work.edits.replace(parent if is_data else node, always(cst.Name(held)))
    first, last = loop.body.body[0], loop.body.body[-1]
    work.edits.before(first, always_statements([quote_statement(f"{held} = {variable}.grad.clone()")]))
    work.edits.after(last, always_statements([quote_statement(f"{variable}.grad = {held}")]))


__all__ = ["changes_of_gradient", "normalize_gradient_changes", "owner_of_gradient"]

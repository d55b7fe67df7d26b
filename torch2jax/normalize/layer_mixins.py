"""Classes that only go on to what stands behind them in the bases of others, normalized before all else: their methods are written there.

class Bottle(nn.Module):                               class Linear(nn.Linear):
    def forward(self, x):                                  def forward(self, x):
        return super().forward(x.flatten(0, 1))   ->           return super().forward(x.flatten(0, 1))

class Linear(Bottle, nn.Linear):
    pass

Such a class makes nothing, is named by nothing else, and stands directly in front of a layer of torch; what derives from it has no
methods of the same names.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import partial
from typing import TypeGuard

import libcst as cst

from torch2jax.normalize.insertion import imported_names
from torch2jax.program.program import dotted, is_super
from torch2jax.program.statements import is_pass
from torch2jax.syntax.edits import Edits, Rewriter, apply_edits, is_docstring
from torch2jax.syntax.walk import Index, build_index, descendants

_BASES = frozenset({"object", "torch.nn.Module"})
_Line = cst.SimpleStatementLine | cst.BaseCompoundStatement


def with_methods_of_mixins(index: Index, named: Container[str] = ()) -> Index:
    """The file in which layers have the methods of such classes themselves, but of those that other files may have `named`."""
    bound = imported_names(index)
    mixins = [node for node in index.module.body if isinstance(node, cst.ClassDef) and _is_mixin(node, bound)]
    edits = Edits()
    for mixin in mixins:
        users = _users(index, mixin, bound)
        if users and mixin.name.value not in named and all(_can_take(user, mixin) for user in users):
            edits.remove(mixin)
            for user in users:
                edits.replace(user, partial(_merged, user, mixin))
    return build_index(apply_edits(index.module, edits, index.parents)) if edits.touched() else index


def _is_mixin(node: cst.ClassDef, bound: dict[str, str]) -> bool:
    """Whether a class of plain methods and constants goes on to a method that neither it nor its base has."""
    bases = [_name_of(item.value, bound) for item in node.bases]
    if node.keywords or node.decorators or len(bases) > 1 or not set(bases) <= _BASES:
        return False
    names = [item.value for item in descendants(node.body) if isinstance(item, cst.Name)]
    is_mangled = any(name.startswith("__") and not name.endswith("__") for name in names)
    called = [item.attr.value for item in descendants(node.body) if _is_of_super(item)]
    return bool(called) and "__init__" not in {*called, *_bound(node)} and not is_mangled and None not in _bound(node)


def _users(index: Index, mixin: cst.ClassDef, bound: dict[str, str]) -> Sequence[cst.ClassDef]:
    """The classes that derive from a class and a layer; none if anything else names it."""
    name, inside = mixin.name.value, {*descendants(mixin)}
    users: list[cst.ClassDef] = []
    for node in index.names:
        if node.value != name or node is mixin.name or index.is_label(node):
            continue
        above = index.parents[node]
        holder = index.parents[above]
        if node in inside and is_super(holder) and holder.args[0] is above:
            continue
        is_base = isinstance(holder, cst.ClassDef) and holder in index.module.body and above in holder.bases
        if not is_base or not isinstance(holder, cst.ClassDef) or node in inside:
            return ()
        users.append(holder)
    layers = [_name_of(user.bases[1].value, bound) for user in users if len(user.bases) == 2]
    stands_first = all(dotted(user.bases[0].value) == name for user in users)
    are_layers = all(item.startswith("torch.nn.") and item not in _BASES for item in layers)
    return users if stands_first and are_layers and len(layers) == len(users) else ()


def _can_take(user: cst.ClassDef, mixin: cst.ClassDef) -> bool:
    """Whether a class neither has what it is to be given, nor goes on to it."""
    called = {item.attr.value for item in descendants(user.body) if _is_of_super(item)}
    return _bound(mixin).isdisjoint({*_bound(user), *called, None}) and not user.keywords


def _merged(user: cst.ClassDef, mixin: cst.ClassDef, rewrite: Rewriter) -> cst.CSTNode:
    own = cst.ensure_type(rewrite.inside(user), cst.ClassDef)
    kept = [line for line in _lines(own) if not is_pass(line)]
    given = [_of_its_own(line) for line in _lines(mixin) if not is_pass(line) and not is_docstring(line)]
    bases = [own.bases[1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]
    return own.with_changes(bases=bases, body=cst.IndentedBlock([*kept, *given]))


def _of_its_own(line: _Line) -> _Line:
    """A statement of another class, which goes on from the class that it is written in."""
    made = line.deep_clone()
    while (named := next((item for item in descendants(made) if is_super(item) and item.args), None)) is not None:
        made = cst.ensure_type(made.deep_replace(named, cst.Call(cst.Name("super"))), type(line))
    return made


def _lines(node: cst.ClassDef) -> Sequence[_Line]:
    if isinstance(node.body, cst.IndentedBlock):
        return [item for item in node.body.body if isinstance(item, _Line)]
    return [cst.SimpleStatementLine(list(cst.ensure_type(node.body, cst.SimpleStatementSuite).body))]


def _bound(node: cst.ClassDef) -> set[str | None]:
    """The names that a class binds; None among them for what is no plain method or constant."""
    found: set[str | None] = set()
    for line in _lines(node):
        match line:
            case cst.FunctionDef(name=cst.Name(name)):
                found.add(name)
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))])]
                | [cst.AnnAssign(target=cst.Name(name))]
            ):
                found.add(name)
            case _ if not is_pass(line) and not is_docstring(line):
                found.add(None)
    return found


def _is_of_super(node: cst.CSTNode) -> TypeGuard[cst.Attribute]:
    return isinstance(node, cst.Attribute) and is_super(node.value)


def _name_of(node: cst.BaseExpression, bound: dict[str, str]) -> str:
    """The full name of what a file has imported."""
    first, dot, rest = (dotted(node) or "").partition(".")
    return f"{bound.get(first, first)}{dot}{rest}"


__all__ = ["with_methods_of_mixins"]

"""Functions with a gradient of their own that are written inside of the module which uses them, put in front of it.

class Mish(nn.Module):                              class MishF(torch.autograd.Function):
    class F(torch.autograd.Function):                   ...
        ...                                  ->
                                                    class Mish(nn.Module):
    def forward(self, x):                               def forward(self, x):
        return self.F.apply(x)                              return MishF.apply(x)

So are constants of such classes, which functions have no place for:

class Spike(torch.autograd.Function):               SPIKE_SCALE = 10.0
    scale = 10.0                             ->     class Spike(torch.autograd.Function):
    ... Spike.scale ...                                 ... SPIKE_SCALE ...
"""

from __future__ import annotations

import re
from collections.abc import Set

import libcst as cst

from torch2jax.normalize.insertion import imported_names, torch_name_of
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Edits, always, always_statements, apply_edits
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import Index, build_index, is_label

_BASES = {"torch.autograd.Function", "torch.autograd.function.Function"}
_BLANK = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]


def with_functions_outside(index: Index, named: Set[str] = frozenset()) -> Index:
    """The file with such classes in front of those that they stand in; `named` are the names that other files may have from it."""
    bound = imported_names(index)
    meant = {
        node for node in index.every(cst.ClassDef) for base in node.bases if torch_name_of(base.value, bound) in _BASES
    }
    if not meant:
        return index
    edits, fresh = Edits(), FreshNames({node.value for node in index.names if not is_label(node, index.parents[node])})
    for owner in index.module.body:
        for item in owner.body.body if isinstance(owner, cst.ClassDef) else ():
            if isinstance(owner, cst.ClassDef) and isinstance(item, cst.ClassDef) and item in meant:
                _move(index, edits, owner, item, fresh)
        if isinstance(owner, cst.ClassDef) and owner in meant and named.isdisjoint((owner.name.value, "*")):
            _move_constants(index, edits, owner, fresh)
    return build_index(apply_edits(index.module, edits, index.parents)) if edits.statements else index


def _move(index: Index, edits: Edits, owner: cst.ClassDef, item: cst.ClassDef, fresh: FreshNames) -> None:
    """Put one class in front, if all that ask for it by its name do so of the class around it, or of an object of that."""
    own = item.name.value
    found = [node for node in index.attributes if node.attr.value == own]
    meant = [node for node in found if _means(index, node, owner)]
    others = {node for node in found if node not in meant and dotted(node.value) in (None, "self", "cls")}
    if others or len(owner.body.body) == 1:
        return
    name = fresh(f"{owner.name.value.lstrip('_')}{own}")
    for node in meant:
        edits.replace(node, always(cst.Name(name)))
    edits.remove(item)
    moved = item.with_changes(name=cst.Name(name), leading_lines=_BLANK)
    edits.before(owner, always_statements([moved]))


def _move_constants(index: Index, edits: Edits, owner: cst.ClassDef, fresh: FreshNames) -> None:
    """Put numbers and texts that a class holds in front of it, if they are asked of the class by its name only."""
    for line in owner.body.body:
        match line:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Name(own))],
                        value=cst.Integer() | cst.Float() | cst.SimpleString() | cst.UnaryOperation() as value,
                    )
                ]
            ) if len(owner.body.body) > 1:
                asked = [node for node in index.attributes if node.attr.value == own]
                meant = [node for node in asked if dotted(node.value) == owner.name.value]
                stores = [node for node in meant if isinstance(index.parents[node], (cst.AssignTarget, cst.AugAssign))]
                inside = [node for node in asked if node not in meant and owner in index.ancestors(node)]
                if inside or any(index.function_of(node) is not None for node in stores):
                    continue
                words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", owner.name.value)
                name = fresh(f"{words}_{own}".lstrip("_").upper())
                for node in meant:
                    edits.replace(node, always(cst.Name(name)))
                edits.remove(line)
                edits.before(owner, always_statements([quote_statement(f"{name} = {{value}}", value=value)]))


def _means(index: Index, node: cst.Attribute, owner: cst.ClassDef) -> bool:
    """Whether `self.F` or `Mish.F` names a class that `Mish` has."""
    holder = dotted(node.value)
    is_inside = owner in index.ancestors(node)
    return holder == owner.name.value or (is_inside and holder in ("self", "cls"))


__all__ = ["with_functions_outside"]

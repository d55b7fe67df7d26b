"""Lists of modules whose members are added by names are dicts of modules.

self.models = nn.ModuleList()                             ->   self.models = nn.ModuleDict()
for i in range(3):                                             for i in range(3):
    self.models.add_module(f"disc_{i}", Net())                     self.models[f"disc_{i}"] = Net()
outs = [model(x) for model in self.models]                     outs = [model(x) for model in self.models.values()]

self.path.add_module("conv", nn.Conv2d(2, 3, 1))          ->   self.path["conv"] = nn.Conv2d(2, 3, 1)
x = self.path.conv(x)                                          x = self.path["conv"](x)

torch keeps the members of a list by names, too, and those of such a list are found by going through it, or by their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.submodule_fields import DICT_ATTRIBUTES, read_as_entry
from torch2jax.program.program import Class, dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement

_GOING_THROUGH = frozenset({"enumerate", "iter", "list", "reversed", "tuple", "zip"})


def normalize_named_list_members(work: NormalizationRound) -> None:
    """Normalize all such lists of a file."""
    if not work.program.mentions("add_module") or not work.program.mentions("ModuleList"):
        return
    for item in work.program.classes.values():
        init = item.methods.get("__init__")
        if not item.is_module or init is None or item.node not in work.index.parents:
            continue
        for assign in work.index.every(cst.Assign):
            field = (
                _new_list(work, assign, str(init.self_name)) if work.index.function_of(assign) is init.node else None
            )
            if field is not None:
                _normalize(work, item, assign, field)


def _new_list(work: NormalizationRound, assign: cst.Assign, own: str) -> str | None:
    """The field that a line makes an empty list of modules of."""
    match assign:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(name), attr=cst.Name(field)))],
            value=cst.Call(func=cst.Attribute() as function, args=[]),
        ) if name == own and work.values.torch_name(function) == "torch.nn.ModuleList":
            return field
    return None


def _normalize(work: NormalizationRound, item: Class, assign: cst.Assign, field: str) -> None:
    reads = [node for node in work.index.attributes if node.attr.value == field and _may_be_of(work, item, node)]
    made = assign.targets[0].target
    lines: list[cst.Call] = []
    through: list[cst.Attribute] = []
    named: list[cst.Attribute] = []
    names = set(_added_names(work, reads)) - DICT_ATTRIBUTES
    for node in reads:
        parent = work.index.parents[node]
        outer = work.index.parents.get(parent)
        match parent:
            case cst.AssignTarget() if node is made:
                continue
            case cst.Attribute(attr=cst.Name("add_module")) if isinstance(outer, cst.Call) and _is_line(work, outer):
                lines.append(outer)
            case cst.Attribute(attr=cst.Name(name)) if name in names:
                if isinstance(outer, (cst.AssignTarget, cst.AugAssign, cst.Del)):
                    return
                named.append(parent)
            case cst.For(iter=iterated) | cst.CompFor(iter=iterated) if iterated is node:
                through.append(node)
            case cst.Arg(star="") if isinstance(outer, cst.Call) and dotted(outer.func) in _GOING_THROUGH:
                through.append(node)
            case cst.Arg(star="") if isinstance(outer, cst.Call) and dotted(outer.func) == "len":
                continue
            case _:
                return
    if not lines:
        return
    function = cst.ensure_type(cst.ensure_type(assign.value, cst.Call).func, cst.Attribute)
    work.edits.replace(function, lambda rewrite: function.with_changes(attr=cst.Name("ModuleDict")))
    for call in lines:
        work.edits.replace(work.index.parents[call], lambda rewrite, call=call: _store(rewrite, call))  # type: ignore[misc]
    for part in named:
        read_as_entry(work, part)
    for node in through:
        work.edits.replace(
            node,
            lambda rewrite, node=node: quote("{members}.values()", members=rewrite.inside(node)),  # type: ignore[misc]
        )


def _added_names(work: NormalizationRound, reads: Sequence[cst.Attribute]) -> Iterator[str]:
    """The names that are written out where members are added."""
    for node in reads:
        parent = work.index.parents[node]
        match work.index.parents.get(parent):
            case cst.Call(func=cst.Attribute(attr=cst.Name("add_module")) as func, args=[name, _]) if func is parent:
                const = work.values(name.value).const
                if isinstance(const, str):
                    yield const


def _may_be_of(work: NormalizationRound, item: Class, node: cst.Attribute) -> bool:
    """Whether a field may be one of a class."""
    types = work.values(node.value).types
    return not types or item.key in types


def _is_line(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether `part.add_module(name, module)` stands alone."""
    is_plain = len(call.args) == 2 and all(not item.star and item.keyword is None for item in call.args)
    return is_plain and isinstance(work.index.parents[call], cst.Expr)


def _store(rewrite: Rewriter, call: cst.Call) -> cst.BaseSmallStatement:
    name, value = (rewrite.expression(item.value) for item in call.args)
    members = rewrite.expression(cst.ensure_type(call.func, cst.Attribute).value)
    line = quote_statement("{members}[{name}] = {value}", members=members, name=name, value=value)
    return cst.ensure_type(line, cst.SimpleStatementLine).body[0]


__all__ = ["normalize_named_list_members"]

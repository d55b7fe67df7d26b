"""Lists and dicts of models, optimizers and schedulers that train: their members get names, and so do those of comprehensions.

opts = [SGD(a.parameters()), Adam(b.parameters())]     ->   opts_0 = SGD(a.parameters())
                                                            opts_1 = Adam(b.parameters())
                                                            opts = [opts_0, opts_1]

opts = [Adam(net.parameters()) for net in [a, b]]      ->   opts = [Adam(a.parameters()), Adam(b.parameters())]

nets = {"enc": Net(), "dec": Net()}                    ->   nets_enc = Net()
opts = {k: Adam(v.parameters()) for k, v in nets.items()}   nets_dec = Net()
y = nets["enc"](x)                                          opts = {k: ... for k, v in [("enc", nets_enc), ...]}
                                                            y = nets_enc(x)

What becomes of a model in training, or of its optimizer, needs a variable. `normalize/listed_modules.py` writes lists of names out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.listed_modules import (
    goes_through,
    is_known_elsewhere,
    is_variable,
    may_be_written_out,
    place_read,
    train_through,
)
from torch2jax.normalize.named_fields import expression_with
from torch2jax.normalize.named_loops import passes_of_places
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.values import Kind

_Members = Mapping[str, cst.BaseExpression]  # by what their names end with
_VIEWS = {"values": "{{{0}}}", "items": '("{0}", {{{0}}})', "keys": '"{0}"'}


def normalize_named_members(work: NormalizationRound) -> None:
    """Normalize all such lists, dicts and comprehensions of a file; of models alone where these are values."""
    if work.effects is None:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)], value=value)]:
                pass
            case _:
                continue
        if not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)):
            continue
        if isinstance(value, (cst.ListComp, cst.DictComp)):
            _write_out(work, value)
        elif isinstance(value, (cst.List, cst.Tuple)):
            _name_listed(work, line, target, value)
        elif isinstance(value, cst.Dict):
            _name_entries(work, line, target, value)


# [Adam(net.parameters()) for net in [a, b]]


def _write_out(work: NormalizationRound, node: cst.ListComp | cst.DictComp) -> None:
    """A display of the members that a comprehension over a display makes."""
    part, made = node.for_in, node.elt if isinstance(node, cst.ListComp) else node.value
    if part.ifs or part.inner_for_in is not None or not may_be_written_out(work, {work.values(made).kind}):
        return
    loop = cst.For(target=part.target, iter=part.iter, body=cst.IndentedBlock(body=[cst.SimpleStatementLine([])]))
    passes = passes_of_places(work, part.target, part.iter, loop)
    if not passes:
        return
    members = [expression_with(work, made, item.given) for item in passes]
    if isinstance(node, cst.ListComp):
        work.edits.replace(node, always(cst.List([cst.Element(item) for item in members])))
        return
    keys = [expression_with(work, node.key, item.given) for item in passes]
    if all(isinstance(key, cst.SimpleString) for key in keys):
        pairs = zip(keys, members, strict=True)
        work.edits.replace(node, always(cst.Dict([cst.DictElement(key, item) for key, item in pairs])))


# opts = [SGD(a.parameters()), Adam(b.parameters())]


def _name_listed(
    work: NormalizationRound, line: cst.SimpleStatementLine, target: cst.Name, display: cst.List | cst.Tuple
) -> None:
    members = {str(number): element.value for number, element in enumerate(display.elements)}
    definition = work.program.definitions.bound_once(target)
    if definition is None or any(isinstance(element, cst.StarredElement) for element in display.elements):
        return
    uses = [use for use in work.program.definitions.uses(definition) if isinstance(use, cst.Name)]
    places = [(use, place_read(work, use)) for use in uses]
    if not all(goes_through(work, use) if place is None else place < len(members) for use, place in places):
        return
    if _are_trained(work, members, uses):
        _name(work, line, target, members)


def _are_trained(work: NormalizationRound, members: _Members, uses: Sequence[cst.Name]) -> bool:
    """Whether members are made in a display, and a loop through them trains, or makes optimizers."""
    kinds = {work.values(item).kind for item in members.values()}
    made = [item for item in members.values() if not isinstance(item, cst.Name)]
    if not may_be_written_out(work, kinds, uses) or not made or not all(isinstance(item, cst.Call) for item in made):
        return False
    return kinds != {Kind.MODULE} or train_through(work, uses)


def _name(work: NormalizationRound, line: cst.SimpleStatementLine, target: cst.Name, members: _Members) -> None:
    """Variables for the members in front of the line that lists them."""
    free = work.names_at(line)
    for number, (ending, item) in enumerate(members.items()):
        if isinstance(item, cst.Name):
            continue
        name = free(f"{target.value}_{ending}")
        above = line.leading_lines if not number else ()
        work.edits.before(line, partial(_assigned, name, item, above))
        work.edits.replace(item, always(cst.Name(name)))


def _assigned(
    name: str, item: cst.BaseExpression, above: Sequence[cst.EmptyLine], rewrite: Rewriter
) -> list[cst.BaseStatement]:
    return [quote_statement(f"{name} = {{item}}", item=item.deep_clone()).with_changes(leading_lines=above)]


# nets = {"enc": Net(), "dec": Net()}


def _name_entries(work: NormalizationRound, line: cst.SimpleStatementLine, target: cst.Name, display: cst.Dict) -> None:
    definition = work.program.definitions.bound_once(target)
    members: dict[str, cst.BaseExpression] = {}
    for element in display.elements:
        match element:
            case cst.DictElement(key=cst.SimpleString() as key, value=value) if isinstance(key.evaluated_value, str):
                members[key.evaluated_value] = value
    if definition is None or len(members) < len(display.elements) or not all(map(str.isidentifier, members)):
        return
    uses = [use for use in work.program.definitions.uses(definition) if isinstance(use, cst.Name)]
    read = [entry_read(work, use, members) for use in uses]
    if None in read or any(
        work.program.definitions.scopes.around(use) is not definition.variable.owner for use in uses
    ):
        return
    if any(not isinstance(item, cst.Name) for item in members.values()):
        if _are_trained(work, members, uses):
            _name(work, line, target, members)
        return
    kinds = {work.values(item).kind for item in members.values()}
    if not may_be_written_out(work, kinds, uses) or not uses or is_known_elsewhere(work, definition, target.value):
        return
    if not all(is_variable(work, item, definition, line) for item in members.values()):
        return
    for found in read:
        assert found is not None
        names = {key: str(dotted(item)) for key, item in members.items()}
        work.edits.replace(found[0], always(quote(found[1].format_map(names))))
    work.edits.remove(line)


def entry_read(work: NormalizationRound, use: cst.Name, members: _Members) -> tuple[cst.CSTNode, str] | None:
    """What reads a dict of known keys, `nets["enc"]` or `nets.items()` that is gone through, and the text of what it gives."""
    parent = work.index.parents[use]
    around = work.index.parents[parent]
    match parent:
        case cst.Subscript(
            value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
        ) if value is use and key.evaluated_value in members:
            stores = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)
            return None if isinstance(around, stores) else (parent, f"{{{key.evaluated_value!s}}}")
        case cst.Attribute(attr=cst.Name("items" | "values" | "keys" as view)) if isinstance(around, cst.Call):
            if around.args or not goes_through(work, around):
                return None
            return around, f"[{', '.join(_VIEWS[view].format(key) for key in members)}]"
    return None


__all__ = ["entry_read", "normalize_named_members"]

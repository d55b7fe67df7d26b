"""The table that torch keeps of the parts of a module, normalized to the methods that list them.

for name, layer in self._modules.items():    ->   for name, layer in self.named_children():
for layer in m._modules.values():            ->   for layer in m.children():
for name in self._modules:                   ->   for part in self.children():
    fill(self._modules[name])                         fill(part)
m._modules[name] = layer                     ->   setattr(m, name, layer)
self._modules["head"](x)                     ->   self.head(x)
self._modules["fc" + str(i)](x)              ->   getattr(self, "fc" + str(i))(x)
self.add_module(name="fc", module=layer)     ->   self.add_module("fc", layer)
m.add_module(name, layer)                    ->   setattr(m, name, layer)    in a loop over m.named_children()

The table lists a module twice that is a part under two names, and the methods do not: each part has to be another one.
"""

from __future__ import annotations

from functools import partial
from keyword import iskeyword

import libcst as cst

from torch2jax.facts.bindings import CONTAINERS
from torch2jax.facts.computed_names import as_filled_text
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import How
from torch2jax.program.program import dotted, root_name
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value, module_sites

_LISTED = {"items": "{m}.named_children()", "values": "{m}.children()"}
_OF_VIEWS = frozenset({"reversed", "len"})  # what takes views of dicts, and no generators


def normalize_module_tables(work: NormalizationRound) -> None:
    """Normalize all views of such tables, and loops over their names."""
    for call in work.index.calls if work.program.mentions("add_module") else ():
        _add_by_position(work, call)
    if not work.program.mentions("_modules"):
        return
    for loop in work.index.every(cst.For):
        _normalize_names(work, loop)
    for assign in work.index.every(cst.Assign):
        match assign:
            case cst.Assign(
                targets=[
                    cst.AssignTarget(
                        cst.Subscript(
                            value=cst.Attribute(value=module, attr=cst.Name("_modules")),
                            slice=[cst.SubscriptElement(slice=cst.Index(value=key))],
                        )
                    )
                ],
                value=layer,
            ) if work.values(module).kind is Kind.MODULE:
                work.edits.replace(assign, partial(_set, module, key, layer))
    for call in work.index.calls:
        match call:
            case cst.Call(
                func=cst.Attribute(
                    value=cst.Attribute(value=module, attr=cst.Name("_modules")), attr=cst.Name(value=name)
                ),
                args=[],
            ) if name in _LISTED and dotted(module) is not None and _has_different_parts(work, work.values(module)):
                argument = work.index.parents[call]
                around = work.index.parents.get(argument) if isinstance(argument, cst.Arg) else None
                is_view = isinstance(around, cst.Call) and dotted(around.func) in _OF_VIEWS
                template = f"list({_LISTED[name]})" if is_view else _LISTED[name]
                work.edits.replace(call, partial(_listed, template, module))
    for node in work.index.attributes:
        if node.attr.value == "_modules":
            _read_by_name(work, node)


def _add_by_position(work: NormalizationRound, call: cst.Call) -> None:
    """A part is given to a module behind its name, and by no keyword."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in ("add_module", "register_module"):
        return
    if any(item.star for item in call.args) or work.values(call.func.value).kind is not Kind.MODULE:
        return
    names = [item.keyword.value if item.keyword is not None else "" for item in call.args]
    if names in (["name", "module"], ["", "module"]):
        for item in call.args:
            work.edits.replace(item, partial(_by_position, item))
    elif names == ["", ""] and _exchanges_part(work, call.func.value, call.args[0].value):
        work.edits.replace(call, partial(_exchanged, call))


def _exchanges_part(work: NormalizationRound, module: cst.BaseExpression, name: cst.BaseExpression) -> bool:
    """Whether a name is that of a part which the module has, in a loop over its parts."""
    definition = work.program.definitions.only(name) if isinstance(name, cst.Name) else None
    if definition is None or definition.how is not How.NEXT or dotted(module) is None:
        return False
    loop = next((node for node in work.index.ancestors(definition.node) if isinstance(node, cst.For)), None)
    match loop:
        case cst.For(
            target=cst.Tuple(elements=[cst.Element(value=first), _]),
            iter=cst.Call(func=cst.Attribute(value=listed, attr=cst.Name("named_children")), args=[]),
        ):
            return first is definition.node and listed.deep_equals(module) and not _is_bound(work, loop, module)
    return False


def _is_bound(work: NormalizationRound, loop: cst.For, module: cst.BaseExpression) -> bool:
    """Whether a loop binds the name of a module anew."""
    names = (node for node in descendants(loop) if isinstance(node, cst.Name) and node.value == root_name(module))
    return any(work.program.definitions.is_bound(node) for node in names)


def _exchanged(call: cst.Call, rewrite: Rewriter) -> cst.BaseExpression:
    module = cst.ensure_type(call.func, cst.Attribute).value
    given = (rewrite.expression(node) for node in (module, *(item.value for item in call.args)))
    return quote("setattr({m}, {name}, {layer})", **dict(zip(("m", "name", "layer"), given, strict=True)))


def _by_position(item: cst.Arg, rewrite: Rewriter) -> cst.Arg:
    given = cst.ensure_type(rewrite.inside(item), cst.Arg)
    return given.with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT)


def _read_by_name(work: NormalizationRound, table: cst.Attribute) -> None:
    """The part of a module of the program that its table is asked for."""
    whole, module = work.index.parents[table], table.value
    match whole:
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]) if value is table:
            pass
        case _:
            return
    stored = (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.Del)
    if isinstance(work.index.parents[whole], stored) or not _has_plain_names(work, work.values(module)):
        return
    const = work.values(key).const
    if isinstance(const, str) and const.isidentifier() and not iskeyword(const) and not const.startswith("__"):
        work.edits.replace(whole, lambda rewrite: cst.Attribute(rewrite.expression(module), cst.Name(const)))
    elif (text := as_filled_text(key)) is not None and text.partition("{")[0].isidentifier():
        work.edits.replace(
            whole,
            lambda rewrite: quote("getattr({m}, {name})", m=rewrite.expression(module), name=rewrite.expression(key)),
        )


def _has_plain_names(work: NormalizationRound, value: Value) -> bool:
    """Whether a module is of classes of the program whose parts are fields."""
    if value.kind is not Kind.MODULE or not value.types or not value.types <= work.program.class_by_key.keys():
        return False
    lineages = (work.program.class_by_key[key].lineage for key in value.types)
    return not any(base.const in CONTAINERS for lineage in lineages for item in lineage for base in item.bases)


def _normalize_names(work: NormalizationRound, loop: cst.For) -> None:
    """A loop over the names in a table that asks it for the module of each name."""
    table = loop.iter
    match loop.iter:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("keys")), args=[]):
            table = inner
    if not isinstance(table, cst.Attribute) or table.attr.value != "_modules" or not isinstance(loop.target, cst.Name):
        return
    if dotted(table) is None or not _has_different_parts(work, work.values(table.value)):
        return
    name, module = loop.target.value, table.value
    asked = [node for node in descendants(loop.body) if _asks(node, table, name)]
    tables = [
        node for node in descendants(loop.body) if isinstance(node, cst.Attribute) and node.attr.value == "_modules"
    ]
    names = [node for node in descendants(loop.body) if isinstance(node, cst.Name) and node.value == name]
    stored = (cst.AssignTarget, cst.AugAssign, cst.Del)
    if len(asked) < len(tables) or any(isinstance(work.index.parents[node], stored) for node in (*asked, *names)):
        return
    part = work.names_at(loop)("part")
    method = "named_children" if len(names) > len(asked) else "children"
    target = quote(f"({name}, {part})") if len(names) > len(asked) else cst.Name(part)
    assert isinstance(target, (cst.Name, cst.Tuple))
    bare = target.with_changes(lpar=(), rpar=()) if isinstance(target, cst.Tuple) else target
    work.edits.replace(loop.target, lambda rewrite: bare)
    work.edits.replace(loop.iter, lambda rewrite: quote(f"{{m}}.{method}()", m=rewrite.expression(module)))
    for node in asked:
        work.edits.replace(node, lambda rewrite: cst.Name(part))


def _asks(node: cst.CSTNode, table: cst.Attribute, name: str) -> bool:
    """Whether a node is `self._modules[name]`."""
    match node:
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name(index)))]):
            return index == name and value.deep_equals(table)
    return False


def _has_different_parts(work: NormalizationRound, value: Value) -> bool:
    """Whether no part of a module is the same as another one."""
    assert work.effects is not None
    if value.kind is not Kind.MODULE or not value.types:
        return False
    classes = work.effects.classes_of(value)
    fields = [part for item in classes for _, part in item.all_fields() if part.kind is Kind.MODULE]
    if len(classes) != len(value.types):
        if value.items is None and value.elem is not None:
            return False  # made in a loop, perhaps of one layer again and again
        fields = list(value.items or ())
    sites = [site for part in fields for site in module_sites(part)]
    return len(sites) == len(set(sites))


def _set(
    module: cst.BaseExpression, name: cst.BaseExpression, layer: cst.BaseExpression, rewrite: Rewriter
) -> cst.Expr:
    given = {"m": rewrite.expression(module), "name": rewrite.expression(name), "layer": rewrite.expression(layer)}
    return cst.Expr(quote("setattr({m}, {name}, {layer})", **given))


def _listed(template: str, module: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(template, m=rewrite.expression(module))

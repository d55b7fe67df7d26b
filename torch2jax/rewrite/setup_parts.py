"""Lists and dicts of parts that grow while a module is made, for libraries in which a module is a definition: they are set anew.

self.blocks = nn.ModuleList()                     self.blocks = []
for _ in range(depth):                       ->   for _ in range(depth):
    self.blocks.append(Block(dim))                    self.blocks = [*self.blocks, Block(dim)]

Such a library freezes what a field holds, and gives those parts names that have none yet: by their fields and positions.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.program.program import Function, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import own_nodes

_LIST, _DICT = frozenset({"torch.nn.ModuleList"}), frozenset({"torch.nn.ModuleDict"})
_FORMS = {
    "append": (_LIST, "{place} = [*{place}, {value}]"),
    "extend": (_LIST, "{place} = [*{place}, *{value}]"),
    "add_module": (_DICT, "{place} = {**{place}, {key}: {value}}"),
}


def grow_parts(unit: Unit, method: Function) -> frozenset[cst.CSTNode]:
    """Rewrite the statements of a method that let its lists and dicts of parts grow, and give them."""
    found = list(_additions(unit, method))
    for statement, place, template, holes in found:

        def build(rewrite, place=place, template=template, holes=holes):  # type: ignore[no-untyped-def]
            inner = {name: rewrite.expression(node) for name, node in holes.items()}
            line = quote_statement(template.replace("{place}", dotted(place) or ""), **inner)
            return cst.ensure_type(line, cst.SimpleStatementLine).body[0]

        unit.edits.replace(statement, build)
    return frozenset(statement for statement, _, _, _ in found)


_Addition = tuple[cst.CSTNode, cst.BaseExpression, str, dict[str, cst.BaseExpression]]


def _additions(unit: Unit, method: Function) -> Iterator[_Addition]:
    """The statements, their lists, and what is written for them."""
    for node in own_nodes(method.node):
        match node:
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name(name)), args=args)):
                types, template = _FORMS.get(name, (frozenset(), ""))
                given = [item.value for item in args if not item.star and item.keyword is None]
                names = ("key", "value") if name == "add_module" else ("value",)
                holes = dict(zip(names, given, strict=False))
                if len(given) != len(args) or len(given) != len(names):
                    continue
            case cst.AugAssign(target=place, operator=cst.AddAssign(), value=value):
                types, template = _FORMS["extend"]
                holes = {"value": value}
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript(value=place, slice=[item]))], value=value):
                types, template = _FORMS["add_module"]
                key = item.slice.value if isinstance(item.slice, cst.Index) else None
                holes = {"value": value} if key is None else {"key": key, "value": value}
            case _:
                continue
        is_own = isinstance(place, cst.Attribute) and dotted(place.value) == method.self_name
        if is_own and types and unit.facts.values(place).types - unit.facts.tables.layers.keys() == types:
            yield node, place, template, holes


def is_plain_list(unit: Unit, method: Function, name: cst.BaseExpression) -> bool:
    """Whether a variable of a method holds what `nn.ModuleList(...)` made there, which is a list until a field holds it."""
    nodes = own_nodes(method.node)
    bound = [node for node in nodes if isinstance(node, cst.AssignTarget) and dotted(node.target) == dotted(name)]
    made = [cst.ensure_type(unit.facts.program.index.parents[node], cst.Assign).value for node in bound]
    calls = [node for node in made if isinstance(node, cst.Call) and unit.facts.values.torch_name(node.func) in _LIST]
    return isinstance(name, cst.Name) and unit.facts.values(name).types == _LIST and bool(made) and made == calls


__all__ = ["grow_parts", "is_plain_list"]

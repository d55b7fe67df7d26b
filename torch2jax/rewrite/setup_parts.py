"""Lists and dicts of parts that grow while a module is made, for libraries in which a module is a definition: they are set anew.

self.blocks = nn.ModuleList()                     self.blocks = []
for _ in range(depth):                       ->   for _ in range(depth):
    self.blocks.append(Block(dim))                    self.blocks = [*self.blocks, Block(dim)]

Such a library freezes what a field holds, and gives those parts names that have none yet: by their fields and positions.
A name is taken then, until another part is made under it:

self.shortcut = nn.Sequential()                   self.shortcut = Sequential([])
if stride != 1:                              ->   if self.stride != 1:
    self.shortcut = nn.Conv2d(a, b, 1)                vacate(self, "shortcut")
                                                      self.shortcut = Conv2d(self.a, self.b, 1)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.module_state import init_methods
from torch2jax.facts.outside_methods import has_module
from torch2jax.program.program import Class, Function, dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind, Value

_LIST, _DICT = frozenset({"torch.nn.ModuleList"}), frozenset({"torch.nn.ModuleDict"})
_SEQUENCES = frozenset({"torch.nn.Sequential"})
_FORMS = {
    "append": (_LIST, "{place} = [*{place}, {value}]"),
    "extend": (_LIST, "{place} = [*{place}, *{value}]"),
    "add_module": (_DICT, "{place} = {**{place}, {key}: {value}}"),
    "insert": (_LIST, "insert_part({owner}, {field}, {key}, {value})"),
}


def grow_parts(unit: Unit, method: Function) -> frozenset[cst.CSTNode]:
    """Rewrite the statements of a method that let its lists and dicts of parts grow, and give them."""
    found = list(_additions(unit, method))
    for statement, place, template, holes in found:

        def build(rewrite, place=place, template=template, holes=holes):  # type: ignore[no-untyped-def]
            inner = {name: rewrite.expression(node) for name, node in holes.items()}
            owner, _, field = (dotted(place) or "").rpartition(".")
            text = template.replace("{owner}", owner).replace("{field}", f'"{field}"')
            line = quote_statement(unit.spell(text.replace("{place}", dotted(place) or "")), **inner)
            return cst.ensure_type(line, cst.SimpleStatementLine).body[0]

        unit.edits.replace(statement, build)
    exchanges = list(_exchanges(unit, method))
    for statement, owner, name, value in exchanges:

        def exchange(rewrite, owner=owner, name=name, value=value):  # type: ignore[no-untyped-def]
            key = rewrite.expression(name) if isinstance(name, cst.BaseExpression) else quote(f'"{name}"')
            holes = {"owner": rewrite.expression(owner), "name": key, "value": rewrite.expression(value)}
            line = quote_statement(unit.spell("exchange_part({owner}, {name}, {value})"), **holes)
            return cst.ensure_type(line, cst.SimpleStatementLine).body[0]

        unit.edits.replace(statement, exchange)
    return frozenset(statement for statement, *_ in (*found, *exchanges))


def _exchanges(
    unit: Unit, method: Function
) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression, str | cst.BaseExpression, cst.BaseExpression]]:
    """Where a part that the module makes gets another part in the place of one: `self.body.fc = nn.Linear(8, 2)`."""
    for node in own_nodes(method.node):
        match node:
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name(field)))], value=value
            ) if not isinstance(owner, cst.Name):
                place: str | cst.BaseExpression = field
            case cst.Assign(
                targets=[
                    cst.AssignTarget(
                        target=cst.Subscript(
                            value=owner, slice=[cst.SubscriptElement(slice=cst.Index(value=index, star=None))]
                        )
                    )
                ],
                value=value,
            ) if unit.facts.values(owner).types & _SEQUENCES and unit.facts.values(index).kind is Kind.INT:
                place = index
            case _:
                continue
        is_new = isinstance(value, cst.Call) and unit.facts.values(value).kind is Kind.MODULE
        if is_new and unit.facts.values(owner).kind is Kind.MODULE and _is_made_here(unit, method, owner):
            yield node, owner, place, value


def _is_made_here(unit: Unit, method: Function, owner: cst.BaseExpression) -> bool:
    """Whether a place lies in a part that the same method makes."""
    while isinstance(owner, (cst.Attribute, cst.Subscript)) and dotted(owner.value) != method.self_name:
        owner = owner.value
    if not isinstance(owner, cst.Attribute):
        return False
    assigned = [node for node in own_nodes(method.node) if isinstance(node, cst.Assign)]
    made = [node.value for node in assigned for item in node.targets if dotted(item.target) == dotted(owner)]
    return len(made) == 1 and isinstance(made[0], cst.Call)


_Addition = tuple[cst.CSTNode, cst.BaseExpression, str, dict[str, cst.BaseExpression]]


def _additions(unit: Unit, method: Function) -> Iterator[_Addition]:
    """The statements, their lists, and what is written for them."""
    for node in own_nodes(method.node):
        match node:
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name(name)), args=args)):
                types, template = _FORMS.get(name, (frozenset(), ""))
                given = [item.value for item in args if not item.star and item.keyword is None]
                names = ("key", "value") if name in ("add_module", "insert") else ("value",)
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
        is_of_parts = unit.facts.values(place).types - unit.facts.tables.layers.keys() == types
        kind = Kind.DICT if types == _DICT else Kind.LIST
        kinds = (kind, Kind.UNKNOWN, Kind.PYTHON) if isinstance(holes.get("key"), cst.SimpleString) else (kind,)
        if is_own and types and (is_of_parts or _is_plain_container(unit, method, place, kinds)):
            yield node, place, template, holes


def _is_plain_container(unit: Unit, method: Function, place: cst.BaseExpression, kinds: Sequence[Kind]) -> bool:
    """Whether a field holds a list, or dict, without parts, which the method has made, and which has no other name there."""
    value, index, wanted = unit.facts.values(place), unit.facts.program.index, dotted(place)
    if value.kind not in kinds or value.types or has_module(value):
        return False
    given = [
        (dotted(target.target), node.value)
        for node in own_nodes(method.node)
        if isinstance(node, cst.Assign)
        for target in node.targets
    ]
    made = [source for target, source in given if target == wanted]
    is_named_again = any(dotted(source) == wanted for _, source in given)
    is_shared = any(len(cst.ensure_type(index.parents[source], cst.Assign).targets) > 1 for source in made)
    return bool(made) and not is_named_again and not is_shared and all(map(_is_new_container, made))


def _is_new_container(node: cst.BaseExpression) -> bool:
    match node:
        case cst.List() | cst.Dict() | cst.ListComp() | cst.DictComp():
            return True
        case cst.Call(func=cst.Name("list" | "dict" | "sorted") | cst.Attribute(attr=cst.Name("copy" | "deepcopy"))):
            return True
    return False


def is_plain_list(unit: Unit, method: Function, name: cst.BaseExpression) -> bool:
    """Whether a variable of a method holds what `nn.ModuleList(...)` made there, which is a list until a field holds it."""
    nodes = own_nodes(method.node)
    bound = [node for node in nodes if isinstance(node, cst.AssignTarget) and dotted(node.target) == dotted(name)]
    made = [cst.ensure_type(unit.facts.program.index.parents[node], cst.Assign).value for node in bound]
    calls = [node for node in made if isinstance(node, cst.Call) and unit.facts.values.torch_name(node.func) in _LIST]
    return isinstance(name, cst.Name) and unit.facts.values(name).types == _LIST and bool(made) and made == calls


def check_made_once(unit: Unit, item: Class, at_init: set[Function]) -> None:
    """A part or parameter is made once: its name is taken then, unless what has it is a part that nothing has used yet."""
    index, program = unit.facts.program.index, unit.facts.program
    seen: dict[str, list[cst.Assign]] = {}
    for node in index.every(cst.Assign):
        method = program.function_around(node)
        if method is None or method not in at_init or method.owner is not item:
            continue
        for target in node.targets if holds_arrays(unit.facts.values(node.value)) and not _is_product(node) else ():
            owner, _, name = (dotted(target.target) or "").partition(".")
            if not name or owner != method.self_name:
                continue
            others = [other for other in seen.setdefault(name, []) if not index.are_exclusive(other, node)]
            bases = [base for base in item.lineage[1:] if base.is_module and _makes_part(base, name)]
            is_repeated = any(isinstance(around, (cst.For, cst.While)) for around in index.ancestors(node))
            is_taken = bool(others or bases)
            if is_repeated or (is_taken and not _are_unused_parts(unit, method, name, (others, bases), node)):
                reason = "a part or parameter is made once under its name"
                unit.problem(node, "T2J612", name=f"{owner}.{name}", reason=reason)
            elif is_taken:
                _vacate(unit, node, owner, name)
            seen[name].append(node)


def _is_product(node: cst.Assign) -> bool:
    """Whether a number is worked out: no part, and no list of parts."""
    return isinstance(node.value, cst.BinaryOperation) and not isinstance(node.value.operator, cst.Add)


def _makes_part(item: Class, name: str) -> bool:
    field = item.fields.get(name)
    return field is not None and (_may_be_part(field) or "parameter" in field.types)


def _may_be_part(value: Value) -> bool:
    """Whether a field holds a module, or a module on one way and a function on another."""
    return has_module(value) or (value.kind is Kind.UNKNOWN and bool(value.called - {"*"}))


def _reads(method: Function, name: str) -> list[cst.Attribute]:
    """Where a method reads a field of its module."""
    nodes = own_nodes(method.node)
    stored = {node.target for node in nodes if isinstance(node, cst.AssignTarget)}
    found = [node for node in nodes if isinstance(node, cst.Attribute) and node.attr.value == name]
    return [node for node in found if dotted(node.value) == method.self_name and node not in stored]


def _are_unused_parts(
    unit: Unit, method: Function, name: str, earlier: tuple[list[cst.Assign], list[Class]], later: cst.Assign
) -> bool:
    """Whether a method, and classes that its own derives from, make parts under a name, of none that there were, and do not read
    them before another takes the name."""
    values, index, (others, bases) = unit.facts.values, unit.facts.program.index, earlier

    def is_new(node: cst.Assign, may_hold_own: bool = False) -> bool:
        named = [item for item in descendants(node.value) if isinstance(item, (cst.Name, cst.Attribute))]
        owners = {item.value for item in named if isinstance(item, cst.Attribute)}
        held = [item for item in named if item not in owners and not index.is_label(item) and has_module(values(item))]
        if may_hold_own:  # parts that keep the names which they have already, and such as are made here
            fields = [
                item for item in held if isinstance(item, cst.Attribute) and dotted(item.value) == method.self_name
            ]
            made = [item for item in held if isinstance(item, cst.Name) and item.value not in method.parameter_names]
            held = [item for item in held if item not in fields and item not in made]
        is_one = isinstance(node.value, cst.Lambda) or has_module(values(node.value))
        return len(node.targets) == 1 and is_one and not held

    if any(index.order[node] < index.order[later] for node in _reads(method, name)):
        return False
    early = [inner for base in bases for inner in init_methods(base)]
    if any(_reads(inner, name) for inner in early) or not all(_may_be_part(base.fields[name]) for base in bases):
        return False
    is_one_method = all(unit.facts.program.function_around(other) is method for other in others)
    return is_one_method and is_new(later, may_hold_own=True) and all(map(is_new, others))


def _vacate(unit: Unit, node: cst.Assign, owner: str, name: str) -> None:
    """`vacate(self, "shortcut")` before another part takes the name."""
    line = unit.facts.program.index.statement_of(node)
    text = str(unit.facts.target.vacated).replace("{self}", owner).replace("{name}", f'"{name}"')
    unit.edits.before(line, lambda rewrite: [quote_statement(unit.spell(text))])


def holds_arrays(value: Value) -> bool:
    own = value.kind is Kind.MODULE or (value.kind is Kind.TENSOR and bool({"parameter", "buffer"} & value.types))
    return own or value.kind is Kind.UNKNOWN or any(map(holds_arrays, value.parts))


__all__ = ["check_made_once", "grow_parts", "holds_arrays", "is_plain_list"]

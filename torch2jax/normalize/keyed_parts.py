"""Plain dicts of parts that a module registers as a list: the parts are kept once, in the list, and their keys beside it.

self.convs = OrderedDict()                                   convs = OrderedDict()
self.convs["squeeze"] = nn.Conv2d(8, 4, 1)                   convs["squeeze"] = nn.Conv2d(8, 4, 1)
self.convs["pose", 0] = nn.Conv2d(4, 4, 3)             ->    convs["pose", 0] = nn.Conv2d(4, 4, 3)
self.net = nn.ModuleList(list(self.convs.values()))          self.net = nn.ModuleList(list(convs.values()))
                                                             self.convs_names = list(convs)

                                                             @property
                                                             def convs(self):
                                                                 return dict(zip(self.convs_names, self.net))

torch knows nothing of the dict. A translation that kept it, too, would hold each part twice.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.collected_parts import changes_elsewhere, fields_of_class
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind


@dataclass(frozen=True, slots=True)
class _Keyed:
    """A dict in a field, its places in `__init__` up to the line that registers what it holds, and the field of the list."""

    field: str
    places: tuple[cst.Attribute, ...]
    line: cst.SimpleStatementLine
    listed: str


def normalize_keyed_parts(work: NormalizationRound) -> None:
    """Normalize all such dicts of a file."""
    if not work.program.mentions("ModuleList"):
        return
    for item in work.program.classes.values():
        maker = item.methods.get("__init__")
        if item.is_module and maker is not None and isinstance(item.node.body, cst.IndentedBlock):
            for found in _keyed(work, item, maker):
                _normalize(work, item, maker, found)


def _keyed(work: NormalizationRound, item: Class, maker: Function) -> Iterator[_Keyed]:
    for line in maker.node.body.body:
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as place)], value=cst.Call() as call)]
            ) if dotted(place) == f"{maker.self_name}.{place.attr.value}":
                held = _listed_dict(work, call)
                if held is None or dotted(held) != f"{maker.self_name}.{held.attr.value}":
                    continue
                places = _places(work, item, maker, held, line)
                if places and not changes_elsewhere(work, item, place, place.attr.value):
                    yield _Keyed(held.attr.value, places, line, place.attr.value)


def _listed_dict(work: NormalizationRound, call: cst.Call) -> cst.Attribute | None:
    """`self.convs` of `nn.ModuleList(list(self.convs.values()))` and `nn.ModuleList(self.convs.values())`."""
    if work.values.torch_name(call.func) != "torch.nn.ModuleList" or len(call.args) != 1:
        return None
    given: cst.BaseExpression = call.args[0].value
    if isinstance(given, cst.Call) and dotted(given.func) in ("list", "tuple") and len(given.args) == 1:
        given = given.args[0].value
    match given:
        case cst.Call(func=cst.Attribute(value=cst.Attribute() as held, attr=cst.Name("values")), args=[]):
            return held
    return None


def _places(
    work: NormalizationRound, item: Class, maker: Function, held: cst.Attribute, line: cst.SimpleStatementLine
) -> tuple[cst.Attribute, ...]:
    """Where `__init__` makes and fills the dict, up to a line; none if something else sets or changes it, or calls what may
    ask for it before.
    """
    body, name = list(maker.node.body.body), held.attr.value
    before = {node for part in body[: body.index(line) + 1] for node in descendants(part)}
    places: list[cst.Attribute] = []
    made = 0
    for node in fields_of_class(work, item, name):
        if node in before and work.index.function_of(node) is maker.node:
            places.append(node)
            made += _is_new_dict(work, node)
        elif node in before or not _is_read(work, node):
            return ()
    is_own = item.method(name) is None and sum(name in part.fields for part in item.lineage) == 1
    calls = (node.func for node in before if isinstance(node, cst.Call))
    runs = any(
        dotted(func) == f"{maker.self_name}.{func.attr.value}" for func in calls if isinstance(func, cst.Attribute)
    )
    return tuple(places) if made == 1 and is_own and not runs and _holds_modules(item, name) else ()


def _is_new_dict(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a field is given a dict that is made there."""
    target = work.index.parents[node]
    value = work.set_alone(node) if isinstance(target, cst.AssignTarget) else None
    is_made = isinstance(value, cst.Dict) or (isinstance(value, cst.Call) and not value.args)
    return value is not None and is_made and work.values(value).kind is Kind.DICT


def _is_read(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a place asks for the dict or for one of its parts: `self.convs[key](x)`, `len(self.convs)`."""
    parent = work.index.parents[node]
    if isinstance(parent, cst.Subscript) and parent.value is node:
        parent = work.index.parents[parent]
    match parent:
        case cst.AssignTarget() | cst.AugAssign() | cst.AnnAssign() | cst.Del():
            return False
        case cst.Attribute(attr=cst.Name(method)) if parent.value is node:
            return method in ("items", "keys", "values", "get")
    return True


def _holds_modules(item: Class, name: str) -> bool:
    value = item.field_value(name)
    return value is not None and value.kind is Kind.DICT and value.element().kind is Kind.MODULE


def _normalize(work: NormalizationRound, item: Class, maker: Function, found: _Keyed) -> None:
    own, field = maker.self_name, found.field
    held, names = work.beside_variables(maker.node)(field), f"{field}_names"
    while item.field_value(names) is not None or item.method(names) is not None:
        names += "_"
    for place in found.places:
        work.edits.replace(place, always(cst.Name(held)))
    work.edits.after(found.line, always_statements([quote_statement(f"{own}.{names} = list({held})")]))
    text = f"@property\ndef {field}(self):\n    return dict(zip(self.{names}, self.{found.listed}))\n"
    method = with_fields(quote_statement(text), leading_lines=[cst.EmptyLine(indent=False)])
    work.edits.after(maker.node, always_statements([method]))


__all__ = ["normalize_keyed_parts"]

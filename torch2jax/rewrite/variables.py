"""Fields of modules, for targets that keep parameters and buffers in variables, which are objects.

y = self.scale                ->   y = self.scale[...]         # the array as it is now: later steps do not change it
self.head.weight = wte.weight      # unchanged: one variable in two places
self.norm = None              ->   self.norm = nnx.data(None)  # where it holds a module, or arrays, later
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.infer import LISTED_MODULE
from torch2jax.facts.replaced_submodules import is_plain_layer
from torch2jax.program.program import Class, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.rewrite.module_state import is_state
from torch2jax.rewrite.names import is_stored
from torch2jax.rewrite.statements import is_of_torch, is_variable
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Build, Rewriter, as_expression
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import elements_of
from torch2jax.values import Kind, Value

_OTHERS = (Kind.UNKNOWN, Kind.INT, Kind.FLOAT)  # what a field may hold that holds an array as well
_WHOLE = (cst.Arg, cst.Assign, cst.Return, cst.Element)  # where a value goes on to others as it is
_SHAPES = frozenset({"shape", "ndim", "dtype", "size"})


def rewrite_variables(unit: Unit) -> None:
    """Reads of variables, and fields that are None to begin with."""
    target = unit.facts.target
    if target.read is not None:
        for node in unit.facts.program.index.attributes:
            if node not in unit.edits.nodes and _holds_variable(unit, node) and not _may_stay(unit, node):
                template = target.read_optional if _may_be_none(unit, node) else target.read
                unit.edits.replace(node, partial(_filled, unit.spell(str(template)), "place", node))
        for call in unit.facts.program.index.calls:
            if (asked := _asked_for_parameter(unit, call)) is not None and asked not in unit.edits.nodes:
                unit.edits.replace(asked, partial(_filled, unit.spell(str(target.read_optional)), "place", asked))
        for change in unit.facts.program.index.every(cst.AugAssign):
            if isinstance(change.target, cst.Attribute) and _is_changed(unit, change.target):
                unit.edits.replace(change.target, partial(_filled, target.read, "place", change.target))
        for assignment in unit.facts.program.index.every(cst.Assign):
            _assigned_buffer(unit, assignment)
    if target.open_field is not None:
        _open_fields(unit, target.open_field)


def _is_changed(unit: Unit, node: cst.Attribute) -> bool:
    """Whether `layer.weight *= 2` changes a variable, and no other pass has dealt with it."""
    line = unit.facts.program.index.statement_of(node)
    untouched = line not in unit.edits.statements and node not in unit.edits.nodes
    is_field = unit.facts.values(node.value).kind is Kind.MODULE and not _is_state(unit, node)
    return untouched and is_field and is_variable(unit, node)


def _assigned_buffer(unit: Unit, node: cst.Assign) -> None:
    """`self.mean = value`: a buffer stays one, with another value."""
    line, template = unit.facts.program.index.statement_of(node), unit.facts.target.buffer_value
    place = node.targets[0].target
    if (
        template is None
        or len(node.targets) > 1
        or not isinstance(place, cst.Attribute)
        or not _is_changed(unit, place)
        or _is_made(unit, node.value)
    ):
        return
    classes = unit.facts.effects.classes_of(unit.facts.values(place.value))
    fields = [item.field_value(place.attr.value) for item in classes]
    if _is_kept_at_first(unit, line, fields):
        return
    is_buffer = any(place.attr.value in part.buffers for item in classes for part in item.lineage)
    is_buffer = is_buffer and not any(field is None or field.optional or field.kind is Kind.NONE for field in fields)
    if is_buffer and unit.facts.values(node.value).kind is Kind.TENSOR and isinstance(line, cst.SimpleStatementLine):
        unit.edits.rewrite_statement(
            line, lambda rewrite: [quote_statement(str(template), place=place, value=rewrite.expression(node.value))]
        )


def _is_kept_at_first(unit: Unit, line: cst.CSTNode, fields: Sequence[Value | None]) -> bool:
    """Whether a module that is made gets a tensor where others of its class have a parameter."""
    function = unit.facts.program.function_around(line)
    is_first = function in unit.facts.effects.module_state.init_only
    return is_first and any(field is not None and "parameter" in field.types for field in fields)


def _is_made(unit: Unit, value: cst.BaseExpression) -> bool:
    """Whether a value is a new parameter or buffer itself: `nn.Parameter(w, requires_grad=False)`."""
    name = unit.facts.values.torch_name(value.func) if isinstance(value, cst.Call) else None
    return (name or "").rpartition(".")[2] in ("Parameter", "Buffer")


def _filled(template: str, hole: str, node: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(template, **{hole: as_expression(rewrite.inside(node))})


def _holds_variable(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a field of a module is read that was made as a parameter or a buffer, or may have been."""
    values = unit.facts.values
    if _is_of_any_layer(unit, node):
        return isinstance(unit.facts.program.index.parents.get(node), _WHOLE) and not is_stored(unit, node)
    if values(node.value).kind is not Kind.MODULE or values(node).kind is not Kind.TENSOR or is_stored(unit, node):
        return False
    known = unit.facts.effects.classes_of(values(node.value))
    made = any(node.attr.value in part.field_nodes for item in known for part in item.lineage)
    return not is_state(unit, node) and (not made or is_variable(unit, node))


def _is_of_any_layer(unit: Unit, node: cst.Attribute) -> bool:
    """Whether `m.weight` is read of a module of which nothing tells the class: its fields by that name are parameters, or None."""
    owner, value = unit.facts.values(node.value), unit.facts.values(node)
    is_any = owner.types == {LISTED_MODULE} or (owner.kind is Kind.MODULE and not owner.types)
    return is_any and value.kind is Kind.UNKNOWN and node.attr.value in ("weight", "bias")


def _asked_for_parameter(unit: Unit, call: cst.Call) -> cst.BaseExpression | None:
    """The field of some module in `isinstance(getattr(m, "bias", None), nn.Parameter)`, which may be a variable."""
    match call:
        case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=asked), cst.Arg(value=kinds)]):
            is_field = isinstance(asked, cst.Attribute) or dotted(getattr(asked, "func", asked)) == "getattr"
            classes = elements_of(kinds)
            of_parameters = any(unit.facts.values.torch_name(item) == "torch.nn.Parameter" for item in classes)
            return asked if is_field and of_parameters and unit.facts.values(asked).kind is Kind.UNKNOWN else None
    return None


def _may_stay(unit: Unit, node: cst.Attribute) -> bool:
    """Whether the variable itself is meant, or does as well: arithmetic and indices make arrays of it."""
    parent = unit.facts.program.index.parents.get(node)
    match parent:
        case cst.Attribute(attr=cst.Name(name)):
            return name in _SHAPES
        case cst.Arg():
            return _is_filled(unit, parent)
        case cst.Subscript():
            return parent.value is node
        case cst.BinaryOperation():
            return True
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.IsNot())]):
            return left is node
        case cst.ComparisonTarget(operator=cst.Is() | cst.IsNot()):
            return True
        case cst.Assign(value=value):
            is_kept = is_of_torch(unit, node.value)  # a second name of a buffer of the program holds an array
            return value is node and all(
                _is_field(unit, item.target) and (is_kept or is_variable(unit, item.target)) for item in parent.targets
            )
    return False


def _may_be_none(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a parameter may be absent where torch would not mind."""
    parent = unit.facts.program.index.parents.get(node)
    optional = unit.facts.values(node).optional or (is_of_torch(unit, node.value) and node.attr.value == "bias")
    return (optional and isinstance(parent, _WHOLE)) or _is_of_any_layer(unit, node)


def _is_filled(unit: Unit, argument: cst.Arg) -> bool:
    """Whether `nn.init.zeros_(layer.bias)` fills a place, of which only the shape is read."""
    call = unit.facts.program.index.parents[argument]
    name = unit.facts.values.torch_name(call.func) if isinstance(call, cst.Call) else None
    return name is not None and name.startswith("torch.nn.init.")


def _is_field(unit: Unit, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Attribute) and unit.facts.values(node.value).kind is Kind.MODULE


def _is_state(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a field is made, or given another value, as state."""
    if not isinstance(node, cst.Attribute):
        return False
    classes = unit.facts.effects.classes_of(unit.facts.values(node.value))
    return any(node.attr.value in part.state for item in classes for part in item.lineage)


def _lists_modules(value: Value) -> bool:
    """Whether a value is a list or a dict of layers, of which a field that later holds them all is made."""
    return value.kind in (Kind.LIST, Kind.DICT) and (not value.parts or value.element().kind is Kind.MODULE)


def _lists_numbers(value: Value) -> bool:
    """Whether a value is a list or a tuple of numbers, or of such lists, of which a field may hold a tensor instead."""
    if value.kind not in (Kind.LIST, Kind.TUPLE):
        return False
    element = value.element()
    return element.kind in (Kind.INT, Kind.FLOAT, Kind.UNKNOWN) or _lists_numbers(element)


def _fields_of(unit: Unit, place: cst.Attribute) -> set[tuple[Class, str]]:
    """The field that a place is, of its class and of those below which that stands."""
    classes = unit.facts.effects.classes_of(unit.facts.values(place.value))
    return {(part, place.attr.value) for item in classes for part in item.lineage}


def _wrapped(template: str, made: Build, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(template, value=as_expression(made(rewrite)))


def _open_fields(unit: Unit, template: str) -> None:
    """`self.x = None` says which kind of field it is, where another statement gives it modules or arrays; so does a list, and
    a module in the place of a function.
    """
    index, values = unit.facts.program.index, unit.facts.values
    assigned = [(item.target, node.value) for node in index.every(cst.Assign) for item in node.targets]
    annotated = [(node.target, node.value) for node in index.every(cst.AnnAssign) if node.value is not None]
    pairs = [pair for target, value in (*assigned, *annotated) for pair in assigned_pairs(target, value)]
    given = [(target, value) for target, value in pairs if isinstance(target, cst.Attribute)]
    filled = {target.attr.value for target, value in given if values(value).kind in (Kind.MODULE, Kind.TENSOR)}
    tensors = (target for target, value in given if values(value).kind is Kind.TENSOR)
    own = set[tuple[Class, str]]().union(*(_fields_of(unit, target) for target in tensors))
    elsewhere = unit.facts.program.filled
    own.update(
        (item, name) for item in unit.facts.program.classes.values() for key, name in elsewhere if key == item.key
    )
    filled.update(name for _, name in own)
    functions = {target.attr.value for target, value in given if values(value).kind is Kind.FUNCTION}
    for target, value in given:
        is_open = target.attr.value in filled and _is_field(unit, target)
        is_other = values(value).kind in _OTHERS or _lists_numbers(values(value))
        is_after_function = (
            target.attr.value in functions
            and values(value).kind is Kind.MODULE
            and not is_plain_layer(unit.facts.tables, values(value))
        )
        may_be_anything = is_other and not own.isdisjoint(_fields_of(unit, target))
        if (
            is_open
            and (
                values(value).kind is Kind.NONE or _lists_modules(values(value)) or may_be_anything or is_after_function
            )
            and value not in unit.edits.nodes
            and not _is_state(unit, target)
        ):
            unit.edits.replace(value, partial(_filled, template, "value", value))
        elif is_open and is_after_function:
            made = unit.edits.nodes.get(value, lambda rewrite, value=value: rewrite.inside(value))
            unit.edits.replace(value, partial(_wrapped, template, made), override=True)

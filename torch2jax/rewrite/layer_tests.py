"""Tests for layers of torch from which classes of the program derive: what they would not find is told.

class Scaled(nn.Linear): ...             layers.py
isinstance(module, nn.Linear)            main.py: T2J608
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from torch2jax.facts.held_classes import classes_held
from torch2jax.facts.module_state import init_methods
from torch2jax.facts.parameters import is_optimizer
from torch2jax.program.definitions import How
from torch2jax.program.program import canonical, dotted
from torch2jax.rewrite.names import type_text
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants, elements_of
from torch2jax.values import Kind, Value

_LISTING = frozenset({"modules", "named_modules", "children", "named_children"})
_FIRST = frozenset({("weight", 1), ("bias", 0)})
_FILLED = {"ones_": 1, "zeros_": 0, "zero_": 0}


def note_layer_tests(unit: Unit, derived: Mapping[tuple[str, str], str]) -> None:
    """`derived`: for the layers from which classes of the program derive, and the places of these, the names of the files."""
    for node, tested in _tests(unit):
        several = elements_of(tested)
        values = [part for item in several for part in _classes(unit.facts.values(item))]
        named = {canonical(str(value.const)) for value in values if value.kind is Kind.TORCH}
        found = {base for value in values if value.kind is Kind.CLASS for base in _bases(unit, value)}
        missed = {key: f"{key[1]}{key[0].rpartition('.')[2]}Base" for key in sorted(derived) if key[0] in named}
        missed = {key: base for key, base in missed.items() if base not in found}
        held = _classes_tested(unit, node) if missed else None
        for (name, place), base in missed.items():
            if held is None or base in held:
                unit.problem(node, "T2J608", name=name.removeprefix("torch."), file=derived[name, place])
                break


def _classes_tested(unit: Unit, test: cst.CSTNode) -> set[str] | None:
    """The classes of which the part of a module can be that is tested in a loop over the parts; None where nobody knows."""
    match test:
        case cst.Call(args=[cst.Arg(value=cst.Name() as tested), _]):
            definition = unit.facts.program.definitions.only(tested)
        case _:
            return None
    if definition is None or definition.how not in (How.NEXT, How.PART):
        return None
    around = unit.facts.program.index.ancestors(definition.node)
    loop = next((node for node in around if isinstance(node, (cst.For, cst.CompFor))), None)
    if loop is None or definition.node not in (loop.target, *descendants(loop.target)):
        return None
    match loop.iter:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method)), args=[]) if method in _LISTING:
            return _held_by(unit, module)
    return None


def _held_by(unit: Unit, module: cst.BaseExpression) -> set[str] | None:
    """The classes of a module and of its parts, and of those of the classes of the program that derive from it."""
    program, value = unit.facts.program, unit.facts.values(module)
    function = program.function_around(module)
    found = {key for key in value.types if key in program.class_by_key}
    if function is not None and function.owner is not None and dotted(module) == function.self_name:
        found.add(function.owner.key)
        value = value.but(kind=Kind.MODULE, types=frozenset(found))
    below = [item for item in program.class_by_key.values() if any(base.key in found for base in item.lineage[1:])]
    every = [value, *(value.but(types=frozenset({item.key})) for item in below)]
    held = [classes_held(program, unit.facts.values, one) for one in every]
    classes = [item for item in held if item is not None]
    if len(classes) < len(held):
        return None
    return {
        base.key
        for key in set[str]().union(*classes)
        if (item := program.class_by_key.get(key))
        for base in item.lineage
    }


def note_layers_told_apart(unit: Unit) -> None:
    """`isinstance(m, nn.BatchNorm2d)` where the file has `nn.BatchNorm1d`, too, and both are one class in the translation."""
    tests = list(_tests(unit))
    made = {unit.facts.values.torch_name(call.func) for call in unit.facts.program.index.calls} if tests else set()
    layers = {name: type_text(unit, name) for name in made if name is not None and name in unit.facts.tables.layers}
    for node, tested in tests:
        values = [part for item in elements_of(tested) for part in _classes(unit.facts.values(item))]
        named = {canonical(str(value.const)) for value in values}
        texts = {type_text(unit, name) for name in named if name in unit.facts.tables.layers} - {None}
        others = sorted(name for name, text in layers.items() if text in texts and name not in named)
        if others and not _gives_first_values(unit, node):
            hint = f": in the translation, it is true for `{others[0].removeprefix('torch.')}` as well"
            unit.problem(node, "T2J200", name=code(node), hint=hint)


def note_optimizer_tests(unit: Unit) -> None:
    """`isinstance(optimizer, torch.optim.SGD)`: what Optax makes does not say of which class it was."""
    for node, tested in _tests(unit):
        several = elements_of(tested)
        names = [
            canonical(str(unit.facts.values(item).const)) for item in several if unit.facts.values.torch_name(item)
        ]
        found = next((name for name in names if is_optimizer(name) and type_text(unit, name) is None), None)
        if found is not None:
            hint = ": in the translation, optimizers do not say of which class they are"
            unit.problem(node, "T2J200", name=code(node), hint=hint)


def _gives_first_values(unit: Unit, test: cst.CSTNode) -> bool:
    """Whether a test chooses norms of a module that is being made, to give them the values that they have anyway."""
    branch, function = unit.facts.program.index.parents[test], unit.facts.program.function_around(test)
    at_init = function is not None and function.owner is not None and function in init_methods(function.owner)
    if not at_init or not isinstance(branch, cst.If) or not isinstance(branch.body, cst.IndentedBlock):
        return False
    return all(_is_first_value(unit, line) for line in branch.body.body)


def _is_first_value(unit: Unit, line: cst.BaseStatement) -> bool:
    """`nn.init.constant_(m.weight, 1)`, `m.bias.data.zero_()`: the scale of a norm is one, its shift zero."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=cst.Attribute() as function) as call)]):
            given = [item.value for item in call.args]
        case _:
            return False
    if (unit.facts.values.torch_name(function) or "").startswith("torch.nn.init.") and given:
        place, given = given[0], given[1:]
    else:
        place = function.value
    fills = function.attr.value in ("fill_", "constant_")
    value = unit.facts.values(given[0]).const if fills and given else _FILLED.get(function.attr.value)
    while isinstance(place, cst.Attribute) and place.attr.value == "data":
        place = place.value
    return isinstance(place, cst.Attribute) and (place.attr.value, value) in _FIRST


def merge_tested_layers(unit: Unit) -> None:
    """`isinstance(m, (nn.BatchNorm1d, nn.BatchNorm2d))`: layers that are one class in the translation stand there once."""
    for call, tested in _tests(unit):
        if isinstance(call, cst.Call) and isinstance(tested, cst.Tuple) and len(tested.elements) > 1:
            names = [canonical(str(unit.facts.values(item.value).const)) for item in tested.elements]
            texts = [type_text(unit, name) for name in names]
            if len({text for text in texts if text is not None}) + texts.count(None) < len(texts):
                unit.edits.replace(tested, lambda rewrite, tested=tested: _merged(rewrite.inside(tested)))  # type: ignore[misc]


def _merged(tested: cst.CSTNode) -> cst.BaseExpression:
    assert isinstance(tested, cst.Tuple)
    parts = {code(item.value): item for item in tested.elements}
    first, *others = parts.values()
    return tested.with_changes(elements=[first, *others]) if others else first.value


def _tests(unit: Unit) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """The tests of a file, and what they test for."""
    for call in unit.facts.program.index.calls:
        if dotted(call.func) in ("isinstance", "issubclass") and len(call.args) == 2:
            yield call, call.args[1].value
    for pattern in unit.facts.program.index.every(cst.MatchClass):
        yield pattern, pattern.cls


def _classes(value: Value) -> Iterator[Value]:
    """The classes that a value stands for: one, or those in a tuple."""
    yield value
    for part in value.items or ():
        yield from _classes(part)


def _bases(unit: Unit, value: Value) -> Iterator[str]:
    """The keys of a class of the program and of those that it derives from."""
    for key in value.types:
        item = unit.facts.program.class_by_key.get(key)
        yield from (base.key for base in item.lineage) if item is not None else ()

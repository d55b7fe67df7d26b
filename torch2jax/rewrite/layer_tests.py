"""Tests for layers of torch from which classes of the program derive: what they would not find is told.

class Scaled(nn.Linear): ...             layers.py
isinstance(module, nn.Linear)            main.py: T2J608
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from torch2jax.program.program import canonical, dotted
from torch2jax.rewrite.names import type_text
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.values import Kind, Value


def note_layer_tests(unit: Unit, derived: Mapping[tuple[str, str], str]) -> None:
    """`derived`: for the layers from which classes of the program derive, and the places of these, the names of the files."""
    for node, tested in _tests(unit):
        several = [item.value for item in tested.elements] if isinstance(tested, cst.Tuple) else [tested]
        values = [part for item in several for part in _classes(unit.facts.values(item))]
        named = {canonical(str(value.const)) for value in values if value.kind is Kind.TORCH}
        found = {base for value in values if value.kind is Kind.CLASS for base in _bases(unit, value)}
        for (name, place), file in sorted(derived.items()):
            if name in named and f"{place}{name.rpartition('.')[2]}Base" not in found:
                unit.problem(node, "T2J608", name=name.removeprefix("torch."), file=file)
                break


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

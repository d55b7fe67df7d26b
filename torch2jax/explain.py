"""What is known of one line of a program, and why it became what it became: `torch2jax explain model.py:42`.

The line, what it becomes; the kinds of its expressions and which bindings they see; what its calls do, and the rows of the tables
that decide them; whether it runs compiled; which passes edited it; and what is told about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

import libcst as cst

from torch2jax.emit.remarks import list_diagnostics
from torch2jax.facts.compiled import step_obstacle
from torch2jax.facts.contexts import is_under_no_grad
from torch2jax.facts.effects import Draw
from torch2jax.facts.infer import MADE
from torch2jax.facts.object_changes import object_changes
from torch2jax.options import Options
from torch2jax.pipeline import Conversion, call_with_deep_stack
from torch2jax.records import dataclass
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.positions import find_positions
from torch2jax.syntax.source import Source
from torch2jax.syntax.walk import descendants
from torch2jax.translate import translate_module
from torch2jax.values import NOTHING, Kind, Value

_SHOWN = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BinaryOperation, cst.Comparison)
_WIDTH = 60


@dataclass(slots=True)
class _Observed:
    """What a translation has shown while it ran: which pass has edited which node first."""

    edited: dict[cst.CSTNode, str] = field(default_factory=dict)
    unit: Unit | None = None
    source: Source | None = None
    origins: Mapping[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)

    def passed(self, name: str, unit: Unit) -> None:
        """A pass has run."""
        edits = unit.edits
        for table in (edits.nodes, edits.statements, edits.preceding, edits.following, edits.moved):
            for node in table:
                self.edited.setdefault(node, name)

    def finished(self, unit: Unit, source: Source, origins: Mapping[cst.CSTNode, cst.CSTNode]) -> None:
        """All passes have run."""
        self.unit, self.source, self.origins = unit, source, origins


def explain_line(path: Path, line: int) -> str:
    """What is known of a line. Raises SourceError if the file does not parse, ValueError if it has no such line."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    if not 0 < line <= len(lines):
        raise ValueError(f"{path} has {len(lines)} lines")
    observed = _Observed()
    options = Options(follow_imports=True)
    source = str(path)
    conversion = call_with_deep_stack(
        lambda: Conversion(text, translate_module(text, source, options, observer=observed).text, path=source)
    )
    shown = [f"{path}:{line}", f"    {lines[line - 1].strip()}"]
    becomes = list(_translated(conversion, line, len(lines)))
    shown += ["becomes", *(f"    {item}" for item in becomes or ["nothing"])]
    if observed.unit is None or observed.source is None:
        return "\n".join([*shown, "the file has nothing to translate"])
    for title, found in _Line(observed, observed.unit, observed.source, str(path), line).sections():
        if found:
            shown += [title, *(f"    {item}" for item in dict.fromkeys(found))]
    return "\n".join(shown)


def _translated(conversion: Conversion, line: int, count: int) -> Iterator[str]:
    """The lines of a translation that stand for one of the original."""
    line_map, text = conversion.line_map, conversion.text
    first = line_map.get(line)
    before = max((new for old, new in line_map.items() if old < line), default=0)
    behind = min((new for old, new in line_map.items() if old > line), default=before + 1 if line < count else 10**9)
    start = first if first is not None else before + 1
    yield from (item for item in text.splitlines()[start - 1 : behind - 1] if item.strip())


class _Line:
    """The facts of one line."""

    def __init__(self, observed: _Observed, unit: Unit, source: Source, path: str, line: int) -> None:
        self.observed, self.unit, self.source, self.path, self.line = observed, unit, source, path, line
        origins, index = observed.origins, unit.facts.program.index
        candidates = [
            node for node in index.nodes if isinstance(node, (*_SHOWN, cst.BaseSmallStatement, cst.BaseStatement))
        ]
        self.positions = find_positions(source.module, [origins.get(node, node) for node in candidates])
        self.nodes = [node for node in candidates if self._line_of(node) == line]

    def _line_of(self, node: cst.CSTNode) -> int | None:
        found = self.positions.get(self.observed.origins.get(node, node))
        return found[0] if found is not None else None

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """The parts of the answer, each with its title."""
        yield "kinds", list(self._kinds())
        yield "bindings", list(self._bindings())
        yield "calls", list(self._calls())
        yield "runs", list(self._runs())
        yield "edited by", list(self._passes())
        remarks = list_diagnostics(self.unit, self.path, self.source, self.observed.origins)
        yield "remarks", [f"{item.code} {item.message}" for item in remarks if item.line == self.line]

    def _kinds(self) -> Iterator[str]:
        index = self.unit.facts.program.index
        for node in self.nodes:
            if isinstance(node, _SHOWN) and not index.is_label(node):
                said = describe(self.unit.facts.values(node))
                if said != "unknown":
                    yield f"{_short(node)}: {said}"

    def _bindings(self) -> Iterator[str]:
        definitions = self.unit.facts.program.definitions
        for node in self.nodes:
            if isinstance(node, cst.Name) and not definitions.index.is_label(node) and not definitions.is_bound(node):
                lines = {self._line_of_any(item.node) for item in definitions.of(node)}
                found = sorted(item for item in lines if item is not None)
                if found:
                    yield f"{node.value}: line {', '.join(map(str, found))}"

    def _line_of_any(self, node: cst.CSTNode) -> int | None:
        origin = self.observed.origins.get(node, node)
        found = find_positions(self.source.module, [origin]).get(origin)
        return found[0] if found is not None else None

    def _calls(self) -> Iterator[str]:
        facts = self.unit.facts
        for call in (node for node in self.nodes if isinstance(node, cst.Call)):
            said = []
            name = facts.values.torch_name(call.func)
            if (
                name is None
                and isinstance(call.func, cst.Attribute)
                and facts.values(call.func.value).kind is Kind.TENSOR
            ):
                name = f"Tensor.{call.func.attr.value}"
            row = facts.tables.functions.get(name or "") or facts.tables.layers.get(name or "")
            if row is not None:
                said.append(f"row of {name} in {row.origin}")
            if facts.effects.draw_of(call) is not Draw.NONE:
                said.append("draws random numbers")
            if facts.effects.threads_state(call):
                said.append("takes the state of its module")
            changes = object_changes(facts.values).within([call])
            own = [item for item in changes if facts.values.reached_by(call) or call in item.stores]
            said += [f"changes {item.variable.name}" for item in own]
            if said:
                yield f"{_short(call)}: {'; '.join(said)}"

    def _runs(self) -> Iterator[str]:
        facts = self.unit.facts
        for node in self.nodes[:1]:
            for step in facts.steps:
                inside = any(node in descendants(part) for part in (*step.forward, step.backward_statement))
                if inside and step.problem is None:
                    obstacle = step_obstacle(step, facts.values)
                    yield "in a training step" + (f", uncompiled: {obstacle}" if obstacle else ", compiled")
                elif inside:
                    yield f"in a training step that is not understood: {step.problem}"
            if self.unit.differentiated.holds(facts.program, node):
                yield "below a gradient"
            if is_under_no_grad(node, facts.values):
                yield "without gradients"

    def _passes(self) -> Iterator[str]:
        around = [*self.nodes, *(self.unit.facts.program.index.statement_of(node) for node in self.nodes[:1])]
        yield from (self.observed.edited[node] for node in around if node in self.observed.edited)


def describe(value: Value) -> str:
    """A value in a few words: `f32[_, _]` for a tensor of two axes, the classes of modules and objects, constants."""
    if value.kind is Kind.TENSOR:
        dtype = value.dtype or "?"
        short = dtype.replace("bfloat", "bf").replace("float", "f").replace("int", "i")
        return f"{short}[{'...' if value.rank is None else ', '.join('_' * value.rank)}]"
    if value.kind is Kind.TORCH and isinstance(value.const, str):
        return str(value.const)
    names = sorted(name.rpartition(":")[2] for name in value.types if not name.startswith(MADE))
    said = f"{value.kind} {' or '.join(names)}" if names else str(value.kind)
    if value.items is not None:
        said += f" ({', '.join(map(describe, value.items))})"
    elif value.elem is not None:
        said += f" of {describe(value.elem)}"
    is_constant = value.is_number or value.kind is Kind.STR
    return f"{said} {value.const!r}" if is_constant and value.const is not NOTHING else said


def _short(node: cst.CSTNode) -> str:
    text = " ".join(code(node).split())
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


__all__ = ["describe", "explain_line"]

"""Find the part of an evaluation loop that can be compiled: the model call, what is computed from it, and what is read.

for x, y in loader:
    pred = model(x).argmax(dim=1)                 inside
    correct += (pred == y).sum().item()           host; `(pred == y).sum()` is a result of the step
"""

from __future__ import annotations

from dataclasses import field

import libcst as cst

from torch2jax.facts.compiled import find_obstacle
from torch2jax.facts.effects import Draw, Effects
from torch2jax.facts.key_order import holds_dict
from torch2jax.facts.training import (
    Flows,
    Step,
    in_order,
    is_host,
    local_names,
    ordered,
    self_paths,
    uses_bare_self,
    value_of_place,
)
from torch2jax.program.program import Function, Program, dotted, owner_name
from torch2jax.program.statements import reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants
from torch2jax.values import UNKNOWN, Kind, Value


@dataclass(slots=True, eq=False)
class Evaluation:
    """One evaluation step. `inside` are the statements that move into it, `reads` the expressions under `.item()` that
    become its results, `results` live names that it defines, `inputs` the places that it reads.
    """

    function: Function | None
    block: cst.IndentedBlock
    first: cst.BaseStatement
    inside: list[cst.SimpleStatementLine] = field(default_factory=list)
    reads: list[cst.BaseExpression] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)

    @property
    def calls(self) -> list[cst.Call]:
        """The calls of the models: with the state that these have, which they leave as it is."""
        parts = (*self.inside, *map(cst.Expr, self.reads))
        calls = [node for part in parts for node in descendants(part) if isinstance(node, cst.Call)]
        return [call for call in calls if dotted(call.func) in self.models]


def find_evaluations(program: Program, effects: Effects, flows: Flows, steps: tuple[Step, ...]) -> list[Evaluation]:
    """The evaluation steps of a file, at most one for each loop body."""
    blocks = {step.block for step in steps}
    found = []
    on_devices = any(mark[0] == "wrapped" for mark in program.marks)
    scopes: list[Function | None] = [*program.functions.values()]
    if on_devices:  # where the rows lie on several devices, each of them has to run what a script evaluates, too
        scopes.append(None)
    for function in scopes:
        evaluated = effects.evaluated_places(function)
        if not (evaluated or on_devices) or (
            function is not None and function.owner is not None and function.owner.is_module
        ):
            continue
        for node in descendants(program.index.module if function is None else function.node.body):
            if isinstance(node, cst.For) and isinstance(node.body, cst.IndentedBlock) and node.body not in blocks:
                if program.function_around(node) is function:
                    places = evaluated
                    if on_devices:  # where the rows lie on several devices, each of them has to run the step
                        places |= _set_to_evaluate(program, effects, node)
                    evaluation = _find_in_loop(program, effects, flows, function, node.body, places)
                    if evaluation is not None:
                        found.append(evaluation)
    return found


def _find_in_loop(
    program: Program,
    effects: Effects,
    flows: Flows,
    function: Function | None,
    block: cst.IndentedBlock,
    places: frozenset[str],
) -> Evaluation | None:
    body = list(block.body)
    start = next((number for number, line in enumerate(body) if _calls_place(line, effects, places)), None)
    if start is None or not isinstance(body[start], cst.SimpleStatementLine):
        return None
    evaluation = Evaluation(function, block, body[start])
    hosts: list[cst.BaseStatement] = []
    defined: set[str] = set()
    changed: set[str] = set()
    asked: set[str] = set()  # what the host looks at, so that no line behind it may give it another value
    for line in body[start:]:
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
            break
        reads, writes = reads_and_writes(line)
        if _is_inside(line, effects) and not reads & changed:
            if writes & asked:
                break
            evaluation.inside.append(line)
            defined |= writes
            continue
        items = _item_reads(line, effects)
        if any(reads_and_writes(cst.Expr(item))[0] & changed for item in items):
            break
        evaluation.reads.extend(items)
        hosts.append(line)
        changed |= writes
        asked |= reads
    if _cannot_be_compiled(evaluation, effects):
        return None
    return evaluation if _find_interface(evaluation, places, program, effects, flows, defined, hosts) else None


def _set_to_evaluate(program: Program, effects: Effects, loop: cst.For) -> frozenset[str]:
    """Places that a statement before a loop, in its block or that of a `with` around it, has set to evaluation mode."""
    index = program.index
    around: cst.CSTNode = loop
    before: list[cst.CSTNode] = []
    while isinstance(block := index.parents[around], (cst.IndentedBlock, cst.Module)):
        body = list(block.body)
        before += reversed(body[: body.index(around)])  # type: ignore[arg-type]
        around = index.parents[block] if isinstance(block, cst.IndentedBlock) else block
        if not isinstance(around, cst.With):
            break
    found: set[str] = set()
    changed = _places_touched(effects, loop)
    for line in before:
        place = _set_by(effects, line)
        if place is not None and place not in changed:
            found.add(place)
        changed |= _places_touched(effects, line)
    return frozenset(found)


def _set_by(effects: Effects, line: cst.CSTNode) -> str | None:
    """`model.eval()`."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name("eval")), args=[]))]
        ):
            value = effects.values(place)
            return dotted(place) if value.kind is Kind.MODULE and effects.is_mode_method(value, "eval") else None
    return None


def _places_touched(effects: Effects, node: cst.CSTNode) -> set[str]:
    """Places whose mode may change below a node: those that methods set, that are bound, or given to functions of the program."""
    found: set[str] = set()
    for item in (node, *descendants(node)):
        match item:
            case cst.Call(func=cst.Attribute(value=place, attr=cst.Name("train" | "eval"))):
                found.add(dotted(place) or "")
            case cst.AssignTarget(target=target):
                parts = (target, *descendants(target))
                found.update(dotted(part) or "" for part in parts if isinstance(part, (cst.Name, cst.Attribute)))
            case cst.Call() if effects.values.callees.get(item) and effects.values(item.func).kind is not Kind.MODULE:
                found.update(dotted(argument.value) or "" for argument in item.args)
                found.update(path for path in [dotted(item.func)] if path and "." in path)
    return found


def _calls_place(line: cst.CSTNode, effects: Effects, places: frozenset[str]) -> bool:
    return any(
        isinstance(node, cst.Call) and dotted(node.func) in places and effects.values(node.func).kind is Kind.MODULE
        for node in descendants(line)
    )


def _is_inside(line: cst.SimpleStatementLine, effects: Effects) -> bool:
    small = line.body[0]
    if not isinstance(small, cst.Assign) or is_host(line, effects.values):
        return False
    plain = all(
        isinstance(node, (cst.Name, cst.Tuple, cst.Element))
        for target in small.targets
        for node in descendants(target.target)
    )
    return plain and _is_tensors(effects.values(small.value))


def _item_reads(line: cst.SimpleStatementLine, effects: Effects) -> list[cst.BaseExpression]:
    """The tensors that a host statement reads with `.item()`."""
    found: list[cst.BaseExpression] = []
    for node in descendants(line):
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "item":
            if effects.values(node.func.value).kind is Kind.TENSOR and not any(
                node in list(descendants(other)) for other in found
            ):
                found.append(node.func.value)
    return found


def _cannot_be_compiled(evaluation: Evaluation, effects: Effects) -> bool:
    """Whether there is nothing to compile, tracing would fail, or the statements draw (their keys are split outside)."""
    region = [*evaluation.inside, *evaluation.reads]
    if not region or find_obstacle(region, effects.values) is not None:
        return True
    calls = [node for part in region for node in descendants(part) if isinstance(node, cst.Call)]
    return any(effects.draw_of(call) is not Draw.NONE for call in calls)


def _find_interface(
    evaluation: Evaluation,
    places: frozenset[str],
    program: Program,
    effects: Effects,
    flows: Flows,
    defined: set[str],
    hosts: list[cst.BaseStatement],
) -> bool:
    """Inputs and results of the step; False if it cannot be outlined."""
    function = evaluation.function
    region: list[cst.CSTNode] = [*evaluation.inside, *(cst.Expr(item) for item in evaluation.reads)]
    own_name = owner_name(function)
    reads: list[str] = []
    bound: set[str] = set()
    for part in region:
        used, writes = reads_and_writes(part)
        reads.extend(name for name in ordered(part, used) if name not in bound and name not in reads)
        bound |= writes
    paths: list[str] = []
    if own_name is not None and own_name in reads:
        reads.remove(own_name)
        if uses_bare_self(region, own_name, program):
            return False
        for part in region:
            paths.extend(path for path in sorted(self_paths(part, own_name)) if path not in paths)
    local = local_names(function, program, effects.values)
    for place in (*[name for name in reads if name in local], *paths):
        value = value_of_place(region, place, effects.values)
        if value is not None and value.kind in (Kind.INT, Kind.FLOAT, Kind.LIST, Kind.DICT, Kind.OBJECT):
            return False
        is_module = value is not None and value.kind is Kind.MODULE
        is_model = is_module and place in places
        if (
            value is not None
            and is_module
            and (effects.has_own_state(value) or (not is_model and effects.is_stateful(value)))
        ):
            return False
        (evaluation.models if is_model else evaluation.inputs).append(place)
    if any(name in defined for name in evaluation.inputs):
        return False
    lines = list(evaluation.block.body)
    last = max((*hosts, evaluation.inside[-1]) if evaluation.inside else hosts, key=lines.index)
    live = set(flows.liveness(function).after_statement(last))
    rest = _names_read_after(evaluation, hosts)
    evaluation.results = [name for name in in_order(evaluation.inside, defined) if name in live or name in rest]
    env = program.module_env if function is None else function.env
    if any(holds_dict(env.get(name, UNKNOWN)) for name in evaluation.results):
        return False  # JAX would sort its keys
    stateful = [
        place
        for place in evaluation.models
        if effects.is_stateful(value_of_place(region, place, effects.values) or UNKNOWN)
    ]
    trained = set(stateful) - effects.evaluated_places(function)
    if any(not _is_only_called(region, place) for place in trained):
        return False  # where a function trains as well, what others give that it calls has the state with it
    return bool(evaluation.models) and bool(evaluation.results or evaluation.reads) and len(stateful) <= 1


def _is_only_called(region: list[cst.CSTNode], place: str) -> bool:
    """Whether a place stands in a region only where it is called."""
    nodes = [node for part in region for node in descendants(part)]
    called = {node.func for node in nodes if isinstance(node, cst.Call)}
    return all(
        node in called for node in nodes if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == place
    )


def _names_read_after(evaluation: Evaluation, hosts: list[cst.BaseStatement]) -> set[str]:
    """Names that host statements read outside the expressions that the step gives them."""
    inside = {node for item in evaluation.reads for node in descendants(item)}
    return {
        node.value for line in hosts for node in descendants(line) if isinstance(node, cst.Name) and node not in inside
    }


def _is_tensors(value: Value) -> bool:
    """Whether a value is a tensor or a tuple of tensors."""
    if value.items is not None:
        return all(_is_tensors(item) for item in value.items)
    return value.kind is Kind.TENSOR

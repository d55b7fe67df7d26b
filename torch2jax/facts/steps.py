"""Every `backward()` of a file as a training step: one function where that keeps the order of things, else in two parts.

optimizer.zero_grad()                              loss, grads = compute_gradients(model, x, y)
loss = F.cross_entropy(model(x), y)
if torch.isnan(loss):                        ->    if jnp.isnan(loss):
    continue                                           continue
loss.backward()
optimizer.step()                                   model, opt_state = apply_gradients(optimizer, model, opt_state, grads)

In two parts, gradients are values: `backward()` makes them or adds to them, `zero_grad()` empties them, `step()` uses them, and all
that stands around these stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from typing import TypeGuard

import libcst as cst

from torch2jax.facts.captures import hidden_module
from torch2jax.facts.carried import find_carried
from torch2jax.facts.dependence import Dependence, lines_behind
from torch2jax.facts.field_aliases import dotted_part
from torch2jax.facts.gradient_accumulation import EMPTY, FILLED, MIXED, Event, GradientFlow, Gradients
from torch2jax.facts.gradient_reads import GradientRead, find_gradient_reads
from torch2jax.facts.infer import Values
from torch2jax.facts.provenance import Graphs
from torch2jax.facts.stored_graphs import StoredGraphs
from torch2jax.facts.training import (
    SEVERAL_OPTIMIZERS,
    Flows,
    Step,
    Update,
    cleared_place,
    empties,
    find_forward,
    find_interface,
    find_trained,
    find_update,
    keeps_graph,
    last_line,
    makes_leaf,
    may_come_from_leaves,
    method_call,
    read_first,
    sets_zeros,
    step_ends,
    value_of_place,
)
from torch2jax.program.calls import is_backward
from torch2jax.program.program import Function, Program, dotted, root_name
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, children, descendants
from torch2jax.values import Kind, Value, module_sites

_NOT_TRAINED = "others train with what it has computed before, and not the same"


def find_steps(program: Program, values: Values, flows: Flows) -> Sequence[Step]:
    """Every `backward()` of the file as a step, in source order."""
    if flows.steps is None:
        flows.steps = _find_steps(program, values, flows)
    return flows.steps


def _find_steps(program: Program, values: Values, flows: Flows) -> Sequence[Step]:
    steps: list[tuple[cst.Call, cst.BaseExpression]] = []
    for call in program.index.calls:
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value != "backward":
            continue
        kind = values(function.value).kind
        if kind not in (Kind.TENSOR, Kind.UNKNOWN) or (kind is Kind.UNKNOWN and not _mentions_torch(values, program)):
            continue
        steps.append((call, function.value))
    if not steps:
        return ()
    checks = _Checks(program, values, flows)
    flows.stores = checks.stored.find()
    return _settle_steps([_find_step(program, values, flows, *item) for item in steps], program, values, flows, checks)


def _settle_steps(steps: list[Step], program: Program, values: Values, flows: Flows, checks: _Checks) -> Sequence[Step]:
    """Steps as they are found at first, with what speaks against them, and with other ways to write them."""
    for step in steps:
        checks.refuse(step)
    parts = _carry(program, values, flows, checks, steps)
    found = _Parts(program, values, flows, checks).divide(steps)
    settled = _settled(parts, found)
    alone = [n for n, item in enumerate(found) if item.problem == _NOT_TRAINED and not (item.trained or item.updates)]
    tried = {n: _uncompiled(steps[n], program, values, flows, checks) for n in alone}
    eager = {n: item for n, item in tried.items() if item is not None}
    if eager:
        found = _Parts(program, values, flows, checks).divide([eager.get(n, step) for n, step in enumerate(steps)])
        settled = _settled(parts, found)
    return [*settled, *found]


def _carry(program: Program, values: Values, flows: Flows, checks: _Checks, steps: list[Step]) -> Sequence[Step]:
    """Look for parts of losses that were computed before their steps, and find the steps around these anew."""
    parts: dict[cst.BaseStatement, Step] = {}
    users: dict[cst.Call, tuple[Step, ...]] = {}
    barriers: dict[cst.Call, cst.BaseStatement] = {}
    for position, plain in enumerate(steps):
        step = _behind_barrier(plain, program, values, flows, checks) or plain
        if step.problem is not None and (step.brought or step.uses_earlier):
            found = find_carried(step, program, values, flows, parts, checks.stored)
            if not found and step.barrier is not None and step.uses_earlier in step.brought:
                step.brought = frozenset()
                found = find_carried(step, program, values, flows, parts, checks.stored)
            if found and all(_is_apart(part, parts) and _is_whole(checks, part) for part in found):
                users[step.backward] = found
                parts |= {line: part for part in found for line in (*part.forward, *part.added)}
                if step.barrier is not None:
                    barriers[step.backward] = step.barrier
        elif step is not plain and step.problem is None and step.barrier is not None:
            barriers[step.backward] = step.barrier
        if plain.code == "T2J504" and plain.backward not in {*users, *barriers}:
            steps[position] = _uncompiled(plain, program, values, flows, checks) or plain
    kept = list(dict.fromkeys(part for found in users.values() for part in found))
    for position, step in enumerate(steps) if kept or barriers else ():
        fixed = frozenset(line for part in kept if part.function is step.function for line in part.forward)
        if fixed or step.backward in users or step.backward in barriers:
            again = _begin(program, values, step.backward, step.loss)
            again.fixed, again.carried = fixed, users.get(step.backward, ())
            again.barrier, again.is_eager = barriers.get(step.backward), step.is_eager
            steps[position] = _completed(again, program, values, flows)
            checks.refuse(again)
            again.passed = tuple(part for part in kept if part not in again.carried and checks.goes_into(again, part))
    return kept


def _settled(parts: Sequence[Step], steps: Sequence[Step]) -> list[Step]:
    """The parts of losses with what is trained by the steps into which they go on: all of those train the same."""
    for part in parts:
        trained = {step.trained for step in steps if part in step.carried and step.problem is None}
        if len(trained) == 1:
            (part.trained,) = trained
    for step in steps:
        if step.problem is None and any(part.trained != step.trained or not part.trained for part in step.carried):
            step.problem = _NOT_TRAINED
    return [part for part in parts if part.trained]


def _behind_barrier(plain: Step, program: Program, values: Values, flows: Flows, checks: _Checks) -> Step | None:
    """A step that begins behind the last statement which stands in its middle; None where there is no such statement."""
    step, barrier = plain, None
    while step.problem is not None and step.barrier is not barrier and step.barrier in plain.block.body[: plain.end]:
        barrier = step.barrier
        step = _begin(program, values, plain.backward, plain.loss)
        step.barrier = barrier
        step = _completed(step, program, values, flows)
        checks.refuse(step)
    return step if step is not plain else None


def _uncompiled(plain: Step, program: Program, values: Values, flows: Flows, checks: _Checks) -> Step | None:
    """A step in whose middle numbers are taken of tensors, as one that is not compiled; None where that is not all."""
    step = _begin(program, values, plain.backward, plain.loss)
    step.is_eager = True
    checks.refuse(_completed(step, program, values, flows))
    return step if step.problem is None else None


def _may_add_up(program: Program, values: Values) -> bool:
    """Whether an optimizer of a file may use gradients of several `backward()`: not one alone stands between the line that
    empties them and that which uses them.
    """
    index = program.index
    for call in index.calls:
        match call:
            case cst.Call(func=cst.Attribute(value=place, attr=cst.Name("step"))) if (
                values(place).kind is Kind.OPTIMIZER
            ):
                line = index.statement_of(call)
                block = index.parents[line]
                body = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
                before = body[: body.index(line)] if line in body else []
                clears = [item for item in before if _calls(item, f"{dotted(place)}.zero_grad")]
                behind = before[before.index(clears[-1]) :] if clears else []
                if sum(is_backward(item) for line in behind for item in descendants(line, cst.Call)) != 1:
                    return True
    return False


def _calls(line: cst.BaseStatement, name: str) -> bool:
    """Whether a line is a call of a method, by its place."""
    call = method_call(line, name.rpartition(".")[2])
    return call is not None and dotted(call.func) == name


def _is_apart(part: Step, known: Mapping[cst.BaseStatement, Step]) -> bool:
    """Whether a part of a loss shares no lines with those of other steps, unless it is the same."""
    return all(known.get(line, part) is part for line in (*part.forward, *part.added))


def _is_whole(checks: _Checks, part: Step) -> bool:
    """Whether a part of a loss that was computed before has all its graph."""
    checks.refuse(part)
    return part.problem is None


@dataclass(slots=True)
class _Checks:
    """What speaks against a step, whichever form it has."""

    program: Program
    values: Values
    flows: Flows
    graphs: Graphs = field(init=False)
    stored: StoredGraphs = field(init=False)
    gradients: Gradients | None = None
    _adds: bool | None = None

    def __post_init__(self) -> None:
        self.graphs = Graphs(self.program, self.values)
        self.stored = StoredGraphs(self.program, self.values, self.graphs)

    def refuse(self, step: Step) -> None:
        self._refuse_graphs(step)
        self._refuse_hidden_modules(step)
        bound_again = step.written.intersection(place for part in step.carried for place in part.stores)
        if bound_again and step.problem is None:
            step.problem = f"`{min(bound_again)}` has been computed before it, and gets another value in it"
        if step.carries:
            return
        if not step.updates or not step.updates[0].optimizer:
            self._refuse_left_gradients(step)

    def _refuse_left_gradients(self, step: Step) -> None:
        """Backward passes of their own whose gradients meet those of others in the parameters."""
        if step.problem is not None or step.optimizer is not None or not (step.models or self._outlive(step)):
            return
        gradients = self.gradients = self.gradients or Gradients(self.program, self.values)
        if step.models and gradients.are_used_behind(step.backward_statement, step.function):
            step.problem = (
                "its gradients are added to those that an `optimizer.step()` uses: no `zero_grad()` is between"
            )
        elif not step.updates and gradients.are_left_before(step.backward_statement, step.function):
            step.problem = "its gradients are added to those of another backward pass: no `zero_grad()` is between"

    def _outlive(self, step: Step) -> bool:
        """Whether the function of a step is given a tensor whose gradient is taken, or has it from around."""
        if step.function is None:
            return False
        flow = self.flows.liveness(step.function).flow
        bound = {name for point in flow for name in flow.accesses(point).defs}
        return any(name not in bound for name in step.leaves)

    def _refuse_hidden_modules(self, step: Step) -> None:
        """Steps that call functions which read the trained module from around them: as a constant, without a gradient."""
        if step.problem is not None:
            return
        lines: Sequence[cst.CSTNode] = step.forward
        if step.is_eager:  # the others see the module itself, and give numbers
            lines = lines_behind(lines, step.loss, Dependence(self.values, step.function))
        before = [line for part in step.carried for line in (*part.forward, part.loss)]
        models = [*step.reached, *(place for part in step.carried for place in part.reached)]
        found = hidden_module([*lines, step.loss], models, self.values, before)
        if found is not None:
            step.hidden = function, name = found
            step.problem = (
                f"`{function.name}` reads `{name}` from around it, where it would be a constant: give it as an argument"
            )

    def _refuse_graphs(self, step: Step) -> None:
        """Steps whose loss depends on what was computed from the same parameters before they begin."""
        reads_stores = not self.flows.stores.full.isdisjoint(step.inputs)
        calls_nothing = bool(step.forward and step.inputs) and not (step.models or step.leaves or step.trained)
        is_behind = step.uses_earlier is not None and step.barrier is not None
        if step.problem is not None and not (reads_stores or calls_nothing or is_behind):
            return
        is_seen = step.uses_earlier is None and (step.optimizer is None or bool(step.trained))
        trained = [] if is_seen else self._trained(step)
        models = None if calls_nothing or trained is None else [*trained, *self._models(step)]
        step.brought = self._brought(step, models)
        if models == [] and all(place.isidentifier() for place in step.brought):
            own = [place for place in step.brought if may_come_from_leaves(place, step.function, self.values)]
            step.brought = frozenset(own)
        known = frozenset(place for part in step.carried for place in part.brings)
        if step.brought - known and step.problem is None:
            place = min(step.brought - known)
            step.problem = f"`{place}` was computed from what it trains, before it: the gradient would not go on there"

    def goes_into(self, step: Step, part: Step) -> bool:
        """Whether the gradients of a step go on into a part of another's loss, computed before both."""
        brought = self._brought(step, self._models(part)) if step.problem is None else frozenset()
        return not brought.isdisjoint(part.brings)

    @property
    def adds(self) -> bool:
        """Whether steps of the file may use gradients that others have left, or somebody looks at them."""
        if self._adds is None:
            self._adds = self.program.mentions("grad") or _may_add_up(self.program, self.values)
        return self._adds

    def _trained(self, step: Step) -> list[Value] | None:
        """The modules that a step trains, or of which its optimizer has the parameters, where all others are cleared of gradients
        before they are trained; None if one is not in sight. Those that it leaves in others by way of what was computed before
        are lost.
        """
        if self.adds:
            return None
        if step.optimizer is not None and not step.trained:
            parts = self.values(step.optimizer).items or ()
            is_known = all(part.kind is Kind.PARAMETERS and part.types and part.sites for part in parts)
            return [*parts] if parts and is_known else None
        if not step.trained:
            return None
        found = [value_of_place(step.named, place, self.values) for place in step.trained]
        return [value for value in found if value is not None] if all(found) else None

    def _models(self, step: Step) -> list[Value]:
        """The modules whose gradients a step uses: none where its optimizer has nothing but tensors."""
        parts = self.values(step.optimizer).items or () if step.optimizer is not None and not step.updates else ()
        if parts and step.trained and all(part.kind is Kind.TENSOR for part in parts):
            return []
        found = [value_of_place(step.named, name, self.values) for name in step.reached]
        return [value for value in found if value is not None]

    def _brought(self, step: Step, models: Sequence[Value] | None) -> frozenset[str]:
        """The places from which gradients would go on into what was computed from some models before a step."""
        given = getattr(step.backward, "args", ())  # what a part computes before others has no call
        # a round may compute a part and leave out the steps into which it goes
        keeps = any(map(keeps_graph, given)) or self._may_be_left_out(step) or bool(step.carries)
        read = read_first([*step.forward, cst.Expr(step.loss)])
        if keeps:
            read -= set(_cut_first(step.block.body[: step.end]))
        return self.graphs.brought_into(step.forward, step.loss, read, models, bool(step.leaves), keeps, step.function)

    def _may_be_left_out(self, step: Step) -> bool:
        """Whether a round may compute the loss and leave out its `backward()`: the graph stays for the rounds behind it."""
        between = step.block.body[step.block.body.index(step.forward[0]) : step.end] if step.forward else ()
        jumps = (node for line in between for node in _jumps_out(line))
        is_behind = self.program.index.parents[step.backward_statement] is step.block
        return bool(step.forward) and (not is_behind or any(jumps))


def _jumps_out(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The jumps of a statement that belong to a loop around it."""
    if isinstance(node, (cst.Continue, cst.Break)):
        yield node
    elif isinstance(node, (cst.For, cst.While)):
        if node.orelse is not None:
            yield from _jumps_out(node.orelse)
    elif not isinstance(node, cst.BaseExpression):
        for child in children(node):
            yield from _jumps_out(child)


def _cut_first(body: Sequence[cst.CSTNode]) -> Iterator[str]:
    """The variables that are cut from their graphs where statements first speak of them: `h = h.detach()`."""
    seen: set[str] = set()
    for part in body:
        match part:
            case cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Name(name))],
                        value=cst.Call(func=cst.Attribute(value=cst.Name(old), attr=cst.Name("detach"))),
                    )
                ]
            ) if name == old and name not in seen:
                yield name
        seen |= names_in(part)


def _mentions_torch(values: Values, program: Program) -> bool:
    return any(value.kind is Kind.TORCH for value in program.module_env.values())


def _find_step(program: Program, values: Values, flows: Flows, call: cst.Call, loss: cst.BaseExpression) -> Step:
    return _completed(_begin(program, values, call, loss), program, values, flows)


def _completed(step: Step, program: Program, values: Values, flows: Flows) -> Step:
    """A step that has been begun with all that belongs to it."""
    if step.problem is not None:
        return step
    step.end = list(step.block.body).index(step.backward_statement)
    find_update(step, values)
    serves_several = step.problem == SEVERAL_OPTIMIZERS
    if serves_several:  # what it computes is the same, however it is written
        step.problem = None
    if step.problem is None:
        find_forward(step, values, flows)
    if step.problem is None:
        find_interface(step, program, values, flows)
    if serves_several:
        step.problem = SEVERAL_OPTIMIZERS
    return step


def _begin(program: Program, values: Values, call: cst.Call, loss: cst.BaseExpression) -> Step:
    """A step of which nothing is known but where its `backward()` stands."""
    index = program.index
    statement = index.statement_of(call)
    block = index.parents[statement]
    function = program.function_around(call)
    assert isinstance(statement, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    if not isinstance(statement, cst.SimpleStatementLine) or method_call(statement, "backward") is not call:
        return Step(function, index.module, call, statement, loss, problem="`backward()` is not a statement of its own")  # type: ignore[arg-type]
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return Step(
            function, index.module, call, statement, loss, problem="the step stands on one line with its header"
        )
    step = Step(function, block, call, statement, loss)
    if any(argument for argument in call.args if not keeps_graph(argument)):
        step.problem = "`backward()` has arguments"
    return step


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A line that does something to the gradients of what an optimizer trains, or of a module: its `receiver`."""

    event: Event
    line: cst.SimpleStatementLine
    call: cst.Call
    receiver: cst.BaseExpression
    function: Function | None


class _Parts:
    """Steps in two parts: those that one function cannot be, and all others that meet their gradients."""

    def __init__(self, program: Program, values: Values, flows: Flows, checks: _Checks) -> None:
        self.program, self.values, self.flows, self.checks = program, values, flows, checks
        self.lines = list(self._find_lines())
        self.reads = list(find_gradient_reads(program, values))
        self.updates: dict[tuple[object, tuple[str, ...], str], Update] = {}

    def divide(self, steps: Sequence[Step]) -> list[Step]:
        """The steps, those in two parts that have to be."""
        for step in steps:
            if step.problem is None and step.is_cleared_elsewhere and not self._begins_empty(step, steps):
                step.problem = (
                    "gradients are not cleared in every step (no `zero_grad()` beside it), so they accumulate"
                )
        found = [self._divided(step) or step if self._asks(step, steps) else step for step in steps]
        for step in found:
            if step.problem is None and not step.updates and step.optimizer is None and self._is_repeated(step, found):
                step.problem = "its gradients are added to those of another backward pass"
        while True:
            self._follow(found)
            kept = [update for update in self.updates.values() if update.kept and update.optimizer]
            again = [
                (position, step)
                for position, step in enumerate(found)
                if not step.updates and step.problem is None and self._shares(step, kept, found)
            ]
            if not again:
                return found
            for position, step in again:
                divided = self._divided(step)
                if divided is None:
                    step.problem = "its gradients are added to those of another backward pass"
                else:
                    found[position] = divided

    def _shares(self, step: Step, kept: Sequence[Update], steps: Sequence[Step]) -> bool:
        """Whether a step that is one function meets gradients that go on, or ends with a line that uses those of others, too."""
        used = [update for other in steps if other.problem is None for update in other.updates]
        return any(self._meets(step, item) for item in kept) or any(step.step_statement in item.lines for item in used)

    def _asks(self, step: Step, steps: Sequence[Step]) -> bool:
        """Whether a step should be in two parts, if it can be."""
        trains_nothing = step.optimizer is None and not step.models and not step.leaves
        is_watched = any(read.function is step.function and read.place in step.models for read in self.reads)
        is_watched |= step.optimizer is not None and any(self._read_by_name(step.function, step.trained))
        is_alone = step.optimizer is None and (bool(step.models) or self._is_repeated(step, steps))
        return step.problem is not None or trains_nothing or is_watched or is_alone

    def _read_by_name(self, function: Function | None, models: Sequence[str]) -> Iterator[cst.Attribute]:
        """Where a function reads gradients of single parameters of models: `net.fc.weight.grad`, `net[0].bias.grad`."""
        for node in self.program.index.attributes:
            if node.attr.value == "grad" and self.program.function_around(node) is function:
                place = dotted_part(node.value)
                is_bound = isinstance(self.program.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.Del))
                if not is_bound and any(f"{place}.".startswith(f"{model}.") for model in models):
                    yield node

    def _is_repeated(self, step: Step, steps: Sequence[Step]) -> bool:
        """Whether other steps of a function compute gradients of the same tensors, which nothing empties."""
        if step.models:
            return False
        for place in step.leaves:
            own = [other for other in steps if other.function is step.function and place in other.leaves]
            if any(not self._is_emptied_between(one, other, place) for one, other in pairwise(own)):
                return True
        return False

    def _is_emptied_between(self, one: Step, other: Step, place: str) -> bool:
        """Whether the gradient of a tensor is emptied between two steps in a row, or the variable becomes another tensor."""
        if one.block is not other.block:
            return False
        body = list(one.block.body)
        first, last = body.index(one.backward_statement), body.index(other.backward_statement)
        for line in body[first + 1 : last]:
            if isinstance(line, cst.SimpleStatementLine):
                small = line.body[0]
                if _binds(line, {place}) or (empties(small) and cleared_place(small) == place):
                    return True
        return False

    def _meets(self, step: Step, update: Update) -> bool:
        """Whether a step computes gradients of what an update trains."""
        if step.function is update.function:
            return not {*_entered(step), *step.leaves}.isdisjoint(update.models)
        if update.of_tensors:
            return False
        sites = self._sites_of(update)
        return any(not sites or not own or sites & own for own in map(frozenset, self._sites(step)))

    def _sites_of(self, update: Update) -> frozenset[int]:
        """Where what an update trains is made; none where that is not known."""
        return self.values(update.node).sites if update.node is not None else update.sites

    def _sites(self, step: Step) -> list[frozenset[int]]:
        lines = (line for part in step.passed for line in part.forward)
        found = [value_of_place([*step.named, *lines], place, self.values) for place in _entered(step)]
        return [value.sites for value in found if value is not None]

    # one step

    def _divided(self, plain: Step) -> Step | None:
        """The step in two parts; None if that is not possible either."""
        found = self._in_two_parts(plain, plain.is_eager)
        if found is None and plain.code == "T2J504":
            return self._in_two_parts(plain, is_eager=True)
        return found

    def _in_two_parts(self, plain: Step, is_eager: bool) -> Step | None:
        step = _begin(self.program, self.values, plain.backward, plain.loss)
        step.is_eager = is_eager
        if step.problem is not None:
            return None
        step.fixed, step.carried, step.passed = plain.fixed, plain.carried, plain.passed
        step.barrier = plain.barrier if plain.carried else None
        home = self._home(step)
        if home is None:
            return None
        step.block, step.end = home
        step.begin = self._beginning(step)
        step.updates = (Update("", (), step.function),)
        find_forward(step, self.values, self.flows)
        if not step.is_refused:
            find_interface(step, self.program, self.values, self.flows)
        if step.is_refused:
            if step.blocked:
                plain.blocked, plain.problem, plain.code = step.blocked, step.problem, step.code
            return None
        step.updates = self._updates_of(step) or self._own_update(step, plain)
        step.trained = tuple(place for update in step.updates for place in update.models)
        used = [line for update in step.updates for line in update.lines]
        if plain.step_statement is not None and plain.step_statement not in used:
            return None
        if not step.updates or set(step.leaves) - set(step.trained) or len(set(step.trained)) < len(step.trained):
            return None
        step.optimizer = step.updates[0].node
        step.inputs = [name for name in step.inputs if name not in step.trained]
        return step if self._is_sound(step, plain) else None

    def _is_sound(self, step: Step, plain: Step) -> bool:
        """Whether nothing speaks against a step in two parts."""
        self.checks.refuse(step)
        plain.problem = step.problem or plain.problem
        return step.problem is None

    def _home(self, step: Step) -> tuple[cst.IndentedBlock | cst.Module, int] | None:
        """The block in which the loss is computed, and where `backward()` stands, or what holds it, in there."""
        parents = self.program.index.parents
        node: cst.CSTNode = step.backward_statement
        names = names_in(step.loss)
        while True:
            block = parents[node]
            if not isinstance(block, (cst.IndentedBlock, cst.Module)):
                return None
            position = list(block.body).index(node)  # type: ignore[arg-type]
            if any(_binds(statement, names) for statement in block.body[:position]):
                return block, position
            holder = parents.get(block)
            while isinstance(holder, (cst.Else, cst.If)) and isinstance(parents[holder], cst.If):
                holder = parents[holder]
            if not isinstance(holder, (cst.If, cst.With)):
                own = parents[step.backward_statement]
                assert isinstance(own, (cst.IndentedBlock, cst.Module))
                return own, list(own.body).index(step.backward_statement)
            node = holder

    def _beginning(self, step: Step) -> int:
        """Behind the last update in the block before `backward()`: what a loss is computed from stands behind it."""
        body = list(step.block.body)
        ends = [place for place in step_ends(body, self.values) if place < step.end]
        ends += [body.index(step.barrier)] if step.barrier in body else []
        return max((place + 1 for place in ends), default=0)

    def _updates_of(self, step: Step) -> tuple[Update, ...]:
        """The lines that use the gradients of a step, by their optimizers; none where that is not known."""
        found: dict[tuple[object, tuple[str, ...], str], Update] = {}
        elsewhere: list[_Line] = []
        for line in self.lines:
            if line.event is not Event.USE or line.call.args:
                continue
            place = dotted(line.receiver)
            models = () if place is None else self._models_for(step, line)
            if not models:
                continue
            key = (self._scope(step.function, *models, str(place)), models, str(place))
            if not self._is_seen(step.function, line.function, str(place), *models):
                elsewhere.append(line)
                continue
            update = self.updates.get(key) or found.get(key) or Update(str(place), models, step.function)
            update.lines[line.line] = line.function
            update.node = update.node or line.receiver
            found[key] = update
        if len(found) > 1:
            found = {key: update for key, update in found.items() if self._is_used(step, update)}
        for update in found.values():
            others = list(elsewhere)
            for line in self.lines:
                if line.event is Event.CLEAR and self._clears(line, update):
                    if not self._clears_all(line, update):
                        return ()
                    if self._is_seen(update.function, line.function, update.optimizer, *update.models):
                        update.clears[line.line] = line.function
                    else:
                        others.append(line)
            update.is_shared = any(self._may_be_same(line.receiver, update) for line in others)
        return tuple(self.updates.setdefault(key, update) for key, update in found.items())

    def _own_update(self, step: Step, plain: Step) -> tuple[Update, ...]:
        """Gradients that no optimizer uses: the program looks at them, or changes parameters with them by itself."""
        if plain.optimizer is not None or bool(step.models) is bool(step.leaves):
            return ()
        if not step.models and any(
            self.program.function_around(line) is step.function and cleared_place(line.body[0]) in step.leaves
            for line in self.program.index.every(cst.SimpleStatementLine)
        ):
            return ()
        models = tuple(step.models or step.leaves)
        update = Update("", models, step.function, of_tensors=not step.models)
        update.sites = frozenset[int]().union(*self._sites(step))
        for line in self.lines:
            if line.event is Event.CLEAR and self._clears(line, update):
                if not self._is_seen(step.function, line.function, *models) or not self._is_same(line, update):
                    update.is_shared = True
                elif not self._clears_all(line, update):
                    return ()
                else:
                    update.clears[line.line] = line.function
        update.loops = [loop for loop in self._clearing_loops() if self._is_emptied(loop, update)]
        key = (self._scope(step.function, *models), models, "")
        return (self.updates.setdefault(key, update),)

    def _clearing_loops(self) -> Iterator[cst.For]:
        """Loops whose bodies end with emptying the gradient of what they run over."""
        for loop in self.program.index.every(cst.For):
            assert isinstance(loop, cst.For)
            line = last_line(loop)
            small = line.body[0] if line is not None else None
            if small is not None and empties(small) and cleared_place(small) in bound_names(loop.target):
                yield loop

    def _is_emptied(self, loop: cst.For, update: Update) -> bool:
        """Whether a loop runs over all parameters of the only model of an update."""
        match loop.iter:
            case cst.Call(
                func=cst.Attribute(value=module, attr=cst.Name("parameters" | "named_parameters")), args=[]
            ) if self.program.function_around(loop) is update.function:
                return (dotted(module),) == update.models
        return False

    def _is_same(self, line: _Line, update: Update) -> bool:
        """Whether a line surely empties the gradients of what an update without an optimizer is of, or of a part."""
        value = self.values(line.receiver)
        if value.kind is Kind.OPTIMIZER:
            return len(update.sites) == 1 and value.sites == update.sites and len(update.models) == 1
        return dotted(line.receiver) in update.models

    def _is_used(self, step: Step, update: Update) -> bool:
        """Whether some way from `backward()` comes to a line of an update before one that empties what it uses."""
        events = {line.call: Event.CLEAR for line in self.lines if self._surely_clears(line, update)}
        flow = GradientFlow(self.program, self.values, self._flow_of, {**events, step.backward: Event.ADD})
        if flow.before(step.backward_statement, step.function) == 0:  # nothing is known of the ways to it
            return True
        return any(flow.before(line, function) & FILLED for line, function in update.lines.items())

    def _may_be_same(self, receiver: cst.BaseExpression, update: Update) -> bool:
        """Whether an expression may be the optimizer of an update, or a module that it trains, by another name."""
        own = self.values(update.node).types if update.node is not None else frozenset[str]()
        value = self.values(receiver)
        return value.kind is not Kind.OPTIMIZER or not own or not value.types or bool(own & value.types)

    def _models_for(self, step: Step, line: _Line) -> tuple[str, ...]:
        """What an optimizer trains, if a step computes gradients of all that."""
        if line.function is not step.function and not self.values(line.receiver).sites:
            return ()
        return find_trained(step, line.receiver, self.values)

    def _scope(self, function: Function | None, *places: str) -> object:
        """Who the places belong to: a function, a class, or (None) the module."""
        if all("." in place for place in places) and function is not None and function.owner is not None:
            return function.owner
        while function is not None and not any(place in function.env for place in places):
            function = function.outer
        return function

    def _is_seen(self, one: Function | None, other: Function | None, *places: str) -> bool:
        """Whether places mean the same in two functions."""
        return one is other or (
            self._scope(one, *places) is self._scope(other, *places)
            and not any(place in function.env for function in (one, other) if function is not None for place in places)
        )

    def _find_lines(self) -> list[_Line]:
        found = []
        for call in self.program.index.calls:
            match call.func:
                case cst.Attribute(value=receiver, attr=cst.Name("step")):
                    event = Event.USE if self.values(receiver).kind is Kind.OPTIMIZER else None
                case cst.Attribute(value=receiver, attr=cst.Name("zero_grad")):
                    event = Event.CLEAR
                case _:
                    continue
            line = self.program.index.statement_of(call)
            if event is None or not isinstance(line, cst.SimpleStatementLine):
                continue
            if method_call(line, event.value) is call:
                found.append(_Line(event, line, call, receiver, self.program.function_around(call)))
        return found

    def _clears(self, line: _Line, update: Update) -> bool:
        """Whether a line empties the gradients of a model."""
        value = self.values(line.receiver)
        place = dotted(line.receiver)
        if line.function is update.function or "." in str(place):
            if place in (update.optimizer, *update.models):
                return True
        sites = self._sites_of(update)
        return value.kind in (Kind.OPTIMIZER, Kind.MODULE) and bool(value.sites & sites)

    def _clears_all(self, line: _Line, update: Update) -> bool:
        """Whether a line that empties gradients of several models leaves none of them."""
        if len(update.models) < 2 or dotted(line.receiver) == update.optimizer:
            return True
        run = self._run_around(line)
        if all(any(self._covers(item, update, place) for item in run) for place in update.models):
            return True
        parts = self.values(update.node).items if update.node is not None else None
        sites = self.values(line.receiver).sites
        return parts is not None and all(part.sites & sites for part in parts)

    # gradients from statement to statement

    def _begins_empty(self, step: Step, steps: Sequence[Step]) -> bool:
        """Whether the gradients of what a step trains have been emptied on every way to its `backward()`."""
        assert step.optimizer is not None
        if not step.trained:
            return False
        update = Update(str(dotted(step.optimizer)), tuple(step.trained), step.function, node=step.optimizer)
        clears = {line.call: Event.CLEAR for line in self.lines if self._surely_clears(line, update)}
        adds = {other.backward: Event.ADD for other in steps if other.problem or self._meets(other, update)}
        flow = GradientFlow(self.program, self.values, self._flow_of, {**clears, **adds})
        return flow.before(step.backward_statement, step.function) == EMPTY

    def _surely_clears(self, line: _Line, update: Update) -> bool:
        """Whether a line empties all gradients that an update uses."""
        if line.event is not Event.CLEAR:
            return False
        assert update.node is not None
        run = self._run_around(line)
        return all(any(self._covers(item, update, place) for item in run) for place in update.models)

    def _covers(self, line: _Line, update: Update, place: str) -> bool:
        """Whether a line surely empties the gradients of one of the models of an update."""
        receiver = dotted(line.receiver)
        if receiver in (update.optimizer, place) and self._is_seen(line.function, update.function, str(receiver)):
            return True
        parts = self.values(update.node).items if update.node is not None and len(update.models) > 1 else None
        own = self._sites_of(update) if len(update.models) == 1 else frozenset[int]()
        if parts is not None and len(parts) == len(update.models):
            own = parts[update.models.index(place)].sites
        return len(own) == 1 and self.values(line.receiver).sites == own

    def _run_around(self, line: _Line) -> list[_Line]:
        """A line that empties gradients, with those right beside it."""
        block = self.program.index.parents[line.line]
        body = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else [line.line]
        clears = {item.line: item for item in self.lines if item.event is Event.CLEAR}
        first = last = body.index(line.line)
        while first > 0 and body[first - 1] in clears:
            first -= 1
        while last + 1 < len(body) and body[last + 1] in clears:
            last += 1
        return [clears[item] for item in body[first : last + 1] if isinstance(item, cst.SimpleStatementLine)]

    def _follow(self, steps: Sequence[Step]) -> None:
        """Say of every update whether its gradients go on from one statement to others, and which steps add to them."""
        followed: list[tuple[Update, list[Step], GradientFlow]] = []
        for update in self.updates.values():
            own = [step for step in steps if update in step.updates]
            if not own:
                continue
            events: dict[cst.Call, Event] = {}
            for line in self.lines:
                if line.event is Event.CLEAR and line.line in update.clears:
                    events[line.call] = Event.CLEAR
            if update.optimizer:
                events |= dict.fromkeys(self._makings(update), Event.CLEAR)
            else:
                events |= dict.fromkeys(self._renewals(update), Event.CLEAR)
                events |= {loop.iter: Event.CLEAR for loop in update.loops if isinstance(loop.iter, cst.Call)}
            for step in steps:
                if update in step.updates:
                    events[step.backward] = Event.ADD
                elif update.optimizer and not step.updates:
                    if step.problem or self._meets(step, update):
                        events[step.backward] = Event.ADD  # it will be in two parts, too
                elif step.problem is None and self._meets(step, update):
                    events[step.backward] = Event.ADD_ELSEWHERE
            flow = GradientFlow(self.program, self.values, self._flow_of, events, is_whole=not update.optimizer)
            for step in own:
                if flow.before(step.backward_statement, step.function) != EMPTY:
                    step.adds.add(update)
                else:
                    step.adds.discard(update)
            states = [flow.before(line, function) for line, function in update.lines.items()]
            for step in own:
                if any(state & MIXED for state in (*states, flow.before(step.backward_statement, step.function))):
                    step.problem = "its gradients are added to those of another backward pass"
            update.may_be_none = any(state & EMPTY for state in states)
            if update.may_be_none and any(_leaves_zeros(line) for line in update.clears):
                for step in own:
                    step.problem = (
                        "`step()` may come without a `backward()`, and with zeros as gradients it changes parameters"
                    )
            update.reads = [read for read in self.reads if self._looks_at(read, update, flow)]
            followed.append((update, own, flow))
        seen = {node for update, _, _ in followed for read in update.reads for node in read.reads}
        is_read = any(node.attr.value == "grad" and node not in seen for node in self.program.index.attributes)
        for update, own, flow in followed:
            functions = {step.function for step in own} | set(update.lines.values())
            functions |= {read.function for read in update.reads}
            update.kept = update.may_be_none or any(update in step.adds for step in own) or len(functions) > 1
            if update.optimizer:
                update.kept = update.kept or (is_read and bool(update.clears))
                self._look_for_none(update, own, flow.events)
            else:
                self._look_for_empty(update, own, flow)
                if any(update in step.adds for step in own) and self._is_bound_again(update, own):
                    for step in own:
                        step.problem = "its gradients are added up, and not always those of the same"
            functions |= set(update.clears.values())
            begins_empty = flow.entry(update.function) == EMPTY
            if len(functions) == 1 and not begins_empty:  # what comes in from callers is emptied, or never looked at
                lines: list[cst.CSTNode] = [*(step.backward_statement for step in own), *update.lines]
                lines += [self.program.index.statement_of(read.loop) for read in update.reads]
                begins_empty = not flow.feels_entry(update.function, lines)
                begins_empty |= not update.optimizer and not any(update in step.adds for step in own)
            update.is_local = len(functions) == 1 and begins_empty
            update.first = self._first(update, own) if update.is_local else None
            problem = None
            if update.kept and update.optimizer and update.is_shared:
                problem = "its gradients go on to functions where its optimizer has another name"
            elif update.kept and not update.optimizer and not update.is_local:
                problem = "its gradients are added to those of another backward pass: no `zero_grad()` is between"
            for step in own if problem is not None else ():
                step.problem = problem

    def _is_bound_again(self, update: Update, own: Sequence[Step]) -> bool:
        """Whether a variable may come to be another model, or tensor, between the passes whose gradients are added up."""
        index, renewals = self.program.index, set(self._renewals(update))
        order = index.order
        passes = [order[step.backward] for step in own]
        loops = {
            item for step in own for item in index.ancestors(step.backward) if isinstance(item, (cst.For, cst.While))
        }
        names = {place.split(".")[0] for place in update.models}
        for node in index.every(cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr, cst.AsName):
            target = node.name if isinstance(node, cst.AsName) else node.target  # type: ignore[attr-defined]
            if self.program.function_around(node) is not update.function or names.isdisjoint(bound_names(target)):
                continue
            holder = index.parents[node]
            if isinstance(holder, cst.Assign) and holder.value in renewals:
                continue
            if not loops.isdisjoint((node, *index.ancestors(node))) or min(passes) < order[node] < max(passes):
                return True
        return False

    def _look_for_none(self, update: Update, own: Sequence[Step], events: Mapping[cst.Call, Event]) -> None:
        """Where gradients of single parameters that an optimizer uses are read while there are none, or may be none, or others."""
        read = list(self._read_by_name(update.function, update.models))
        if not read:
            return
        for found in (update.empty, update.open, update.foreign):
            found.clear()  # less may be known of the steps at first
        new = {**events, **dict.fromkeys(self._renewals(update), Event.CLEAR)}
        passes = {step.backward for step in own}
        mine = {call: event if event is Event.CLEAR or call in passes else Event.CLEAR for call, event in new.items()}
        flows = [GradientFlow(self.program, self.values, self._flow_of, item) for item in (new, mine, events)]
        for node in read:
            line = self.program.index.statement_of(node)
            state, of_own, kept = (flow.before(line, update.function) for flow in flows)
            if state == EMPTY:
                update.empty.add(node)
            elif state != of_own or (state & EMPTY and state != kept):
                update.foreign.add(node)
            elif state & EMPTY:
                update.open.add(node)

    def _look_for_empty(self, update: Update, own: Sequence[Step], flow: GradientFlow) -> None:
        """Whether gradients that no optimizer uses are looked at where there may be none, or where others have added to them."""
        index = self.program.index
        cleared = {node: loop for loop in update.loops for node in descendants(loop.body)}
        for node in index.attributes:
            if node.attr.value != "grad" or self.program.function_around(node) is not update.function:
                continue
            parent = index.parents[node]
            if isinstance(parent, (cst.AssignTarget, cst.Del)):
                continue
            root = str(root_name(node))
            if root not in {place.split(".")[0] for place in update.models} and not self._is_loop_variable(
                node, update
            ):
                continue
            state = flow.before(cleared.get(node, index.statement_of(node)), update.function)
            if state == EMPTY and root_name(node) is not None and not self._is_loop_variable(node, update):
                update.empty.add(node)
            else:
                update.kept = update.kept or bool(state & EMPTY)
            leaves_zeros = any(map(_leaves_zeros, update.clears)) or any(map(_ends_with_zeros, update.loops))
            zeros = leaves_zeros and state & EMPTY
            if zeros or state & MIXED:
                held = "zeros" if zeros else "the gradients of another backward pass"
                for step in own:
                    step.problem = f"`{code(node)}` may hold {held}"

    def _is_loop_variable(self, node: cst.Attribute, update: Update) -> bool:
        """Whether the owner of a gradient is what a loop over the parameters of a model gives."""
        index = self.program.index
        for item in (node, *index.ancestors(node)):
            loops = [item] if isinstance(item, cst.For) else descendants(item) if isinstance(item, cst.BaseComp) else ()
            for loop in loops:
                if isinstance(loop, (cst.For, cst.CompFor)) and str(dotted(node.value)) in bound_names(loop.target):
                    return any(f"{place}." in f"{code(loop.iter)}." for place in update.models)
        return False

    def _looks_at(self, read: GradientRead, update: Update, flow: GradientFlow) -> bool:
        """Whether a loop looks at the gradients of what an update trains, where they are; or torch stops there as well."""
        owners = [place for place in update.models if f"{read.place}.".startswith(f"{place}.")]
        if len(owners) != 1 or not self._is_seen(read.function, update.function, owners[0]):
            return False
        state = flow.before(self.program.index.statement_of(read.loop), read.function)
        stops = not read.asks and not any(map(_leaves_zeros, update.clears))
        return state == FILLED or (bool(state & FILLED) and not state & MIXED and stops)

    def _first(self, update: Update, steps: Sequence[Step]) -> cst.BaseStatement | None:
        """The statement of the function with the first thing that is done to the gradients, unless it empties them."""
        index = self.program.index
        lines: set[cst.CSTNode] = {*update.lines, *update.clears, *(step.anchor for step in steps)}
        body = update.function.node.body.body if update.function is not None else index.module.body
        for statement in body:
            if statement in update.clears:
                return None
            if not lines.isdisjoint((statement, *descendants(statement))):
                assert isinstance(statement, cst.BaseStatement)
                return statement
        return None

    def _renewals(self, update: Update) -> Iterator[cst.Call]:
        """The calls that make all modules of an update anew, in the function of its variables."""
        for node in self.program.index.every(cst.Assign):
            assert isinstance(node, cst.Assign)
            if not isinstance(node.value, cst.Call) or self.program.function_around(node) is not update.function:
                continue
            if len(update.models) == 1 and any(dotted(target.target) in update.models for target in node.targets):
                if self._makes_module(node.value) or makes_leaf(node.value, self.values):
                    yield node.value

    def _makings(self, update: Update) -> list[cst.Call]:
        """The last of the calls, one behind the other, that make what an optimizer trains, which the same function makes later: a
        function that others call begins without gradients there.
        """
        body = update.function.node.body.body if update.function is not None else ()
        made: dict[str, cst.Call] = {}
        for statement in body:
            names = _given_by(statement)
            if update.optimizer in names:
                break
            new = {name: value for name, value in names.items() if name in update.models and self._is_made(value)}
            if not new and made.keys() != set(update.models) and self._may_train_in(statement):
                made = {}
            made.update(new)
        else:
            return []
        return list(made.values())[-1:] if made.keys() == set(update.models) else []

    def _may_train_in(self, statement: cst.CSTNode) -> bool:
        """Whether a statement may leave gradients: it calls a function of the program, or `backward()`."""
        calls = (node for node in descendants(statement) if isinstance(node, cst.Call))
        return any(self.values.callees.get(call) or str(dotted(call.func)).endswith("backward") for call in calls)

    def _is_made(self, value: cst.BaseExpression) -> TypeGuard[cst.Call]:
        return isinstance(value, cst.Call) and self._makes_module(value)

    def _makes_module(self, node: cst.Call) -> bool:
        """Whether a call gives a module that nobody has yet: `Net()`, `Net().to(device)`, `prepared(build())`."""
        while (made := self._given_through(node)) is not None:
            node = made
        if self.values(node.func).kind is Kind.CLASS or self.values.torch_name(node.func):
            return True
        callees = self.values.callees.get(node, ())
        sites = {self.values.sites[node]} if node in self.values.sites else set()
        known = set[int]().union(*map(module_sites, self.program.module_env.values()))
        returned = [item.returns for item in callees]
        is_new = all(value is not None and not value.sites & known for value in returned)
        return bool(callees) and self.values(node).sites == sites and is_new

    def _given_through(self, node: cst.Call) -> cst.Call | None:
        """The call of which another one gives the module back."""
        receiver = [node.func.value] if isinstance(node.func, cst.Attribute) else []
        for item in (*receiver, *(argument.value for argument in node.args)):
            value = self.values(item)
            if isinstance(item, cst.Call) and value.kind is Kind.MODULE and value.sites == self.values(node).sites:
                return item
        return None

    def _flow_of(self, function: Function | None):  # type: ignore[no-untyped-def]
        return self.flows.liveness(function).flow


def _given_by(statement: cst.CSTNode) -> dict[str, cst.BaseExpression]:
    """What an assignment gives to which variables."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[target], value=value)]) if (
            name := dotted(target.target)
        ) is not None:
            return {name: value}
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(cst.Tuple(elements=places))], value=cst.Tuple(elements=given))]
        ) if len(places) == len(given) and all(isinstance(item, cst.Element) for item in (*places, *given)):
            return {str(dotted(place.value)): item.value for place, item in zip(places, given, strict=True)}
    return {}


def _entered(step: Step) -> list[str]:
    """The modules that the gradients of a step are of, or go on into."""
    return list(dict.fromkeys([*step.reached, *(place for part in step.passed for place in part.models)]))


def _leaves_zeros(line: cst.SimpleStatementLine) -> bool:
    """Whether a `zero_grad()` sets gradients to zero: parameters then have gradients, if small ones."""
    call = method_call(line, "zero_grad")
    return call is not None and sets_zeros(call)


def _ends_with_zeros(loop: cst.For) -> bool:
    """Whether a loop that empties gradients sets them to zero."""
    line = last_line(loop)
    return line is None or not isinstance(line.body[0], cst.Assign)


def _binds(statement: cst.CSTNode, names: frozenset[str] | set[str]) -> bool:
    """Whether a statement gives one of some variables a value."""
    return any(
        isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)) and bound_names(node.target) & set(names)
        for node in descendants(statement)
    )


__all__ = ["Update", "find_steps"]

"""Loops over the steps of a sequence, in compiled code, normalized to `jax.lax.scan`: compiling takes as long for many steps as for few.

outs = []                                 ->   def step(h, x_t):
for t in range(x.shape[1]):                        h = self.cell(x_t, h)
    h = self.cell(x[:, t], h)                      return h, h
    outs.append(h)
y = torch.stack(outs, 1)                       h, outs = jax.lax.scan(step, h, x.transpose(0, 1))
                                               y = outs.transpose(0, 1)

Loops of which this is not known to be right stay as they are; they are unrolled while they are traced.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.compiled import find_regions, obstacles
from torch2jax.facts.shapes import AXES, Alike, Form, Forms, reads_in
from torch2jax.lower_control.control import Branch, Control, comments_in, definition, plain_statements
from torch2jax.normalize.rounds import CannotNormalize, NormalizationRound
from torch2jax.program.program import Function
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, lines_of
from torch2jax.values import Kind


@dataclass(frozen=True, slots=True)
class _Steps:
    """One loop: the sequence and its axis of steps, what a step does, what it hands on, and what is collected."""

    sequence: str
    axis: int
    body: Branch
    carried: list[str]
    collected: dict[str, cst.BaseExpression]
    step_name: str
    places: list[cst.Subscript]


def normalize_time_steps(work: NormalizationRound) -> None:
    """Normalize the loops over steps in functions that compiled code reaches."""
    loops = [node for node in work.index.every(cst.For) if _may_be_steps(node)]
    if not loops:
        return
    assert work.effects is not None and work.flows is not None
    control = Control(work, work.effects, work.flows, Alike(work.program, work.values, work.effects.tables))
    loops = [loop for loop in loops if _runs_along_axis(loop, control.alike)]
    if not loops:
        return
    functions: set[Function] = set()
    for region in find_regions(work.program, work.values, work.effects, work.flows):
        if next(obstacles(region.nodes, work.values), None) is None:
            functions.update(reached(region.nodes, work.values))
    done: set[Function] = set()
    for loop in loops:
        function = work.program.function_around(loop)
        if function is None or function not in functions or function in done:
            continue  # one in each round: names are looked up in the whole function
        try:
            _Loop(work, control, loop, function).normalize()
            done.add(function)
        except CannotNormalize:
            continue


def _may_be_steps(node: cst.For) -> bool:
    """Whether a loop may run along an axis of a tensor."""
    if not isinstance(node.target, cst.Name) or node.orelse is not None or not isinstance(node.iter, cst.Call):
        return False
    name = node.iter.func.attr.value if isinstance(node.iter.func, cst.Attribute) else code(node.iter.func)
    return name in ("range", "unbind") and len(node.iter.args) <= 1


def _runs_along_axis(node: cst.For, alike: Alike) -> bool:
    """Whether the length of a loop is that of an axis."""
    assert isinstance(node.iter, cst.Call)
    if isinstance(node.iter.func, cst.Attribute):
        return True
    return len(node.iter.args) == 1 and isinstance(alike.length(node.iter.args[0].value), tuple)


@dataclass(slots=True)
class _Loop:
    """The work on one loop."""

    work: NormalizationRound
    control: Control
    loop: cst.For
    function: Function

    def normalize(self) -> None:
        """Put the edits of one loop. Raises CannotNormalize, before it has put any."""
        steps = self._plan()
        stacks = [self._stack(name, steps) for name in steps.collected]
        fresh = self.work.local(self.function.node)
        name = fresh("step")
        live = self.control.flows.liveness(self.function).after_statement(self.loop)
        carried = ", ".join(steps.carried)
        several = len(steps.carried) > 1
        outs = list(steps.collected)
        packed_outs = "_" if not outs else outs[0] if len(outs) == 1 else f"({', '.join(outs)})"
        kept = any(item in live for item in steps.carried)
        packed = "_" if not kept else f"({carried})" if several else carried
        start = f"({carried})" if several else carried
        moved = {0: "{x}", 1: "{x}.transpose(0, 1)"}.get(steps.axis, f"{{x}}.movedim({steps.axis}, 0)")
        rows = quote(moved, x=steps.sequence)
        scan = quote_statement(f"{packed}, {packed_outs} = jax.lax.scan({name}, {start}, {{rows}})", rows=rows)
        scan = scan.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
        for place in steps.places:
            self.work.edits.replace(place, always(cst.Name(steps.step_name)))
        for line, calls in stacks:
            self.work.edits.remove(line)
            for call, text in calls:
                self.work.edits.replace(call, always(cst.parse_expression(text)))
        gone = {line for line, _ in stacks}
        above = [item for item in self._above() if item not in gone]
        lines = self.loop.leading_lines or ([cst.EmptyLine(indent=False)] if above else [])
        self.work.copies[scan] = self.loop
        said = comments_in([line for line in lines_of(self.loop.body) if line not in steps.body.statements])

        def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
            body = [quote_statement(f"{carried} = carry")] if several else []
            for statement in steps.body.statements:
                body += rewrite.statement(statement)
            values = [rewrite.expression(item) for item in steps.collected.values()]
            out = values[0] if len(values) == 1 else quote("({*values})", values=values) if values else cst.Name("None")
            end = cst.Tuple([cst.Element(cst.parse_expression(start)), cst.Element(out)], lpar=(), rpar=())
            body = [*plain_statements(body), cst.SimpleStatementLine([cst.Return(end)], leading_lines=said)]
            made = definition(name, f"{'carry' if several else carried}, {steps.step_name}", body, apart=False)
            return [made.with_changes(leading_lines=lines), scan]

        self.work.edits.rewrite_statement(self.loop, build)

    def _above(self) -> list[cst.CSTNode]:
        beside = self.control.beside(self.loop)
        return beside[: beside.index(self.loop)]

    def _plan(self) -> _Steps:
        call = self.loop.iter
        assert isinstance(call, cst.Call) and isinstance(self.loop.target, cst.Name)
        counter = self.loop.target.value
        collected, lines = self._split(lines_of(self.loop.body))
        body = self.control.branch(lines)
        for value in collected.values():
            self.control.check_effects(value)
        if counter in body.writes:
            raise CannotNormalize("the loop binds its counter")
        live = self.control.flows.liveness(self.function).after_statement(self.loop)
        if counter in live:
            raise CannotNormalize("the counter is used behind the loop")
        places: list[cst.Subscript] = []
        if isinstance(call.func, cst.Attribute):
            sequence, axis = self._unbound(call)
            step_name = counter
        else:
            sequence, axis = self._counted(call)
            places = self._places(counter, sequence, axis)
            step_name = self.work.local(self.function.node)(f"{sequence}_t")
        if sequence in body.writes or sequence in live & set(body.writes):
            raise CannotNormalize("the sequence changes in the loop")
        if places and (first := _named_place(body, places[0])) is not None:
            step_name = first
            del body.statements[0]
            body.writes.remove(first)
        carried = self._carried(body, live, {step_name: self._step_form(sequence, axis)})
        return _Steps(sequence, axis, body, carried, collected, step_name, places)

    def _split(
        self, lines: Sequence[cst.BaseStatement]
    ) -> tuple[dict[str, cst.BaseExpression], list[cst.BaseStatement]]:
        """What is added to which list, and the other statements."""
        collected: dict[str, cst.BaseExpression] = {}
        others: list[cst.BaseStatement] = []
        for line in lines:
            match line:
                case cst.SimpleStatementLine(
                    body=[
                        cst.Expr(
                            value=cst.Call(
                                func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name("append")),
                                args=[cst.Arg(value=value, keyword=None, star="")],
                            )
                        )
                    ]
                ):
                    if name in collected or self.work.values(value).kind is not Kind.TENSOR:
                        raise CannotNormalize("a list grows otherwise")
                    collected[name] = value
                case _:
                    if any(reads_in(value) & _written(line) for value in collected.values()):
                        raise CannotNormalize("what was added to a list is changed in the same step")
                    others.append(line)
        return collected, others

    def _unbound(self, call: cst.Call) -> tuple[str, int]:
        """`x.unbind(1)`."""
        assert isinstance(call.func, cst.Attribute)
        receiver = call.func.value
        axis = call.args[0].value if call.args else cst.Integer("0")
        if not isinstance(receiver, cst.Name) or self.work.values(receiver).kind is not Kind.TENSOR:
            raise CannotNormalize("no plain sequence")
        if not isinstance(axis, cst.Integer):
            raise CannotNormalize("the axis is not known")
        return receiver.value, int(axis.value)

    def _counted(self, call: cst.Call) -> tuple[str, int]:
        """`range(x.shape[1])`, or of a variable that was given that."""
        found = self.control.alike.length(call.args[0].value) if len(call.args) == 1 else None
        if not isinstance(found, tuple):
            raise CannotNormalize("the loop does not run along an axis")
        return found

    def _places(self, counter: str, sequence: str, axis: int) -> list[cst.Subscript]:
        """Where a step reads its part of the sequence; the counter is used for nothing else."""
        found: list[cst.Subscript] = []
        for item in descendants(self.loop.body):
            if not isinstance(item, cst.Name) or item.value != counter:
                continue
            index = self.work.index.parents[item]
            element = self.work.index.parents.get(index)
            place = self.work.index.parents.get(element) if element is not None else None
            if not isinstance(index, cst.Index) or not isinstance(place, cst.Subscript):
                raise CannotNormalize("the counter is used otherwise")
            parts = list(place.slice)
            others = [part for part in parts if part is not element]
            if code(place.value) != sequence or parts.index(element) != axis:  # type: ignore[arg-type]
                raise CannotNormalize("another sequence is read, too")
            if any(code(part.slice) != ":" for part in others) or self.work.values(place.value).kind is not Kind.TENSOR:
                raise CannotNormalize("a part of a step is read")
            found.append(place)
        if not found:
            raise CannotNormalize("nothing of the sequence is read")
        return found

    def _step_form(self, sequence: str, axis: int) -> Form:
        """The form of one step of the sequence."""
        for item in descendants(self.loop):
            if isinstance(item, cst.Name) and item.value == sequence:
                whole = self.control.alike.form(item, {})
                if isinstance(whole.shape, tuple) and whole.shape[0] == AXES and len(whole.shape) > axis + 1:
                    return Form((*whole.shape[: axis + 1], *whole.shape[axis + 2 :]), whole.dtype)
        return Form(("step of", sequence), ("dtype of", sequence))

    def _carried(self, body: Branch, live: frozenset[str], given: Forms) -> list[str]:
        carried = [name for name in body.writes if name in body.needs or name in live]
        known = {name: self.control.before(name, self.loop) for name in carried}
        behind = self.control.forms(body, {**given, **known})
        for name in carried:
            if not self.control.is_bound_before(name, self.loop) or not behind[name].agrees(known[name]):
                raise CannotNormalize(f"`{name}` may change its shape or dtype")
            if known[name].dtype in ("an int", "bool"):
                raise CannotNormalize(f"`{name}` counts")
        if not carried:
            raise CannotNormalize("the steps do not depend on each other")
        return carried

    def _stack(self, name: str, steps: _Steps) -> tuple[cst.SimpleStatementLine, list[tuple[cst.CSTNode, str]]]:
        """The statement that makes a list, and what becomes of the calls that stack it."""
        made: list[cst.SimpleStatementLine] = []
        rebound = self._rebound(name)
        calls: list[tuple[cst.CSTNode, str]] = []
        inside = set(descendants(self.loop))
        beside = self.control.beside(self.loop)
        for item in descendants(self.function.node):
            if not isinstance(item, cst.Name) or item.value != name or item in inside:
                continue
            parent = self.work.index.parents[item]
            around = self.work.index.parents[parent]
            line = self.work.index.statement_of(item)
            if rebound is not None and any(outer in rebound for outer in (item, *self.work.index.ancestors(item))):
                continue  # an array by now
            if isinstance(parent, cst.AssignTarget) and isinstance(around, cst.Assign):
                if isinstance(around.value, cst.Call) and name in reads_in(around.value):
                    continue  # `outs = torch.stack(outs)`, which is looked at where it reads the list
                empty = isinstance(around.value, cst.List) and not around.value.elements
                if not empty or len(around.targets) != 1 or line not in beside or len(line.body) != 1:  # type: ignore[arg-type]
                    raise CannotNormalize("the list is not made for this loop")
                assert isinstance(line, cst.SimpleStatementLine)
                made.append(line)
            elif isinstance(parent, cst.Arg) and isinstance(around, cst.Call) and around.args[0] is parent:
                calls.append((around, self._stacked(around, name)))
            elif not (isinstance(parent, cst.Subscript) and code(parent).endswith("[-1]")):
                raise CannotNormalize("the list is used otherwise")
        if len(made) != 1 or beside.index(made[0]) > beside.index(self.loop):
            raise CannotNormalize("the list is not made for this loop")
        return made[0], calls

    def _rebound(self, name: str) -> set[cst.CSTNode] | None:
        """The statements behind `outs = torch.stack(outs)`, where that follows the loop."""
        beside = self.control.beside(self.loop)
        for place, line in enumerate(beside[beside.index(self.loop) + 1 :], beside.index(self.loop) + 1):
            match line:
                case cst.SimpleStatementLine(
                    body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=bound))], value=cst.Call())]
                ) if bound == name:
                    return set(beside[place + 1 :])
        return None

    def _stacked(self, call: cst.Call, name: str) -> str:
        if self.work.values.torch_name(call.func) != "torch.stack" or len(call.args) > 2:
            raise CannotNormalize("the list is used otherwise")
        axis = 0
        if len(call.args) == 2:
            value = self.work.values(call.args[1].value).const
            if not isinstance(value, int):
                raise CannotNormalize("the axis of stacking is not known")
            axis = value
        return {0: name, 1: f"{name}.transpose(0, 1)"}.get(axis, f"{name}.movedim(0, {axis})")


def _named_place(body: Branch, place: cst.Subscript) -> str | None:
    """`x_t`, where a step begins with `x_t = x[:, t]`."""
    match body.statements[:1]:
        case [
            cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value)]
            )
        ] if value is place and name not in body.needs:
            stores = sum(name in _written(line) for line in body.statements)
            return name if stores == 1 else None
    return None


def _written(line: cst.BaseStatement) -> set[str]:
    return {
        item.value
        for node in descendants(line)
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign))
        for item in descendants(node.target)
        if isinstance(item, cst.Name)
    }

"""What objects add to lists of theirs for the loss of a later step, normalized to lines that stand where it is computed.

action, logp = agent.select(state)            dist = Categorical(agent.net(state))
agent.buffer.add(logp, reward)                action = dist.mode
                                     ->       logp = dist.log_prob(action)
                                              agent.buffer.logps.append(logp)
                                              agent.buffer.rewards.append(reward)
...                                           ...
loss = -torch.stack(agent.buffer.logps)       loss = -torch.stack(agent.buffer.logps)

An entry of a list is computed together with its pullback (see `facts.stored_graphs`), where its line says from what.

So are methods that give fields what a step behind their call reads. Where another method has the step, each field gets its value
by a line of its own: `logits, self.value = self.net(x)` becomes two lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.mutations import changes_values
from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import Step
from torch2jax.normalize.joined_parameters import is_at_init
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import drop_unused, is_row, write_out
from torch2jax.program.program import Function, dotted, root_name
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.folding import Folder
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import bound_names, descendants, with_fields
from torch2jax.values import Kind

_LEAVING = (cst.Break, cst.Continue, cst.Return, cst.Raise)


def normalize_stored_entries(work: NormalizationRound) -> None:
    """Write out one call in each function that adds to a list which a step reads, or gives what is added."""
    if not work.program.mentions("backward"):
        return
    assert work.flows is not None
    steps = find_steps(work.program, work.values, work.flows)
    kept = {place.rpartition(".")[2] for place in work.flows.stores.full if "." in place}
    refused = [step for step in steps if step.problem is not None]
    read = {field for step in refused for field in _fields_read(work, step)}
    fields = read & kept
    changed: set[Function | None] = set()
    found = [*_parts(work, fields), *_setters(work, refused, fields)] if fields else []
    found.sort(key=lambda item: work.index.order[item[0]])  # one after the other, as they stand
    for call, function in found:
        around = work.program.function_around(call)
        if around in changed or around is function or not is_row(function):
            continue
        if write_out(work, call, function, _of_held_object(work, call, function)):
            changed.add(around)
            drop_unused(work, function, call)
    lines = {line for step in refused for line in step.block.body[step.begin : step.end]}
    if not changed and not _split(work, lines, read):
        for step in refused:
            _read_variables(work, step, read)


def _of_held_object(work: NormalizationRound, call: cst.Call, function: Function) -> cst.FunctionDef | None:
    """A method of an object that another one holds for good, with its place for `self`: `agent.buffer.logps.append(logp)`."""
    if not isinstance(call.func, cst.Attribute) or not isinstance(held := call.func.value, cst.Attribute):
        return None
    fields = {held.attr.value, *(item.attr.value for item in descendants(held, cst.Attribute))}
    for node in work.index.attributes:
        is_bound = isinstance(work.index.parents[node], (cst.AssignTarget, cst.Element, cst.Del))
        if node.attr.value in fields and is_bound and not is_at_init(work, node):
            return None
    body = function.node.body.visit(Folder({str(function.self_name): code(held)}))
    return function.node.with_changes(body=body)


def _fields_read(work: NormalizationRound, step: Step) -> Iterator[str]:
    """The fields of plain objects that the lines in front of `backward()` read."""
    for part in step.block.body[step.begin : step.end + 1]:
        for node in descendants(part, cst.Attribute):
            if work.values(node.value).kind is Kind.OBJECT and work.values(node).kind is not Kind.FUNCTION:
                yield node.attr.value


def _parts(work: NormalizationRound, fields: set[str]) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of methods that add what they are given to lists, and those of functions that give what lines add."""
    for call in work.index.calls:
        match call:
            case cst.Call(
                func=cst.Attribute(value=cst.Attribute(attr=cst.Name(field)), attr=cst.Name("append")),
                args=[cst.Arg(value=added)],
            ) if field in fields:
                function = work.program.function_around(call)
                if function is not None and not names_in(added).isdisjoint(function.parameter_names):
                    yield from _callers(work, function)
                else:
                    yield from _makers(work, added, function)


def _setters(work: NormalizationRound, steps: Sequence[Step], fields: set[str]) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of methods of plain objects, in front of a step in its function, that give fields what was computed."""
    assert work.flows is not None
    setters = {
        function
        for node in work.flows.stores.given
        if node.attr.value in fields
        if (function := work.program.function_around(node)) is not None and not _is_of_module(function)
    }
    ends = {step.function: work.index.order[step.backward_statement] for step in steps}
    for function in setters:
        for call in function.callers:
            around = work.program.function_around(call) if call in work.index.parents else function
            if isinstance(call, cst.Call) and around is not function and around in ends:
                if work.index.order[call] < ends[around] and function.name != "__init__":
                    yield call, function


def _is_of_module(function: Function) -> bool:
    return function.owner is not None and function.owner.is_module


def _split(work: NormalizationRound, lines: set[cst.BaseStatement], read: set[str]) -> bool:
    """Give fields that are `read` in steps their values by lines of their own, in `lines` and where they get what was computed
    for other functions; whether any line was split.
    """
    assert work.flows is not None
    given = work.flows.stores.given
    is_done = False
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=elements) as target)]) as small]:
                places = [item.value for item in elements if isinstance(item, cst.Element)]
                fields = [item for item in places if isinstance(item, cst.Attribute) and item.attr.value in read]
                kept = [item for item in fields if line in lines or item in given]
                if not kept or len(places) < len(elements) or not all(_is_field(work, place) for place in kept):
                    continue
                function = work.program.function_around(line)
                fresh = work.beside_variables(function.node if function is not None else work.index.module)
                names: dict[cst.BaseExpression, cst.Name] = {item: cst.Name(fresh(item.attr.value)) for item in kept}
                parts = [with_fields(item, value=names.get(item.value) or item.value) for item in elements]
                first = with_fields(small, targets=[cst.AssignTarget(with_fields(target, elements=parts))])
                made = [
                    with_fields(line, body=[first]),
                    *(quote_statement(f"{dotted(place)} = {name.value}") for place, name in names.items()),
                ]
                work.edits.rewrite_statement(line, lambda rewrite, made=made: made)  # type: ignore[misc]
                is_done = True
    return is_done


def _read_variables(work: NormalizationRound, step: Step, fields: set[str]) -> None:
    """In front of `backward()`, read variables that hold what lines of the same block give to fields of other objects."""
    body = list(step.block.body)
    own = step.function.self_name if step.function is not None else None
    for number, line in reversed(list(enumerate(body[: step.end]))):  # what fields get behind it stays in order
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(attr=cst.Name(field)) as target)])]
            ) if (
                field in fields and _is_field(work, target) and (place := str(dotted(target))).partition(".")[0] != own
            ):
                behind = body[number + 1 : step.end + 1]
                reads = [node for item in behind for node in descendants(item, cst.Attribute) if dotted(node) == place]
                if reads and not _may_be_set(work, behind, target):
                    _read_variable(work, line, target, reads, step)
                    return


def _may_be_set(work: NormalizationRound, lines: Sequence[cst.BaseStatement], target: cst.Attribute) -> bool:
    """Whether lines give a field of that name another value, another object its owner's name, or leave before they end; what they
    call does not know the field.
    """
    if any(isinstance(node, _LEAVING) for line in lines for node in descendants(line)):
        return True
    if root_name(target) in set[str]().union(*(reads_and_writes(line)[1] for line in lines)):
        return True
    called = (node for item in reached(lines, work.values) for node in descendants(item.node, cst.Attribute))
    if any(node.attr.value == target.attr.value for node in called):
        return True
    parents = work.index.parents
    for node in (node for line in lines for node in descendants(line, cst.Attribute)):
        if node.attr.value == target.attr.value:
            around = parents[node]
            is_changed = isinstance(around, cst.Attribute) and changes_values(around.attr.value)
            is_filled = isinstance(around, cst.Subscript) and not isinstance(parents[around], cst.BaseExpression)
            is_read = dotted(node) == dotted(target) and isinstance(around, (cst.Arg, cst.BaseExpression))
            if not is_read or is_changed or is_filled:
                return True
    return False


def _read_variable(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    target: cst.Attribute,
    reads: Sequence[cst.Attribute],
    step: Step,
) -> None:
    """Give a variable what a line gives to a field, read that, and fill the field behind `backward()`."""
    (small,) = line.body
    assert isinstance(small, cst.Assign)
    behind = list(step.block.body)[list(step.block.body).index(line) : step.end]
    if isinstance(small.value, cst.Name) and small.value.value not in set[str]().union(
        *(reads_and_writes(item)[1] for item in behind)
    ):
        name = small.value.value
        work.edits.remove(line)
    else:
        function = work.program.function_around(line)
        name = work.beside_variables(function.node if function is not None else work.index.module)(target.attr.value)
        work.edits.replace(target, always(cst.Name(name)))
    work.edits.after(step.backward_statement, always_statements([quote_statement(f"{dotted(target)} = {name}")]))
    for node in reads:
        work.edits.replace(node, always(cst.Name(name)))


def _is_field(work: NormalizationRound, place: cst.Attribute) -> bool:
    return dotted(place) is not None and work.values(place.value).kind is Kind.OBJECT


def _callers(work: NormalizationRound, function: Function) -> Iterator[tuple[cst.Call, Function]]:
    """The calls that give a method of a plain object tensors to keep."""
    if function.owner is None or function.owner.is_module:
        return
    for call in function.callers:
        if isinstance(call, cst.Call) and call in work.index.parents:
            if any(work.values(item.value).kind is Kind.TENSOR for item in call.args):
                yield call, function


def _makers(
    work: NormalizationRound, added: cst.BaseExpression, around: Function | None
) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of functions, not of modules, that give the tensors which a line adds to a list."""
    names = names_in(added)
    for call in work.index.calls:
        if work.program.function_around(call) is not around or work.values(call.func).kind is Kind.MODULE:
            continue
        if call in descendants(added) or not names.isdisjoint(_targets(work.index.parents[call])):
            if len(reached := work.values.callees.get(call, ())) == 1:
                yield call, next(iter(reached))


def _targets(line: cst.CSTNode) -> set[str]:
    """The variables that an assignment gives what its value is."""
    targets = line.targets if isinstance(line, cst.Assign) else ()
    return {name for item in targets for name in bound_names(item.target)}


__all__ = ["normalize_stored_entries"]

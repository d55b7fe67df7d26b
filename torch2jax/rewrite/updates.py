"""The lines that use and empty gradients, where these are values: behind `backward()` they go on in a variable of their own.

optimizer.zero_grad()                                 ->    grads = None
torch.nn.utils.clip_grad_norm_(model.parameters(), 1) ->    grads, _ = clip_grad_norm(grads, 1)
optimizer.step()                                      ->    model, opt_state = apply_gradients(optimizer, model, opt_state, grads)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from torch2jax.facts.gradient_reads import GradientRead
from torch2jax.facts.training import Update, clip_call, clipped_places, is_clip, method_call
from torch2jax.program.program import Function
from torch2jax.records import dataclass
from torch2jax.rewrite.local_names import local_name
from torch2jax.rewrite.training import (
    as_tree,
    clip_line,
    clip_text,
    companion_of,
    filled,
    gradients_of,
    is_untrained,
    was_frozen,
)
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote, quote_statement, quote_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_OWN_NAMES = frozenset({"opt_state", "grads", "updates"})


def rewrite_updates(unit: Unit) -> None:
    """Rewrite the lines of all optimizers whose gradients are values."""
    steps = [step for step in unit.facts.steps if step.problem is None]
    updates = dict.fromkeys(update for step in steps for update in step.updates)
    empty: dict[cst.SimpleStatementLine, list[str]] = {}
    gradients: dict[tuple[Function | None, str], str] = {}
    for update in updates:
        for line, function in update.lines.items():
            _update_line(unit, update, line, function)
        for line, function in update.clears.items():
            names = empty.setdefault(line, [])
            is_last = _next_line(unit, line) not in update.clears
            grads = gradients_of(unit, update, function) if update.kept and is_last else None
            names.extend([grads] if grads is not None else [])
        functions = {step.function for step in steps if update in step.updates} | set(update.lines.values())
        _clips(unit, update, functions)
        for read in update.reads:
            _look_at(unit, update, read, gradients)
    for line in _idle_clears(unit, empty):
        empty[line] = []
    for line, names in empty.items():
        statements = [quote_statement(f"{name} = None") for name in names]
        unit.settle(line)
        if line in unit.edits.moved:
            unit.edits.moved[line] = always_statements(statements)
        else:
            unit.edits.move(line, always_statements(statements))


def _next_line(unit: Unit, line: cst.SimpleStatementLine) -> cst.CSTNode | None:
    block = unit.facts.program.index.parents[line]
    body = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
    return body[body.index(line) + 1] if line in body[:-1] else None


def _update_line(unit: Unit, update: Update, line: cst.SimpleStatementLine, function: Function | None) -> None:
    target = unit.facts.target
    grads = gradients_of(unit, update, function)
    if grads is None:
        unit.problem(line, "T2J500", reason="its gradients come from another function")
        return
    models, optimizer = _own_names(update)
    model, places = as_tree(models), ", ".join(update.models)
    name = unit.fresh("apply_gradients")
    trained = target.trained
    if is_untrained(unit, update):
        trained = unit.spell(target.with_buffers(trained, was_frozen(unit, update)))
    parameters = filled(trained, model=model)
    lines = ["if grads is None:", f"    return {', '.join(models)}, opt_state"] if update.may_be_none else []
    if not target.immutable:
        lines = ["if grads is None:", "    return"] if update.may_be_none else []
    lines.append(filled(target.update, optimizer=optimizer, model=model, parameters=parameters))
    if target.immutable:
        opt_state = companion_of(unit, function, update.optimizer, "opt_state")
        updated = filled(target.updated, model=model)
        if len(models) > 1:
            lines.append(f"{', '.join(models)} = {updated}")
            updated = ", ".join(models)
        lines.append(f"return {updated}, opt_state")
        signature = f"{optimizer}, {', '.join(models)}, opt_state, grads"
        call = f"{places}, {opt_state} = {{name}}({update.optimizer}, {places}, {opt_state}, {grads})"
    else:
        signature = f"{', '.join(models)}, {optimizer}, grads"
        call = f"{{name}}({places}, {update.optimizer}, {grads})"
    body = "".join(f"    {text}\n" for text in lines)
    (definition,) = quote_statements(f"{target.decorator_keeping_inputs}\ndef {name}({signature}):\n{body}")
    assert isinstance(definition, cst.FunctionDef)
    text = code(definition.with_changes(name=cst.Name("_")))
    used = unit.step_functions.setdefault(text, name)
    if used == name:
        top = unit.facts.program.index.top_level(line)
        apart = definition.with_changes(leading_lines=[cst.EmptyLine(indent=False)] * 2)
        (unit.edits.before_place if top is line else unit.edits.before)(top, always_statements([apart]))
    unit.settle(line)
    unit.edits.move(line, always_statements([quote_statement(call.replace("{name}", used))]))


def _own_names(update: Update) -> tuple[list[str], str]:
    """What the function that applies gradients calls the models and the optimizer."""
    models, optimizer = list[str](), update.optimizer.rpartition(".")[2]
    for place in update.models:
        name = place.rpartition(".")[2]
        name = "model" if name in _OWN_NAMES or name == optimizer else name
        models.append(name if name not in models else f"{name}_{len(models)}")
    return models, "optimizer" if optimizer in _OWN_NAMES else optimizer


def _look_at(unit: Unit, update: Update, read: GradientRead, names: dict[tuple[Function | None, str], str]) -> None:
    """`for p in model.parameters()` with `p.grad` in it runs through the gradients beside, or instead of, the parameters."""
    grads = gradients_of(unit, update, read.function)
    if any(item.loop is read.loop for item in unit.facts.loops):
        return  # it changes the parameters, and is given their gradients
    if read.changes:
        return  # in a way that no function of one gradient says
    if grads is None or was_frozen(unit, update):
        return
    partly = [step for step in unit.plan.partly_watched | unit.plan.partly_reached if update in step.updates]
    if partly and not (read.is_for_some and all(step in unit.plan.partly_reached for step in partly)):
        return  # some parameters have none
    if read.factor is not None:
        _scale(unit, update, read, grads)
        return
    owner = next(place for place in update.models if f"{read.place}.".startswith(f"{place}."))
    if len(update.models) > 1:
        grads = f"{grads}[{update.models.index(owner)}]"
    grads = filled(unit.spell(unit.facts.target.gradients), model=owner, grads=grads) + read.place.removeprefix(owner)
    key = (read.function, read.variable)
    grad = names.setdefault(key, names.get(key) or local_name(unit, read.loop, f"{read.variable}_grad"))
    function = "parameters" if read.name is None else "named_parameters"
    if read.is_used:
        iterable = filled(
            unit.spell(f"zip({function}({{place}}), parameters({{grads}}))"), place=read.place, grads=grads
        )
        target = f"{read.variable}, {grad}" if read.name is None else f"({read.name}, {read.variable}), {grad}"
    else:
        iterable = filled(unit.spell(f"{function}({{grads}})"), grads=grads)
        target = grad if read.name is None else f"{read.name}, {grad}"
    unit.settled.update((*descendants(read.loop.iter), *descendants(read.loop.target)))
    unit.edits.replace(read.loop.iter, always(quote(iterable)))
    unit.edits.replace(read.loop.target, always(quote(target).with_changes(lpar=(), rpar=())))
    parents = unit.facts.program.index.parents
    for node in read.reads:
        parent = parents[node]
        whole = parent if isinstance(parent, cst.Attribute) and parent.attr.value == "data" else node
        unit.edits.replace(whole, always(cst.Name(grad)))
        unit.settled.update((node, whole))


def _scale(unit: Unit, update: Update, read: GradientRead, grads: str) -> None:
    """A loop that multiplies all gradients by a number does that to the tree of them."""
    part = _part_of(unit, update, (read.place,), grads, read.loop)
    if part is None or (update.kept and not update.is_local):
        return
    factor, grad = read.factor, local_name(unit, read.loop, "g")
    assert factor is not None
    scaled = f"{grad} {'/' if read.divides else '*'} {{factor}}"
    if unit.facts.values(factor).kind not in (Kind.INT, Kind.FLOAT):  # an array, whose dtype may be wider
        scaled = f"({scaled}).astype({grad}.dtype)"
    text = f"{part.new} = jax.tree.map(lambda {grad}: {scaled}, {part.given})"
    unit.settled.update(set(descendants(read.loop)) - {factor, *descendants(factor)})
    unit.edits.rewrite_statement(
        read.loop,
        lambda rewrite: [
            quote_statement(text, factor=rewrite.expression(factor)),
            *map(quote_statement, part.put_back),
        ],
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """The gradients of some of what an optimizer updates: what `given` stands for, the variables of their `new` values, and the
    lines that put these back.
    """

    given: str
    new: str
    put_back: tuple[str, ...] = ()


def _part_of(unit: Unit, update: Update, places: Sequence[str], grads: str, line: cst.CSTNode) -> _Part | None:
    """The gradients of the modules at some places; None where they cannot be told from the others."""
    if set(places) == set(update.models):
        return _Part(grads, grads)
    if not places:
        return None
    names = {place: f"{place.rpartition('.')[2]}_grads" for place in places}
    if set(places) < set(update.models) and len(set(names.values())) == len(places):
        names = {place: local_name(unit, line, name) for place, name in names.items()}
        entries = [names.get(place, f"{grads}[{n}]") for n, place in enumerate(update.models)]
        given = [f"{grads}[{update.models.index(place)}]" for place in places]
        new = ", ".join(names.values())
        is_one = len(places) == 1
        return _Part(
            given[0] if is_one else f"({', '.join(given)})",
            new if is_one else f"({new})",
            (f"{grads} = ({', '.join(entries)})",),
        )
    replaced = unit.facts.target.replaced
    (owner, *others), (place, *more) = update.models, places
    if others or more or replaced is None or not re.fullmatch(rf"{re.escape(owner)}(\.\w+)+", place):
        return None
    taken = local_name(unit, line, names[place])
    path = place.removeprefix(owner)
    held = filled(unit.spell(unit.facts.target.gradients), model=owner, grads=grads) + path
    text = replaced.replace("{where}", f"lambda m: m{path}").replace("{model}", grads).replace("{value}", taken)
    return _Part(held, taken, (f"{grads} = {text}",))


def _idle_clears(unit: Unit, known: Collection[cst.CSTNode]) -> Iterator[cst.SimpleStatementLine]:
    """Lines that empty the gradients of what is trained by steps which begin without gradients and leave none."""
    facts = unit.facts
    steps = [step for step in facts.steps if not step.carries]  # parts of losses leave no gradients
    if not steps or any(step.problem is not None or step.optimizer is None for step in steps):
        return
    if any(node.attr.value == "grad" for node in facts.program.index.attributes):
        return
    for call in facts.program.index.calls:
        line = facts.program.index.statement_of(call)
        if not isinstance(line, cst.SimpleStatementLine) or method_call(line, "zero_grad") is not call:
            continue
        if line not in known and line not in unit.edits.moved and isinstance(call.func, cst.Attribute):
            if facts.values(call.func.value).kind in (Kind.OPTIMIZER, Kind.MODULE):
                yield line


def _clips(unit: Unit, update: Update, functions: set[Function | None]) -> None:
    """Gradients that are clipped between `backward()` and `step()`."""
    index = unit.facts.program.index
    for line in index.every(cst.SimpleStatementLine):
        call = clip_call(line, unit.facts.values)
        if line in unit.edits.moved:
            continue
        if call is None:
            _inner_clip(unit, update, functions, line)
            continue
        function = unit.facts.program.function_around(call)
        grads = gradients_of(unit, update, function) if function in functions else None
        places = clipped_places(call, unit.facts.program, unit.facts.values)
        part = _part_of(unit, update, places, grads, line) if grads is not None else None
        if part is None:
            continue
        statements = [
            quote_statement(clip_line(unit, line, part.given, part.new)),
            *map(quote_statement, part.put_back),
        ]
        unit.settle(line)
        unit.edits.move(line, always_statements(statements))


def _is_whole(unit: Unit, update: Update, call: cst.Call) -> bool:
    """Whether a call clips the gradients of all that an optimizer updates."""
    return set(clipped_places(call, unit.facts.program, unit.facts.values)) == set(update.models)


def _inner_clip(unit: Unit, update: Update, functions: set[Function | None], line: cst.SimpleStatementLine) -> None:
    """`norms.append(clip_grad_norm_(model.parameters(), 1).item())`: the gradients are clipped in front of the line."""
    found = [node for node in descendants(line) if isinstance(node, cst.Call) and is_clip(node, unit.facts.values)]
    lazy = (cst.IfExp, cst.Lambda, cst.BooleanOperation, cst.CompFor)
    if len(found) != 1 or any(isinstance(node, lazy) for node in descendants(line)):
        return
    (call,) = found
    function = unit.facts.program.function_around(call)
    grads = gradients_of(unit, update, function) if function in functions else None
    if grads is None or not _is_whole(unit, update, call):
        return
    name = local_name(unit, line, "norm")
    clipped = quote_statement(clip_text(unit, call, grads, name, grads))
    unit.settle(call)
    unit.edits.replace(call, always(cst.Name(name)))
    unit.edits.before(line, always_statements([clipped]))


__all__ = ["rewrite_updates"]

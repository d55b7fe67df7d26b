"""Parts of losses that are computed before their steps become functions that give their pullbacks, too.

fake = generator(noise)   ->   fake, fake_vjp = compute_fake(generator, noise)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.stored_graphs import emptied_lists
from torch2jax.facts.training import Step
from torch2jax.rewrite.training import (
    StepLayout,
    define_above,
    filled,
    holds_frozen,
    in_own_words,
    inputs_of,
    is_given_values,
    make_loss_body,
    modes_behind,
    prepare_layout,
    pullback_of,
    rebound_names,
    result_names,
    with_loss_body,
)
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always_statements
from torch2jax.syntax.quote import quote_statement, quote_statements
from torch2jax.syntax.walk import own_nodes


def rewrite_carried(unit: Unit) -> None:
    """Rewrite all parts of losses of the file that are computed before their steps."""
    for part in unit.facts.steps:
        if part.carries:
            _carry(unit, part)


def _carry(unit: Unit, part: Step) -> None:
    if unit.facts.target.pullback is None:
        place = part.carries[0]
        reason = f"`{place}` was computed from what it trains, before it: the gradient would not go on there"
        unit.problem(part.backward_statement, "T2J500", reason=reason)
        return
    layout = prepare_layout(unit, part, part.trained)
    if layout is None:
        return
    for statement in (*part.forward, *part.after, *(() if part.stays else part.added)):
        unit.edits.move(statement)
    define_above(unit, part.backward_statement, layout, lambda rewrite: _definition(unit, part, layout, rewrite))
    kept = _keep(unit, part) if part.stores else []
    unit.edits.moved[part.backward_statement] = lambda rewrite: [
        _call(unit, part, layout),
        *modes_behind(unit, part),
        *(node for statement in part.after for node in rewrite.statement(statement)),
        *_standing_for(part.added, kept, rewrite),
    ]


def _standing_for(
    old: Sequence[cst.BaseStatement], new: Sequence[cst.BaseStatement], rewrite: Rewriter
) -> Sequence[cst.BaseStatement]:
    """Statements in the places of others."""
    for line, origin in zip(new, old, strict=False):
        rewrite.stands_for(line, origin)
    return new


def _keep(unit: Unit, part: Step) -> list[cst.BaseStatement]:
    """Put what a round computes, and its pullback, into lists or fields; the list of pullbacks is made and emptied with the others."""
    owner = part.stores[0].rpartition(".")[0]
    name = pullback_of(unit, part)
    for line, emptied, is_made in emptied_lists(part):
        empties = " = []" if is_made and not _is_outer(unit, line, emptied) else ".clear()"
        unit.edits.after(line, always_statements([quote_statement(f"{_beside(code(emptied), name)}{empties}")]))
    for line in part.added:
        unit.settled.update(_call_of(line))
    form = "{place}.append({entry})" if part.in_lists else "{place} = {entry}"
    pairs = zip(part.stores, part.carries, strict=True)
    kept = [quote_statement(form.format(place=store, entry=entry)) for store, entry in pairs]
    place = f"{owner}.{name}" if owner else name
    pullback = quote_statement(form.format(place=place, entry=entry_pullback(unit, part)))
    if part.stays:
        unit.edits.after(part.added[-1], always_statements([pullback]))
        return []
    return [*kept, pullback]


def _is_outer(unit: Unit, line: cst.CSTNode, target: cst.BaseExpression) -> bool:
    """Whether a variable that a line binds belongs to the code around the function of the line."""
    function = unit.facts.program.function_around(line)
    declared = own_nodes(function.node) if function is not None else ()
    names = {
        item.name.value for node in declared if isinstance(node, (cst.Global, cst.Nonlocal)) for item in node.names
    }
    return isinstance(target, cst.Name) and target.value in names


def _call_of(line: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    """The call of a line that adds to a list."""
    yield from (small.value for small in line.body if isinstance(small, cst.Expr))


def entry_pullback(unit: Unit, part: Step) -> str:
    """The variable with the pullback of the entries of one round."""
    name = pullback_of(unit, part)
    return re.sub(r"vjps(?=$|_\d+$)", "vjp", name) if part.in_lists else name


def _beside(place: str, name: str) -> str:
    """The place of another field of the same object, or of a variable."""
    owner = place.rpartition(".")[0]
    return f"{owner}.{name}" if owner else name


def _definition(unit: Unit, part: Step, layout: StepLayout, rewrite: Rewriter) -> cst.BaseStatement:
    """The function that computes a part of a loss: `return eqx.filter_vjp(forward, model)`."""
    target = unit.facts.target
    state = [*layout.states.values()]
    keyed = part.backward in unit.plan.keys
    signature = ", ".join(
        [
            *layout.models,
            *state,
            *(name for name, _ in inputs_of(unit, part, layout)),
            *(["*", layout.own[target.key]] if keyed else []),
        ]
    )
    body, _ = make_loss_body(unit, part, rewrite, state, layout.names)
    first = layout.own["params"] if layout.partitioned else layout.tree_name
    given = layout.own["params"] if layout.partitioned else layout.model
    partition = ""
    if layout.partitioned:
        body.insert(0, quote_statement(in_own_words(layout, target.combine, model=", ".join(layout.models))))
        has_frozen = any(holds_frozen(unit, part, place) for place in layout.trained)
        parts = target.with_buffers(str(target.partition), has_frozen)
        partition = f"    {in_own_words(layout, unit.spell(parts), model=layout.model)}\n\n"
    elif len(layout.trained) > 1:
        body.insert(0, quote_statement(f"{', '.join(layout.models)} = {first}"))
    more = [*state, *rebound_names(unit, part, layout)]
    aux = [*state, *result_names(part, layout)]
    loss_fn = layout.own["loss_fn"]
    function = f"lambda {first}: {loss_fn}({', '.join([first, *more])})" if more else loss_fn
    if not target.immutable:  # objects that change may not come from outside of what is differentiated
        function, given = loss_fn, ", ".join([given, *more])
    options = ", has_aux=True" if aux else ""
    pulled = filled(unit.spell(str(target.pullback)), function=function, model=f"{given}{options}")
    of_values = target.decorator_of_values if is_given_values(unit, part, layout) else None
    decorator = unit.spell(of_values or target.decorator_keeping_inputs) if layout.obstacle is None else ""
    text = (
        f"{decorator}\ndef {layout.function}({signature}):\n{partition}"
        f"    def {loss_fn}({', '.join([first, *more])}):\n        pass\n\n"
        f"    return {pulled}\n"
    )
    (definition,) = quote_statements(text.lstrip())
    assert isinstance(definition, cst.FunctionDef)
    return with_loss_body(definition, body).with_changes(leading_lines=[cst.EmptyLine(indent=False)] * 2)


def _call(unit: Unit, part: Step, layout: StepLayout) -> cst.BaseStatement:
    arguments = [*layout.trained, *layout.states, *(given for _, given in inputs_of(unit, part, layout))]
    key = unit.plan.keys.get(part.backward)
    if key is not None:
        arguments.append(f"{layout.own[unit.facts.target.key]}={key}")
    targets = [_as_target(part.carries), entry_pullback(unit, part)]
    aux = [*layout.states, *part.results]
    targets += [_as_target(aux)] if aux else []
    return quote_statement(f"{', '.join(targets)} = {layout.function}({', '.join(arguments)})")


def _as_target(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


__all__ = ["rewrite_carried"]

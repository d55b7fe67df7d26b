"""The one group of parameters of an optimizer that was given no groups.

for group in optimizer.param_groups:        ->    return optimizer.param_groups[0]["lr"]
    return group["lr"]

for group in optimizer.param_groups:        ->    for p in model.parameters():      where the model is at hand
    for p in group["params"]:                         p.grad.clamp_(-1, 1)
        p.grad.clamp_(-1, 1)

optimizer = SGD(model.parameters(), 0.1)    ->    optimizer = SGD([{"params": model.parameters()}], 0.1)
if "lr_scale" in optimizer.param_groups[0]:       if "lr_scale" in optimizer.param_groups[0]:

A loop over several groups that does no more than change the gradients of their parameters, each by itself, goes through those of
the model in the same way, where nobody looks at the others' gradients.

Where only the learning rate is read and set, the loop runs once, and the learning rate is a number of its own in the
translation. Where a program asks for more, or saves the state of the optimizer, the group is one of those that have options of
their own; that has no schedulers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.gradient_reads import left_to_callers
from torch2jax.facts.infer import all_marks, places_of_makers
from torch2jax.facts.parameters import given_parameters, makes_optimizer
from torch2jax.facts.saved_states import is_saved, saved_marks
from torch2jax.facts.schedules import lost_optimizers
from torch2jax.facts.training import is_clip
from torch2jax.normalize.gradient_clears import asks_gradient
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.syntax.edits import Rewriter, always, as_expression
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import WHOLE, Kind

_TAKING_ALL = frozenset({"list", "max", "min", "set", "sorted", "sum", "tuple"})
_ASKED = "asked for its groups"  # the mark of a file whose optimizers another one asks for them
_SCHEDULED = "has a scheduler"  # the mark of an optimizer
_LEAVING = (cst.Break, cst.Continue, cst.Yield)


def normalize_single_groups(work: NormalizationRound) -> None:
    """Write loops over one group as what they do, and give optimizers a group of which more is asked."""
    for node in work.index.attributes:
        if node.attr.value == "param_groups" and dotted(node.value) is not None:
            if _has_one(work, node.value):
                _look(work, node)
            else:
                _go_through_all(work, node)
    for call in work.index.calls:
        _list_trained(work, call)
    if not work.edits.touched():
        _make_groups(work)


def _list_trained(work: NormalizationRound, call: cst.Call) -> None:
    """`filter(lambda p: p.requires_grad, parameters)` says which they are; in a group of parameters that is a list."""
    parent = work.index.parents[call]
    is_group = isinstance(parent, cst.DictElement) or (
        isinstance(parent, cst.Arg) and parent.keyword is not None and parent.keyword.value == "params"
    )
    match call:
        case cst.Call(func=cst.Name("filter"), args=[cst.Arg(value=cst.Lambda() as chosen), cst.Arg(value=given)]):
            name = chosen.params.params[0].name.value if chosen.params.params else None
            if name is not None and dotted(chosen.body) == f"{name}.requires_grad":
                text = f"{name} for {name} in {{given}} if {name}.requires_grad"
                text = f"[{text}]" if is_group else f"({text})"
                work.edits.replace(call, lambda rewrite: quote(text, given=rewrite.expression(given)))


def _has_one(work: NormalizationRound, node: cst.CSTNode) -> bool:
    value = work.values(node)
    return value.kind is Kind.OPTIMIZER and value.among == {WHOLE}


def _look(work: NormalizationRound, node: cst.Attribute) -> None:
    parent = work.index.parents[node]
    if isinstance(parent, cst.Arg):  # enumerate(optimizer.param_groups)
        call = work.index.parents[parent]
        is_counted = isinstance(call, cst.Call) and dotted(call.func) == "enumerate" and len(call.args) == 1
        loop = work.index.parents[call] if is_counted else None
    else:
        call, loop = None, parent
    if isinstance(loop, cst.For) and loop.iter in (node, call):
        _run_once(work, loop, node, call is not None)
    elif isinstance(loop, cst.CompFor) and loop.iter is node:
        _take_one(work, loop, node)
    elif isinstance(parent, cst.Subscript) and _is_last(parent):
        work.edits.replace(parent, always(_first(node)))
    elif isinstance(parent, cst.Subscript) and _asked_for(work, parent) == "params":
        asked = work.index.parents[parent]
        model = _model_beside(work, node, asked) if _is_gone_through(work, asked) else None
        if model is not None:
            work.edits.replace(asked, _parameters(work, asked, model))


def _go_through_all(work: NormalizationRound, groups: cst.Attribute) -> None:
    """Gradients that a loop over several groups changes, one by one, are changed in a loop over the model's parameters."""
    loop = work.index.parents[groups]
    match loop:
        case cst.For(
            target=cst.Name() as group,
            iter=asked,
            body=cst.IndentedBlock(
                body=[cst.For(target=cst.Name(name), iter=cst.Subscript(value=own) as each) as inner]
            ),
            orelse=None,
        ) if asked is groups:
            uses = _uses(work, loop, group)
        case _:
            return
    if uses != [own] or _asked_for(work, own) != "params" or inner.orelse is not None:
        return
    model = trained_model(work, groups.value)
    if model is None or not _changes_each(inner.body, name) or not _is_alone(work, groups, inner):
        return
    work.edits.replace(each, always(quote("{model}.parameters()", model=work.copy(model))))
    work.edits.rewrite_statement(loop, lambda rewrite: [rewrite.inside(inner)])  # type: ignore[list-item]


def _changes_each(body: cst.CSTNode, name: str) -> bool:
    """Whether statements only change the gradient of a parameter in place, by numbers: `p.grad.data.clamp_(-1, 1)`."""
    match body:
        case cst.IndentedBlock(body=[cst.If(test=test, body=inner, orelse=None)]) if asks_gradient(test, name):
            return _changes_each(inner, name)
        case cst.IndentedBlock(body=lines):
            return all(
                isinstance(line, cst.SimpleStatementLine) and all(_changes_gradient(small, name) for small in line.body)
                for line in lines
            )
    return False


def _changes_gradient(small: cst.BaseSmallStatement, name: str) -> bool:
    match small:
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name(method)), args=args)):
            values = [item.value for item in args]
            is_inplace = is_inplace_name(method)
        case cst.AugAssign(target=place, value=value):
            values, is_inplace = [value], True
        case _:
            return False
    is_gradient = dotted(place) in (f"{name}.grad", f"{name}.grad.data")
    return is_inplace and is_gradient and not any(name in names_in(value) for value in values)


def _is_alone(work: NormalizationRound, groups: cst.Attribute, loop: cst.For) -> bool:
    """Whether no other optimizer of the program is made, and the gradients are looked at nowhere else in the function."""
    made = [call for call in work.index.calls if makes_optimizer(call, work.values)]
    others = [file for file in work.program.files if file is not work.program]
    if any(file.mentions("optim") for file in others):
        return False
    own = [call for call in made if work.values(call).types & work.values(groups.value).types]
    inside, around = set(descendants(loop)), work.index.function_of(groups)
    reads = [node for node in descendants(around or work.index.module, cst.Attribute) if node.attr.value == "grad"]
    return len(made) == len(own) == 1 and all(node in inside for node in reads)


def _is_last(node: cst.Subscript) -> bool:
    match node.slice:
        case [
            cst.SubscriptElement(
                slice=cst.Index(
                    value=cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer("1")),
                )
            )
        ]:
            return True
    return False


def _first(node: cst.Attribute) -> cst.BaseExpression:
    return quote("{groups}[0]", groups=node.deep_clone())


def _run_once(work: NormalizationRound, loop: cst.For, groups: cst.Attribute, counted: bool) -> None:
    """The body of a loop in place of the loop; where it is a row of simple statements, what follows can read it as it is."""
    names = _targets(loop.target, counted)
    if names is None or loop.orelse is not None or not isinstance(loop.body, cst.IndentedBlock):
        return
    number, group = names
    body = [node for item in loop.body.body for node in (item, *descendants(item))]
    if any(isinstance(node, _LEAVING) for node in body):
        return
    if any(isinstance(node, cst.AssignTarget) and dotted(node.target) == dotted(groups.value) for node in body):
        return
    bound = set[str]().union(*(reads_and_writes(item)[1] for item in loop.body.body))
    root = str(dotted(groups)).split(".")[0]
    if bound & {root, group.value, number.value if number is not None else group.value}:
        return
    uses = _uses(work, loop, group)
    counts = _uses(work, loop, number) if number is not None else []
    if uses is None or counts is None:
        return
    whole = [node for node in uses if _asked_for(work, node) == "params"]
    if not all(_asked_for(work, node) == "lr" for node in uses if node not in whole):
        return
    models = [_model_beside(work, groups, work.index.parents[node]) for node in whole]
    model = models[0] if models and None not in models else None
    if (whole and model is None) or (not whole and number is None and _is_plain(loop.body.body)):
        return
    for node in uses:
        if model is None or node not in whole:
            work.edits.replace(node, always(_first(groups)))
        else:
            work.edits.replace(work.index.parents[node], _parameters(work, work.index.parents[node], model))
    for node in counts:
        work.edits.replace(node, always(cst.Integer("0")))
    statements = loop.body.body

    def build(rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
        return [item for statement in statements for item in rewrite.statement(statement)]

    work.edits.rewrite_statement(loop, build)


def _targets(target: cst.BaseExpression, counted: bool) -> tuple[cst.Name | None, cst.Name] | None:
    """The variables of a loop: the number of a group, if it is counted, and the group."""
    match target:
        case cst.Name() if not counted:
            return None, target
        case cst.Tuple(elements=[cst.Element(value=cst.Name() as number), cst.Element(value=cst.Name() as group)]):
            return (number, group) if counted else None
    return None


def _is_plain(body: Sequence[cst.BaseStatement]) -> bool:
    lines = [item for item in body if isinstance(item, cst.SimpleStatementLine)]
    leaving = (cst.Return, cst.Raise)
    return len(lines) == len(body) and not any(isinstance(small, leaving) for item in lines for small in item.body)


def _uses(work: NormalizationRound, loop: cst.For, target: cst.Name) -> list[cst.Name] | None:
    """The reads of the variable of a loop in its body; None if there are others."""
    definitions = work.program.definitions
    bound = [item for item in definitions.every_of_name(target) if item.node is target]
    found = [use for item in bound for use in definitions.uses(item)]
    inside = set(descendants(loop.body))
    alone = all(definitions.of(use) == tuple(bound) for use in found)
    return found if len(bound) == 1 and alone and all(use in inside for use in found) else None


def _asked_for(work: NormalizationRound, node: cst.CSTNode) -> str | None:
    """The option that a group is asked for: "lr" of `group["lr"]`."""
    parent = work.index.parents[node]
    match parent:
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]):
            return str(key.evaluated_value) if value is node else None
    return None


def trained_model(work: NormalizationRound, optimizer: cst.BaseExpression) -> cst.BaseExpression | None:
    """What the function around names that has just the parameters that an optimizer updates."""
    sites, around = work.values(optimizer).sites, work.index.function_of(optimizer)
    named = descendants(around or work.index.module, cst.Name, cst.Attribute) if len(sites) == 1 else ()
    models = [node for node in named if work.values(node).kind is Kind.MODULE and work.values(node).sites == sites]
    seen = [node for node in models if work.index.function_of(node) is around]
    return next((node for node in seen if isinstance(node, cst.BaseExpression) and dotted(node) is not None), None)


def _model_beside(work: NormalizationRound, groups: cst.Attribute, use: cst.CSTNode) -> cst.BaseExpression | None:
    """What has the parameters that an optimizer updates, or, where a use looks at gradients alone, no others with a gradient."""
    if not (_is_given_all(work, groups) or _wants_gradients(work, use)):
        return None
    return trained_model(work, groups.value)


def _is_given_all(work: NormalizationRound, groups: cst.Attribute) -> bool:
    """Whether an optimizer is made in sight, and given `model.parameters()` just so."""
    made = [call for call in work.index.calls if makes_optimizer(call, work.values)]
    made = [call for call in made if work.values(call).types & work.values(groups.value).types]
    return bool(made) and all(_is_whole(given_parameters(call)) for call in made)


def _is_whole(node: cst.BaseExpression | None) -> bool:
    match node:
        case cst.Call(func=cst.Name("list"), args=[cst.Arg(value=inner)]):
            return _is_whole(inner)
        case cst.Call(func=cst.Attribute(attr=cst.Name("parameters")), args=[]):
            return True
    return False


def _wants_gradients(work: NormalizationRound, use: cst.CSTNode) -> bool:
    """Whether parameters without a gradient make no difference: they are clipped, or a loop asks for their gradients first."""
    loop = work.index.parents[use]
    match loop:
        case cst.Arg():
            call = work.index.parents[loop]
            return isinstance(call, cst.Call) and is_clip(call, work.values)
        case cst.For(target=cst.Name(name), body=cst.IndentedBlock(body=[cst.If(test=test, orelse=None)])):
            return asks_gradient(test, name)
        case cst.CompFor(target=cst.Name(name), ifs=[cst.CompIf(test=test), *_]):
            return asks_gradient(test, name)
    return False


def _parameters(
    work: NormalizationRound, node: cst.CSTNode, model: cst.BaseExpression
) -> Callable[[Rewriter], cst.BaseExpression]:
    """`model.parameters()` for the parameters of a group: a list of them where it is not gone through at once."""
    parent = work.index.parents[node]
    call = work.index.parents[parent]
    is_taken = isinstance(parent, cst.Arg) and isinstance(call, cst.Call) and dotted(call.func) in _TAKING_ALL
    whole = is_taken or _is_gone_through(work, node)
    text = "{model}.parameters()" if whole else "list({model}.parameters())"
    return lambda rewrite: quote(text, model=model.deep_clone())


def _is_gone_through(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether parameters are gone through where they stand, or clipped."""
    parent = work.index.parents[node]
    call = work.index.parents[parent]
    is_clipped = isinstance(parent, cst.Arg) and isinstance(call, cst.Call) and is_clip(call, work.values)
    return is_clipped or isinstance(parent, (cst.For, cst.CompFor))


def _take_one(work: NormalizationRound, loop: cst.CompFor, groups: cst.Attribute) -> None:
    """`[group["lr"] for group in optimizer.param_groups]` is a list of one."""
    if isinstance(loop.inner_for_in, cst.CompFor):
        _take_parameters(work, loop, loop.inner_for_in, groups)
        return
    made = work.index.parents[loop]
    is_list = isinstance(made, cst.ListComp) or (isinstance(made, cst.GeneratorExp) and _is_taken_whole(work, made))
    if not isinstance(made, cst.BaseSimpleComp) or not is_list or loop.ifs:
        return
    uses = _named(work, loop.target, made.elt)
    inner = (cst.Lambda, cst.BaseComp)
    if any(isinstance(node, inner) for node in (made.elt, *descendants(made.elt))):
        return
    if not isinstance(loop.target, cst.Name) or not uses or not all(_asked_for(work, node) == "lr" for node in uses):
        return
    for node in uses:
        work.edits.replace(node, always(_first(groups)))
    element = made.elt
    work.edits.replace(made, lambda rewrite: quote("[{element}]", element=rewrite.expression(element)))


def _named(work: NormalizationRound, target: cst.BaseExpression, place: cst.CSTNode) -> list[cst.Name]:
    """Where the variable of a loop is read in an expression."""
    names = [node for node in (place, *descendants(place)) if isinstance(node, cst.Name)]
    return [node for node in names if node.value == dotted(target) and not work.index.is_label(node)]


def _take_parameters(work: NormalizationRound, loop: cst.CompFor, inner: cst.CompFor, groups: cst.Attribute) -> None:
    """`for group in optimizer.param_groups for p in group["params"]` goes through the parameters of the model."""
    made, model = work.index.parents[loop], _model_beside(work, groups, inner.iter)
    uses = _named(work, loop.target, made)
    others = [node for node in uses if node is not loop.target]
    if loop.ifs or model is None or len(others) != 1 or _asked_for(work, others[0]) != "params":
        return
    if work.index.parents[others[0]] is inner.iter:
        work.edits.replace(
            loop,
            lambda rewrite: cst.ensure_type(rewrite.inside(inner), cst.CompFor).with_changes(
                iter=quote("{model}.parameters()", model=model.deep_clone()), whitespace_before=loop.whitespace_before
            ),
        )


def _is_taken_whole(work: NormalizationRound, node: cst.GeneratorExp) -> bool:
    """Whether a generator is given to a function that takes a list as well."""
    argument = work.index.parents[node]
    call = work.index.parents[argument]
    return isinstance(argument, cst.Arg) and isinstance(call, cst.Call) and dotted(call.func) in _TAKING_ALL


def _make_groups(work: NormalizationRound) -> None:
    """An optimizer of whose group more is asked than the learning rate is given it as a group."""
    lost = lost_optimizers(work.program, work.values)
    scheduled = _scheduled(work)
    work.marks |= {(_SCHEDULED, key) for key in scheduled}
    scheduled |= {mark[1] for mark in all_marks(work.program) if mark[0] == _SCHEDULED}
    foreign = places_of_makers(_asked(work, scheduled)) - {work.program.prefix}
    work.marks |= {(_ASKED, place) for place in foreign}
    work.marks |= saved_marks(work.program, work.values)
    if (_ASKED, work.program.prefix) in all_marks(work.program):
        lost |= _without_schedulers(work)
    made = [call for call in work.index.calls if makes_optimizer(call, work.values)]
    saved = [call for call in made if is_saved(work.values(call), work.program, work.values)]
    saved = [call for call in saved if work.values(call.func).kind is Kind.TORCH]
    if saved:
        lost |= set[str]().union(*(work.values(call).types for call in saved)) & _without_schedulers(work)
    for call in work.index.calls if lost else ():
        value = work.values(call)
        if not makes_optimizer(call, work.values) or value.among != {WHOLE}:
            continue
        given = given_parameters(call)
        if given is not None and value.types & lost:
            work.edits.replace(given, partial(as_group, given))


def _asked(work: NormalizationRound, scheduled: set[str]) -> set[str]:
    """The optimizers that the file asks for their groups, but for those that stand where one with a scheduler may, too: their
    learning rates are numbers of their own.
    """
    gone = left_to_callers(work.program)  # which ask where they are called
    groups = [node for node in work.index.attributes if node.attr.value == "param_groups"]
    asked = [work.values(node.value) for node in groups if work.program.function_around(node) not in gone]
    found = [value.types for value in asked if value.kind is Kind.OPTIMIZER and not value.types & scheduled]
    return set[str]().union(*found)


def _scheduled(work: NormalizationRound) -> set[str]:
    """The optimizers that the file makes schedulers of torch for."""
    values = [work.values(call) for call in work.index.calls]
    return set[str]().union(*(value.types for value in values if value.kind is Kind.SCHEDULER))


def _without_schedulers(work: NormalizationRound) -> set[str]:
    """The optimizers that no scheduler of torch is made for."""
    values = [work.values(call) for call in work.index.calls]
    made = set[str]().union(*(value.types for value in values if value.kind is Kind.OPTIMIZER))
    return made - _scheduled(work)


def as_group(given: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    """Parameters that an optimizer is given, as a group."""
    return quote("[dict(params={p})]", p=as_expression(rewrite.inside(given)))


__all__ = ["as_group", "normalize_single_groups", "trained_model"]

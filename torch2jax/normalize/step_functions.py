"""Functions that hold a part of a training step, normalized to their statements where they are called.

loss = self.compute_loss(batch)         ->    x, y = batch
loss.backward()                               loss = F.cross_entropy(self.model(x), y)
update(self.optimizer)                        loss.backward()
                                              self.optimizer.step()

The gradient is taken of one function: what lies in methods of an object that is no tree of arrays, in functions that read the
trained module from around them, and behind a loss that is handed to a function with `backward()` in it, has to stand in sight. A
function that leaves gradients to its caller, and one that uses them for it, stand there, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.captures import hidden_module, reached
from torch2jax.facts.contexts import turns_off
from torch2jax.facts.gradient_accumulation import Gradients
from torch2jax.facts.gradient_reads import LEFT_TO_CALLERS
from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import NO_MODULE, Step
from torch2jax.normalize.differentiated_lambdas import differentiated, name_differentiated
from torch2jax.normalize.given_constants import with_arguments
from torch2jax.normalize.one_ending import with_one_ending
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import (
    drop_unused,
    has_one_ending,
    is_row,
    only_target,
    runs_only,
    uses_of,
    write_out,
)
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.syntax.edits import always, is_docstring
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants, own_nodes
from torch2jax.values import Kind


def normalize_step_functions(work: NormalizationRound) -> None:
    """Normalize one call of each function around that holds a part of a step."""
    if not work.program.mentions("backward"):
        return
    assert work.flows is not None
    changed: set[Function | None] = set()
    for step in find_steps(work.program, work.values, work.flows):
        if not step.is_refused and not _is_given_loss(step):
            continue
        for call, function in _parts(work, step):
            around = work.program.function_around(call)
            if around in changed or function is around:
                continue
            is_own = (
                _is_method_of_self(call, function, step.function) and work.values(call.func).kind is not Kind.MODULE
            )
            if is_own and is_row(function) and not function.is_static and _name_differentiated(work, call):
                changed.add(around)
            elif function.is_static and _is_method_of_self(call, function, step.function):
                _name_class(work, call, function, around)
            elif write_out(
                work, call, function, _with_one_ending(work, call, function) or _in_place(work, call, function)
            ):
                changed.add(around)
                drop_unused(work, function, call)
        if step.function is not None and _is_given_loss(step) and not work.edits.touched():
            _leave_to_others(work, step.function)


def _leave_to_others(work: NormalizationRound, function: Function) -> None:
    """Mark a function that passes back through what it is given as one whose statements stand where other files call it, if
    nothing in its own file does.
    """
    owner = function.owner
    is_plain = function.outer is None and (owner is None or not owner.is_module) and not function.is_static
    if not work.program.is_imported or not is_plain or not (is_row(function) or has_one_ending(function)):
        return
    texts = {node.evaluated_value for node in work.index.every(cst.SimpleString)}
    named = {node.attr.value for node in work.index.attributes} if owner is not None else set()
    if function.name in texts | named or any(True for _ in uses_of(work, function)):
        return
    work.marks.add((LEFT_TO_CALLERS, function.key))


def _with_one_ending(work: NormalizationRound, call: cst.Call, function: Function) -> cst.FunctionDef | None:
    """A function that returns in several branches, or runs under `@torch.no_grad()`, as one that returns at its end only; None
    where it need not be, or cannot.
    """
    returns = [node for node in own_nodes(function.node) if isinstance(node, cst.Return)]
    context = _context(work, function)
    if context is None and (len(returns) < 2 or is_row(function)):
        return None
    around = work.program.function_around(call)
    here = names_in(around.node) if around is not None else work.names_of_file()
    target = only_target(work.index.statement_of(call), call)
    if target is None or target in names_in(function.node):
        target = FreshNames({*here, *names_in(function.node)})("result")
    return with_one_ending(function.node, target) if context is None else _in_block(function.node, context, target)


def _in_place(work: NormalizationRound, call: cst.Call, function: Function) -> cst.FunctionDef | None:
    """What a function comes to that is given models and optimizers which stand in fields; None where it is not."""
    given = [item for _, item in arguments_by_parameter(function, call, work.values) if isinstance(item, cst.Attribute)]
    is_held = any(work.values(item).is_a(Kind.OPTIMIZER, Kind.MODULE) for item in given)
    return with_arguments(work, function, call) if is_held else None


def _context(work: NormalizationRound, function: Function) -> cst.BaseExpression | None:
    """`torch.no_grad()` where it is the only decorator of a function."""
    if len(decorators := function.node.decorators) != 1:
        return None
    context = decorators[0].decorator
    if not turns_off(context, work.values):
        return None
    return context if isinstance(context, cst.Call) else cst.Call(context)


def _in_block(node: cst.FunctionDef, context: cst.BaseExpression, target: str) -> cst.FunctionDef | None:
    """A function without its decorator, its statements in a `with` block that leaves the result in `target`."""
    body = [item for item in suite_body(node) if not is_docstring(item)]
    gives = any(isinstance(item, cst.Return) and item.value is not None for item in own_nodes(node))
    ended = with_one_ending(node.with_changes(body=cst.IndentedBlock(body)), target) if gives else node
    if ended is None:
        return None
    body = list(suite_body(ended))
    last = [body.pop()] if gives else []
    block = cst.With([cst.WithItem(context.deep_clone())], cst.IndentedBlock(body))
    return ended.with_changes(decorators=(), body=cst.IndentedBlock([block, *last]))


def _name_differentiated(work: NormalizationRound, call: cst.Call) -> bool:
    """Give the lambda around a call a name, and lines, if it is what a gradient is taken of: `u, u_vjp = jax.vjp(lambda x: f(x), x)`."""
    line = work.index.statement_of(call)
    found = next((node for node in work.index.ancestors(call) if isinstance(node, cst.Lambda)), None)
    if found is None or line not in work.index.ancestors(found):
        return False
    return differentiated(line) is found and name_differentiated(work, line) is not None


def _name_class(work: NormalizationRound, call: cst.Call, function: Function, around: Function | None) -> None:
    """`Trainer.distance(x, y)` for `self.distance(x, y)` of a static method: it needs no object."""
    owner = function.owner
    assert owner is not None and isinstance(call.func, cst.Attribute)
    if not runs_only(work, call, function) or owner.node not in work.program.classes or owner.outer is not None:
        return
    if around is not None and owner.name not in around.env and call.func not in work.edits.nodes:
        work.edits.replace(call.func.value, always(cst.Name(owner.name)))


def _parts(work: NormalizationRound, step: Step) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of functions whose statements the step needs in sight."""
    own = step.function
    if own is not None and _is_given_loss(step):
        yield from _callers(work, own)
    yield from _with_gradients(work, step)
    stepping = {item for update in step.updates for item in (*update.lines.values(), *update.clears.values())}
    for function in sorted((item for item in stepping if item is not None), key=lambda item: item.key):
        for call in function.callers if function is not own and not passes_back(work, function) else ():
            if isinstance(call, cst.Call) and call in work.index.parents and work.program.function_around(call) is own:
                yield call, function
    body = list(step.block.body)
    end = next(at for at, line in enumerate(body) if step.backward_statement in (line, *descendants(line)))
    own_lines = body[step.begin : end]
    before = [line for line in own_lines if not step.brought.isdisjoint(_assigned(line))]
    nodes = [node for part in (*before, *step.forward, step.loss) for node in descendants(part)]
    inner = []
    for node in nodes:
        if isinstance(node, cst.Call) and len(reached := work.values.callees.get(node, ())) == 1:
            (function,) = reached
            if _is_method_of_self(node, function, own) or hidden_module([node], step.models, work.values):
                inner.append((node, function))
    yield from inner
    if not inner and own is not None and not _is_given_loss(step) and _is_given_outputs(step):
        yield from _callers(work, own)


def _callers(work: NormalizationRound, function: Function) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of a function that stand in this file."""
    for call in function.callers:
        if isinstance(call, cst.Call) and call in work.index.parents:
            yield call, function


def _assigned(line: cst.CSTNode) -> set[str]:
    """The variables that a line of assignments binds."""
    return {name for node in descendants(line, cst.AssignTarget) for name in bound_names(node.target)}


def _is_given_loss(step: Step) -> bool:
    """Whether a function passes back through what it is given, and not through what it computes itself."""
    given = step.function.parameter_names if step.function is not None else ()
    return not step.models and not step.leaves and not names_in(step.loss).isdisjoint(given)


def _is_given_outputs(step: Step) -> bool:
    """Whether the loss is one of what a function is given, `loss = self.loss_fn(estimate, target)`, and no module is in sight."""
    given = step.function.parameter_names if step.function is not None else ()
    return step.problem == NO_MODULE and any(not names_in(line).isdisjoint(given) for line in step.forward)


def _with_gradients(work: NormalizationRound, step: Step) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of the function that leaves the gradients of a step to others, and of those that use what it leaves."""
    own = step.function
    if own is None or step.step_statement is not None or step.leaves or not step.models:
        return
    around = [call for call in own.callers if isinstance(call, cst.Call) and call in work.index.parents]
    calls = [node for node in own_nodes(own.node) if isinstance(node, cst.Call)]
    using = [(call, function) for call in calls if (function := _user(work, call)) is not None]
    yield from using
    if not using and not _uses_gradients(work, own):
        if Gradients(work.program, work.values).are_used_behind(step.backward_statement, own):
            yield from ((call, own) for call in around)


def _user(work: NormalizationRound, call: cst.Call) -> Function | None:
    """The function that a call runs, if that uses or empties the gradients of an optimizer's parameters and takes none."""
    functions = work.values.callees.get(call, ())
    if len(functions) != 1:
        return None
    (function,) = functions
    return function if _uses_gradients(work, function) and not passes_back(work, function) else None


def _uses_gradients(work: NormalizationRound, function: Function) -> bool:
    """Whether a function, or one that it calls, uses or empties the gradients of an optimizer's parameters."""
    bodies = [function.node, *(item.node for item in reached([function.node.body], work.values))]
    for node in (node for body in bodies for node in descendants(body, cst.Call)):
        match node:
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("step" | "zero_grad"))):
                if work.values(owner).kind is Kind.OPTIMIZER:
                    return True
    return False


def passes_back(work: NormalizationRound, function: Function) -> bool:
    """Whether a function, or one that it calls, takes gradients."""
    bodies = [function.node, *(item.node for item in reached([function.node.body], work.values))]
    return any(node.attr.value == "backward" for body in bodies for node in descendants(body, cst.Attribute))


def _is_method_of_self(call: cst.Call, function: Function, own: Function | None) -> bool:
    owner = own.owner if own is not None else None
    if owner is None or owner.is_module or own is None or function.owner is None:
        return False
    return isinstance(call.func, cst.Attribute) and dotted(call.func.value) == own.self_name


__all__ = ["normalize_step_functions", "passes_back"]

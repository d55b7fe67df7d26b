"""Training steps become one jitted function beside the function they came from.

optimizer.zero_grad()                         ->   model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
loss = F.cross_entropy(model(x), y)
loss.backward()
optimizer.step()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from torch2jax.analysis.compiled import find_obstacle
from torch2jax.analysis.program import dotted
from torch2jax.analysis.training import Step, clip_call, reads_and_writes
from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import names_in, quote, quote_statement, quote_statements
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_OWN_NAMES = frozenset({"loss_fn", "grads", "updates", "params", "static", "opt_state", "state"})
CLIPS = {"torch.nn.utils.clip_grad_norm_": "clip_grad_norm", "torch.nn.utils.clip_grad_value_": "clip_grad_value"}


@dataclass(slots=True)
class _Layout:
    """The names of one step function: `names` maps places of the caller to its parameters."""

    function: str
    names: dict[str, str] = field(default_factory=dict)
    model: str = "model"
    model_place: str = "model"
    state_place: str | None = None
    partitioned: bool = False
    opt_state_place: str | None = None
    obstacle: str | None = None


def rewrite_training(unit: Unit) -> None:
    """Rewrite all steps of the file, or say why one cannot be."""
    for step in unit.facts.steps:
        if step.problem is not None:
            unit.problem(step.backward, step.code, reason=step.problem, operation=code(step.backward))
            unit.settle(step.backward_statement)
        elif step.optimizer is not None:
            _optimizer_step(unit, step)
        else:
            _single_gradient(unit, step)


def _optimizer_step(unit: Unit, step: Step) -> None:
    target = unit.facts.target
    model = _trained_model(unit, step)
    if model is None:
        unit.problem(step.backward, "T2J501", name=code(step.optimizer) if step.optimizer else "optimizer")
        return
    stateful = [place for place in step.models if _is_stateful(unit, step, place)]
    if len(stateful) > 1:
        unit.problem(step.backward, "T2J500", reason="several of its modules keep state")
        return
    layout = _layout(unit, step, model)
    bound_again = [place for place in _rebound_places(step) if layout.names[place] != place]
    if bound_again:
        unit.problem(
            step.backward,
            "T2J500",
            reason=f"`{bound_again[0]}` is bound again in it, a name that the step needs itself",
        )
        return
    if stateful and target.state is not None:
        layout.state_place = _companion(unit, step, stateful[0], "state")
    layout.partitioned = target.immutable and _has_buffers(unit, step, model)
    if target.optimizer_state is not None:
        layout.opt_state_place = _companion(unit, step, str(dotted(step.optimizer)), "opt_state")
    layout.obstacle = find_obstacle([*step.forward, step.loss], unit.facts.values)
    if layout.obstacle is not None:
        unit.problem(step.backward, "T2J505", function=layout.function, reason=layout.obstacle)
    _substitute(unit, step, layout)
    top = unit.facts.program.index.top_level(step.backward_statement)
    _absorb(unit, step)
    unit.edits.before(top, lambda rewrite: _defined_once(unit, layout, _step_function(unit, step, layout, rewrite)))
    unit.edits.moved[step.backward_statement] = lambda rewrite: [
        _step_call(unit, step, layout),
        *(node for statement in step.after for node in rewrite.statement(statement)),
    ]


def _defined_once(unit: Unit, layout: _Layout, definition: cst.BaseStatement) -> list[cst.BaseStatement]:
    """The definition of a step, unless a step above it is the same but for its name: then that one is called."""
    assert isinstance(definition, cst.FunctionDef)
    text = code(definition.with_changes(name=cst.Name("_"), leading_lines=()))
    layout.function = unit.step_functions.setdefault(text, layout.function)
    return [definition] if layout.function == definition.name.value else []


def _trained_model(unit: Unit, step: Step) -> str | None:
    """The one module that the optimizer updates; None if that cannot be seen."""
    assert step.optimizer is not None
    sites = unit.facts.values(step.optimizer).sites
    if len(step.models) == 1:
        own = _place_sites(unit, step, step.models[0])
        return step.models[0] if not sites or not own or sites & own else None
    found = [place for place in step.models if sites & _place_sites(unit, step, place)]
    return found[0] if len(found) == 1 else None


def _place_sites(unit: Unit, step: Step, place: str) -> frozenset[int]:
    for statement in (*step.forward, cst.Expr(step.loss)):
        for node in descendants(statement):
            if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == place:
                sites = unit.facts.values(node).sites
                if sites:
                    return sites
    return frozenset()


def _values_of(unit: Unit, step: Step, place: str) -> list[Value]:
    """What a place is wherever the step reads it."""
    return [
        unit.facts.values(node)
        for statement in (*step.forward, cst.Expr(step.loss))
        for node in descendants(statement)
        if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == place
    ]


def _has_buffers(unit: Unit, step: Step, place: str) -> bool:
    return any(unit.facts.effects.has_untrained(value) for value in _values_of(unit, step, place))


def _has_frozen(unit: Unit, step: Step, place: str) -> bool:
    return any(unit.facts.effects.has_frozen(value) for value in _values_of(unit, step, place))


def _is_stateful(unit: Unit, step: Step, place: str) -> bool:
    return any(unit.facts.effects.is_stateful(value) for value in _values_of(unit, step, place))


def _companion(unit: Unit, step: Step, place: str, kind: str) -> str:
    """The place of optimizer or module state that threading has planned."""
    function = step.function
    root, _, rest = place.partition(".")
    if rest and function is not None and function.owner is not None:
        return unit.plan.companions.get((None, f"{function.owner.key}.{rest}", kind), f"{root}.{kind}")
    return companion_place(unit, function, place, kind) or kind


def _step_name(unit: Unit) -> str:
    for name in ("train_step", "training_step", "update_step"):
        if unit.fresh.is_free(name):
            return unit.fresh(name)
    return unit.fresh("train_step")


def _layout(unit: Unit, step: Step, model: str) -> _Layout:
    layout = _Layout(_step_name(unit))
    taken: set[str] = set()
    for statement in (*step.forward, cst.Expr(step.loss)):
        taken |= names_in(statement)
    for place in (str(dotted(step.optimizer)), *step.models, *step.inputs):
        name = place.split(".")[-1]
        if name in _OWN_NAMES:
            name = next(wish for wish in _other_names(name) if wish not in taken and wish not in layout.names.values())
        if "." in place:
            while name in layout.names.values():
                name += "_"
        layout.names[place] = name
    layout.model_place = model
    layout.model = layout.names[model]
    return layout


def _other_names(name: str) -> Iterator[str]:
    """Names for an input whose own name the step function uses for something else."""
    if name == "loss_fn":
        yield "criterion"
    while True:
        name += "_"
        yield name


def _substitute(unit: Unit, step: Step, layout: _Layout) -> None:
    """Fields of `self` that the step reads are parameters in the step function."""
    for statement in (*step.forward, cst.Expr(step.loss)):
        for node in descendants(statement):
            if (
                isinstance(node, cst.Name)
                and layout.names.get(node.value, node.value) != node.value
                and not unit.facts.program.index.is_label(node)
            ):
                unit.edits.replace(node, always(cst.Name(layout.names[node.value])))
            if isinstance(node, cst.Attribute) and "." in (dotted(node) or "") and dotted(node) in layout.names:
                name = layout.names[str(dotted(node))]
                unit.edits.replace(node, always(cst.Name(name)))
                unit.settled.add(node)


def _absorb(unit: Unit, step: Step) -> None:
    """The statements of the step leave their block."""
    statements = [*step.forward, *step.after, *step.dropped, *step.clips]
    if step.step_statement is not None:
        statements.append(step.step_statement)
    for statement in statements:
        unit.edits.move(statement)
    unit.settled.update(_around_loss(step))
    for gone in (step.step_statement, *step.dropped, *step.clips):
        if gone is not None:
            unit.settled.update(descendants(gone))


def _around_loss(step: Step) -> set[cst.CSTNode]:
    """What goes of `model(x).pow(2).mean().backward()`; the loss itself is translated."""
    return set(descendants(step.backward_statement)) - {step.loss, *descendants(step.loss)}


def _step_function(unit: Unit, step: Step, layout: _Layout, rewrite: Rewriter) -> cst.BaseStatement:
    target = unit.facts.target
    immutable = target.immutable
    optimizer = layout.names[str(dotted(step.optimizer))]
    inputs = [layout.names[place] for place in (*step.models, *step.inputs) if place != layout.model_place]
    state = ["state"] if layout.state_place else []
    parameters = (
        [optimizer, layout.model, *state, "opt_state", *inputs] if immutable else [layout.model, optimizer, *inputs]
    )
    keyed = step.backward in unit.plan.keys
    signature = ", ".join([*parameters, *(["*", target.key] if keyed else [])])
    loss_body, loss_name = _loss_body(unit, step, rewrite, state)
    own_results = _own_results(step, layout)
    aux = [*state, *own_results]
    loss = loss_name or "loss"
    rebound = _rebound(unit, step, layout)
    lines = _update_lines(unit, step, layout, optimizer, loss, aux, rebound)
    results = _result_names(step, layout, loss, immutable, own_results)
    if immutable:
        results[0] = _filled(target.updated, model=layout.model)
    returned = f"return {', '.join(results)}" if results else ""
    decorator = target.decorator if step.dead_inputs else target.decorator_keeping_inputs
    if layout.obstacle is not None:
        decorator = ""
    first = "params" if layout.partitioned else layout.model
    loss_parameters = ", ".join([first, *state, *rebound])
    if layout.partitioned:
        loss_body.insert(0, quote_statement(_filled(target.combine, model=layout.model)))
    parts = target.with_buffers(str(target.partition), _has_frozen(unit, step, layout.model_place))
    partition = unit.spell(_filled(parts, model=layout.model)) if layout.partitioned else ""
    opening = f"    {partition}\n\n" if layout.partitioned else ""
    text = f"{decorator}\ndef {layout.function}({signature}):\n{opening}    def loss_fn({loss_parameters}):\n        pass\n\n"
    text += "".join(f"    {line}\n" for line in [*lines, *([returned] if returned else [])])
    (definition,) = quote_statements(text.lstrip())
    assert isinstance(definition, cst.FunctionDef)
    return _with_loss_body(definition, loss_body).with_changes(leading_lines=[cst.EmptyLine(indent=False)] * 2)


def _rebound_places(step: Step) -> list[str]:
    written: set[str] = set()
    for statement in step.forward:
        written |= reads_and_writes(statement)[1]
    return [place for place in step.inputs if place in written]


def _rebound(unit: Unit, step: Step, layout: _Layout) -> list[str]:
    """Inputs that the forward pass binds again: they are parameters of `loss_fn`, or they would be unbound in it."""
    names = [layout.names[place] for place in _rebound_places(step)]
    target = unit.facts.target
    key = target.key
    renews = any(owner is step and split.renew for owner, split in unit.plan.splits)
    if not target.immutable:  # objects that change may not come from outside of what is differentiated
        names = [*(layout.names[place] for place in step.models if place != layout.model_place), *names]
        renews = step.backward in unit.plan.keys
    return [*names, key] if renews else names


def _with_loss_body(definition: cst.FunctionDef, body: Sequence[cst.BaseStatement]) -> cst.FunctionDef:
    statements = [
        item.with_changes(body=cst.IndentedBlock(list(body))) if isinstance(item, cst.FunctionDef) else item
        for item in definition.body.body
    ]
    return definition.with_changes(body=definition.body.with_changes(body=statements))


def _loss_body(
    unit: Unit, step: Step, rewrite: Rewriter, state: Sequence[str]
) -> tuple[list[cst.BaseStatement], str | None]:
    """The body of `loss_fn`, and the name of the loss if it has one."""
    body: list[cst.BaseStatement] = list(unit.plan.step_prologues.get(id(step), []))
    for statement in step.forward:
        body.extend(rewrite.statement(statement))
    loss: cst.BaseExpression = rewrite.expression(step.loss)
    name = dotted(step.loss)
    aux = [*state, *step.results]
    last = body[-1] if body else None
    if name is not None and isinstance(last, cst.SimpleStatementLine) and _defines(last, name):
        assignment = last.body[0]
        assert isinstance(assignment, cst.Assign)
        comments = last.leading_lines
        body.pop()
        loss = _number(unit, step, assignment.value)
        body.append(
            _return(loss, aux).with_changes(leading_lines=comments, trailing_whitespace=last.trailing_whitespace)
        )
    else:
        body.append(_return(_number(unit, step, loss), aux))
    if body and hasattr(body[0], "leading_lines"):
        lines = [line for line in body[0].leading_lines if line.comment is not None]
        body[0] = body[0].with_changes(leading_lines=lines)
    return body, name if name is not None and "." not in name else None


def _number(unit: Unit, step: Step, loss: cst.BaseExpression) -> cst.BaseExpression:
    """The loss without its axes, all of length 1: torch takes such a loss, JAX does not."""
    return quote("{loss}.reshape(())", loss=loss) if unit.facts.values(step.loss).rank else loss


def _return(loss: cst.BaseExpression, aux: Sequence[str]) -> cst.SimpleStatementLine:
    if not aux:
        statement = quote_statement("return {loss}", loss=loss)
    elif len(aux) == 1:
        statement = quote_statement(f"return {{loss}}, {aux[0]}", loss=loss)
    else:
        statement = quote_statement(f"return {{loss}}, ({', '.join(aux)})", loss=loss)
    assert isinstance(statement, cst.SimpleStatementLine)
    return statement


def _defines(line: cst.SimpleStatementLine, name: str) -> bool:
    small = line.body[0] if len(line.body) == 1 else None
    return isinstance(small, cst.Assign) and len(small.targets) == 1 and dotted(small.targets[0].target) == name


def _update_lines(
    unit: Unit, step: Step, layout: _Layout, optimizer: str, loss: str, aux: Sequence[str], rebound: Sequence[str]
) -> list[str]:
    target = unit.facts.target
    template = target.one_gradient.replace("{function}", "loss_fn, has_aux=True" if aux else "loss_fn")
    packed = f"({loss}, {aux[0]})" if len(aux) == 1 else f"({loss}, ({', '.join(aux)}))" if aux else loss
    first = "params" if layout.partitioned else layout.model
    arguments = ", ".join([first, *(["state"] if layout.state_place else []), *rebound])
    lines = [f"{packed}, grads = {template}({arguments})"]
    lines.extend(_clip_line(unit, statement, layout) for statement in step.clips)
    parameters = "params" if layout.partitioned else _filled(target.trained, model=layout.model)
    lines.append(_filled(target.update, optimizer=optimizer, model=layout.model, parameters=parameters))
    return lines


def _filled(template: str | None, **names: str) -> str:
    """A template of the target with names in its holes; only asked for where the target has one."""
    assert template is not None
    for hole, name in names.items():
        template = template.replace(f"{{{hole}}}", name)
    return template


def _clip_line(unit: Unit, statement: cst.SimpleStatementLine, layout: _Layout) -> str:
    call = clip_call(statement, unit.facts.values)
    assert call is not None
    name = CLIPS[unit.facts.values.torch_name(call.func) or ""]
    limits = ", ".join(code(argument).rstrip(", ") for argument in call.args[1:])
    spelled = unit.spell(f"{name}()").removesuffix("()")
    small = statement.body[0]
    result = "_"
    if isinstance(small, cst.Assign):
        result = code(small.targets[0].target)
    if name == "clip_grad_norm":
        return f"grads, {result} = {spelled}(grads, {limits})"
    return f"grads = {spelled}(grads, {limits})"


def _clip_results(step: Step) -> list[str]:
    return [
        code(statement.body[0].targets[0].target)
        for statement in step.clips
        if isinstance(statement.body[0], cst.Assign)
    ]


def _own_results(step: Step, layout: _Layout) -> list[str]:
    """The names of the results in the step function, apart from those that it needs itself."""
    names: list[str] = []
    for result in step.results:
        taken = {*_OWN_NAMES, *layout.names.values(), *step.results, *names} - {result}
        wishes = (wish for wish in _other_names(result) if wish not in taken)
        names.append(next(wishes) if result in _OWN_NAMES else result)
    return names


def _result_names(step: Step, layout: _Layout, loss: str, immutable: bool, own_results: Sequence[str]) -> list[str]:
    results: list[str] = []
    if immutable:
        results = [layout.model, *(["state"] if layout.state_place else []), "opt_state"]
    if step.loss_is_live:
        results.append(loss)
    return [*results, *own_results, *_clip_results(step)]


def _step_call(unit: Unit, step: Step, layout: _Layout) -> cst.BaseStatement:
    target = unit.facts.target
    immutable = target.immutable
    optimizer = str(dotted(step.optimizer))
    inputs = [_argument(unit, step, place) for place in (*step.models, *step.inputs) if place != layout.model_place]
    state = [layout.state_place] if layout.state_place else []
    if immutable:
        arguments = [optimizer, layout.model_place, *state, layout.opt_state_place or "opt_state", *inputs]
        targets = [layout.model_place, *state, layout.opt_state_place or "opt_state"]
    else:
        arguments, targets = [layout.model_place, optimizer, *inputs], []
    key = unit.plan.keys.get(step.backward)
    if key is not None:
        arguments.append(f"{target.key}={key}")
    if step.loss_is_live:
        targets.append(dotted(step.loss) or "loss")
    targets.extend([*step.results, *_clip_results(step)])
    call = f"{layout.function}({', '.join(arguments)})"
    return quote_statement(f"{', '.join(targets)} = {call}" if targets else call)


def _argument(unit: Unit, step: Step, place: str) -> str:
    """An input of the step; a Python number that changes from step to step is passed as an array (no recompilation)."""
    env = step.function.env if step.function is not None else unit.facts.program.module_env
    value = env.get(place)
    if value is not None and value.kind is Kind.FLOAT and _changes_in_loop(unit, step, place):
        return f"jnp.asarray({place})"
    return place


def _changes_in_loop(unit: Unit, step: Step, name: str) -> bool:
    for ancestor in unit.facts.program.index.ancestors(step.backward_statement):
        if isinstance(ancestor, (cst.For, cst.While)) and name in reads_and_writes(ancestor)[1]:
            return True
        if isinstance(ancestor, cst.FunctionDef):
            return False
    return False


# one gradient, without an optimizer


def _single_gradient(unit: Unit, step: Step) -> None:
    """`loss.backward()` alone: `value_and_grad` in its place; gradients that are read afterwards become variables."""
    places = [*step.models, *step.leaves]
    if not places or any("." in place for place in places):
        unit.problem(step.backward, "T2J500", reason="what the gradient is taken of cannot be seen")
        return
    if (step.models and step.leaves) or len(step.models) > 1:
        unit.problem(step.backward, "T2J500", reason="gradients of several modules are taken at once")
        return
    if any(_has_buffers(unit, step, place) for place in step.models):
        unit.problem(step.backward, "T2J500", reason="a module with buffers is differentiated outside a training step")
        return
    if any(_is_stateful(unit, step, place) for place in step.models) and unit.facts.target.state is not None:
        unit.problem(step.backward, "T2J500", reason="a module with state is differentiated outside a training step")
        return
    if not unit.facts.target.immutable and step.models:
        unit.problem(step.backward, "T2J500", reason="a gradient without an optimizer")
        return
    if not unit.facts.target.immutable and step.backward in unit.plan.keys:
        unit.problem(step.backward, "T2J500", reason="random numbers are drawn in what is differentiated")
        return
    gradients = _gradient_names(unit, step)
    if not _clear_gradients(unit, step):
        unit.problem(step.backward, "T2J500", reason="gradients are not cleared in every round, so they accumulate")
        return
    _read_gradients(unit, step, gradients)
    unit.gradients.update({(step.function, place): name for place, name in gradients.items() if place in step.models})
    for statement in (*step.forward, *step.after):
        unit.edits.move(statement)
    unit.settled.update(_around_loss(step))
    unit.edits.move(
        step.backward_statement,
        lambda rewrite: [
            *_gradient_statements(unit, step, gradients, rewrite),
            *(node for statement in step.after for node in rewrite.statement(statement)),
        ],
    )


def _gradient_names(unit: Unit, step: Step) -> dict[str, str]:
    if step.models:
        return {step.models[0]: unit.fresh("grads")}
    return {place: unit.fresh(f"{place}_grad") for place in step.leaves}


def _gradient_statements(
    unit: Unit, step: Step, gradients: dict[str, str], rewrite: Rewriter
) -> Sequence[cst.BaseStatement]:
    body, name = _loss_body(unit, step, rewrite, [])
    places = list(gradients)
    function = unit.fresh("loss_fn")
    names = list(gradients.values())
    results = names[0] if len(names) == 1 else f"({', '.join(names)})"
    loss = name or "loss"
    packed = f"({loss}, {step.results[0]})" if len(step.results) == 1 else (
        f"({loss}, ({', '.join(step.results)}))" if step.results else (loss if step.loss_is_live else "_")
    )  # fmt: skip
    if step.models:
        template = unit.facts.target.one_gradient.replace(
            "{function}", function + (", has_aux=True" if step.results else "")
        )
    else:
        numbers = ", ".join(str(position) for position in range(len(places)))
        options = "" if len(places) == 1 else f", argnums=({numbers})"
        options += ", has_aux=True" if step.results else ""
        template = f"jax.value_and_grad({function}{options})"
    parameters = ", ".join([*places, *(place for place in _rebound_places(step) if place not in places)])
    text = f"def {function}({parameters}):\n    pass\n\n{packed}, {results} = {template}({parameters})\n"
    definition, call = quote_statements(text)
    assert isinstance(definition, cst.FunctionDef)
    blank = [cst.EmptyLine(indent=False)]
    return [
        definition.with_changes(body=cst.IndentedBlock(body), leading_lines=[]),
        call.with_changes(leading_lines=blank),
    ]


def _grad_attributes(unit: Unit, step: Step) -> list[cst.Attribute]:
    scope = step.function.node if step.function is not None else unit.facts.program.index.module
    return [node for node in descendants(scope) if isinstance(node, cst.Attribute) and node.attr.value == "grad"]


def _clear_gradients(unit: Unit, step: Step) -> bool:
    """Remove `w.grad.zero_()`, `w.grad = None`, `model.zero_grad()`; False if a loop accumulates gradients."""
    index = unit.facts.program.index
    cleared: set[str] = set()
    scope = step.function.node if step.function is not None else index.module
    for line in descendants(scope):
        if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
            continue
        place = _cleared_place(line.body[0])
        if place is not None:
            place = _looped_place(unit, line, place)
        if place is not None and place in (*step.models, *step.leaves):
            cleared.add(place)
            unit.settle(line)
            unit.edits.remove(line)
    in_loop = any(isinstance(item, (cst.For, cst.While)) for item in index.ancestors(step.backward_statement))
    return not in_loop or all(place in cleared for place in (*step.models, *step.leaves))


def _looped_place(unit: Unit, line: cst.SimpleStatementLine, variable: str) -> str:
    """The module whose parameters a variable of a loop stands for, or the variable."""
    around = set(unit.facts.program.index.ancestors(line))
    found = [loop.place for loop in unit.facts.loops if loop.changed == variable and loop.loop in around]
    return found[0] if found and _is_last(line, unit) else variable


def _is_last(line: cst.SimpleStatementLine, unit: Unit) -> bool:
    """Whether a line ends the body of a loop."""
    block = unit.facts.program.index.parents[line]
    return isinstance(block, cst.IndentedBlock) and block.body[-1] is line


def _cleared_place(small: cst.BaseSmallStatement) -> str | None:
    match small:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name("grad")))], value=cst.Name("None")
        ):
            return dotted(owner)
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(
                    value=cst.Attribute(value=owner, attr=cst.Name("grad")), attr=cst.Name("zero_" | "detach_")
                )
            )
        ):
            return dotted(owner)
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("zero_grad")))):
            return dotted(owner)
    return None


def _read_gradients(unit: Unit, step: Step, gradients: dict[str, str]) -> None:
    for node in _grad_attributes(unit, step):
        if node in unit.settled:
            continue
        path = dotted(node.value)
        for place, name in gradients.items():
            if path == place:
                unit.edits.replace(node, always(cst.Name(name)))
                unit.settled.add(node)
            elif path is not None and path.startswith(f"{place}.") and step.models:
                text = name + path[len(place) :]
                unit.edits.replace(node, always(quote(text)))
                unit.settled.add(node)

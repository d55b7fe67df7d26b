"""Training steps become one jitted function beside the function they came from.

optimizer.zero_grad()                         ->   model, opt_state, loss = train_step(optimizer, model, opt_state, x, y)
loss = F.cross_entropy(model(x), y)
loss.backward()
optimizer.step()
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import partial

import libcst as cst

from torch2jax.facts.compiled import step_obstacle, tracing_obstacle
from torch2jax.facts.field_aliases import dotted_part
from torch2jax.facts.key_order import holds_dict, is_flat, is_seen_outside, looks_at_order
from torch2jax.facts.module_state import writes_parameters
from torch2jax.facts.open_optimizers import losses_of_any_class
from torch2jax.facts.training import (
    Step,
    Update,
    cleared_place,
    clip_call,
    empties,
    last_line,
    unset_above,
    value_of_place,
)
from torch2jax.facts.unset_fields import is_surely_set
from torch2jax.program.program import Function, dotted, owner_name
from torch2jax.records import dataclass
from torch2jax.rewrite.layer_biases import is_wide_bias, shows_shape
from torch2jax.rewrite.local_names import local_name
from torch2jax.rewrite.parallel import device_decorator, draws_apart
from torch2jax.rewrite.step_numbers import changes_between_steps, is_calculated_with
from torch2jax.rewrite.threading import companion_place, set_mode, take_written
from torch2jax.rewrite.unhashed_fields import unhashed_field
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, always_statements, as_expression
from torch2jax.syntax.quote import names_in, quote, quote_statement, quote_statements
from torch2jax.syntax.walk import Index, descendants, elements_of
from torch2jax.values import UNKNOWN, Kind, Value

_OWN_NAMES = frozenset({"loss_fn", "grads", "updates", "params", "static", "opt_state", "state"})
_IN_INDICES = (
    cst.Name, cst.Integer, cst.BinaryOperation, cst.Call, cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide,
)  # fmt: skip
DRAW_APART = 'key = jax.random.fold_in(key, jax.lax.axis_index("data"))'
CLIPS = {"torch.nn.utils.clip_grad_norm_": "clip_grad_norm", "torch.nn.utils.clip_grad_value_": "clip_grad_value"}


@dataclass(slots=True)
class StepLayout:
    """The names of one step function: `names` maps places of the caller to its parameters."""

    function: str
    names: dict[str, str] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    trained: tuple[str, ...] = ()
    states: dict[str, str] = field(default_factory=dict)  # where the states are kept, and what they are called
    partitioned: bool = False
    opt_state_place: str | None = None
    obstacle: str | None = None
    written: dict[str, str] = field(
        default_factory=dict
    )  # modules whose states hold new values of their parameters, and these states
    gradients: list[str] = field(default_factory=list)
    rows: dict[cst.Subscript, str] = field(default_factory=dict)  # parts of inputs that are given in their place
    unread: set[str] = field(default_factory=set)  # inputs of which the step reads these parts only
    is_kept_later: bool = False  # the gradients become those of the parameters by a line behind the call

    @property
    def models(self) -> list[str]:
        """What is trained, as the step function calls it."""
        return [self.names[place] for place in self.trained]

    @property
    def model(self) -> str:
        """The tree of all that is trained."""
        return as_tree(self.models)

    @property
    def tree_name(self) -> str:
        """The parameter of the loss with all that is trained."""
        return self.models[0] if len(self.models) == 1 else self.own["models"]


def as_tree(names: Sequence[str]) -> str:
    """`model`, or `(encoder, decoder)`."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def rewrite_training(unit: Unit) -> None:
    """Rewrite all steps of the file, or say why one cannot be."""
    begun: set[cst.CSTNode] = set()
    for step in unit.facts.steps:
        if step.carries:
            continue  # `rewrite_carried` sees to it
        if step.problem is None and not begun.isdisjoint(step.forward):
            unit.problem(step.backward, "T2J500", reason="another step goes on from the same lines")
            unit.settle(step.backward_statement)
            continue
        begun.update(step.forward)
        if step.problem is not None:
            unit.problem(step.backward, step.code, reason=step.problem, operation=code(step.backward))
            unit.settle(step.backward_statement)
            continue
        if step.updates:
            _divided_step(unit, step)
        elif step.optimizer is not None:
            _optimizer_step(unit, step)
        else:
            _single_gradient(unit, step)
        _set_first(unit, step)


def _set_first(unit: Unit, step: Step) -> None:
    """An input that nothing may have bound is None at first."""
    for name in step.unset:
        place = unset_above(step, name, unit.facts.program)
        if place is not None:
            unit.edits.before(place, always_statements([quote_statement(f"{name} = None")]))


def _optimizer_step(unit: Unit, step: Step) -> None:
    if not _may_train(unit, step.trained):
        unit.problem(step.backward, "T2J501", name=code(step.optimizer) if step.optimizer else "optimizer")
        return
    _tell_open_losses(unit, step, step.optimizer)
    layout = prepare_layout(unit, step, step.trained)
    if layout is None:
        return
    if unit.facts.target.optimizer_state is not None:
        layout.opt_state_place = _companion(unit, step, str(dotted(step.optimizer)), "opt_state")
    _absorb(unit, step)
    define_above(unit, step.backward_statement, layout, lambda rewrite: _step_function(unit, step, layout, rewrite))
    late = [item for item in step.ahead if item in unit.edits.moved]
    unit.edits.moved[step.backward_statement] = lambda rewrite: [
        *(node for statement in late for node in rewrite.statement(statement)),
        _step_call(unit, step, layout),
        *_plain_dicts(unit, step),
        *_written_behind(unit, step, layout),
        *modes_behind(unit, step),
        *(node for statement in step.after for node in rewrite.statement(statement)),
    ]


def _tell_open_losses(unit: Unit, step: Step, optimizer: cst.BaseExpression | None) -> None:
    """Say which modules are taken for losses, where nothing is known of what the optimizer has."""
    if optimizer is None or unit.facts.values(optimizer).sites or len(step.trained) != 1:
        return
    losses = losses_of_any_class(step.region, step.reached, unit.facts.values)
    if losses:
        unit.problem(optimizer, "T2J510", name=code(optimizer), trained=step.trained[0], other="` and `".join(losses))


def _divided_step(unit: Unit, step: Step) -> None:
    """The gradients are computed where the last forward statement stands, and are there from `backward()` on."""
    if not _may_train(unit, step.trained):
        unit.problem(step.backward, "T2J501", name=step.updates[0].optimizer)
        return
    for update in step.updates:
        _tell_open_losses(unit, step, update.node)
    layout = prepare_layout(unit, step, step.trained)
    if layout is None:
        return
    behind_backward: list[cst.BaseStatement] = []
    for update in step.updates:
        grads = gradients_of(unit, update, step.function)
        if grads is None:
            unit.problem(step.backward, "T2J500", reason="its gradients go on to other functions")
            return
        adds = update in step.adds
        behind = adds or (update.kept and step.anchor is not step.backward_statement)
        new = local_name(unit, step.backward_statement, "new_grads") if behind else grads
        layout.gradients.append(new)
        if behind:
            value = unit.spell(f"add_gradients({grads}, {new})") if adds else new
            behind_backward.append(quote_statement(f"{grads} = {value}"))
        parts = [grads] if len(update.models) == 1 else [f"{grads}[{n}]" for n in range(len(update.models))]
        gradients = dict(zip(update.models, parts, strict=True))
        _drop_clears(unit, update, grads)
        _read_gradients(unit, step, gradients)
        unit.note_gradients(step.function, gradients)
    for statement in (*step.forward, *step.after, step.backward_statement):
        unit.edits.move(statement)
    unit.settled.update(_around_loss(step))
    layout.is_kept_later = bool(behind_backward)
    define_above(unit, step.anchor, layout, lambda rewrite: _step_function(unit, step, layout, rewrite))
    if behind_backward:
        unit.edits.moved[step.backward_statement] = always_statements(behind_backward)
    before = unit.edits.moved[step.anchor] if step.anchor is step.backward_statement else lambda rewrite: ()
    clears = {line for update in step.updates for line in update.clears}  # these stay where they are
    after = [statement for statement in step.after if statement not in clears]
    unit.edits.moved[step.anchor] = lambda rewrite: [
        _step_call(unit, step, layout),
        *_plain_dicts(unit, step),
        *_written_behind(unit, step, layout),
        *modes_behind(unit, step),
        *(node for statement in after for node in rewrite.statement(statement)),
        *before(rewrite),
    ]


def _drop_clears(unit: Unit, update: Update, grads: str) -> None:
    """Loops that end with emptying gradients leave that to a line behind them, where it makes a difference."""
    for loop in update.loops:
        line = last_line(loop)
        if line is None or line in unit.settled:
            continue
        unit.settle(line)
        unit.edits.remove(line)
        if update.kept:
            unit.edits.after(loop, always_statements([quote_statement(f"{grads} = None")]))


def gradients_of(unit: Unit, update: Update, function: Function | None) -> str | None:
    """The variable that holds the gradients of what an optimizer trains; None where there is none for all functions."""
    if update.kept and not update.is_local:
        return companion_place(unit, function, update.optimizer, "grads")
    if update not in unit.gradient_names:
        own = [step for step in unit.facts.steps if update in step.updates]
        several = any(len(step.updates) > 1 for step in own)
        wish = f"{update.models[0].rpartition('.')[2]}_grads" if several else "grads"
        unit.gradient_names[update] = local_name(unit, update.node or own[0].backward, wish)
        if update.kept and update.first is not None:
            empty = quote_statement(f"{unit.gradient_names[update]} = None")
            moves = any(update.first in (*step.forward, *step.after, step.backward_statement) for step in own)
            moves = moves or update.first in unit.edits.moved
            (unit.edits.before_place if moves else unit.edits.before)(update.first, lambda rewrite: [empty])
    return unit.gradient_names[update]


def _may_train(unit: Unit, trained: Sequence[str]) -> bool:
    """Whether it is known what is trained, and one function can train all of that."""
    return bool(trained)


def prepare_layout(unit: Unit, step: Step, trained: tuple[str, ...]) -> StepLayout | None:
    """The names in a step function; None, and a remark, where it cannot be one."""
    target = unit.facts.target
    stateful = [place for place in step.models if _is_stateful(unit, step, place)]
    if len(stateful) > 1 and target.state is not None and set(stateful) != set(unit.plan.step_states[step]):
        unit.problem(step.backward, "T2J500", reason="several of its modules keep state")
        return None
    layout = _layout(unit, step, trained)
    bound_again = [place for place in _rebound_places(step) if "." not in place and layout.names[place] != place]
    if bound_again:
        unit.problem(
            step.backward,
            "T2J500",
            reason=f"`{bound_again[0]}` is bound again in it, a name that the step needs itself",
        )
        return None
    if stateful and target.state is not None:
        names = unit.plan.step_states[step]
        layout.states = {
            _companion(unit, step, place, "state"): names.get(place, layout.own["state"]) for place in stateful
        }
        layout.written = {
            place: _companion(unit, step, place, "state") for place in stateful if _writes_parameters(unit, step, place)
        }
    layout.partitioned = target.immutable and any(_has_buffers(unit, step, place) for place in trained)
    layout.obstacle = (
        step_obstacle(step, unit.facts.values) or _unhashed(unit, step, trained) or _given_text(unit, step)
    )
    if step.is_eager and layout.obstacle is None:
        layout.obstacle = "numbers are taken of tensors in its middle"
    if unit.plan.is_kept_within and layout.obstacle is None:
        layout.obstacle = "it reads what hooks keep"
    hindered = tracing_obstacle(step, unit.facts.values) or ("numbers are taken of tensors" if step.is_eager else None)
    if any(set(other.forward) & set(step.forward) for other in unit.facts.steps if other is not step):
        hindered = hindered or "two steps share what they compute"
    if layout.obstacle is not None and hindered is not None and step in unit.facts.parallel.steps:
        reason = f"every device runs it, so it has to be compiled, but {layout.obstacle}"
        unit.problem(step.backward, "T2J500", reason=reason)
        return None
    if layout.obstacle is not None:
        is_anew = step in unit.facts.parallel.steps
        reason = f"it is traced anew for each call, since {layout.obstacle}" if is_anew else layout.obstacle
        unit.problem(step.backward, "T2J505", function=layout.function, reason=reason)
    _substitute(unit, step, layout)
    return layout


def _unhashed(unit: Unit, step: Step, trained: Sequence[str]) -> str | None:
    """What speaks against compiling a step: a module among what it is given keeps something that has no hash."""
    region = [*step.forward, cst.Expr(step.loss)]
    for place in (*trained, *step.inputs):
        value = value_of_place(region, place, unit.facts.values)
        field = unhashed_field(unit, value) if value is not None and value.kind is Kind.MODULE else None
        if field is not None:
            return f"`{place}` keeps `{field}`, which has no hash, by which compiled code would know it again"
    return None


_OPEN = (Kind.UNKNOWN, Kind.LIST)  # what may be the key of a dict, or a list of such


def _given_text(unit: Unit, step: Step) -> str | None:
    """What speaks against compiling a step with `jax.jit`: a text among what it gives back, such as the last key of a loop."""
    if unit.facts.target.decorator_of_values is None:
        return None
    keys = {key for statement in step.forward for loop in descendants(statement, cst.For) for key in _keys(loop)}
    calls = [call for statement in step.forward for call in descendants(statement, cst.Call)] if keys else []
    keys |= {
        str(dotted(call.func.value)) for call in calls if isinstance(call.func, cst.Attribute) and _adds(call, keys)
    }
    for place in step.results:
        found = _values_of(unit, step, place)
        if any(map(_holds_text, found)) or (place in keys and all(value.kind in _OPEN for value in found)):
            return f"it gives `{place}` back, which is a text or may be one"
    return None


def _adds(call: cst.Call, keys: Set[str]) -> bool:
    """Whether a list gets a key, or a tuple with one: `values.append((key, value))`."""
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name("append")), args=[cst.Arg(value=given)]):
            return any(isinstance(item, cst.Name) and item.value in keys for item in elements_of(given))
    return False


def _keys(loop: cst.For) -> Iterator[str]:
    """The variable of a loop that stands for the keys of a dict."""
    match loop:
        case cst.For(
            target=cst.Tuple(elements=[cst.Element(value=cst.Name(key)), _]),
            iter=cst.Call(func=cst.Attribute(attr=cst.Name("items")), args=[]),
        ):
            yield key
        case cst.For(target=cst.Name(key), iter=cst.Call(func=cst.Attribute(attr=cst.Name("keys")), args=[])):
            yield key


def _holds_text(value: Value) -> bool:
    parts = (*(value.items or ()), *((value.elem,) if value.elem is not None else ()))
    return value.kind is Kind.STR or any(map(_holds_text, parts))


def define_above(
    unit: Unit, line: cst.CSTNode, layout: StepLayout, build: Callable[[Rewriter], cst.BaseStatement]
) -> None:
    """Define the function that a line is to call above what holds the line at module level: the place of the line itself
    where that stands there, since it moves.
    """
    top = unit.facts.program.index.top_level(line)
    above = unit.edits.before_place if top is line or top in unit.edits.moved else unit.edits.before
    above(top, lambda rewrite: _defined_once(unit, layout, build(rewrite)))


def _defined_once(unit: Unit, layout: StepLayout, definition: cst.BaseStatement) -> list[cst.BaseStatement]:
    """The definition of a step, unless a step above it is the same but for its name: then that one is called."""
    assert isinstance(definition, cst.FunctionDef)
    text = code(definition.with_changes(name=cst.Name("_"), leading_lines=()))
    layout.function = unit.step_functions.setdefault(text, layout.function)
    return [definition] if layout.function == definition.name.value else []


def _values_of(unit: Unit, step: Step, place: str) -> list[Value]:
    """What a place is wherever the step reads it."""
    return [
        unit.facts.values(node)
        for statement in step.region
        for node in descendants(statement)
        if isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) == place
    ]


def _has_buffers(unit: Unit, step: Step, place: str) -> bool:
    return any(unit.facts.effects.has_untrained(value) for value in _values_of(unit, step, place))


def holds_frozen(unit: Unit, step: Step, place: str) -> bool:
    return any(unit.facts.effects.has_frozen(value) for value in _values_of(unit, step, place))


def _is_stateful(unit: Unit, step: Step, place: str) -> bool:
    return any(unit.facts.effects.is_stateful(value) for value in _values_of(unit, step, place))


def _writes_parameters(unit: Unit, step: Step, place: str) -> bool:
    return any(writes_parameters(unit.facts.program, value) for value in _values_of(unit, step, place))


def _companion(unit: Unit, step: Step, place: str, kind: str) -> str:
    return companion_of(unit, step.function, place, kind)


def companion_of(unit: Unit, function: Function | None, place: str, kind: str) -> str:
    """The place of optimizer or module state that threading has planned."""
    root, _, rest = place.partition(".")
    if rest and function is not None and function.owner is not None and root == function.self_name:
        return unit.plan.companions.get((None, f"{function.owner.keeper(rest).key}.{rest}", kind), f"{root}.{kind}")
    return companion_place(unit, function, place, kind) or kind


def is_untrained(unit: Unit, update: Update) -> bool:
    """Whether the module that an optimizer updates holds floating point values that it does not."""
    own = [step for step in unit.facts.steps if update in step.updates]
    return any(_has_buffers(unit, step, place) for step in own for place in update.models)


def was_frozen(unit: Unit, update: Update) -> bool:
    """Whether the module that an optimizer updates may have frozen parameters."""
    own = [step for step in unit.facts.steps if update in step.updates]
    return any(holds_frozen(unit, step, place) for step in own for place in update.models)


def _step_name(unit: Unit, step: Step) -> str:
    if step.carries:
        return unit.fresh(f"compute_{step.carries[0]}")
    wishes = ("train_step", "training_step", "update_step") if not step.updates else ("compute_gradients",)
    for name in wishes:
        if unit.fresh.is_free(name):
            return unit.fresh(name)
    return unit.fresh(wishes[0])


def _layout(unit: Unit, step: Step, trained: tuple[str, ...]) -> StepLayout:
    layout = StepLayout(_step_name(unit, step), own=unit.plan.step_names[step], trained=trained)
    reserved = (
        _OWN_NAMES
        | ({"models"} if len(trained) > 1 else set())
        | ({"primals"} if step.carried else set())
        | ({unit.facts.target.key} if step.backward in unit.plan.keys else set())
    ) - (set() if unit.plan.step_states.get(step) else {"state"})
    taken: set[str] = set()
    for statement in (*step.forward, cst.Expr(step.loss)):
        taken |= names_in(statement)
    index = unit.facts.program.index
    region = (item for part in (*step.forward, step.loss) for item in (part, *descendants(part)))
    named = [item for item in region if isinstance(item, cst.Name)]
    variables = {item.value for item in named if not index.is_label(item)}
    places = {*step.models, *trained, *step.inputs}
    words = {"batched", "call", *(item.value for item in named if _is_called(index, item, places))}
    own = [] if step.updates or step.carries else [str(dotted(step.optimizer))]
    fields = [place for place in step.results if "." in place and place not in step.inputs]
    loss = dotted(step.loss)
    if loss is not None and "." in loss and loss in step.written and loss not in step.inputs:
        fields.append(loss)
    for place in (*own, *dict.fromkeys((*step.models, *trained)), *step.inputs, *fields):
        name = place.split(".")[-1]
        if name in reserved:
            name = next(wish for wish in _other_names(name) if wish not in taken and wish not in layout.names.values())
        if "." in place:
            while name in layout.names.values() or name in variables or (name in unit.support and name in words):
                name += "_"
        layout.names[place] = name
    _find_rows(unit, step, layout, taken)
    return layout


def _find_rows(unit: Unit, step: Step, layout: StepLayout, taken: set[str]) -> None:
    """What a step reads of its inputs by numbers that change from step to step, `images[i : i + 16]`, is given in their place:
    the numbers would be constants of the compiled step, which each new one would have compiled again.
    """
    values, index = unit.facts.values, unit.facts.program.index
    region = [item for part in (*step.forward, step.loss) for item in (part, *descendants(part))]
    given = {place for place in step.inputs if place not in step.written and place not in layout.trained}
    lengths = {place for place in given if (value := value_of_place(region, place, values)) and value.kind is Kind.INT}
    changing = {place for place in lengths if changes_between_steps(unit, step, place)}
    for node in region if changing else ():
        if not isinstance(node, cst.Subscript) or dotted(node.value) not in given:
            continue
        names = {item.value for item in descendants(node) if isinstance(item, cst.Name)} - {"len", "min", "max"}
        inner = names_in(node.value)
        if (
            values(node.value).kind is Kind.TENSOR
            and names - inner <= lengths
            and names & changing
            and _are_plain(node)
        ):
            layout.rows[node] = ""
    covered = {id(item) for node in layout.rows for item in descendants(node)}
    reads = [item for item in region if isinstance(item, (cst.Name, cst.Attribute)) and dotted(item) in given]
    layout.unread = {str(dotted(node.value)) for node in layout.rows} | {
        place for node in layout.rows for place in names_in(node) & lengths
    }
    layout.unread -= {str(dotted(item)) for item in reads if id(item) not in covered and not index.is_label(item)}
    chosen: dict[str, str] = {}
    for row in layout.rows:
        place, text = str(dotted(row.value)), code(row)
        name = layout.names[place]
        if place not in layout.unread or name in chosen.values():
            name = next(
                wish for wish in _other_names(name) if wish not in {*taken, *layout.names.values(), *chosen.values()}
            )
        layout.rows[row] = chosen.setdefault(text, name)


def _are_plain(node: cst.Subscript) -> bool:
    """Whether an index is made of numbers, slices and sums of them, which mean the same in both frameworks."""
    for item in (part for element in node.slice for part in descendants(element)):
        if isinstance(item, cst.Call) and dotted(item.func) not in ("len", "min", "max"):
            return False
        computes = isinstance(item, (cst.BaseExpression, cst.BaseUnaryOp, cst.BaseBinaryOp))
        if computes and not isinstance(item, _IN_INDICES):
            return False
    return True


def inputs_of(unit: Unit, step: Step, layout: StepLayout) -> Iterator[tuple[str, str]]:
    """The parameters of a step function behind what it trains, and what it is given for them."""
    for place in (*step.models, *step.inputs):
        if place in layout.trained:
            continue
        rows = {name: code(node) for node, name in layout.rows.items() if dotted(node.value) == place}
        yield from rows.items()
        if place not in layout.unread:
            yield layout.names[place], _argument(unit, step, place)


def _is_called(index: Index, name: cst.Name, places: Collection[str]) -> bool:
    """Whether a name is that of a function or method that is called, and not of a field that the step is given: support code
    may have a function of that name.
    """
    parent = index.parents.get(name)
    holder = index.parents.get(parent) if isinstance(parent, cst.Attribute) and parent.attr is name else parent
    return isinstance(holder, cst.Call) and holder.func in (name, parent) and dotted(holder.func) not in places


def _other_names(name: str) -> Iterator[str]:
    """Names for an input whose own name the step function uses for something else."""
    if name == "loss_fn":
        yield "criterion"
    while True:
        name += "_"
        yield name


def _substitute(unit: Unit, step: Step, layout: StepLayout) -> None:
    """Fields of `self` that the step reads are parameters in the step function."""
    for part, name in layout.rows.items():
        unit.edits.replace(part, always(cst.Name(name)))
        unit.settle(part)
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
            if isinstance(node, cst.FunctionDef):
                _bind_around(unit, node, {*layout.states.values()})


def _bind_around(unit: Unit, inner: cst.FunctionDef, states: set[str]) -> None:
    """State is a variable of the step around the functions inside of it."""
    calls = [node for node in descendants(inner) if isinstance(node, cst.Call) and node in unit.plan.calls]
    names = sorted({name for call in calls for name in unit.plan.calls[call].behind} & states)
    if names and isinstance(inner.body, cst.IndentedBlock):
        unit.edits.prologue(inner.body, always_statements([quote_statement(f"nonlocal {', '.join(names)}")]))


def _absorb(unit: Unit, step: Step) -> None:
    """The statements of the step leave their block."""
    body = list(step.block.body)
    late = [item for item in step.ahead if body.index(item) > step.end]
    statements = [*step.forward, *late, *step.after, *step.dropped, *step.clips]
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


def _step_function(unit: Unit, step: Step, layout: StepLayout, rewrite: Rewriter) -> cst.BaseStatement:
    target = unit.facts.target
    immutable = target.immutable
    inputs = [name for name, _ in inputs_of(unit, step, layout)]
    names = layout.own
    state = [*layout.states.values()]
    optimizer = ""
    if step.updates:
        parameters = [*layout.models, *state, *inputs]
    else:
        optimizer = layout.names[str(dotted(step.optimizer))]
        own = [*layout.models, *state, names["opt_state"]]
        parameters = [optimizer, *own, *inputs] if immutable else [*layout.models, optimizer, *inputs]
    parameters += [pullback_of(unit, part) for part in step.carried]
    keyed = step.backward in unit.plan.keys
    signature = ", ".join([*parameters, *(["*", names[target.key]] if keyed else [])])
    loss_body, loss_name = make_loss_body(unit, step, rewrite, state, layout.names)
    own_results = result_names(step, layout)
    aux = [*state, *own_results]
    loss = loss_name or ("loss" if step.loss_is_live or not _mentions(step, "loss") else "_")
    rebound = rebound_names(unit, step, layout)
    lines = _update_lines(unit, step, layout, optimizer, loss, aux, rebound)
    results = _result_names(step, layout, loss, immutable, own_results)
    if immutable and not step.updates:
        updated = in_own_words(layout, target.updated, model=layout.model)
        if len(layout.trained) == 1:
            results[0] = updated
        else:
            lines.append(f"{', '.join(layout.models)} = {updated}")
    returned = f"return {', '.join(results)}" if results else ""
    decorator = target.decorator if step.dead_inputs and not step.updates else target.decorator_keeping_inputs
    if target.decorator_of_values is not None and is_given_values(unit, step, layout):
        decorator = unit.spell(target.decorator_of_values)
    if layout.obstacle is not None:
        decorator = ""
    if step in unit.facts.parallel.steps:
        keeps = not step.dead_inputs or bool(step.updates)
        apart = not target.immutable and draws_apart(unit, step)
        decorator = device_decorator(unit, keeps_inputs=keeps, anew=layout.obstacle is not None, apart=apart)
    first = layout.own["params"] if layout.partitioned else layout.tree_name
    whole = _differentiated(step, layout, first)
    loss_parameters = ", ".join([whole[0] if len(whole) == 1 else names["primals"], *state, *rebound])
    direct = _trains_directly(step)
    if layout.partitioned and direct:
        loss_body.insert(0, quote_statement(in_own_words(layout, target.combine, model=", ".join(layout.models))))
    elif len(layout.trained) > 1 and direct:
        loss_body.insert(0, quote_statement(f"{', '.join(layout.models)} = {first}"))
    if len(whole) > 1:
        loss_body.insert(0, quote_statement(f"{', '.join(whole)} = {names['primals']}"))
    partition = _partition(unit, step, layout) if layout.partitioned else ""
    opening = f"    {partition}\n\n" if layout.partitioned else ""
    if keyed and immutable and step in unit.facts.parallel.steps and not unit.facts.parallel.draws_alike:
        opening = f"    {DRAW_APART.replace('key', names[target.key])}\n{opening}"
    text = f"{decorator}\ndef {layout.function}({signature}):\n{opening}    def {names['loss_fn']}({loss_parameters}):\n        pass\n\n"
    text += "".join(f"    {line}\n" for line in [*lines, *([returned] if returned else [])])
    (definition,) = quote_statements(text.lstrip())
    assert isinstance(definition, cst.FunctionDef)
    if not layout.is_kept_later:
        _note_lines(step, definition, rewrite, 0 if step.updates else len(_written_lines(unit, step, layout)))
    return with_loss_body(definition, loss_body).with_changes(leading_lines=[cst.EmptyLine(indent=False)] * 2)


def _partition(unit: Unit, step: Step, layout: StepLayout) -> str:
    """`params, static = eqx.partition(model, ...)`."""
    has_frozen = any(holds_frozen(unit, step, place) for place in layout.trained)
    parts = unit.facts.target.with_buffers(str(unit.facts.target.partition), has_frozen)
    return in_own_words(layout, unit.spell(parts), model=layout.model)


def _note_lines(step: Step, definition: cst.FunctionDef, rewrite: Rewriter, written: int) -> None:
    """Which statements the lines behind `loss_fn` stand for."""
    body = list(definition.body.body)
    gradient = next(number for number, line in enumerate(body) if isinstance(line, cst.FunctionDef)) + 1
    passes = [step.backward_statement] * (
        1 + bool(step.carried) + written
    )  # lines more take the gradients on, and new values
    update = [step.step_statement] * (len(body) - gradient) if step.step_statement is not None else []
    for line, old in zip(body[gradient:], [*passes, *step.clips, *update], strict=False):
        rewrite.stands_for(line, old)


def _rebound_places(step: Step) -> list[str]:
    carried = {place for part in step.carried for place in part.brings}  # these are parameters of it anyway
    return [place for place in step.inputs if place in step.written - carried]


def rebound_names(unit: Unit, step: Step, layout: StepLayout) -> list[str]:
    """Inputs that the forward pass binds again: they are parameters of `loss_fn`, or they would be unbound in it."""
    names = [layout.names[place] for place in _rebound_places(step)]
    target = unit.facts.target
    key = layout.own[target.key]
    renews = any(owner is step and split.renew for owner, split in unit.plan.splits)
    if not target.immutable:  # objects that change may not come from outside of what is differentiated
        names = [*(layout.names[place] for place in step.models if place not in layout.trained), *names]
        renews = step.backward in unit.plan.keys
    return [*names, key] if renews else names


def with_loss_body(definition: cst.FunctionDef, body: Sequence[cst.BaseStatement]) -> cst.FunctionDef:
    statements = [
        item.with_changes(body=cst.IndentedBlock(list(body))) if isinstance(item, cst.FunctionDef) else item
        for item in definition.body.body
    ]
    return definition.with_changes(body=definition.body.with_changes(body=statements))


def make_loss_body(
    unit: Unit, step: Step, rewrite: Rewriter, state: Sequence[str], names: Mapping[str, str]
) -> tuple[list[cst.BaseStatement], str | None]:
    """The body of `loss_fn`, and the name of the loss if it has one."""
    body: list[cst.BaseStatement] = list(unit.plan.step_prologues.get(id(step), []))
    for statement in step.forward:
        body.extend(_with_written(unit, step, statement, rewrite.statement(statement), names))
    loss = _bare(_rewritten_loss(step, rewrite))
    name = dotted(step.loss)
    aux = [*state, *(_as_result(unit, step, result, names) for result in step.results)]
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
        rewrite.stands_for(body[-1], last)
    else:
        body.append(_return(_number(unit, step, loss), aux))
    if body and hasattr(body[0], "leading_lines"):
        lines = [line for line in body[0].leading_lines if line.comment is not None]
        body[0] = body[0].with_changes(leading_lines=lines)
    return body, name if name is not None and "." not in name else None


def _rewritten_loss(step: Step, rewrite: Rewriter) -> cst.BaseExpression:
    """The loss, or the entries of several lists, which no tuple of the program holds."""
    if step.stores and isinstance(step.loss, cst.Tuple):
        return step.loss.with_changes(
            elements=[item.with_changes(value=rewrite.expression(item.value)) for item in step.loss.elements],
            lpar=(),
            rpar=(),
        )
    return rewrite.expression(step.loss)


def _as_result(unit: Unit, step: Step, result: str, names: Mapping[str, str]) -> str:
    """A result of `loss_fn`; a dict whose order is looked at behind the step as an OrderedDict, since JAX sorts the keys of others."""
    text = names.get(result, result) if "." in result else result
    value = (
        value_of_place(step.region, result, unit.facts.values) if "." in result else _bound_value(unit, step, result)
    )
    if is_seen_outside(step.region, unit.facts.values, result if value is None or value.kind is Kind.UNKNOWN else None):
        if value is None or value.kind is Kind.UNKNOWN or holds_dict(value):
            return unit.spell(_kept_in_order(value or UNKNOWN, text))
    return text


def _bound_value(unit: Unit, step: Step, name: str) -> Value | None:
    return (step.function.env if step.function is not None else unit.facts.program.module_env).get(name)


def _bare(node: cst.BaseExpression) -> cst.BaseExpression:
    """A loss without the parentheses that `(a + b).backward()` needs."""
    is_sum = isinstance(node, (cst.BinaryOperation, cst.UnaryOperation)) and "\n" not in code(node)
    return node.with_changes(lpar=(), rpar=()) if is_sum else node


def _number(unit: Unit, step: Step, loss: cst.BaseExpression) -> cst.BaseExpression:
    """The loss without its axes, all of length 1: torch takes such a loss, JAX does not. What is known of entries of lists says little."""
    rank = unit.facts.values(step.loss).rank
    is_sum = isinstance(step.loss, (cst.BinaryOperation, cst.UnaryOperation))
    is_open = rank is None and (is_sum or any(part.stores for part in step.carried))
    has_axes = not step.carries and (is_open or rank)
    return quote("{loss}.reshape(())", loss=loss) if has_axes else loss


def _return(loss: cst.BaseExpression, aux: Sequence[str]) -> cst.SimpleStatementLine:
    if not aux:
        statement = quote_statement("return {loss}", loss=loss)
    elif len(aux) == 1:
        statement = quote_statement(f"return {{loss}}, {aux[0]}", loss=loss)
    else:
        statement = quote_statement(f"return {{loss}}, ({', '.join(aux)})", loss=loss)
    assert isinstance(statement, cst.SimpleStatementLine)
    return statement


def _mentions(step: Step, name: str) -> bool:
    """Whether a step speaks of something with a name, as of a function of the file."""
    return any(name in names_in(part) for part in (*step.forward, step.loss))


def _defines(line: cst.SimpleStatementLine, name: str) -> bool:
    small = line.body[0] if len(line.body) == 1 else None
    return isinstance(small, cst.Assign) and len(small.targets) == 1 and dotted(small.targets[0].target) == name


def _update_lines(
    unit: Unit, step: Step, layout: StepLayout, optimizer: str, loss: str, aux: Sequence[str], rebound: Sequence[str]
) -> list[str]:
    target = unit.facts.target
    names = layout.own
    template = target.one_gradient
    if step in unit.plan.partly_reached and target.reached_gradient is not None:
        template = unit.spell(target.reached_gradient)
    template = template.replace("{function}", names["loss_fn"] + (", has_aux=True" if aux else ""))
    packed = f"({loss}, {aux[0]})" if len(aux) == 1 else f"({loss}, ({', '.join(aux)}))" if aux else loss
    whole = _differentiated(step, layout, layout.own["params"] if layout.partitioned else layout.model)
    arguments = ", ".join([as_tree(whole), *layout.states.values(), *rebound])
    if step.updates and not step.loss_is_live:
        packed = packed.replace(loss, "_", 1)
    lines = [f"{packed}, {names['grads']} = {template}({arguments})"]
    lines += _pulled_back(unit, step, layout)
    if step in unit.facts.parallel.steps:
        lines.extend(_shared_lines(unit, step, names["grads"], loss, aux))
    if step.updates:
        return lines
    lines.extend(_written_lines(unit, step, layout))
    lines.extend(_with_names(clip_line(unit, statement, names["grads"]), layout.names) for statement in step.clips)
    parameters = names["params"] if layout.partitioned else filled(target.trained, model=layout.model)
    lines.append(in_own_words(layout, target.update, optimizer=optimizer, model=layout.model, parameters=parameters))
    return lines


def _written_lines(unit: Unit, step: Step, layout: StepLayout) -> list[str]:
    """What is trained takes the values that its forward pass has given its parameters, before the update."""
    pairs = [
        (layout.names[place], layout.states[state])
        for place, state in layout.written.items()
        if place in layout.trained
    ]
    lines = [code(take_written(unit, model, state)).strip() for model, state in pairs]
    if lines and layout.partitioned:
        lines.append(_partition(unit, step, layout))
    return lines


def _with_written(
    unit: Unit, step: Step, line: cst.CSTNode, rewritten: list[cst.BaseStatement], names: Mapping[str, str]
) -> list[cst.BaseStatement]:
    """A line of a forward pass, behind the calls of which what reads parameters finds the values that these have given them."""
    calls = [node for node in descendants(line) if isinstance(node, cst.Call) and node in unit.plan.calls]
    within, behind = set(descendants(line)), list(rewritten)
    for place, state in unit.plan.step_states[step].items():
        is_called = any(state in unit.plan.calls[call].behind for call in calls)
        named = (node for part in step.region for node in descendants(part, cst.Name, cst.Attribute))
        nodes = [node for node in named if dotted(node) == place]
        reads = [node for node in nodes if is_called and _reads_parameters(unit, node)]
        if not reads or not _writes_parameters(unit, step, place):
            continue
        if place not in step.trained:
            reason = "its parameters are read in a step that does not train it, behind a call that may change them"
            unit.problem(step.backward, "T2J606", name=place, module=place, reason=reason)
        model = names.get(place, place)
        added = unit.statement(f"{model} = with_written({model}, {state})")
        if len(rewritten) > 1 and not within.isdisjoint(reads):
            behind.insert(-1, added)
        if not within.issuperset(reads):
            behind.append(added.deep_clone())
    return behind


def _reads_parameters(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a module is used in another way than that it, a part or a method of it is called."""
    parents = unit.facts.program.index.parents
    while isinstance(parents[node], cst.Attribute) and unit.facts.values(parents[node]).kind is Kind.MODULE:
        node = parents[node]
    parent = parents[node]
    if isinstance(parent, cst.Attribute) and parents[parent] in unit.facts.values.callees:
        node, parent = parent, parents[parent]
    return not (isinstance(parent, cst.Call) and parent.func is node)


def _written_behind(unit: Unit, step: Step, layout: StepLayout) -> list[cst.BaseStatement]:
    """What is not trained in a step function takes such values behind its call."""
    places = [place for place in layout.written if step.updates or place not in layout.trained]
    return [take_written(unit, place, layout.written[place]) for place in places]


def modes_behind(unit: Unit, step: Step) -> list[cst.BaseStatement]:
    """The modes in which functions of the forward pass leave models, which the function of the step keeps to itself."""
    return [set_mode(unit, place, mode) for place, mode in unit.plan.step_modes.get(step, ())]


def _trains_directly(step: Step) -> bool:
    """Whether a step calls what it trains, and does not only go on from what others have computed with it."""
    return not step.carried or not set(step.trained).isdisjoint((*step.models, *step.leaves))


def _differentiated(step: Step, layout: StepLayout, first: str) -> list[str]:
    """What the gradient of a loss is taken of: what is trained, and what was computed from that before."""
    carried = [layout.names[place] for part in step.carried for place in part.brings]
    return [*([first] if _trains_directly(step) else []), *carried]


def _pulled_back(unit: Unit, step: Step, layout: StepLayout) -> Iterator[str]:
    """The lines that take the gradient of what was computed before the step on to what is trained."""
    grads, pullbacks = layout.own["grads"], [pullback_of(unit, part) for part in step.carried]
    sizes = [len(part.carries) for part in step.carried]
    if not pullbacks:
        return
    if not _trains_directly(step) and len(pullbacks) == 1:
        if step.carried[0].in_lists:
            yield f"{grads} = {_pulled_from_lists(unit, pullbacks[0], grads if sizes[0] == 1 else f'*{grads}')}"
        else:
            yield f"({grads},) = {pullbacks[0]}({grads})"
        return
    start = 1 if _trains_directly(step) else 0
    parts = [f"{grads}[0]"] if start else []
    for carried, size, pullback in zip(step.carried, sizes, pullbacks, strict=True):
        part = f"{grads}[{start}]" if size == 1 else f"{grads}[{start}:{start + size}]"
        if carried.in_lists:
            parts.append(_pulled_from_lists(unit, pullback, part if size == 1 else f"*{part}"))
        else:
            parts.append(f"{pullback}({part})[0]")
        start += size
    total = parts[0]
    for part in parts[1:]:
        total = unit.spell(f"add_gradients({total}, {part})")
    yield f"{grads} = {total}"


def _pulled_from_lists(unit: Unit, pullbacks: str, gradients: str) -> str:
    return unit.spell(f"pull_back_entries({pullbacks}, {gradients})")


def pullback_of(unit: Unit, part: Step) -> str:
    """The variable with the pullback of a part of a loss that is computed before its step; of entries of lists, the list of
    their pullbacks, as the function of the step calls it.
    """
    if part not in unit.pullbacks:
        wish = f"{part.carries[0]}_vjps" if part.in_lists else f"{part.carries[0]}_vjp"
        unit.pullbacks[part] = unit.fresh(wish) if part.stores else local_name(unit, part.backward_statement, wish)
    return unit.pullbacks[part]


def _shared_lines(unit: Unit, step: Step, grads: str, loss: str, aux: Sequence[str]) -> list[str]:
    """The mean of the gradients of all devices; what else comes out of the step is what the first of them has."""
    own = [*([loss] if step.loss_is_live else []), *aux]
    kept = [name for name in own if (step, name) in unit.facts.parallel.reductions.results]
    lines = [f'{grads} = jax.lax.pmean({grads}, "data")']
    for names, function in (([name for name in own if name not in kept], "first"), (kept, "each")):
        if names:
            lines.append(f"{', '.join(names)} = {unit.spell(f'{function}()').removesuffix('()')}({as_tree(names)})")
    return lines


def in_own_words(layout: StepLayout, template: str | None, **names: str) -> str:
    """A template of the target, with the names that the step function has for what stands in it."""
    assert template is not None
    words = re.sub(r"(?<![\w.{])[a-z_]+(?![\w}])", lambda word: layout.own.get(word[0], word[0]), template)
    return filled(words, **names)


def filled(template: str | None, **names: str) -> str:
    """A template of the target with names in its holes; only asked for where the target has one."""
    assert template is not None
    for hole, name in names.items():
        template = template.replace(f"{{{hole}}}", name)
    return template


def _with_names(line: str, names: Mapping[str, str]) -> str:
    """A line with the names that the fields of objects have in the step."""
    for place, name in names.items():
        if "." in place:
            line = re.sub(rf"(?<![\w.]){re.escape(place)}\b", name, line)
    return line


def clip_line(unit: Unit, statement: cst.SimpleStatementLine, grads: str, clipped: str | None = None) -> str:
    """The statement that clips the gradients in a variable, or gives another variable the clipped ones."""
    call = clip_call(statement, unit.facts.values)
    assert call is not None
    small = statement.body[0]
    norm = code(small.targets[0].target) if isinstance(small, cst.Assign) else "_"
    return clip_text(unit, call, grads, norm, clipped or grads)


def clip_text(unit: Unit, call: cst.Call, grads: str, norm: str, clipped: str) -> str:
    name = CLIPS[unit.facts.values.torch_name(call.func) or ""]
    limits = ", ".join(code(argument).rstrip(", ") for argument in call.args[1:])
    spelled = unit.spell(f"{name}()").removesuffix("()")
    if name == "clip_grad_norm":
        return f"{clipped}, {norm} = {spelled}({grads}, {limits})"
    return f"{clipped} = {spelled}({grads}, {limits})"


def _clip_results(step: Step) -> list[str]:
    return [
        code(statement.body[0].targets[0].target)
        for statement in step.clips
        if isinstance(statement.body[0], cst.Assign)
    ]


def result_names(step: Step, layout: StepLayout) -> list[str]:
    """The names of the results in the step function, apart from those that it needs itself."""
    names: list[str] = []
    for result in step.results:
        if "." in result:
            names.append(layout.names[result])
            continue
        taken = {*_OWN_NAMES, *layout.names.values(), *step.results, *names} - {result}
        wishes = (wish for wish in _other_names(result) if wish not in taken)
        names.append(next(wishes) if result in layout.own.values() else result)
    return names


def _result_names(step: Step, layout: StepLayout, loss: str, immutable: bool, own_results: Sequence[str]) -> list[str]:
    results: list[str] = []
    if step.updates:
        loss_result = [loss] if step.loss_is_live else []
        return [*layout.states.values(), *loss_result, *own_results, *_gradient_results(step, layout.own["grads"])]
    if immutable:
        results = [*layout.models, *layout.states.values(), layout.own["opt_state"]]
    if step.loss_is_live:
        results.append(loss)
    return [*results, *own_results, *_clip_results(step)]


def _gradient_results(step: Step, grads: str) -> list[str]:
    """The gradients of what each optimizer trains."""
    if len(step.updates) == 1:
        return [grads]
    found, start = [], 0
    for update in step.updates:
        end = start + len(update.models)
        found.append(f"{grads}[{start}]" if len(update.models) == 1 else f"{grads}[{start}:{end}]")
        start = end
    return found


def _step_call(unit: Unit, step: Step, layout: StepLayout) -> cst.BaseStatement:
    target = unit.facts.target
    immutable = target.immutable
    optimizer = str(dotted(step.optimizer))
    inputs = [given for _, given in inputs_of(unit, step, layout)]
    state = [*layout.states]
    if step.updates:
        arguments, targets = [*layout.trained, *state, *inputs], state
    elif immutable:
        arguments = [optimizer, *layout.trained, *state, layout.opt_state_place or "opt_state", *inputs]
        targets = [*layout.trained, *state, layout.opt_state_place or "opt_state"]
    else:
        arguments, targets = [*layout.trained, optimizer, *inputs], []
    key = unit.plan.keys.get(step.backward)
    if key is not None:
        arguments.append(f"{layout.own[target.key]}={key}")
    if step.loss_is_live:
        targets.append(dotted(step.loss) or "loss")
    targets = [*targets, *step.results, *_clip_results(step)]
    if step.updates:
        targets.extend(layout.gradients)
    pullbacks = [f"{_owner_of_lists(part, step)}{pullback_of(unit, part)}" for part in step.carried]
    keyword = len(arguments) - (key is not None)
    arguments[keyword:keyword] = pullbacks
    call = f"{layout.function}({', '.join(arguments)})"
    return quote_statement(f"{', '.join(targets)} = {call}" if targets else call)


def _plain_dicts(unit: Unit, step: Step) -> list[cst.BaseStatement]:
    """Results that left the step as OrderedDicts are plain dicts again where the program shows them: `print(losses)`."""
    program, values = unit.facts.program, unit.facts.values
    dicts = [result for result in step.results if is_flat(_bound_value(unit, step, result) or UNKNOWN)]
    if not dicts or any(program.mentions(word) for word in ("OrderedDict", "defaultdict", "Counter")):
        return []
    if not is_seen_outside(step.region, values, None):
        return []
    shown = {
        node.value
        for node in program.index.names
        if isinstance(program.index.parents[node], (cst.FormattedStringExpression, cst.Arg)) and _is_shown(unit, node)
    }
    return [quote_statement(f"{result} = dict({result})") for result in dicts if result in shown]


def _is_shown(unit: Unit, node: cst.Name) -> bool:
    """Whether a variable is printed, or a part of a text, as a whole."""
    parents = unit.facts.program.index.parents
    around = parents[node]
    call = parents[around] if isinstance(around, cst.Arg) else None
    return call is None or (isinstance(call, cst.Call) and dotted(call.func) in ("print", "str", "repr"))


def _owner_of_lists(part: Step, step: Step) -> str:
    """The object that keeps the lists of a part, where a step names it."""
    place = part.stores[0] if part.stores else ""
    return f"{place.rpartition('.')[0]}." if "." in place else ""


def may_be_function(unit: Unit, module: Value) -> bool:
    """Whether a module is a function in the translation, as a loss is."""
    layers = [unit.facts.tables.layers.get(name) for name in module.types]
    columns = [unit.facts.target.column(layer) for layer in layers if layer is not None]
    return any(column is not None and column.call == "function" for column in columns)


def is_given_values(unit: Unit, step: Step, layout: StepLayout) -> bool:
    """Whether the function of a step may be given something else than arrays and modules: a flag, a layer that is a function."""
    if any(may_be_static(unit, step, place) for place in step.inputs if place not in layout.unread):
        return True
    models = (value_of_place(step.region, place, unit.facts.values) for place in step.models)
    return any(value is not None and may_be_function(unit, value) for value in models)


def may_be_static(unit: Unit, step: Step, place: str) -> bool:
    """Whether an input of a step may be something else than an array or a module, or hold something else."""
    if _argument(unit, step, place) != place:
        return False
    env = step.function.env if step.function is not None else unit.facts.program.module_env
    value = env.get(place)
    if value is not None and value.kind is Kind.MODULE:
        return not value.types or value.optional or may_be_function(unit, value)
    return value is None or value.optional or value.kind is not Kind.TENSOR


def _argument(unit: Unit, step: Step, place: str) -> str:
    """An input of the step; a Python number that changes from step to step is passed as an array (no recompilation)."""
    env = step.function.env if step.function is not None else unit.facts.program.module_env
    value = env.get(place)
    is_number = value is not None and value.kind in (Kind.FLOAT, Kind.INT)
    if is_number and changes_between_steps(unit, step, place) and is_calculated_with(unit, step, place):
        return f"jnp.asarray({place})"
    given = value or value_of_place(step.region, place, unit.facts.values) or UNKNOWN
    if (given.kind is Kind.UNKNOWN or holds_dict(given)) and looks_at_order(step.region, unit.facts.values):
        return unit.spell(_kept_in_order(given, place))
    return f"getattr({', '.join(lacking)}, None)" if (lacking := _may_lack(step, place)) else place


def _may_lack(step: Step, place: str) -> tuple[str, str] | None:
    """The object of a step, and the text of its field, that only some paths of the step set, and which may not be there yet."""
    own, _, name = place.partition(".")
    owner = step.function.owner if step.function is not None else None
    if owner is None or own != owner_name(step.function) or place not in step.written or "." in name:
        return None
    return None if not name or is_surely_set(owner, name) else (own, f'"{name}"')


def _kept_in_order(value: Value, text: str) -> str:
    """What keeps the order of a dict, or of those in a list, on its way through a transformation of JAX."""
    return f"OrderedDict({text})" if is_flat(value) else f"in_order({text})"


# one gradient, without an optimizer


def _single_gradient(unit: Unit, step: Step) -> None:
    """`loss.backward()` alone: `value_and_grad` in its place; gradients that are read afterwards become variables."""
    places = [*step.models, *step.leaves]
    if not places or any("." in place for place in places):
        unit.problem(step.backward, "T2J500", reason="what the gradient is taken of cannot be seen")
        return
    if any("." in place for place in step.results):
        unit.problem(
            step.backward, "T2J500", reason="a field of an object is given another value where the gradient is taken"
        )
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
    if not unit.facts.target.immutable and step.backward in unit.plan.keys:
        unit.problem(step.backward, "T2J500", reason="random numbers are drawn in what is differentiated")
        return
    gradients = _gradient_names(unit, step)
    if not _clear_gradients(unit, step):
        unit.problem(step.backward, "T2J500", reason="gradients are not cleared in every round, so they accumulate")
        return
    _read_gradients(unit, step, gradients)
    unit.note_gradients(step.function, {place: name for place, name in gradients.items() if place in step.models})
    for statement in (*step.forward, *step.after):
        unit.edits.move(statement)
    unit.settled.update(_around_loss(step))
    unit.edits.move(
        step.backward_statement,
        lambda rewrite: [
            *_gradient_statements(unit, step, gradients, rewrite),
            *modes_behind(unit, step),
            *(node for statement in step.after for node in rewrite.statement(statement)),
        ],
    )


def _gradient_names(unit: Unit, step: Step) -> dict[str, str]:
    if step.models:
        return {step.models[0]: unit.fresh("grads")}
    for place in step.leaves:
        if (step.function, place) not in unit.leaf_gradients:
            unit.leaf_gradients[step.function, place] = unit.fresh(f"{place}_grad")
    return {place: unit.leaf_gradients[step.function, place] for place in step.leaves}


def _gradient_statements(
    unit: Unit, step: Step, gradients: dict[str, str], rewrite: Rewriter
) -> Sequence[cst.BaseStatement]:
    body, name = make_loss_body(unit, step, rewrite, [], {})
    places = list(gradients)
    function = unit.fresh("loss_fn")
    names = list(gradients.values())
    results = names[0] if len(names) == 1 else f"({', '.join(names)})"
    loss = name or "_"
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
        place = cleared_place(line.body[0])
        if place is not None:
            place = _looped_place(unit, line, place)
        if place is not None and place in (*step.models, *step.leaves):
            if empties(line.body[0]):
                cleared.add(place)
            if line not in unit.settled:
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


def _read_gradients(unit: Unit, step: Step, gradients: dict[str, str]) -> None:
    for node in _grad_attributes(unit, step):
        if node in unit.settled:
            continue
        path = dotted(node.value) or _held_path(unit, node.value)
        if path is None or not _is_of_step(unit, step, node, path.split(".")[0]):
            continue
        if any(node in update.foreign for update in step.updates):
            continue
        if any(node in update.empty for update in step.updates) or (
            path in gradients and not step.updates and _runs_before(unit, step, node)
        ):
            unit.edits.replace(node, always(cst.Name("None")))
            unit.settled.add(node)
            continue
        for place, name in gradients.items():
            if path == place and dotted(node.value) == path:
                unit.edits.replace(node, always(quote(name)))
                unit.settled.add(node)
            elif f"{path}.".startswith(f"{place}.") and step.models and not _is_of_other(unit, step, node, place):
                if _is_stored(unit, node):
                    unit.problem(node, "T2J503", name=code(node.value))  # a tree of gradients has no places to set
                    unit.settled.add(node)
                    break
                held = filled(unit.spell(unit.facts.target.gradients), model=place, grads=name)
                is_open = any(node in update.open for update in step.updates)
                unit.edits.replace(node, partial(_part_of_gradients, unit, node, place, held, name if is_open else ""))
                unit.settled.add(node)


def _is_stored(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an assignment gives a place another value, be it one of several, or changes a part of it."""
    parents = unit.facts.program.index.parents
    parent = parents[node]
    while isinstance(parent, (cst.Element, cst.Tuple, cst.List)) or getattr(parent, "value", None) is node:
        if not isinstance(parent, (cst.Element, cst.Tuple, cst.List, cst.Attribute, cst.Subscript)):
            break
        node, parent = parent, parents[parent]
    return isinstance(parent, cst.AssignTarget) or (isinstance(parent, cst.AugAssign) and parent.target is node)


def _held_path(unit: Unit, place: cst.BaseExpression) -> str | None:
    """Where, up to the first index, the module is that holds a parameter by itself or in its parts: `net.body` of `net.body[0].weight`."""
    owner = place.value if isinstance(place, cst.Attribute) else None
    while isinstance(owner, (cst.Attribute, cst.Subscript)):
        if unit.facts.values(owner).kind is not Kind.MODULE:
            return None
        owner = owner.value
    return dotted_part(place) if owner is not None and unit.facts.values(owner).kind is Kind.MODULE else None


def _is_of_other(unit: Unit, step: Step, node: cst.Attribute, place: str) -> bool:
    """Whether the variable, or the field, holds another model where a gradient is read than in the step."""
    values = unit.facts.values
    owner: cst.BaseExpression = node.value
    while isinstance(owner, (cst.Attribute, cst.Subscript)) and dotted(owner) != place:
        owner = owner.value
    trained = value_of_place(step.region, place, values)
    here = values(owner).sites
    return trained is not None and bool(trained.sites) and bool(here) and here.isdisjoint(trained.sites)


def _part_of_gradients(
    unit: Unit, node: cst.Attribute, place: str, held: str, missing: str, rewrite: Rewriter
) -> cst.BaseExpression:
    """The gradient of a part, which stands in the tree of gradients where the part stands in the model; `missing` names a tree
    that may be None.
    """
    if dotted(node.value) is not None:
        path = held + str(dotted(node.value)).removeprefix(place)
        gradient = quote(filled(unit.facts.target.gradient, place=path))
    else:  # an index may be anything
        text = code(as_expression(rewrite(node.value)))
        assert text.startswith(place), "a part is read from its model"
        gradient = quote(held + text.removeprefix(place))
    if is_wide_bias(unit, node.value) and shows_shape(unit, node):
        gradient = quote("{x}.reshape(-1)", x=gradient)
    if missing and not isinstance(unit.facts.program.index.parents[node], (cst.Attribute, cst.Subscript)):
        gradient = quote(f"None if {missing} is None else {{x}}", x=gradient)
    return gradient


def _is_of_step(unit: Unit, step: Step, node: cst.CSTNode, name: str) -> bool:
    """Whether a variable is, where it is read, the one of the function with the step."""
    function = unit.facts.program.function_around(node)
    while function is not step.function:
        if function is None or name in function.env:
            return False
        function = function.outer
    return True


def _runs_before(unit: Unit, step: Step, node: cst.CSTNode) -> bool:
    """Whether a gradient is read in front of the only pass that computes it."""
    index = unit.facts.program.index
    around = [item for item in (node, *index.ancestors(node)) if item in step.block.body]
    is_first = all(
        other is step or other.function is not step.function or set(step.leaves).isdisjoint(other.leaves)
        for other in unit.facts.steps
    )
    loops = any(isinstance(item, (cst.For, cst.While)) for item in index.ancestors(step.backward_statement))
    if not around or loops or not is_first or step.models:
        return False
    return list(step.block.body).index(around[0]) < list(step.block.body).index(step.anchor)  # type: ignore[arg-type]

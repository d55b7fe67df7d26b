"""Behind a call of a function that makes an optimizer, the state of the optimizer is made.

optimizer = make_optimizer(model)    ->    optimizer = make_optimizer(model)
                                           opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.parameters import Optimized, given_parameters, optimized
from torch2jax.facts.schedules import CHANGING, Schedule
from torch2jax.ops.lowering import IGNORED
from torch2jax.ops.schema import FunctionSpec
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.plan.sharing import models_of_one_part
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import WHOLE, Kind, Value


def optimizer_from_function(
    unit: Unit, line: cst.SimpleStatementLine, target: cst.BaseAssignTargetExpression, call: cst.Call
) -> None:
    """Make the states of the optimizers that the function called here returns to `target`, where any code needs them."""
    function = unit.facts.program.function_around(line)
    for place, value in _optimizers(target, unit.facts.values(call)):
        if unit.facts.target.optimizer_state_of is None:
            no_gradients(unit, line, place)
            continue
        companion = companion_place(unit, function, place, "opt_state")
        if companion is None:
            continue
        no_gradients(unit, line, place)
        if call in unit.plan.calls and companion in unit.plan.calls[call].behind:
            continue  # it comes with the optimizer
        found = _trained(unit, call, target, value)
        if not found:
            unit.problem(call, "T2J501", name=place)
            no_state(unit, line, place)
            continue
        tree = cst.parse_expression(", ".join(found) if len(found) == 1 else f"({', '.join(found)})")
        statement = initial_state(unit, companion, place, tree, list(found.values()))
        unit.edits.after(line, partial(_given, [statement]))


def initial_state(
    unit: Unit, companion: str, optimizer: str, tree: cst.BaseExpression, values: Sequence[Value], is_own: bool = False
) -> cst.BaseStatement:
    """The statement that makes the state of an optimizer for what it trains, of which something is known; one of the program's
    own has a state for parameters that are not trained by now, too.
    """
    made, effects = str(unit.facts.target.optimizer_state_of), unit.facts.effects
    if any(map(effects.has_untrained, values)):
        made = unit.spell(unit.facts.target.with_buffers(made, any(map(effects.has_frozen, values)) and not is_own))
    value = quote(made, optimizer=optimizer, model=tree)
    return quote_statement("{state} = {value}", state=companion, value=value)


def list_all(unit: Unit, trained: Optimized, given: cst.BaseExpression) -> None:
    """What an optimizer of the program's own is given, where that is all that is trained of modules: all their parameters."""
    roots = trained.roots
    is_plain = isinstance(given, cst.Call) and isinstance(given.func, cst.Attribute)
    if trained.grouped or is_plain or any(unit.facts.values(root).kind is not Kind.MODULE for root in roots):
        return
    unit.settle(given)
    text = "parameters({m0})" if len(roots) == 1 else ", ".join(f"*parameters({{m{n}}})" for n in range(len(roots)))
    spelled = unit.spell(text if len(roots) == 1 else f"[{text}]")
    build = lambda rewrite: quote(spelled, **{f"m{n}": rewrite.expression(root) for n, root in enumerate(roots)})  # noqa: E731
    unit.edits.replace(given, build)


def optimizer_state(unit: Unit, call: cst.Call) -> str | None:
    """The place of the state of an optimizer of which a method is called, which may be the optimizer itself; None where it is not
    known.
    """
    place = dotted(call.func.value) if isinstance(call.func, cst.Attribute) else None
    if place is None or unit.facts.target.optimizer_state_of is None:
        return place
    return companion_place(unit, unit.facts.program.function_around(call), place, "opt_state")


def trained_by(unit: Unit, call: cst.Call) -> Optimized | None:
    """What an optimizer trains that is made here; None where the target has no word for it."""
    found = optimized(call, unit.facts.program.definitions, unit.facts.values)
    if found is not None and unit.facts.target.optimizer_state_of is None:
        are_modules = all(unit.facts.values(root).kind is Kind.MODULE for root in found.roots)
        return found if are_modules else None
    return found


def is_twice(unit: Unit, call: cst.Call, name: str, trained: Optimized) -> bool:
    """Whether models whose parameters an optimizer is given one behind the other have some in common, which torch updates once
    for each time that it is given them; the user is told.
    """
    function = unit.facts.program.function_around(call)
    places = [place for root in trained.roots if (place := dotted(root)) is not None]
    found = None if trained.grouped else models_of_one_part(unit.facts, function, places)
    if found is not None:
        unit.problem(call, "T2J201", name=name, argument=f"parameters of {found[0]} that {found[1]} has, too")
    return found is not None


# groups of parameters

_LONGEST = 90  # characters of a call that stands on one line


def on_lines(call: cst.Call) -> cst.Call:
    """A call with each argument on a line of its own."""
    line = cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace("    "))
    end = cst.ParenthesizedWhitespace(indent=True)
    last = len(call.args) - 1
    args = [
        item.with_changes(comma=cst.Comma(whitespace_after=end if position == last else line))
        for position, item in enumerate(call.args)
    ]
    return call.with_changes(args=args, whitespace_before_args=line)


@dataclass(frozen=True, slots=True)
class Grouping:
    """An optimizer over groups: the `arguments` of its row, where `options` are names, and their values elsewhere."""

    call: cst.Call
    trained: Optimized
    arguments: list[cst.Arg]
    options: dict[str, cst.BaseExpression]

    def rate(self, schedule: Schedule) -> cst.BaseExpression:
        """The learning rate of a group, where all have the factor of a schedule."""
        return quote("lr * {factor}", factor=schedule.learning_rate)

    def build(self, unit: Unit, update: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
        given = given_parameters(self.call)
        assert given is not None
        template = f"with_param_groups(lambda {', '.join(self.options)}: {{update}}, {{model}}, {{groups}}, "
        template += ", ".join(f"{name}={{{name}}}" for name in self.options)
        values = {name: rewrite.expression(value) for name, value in self.options.items()}
        model, groups = self.trained.tree(rewrite), rewrite.expression(_only_group(given))
        made = quote(f"{unit.spell(template)})", update=update, model=model, groups=groups, **values)
        assert isinstance(made, cst.Call)
        return on_lines(made) if len(code(made)) > _LONGEST else made


@dataclass(frozen=True, slots=True)
class OpenOptimizer:
    """An optimizer of which only the program that runs knows the class, or the options: `SGD(params, **options)`.

    `maker` is the support code that takes torch's arguments; None where the program holds it, or one of several, itself.
    """

    call: cst.Call
    trained: Optimized | None
    maker: str | None
    schedule: Schedule | None

    def build(self, unit: Unit, rewrite: Rewriter) -> cst.BaseExpression:
        maker = quote(unit.spell(self.maker)) if self.maker is not None else rewrite.expression(self.call.func)
        given = given_parameters(self.call)
        options = [item for item in self.call.args if item.value is not given]
        made = [item.with_changes(value=rewrite.expression(item.value)) for item in options]
        if self.trained is not None and self.trained.grouped:
            assert given is not None
            model, groups = self.trained.tree(rewrite), rewrite.expression(_only_group(given))
            template = unit.spell("as_torch_optimizer({maker}, {model}, {groups})")
            call = quote(template, maker=maker, model=model, groups=groups)
            assert isinstance(call, cst.Call)
            call = call.with_changes(args=_separated([*call.args, *made]))
            return on_lines(call) if len(code(call)) > _LONGEST else call
        if self.schedule is not None:
            made = [item.with_changes(value=self.schedule.learning_rate) if _is_rate(item) else item for item in made]
        return cst.Call(maker, _separated(made))


def _is_rate(item: cst.Arg) -> bool:
    return item.keyword is not None and item.keyword.value == "lr"


def _separated(args: Sequence[cst.Arg]) -> list[cst.Arg]:
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    last = len(args) - 1
    plain = {"whitespace_after_arg": cst.SimpleWhitespace("")}
    return [
        item.with_changes(comma=cst.MaybeSentinel.DEFAULT if number == last else comma, **plain)
        for number, item in enumerate(args)
    ]


def open_optimizer(
    unit: Unit, call: cst.Call, spec: FunctionSpec | None, schedule: Schedule | None
) -> OpenOptimizer | None:
    """An optimizer with options that are not in sight; None, with what is in the way reported, where it cannot be made."""
    trained, given = trained_by(unit, call), given_parameters(call)
    others = [item for item in call.args if item.value is not given]
    others = [item for item in others if item.keyword is None or item.keyword.value not in IGNORED]
    is_whole = unit.facts.values(call).among == {WHOLE} and "{model}" not in unit.facts.target.optimizer
    if given is None or (trained is None and not is_whole):  # all that a caller gives, whatever that is
        unit.problem(call, "T2J501", name="the optimizer")
        return None
    if spec is not None:
        others = _named(others, [item.name for item in parse_signature(spec.signature).parameters[1:]])
    elif any(item.keyword is None and not item.star for item in others[1:]):
        unit.problem(call, "T2J205", name=code(call.func))
        return None
    else:
        others = _named(others, ["lr"])
    is_grouped = trained is not None and trained.grouped
    if schedule is not None and (is_grouped or not any(map(_is_rate, others))):
        unit.problem(call, "T2J507", reason="the learning rate of this optimizer cannot change")
        return None
    first = [item for item in call.args if item.value is given]
    changed = call.with_changes(args=[*first, *others])
    if not is_grouped:
        unit.settle(given)
    return OpenOptimizer(changed, trained, spec.same if spec is not None else None, schedule)


def _named(args: Sequence[cst.Arg], names: Sequence[str]) -> list[cst.Arg]:
    """Arguments with the names of their parameters: the first of an update stands for what torch takes before them."""
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    found, left = [], iter(names)
    for item in args:
        name = next(left, None) if item.keyword is None and not item.star else None
        found.append(item if name is None else item.with_changes(keyword=cst.Name(name), equal=equal))
    return found


def _only_group(given: cst.BaseExpression) -> cst.BaseExpression:
    """The parameters of one group that says nothing else."""
    match given:
        case cst.List(
            elements=[
                cst.Element(
                    value=cst.Call(func=cst.Name("dict"), args=[cst.Arg(keyword=cst.Name("params"), value=inner)])
                )
            ]
        ):
            return inner
    return given


def grouping(
    unit: Unit, call: cst.Call, spec: FunctionSpec, arguments: Sequence[cst.Arg], schedule: Schedule | None
) -> Grouping | None:
    """The options that each group may have for itself, taken out of the arguments of an optimizer."""
    trained, signature = trained_by(unit, call), parse_signature(spec.signature)
    try:
        given = bind(signature, arguments)
    except BindError:
        return None  # told where the row is asked
    assert trained is not None
    own = trained.options if trained.options is not None else frozenset(CHANGING)
    own |= unit.facts.schedules.asked
    chosen = [item for item in signature.parameters if item.name in own | {"lr"} and item.name != "params"]
    options: dict[str, cst.BaseExpression] = {}
    for item in chosen:
        value = given.given.get(item.name)
        options[item.name] = value if isinstance(value, cst.BaseExpression) else cst.parse_expression(str(item.default))
    changed = [cst.Arg(cst.Name(name), keyword=cst.Name(name)) for name in options]
    counted = {schedule.hyperparameter: cst.parse_expression("0")} if schedule is not None else {}
    others = [
        cst.Arg(value, keyword=cst.Name(name))
        for name, value in given.given.items()
        if name not in options and isinstance(value, cst.BaseExpression)
    ]
    return Grouping(call, trained, [*others, *changed], {**options, **counted})


def without_idle_options(unit: Unit, call: cst.Call) -> list[cst.Arg]:
    """The arguments without `**extra` where that says nothing but how fast the update runs."""
    kept = []
    for argument in call.args:
        if argument.star == "**" and (keys := _keys(unit, argument.value)) is not None and keys <= IGNORED:
            unit.settle(argument)
        else:
            kept.append(argument)
    return kept


def _keys(unit: Unit, node: cst.BaseExpression) -> frozenset[str] | None:
    """The keys of a dictionary, as far as displays and `dict(...)` say them; None where there may be others."""
    match node:
        case cst.IfExp(body=body, orelse=orelse):
            parts = [_keys(unit, body), _keys(unit, orelse)]
        case cst.Name():
            bound = unit.facts.program.definitions.only(node)
            if bound is None or bound.how is not How.ASSIGNED or bound.value is None:
                return None
            if len(unit.facts.program.definitions.uses(bound)) > 1:
                return None  # it may be changed there
            return _keys(unit, bound.value)
        case cst.Dict(elements=elements):
            parts = [
                frozenset({str(item.key.evaluated_value)})
                if isinstance(item, cst.DictElement) and isinstance(item.key, cst.SimpleString)
                else None
                for item in elements
            ]
        case cst.Call(func=cst.Name("dict"), args=args):
            parts = [frozenset({item.keyword.value}) if item.keyword is not None else None for item in args]
        case _:
            return None
    known = [part for part in parts if part is not None]
    return frozenset[str]().union(*known) if len(known) == len(parts) else None


def no_state(unit: Unit, line: cst.SimpleStatementLine, place: str | None) -> None:
    """A state that cannot be made, and is reported, is None: inner functions declare its name `nonlocal`."""
    function = unit.facts.program.function_around(line)
    companion = companion_place(unit, function, place, "opt_state") if place is not None else None
    if companion is not None:
        unit.edits.after(line, partial(_given, [quote_statement("{state} = None", state=companion)]))


def no_optimizer(unit: Unit, line: cst.SimpleStatementLine, place: str) -> None:
    """Without an optimizer there is no state of it either, which functions may be given beside it, and no gradients."""
    no_gradients(unit, line, place)
    no_state(unit, line, place)


def no_gradients(unit: Unit, line: cst.SimpleStatementLine, place: str) -> None:
    """Gradients that go on from function to function are None when their optimizer is made."""
    function = unit.facts.program.function_around(line)
    companion = companion_place(unit, function, place, "grads")
    if companion is not None:
        unit.edits.after(line, partial(_given, [quote_statement("{grads} = None", grads=companion)]))


def _given(statements: Sequence[cst.BaseStatement], rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    return statements


def _optimizers(target: cst.BaseExpression, value: Value) -> Iterator[tuple[str, Value]]:
    """The places in a target that receive optimizers."""
    if isinstance(target, cst.Tuple):
        for position, element in enumerate(target.elements):
            item = value.items[position] if value.items is not None and position < len(value.items) else value.elem
            if item is not None and not isinstance(element, cst.StarredElement):
                yield from _optimizers(element.value, item)
        return
    place = dotted(target)
    if value.kind is Kind.OPTIMIZER and place is not None:
        yield place, value


def _trained(unit: Unit, call: cst.Call, target: cst.BaseExpression, optimizer: Value) -> dict[str, Value]:
    """The places, and values, of what an optimizer trains that a call gives back, in its order; none where one is not known."""
    places = dict(_places(unit, call, target))
    found: dict[str, Value] = {}
    for part in optimizer.items or (optimizer,):
        same = [name for name, value in places.items() if part.sites and value.sites == part.sites]
        if not same and not part.sites and isinstance(call.func, cst.Attribute):
            receiver = dotted(call.func.value)  # a method that makes an optimizer for the module itself
            same = [name for name in places if name == receiver and places[name].types & part.types]
        if not same:
            same = [name for name in _given_to_maker(unit, call, part) if name in places]
        if len(same) != 1:
            return {}
        found[same[0]] = places[same[0]]
    return found


def _given_to_maker(unit: Unit, call: cst.Call, optimizer: Value) -> list[str]:
    """What is given to a function that makes one optimizer, for the parameter whose parameters that trains: it may be called
    with several modules.
    """
    callees, program = unit.facts.values.callees.get(call, ()), unit.facts.program
    if len(callees) != 1 or callees[0].node not in program.functions:
        return []
    made = [
        node
        for node in descendants(callees[0].node)
        if isinstance(node, cst.Call) and unit.facts.values.torch_name(node.func) is not None
        if unit.facts.values(node).kind is Kind.OPTIMIZER and unit.facts.values(node).sites == optimizer.sites
    ]
    trained = trained_by(unit, made[0]) if len(made) == 1 else None
    root = trained.roots[0] if trained is not None and len(trained.roots) == 1 else None
    definition = program.definitions.bound_once(root) if isinstance(root, cst.Name) else None
    if definition is None or definition.how is not How.PARAMETER:
        return []
    given = dict(arguments_by_parameter(callees[0], call, unit.facts.values)).get(definition.variable.name)
    place = dotted(given)
    return [place] if place is not None else []


def _places(unit: Unit, call: cst.Call, target: cst.BaseExpression) -> Iterator[tuple[str, Value]]:
    """The modules that a call is given or gives back, and those of the object it is a method of."""
    candidates = [*(argument.value for argument in call.args), target, call.func]
    for node in (item for expression in candidates for item in descendants(expression)):
        if isinstance(node, (cst.Name, cst.Attribute)):
            value, place = unit.facts.values(node), dotted(node)
            if place is not None and value.kind is Kind.MODULE:
                yield place, value
    function = unit.facts.program.function_around(call)
    if function is not None and function.owner is not None and function.self_name is not None:
        for name, field in function.owner.all_fields():
            if field.kind is Kind.MODULE:
                yield f"{function.self_name}.{name}", field
    if isinstance(target, cst.Tuple):
        items = unit.facts.values(call).items or ()
        for element, item in zip(target.elements, items, strict=False):
            place = dotted(element.value)
            if place is not None and item.kind is Kind.MODULE:
                yield place, item

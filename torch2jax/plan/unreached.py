"""Parameters that the loss of a step does not reach: their gradient is None in torch, whose optimizers then leave them alone, and
zero in JAX, where weight decay, momentum and the count of steps go on all the same. Where that makes a difference, gradients are
None here, too, and each parameter has an optimizer state of its own.

optimizer = AdamW(net.parameters())    ->    optimizer = per_parameter(optax.adamw(1e-3, weight_decay=0.01))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.choices import Choices
from torch2jax.facts.differentiated import find_differentiated
from torch2jax.facts.reach import WHOLE, Key, Reach, Ways
from torch2jax.facts.training import Step, value_of_place
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.plan.model import Facts, Plan
from torch2jax.program.program import Class
from torch2jax.syntax.walk import descendants
from torch2jax.values import GROUPED, Kind, Value

_DECAYING = {"torch.optim.AdamW"}  # by default
_TOGETHER = {"torch.optim.LBFGS"}  # their updates are of all parameters at once


def plan_unreached(facts: Facts, plan: Plan) -> None:
    """Find the optimizers to which it matters that steps do not reach all they train, and their steps."""
    makers = [call for call in facts.program.index.calls if _remembers(facts, call)]
    steps = [step for step in facts.steps if step.problem is None and _optimizers(step)]
    if not makers or not steps:
        return
    reaches = _Reaches(facts)
    for maker in makers:
        own = [step for step in steps if _may_serve(facts, maker, step)]
        missing = reaches.missed(own, _decays(facts, maker))
        for key in sorted(missing & reaches.by_value, key=str):
            plan.problem(reaches.fields[key], "T2J506", name=key.field)
        if not missing:
            continue
        if facts.target.reached_gradient is None or not _is_apart(facts, maker):
            for key in sorted(missing - reaches.by_value, key=str):
                plan.problem(reaches.fields[key], "T2J506", name=key.field)
        else:
            plan.per_parameter.add(maker)
            plan.partly_reached.update(own)
    while more := {
        call
        for call in facts.program.index.calls
        if call not in plan.per_parameter
        and _is_optimizer(facts, call)
        and any(_may_serve(facts, call, step) for step in plan.partly_reached)
    }:
        plan.per_parameter |= more
        plan.partly_reached |= {step for step in steps if any(_may_serve(facts, call, step) for call in more)}


def plan_watched(facts: Facts, plan: Plan) -> None:
    """Find the steps that leave parameters without gradients, in programs that look which have one."""
    watched = [step for step in facts.steps if step.problem is None and any(update.asks for update in step.updates)]
    reaches = _Reaches(facts) if watched else None
    plan.partly_watched.update(step for step in watched if reaches is not None and reaches.missed([step], decays=True))


class _Reaches:
    """What the steps of a file reach. `fields` are the fields with parameters of its classes, and where they are made."""

    def __init__(self, facts: Facts) -> None:
        choices = Choices(facts.program, facts.values, find_differentiated(facts.program, facts.steps))
        self.facts = facts
        self.ways = {ways: Reach(facts.program, facts.values, choices, ways) for ways in Ways}
        self.fields: dict[Key, cst.CSTNode] = {}
        self.values: dict[Key, Value] = {}
        for item in facts.program.classes.values():
            for name, node, value in _parameter_fields(facts, item) if item.is_module else ():
                self.fields[Key(item.key, name)] = node
                self.values[Key(item.key, name)] = value

    @property
    def by_value(self) -> set[Key]:
        """The fields that a value of a tensor chooses among: no tracing sees whether a step reaches them."""
        found = self.ways[Ways.ANY].by_value
        return {key for key in self.fields if any(self._is_of(item, key) for item in found)}

    def missed(self, steps: Sequence[Step], decays: bool) -> set[Key]:
        """The fields that some steps do not reach, and that an optimizer would change then."""
        missing: set[Key] = set()
        for step in steps:
            missing |= self._trained(step) - self._reached(step, Ways.ALL if decays else Ways.ONE_RUN)
        return missing if decays else missing & {key for step in steps for key in self._reached(step, Ways.ANY)}

    def _reached(self, step: Step, ways: Ways) -> set[Key]:
        found = self.ways[ways].of_step(step.forward, step.loss)
        return {key for key in self.fields if self._is_in(key, [item for item in found if self._is_of(item, key)])}

    def _is_of(self, found: Key, key: Key) -> bool:
        """Whether a field that is read may be the one of a class: of its own, of a base class, or of one that inherits it."""
        classes = self.facts.program.class_by_key
        one, other = classes.get(found.cls), classes[key.cls]
        related = one is not None and (other in one.lineage or one in other.lineage)
        return related and found.field in (WHOLE, key.field)

    def _is_in(self, key: Key, found: Sequence[Key]) -> bool:
        members = {item.member for item in found}
        if WHOLE in members:
            return True
        items = self.values[key].items
        return bool(members) and (items is None or len(members) >= len(items))

    def _trained(self, step: Step) -> set[Key]:
        """The fields with parameters of the modules that a step trains."""
        region: list[cst.CSTNode] = [*step.forward, cst.Expr(step.loss)]
        sites = frozenset[int]().union(*(self.facts.values(item).sites for item in _optimizers(step)))
        classes: set[str] = set()
        for place in step.models:
            value = value_of_place(region, place, self.facts.values)
            if value is not None and (not sites or not value.sites or sites & value.sites):
                classes |= self._classes_in(value, set())
        return {key for key in self.fields if any(key.cls == name for name in classes)}

    def _classes_in(self, value: Value, seen: set[str]) -> set[str]:
        """The classes of a module, of its parts, and their base classes."""
        for name in value.types - seen if value.kind is Kind.MODULE else ():
            item = self.facts.program.class_by_key.get(name)
            if item is not None:
                seen.update(base.key for base in item.lineage)
                for _, part in item.all_fields():
                    self._classes_in(part, seen)
        for part in value.parts:
            self._classes_in(part, seen)
        return seen


def _optimizers(step: Step) -> list[cst.BaseExpression]:
    found = [update.node for update in step.updates] if step.updates else [step.optimizer]
    return [node for node in found if node is not None]


def _may_serve(facts: Facts, maker: cst.Call, step: Step) -> bool:
    """Whether the optimizer of a step may be the one that a call makes."""
    made = facts.values(maker).types
    types = [facts.values(node).types for node in _optimizers(step)]
    return any(not own or not made or own & made for own in types)


def _is_optimizer(facts: Facts, call: cst.Call) -> bool:
    name = facts.values.torch_name(call.func)
    return name is not None and name.startswith("torch.optim.") and facts.values(call).kind is Kind.OPTIMIZER


def _is_apart(facts: Facts, maker: cst.Call) -> bool:
    """Whether an optimizer treats each of its parameters by itself, and all alike."""
    return facts.values.torch_name(maker.func) not in _TOGETHER


def _remembers(facts: Facts, call: cst.Call) -> bool:
    """Whether a call makes an optimizer that changes parameters also where the gradient is zero."""
    if not _is_optimizer(facts, call):
        return False
    if facts.values.torch_name(call.func) != "torch.optim.SGD":
        return True
    return _may_be_given(facts, call, "momentum") or _decays(facts, call)


def _decays(facts: Facts, call: cst.Call) -> bool:
    """Whether a call makes an optimizer that shrinks weights, or may do so."""
    return _may_be_given(facts, call, "weight_decay")


def _may_be_given(facts: Facts, call: cst.Call, option: str) -> bool:
    """Whether an option of an optimizer may be other than 0."""
    name = facts.values.torch_name(call.func) or ""
    spec = facts.tables.functions.get(name)
    if spec is None or any(argument.star for argument in call.args):
        return True
    if option == "weight_decay" and GROUPED in facts.values(call).among:
        return True  # a group may say so
    try:
        given = bind(parse_signature(spec.signature), call.args).one(option)
    except BindError:
        return True
    return name in _DECAYING if given is None else facts.values(given).const not in (0, 0.0)


def _parameter_fields(facts: Facts, item: Class) -> Iterator[tuple[str, cst.CSTNode, Value]]:
    init = item.methods.get("__init__")
    for node in descendants(init.node.body) if init is not None else ():
        if not isinstance(node, cst.Assign) or len(node.targets) != 1:
            continue
        for target, value in _pairs(node.targets[0].target, node.value):
            if isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name) and init is not None:
                if target.value.value == init.self_name and _has_parameters(facts, facts.values(value)):
                    yield target.attr.value, target, facts.values(value)


def _pairs(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """The targets of an assignment beside what each is given."""
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        for one, other in zip(target.elements, value.elements, strict=True):
            yield from _pairs(one.value, other.value)
    else:
        yield target, value


def _has_parameters(facts: Facts, value: Value) -> bool:
    if value.kind is Kind.TENSOR:
        return "parameter" in value.types
    if value.kind is not Kind.MODULE:
        return False
    for name in value.types:
        row = facts.tables.layers.get(name)
        if row is not None and (facts.target.draws_at_init(row) or "Norm" in name):
            return True
        item = facts.program.class_by_key.get(name)
        if item is not None and any(_has_parameters(facts, field) for _, field in item.all_fields()):
            return True
    return any(_has_parameters(facts, member) for member in value.parts)

"""Parameters that the loss of a step does not reach: their gradient is None in torch, whose optimizers then leave them alone, and
zero in JAX, where weight decay, momentum and the count of steps go on all the same. Where that makes a difference, gradients are
None here, too, and each parameter has an optimizer state of its own.

optimizer = AdamW(net.parameters())    ->    optimizer = per_parameter(optax.adamw(1e-3, weight_decay=0.01))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

import libcst as cst

from torch2jax.facts.choices import Choices
from torch2jax.facts.differentiated import Asked, find_differentiated
from torch2jax.facts.parameters import given_parameters, makes_optimizer
from torch2jax.facts.reach import WHOLE, Key, Reach, Ways
from torch2jax.facts.training import Step, sets_zeros, value_of_place
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.plan.model import Facts, Plan
from torch2jax.program.program import Class, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import GROUPED, Kind, Value

_DECAYING = {"torch.optim.AdamW"}  # by default
_BY_NORM = "torch.nn.utils.clip_grad_norm_"
_TOGETHER = {"torch.optim.LBFGS"}  # their updates are of all parameters at once


def plan_unreached(facts: Facts, plan: Plan) -> None:
    """Find the optimizers to which it matters that steps do not reach all they train, and their steps."""
    steps = [step for step in (*facts.steps, *facts.steps_elsewhere) if step.problem is None and _optimizers(step)]
    if not steps:
        return
    every = [call for file in facts.program.files for call in file.index.calls]
    optimizers, steps = _related_to_file(facts, [call for call in every if _is_optimizer(facts, call)], steps)
    watched = [step for step in steps if _tells_apart(step)]
    makers = [
        call for call in optimizers if _remembers(facts, call) or any(_may_serve(facts, call, step) for step in watched)
    ]
    if not makers:
        return
    reaches = _Reaches(facts)
    zeros = any(_gives_zeros(call) for call in every)
    for maker in makers:
        own = [step for step in steps if _may_serve(facts, maker, step)]
        missing = reaches.missed(own, _decays(facts, maker) or any(step in watched for step in own))
        is_apart = facts.target.reached_gradient is not None and _is_apart(facts, maker)
        refused = missing & reaches.by_value if missing and is_apart else missing
        if zeros:
            refused |= missing & reaches.now_and_then(own)
        if maker in facts.program.index.parents:
            for key in sorted(refused, key=str):
                node = reaches.fields[key]
                plan.problem(node if node in facts.program.index.parents else maker, "T2J506", name=key.field)
        if missing and is_apart:
            plan.per_parameter.add(maker)
            plan.partly_reached.update(own)
    while more := {
        call
        for call in optimizers
        if call not in plan.per_parameter and any(_may_serve(facts, call, step) for step in plan.partly_reached)
    }:
        plan.per_parameter |= more
        plan.partly_reached |= {step for step in steps if any(_may_serve(facts, call, step) for call in more)}
    for step in [item for item in plan.partly_reached if item.carried]:
        # the pullback of what was computed before gives all parameters a gradient
        plan.partly_reached.remove(step)
        is_here = step.backward in facts.program.index.parents
        for key in sorted(reaches.missed([step], decays=True), key=str) if is_here else ():
            plan.problem(step.backward, "T2J506", name=key.field)


_CUTTING = frozenset({"data", "detach", "item", "numpy", "tolist"})


def _reads_each(step: Step, entry: cst.BaseExpression) -> bool:
    """Whether the loss of a step takes the entries of a list apart, and follows gradients through each part."""
    match entry:
        case cst.Tuple(elements=elements):
            count = len(elements)
        case cst.Call(args=args):
            count = len(args)
        case _:
            return True
    nodes = [node for item in step.region for node in (item, *descendants(item))]
    cut = {node.value for node in nodes if isinstance(node, cst.Attribute) and node.attr.value in _CUTTING}
    bound = {item for node in nodes for item in _target_names(node)}
    read = {node.value for node in nodes if isinstance(node, cst.Name) and node not in cut and node not in bound}
    for node in nodes:
        names = _target_names(node)
        if len(names) == count and all(name.value in read for name in names):
            return True
    return False


def _target_names(node: cst.CSTNode) -> list[cst.Name]:
    """The names in a tuple on the left of an assignment or of a loop, where it holds nothing else."""
    if not isinstance(node, cst.AssignTarget | cst.For | cst.CompFor):
        return []
    tuples = [item for item in (node.target, *descendants(node.target)) if isinstance(item, cst.Tuple)]
    found = [[part.value for part in item.elements] for item in tuples]
    plain = [names for names in found if all(isinstance(name, cst.Name) for name in names)]
    return plain[0] if plain else []  # type: ignore[return-value]


def _related_to_file(
    facts: Facts, optimizers: Sequence[cst.Call], steps: Sequence[Step]
) -> tuple[list[cst.Call], list[Step]]:
    """The optimizers and steps of this file, those that they may serve or be served by, and so on: no others matter to it."""
    own = {*(call for call in optimizers if call in facts.program.index.parents), *facts.steps}
    pairs = [(call, step) for call in optimizers for step in steps if _may_serve(facts, call, step)]
    while more := {item for pair in pairs if not own.isdisjoint(pair) for item in pair} - own:
        own |= more
    return [call for call in optimizers if call in own], [step for step in steps if step in own]


def _tells_apart(step: Step) -> bool:
    """Whether loops do something for those parameters only that have a gradient."""
    return any(read.changes or read.is_for_some for update in step.updates for read in update.reads)


def _gives_zeros(call: cst.Call) -> bool:
    """Whether a call is `zero_grad(set_to_none=False)`: where there was a gradient, there is one from then on."""
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "zero_grad" and sets_zeros(call)


def plan_watched(facts: Facts, plan: Plan) -> None:
    """Find the steps that leave parameters without gradients, in programs that look which have one."""
    watched = [step for step in facts.steps if step.problem is None and any(update.asks for update in step.updates)]
    reaches = _Reaches(facts) if watched else None
    plan.partly_watched.update(step for step in watched if reaches is not None and reaches.missed([step], decays=True))


def plan_left_over(facts: Facts, plan: Plan) -> None:
    """Report gradients that are clipped by a norm in which those of parameters count that no optimizer has, and none empties."""
    every = [call for file in facts.program.files for call in file.index.calls]
    clips = [call for call in facts.program.index.calls if facts.values.torch_name(call.func) == _BY_NORM]
    if not clips or any(facts.program.home(call).mentions("requires_grad") for call in clips):
        return
    emptied = [call for call in every if isinstance(call.func, cst.Attribute) and call.func.attr.value == "zero_grad"]
    if any(facts.values(call.func.value).kind is not Kind.OPTIMIZER for call in emptied):  # type: ignore[attr-defined]
        return
    given = [given_parameters(call) for call in every if _is_optimizer(facts, call)]
    parts = [list(_listed(node)) if node is not None else [] for node in given]
    for call in clips:
        owner = given_parameters(call)
        for module in _listed(owner) if owner is not None else ():
            held = {field: part for found in parts for field, part in _fields_of(found, module)}
            others = [item for found in parts for item in found if not _is_below(item, module)]
            covered = not all(parts) or any(_may_be_same(facts, item, module) for item in others)
            classes = [facts.program.class_by_key.get(name) for name in facts.values(module).types]
            fields = [name for item in classes if item is not None for name, _, _ in _parameter_fields(facts, item)]
            rest = [name for name in fields if name not in held]
            if held and rest and not covered:
                reason = f"the gradients of `{rest[0]}`, which no optimizer has, and no `zero_grad()` empties, count in the norm"
                plan.problem(call, "T2J500", reason=reason)


def _listed(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The modules of which an expression lists all parameters."""
    for item in descendants(node):
        match item:
            case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
                yield module


def _may_be_same(facts: Facts, node: cst.BaseExpression, module: cst.BaseExpression) -> bool:
    one, other = facts.values(node).types, facts.values(module).types
    return not one or not other or not one.isdisjoint(other)


def _is_below(node: cst.BaseExpression, module: cst.BaseExpression) -> bool:
    return str(dotted(node)).startswith(f"{dotted(module)}.")


def _fields_of(
    nodes: Sequence[cst.BaseExpression], module: cst.BaseExpression
) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The fields of a module that some paths go through."""
    for node in nodes:
        if _is_below(node, module):
            yield str(dotted(node)).removeprefix(f"{dotted(module)}.").partition(".")[0], node


class _Reaches:
    """What the steps of a file reach. `fields` are the fields with parameters of its classes, and where they are made."""

    def __init__(self, facts: Facts) -> None:
        steps = (*facts.steps, *facts.steps_elsewhere)
        choices = Choices(facts.program, facts.values, find_differentiated(Asked(facts.program, facts.values, steps)))
        self.facts = facts
        self.ways = {ways: Reach(facts.program, facts.values, choices, ways) for ways in Ways}
        self.fields: dict[Key, cst.CSTNode] = {}
        self.values: dict[Key, Value] = {}
        self._known: dict[tuple[Step, Ways], set[Key]] = {}
        self._asked: dict[Step, None] = {}  # of which some way in may have been left for later
        for item in facts.program.module_classes():
            for name, node, value in _parameter_fields(facts, item):
                self.fields[Key(item.key, name)] = node
                self.values[Key(item.key, name)] = value

    @property
    def by_value(self) -> set[Key]:
        """The fields that a value of a tensor chooses among: no tracing sees whether a step reaches them."""
        for step in self._asked:
            self._reached(step, Ways.ANY)
        found = self._related(self.ways[Ways.ANY].by_value)
        return {key for key in self.fields if any(item.field in (WHOLE, key.field) for item in found[key.cls])}

    def missed(self, steps: Sequence[Step], decays: bool) -> set[Key]:
        """The fields that some steps do not reach, and that an optimizer would change then."""
        missing: set[Key] = set()
        self._asked.update(dict.fromkeys(steps))
        for step in steps:
            missing |= self._trained(step) - self._reached(step, Ways.ALL if decays else Ways.ONE_RUN)
        if decays:
            return missing
        return missing & {key for step in steps for key in self._reached(step, Ways.ANY)} if missing else missing

    def now_and_then(self, steps: Sequence[Step]) -> set[Key]:
        """The fields that some steps reach, and others do not."""
        some = {key for step in steps for key in self._reached(step, Ways.ANY)}
        return {key for step in steps for key in some - self._reached(step, Ways.ONE_RUN)}

    def _reached(self, step: Step, kind: Ways) -> set[Key]:
        if (step, kind) not in self._known:
            self._known[step, kind] = self._find_reached(step, kind)
        return self._known[step, kind]

    def _find_reached(self, step: Step, kind: Ways) -> set[Key]:
        found = self._related(self.ways[kind].of_step(step.whole, step.loss))
        for part in step.carried:
            if part.stores and _reads_each(step, part.loss):
                for cls, items in self._related(self.ways[kind].of_step(part.forward, part.loss)).items():
                    found[cls] = [*found[cls], *items]
        several = self._made_often(step) if kind is not Ways.ANY else set()
        reached = set[Key]()
        for key in self.fields:
            own = found[key.cls]
            entries = {item.entry for item in own if item.entry} if key.cls in several else set()
            read = [item for item in own if item.field in (WHOLE, key.field)]
            # of several objects of a class, each may have been entered in one way only
            ways = [[item for item in read if item.entry in ("", entry)] for entry in sorted(entries)] or [read]
            if all(self._is_in(key, way) for way in ways):
                reached.add(key)
        return reached

    def _made_often(self, step: Step) -> set[str]:
        """The classes of which a step may train several objects."""
        counts = Counter[str]()
        for value in self._trained_values(step):
            self._count(value, counts)
        return {name for name, count in counts.items() if count > 1}

    def _count(self, value: Value, counts: Counter[str]) -> None:
        for name in sorted(value.types) if value.kind is Kind.MODULE else ():
            item = self.facts.program.class_by_key.get(name)
            if item is not None and counts[name] < 2:
                counts.update(base.key for base in item.lineage)
                for _, part in item.all_fields():
                    self._count(part, counts)
        for part in value.parts:
            self._count(part, counts)
            self._count(part, counts)  # a container has several of them

    def _related(self, found: Collection[Key]) -> dict[str, list[Key]]:
        """Of fields that are read, those of each class with parameters: its own, of base classes, and of those that inherit it."""
        by_class: dict[str, list[Key]] = {}
        for key in found:
            by_class.setdefault(key.cls, []).append(key)
        classes = {key.cls for key in self.fields}
        return {name: [key for one in self._families[name] for key in by_class.get(one, ())] for name in classes}

    @cached_property
    def _families(self) -> dict[str, set[str]]:
        """The names of each class, of its base classes, and of the classes that inherit it."""
        classes = self.facts.program.class_by_key
        names = {item: name for name, item in classes.items()}
        found = {name: {name} for name in classes}
        for name, item in classes.items():
            for base in item.lineage:
                if base in names:
                    found[name].add(names[base])
                    found[names[base]].add(name)
        return found

    def _is_in(self, key: Key, found: Sequence[Key]) -> bool:
        members = {item.member for item in found}
        if WHOLE in members:
            return True
        items = self.values[key].items
        return bool(members) and (items is None or len(members) >= len(items))

    def _trained_values(self, step: Step) -> Iterator[Value]:
        """The modules that a step trains."""
        sites = frozenset[int]().union(*(self.facts.values(item).sites for item in _optimizers(step)))
        for place in step.reached:
            value = value_of_place(step.named, place, self.facts.values)
            if value is not None and (not sites or not value.sites or sites & value.sites):
                yield value

    def _trained(self, step: Step) -> set[Key]:
        """The fields with parameters of the modules that a step trains."""
        classes: set[str] = set()
        for value in self._trained_values(step):
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
    return makes_optimizer(call, facts.values)


def _is_apart(facts: Facts, maker: cst.Call) -> bool:
    """Whether an optimizer treats each of its parameters by itself, and all alike."""
    return facts.values.torch_name(maker.func) not in _TOGETHER


def _remembers(facts: Facts, call: cst.Call) -> bool:
    """Whether an optimizer that a call makes changes parameters also where the gradient is zero."""
    if facts.values.torch_name(call.func) != "torch.optim.SGD":
        return True
    return may_be_given(facts, call, "momentum") or _decays(facts, call)


def _decays(facts: Facts, call: cst.Call) -> bool:
    """Whether a call makes an optimizer that shrinks weights, or may do so."""
    return may_be_given(facts, call, "weight_decay")


def may_be_given(facts: Facts, call: cst.Call, option: str) -> bool:
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


def _has_parameters(facts: Facts, value: Value, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a value has parameters; `seen` are the classes around it, which may hold modules of their own."""
    if value.kind is Kind.TENSOR:
        return "parameter" in value.types
    if value.kind is not Kind.MODULE:
        return False
    for name in value.types - seen:
        row = facts.tables.layers.get(name)
        if row is not None and (row.draws_parameters() or facts.target.draws_at_init(row) or "Norm" in name):
            return True
        item = facts.program.class_by_key.get(name)
        fields = item.all_fields() if item is not None else ()
        if any(_has_parameters(facts, field, seen | {name}) for _, field in fields):
            return True
    return any(_has_parameters(facts, member, seen) for member in value.parts)

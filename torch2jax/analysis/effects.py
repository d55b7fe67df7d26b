"""Effects over the call graph: what draws random numbers, keeps state, changes its arguments, or sets a mode.

Summaries of functions are the least fixpoint over the calls among them (a may-analysis: a function has an effect if some
statement of it may have it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache

import libcst as cst

from torch2jax.analysis.infer import Values
from torch2jax.analysis.program import Class, Function, Program, dotted
from torch2jax.ops.schema import LayerSpec, Tables
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value


class Draw(IntEnum):
    """How a call uses randomness: not, only where a key is given (dropout, which rests in inference), or always."""

    NONE = 0
    OPTIONAL = 1
    REQUIRED = 2


@dataclass(slots=True)
class Summary:
    """The effects of one function. `mutates` names the parameters (in order) whose objects it changes."""

    draw: Draw = Draw.NONE
    state: bool = False
    seeds: bool = False
    mutates: dict[str, str] = field(default_factory=dict)
    modes: frozenset[str] = frozenset()


MODE_LAYERS = frozenset({"rng-optional", "state", "mode"})


@dataclass(slots=True)
class Effects:
    """Answers about calls, values and functions."""

    program: Program
    values: Values
    tables: Tables
    init_draws: Callable[[LayerSpec], bool]
    modules_take_key: bool = True
    summaries: dict[Function, Summary] = field(default_factory=dict)
    calls: dict[Function, list[cst.Call]] = field(default_factory=dict)
    _evaluated: dict[Function | None, frozenset[str]] = field(default_factory=dict)

    def of(self, function: Function) -> Summary:
        return self.summaries.setdefault(function, Summary())

    def classes_of(self, value: Value) -> list[Class]:
        return [self.program.class_by_key[key] for key in sorted(value.types) if key in self.program.class_by_key]

    # modules

    def members(self, value: Value) -> Iterator[Value]:
        """The modules directly inside a container."""
        yield from value.items or ()
        if value.elem is not None and value.items is None:
            yield value.elem

    def is_stateful(self, value: Value) -> bool:
        """Whether a module keeps state that its call changes."""
        if value.kind is not Kind.MODULE:
            return False
        for name in value.types:
            layer = self.tables.layers.get(name)
            if layer is not None and "state" in layer.effects:
                return True
            item = self.program.class_by_key.get(name)
            if item is not None and self.class_is_stateful(item):
                return True
        return any(self.is_stateful(member) for member in self.members(value))

    def class_is_stateful(self, item: Class, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a module class has, somewhere below, a layer with state."""
        if item.key in seen:
            return False
        return any(self._holds_state(value, seen | {item.key}) for _, value in item.all_fields())

    def _holds_state(self, value: Value, seen: frozenset[str]) -> bool:
        if value.kind is Kind.MODULE:
            for name in value.types:
                layer = self.tables.layers.get(name)
                if layer is not None and "state" in layer.effects:
                    return True
                item = self.program.class_by_key.get(name)
                if item is not None and self.class_is_stateful(item, seen):
                    return True
        return any(self._holds_state(member, seen) for member in self.members(value)) if value.kind in (
            Kind.MODULE, Kind.LIST, Kind.TUPLE, Kind.DICT) else False  # fmt: skip

    def has_float_buffers(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a module holds buffers that could be taken for parameters: floating point, or of unknown dtype."""
        for name in value.types:
            item = self.program.class_by_key.get(name)
            if item is not None and name not in seen:
                for _, field_value in item.all_fields():
                    if is_float_buffer(field_value) or self.has_float_buffers(field_value, seen | {name}):
                        return True
        return any(self.has_float_buffers(member, seen) for member in self.members(value))

    def has_mode(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether train() and eval() make a difference to a module (of unknown class: they may)."""
        if value.kind is Kind.MODULE and not value.types:
            return True
        for name in value.types:
            layer = self.tables.layers.get(name)
            if layer is not None and layer.effects & MODE_LAYERS:
                return True
            item = self.program.class_by_key.get(name)
            if item is not None and name not in seen:
                if self.reads_training(item):
                    return True
                if any(self.has_mode(field_value, seen | {name}) for _, field_value in item.all_fields()):
                    return True
        return any(self.has_mode(member, seen) for member in self.members(value))

    def reads_training(self, item: Class) -> bool:
        """Whether a class (or a base class) reads `self.training`."""
        return any(_names_training(part.node) for part in item.lineage)

    def module_draw(self, value: Value) -> Draw:
        """How calling a module draws."""
        draw = Draw.NONE
        for name in value.types:
            layer = self.tables.layers.get(name)
            if layer is not None:
                if "rng" in layer.effects:
                    draw = max(draw, Draw.REQUIRED)
                elif "rng-optional" in layer.effects:
                    draw = max(draw, Draw.OPTIONAL)
            item = self.program.class_by_key.get(name)
            if item is not None:
                forward = item.method("forward")
                if forward is not None:
                    draw = max(draw, self.of(forward).draw)
            if name == "torch.nn.Sequential":
                draw = max([draw, *(self.module_draw(member) for member in self.members(value))])
        return draw

    # calls

    def draw_of(self, call: cst.Call) -> Draw:
        """How a call draws, by what it calls; modules in evaluation mode need no key."""
        draw = self._raw_draw(call)
        if draw is Draw.OPTIONAL and self._runs_evaluated(call):
            return Draw.NONE
        return draw

    def _runs_evaluated(self, call: cst.Call) -> bool:
        """Whether the modules that a call runs are in places that the function only ever sets to evaluation mode."""
        places = self.evaluated_places(self.program.function_around(call))
        if not places:
            return False
        if self.values(call.func).kind is Kind.MODULE:
            return dotted(call.func) in places
        modules = [argument.value for argument in call.args if self.values(argument.value).kind is Kind.MODULE]
        return bool(modules) and all(dotted(node) in places for node in modules)

    def evaluated_places(self, function: Function | None) -> frozenset[str]:
        """Places that a function sets to evaluation mode and never to training mode."""
        if not self._evaluated:
            modes: dict[Function | None, dict[str, set[str]]] = {}
            for call in self.program.index.calls:
                if isinstance(call.func, cst.Attribute) and call.func.attr.value in ("train", "eval"):
                    place = dotted(call.func.value)
                    if place is not None and self.values(call.func.value).kind is Kind.MODULE:
                        owner = self.program.function_around(call)
                        mode = "eval" if call.func.attr.value == "eval" or self._is_false(call) else "train"
                        modes.setdefault(owner, {}).setdefault(place, set()).add(mode)
            for owner, found in modes.items():
                only = {place for place, mode in found.items() if mode == {"eval"}}
                self._evaluated[owner] = frozenset(only - self._used_before_eval(owner, only))
            self._evaluated.setdefault(None, frozenset())
        return self._evaluated.get(function, frozenset())

    def _used_before_eval(self, function: Function | None, places: set[str]) -> set[str]:
        """The places that are called, or passed on, before the statement that sets them to evaluation mode."""
        waiting, used = set(places), set()
        for call in self.program.index.calls:
            if self.program.function_around(call) is not function:
                continue
            if isinstance(call.func, cst.Attribute) and call.func.attr.value == "eval":
                waiting.discard(dotted(call.func.value) or "")
            mentioned = {dotted(call.func), *(dotted(argument.value) for argument in call.args)}
            used |= waiting & mentioned
        return used

    def _is_false(self, call: cst.Call) -> bool:
        return bool(call.args) and self.values(call.args[0].value).const is False

    def _raw_draw(self, call: cst.Call) -> Draw:
        callee = self.values(call.func)
        name = self.values.torch_name(call.func)
        if name is not None:
            return self._torch_draw(name, call)
        if callee.kind is Kind.MODULE:
            return self.module_draw(callee) if self.modules_take_key else Draw.NONE
        reached = self.values.callees.get(call)
        if reached:
            return max(self.of(function).draw for function in reached)
        if isinstance(call.func, cst.Attribute):
            return self._method_draw(call, call.func)
        return Draw.NONE

    def _torch_draw(self, name: str, call: cst.Call) -> Draw:
        layer = self.tables.layers.get(name)
        if layer is not None:
            return Draw.REQUIRED if self.init_draws(layer) else Draw.NONE
        spec = self.tables.functions.get(name)
        if spec is None:
            return Draw.NONE
        if "rng" in spec.effects:
            return self._optional(call, spec.signature) if "training" in spec.signature else Draw.REQUIRED
        if "rng-optional" in spec.effects:
            return self._optional(call, spec.signature)
        return Draw.NONE

    def _optional(self, call: cst.Call, signature: str) -> Draw:
        """F.dropout and its like: always drawing by default, optional with a mode, nothing with False."""
        if "dropout_p" in signature:  # attention
            place = [name.split("=")[0].strip() for name in signature.split(",")].index("dropout_p")
            rate = next((arg.value for arg in call.args if arg.keyword and arg.keyword.value == "dropout_p"), None)
            positional = len(call.args) > place and not call.args[place].keyword
            rate = rate or (call.args[place].value if positional else None)
            if rate is None or self.values(rate).const in (0, 0.0):
                return Draw.NONE
            return Draw.OPTIONAL
        for position, argument in enumerate(call.args):
            if (argument.keyword is not None and argument.keyword.value == "training") or (
                argument.keyword is None and position == 2
            ):
                const = self.values(argument.value).const
                return (
                    {True: Draw.REQUIRED, False: Draw.NONE}.get(const, Draw.OPTIONAL)
                    if isinstance(const, bool)
                    else Draw.OPTIONAL
                )
        return Draw.REQUIRED

    def _method_draw(self, call: cst.Call, function: cst.Attribute) -> Draw:
        base = self.values(function.value)
        name = function.attr.value
        if base.kind is Kind.TENSOR:
            spec = self.tables.method(name)
            return Draw.REQUIRED if spec is not None and "rng" in spec.effects else Draw.NONE
        if base.kind is Kind.TORCH_OBJECT:
            spec = self.tables.method_of(base.types, name)
            return Draw.REQUIRED if spec is not None and "rng" in spec.effects else Draw.NONE
        if name == "apply" and base.kind is Kind.MODULE and call.args:
            applied = self.values(call.args[0].value)
            functions = [self.program.by_key[key] for key in applied.types if key in self.program.by_key]
            return max((self.of(item).draw for item in functions), default=Draw.NONE)
        return Draw.NONE

    def uses_kept_key(self, function: Function | None) -> bool:
        """Whether a function finds randomness in its module: its methods, where modules are not given keys."""
        if self.modules_take_key or function is None or function.owner is None or function.self_name is None:
            return False
        return function.owner.is_module and function.name != "__init__"

    def keeps_key(self, item: Class) -> bool:
        """Whether instances must keep something to draw from, as a method draws."""
        methods = [method for method in item.methods.values() if self.uses_kept_key(method)]
        return any(self.draw_of(call) is not Draw.NONE for method in methods for call in self.calls.get(method, ()))

    def seeds(self, call: cst.Call) -> bool:
        """Whether a call sets torch's global seed."""
        if self.values.torch_name(call.func) in SEEDERS:
            return True
        return any(self.of(function).seeds for function in self.values.callees.get(call, ()))

    def threads_state(self, call: cst.Call) -> bool:
        """Whether a call takes and gives back the state of the module it runs in (or runs)."""
        callee = self.values(call.func)
        if callee.kind is Kind.MODULE:
            return self.is_stateful(callee)
        return any(
            function.is_method and self.of(function).state and function.name != "__init__"
            for function in self.values.callees.get(call, ())
        )


SEEDERS = {"torch.manual_seed", "torch.random.manual_seed"}
CUDA_SEEDERS = {"torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "torch.mps.manual_seed"}


def analyse_effects(
    program: Program,
    values: Values,
    tables: Tables,
    init_draws: Callable[[LayerSpec], bool],
    modules_take_key: bool = True,
    imported: Mapping[Function, Summary] | None = None,
) -> Effects:
    """Summaries of all functions, by iteration to the least fixpoint; those of imported files are given."""
    effects = Effects(program, values, tables, init_draws, modules_take_key)
    effects.summaries.update(imported or {})
    calls: dict[Function, list[cst.Call]] = {function: [] for function in program.functions.values()}
    for call in program.index.calls:
        function = program.function_around(call)
        if function is not None:
            calls[function].append(call)
    effects.calls = calls
    changed = True
    while changed:
        changed = False
        for function, inside in calls.items():
            changed |= _update(effects, function, inside)
    return effects


def _update(effects: Effects, function: Function, calls: list[cst.Call]) -> bool:
    summary = effects.of(function)
    before = (summary.draw, summary.state, summary.seeds)
    seeded = any(effects.seeds(call) for call in calls)
    draws = max((effects.draw_of(call) for call in calls), default=Draw.NONE)
    if draws is Draw.OPTIONAL and any(_is_backward(call) for call in calls):
        draws = Draw.REQUIRED  # training: dropout is active
    summary.seeds = summary.seeds or (seeded and draws is Draw.NONE)
    if not seeded:
        summary.draw = max(summary.draw, draws)
    owner = function.owner
    if effects.uses_kept_key(function):
        summary.draw = Draw.NONE
    elif function.name == "__init__" and owner is not None and owner.is_module and effects.keeps_key(owner):
        summary.draw = Draw.REQUIRED
    if owner is not None and owner.is_module and function.name != "__init__":
        summary.state = summary.state or any(effects.threads_state(call) for call in calls)
    return before != (summary.draw, summary.state, summary.seeds)


def is_float_buffer(value: Value) -> bool:
    """Whether a field holds a buffer that is not known to be integer or boolean."""
    if value.kind is Kind.TORCH_OBJECT:
        return True  # it holds tensors that torch does not train
    return value.kind is Kind.TENSOR and "buffer" in value.types and not is_discrete(value.dtype)


def is_discrete(dtype: str | None) -> bool:
    """Whether a dtype is known to be integer or boolean."""
    return dtype is not None and dtype.startswith(("int", "uint", "bool"))


def _is_backward(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "backward"


@lru_cache(maxsize=2048)
def _names_training(definition: cst.ClassDef) -> bool:
    """Whether `self.training` stands in a class."""
    return any(
        type(node) is cst.Attribute
        and node.attr.value == "training"
        and isinstance(node.value, cst.Name)
        and node.value.value == "self"
        for node in descendants(definition.body)
    )

"""Effects over the call graph: what draws random numbers, keeps state, changes its arguments, or sets a mode.

Summaries of functions are the least fixpoint over the calls among them (a may-analysis: a function has an effect if some
statement of it may have it).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from functools import lru_cache

import libcst as cst

from torch2jax.facts.bindings import Bindings
from torch2jax.facts.datasets import transforms_given
from torch2jax.facts.given_modules import find_given_modules, is_known_to_keep_none
from torch2jax.facts.infer import Values
from torch2jax.facts.module_state import Form, ModuleState, find_module_state, form_of
from torch2jax.facts.outside_callers import called_by_others
from torch2jax.ops.modules import is_own_method
from torch2jax.ops.schema import FunctionSpec, LayerSpec, Tables
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.program.calls import arguments_by_parameter, is_backward
from torch2jax.program.program import Class, Function, Program, dotted, root_name
from torch2jax.records import dataclass
from torch2jax.syntax.walk import bound_names, descendants, own_nodes, ways
from torch2jax.values import Kind, Partial, Value, classes_beside_layers


class Draw(IntEnum):
    """How a call uses randomness: not, only where a key is given (dropout, which rests in inference), or always."""

    NONE = 0
    OPTIONAL = 1
    REQUIRED = 2


@dataclass(slots=True)
class Summary:
    """The effects of one function. `state`: it needs the state of its module, a function that is no method that of some modules;
    `changes_state`: it changes that, too.
    """

    draw: Draw = Draw.NONE
    state: bool = False
    changes_state: bool = False
    seeds: bool = False  # sets the global seed so that callers go on from it: it returns the key


_DRAWS, _STATE, _CHANGES = "draws", "state", "changes"
MODE_LAYERS = frozenset({"rng-optional", "state", "mode"})


@dataclass(slots=True)
class Effects:
    """Answers about calls, values and functions. `passed`: functions that are given, in a function, to one of `EAGER_CALLERS`."""

    program: Program
    values: Values
    tables: Tables
    init_draws: Callable[[LayerSpec], bool]
    modules_take_key: bool = True
    summaries: dict[Function, Summary] = field(default_factory=dict)
    imported: Mapping[Function, Summary] = field(default_factory=dict)  # of functions of other files
    read_modes: frozenset[str] | None = None  # the classes of whose modules a mode is read from outside
    calls: dict[Function, list[cst.Call]] = field(default_factory=dict)
    inner_calls: dict[Function, list[cst.Call]] = field(default_factory=dict)  # of the functions in a method
    module_state: ModuleState = field(default_factory=ModuleState)
    threads: bool = True  # state is passed on from call to call
    lambdas: dict[cst.Lambda, cst.Call] = field(default_factory=dict)  # that take a key, and what draws in them
    imported_lambdas: dict[cst.Lambda, Draw] = field(default_factory=dict)
    passed: dict[Function | None, list[cst.BaseExpression]] = field(default_factory=dict)
    may_seed: bool = True  # some call of the program sets the seed
    lost_seeds: set[Function] = field(default_factory=set)  # `__init__` that should return the key
    frozen: frozenset[str] = frozenset()  # classes whose modules keep the names of frozen parameters
    frozen_elsewhere: frozenset[str] = frozenset()  # those whose modules other files freeze
    frozen_by_themselves: frozenset[str] = (
        frozenset()
    )  # classes with methods that freeze their own modules, in all files
    opened: frozenset[tuple[str, str]] = (
        frozenset()
    )  # (class, field) that may get a tensor from outside, which is not trained
    settings: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)  # see `find_tensor_settings`
    bound: Bindings | None = None  # the calls that give modules their variables, where these have none before
    any_keeps: bool = False  # a module of which no class is known may keep state
    given: set[cst.Call] = field(default_factory=set)  # calls of parts of any class, which may keep state
    beside: frozenset[tuple[str, str]] = frozenset()  # see `asked_beside`: of the functions of this file
    asked_beside: set[tuple[str, str]] = field(default_factory=set)
    """The keys of functions of other files that a call may run beside others, with what they take because these do."""
    _evaluated: dict[Function | None, frozenset[str]] = field(default_factory=dict)
    _called: dict[str, frozenset[str]] = field(default_factory=dict)  # fields that classes call as modules of any class
    _makes_frozen: bool | None = None
    _heirs: dict[str, list[Class]] = field(default_factory=dict)
    _methods: dict[str, list[tuple[Class, Function]]] = field(default_factory=dict)
    _kept_draws: list[tuple[Class, Function]] | None = None
    _transforms: set[str] | None = None  # the classes of objects that transforms of torchvision are given
    _stateful: dict[str, bool] | None = None  # classes, while summaries are looked for: none gets state then

    def of(self, function: Function) -> Summary:
        if function not in self.summaries:
            known = self.imported.get(function)
            if known is not None:
                return known
            self.summaries[function] = Summary()
        return self.summaries[function]

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
        if not value.types:
            return self.any_keeps
        for name in value.types:
            layer = self.tables.layers.get(name)
            if layer is not None and "state" in layer.effects:
                return True
            item = self.program.class_by_key.get(name)
            if item is not None and self.class_is_stateful(item):
                return True
        return any(self.is_stateful(member) for member in self.members(value))

    def class_is_stateful(self, item: Class) -> bool:
        """Whether a module class has state of its own or, somewhere below, a layer with state."""
        if self._stateful is None:
            return self._reaches_state(item, set())
        if item.key not in self._stateful:
            seen = {key for key, found in self._stateful.items() if not found}
            if self._reaches_state(item, seen):
                self._stateful[item.key] = True
            else:
                self._stateful.update(dict.fromkeys(seen, False))
        return self._stateful[item.key]

    def stateful_classes(self) -> frozenset[str]:
        """The keys of the classes of the file that are stateful."""
        before, self._stateful = self._stateful, {}
        found = frozenset([item.key for item in self.program.classes.values() if self.class_is_stateful(item)])
        self._stateful = before
        return found

    def _reaches_state(self, item: Class, seen: set[str]) -> bool:
        if item.key in seen:
            return False
        seen.add(item.key)
        if any(part.state or part.calls_any for part in item.lineage):
            return True
        if any(self._holds_state(value, seen) for _, value in item.all_fields()):
            return True
        return any(self._reaches_state(heir, seen) for part in item.lineage for heir in self._run_by(part))

    def _run_by(self, item: Class) -> Sequence[Class]:
        """The subclasses whose methods run where those of a class call `self.encode(x)` or `self(x)`, or whose state they ask
        for (`self.state_dict()`): the class and they are called alike, so that one of them that keeps state makes all of them
        take it.
        """
        if item.key not in self._heirs:
            called = self._called_on_self(item)
            asks = not _ASKING.isdisjoint(called)
            self._heirs[item.key] = [
                other
                for other in self.program.class_by_key.values()
                if other is not item
                and item in other.lineage
                and (asks or any(name in other.methods for name in called))
            ]
        return self._heirs[item.key]

    def _called_on_self(self, item: Class) -> frozenset[str]:
        """The methods that a class of the program calls on `self`."""
        methods = item.methods.values() if item.is_module else ()
        found = (_called_on(method.node, method.self_name) for method in methods if method.self_name is not None)
        return frozenset().union(*found)

    def _holds_state(self, value: Value, seen: set[str]) -> bool:
        if value.kind is Kind.MODULE:
            for name in value.types:
                layer = self.tables.layers.get(name)
                if layer is not None and "state" in layer.effects:
                    return True
                item = self.program.class_by_key.get(name)
                if item is not None and self._reaches_state(item, seen):
                    return True
        return any(self._holds_state(member, seen) for member in self.members(value)) if value.kind in (
            Kind.MODULE, Kind.LIST, Kind.TUPLE, Kind.DICT) else False  # fmt: skip

    def has_untrained(self, value: Value) -> bool:
        """Whether a module holds floating point values that are not trained: buffers, or frozen parameters."""
        return self.has_float_buffers(value) or self.has_frozen(value)

    def has_frozen(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a module, or a part of it, may keep names of frozen parameters."""
        if not self.frozen:
            return False
        for name in value.types:
            item = self.program.class_by_key.get(name)
            if item is not None and name not in seen:
                if any(part.key in self.frozen for part in item.lineage):
                    return True
                if any(self.has_frozen(field_value, seen | {name}) for _, field_value in item.all_fields()):
                    return True
        return any(self.has_frozen(member, seen) for member in self.members(value))

    @property
    def makes_frozen_parameters(self) -> bool:
        """Whether any module of the program makes parameters with requires_grad=False."""
        if self._makes_frozen is None:
            self._makes_frozen = any(map(_has_frozen_parameter, self.program.module_classes()))
        return self._makes_frozen

    def has_frozen_state(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether such parameters of a module change when it is called, so that its state holds them."""
        for item in self.classes_of(value) if self.makes_frozen_parameters else ():
            if item.key in seen:
                continue
            if any("frozen" in field.types for name, field in item.all_fields() if self._is_state_field(item, name)):
                return True
            if any(self.has_frozen_state(field, seen | {item.key}) for _, field in item.all_fields()):
                return True
        return any(self.has_frozen_state(member, seen) for member in self.members(value))

    @staticmethod
    def _is_state_field(item: Class, name: str) -> bool:
        return any(name in part.state for part in item.lineage)

    def has_frozen_parameters(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a module, or a part of it, may have parameters that were made with requires_grad=False."""
        if not self.makes_frozen_parameters:
            return False
        for name in value.types - seen:
            item = self.program.class_by_key.get(name)
            if item is not None and (
                _has_frozen_parameter(item)
                or any(self.has_frozen_parameters(field, seen | {name}) for _, field in item.all_fields())
            ):
                return True
        return any(self.has_frozen_parameters(member, seen) for member in self.members(value))

    def has_own_state(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a module, or a part of it, changes fields of its own: it may do so in evaluation, too."""
        if value.kind is Kind.MODULE and not value.types:
            return self.any_keeps and any(item.state for item in self.program.module_classes())
        for item in self.classes_of(value):
            if item.key in seen:
                continue
            if any(part.state for part in item.lineage):
                return True
            if any(self.has_own_state(part, seen | {item.key}) for _, part in item.all_fields()):
                return True
        return any(self.has_own_state(member, seen) for member in self.members(value))

    def has_float_buffers(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a module holds buffers that could be taken for parameters: floating point, or of unknown dtype."""
        for name in value.types:
            item = self.program.class_by_key.get(name)
            if item is not None and name not in seen:
                for field_name, field_value in item.all_fields():
                    if any(field_name in part.state for part in item.lineage):
                        continue  # it lives in the state
                    if is_float_buffer(field_value) or any(
                        (part.key, field_name) in self.opened for part in item.lineage
                    ):
                        return True
                    if self.has_float_buffers(field_value, seen | {name}):
                        return True
        return any(self.has_float_buffers(member, seen) for member in self.members(value))

    def may_be_derived(self, value: Value) -> bool:
        """Whether a module of a class, as its methods know it, may be of a class that derives from it."""
        classes = self.classes_of(value)
        others = (other for other in self.program.class_by_key.values() if other not in classes)
        return self.program.is_imported or any(item in other.lineage for other in others for item in classes)

    def has_mode(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether train() and eval() make a difference to a module (of unknown class: they may)."""
        if value.kind is Kind.MODULE and not value.types:
            return True
        of_several = value.called if value.kind is Kind.UNKNOWN else frozenset[str]()  # a layer or a function
        if "*" in of_several:
            return True
        for name in value.types | of_several:
            layer = self.tables.layers.get(name)
            if layer is not None and layer.effects & MODE_LAYERS:
                return True
            item = self.program.class_by_key.get(name)
            if item is not None and name not in seen:
                if self.reads_training(item) or any(_sets_parts_by_name(part.node) for part in item.lineage):
                    return True
                for field_name, field_value in item.all_fields():
                    if self.has_mode(field_value, seen | {name}) or self.may_hold_mode(item, field_name, field_value):
                        return True
        is_open = value.kind is Kind.MODULE and any(member.kind is Kind.UNKNOWN for member in self.members(value))
        return is_open or any(self.has_mode(member, seen) for member in self.members(value))

    def may_hold_mode(self, item: Class, name: str, value: Value) -> bool:
        """Whether a field of which nothing is known is called as a module, so that its class may have a mode."""
        if value.kind is not Kind.UNKNOWN or value.types or not item.is_module:
            return False
        if item.key not in self._called:
            functions = [
                call.func
                for part in item.lineage
                for call in descendants(part.node)
                if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)
                if dotted(call.func.value) == "self"
            ]
            of_any = [
                node for node in functions if self.values(node).kind is Kind.MODULE and not self.values(node).types
            ]
            self._called[item.key] = frozenset(node.attr.value for node in of_any)
        return name in self._called[item.key]

    def has_own_mode(self, item: Class) -> bool:
        """Whether train() and eval() of a module make a difference where a method of its class calls them."""
        heirs = [other for other in self.program.class_by_key.values() if item in other.lineage]
        return any(self.has_mode(Value(Kind.MODULE, types=frozenset({other.key}))) for other in heirs)

    def is_mode_method(self, receiver: Value, name: str) -> bool:
        """Whether a method sets the mode of its module, and is not one of the program's own under that name."""
        return name in ("train", "eval") and not any(item.method(name) for item in self.classes_of(receiver))

    def reads_training(self, item: Class) -> bool:
        """Whether a class (or a base class) reads `self.training`, or others read it of its modules."""
        if item.key in self.modes_read_outside():
            return True
        return any(
            _names_training(part.node)
            for part in item.lineage
            if self.program.mentions("training") or part.node not in self.program.classes
        )

    def modes_read_outside(self) -> frozenset[str]:
        """The classes of the program of whose modules a function reads `model.training`."""
        if self.read_modes is None:
            read = [node for node in self.program.index.attributes if node.attr.value == "training"]
            values = [self.values(node.value) for node in read]
            names = {name for value in values if value.kind is Kind.MODULE for name in value.types}
            self.read_modes = frozenset(self.program.class_by_key.keys() & names)
        return self.read_modes

    def module_draw(self, value: Value) -> Draw:
        """How calling a module draws; one of any class may."""
        draw = Draw.NONE if value.types or value.kind is not Kind.MODULE else Draw.OPTIONAL
        for name in value.types:
            layer = self.tables.layers.get(name)
            if layer is not None:
                if "rng" in layer.effects:
                    draw = max(draw, Draw.REQUIRED)
                elif "rng-optional" in layer.effects and not self._never_drops(layer, value):
                    draw = max(draw, Draw.OPTIONAL)
            item = self.program.class_by_key.get(name)
            if item is not None:
                forward = item.method("forward")
                if forward is not None:
                    draw = max(draw, self.of(forward).draw)
            if name == "torch.nn.Sequential":
                draw = max([draw, *(self.module_draw(member) for member in self.members(value))])
        return draw

    def _never_drops(self, layer: LayerSpec, value: Value) -> bool:
        """Whether a layer is made in this file only, and always with a dropout of 0."""
        calls = [self.values.made_by(site) for site in value.sites]
        return bool(calls) and all(
            isinstance(call, cst.Call)
            and self.values.torch_name(call.func) in value.types
            and self._drops_nothing(layer, call)
            for call in calls
        )

    def _drops_nothing(self, layer: LayerSpec, call: cst.Call) -> bool:
        signature = parse_signature(layer.signature)
        name = next((item for item in ("dropout", "p") if item in signature), None)
        if name is None:
            return False
        try:
            given = bind(signature, call.args).one(name)
        except BindError:
            return False
        if given is not None:
            return self.values(given).const in (0, 0.0) and self.values(given).is_number
        return signature[name].default in ("0", "0.0")

    # calls

    def may_keep_state(self) -> bool:
        """Whether a module of which no class is known may be one that keeps state: the program has such classes or layers."""
        seen: set[str] = set()  # of classes that reach no state
        if any(self._reaches_state(item, seen) for item in self.program.module_classes()):
            return True
        layers = (self.tables.layers.get(self.values.torch_name(node) or "") for node in self.program.index.attributes)
        return any(layer is not None and "state" in layer.effects for layer in layers)

    def overriding(self, call: cst.CSTNode, callees: Sequence[Function]) -> Iterator[Function]:
        """The methods of subclasses that `self.f()` runs besides, where `self` is of such a class."""
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            return
        around = self.program.function_around(call)
        if around is None or around.self_name is None or dotted(call.func.value) != around.self_name:
            return
        for function in callees:
            for item, method in self._methods_named(function.name):
                if method.key != function.key and _derives(item, function.owner):
                    yield method

    def _methods_named(self, name: str) -> Sequence[tuple[Class, Function]]:
        """The methods of a name of all classes of the program."""
        if not self._methods:
            for item in self.program.class_by_key.values():
                for method_name, method in item.methods.items():
                    self._methods.setdefault(method_name, []).append((item, method))
        return self._methods.get(name, ())

    def kept_numbers(self, always_arrays: bool) -> frozenset[cst.CSTNode]:
        """Reads of numbers that modules keep in their state, which are arrays in what is compiled: those of fields that may hold
        something else, too, or of all (`always_arrays`).
        """

        def is_array(node: cst.Attribute) -> bool:
            form = form_of(self.program, self.values, node)
            return (form is Form.NUMBER and always_arrays) or (form is Form.ANY and self.values(node).is_number)

        return frozenset(filter(is_array, self.module_state.reads))

    def draw_of(self, call: cst.Call) -> Draw:
        """How a call draws, by what it calls; modules in evaluation mode need no key."""
        draw = self._raw_draw(call)
        if draw is Draw.REQUIRED and self.program.mentions("training") and self._is_for_training(call):
            draw = Draw.OPTIONAL
        if draw is Draw.OPTIONAL and self._runs_evaluated(call):
            return Draw.NONE
        return draw

    def _is_for_training(self, call: cst.Call) -> bool:
        """Whether a module draws only in training: below `if self.training:`, or behind `if not self.training: return`."""
        function = self.program.function_running(call)
        if function is None or function.owner is None or not function.owner.is_module or function.self_name is None:
            return False
        flag = f"{function.self_name}.training"
        child: cst.CSTNode = call
        for ancestor in self.program.index.ancestors(call):
            if isinstance(ancestor, (cst.If, cst.IfExp)) and child is ancestor.body:
                if _needs(ancestor.test, flag):
                    return True
            elif isinstance(ancestor, (cst.If, cst.IfExp)) and child is ancestor.orelse:
                if _allows(ancestor.test, flag):
                    return True
            elif isinstance(ancestor, cst.IndentedBlock):
                for line in ancestor.body:
                    if line is child:
                        break
                    if isinstance(line, cst.If) and line.orelse is None and _leaves(line) and _allows(line.test, flag):
                        return True
            if ancestor is function.node:
                return False
            child = ancestor
        return False

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
                    place, receiver = dotted(call.func.value), self.values(call.func.value)
                    is_mode = receiver.kind is Kind.MODULE and self.is_mode_method(receiver, call.func.attr.value)
                    if place is not None and is_mode:
                        owner = self.program.function_around(call)
                        mode = "eval" if call.func.attr.value == "eval" or self._is_false(call) else "train"
                        modes.setdefault(owner, {}).setdefault(place, set()).add(mode)
            for owner, found in modes.items():
                only = {place for place, mode in found.items() if mode == {"eval"}}
                only -= set(self._with_training_parts(only, found, owner))
                self._evaluated[owner] = frozenset(only - self._used_before_eval(owner, only))
            self._evaluated.setdefault(None, frozenset())
        return self._evaluated.get(function, frozenset())

    def _with_training_parts(
        self, places: set[str], modes: Mapping[str, set[str]], function: Function | None
    ) -> Iterator[str]:
        """The places of which a function sets parts to training: `model.bn.train()`, or those that a loop goes through."""
        training = [place for place, mode in modes.items() if "train" in mode]
        scope: cst.CSTNode = function.node if function is not None else self.program.index.module
        targets = [node.target for node in descendants(scope, cst.AssignTarget)]
        stored = [node for node in targets if isinstance(node, cst.Attribute) and node.attr.value == "training"]
        training += [dotted(node.value) or "" for node in stored]
        training += [name for call in descendants(scope, cst.Call) for name in self._trained_by(call)]
        roots = {name.split(".")[0] for name in training}
        loops = [node for node in descendants(scope) if isinstance(node, cst.For | cst.CompFor)] if training else []
        over = [loop.iter for loop in loops if bound_names(loop.target) & roots]
        held = [node.value for node in descendants(scope, cst.Assign) if roots & _names_given(node)] if training else []
        names = [item for node in (*over, *held) for item in (node, *descendants(node))]
        read = {dotted(node) for node in names if isinstance(node, cst.Name | cst.Attribute)}
        read |= {name for call in descendants(scope, cst.Call) for name in self._handed_to_part_trainers(call)}
        for place in places:
            if place in read or any(name.startswith(f"{place}.") for name in training):
                yield place

    def _trained_by(self, call: cst.Call) -> Iterator[str]:
        """The places that a call gives to functions of the program which set them to training."""
        for callee in self.values.callees.get(call, ()):
            sets = [node.func for node in descendants(callee.node.body, cst.Call)]
            own = {
                dotted(node.value) for node in sets if isinstance(node, cst.Attribute) and node.attr.value == "train"
            }
            for name, given in arguments_by_parameter(callee, call, self.values) if own else ():
                if name in own and (place := dotted(given)) is not None:
                    yield place

    def _handed_to_part_trainers(self, call: cst.Call) -> Iterator[str]:
        """The places that a call gives to functions of the program which set something else than what they are given to training."""
        applied = isinstance(call.func, cst.Attribute) and call.func.attr.value == "apply" and len(call.args) == 1
        handed = [*call.args, cst.Arg(call.func.value)] if applied else call.args  # type: ignore[attr-defined]
        places = [place for item in handed if (place := dotted(item.value)) is not None]
        callees = [*self.values.callees.get(call, ())]
        if applied:
            keys = self.values(call.args[0].value).types
            callees += [self.program.by_key[key] for key in keys if key in self.program.by_key]
        for callee in callees if places else ():
            own = {item.name.value for item in callee.parameters} if not applied else set[str]()
            sets = (node.func for node in descendants(callee.node.body, cst.Call))
            if any(
                isinstance(node, cst.Attribute) and node.attr.value == "train" and dotted(node.value) not in own
                for node in sets
            ):
                yield from places

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
        if self.bound is not None and call in self.bound.calls:
            return Draw.REQUIRED
        callee = self.values(call.func)
        name = self.values.torch_name(call.func)
        if name is not None:
            return self._torch_draw(name, call)
        if callee.kind is Kind.MODULE:
            return self.module_draw(callee) if self.modules_take_key else Draw.NONE
        if callee.kind is Kind.UNKNOWN and callee.called and self.modules_take_key:
            draw = max(map(self._draw_of_named, callee.called))
            if draw is not Draw.NONE:
                return draw
        if callee.kind is Kind.TORCH and callee.types:
            layers = [self.tables.layers[item] for item in callee.types if item in self.tables.layers]
            return Draw.REQUIRED if any(self.init_draws(layer) for layer in layers) else Draw.NONE
        reached = self.values.callees.get(call) or self.values.partials.get(call)
        if reached:
            return max(self.of(function).draw for function in reached)
        if isinstance(call.func, cst.Attribute):
            return self._method_draw(call, call.func)
        called = self.values.lambda_of(call.func) if self.lambdas or self.imported_lambdas else None
        if called in self.lambdas:
            return self.draw_of(self.lambdas[called])
        return self.imported_lambdas.get(called, Draw.NONE) if called is not None else Draw.NONE

    def _draw_of_named(self, name: str) -> Draw:
        """How the call of a function, of a module of a class, or of another object draws."""
        item = self.program.class_by_key.get(name)
        if item is not None and not item.is_module:
            function = item.method("__call__")
        else:
            function = self.program.by_key.get(name)
        if function is not None:
            return self.of(function).draw
        return self.module_draw(Value(Kind.MODULE, types=frozenset({name} - {"*"})))

    def gains_beside_layers(self, call: cst.Call) -> str | None:
        """A class of the program, or a layer of torch that a call may make instead, of which one draws or keeps state when it is made."""
        beside = classes_beside_layers(self.values(call.func))
        if beside is None:
            return None
        items = [self.program.class_by_key[key] for key in sorted(beside[0].types & self.program.class_by_key.keys())]
        made = [item.method("__init__") for item in items]
        functions = [self.program.by_key[key] for key in sorted(beside[0].types & self.program.by_key.keys())]
        draws = any(item is not None and self.of(item).draw is not Draw.NONE for item in (*made, *functions))
        layers = [self.tables.layers[name] for name in beside[1].types if name in self.tables.layers]
        several = Value(Kind.MODULE, types=beside[0].types | beside[1].types)
        gains = draws or any(map(self.init_draws, layers)) or self.is_stateful(several)
        names = [*(item.name for item in items), *(item.name for item in functions)]
        return names[0] if names and gains else None

    def drawing_lambdas(self) -> dict[cst.Lambda, Draw]:
        """All lambdas that take a key, those of imported files among them."""
        return self.imported_lambdas | {node: self.draw_of(call) for node, call in self.lambdas.items()}

    def lambda_around(self, node: cst.CSTNode) -> cst.Lambda | None:
        """The lambda with a key that a node stands in."""
        return next((item for item in self.program.index.ancestors(node) if item in self.lambdas), None)  # type: ignore[return-value]

    def generator_of(self, call: cst.Call) -> cst.BaseExpression | None:
        """The generator that a draw of torch is given."""
        for argument in call.args:
            if argument.keyword is not None and argument.keyword.value == "generator":
                spec = self._row_of(call)
                is_default = self.values.torch_name(argument.value) is not None or dotted(argument.value) == "None"
                draws = spec is not None and "rng" in spec.effects and not is_default
                return argument.value if draws else None
        return None

    def _row_of(self, call: cst.Call) -> FunctionSpec | None:
        """The row of a function of torch or a method of a tensor."""
        name = self.values.torch_name(call.func)
        if name is not None:
            return self.tables.functions.get(name)
        if isinstance(call.func, cst.Attribute) and self.values(call.func.value).kind is Kind.TENSOR:
            return self.tables.method(call.func.attr.value)
        return None

    def may_be_none(self, generator: cst.BaseExpression) -> bool:
        """Whether an argument `generator=...` may be None, so that the global generator is meant."""
        if isinstance(generator, cst.Name):
            function = self.program.scope_of(self.program.function_around(generator), generator.value)
            if function is not None and generator.value in function.parameter_names:
                return _may_be_none(function.parameters[function.parameter_names.index(generator.value)])
            scope = function.node if function is not None else self.program.index.module
            for node in descendants(scope):
                if isinstance(node, (cst.Assign, cst.AnnAssign)) and _is_assigned(node, generator.value):
                    if node.value is None or any(dotted(part) == "None" for part in ways(node.value)):
                        return True
        if isinstance(generator, cst.Attribute) and self.values(generator.value).kind in (Kind.MODULE, Kind.OBJECT):
            name = generator.attr.value
            stored = [
                node.value
                for item in self.classes_of(self.values(generator.value))
                for part in item.lineage
                for node in descendants(part.node)
                if isinstance(node, cst.Assign)
                for target in node.targets
                if isinstance(target.target, cst.Attribute) and target.target.attr.value == name
            ]
            return not stored or any(self.may_be_none(node) for node in stored if not isinstance(node, cst.Attribute))
        return self.values(generator).kind is not Kind.GENERATOR

    def _torch_draw(self, name: str, call: cst.Call) -> Draw:
        layer = self.tables.layers.get(name)
        if layer is not None:
            return Draw.REQUIRED if self.init_draws(layer) else Draw.NONE
        if name in STATE_GETTERS or (name in FORKS and self.restores_key(call)):
            return Draw.REQUIRED
        spec = self.tables.functions.get(name)
        if spec is None:
            return Draw.NONE
        if "rng" in spec.effects:
            generator = self.generator_of(call)
            if generator is not None:
                return Draw.REQUIRED if self.may_be_none(generator) else Draw.NONE
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
            generator = self.generator_of(call)
            if generator is not None and not self.may_be_none(generator):
                return Draw.NONE
            return Draw.REQUIRED if spec is not None and "rng" in spec.effects else Draw.NONE
        if base.kind is Kind.TORCH_OBJECT:
            spec = self.tables.method_of(base.types, name)
            return Draw.REQUIRED if spec is not None and "rng" in spec.effects else Draw.NONE
        if self.modules_take_key and self.is_method_of_any_class(call) and any(map(self._is_no_setting, call.args)):
            return Draw.OPTIONAL
        if name == "apply" and base.kind is Kind.MODULE and call.args:
            applied = self.values(call.args[0].value)
            functions = [self.program.by_key[key] for key in applied.types if key in self.program.by_key]
            return max((self.of(item).draw for item in functions), default=Draw.NONE)
        return Draw.OPTIONAL if self.may_be_drawing_method(call) else Draw.NONE

    def may_be_drawing_method(self, call: cst.Call) -> bool:
        """Whether a method of something unknown is called that may be one of a class of the program, which draws."""
        function = call.func
        if not isinstance(function, cst.Attribute) or self.values(function.value).kind is not Kind.UNKNOWN:
            return False
        name = function.attr.value
        if self.values(function).kind is not Kind.UNKNOWN or self.values.callees.get(call):
            return False
        methods = [item.methods[name] for item in self.program.class_by_key.values() if name in item.methods]
        return any(self.of(item).draw is not Draw.NONE and not self.uses_kept_key(item) for item in methods)

    def is_method_of_any_class(self, call: cst.Call) -> bool:
        """Whether a method of a module is called that is none of torch's, nor of a class in sight: a field may hold it, or a
        class of another program.
        """
        function = call.func
        if not isinstance(function, cst.Attribute) or self.values(function.value).kind is not Kind.MODULE:
            return False
        callee, types = self.values(function), self.values(function.value).types
        known = bool(self.values.callees.get(call)) or self.values.lambda_of(function) is not None
        is_own = callee.kind is Kind.UNKNOWN and not known and is_own_method(function.attr.value)
        return is_own and types <= self.program.class_by_key.keys()

    def _is_no_setting(self, argument: cst.Arg) -> bool:
        """Whether a method is given more than texts and numbers."""
        value = self.values(argument.value)
        return not value.is_number and value.kind not in (Kind.STR, Kind.NONE, Kind.DEVICE, Kind.DTYPE)

    def draw_of_passed(self, node: cst.BaseExpression) -> Draw:
        """How a function of the program draws that stands as a value."""
        value = self.values(node)
        keys = value.const.keys if isinstance(value.const, Partial) else value.types
        functions = [self.program.by_key[key] for key in keys if key in self.program.by_key]
        return max((self.of(function).draw for function in functions), default=Draw.NONE)

    def uses_kept_key(self, function: Function | None) -> bool:
        """Whether a function finds randomness in its module: its methods, where modules are not given keys."""
        if self.modules_take_key or function is None or function.owner is None or function.self_name is None:
            return False
        if self.bound is not None:
            return function.owner.is_module and function not in self.bound.outside
        return function.owner.is_module and function.name != "__init__"

    def keeps_key(self, item: Class) -> bool:
        """Whether instances must keep something to draw from, as a method draws."""
        methods = [method for method in item.methods.values() if self.uses_kept_key(method)]
        return any(self.draw_of(call) is not Draw.NONE for method in methods for call in self.calls.get(method, ()))

    def in_fork(self, node: cst.CSTNode) -> bool:
        """Whether code runs below `with torch.random.fork_rng()`, which puts the global generator back."""
        return any(self.forks(item) is not None for item in self.program.index.ancestors(node))

    def forks(self, node: cst.CSTNode) -> cst.Call | None:
        """The call in `with torch.random.fork_rng():`."""
        calls = [part.item for part in node.items] if isinstance(node, cst.With) else []
        return next(
            (item for item in calls if isinstance(item, cst.Call) and self.values.torch_name(item.func) in FORKS), None
        )

    def draws_behind(self, node: cst.CSTNode, calls: Sequence[cst.Call]) -> bool:
        """Whether code that runs after a node draws: some calls behind it, or calls in a loop around it."""
        if any(self.draw_of(call) is not Draw.NONE for call in calls):
            return True
        function = self.program.function_running(node)
        loops = [item for item in self.program.index.ancestors(node) if isinstance(item, (cst.For, cst.While))]
        loops = [loop for loop in loops if self.program.function_running(loop) is function]
        return any(
            isinstance(item, cst.Call) and item is not node and self.draw_of(item) is not Draw.NONE
            for loop in loops[-1:]
            for item in descendants(loop)
        )

    def restores_key(self, call: cst.Call) -> bool:
        """Whether `torch.random.fork_rng()` matters: something draws behind its block."""
        function = self.program.function_running(call)
        calls = [item for item in self.program.index.calls if self.program.function_running(item) is function]
        block = self.program.index.statement_of(call)
        inside = {item for item in descendants(block) if isinstance(item, cst.Call)}
        behind = [item for item in calls[calls.index(call) :] if item not in inside]
        return self.draws_behind(block, behind)

    def seeds(self, call: cst.Call) -> bool:
        """Whether a call sets torch's global seed."""
        if not self.may_seed:
            return False
        if self.values.torch_name(call.func) in SEEDERS:
            return True
        return any(self.of(function).seeds for function in self.values.callees.get(call, ()))

    def are_seeded(self, function: Function | None, seeds: Sequence[cst.Call], draws: Sequence[cst.Call]) -> bool:
        """Whether a seed is set before each of some draws (or, without draws, before a function ends), whatever path is
        taken, and before a function ends that gives the key back; a call that sets it perhaps needs the key that there was.
        """
        sure = [call for call in seeds if self._seeds_for_sure(call)]
        places = [place for call in sure for place in self._seeded_blocks(call)]
        uncertain = [call for call in seeds if call not in sure]
        body = function.node.body if function is not None else self.program.index.module
        is_at_end = any(block is body for block, _ in places)
        leaving: list[cst.Return] = []
        if function is not None and self.of(function).seeds:
            returns = [node for node in own_nodes(function.node) if isinstance(node, cst.Return)]
            lines = [self.program.index.statement_of(node) for node in returns]
            if not is_at_end and body.body[-1] not in lines:
                return False
            leaving = [
                node for node, line in zip(returns, lines, strict=True) if all(line is not one for _, one in places)
            ]
        elif not draws:
            return is_at_end
        nodes = (*draws, *uncertain, *leaving)
        return all(any(self._is_behind(node, block, line) for block, line in places) for node in nodes)

    def _seeds_for_sure(self, call: cst.Call) -> bool:
        return self.values.torch_name(call.func) in SEEDERS or all(
            self.of(function).draw is Draw.NONE for function in self.values.callees.get(call, ())
        )

    def _seeded_blocks(self, call: cst.Call) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
        """The block in which a call is run, and those around `with` if that is all there is between them, each with its
        statement.
        """
        parents = self.program.index.parents
        line: cst.CSTNode = self.program.index.statement_of(call)
        yield parents[line], line
        while isinstance(around := parents.get(parents[line]), cst.With):
            if self.forks(around) is not None:
                return
            line = around
            yield parents[line], line

    def _is_behind(self, call: cst.CSTNode, block: cst.CSTNode, line: cst.CSTNode) -> bool:
        child: cst.CSTNode = call
        for ancestor in self.program.index.ancestors(call):
            if ancestor is block:
                body = list(block.body)  # type: ignore[attr-defined]
                return body.index(line) < body.index(child)
            child = ancestor
        return False

    def draws_kept(self, function: Function) -> bool:
        """Whether Python calls a method by itself, so that it draws from keys that its object keeps."""
        owner = function.owner
        if owner is None or owner.is_module or function.self_name is None:
            return False
        if not called_by_python(function) and not self._is_transform(function):
            return False
        init = owner.method("__init__")
        return init is not None and init.owner is not None and not init.owner.is_module

    def _is_transform(self, function: Function) -> bool:
        """Whether what calls a method are the transforms of torchvision alone, which are given objects of its class."""
        if function.name != "__call__" or function.callers or function.owner is None:
            return False
        if self._transforms is None:
            self._transforms = {key for _, value in transforms_given(self.program, self.values) for key in value.types}
        return function.owner.key in self._transforms

    def keeps_sequence(self, item: Class) -> bool:
        """Whether the instances made by a class's `__init__` keep keys for such methods."""
        if self._kept_draws is None:
            self._kept_draws = [
                (other, method)
                for other in self.program.classes.values()
                for part in other.lineage
                for method in part.methods.values()
                if self.draws_kept(method)
            ]
        return any(
            any(self.draw_of(call) is not Draw.NONE for call in self.calls.get(method, ()))
            for other, method in self._kept_draws
            if item in other.lineage and other.method("__init__") is item.methods.get("__init__")
        )

    def changes_state(self, call: cst.Call) -> bool:
        """Whether a call that takes the state of the module it runs in (or runs) gives it back, too."""
        return self._passes_state(call, lambda summary: summary.changes_state)

    def threads_state(self, call: cst.Call) -> bool:
        """Whether a call takes the state of the module it runs in (or runs)."""
        return self._passes_state(call, lambda summary: summary.state)

    def asks_state(self, call: cst.Call) -> bool:
        """Whether a method reads the state of its own module or of a part of it (`self.state_dict()`), or sets it."""
        method, function = call.func, self.program.function_around(call)
        if not isinstance(method, cst.Attribute) or method.attr.value not in _ASKING or function is None:
            return False
        is_own = root_name(method.value) == function.self_name and function.owner is not None
        return is_own and self.is_stateful(self.values(method.value))

    def _passes_state(self, call: cst.Call, does: Callable[[Summary], bool]) -> bool:
        callee = self.values(call.func)
        if call in self.given:
            return True
        if callee.kind is Kind.MODULE:
            is_open = not callee.types
            return self.is_stateful(callee) and not (is_open and is_known_to_keep_none(self, call.func))
        callees = self.values.callees.get(call, ())
        return self._lends_part(call, does) or any(
            function.is_method and does(self.of(function)) and function.name != "__init__"
            for function in (*callees, *self.overriding(call, callees))
        )

    def _lends_part(self, call: cst.Call, does: Callable[[Summary], bool]) -> bool:
        """Whether a method of a module gives a part with state to a function that asks for it: `run(self.norm, x)`."""
        if not self.asks_given(call, does) or not any(self.is_stateful(self.values(item.value)) for item in call.args):
            return False
        around = self.program.function_around(call)
        while around is not None and around.owner is None:
            around = around.outer
        return around is not None and around.owner is not None and around.owner.is_module

    def asks_given(self, call: cst.Call, does: Callable[[Summary], bool]) -> bool:
        """Whether a call runs a function that is no method and asks for the state of modules, as may those that it is given."""
        callees = self.values.callees.get(call, ())
        return any(function.owner is None and does(self.of(function)) for function in callees)


def _names_given(node: cst.Assign) -> set[str]:
    return {name for target in node.targets for name in bound_names(target.target)}


def _derives(item: Class, owner: Class | None) -> bool:
    """Whether a class derives from another one, of which another file may know an earlier reading."""
    return owner is not None and any(base.key == owner.key for base in item.lineage)


def called_by_python(function: Function) -> bool:
    """Whether a method is run by an operator, a statement or an attribute, so that it can be given no further argument."""
    name = function.name
    special = name.startswith("__") and name.endswith("__") and name not in ("__init__", "__call__")
    return special or any(text.endswith(("property", ".setter", ".getter")) for text in function.decorators)


EAGER_CALLERS = frozenset({"map", "filter", "sorted", "min", "max", "reduce", "functools.reduce"})
"""Functions that only call what they are given while the code around them runs, or goes on to run."""
STATE_SETTERS = {"torch.set_rng_state", "torch.random.set_rng_state"}
STATE_GETTERS = {"torch.get_rng_state", "torch.random.get_rng_state"}
FORKS = {"torch.random.fork_rng"}
SEEDERS = {"torch.manual_seed", "torch.random.manual_seed", *STATE_SETTERS}
CUDA_SEEDERS = {
    *(f"torch.cuda.{module}{name}" for module in ("", "random.") for name in ("manual_seed", "manual_seed_all")),
    "torch.mps.manual_seed",
}


def analyse_effects(
    program: Program,
    values: Values,
    tables: Tables,
    init_draws: Callable[[LayerSpec], bool],
    modules_take_key: bool = True,
    imported: Mapping[Function, Summary] | None = None,
    imported_lambdas: Mapping[cst.Lambda, Draw] | None = None,
    bound: Bindings | None = None,
    beside: frozenset[tuple[str, str]] = frozenset(),
) -> Effects:
    """Summaries of all functions, by iteration to the least fixpoint; those of imported files are given."""
    effects = Effects(program, values, tables, init_draws, modules_take_key, bound=bound, beside=beside)
    effects.imported = imported or {}
    effects.imported_lambdas.update(imported_lambdas or {})
    calls: dict[Function, list[cst.Call]] = {function: [] for function in program.functions.values()}
    for call in program.index.calls:
        function = program.function_running(call)
        if function is not None:
            calls[function].append(call)
        if isinstance(call.func, (cst.Name, cst.Attribute)) and dotted(call.func) in EAGER_CALLERS:
            given = [item.value for item in call.args if values(item.value).kind is Kind.FUNCTION]
            effects.passed.setdefault(function, []).extend(given)
    effects.calls = calls
    for function, inside in calls.items():
        for around in _methods_around(function):
            effects.inner_calls.setdefault(around, []).extend(inside)

    def keeps_state(name: str) -> bool:  # where modules take no keys, layers keep their statistics as they like
        return modules_take_key and name in tables.layers and "state" in tables.layers[name].effects

    effects.module_state = find_module_state(program, values, keeps_state)
    effects.given = find_given_modules(effects)
    effects.any_keeps = modules_take_key and effects.may_keep_state()
    _find_seeding(effects)
    _iterate(effects)
    if _find_lambdas(effects):
        for function, inside in calls.items():
            effects.of(function).draw = Draw.NONE
            calls[function] = [call for call in inside if effects.lambda_around(call) is None]
        _iterate(effects)
    return effects


def _methods_around(function: Function) -> Iterator[Function]:
    """The method of a module that a function stands in, whose state is what the function asks for and binds anew."""
    around = function.outer
    while around is not None:
        if around.owner is not None and around.owner.is_module and around.name != "__init__":
            yield around
        around = around.outer


def _iterate(effects: Effects) -> None:
    changed, effects._stateful = True, {}
    found = [(*callees, *effects.overriding(call, callees)) for call, callees in effects.values.callees.items()]
    several = [reached for reached in found if len(reached) > 1]
    while changed:
        changed = False
        for function, inside in effects.calls.items():
            changed |= _update(effects, function, inside)
        changed |= _update_alternatives(effects, several)
    effects._stateful = None


def _find_lambdas(effects: Effects) -> bool:
    """Find the lambdas that take a key: they draw once, have a name, and are called wherever it stands."""
    if not effects.modules_take_key:
        return False
    index, values, parents = effects.program.index, effects.values, effects.program.index.parents
    inside: dict[cst.Lambda, list[cst.Call]] = {}
    for call in index.calls if index.every(cst.Lambda) else ():
        for around in index.ancestors(call):
            if isinstance(around, cst.BaseStatement):
                break
            if isinstance(around, cst.Lambda):
                if effects.draw_of(call) is not Draw.NONE and call not in _below(around.params):
                    inside.setdefault(around, []).append(call)
                break
    for node, draws in inside.items():
        parent = parents[node]
        if len(draws) != 1 or not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
            continue
        target = parent.targets[0].target
        in_scope = any(isinstance(item, _REPEATING) for item in index.ancestors(draws[0]) if item in _below(node))
        if not isinstance(target, cst.Name) or in_scope or effects.generator_of(draws[0]) is not None:
            continue
        if isinstance(index.parents.get(index.parents[index.parents[parent]]), cst.ClassDef):
            continue
        same = (name for name in index.names if name.value == target.value and name is not target)
        uses = [name for name in same if _is_use(name, parents)]
        if all(values.lambda_of(name) is node and _is_called(name, parents) for name in uses):
            effects.lambdas[node] = draws[0]
    return bool(effects.lambdas)


_ASKING = frozenset(
    {"buffers", "load_state_dict", "named_buffers", "state_dict"}
)  # methods that read the state, or set it
_REPEATING = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp, cst.Lambda)


def _below(node: cst.CSTNode) -> set[cst.CSTNode]:
    return {item for item in descendants(node) if item is not node}


def _is_use(name: cst.Name, parents: Mapping[cst.CSTNode, cst.CSTNode]) -> bool:
    """Whether a name is a variable, and not what stands behind a dot or names an argument."""
    parent = parents[name]
    if isinstance(parent, cst.Attribute):
        return parent.value is name
    return not (isinstance(parent, cst.Arg) and parent.keyword is name)


def _is_called(name: cst.Name, parents: Mapping[cst.CSTNode, cst.CSTNode]) -> bool:
    parent = parents[name]
    return isinstance(parent, cst.Call) and parent.func is name


def _find_seeding(effects: Effects) -> None:
    """Which functions set the seed for their callers: those that draw nothing, and those behind whose calls others draw."""
    program, summaries = effects.program, effects.summaries
    direct = {program.function_running(call) for call in program.index.calls if effects.seeds(call)}
    if not direct:
        effects.may_seed = False
        return
    callees = effects.values.callees
    outside = [call for call in program.index.calls if program.function_running(call) is None]
    frames: dict[Function | None, list[cst.Call]] = {None: outside} | effects.calls
    resets = {
        function for function in direct
        if any(effects.seeds(call) and not effects.in_fork(call) for call in frames[function])
    }  # fmt: skip
    drawing: set[Function] = set()
    size = -1
    while size != len(resets) + len(drawing):
        size = len(resets) + len(drawing)
        for function, calls in effects.calls.items():
            if any(not effects.in_fork(call) and not resets.isdisjoint(callees.get(call, ())) for call in calls):
                resets.add(function)
            if any(effects.draw_of(call) is not Draw.NONE for call in calls):
                drawing.add(function)
                summaries.setdefault(function, Summary()).draw = Draw.REQUIRED
    found = [
        function for function in resets
        if function is not None and function not in drawing and not _gives_result(function)
        and (function.callers or called_by_others(function, program, effects.values) is None)
    ]  # fmt: skip
    _keep_what_goes_on(effects, drawing)
    waiting = list(frames)
    while waiting:
        frame = waiting.pop()
        for position, call in enumerate(frames[frame]):
            for function in callees.get(call, ()):
                if function not in resets or function in found or function not in frames or effects.in_fork(call):
                    continue
                if frame in found or effects.draws_behind(call, frames[frame][position + 1 :]):
                    found.append(function)
                    waiting = list(frames)
    for function in drawing:
        summaries[function].draw = Draw.NONE
    for function in found:
        summaries.setdefault(function, Summary()).seeds = function.name != "__init__"
    effects.lost_seeds = {function for function in found if function.name == "__init__"}


def _keep_what_goes_on(effects: Effects, drawing: Collection[Function]) -> None:
    """Of the functions that draw leave those marked whose draws go on from what was before them: no seed of their own precedes."""
    for function in drawing:
        effects.summaries[function].draw = Draw.NONE
    waiting = set(drawing)
    while waiting:
        found = {function for function in waiting if _goes_on(effects, effects.calls[function], function)}
        for function in found:
            effects.summaries[function].draw = Draw.REQUIRED
        waiting = waiting - found if found else set()


def _goes_on(effects: Effects, calls: Sequence[cst.Call], function: Function) -> bool:
    drawing = [call for call in calls if effects.draw_of(call) is not Draw.NONE]
    seeds = [call for call in calls if effects.seeds(call) and not effects.in_fork(call)]
    return bool(drawing) and not (seeds and effects.are_seeded(function, seeds, drawing))


def _gives_result(function: Function) -> bool:
    returns = (node for node in descendants(function.node.body) if isinstance(node, cst.Return))
    return any(node.value is not None for node in returns)


def _update(effects: Effects, function: Function, calls: list[cst.Call]) -> bool:
    summary = effects.of(function)
    before = (summary.draw, summary.state, summary.changes_state, summary.seeds)
    seeds = [call for call in calls if effects.seeds(call)]
    drawing = [(call, draw) for call in calls if (draw := effects.draw_of(call)) is not Draw.NONE]
    draws = max((draw for _, draw in drawing), default=Draw.NONE)
    for node in effects.passed.get(function, ()):
        draws = max(draws, effects.draw_of_passed(node))
    if draws is Draw.OPTIONAL and any(map(is_backward, calls)):
        draws = Draw.REQUIRED  # training: dropout is active
    if not seeds:
        summary.draw = max(summary.draw, draws)
    elif not effects.are_seeded(function, seeds, [call for call, _ in drawing]):
        summary.draw = Draw.REQUIRED
    if (function.key, _DRAWS) in effects.beside:
        summary.draw = max(summary.draw, Draw.OPTIONAL)
    owner = function.owner
    if effects.uses_kept_key(function) or effects.draws_kept(function):
        summary.draw = Draw.NONE
    elif function.name == "__init__" and owner is not None:
        if effects.keeps_sequence(owner) or (owner.is_module and effects.bound is None and effects.keeps_key(owner)):
            summary.draw = Draw.REQUIRED
    if (owner.is_module and function.name != "__init__") if owner is not None else function.outer is None:
        touching = function in effects.module_state.touching and function not in effects.module_state.init_only
        called = function.name == "forward" and owner is not None and effects.class_is_stateful(owner)
        asked = {str(dotted(call.func)).rpartition(".")[2] for call in calls if effects.asks_state(call)}
        inside = [*calls, *effects.inner_calls.get(function, ())]
        summary.state = bool(
            summary.state or touching or called or asked or any(effects.threads_state(call) for call in inside)
        )
        writes = "load_state_dict" in asked or (touching and function in effects.module_state.writing)
        summary.changes_state = (
            summary.changes_state or writes or called or any(effects.changes_state(call) for call in inside)
        )
        if owner is not None and effects.class_is_stateful(owner):
            changed_beside = (function.key, _CHANGES) in effects.beside
            summary.state |= changed_beside or (function.key, _STATE) in effects.beside
            summary.changes_state |= changed_beside
        if owner is None:
            summary.state |= any(effects.asks_given(call, lambda other: other.state) for call in calls)
            summary.changes_state |= any(effects.asks_given(call, lambda other: other.changes_state) for call in calls)
    return before != (summary.draw, summary.state, summary.changes_state, summary.seeds)


def _update_alternatives(effects: Effects, several: Sequence[Sequence[Function]]) -> bool:
    """Functions that are called where others draw take a key, too; `several` are those that one call may run."""
    changed = False
    for reached in several:
        if any(effects.of(function).draw is not Draw.NONE for function in reached):
            _ask_beside(effects, reached, _DRAWS)
            for function in reached:
                if effects.of(function).draw is Draw.NONE and function.node in effects.program.functions:
                    if not effects.uses_kept_key(function) and not effects.draws_kept(function):
                        effects.of(function).draw, changed = Draw.OPTIONAL, True
        if any(effects.of(function).state for function in reached):
            changed |= _thread_alike(effects, reached)
    return changed


def _thread_alike(effects: Effects, reached: Sequence[Function]) -> bool:
    """Methods that one call may run take and give back the same, the state of the module, where their classes keep some."""
    changes, changed = any(effects.of(function).changes_state for function in reached), False
    _ask_beside(effects, reached, _CHANGES if changes else _STATE)
    for function in reached:
        summary, owner = effects.of(function), function.owner
        if owner is None or not owner.is_module or function.name == "__init__" or not effects.class_is_stateful(owner):
            continue
        if not summary.state or summary.changes_state != changes:
            summary.state, summary.changes_state, changed = True, changes, True
    return changed


def _ask_beside(effects: Effects, reached: Sequence[Function], what: str) -> None:
    """Tell the other files of those of several functions that are theirs."""
    effects.asked_beside.update((item.key, what) for item in reached if item.node not in effects.program.functions)


def _has_frozen_parameter(item: Class) -> bool:
    return any("frozen" in value.types for _, value in item.all_fields() if value.kind is Kind.TENSOR)


def is_float_buffer(value: Value) -> bool:
    """Whether a field holds a buffer that is not known to be integer or boolean."""
    if value.kind is Kind.TORCH_OBJECT:
        return True  # it holds tensors that torch does not train
    if value.kind is Kind.TENSOR:
        return "buffer" in value.types and not is_discrete(value.dtype)
    return holds_tensors(value)


def holds_tensors(value: Value, depth: int = 3, discrete: bool = False) -> bool:
    """Whether a list, tuple or dict may hold tensors of floating point (or any, `discrete`), which torch does not train there."""
    if value.kind not in (Kind.LIST, Kind.TUPLE, Kind.DICT) or not depth:
        return False
    parts = [*(value.items or ()), *([value.elem] if value.elem is not None else ())]
    return any(
        part.kind is Kind.UNKNOWN
        or (part.kind is Kind.TENSOR and (discrete or not is_discrete(part.dtype)))
        or holds_tensors(part, depth - 1, discrete)
        for part in parts
    )


def is_discrete(dtype: str | None) -> bool:
    """Whether a dtype is known to be integer or boolean."""
    return dtype is not None and dtype.startswith(("int", "uint", "bool"))


def fresh_seed(node: cst.BaseExpression, values: Values) -> cst.BaseExpression | None:
    """`n` in `torch.Generator().manual_seed(n)`."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and len(node.args) == 1:
        made = node.func.value
        if node.func.attr.value == "manual_seed" and isinstance(made, cst.Call):
            if values.torch_name(made.func) == "torch.Generator":
                return node.args[0].value
    return None


def _needs(test: cst.BaseExpression, flag: str) -> bool:
    """Whether a test is true only where a flag is."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return _needs(test.left, flag) or _needs(test.right, flag)
    return dotted(test) == flag


def _allows(test: cst.BaseExpression, flag: str) -> bool:
    """Whether a test is false only where a flag is true."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        return _allows(test.left, flag) or _allows(test.right, flag)
    negated = isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not)
    return negated and dotted(test.expression) == flag  # type: ignore[attr-defined]


def _leaves(line: cst.If) -> bool:
    last = line.body.body[-1]
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return isinstance(small, (cst.Return, cst.Raise))


def _is_assigned(node: cst.Assign | cst.AnnAssign, name: str) -> bool:
    targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
    return any(dotted(target) == name for target in targets)


def _may_be_none(param: cst.Param) -> bool:
    """Whether None is a value that a parameter is meant to have."""
    if isinstance(param.default, cst.Name) and param.default.value == "None":
        return True
    if param.annotation is None:
        return False
    names = {node.value for node in descendants(param.annotation) if isinstance(node, cst.Name)}
    return not names.isdisjoint({"None", "Optional"})


@lru_cache(maxsize=8192)
def _called_on(method: cst.FunctionDef, own: str) -> frozenset[str]:
    """The methods that one calls on `own`, its first parameter."""
    found: set[str] = set()
    for call in descendants(method, cst.Call):
        function = call.func
        if isinstance(function, cst.Name) and function.value == own:
            found.add("forward")
        elif (
            isinstance(function, cst.Attribute) and isinstance(function.value, cst.Name) and function.value.value == own
        ):
            found.add(function.attr.value)
    return frozenset(found - {"__init__"})


@lru_cache(maxsize=2048)
def _sets_parts_by_name(definition: cst.ClassDef) -> bool:
    """Whether a class gives itself parts by names that are computed: nothing says which, so that they may have a mode."""
    for node in descendants(definition.body):
        match node:
            case cst.Call(func=cst.Name("setattr"), args=[cst.Arg(value=cst.Name("self")), cst.Arg(value=name), *_]):
                pass
            case cst.Call(
                func=cst.Attribute(value=cst.Name("self"), attr=cst.Name("add_module" | "register_module")),
                args=[cst.Arg(value=name), *_],
            ):
                pass
            case _:
                continue
        if not isinstance(name, cst.SimpleString):
            return True
    return False


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

"""What running a statement reads, binds, changes and does to the world: whether two statements may change places.

Places are variables (`total`) and fields of the object whose method it is (`self.total`). What cannot be seen counts as done.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import lru_cache

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.facts.storage import is_new
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Class, Function, dotted, owner_name
from torch2jax.program.statements import bound_parts, reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import INNER_SCOPES, children, descendants
from torch2jax.values import WITHOUT_TENSORS, Kind, Value

_OBJECTS = (Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.OBJECT, Kind.UNKNOWN, Kind.PYTHON, Kind.TORCH_OBJECT,
            Kind.GENERATOR, Kind.LOADER, Kind.DATASET)  # fmt: skip
_CONTAINERS = (Kind.LIST, Kind.DICT, Kind.TUPLE, Kind.STATE_DICT)
_READING = frozenset(
    {"get", "keys", "values", "items", "index", "count", "copy", "format", "join", "split", "strip", "startswith",
     "endswith", "item", "tolist", "numpy", "mean", "sum", "max", "min", "std", "size", "lower", "upper", "replace",
     "encode", "decode", "astype", "reshape", "argmax", "any", "all", "__len__", "total_seconds", "isoformat", "hexdigest",
     "argmin", "argsort", "cumsum", "dot", "flatten", "nonzero", "prod", "ravel", "round", "searchsorted", "squeeze", "var"}
)  # fmt: skip
_PURE = frozenset(
    {"abs", "all", "any", "bool", "complex", "dict", "divmod", "enumerate", "filter", "float", "format", "frozenset",
     "getattr", "hasattr", "hash", "id", "int", "isinstance", "issubclass", "len", "list", "map", "max", "min", "pow", "range",
     "repr", "reversed", "round", "set", "slice", "sorted", "str", "sum", "super", "tuple", "type", "vars", "zip", "dir"}
)  # fmt: skip
_PURE_MODULES = ("math", "numpy", "np", "operator", "itertools", "functools", "copy", "collections")
LEAVING = ("sys.exit", "exit", "quit", "os._exit")
_ALIASING = frozenset(
    {"view", "reshape", "t", "transpose", "permute", "squeeze", "unsqueeze", "flatten", "detach", "expand", "narrow",
     "select", "chunk", "split", "contiguous", "to", "float", "numpy", "view_as", "expand_as", "unbind", "cpu", "cuda",
     "parameters", "named_parameters", "values", "items", "requires_grad_", "double", "swapaxes", "movedim", "get"}
)  # fmt: skip
WORLD = "<world>"
_UNCHANGED = frozenset(
    {"Constraint", "Distribution", "Transform"}
)  # classes of torch's none of whose methods changes the object
_STATE = ".<state>"


@dataclass(frozen=True, slots=True)
class Access:
    """What running some code may do. `changes` are objects that it changes in place; `world`: it does something that others
    can watch in order (it prints, draws on the host, reads a clock); `leaves`: control may not go on behind it (`stops`: since it
    raises an exception); `trained`: it
    looks at parameters, gradients, or what an optimizer keeps; `gradients`: at gradients.
    """

    reads: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    world: bool = False
    leaves: bool = False
    stops: bool = False
    trained: bool = False
    gradients: bool = False


@dataclass(slots=True)
class _Found:
    """An access while it is being collected."""

    reads: set[str] = field(default_factory=set)
    binds: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    world: bool = False
    leaves: bool = False
    stops: bool = False
    trained: bool = False
    gradients: bool = False
    stored: set[cst.CSTNode] = field(default_factory=set)  # attributes that are given values, not read

    def access(self) -> Access:
        return Access(
            frozenset(self.reads),
            frozenset(self.binds),
            frozenset(self.changes),
            self.world,
            self.leaves or self.stops,
            self.stops and not self.leaves,
            self.trained,
            self.gradients,
        )


_NOTHING = Access()


@dataclass(slots=True)
class _Round:
    """One look at functions that may call each other: what the round before and this one have found of them, those that are
    being looked at, and whether one of these was asked for.
    """

    before: dict[Function, Access]
    found: dict[Function, Access] = field(default_factory=dict)
    running: set[Function] = field(default_factory=set)
    is_open: bool = False


class Dependence:
    """Answers about the statements of one function (None: of the module)."""

    def __init__(self, values: Values, function: Function | None) -> None:
        self.values, self.function = values, function
        self.program = values.program
        self._known: dict[cst.CSTNode, Access] = {}
        self._bodies: dict[Function, Access] = values.accesses  # what functions do is the same for all that ask
        self._round: _Round | None = None  # while functions are looked at that may call each other
        self._aliases: dict[str, set[str]] | None = None

    # questions

    def of(self, statement: cst.CSTNode) -> Access:
        """What a statement may do."""
        if statement not in self._known:
            self._known[statement] = self._collect([statement], owner_name(self.function))
        return self._known[statement]

    def commute(self, one: cst.CSTNode, other: cst.CSTNode) -> bool:
        """Whether two statements that follow each other do the same in the other order."""
        return self.are_independent(self.of(one), self.of(other))

    def are_independent(self, one: Access, other: Access) -> bool:
        if (one.world and other.world) or one.leaves or other.leaves:
            return False
        return not self._meets(one, other) and not self._meets(other, one)

    def _meets(self, one: Access, other: Access) -> bool:
        """Whether what one binds or changes is something that the other looks at, binds or changes."""
        touched = other.reads | other.binds | other.changes
        if _overlap(one.binds, touched):
            return True
        return bool(one.changes) and _overlap(self._with_aliases(one.changes), self._with_aliases(touched))

    def _with_aliases(self, places: Iterable[str]) -> frozenset[str]:
        if self._aliases is None:
            self._aliases = self._find_aliases()
        found = set(places)
        for place in tuple(found):
            owner = place.removesuffix(_STATE)
            others = self._aliases.get(owner, set())
            found |= others if owner == place else {_state_of(other) for other in others}
        return frozenset(found)

    def _find_aliases(self) -> dict[str, set[str]]:
        """Places that may hold the same object, or a part of it: what is assigned without being computed anew."""
        scope: cst.CSTNode = self.function.node if self.function is not None else self.program.index.module
        own = owner_name(self.function)
        groups: dict[str, set[str]] = {}
        for node in descendants(scope):
            if type(node) not in _ALIASING_KINDS:
                continue
            pairs: list[tuple[cst.CSTNode, cst.BaseExpression]] = []
            match node:
                case cst.Assign(targets=targets, value=value):
                    pairs = [(target.target, value) for target in targets]
                case cst.For(target=target, iter=value) | cst.CompFor(target=target, iter=value):
                    pairs = [(target, value)]
                case cst.NamedExpr(target=target, value=value):
                    pairs = [(target, value)]
                case cst.Call(func=cst.Attribute(value=target), args=[cst.Arg(value=value), *_]):
                    pairs = [(target, value)] if self.values(target).kind in _CONTAINERS else []
            for bound_to, held in pairs:
                inner = self.program.function_around(node)
                parts = [item for item in bound_parts(bound_to) if self.values(item).kind not in WITHOUT_TENSORS]
                found = (place for item in parts if (place := _place(item, own)) is not None)
                places, bound = (
                    {self._own_place(place, inner) for place in part} for part in (self._held(held, own), found)
                )
                if places and bound:
                    group = set().union(*(groups.get(place, {place}) for place in places | bound))
                    groups.update(dict.fromkeys(group, group))
        return groups

    def _own_place(self, place: str, inner: Function | None) -> str:
        """A place of code in an inner function, whose variables others do not see."""
        while inner is not None and inner is not self.function:
            if place.partition(".")[0] in inner.env:
                return f"{inner.key}:{place}"
            inner = inner.outer
        return place

    def _held(self, value: cst.BaseExpression, own: str | None) -> Iterator[str]:
        """The places whose objects, or parts of them, an expression may give."""
        if self.values(value).kind in WITHOUT_TENSORS or self._is_new(value):
            return
        match value:
            case cst.Attribute() if (settled := self._settled_field(value)) is not None:
                yield settled
            case cst.Name() | cst.Attribute() | cst.Subscript():
                place = _place(value, own)
                if place is not None:
                    yield place
            case cst.IfExp():
                yield from self._held(value.body, own)
                yield from self._held(value.orelse, own)
            case cst.Tuple() | cst.List() | cst.Set():
                for element in value.elements:
                    yield from self._held(element.value, own)
            case cst.Dict():
                for entry in value.elements:
                    yield from self._held(entry.value, own)
            case cst.ListComp() | cst.GeneratorExp():
                yield from self._held(value.elt, own)
                yield from self._held(value.for_in.iter, own)
            case cst.Call():
                name = value.func.attr.value if isinstance(value.func, cst.Attribute) else dotted(value.func)
                if isinstance(value.func, cst.Attribute) and (name in _ALIASING or self.values.callees.get(value)):
                    yield from self._held(value.func.value, own)
                known = name in ("zip", "enumerate", "list", "tuple", "iter", "reversed", "tqdm", "sorted")
                if known or self.values.callees.get(value) or name in ("from_numpy", "as_tensor", "asarray"):
                    for argument in value.args:
                        yield from self._held(argument.value, own)

    def _is_new(self, value: cst.BaseExpression) -> bool:
        """Whether a call gives a tensor of its own, whatever the function is given."""
        roots = self.values(value).roots
        if not isinstance(value, cst.Call) or self.values(value).kind is not Kind.TENSOR or not roots:
            return False
        return is_new(roots) and not any(self.values(item.value).shares(roots) for item in value.args)

    # collecting

    def _collect(self, nodes: Sequence[cst.CSTNode], own: str | None) -> Access:
        found = _Found()
        for node in nodes:
            reads, binds = reads_and_writes(node)
            found.binds |= binds
            found.reads |= self._finer(node, reads - ({own} if own else set()))
            stops, leaves = _leaving(node)
            found.stops |= stops
            found.leaves |= leaves
            waiting = [node]
            while waiting:
                item = waiting.pop()
                self._note(item, found, own)
                if isinstance(item, cst.FunctionDef):  # it runs where it is called, with the fields that it names
                    inner = _Found()
                    for part in descendants(item.body):
                        self._note(part, inner, own)
                    found.reads |= {place for place in inner.reads if place.startswith(f"{own}.")}
                    found.trained = found.trained or inner.trained
                    continue
                waiting += children(item)
        return found.access()

    def _finer(self, node: cst.CSTNode, reads: set[str]) -> set[str]:
        """The places that a node reads: of modules of which it reads nothing else, the fields that `__init__` sets for good."""
        fields: dict[str, set[str | None]] = {}
        parents = self.program.index.parents
        for item in (node, *descendants(node)):
            if isinstance(item, cst.Name) and item.value in reads and self.values(item).kind is Kind.MODULE:
                around = parents.get(item)
                settled = self._settled_field(around) if isinstance(around, cst.Attribute) else None
                fields.setdefault(item.value, set()).add(settled)
        finer = {
            name: {place for place in found if place is not None} for name, found in fields.items() if None not in found
        }
        return (reads - finer.keys()).union(*finer.values())

    def _settled_field(self, node: cst.Attribute) -> str | None:
        """The place of a field of a module in a variable that nothing but `__init__` speaks of in its classes."""
        if not isinstance(node.value, cst.Name):
            return None
        value = self.values(node.value)
        classes = [self.program.class_by_key.get(name) for name in value.types]
        if value.kind is not Kind.MODULE or not classes:
            return None
        if not all(item is not None and self._is_settled(item, node.attr.value) for item in classes):
            return None
        return f"{node.value.value}.{node.attr.value}"

    def _is_settled(self, item: Class, name: str) -> bool:
        field = item.field_value(name)
        if field is None or field.kind in (Kind.MODULE, Kind.TENSOR):
            return False
        methods = [method for part in item.lineage for method in part.methods.values() if method.name != "__init__"]
        return not any(
            isinstance(node, cst.Attribute) and node.attr.value == name
            for method in methods
            for node in descendants(method.node)
        )

    def _note(self, node: cst.CSTNode, found: _Found, own: str | None) -> None:
        match node:
            case cst.Attribute():
                place = _place(node, own)
                if place is not None and place.startswith(f"{own}.") and node not in found.stored:
                    found.reads.add(place)
                if node.attr.value in ("grad", "param_groups"):
                    found.trained = True
                    found.gradients = found.gradients or node.attr.value == "grad"
                self._note_value(node, found)
            case cst.Name():
                self._note_value(node, found)
            case cst.AugAssign(target=target):
                self._note_target(target, found, own)
                place = _place(target, own)
                if place is not None and self.values(target).kind not in WITHOUT_TENSORS:
                    if not self.values(node.value).is_number or self.values(target).kind is not Kind.UNKNOWN:
                        found.changes.add(place)
            case cst.AssignTarget() | cst.AnnAssign() | cst.For() | cst.CompFor() | cst.NamedExpr():
                found.stored.update(item for item in bound_parts(node.target) if isinstance(item, cst.Attribute))
                self._note_target(node.target, found, own)
            case cst.Del(target=target):
                self._note_target(target, found, own)
            case cst.Call():
                self._note_call(node, found, own)

    def _note_value(self, node: cst.BaseExpression, found: _Found) -> None:
        value = self.values(node)
        if value.kind in (Kind.OPTIMIZER, Kind.SCHEDULER, Kind.PARAMETERS) or self.may_be_trained(value):
            found.trained = True
        if value.kind is Kind.TENSOR and not value.types.isdisjoint(("parameter", "leaf")):
            found.trained = True

    def may_be_trained(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a value is a module that may have parameters."""
        if value.kind is not Kind.MODULE or value.is_loss_module:
            return False
        if not value.types:
            return True
        for name in value.types:
            item = self.program.class_by_key.get(name)
            if item is None and not (name.startswith("torch.nn.") and name.endswith("Loss")):
                return True
            if item is not None and name not in seen:
                for _, part in item.all_fields():
                    if part.kind is Kind.TENSOR and "parameter" in part.types:
                        return True
                    if part.kind is Kind.UNKNOWN or self.may_be_trained(part, seen | value.types):
                        return True
        return False

    def _may_keep_state(self, value: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether calling a module may change what it keeps, as the means of normalization layers."""
        if value.is_loss_module:
            return False
        for name in value.types - seen:
            item = self.program.class_by_key.get(name)
            if item is None:
                if "BatchNorm" in name or "InstanceNorm" in name or not name.startswith("torch.nn."):
                    return True
            elif any(part.state for part in item.lineage) or any(
                part.kind is Kind.UNKNOWN
                or (part.kind is Kind.MODULE and self._may_keep_state(part, seen | value.types))
                for _, part in item.all_fields()
            ):
                return True
        parts = [part for part in value.parts if part.kind is Kind.MODULE]
        return not value.types or any(self._may_keep_state(part, seen | value.types) for part in parts)

    def _note_target(self, target: cst.CSTNode, found: _Found, own: str | None) -> None:
        for item in bound_parts(target):
            place = _place(item, own)
            match item:
                case cst.Attribute() if place is not None and dotted(item) == place and place.startswith(f"{own}."):
                    found.binds.add(place)
                case cst.Attribute() | cst.Subscript():
                    found.changes.add(place or WORLD)

    def _note_call(self, call: cst.Call, found: _Found, own: str | None) -> None:
        values = self.values
        name, callee = values.torch_name(call.func), values(call.func)
        found.changes |= {place for item in filled_arguments(call) if (place := _place(item, own)) is not None}
        if dotted(call.func) in LEAVING:
            found.stops = found.world = True
        if callee.kind is Kind.MODULE:
            if self._may_keep_state(callee):
                found.changes |= {_state_of(place) for place in [_place(call.func, own)] if place is not None}
            return
        reached = values.reached_by(call)
        if reached and callee.kind in (Kind.FUNCTION, Kind.CLASS, Kind.UNKNOWN, Kind.OBJECT):
            for function in reached:
                self._note_function(call, function, found, own)
            return
        if name is not None:
            if name.startswith(
                ("torch.save", "torch.load", "torch.cuda.", "torch.set_", "torch.manual_seed", "torch.backends")
            ):
                found.world = True
            if name.startswith(("torch.nn.utils.clip_grad", "torch.nn.init.")):
                found.trained = found.gradients = True
                found.changes |= set(self._places(call, own))
            return
        if isinstance(call.func, cst.Attribute):
            self._note_method(call, call.func, found, own)
        elif (
            dotted(call.func) not in _PURE
            and not _is_exception(dotted(call.func))
            and callee.kind not in (Kind.CLASS, Kind.FUNCTION)
        ):
            self._note_unknown(call, found, own)

    def _note_method(self, call: cst.Call, function: cst.Attribute, found: _Found, own: str | None) -> None:
        receiver, method = self.values(function.value), function.attr.value
        place = _place(function.value, own)
        path = str(self.values(function).const) if self.values(function).kind is Kind.PYTHON else dotted(function) or ""
        if receiver.kind is Kind.TENSOR or receiver.kind in WITHOUT_TENSORS:
            if changes_values(method) and place is not None and receiver.kind is Kind.TENSOR:
                found.changes.add(place)
            if method == "backward":
                found.trained = found.gradients = True
                found.world = True
            return
        if path.partition(".")[0] in _PURE_MODULES and ".random." not in path:
            return
        if receiver.kind in _CONTAINERS or (receiver.kind in (Kind.UNKNOWN, Kind.PYTHON) and method in _READING):
            if method not in _READING and place is not None:
                found.changes.add(place)
            return
        if receiver.kind is Kind.MODULE and (
            method
            in ("parameters", "named_parameters", "modules", "children", "state_dict", "named_modules", "buffers")
        ):
            found.trained = True
            return
        if receiver.kind is Kind.TORCH_OBJECT and {name.partition(".")[0] for name in receiver.types} <= _UNCHANGED:
            return
        if receiver.kind in (Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.GENERATOR):
            found.changes.add(place or WORLD)
            found.gradients = found.gradients or method == "zero_grad" or receiver.kind is Kind.OPTIMIZER
            return
        if method in ("append", "extend", "add", "insert", "appendleft", "discard", "setdefault") and place is not None:
            found.changes.add(place)  # whatever container it is
            return
        if place is not None:
            found.changes.add(place)
        self._note_unknown(call, found, own)

    def _note_unknown(self, call: cst.Call, found: _Found, own: str | None) -> None:
        """A call of something that is not known: it may do what can be watched, and change the objects it is given."""
        found.world = True
        if dotted(call.func) == "print" or (dotted(call.func) or "").startswith(("logging.", "logger.", "tqdm.write")):
            return
        found.changes |= set(self._places(call, own))

    def _places(self, call: cst.Call, own: str | None) -> Iterator[str]:
        """The places of the objects that a call is given."""
        for argument in call.args:
            for node in self._objects(argument.value):
                kind = self.values(node).kind
                if (
                    isinstance(node, (cst.Name, cst.Attribute))
                    and kind not in WITHOUT_TENSORS
                    and kind is not Kind.TENSOR
                ):
                    place = _place(node, own)
                    if place is not None and self.values(node).kind not in (Kind.TORCH, Kind.FUNCTION, Kind.CLASS):
                        yield place

    def _objects(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The expressions whose objects a call may be given with an argument: nothing comes through numbers."""
        if isinstance(node, cst.BaseExpression) and self.values(node).kind in WITHOUT_TENSORS:
            return
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            waiting: Sequence[cst.CSTNode] = (node.func.value, *node.args)
        elif isinstance(node, cst.Attribute):
            yield node
            waiting = (node.value,)
        else:
            yield node
            waiting = children(node)
        for item in waiting:
            yield from self._objects(item)

    def _of_function(self, function: Function) -> Access:
        """What the body of a function does, in its own words. Functions that call each other are looked at until nothing more
        is found, each once in a round.
        """
        if function in self._bodies:
            return self._bodies[function]
        if self._round is not None:
            return self._in_round(function, self._round)
        known: dict[Function, Access] = {}
        while True:
            self._round = _Round(known)
            self._in_round(function, self._round)
            known, before = self._round.found, known
            if not self._round.is_open or known == before:
                break
        self._round = None
        self._bodies.update(known)
        return known[function]

    def _in_round(self, function: Function, round_: _Round) -> Access:
        if function in round_.running:
            round_.is_open = True
            return round_.before.get(function, _NOTHING)
        if function not in round_.found:
            round_.running.add(function)
            round_.found[function] = self._collect([*function.node.body.body], owner_name(function))
            round_.running.discard(function)
        return round_.found[function]

    def _note_function(self, call: cst.Call, function: Function, found: _Found, own: str | None) -> None:
        """What a function of the program does, in the words of its caller."""
        inner = self._of_function(function)
        arguments = dict(arguments_by_parameter(function, call, self.values))
        mine = owner_name(function)
        receiver = self._receiver(call)
        is_same = receiver is not None and mine is not None and dotted(receiver) == own
        local = set(function.env) | set(function.parameter_names)
        outside = free_variables(function.node)
        place_of = {name: _place(node, own) for name, node in arguments.items()}
        if mine is not None and receiver is not None:
            place_of[mine] = _place(receiver, own)
        for places, into in ((inner.reads, found.reads), (inner.binds, found.changes), (inner.changes, found.changes)):
            for place in places:
                root = place.split(".")[0]
                if mine is not None and root == mine:
                    if is_same:
                        (found.binds if places is inner.binds else into).add(place)
                    elif receiver is not None and (given := place_of.get(mine)) is not None:
                        into.add(given)
                elif root in function.parameter_names:
                    given = place_of.get(root)
                    if places is inner.changes and self._is_renewed(function, root):
                        continue
                    if places is not inner.binds and given is not None:
                        into.add(given)
                elif place == WORLD or root in outside or root not in local:
                    into.add(place)
        found.world = found.world or inner.world
        found.trained = found.trained or inner.trained
        found.gradients = found.gradients or inner.gradients

    def _receiver(self, call: cst.Call) -> cst.BaseExpression | None:
        """The object whose method a call runs: the one that is called, or the one whose attribute is."""
        kind = self.values(call.func).kind
        if kind in (Kind.OBJECT, Kind.MODULE):
            return call.func
        return call.func.value if isinstance(call.func, cst.Attribute) and kind is not Kind.CLASS else None

    def _is_renewed(self, function: Function, name: str) -> bool:
        """Whether the first thing that a function does with a parameter is to bind it to something else."""
        for statement in function.node.body.body:
            if name in names_in(statement):
                match statement:
                    case cst.SimpleStatementLine(
                        body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]
                    ):
                        return (
                            isinstance(target, cst.Name)
                            and target.value == name
                            and name not in self._held(value, None)
                        )
                return False
        return False


_ALIASING_KINDS = frozenset({cst.Assign, cst.For, cst.CompFor, cst.NamedExpr, cst.Call})
_STOPPING_KINDS = frozenset({cst.Raise, cst.Assert})
# Declarations and imports stand where they stand.
_LEAVING_KINDS = frozenset({cst.Return, cst.Yield, cst.Await} | {cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom})


@lru_cache(maxsize=16384)
def _leaving(statement: cst.CSTNode) -> tuple[bool, bool]:
    """Whether control may stop within a statement of a function, and whether it may leave from there."""
    stops = leaves = False
    waiting: list[tuple[cst.CSTNode, bool]] = [(statement, False)]
    while waiting:
        node, in_loop = waiting.pop()
        kind = type(node)
        if kind in INNER_SCOPES:
            continue
        stops |= kind in _STOPPING_KINDS
        leaves |= kind in _LEAVING_KINDS or (kind in (cst.Break, cst.Continue) and not in_loop)
        in_loop |= kind in (cst.For, cst.While)
        waiting += [(child, in_loop) for child in children(node)]
    return stops, leaves


def _is_exception(name: str | None) -> bool:
    """Whether a name is one of Python's own exceptions."""
    found = getattr(builtins, name, None) if name is not None else None
    return isinstance(found, type) and issubclass(found, BaseException)


def _place(node: cst.CSTNode, own: str | None) -> str | None:
    """The variable, or field of `self`, whose object (or a part of it) an expression is."""
    path: list[str] = []
    while True:
        match node:
            case cst.Name(value=name):
                return f"{name}.{path[-1]}" if name == own and path else name
            case cst.Attribute(value=inner, attr=cst.Name(name)):
                path.append(name)
                node = inner
            case cst.Subscript(value=inner):
                path.clear()
                node = inner
            case cst.Call(func=cst.Attribute(value=inner)):
                path.clear()
                node = inner
            case _:
                return None


def _state_of(place: str) -> str:
    """The place of what the calls of a module in a variable change: its buffers. A field has none of its own."""
    return place if "." in place else f"{place}{_STATE}"


def _overlap(one: Iterable[str], other: frozenset[str]) -> bool:
    """Whether two sets of places have something in common: `self` holds all its fields."""
    for place in one:
        if place in other or place.split(".")[0] in other:
            return True
        if "." not in place and any(item.startswith(f"{place}.") for item in other):
            return True
    return False


def lines_behind(lines: Iterable[cst.CSTNode], value: cst.BaseExpression, dependence: Dependence) -> list[cst.CSTNode]:
    """The simple lines and heads of loops among statements, also inside of these, whose results may be part of a value."""
    rest = [part for line in lines for part in _simple_parts(line)]
    accesses = {part: _of_head(part, dependence) if isinstance(part, cst.For) else dependence.of(part) for part in rest}
    needed, found = set(dependence.of(cst.Expr(value)).reads), list[cst.CSTNode]()
    while True:
        wanted = Access(reads=frozenset(needed))
        new = [part for part in rest if not dependence.are_independent(accesses[part], wanted)]
        if not new:
            return found
        found += [part.iter if isinstance(part, cst.For) else part for part in new]
        needed |= {place for part in new for place in accesses[part].reads}
        rest = [part for part in rest if part not in new]


def _simple_parts(line: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The lines inside of a statement that hold no others, and its loops, whose heads are meant."""
    is_simple = not isinstance(line, (cst.If, cst.For, cst.While, cst.Try, cst.IndentedBlock, *_BRANCHES))
    if is_simple or isinstance(line, cst.For):
        yield line
    for item in () if is_simple else children(line):
        if isinstance(item, (cst.BaseStatement, cst.BaseSuite, *_BRANCHES)):
            yield from _simple_parts(item)


_BRANCHES = (cst.Else, cst.ExceptHandler, cst.Finally)


def _of_head(loop: cst.For, dependence: Dependence) -> Access:
    """What the head of a loop does: it gives the variables values."""
    return Access(dependence.of(cst.Expr(loop.iter)).reads, frozenset(names_in(loop.target)))


__all__ = ["LEAVING", "WORLD", "Access", "Dependence", "lines_behind"]

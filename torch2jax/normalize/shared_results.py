"""What the result of a function of the program may share with what it is given.

A may-analysis over the text of one function, forwards, without regard to order: a name may hold whatever is assigned to it
or put into it anywhere in the function. The lattice are sets of names, the join is their union; calls of functions of the
program ask for their summaries, and one that calls itself may share anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import libcst as cst

from torch2jax.facts import named_tuples
from torch2jax.facts.alias_state import is_constant, key_text, root_of
from torch2jax.facts.infer import NEW_ARRAYS, PASSING_LAYERS, Values
from torch2jax.facts.storage import SURROUNDINGS, Shared
from torch2jax.normalize.escape import kept_names, may_join
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.python import method_does, stores_arguments
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import bound_in
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import INPLACE, WITHOUT_TENSORS, Kind, Value

_HOLDING = (Kind.UNKNOWN, Kind.PYTHON, Kind.OBJECT, Kind.LIST, Kind.DICT, Kind.TUPLE)
FACTS_OF_TENSORS = frozenset({"device", "dtype", "is_cuda", "ndim", "requires_grad", "shape"})
"""What tensors and arrays say of themselves, and to which no storage belongs."""

_KEPT = "**"  # stands for all that the function has put somewhere, or given to what may keep it

_LOOKING = frozenset(
    {"bool", "float", "hasattr", "id", "int", "isinstance", "len", "print", "range", "repr", "str", "type"}
)


def shared_by_result(work: NormalizationRound, function: Function) -> Shared | None:
    """The names of a function with which its result may share storage, parameters and others; None: anything."""
    if function not in work.shared_results:
        work.shared_results[function] = None  # for one that calls itself
        work.shared_results[function] = _Names(work, function).of_result()
    return work.shared_results[function]


class _Names:
    """What the names of one function may share with each other."""

    def __init__(self, work: NormalizationRound, function: Function) -> None:
        self.work = work
        self.look = work.values
        self.function = function
        self.given: dict[str, list[frozenset[str]]] = {}
        self.stored: list[tuple[str, frozenset[str]]] = []

    def of_result(self) -> Shared | None:
        if self.function.outer is not None or _is_beyond(self.function):
            return None
        nodes = own_nodes(self.function.node)
        for node in nodes:
            self.note(node)
        self.spread_stores()
        returned = [node.value for node in nodes if isinstance(node, cst.Return) and node.value is not None]
        names = frozenset[str]().union(*(self.reached(self.direct(value)) for value in returned))
        return Shared(names, self.parts(returned), self.keys(returned))

    def parts(self, returned: list[cst.BaseExpression]) -> tuple[frozenset[str], ...] | None:
        if len(returned) == 1 and isinstance(returned[0], cst.Call):
            if self.look(returned[0].func).const == "einops.pack":
                return frozenset(), frozenset()
        tuples = [value for value in returned if isinstance(value, cst.Tuple)]
        lengths = {len(value.elements) for value in tuples}
        is_starred = any(isinstance(item, cst.StarredElement) for value in tuples for item in value.elements)
        if len(tuples) != len(returned) or len(lengths) != 1 or is_starred:
            return None
        return tuple(
            frozenset[str]().union(*(self.reached(self.direct(value.elements[place].value)) for value in tuples))
            for place in range(lengths.pop())
        )

    def keys(self, returned: list[cst.BaseExpression]) -> dict[str, frozenset[str]] | None:
        """By the text of its key, what each value of `return {"out": x, "mean": m}` may share with."""
        found: dict[str, frozenset[str]] = {}
        for value in returned:
            if not isinstance(value, cst.Dict):
                return None
            for element in value.elements:
                key = key_text(element.key) if isinstance(element, cst.DictElement) else None
                if key is None or not is_constant(key):
                    return None
                found[key] = found.get(key, frozenset()) | self.reached(self.direct(element.value))
        return found or None

    # what is assigned, and what is put into something

    def note(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Assign(value=value):
                for target in node.targets:
                    self.bind(target.target, value)
            case cst.AnnAssign(target=target, value=cst.BaseExpression() as value):
                self.bind(target, value)
            case cst.NamedExpr(target=target, value=value) | cst.WithItem(item=value, asname=cst.AsName(name=target)):
                self.bind(target, value)
            case cst.AugAssign(target=target, value=value):
                if self.look(target).kind is not Kind.TENSOR:
                    self.bind(target, value)
            case cst.For(target=target, iter=value) | cst.CompFor(target=target, iter=value):
                self.bind(target, value)
            case cst.Call():
                self.note_call(node)

    def bind(self, target: cst.CSTNode, value: cst.BaseExpression) -> None:
        match target:
            case cst.Tuple() | cst.List():
                self.unpack(target, value)
            case cst.StarredElement():
                self.bind(target.value, value)
            case cst.Name(name):
                self.given.setdefault(name, []).append(self.direct(value))
            case cst.Subscript() if self.look(target.value).kind is Kind.TENSOR:
                return  # which copies
            case cst.Subscript() | cst.Attribute():
                self.put(target, self.direct(value))

    def unpack(self, target: cst.Tuple | cst.List, value: cst.BaseExpression) -> None:
        elements = [element.value for element in target.elements]
        starred = any(isinstance(element, cst.StarredElement) for element in target.elements)
        if isinstance(value, (cst.Tuple, cst.List)) and len(value.elements) == len(elements) and not starred:
            for one, other in zip(elements, value.elements, strict=True):
                self.bind(one, other.value)
            return
        for element in elements:
            self.bind(element, value)

    def put(self, holder: cst.CSTNode, names: frozenset[str]) -> None:
        """Something is stored in what begins with a variable."""
        root = root_of(holder)
        self.given.setdefault(_KEPT, []).append(names)
        if root is not None:
            self.stored.append((root, names))

    def note_call(self, call: cst.Call) -> None:
        """What a call is given may come to lie in what it is called of, and in the containers that it is given."""
        if self.look.torch_name(call.func) is not None or self.look(call.func).kind is Kind.MODULE or not call.args:
            return
        if isinstance(call.func, cst.Attribute) and not self.look.callees.get(call):
            kind = self.look(call.func.value).kind
            if kind in _HOLDING and (stores_arguments(call.func.attr.value, kind) or kind is not Kind.UNKNOWN):
                self.put(call.func.value, self.of_arguments(call))
            return
        callees = self.look.callees.get(call, ())
        if dotted(call.func) in _LOOKING or (callees and not any(kept_names(self.work, item) for item in callees)):
            return
        names = self.of_arguments(call)
        self.given.setdefault(_KEPT, []).append(names)
        for item in (*call.args, *((call.func.value,) if isinstance(call.func, cst.Attribute) else ())):
            place = item.value if isinstance(item, cst.Arg) else item
            if self.look(place).kind in _HOLDING:
                self.put(place, names)

    def spread_stores(self) -> None:
        """What is put into something is in all that may share with it."""
        for root, names in self.stored:
            for name in self.reached(frozenset({root})) - {SURROUNDINGS}:
                self.given.setdefault(name, []).append(names)

    # what expressions may share

    def reached(self, names: frozenset[str]) -> frozenset[str]:
        """Some names, and all that they may share with."""
        found, waiting = set[str](), list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += frozenset[str]().union(*self.given.get(name, ()))
        return frozenset(found)

    def of_all(self, nodes: Iterable[cst.BaseExpression]) -> frozenset[str]:
        return frozenset[str]().union(*map(self.direct, nodes))

    def of_arguments(self, call: cst.Call) -> frozenset[str]:
        return self.of_all(item.value for item in call.args)

    def direct(self, node: cst.BaseExpression) -> frozenset[str]:
        """The names that stand in an expression where its result may share storage with them."""
        value = self.look(node)
        if value.kind in WITHOUT_TENSORS or (value.kind is Kind.TENSOR and self.look.makes_its_own(node)):
            return frozenset()
        match node:
            case cst.Name(name):
                if self.is_local(name):
                    return frozenset({name})
                return frozenset() if self.is_closed(value) else frozenset({SURROUNDINGS})
            case cst.Attribute():
                return self.of_attribute(node)
            case cst.Subscript(value=base) | cst.Await(expression=base):
                return self.direct(base)
            case cst.Call():
                return self.of_call(node)
            case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
                return self.direct(left) | self.direct(right)
            case cst.BinaryOperation(left=left, right=right):
                return self.direct(left) | self.direct(right) if may_join(self.look, node) else frozenset()
            case cst.NamedExpr(value=inner):
                return self.direct(inner)
            case cst.Comparison() | cst.UnaryOperation() | cst.BaseString() | cst.BaseNumber():
                return frozenset()
            case cst.List() | cst.Tuple() | cst.Set() | cst.Dict():
                return self.of_all(element.value for element in node.elements)
        return self.of_names_below(node)

    def is_closed(self, value: Value) -> bool:
        """Whether a value is functions that give nothing but what they are given, or make."""
        keys = value.types if value.kind is Kind.FUNCTION and value.elem is None else frozenset()
        functions = [self.work.program.by_key.get(key) for key in keys]
        shared = [shared_by_result(self.work, item) for item in functions if item is not None and not item.is_method]
        is_made = value.const == named_tuples.CLASS or value.kind is Kind.TORCH
        return is_made or (
            0 < len(keys) == len(shared) and all(item and SURROUNDINGS not in item.names for item in shared)
        )

    def of_names_below(self, node: cst.CSTNode) -> frozenset[str]:
        """Comprehensions, lambdas: all that they speak of."""
        names = {item.value for item in descendants(node, cst.Name)}
        return frozenset(name for name in names if self.is_local(name)) | {SURROUNDINGS}

    def of_attribute(self, node: cst.Attribute) -> frozenset[str]:
        if node.attr.value in FACTS_OF_TENSORS:
            return frozenset()
        return self.direct(node.value) if root_of(node) != self.function.self_name else frozenset({SURROUNDINGS})

    def is_local(self, name: str) -> bool:
        return name in self.function.env or name in all_parameters(self.function) or name in self.given

    def of_call(self, call: cst.Call) -> frozenset[str]:
        torch_name = self.look.torch_name(call.func)
        tables = self.work.effects.tables if self.work.effects is not None else None
        receiver = call.func.value if isinstance(call.func, cst.Attribute) and torch_name is None else None
        called = self.look(call.func)
        if called.const == "einops.pack" or gives_no_storage(call, self.look):
            return frozenset()
        if called.const in (named_tuples.CLASS, "functools.partial"):
            return self.of_arguments(call)
        if called.kind is Kind.CLASS or any(_names_result(item) for item in call.args):
            return self.of_arguments(call) | {SURROUNDINGS}
        if torch_name is not None:
            spec = tables.functions.get(torch_name) if tables is not None else None
            makes = spec is not None and spec.view is None and not is_inplace_name(torch_name.rpartition(".")[2])
            return frozenset() if makes else self.of_arguments(call)
        if receiver is not None and self.look(receiver).kind is Kind.TENSOR:
            assert isinstance(call.func, cst.Attribute)
            method = tables.method(call.func.attr.value) if tables is not None else None
            makes = method is not None and method.view is None and not is_inplace_name(call.func.attr.value)
            return frozenset() if makes else self.direct(receiver) | self.of_arguments(call)
        if callees := self.look.callees.get(call):
            return frozenset[str]().union(*(self.of_callee(item, call) for item in callees))
        if dotted(call.func) in _LOOKING:
            return frozenset()
        if self.is_own(call):
            return frozenset()
        if is_of_given(self.work, self.function, call):  # a parameter may be a function, which callers know
            return frozenset({call.func.value}) if isinstance(call.func, cst.Name) else frozenset()
        if isinstance(call.func, cst.Name) and self.is_local(call.func.value):
            return self.direct(call.func) | self.of_arguments(call)
        owner = self.direct(receiver) if receiver is not None else frozenset[str]()
        return owner | self.of_arguments(call) | {SURROUNDINGS}

    def is_own(self, call: cst.Call) -> bool:
        """Whether a layer makes what it gives."""
        module = self.look(call.func)
        if module.kind is not Kind.MODULE or not module.types:
            return False
        return module.const != INPLACE and INPLACE not in module.among and not passes_on(module)

    def of_callee(self, callee: Function, call: cst.Call) -> frozenset[str]:
        everything = self.of_arguments(call) | {SURROUNDINGS, _KEPT, *all_parameters(self.function)}
        shared = shared_by_result(self.work, callee)
        if shared is None or any(item.star for item in call.args):
            return frozenset(everything)
        given = dict(arguments_by_parameter(callee, call, self.look))
        found: set[str] = set()
        for name in shared.names & {SURROUNDINGS, *callee.parameter_names}:
            if name in given:
                if is_callable(self.look, given[name]):
                    return frozenset(everything)
                found |= self.direct(given[name])
            elif name in (SURROUNDINGS, callee.self_name):
                found.add(SURROUNDINGS)
                if isinstance(call.func, cst.Attribute):
                    found |= self.direct(call.func.value)
            elif not has_plain_default(callee, name):
                return frozenset(everything)
        return frozenset(found)


def all_parameters(function: Function) -> list[str]:
    """The names of the parameters of a function, those that take whatever is left among them."""
    stars = (function.star_name, function.double_star_name)
    return [*function.parameter_names, *(name for name in stars if name is not None)]


def is_of_given(work: NormalizationRound, function: Function | None, call: cst.Call) -> bool:
    """Whether a call is one of a network or the like that a function or a module was given, or of a part of it, and of
    which nothing is known: what it gives is its own, as what modules of the program give.
    """
    called = work.values(call.func)
    is_open = called.kind is Kind.UNKNOWN or (called.kind is Kind.MODULE and not called.types)
    if _is_of_unknown_layers(called):
        return True
    if not is_open or work.values.callees.get(call):
        return False
    if _is_loaded(work, function, call.func):
        return True
    if function is None:
        return False
    if isinstance(call.func, cst.Attribute):
        return work.values(call.func.value).kind is Kind.MODULE
    return _comes_from_given(work, function, call.func, frozenset())


def _is_of_unknown_layers(module: Value) -> bool:
    """Whether a Sequential is made of layers of which nothing is known: `nn.Sequential(*encoder.layers[1:])`."""
    is_open = module.items is None and (module.elem is None or module.elem.kind is Kind.UNKNOWN)
    is_inplace = module.const == INPLACE or INPLACE in module.among
    return module.kind is Kind.MODULE and module.types == {"torch.nn.Sequential"} and is_open and not is_inplace


def _is_loaded(work: NormalizationRound, function: Function | None, called: cst.BaseExpression) -> bool:
    """Whether a network, or a method of one, is called that `torch.load` has given."""
    network = called.value if isinstance(called, cst.Attribute) else called
    if not isinstance(network, cst.Name):
        return False
    if isinstance(called, cst.Attribute) and (method_does(called.attr.value) or is_inplace_name(called.attr.value)):
        return False
    scope = function.node.body if function is not None else work.index.module
    sources = _sources_in(scope, network.value)
    return bool(sources) and all(
        isinstance(item, cst.Call) and work.values.torch_name(item.func) == "torch.load" for item in sources
    )


def _comes_from_given(
    work: NormalizationRound, function: Function, node: cst.BaseExpression, seen: frozenset[str]
) -> bool:
    """Whether an expression is a parameter, a field of a module, or a part of one: `self.net.layers[i]`."""
    match node:
        case cst.Attribute(value=owner) | cst.Subscript(value=owner):
            is_field = isinstance(node, cst.Attribute) and work.values(owner).kind is Kind.MODULE
            return is_field or _comes_from_given(work, function, owner, seen)
        case cst.Call(func=cst.Name("enumerate" | "zip" | "reversed" | "list"), args=[*items]) if items:
            return all(_comes_from_given(work, function, item.value, seen) for item in items)
        case cst.List(elements=elements) | cst.Tuple(elements=elements) if elements:
            return all(_comes_from_given(work, function, item.value, seen) for item in elements)
        case cst.Name(name):
            sources = _sources_in(function.node.body, name)
            if name in function.parameter_names:
                return not sources
            inner = seen | {name}
            return (
                name not in seen
                and bool(sources)
                and all(item is not None and _comes_from_given(work, function, item, inner) for item in sources)
            )
    return False


@lru_cache(maxsize=2048)
def _sources_in(scope: cst.CSTNode, name: str) -> tuple[cst.BaseExpression | None, ...]:
    """What a variable is given in a function or a file, whole or in part; None: something else."""
    found: list[cst.BaseExpression | None] = []
    for node in descendants(scope, *_BINDINGS):
        targets: list[cst.CSTNode] = []
        source: cst.BaseExpression | None = None
        match node:
            case cst.Assign(value=source):
                targets = [item.target for item in node.targets]
            case cst.For(iter=source) | cst.CompFor(iter=source):
                targets = [node.target]
            case cst.AsName(name=bound):
                targets = [bound]
            case cst.AnnAssign(target=bound) | cst.AugAssign(target=bound) | cst.NamedExpr(target=bound):
                targets = [bound]
        if any(name in bound_in(target) and not _is_place(target) for target in targets):
            found.append(source)
    return tuple(found)


_BINDINGS = (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.CompFor, cst.AsName)


def _is_place(target: cst.CSTNode) -> bool:
    """Whether a target is a slot or a field of what a variable holds."""
    return isinstance(target, (cst.Subscript, cst.Attribute))


def passes_on(module: Value) -> bool:
    """Whether a layer, or a sequence of layers, gives back what it is given."""
    if module.kind is not Kind.MODULE:
        return False
    items = module.items or ((module.elem,) if module.elem is not None else ())
    return bool(module.types & PASSING_LAYERS) or (bool(items) and all(map(passes_on, items)))


def gives_no_storage(call: cst.Call, look: Values) -> bool:
    """Whether a call gives numbers of Python or a new array of NumPy: `x.tolist()`, `x.astype(int)`, `np.copy(x)`."""
    if look.callees.get(call) or any(item.keyword is not None and item.keyword.value == "copy" for item in call.args):
        return False
    match call.func:
        case cst.Attribute(attr=cst.Name("tolist" | "item")) if not call.args:
            return True
        case cst.Attribute(attr=cst.Name("astype")):
            return True
    return look(call.func).const in NEW_ARRAYS


def is_callable(look: Callable[[cst.CSTNode], Value], node: cst.BaseExpression) -> bool:
    """Whether an argument is a function, which may give back what it is given itself or has around it."""
    return isinstance(node, cst.Lambda) or look(node).kind in (Kind.FUNCTION, Kind.PYTHON, Kind.TORCH)


def has_plain_default(function: Function, name: str) -> bool:
    """Whether a parameter that a call leaves out is a number, text or None."""
    param = next((item for item in function.parameters if item.name.value == name), None)
    if param is None:
        return False
    default = param.default
    is_word = isinstance(default, cst.Name) and default.value in ("None", "True", "False")
    return is_word or isinstance(default, (cst.BaseNumber, cst.BaseString))


def _names_result(item: cst.Arg) -> bool:
    """Whether an argument says where the result goes: `out=x`, `inplace=True`."""
    return item.keyword is not None and item.keyword.value in ("out", "inplace")


def _is_beyond(function: Function) -> bool:
    """Whether values go ways that are not followed here: generators, patterns, functions inside."""
    nodes = (cst.Yield, cst.Match, cst.Global, cst.Nonlocal, cst.FunctionDef, cst.ClassDef)
    inside = descendants(function.node.body, cst.Lambda)
    stores = any(stores_arguments(_method(call)) for item in inside for call in descendants(item, cst.Call))
    return bool(descendants(function.node.body, *nodes)) or function.node.asynchronous is not None or stores


def _method(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""


__all__ = [
    "FACTS_OF_TENSORS",
    "all_parameters",
    "gives_no_storage",
    "has_plain_default",
    "is_callable",
    "is_of_given",
    "passes_on",
    "shared_by_result",
]

"""The functions and classes of a file, and the torch names that its imports bind."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from enum import Enum
from functools import lru_cache
from typing import TypeGuard

import libcst as cst

from torch2jax.program.definitions import Definitions
from torch2jax.program.layout import joined
from torch2jax.program.torch_packages import needs_torch
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import Index, children, descendants
from torch2jax.values import UNKNOWN, Kind, Value


@lru_cache(maxsize=2048)
def _decorators(node: cst.FunctionDef) -> list[str]:
    return [code(decorator.decorator) for decorator in node.decorators]


@lru_cache(maxsize=2048)
def fields_named(node: cst.CSTNode, own: str) -> frozenset[str]:
    """The fields that a method, or a part of it, names of the object it belongs to."""
    attributes = (item for item in (node, *descendants(node)) if isinstance(item, cst.Attribute))
    return frozenset(
        item.attr.value for item in attributes if isinstance(item.value, cst.Name) and item.value.value == own
    )


@lru_cache(maxsize=2048)
def _fields_set(node: cst.FunctionDef, own: str) -> frozenset[str]:
    """The fields that a method sets of the object it belongs to."""
    places = (dotted(item.target) or "" for item in descendants(node) if isinstance(item, cst.AssignTarget))
    return frozenset(place.partition(".")[2] for place in places if place.startswith(f"{own}."))


def _registers(node: cst.CSTNode | None) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name("register_buffer"))):
            return True
    return False


def place_of(key: str) -> str:
    """The place of the file in which a function or class of the program stands."""
    return f"{key.partition(':')[0]}:"


@dataclass(slots=True, eq=False)
class Function:
    """One function or method. `params`, `returns` and `env` are filled by value inference.

    `key` is its qualified name; `owner` the class it is a method of; `outer` the function around it.
    """

    node: cst.FunctionDef
    key: str
    owner: Class | None
    outer: Function | None
    seen: dict[str, Value] = field(default_factory=dict)
    seen_before: dict[str, Value] = field(default_factory=dict)
    seen_elsewhere: dict[str, Value] = field(default_factory=dict)  # what other files pass
    evidence: dict[str, Value] = field(default_factory=dict)
    returns: Value | None = None
    env: dict[str, Value] = field(default_factory=dict)
    callers: dict[cst.CSTNode, None] = field(default_factory=dict)  # in a fixed order

    @property
    def name(self) -> str:
        return self.node.name.value

    @property
    def place(self) -> str:
        """The place of the file that it stands in."""
        return place_of(self.key)

    @property
    def parameters(self) -> list[cst.Param]:
        params = self.node.params
        found = [*params.posonly_params, *params.params, *params.kwonly_params]
        return found

    @property
    def parameter_names(self) -> list[str]:
        return [param.name.value for param in self.parameters]

    @property
    def star_name(self) -> str | None:
        """The parameter that takes whatever arguments are left."""
        star = self.node.params.star_arg
        return star.name.value if isinstance(star, cst.Param) else None

    @property
    def double_star_name(self) -> str | None:
        """The parameter that takes whatever keywords are left."""
        star = self.node.params.star_kwarg
        return star.name.value if star is not None else None

    @property
    def is_method(self) -> bool:
        return self.owner is not None and not self.is_static

    @property
    def is_static(self) -> bool:
        return "staticmethod" in self.decorators

    @property
    def decorators(self) -> list[str]:
        return _decorators(self.node)

    @property
    def self_name(self) -> str | None:
        parameters = self.parameters if self.is_method and "classmethod" not in self.decorators else ()
        return parameters[0].name.value if parameters else None


@dataclass(slots=True, eq=False)
class Class:
    """One class. `fields` are the attributes of its instances in order of assignment; `bases` the values of its bases."""

    node: cst.ClassDef
    key: str
    outer: Function | None
    methods: dict[str, Function] = field(default_factory=dict)
    getters: dict[str, Function] = field(default_factory=dict)  # of properties that have setters, which `methods` has
    fields: dict[str, Value] = field(default_factory=dict)
    fields_before: dict[str, Value] = field(default_factory=dict)
    bases: list[Value] = field(default_factory=list)
    base_classes: list[Class] = field(default_factory=list)
    buffers: dict[str, bool] = field(default_factory=dict)  # name -> persistent
    given_buffers: dict[str, dict[cst.CSTNode | None, None]] = field(
        default_factory=dict
    )  # name -> what gives it a tensor
    state: dict[str, str] = field(default_factory=dict)  # what changes after `__init__`: name -> form
    field_nodes: dict[str, cst.CSTNode] = field(default_factory=dict)
    declared: dict[str, Value] = field(default_factory=dict)  # numbers and texts, by the annotations of fields
    calls_any: bool = False  # a method calls a part that may be of any class, also of one that keeps state
    early: set[str] = field(default_factory=set)  # its methods that run where a module of a derived class is made only
    _lineage: list[Class] | None = None  # once its bases are known for good
    _is_module: bool = False

    @property
    def name(self) -> str:
        return self.node.name.value

    @property
    def place(self) -> str:
        """The place of the file that it stands in."""
        return place_of(self.key)

    @property
    def lineage(self) -> list[Class]:
        """The class and its base classes in the program, nearest first."""
        if self._lineage is not None:
            return self._lineage
        found = [self]
        for base in self.base_classes:
            found.extend(item for item in base.lineage if item not in found)
        return found

    def keep_lineage(self) -> None:
        """Find once which classes it derives from, whose bases do not change any more."""
        self._is_module = self.is_module
        self._lineage = self.lineage

    @property
    def is_module(self) -> bool:
        if self._lineage is not None:
            return self._is_module
        return any(
            value.kind is Kind.TORCH
            and (str(value.const).startswith("torch.nn.") or (isinstance(value.const, str) and _is_own(value.const)))
            for item in self.lineage
            for value in item.bases
        )

    def getter(self, name: str) -> Function | None:
        """What reads a property that has a setter."""
        return next((item.getters.get(name) for item in self.lineage if name in item.methods), None)

    def method(self, name: str) -> Function | None:
        for item in self.lineage:
            if name in item.methods:
                return item.methods[name]
        return None

    def field_value(self, name: str) -> Value | None:
        """What a field may hold after all of the last round; in the first one, what is known of it so far."""
        for item in self.lineage:
            if name in item.fields_before:
                return item.fields_before[name]
            if name in item.fields:
                return item.fields[name]
        return None

    def sets(self, name: str) -> bool:
        """Whether a method sets a field."""
        methods = (method for item in self.lineage for method in item.methods.values())
        return any(name in _fields_set(method.node, method.self_name or "") for method in methods)

    def all_fields(self) -> Iterator[tuple[str, Value]]:
        seen: set[str] = set()
        for item in self.lineage:
            for name, value in item.fields.items():
                if name not in seen:
                    seen.add(name)
                    yield name, value

    def keeper(self, name: str) -> Class:
        """The class, this one or the furthest that it is made from, whose methods name a field: all that share it meet there."""
        first = name.partition(".")[0]
        own = [(item, method) for item in self.lineage for method in item.methods.values()]
        named = (item for item, method in own if first in fields_named(method.node, method.self_name or ""))
        return max(named, key=self.lineage.index, default=self)

    def is_registered(self, name: str) -> bool:
        """Whether a field is a buffer of torch's, rather than a tensor that is just stored."""
        if self.buffers.get(name, False):
            return True
        nodes = (self.field_nodes.get(name), *self.given_buffers.get(name, ()))
        return name in self.buffers and any(_registers(node) for node in nodes)

    @property
    def is_dataclass(self) -> bool:
        return any("dataclass" in code(decorator.decorator) for decorator in self.node.decorators)


class Processes(Enum):
    """Whether other files start processes: not, as far as is known, or all or some of the programs that a file is a part of."""

    UNKNOWN = "unknown"
    SOME = "some"
    ALL = "all"


@dataclass(slots=True)
class Program:
    """All functions and classes of a file by node and by key."""

    index: Index
    functions: dict[cst.FunctionDef, Function] = field(default_factory=dict)
    classes: dict[cst.ClassDef, Class] = field(default_factory=dict)
    by_key: dict[str, Function] = field(default_factory=dict)
    class_by_key: dict[str, Class] = field(default_factory=dict)
    module_env: dict[str, Value] = field(default_factory=dict)
    prefix: str = ""  # of the keys of its functions and classes: the place of the file
    first_site: int = 0  # the number of its first allocation site: those of other files have others
    modules: dict[str, Program] = field(default_factory=dict)  # the other files of the program that are known, by place
    asked: Mapping[str, str] = field(default_factory=dict)  # what its imports ask for: the place of the file or folder
    stored_elsewhere: dict[str, Value] = field(default_factory=dict)  # into containers of this file, by their sites
    gone: frozenset[str] = frozenset()  # names of torch at module level, which the translation does not have
    package: str = ""  # that relative imports start from, where it matters
    settled: frozenset[cst.CSTNode] = frozenset()  # nodes that are right as they stand, whatever they seem to change
    in_place: frozenset[cst.CSTNode] = frozenset()  # assignments to fields that stand for a change in place
    marks: frozenset[tuple[str, ...]] = frozenset()  # what normalizations of effects have noted of functions
    processes: Processes = Processes.UNKNOWN  # whether the programs that it is a part of start processes
    is_imported: bool = False  # whether another file of the program may use its functions
    are_users_known: bool = False  # these files have been analysed, all of them
    looked_at: frozenset[tuple[str, str]] = frozenset()  # of functions, what other files look at behind their calls
    filled: Set[tuple[str, str]] = frozenset()  # (class, field) of modules to which other files give tensors
    early_elsewhere: Set[str] = (
        frozenset()
    )  # methods that other files call only where they make modules of derived classes
    makers_elsewhere: Set[tuple[str, bool]] = frozenset()  # as other files call them: do they make parts of modules
    read_elsewhere: Set[str] = frozenset()  # names of fields that other files read, and texts in them

    _definitions: Definitions | None = None
    surroundings: object = None  # of compiled code, once somebody has asked for them
    object_changes: object = None  # that its code changes, likewise
    _words: frozenset[str] | None = None
    _read_fields: frozenset[str] | None = None
    _changed_fields: frozenset[str] | None = None
    _stored_fields: frozenset[str] | None = None
    _running: dict[cst.CSTNode, Function | None] = field(default_factory=dict)
    form: object = None  # what evaluations of functions may ask of the file, once it is analysed
    _assigned: dict[Function | None, dict[str, list[cst.Assign | cst.For | cst.CompFor]]] = field(default_factory=dict)

    @property
    def definitions(self) -> Definitions:
        """The definitions and uses of the variables of the file."""
        if self._definitions is None:
            self._definitions = Definitions(self.index)
        return self._definitions

    def adopt(self, others: OtherFiles) -> None:
        """Make the functions and classes of other files known."""
        self.modules = dict(others.modules)
        self.by_key = self.by_key | others.by_key | self.by_key
        self.class_by_key = self.class_by_key | others.class_by_key | self.class_by_key

    def module_asked(self, name: str) -> Program | None:
        """The file of the program that an import asks for, where it is known."""
        return self.modules.get(self.asked.get(name, ""))

    def has_file_of(self, name: str) -> bool:
        """Whether a module, or one that a dotted name is part of, is a file or folder of the program, whatever else has its name."""
        parts = name.split(".")
        return any(".".join(parts[:end]) in self.asked for end in range(1, len(parts) + 1))

    def part_of(self, place: str, name: str) -> str | None:
        """The place of a module or folder inside of a package or folder."""
        if not place.endswith(("/", "/__init__:")) and place != "__init__:":
            return None
        base = f"{place.removesuffix('__init__:')}{name}"
        for inner in (f"{base}/__init__:", f"{base}:"):
            if inner in self.modules:
                return inner
        return f"{base}/" if any(item.startswith(f"{base}/") for item in self.modules) else None

    def parts_of(self, place: str) -> list[str]:
        """The names of the modules right inside of a package or folder."""
        base = place.removesuffix("__init__:")
        inner = (item.removeprefix(base) for item in self.modules if item.startswith(base) and item != place)
        names = (item.removesuffix("/__init__:").removesuffix(":") for item in inner)
        return sorted(name for name in names if "/" not in name) if place.endswith(("/", "/__init__:")) else []

    def home(self, node: cst.CSTNode) -> Program:
        """The file in which a node stands: this one, or another of the program."""
        if node in self.index.parents:
            return self
        return next((item for item in self.modules.values() if node in item.index.parents), self)

    @property
    def files(self) -> list[Program]:
        """This file and the others of the program that are known."""
        return [self, *(item for item in self.modules.values() if item.prefix != self.prefix)]

    @property
    def is_trained(self) -> bool:
        """Whether a file of the program has training steps."""
        return any(file.mentions("backward") for file in self.files)

    @property
    def keeps_all_trained(self) -> bool:
        """Whether no file takes a parameter out of training, or makes one that is not trained."""
        return not any(file.mentions("requires_grad_") or file.sets_flags for file in self.files)

    @property
    def sets_flags(self) -> bool:
        """Whether the file sets a `requires_grad`, says at once which one a tensor has, or makes layers that are frozen."""
        if self.mentions("from_pretrained") or any(
            "requires_grad" in item.value for item in self.index.every(cst.SimpleString)
        ):
            return True
        if any((dotted(call.func) or "").endswith("Parameter") and len(call.args) > 1 for call in self.index.calls):
            return True
        for node in self.index.names:
            if node.value == "requires_grad":
                place = self.index.parents[node]
                if isinstance(place, cst.Arg) and place.keyword is node:
                    return True
                if isinstance(place, cst.Attribute) and isinstance(self.index.parents[place], cst.AssignTarget):
                    return True
        return False

    @property
    def has_hidden_buffers(self) -> bool:
        """Whether a class of the program registers a buffer that no state dict holds."""
        buffers = ((item, name, kept) for item in self.class_by_key.values() for name, kept in item.buffers.items())
        return any(not kept and item.is_registered(name) for item, name, kept in buffers)

    def function_around(self, node: cst.CSTNode) -> Function | None:
        found = self.index.function_of(node)
        return self.functions[found] if found is not None else None

    def function_running(self, node: cst.CSTNode) -> Function | None:
        """The function whose call evaluates a node: for defaults, decorators and annotations the one around it."""
        if node not in self._running:
            self._running[node] = self._find_running(node)
        return self._running[node]

    def _find_running(self, node: cst.CSTNode) -> Function | None:
        child = node
        for ancestor in self.index.ancestors(node):
            if type(ancestor) is cst.FunctionDef and child is ancestor.body:
                return self.functions[ancestor]
            child = ancestor
        return None

    @staticmethod
    def scope_of(function: Function | None, name: str) -> Function | None:
        """The function, this one or one around it, that has a variable; None for the module."""
        while function is not None and name not in function.env:
            function = function.outer
        return function

    def variables_of(self, scope: Function | None) -> Mapping[str, Value]:
        """The variables of a function, or of the module, whatever they hold at some time."""
        return scope.env if scope is not None else self.module_env

    def assigned_in(self, function: Function | None, name: str) -> Sequence[cst.Assign | cst.For | cst.CompFor]:
        """What gives a name a value somewhere below a function, or in the file: `x = ...`, and loops over `x` or `i, x`."""
        if function not in self._assigned:
            found = self._assigned[function] = {}
            kinds = (cst.Assign, cst.For, cst.CompFor)
            for node in descendants(function.node.body if function is not None else self.index.module):
                if type(node) not in kinds:
                    continue
                targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]  # type: ignore[attr-defined]
                if len(targets) == 1 and isinstance(targets[0], cst.Tuple) and not isinstance(node, cst.Assign):
                    targets = [element.value for element in targets[0].elements]
                elif len(targets) > 1:
                    continue
                for target in dict.fromkeys(item.value for item in targets if isinstance(item, cst.Name)):
                    found.setdefault(target, []).append(node)  # type: ignore[arg-type]
        return self._assigned[function].get(name, ())

    @property
    def read_fields(self) -> frozenset[str]:
        """The names of the fields that the file reads."""
        if self._read_fields is None:
            nodes = self.index.attributes
            self._read_fields = frozenset([node.attr.value for node in nodes if not self._is_target(node)])
        return self._read_fields

    @property
    def changed_fields(self) -> frozenset[str]:
        """The names of the fields that get another value outside of `__init__`."""
        if self._changed_fields is None:
            self._changed_fields = frozenset(self._find_changed_fields())
        return self._changed_fields

    @property
    def stored_fields(self) -> frozenset[str]:
        """The names of the fields that statements give values, in `__init__` or elsewhere."""
        if self._stored_fields is None:
            self._stored_fields = frozenset([node.attr.value for node in self._find_stores()])
        return self._stored_fields

    def _find_changed_fields(self) -> Iterator[str]:
        for node in self._find_stores():
            function = self.function_around(node)
            if function is None or function.name != "__init__":
                yield node.attr.value

    def _find_stores(self) -> Iterator[cst.Attribute]:
        for node in self.index.attributes:
            if self._is_target(node) or isinstance(self.index.parents.get(node), cst.AugAssign):
                yield node

    def _is_target(self, node: cst.CSTNode) -> bool:
        """Whether a node is a target of an assignment or of a loop, or stands in one."""
        parent = self.index.parents.get(node)
        while isinstance(parent, (cst.Element, cst.Tuple, cst.List)):
            node, parent = parent, self.index.parents.get(parent)
        return isinstance(parent, (cst.AssignTarget, cst.AnnAssign)) or (
            isinstance(parent, cst.For) and parent.target is node
        )

    def mentions(self, word: str) -> bool:
        """Whether a name stands somewhere in the file."""
        if self._words is None:
            self._words = frozenset([name.value for name in self.index.names])
        return word in self._words

    @property
    def is_of_jax(self) -> bool:
        """Whether the file computes with JAX already, and takes nothing of torch but its writer for TensorBoard."""
        statements = self.index.every(cst.Import, cst.ImportFrom)
        modules = [
            name
            for node in statements
            if isinstance(node, cst.Import | cst.ImportFrom)
            for name in imported_module(node)
        ]
        of_torch = [name for name in modules if needs_torch(name)]
        return any(name.split(".")[0] == "jax" for name in modules) and all(
            name.startswith("torch.utils.tensorboard") for name in of_torch
        )

    @property
    def has_loading_workers(self) -> bool:
        """Whether it may matter to a loader of the program who reads, or that it has samplers: most only make batches."""
        streams = ("torch.utils.data.IterableDataset", "torch.utils.data.ChainDataset")
        return (
            any(self.mentions(word) for word in _OF_LOADERS)
            or any(node.attr.value in ("sampler", "batch_sampler") for node in self.index.attributes)
            or any(base.const in streams for item in self.class_by_key.values() for base in item.bases)
        )

    def defines_method(self, name: str) -> bool:
        """Whether some class of the program has a method of that name."""
        return any(name in item.methods for item in self.class_by_key.values())

    def module_classes(self) -> list[Class]:
        return [item for item in self.class_by_key.values() if item.is_module]


class OtherFiles:
    """The other files of a program, and their functions and classes."""

    def __init__(self, programs: Iterable[Program]) -> None:
        self.modules = {program.prefix: program for program in programs}
        self.by_key: dict[str, Function] = {}
        self.class_by_key: dict[str, Class] = {}
        for program in self.modules.values():
            for function in program.functions.values():
                self.by_key.setdefault(function.key, function)
            for item in program.classes.values():
                self.class_by_key.setdefault(item.key, item)


def build_program(index: Index, prefix: str = "") -> Program:
    """Collect functions and classes with their nesting; `prefix` sets their keys apart from those of other files."""
    program = Program(index, prefix=prefix)
    _collect(index.module.body, prefix, None, None, program)
    return program


def _collect(
    body: Sequence[cst.CSTNode], prefix: str, owner: Class | None, outer: Function | None, program: Program
) -> None:
    for node in body:
        kind = type(node)
        if kind is cst.SimpleStatementLine or kind is cst.Param:
            continue  # expressions and small statements hold no definitions
        if isinstance(node, cst.FunctionDef):
            key = _unique(f"{prefix}{node.name.value}", program)
            function = Function(node, key, owner, outer)
            program.functions[node] = function
            program.by_key[key] = function
            if owner is not None:
                if is_setter(node) and node.name.value in owner.methods:
                    owner.getters.setdefault(node.name.value, owner.methods[node.name.value])
                owner.methods[node.name.value] = function
            _collect(list(children(node.body)), f"{key}.", None, function, program)
        elif isinstance(node, cst.ClassDef):
            key = _unique(f"{prefix}{node.name.value}", program)
            item = Class(node, key, outer)
            program.classes[node] = item
            program.class_by_key[key] = item
            _collect(list(children(node.body)), f"{key}.", item, outer, program)
        elif not isinstance(node, cst.BaseExpression):
            _collect(list(children(node)), prefix, owner, outer, program)


def is_setter(node: cst.FunctionDef) -> bool:
    """Whether a method stores into a property, or deletes it, that another method of the same name reads."""
    return any(text in (f"{node.name.value}.setter", f"{node.name.value}.deleter") for text in _decorators(node))


def _unique(key: str, program: Program) -> str:
    while key in program.by_key or key in program.class_by_key:
        key += "'"
    return key


def dotted(node: cst.BaseExpression | None) -> str | None:
    """The text of a dotted name, or None for anything else."""
    if type(node) is cst.Name:
        return node.value
    if type(node) is cst.Attribute:
        base = dotted(node.value)
        return f"{base}.{node.attr.value}" if base else None
    return None


def is_super(node: cst.CSTNode | None) -> TypeGuard[cst.Call]:
    """Whether a node is `super()`, or `super(Net, self)`."""
    return isinstance(node, cst.Call) and dotted(node.func) == "super"


def root_name(node: cst.BaseExpression) -> str | None:
    """`model` in `model.body[0].head`, where nothing is called on the way."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return node.value if isinstance(node, cst.Name) else None


def torch_value(name: str) -> Value:
    """The value of a torch module, function, class or constant, by its canonical dotted name."""
    return Value(Kind.TORCH, const=canonical(name))


_TIMM = ("timm.models.layers", "timm.models.layers.weight_init", "timm.models.layers.helpers", "timm.layers",
         "timm.layers.weight_init", "timm.layers.helpers")  # fmt: skip
_CANONICAL = {
    "torch._six.inf": "torch.inf",
    "torch._six.nan": "torch.nan",
    **{f"{module}.trunc_normal_": "torch.nn.init.trunc_normal_" for module in _TIMM},
    **{f"{module}.to_2tuple": "torch.nn.modules.utils._pair" for module in _TIMM},
    **{f"{module}.to_3tuple": "torch.nn.modules.utils._triple" for module in _TIMM},
    "torch.nn.functional": "torch.nn.functional",
    "torch.nn.parameter.Parameter": "torch.nn.Parameter",
    "torch.nn.utils.clip_grad_norm": "torch.nn.utils.clip_grad_norm_",
    "torch.nn.parameter.Buffer": "torch.nn.Buffer",
    "torch.nn.parallel.data_parallel.DataParallel": "torch.nn.DataParallel",
    "torch.nn.parallel.distributed.DistributedDataParallel": "torch.nn.parallel.DistributedDataParallel",
    "apex.parallel.convert_syncbn_model": "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
}
_LAYER_MODULES = frozenset(  # the modules of `torch.nn.modules`
    {"_functions", "activation", "adaptive", "batchnorm", "channelshuffle", "container", "conv", "distance", "dropout",
     "flatten", "fold", "instancenorm", "lazy", "linear", "loss", "module", "normalization", "padding", "pixelshuffle",
     "pooling", "rnn", "sparse", "transformer", "upsampling", "utils"}
)  # fmt: skip
_OVERLOADS = frozenset(  # of operators: `torch.ops.aten.sum.dim_IntList`
    {"default", "Tensor", "Scalar", "Tensor_Tensor", "Tensor_Scalar", "dim", "dim_IntList", "int", "self", "other"}
)
_UTILITIES = frozenset(
    {"clip_grad", "convert_parameters", "spectral_norm", "weight_norm"}
)  # modules of `torch.nn.utils`
_OF_LOADERS = ("IterableDataset", "ChainDataset", "get_worker_info", "worker_init_fn", "__getitems__")
_DATA_MODULES = ("dataset", "dataloader", "sampler", "distributed", "_utils")


def canonical(name: str) -> str:
    """One name for things that torch exports in several places."""
    if name in _CANONICAL:
        return _CANONICAL[name]
    parts = name.split(".")
    if parts[0] == "functorch":
        return canonical(".".join(["torch", "func", *parts[1:]]))
    if parts[:2] == ["torch", "functional"] and len(parts) == 3:
        return f"torch.{parts[2]}"
    if parts[:3] == ["torch", "ops", "aten"] and len(parts) == 4:
        return canonical(f"torch.{parts[3]}")
    if parts[0] == "torch" and len(parts) == 3 and parts[1].islower() and parts[2] in _OVERLOADS:
        return f"torch.{parts[1]}"
    if parts[:3] == ["torch", "nn", "modules"]:
        return _canonical_layer(name, parts[3:])
    if parts[:3] == ["torch", "nn", "utils"] and len(parts) == 5 and parts[3] in _UTILITIES:
        return canonical(f"torch.nn.utils.{parts[4]}")
    if parts[:3] == ["torch", "utils", "data"] and len(parts) > 4 and parts[3] in _DATA_MODULES:
        return f"torch.utils.data.{parts[-1]}"
    if parts[:2] == ["torchvision", "datasets"] and len(parts) == 4 and parts[2] not in ("utils", "samplers"):
        return f"torchvision.datasets.{parts[3]}"
    if parts[:2] == ["torch", "optim"] and len(parts) == 4 and parts[2] not in ("lr_scheduler", "swa_utils"):
        return f"torch.optim.{parts[3]}" if parts[3][:1].isupper() else name  # `torch.optim.adam.adam` is a function
    if name == "torch.utils.tensorboard.writer.SummaryWriter":
        return "torch.utils.tensorboard.SummaryWriter"
    if name.startswith("torchvision.transforms.transforms."):
        return f"torchvision.transforms.{parts[-1]}"
    if parts[:2] == ["torch", "distributions"] and len(parts) == 4 and parts[2] not in ("constraints", "utils"):
        return ".".join([*parts[:2], parts[3]])
    return name


def _canonical_layer(name: str, rest: list[str]) -> str:
    """`torch.nn.Linear` for what `torch.nn.modules` and its modules hold; these modules themselves keep their names."""
    if rest and rest[0] not in _LAYER_MODULES:
        return ".".join(["torch", "nn", *rest])
    return ".".join(["torch", "nn", *rest[1:]]) if len(rest) > 1 and rest[0] != "utils" else name


def import_bindings(
    statement: cst.Import | cst.ImportFrom, star_names: Iterable[str], own: Collection[str] = (), package: str = ""
) -> dict[str, Value]:
    """What an import binds: torch names, or Python values of other packages. `own` are names of these that are translated
    as torch's are.
    """
    bound: dict[str, Value] = {}
    if isinstance(statement, cst.Import):
        for alias in statement.names:
            name = dotted(alias.name) or ""
            if alias.asname is not None:
                target = dotted(alias.asname.name)
                bound[target or name] = _imported(name, own)
            else:
                bound[name.split(".")[0]] = _imported(name.split(".")[0], own)
        return bound
    module = dotted(statement.module) or ""
    relative = bool(statement.relative)
    full = absolute_module(statement, package) if own else module
    if isinstance(statement.names, cst.ImportStar):
        for name in own:
            if name.rpartition(".")[0] == full:
                bound[name.rpartition(".")[2]] = torch_value(name)
        if not relative and needs_torch(module):
            prefix = "torch.nn." if module == "torch.nn.modules" else f"{canonical(module)}."
            for name in star_names:
                if name.startswith(prefix) and "." not in name[len(prefix) :]:
                    bound[name[len(prefix) :]] = torch_value(name)
            if module == "torch":
                bound.update({name: torch_value(f"torch.{name}") for name in ("nn", "optim", "Tensor")})
        return bound
    for alias in statement.names:
        name = dotted(alias.name) or ""
        target = dotted(alias.asname.name) if alias.asname else name
        value = UNKNOWN if relative else _imported(f"{module}.{name}", own)
        if relative and any(item == f"{full}.{name}" or item.startswith(f"{full}.{name}.") for item in own):
            value = _imported(f"{full}.{name}", own)
        bound[target or name] = value
    return bound


def absolute_module(statement: cst.ImportFrom, package: str) -> str:
    """The module that names are imported from; a relative one as seen from `package`."""
    module = dotted(statement.module) or ""
    if not statement.relative:
        return module
    parts = package.split(".") if package else []
    above = parts[: len(parts) - len(statement.relative) + 1] if len(parts) >= len(statement.relative) else ["."]
    return ".".join([*above, *([module] if module else [])])


def imported_module(statement: cst.Import | cst.ImportFrom) -> list[str]:
    """The modules that an import asks for, relative ones with their dots."""
    if isinstance(statement, cst.Import):
        return [dotted(alias.name) or "" for alias in statement.names]
    return ["." * len(statement.relative) + (dotted(statement.module) or "")]


def modules_asked(statement: cst.Import | cst.ImportFrom) -> list[str]:
    """The modules that an import may ask for: also those that `from package import module` may mean."""
    names = imported_module(statement)
    if isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar):
        names += [joined(names[0], dotted(alias.name) or "") for alias in statement.names]
    return names


def _is_own(name: str) -> bool:
    """Whether a name that is translated as torch's are belongs to no package of torch."""
    return not needs_torch(name)


def _imported(name: str, own: Collection[str]) -> Value:
    if needs_torch(name) or name in own:
        return torch_value(name)
    return Value(Kind.PYTHON, const=name)


def owner_name(function: Function | None) -> str | None:
    """What the method around a function, or the function itself, calls its object; None outside of methods."""
    while function is not None:
        if function.self_name is not None:
            return function.self_name
        function = function.outer
    return None

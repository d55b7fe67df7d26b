"""What is known about the value of an expression: its kind, rank, dtype and constant.

`Value` is a lattice element: `UNKNOWN` is its top, `join` the least upper bound. `None` in `rank` or `dtype` means unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, StrEnum
from typing import NamedTuple

from torch2jax.records import dataclass


class Kind(StrEnum):
    """The closed choice of what a value can be."""

    UNKNOWN = "unknown"
    TENSOR = "tensor"
    MODULE = "module"  # an nn.Module instance; `types` says of which classes
    PARAMETERS = "parameters"  # model.parameters() and its like; `sites` says of which modules
    OPTIMIZER = "optimizer"
    SCHEDULER = "scheduler"
    LOADER = "loader"
    DATASET = "dataset"
    STATE_DICT = "state_dict"
    SIZE = "size"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    STR = "str"
    NONE = "none"
    TUPLE = "tuple"
    LIST = "list"
    DICT = "dict"
    DEVICE = "device"
    DTYPE = "dtype"
    GENERATOR = "generator"
    FUNCTION = "function"  # a function of the program; `types` holds its name
    CLASS = "class"  # a class of the program; `types` holds its name
    OBJECT = "object"  # an instance of a class of the program that is no module; `types` holds its name
    TORCH_OBJECT = "torch_object"  # made by a torch class whose methods have rows; `types` names its class
    TORCH = "torch"  # a torch module, function or class; `const` is its dotted name
    CONTEXT = "context"  # no_grad() and its like
    PYTHON = "python"  # known to be none of torch's: numpy arrays, files, strings of a library, ...


class _Nothing(Enum):
    NOTHING = "nothing"


NOTHING = _Nothing.NOTHING  # "no constant is known": None is itself a constant


GUESSED = frozenset({"guessed"})  # of a module: by its use alone it may be of any class of the file
TRAINS = frozenset({"optimizer"})
"""What `among` says of something that is an optimizer or a scheduler on one way, and something else on others."""


class Value(NamedTuple):
    """What is known of one value. (A million of them are made: nothing that cannot be changed is made as fast as a tuple.)

    `items` are the elements of a tuple or list of known length, `elem` joins all elements of a container (or the values
    of a dict, or what a loader yields). `roots` name the variables (or "*": unknown ones) whose storage the value may share;
    an empty set means a fresh tensor. `sites` are allocation sites of modules or, for parameters and optimizers, of the
    modules they belong to. The `types` of an optimizer, and of its scheduler, name where the optimizer is made, and its `items`
    are what it trains, as one tree; `among` says whether it has them in groups (`GROUPED`) or whole (`WHOLE`). `among`
    are the dtypes that are known of a tensor with one on one way and another on others; "python" among them is one of
    Python's numbers. Of a module it says whether its classes are `GUESSED`, which gives way to those that are known. A tensor
    that is `optional` is None on some way; one of which `types` says "ranks" has several ranks.
    """

    kind: Kind = Kind.UNKNOWN
    rank: int | None = None
    dtype: str | None = None
    const: object = NOTHING
    items: tuple[Value, ...] | None = None
    elem: Value | None = None
    types: frozenset[str] = frozenset()
    roots: frozenset[str] = frozenset()
    sites: frozenset[int] = frozenset()
    among: frozenset[str] = frozenset()
    optional: bool = False

    def may_be(self, dtype: str) -> bool:
        """Whether it is known to have a dtype on some way."""
        return dtype == self.dtype if self.dtype is not None else dtype in self.among

    def is_a(self, *kinds: Kind) -> bool:
        return self.kind in kinds

    def but(self, **changes: object) -> Value:
        """The value with some fields changed."""
        return self._replace(**changes)  # type: ignore[arg-type]

    @property
    def is_mixed(self) -> bool:
        """Whether a number is of another kind on some way: an integer here, a float there."""
        return "mixed" in self.types

    @property
    def has_ranks(self) -> bool:
        """Whether a tensor has one rank on one way and another on others."""
        return self.rank is None and "ranks" in self.types

    @property
    def may_train(self) -> bool:
        """Whether it is an optimizer or a scheduler on some way."""
        if self.kind in (Kind.OPTIMIZER, Kind.SCHEDULER):
            return True
        return self.among - GUESSED == TRAINS or (self.kind is Kind.UNKNOWN and self.among >= TRAINS)

    @property
    def called(self) -> frozenset[str]:
        """The functions, and the classes of modules and objects, of which something may be one that is another thing on other
        ways; `*` for a module of any class.
        """
        if self.kind is Kind.MODULE:
            return self.types or frozenset({"*"})
        if self.is_a(Kind.FUNCTION, Kind.OBJECT):
            return self.types
        marks = self.among if self.kind is Kind.UNKNOWN else frozenset[str]()
        return frozenset(mark.removeprefix(CALLED) for mark in marks if mark.startswith(CALLED))

    @property
    def is_number(self) -> bool:
        return self.kind in (Kind.INT, Kind.FLOAT, Kind.BOOL)

    @property
    def is_loss_module(self) -> bool:
        """Whether a module is one of torch's losses, which nothing trains."""
        return bool(self.types) and all(name.startswith("torch.nn.") and name.endswith("Loss") for name in self.types)

    @property
    def is_sequence(self) -> bool:
        return self.kind in (Kind.TUPLE, Kind.LIST, Kind.SIZE)

    def shares(self, roots: frozenset[str]) -> bool:
        """Whether it is a tensor with one of these roots, or holds one."""
        if self.kind is Kind.TENSOR and self.roots & roots:
            return True
        return any(item.shares(roots) for item in self.parts)

    @property
    def parts(self) -> tuple[Value, ...]:
        """What is known of the elements of a container: each of them, the join of all, or both."""
        return (*(self.items or ()), *((self.elem,) if self.elem is not None else ()))

    def element(self) -> Value:
        """The join of the elements of a container."""
        if self.items is not None:
            return join_all(self.items) if self.items else UNKNOWN
        return self.elem or UNKNOWN


PARAMETER_ROOT = "field:*"
"""The root of what `model.parameters()` yields."""

INPLACE = "inplace"
"""Among what is said of a module that changes its argument in place, or may: a layer made with `inplace=True`."""

CALLED = "called:"
"""Before the name of a function or class, of which something may be one that is another thing on other ways."""

SOME_CLASS = "some class"
"""Among what is said of something unknown that has been found to be a class, and of classes of the program that may be others."""

UNGIVEN = "not given"
"""Among what is said of something unknown: a parameter that is None where it is not given, and that no call in sight gives."""

AWAITED = "awaited"
"""Among what is said of the result of a function that has not been looked at yet: joined with anything, it is that."""

LAMBDA = "lambda"
"""Among what is said of a function that is a lambda, or may be one."""

TYPED_TENSORS = tuple(
    f"{kind}Tensor" for kind in ("Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short")
)
"""torch's classes of tensors of one type, which make tensors of sizes or of data, as `torch.Tensor` does."""

WHOLE, GROUPED = "whole", "grouped"

LOCAL = "file:"  # before the place of an imported file of the program, which is followed by a line with its dotted name
TENSOR_CLASS = "tensor class"  # among the types of one of those classes, whose values have its dtype
_CLASS_DTYPES = {
    "BFloat16": "bfloat16",
    "Bool": "bool",
    "Byte": "uint8",
    "Char": "int8",
    "Double": "float64",
    "Float": "float32",
    "Half": "float16",
    "Int": "int32",
    "Long": "int64",
    "Short": "int16",
}


def class_dtype(name: str) -> str | None:
    """The dtype of the tensors of a class such as `torch.FloatTensor` or `torch.cuda.LongTensor`."""
    package, _, short = name.rpartition(".")
    return _CLASS_DTYPES.get(short.removesuffix("Tensor")) if package in ("torch", "torch.cuda") else None


def class_of_dtype(dtype: str | None) -> str | None:
    """The class of the tensors of a dtype, as `x.type()` names it."""
    found = (name for name, item in _CLASS_DTYPES.items() if item == dtype)
    return next((f"torch.{name}Tensor" for name in found), None)


DTYPE_CALLS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "long": "int64",
    "int": "int32",
    "bool": "bool",
}
"""Methods of tensors that give another type."""

WITHOUT_TENSORS = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.DEVICE, Kind.DTYPE, Kind.SIZE})
"""Kinds of what neither is a tensor nor holds any."""

RANKS = frozenset({"ranks"})
"""Among the types of a tensor that has one rank on one way and another on others."""

EMPTY = "empty"
"""Among the types of a tensor that may be made without elements, of one axis: torch.cat skips those."""

UNKNOWN = Value()
TENSOR = Value(Kind.TENSOR)
PYTHON = Value(Kind.PYTHON)
NONE = Value(Kind.NONE, const=None)
INT = Value(Kind.INT)
FLOAT = Value(Kind.FLOAT)
BOOL = Value(Kind.BOOL)
STR = Value(Kind.STR)


def constant(value: object) -> Value:
    """The value of a Python literal."""
    match value:
        case None:
            return NONE
        case bool():
            return Value(Kind.BOOL, const=value)
        case int():
            return Value(Kind.INT, const=value)
        case float():
            return Value(Kind.FLOAT, const=value)
        case str():
            return Value(Kind.STR, const=value)
        case _:
            return Value(Kind.PYTHON, const=value)


_NUMBERS = (Kind.BOOL, Kind.INT, Kind.FLOAT)


@dataclass(frozen=True, slots=True)
class Partial:
    """The functions of the program, by their keys, of which a `functools.partial` is made, and how many arguments it gives
    them by position (None: nobody knows).
    """

    keys: frozenset[str]
    given: int | None = 0


@dataclass(frozen=True, slots=True)
class Files:
    """Several files of the program, of which a variable holds one or another; each begins with `LOCAL`."""

    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a command line that are known, with what each of them gives."""

    known: frozenset[tuple[str, Value]]


def files_of(value: Value) -> frozenset[str]:
    """The files of the program one of which a value surely is, as they are said in `const`; none where it may be something else."""
    if isinstance(value.const, Files):
        return value.const.names
    is_one = value.kind is Kind.PYTHON and isinstance(value.const, str) and value.const.startswith(LOCAL)
    return frozenset({str(value.const)} if is_one else ())


_OF_ONE_WAY = frozenset({SOME_CLASS, UNGIVEN})
"""Marks of unknown values that hold only where they hold on all ways."""


def _known_class(known: Value, other: Value, mark: str = SOME_CLASS) -> Value | None:
    """What a variable holds that is a class of the program on one way, and another one on others, which is called in the same way."""
    is_known = known.is_a(Kind.CLASS, Kind.FUNCTION) and known.types and known.const is NOTHING
    if not is_known or other.kind is not Kind.UNKNOWN or mark not in other.among:
        return None
    return known.but(roots=_roots(known, other), among=known.among | {mark})


def join_given(a: Value, b: Value) -> Value:
    """What a parameter or a field holds that is given one value or another: of functions and classes of the program, and what
    nobody gives, it is one of the former.
    """
    return _known_class(a, b, UNGIVEN) or _known_class(b, a, UNGIVEN) or join(a, b)


def _join_functions(a: Value, b: Value) -> Value:
    """A function of the program, or one with some of its arguments, where that is another one on some way."""
    one, other = (value.const if isinstance(value.const, Partial) else Partial(value.types) for value in (a, b))
    given = one.given if one.given == other.given else None
    joined = join(a.but(const=NOTHING), b.but(const=NOTHING))
    types = joined.types if given == 0 and one.keys | other.keys == joined.types else frozenset()
    return joined.but(const=Partial(one.keys | other.keys, given), types=types)


_HOLDING = frozenset(
    {Kind.TUPLE, Kind.LIST, Kind.DICT, Kind.STATE_DICT, Kind.LOADER, Kind.DATASET, Kind.MODULE, Kind.FUNCTION}
)


def join(a: Value, b: Value, depth: int = 4) -> Value:
    """The least value that covers both. Nested containers are followed to a limited depth, so chains are finite."""
    if a is b or a == b:
        return a
    if AWAITED in a.among or AWAITED in b.among:
        return b if AWAITED in a.among else a
    if a.kind is not b.kind:
        if Kind.NONE in (a.kind, b.kind):  # an optional value: keep what it is where it is there
            other = a if b.kind is Kind.NONE else b
            if other.kind is Kind.TENSOR:
                return other.but(const=NOTHING, optional=True)
            kept = other.const if isinstance(other.const, Partial) or LAMBDA in other.among else NOTHING
            is_told = other.kind is not Kind.UNKNOWN or bool(other.among - _OF_ONE_WAY)
            return other.but(const=kept) if is_told else UNKNOWN
        if a.kind in _NUMBERS and b.kind in _NUMBERS:
            return Value(max(a.kind, b.kind, key=_NUMBERS.index), types=frozenset({"mixed"}))
        if Kind.TENSOR in (a.kind, b.kind) and (a.is_number or b.is_number):
            tensor = a if a.kind is Kind.TENSOR else b
            return Value(
                Kind.TENSOR, None if tensor.rank else tensor.rank, roots=tensor.roots, among=_among(tensor) | {"python"}
            )
        if {a.kind, b.kind} == {Kind.CLASS, Kind.FUNCTION} and a.types and b.types and a.const is b.const is NOTHING:
            return Value(Kind.FUNCTION, types=a.types | b.types, roots=_roots(a, b))
        if (beside := _beside_layers(a, b) or _makers(a, b) or _makers(b, a)) is not None:
            return beside
        if (known := _known_class(a, b) or _known_class(b, a)) is not None:
            return known
        if all(item.kind in (Kind.TUPLE, Kind.LIST) or item.types == {"torch.nn.ModuleList"} for item in (a, b)):
            return Value(Kind.LIST, elem=_join_optional(a.element(), b.element(), depth))
        marks = frozenset(f"{CALLED}{name}" for name in a.called | b.called)
        may_be_empty = (a.types | b.types) & {EMPTY}
        among = marks | TRAINS if a.may_train or b.may_train else marks
        return Value(roots=_roots(a, b), types=may_be_empty, among=among)
    if isinstance(a.const, Partial) or isinstance(b.const, Partial):
        return _join_functions(a, b)
    if a.kind is Kind.MODULE and (a.among & GUESSED) != (b.among & GUESSED):
        known, other = (b, a) if a.among & GUESSED else (a, b)
        return known.but(roots=_roots(a, b), among=known.among | (other.among - GUESSED))
    if a.kind is Kind.UNKNOWN and (a.among ^ b.among) & _OF_ONE_WAY:
        a, b = (value.but(among=value.among - (a.among ^ b.among) & _OF_ONE_WAY) for value in (a, b))
    items = None
    if a.items is not None and b.items is not None and len(a.items) == len(b.items) and depth:
        items = tuple(join(x, y, depth - 1) for x, y in zip(a.items, b.items, strict=True))
    elem = None
    if depth and a.kind in _HOLDING:
        if items is None:
            elem = _join_optional(_element_or_none(a), _element_or_none(b), depth)
    return Value(
        a.kind,
        a.rank if a.rank == b.rank else None,
        a.dtype if a.dtype == b.dtype else None,
        a.const if type(a.const) is type(b.const) and a.const == b.const else _either(a, b),
        items,
        elem,
        a.types | b.types | (RANKS if a.rank != b.rank and max(a.rank or 0, b.rank or 0) > 1 else frozenset()),
        _roots(a, b),
        a.sites | b.sites,
        a.among | b.among if a.dtype == b.dtype else _among(a) | _among(b),
        a.optional or b.optional,
    )


def _either(a: Value, b: Value) -> object:
    """What is known of one constant or another: `torch.FloatTensor` of it and `torch.cuda.FloatTensor`, and files of the program."""
    one, other = files_of(a), files_of(b)
    if one and other:
        return Files(one | other)
    is_one = TENSOR_CLASS in a.types & b.types and a.dtype is not None and a.dtype == b.dtype
    return class_of_dtype(a.dtype) if is_one else NOTHING


def classes_beside_layers(value: Value) -> tuple[Value, Value] | None:
    """The classes and functions of the program, and the layers of torch, of which a variable holds one or another."""
    if value.kind is not Kind.UNKNOWN or value.items is None:
        return None
    own, layers = value.items
    return own, layers


def without_class(value: Value, other: Value) -> Value:
    """What remains of such a value where it is not one class of the program."""
    beside = classes_beside_layers(value)
    if beside is None or other.kind is not Kind.CLASS or len(other.types) != 1:
        return value
    left = beside[0].but(types=beside[0].types - other.types)
    return value.but(items=(left, beside[1])) if left.types else beside[1]


def _beside_layers(a: Value, b: Value) -> Value | None:
    """Classes of the program on one way and layers of torch on another: `items` are both, and nothing else is known."""
    own: list[Value] = []
    layers: list[Value] = []
    for value in (a, b):
        if (beside := classes_beside_layers(value)) is not None:
            own.append(beside[0])
            layers.append(beside[1])
        elif value.kind in (Kind.CLASS, Kind.FUNCTION) and value.types and value.const is NOTHING and not value.among:
            own.append(value)
        elif value.kind is Kind.TORCH and value.types and all(name.startswith("torch.nn.") for name in value.types):
            layers += [] if value.among else [value]
    if not own or not layers or len(own) + len(layers) < 2:
        return None
    return Value(items=(join_all(own), join_all(layers)))


def _makers(maker: Value, layer: Value) -> Value | None:
    """A lambda that makes modules on one way and layers of torch on another: `elem` is what a call of either makes."""
    made = maker.elem if maker.kind is Kind.FUNCTION and LAMBDA in maker.among and not maker.types else None
    if made is None or made.kind is not Kind.MODULE or not made.types or layer.kind is not Kind.TORCH:
        return None
    if not layer.types or not all(name.startswith("torch.nn.") for name in layer.types):
        return None
    other = Value(Kind.MODULE, types=layer.types, among=layer.among & {INPLACE})
    return maker.but(const=NOTHING, elem=join(made, other))


def _roots(a: Value, b: Value) -> frozenset[str]:
    """Of what nothing is known, the storage may be anybody's."""
    unsaid = any(value.kind is Kind.UNKNOWN and not value.roots for value in (a, b))
    return a.roots | b.roots | {"*"} if unsaid and (a.roots or b.roots) else a.roots | b.roots


def _among(value: Value) -> frozenset[str]:
    return value.among if value.dtype is None else value.among | {value.dtype}


def _element_or_none(value: Value) -> Value | None:
    return value.element() if value.items else value.elem


def _join_optional(a: Value | None, b: Value | None, depth: int) -> Value | None:
    if a is None or b is None:
        return a or b
    return join(a, b, depth - 1)


def join_all(values: Iterable[Value]) -> Value:
    """The join of one or more values."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return result if result is not None else UNKNOWN


def module_sites(value: Value) -> set[int]:
    """The allocation sites of a module and of what its containers hold."""
    found = set(value.sites) if value.kind is Kind.MODULE else set()
    for part in value.parts:
        if (
            value.kind is not Kind.OBJECT or part.kind is not Kind.FUNCTION
        ):  # which its methods may be given, and keeps none
            found |= module_sites(part)
    return found

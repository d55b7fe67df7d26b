"""The small expression language of mapping rows: conditions (`when`) and result rules.

Names are parameters of the row's signature; unknown facts propagate (three-valued logic), and a condition that cannot be
decided counts as false, so that a row's last alternative must be valid for everything.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

import libcst as cst

from torch2jax.ops.legacy import current_arguments
from torch2jax.ops.signatures import BoundArguments, Signature
from torch2jax.syntax.walk import descendants
from torch2jax.values import INT, NOTHING, RANKS, TYPED_TENSORS, UNKNOWN, Kind, Value, constant, join


class _Unknown:
    """A fact that is not known; one instance, `UNKNOWN_FACT`."""

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN_FACT = _Unknown()
FLOATS = ("float16", "bfloat16", "float32", "float64", "float")
HALVES = ("float16", "bfloat16")
NARROW = (*HALVES, "uint8", "int8", "int16")  # of which another number easily makes something wider
INTEGERS = ("uint8", "int8", "int16", "int32", "int64", "int")
DTYPE_TEXTS = {name: f"jnp.{name}" for name in ("float16", "bfloat16", "float32", "int8", "int16", "int32", "uint8")}
DTYPE_TEXTS |= {"float64": "float", "int64": "int", "bool": "bool"}
DTYPE_TEXTS |= {"complex64": "jnp.complex64", "complex128": "complex"}


class RuleError(ValueError):
    """A rule text that does not parse or calls what does not exist."""


@cache
def parse_rule(text: str) -> ast.expr:
    """Parse a rule. Raises RuleError."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise RuleError(f"not a rule: {text!r}") from error
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS):
            raise RuleError(f"unknown function in rule {text!r}")
    return tree


class Facts:
    """What rules ask about the arguments of one call. `targets`: into how many names its result is unpacked, if it is.
    `repeatable`: whether `x[...]` may stand twice in the spelling. `is_kept`: whether a module keeps the result as it is.
    """

    def __init__(
        self,
        signature: Signature,
        bound: BoundArguments,
        value_of: Callable[[cst.CSTNode], Value],
        targets: int | None = None,
        repeatable: bool = False,
        is_kept: bool = False,
    ) -> None:
        self.repeatable = repeatable
        self.is_kept = is_kept
        self.signature = signature
        self.bound = current_arguments(bound, signature, value_of)
        self.is_rewritten = self.bound is not bound
        self.value_of = value_of
        self.targets = targets

    def given(self, name: str) -> bool:
        return name in self.bound.given

    def value(self, name: str) -> Value:
        """The value of an argument; of its default if it is absent; of several variadic ones, a tuple."""
        node = self.bound.given.get(name)
        if node is None:
            return _default_value(self.signature, name)
        if isinstance(node, tuple):
            if len(node) == 1 and not isinstance(node[0], cst.StarredElement):
                value = self.value_of(node[0])
                return value if value.is_sequence else Value(Kind.TUPLE, items=(value,))
            if any(isinstance(item, cst.StarredElement) for item in node):
                return Value(Kind.TUPLE)
            return Value(Kind.TUPLE, items=tuple(self.value_of(item) for item in node))
        if self.is_rewritten and name == "reduction" and isinstance(node, cst.SimpleString):
            return constant(node.evaluated_value)
        return self.value_of(node)

    def constant(self, name: str) -> object:
        value = self.value(name)
        if value.const is not NOTHING:
            return value.const
        if value.items is not None and all(item.const is not NOTHING for item in value.items):
            return tuple(item.const for item in value.items)
        return UNKNOWN_FACT


def is_dtype(value: Value) -> bool:
    """Whether a value is a dtype: one that is computed, or a constant such as `torch.int32`."""
    return value.is_a(Kind.DTYPE) or (value.kind is Kind.TORCH and value.types == {"constant:dtype"})


def _default_value(signature: Signature, name: str) -> Value:
    if name not in signature:
        raise RuleError(f"no parameter {name!r}")
    default = signature[name].default
    return UNKNOWN if default is None else _literal_value(default)


@cache
def _literal_value(text: str) -> Value:
    try:
        literal = ast.literal_eval(text)
    except ValueError:
        return UNKNOWN
    from torch2jax.values import constant

    if isinstance(literal, tuple):
        return Value(Kind.TUPLE, items=tuple(constant(item) for item in literal))
    return constant(literal)


def _or_unknown(value: object) -> object:
    return UNKNOWN_FACT if value is None else value


def _rank(facts: Facts, name: str) -> object:
    value = facts.value(name)
    if value.is_number:
        return 0
    return _or_unknown(value.rank) if value.is_a(Kind.TENSOR) else UNKNOWN_FACT


def _dtype(facts: Facts, name: str) -> object:
    value = facts.value(name)
    if is_dtype(value):
        return _or_unknown(value.dtype)
    if value.is_a(Kind.TENSOR):
        return _or_unknown(value.dtype)
    return value.kind.value if value.is_number and not value.is_mixed else UNKNOWN_FACT


def _kind(facts: Facts, name: str) -> object:
    value = facts.value(name)
    return UNKNOWN_FACT if value.is_a(Kind.UNKNOWN) or value.is_mixed else value.kind.value


def _type(facts: Facts, name: str) -> object:
    """The class of an object that torch made."""
    types = facts.value(name).types
    return next(iter(types)) if len(types) == 1 else UNKNOWN_FACT


def _is_kind(*kinds: Kind) -> Callable[[Facts, str], object]:
    def test(facts: Facts, name: str) -> object:
        value = facts.value(name)
        return UNKNOWN_FACT if value.is_a(Kind.UNKNOWN) else value.kind in kinds

    return test


def _is_dtype(names: tuple[str, ...]) -> Callable[[Facts, str], object]:
    def test(facts: Facts, name: str) -> object:
        dtype = _dtype(facts, name)
        return dtype if dtype is UNKNOWN_FACT else dtype in names

    return test


def _is_simple(facts: Facts, name: str) -> object:
    node = facts.bound.given.get(name)
    if facts.repeatable and (isinstance(node, cst.Subscript) or _is_field_of_member(node)):
        return True
    return node is None or isinstance(node, (cst.Name, cst.Integer, cst.Float, cst.SimpleString)) or _is_field(node)


_QUIET_CALLS = frozenset({"next", "iter", "parameters", "buffers", "detach", "cpu", "cuda", "to", "float", "size"})


def _can_go_unseen(facts: Facts, name: str) -> object:
    """Whether nobody notices that an argument is not evaluated: `next(net.parameters())`."""
    node = facts.bound.given.get(name)
    if not isinstance(node, cst.CSTNode):
        return node is None
    calls = [item for item in (node, *descendants(node)) if isinstance(item, (cst.Call, cst.Await, cst.NamedExpr))]
    return all(isinstance(call, cst.Call) and _name_of_called(call.func) in _QUIET_CALLS for call in calls)


def _name_of_called(func: cst.BaseExpression) -> str:
    named = func.attr if isinstance(func, cst.Attribute) else func
    return named.value if isinstance(named, cst.Name) else ""


def _is_field_of_member(node: object) -> bool:
    """Whether an expression is a field of a member by its number: `self.net[-1].weight`."""
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        if isinstance(node, cst.Subscript) and any(isinstance(item, cst.Call) for item in descendants(node)):
            return False
        node = node.value
    return isinstance(node, cst.Name)


def _is_distinct(facts: Facts, name: str) -> object:
    """Whether an argument is known to be a list of constants of which no two are equal."""
    found = facts.constant(name)
    return isinstance(found, (tuple, list)) and len(set(found)) == len(found)


_MAKERS = (
    frozenset(f"{new}{name}" for name in ("empty", "zeros", "ones") for new in ("", "new_"))
    | {f"{name}_like" for name in ("empty", "zeros", "ones", "rand", "randn")}
    | {"Tensor", "new", *TYPED_TENSORS}
)


_FILLED = frozenset({"full", "full_like", "new_full"})


def _is_plain(node: cst.CSTNode) -> bool:
    """Whether an expression is a constant, a variable or a field, or a row of them, which may be evaluated twice."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return all(_is_plain(item.value) for item in node.elements)
    return isinstance(node, (cst.Integer, cst.Float)) or _is_field(node)


def _is_blank(facts: Facts, name: str) -> object:
    """Whether an argument is simple, or a tensor that is made where it stands and is nothing but its shape and dtype."""
    node = facts.bound.given.get(name)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        is_filled = node.func.attr.value in _FILLED and all(_is_plain(item.value) for item in node.args)
        return is_filled or node.func.attr.value in _MAKERS
    return _is_simple(facts, name)


def _is_field(node: object) -> bool:
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name)


def _count(facts: Facts, name: str) -> object:
    """How many elements a shape-like argument has."""
    value = facts.value(name)
    if value.items is not None:
        alone = len(value.items) == 1 and not value.items[0].is_number  # it may hold all of the sizes
        return UNKNOWN_FACT if alone else len(value.items)
    if value.is_a(Kind.SIZE):
        return _or_unknown(value.rank)
    return 1 if value.is_number else UNKNOWN_FACT


def _reduce(facts: Facts, name: str, dim: str = "dim", keepdim: str = "keepdim") -> object:
    """The rank after reducing over `dim`."""
    rank = _rank(facts, name)
    if keepdim in facts.signature and facts.constant(keepdim) is not False:
        return rank if facts.constant(keepdim) is True else UNKNOWN_FACT
    if dim not in facts.signature:
        return 0
    axes = facts.value(dim)
    if axes.is_a(Kind.NONE):
        return 0
    if not isinstance(rank, int):
        return UNKNOWN_FACT
    if axes.is_a(Kind.INT):
        return max(rank - 1, 0)
    return rank - len(axes.items) if axes.items else UNKNOWN_FACT


def _broadcast(facts: Facts, *names: str) -> object:
    ranks = [_rank(facts, name) for name in names]
    return UNKNOWN_FACT if any(rank is UNKNOWN_FACT for rank in ranks) else max(ranks)  # type: ignore[type-var]


def promote(values: list[Value]) -> str | None:
    """The dtype of arithmetic among values by torch's categories (bool < integer < float < complex); None if not known.

    Within a category tensors without dimensions count only among themselves. One of 16 bits whose rank is not known is
    taken for one with dimensions.
    """
    tensors = [value for value in values if value.is_a(Kind.TENSOR)]
    numbers = [value for value in values if value.is_number]
    if len(tensors) + len(numbers) < len(values):
        return None
    if any(value.dtype is None for value in tensors):
        return _half_beside_scalars(tensors)
    joined = None
    for value in [value for value in tensors if value.rank != 0]:
        joined = _promote_two(joined, value.dtype) if joined else value.dtype
    scalars = None
    for value in [value for value in tensors if value.rank == 0]:
        scalars = _promote_two(scalars, value.dtype) if scalars else value.dtype
    if joined is None or scalars is None:
        joined = joined or scalars
    elif _may_be_scalar(tensors, joined) or _category(scalars) > _category(joined):
        joined = _promote_two(joined, scalars)
    if any(number.is_mixed for number in numbers) and _category(joined) < 2:
        return None
    for number in numbers:
        if joined is None or joined == "bool":
            joined = {Kind.FLOAT: "float32", Kind.INT: "int64", Kind.BOOL: "bool"}[number.kind]
        elif number.kind is Kind.FLOAT and joined in INTEGERS:
            joined = "float32"
    return joined


def _half_beside_scalars(tensors: list[Value]) -> str | None:
    """The dtype of 16 bits that tensors with dimensions have, whatever those without have (they are taken to be real)."""
    shaped = [value for value in tensors if value.rank != 0]
    dtype = promote(shaped) if shaped and all(value.dtype is not None for value in shaped) else None
    return dtype if dtype in HALVES else None


def _may_be_scalar(tensors: list[Value], dtype: str) -> bool:
    return dtype not in HALVES and any(value.rank is None for value in tensors)


def narrowed(values: list[Value]) -> dict[int, str]:
    """Place -> dtype of the operands that JAX would let widen a result: tensors without dimensions of a wider dtype."""
    tensors = [value for value in values if value.is_a(Kind.TENSOR)]
    dtype = promote(tensors)
    if dtype is None:
        return {}
    weak = {place: dtype for place, value in enumerate(values) if yields(value, dtype, tensors)}
    if _may_be_scalar(tensors, dtype):
        return weak
    scalars = [place for place, value in enumerate(values) if value.is_a(Kind.TENSOR) and value.rank == 0]
    wide = {place: dtype for place in scalars if widens(dtype, values[place].dtype)}
    return wide | weak


UNDECIDED = "a tensor of few bits that may have no axes, beside a wider one without axes: cast one"


def is_undecided(values: list[Value]) -> bool:
    """Whether only the rank of a tensor of few bits, which is not known, tells if one without dimensions makes it wider."""
    tensors = [value for value in values if value.is_a(Kind.TENSOR)]
    if any(value.rank for value in tensors):
        return False
    few = [value.dtype for value in tensors if value.rank is None and value.dtype in NARROW and value.dtype in INTEGERS]
    scalars = [value.dtype for value in tensors if value.rank == 0 and value.dtype in INTEGERS]
    return any(widens(dtype, scalar) for dtype in few for scalar in scalars)


def widens(dtype: str, other: str | None) -> bool:
    """Whether a tensor of another type makes more of a dtype, where dimensions do not count; unknown ones may."""
    return other is None or _promote_two(dtype, other) != dtype


def is_weak(*values: Value) -> bool:
    """Whether arithmetic gives an array whose type JAX lets narrower ones of its kind outweigh: truth values and Python's
    numbers, or integers and Python's floats.
    """
    numbers = [value for value in values if value.is_number]
    others = [value for value in values if not value.is_number]
    strong = [value for value in others if "weak" not in value.types]
    fractions = any(value.kind is Kind.FLOAT for value in numbers)
    yielding = ("bool", *INTEGERS) if fractions else ("bool",) if any(n.kind is Kind.INT for n in numbers) else ()
    return len(strong) < len(others) + len(numbers) and all(value.dtype in yielding for value in strong)


def yields(value: Value, dtype: str, tensors: list[Value]) -> bool:
    """Whether a weak operand has the type that torch gives a result, and JAX would let that of another one decide."""
    if not value.is_a(Kind.TENSOR) or "weak" not in value.types or value.dtype != dtype:
        return False
    return any("weak" not in other.types and other.dtype not in (dtype, "bool") for other in tensors)


def _category(dtype: str | None) -> int:
    return 0 if dtype == "bool" else 1 if dtype in INTEGERS else 2 if dtype in FLOATS else 3


_WIDTHS = {"uint8": 1, "int8": 1, "int16": 2, "int32": 3, "int64": 4,
           "float16": 1, "bfloat16": 1, "float32": 2, "float64": 3, "complex64": 2, "complex128": 3}  # fmt: skip
_JOINED = {frozenset({"uint8", "int8"}): "int16", frozenset({"float16", "bfloat16"}): "float32"}


def _promote_two(a: str | None, b: str | None) -> str | None:
    if a == b or a is None or b is None:
        return a if a == b else None
    first, second = _category(a), _category(b)
    if "complex128" in (a, b) or {a, b} == {"complex64", "float64"}:
        return "complex128"
    if first != second:
        return a if first > second else b
    if a in _WIDTHS and b in _WIDTHS:
        return _JOINED.get(frozenset({a, b})) or max(a, b, key=lambda name: _WIDTHS[name])
    return {1: "int", 2: "float"}.get(first)


def _promote(facts: Facts, *names: str) -> object:
    values = [facts.value(name) for name in names]
    return _or_unknown(promote([value for value in values if not value.is_a(Kind.NONE)]))


def _element_rank(facts: Facts, name: str) -> object:
    """The rank of the tensors of a sequence that is joined; those of which it is not known have that of the others, for only
    tensors of rank 1 may be joined with others, where they are empty.
    """
    value = facts.value(name)
    element = value.element()
    if element.rank is None and (known := {item.rank for item in value.items or () if item.rank is not None}):
        return max(known) if max(known) > 1 else UNKNOWN_FACT
    return _or_unknown(element.rank) if element.is_a(Kind.TENSOR) else 0 if element.is_number else UNKNOWN_FACT


def _element_dtype(facts: Facts, name: str) -> object:
    """The dtype that the elements of a sequence promote to."""
    value = facts.value(name)
    return _or_unknown(promote(list(value.items or (value.element(),))))


def _packed(facts: Facts, name: str) -> object:
    """Whether a variadic parameter got one argument that is no display: it holds all of the values."""
    node = facts.bound.given.get(name)
    first = node[0] if isinstance(node, tuple) and len(node) == 1 else None if isinstance(node, tuple) else node
    if first is None or isinstance(first, (cst.Tuple, cst.List, cst.StarredElement)):
        return False
    value = facts.value_of(first)
    return UNKNOWN_FACT if value.is_a(Kind.UNKNOWN) else value.is_sequence


def _asks_shape(facts: Facts, name: str) -> object:
    """Whether an argument is the shape of something, `x.shape`."""
    node = facts.bound.one(name)
    return isinstance(node, cst.Attribute) and node.attr.value == "shape"


def _floating(facts: Facts, name: str) -> object:
    dtype = _dtype(facts, name)
    if dtype is UNKNOWN_FACT:
        return dtype
    return dtype if dtype in FLOATS or str(dtype).startswith("complex") else "float32"


def _counting(facts: Facts, name: str) -> object:
    """The dtype of a sum: integers and booleans count in int64."""
    dtype = _dtype(facts, name)
    return "int64" if dtype in ("bool", *INTEGERS) else dtype


_PYTHON_TYPES = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
"""What torch takes types of Python for that are given as a dtype (`torch.ones(3, dtype=bool)`)."""


def _dtype_given(facts: Facts, name: str, default: object = UNKNOWN_FACT) -> object:
    """The dtype named by an argument, else `default`."""
    value = facts.value(name)
    if value.is_a(Kind.NONE):
        return default
    node = facts.bound.given.get(name)
    if isinstance(node, cst.Name) and value.kind in (Kind.UNKNOWN, Kind.PYTHON) and node.value in _PYTHON_TYPES:
        return _PYTHON_TYPES[node.value]
    return _or_unknown(value.dtype) if is_dtype(value) else UNKNOWN_FACT


def _real_dtype(facts: Facts, name: str) -> object:
    """The dtype of an absolute value."""
    return {"complex64": "float32", "complex128": "float64"}.get(str(_dtype(facts, name)), _dtype(facts, name))


def _quotient(facts: Facts, *names: str) -> object:
    """The dtype of a true division."""
    dtype = _promote(facts, *names)
    return "float32" if dtype in ("bool", *INTEGERS) else dtype


def _may_be(value: Value, *dtypes: str) -> bool:
    return any(value.may_be(dtype) for dtype in dtypes)


def _data_leaf(value: Value) -> tuple[int | None, Value]:
    """The depth of nested displays, and what stands inside of them."""
    if value.is_a(Kind.SIZE):
        return 1, INT
    depth = 0
    while value.is_a(Kind.TUPLE, Kind.LIST):
        if not value.items:
            return None, UNKNOWN
        depth, value = depth + 1, value.element()
    return depth, value


def _number_in(data: Value) -> Value | None:
    """What the elements of a list of unknown length are, if it has any, where that is numbers."""
    is_open = data.is_a(Kind.TUPLE, Kind.LIST) and not data.items and data.elem is not None
    return data.elem if is_open and data.elem.is_number else None  # type: ignore[union-attr]


def _holds_tensors(facts: Facts, name: str) -> object:
    """Whether a list holds tensors that may have axes: torch takes each for the number in it. So may a list that was filled
    before with what is not known.
    """
    value = facts.value(name)
    is_filled = isinstance(facts.bound.given.get(name), cst.Name | cst.Attribute | cst.Subscript)
    return value.is_a(Kind.TUPLE, Kind.LIST) and any(_may_have_axes(part, is_filled) for part in value.parts)


def _may_have_axes(value: Value, is_filled: bool) -> bool:
    if value.is_a(Kind.TUPLE, Kind.LIST):
        return any(_may_have_axes(part, is_filled) for part in value.parts)
    return value.rank != 0 if value.is_a(Kind.TENSOR) else is_filled and value.is_a(Kind.UNKNOWN)


def _data_rank(facts: Facts, name: str) -> object:
    """The rank of an array made from data."""
    data = facts.value(name)
    if _number_in(data) is not None:
        return 1
    depth, leaf = _data_leaf(data)
    if depth is None or leaf.is_a(Kind.UNKNOWN, Kind.PYTHON):
        return UNKNOWN_FACT
    if leaf.is_a(Kind.TENSOR):
        return _or_unknown(leaf.rank if depth == 0 else depth)
    return depth if leaf.is_number else UNKNOWN_FACT


def _data_dtype(facts: Facts, name: str) -> object:
    """The dtype of an array made from data."""
    data = facts.value(name)
    if (number := _number_in(data)) is not None:  # of no elements a float, too
        is_float = number.is_a(Kind.FLOAT) and not number.is_mixed
        return _or_unknown(promote([number]) if is_float else None)
    depth, leaf = _data_leaf(data)
    if depth == 0 and leaf.is_a(Kind.TENSOR):
        return _or_unknown(leaf.dtype)
    return _or_unknown(promote([leaf])) if leaf.is_number else UNKNOWN_FACT


def _viewed_dtype(facts: Facts, name: str, shape: str, dtype: str) -> object:
    """The dtype of `x.view(*shape)`, which may be `x.view(dtype)`."""
    if facts.given(dtype):
        return _or_unknown(facts.value(dtype).dtype)
    items = facts.value(shape).items or ()
    if len(items) == 1 and not items[0].is_number:
        return _or_unknown(items[0].dtype) if is_dtype(items[0]) else UNKNOWN_FACT
    return _dtype(facts, name)


def _nonnegative(facts: Facts, name: str) -> object:
    """Whether no size is -1."""
    if facts.value(name).is_a(Kind.SIZE):
        return True
    sizes = facts.constant(name)
    sizes = sizes if isinstance(sizes, tuple) else (sizes,)
    return all(size >= 0 for size in sizes) if all(type(size) is int for size in sizes) else UNKNOWN_FACT


def _flattened_rank(facts: Facts, name: str, start: str, end: str) -> object:
    rank, first, last = _rank(facts, name), facts.constant(start), facts.constant(end)
    if first == 0 and last == -1:
        return 1
    if not (isinstance(rank, int) and isinstance(first, int) and isinstance(last, int)):
        return UNKNOWN_FACT
    return rank - (last % rank - first % rank) if rank else 1


def _matmul_rank(facts: Facts, left: str, right: str) -> object:
    a, b = _rank(facts, left), _rank(facts, right)
    if not isinstance(a, int) or not isinstance(b, int):
        return UNKNOWN_FACT
    return max(a, b, 2) - (a == 1) - (b == 1)


def _einsum_rank(facts: Facts, name: str) -> object:
    """The rank of an einsum whose equation names all axes of the result."""
    equation = facts.constant(name)
    if not isinstance(equation, str) or "->" not in equation or "." in equation:
        return UNKNOWN_FACT
    return len(equation.split("->")[1].strip())


FUNCTIONS: dict[str, Callable[..., object]] = {
    "rank": _rank,
    "dtype": _dtype,
    "kind": _kind,
    "type": _type,
    "const": lambda facts, name: facts.constant(name),
    "open": lambda facts, name: facts.given(name) and facts.constant(name) is UNKNOWN_FACT,
    "given": lambda facts, name: facts.given(name),
    "absent": lambda facts, name: not facts.given(name),
    "is_none": _is_kind(Kind.NONE),
    "is_tensor": _is_kind(Kind.TENSOR),
    "is_optional": lambda facts, name: facts.value(name).optional,
    "is_number": _is_kind(Kind.INT, Kind.FLOAT, Kind.BOOL),
    "is_int": _is_kind(Kind.INT),
    "is_sequence": _is_kind(Kind.TUPLE, Kind.LIST, Kind.SIZE),
    "is_dtype": _is_kind(Kind.DTYPE),
    "is_device": _is_kind(Kind.DEVICE),
    "is_float": _is_dtype(FLOATS),
    "is_integer": _is_dtype(INTEGERS),
    "is_bool": _is_dtype(("bool",)),
    "may_be": lambda facts, name, *dtypes: _may_be(facts.value(name), *dtypes),
    "may_be_discrete": lambda facts, name: _may_be(facts.value(name), "bool", *INTEGERS),
    "simple": _is_simple,
    "unseen": _can_go_unseen,
    "distinct": _is_distinct,
    "blank": _is_blank,
    "count": _count,
    "method": lambda facts: facts.bound.method,
    "real_dtype": _real_dtype,
    "quotient": _quotient,
    "truth": lambda facts, name: "uint8" if facts.value(name).dtype == "uint8" else "bool",
    "data_rank": _data_rank,
    "holds_tensors": _holds_tensors,
    "data_dtype": _data_dtype,
    "viewed_dtype": _viewed_dtype,
    "nonnegative": _nonnegative,
    "flattened_rank": _flattened_rank,
    "matmul_rank": _matmul_rank,
    "einsum_rank": _einsum_rank,
    "packed": _packed,
    "asks_shape": _asks_shape,
    "element_rank": _element_rank,
    "element_dtype": _element_dtype,
    "reduce": _reduce,
    "broadcast": _broadcast,
    "promote": _promote,
    "floating": _floating,
    "counting": _counting,
    "dtype_given": _dtype_given,
}


def evaluate(text: str, facts: Facts) -> object:
    """The value of a rule; UNKNOWN_FACT where the facts do not decide it."""
    return _evaluate(parse_rule(text), facts)


def holds(text: str, facts: Facts) -> bool:
    """Whether a condition is known to be true."""
    return evaluate(text, facts) is True


def _evaluate(node: ast.expr, facts: Facts) -> object:
    match node:  # the frequent kinds first
        case ast.Call(func=ast.Name(id=name)):
            arguments = [item.id if isinstance(item, ast.Name) else _evaluate(item, facts) for item in node.args]
            return FUNCTIONS[name](facts, *arguments)
        case ast.Constant():
            return node.value
        case ast.Name():
            return node.id
        case ast.Tuple():
            return tuple(_evaluate(item, facts) for item in node.elts)
        case ast.BoolOp():
            return _boolean(node, facts)
        case ast.UnaryOp(op=ast.Not()):
            operand = _evaluate(node.operand, facts)
            return operand if operand is UNKNOWN_FACT else not operand
        case ast.UnaryOp(op=ast.USub()):
            operand = _evaluate(node.operand, facts)
            return -operand if isinstance(operand, (int, float)) else UNKNOWN_FACT
        case ast.BinOp():
            return _arithmetic(node, facts)
        case ast.Compare():
            return _comparison(node, facts)
    raise RuleError(f"cannot evaluate {ast.unparse(node)!r}")


def _boolean(node: ast.BoolOp, facts: Facts) -> object:
    decisive = isinstance(node.op, ast.Or)
    unknown = False
    for item in node.values:
        value = _evaluate(item, facts)
        if value is UNKNOWN_FACT:
            unknown = True
        elif bool(value) is decisive:
            return decisive
    return UNKNOWN_FACT if unknown else not decisive


def _arithmetic(node: ast.BinOp, facts: Facts) -> object:
    left, right = _evaluate(node.left, facts), _evaluate(node.right, facts)
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return UNKNOWN_FACT
    match node.op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
    raise RuleError(f"cannot evaluate {ast.unparse(node)!r}")


def _comparison(node: ast.Compare, facts: Facts) -> object:
    left, right = _evaluate(node.left, facts), _evaluate(node.comparators[0], facts)
    if left is UNKNOWN_FACT or right is UNKNOWN_FACT:
        return UNKNOWN_FACT
    match node.ops[0]:
        case ast.Eq():
            return left == right and isinstance(left, bool) == isinstance(right, bool)
        case ast.NotEq():
            return left != right or isinstance(left, bool) != isinstance(right, bool)
        case ast.Is():
            return left is right
        case ast.In():
            return left in right  # type: ignore[operator]
        case ast.NotIn():
            return left not in right  # type: ignore[operator]
        case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() if isinstance(left, (int, float)) and isinstance(
            right, (int, float)
        ):
            operator = type(node.ops[0]).__name__
            return {"Lt": left < right, "LtE": left <= right, "Gt": left > right, "GtE": left >= right}[operator]
    raise RuleError(f"cannot evaluate {ast.unparse(node)!r}")


def result_value(rule: object, facts: Facts) -> Value:
    """The value that a row's `result` describes.

    A mapping `{kind, rank, dtype, items, elem}`; or `{cases: [{when, is}, ..., {is}]}`, whose first case that is known to hold
    counts if all before it are known not to; or the name of a kind; or `same(p)`, `elementwise(p, ...)`, `comparison(p, ...)`
    for the frequent cases; `like(p)` has the rank and dtype of p, `kept(p)` its shape, too.
    """
    if rule is None:
        return Value(Kind.TENSOR)
    if isinstance(rule, str):
        return _short_result(rule, facts)
    if isinstance(rule, list):
        return Value(Kind.TUPLE, items=tuple(result_value(item, facts) for item in rule))
    assert isinstance(rule, dict)
    if "cases" in rule:
        return _case(rule["cases"], facts)
    kind = Kind(rule.get("kind", "tensor"))
    rank = evaluate(str(rule["rank"]), facts) if "rank" in rule else None
    dtype = rule.get("dtype")
    if isinstance(dtype, str) and "(" in dtype:
        dtype = evaluate(dtype, facts)
    const = evaluate(str(rule["const"]), facts) if "const" in rule else UNKNOWN_FACT
    return Value(
        kind,
        rank if isinstance(rank, int) else None,
        dtype if isinstance(dtype, str) else None,
        NOTHING if const is UNKNOWN_FACT else const,
        tuple(result_value(item, facts) for item in rule["items"]) if "items" in rule else None,
        result_value(rule["elem"], facts) if "elem" in rule else None,
        frozenset({str(rule["type"])}) if "type" in rule else frozenset(),
        among=_possible_dtypes(str(rule["dtype"]), facts) if dtype is UNKNOWN_FACT else frozenset(),
    )


def _possible_dtypes(rule: str, facts: Facts) -> frozenset[str]:
    """What a rule for a dtype gives on those ways on which the arguments have a dtype that is known."""
    names = {node.id for node in ast.walk(parse_rule(rule)) if isinstance(node, ast.Name)}
    among = frozenset[str]().union(*(_among(facts.value(name)) for name in names if name in facts.signature))
    found = set()
    for dtype in among - {"python"}:
        there = Facts(facts.signature, facts.bound, lambda node, dtype=dtype: _on_way(facts.value_of(node), dtype))  # type: ignore[misc]
        result = evaluate(rule, there)
        if isinstance(result, str):
            found.add(result)
    return frozenset(found)


def _among(value: Value) -> frozenset[str]:
    """The dtypes that a tensor, or one in a container, has on some way."""
    return value.among.union(*(_among(item) for item in value.items or ()))


def _on_way(value: Value, dtype: str) -> Value:
    """The value, or what stands in it, with this dtype if it may have it."""
    if value.items:
        return value.but(items=tuple(_on_way(item, dtype) for item in value.items))
    return value.but(dtype=dtype, among=frozenset()) if dtype in value.among else value


def elementwise(values: list[Value], rank: int | None) -> Value:
    """What arithmetic among values of this rank gives."""
    dtype = promote(values)
    types = RANKS if rank is None and any(value.has_ranks for value in values) else frozenset()
    return Value(Kind.TENSOR, rank, dtype, types=types, among=common_dtypes(values) if dtype is None else frozenset())


def common_dtypes(values: list[Value]) -> frozenset[str]:
    """The dtypes that every tensor has on some way: arithmetic among them gives one of these there."""
    among = [
        value.among if value.dtype is None else frozenset({value.dtype}) for value in values if value.is_a(Kind.TENSOR)
    ]
    return (
        frozenset.intersection(*among)
        if among and not any(value.is_a(Kind.UNKNOWN) for value in values)
        else frozenset()
    )


def _case(cases: list[dict[str, object]], facts: Facts) -> Value:
    for case in cases:
        met = evaluate(str(case["when"]), facts) if "when" in case else True
        if met is UNKNOWN_FACT:
            return UNKNOWN
        if met is True:
            return result_value(case["is"], facts)
    return UNKNOWN


@cache
def _short_rule(rule: str) -> tuple[str, tuple[str, ...]]:
    """The function and the parameters in `elementwise(input, other)`."""
    tree = ast.parse(rule, mode="eval").body
    assert isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name), rule
    return tree.func.id, tuple(item.id for item in tree.args if isinstance(item, ast.Name))


def _short_result(rule: str, facts: Facts) -> Value:
    if "(" not in rule:
        return Value(Kind(rule))
    function, names = _short_rule(rule)
    values = [facts.value(name) for name in names]
    match function:
        case "same":
            return values[0]
        case "like" | "kept":
            return Value(Kind.TENSOR, values[0].rank, values[0].dtype, among=values[0].among)
        case "floating":
            return result_value({"rank": f"rank({names[0]})", "dtype": f"floating({names[0]})"}, facts)
        case "elementwise":
            rank = _broadcast(facts, *names)
            return elementwise(values, rank if isinstance(rank, int) else None)
        case "comparison":
            rank = _broadcast(facts, *names)
            return Value(Kind.TENSOR, rank if isinstance(rank, int) else None, "bool")
        case "joined":
            joined = values[0]
            for value in values[1:]:
                joined = join(joined, value)
            return joined
    raise RuleError(f"unknown result rule {rule!r}")


SHORT_RESULTS = ("same", "like", "kept", "floating", "elementwise", "comparison", "joined")

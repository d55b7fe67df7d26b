"""Draws arguments for mapping rows from the small texts of `check`, such as `array(rank=1..4, dtype=float)` or `axis(input)`.

A text is parsed with `ast` and looked up in VOCABULARY; nothing is evaluated. Later parameters may refer to earlier ones.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st


@dataclass(frozen=True, eq=False)
class Array:
    """A drawn tensor; its NumPy dtype is the torch dtype. `constant`: torch cannot differentiate with respect to it."""

    values: np.ndarray
    constant: bool = False


@dataclass(frozen=True)
class Name:
    """A dotted torch name, such as a dtype."""

    text: str


class CheckError(ValueError):
    """A `check` text that is not understood."""


_SHAPES = ((3, 2, 4, 2, 2), (2, 3, 1, 2, 2))
_DTYPES = {
    "float": "float32",
    "int": "int64",
    "bool": "bool",
    "double": "float64",
    "half": "float16",
    "int32": "int32",
    "uint8": "uint8",
    "int8": "int8",
    "complex": "complex64",
}


def parse_check(text: str) -> ast.expr:
    """The syntax tree of a strategy text; `1..4` is a range. Raises CheckError."""
    try:
        return ast.parse(re.sub(r"(-?\d+)\.\.(-?\d+)", r"(\1, \2)", text), mode="eval").body
    except SyntaxError as error:
        raise CheckError(f"not a strategy: {text!r}") from error


def literal(node: ast.expr) -> object:
    """A literal; a bare name is its own text."""
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return node.id
        case ast.Tuple() | ast.List():
            return tuple(literal(item) for item in node.elts)
        case ast.UnaryOp(op=ast.USub()):
            return -literal(node.operand)  # type: ignore[operator]
        case ast.BinOp(op=ast.Mult()):
            return node
    raise CheckError(f"not a literal: {ast.unparse(node)}")


class Drawing:
    """One example: draws the arguments of a row one after another."""

    def __init__(self, draw: Callable[[st.SearchStrategy], object]) -> None:
        self.draw = draw
        self.sizes: dict[str, int] = {}
        self.leading: tuple[int, ...] | None = None
        self.drawn: dict[str, object] = {}
        self.random = np.random.default_rng(int(draw(st.integers(0, 999))))  # type: ignore[call-overload]

    def argument(self, name: str, text: object) -> object:
        """Draw the argument `name`; it is known to later texts."""
        value = self.value(parse_check(str(text)))
        self.drawn[name] = value
        return value

    def one_of(self, *choices: object) -> object:
        return self.draw(st.sampled_from(choices))

    def value(self, node: ast.expr) -> object:
        match node:
            case ast.Name(id="bool"):
                return self.draw(st.booleans())
            case ast.Name(id="none") | ast.Constant(value=None):
                return None
            case ast.Constant():
                return node.value
            case ast.Tuple():
                return tuple(self.value(item) for item in node.elts)
            case ast.List():
                return [self.value(item) for item in node.elts]
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=number)):
                return -number  # type: ignore[operator]
            case ast.Name(id=name) if name in self.sizes:
                return self.sizes[name]
            case ast.Call(func=ast.Name(id=name)) if name in VOCABULARY:
                return VOCABULARY[name](self, node.args, {item.arg: item.value for item in node.keywords if item.arg})
            case ast.Attribute():
                return Name(ast.unparse(node))
        raise CheckError(f"not in the vocabulary: {ast.unparse(node)}")

    def size(self, node: ast.expr) -> int:
        """A length: a number, a letter that stands for one length per example, or a product."""
        match node:
            case ast.Constant(value=int()):
                return node.value  # type: ignore[return-value]
            case ast.BinOp(op=ast.Mult()):
                return self.size(node.left) * self.size(node.right)
            case ast.BinOp(op=ast.Add()):
                return self.size(node.left) + self.size(node.right)
            case ast.Name():
                if node.id not in self.sizes:
                    self.sizes[node.id] = int(self.one_of(2, 3))  # type: ignore[call-overload]
                return self.sizes[node.id]
        raise CheckError(f"not a length: {ast.unparse(node)}")

    def shape(self, node: ast.expr) -> tuple[int, ...]:
        """A shape; `...` stands for leading axes, the same ones in one example."""
        if isinstance(node, ast.Tuple):
            result: list[int] = []
            for item in node.elts:
                if isinstance(item, ast.Constant) and item.value is ...:
                    if self.leading is None:
                        self.leading = self.one_of((), (2,), (2, 3))  # type: ignore[assignment]
                    result.extend(self.leading or ())
                else:
                    result.append(self.size(item))
            return tuple(result)
        return (self.size(node),)

    def array(self, name: object) -> np.ndarray:
        value = self.drawn[str(name)]
        if isinstance(value, list):
            value = value[0]
        assert isinstance(value, Array), f"{name} is no array"
        return value.values


Arguments = list[ast.expr]
Options = dict[str, ast.expr]


def _range(node: ast.expr) -> tuple[int, int]:
    value = literal(node)
    return value if isinstance(value, tuple) else (value, value)  # type: ignore[return-value]


def _array_shape(drawing: Drawing, options: Options) -> tuple[int, ...]:
    if "shape" in options:
        return drawing.shape(options["shape"])
    if "like" in options:
        return drawing.array(literal(options["like"])).shape
    if "broadcast" in options:
        shape = drawing.array(literal(options["broadcast"])).shape
        shape = tuple(n if drawing.one_of(True, True, False) else 1 for n in shape)
        return shape[int(drawing.one_of(0, 0, 1)) if shape else 0 :]  # type: ignore[call-overload]
    low, high = _range(options["rank"]) if "rank" in options else (0, 3)
    rank = drawing.draw(st.integers(low, high))
    return drawing.one_of(*_SHAPES)[:rank]  # type: ignore[index]


def _array(drawing: Drawing, arguments: Arguments, options: Options) -> Array:
    unknown = set(options) - {"shape", "like", "broadcast", "rank", "dtype", "values", "min", "max", "distinct"}
    if unknown or arguments:
        raise CheckError(f"array has no option {sorted(unknown)}")
    names = literal(options["dtype"]) if "dtype" in options else "float"
    name = drawing.one_of(*names) if isinstance(names, tuple) else names
    dtype = np.dtype(_DTYPES[str(name)])
    shape = _array_shape(drawing, options)
    if "values" in options:
        choices = np.array([float(item) for item in literal(options["values"])])  # type: ignore[union-attr]
        return Array(drawing.random.choice(choices, shape).astype(dtype))
    if "distinct" in options:
        count = math.prod(shape)
        return Array((drawing.random.permutation(count).reshape(shape) - count // 2).astype(dtype))
    low = literal(options["min"]) if "min" in options else (0 if dtype.kind == "u" else -3)
    high = literal(options["max"]) if "max" in options else 3
    return Array(_contents(drawing.random, dtype, shape, float(low), float(high)))  # type: ignore[arg-type]


def _contents(
    random: np.random.Generator, dtype: np.dtype, shape: tuple[int, ...], low: float, high: float
) -> np.ndarray:
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return random.integers(int(low), int(high) + 1, shape).astype(dtype)
    if dtype.kind == "c":
        return (random.uniform(low, high, shape) + 1j * random.uniform(low, high, shape)).astype(dtype)
    return np.asarray(random.uniform(low, high, shape)).astype(dtype)


def _number(kind: type) -> Callable[[Drawing, Arguments, Options], object]:
    def draw(drawing: Drawing, arguments: Arguments, options: Options) -> object:
        low, high = (literal(item) for item in arguments)
        if kind is int:
            return drawing.draw(st.integers(low, high))  # type: ignore[arg-type]
        steps = drawing.draw(st.integers(0, 8))
        return round(low + (high - low) * steps / 8, 6) * 1.0  # type: ignore[operator]

    return draw


def _axis(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """An axis of an argument; `extra=1` allows one more, as unsqueeze does; `list=1`: the axes of its first element."""
    rank = drawing.array(literal(arguments[0])).ndim + (int(literal(options["extra"])) if "extra" in options else 0)  # type: ignore[call-overload]
    return drawing.draw(st.integers(-rank, rank - 1)) if rank else drawing.one_of(0, -1)


def _axes(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """One axis, or a tuple or list of different ones."""
    rank = drawing.array(literal(arguments[0])).ndim
    several = drawing.draw(st.lists(st.integers(0, rank - 1), min_size=1, max_size=rank, unique=True)) if rank else []
    several = [axis - rank if drawing.one_of(True, False) else axis for axis in several]  # type: ignore[attr-defined]
    if "several" in options:
        return drawing.one_of(tuple(several), several)
    return drawing.one_of(several[0] if several else 0, tuple(several), several) if several else drawing.one_of(0, -1)


def _permutation(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    rank = drawing.array(literal(arguments[0])).ndim
    order = drawing.draw(st.permutations(range(rank)))
    return tuple(axis - rank if drawing.one_of(True, False, False) else axis for axis in order)  # type: ignore[attr-defined]


def _reshaped(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """A shape with as many elements as the argument, perhaps with one -1."""
    shape = list(drawing.array(literal(arguments[0])).shape)
    if len(shape) > 1 and drawing.one_of(True, False):
        shape[:2] = [shape[0] * shape[1]]
    elif drawing.one_of(True, False):
        shape.insert(0, 1)
    if shape and drawing.one_of(True, False):
        shape[int(drawing.draw(st.integers(0, len(shape) - 1)))] = -1  # type: ignore[call-overload]
    return tuple(shape) or (1,)


def _expanded(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """A shape to which the argument can be expanded; -1 keeps a size unless `whole=1`."""
    shape = list(drawing.array(literal(arguments[0])).shape)
    wanted = [3 if n == 1 else n for n in shape]
    if "whole" not in options:
        wanted = [-1 if drawing.one_of(True, False) else n for n in wanted]
    return tuple([2, *wanted] if drawing.one_of(True, False) else wanted) or (2,)


def _sizes(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """A tuple of small lengths."""
    low, high = _range(arguments[0]) if arguments else (0, 3)
    return tuple(drawing.draw(st.lists(st.sampled_from([1, 2, 3]), min_size=low, max_size=high)))  # type: ignore[call-overload]


def _index(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """A vector of indices into axis `dim` (0) of an argument; `scalar=1`: one number; `unique=1`: no repetition; `permuted=1`: each once."""
    array = drawing.array(literal(arguments[0]))
    dim = drawing.drawn.get("dim", 0) if len(arguments) < 2 else literal(arguments[1])
    length = array.shape[dim] if array.ndim else 1  # type: ignore[index]
    if "scalar" in options:
        return drawing.draw(st.integers(-length, length - 1))
    if "permuted" in options:
        return Array(drawing.random.permutation(length).astype(np.int64))
    if "unique" in options:
        count = int(drawing.draw(st.integers(1, length)))  # type: ignore[call-overload]
        return Array(drawing.random.permutation(length)[:count].astype(np.int64))
    return Array(drawing.random.integers(0, length, (3,)).astype(np.int64))


def _positions(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """An index array as gather and scatter take it: no larger than the argument in any axis but `dim`.

    `unique=1`: no position repeats along `dim`. `inner=<other>`: it also fits into that argument in every axis.
    """
    shape = list(drawing.array(literal(arguments[0])).shape)
    dim = int(drawing.drawn.get("dim", 0)) % max(len(shape), 1)  # type: ignore[call-overload]
    length = shape[dim] if shape else 1
    if not shape:
        return Array(np.zeros((), np.int64))
    result = [n if axis == dim else max(1, n - int(drawing.one_of(0, 1))) for axis, n in enumerate(shape)]  # type: ignore[call-overload]
    if "unique" in options:
        order = drawing.random.permuted(
            np.broadcast_to(np.arange(length), (*result[:dim], *result[dim + 1 :], length)), axis=-1
        )
        return Array(np.moveaxis(order, -1, dim).astype(np.int64))
    if "inner" not in options:
        result[dim] = int(drawing.one_of(1, length, length + 1))  # type: ignore[call-overload]
    return Array(drawing.random.integers(0, length, result).astype(np.int64))


def _list(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    low, high = _range(arguments[1]) if len(arguments) > 1 else (1, 3)
    values = [drawing.value(arguments[0]) for _ in range(int(drawing.draw(st.integers(low, high))))]  # type: ignore[call-overload]
    return values if "tuple" not in options else tuple(values)


def _parts(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """Lengths that sum up to that of axis `dim` (0) of an argument."""
    length = drawing.array(literal(arguments[0])).shape[drawing.drawn.get("dim", 0)]  # type: ignore[index]
    first = int(drawing.draw(st.integers(1, length)))  # type: ignore[call-overload]
    return [first, length - first] if length > first else [first]


def _one_of(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    return drawing.value(drawing.one_of(*arguments))  # type: ignore[arg-type]


def _none_or(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    return drawing.value(arguments[0]) if drawing.one_of(True, True, False) else None


def _positive_definite(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    shape = drawing.shape(options["shape"])
    factor = drawing.random.uniform(-1, 1, shape)
    return Array((factor @ np.swapaxes(factor, -1, -2) + np.eye(shape[-1])).astype(np.float32))


def _triangular(drawing: Drawing, arguments: Arguments, options: Options) -> object:
    """A well-conditioned triangular matrix; `upper=1` for the upper one."""
    shape = drawing.shape(options["shape"])
    matrix = drawing.random.uniform(-1, 1, shape) + 2 * np.eye(shape[-1])
    return Array((np.triu(matrix) if "upper" in options else np.tril(matrix)).astype(np.float32))


VOCABULARY: dict[str, Callable[[Drawing, Arguments, Options], object]] = {
    "array": _array,
    "int": _number(int),
    "float": _number(float),
    "axis": _axis,
    "axes": _axes,
    "permutation": _permutation,
    "reshaped": _reshaped,
    "expanded": _expanded,
    "sizes": _sizes,
    "index": _index,
    "positions": _positions,
    "list": _list,
    "parts": _parts,
    "one_of": _one_of,
    "none_or": _none_or,
    "positive_definite": _positive_definite,
    "triangular": _triangular,
}

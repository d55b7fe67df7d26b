"""Views in words of their own: how each is made of the tensor it is cut from, and how that gets its new values back.

z = y[1:]        made: `y[1:]`        back: `y[1:] = z`
z = y.view(-1)   made: `y.view(-1)`   back: `y = z.reshape(y.shape)`
z = y.T          made: `y.T`          back: `y = z.T`
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import libcst as cst

from torch2jax.ops.rules import FLOATS, INTEGERS, is_dtype
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import names_in
from torch2jax.values import DTYPE_CALLS, Kind, Value

BASE, NEW = "\0", "\1"  # stand for the texts of the base and of the new value of the view
Look = Callable[[cst.CSTNode], Value]
Object = tuple[object, ...]  # what tells one storage from another: where it was made, or the name that it came by


@dataclass(frozen=True, slots=True)
class Step:
    """One view of a base. `made` is its text. `back` is the text of the base's new value; with `stores` it is a part of
    the base that is assigned to instead; None: values cannot be given back.

    `names` are the variables that the texts read. `cut` tells parts of one base apart. `whole`: the values lie one behind
    the other if those of the base do. `repeats`: some elements may be the same. `dimension` is the one along which a group of parts lies; `count` how many those are.
    """

    made: str
    back: str | None
    stores: bool = False
    names: frozenset[str] = frozenset()
    cut: tuple[object, ...] | None = None
    whole: bool = True
    dimension: int | None = None
    count: int | None = None
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor: an object, or the view of it at the end of a path."""

    object: Object
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """A list, tuple or dict, by where it was made."""

    box: Object


@dataclass(frozen=True, slots=True)
class Maybe:
    """What may share storage with some objects, nobody knows how."""

    objects: frozenset[Object]


SURROUNDINGS = "*"  # fields, variables of the module, and whatever else is not an argument


@dataclass(frozen=True, slots=True)
class Shared:
    """With which names of its function a result may share storage; `parts`: each part of a tuple of known length for itself;
    `keys`: each value of a dictionary of known keys, by their texts.
    """

    names: frozenset[str]
    parts: tuple[frozenset[str], ...] | None = None
    keys: Mapping[str, frozenset[str]] | None = None


Ref = Tensor | Held | Maybe | None  # None: nothing that others could see


def are_apart(left: tuple[Step, ...], right: tuple[Step, ...]) -> bool:
    """Whether two views of one object have no element in common, for all that is known."""
    for one, other in zip(left, right, strict=False):
        if one == other:
            continue
        return one.cut is not None and other.cut is not None and _cuts_differ(one.cut, other.cut)
    return False


def _cuts_differ(left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    if left[0] == "part" and right[0] == "part":
        return left[1] == right[1] and left[2] != right[2]
    if left[0] != "index" or right[0] != "index":
        return False
    for one, other in zip(left[1:], right[1:], strict=False):
        first, second = _range(one), _range(other)
        if first is None or second is None:
            if one != other or one in ("...", "None"):
                return False
            continue
        if first[1] <= second[0] or second[1] <= first[0]:
            return True
    return False


def _range(item: object) -> tuple[float, float] | None:
    """From where to where a constant index reaches."""
    if isinstance(item, int):
        return (item, item + 1) if item >= 0 else None
    if isinstance(item, tuple) and all(isinstance(end, int) or end is None for end in item):
        low, high = item[0] or 0, item[1]
        if low < 0 or (high is not None and high < 0):
            return None
        return low, float("inf") if high is None else high
    return None


def index_step(node: cst.Subscript, look: Look) -> Step | str:
    """`x[...]` of a tensor as a view; `copy` if its indices pick elements, `maybe` if that is not known."""
    cut: list[object] = ["index"]
    whole = True
    for position, element in enumerate(node.slice):
        part = element.slice
        if isinstance(part, cst.Slice):
            bounds = tuple(_constant(end) if end is not None else None for end in (part.lower, part.upper))
            cut.append(bounds if part.step is None else code(part))
            whole = whole and position == len(node.slice) - 1 and position == _leading(node) and part.step is None
            continue
        assert isinstance(part, cst.Index)
        if part.star:
            return "maybe"
        value = look(part.value)
        number = _constant(part.value)
        if value.kind is Kind.INT or isinstance(number, int):
            cut.append(number if isinstance(number, int) else code(part.value))
        elif _is_slice(part.value):
            cut.append(code(part.value))
            whole = False
        elif value.const is ... or value.kind is Kind.NONE:
            cut.append("..." if value.const is ... else "None")
            whole = whole and value.kind is Kind.NONE
        elif value.kind is Kind.TENSOR and value.rank == 0 and value.dtype != "bool":
            cut.append(code(part.value))
        elif (
            (value.kind is Kind.TENSOR and (value.rank is not None or value.dtype == "bool"))
            or isinstance(part.value, (cst.List, cst.ListComp))
            or value.kind is Kind.LIST
        ):
            return "copy"
        else:
            return "maybe"
    text = code_behind(node, node.value)
    return Step(BASE + text, BASE + text, True, _names(node.slice), tuple(cut), whole)


def code_behind(node: cst.BaseExpression, base: cst.BaseExpression) -> str:
    """The text of an expression behind that of the one that it begins with."""
    bare = node.with_changes(lpar=(), rpar=()) if node.lpar else node
    return code(bare)[len(code(base)) :]


def _is_slice(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "slice"


def is_plain_index(node: cst.Subscript, look: Look) -> bool:
    """Whether an index is made of whole numbers and slices."""
    for element in node.slice:
        if isinstance(element.slice, cst.Index):
            value = look(element.slice.value)
            if value.kind is not Kind.INT and not (
                value.const in (None, ...) and value.kind in (Kind.NONE, Kind.PYTHON)
            ):
                return False
    return True


def is_new(roots: frozenset[str]) -> bool:
    """Whether storage of these roots was made in the function at hand."""
    return all(root.startswith("new:") for root in roots)


def without_data(node: cst.BaseExpression, look: Callable[[cst.CSTNode], Value] | None = None) -> cst.BaseExpression:
    """`x.data` names the same storage as `x`; `data` of an object or a module is a field of its own."""
    while isinstance(node, cst.Attribute) and node.attr.value == "data":
        if look is not None and look(node.value).kind in (Kind.OBJECT, Kind.MODULE, Kind.CLASS):
            break
        node = node.value
    return node


def _leading(node: cst.Subscript) -> int:
    """How many indices at the front pick one row each."""
    count = 0
    for element in node.slice:
        if isinstance(element.slice, cst.Slice):
            break
        count += 1
    return count


def _constant(node: cst.BaseExpression) -> object:
    try:
        value: object = ast.literal_eval(code(node))
    except (ValueError, SyntaxError):
        return code(node)
    return value


def _names(nodes: Sequence[cst.CSTNode]) -> frozenset[str]:
    return frozenset().union(*map(names_in, nodes))


RESHAPING = frozenset(
    {"view", "reshape", "flatten", "ravel", "unflatten", "view_as", "reshape_as", "squeeze", "unsqueeze"}
)
_SURE = frozenset({"view", "view_as", "squeeze", "unsqueeze", "unflatten"})  # never copies
_SWAPS = frozenset({"transpose", "swapaxes", "swapdims", "t"})
_READ_ONLY = frozenset({"expand", "expand_as", "broadcast_to", "unfold", "as_strided"})
_PARTS = frozenset({"chunk", "split", "tensor_split", "unbind", "split_with_sizes", "hsplit", "vsplit", "dsplit"})
_PERHAPS = frozenset({"to", "type", "type_as", "cpu", "cuda", "real", "imag", "conj", "resolve_conj", "positive",
                      "view_as_real", "view_as_complex", "atleast_1d", "atleast_2d", "atleast_3d", "adjoint",
                      "as_subclass", "rename", "refine_names", "align_to", "numpy", "bfloat16", "H", "mH"})  # fmt: skip
_NOTHING_NEW = frozenset({"requires_grad_", "share_memory_", "retain_grad", "pin_memory"})
_ATTRIBUTES = {"T": ".T", "mT": ".mT"}
VIEWS = RESHAPING | _SWAPS | _READ_ONLY | _PARTS | _PERHAPS | frozenset(DTYPE_CALLS) | _NOTHING_NEW | frozenset(
    {"permute", "movedim", "moveaxis", "narrow", "select", "diagonal", "detach", "contiguous"}
)  # fmt: skip


def attribute_step(name: str, base: Value) -> Step | str | None:
    """`x.T`, `x.data` and the like."""
    if name in _ATTRIBUTES:
        if name == "T" and base.rank is None:
            return Step(BASE + ".T", NEW + ".T", whole=False)
        return Step(BASE + _ATTRIBUTES[name], NEW + _ATTRIBUTES[name], whole=False)
    if name == "data":
        return Step(BASE + ".data", NEW)
    return "maybe" if name in _PERHAPS else None


@dataclass(frozen=True, slots=True)
class ViewCall:
    """A call that may give a view: `before` and `after` are its text around that of the base."""

    name: str
    before: str
    after: str
    arguments: Sequence[cst.Arg]
    base: Value
    node: cst.Call
    contiguous: bool = True
    keywords: dict[str, cst.BaseExpression] = field(default_factory=dict)

    @property
    def made(self) -> str:
        return f"{self.before}{BASE}{self.after}"

    @property
    def names(self) -> frozenset[str]:
        return _names([item.value for item in self.arguments])

    def argument(self, position: int, *names: str) -> cst.BaseExpression | None:
        plain = [item.value for item in self.arguments if item.keyword is None and not item.star]
        if position < len(plain):
            return plain[position]
        for item in self.arguments:
            if item.keyword is not None and item.keyword.value in names:
                return item.value
        return None

    def number(self, position: int, *names: str, default: int | None = None) -> int | None:
        node = self.argument(position, *names)
        if node is None:
            return default
        value = _constant(node)
        return value if isinstance(value, int) else None


def view_step(call: ViewCall, look: Look) -> Step | str | None:
    """A view by a method: `same` if it gives the tensor itself, `copy` or `maybe` one; `parts` if it gives several."""
    name = call.name
    if name in RESHAPING:
        first = call.argument(0)
        if name == "view" and first is not None and is_dtype(look(first)):
            return "maybe"
        if name not in _SURE and not call.contiguous:
            return "maybe"
        return Step(call.made, f"{NEW}.reshape({BASE}.shape)", names=call.names)
    if name in _SWAPS:
        return Step(call.made, f"{call.before}{NEW}{call.after}", names=call.names, whole=False)
    if name == "permute":
        return _permuted(call)
    if name in ("movedim", "moveaxis"):
        source, target = call.number(0, "source"), call.number(1, "destination")
        back = f"{NEW}.movedim({target}, {source})" if source is not None and target is not None else None
        return Step(call.made, back, names=call.names, whole=False)
    if name in ("narrow", "select", "diagonal"):
        return _cut(call)
    if name == "detach":
        return Step(call.made, NEW)
    if name == "contiguous":
        return "same" if call.contiguous and not call.arguments else "maybe"
    if name in DTYPE_CALLS:
        dtype, made = call.base.dtype, DTYPE_CALLS[name]
        if dtype is None or (dtype == "float" and made in FLOATS) or (dtype == "int" and made in INTEGERS):
            return "maybe"
        return "same" if dtype == made else "copy"
    if name in _PARTS:
        return "parts"
    if name in _NOTHING_NEW:
        return "same"
    if name in _READ_ONLY:
        return Step(call.made, None, names=call.names, whole=False, repeats=True)
    return "maybe" if name in _PERHAPS else None


def _permuted(call: ViewCall) -> Step:
    nodes = [item.value for item in call.arguments if item.keyword is None]
    if len(nodes) == 1 and isinstance(nodes[0], (cst.Tuple, cst.List)):
        nodes = [element.value for element in nodes[0].elements]
    order = [_constant(node) for node in nodes]
    back = None
    if all(isinstance(item, int) for item in order):
        count = len(order)
        turned = [int(item) % count for item in order]  # type: ignore[call-overload]
        back = f"{NEW}.permute({', '.join(str(turned.index(position)) for position in range(count))})"
    return Step(call.made, back, names=call.names, whole=False)


def _along(dim: int, text: str) -> str:
    """An index along one dimension."""
    if dim >= 0:
        return ", ".join([":"] * dim + [text])
    return ", ".join(["...", text] + [":"] * (-dim - 1))


def _cut(call: ViewCall) -> Step:
    if call.name == "diagonal":
        inner = call.after[call.after.index("(") + 1 :] if call.before == "" else call.after.removeprefix(", ")
        inner = inner.removesuffix(")")
        back = f"{BASE}.diagonal_scatter({NEW}{', ' + inner if inner else ''})"
        return Step(call.made, back, names=call.names, whole=False)
    dim, start = call.number(0, "dim"), call.argument(1, "index", "start")
    if dim is None or start is None:
        return Step(call.made, None, names=call.names, whole=False)
    first = _constant(start)
    if call.name == "select":
        where = _along(dim, code(start))
        return Step(BASE + f"[{where}]", BASE + f"[{where}]", True, call.names, _cut_along(dim, first), dim == 0)
    length = call.argument(2, "length")
    if length is None:
        return Step(call.made, None, names=call.names, whole=False)
    size = _constant(length)
    if isinstance(first, int) and isinstance(size, int):
        where, bounds = _along(dim, f"{first}:{first + size}"), (first, first + size)
        return Step(BASE + f"[{where}]", BASE + f"[{where}]", True, call.names, _cut_along(dim, bounds), dim == 0)
    where = _along(dim, f"{code(start)} : {code(start)} + {code(length)}")
    return Step(call.made, BASE + f"[{where}]", True, call.names, None, dim == 0)


def _cut_along(dim: int, item: object) -> tuple[object, ...] | None:
    return ("index", *[(None, None)] * dim, item) if dim >= 0 else None


def perhaps_step(node: cst.CSTNode) -> Step:
    """What may be a copy of its base or share with it, as `x.long()` and `x.cpu()` do: its parts lie in the parts of the base."""
    return Step(code(node), None, names=frozenset({"?"}), cut=("perhaps", node), whole=False)


def part_step(call: ViewCall, number: int, count: int | None, group: object) -> Step:
    """The part with a number of what `chunk`, `split` or `unbind` gives."""
    made = f"{call.made}[{number}]"
    cut = ("part", group, number)
    position = 0 if call.name in ("unbind", "hsplit", "vsplit", "dsplit") else 1
    dim = call.number(position, "dim", default=0)
    if call.name == "unbind" and dim is not None:
        where = _along(dim, str(number))
        return Step(BASE + f"[{where}]", BASE + f"[{where}]", True, call.names, cut, dim == 0)
    if call.name in ("hsplit", "vsplit", "dsplit"):
        dim = None
    size = call.number(0, "split_size_or_sections", "split_size")
    if call.name == "split" and size is not None and dim is not None:
        where = _along(dim, f"{number * size}:{(number + 1) * size}" if number else f":{size}")
        return Step(BASE + f"[{where}]", BASE + f"[{where}]", True, call.names, cut, dim == 0, dim, count)
    return Step(made, None, False, call.names, cut, dim == 0, dim, count)

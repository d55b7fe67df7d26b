"""Methods of something whose kind stays open: a spelling that is right for an array, a module and any other object.

data.to(device)   ->   to_device(data, device)        best.cpu().numpy()   ->   to_numpy(call_or_keep(best, "cpu"))
scores.mean(0)         (as it stands: arrays of JAX and NumPy have the same method)
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.ops.lowering import IGNORED
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter
from torch2jax.values import Kind, Value

_SAME = frozenset(
    "item tolist sum mean prod any all max min argmax argmin cumsum cumprod reshape round conj dot".split()
)
"""Methods of torch's tensors that arrays of JAX and of NumPy have with the same meaning, given no more than an axis."""

_NOTHING = frozenset(
    {"item", "tolist", "max", "min", "any", "all", "conj"}
)  # those of them that here take no arguments
_AS_WRITTEN = frozenset({"squeeze", "flatten"})
"""Methods that mean the same without arguments."""

_REDUCTIONS = frozenset("sum mean prod argmax argmin cumsum cumprod".split())
"""Methods of arrays whose `dim` is an axis."""

_DISPATCHED = {
    "abs": "magnitude",
    "clone": "cloned",
    "div": "divided",
    "equal": "is_equal",
    "expand": "expanded",
    "flip": "flipped",
    "log": "logarithm",
    "mul": "multiplied",
    "multiply": "multiplied",
    "resize": "resized",
    "sub": "subtracted",
    "squeeze": "squeezed",
    "unique": "unique_values",
}
"""Methods of torch's tensors that arrays of NumPy do not have, and what decides when it runs."""

_SPREADS = {"std": "standard_deviation", "var": "variance"}
"""Methods that arrays of NumPy have with another meaning, and what decides when it runs."""

_OF_ONE = frozenset({"abs", "clone", "log", "unique"})
_OF_TWO = frozenset({"div", "equal", "mul", "multiply", "sub"})
_KEPT = frozenset({"cpu", "cuda", "contiguous"})
_CASTS = {
    "cdouble": "complex",
    "cfloat": "jnp.complex64",
    "bfloat16": "jnp.bfloat16",
    "byte": "jnp.uint8",
    "double": "float",
    "float": "jnp.float32",
    "half": "jnp.float16",
}


def rewrite_open_method(unit: Unit, call: cst.Call, function: cst.Attribute) -> bool:
    """Translate a method of something unknown; False where its meaning depends on what that is."""
    name = function.attr.value
    if is_same_for_all(unit, call, name):
        return True
    spelling = _spelling(unit, call, name)
    if spelling is None:
        return False
    template, operands = spelling
    for argument in call.args:
        if argument.value not in operands.values():
            unit.settle(argument)

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        holes = {hole: dtype_expression(unit, node, rewrite) for hole, node in operands.items()}
        return unit.quote(template, x=rewrite.expression(function.value), **holes)

    unit.edits.replace(call, build)
    return True


def is_same_for_all(unit: Unit, call: cst.Call, name: str) -> bool:
    """Whether a call means the same for a tensor, an array of NumPy, and its translation, as it stands."""
    if name == "clip":
        return _is_between(call)
    if name in _AS_WRITTEN and not call.args:
        return True
    if name == "resize":
        return _is_of_pictures(unit, call)
    if name in ("max", "min") and _is_array_of_numpy(unit, call):
        return True
    if name in _REDUCTIONS | {"any", "all"} and _is_along_axis_of_numpy(call):
        return True
    if name not in _SAME or any(item.star or item.keyword is not None for item in call.args):
        return False
    kinds = [unit.facts.values(item.value).kind for item in call.args]
    if name == "reshape":
        return bool(kinds)
    if name == "dot":
        return len(kinds) == 1
    return not kinds or (len(kinds) == 1 and kinds[0] is Kind.INT and name not in _NOTHING)


def _is_along_axis_of_numpy(call: cst.Call) -> bool:
    """Whether words of NumPy, which tensors take, too, give the axis: `x.sum(axis=1)`, `x.mean(0, keepdims=True)`."""
    words = [item.keyword.value if item.keyword is not None else item.star for item in call.args]
    return any(words) and set(words) <= {"axis", "keepdims", ""} and "" not in words[1:]


def _is_array_of_numpy(unit: Unit, call: cst.Call) -> bool:
    """Whether `x.max(axis=-1)` is used as one array, where a tensor gives the values and the indices."""
    if not _is_along_axis_of_numpy(call):
        return False
    match unit.facts.program.index.parents.get(call):
        case cst.BinaryOperation() | cst.UnaryOperation():
            return True
        case cst.Subscript(value=value, slice=items):
            return value is call and len(items) > 1
    return False


def _is_between(call: cst.Call) -> bool:
    """Whether `clip` is given one or two bounds."""
    keywords = [item.keyword.value for item in call.args if item.keyword is not None]
    return 0 < len(call.args) <= 2 and not any(item.star for item in call.args) and set(keywords) <= {"min", "max"}


def _is_of_pictures(unit: Unit, call: cst.Call) -> bool:
    """Whether `resize` has arguments that a tensor does not take: `picture.resize((w, h))`, `picture.resize(size, resample=2)`."""
    words = {item.keyword.value for item in call.args if item.keyword is not None}
    kinds = [unit.facts.values(item.value).kind for item in call.args if item.keyword is None and not item.star]
    return bool(words) or kinds[:1] in ([Kind.TUPLE], [Kind.LIST])


def _along_axis(unit: Unit, call: cst.Call, name: str) -> tuple[str, dict[str, cst.BaseExpression]] | None:
    """`x.mean(dim=1, keepdim=True)`, whose keywords say that `x` is an array: `x.mean(axis=1, keepdims=True)`."""
    given: dict[str, cst.BaseExpression] = {}
    for place, item in enumerate(call.args):
        word = item.keyword.value if item.keyword is not None else ("dim" if place == 0 else "")
        if item.star or word not in ("dim", "keepdim") or not _is_axis_or_flag(unit, item.value, word):
            return None
        given[word] = item.value
    if not any(item.keyword is not None for item in call.args) or ("keepdim" in given and name.startswith("cum")):
        return None
    axes = {"dim": "axis={dim}", "keepdim": "keepdims={keepdim}"}
    return f"{{x}}.{name}({', '.join(axes[word] for word in given)})", given


def _is_axis_or_flag(unit: Unit, node: cst.BaseExpression, word: str) -> bool:
    value = unit.facts.values(node)
    if word == "keepdim":
        return isinstance(value.const, bool)
    items = value.items if value.items is not None else (value,)
    return bool(items) and all(item.kind is Kind.INT for item in items)


def _along_open_axis(unit: Unit, call: cst.Call, name: str) -> tuple[str, dict[str, cst.BaseExpression]] | None:
    """`x.std()`, `x.std(0)`, `x.std(dim=0)`, `x.std(axis=0)`: of a tensor with Bessel's correction, of NumPy's without."""
    if not call.args:
        return f"{_SPREADS[name]}({{x}})", {}
    if len(call.args) > 1:
        return None  # `x.var(0, True)`: what NumPy calls its second argument is a dtype
    (item,) = call.args
    word = item.keyword.value if item.keyword is not None else "axis"
    if item.star or word not in ("axis", "dim") or not _is_axis_or_flag(unit, item.value, "dim"):
        return None
    return f"{_SPREADS[name]}({{x}}, {{axis}})", {"axis": item.value}


def _dispatched(call: cst.Call, name: str) -> tuple[str, dict[str, cst.BaseExpression]] | None:
    """The support function that stands for a method, with its arguments."""
    if any(item.star or item.keyword is not None for item in call.args):
        return None
    if bool(call.args) is (name in _OF_ONE) or (name in _OF_TWO and len(call.args) != 1):
        return None
    given = {f"a{place}": item.value for place, item in enumerate(call.args)}
    method = ['"multiply"'] if name == "multiply" else []
    return f"{_DISPATCHED[name]}({', '.join(['{x}', *(f'{{{hole}}}' for hole in given), *method])})", given


def _spelling(unit: Unit, call: cst.Call, name: str) -> tuple[str, dict[str, cst.BaseExpression]] | None:
    """The template, and the arguments that stand in it."""
    if name in _REDUCTIONS:
        return _along_axis(unit, call, name)
    if name in _SPREADS:
        return _along_open_axis(unit, call, name)
    is_statement = isinstance(unit.facts.program.index.parents.get(call), cst.Expr)
    if name in _DISPATCHED and not (name == "resize" and is_statement):  # which NumPy does in place
        return _dispatched(call, name)
    if name == "numel" and not call.args:
        return "numel({x})", {}
    if name == "numpy" and not call.args:
        return "to_numpy({x})", {}
    if name in _CASTS and not call.args:
        return None if is_statement else (f'cast({{x}}, {_CASTS[name]}, "{name}")', {})
    targets = _targets(unit, call) if name in ("to", "type", *_KEPT) else None
    if targets is None:
        return None
    kinds = [target_kind(unit.facts.values, item) for item in targets]
    nodes = {kind: item.value for kind, item in zip(kinds, targets, strict=True)}
    if name in _KEPT:
        return (f'call_or_keep({{x}}, "{name}")', {}) if set(nodes) <= {"device"} else None
    if len(nodes) < len(kinds) or not kinds or (name == "type" and kinds != ["dtype"]):
        return None
    template = "{x}"
    if "dtype" in nodes:
        if is_statement:  # of a module it would change what others hold
            return None
        template = "cast({x}, {dtype})" if name == "to" else 'cast({x}, {dtype}, "type")'
    if "unknown" in nodes:
        template = f"{'to_device' if is_statement or len(nodes) > 1 else 'to'}({template}, {{unknown}})"
    if "device" in nodes:
        template = f"to_device({template}, {{device}})"
    return template, nodes


def _targets(unit: Unit, call: cst.Call) -> list[cst.Arg] | None:
    """The arguments that say where or what something is moved to; None if they are not written out."""
    if any(item.star for item in call.args):
        return None
    ignored = (IGNORED | {"copy"}) - {"device"}
    kept = [item for item in call.args if item.keyword is None or item.keyword.value not in ignored]
    return [item for item in kept if unit.facts.values(item.value).kind is not Kind.BOOL]


def target_kind(values: Callable[[cst.CSTNode], Value], target: cst.Arg) -> str:
    """What an argument of `to` is: a "device", also by its name, a "dtype", or "unknown"."""
    value, keyword = values(target.value), target.keyword.value if target.keyword is not None else None
    if is_dtype_like(value) or keyword == "dtype":
        return "dtype"
    if value.kind in (Kind.DEVICE, Kind.STR, Kind.NONE, Kind.INT) or keyword == "device":
        return "device"
    return "unknown"


def is_dtype_like(value: Value) -> bool:
    """Whether a value is a dtype, or a class of tensors that have one: `torch.float32`, `torch.FloatTensor`."""
    return value.kind is Kind.DTYPE or (value.kind is Kind.TORCH and value.dtype is not None)


def dtype_expression(unit: Unit, node: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    """An argument of `to` or `type`."""
    return rewrite.expression(node)

"""What `to` and its like do: where a tensor or a module is moved to, and which dtype it gets.

model.half()      model.to(torch.float64)      model.to(device, dtype)      x.to(other)
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.ops.lowering import IGNORED
from torch2jax.program.program import Program
from torch2jax.syntax.codegen import code
from torch2jax.values import Kind, Value, class_dtype

CAST = "cast"  # marks a file that gives parameters of modules another dtype than float32
METHODS = {"bfloat16": "bfloat16", "float16": "half", "float32": "float", "float64": "double"}
"""Which method of modules casts to a dtype."""

_WORDS = (
    "bfloat16 BFloat16Tensor double DoubleTensor dtype float16 float64 half HalfTensor set_default_dtype "
    "set_default_tensor_type"
).split()
"""Names without which every parameter of a program is float32."""


def default_set(call: cst.Call, name: str | None, values: Callable[[cst.CSTNode], Value]) -> str | None:
    """The type that a call of some name gives new tensors of floats: `torch.set_default_dtype(torch.float64)`."""
    if name not in ("torch.set_default_dtype", "torch.set_default_tensor_type") or len(call.args) != 1:
        return None
    given = values(call.args[0].value)
    return class_dtype(given.const) if given.kind is Kind.STR and isinstance(given.const, str) else given.dtype


def split_move(
    values: Callable[[cst.CSTNode], Value], call: cst.Call
) -> tuple[cst.BaseExpression | None, cst.BaseExpression | str | None]:
    """The device and the dtype named by a `to`-like call. A device that is only a string moves nothing here."""
    device: cst.BaseExpression | None = None
    dtype: cst.BaseExpression | str | None = None
    for argument in call.args:
        keyword = argument.keyword.value if argument.keyword is not None else None
        if keyword in IGNORED - {"device"} or keyword == "copy":
            continue
        value = values(argument.value)
        text = code(argument.value)
        if value.kind is Kind.DEVICE:
            device = argument.value if not text.endswith(".device") else None
        elif (
            value.kind is Kind.DTYPE
            or (value.kind is Kind.TORCH and value.dtype is not None)
            or keyword == "dtype"
            or value.kind is Kind.TENSOR
        ):
            dtype = argument.value
        elif (
            value.kind in (Kind.STR, Kind.NONE, Kind.INT)
            or keyword == "device"
            or "device" in text
            or value.const in (True, False)
        ):
            continue
        elif isinstance(call.func, cst.Attribute) and call.func.attr.value == "cuda":
            continue  # which takes no dtype
        elif "dtype" in text:
            dtype = argument.value
        else:
            dtype = "unknown"
    return device, dtype


CHANGING = frozenset({"apply", "load_state_dict"})  # methods that give the parameters of a module other values


def is_module_cast(call: cst.Call) -> bool:
    """Whether a call that is a method of a module casts it, in the form that normalization gives such calls."""
    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
    words = [item.keyword.value for item in call.args if item.keyword is not None]
    return (name in METHODS.values() and not call.args) or (name == "to" and words == ["dtype"] and len(call.args) == 1)


def changes_parameters(call: cst.Call) -> bool:
    """Whether a call that is a method of a module gives its parameters other values or another dtype."""
    return isinstance(call.func, cst.Attribute) and (call.func.attr.value in CHANGING or is_module_cast(call))


def cast_dtype(values: Callable[[cst.CSTNode], Value], call: cst.Call) -> cst.BaseExpression | str | None:
    """The dtype that a method of a module casts it to: its name, or what gives it; None where the module is not cast."""
    name = call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
    if name in METHODS.values() and not call.args:
        return next(dtype for dtype, method in METHODS.items() if method == name)
    if name not in ("to", "type"):
        return None
    dtype = split_move(values, call)[1]
    given = call.args[0].value if len(call.args) == 1 else None
    if name == "type" and given is not None and isinstance(text := values(given).const, str) and class_dtype(text):
        return class_dtype(text)
    if dtype == "unknown" or dtype is None:
        return None
    assert isinstance(dtype, cst.BaseExpression)
    known = values(dtype)
    return known.dtype if known.kind is not Kind.TENSOR and known.dtype in METHODS else dtype


def is_cast(values: Callable[[cst.CSTNode], Value], call: cst.Call) -> bool:
    """Whether a call casts a module, in whatever form."""
    is_method = isinstance(call.func, cst.Attribute) and values(call.func.value).kind is Kind.MODULE
    return is_method and cast_dtype(values, call) is not None


def is_single_precision(program: Program) -> bool:
    """Whether no name in a program could give a parameter another dtype than float32."""
    return not any(item.mentions(word) for item in program.files for word in _WORDS) and not any(
        word in program.read_elsewhere or f".{word}" in program.read_elsewhere for word in _WORDS
    )


def has_casts(program: Program) -> bool:
    """Whether modules of a file may be cast, by the file or by another one of its program."""
    marks = [mark for item in program.files for mark in item.marks]
    words = ("half", "double", "bfloat16", ".half", ".double", ".bfloat16")  # of objects, and of torch
    return (CAST,) in marks or any(word in program.read_elsewhere for word in words)

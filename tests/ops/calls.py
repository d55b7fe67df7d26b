"""Calls of torch functions as source text, lowered by their mapping rows as the translator does it, run in both libraries."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

import jax
import jax.numpy as jnp
import libcst as cst
import numpy as np
import optax
import torch

import torch2jax.runtime
from tests.ops.strategies import Array, Name
from torch2jax.emit.imports import render_imports
from torch2jax.emit.specialize import specialize
from torch2jax.emit.support import collect_support, qualify_names, support_names
from torch2jax.ops.lowering import Refusal
from torch2jax.ops.lowerings import lower_call
from torch2jax.ops.rules import Facts, result_value
from torch2jax.ops.schema import FunctionSpec
from torch2jax.ops.signatures import bind, parse_signature
from torch2jax.ops.tables import load_tables
from torch2jax.values import UNKNOWN, Kind, Value, constant

TORCH_NAMES = {"torch": torch, "inf": float("inf"), "nan": float("nan")}


@cache
def jax_names() -> Mapping[str, object]:
    """What converted text may refer to: the standard aliases and every public name of the runtime."""
    names: dict[str, object] = {}
    for module in pkgutil.iter_modules(torch2jax.runtime.__path__):
        names.update(vars(importlib.import_module(f"torch2jax.runtime.{module.name}")))
    names.update(jnp=jnp, np=np, jax=jax, optax=optax, partial=partial, inf=float("inf"), nan=float("nan"))
    return names


@dataclass(frozen=True)
class Call:
    """`text` calls torch; `arrays` are the tensors it names; `values` what the translator knows of names."""

    text: str
    arrays: Mapping[str, np.ndarray]
    objects: Mapping[str, object]
    values: Mapping[str, Value]
    constants: frozenset[str] = frozenset()


class Spelling:
    """Writes drawn arguments as text and collects the tensors in variables."""

    def __init__(self, opaque: bool) -> None:
        self.opaque = opaque  # everything in variables of which nothing is known
        self.arrays: dict[str, np.ndarray] = {}
        self.objects: dict[str, object] = {}
        self.values: dict[str, Value] = {}
        self.names: dict[int, str] = {}
        self.constants: set[str] = set()

    def text(self, value: object) -> str:
        if isinstance(value, Array):
            return self._variable(value)
        if isinstance(value, Name):
            return value.text
        if isinstance(value, (list, tuple)) and any(isinstance(item, (Array, list, tuple)) for item in value):
            inner = ", ".join(self.text(item) for item in value)
            return f"[{inner}]" if isinstance(value, list) else f"({inner},)"
        if self.opaque and value is not None and not isinstance(value, (str, bool)):
            name = f"v{len(self.objects)}"
            self.objects[name] = tuple(value) if isinstance(value, list) else value
            return name
        return "float('inf')" if value == float("inf") else repr(value)

    def _variable(self, value: Array) -> str:
        if id(value) not in self.names:
            name = self.names[id(value)] = f"a{len(self.arrays)}"
            self.arrays[name] = value.values
            if value.constant:
                self.constants.add(name)
            known = Value(Kind.TENSOR, value.values.ndim, str(value.values.dtype))
            self.values[name] = UNKNOWN if self.opaque else known
        return self.names[id(value)]


Form = Callable[[FunctionSpec, str, Mapping[str, object], Spelling], str]


def call_text(
    spec: FunctionSpec, name: str, given: Mapping[str, object], spelling: Spelling, keywords: int, order: Callable
) -> str:
    """The call `name(...)`; arguments from position `keywords` on are written by name, in the order that `order` gives.

    `Tensor.name` makes a method call; a variadic argument is written out one by one or as one tuple.
    """
    signature = parse_signature(spec.signature)
    positional: list[str] = []
    named: list[str] = []
    method = name.startswith("Tensor.")
    by_name = False
    for position, parameter in enumerate(signature.parameters):
        if parameter.name not in given:
            by_name = by_name or not parameter.variadic
            continue
        value = given[parameter.name]
        if parameter.variadic:
            items = value if keywords % 2 and isinstance(value, tuple) and value else [value]
            positional.extend(spelling.text(item) for item in items)  # type: ignore[union-attr]
        elif (by_name or parameter.keyword_only or position >= keywords) and not (method and position == 0):
            by_name = True
            named.append(f"{parameter.name}={spelling.text(value)}")
        else:
            positional.append(spelling.text(value))
    if method:
        return f"{positional[0]}.{name.removeprefix('Tensor.')}({', '.join([*positional[1:], *order(named)])})"
    return f"{name}({', '.join([*positional, *order(named)])})"


def lower_text(spec: FunctionSpec, call: Call, targets: int | None = None) -> tuple[str | Refusal, bool, Value]:
    """The converted text of a call (or a refusal) whether it draws, and what its row says about the result."""
    node = cst.parse_expression(call.text)
    assert isinstance(node, cst.Call)
    receiver = node.func.value if isinstance(node.func, cst.Attribute) and not call.text.startswith("torch.") else None
    if spec.unsupported is not None:
        return Refusal(spec.unsupported), False, UNKNOWN
    signature = parse_signature(spec.signature)
    facts = Facts(signature, bind(signature, node.args, receiver), partial(value_of, call), targets)
    return _text(spec, facts)


def lower_attribute(spec: FunctionSpec, call: Call) -> tuple[str | Refusal, bool, Value]:
    """As `lower_text`, for `a0.name`."""
    node = cst.parse_expression(call.text)
    assert isinstance(node, cst.Attribute)
    signature = parse_signature(spec.signature or "input")
    return _text(spec, Facts(signature, bind(signature, [], node.value), partial(value_of, call)))


def _text(spec: FunctionSpec, facts: Facts) -> tuple[str | Refusal, bool, Value]:
    result = result_value(spec.result, facts)
    lowered = lower_call(spec, facts)
    if isinstance(lowered, Refusal):
        return lowered, False, result
    extra = {"key": "key"} if lowered.draws else {}
    return cst.Module([]).code_for_node(lowered.build(rewrite, **extra)), lowered.draws, result


def value_of(call: Call, node: cst.CSTNode) -> Value:
    """What the translator would know of an argument: literals, dtypes, and the given names."""
    match node:
        case cst.Name(value=name):
            if name in ("None", "True", "False"):
                return constant(ast.literal_eval(name))
            return call.values.get(name, UNKNOWN)
        case cst.Tuple() | cst.List():
            kind = Kind.TUPLE if isinstance(node, cst.Tuple) else Kind.LIST
            return Value(kind, items=tuple(value_of(call, element.value) for element in node.elements))
        case cst.Attribute():
            spec = load_tables().functions.get(cst.Module([]).code_for_node(node))
            return (
                result_value(spec.result, Facts(parse_signature(""), bind(parse_signature(""), []), lambda _: UNKNOWN))
                if spec
                else UNKNOWN
            )
        case cst.Call():
            return Value(Kind.FLOAT, const=float("inf"))
    try:
        return constant(ast.literal_eval(cst.Module([]).code_for_node(node)))
    except ValueError:
        return UNKNOWN


def rewrite(node: cst.CSTNode) -> cst.CSTNode:
    """Translate the torch constants inside of an argument, as the translator has done before it fills a template."""

    class Constants(cst.CSTTransformer):
        def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
            spec = load_tables().functions.get(cst.Module([]).code_for_node(original_node))
            return cst.parse_expression(str(spec.alternatives[0].emit)) if spec else updated_node

    result = node.visit(Constants())
    assert isinstance(result, cst.CSTNode)
    return result


def run_torch(call: Call, track: bool) -> tuple[object, dict[str, torch.Tensor]]:
    """The result of the torch call, and its tensors (floating ones require gradients if `track`)."""
    tensors = {name: torch.tensor(array) for name, array in call.arrays.items()}
    for name, tensor in tensors.items():
        tensor.requires_grad_(track and tensor.is_floating_point() and name not in call.constants)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own deprecations and advice
        return eval(call.text, {**TORCH_NAMES, **call.objects, **tensors}), tensors


def run_jax(text: str, call: Call, arrays: Mapping[str, jax.Array], **names: object) -> object:
    """The result of converted text, with its support code as a program that makes this call would hold it."""
    return eval(text, {**jax_names(), **specialized_names(text), **call.objects, **arrays, **names})


@cache
def specialized_names(text: str) -> Mapping[str, object]:
    """The support functions that a text names, with nothing but what it asks of them."""
    names = sorted(set(re.findall(r"\b[a-z_][a-z_0-9]*\b(?=\()", text)) & support_names("equinox"))
    namespace: dict[str, object] = {}
    if names:
        whole = collect_support(qualify_names(names, "equinox"))
        support = specialize(whole, names, text)
        if support != whole:
            exec(render_imports(support.imports) + "\n" + support.text, namespace)
    return {name: namespace[name] for name in names if name in namespace}


def jax_arrays(call: Call) -> dict[str, jax.Array]:
    """The call's arrays in JAX's default mode: 64-bit types become 32-bit ones."""
    narrow = {"int64": np.int32, "float64": np.float32, "complex128": np.complex64}
    return {
        name: jnp.asarray(array.astype(narrow.get(str(array.dtype), array.dtype)))
        for name, array in call.arrays.items()
    }

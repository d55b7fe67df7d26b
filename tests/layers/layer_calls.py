"""Builds a torch layer and its translation from the same text, and calls both with the same arrays.

Constructor calls and inputs are written as the arguments of a call; `array(2, 3)` and the other generators below stand for
tensors. Nothing else than literals and generators is evaluated.
"""

from __future__ import annotations

import ast
import functools
import importlib
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import libcst as cst
import numpy as np
import optax
import torch

from torch2jax.ops.lowering import Lowered, Refusal, lower
from torch2jax.ops.rules import Facts
from torch2jax.ops.schema import Alternative, LayerSpec
from torch2jax.ops.signatures import bind, parse_signature
from torch2jax.targets.base import Target
from torch2jax.values import TENSOR, UNKNOWN, Kind, Value, constant

RUNTIME = Path(__file__).resolve().parents[2] / "torch2jax" / "runtime"


def _normal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(np.float32)


def _boundary(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> np.ndarray:
    """Values of which many lie exactly where piecewise functions change."""
    return (rng.integers(-6, 7, shape) * 0.5 * scale).astype(np.float32)


def _log_probabilities(rng: np.random.Generator, *shape: int, axis: int = -1) -> np.ndarray:
    x = rng.standard_normal(shape).astype(np.float32)
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


GENERATORS: Mapping[str, Callable[..., np.ndarray]] = {
    "array": _normal,
    "ties": _boundary,
    "positive": lambda rng, *shape: rng.uniform(0.2, 2.0, shape).astype(np.float32),
    "unit": lambda rng, *shape: rng.uniform(0.05, 0.95, shape).astype(np.float32),
    "integers": lambda rng, *shape, high, low=0: rng.integers(low, high, shape),
    "places": lambda rng, *shape, high: np.stack(  # different places within each plane
        [rng.permutation(high)[: math.prod(shape[2:])] for _ in range(shape[0] * shape[1])]
    ).reshape(shape),
    "signs": lambda rng, *shape: rng.choice([-1.0, 1.0], shape).astype(np.float32),
    "mask": lambda rng, *shape: rng.random(shape) < 0.3,
    "log_probabilities": _log_probabilities,
    "simplex": lambda rng, *shape, axis=-1: np.exp(_log_probabilities(rng, *shape, axis=axis)),
    "ints": lambda rng, *values: np.array(values),
}


def read_arguments(text: str, seeded: bool = True) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call written as text: literals and generated arrays."""
    call = ast.parse(f"f({text})", mode="eval").body
    assert isinstance(call, ast.Call)
    count = iter(range(100))

    def read(node: ast.expr) -> Any:
        match node:
            case ast.Call(func=ast.Name(id=name)):
                rng = np.random.default_rng(next(count) if seeded else 0)
                return GENERATORS[name](rng, *map(read, node.args), **{k.arg: read(k.value) for k in node.keywords})
            case ast.Tuple():
                return tuple(map(read, node.elts))
        return ast.literal_eval(node)

    return list(map(read, call.args)), {keyword.arg or "": read(keyword.value) for keyword in call.keywords}


def value_of(node: cst.CSTNode) -> Value:
    """What constant inference knows of a literal or of a generated array."""
    text = cst.Module([]).code_for_node(node)
    if isinstance(node, cst.Lambda):
        return Value(Kind.FUNCTION)
    try:
        literal = ast.literal_eval(text)
    except ValueError:
        return TENSOR if text.split("(")[0] in GENERATORS else UNKNOWN
    if isinstance(literal, (tuple, list)):
        kind = Kind.TUPLE if isinstance(literal, tuple) else Kind.LIST
        return Value(kind, items=tuple(constant(item) for item in literal))
    return constant(literal)


def convert_call(alternatives: tuple[Alternative, ...], signature: str, arguments: str) -> Lowered | Refusal:
    """The spelling that a row chooses for `f(arguments)`."""
    call = cst.parse_expression(f"f({arguments})")
    assert isinstance(call, cst.Call)
    parsed = parse_signature(signature)
    return lower(alternatives, Facts(parsed, bind(parsed, call.args), value_of))


def as_text(lowered: Lowered) -> str:
    return cst.Module([]).code_for_node(lowered.build(lambda node: node, key=cst.Name("key"), rngs=cst.Name("rngs")))


@functools.cache
def runtime_names(target: str = "equinox") -> dict[str, Any]:
    """Every public name of the runtime modules for a target."""
    names: dict[str, Any] = {}
    paths = [path for path in sorted(RUNTIME.glob("*.py")) if not path.stem.startswith(("nnx_", "linen_"))]
    for path in paths + (sorted(RUNTIME.glob(f"{target}_*.py")) if target != "equinox" else []):
        module = importlib.import_module(f"torch2jax.runtime.{path.stem}")
        public = {name: value for name, value in vars(module).items() if not name.startswith("_")}
        names |= {name: value for name, value in public.items() if getattr(value, "__module__", "") == module.__name__}
    return names


def evaluate(text: str, target: str = "equinox", **extra: Any) -> Any:
    """The value of an emitted expression."""
    generators = {
        name: lambda *args, _make=make, **kwargs: jnp.asarray(_make(np.random.default_rng(0), *args, **kwargs))
        for name, make in GENERATORS.items()
    }
    scope = {"jax": jax, "jnp": jnp, "np": np, "eqx": eqx, "optax": optax, "math": math, "partial": functools.partial}
    return eval(text, runtime_names(target) | scope | generators | extra)


def torch_layer(name: str, arguments: str) -> torch.nn.Module:
    """The torch layer that the constructor call makes."""
    args, kwargs = read_arguments(arguments, seeded=False)
    tensors = [torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in args]
    named = {key: torch.from_numpy(x) if isinstance(x, np.ndarray) else x for key, x in kwargs.items()}
    return operator.attrgetter(name.removeprefix("torch."))(torch)(*tensors, **named)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call gave: outputs, and gradients of parameters (by torch's names) and of float inputs."""

    outputs: list[np.ndarray]
    parameter_gradients: dict[str, np.ndarray]
    input_gradients: list[np.ndarray]


def cotangent(y: np.ndarray) -> np.ndarray:
    """The fixed weights with which a float output enters the scalar that is differentiated."""
    return np.random.default_rng(99).uniform(0.5, 1.5, y.shape).astype(np.float32) if y.dtype.kind == "f" else y


def flat_outputs(result: Any) -> list[Any]:
    """The tensors of a result, in order."""
    if isinstance(result, (tuple, list)):
        return [leaf for item in result for leaf in flat_outputs(item)]
    return [] if result is None else [result]


def run_torch(layer: torch.nn.Module, inputs: list[Any], named: dict[str, Any], fixed: Sequence[int] = ()) -> Outcome:
    """Call and differentiate a torch layer; torch has no gradient for the inputs at `fixed`."""

    def tensor(x: Any) -> Any:
        if isinstance(x, tuple):
            return tuple(map(tensor, x))
        if not isinstance(x, np.ndarray):
            return x
        return torch.tensor(x, requires_grad=x.dtype.kind == "f")

    layer.zero_grad()
    tensors = [torch.from_numpy(x) if number in fixed else tensor(x) for number, x in enumerate(inputs)]
    keywords = {name: tensor(x) for name, x in named.items()}
    outputs = flat_outputs(layer(*(x.clone() if isinstance(x, torch.Tensor) else x for x in tensors), **keywords))
    arrays = [y.detach().numpy() for y in outputs]
    total = sum(
        (y * torch.tensor(cotangent(a))).sum() for y, a in zip(outputs, arrays, strict=True) if y.is_floating_point()
    )
    if isinstance(total, torch.Tensor) and total.requires_grad:
        total.backward()
    leaves = [x for x in [*flat_outputs(tensors), *keywords.values()] if isinstance(x, torch.Tensor)]
    return Outcome(
        [a.copy() for a in arrays],
        {
            n: (p.grad if p.grad is not None else torch.zeros_like(p)).numpy().copy()
            for n, p in layer.named_parameters()
        },
        [
            (x.grad if x.grad is not None else torch.zeros_like(x) if x.requires_grad else x * torch.nan).numpy()
            for x in leaves
            if x.is_floating_point()
        ],
    )


def run_jax(call: Callable[..., Any], layer: Any, inputs: list[Any], named: dict[str, Any]) -> Outcome:
    """Call and differentiate `call(layer, *inputs, **named)`; gradients of parameters by torch's names."""
    from torch2jax.runtime.checkpoints import follow_path, torch_entries

    def is_float(x: Any) -> bool:
        return eqx.is_inexact_array(x)

    arrays = jax.tree.map(lambda x: jnp.asarray(x) if isinstance(x, np.ndarray) else x, (layer, inputs, named))
    floats, rest = eqx.partition(arrays, is_float)

    def total(floats: Any) -> tuple[Any, list[Any]]:
        layer, inputs, named = eqx.combine(floats, rest)
        outputs = flat_outputs(call(layer, *inputs, **named))
        parts = [(y * cotangent(np.zeros(y.shape, np.float32))).sum() for y in outputs if is_float(y)]
        return sum(parts, jnp.zeros(())), outputs

    quick = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}  # it runs once only
    run = jax.jit(jax.value_and_grad(total, has_aux=True), compiler_options=quick)
    (_, outputs), gradients = run(floats)
    parameters = {}
    for entry in torch_entries(arrays[0]) if isinstance(layer, eqx.Module) else ():
        if is_float(entry.value):
            parameters[entry.name] = np.asarray(follow_path(gradients[0], entry.path)).reshape(entry.shape)
    return Outcome(
        [np.asarray(y) for y in outputs], parameters, [np.asarray(g) for g in jax.tree.leaves(gradients[1:])]
    )


def assert_same(torch_outcome: Outcome, jax_outcome: Outcome, what: str) -> None:
    """Outputs and gradients agree up to rounding; shapes and kinds of dtypes exactly."""
    assert len(torch_outcome.outputs) == len(jax_outcome.outputs), what
    for a, b in zip(torch_outcome.outputs, jax_outcome.outputs, strict=True):
        assert a.shape == b.shape, f"{what}: shape {b.shape} instead of {a.shape}"
        assert a.dtype.kind == b.dtype.kind, what
        np.testing.assert_allclose(b, a, rtol=2e-4, atol=2e-5, err_msg=f"{what}: value")
    assert torch_outcome.parameter_gradients.keys() == jax_outcome.parameter_gradients.keys(), what
    for name, gradient in torch_outcome.parameter_gradients.items():
        found = jax_outcome.parameter_gradients[name]
        np.testing.assert_allclose(found, gradient, rtol=1e-3, atol=1e-4, err_msg=f"{what}: gradient of {name}")
    for number, (a, b) in enumerate(zip(torch_outcome.input_gradients, jax_outcome.input_gradients, strict=True)):
        if not np.isnan(a).any():  # torch has a gradient for it
            np.testing.assert_allclose(b, a, rtol=1e-3, atol=1e-4, err_msg=f"{what}: gradient of input {number}")


def assert_same_distribution(a: np.ndarray, b: np.ndarray, what: str) -> None:
    """The Kolmogorov-Smirnov distance of two samples is no larger than chance allows, and they end at the same values."""
    assert a.shape == b.shape
    a, b = np.sort(a.reshape(-1)), np.sort(b.reshape(-1))
    points = np.concatenate([a, b])
    distance = np.abs(np.searchsorted(a, points, "right") - np.searchsorted(b, points, "right")).max() / a.size
    assert distance <= 2.2 * np.sqrt(2 / a.size), f"{what}: distance {distance}"
    if a[0] == a[-1]:
        np.testing.assert_array_equal(b, a, err_msg=what)


def assert_same_fields(spec: LayerSpec, make: str, ours: Any, target: Target) -> None:
    """What a layer keeps of its arguments is read as torch has it, or known to be lacking."""
    theirs = torch_layer(spec.name, make)
    for item in parse_signature(spec.signature).parameters:
        kept, form = getattr(theirs, item.name, None), target.field_of_layer(spec, item.name)
        is_plain = not callable(kept) and not isinstance(kept, (torch.Tensor, torch.dtype)) and item.name != "bias"
        if hasattr(theirs, item.name) and form is not None and is_plain:
            assert evaluate(form.format(layer="layer"), target.name, layer=ours) == kept, (make, item.name)

"""Carries tensors and results between torch and JAX, and says how a result differs from the one that it should be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch

from tests import arrays
from tests.arrays import narrowed

_RELATIVE = {"float16": 5e-3, "bfloat16": 3e-2, "float32": 1e-4, "complex64": 1e-4, "float64": 1e-7, "complex128": 1e-7}
_ABSOLUTE = {"float16": 1e-3, "bfloat16": 1e-2, "float32": 1e-5, "complex64": 1e-5, "float64": 1e-9, "complex128": 1e-9}


class Uncomparable(Exception):
    """A value that JAX has no way to hold."""


def _jax_name(dtype: np.dtype) -> str:
    """The type that JAX has for one of torch: 64 bits become 32 unless they are enabled."""
    return dtype.name if jax.config.jax_enable_x64 else narrowed(dtype.name)


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs (`structure`, `shape`, `dtype` or `value`), and how."""

    aspect: str
    detail: str


def to_numpy(tensor: torch.Tensor) -> np.ndarray:
    """The entries of a tensor, copied."""
    if tensor.layout is not torch.strided:
        raise Uncomparable(f"torch gives a tensor of layout {tensor.layout}")
    try:
        return arrays.to_numpy(tensor)
    except TypeError as error:
        raise Uncomparable(f"torch gives {tensor.dtype}") from error


def to_jax(tensor: torch.Tensor) -> jax.Array:
    """The same array in JAX."""
    return jnp.array(to_numpy(tensor))


def is_float(value: Any) -> bool:
    """An array of numbers that can have a gradient."""
    return isinstance(value, jax.Array) and bool(jnp.issubdtype(value.dtype, jnp.inexact))


def leaves(value: Any) -> Iterator[Any]:
    """Everything in a result that is not a tuple, a list or a dict."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def compare(expected: Any, found: Any, slack: float = 1.0) -> Difference | None:
    """None if the result of JAX is the one of torch; `slack` widens the tolerances of values."""
    if isinstance(expected, list | tuple):
        if not isinstance(found, list | tuple) or len(found) != len(expected):
            return Difference("structure", f"{_kind(expected)} expected, {_kind(found)} found")
        differences = (compare(*pair, slack) for pair in zip(expected, found, strict=True))
        return next(filter(None, differences), None)
    if isinstance(expected, torch.Tensor):
        return _compare_tensor(expected, found, slack)
    if isinstance(expected, torch.dtype):
        name = str(expected).removeprefix("torch.")
        same = isinstance(found, type | np.dtype | str) and np.dtype(found).name in (name, narrowed(name))
        return None if same else Difference("value", f"{expected} expected, {found} found")
    if isinstance(expected, bool | int | float | complex):
        return _compare_number(expected, found, slack)
    same = found is None if expected is None else found == expected
    return None if same else Difference("value", f"{expected!r} expected, {found!r} found")


def _compare_tensor(expected: torch.Tensor, found: Any, slack: float) -> Difference | None:
    if not isinstance(found, jax.Array | np.ndarray):
        return Difference("structure", f"a tensor expected, {_kind(found)} found")
    right = to_numpy(expected)
    if found.shape != right.shape:
        return Difference("shape", f"{right.shape} expected, {found.shape} found")
    if found.dtype.name != (name := _jax_name(right.dtype)):
        return Difference("dtype", f"{name} expected, {found.dtype.name} found")
    return _compare_values(right, np.asarray(found), slack)


def _compare_number(expected: complex, found: Any, slack: float) -> Difference | None:
    """Python numbers: an array without dimensions counts as one."""
    if np.shape(found) != () or not isinstance(found, jax.Array | np.ndarray | np.generic | int | float | complex):
        return Difference("structure", f"{expected!r} expected, {_kind(found)} found")
    dtype = found.dtype if hasattr(found, "dtype") else np.asarray(found).dtype
    if (dtype.kind == "b") != isinstance(expected, bool):
        return Difference("dtype", f"{type(expected).__name__} expected, {dtype.name} found")
    return _compare_values(np.asarray(expected), np.asarray(found), slack * 1000)


def _compare_values(right: np.ndarray, found: np.ndarray, slack: float) -> Difference | None:
    if right.dtype.kind in "biu":
        wrong = right.astype(found.dtype) != found
    else:
        name = found.dtype.name if found.dtype.kind in "fc" else right.dtype.name
        wide = np.complex128 if right.dtype.kind == "c" else np.float64
        right, found = right.astype(wide), found.astype(wide)
        close = np.isclose(found, right, _RELATIVE.get(name, 1e-4) * slack, _ABSOLUTE.get(name, 1e-5) * slack, True)
        wrong = ~close
    if not wrong.any():
        return None
    place = tuple(map(int, np.unravel_index(int(wrong.argmax()), wrong.shape)))
    count = f"{int(wrong.sum())} of {wrong.size} entries differ"
    return Difference("value", f"{count}; at {place}: {right[place]} expected, {found[place]} found")


def relative_error(expected: Any, found: Any) -> float:
    """Largest error of any entry, as a share of the largest entry of its array; infinite where finiteness differs."""
    worst = 0.0
    for right, other in zip(leaves(expected), leaves(found), strict=True):
        if not isinstance(right, torch.Tensor) or not (right.is_floating_point() or right.is_complex()):
            continue
        a, b = to_numpy(right).astype(np.complex128), np.asarray(other).astype(np.complex128)
        finite = np.isfinite(a)
        if (finite != np.isfinite(b)).any():
            return float("inf")
        if finite.any():
            scale = max(float(np.abs(a[finite]).max()), 1e-2)
            worst = max(worst, float(np.abs(a - b)[finite].max()) / scale)
    return worst


def cotangents(expected: Sequence[Any], seed: int) -> list[np.ndarray | None]:
    """A fixed random direction for each floating leaf of a result."""
    draw = np.random.default_rng(seed)
    return [
        draw.uniform(0.5, 1.5, leaf.shape) + 1j * draw.uniform(0.5, 1.5, leaf.shape)
        if isinstance(leaf, torch.Tensor) and (leaf.is_floating_point() or leaf.is_complex())
        else None
        for leaf in expected
    ]


def torch_gradients(result: Any, inputs: Sequence[torch.Tensor], seed: int) -> list[torch.Tensor] | None:
    """Gradients for `inputs` of the sum of all floating results, each times its cotangent; None if torch has none."""
    found = list(leaves(result))
    total: torch.Tensor | None = None
    for leaf, weight in zip(found, cotangents(found, seed), strict=True):
        if weight is None or not leaf.requires_grad:
            continue
        real, imaginary = (torch.from_numpy(np.ascontiguousarray(part)) for part in (weight.real, weight.imag))
        if leaf.is_complex():
            term = (leaf.real * real).sum() + (leaf.imag * imaginary).sum()
        else:
            term = (leaf.double() * real).sum()
        total = term if total is None else total + term
    if total is None:
        return None
    grads = torch.autograd.grad(total, list(inputs), allow_unused=True)
    return [torch.zeros_like(tensor) if grad is None else grad for tensor, grad in zip(inputs, grads, strict=True)]


def jax_total(result: Any, seed: int, expected: Any) -> jax.Array:
    """The same sum of a result of JAX."""
    total = jnp.zeros(())
    for leaf, weight in zip(leaves(result), cotangents(list(leaves(expected)), seed), strict=True):
        if weight is None or not is_float(leaf):
            continue
        if jnp.iscomplexobj(leaf):
            total += (leaf.real * weight.real).sum() + (leaf.imag * weight.imag).sum()
        else:
            total += (leaf * weight.real).sum()
    return total


def _kind(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"{type(value).__name__} of {len(value)}"
    return (
        f"{type(value).__name__}{list(value.shape)}"
        if isinstance(value, jax.Array | torch.Tensor)
        else repr(value)[:60]
    )

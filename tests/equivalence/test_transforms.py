"""Function transforms: each program runs in both libraries, compiled on the side of JAX, and values and gradients agree."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

from tests.equivalence.harness import convert_text

PROGRAMS = Path(__file__).parent / "programs" / "transforms"


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def both(name: str, folder: Path, target: str = "equinox") -> tuple[ModuleType, ModuleType]:
    conversion = convert_text(PROGRAMS / f"{name}.py", target)
    assert not [d for d in conversion.diagnostics if d.severity == "error"], conversion.diagnostics
    translated = folder / f"{name}_translated.py"
    translated.write_text(conversion.text, encoding="utf-8")
    return load(PROGRAMS / f"{name}.py"), load(translated)


def arrays(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    draw = np.random.default_rng(3)
    return [draw.standard_normal(shape).astype(np.float32) for shape in shapes]


def flat(value: Any) -> list[Any]:
    return [part for item in value for part in flat(item)] if isinstance(value, tuple | list) else [value]


def assert_same(ours: Any, theirs: Any) -> None:
    for a, b in zip(flat(ours), flat(theirs), strict=True):
        b = b.detach().numpy()
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def weighted(value: Any) -> Any:
    return sum(((i + 1.3) * (part * part).sum() for i, part in enumerate(flat(value))), 0.0)


def compare(
    theirs: Callable[..., Any], ours: Callable[..., Any], given: list[np.ndarray], gradient: bool = True
) -> None:
    tensors = [torch.tensor(item, requires_grad=gradient) for item in given]
    expected = theirs(*tensors)
    assert_same(jax.jit(ours)(*given), expected)
    assert_same(ours(*given), expected)
    if gradient:
        weighted(expected).backward()
        found = jax.jit(jax.grad(lambda *args: weighted(ours(*args)), tuple(range(len(given)))))(*given)
        for array, tensor in zip(found, tensors, strict=True):
            wanted = torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
            assert_same(array, wanted)


def test_functions_with_a_gradient_of_their_own(tmp_path: Path) -> None:
    theirs, ours = both("own_gradients", tmp_path)
    compare(theirs.loss, ours.loss, arrays((5, 4)))
    x, weight, bias = arrays((5, 4), (3, 4), (3,))
    model = theirs.Net()
    with torch.no_grad():
        model.weight.copy_(torch.tensor(weight))
        model.bias.copy_(torch.tensor(bias))
    tensor = torch.tensor(x, requires_grad=True)
    (model(tensor) ** 2).sum().backward()
    net = ours.Net(key=jax.random.key(0))

    def total(x: Any, weight: Any, bias: Any) -> Any:
        return (eqx.tree_at(lambda n: (n.weight, n.bias), net, (weight, bias))(x) ** 2).sum()

    found = jax.jit(jax.grad(total, (0, 1, 2)))(x, jnp.asarray(weight), jnp.asarray(bias))
    assert_same(found, (tensor.grad, model.weight.grad, model.bias.grad))


@pytest.mark.parametrize("name", ["gradient_penalty", "pinn"])
def test_derivatives_in_a_loss(name: str, tmp_path: Path) -> None:
    theirs, ours = both("gradients_between", tmp_path)
    model, net = theirs.Net(), ours.Net(key=jax.random.key(0))
    layers = (model.l1.weight, model.l1.bias, model.l2.weight, model.l2.bias)

    def parts(n: Any) -> Any:
        return n.l1.weight, n.l1.bias, n.l2.weight, n.l2.bias

    net = eqx.tree_at(parts, net, tuple(jnp.asarray(layer.detach().numpy()) for layer in layers))
    x, t = arrays((4, 1), (4, 1))
    loss = getattr(theirs, name)(model, torch.tensor(x), torch.tensor(t))
    loss.backward()
    value, grads = eqx.filter_jit(eqx.filter_value_and_grad(lambda n: getattr(ours, name)(n, x, t)))(net)
    assert_same(value, loss)
    for array, layer in zip(parts(grads), layers, strict=True):
        if layer.grad is not None:
            assert_same(array, layer.grad)


def test_gradients_without_graph_are_constants(tmp_path: Path) -> None:
    theirs, ours = both("gradients_between", tmp_path)
    compare(theirs.both, ours.both, arrays((4,)))
    compare(theirs.energy, ours.energy, arrays((4,), (4,)))


@pytest.mark.filterwarnings("ignore")  # of torch.func.linearize
def test_functions_made_from_functions(tmp_path: Path) -> None:
    theirs, ours = both("functions", tmp_path)
    compare(theirs.per_sample, ours.per_sample, arrays((2, 3), (2,), (5, 3), (5, 2)), gradient=False)
    compare(theirs.many, ours.many, arrays((4, 3), (4, 3)), gradient=False)

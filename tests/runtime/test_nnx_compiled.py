"""Compiled functions of Flax NNX do what they do under `nnx.jit`, and go through their objects only where these have changed."""

import dataclasses
import gc
import weakref
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

from torch2jax.runtime import nnx_compiled
from torch2jax.runtime.nnx_compiled import cached_jit, filter_jit

X = jnp.arange(12.0).reshape(4, 3) / 7


class Net(nnx.Module):
    def __init__(self) -> None:
        rngs = nnx.Rngs(0)
        self.first = nnx.Linear(3, 3, rngs=rngs)
        self.second = nnx.Linear(3, 3, rngs=rngs)
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.norm = nnx.BatchNorm(3, rngs=rngs)
        self.calls = 0

    def __call__(self, x: jax.Array) -> jax.Array:
        return self.second(self.dropout(self.norm(self.first(x))))


@dataclasses.dataclass
class Settings:
    values: dict[str, int]


class Counting(Net):
    def __call__(self, x: jax.Array) -> jax.Array:
        self.calls += 1
        return super().__call__(x) * self.calls


class Keeping(Net):
    def __init__(self) -> None:
        super().__init__()
        self.kept = nnx.data(jnp.zeros(3))

    def __call__(self, x: jax.Array) -> jax.Array:
        y = super().__call__(x) + self.kept
        self.kept = y.mean(axis=0)
        return y


def step(model: Net, optimizer: nnx.Optimizer[Net], x: jax.Array) -> jax.Array:
    loss, grads = nnx.value_and_grad(lambda model: (model(x) ** 2).mean())(model)
    optimizer.update(model, grads)
    return loss


def nothing(model: Net) -> None:
    pass


def turned(model: Net) -> None:
    model.train() if model.dropout.deterministic else model.eval()


def tied(model: Net) -> None:
    model.second.kernel = model.first.kernel


def frozen(model: Net) -> None:
    model.first.bias = nnx.Variable(model.first.bias[...] + 1)


def replaced(model: Net) -> None:
    model.second = nnx.Linear(3, 3, rngs=nnx.Rngs(5))


def filled(model: Net) -> None:
    model.first.kernel[...] = model.first.kernel[...] * 2


def results(compile_step: Callable[[Any], Any], kind: type[Net], change: Callable[[Net], None]) -> list[Any]:
    """Losses of steps with a change between them, and all that the model holds then."""
    model = kind()
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    run = compile_step(step)
    found = []
    for _ in range(2):
        found += [run(model, optimizer, X), run(model, optimizer, X)]
        change(model)
        if change in (frozen, replaced, tied):
            optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    state = nnx.state((model, optimizer), nnx.Not(nnx.RngKey))
    return [*found, model.calls, optimizer.step[...], *jax.tree.leaves(state)]


@pytest.mark.parametrize("kind", [Net, Counting, Keeping])
@pytest.mark.parametrize("change", [nothing, turned, tied, frozen, replaced, filled])
def test_same_as_nnx_jit(kind: type[Net], change: Callable[[Net], None]) -> None:
    for actual, expected in zip(results(cached_jit, kind, change), results(nnx.jit, kind, change), strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-7)


def test_objects_are_traversed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    class Counted(nnx_compiled.Traversal):
        def __init__(self, *args: Any) -> None:
            made.append(1)
            super().__init__(*args)

    monkeypatch.setattr(nnx_compiled, "Traversal", Counted)
    model = Net()
    optimizer = nnx.Optimizer(model, optax.adam(0.1), wrt=nnx.Param)
    run = cached_jit(step)
    losses = [float(run(model, optimizer, X)) for _ in range(5)]
    assert len(made) == 1
    model.eval()
    run(model, optimizer, X)
    assert len(made) == 2
    assert len(set(losses)) == 5


def test_function_that_gives_an_object() -> None:
    model = Net()
    given = cached_jit(lambda model: (model.first, model.first.bias))(model)
    assert given[0] is model.first
    assert given[1] is model.first.bias


def test_gradients_and_variables_alone() -> None:
    model = Net()
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    grads = cached_jit(lambda model, x: nnx.grad(lambda model: (model.first(x) ** 2).sum())(model))(model, X)
    before = model.first.bias[...]
    cached_jit(lambda model, optimizer, grads: optimizer.update(model, grads) and None)(model, optimizer, grads)
    np.testing.assert_allclose(model.first.bias[...], before - 0.1 * grads.first.bias[...], rtol=1e-5)

    @cached_jit
    def doubled(variables: list[nnx.Param[jax.Array]], x: jax.Array) -> jax.Array:
        variables[0][...] = variables[0][...] * x
        return variables[0][...] + 1

    model = Net()
    both = cached_jit(lambda model, optimizer, bias: (step(model, optimizer, X), bias[...])[1])
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    np.testing.assert_allclose(both(model, optimizer, model.first.bias), model.first.bias[...])
    variable = nnx.Param(jnp.ones(2))
    np.testing.assert_allclose(doubled([variable], jnp.asarray(2.0)), 3)
    np.testing.assert_allclose(doubled([variable], jnp.asarray(2.0)), 5)
    np.testing.assert_allclose(variable[...], 4)


def test_graphs_that_have_no_hash() -> None:
    model = Net()
    model.settings = Settings({"a": 1})
    run = cached_jit(lambda model, x: model.first(x) * model.settings.values["a"])
    np.testing.assert_allclose(run(model, X), model.first(X), rtol=1e-5)
    model.settings = Settings({"a": 2})
    np.testing.assert_allclose(run(model, X), 2 * model.first(X), rtol=1e-5)


class Weighted(Net):
    def __init__(self) -> None:
        super().__init__()
        self.weights = [1.0, 0.5]
        self.options: dict[str, Any] = {"inner": {"scale": 1.0}, "order": {"a": 1.0, "b": 2.0}}
        self.active = {"first"}

    def __call__(self, x: jax.Array) -> jax.Array:
        scale = self.weights[1] * self.options["inner"]["scale"] * next(iter(self.options["order"].values()))
        return self.first(x) * scale if "first" in self.active else x * scale


class CountingWeighted(Weighted):
    def __call__(self, x: jax.Array) -> jax.Array:
        self.calls = 1 - self.calls
        return super().__call__(x)


@pytest.mark.parametrize("kind", [Weighted, CountingWeighted])
def test_lists_and_dicts_that_change_in_place(kind: type[Weighted]) -> None:
    model = kind()
    run = cached_jit(lambda model, x: model(x))

    def agrees(rows: int) -> bool:
        return bool(np.allclose(run(model, X[:rows]), model(X[:rows]), rtol=1e-5))

    assert agrees(4)
    model.weights[1] = 2.0
    assert agrees(4)
    model.options["inner"]["scale"] = 3.0
    assert agrees(4)
    model.options["order"]["a"] = model.options["order"].pop("a")  # behind the other now
    assert agrees(4)
    model.active.clear()
    assert agrees(4)
    model.weights[1] = 0.5
    assert agrees(3)  # another shape: it is traced again
    model.weights[1] = 2.0
    assert agrees(3)


def test_another_entry_of_the_state_of_an_optimizer() -> None:
    model = Net()
    optimizer = nnx.Optimizer(model, optax.trace(0.9), wrt=nnx.Param)
    run = cached_jit(step)
    run(model, optimizer, X)
    trace = optimizer.opt_state.trace
    kept = trace["first"]["bias"]
    trace["first"]["bias"] = type(kept)(jnp.full(3, 9.0))
    run(model, optimizer, X)
    assert float(trace["first"]["bias"][...].min()) > 5
    assert float(kept[...].max()) < 5


def test_models_are_not_kept() -> None:
    model = Net()
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    run = cached_jit(step)
    run(model, optimizer, X)
    bias = weakref.ref(model.first)
    del model, optimizer
    gc.collect()
    assert bias() is None


def test_static_arguments() -> None:
    traced = []

    @filter_jit
    def run(model: Net, function: Callable[[jax.Array], jax.Array], x: dict[str, Any], *, mode: str) -> jax.Array:
        traced.append(mode)
        return function(model(x["x"])) * x["scale"] + len(mode)

    model = Net()
    model.eval()
    plain = model(X)
    for mode in ("a", "bb", "a", "bb"):
        actual = run(model, jnp.tanh, {"x": X, "scale": 2}, mode=mode)
        np.testing.assert_allclose(actual, jnp.tanh(plain) * 2 + len(mode), rtol=1e-5)
    assert traced == ["a", "bb"]
    np.testing.assert_allclose(run(model, jnp.sin, {"x": X, "scale": 3}, mode="a"), jnp.sin(plain) * 3 + 1, rtol=1e-5)


def test_methods() -> None:
    class Trainer:
        scale = 2.0

        @cached_jit
        def loss(self: Any, x: jax.Array) -> jax.Array:
            return (self.first(x) ** 2).sum()

    class Own(Net):
        loss = Trainer.loss

    model = Own()
    np.testing.assert_allclose(model.loss(X), (model.first(X) ** 2).sum(), rtol=1e-5)

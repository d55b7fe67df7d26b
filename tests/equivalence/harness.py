"""Compares a torch program with its translation: outputs, running statistics, gradients, and whole training runs.

`build_pair` makes a module of each kind with the same weights; `compare_training` runs both programs from the same
weights, batches and random numbers (see `replay`) and compares what they return and print and the trained weights.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import torch

from tests.equivalence import weights
from tests.equivalence.loading import Run, load_module, run_main
from tests.equivalence.replay import Recording, recording, replaying, switch_off_dropout

__all__ = [
    "Pair",
    "TrainingRuns",
    "assert_close",
    "build_pair",
    "compare_initial_weights",
    "compare_training",
    "convert_text",
    "load_module",
    "run_main",
]


def convert_text(path_or_source: Path | str, target: Any = "equinox") -> Any:
    """The conversion of a file, or of source text."""
    import torch2jax

    path = path_or_source if isinstance(path_or_source, Path) else None
    source = path.read_text(encoding="utf-8") if path else str(path_or_source)
    return torch2jax.convert(source, torch2jax.Options(target=target), path=path.name if path else "program.py")


# --- closeness -----------------------------------------------------------------------------------


def assert_close(name: str, actual: Any, expected: Any, rtol: float = 1e-4, atol: float = 1e-5) -> None:
    """Fail with the name of the first value in `actual` (nested containers, arrays, numbers) that differs from `expected`.

    `atol` grows with the largest number of an array, as rounding errors do.
    """
    if isinstance(expected, Mapping):
        assert isinstance(actual, Mapping), f"{name}: {type(actual).__name__} instead of a mapping"
        missing = [key for key in expected if key not in actual]
        surplus = [key for key in actual if key not in expected]
        assert not missing and not surplus, f"{name}: missing {missing}, not expected {surplus}"
        for key in expected:
            assert_close(f"{name}[{key!r}]", actual[key], expected[key], rtol, atol)
    elif isinstance(expected, tuple | list) and not isinstance(expected, torch.Size):
        assert isinstance(actual, tuple | list), f"{name}: {type(actual).__name__} instead of a sequence"
        assert len(actual) == len(expected), f"{name}: {len(actual)} instead of {len(expected)} items"
        for i, (a, e) in enumerate(zip(actual, expected, strict=True)):
            assert_close(f"{name}[{i}]", a, e, rtol, atol)
    elif expected is None or isinstance(expected, str):
        assert actual == expected, f"{name}: {actual!r} instead of {expected!r}"
    else:
        _assert_arrays_close(name, _array(actual), _array(expected), rtol, atol)


def _assert_arrays_close(name: str, actual: np.ndarray, expected: np.ndarray, rtol: float, atol: float) -> None:
    assert actual.shape == expected.shape, f"{name}: shape {actual.shape} instead of {expected.shape}"
    kinds = actual.dtype.kind, expected.dtype.kind
    assert kinds[0] == kinds[1] or set(kinds) <= set("iu"), f"{name}: {actual.dtype} instead of {expected.dtype}"
    if expected.dtype.kind not in "fc":
        rtol = atol = 0
    atol *= max(1.0, np.abs(expected, where=np.isfinite(expected), out=np.zeros(expected.shape)).max(initial=0.0))
    wrong = ~np.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=True)
    if wrong.any():
        with np.errstate(invalid="ignore"):
            difference = np.where(wrong, np.abs(np.subtract(actual, expected, dtype=np.float64)), -1.0)
        worst = np.unravel_index(np.argmax(np.nan_to_num(difference, nan=np.inf)), expected.shape)
        raise AssertionError(
            f"{name}: {wrong.sum()} of {wrong.size} values differ (rtol {rtol:g}, atol {atol:g}); the largest difference "
            f"at {tuple(map(int, worst))}: {actual[worst]!r} instead of {expected[worst]!r}"
        )


def _array(value: Any) -> np.ndarray:
    return value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)


# --- one module of each kind ---------------------------------------------------------------------


@dataclasses.dataclass(slots=True)
class Pair:
    """A torch module and its translation with the same weights; dropout is off in both.

    `state` holds the running statistics of the translation, None where it keeps none. Calls are compiled where `jit`
    is set, which takes a fraction of the time.
    """

    torch_model: torch.nn.Module
    torch_module: ModuleType
    jax_model: Any
    jax_module: ModuleType
    state: Any = None
    jit: bool = True

    def forward(self, *inputs: Any, train: bool = False, rtol: float = 1e-4, atol: float = 1e-5) -> Any:
        """Call both on the same NumPy inputs, compare outputs (and statistics after `train`); returns the outputs."""
        self.torch_model.train(train)
        with recording(self.torch_module) as tape:
            expected = self.torch_model(*_to_torch(inputs))
        model = eqx.nn.inference_mode(self.jax_model, value=not train)
        with replaying(self.jax_module, tape):
            outputs, self.state = self._compile(_call)(model, self.state, _to_jax(inputs))
        assert_close("output", outputs, expected, rtol, atol)
        self.compare_weights(rtol, atol)
        return outputs

    def gradients(self, *inputs: Any, train: bool = False, rtol: float = 1e-4, atol: float = 1e-5) -> None:
        """Compare the gradients of a weighted sum of all outputs, for every parameter and every float input."""
        self.torch_model.train(train)
        self.torch_model.zero_grad()
        tensors = _to_torch(inputs)
        for tensor in tensors:
            if isinstance(tensor, torch.Tensor) and tensor.is_floating_point():
                tensor.requires_grad_()
        buffers = {name: value.clone() for name, value in self.torch_model.named_buffers()}
        with recording(self.torch_module) as tape:
            _weighted_sum(self.torch_model(*tensors), torch.as_tensor).backward()
        for name, value in self.torch_model.named_buffers():
            value.copy_(buffers[name])  # the gradient alone changes no statistics

        model = eqx.nn.inference_mode(self.jax_model, value=not train)
        arrays = _to_jax(inputs)

        def total(differentiable: tuple[Any, Any]) -> jax.Array:
            model, arrays = differentiable
            return _weighted_sum(_call(model, self.state, arrays)[0], jnp.asarray)

        with replaying(self.jax_module, tape):
            model_gradients, input_gradients = self._compile(eqx.filter_grad(total))((model, arrays))
        self._compare_parameter_gradients(model_gradients, rtol, atol)
        for i, (tensor, gradient) in enumerate(zip(tensors, input_gradients, strict=True)):
            if isinstance(tensor, torch.Tensor) and tensor.requires_grad:
                expected = torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
                assert_close(f"gradient of input {i}", gradient, expected, rtol, atol)

    def _compile(self, function: Callable[..., Any]) -> Callable[..., Any]:
        # a function of its own for every call: what was traced belongs to one recording
        return eqx.filter_jit(lambda *args: function(*args)) if self.jit else function

    def compare_weights(self, rtol: float = 1e-4, atol: float = 1e-5) -> None:
        """Compare all parameters and buffers that the translation has."""
        compare_weights(self.torch_model, self.jax_model, self.state, rtol, atol)

    def _compare_parameter_gradients(self, gradients: Any, rtol: float, atol: float) -> None:
        # gradients stand where the parameters are, so that the names of the parameters are theirs too
        named = weights.named_values(eqx.combine(gradients, self.jax_model), self.state)
        canonical = weights.TorchWeights.of(self.torch_model).canonical
        actual = {canonical[name]: value for name, value in named.items() if name in canonical}
        for name, parameter in self.torch_model.named_parameters():
            if parameter.requires_grad:
                expected = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
                assert name in actual, f"the translation has no parameter {name}"
                assert_close(f"gradient of {name}", actual[name], expected, rtol, atol)


def build_pair(
    torch_class: type[torch.nn.Module],
    jax_module: ModuleType,
    class_name: str | None = None,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    seed: int = 0,
    jit: bool = True,
) -> Pair:
    """Construct a class of a torch program and its translation with the same weights.

    The weights are random ones of ordinary size: initial ones, such as zeros or very small numbers, hide differences.
    Arguments that are objects of the torch program (a configuration, a class) are replaced by those of the same name
    in the translation.
    """
    kwargs = dict(kwargs or {})
    torch.manual_seed(seed)
    torch_model = torch_class(*args, **kwargs)
    switch_off_dropout(torch_model)
    _randomize(torch_model)
    source = weights.TorchWeights.of(torch_model)
    torch_module = sys.modules[torch_class.__module__]
    name = class_name or torch_class.__name__
    jax_model, state = _construct(torch_class, jax_module, name, args, kwargs, seed)
    switch_off_dropout(jax_model)
    if state is None:
        return Pair(torch_model, torch_module, weights.carry(source, jax_model), jax_module, None, jit)
    jax_model, state = weights.carry_with_state(source, jax_model, state)
    return Pair(torch_model, torch_module, jax_model, jax_module, state, jit)


def _construct(
    torch_class: type, jax_module: ModuleType, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], seed: int
) -> tuple[Any, Any]:
    """The translated model, and its state or None."""
    jax_class = getattr(jax_module, name)
    jax_args = [_counterpart(value, torch_class.__module__, jax_module) for value in args]
    jax_kwargs = {name: _counterpart(value, torch_class.__module__, jax_module) for name, value in kwargs.items()}
    if "key" in inspect.signature(jax_class.__init__).parameters:
        jax_kwargs["key"] = jax.random.key(seed)
    model, state = eqx.nn.make_with_state(jax_class)(*jax_args, **jax_kwargs)
    return model, state if "state" in inspect.signature(jax_class.__call__).parameters else None


def _randomize(model: torch.nn.Module) -> None:
    """Give every parameter and running statistic a value that matters."""
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn_like(parameter)
            if parameter.ndim > 1:
                parameter.copy_(noise / parameter[0].numel() ** 0.5)
            else:
                parameter.add_(0.3 * noise)
        for module in model.modules():
            if isinstance(module, torch.nn.Embedding) and module.padding_idx is not None:
                module.weight[module.padding_idx] = 0
        for name, buffer in model.named_buffers():
            if name.endswith("running_mean"):
                buffer.normal_(0, 0.3)
            elif name.endswith("running_var"):
                buffer.uniform_(0.5, 2.0)


def compare_initial_weights(
    torch_class: type[torch.nn.Module],
    jax_module: ModuleType,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    num_seeds: int = 3,
) -> None:
    """Compare the initial parameters of both classes: constants exactly, draws by Kolmogorov and Smirnov's test."""
    drawn: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for seed in range(num_seeds):
        torch.manual_seed(seed)
        source = weights.TorchWeights.of(torch_class(*args, **dict(kwargs or {})))
        model, state = _construct(torch_class, jax_module, torch_class.__name__, args, dict(kwargs or {}), seed)
        actual = weights.named_values(model, state)
        for name in source.canonical:
            if name in actual:
                drawn.setdefault(name, []).append((actual[name].ravel(), source.values[name].ravel()))
    for name, samples in drawn.items():
        fixed = np.logical_and.reduce([expected == samples[0][1] for _, expected in samples])
        for actual, expected in samples:
            assert_close(f"initial {name} (where it is constant)", actual[fixed], expected[fixed])
        actual_values, expected_values = (np.sort(np.concatenate(side)) for side in zip(*samples, strict=True))
        distance = _distribution_distance(actual_values, expected_values)
        limit = 2.2 * (2 / len(expected_values)) ** 0.5  # exceeded by chance once in 8,000 times
        assert distance <= limit, (
            f"initial {name}: mean {actual_values.mean():.4g}, deviation {actual_values.std():.4g} instead of mean "
            f"{expected_values.mean():.4g}, deviation {expected_values.std():.4g} (distance {distance:.3f})"
        )


def _distribution_distance(x: np.ndarray, y: np.ndarray) -> float:
    """The largest difference of the distribution functions of two sorted samples."""
    points = np.concatenate([x, y])
    below = [np.searchsorted(values, points, side="right") / len(values) for values in (x, y)]
    return float(np.abs(below[0] - below[1]).max())


def compare_weights(torch_model: torch.nn.Module, jax_model: Any, state: Any, rtol: float, atol: float) -> None:
    """Compare the parameters and buffers of a module with those of its translation, in torch's order."""
    source = weights.TorchWeights.of(torch_model)
    actual = weights.named_values(jax_model, state)
    names = set(source.canonical.values())
    assert names <= {source.canonical.get(name, name) for name in actual}, f"missing: {names - actual.keys()}"
    for name, expected in source.values.items():
        if name in actual and (state is not None or name in source.canonical):
            assert_close(name, actual[name], expected, rtol, atol)


def _call(model: Any, state: Any, inputs: Sequence[Any]) -> tuple[Any, Any]:
    parameters = inspect.signature(type(model).__call__).parameters
    keys = {"key": jax.random.key(0)} if "key" in parameters else {}
    if state is None:
        return model(*inputs, **keys), None
    leaves, structure = jax.tree.flatten(state)
    outputs, state = model(*inputs, state=jax.tree.unflatten(structure, leaves), **keys)
    return outputs, state


def _counterpart(value: Any, torch_name: str, jax_module: ModuleType) -> Any:
    if isinstance(value, type) and value.__module__ == torch_name:
        return getattr(jax_module, value.__name__)
    if dataclasses.is_dataclass(value) and type(value).__module__ == torch_name:
        return getattr(jax_module, type(value).__name__)(**vars(value))
    return value


def _to_torch(inputs: Sequence[Any]) -> list[Any]:
    # indices are 64 bits wide in torch
    def convert(value: np.ndarray) -> torch.Tensor:
        return torch.tensor(value.astype(np.int64) if value.dtype.kind == "i" else value)

    return [convert(value) if isinstance(value, np.ndarray) else value for value in inputs]


def _to_jax(inputs: Sequence[Any]) -> list[Any]:
    return [jnp.asarray(value) if isinstance(value, np.ndarray) else value for value in inputs]


def _weighted_sum(outputs: Any, from_numpy: Callable[[np.ndarray], Any]) -> Any:
    """The sum of all floating-point outputs, each element with a weight of its own."""
    total: Any = 0.0
    for value in jax.tree.leaves(outputs):
        if str(value.dtype).removeprefix("torch.").startswith("float"):
            element_weights = np.cos(np.arange(np.prod(value.shape, dtype=int), dtype=np.float32)).reshape(value.shape)
            total = total + (value * from_numpy(element_weights)).sum()
    return total


# --- two programs --------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, slots=True)
class TrainingRuns:
    """Both runs, what the original drew and loaded, and the names of the models whose trained weights were compared."""

    torch_run: Run
    jax_run: Run
    tape: Recording
    compared_models: tuple[str, ...]

    @property
    def losses(self) -> list[float]:
        """What the original's main part returned, if it is a list of numbers."""
        result = self.torch_run.result
        return list(result) if isinstance(result, list | tuple) else []


def compare_training(
    torch_source: str,
    jax_text: str,
    *,
    rtol: float = 1e-3,
    atol: float = 1e-5,
    weights_rtol: float = 1e-2,
    weights_atol: float = 1e-3,
    name: str = "program",
) -> TrainingRuns:
    """Run the main parts of both programs on the same weights, batches and random numbers, and compare.

    Compared are the returned value, all printed numbers, and the final weights of those models that `main` holds.
    """
    torch_module = load_module(torch_source, f"{name}_torch")
    with recording(torch_module) as tape:
        torch_run = run_main(torch_module)
    jax_module = load_module(jax_text, f"{name}_jax")
    with replaying(jax_module, tape):
        jax_run = run_main(jax_module)
    assert_close("returned", jax_run.result, torch_run.result, rtol, atol)
    compare_printed(jax_run.printed, torch_run.printed, rtol)
    compared = _compare_trained_weights(jax_run, tape, jax_module, weights_rtol, weights_atol)
    return TrainingRuns(torch_run, jax_run, tape, tuple(compared))


_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)(?![\w])")


def compare_printed(actual: str, expected: str, rtol: float) -> None:
    """Compare printed texts line by line: the same number of numbers, each equal up to rounding of its last digit."""
    actual_lines, expected_lines = actual.splitlines(), expected.splitlines()
    assert len(actual_lines) == len(expected_lines), f"printed {actual!r} instead of {expected!r}"
    for number, (a, e) in enumerate(zip(actual_lines, expected_lines, strict=True), 1):
        actual_numbers, expected_numbers = _NUMBER.findall(a), _NUMBER.findall(e)
        assert len(actual_numbers) == len(expected_numbers), f"printed line {number}: {a!r} instead of {e!r}"
        for x, y in zip(actual_numbers, expected_numbers, strict=True):
            close = np.isclose(float(x), float(y), rtol=rtol, atol=1.01 * _last_digit(y), equal_nan=True)
            assert close if _last_digit(y) else x == y, f"printed line {number}: {a!r} instead of {e!r}"


def _last_digit(number: str) -> float:
    """The value of a one in the last place after the point; 0 for an integer."""
    mantissa, _, exponent = number.lower().partition("e")
    _, point, decimals = mantissa.partition(".")
    return 10.0 ** (int(exponent or 0) - len(decimals)) if point or exponent else 0.0


def _compare_trained_weights(run: Run, tape: Recording, module: ModuleType, rtol: float, atol: float) -> list[str]:
    """Compare the trained models that the variables of `main` hold, where class names leave no doubt."""
    found = _models_and_states(run.variables, module)
    state = _outermost(found, lambda value: isinstance(value, eqx.nn.State))
    compared = []
    for recorded in tape.models:
        model = _outermost(found, lambda value, name=recorded.class_name: type(value).__name__ == name)
        if model is not None and sum(other.class_name == recorded.class_name for other in tape.models) == 1:
            compare_weights(recorded.module, model, state, rtol, atol)
            compared.append(recorded.class_name)
    return compared


def _outermost(found: list[tuple[int, Any]], is_wanted: Callable[[Any], bool]) -> Any:
    """The one wanted object that is nested least; None if there is none, or more than one."""
    depths = {id(value): (depth, value) for depth, value in reversed(found) if is_wanted(value)}
    least = min((depth for depth, _ in depths.values()), default=0)
    candidates = [value for depth, value in depths.values() if depth == least]
    return candidates[0] if len(candidates) == 1 else None


def _models_and_states(variables: Mapping[str, Any], module: ModuleType) -> list[tuple[int, Any]]:
    """The live models and states in the variables, their containers and the program's own objects, with their depths.

    Optimizer states hold trees of a model's class too, but deeper than the model itself. What an object of the program
    holds comes before the variables: it has taken the model over and trained it, and the variable is as it was.
    """
    found: list[tuple[int, Any]] = []

    def visit(value: Any, depth: int) -> None:
        if isinstance(value, eqx.nn.State | eqx.Module):
            if not _is_donated(value):
                found.append((depth, value))
        elif depth < 3 and isinstance(value, list | tuple):
            for child in value:
                visit(child, depth + 1)
        elif depth < 3 and type(value).__module__ == module.__name__ and hasattr(value, "__dict__"):
            for child in vars(value).values():
                visit(child, depth - 1 if depth == 0 else depth + 1)

    for value in variables.values():
        visit(value, 0)
    return sorted(found, key=lambda item: item[0])


def _is_donated(tree: Any) -> bool:
    if isinstance(tree, eqx.nn.State) and not isinstance(vars(tree)["_state"], dict):
        return True
    return any(isinstance(leaf, jax.Array) and leaf.is_deleted() for leaf in jax.tree.leaves(tree))

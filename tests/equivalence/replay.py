"""Lets a translation start from the weights, the batches and the random numbers that the original had.

`recording` watches a torch program: the weights of every model when it has been constructed, what data loaders
yield, and the values of random draws. `replaying` makes a translated program use them: constructed models receive the
recorded weights, data loaders yield the recorded batches, and `jax.random.<function>` returns the recorded values, in
the same order. Draws while a model is constructed are left alone, as are the weights that they made; dropout is off on
both sides, because its masks cannot be told from one another in compiled code.

Only calls that stand in the program itself (or in support code copied into it) are watched, not those of libraries
other than torch.distributions.
Draws in compiled code are served by ordered callbacks, each time when the code runs.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from unittest import mock

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import torch
from jax.experimental import io_callback

from tests.equivalence import weights


class ReplayError(AssertionError):
    """The translation asked for something else than what the original did at this place."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The values of one random draw; normal and uniform ones in standard form."""

    kind: str
    values: np.ndarray


@dataclass(slots=True)
class LoaderPass:
    """The batches of one pass over a data loader, and whether the pass went to its end."""

    batches: list[Any] = field(default_factory=list)
    complete: bool = False


@dataclass(slots=True)
class Recording:
    """What a torch program drew, loaded and constructed, in order."""

    draws: list[Draw] = field(default_factory=list)
    passes: list[LoaderPass] = field(default_factory=list)
    models: list[weights.TorchWeights] = field(default_factory=list)


_TORCH_DRAWS = {
    "randn": "normal",
    "randn_like": "normal",
    "normal": "normal",
    "normal_": "normal",
    "rand": "uniform",
    "rand_like": "uniform",
    "uniform_": "uniform",
    "randint": "integers",
    "randint_like": "integers",
    "random_": "integers",
    "randperm": "permutation",
    "bernoulli": "bernoulli",
    "bernoulli_": "bernoulli",
    "multinomial": "categories",
    "poisson": "poisson",
    "exponential_": "exponential",
}

_JAX_DRAWS = {
    "normal": "normal",
    "uniform": "uniform",
    "randint": "integers",
    "permutation": "permutation",
    "bernoulli": "bernoulli",
    "categorical": "categories",
    "choice": "categories",
    "poisson": "poisson",
    "exponential": "exponential",
}

_TORCH_DROPOUTS = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_alpha_dropout")
_DROPOUT_RATES = ("dropout", "dropout_p", "dropout_rate", "drop_rate", "drop_prob", "attn_dropout", "p")


# --- recording -----------------------------------------------------------------------------------


@contextlib.contextmanager
def recording(module: ModuleType) -> Iterator[Recording]:
    """Record what the torch program `module` does in the body."""
    tape = Recording()
    constructing = _Depth()
    with contextlib.ExitStack() as stack:
        for owner in (torch, torch.Tensor):
            for name, kind in _TORCH_DRAWS.items():
                if hasattr(owner, name):
                    original = getattr(owner, name)
                    watched = _watch_torch_draw(original, kind, module, tape, constructing)
                    _patch(stack, owner, name, watched, module)
        for name in _TORCH_DROPOUTS:
            _patch(stack, torch.nn.functional, name, lambda input, *args, **kwargs: input, module)
        attention = torch.nn.functional.scaled_dot_product_attention
        _patch(stack, torch.nn.functional, attention.__name__, _without_dropout(attention), module)
        for cls in _module_classes(module):
            if "__init__" in vars(cls):
                watched = _watch_torch_construction(cls.__init__, tape, constructing)
                stack.enter_context(mock.patch.object(cls, "__init__", watched))
        loader = torch.utils.data.DataLoader
        stack.enter_context(mock.patch.object(loader, "__iter__", _watch_loader(loader.__iter__, tape)))
        yield tape


def _watch_torch_draw(
    original: Callable[..., Any], kind: str, module: ModuleType, tape: Recording, constructing: _Depth
) -> Callable[..., Any]:
    def draw(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        caller = sys._getframe(1).f_globals
        if not constructing and (caller is module.__dict__ or caller["__name__"].startswith("torch.distributions.")):
            tape.draws.append(Draw(kind, _standard_form(original.__name__, result, args, kwargs)))
        return result

    return draw


def _standard_form(function: str, result: torch.Tensor, args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.ndarray:
    """The values before they were scaled: of mean 0 and deviation 1, or between 0 and 1."""
    values = result.detach().numpy().copy()
    if function not in ("normal", "normal_", "uniform_"):
        return values
    first, second = ("from", "to") if function == "uniform_" else ("mean", "std")
    given = [item.detach() if isinstance(item, torch.Tensor) else item for item in args]
    given = given[1:] if function.endswith("_") else given
    low = np.asarray(given[0] if given else kwargs.get(first, 0.0))
    high = np.asarray(given[1] if len(given) > 1 else kwargs.get(second, 1.0))
    scale = high - low if function == "uniform_" else high
    return np.asarray((values.astype(np.float64) - low) / scale, values.dtype)


def _watch_torch_construction(
    original: Callable[..., None], tape: Recording, constructing: _Depth
) -> Callable[..., None]:
    def init(self: torch.nn.Module, *args: Any, **kwargs: Any) -> None:
        with constructing:
            original(self, *args, **kwargs)
        if not constructing:
            switch_off_dropout(self)
            if weights.has_parameters(self):
                tape.models.append(weights.TorchWeights.of(self))

    return init


def _watch_loader(original: Callable[..., Any], tape: Recording) -> Callable[..., Iterator[Any]]:
    def iterate(self: Any) -> Iterator[Any]:
        this_pass = LoaderPass()
        tape.passes.append(this_pass)
        return follow(original(self), this_pass)

    def follow(batches: Iterator[Any], this_pass: LoaderPass) -> Iterator[Any]:
        for batch in batches:
            this_pass.batches.append(_to_numpy(batch))
            yield batch
        this_pass.complete = True

    return iterate


def _module_classes(module: ModuleType) -> list[type[torch.nn.Module]]:
    """The classes of the program, and those of torch from which it may build a model directly."""
    classes: list[type[torch.nn.Module]] = []
    for namespace in (vars(module), vars(torch.nn)):
        for value in namespace.values():
            if isinstance(value, type) and issubclass(value, torch.nn.Module) and value not in classes:
                classes.append(value)
    return classes


def _without_dropout(attention: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    def apply(*args: Any, **kwargs: Any) -> torch.Tensor:
        names = ("query", "key", "value", "attn_mask", "dropout_p")
        given = dict(zip(names, args, strict=False)) | kwargs
        return attention(**(given | {"dropout_p": 0.0}))

    return apply


# --- replaying -----------------------------------------------------------------------------------


@contextlib.contextmanager
def replaying(module: ModuleType, tape: Recording, *, all_used: bool = True) -> Iterator[None]:
    """Feed the recording to the JAX program `module` in the body; with `all_used`, nothing may be left over."""
    player = _Player(module, tape)
    with contextlib.ExitStack() as stack:
        for name, kind in _JAX_DRAWS.items():
            _patch(stack, jax.random, name, player.draw(getattr(jax.random, name), kind), module)
        for name in _TORCH_DROPOUTS:
            if callable(getattr(module, name, None)):
                stack.enter_context(mock.patch.object(module, name, lambda x, *args, **kwargs: x))
        metaclass = type(eqx.Module)
        stack.enter_context(mock.patch.object(metaclass, "__call__", player.construct(metaclass.__call__)))
        loader = getattr(module, "DataLoader", None)
        if isinstance(loader, type):
            stack.enter_context(mock.patch.object(loader, "__iter__", player.iterate(loader.__iter__)))
        yield
        jax.effects_barrier()
        if all_used:
            player.check_all_used()


class _Player:
    """Hands out the recorded things one after the other."""

    def __init__(self, module: ModuleType, tape: Recording) -> None:
        self.module, self.tape = module, tape
        self.constructing = _Depth()
        self.num_draws = self.num_passes = self.num_models = 0

    def draw(self, original: Callable[..., jax.Array], kind: str) -> Callable[..., jax.Array]:
        signature = inspect.signature(original)

        def draw(*args: Any, **kwargs: Any) -> jax.Array:
            if self.constructing or sys._getframe(1).f_globals is not self.module.__dict__:
                return original(*args, **kwargs)
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            wanted = jax.eval_shape(lambda: original(*args, **kwargs))
            arguments = bound.arguments
            if kind == "permutation" and np.ndim(arguments["x"]) > 0:
                index = self._values(arguments["key"], kind, jax.ShapeDtypeStruct(wanted.shape[:1], jnp.int32))
                return jnp.asarray(arguments["x"])[index]
            values = self._values(arguments["key"], kind, wanted)
            if kind == "uniform":
                values = arguments["minval"] + (arguments["maxval"] - arguments["minval"]) * values
            return values

        return draw

    def _values(self, key: jax.Array, kind: str, wanted: jax.ShapeDtypeStruct) -> jax.Array:
        def serve() -> np.ndarray:
            return self._next_draw(kind, wanted)

        if isinstance(key, jax.core.Tracer):
            return io_callback(serve, wanted, ordered=True)
        jax.effects_barrier()  # compiled code that was called before draws first
        return jnp.asarray(serve())

    def _next_draw(self, kind: str, wanted: jax.ShapeDtypeStruct) -> np.ndarray:
        what = f"draw {self.num_draws + 1} of the translation ({kind}, shape {wanted.shape})"
        if self.num_draws == len(self.tape.draws):
            raise ReplayError(f"{what}: the original drew only {len(self.tape.draws)} times")
        recorded = self.tape.draws[self.num_draws]
        self.num_draws += 1
        if recorded.kind != kind or recorded.values.size != np.prod(wanted.shape, dtype=int):
            raise ReplayError(f"{what}: the original drew {recorded.kind}, shape {recorded.values.shape}")
        values: np.ndarray = recorded.values.reshape(wanted.shape).astype(wanted.dtype)
        return values

    def construct(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def construct(cls: type, *args: Any, **kwargs: Any) -> Any:
            with self.constructing:
                model = original(cls, *args, **kwargs)
            if self.constructing or not self._is_layer(cls):
                return model
            switch_off_dropout(model)
            return self._with_recorded_weights(model)

        return construct

    def _is_layer(self, cls: type) -> bool:
        if cls is eqx.nn.StateIndex:
            return False
        return cls.__module__ == self.module.__name__ or cls.__module__.startswith(("equinox.nn", "torch2jax.runtime"))

    def _with_recorded_weights(self, model: Any) -> Any:
        leaves = jax.tree.leaves(eqx.filter(model, eqx.is_array))
        if not weights.has_parameters(model) or any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return model
        if self.num_models == len(self.tape.models):
            raise ReplayError(f"the translation constructs a {type(model).__name__} more than the original")
        recorded = self.tape.models[self.num_models]
        self.num_models += 1
        return weights.carry(recorded, model)

    def iterate(self, original: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
        def iterate(loader: Any) -> Iterator[Any]:
            if self.num_passes == len(self.tape.passes):
                raise ReplayError(f"the translation passes more than {self.num_passes} times over its data loaders")
            recorded = self.tape.passes[self.num_passes]
            self.num_passes += 1
            sampler = getattr(loader, "sampler", None)
            in_order = sampler is None and not getattr(loader, "shuffle", True)
            in_order = in_order or type(sampler).__name__ == "SequentialSampler"
            return replay(original(loader), recorded, in_order)

        def replay(own_batches: Iterator[Any], recorded: LoaderPass, in_order: bool) -> Iterator[Any]:
            for number, batch in enumerate(recorded.batches):
                own = next(own_batches, None)
                what = f"batch {number} of a data loader that {'does not shuffle' if in_order else 'shuffles'}"
                yield _like(batch, own, what, same_values=in_order)
            if not recorded.complete:
                raise ReplayError(f"the original took only {len(recorded.batches)} batches of this pass")
            if next(own_batches, None) is not None:
                raise ReplayError(f"the translated data loader has more than {len(recorded.batches)} batches")

        return iterate

    def check_all_used(self) -> None:
        for name, used, recorded in (
            ("draws", self.num_draws, self.tape.draws),
            ("passes over data loaders", self.num_passes, self.tape.passes),
            ("models", self.num_models, self.tape.models),
        ):
            if used != len(recorded):
                raise ReplayError(f"{name}: the original has {len(recorded)}, the translation {used}")


def switch_off_dropout(model: Any) -> None:
    """Set every dropout rate in a new model, of either framework, to zero; the model is changed."""
    for part in _parts(model):
        for name in _DROPOUT_RATES:
            is_rate = name != "p" or "Dropout" in type(part).__name__
            value = vars(part).get(name)
            if is_rate and isinstance(value, float | int) and not isinstance(value, bool):
                object.__setattr__(part, name, 0.0)


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, torch.nn.Module):
        yield from value.modules()
    elif isinstance(value, eqx.Module):
        yield value
        for child in vars(value).values():
            yield from _parts(child)
    elif isinstance(value, list | tuple):
        for child in value:
            yield from _parts(child)
    elif isinstance(value, dict):
        for child in value.values():
            yield from _parts(child)


# --- shared --------------------------------------------------------------------------------------


class _Depth:
    """How many constructors are running; true while any is."""

    def __init__(self) -> None:
        self.depth = 0

    def __bool__(self) -> bool:
        return self.depth > 0

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, *exception: object) -> None:
        self.depth -= 1


def _patch(stack: contextlib.ExitStack, owner: Any, name: str, replacement: Any, module: ModuleType) -> None:
    """Replace `owner.name`, and every global variable of `module` that already holds it."""
    original = getattr(owner, name)
    stack.enter_context(mock.patch.object(owner, name, replacement))
    for variable, value in list(vars(module).items()):
        if value is original:
            stack.enter_context(mock.patch.object(module, variable, replacement))


def _to_numpy(batch: Any) -> Any:
    if isinstance(batch, torch.Tensor):
        return batch.detach().numpy().copy()
    if isinstance(batch, dict):
        return {name: _to_numpy(value) for name, value in batch.items()}
    if isinstance(batch, list | tuple):
        return tuple(_to_numpy(value) for value in batch)
    return batch


def _like(recorded: Any, own: Any, what: str, *, same_values: bool) -> Any:
    """The recorded batch with the element types of the translation's own one, which must have the same structure.

    `same_values`: the translation's own one must hold the same numbers.
    """
    if isinstance(recorded, tuple):
        if not isinstance(own, list | tuple) or len(own) != len(recorded):
            raise ReplayError(f"{what}: the original yields {len(recorded)} parts, the translation {own!r:.80}")
        pairs = enumerate(zip(recorded, own, strict=True))
        return tuple(_like(r, o, f"{what}, part {i}", same_values=same_values) for i, (r, o) in pairs)
    if isinstance(recorded, dict):
        if not isinstance(own, dict) or own.keys() != recorded.keys():
            raise ReplayError(f"{what}: the original yields {sorted(recorded)}, the translation {own!r:.80}")
        return {k: _like(v, own[k], f"{what}, {k!r}", same_values=same_values) for k, v in recorded.items()}
    if isinstance(recorded, np.ndarray):
        array = np.asarray(own)
        if array.ndim != recorded.ndim or array.dtype.kind != recorded.dtype.kind or len(array) != len(recorded):
            original, translated = (f"{a.dtype}{list(a.shape)}" for a in (recorded, array))
            raise ReplayError(f"{what}: the original yields {original}, the translation {translated}")
        if same_values and not (array.shape == recorded.shape and np.allclose(array, recorded, rtol=1e-4, atol=1e-5)):
            raise ReplayError(f"{what}: the translation yields other values than the original")
        return recorded.astype(array.dtype)
    return recorded

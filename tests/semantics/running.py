"""Translates the cases of a section as one module, runs both programs of a case, and compares what they return."""

import ast
import contextlib
import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch
from scipy import stats

import torch2jax
from tests.arrays import load, narrowed, to_jax, to_wide_numpy
from tests.semantics.cases import HEADER, Case

_EITHER = "T2J204"
"""Said where nothing tells that the receiver of a method is a tensor."""


class Translation:
    """Translated functions by name, and what was said about those that were refused."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.functions: dict[str, Callable[..., Any]] = {}
        self.texts: dict[str, str] = {}
        self.refused: dict[str, list[str]] = {}
        self._translate(dict(sources))

    def _translate(self, sources: dict[str, str]) -> None:
        while sources:
            text = "\n\n".join([HEADER, *(f"{source}\n" for source in sources.values())])
            result = torch2jax.convert(text)
            owners = _owners(text)
            errors = [remark for remark in result.diagnostics if remark.severity == "error"]
            if not errors:
                self._load(result.text, sources)
                return
            for remark in errors:
                owner = owners.get(remark.line)
                assert owner is not None, f"{remark} belongs to no case"
                self.refused.setdefault(owner, []).append(f"{remark.code} {remark.message}")
            sources = {name: source for name, source in sources.items() if name not in self.refused}

    def _load(self, text: str, names: Iterable[str]) -> None:
        module = load(text)
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name in names:
                self.functions[node.name] = getattr(module, node.name)
                self.texts[node.name] = ast.unparse(node)


def _owners(text: str) -> dict[int, str]:
    """Line of a module -> name of the function there."""
    return {
        line: node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


class Section:
    """The cases of a section, each as a function whose parameters are annotated, and as one without annotations."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = cases
        self.originals: dict[str, Any] = {}
        self.translation = Translation({})
        self.sources = {
            _name(number, annotated): case.source(_name(number, annotated), annotated)
            for number, case in enumerate(cases)
            if not case.program
            for annotated in self.forms(number)
        }

    def forms(self, number: int) -> tuple[bool, ...]:
        """Whether annotated, for each form of a case."""
        case = self.cases[number]
        tensors = any(isinstance(value, torch.Tensor) for value in case.inputs.values())
        return (True, False) if tensors and not case.program else (False,)

    def check(self, number: int, annotated: bool) -> None:
        """Raise AssertionError unless both programs agree on the case."""
        case = self.cases[number]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if case.program:
                self._check_program(case)
            else:
                self._check_function(case, number, annotated)

    def _check_function(self, case: Case, number: int, annotated: bool) -> None:
        if not self.originals:
            self.originals = vars(load("\n\n".join([HEADER, *self.sources.values()])))
            self.translation = Translation(self.sources)
        name, refused = _name(number, annotated), self.translation.refused
        if name in refused:
            if annotated or not any(remark.startswith(_EITHER) for remark in refused[name]):
                _check_refusal(case, refused[name])
            assert not case.bug, "the annotated form is wrong"
            return
        text = self.translation.texts[name]
        other = self.translation.texts.get(_name(number, True), "")
        if not annotated and not case.bug and _body(text) == _body(other):
            return  # as the annotated form
        try:
            check(case, self.originals[name], self.translation.functions[name])
        except Exception as error:
            error.add_note(text)
            raise

    def _check_program(self, case: Case) -> None:
        source = HEADER + case.body
        result = torch2jax.convert(source)
        errors = [f"{remark.code} {remark.message}" for remark in result.diagnostics if remark.severity == "error"]
        if errors:
            _check_refusal(case, errors)
            return
        try:
            check(case, load(source).call, load(result.text).call)
        except Exception as error:
            error.add_note(result.text)
            raise


def _name(number: int, annotated: bool) -> str:
    return f"case{number}{'_annotated' * annotated}"


def _body(function: str) -> str:
    return function.partition("\n")[2]


def _check_refusal(case: Case, said: Sequence[str]) -> None:
    expected = case.flag or case.gap
    assert case.raises or expected, f"refused: {'; '.join(said)}"
    assert any(expected in remark for remark in said), said


def check(case: Case, original: Callable[..., Any], translated: Callable[..., Any]) -> None:
    """Run both and compare."""
    assert not case.flag, "nothing was said about it"
    with jax.enable_x64(True) if case.x64 else contextlib.nullcontext():
        if case.raises:
            _check_raises(case, original, translated)
        elif case.random:
            _check_distribution(case, original, translated)
        else:
            torch.manual_seed(0)
            expected = original(*tensors(case, case.grad))
            found = call(translated, arrays(case))
            compare(expected, found, case)
            if case.grad:
                _check_gradients(case, original, translated)


def _check_raises(case: Case, original: Callable[..., Any], translated: Callable[..., Any]) -> None:
    try:
        original(*tensors(case))
    except (RuntimeError, IndexError, ValueError, TypeError):
        pass
    else:
        raise AssertionError("torch does not raise")
    try:
        found = call(translated, arrays(case))
    except (RuntimeError, IndexError, ValueError, TypeError, ZeroDivisionError):
        return
    raise AssertionError(f"torch raises, the translation returns {found!r}")


def tensors(case: Case, track: bool = False) -> list[Any]:
    """New inputs for torch."""
    return [
        value.detach().clone().requires_grad_(track and name not in case.fixed and value.is_floating_point())
        if isinstance(value, torch.Tensor)
        else value
        for name, value in case.inputs.items()
    ]


def arrays(case: Case) -> list[Any]:
    """The inputs for JAX."""
    return [to_jax(value, case.x64) if isinstance(value, torch.Tensor) else value for value in case.inputs.values()]


@cache
def _takes_key(function: Callable[..., Any]) -> bool:
    return "key" in inspect.signature(function).parameters


def call(function: Callable[..., Any], inputs: Sequence[Any], seed: int = 0) -> Any:
    """Call a translated function, with a key where it takes one."""
    return function(*inputs, key=jax.random.key(seed)) if _takes_key(function) else function(*inputs)


# Comparison.


def compare(expected: Any, found: Any, case: Case, place: str = "result") -> None:
    """`found` (JAX) is what `expected` (torch) says: container, shape, type and values."""
    match expected:
        case torch.Tensor():
            assert isinstance(found, jax.Array | np.ndarray), f"{place}: {type(found).__name__} instead of an array"
            assert tuple(found.shape) == tuple(expected.shape), f"{place}: shape {found.shape}, not {expected.shape}"
            wanted = str(expected.dtype).removeprefix("torch.") if case.x64 else narrowed(expected.dtype)
            assert str(found.dtype) == wanted, f"{place}: dtype {found.dtype}, not {wanted}"
            reference = to_wide_numpy(expected)
            atol = case.atol * max(1.0, float(np.abs(reference[np.isfinite(reference)]).max(initial=0.0)))
            close = {"rtol": case.rtol, "atol": atol} if reference.dtype.kind in "fc" else {"rtol": 0, "atol": 0}
            np.testing.assert_allclose(np.asarray(found).astype(reference.dtype), reference, **close, err_msg=place)
        case torch.Size():
            assert isinstance(found, tuple) and tuple(found) == tuple(expected), f"{place}: {found}, not {expected}"
        case tuple() | list():
            assert isinstance(found, tuple | list), f"{place}: {type(found).__name__}, not {type(expected).__name__}"
            assert len(found) == len(expected), f"{place}: {len(found)} items, not {len(expected)}"
            for number, (one, other) in enumerate(zip(expected, found, strict=True)):
                compare(one, other, case, f"{place}[{number}]")
        case dict():
            assert expected.keys() == found.keys(), f"{place}: {list(found)}, not {list(expected)}"
            for name, value in expected.items():
                compare(value, found[name], case, f"{place}[{name!r}]")
        case torch.dtype():
            assert narrowed(jnp.dtype(found)) == narrowed(expected), f"{place}: {found}, not {expected}"
        case bool():
            assert np.ndim(found) == 0 and bool(found) is expected, f"{place}: {found!r}, not {expected!r}"
        case int() | float() | complex():
            assert isinstance(found, type(expected)), f"{place}: {type(found).__name__}, not {type(expected).__name__}"
            np.testing.assert_allclose(found, expected, case.rtol, case.atol, err_msg=place)
        case _:
            assert found == expected, f"{place}: {found!r}, not {expected!r}"


def _leaves(result: Any) -> list[Any]:
    if isinstance(result, tuple | list):
        return [leaf for item in result for leaf in _leaves(item)]
    if isinstance(result, dict):
        return [leaf for item in result.values() for leaf in _leaves(item)]
    return [result] if isinstance(result, torch.Tensor | jax.Array | np.ndarray) else []


def _weights(shape: Sequence[int]) -> np.ndarray:
    return (np.arange(np.prod(shape, dtype=int)) % 5 + 1.0).reshape(shape)


def _check_gradients(case: Case, original: Callable[..., Any], translated: Callable[..., Any]) -> None:
    inputs = tensors(case, track=True)
    places = [place for place, value in enumerate(inputs) if getattr(value, "requires_grad", False)]
    total: Any = 0
    for leaf in _leaves(original(*inputs)):
        if leaf.is_floating_point() and leaf.requires_grad:
            total = total + (leaf * torch.tensor(_weights(leaf.shape), dtype=leaf.dtype)).sum()
    total.backward()

    def weighted(*chosen: Any) -> Any:
        given = arrays(case)
        for place, value in zip(places, chosen, strict=True):
            given[place] = value
        leaves = [leaf for leaf in _leaves(call(translated, given)) if jnp.issubdtype(leaf.dtype, jnp.floating)]
        return sum((leaf * jnp.asarray(_weights(leaf.shape), leaf.dtype)).sum() for leaf in leaves)

    given = arrays(case)
    gradients, chosen = jax.grad(weighted, argnums=tuple(range(len(places)))), [given[place] for place in places]
    try:
        found = jax.jit(gradients)(*chosen)  # one compilation instead of one for every operation
    except (jax.errors.JAXTypeError, jax.errors.JAXIndexError):  # shapes that depend on values
        found = gradients(*chosen)
    for place, gradient in zip(places, found, strict=True):
        wanted = inputs[place].grad
        name = f"gradient of {list(case.inputs)[place]}"
        compare(torch.zeros_like(inputs[place]) if wanted is None else wanted, gradient, case, name)


def _check_distribution(case: Case, original: Callable[..., Any], translated: Callable[..., Any]) -> None:
    """Shapes and types agree, and many draws together are spread alike."""
    expected, found = [], []
    for seed in range(12):
        torch.manual_seed(seed)
        expected.append(_leaves(original(*tensors(case))))
    for seed in range(6):
        found.append(_leaves(call(translated, arrays(case), seed)))
    assert expected[0] and len(expected[0]) == len(found[0])
    for place, (one, other) in enumerate(zip(expected[0], found[0], strict=True)):
        wanted = str(one.dtype).removeprefix("torch.") if case.x64 else narrowed(one.dtype)
        assert tuple(one.shape) == tuple(other.shape), f"shape {other.shape} instead of {tuple(one.shape)}"
        assert str(other.dtype) == wanted, f"dtype {other.dtype} instead of {wanted}"
        left = np.concatenate([to_wide_numpy(draw[place]).ravel() for draw in expected]).round(5)
        right = np.concatenate([np.asarray(draw[place]).ravel() for draw in found]).round(5)  # equal where both round
        chance = stats.ks_2samp(left, right).pvalue
        assert chance > 1e-5, f"means {left.mean():.4g} and {right.mean():.4g}, p = {chance:.2g}"

"""Translates random programs, many as one module, runs both sides of each, and says how they compare."""

import ast
import copy
import inspect
import signal
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch

import torch2jax
from tests.fuzz.generate import HEADER, Program
from tests.ops.comparison import narrowed
from torch2jax.options import Options

EQUAL, FLAGGED, WRONG, CRASHED, INTERNAL = "equal", "flagged", "silently wrong", "crashed", "internal"
INVALID, UNSTABLE = "invalid", "unstable"
FAILURES = (WRONG, CRASHED, INTERNAL)
_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a program: its class, codes of errors, and for a failure what is different."""

    kind: str
    codes: tuple[str, ...] = ()
    detail: str = ""


class Slow(Exception):
    """A program takes too long."""


def keep_compiled(folder: Path) -> None:
    """Keep what XLA compiles for the next time: these programs use the same few operations and shapes."""
    folder.mkdir(parents=True, exist_ok=True)
    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


def judge(programs: Sequence[Program]) -> dict[str, Outcome]:
    """Outcomes by the names of the programs."""
    found: dict[str, Outcome] = {}
    left = list(programs)
    while left:
        text, owners = _module(left)
        result = torch2jax.convert(text, Options(support="import"))
        errors = [remark for remark in result.diagnostics if remark.severity == "error"]
        if not errors:
            found |= _run(left, text, result.text)
            break
        if any(remark.code in ("T2J001", "T2J003") or remark.line not in owners for remark in errors):
            if len(left) == 1:
                found[left[0].name] = Outcome(INTERNAL, tuple(e.code for e in errors), str(errors[0]))
            else:
                middle = len(left) // 2
                found |= judge(left[:middle]) | judge(left[middle:])
            break
        codes: dict[str, list[str]] = {}
        for remark in errors:
            codes.setdefault(owners[remark.line], []).append(remark.code)
        for name, said in codes.items():
            kind = CRASHED if "T2J005" in said else FLAGGED
            found[name] = Outcome(
                kind, tuple(sorted(set(said))), next(str(e) for e in errors if owners[e.line] == name)
            )
        left = [program for program in left if program.name not in codes]
    return found


def _module(programs: Sequence[Program]) -> tuple[str, dict[int, str]]:
    """The text of all programs, and the program of each line."""
    text, owners = HEADER, {}
    for program in programs:
        text += "\n\n"
        start = text.count("\n") + 1
        text += program.source
        owners.update(dict.fromkeys(range(start, text.count("\n") + 1), program.name))
    return text, owners


def _run(programs: Sequence[Program], text: str, translated: str) -> dict[str, Outcome]:
    """Run what was translated without errors."""
    found: dict[str, Outcome] = {}
    try:
        originals = load(text)
    except Exception:  # noqa: BLE001 - a program that was made smaller may be none
        if len(programs) > 1:
            return {name: outcome for program in programs for name, outcome in judge([program]).items()}
        return {programs[0].name: Outcome(INVALID)}
    try:
        translations = load(translated)
    except Exception as error:  # noqa: BLE001 - whatever the translation raises is the finding
        if len(programs) == 1:
            return {programs[0].name: Outcome(CRASHED, (), f"does not load: {_said(error)}")}
        middle = len(programs) // 2
        return judge(programs[:middle]) | judge(programs[middle:])
    for program in programs:
        if program.name not in originals:
            found[program.name] = Outcome(INVALID)
        elif program.name not in translations:
            found[program.name] = Outcome(CRASHED, (), "is not in the translation")
        else:
            found[program.name] = _compare(program, originals[program.name], translations[program.name])
    return found


def load(text: str) -> dict[str, Any]:
    """The names of a module that is made from text."""
    module = types.ModuleType("program")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, "<program>", "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


def _compare(program: Program, original: Callable[..., Any], translated: Callable[..., Any]) -> Outcome:
    valid = False
    for inputs in program.inputs:
        given = [eval(text, {"torch": torch}) for text in inputs]
        before = copy.deepcopy(given)
        try:
            expected = call(original, given)
        except Slow:
            continue
        except Exception:  # noqa: BLE001 - other inputs may take paths that torch refuses
            continue
        valid = True
        arrays = [_array(value) for value in before]
        try:
            got = call(translated, arrays, key="key" in inspect.signature(translated).parameters)
        except Exception as error:  # noqa: BLE001
            return Outcome(CRASHED, (), _said(error))
        difference = differs(expected, got)
        if difference is None and any(_changed(old, new) for old, new in zip(before, given, strict=True)):
            difference = "changes its argument"
        if difference is not None:
            kind = UNSTABLE if "values" in difference and _is_unstable(original, before, expected) else WRONG
            return Outcome(kind, (), difference)
    return Outcome(EQUAL if valid else INVALID)


def _changed(old: object, new: object) -> bool:
    return isinstance(old, torch.Tensor) and isinstance(new, torch.Tensor) and differs(old, _array(new)) is not None


def call(function: Callable[..., Any], inputs: Sequence[Any], key: bool = False) -> Any:
    """The result of a program. Raises Slow where it takes too long."""
    with warnings.catch_warnings(), _time_limit(_SECONDS):
        warnings.simplefilter("ignore")
        return function(*inputs, key=jax.random.key(0)) if key else function(*inputs)


@contextmanager
def _time_limit(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Slow(f"takes more than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)  # again and again: what a callback raises gets lost
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _array(value: object) -> Any:
    return jnp.asarray(value.numpy(), jnp.dtype(narrowed(value.dtype))) if isinstance(value, torch.Tensor) else value


def _is_unstable(original: Callable[..., Any], inputs: Sequence[Any], expected: object) -> bool:
    """Whether torch itself answers otherwise where its inputs are off by rounding: then a step or a tie lies there."""
    for factor in (1 + 3e-6, 1 - 3e-6):
        moved = [
            value * factor if isinstance(value, torch.Tensor) and value.is_floating_point() else copy.deepcopy(value)
            for value in inputs
        ]
        try:
            other = call(original, moved)
        except Exception:  # noqa: BLE001
            return True
        if differs(expected, _as_arrays(other)) is not None:
            return True
    return False


def _as_arrays(result: Any) -> Any:
    if isinstance(result, torch.Tensor):
        return _array(result.detach())
    if isinstance(result, (list, tuple)) and not isinstance(result, torch.Size):
        return (
            type(result)(map(_as_arrays, result)) if type(result) in (list, tuple) else tuple(map(_as_arrays, result))
        )
    if isinstance(result, dict):
        return {key: _as_arrays(value) for key, value in result.items()}
    return result


def differs(expected: Any, got: Any, place: str = "result") -> str | None:
    """What is different between a result of torch and one of JAX; None if nothing is."""
    if isinstance(expected, torch.Tensor):
        if not isinstance(got, (jax.Array, np.ndarray)):
            return f"{place}: {type(got).__name__} instead of an array"
        if tuple(got.shape) != tuple(expected.shape):
            return f"{place}: shape {got.shape} instead of {tuple(expected.shape)}"
        if narrowed(got.dtype) != narrowed(expected.dtype):
            return f"{place}: dtype {got.dtype} instead of {expected.dtype}"
        wanted, found = expected.detach().numpy(), np.asarray(got)
        return None if _close(wanted, found) else f"{place}: values {found.tolist()} instead of {wanted.tolist()}"
    if isinstance(expected, (list, tuple)):
        if not isinstance(got, (list, tuple)):
            return f"{place}: {type(got).__name__} instead of {type(expected).__name__}"
        if len(got) != len(expected):
            return f"{place}: {len(got)} items instead of {len(expected)}"
        pairs = enumerate(zip(expected, got, strict=True))
        return next((said for i, (one, two) in pairs if (said := differs(one, two, f"{place}[{i}]"))), None)
    if isinstance(expected, dict):
        if not isinstance(got, dict) or list(expected) != list(got):
            return f"{place}: {got} instead of {expected}"
        return next((said for key in expected if (said := differs(expected[key], got[key], f"{place}[{key!r}]"))), None)
    if isinstance(expected, (bool, int, float)):
        if isinstance(got, (jax.Array, np.ndarray)) or type(got) is not type(expected):
            return f"{place}: {type(got).__name__} instead of {type(expected).__name__}"
        close = _close(np.asarray(expected, np.float64), np.asarray(got))
        return None if close else f"{place}: values {got} instead of {expected}"
    return None if expected is None and got is None else f"{place}: {got!r} instead of {expected!r}"


def _close(wanted: np.ndarray, found: np.ndarray) -> bool:
    if wanted.dtype.kind in "fc":
        scale = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0))
        return np.allclose(found.astype(wanted.dtype), wanted, rtol=2e-4, atol=5e-5 * scale, equal_nan=True)
    return bool((found == wanted).all())


def _said(error: BaseException) -> str:
    line = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {line}"


def minimal_lines(source: str) -> int:
    """How many statements a program has."""
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))

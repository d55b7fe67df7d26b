"""Runs the program of an example in torch and its translation in JAX, and says whether they print the same."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import jax
import numpy as np
import torch

import torch2jax
from tests.arrays import narrowed
from tests.doc_examples.collect import is_shown, program, reset
from tests.opinfo.values import Uncomparable, compare
from torch2jax.options import Options

SEEDS = (0, 1, 2, 3, 4)

# Examples that print what is not defined.
UNDEFINED = {
    "torch.sort": "the order of equal elements in a sort that is not stable",
    "torch.fft.hfft2": "whether a zero comes back to 1e-8 from there and back",
    "torch.fft.hfftn": "whether a zero comes back to 1e-8 from there and back",
    "torch.nn.utils.rnn.pad_packed_sequence": "the parts of a PackedSequence, which is kept padded in JAX",
}


class Status(StrEnum):
    """What becomes of an example, from best to worst."""

    NOTHING = "nothing to compare"
    EQUAL = "equal"
    FLAGGED = "flagged"
    CRASHED = "crashed"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one example; `text` is the program, `translation` what it was made into."""

    name: str
    status: Status
    reason: str = ""
    text: str = ""
    translation: str = ""


def judge(name: str, docstring: str, runs: bool = True) -> Verdict:
    """Translate an example and compare; without `runs`, what is not flagged counts as equal."""
    with tempfile.TemporaryDirectory() as folder:
        text = program(name, docstring, folder).text
        with contextlib.chdir(folder):
            if name in UNDEFINED:
                return Verdict(name, Status.NOTHING, UNDEFINED[name], text)
            if "print(" not in text:
                return Verdict(name, Status.NOTHING, "it prints nothing", text)
            try:
                expected = [_printed(text, seed) for seed in SEEDS]
            except Exception as error:
                if os.environ.get("TORCH2JAX_DEBUG"):
                    raise
                return Verdict(name, Status.NOTHING, f"torch stops: {type(error).__name__}: {error}", text)
            if not any(map(is_shown, expected[0])):
                return Verdict(name, Status.NOTHING, "it prints no numbers", text)
            conversion = torch2jax.convert(text, Options())
            errors = [item for item in conversion.diagnostics if item.severity == "error"]
            if errors:
                reason = "; ".join(dict.fromkeys(f"{item.code} {item.message}" for item in errors))
                return Verdict(name, Status.FLAGGED, reason, text, conversion.text)
            if not runs:
                return Verdict(name, Status.EQUAL, "", text, conversion.text)
            try:
                found = _printed(conversion.text, 0)
            except Exception as error:
                if os.environ.get("TORCH2JAX_DEBUG"):
                    raise
                reason = f"{type(error).__name__}: {error}"[:300]
                return Verdict(name, Status.CRASHED, reason, text, conversion.text)
            reason = difference(expected, found)
            return Verdict(name, Status.WRONG if reason else Status.EQUAL, reason or "", text, conversion.text)


def _printed(text: str, seed: int) -> list[Any]:
    """The values that a program gives to `print`, as they are then."""
    shown: list[Any] = []
    space = {"__name__": "example", "print": lambda *values, **_: shown.extend(map(_kept, values))}
    reset()
    torch.manual_seed(seed)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        exec(compile(text, "<example>", "exec", dont_inherit=True), space)
    return shown


def _kept(value: Any) -> Any:
    """A copy of a value that later changes do not reach."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, list | tuple):
        return [_kept(item) for item in value]
    return value


def difference(expected: Sequence[Sequence[Any]], found: Sequence[Any]) -> str | None:
    """The first difference of what was printed. What differs in torch itself from seed to seed is random: its shape and dtype count."""
    if len(expected[0]) != len(found):
        return f"{len(expected[0])} values expected, {len(found)} printed"
    for place, (ours, one, *others) in enumerate(zip(found, *expected, strict=True)):
        if not is_shown(one):
            continue
        is_fixed = all(_are_same(one, other) for other in others)
        try:
            differs = compare(one, _narrow(ours), slack=100) if is_fixed else _differs_in_kind(one, _narrow(ours))
        except Uncomparable:
            continue
        if differs is not None:
            return f"value {place}: {differs.aspect}: {differs.detail}"
    return None


def _narrow(value: Any) -> Any:
    """Arrays of NumPy as JAX would take them."""
    if isinstance(value, list | tuple):
        return [_narrow(item) for item in value]
    return value.astype(narrowed(value.dtype)) if isinstance(value, np.ndarray) else value


def _are_same(one: Any, other: Any) -> bool:
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_are_same, one, other))
    if isinstance(one, torch.Tensor):
        return one.shape == other.shape and bool(torch.allclose(one, other, equal_nan=True)) if _is_plain(one) else True
    return bool(one == other) or (one != one and other != other)


def _is_plain(tensor: torch.Tensor) -> bool:
    return tensor.layout is torch.strided and not tensor.is_quantized


def _differs_in_kind(one: Any, ours: Any) -> Any:
    blank = lambda value: (  # noqa: E731
        torch.zeros_like(value)
        if isinstance(value, torch.Tensor)
        else [blank(item) for item in value]
        if isinstance(value, list)
        else 0
        if isinstance(value, int | float)
        else value
    )
    empty = lambda value: (  # noqa: E731
        np.zeros_like(value)
        if isinstance(value, jax.Array | np.ndarray)
        else [empty(item) for item in value]
        if isinstance(value, list)
        else 0
        if isinstance(value, int | float)
        else value
    )
    if isinstance(one, int | float):
        return None
    return compare(blank(one), empty(ours))

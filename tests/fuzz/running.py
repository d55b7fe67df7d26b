"""Translates random programs, many as one module, runs both sides of each, and says how they compare."""

import copy
import inspect
import os
import re
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
import torch
from torch.overrides import TorchFunctionMode

import torch2jax
from tests.arrays import load, narrowed, to_jax, to_wide_numpy
from tests.fuzz.generate import HEADER, Program
from torch2jax.options import Options

EQUAL, FLAGGED, WRONG, CRASHED, INTERNAL = "equal", "flagged", "silently wrong", "crashed", "internal"
INVALID, UNSTABLE, LIMIT = "invalid", "unstable", "known limit"
FAILURES = (WRONG, CRASHED, INTERNAL)
_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a program: its class, codes of errors, and for a failure what is different."""

    kind: str
    codes: tuple[str, ...] = ()
    detail: str = ""


_ALONG = frozenset(
    "sum mean max min prod all any std var argmax argmin amax amin median cumsum cumprod softmax log_softmax sort topk".split()
    + "logsumexp norm squeeze unbind flip roll transpose index_select gather narrow chunk split select scatter".split()
    + "scatter_ scatter_add_ index_fill_ index_add_ index_copy_ cumsum_ transpose_ squeeze_ diff".split()
)


class _Corners(TorchFunctionMode):
    """Notes what `docs/limits.md` says is not translated, an axis of a tensor that has none, and what torch leaves undefined:
    a write to memory that is read at the same time, a number made an integer that cannot hold it, and which of equal numbers
    `topk` takes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen = self.undefined = self.ties = self.cut = self.unsigned = self.truth = False

    def __torch_function__(self, func: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = kwargs or {}
        self.undefined |= isinstance(given.get("out"), (int, float))  # torch takes it, and writes nowhere
        if args and isinstance(args[0], torch.Tensor) and getattr(func, "__name__", "") in _ALONG and not args[0].dim():
            if "dim" in given or (len(args) > 1 and isinstance(args[1], int)):
                self.seen = True
        name = getattr(func, "__name__", "")
        if args and isinstance(args[0], torch.Tensor):
            self.ties |= name == "topk" and args[0].unique().numel() < args[0].numel()
            self.cut |= name == "topk" and bool(args[0].isnan().any())
            self.unsigned |= name in ("sum", "cumsum") and args[0].dtype is torch.uint8
            if name == "__setitem__":
                self.undefined |= _reads_what_it_writes(*args)
                self.seen |= isinstance(args[2], torch.Tensor) and args[2].dim() > args[0][args[1]].dim()
                self.undefined |= _cannot_hold(args[0], args[2])
            elif name == "sigmoid":
                self.seen |= not args[0].is_floating_point()
            elif name == "addcmul":
                self.cut |= not args[0].is_floating_point() and isinstance(given.get("value"), float)
            elif name.startswith("__i") or (name.endswith("_") and not name.endswith("__")):
                self.truth |= args[0].dtype is torch.bool and args[0]._is_view()
                self.undefined |= any(_overlap(args[0], other) for other in args[1:])
            if name in _FILLING:
                self.undefined |= _cannot_hold(args[0], args[-1] if len(args) > 1 else given.get("value"))
        result = func(*args, **given)
        if isinstance(result, torch.Tensor) and args and name in _CONVERTING:
            self.undefined |= _cannot_hold(result, args[0])
        return result


def _cannot_hold(whole: torch.Tensor, given: object) -> bool:
    """Whether integers are made of floats that are no such integers."""
    if whole.dtype not in _RANGES or not isinstance(given, (float, torch.Tensor)):
        return False
    if isinstance(given, torch.Tensor) and not given.is_floating_point():
        return False
    lowest, highest = _RANGES[whole.dtype]
    values = torch.as_tensor(given).detach().double().trunc()
    return not bool(((values >= lowest) & (values <= highest)).all())


_FILLING = frozenset("copy_ fill_ masked_fill_ index_fill_ masked_scatter_ index_copy_ index_put_".split())
_CONVERTING = frozenset(("to", "type", "type_as", "byte", "char", "short", "int", "long"))
_RANGES = {
    dtype: (torch.iinfo(dtype).min, torch.iinfo(dtype).max)
    for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
}


def _overlap(written: torch.Tensor, read: object) -> bool:
    """Whether two tensors share some of their memory, but not element by element."""
    return _meet(written, _places(written), read)


def _reads_what_it_writes(tensor: torch.Tensor, index: object, read: object) -> bool:
    """Whether `tensor[index] = read` writes to some of the memory that it reads, but not element by element."""
    numbers = torch.tensor(_places(tensor)).reshape(tensor.shape)
    return _meet(tensor, numbers[index].flatten().tolist(), read)


def _meet(tensor: torch.Tensor, places: list[int], read: object) -> bool:
    """Whether places in a tensor's memory are some of another's, but not element by element."""
    if not isinstance(read, torch.Tensor) or tensor.untyped_storage()._cdata != read.untyped_storage()._cdata:
        return False
    other = _places(read)
    return places != other and not set(places).isdisjoint(other)


def _places(tensor: torch.Tensor) -> list[int]:
    places = [tensor.storage_offset()]
    for size, step in zip(tensor.shape, tensor.stride(), strict=True):
        places = [place + step * number for place in places for number in range(size)]
    return places


class Slow(Exception):
    """A program takes too long."""


def keep_compiled(folder: Path) -> None:
    """Keep what XLA compiles for the next time: these programs use the same few operations and shapes."""
    folder.mkdir(parents=True, exist_ok=True)
    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


def forget_compiled(size: int) -> None:
    """Let go of what JAX has compiled where the process is larger than so many bytes: it keeps every program."""
    memory = Path("/proc/self/statm")
    if memory.exists() and int(memory.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") > size:
        jax.clear_caches()


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
        originals = vars(load(text))
    except Exception:  # noqa: BLE001 - a program that was made smaller may be none
        if len(programs) > 1:
            return {name: outcome for program in programs for name, outcome in judge([program]).items()}
        return {programs[0].name: Outcome(INVALID)}
    try:
        translations = vars(load(translated))
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


def _compare(program: Program, original: Callable[..., Any], translated: Callable[..., Any]) -> Outcome:
    valid, is_untyped = False, _UNTYPED.search(program.source) is not None
    for inputs in program.inputs:
        given = [eval(text, {"torch": torch}) for text in inputs]
        before = copy.deepcopy(given)
        corners = _Corners()
        try:
            with corners:
                expected = call(original, given)
        except Slow:
            continue
        except Exception:  # noqa: BLE001 - other inputs may take paths that torch refuses
            continue
        if corners.undefined:
            continue
        valid = True
        arrays = [_array(value) for value in before]
        try:
            got = call(translated, arrays, key="key" in inspect.signature(translated).parameters)
        except Exception as error:  # noqa: BLE001
            is_limit = corners.seen or _RESHAPED in str(error)
            is_limit |= corners.truth and is_untyped and _NO_TRUTH in str(error)
            kind = LIMIT if is_limit else UNSTABLE if _turns_elsewhere(original, before, expected) else CRASHED
            return Outcome(kind, (), _said(error))
        difference = differs(expected, got)
        if difference is None and any(_changed(old, new) for old, new in zip(before, given, strict=True)):
            difference = "changes its argument"
        is_unsigned = corners.unsigned and is_untyped and ": dtype uint" in (difference or "")
        if difference is not None and (corners.cut or is_unsigned or _PRINTED in difference):
            return Outcome(LIMIT, (), difference)
        if difference is not None:
            if "values" in difference:
                unstable = corners.ties or _is_unstable(original, before, expected)
            else:
                unstable = _turns_elsewhere(original, before, expected)
            return Outcome(UNSTABLE if unstable or _is_random(original, before, expected) else WRONG, (), difference)
    return Outcome(EQUAL if valid else INVALID)


_PRINTED = "tensor("  # in the text that torch makes of a tensor; docs/limits.md
_UNTYPED = re.compile(r"(?m)^ *def .*?(?<!:)[( ](?!self\b)\w+[,)]")  # a parameter without a type
_NO_TRUTH = "does not accept dtype bool"  # in place, where nothing says that these are truth values; docs/limits.md
_RESHAPED = "Old and new values have different structures/shapes/dtypes"  # Equinox's word for it; docs/limits.md


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
    return to_jax(value) if isinstance(value, torch.Tensor) else value


def _is_random(original: Callable[..., Any], inputs: Sequence[Any], expected: object) -> bool:
    """Whether torch itself answers otherwise the next time."""
    return any(_answers_otherwise(original, copy.deepcopy(inputs), expected) for _ in range(3))


def _answers_otherwise(original: Callable[..., Any], inputs: Sequence[Any], expected: object) -> bool:
    """Whether a program of torch gives something else for these inputs, or nothing."""
    return _said_otherwise(original, inputs, expected) is not None


def _said_otherwise(original: Callable[..., Any], inputs: Sequence[Any], expected: object) -> str | None:
    """What is different of what a program of torch gives for these inputs."""
    try:
        other = call(original, inputs)
    except Exception as error:  # noqa: BLE001 - what is off may no longer be what torch takes: a probability above 1
        return _said(error)
    return differs(expected, _as_arrays(other))


def _turns_elsewhere(original: Callable[..., Any], inputs: Sequence[Any], expected: object) -> bool:
    """Whether torch itself fails or gives other types and shapes where sums are off by their last bits: then a branch is taken
    for the sign of what is nothing but rounding.
    """
    said = (_said_roughly(original, inputs, expected, seed) for seed in range(12))
    return any(text is not None and "values" not in text for text in said)


def _is_unstable(original: Callable[..., Any], inputs: Sequence[Any], expected: object) -> bool:
    """Whether torch itself answers otherwise where its inputs are off by rounding: then a step or a tie lies there."""
    for factor in (1 + 3e-6, 1 - 3e-6):
        moved = [
            value * factor if isinstance(value, torch.Tensor) and value.is_floating_point() else copy.deepcopy(value)
            for value in inputs
        ]
        if _answers_otherwise(original, moved, expected):
            return True
    narrow = [
        value.float() if getattr(value, "dtype", None) is torch.float64 else copy.deepcopy(value) for value in inputs
    ]
    rough = (_said_roughly(original, narrow, expected, seed) for seed in range(8))
    if any("values" in (said or "") for said in (_said_otherwise(original, copy.deepcopy(narrow), expected), *rough)):
        return True  # JAX computes with 32 bits
    return _depends_on_rounding(original, inputs, expected) or any(
        _said_roughly(original, inputs, expected, seed) is not None for seed in range(8)
    )


def _said_roughly(original: Callable[..., Any], inputs: Sequence[Any], expected: object, seed: int) -> str | None:
    """What is different of what torch itself gives where sums, roots and gradients that cannot be exact are off by their last
    bits.
    """
    given = copy.deepcopy(inputs)
    with _Roughly(seed):
        return _said_otherwise(original, given, expected)


class _Roughly(TorchFunctionMode):
    """Changes the last bits of what is summed, of functions that are approximated and of gradients, as another order of
    summation does. Numbers with few digits in base 2 are taken to be exact.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.noise = np.random.default_rng(seed)
        self.size = 2e-7 * (1 + seed // 2)  # normalization in another order is off by several last bits

    def __torch_function__(self, func: Any, kinds: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "").strip("_")
        if name in _NORMED and isinstance(args[0], torch.Tensor):  # what is nothing but rounding becomes a large number
            with torch._C.DisableTorchFunctionSubclass():
                args = (args[0].clone(), *args[1:])
                self.blur(args[0])
        result = func(*args, **(kwargs or {}))
        with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
            if name in _SPREADS and args[0].is_floating_point() and args[0].numel():
                rough = ~_is_short(args[0]).all()
                result.data.add_(rough * args[0].abs().max() * 1e-7 * self.noise.uniform(0.5, 1))
            elif name == "gelu":  # half of 1 + erf(x), which is nothing to torch and some 1e-16 to JAX far below 0
                result.data.add_(args[0].abs() * 1e-7 * self.signs(result))
            elif name in _ROUNDED or "alpha" in (kwargs or {}):
                for item in result if isinstance(result, (tuple, list)) else [result]:
                    self.blur(item)
            elif name == "backward":
                for leaf in _leaves(args[0].grad_fn):
                    self.blur(leaf.grad)
            for item in result if isinstance(result, (tuple, list)) else [result]:
                if isinstance(item, torch.Tensor) and item.grad_fn is not None:
                    item.register_hook(self.blurred)  # what adds up to nothing then adds up to rounding
        return result

    def blurred(self, gradient: torch.Tensor) -> torch.Tensor:
        with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
            return gradient * (1 + self.size * self.signs(gradient))

    def blur(self, value: object) -> None:
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            value.data.mul_(torch.where(_is_short(value), 1.0, 1 + self.size * self.signs(value)).to(value.dtype))

    def signs(self, value: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(self.noise.choice([-1.0, -0.25, 0.25, 1.0], tuple(value.shape))).to(value.dtype)


_SPREADS = ("std", "var")
_NORMED = ("layer_norm", "batch_norm", "group_norm", "instance_norm")
_ROUNDED = frozenset(
    "sum mean prod cumsum cumprod norm softmax log_softmax logsumexp exp log sqrt rsqrt sin cos tanh sigmoid pow matmul".split()
    + "einsum bmm mm linear layer_norm normalize batch_norm cross_entropy mse_loss grad silu softplus outer addmm addcdiv addcmul lerp".split()
)


def _is_short(value: torch.Tensor) -> torch.Tensor:
    return torch.round(value * 4096) == value * 4096


def _leaves(function: Any) -> Iterator[torch.Tensor]:
    """The tensors that a gradient arrives at."""
    seen: set[Any] = set()
    todo = [function]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            yield node.variable
        todo.extend(following for following, _ in node.next_functions)


def _depends_on_rounding(original: Callable[..., Any], inputs: Sequence[Any], expected: object) -> bool:
    """Whether torch itself answers otherwise where it computes with 64 bits: Adam takes steps of full size along noise."""
    wide = [value.double() if _is_float(value) else copy.deepcopy(value) for value in inputs]
    torch.set_default_dtype(torch.float64)
    try:
        other = call(original, wide)
    except Exception:  # noqa: BLE001 - types that no longer fit say nothing
        return False
    finally:
        torch.set_default_dtype(torch.float32)
    said = differs(expected, _as_arrays(other))
    return said is not None and "values" in said


def _is_float(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype == torch.float32


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
        wanted, found = to_wide_numpy(expected), np.asarray(got)
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
        # JAX has integers of a subclass.
        is_same = type(got) is type(expected) or (
            type(expected) is int and isinstance(got, int) and type(got) is not bool
        )
        if isinstance(got, (jax.Array, np.ndarray)) or not is_same:
            return f"{place}: {type(got).__name__} instead of {type(expected).__name__}"
        close = _close(np.asarray(expected, np.float64), np.asarray(got))
        return None if close else f"{place}: values {got} instead of {expected}"
    return None if type(expected) is type(got) and expected == got else f"{place}: {got!r} instead of {expected!r}"


def _close(wanted: np.ndarray, found: np.ndarray) -> bool:
    if wanted.dtype.kind in "fc":
        scale = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0))
        return np.allclose(found.astype(wanted.dtype), wanted, rtol=2e-4, atol=5e-5 * scale, equal_nan=True)
    return bool((found == wanted).all())


def _said(error: BaseException) -> str:
    line = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {line}"

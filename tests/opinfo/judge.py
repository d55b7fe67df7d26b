"""Judges one operator: translates every form of its samples, runs both programs, and says how they compare."""

import ast
import functools
import inspect
import random
import time
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch
from scipy import stats
from torch.testing._internal.common_methods_invocations import op_db

import torch2jax
from tests.opinfo import values
from tests.opinfo.spelling import HEADER, Program, Unspelled, programs

_DTYPES = (torch.float32, torch.int64, torch.bool, torch.complex64)
_UNINITIALISED = "empty empty_like new_empty empty_strided new_empty_strided empty_permuted resize_ resize_as_".split()
_FIELDS = 6
"""So many programs of an operator are tried with the names of its results, too."""
_ROUNDING = 0.05
"""Share of the largest entry that a result may be off where both programs agree in double precision."""


@dataclass(slots=True)
class Outcome:
    """What became of one form of one sample.

    `status`: equal, flagged, wrong, crashed, skipped (torch raises, too) or unspelled. `gradient`: equal, wrong,
    crashed, or None where there is none. `kind`: exact, random, or uninitialised, where only shapes and types count.
    """

    form: str
    sample: int
    status: str
    aspect: str = ""
    detail: str = ""
    source: str = ""
    text: str = ""
    shapes: list[str] = field(default_factory=list)
    gradient: str | None = None
    gradient_detail: str = ""
    kind: str = "exact"
    notes: list[str] = field(default_factory=list)


# Decompositions are unique up to signs of vectors, and to a basis where nothing fixes it: only what is unique is compared.
_UNIQUE: dict[str, Callable[[Any], Any]] = {
    "svd": lambda usv: (
        abs(usv[0][..., : usv[1].shape[-1]]),
        usv[1],
        abs(usv[2][..., : usv[1].shape[-1]]),
    ),
    "linalg.svd": lambda usv: (
        abs(usv[0][..., : usv[1].shape[-1]]),
        usv[1],
        abs(usv[2][..., : usv[1].shape[-1], :]),
    ),
    "linalg.eigh": lambda sv: (sv[0], abs(sv[1])),
    "linalg.eig": lambda sv: (sv[0], abs(sv[1])),
    "svd_lowrank": lambda usv: usv[1],
    "pca_lowrank": lambda usv: usv[1],
}


# Operators that read one triangle of a matrix, and the place of that matrix: gradients of the other are of no use.
_TRIANGULAR = {"cholesky_solve": 1, "cholesky_inverse": 0}


# Operators that say where entries are: which of several equal ones is up to torch.
_PICKS = frozenset({"argsort", "kthvalue", "median", "mode", "nanmedian", "sort", "topk"})


def find(name: str, variant: str) -> Any:
    """The entry of the database."""
    return next(op for op in op_db if (op.name, op.variant_test_name) == (name, variant))


def judge(op: Any, dtype: str | None, limit: int | None, seed: int) -> dict[str, Any]:
    """All outcomes of an operator, as plain data; without `dtype`, float32 or the first that the operator takes."""
    started = time.perf_counter()
    chosen = _dtype(op, dtype)
    if chosen is None:
        return {"dtype": None, "outcomes": [], "seconds": 0.0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes = [asdict(outcome) for outcome in _judge(op, chosen, limit, seed)]
    return {
        "dtype": str(chosen).removeprefix("torch."),
        "outcomes": outcomes,
        "seconds": round(time.perf_counter() - started, 2),
    }


def _dtype(op: Any, name: str | None) -> torch.dtype | None:
    supported = op.supported_dtypes("cpu")
    if name is not None:
        wanted = getattr(torch, name)
        return wanted if wanted in supported else None
    return next((dtype for dtype in _DTYPES if dtype in supported), None)


@dataclass(slots=True)
class _Case:
    """One form of one sample on its way: its function, what torch made of it, and the verdict."""

    program: Program
    outcome: Outcome
    name: str = ""
    inputs: list[torch.Tensor] = field(default_factory=list)
    expected: Any = None
    gradients: list[torch.Tensor] | None = None
    triangular: int | None = None
    hermitian: bool = False
    picks: bool = False
    fields: tuple[str, ...] = ()
    """Names of the results, where torch gives them names."""

    @property
    def variables(self) -> list[int]:
        return [place for place, tensor in enumerate(self.program.tensors) if tensor.requires_grad]


def _judge(op: Any, dtype: torch.dtype, limit: int | None, seed: int) -> Iterator[Outcome]:
    cases: list[_Case] = []
    names: dict[Any, str] = {}
    for number, sample in _samples(op, dtype, limit, seed):
        for program in programs(op, sample):
            if isinstance(program, Unspelled):
                yield Outcome(
                    str(program).partition(":")[0],
                    number,
                    "unspelled",
                    detail=str(program),
                )
                continue
            name = names.setdefault(program.key, f"f{len(names)}")
            shapes = [f"{tuple(tensor.shape)} {str(tensor.dtype).removeprefix('torch.')}" for tensor in program.tensors]
            outcome = Outcome(program.form, number, "equal", source=program.text(name), shapes=shapes)
            case = _Case(
                program,
                outcome,
                name,
                triangular=_TRIANGULAR.get(op.name),
                hermitian=_is_hermitian(op),
                picks=op.name in _PICKS,
            )
            cases.append(case)
    originals = _originals(op, cases)
    for case in cases:
        _run_torch(case, originals[case.name], op, seed)
    fields = [_with_fields(case) for case in cases if case.fields][:_FIELDS]
    originals |= _originals(op, fields)
    for case in fields:
        _run_torch(case, originals[case.name], op, seed)
    cases += fields
    sources = {case.name: case.program.text(case.name) for case in cases}
    run = [case for case in cases if case.outcome.status == "equal"]
    translated = _Translation({case.name: sources[case.name] for case in run})
    translated.functions = {name: _unique(op, function) for name, function in translated.functions.items()}
    known: dict[Any, Any] = {}
    for case in run:
        with jax.enable_x64(jax.config.jax_enable_x64 and not _takes_default_float(case)):
            _compare(case, originals[case.name], translated, known, seed)
    yield from (case.outcome for case in cases)


def _takes_default_float(case: _Case) -> bool:
    """The type of the result comes from no input and no argument: JAX's default float has 64 bits if they are enabled."""
    types = {tensor.dtype for tensor in case.program.tensors}
    found = {leaf.dtype for leaf in values.leaves(case.expected) if isinstance(leaf, torch.Tensor)}
    given = any(dtype.is_floating_point or dtype.is_complex for dtype in types) or "dtype=" in case.outcome.source
    return not given and bool(found & {torch.float32, torch.complex64})


def _is_hermitian(op: Any) -> bool:
    """The operator is meant for Hermitian matrices; torch, too, checks gradients in their directions only."""
    return "hermitian" in getattr(op.gradcheck_wrapper, "__name__", "")


def _unique(op: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with only what is unique in its result."""
    if op.name not in _UNIQUE:
        return function

    @functools.wraps(function)
    def unique(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return _UNIQUE[op.name](result) if isinstance(result, tuple | list) else result

    return unique


def _originals(op: Any, cases: Sequence[_Case]) -> dict[str, Callable[..., Any]]:
    """The functions of torch, by name."""
    sources = {case.name: case.program.text(case.name) for case in cases}
    module = types.ModuleType("original")
    exec(compile(_module(sources.values()), "<torch>", "exec"), module.__dict__)
    return {name: _unique(op, getattr(module, name)) for name in sources}


def _with_fields(case: _Case) -> _Case:
    """The same call, whose results are taken by name: `found.values`."""
    *before, last = case.program.body
    results = ", ".join(f"found.{name}" for name in case.fields)
    body = (*before, f"found = {last.removeprefix('return ')}", f"return {results}")
    program = replace(case.program, form=f"fields of {case.program.form}", body=body)
    name = f"{case.name}_fields"
    outcome = replace(case.outcome, form=program.form, source=program.text(name), notes=[])
    return replace(case, program=program, outcome=outcome, name=name, fields=())


def _samples(op: Any, dtype: torch.dtype, limit: int | None, seed: int) -> list[tuple[int, Any]]:
    """At most `limit` samples, spread evenly over those of the database, with their numbers."""
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)
    differentiable = op.supports_autograd and (dtype.is_floating_point or dtype.is_complex)
    samples = list(enumerate(op.sample_inputs("cpu", dtype, requires_grad=differentiable)))
    if _is_hermitian(op):
        for _, sample in samples:
            matrix = sample.input.detach()
            sample.input = (matrix + matrix.mH).requires_grad_(sample.input.requires_grad)
    if op.name == "histogramdd":
        for _, sample in samples:
            sample.args = tuple(map(_in_order, sample.args))
    if limit is None or len(samples) <= limit:
        return samples
    return [samples[round(place * (len(samples) - 1) / (limit - 1))] for place in range(limit)]


def _in_order(bins: Any) -> Any:
    """The same bins with increasing edges: the database draws them at random, and torch takes what is not defined."""
    return [edges.sort().values if isinstance(edges, torch.Tensor) else edges for edges in bins]


def _module(functions: Iterable[str]) -> str:
    return "\n\n".join([HEADER, *(f"{function}\n" for function in functions)])


# torch's side.


def _run_torch(case: _Case, function: Callable[..., Any], op: Any, seed: int) -> None:
    case.inputs = [_fresh(tensor) for tensor in case.program.tensors]
    try:
        torch.manual_seed(1)
        case.expected = function(*case.inputs)
        torch.manual_seed(2)
        again = function(*map(_fresh, case.program.tensors))
    except Exception as error:  # noqa: BLE001 - whatever torch refuses is no test of the translation
        case.outcome.status = "skipped"
        case.outcome.detail = _one_line(error)
        return
    if type(case.expected).__module__ == "torch.return_types":
        case.fields = type(case.expected).__match_args__
    if op.name in _UNINITIALISED:
        case.outcome.kind = "uninitialised"
    elif not _same(case.expected, again):
        case.outcome.kind = "random"
    elif op.supports_autograd and case.variables:
        try:
            variables = [case.inputs[place] for place in case.variables]
            case.gradients = values.torch_gradients(case.expected, variables, seed)
        except Exception as error:  # noqa: BLE001
            case.outcome.notes.append(f"torch has no gradient: {_one_line(error)}")


def _fresh(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.detach().clone().requires_grad_(tensor.requires_grad)


def _same(left: Any, right: Any) -> bool:
    for one, other in zip(values.leaves(left), values.leaves(right), strict=True):
        if isinstance(one, torch.Tensor):
            if one.shape != other.shape or one.layout is not torch.strided:
                return False
            if not torch.allclose(one, other, 1e-3, 1e-4, equal_nan=True):
                return False
    return True


# The translation.


class _Translation:
    """The translations of functions by name; functions that are refused have remarks instead of code."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.refused: dict[str, str] = {}
        self.broken: dict[str, str] = {}
        self.functions: dict[str, Callable[..., Any]] = {}
        self.texts: dict[str, str] = {}
        self.bodies: dict[str, str] = {}
        self.warnings: dict[str, list[str]] = {}
        self._translate(sources)

    def _translate(self, sources: dict[str, str]) -> None:
        while sources:
            result = torch2jax.convert(_module(sources.values()))
            lines = dict(_lines(sources))
            errors = [remark for remark in result.diagnostics if remark.severity == "error"]
            placed = [remark for remark in errors if remark.line in lines]
            if len(placed) < len(errors) and len(sources) > 1:
                for name, source in sources.items():
                    self._translate({name: source})
                return
            for remark in errors:
                self.refused.setdefault(
                    lines.get(remark.line, next(iter(sources))),
                    f"{remark.code} {remark.message}",
                )
            if not errors:
                for remark in result.diagnostics:
                    if remark.line in lines:
                        self.warnings.setdefault(lines[remark.line], []).append(f"{remark.code} {remark.message}")
                self._load(result.text, list(sources))
                return
            sources = {name: source for name, source in sources.items() if name not in self.refused}

    def _load(self, text: str, names: Sequence[str]) -> None:
        module = types.ModuleType("translated")
        try:
            exec(compile(text, "<jax>", "exec"), module.__dict__)
        except Exception as error:  # noqa: BLE001
            self.broken.update(dict.fromkeys(names, f"while it is loaded: {_one_line(error)}"))
            return
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name in names:
                self.functions[node.name] = getattr(module, node.name)
                self.texts[node.name] = ast.get_source_segment(text, node) or ""
                self.bodies[node.name] = ast.unparse(node).partition("(")[2]


def _lines(sources: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Line of the module -> name of the function there."""
    line = HEADER.count("\n") + 3
    for name, source in sources.items():
        count = source.count("\n") + 1
        yield from ((line + offset, name) for offset in range(count))
        line += count + 2


# JAX's side.


def _compare(
    case: _Case,
    original: Callable[..., Any],
    translated: _Translation,
    known: dict[Any, Any],
    seed: int,
) -> None:
    outcome, name = case.outcome, case.name
    outcome.text = translated.texts.get(name, "")
    outcome.notes += translated.warnings.get(name, [])
    if name in translated.refused or name in translated.broken:
        outcome.status = "flagged" if name in translated.refused else "crashed"
        outcome.detail = translated.refused.get(name) or translated.broken[name]
        return
    function = translated.functions.get(name)
    if function is None:
        outcome.status, outcome.detail = (
            "crashed",
            "the translation has no such function",
        )
        return
    key = (translated.bodies[name], *map(id, case.program.tensors))
    try:
        if key not in known:
            known[key] = _call(function, case.inputs, seed)
        found = known[key]
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        outcome.status, outcome.detail = "crashed", _one_line(error)
        return
    try:
        _judge_result(case, original, function, found, known, key, seed)
    except values.Uncomparable as reason:
        outcome.status, outcome.detail = "skipped", str(reason)


def _judge_result(
    case: _Case,
    original: Callable[..., Any],
    function: Callable[..., Any],
    found: Any,
    known: dict[Any, Any],
    key: Any,
    seed: int,
) -> None:
    outcome = case.outcome
    if outcome.kind == "exact" and _keys(function, seed) and _is_random(case, original):
        outcome.kind, case.gradients = "random", None
    if outcome.kind == "random":
        difference = _shapes_only(case.expected, found) or _distribution(case, original, function)
    elif outcome.kind == "uninitialised":
        difference = _shapes_only(case.expected, found)
    else:
        difference = values.compare(case.expected, found)
    if difference is not None and difference.aspect == "value" and outcome.kind == "exact":
        if values.relative_error(case.expected, found) < _ROUNDING and _agree_in_double(case, original, function):
            outcome.notes.append(f"rounding: {difference.detail}")
            difference = None
    if (
        difference is not None
        and difference.aspect == "value"
        and case.picks
        and _agree_without_ties(case, original, function)
    ):
        outcome.notes.append(f"another of several equal entries: {difference.detail}")
        case.gradients = None
        difference = None
    if difference is not None:
        outcome.status, outcome.aspect, outcome.detail = (
            "wrong",
            difference.aspect,
            difference.detail,
        )
        return
    if case.gradients is not None:
        _judge_gradient(case, original, function, known, ("gradient", key), seed)


def _judge_gradient(
    case: _Case,
    original: Callable[..., Any],
    function: Callable[..., Any],
    known: dict[Any, Any],
    key: Any,
    seed: int,
) -> None:
    assert case.gradients is not None
    outcome, expected = case.outcome, list(case.gradients)
    try:
        if key not in known:
            known[key] = _gradients(function, case.inputs, case.variables, case.expected, seed)
        found = list(known[key])
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        outcome.gradient, outcome.gradient_detail = "crashed", _one_line(error)
        return
    if case.triangular in case.variables:
        place = case.variables.index(case.triangular)
        upper = "upper=True" in outcome.source
        expected[place] = torch.triu(expected[place]) if upper else torch.tril(expected[place])
        found[place] = jnp.triu(found[place]) if upper else jnp.tril(found[place])
    difference = values.compare(expected, found, 10)
    if difference is not None and values.relative_error(expected, found) < _ROUNDING:
        if _agree_in_double(case, original, function, seed):
            outcome.notes.append(f"rounding of the gradient: {difference.detail}")
            difference = None
    if difference is not None and case.hermitian and 0 in case.variables:
        expected[0], found[0] = (
            expected[0] + expected[0].mH,
            found[0] + found[0].conj().mT,
        )
        if values.compare(expected, found, 10) is None:
            outcome.notes.append(f"gradients are the same in Hermitian directions only: {difference.detail}")
            difference = None
    outcome.gradient = "equal" if difference is None else "wrong"
    outcome.gradient_detail = "" if difference is None else f"{difference.aspect}: {difference.detail}"


def _call(function: Callable[..., Any], inputs: Sequence[torch.Tensor], seed: int) -> Any:
    found = function(*map(values.to_jax, inputs), **_keys(function, seed))
    return jax.block_until_ready(found) if any(isinstance(leaf, jax.Array) for leaf in values.leaves(found)) else found


def _keys(function: Callable[..., Any], seed: int) -> dict[str, Any]:
    return {"key": jax.random.key(seed)} if "key" in inspect.signature(function).parameters else {}


def _gradients(
    function: Callable[..., Any],
    inputs: Sequence[torch.Tensor],
    variables: Sequence[int],
    expected: Any,
    seed: int,
) -> list[jax.Array]:
    arrays = [values.to_jax(tensor) for tensor in inputs]
    keys = _keys(function, seed)

    def total(*variable: jax.Array) -> jax.Array:
        inner = list(arrays)
        for place, value in zip(variables, variable, strict=True):
            inner[place] = value
        return values.jax_total(function(*inner, **keys), seed, expected)

    places = tuple(range(len(variables)))
    gradient = jax.grad(total, places)
    given = [arrays[place] for place in variables]
    try:
        found = jax.jit(gradient)(*given)  # one compilation is quicker than one for each step
    except (TypeError, jax.errors.JAXTypeError, jax.errors.JAXIndexError):
        found = gradient(*given)  # a program that needs values
    return [grad.conj() if np.iscomplexobj(grad) else grad for grad in found]


def _agree_in_double(
    case: _Case,
    original: Callable[..., Any],
    function: Callable[..., Any],
    gradient_seed: int | None = None,
) -> bool:
    """Both programs give the same numbers (or gradients) in double precision: they differ by rounding only."""
    inputs = [_doubled(tensor) for tensor in case.program.tensors]
    try:
        expected = original(*inputs)
        if gradient_seed is None:
            return values.compare(expected, _call(function, inputs, 0), 100) is None
        grads = values.torch_gradients(expected, [inputs[place] for place in case.variables], gradient_seed)
        found = _gradients(function, inputs, case.variables, expected, gradient_seed)
        return values.compare(grads, found, 1000) is None
    except Exception:  # noqa: BLE001 - then the difference stands
        return False


def _agree_without_ties(case: _Case, original: Callable[..., Any], function: Callable[..., Any]) -> bool:
    """The entries found are the same, and so are their places once no two entries of the first tensor are equal."""
    first, *others = case.program.tensors
    order = torch.randperm(first.numel(), generator=torch.Generator().manual_seed(0)).reshape(first.shape)
    distinct = first.detach().double() + order / (8 * first.numel() or 1)
    try:
        found = values.leaves(_call(function, case.inputs, 0))
        pairs = [*zip(values.leaves(case.expected), found, strict=True)][:-1]
        if any(values.compare(expected, entries) for expected, entries in pairs):
            return False
        expected = original(distinct, *map(_fresh, others))
        return values.compare(expected, _call(function, [distinct, *map(_fresh, others)], 0)) is None
    except Exception:  # noqa: BLE001 - then the difference stands
        return False


def _doubled(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.dtype not in (torch.float32, torch.complex64):
        return _fresh(tensor)
    wide = torch.float64 if tensor.dtype is torch.float32 else torch.complex128
    return tensor.detach().to(wide).requires_grad_(tensor.requires_grad)


# Random results.


def _is_random(case: _Case, original: Callable[..., Any]) -> bool:
    """A few entries may be the same twice by chance."""
    for seed in range(3, 30):
        torch.manual_seed(seed)
        if not _same(case.expected, original(*map(_fresh, case.program.tensors))):
            return True
    return False


def _shapes_only(expected: Any, found: Any) -> values.Difference | None:
    def blank(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [blank(item) for item in value]
        if isinstance(value, torch.Tensor):
            return torch.zeros_like(value)
        return value if not hasattr(value, "dtype") or value.dtype.kind == "V" else np.zeros(value.shape, value.dtype)

    return values.compare(blank(expected), blank(found))


def _distribution(case: _Case, original: Callable[..., Any], function: Callable[..., Any]) -> values.Difference | None:
    """Draw often from both, and compare how all entries together are spread."""
    draws_torch: list[list[np.ndarray]] = []
    for seed in range(64):
        torch.manual_seed(seed)
        draws_torch.append([_numbers(leaf) for leaf in values.leaves(original(*map(_fresh, case.program.tensors)))])
    draws_jax = [
        [_numbers(leaf) for leaf in values.leaves(_call(function, case.inputs, seed))] for seed in range(100, 116)
    ]
    for expected, found in zip(zip(*draws_torch, strict=True), zip(*draws_jax, strict=True), strict=True):
        left, right = _rounded(np.concatenate(expected), np.concatenate(found))
        if len(left) and len(right) and (p := stats.ks_2samp(left, right).pvalue) < 1e-5:
            means = f"{np.concatenate(expected).mean():.4g} and {np.concatenate(found).mean():.4g}"
            return values.Difference("distribution", f"p = {p:.2g}; means {means} for torch and JAX")
    return None


def _rounded(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both without their last digits: values that many entries share may be rounded differently."""
    step = (
        1e-5
        * max(
            (float(np.abs(part).max()) for part in (left, right) if len(part)),
            default=1,
        )
        or 1
    )
    return np.round(left / step), np.round(right / step)


def _numbers(leaf: Any) -> np.ndarray:
    array = values.to_numpy(leaf) if isinstance(leaf, torch.Tensor) else np.asarray(leaf)
    flat = array.ravel()
    flat = np.concatenate([flat.real, flat.imag]) if flat.dtype.kind == "c" else flat.astype(np.float64)
    return flat[np.isfinite(flat)]


def _one_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]

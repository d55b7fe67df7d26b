"""Every mapping row of a function tests itself: drawn arguments, the converted text of a call, both libraries executed."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import libcst as cst
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.ops.calls import (
    Call,
    Spelling,
    call_text,
    jax_arrays,
    jax_names,
    lower_attribute,
    lower_text,
    run_jax,
    run_torch,
)
from tests.ops.comparison import assert_same, float_arrays, narrowed, weights
from tests.ops.strategies import Array, Drawing
from torch2jax.ops.lowering import Refusal
from torch2jax.ops.schema import FunctionSpec, function_spec, names_of
from torch2jax.ops.signatures import parse_signature
from torch2jax.ops.tables import mappings_folder, read_rows
from torch2jax.syntax.quote import template_holes
from torch2jax.values import Kind, Value

ROWS = [
    pytest.param(row, origin, id=names_of(row)[0])
    for path in sorted((mappings_folder() / "ops").glob("*.yaml"))
    for row, origin in read_rows(path)
]
OPTIONS = {
    "grad",
    "rtol",
    "random",
    "keywords",
    "targets",
    "refused",
    "opaque",
    "result",
    "examples",
    "values",
    "skip",
    "always",
    "constants",
}
WHOLE = "T2J_EXAMPLES" in os.environ
"""Whether this is the sweep of many examples (`make rows`), which begins with the simplest of each row."""
EXAMPLES = int(os.environ.get("T2J_EXAMPLES", "3"))


def check_of(row: Mapping) -> dict:
    return row.get("check") or {}


def option(row: Mapping, name: str, default: object) -> object:
    return check_of(row).get(name, default) if name not in parse_signature(str(row.get("signature", ""))) else default


def draw_arguments(row: Mapping, draw: object) -> dict[str, object]:
    """Drawn arguments by parameter name; those with a default are sometimes left out."""
    signature = parse_signature(str(row.get("signature", "input" if "attribute" in row else "")))
    drawing = Drawing(draw)  # type: ignore[arg-type]
    result = {}
    for parameter in signature.parameters:
        text = check_of(row).get(parameter.name)
        if text is None:
            assert parameter.default is not None, f"`check` says nothing about `{parameter.name}`"
            continue
        value = drawing.argument(parameter.name, text)
        always = parameter.default is None or parameter.variadic or parameter.name in option(row, "always", ())  # type: ignore[operator]
        if always or drawing.one_of(True, True, False):
            constant = isinstance(value, Array) and parameter.name in option(row, "constants", ())  # type: ignore[operator]
            result[parameter.name] = replace(value, constant=True) if constant else value  # type: ignore[type-var]
        else:
            del drawing.drawn[parameter.name]
    return result


def make_call(
    spec: FunctionSpec, name: str, arguments: Mapping[str, object], opaque: bool, keywords: int, draw
) -> Call:
    spelling = Spelling(opaque)
    if name.startswith("Tensor.") and keywords < 0:
        text = f"{spelling.text(arguments['input'])}.{name.removeprefix('Tensor.')}"
    else:
        text = call_text(spec, name, arguments, spelling, keywords, lambda named: draw(st.permutations(named)))
    return Call(text, spelling.arrays, spelling.objects, spelling.values, frozenset(spelling.constants))


def check_result_rule(rule: Value, result: object, text: str) -> None:
    """What the row says of the result is so."""
    if rule.kind is Kind.TENSOR:
        assert isinstance(result, torch.Tensor), f"{text}: the row says that the result is a tensor"
        assert rule.rank in (None, result.ndim), f"{text}: rank {rule.rank} instead of {result.ndim}"
        known = {"int": "int64", "float": "float32"}.get(str(rule.dtype), rule.dtype)
        assert known in (None, str(result.dtype).removeprefix("torch.")), f"{text}: {rule.dtype}, not {result.dtype}"
    elif rule.kind in (Kind.TUPLE, Kind.LIST) and rule.items is not None:
        assert len(result) == len(rule.items), text  # type: ignore[arg-type]
        for part, item in zip(rule.items, result, strict=True):  # type: ignore[call-overload]
            check_result_rule(part, item, text)
    elif rule.kind is not Kind.UNKNOWN:
        kinds = {Kind.INT: int, Kind.FLOAT: float, Kind.BOOL: bool, Kind.SIZE: torch.Size, Kind.DTYPE: torch.dtype}
        kinds |= {Kind.TUPLE: tuple, Kind.LIST: (list, tuple), Kind.STR: str, Kind.NONE: type(None)}
        assert isinstance(result, kinds.get(rule.kind, object)), f"{text}: {type(result)} is no {rule.kind}"


def torch_gradients(result: object, tensors: Mapping[str, torch.Tensor]) -> dict[str, np.ndarray]:
    total = [
        (part * torch.from_numpy(weights(tuple(part.shape)))).sum()
        for part in float_arrays(result)
        if part.requires_grad
    ]
    if total:
        sum(total).backward()
    return {
        name: np.zeros(tensor.shape, np.float32) if tensor.grad is None else tensor.grad.numpy()
        for name, tensor in tensors.items()
        if tensor.requires_grad
    }


def jax_gradients(text: str, call: Call, arrays: Mapping[str, jax.Array]) -> dict[str, jax.Array]:
    tracked = {
        name: array
        for name, array in arrays.items()
        if jnp.issubdtype(array.dtype, jnp.floating) and name not in call.constants
    }

    def loss(tracked: dict[str, jax.Array]) -> jax.Array:
        parts = float_arrays(run_jax(text, call, {**arrays, **tracked}))
        return sum(((part * weights(part.shape)).sum() for part in parts), jnp.float32(0))

    try:
        return jax.jit(jax.grad(loss))(tracked)  # one compilation instead of one for every operation
    except (jax.errors.JAXTypeError, jax.errors.JAXIndexError):  # shapes that depend on values
        return jax.grad(loss)(tracked)


def compare(row: Mapping, spec: FunctionSpec, call: Call, text: str) -> None:
    """Run both and compare results and gradients."""
    track = bool(option(row, "grad", True)) and "mutates" not in spec.effects
    track &= "dtype=torch.int" not in call.text  # torch refuses to track what becomes whole numbers
    rtol = float(str(option(row, "rtol", 1e-4)))
    expected, tensors = run_torch(call, track)
    arrays = jax_arrays(call)
    got = run_jax(text, call, arrays)
    if option(row, "values", True):
        assert_same(got, expected, rtol, rtol / 5)
    else:
        assert got.shape == tuple(expected.shape) and narrowed(got.dtype) == narrowed(expected.dtype)  # type: ignore[attr-defined]
    if track and float_arrays(expected) and any(tensor.requires_grad for tensor in tensors.values()):
        wanted = torch_gradients(expected, tensors)
        for name, gradient in jax_gradients(text, call, arrays).items():
            np.testing.assert_allclose(gradient, wanted[name], rtol * 5, rtol, err_msg=f"gradient of {name}")


def compare_moments(call: Call, text: str, draws: int = 3000) -> None:
    """Random results: same shapes and dtypes; means and spreads agree as far as so many draws tell."""
    arrays = jax_arrays(call)
    torch.manual_seed(0)
    expected = [run_torch(call, False)[0] for _ in range(draws)]
    got = jax.vmap(lambda key: run_jax(text, call, arrays, key=key))(jax.random.split(jax.random.key(0), draws))
    assert got.shape[1:] == tuple(expected[0].shape), (got.shape, expected[0].shape)
    assert narrowed(got.dtype) == narrowed(expected[0].dtype), (got.dtype, expected[0].dtype)
    ours, theirs = np.asarray(got, np.float64), torch.stack(expected).double().numpy()
    for statistic in (np.mean, np.std):
        spread = theirs.std(0) + 1e-6
        difference = np.abs(statistic(ours, 0) - statistic(theirs, 0))
        assert (difference <= 8 * spread / draws**0.5).all(), f"{statistic.__name__}: {difference} for spread {spread}"


def check_drawn_call(row: Mapping, spec: FunctionSpec, call: Call, seen: set[str], attribute: bool = False) -> None:
    targets = option(row, "targets", None)
    lower = lower_attribute if attribute else partial(lower_text, targets=targets)
    lowered, draws, rule = lower(spec, call)  # type: ignore[operator]
    opaque = any(value.kind is Kind.UNKNOWN for value in call.values.values()) or bool(call.objects)
    if isinstance(lowered, Refusal):
        assert opaque or option(row, "refused", False), f"{call.text} is refused: {lowered.reason}"
        return
    try:
        if not opaque:
            check_result_rule(rule, run_torch(call, False)[0], call.text)
        text = re.sub(r"\bv\d+\b", lambda match: repr(call.objects[match[0]]), lowered)
        if text in seen:
            return
        seen.add(text)
        if draws:
            compare_moments(call, lowered)
        else:
            compare(row, spec, call, lowered)
    except Exception as error:
        error.add_note(
            f"{call.text}  ->  {lowered}\n{ {n: (a.dtype, a.shape) for n, a in call.arrays.items()} } {call.objects}"
        )
        raise


@pytest.mark.parametrize(("row", "origin"), ROWS)
def test_row(row: dict, origin: str) -> None:
    spec = function_spec(row, origin)
    unknown = set(check_of(row)) - OPTIONS - {p.name for p in parse_signature(spec.signature).parameters}
    assert not unknown, f"{origin}: `check` knows no {sorted(unknown)}"
    check_names(spec)
    if spec.unsupported is not None:
        return
    if "constant" in row and "skip" not in check_of(row):
        check_constant(row, spec)
        return
    assert "check" in row, f"{origin}: the row has no `check`"
    if "skip" in check_of(row):
        return
    examples = int(str(option(row, "examples", 2 if "rng" in spec.effects else EXAMPLES)))
    drawn = 0

    def drawn_arguments(row: Mapping, draw: object) -> dict[str, object]:
        nonlocal drawn
        drawn += 1
        return draw_arguments(row, draw)

    def check_call(*call: object) -> None:
        if WHOLE or drawn > 1 or examples == 1:  # the simplest example is always the first: others tell more
            check_drawn_call(*call)  # type: ignore[arg-type]

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        arguments = drawn_arguments(row, data.draw)
        seen: set[str] = set()
        for name in names_of(row):
            if name.startswith("torch.cuda.") and not torch.cuda.is_available():
                continue  # such tensors are made on a GPU only; the row's other names are checked
            if row.get("attribute") == name:
                check_call(row, spec, make_call(spec, name, arguments, False, -1, data.draw), seen, True)
                continue
            most = len(parse_signature(spec.signature).parameters)
            for keywords in (
                (most, most - 1 if most > 1 else most, 1) if option(row, "keywords", True) else (most, most + 1)
            ):
                check_call(row, spec, make_call(spec, name, arguments, False, keywords, data.draw), seen)
            if option(row, "opaque", True):
                check_call(row, spec, make_call(spec, name, arguments, True, most, data.draw), seen)

    run()


def check_constant(row: Mapping, spec: FunctionSpec) -> None:
    if row["result"] == "none":
        return
    for name in names_of(row):
        assert_same(eval(str(row["constant"]), dict(jax_names())), eval(name, {"torch": torch}))


def check_names(spec: FunctionSpec) -> None:
    """Every name in the texts of a row exists."""
    texts = [a.emit for a in (*spec.alternatives, *spec.method_alternatives) if a.emit]
    for text in [*texts, *([spec.reference] if spec.reference else [])]:
        for hole in template_holes(text):
            text = re.sub(rf"\{{\*?{hole}!?(\|\w+)?\}}", "None", text)
        for node in iter_names(cst.parse_expression(text)):
            eval(node, {"None": None, **jax_names()})


def iter_names(tree: cst.CSTNode) -> list[str]:
    """Dotted names in a text that start with an alias or a bare name."""
    found: list[str] = []

    class Names(cst.CSTVisitor):
        def visit_Attribute(self, node: cst.Attribute) -> bool:
            text = cst.Module([]).code_for_node(node)
            if re.fullmatch(r"(jnp|jax|np|optax|eqx)(\.\w+)+", text):
                found.append(text)
                return False
            node.value.visit(self)
            return False

        def visit_Call(self, node: cst.Call) -> None:
            if isinstance(node.func, cst.Name):
                found.append(node.func.value)

    tree.visit(Names())
    return found

"""Functions of torch that are passed around, spelled as they are called where they have arrived.

def pool(x, op=torch.sum):            def pool(x, op=jnp.sum):
    return op(x)                          return op(x)

def pool(x, op=torch.sum):            def pool(x, op=lambda input, dim: jnp.sum(input, axis=dim)):
    return op(x, dim=1)                   return op(x, dim=1)

The calls are found by the names that may stand for the function, in all files; where none does, any call of this file counts that
gives keywords to one of several functions.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.ops.lowering import Lowered, lower
from torch2jax.ops.rules import Facts as ArgumentFacts
from torch2jax.ops.schema import FunctionSpec
from torch2jax.ops.signatures import BindError, BoundArguments, bind, parse_signature
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program, dotted
from torch2jax.program.tested_classes import bindings_of
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import descendants
from torch2jax.values import UNKNOWN, Kind


def function_text(unit: Unit, node: cst.BaseExpression, name: str) -> str | None:
    """How a function of torch is spelled at a place where it is not called; None where it has no counterpart."""
    spec = unit.facts.tables.functions.get(name)
    if spec is None or spec.unsupported is not None:
        return None
    if spec.same is not None:
        return spec.same
    if not spec.signature and spec.alternatives:
        return spec.alternatives[0].emit
    found = sorted(_given(unit, node, spec), key=len)
    if len(found) < 2:
        return reference_text(spec, *found)
    return _text_of_several(spec, found)


def reference_text(spec: FunctionSpec, given: tuple[str, ...] = ()) -> str | None:
    """How a function is spelled as a value: its own name, a partial of it, or a lambda with the parameters that it is `given`."""
    if spec.reference is not None:
        return spec.reference
    required = _required(spec)
    node = _lowered(spec, given or required)
    if node is None:
        return None
    if not given and isinstance(node, cst.Call) and not any(item.keyword or item.star for item in node.args):
        if [code(item.value) for item in node.args] == list(required):
            return code(node.func)
    return f"(lambda {', '.join(given or required)}: {code(node)})"


def _text_of_several(spec: FunctionSpec, found: list[tuple[str, ...]]) -> str | None:
    """A lambda for calls that give more or fewer arguments: what is not always given has torch's first values."""
    least, most = set(found[0]), found[-1]
    defaults = {item.name: item.default for item in parse_signature(spec.signature).parameters}
    if not all(least <= set(names) <= set(most) for names in found) or spec.reference is not None:
        return None
    node, shorter = _lowered(spec, most), _lowered(spec, found[0])
    absent = [name for name in most if name not in least and defaults[name] == "None"]
    if node is None or shorter is None or len(absent) > 1:
        return None
    parameters = ", ".join(name if name in least else f"{name}={defaults[name]}" for name in most)
    chosen = "".join(f"{code(shorter)} if {name} is None else " for name in absent)
    return f"(lambda {parameters}: {chosen}{code(node)})"


def _required(spec: FunctionSpec) -> tuple[str, ...]:
    return tuple(item.name for item in parse_signature(spec.signature).parameters if item.default is None)


def _lowered(spec: FunctionSpec, names: tuple[str, ...]) -> cst.BaseExpression | None:
    """What a function computes of parameters of these names."""
    signature = parse_signature(spec.signature)
    if "rng" in spec.effects or "rng-optional" in spec.effects or spec.lowering is not None or not names:
        return None  # without names it is not known what it is called with
    if any(parameter.variadic for parameter in signature.parameters):
        return None
    bound = BoundArguments({name: cst.Name(name) for name in names})
    lowered = lower(spec.alternatives, ArgumentFacts(signature, bound, lambda node: UNKNOWN))
    return lowered.build(lambda item: item) if isinstance(lowered, Lowered) else None


def _given(unit: Unit, node: cst.BaseExpression, spec: FunctionSpec) -> set[tuple[str, ...]]:
    """The parameters of a function that calls of what it is passed to give, if they are more than those it needs."""
    signature = parse_signature(spec.signature)
    order = [parameter.name for parameter in signature.parameters]
    found, is_plain = set(), True
    for call in _calls(unit, node):
        try:
            bound = bind(signature, call.args).given
        except BindError:
            continue
        found.add(tuple(name for name in order if name in bound))
        is_plain = is_plain and not any(item.keyword is not None for item in call.args)
    return set() if is_plain and found <= {_required(spec)} else found


def _calls(unit: Unit, node: cst.BaseExpression) -> list[cst.Call]:
    """The calls that may be of a function which stands at `node`."""
    program, values = unit.facts.program, unit.facts.values
    receivers = list(_receivers(unit, node))
    if receivers and all(function is not None for function, _ in receivers):
        found = [_only_called(function, name) for function, name in receivers if function is not None]
        if None not in found:
            return [call for calls in found for call in calls or ()]
    names = _names_of(program, _last_word(node))
    calls = [call for file in program.files for call in file.index.calls if not any(item.star for item in call.args)]
    known = [call for call in calls if _last_word(call.func) in names]
    if known:
        return known
    return [
        call
        for call in calls
        if any(item.keyword is not None for item in call.args)
        and call in program.index.parents
        and values(call.func).kind is Kind.TORCH
        and values.torch_name(call.func) is None
    ]


def _receivers(unit: Unit, node: cst.BaseExpression) -> Iterator[tuple[Function | None, str]]:
    """The functions and parameters that what stands at `node` is given to, as a first value or as an argument."""
    program, values = unit.facts.program, unit.facts.values
    parent = program.index.parents.get(node)
    if isinstance(parent, cst.Param):
        around = [item for item in program.functions.values() if parent in item.parameters]
        yield from ((function, parent.name.value) for function in around)
    elif isinstance(parent, cst.Arg) and isinstance(call := program.index.parents[parent], cst.Call):
        for function in values.callees.get(call, ()):
            names = [name for name, item in arguments_by_parameter(function, call, values) if item is node]
            yield (function, names[0]) if names else (None, "")


def _only_called(function: Function, name: str) -> list[cst.Call] | None:
    """The calls of a parameter, or None where something else is done with it."""
    inside = list(descendants(function.node.body))
    calls = [item for item in inside if isinstance(item, cst.Call)]
    called = [item for item in calls if isinstance(item.func, cst.Name) and item.func.value == name]
    used = [item for item in inside if isinstance(item, cst.Name) and item.value == name]
    return called if len(used) == len(called) else None


def _last_word(node: cst.BaseExpression) -> str:
    """The last word of a name, or of what has the entries that are asked for: `kinds` of `self.kinds[name]`."""
    while isinstance(node, cst.Subscript):
        node = node.value
    return (dotted(node) or "").rpartition(".")[2]


def _names_of(program: Program, word: str) -> set[str]:
    """The names that may stand for what has a name, in any file."""
    pairs = {pair for file in program.files for pair in bindings_of(file.index.module.code)}
    names, waiting = {word}, [word]
    while waiting:
        other = waiting.pop()
        more = {name for name, held in pairs if held == other} - names
        names |= more
        waiting += more
    return names - {word}

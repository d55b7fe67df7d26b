"""`functools.partial` of a function of torch: a lambda that does what the function does with these arguments.

partial(torch.arange, device=device)   ->   jnp.arange
partial(F.pad, mode="reflect")         ->   lambda input, pad: jnp.pad(...)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.ops.lowering import IGNORED, Lowered
from torch2jax.ops.lowerings import lower_call
from torch2jax.ops.rules import Facts as ArgumentFacts
from torch2jax.ops.schema import FunctionSpec
from torch2jax.ops.signatures import BindError, Bound, BoundArguments, Signature, bind, parse_signature
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote

_LITERALS = (cst.Integer, cst.Float, cst.SimpleString, cst.UnaryOperation)


def rewrite_partial(unit: Unit, call: cst.Call) -> bool:
    """Decide a `partial` of a function that a row translates; False for everything else."""
    values = unit.facts.values
    if values(call.func).const != "functools.partial" or not call.args:
        return False
    first, *others = call.args
    name = values.torch_name(first.value)
    spec = unit.facts.tables.functions.get(name) if name is not None and name not in unit.facts.tables.layers else None
    if (
        spec is None
        or spec.unsupported is not None
        or not spec.signature
        or name is None
        or name.startswith("torch.optim")
    ):
        return False
    kept = [item for item in others if item.keyword is None or item.keyword.value not in IGNORED]
    if not kept:
        for item in others:
            unit.settle(item)
        unit.edits.replace(call, lambda rewrite: rewrite.expression(first.value))
        return True
    signature = parse_signature(spec.signature)
    made = _lowered(unit, spec, signature, kept)
    if made is None:
        unit.problem(call, "T2J205", name=name)
        return True
    lowered, parameters, defaults = made
    unit.settle(first.value)
    spelled = Lowered(unit.spell(lowered.template), lowered.arguments, lowered.defaults, lowered.tuples)

    def build(rewrite: Rewriter) -> cst.BaseExpression:
        given = [f"{item}={{{item}}}" for item in defaults]
        body = spelled.build(lambda node: node if node in placeholders else rewrite(node))
        holes = {item: rewrite.expression(value) for item, value in defaults.items()}
        return quote(f"(lambda {', '.join([*parameters, *given])}: {{body}})", body=body, **holes)

    placeholders = {
        node for value in lowered.arguments.values() for node in _nodes(value) if isinstance(node, cst.Name)
    }
    placeholders -= {node for item in kept for node in (item.value,)}
    unit.edits.replace(call, build)
    return True


def _nodes(value: Bound) -> tuple[cst.BaseExpression, ...]:
    return value if isinstance(value, tuple) else (value,)


def _lowered(
    unit: Unit, spec: FunctionSpec, signature: Signature, kept: list[cst.Arg]
) -> tuple[Lowered, list[str], dict[str, cst.BaseExpression]] | None:
    """The spelling, the parameters that are left, and those of which a value is known when the `partial` is made."""
    if any(item.star for item in kept) or any(parameter.variadic for parameter in signature.parameters):
        return None
    try:
        bound = bind(signature, kept)
    except BindError:
        try:  # what is required follows later
            bound = bind(signature, [*_required(signature, kept), *kept])
        except BindError:
            return None
    given: dict[str, Bound] = {}
    parameters: list[str] = []
    defaults: dict[str, cst.BaseExpression] = {}
    nodes = {item.value for item in kept}
    for parameter in signature.parameters:
        node = bound.one(parameter.name)
        if node is None and parameter.default is None:
            parameters.append(parameter.name)
            given[parameter.name] = cst.Name(parameter.name)
        elif node is not None and node not in nodes:
            parameters.append(parameter.name)
            given[parameter.name] = node
        elif node is not None and not isinstance(node, _LITERALS):
            defaults[parameter.name] = node
            given[parameter.name] = node
        elif node is not None:
            given[parameter.name] = node
    facts = ArgumentFacts(signature, BoundArguments(given), unit.facts.values)
    lowered = lower_call(spec, facts)
    if not isinstance(lowered, Lowered) or lowered.draws or "rng-optional" in spec.effects:
        return None
    bare = {name: cst.Name(name) if name in defaults else value for name, value in lowered.arguments.items()}
    return Lowered(lowered.template, bare, lowered.defaults, lowered.tuples), parameters, defaults


def _required(signature: Signature, kept: list[cst.Arg]) -> list[cst.Arg]:
    """Keywords for the parameters that have no default and are not given."""
    named = {item.keyword.value for item in kept if item.keyword is not None}
    count = sum(1 for item in kept if item.keyword is None)
    missing = [item.name for item in signature.parameters[count:] if item.default is None and item.name not in named]
    return [cst.Arg(cst.Name(name), keyword=cst.Name(name)) for name in missing]

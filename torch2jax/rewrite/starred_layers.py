"""Layers that are made with `*args` or `**kwargs`.

nn.Conv2d(*args, **kwargs)   ->   layer_from(eqx.nn.Conv2d, "in_channels out_channels ...", 3, {"bias": "use_bias"}, *args, **kwargs, key=key)
nn.Flatten(*args)            ->   (lambda start_dim=1, end_dim=-1: eqx.nn.Lambda(partial(flatten, start_dim=start_dim, end_dim=end_dim)))(*args)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from torch2jax.ops.lowering import IGNORED, Lowered, Refusal, lower
from torch2jax.ops.rules import Facts as ArgumentFacts
from torch2jax.ops.schema import LayerColumn, LayerSpec
from torch2jax.ops.signatures import Parameter, Signature, bind, parse_signature
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.values import UNKNOWN


def starred_template(spec: LayerSpec, column: LayerColumn, key: str) -> str | None:
    """The text before the arguments of such a call, `layer_from(...`; None where the layer's arguments do not stand one for one.

    A layer whose translation needs a key is given it behind the arguments, as `key`. What it has no argument for may be given its
    default only, which the support code asks for.
    """
    signature = parse_signature(spec.signature)
    if any(item.variadic for item in signature.parameters):
        return None
    found = next(
        (made for names in _choices(column, signature) if (made := _made(column, signature, names, key))), None
    )
    if found is None:
        return None
    places = " ".join(item.name for item in signature.parameters)
    taken = {*found.plain, *found.keywords}
    fixed = [f'"{item.name}": ({item.default},)' for item in signature.parameters if _is_fixed(item, taken)]
    renamed = [f'"{name}": "{other}"' for name, other in found.keywords.items() if name != other]
    return f'layer_from({found.function}, "{places}", {len(found.plain)}, {{{", ".join([*renamed, *fixed])}}}'


def function_template(spec: LayerSpec, column: LayerColumn, key: str) -> str | None:
    """The text before the arguments of a call of a function of torch's arguments, which makes the layer; None if there is none."""
    signature = parse_signature(spec.signature)
    if any(item.variadic for item in signature.parameters):
        return None
    names = _translated(column, signature)
    lowered = _lowered(column, signature, names)
    if not isinstance(lowered, Lowered):
        return None
    made = code(lowered.build(lambda node: node, **({"key": key} if lowered.draws else {})))
    taken = [item for item in signature.parameters if item.name in names or item.name in IGNORED]
    places = ", ".join(item.name + (f"={item.default}" if item.default is not None else "") for item in taken)
    if len(taken) == len(signature.parameters):
        return f"(lambda {places}: {made})("
    fixed = [f'"{item.name}": ({item.default},)' for item in signature.parameters if item not in taken]
    order = " ".join(item.name for item in signature.parameters)
    return f'layer_from(lambda {places}: {made}, "{order}", 0, {{{", ".join(fixed)}}}, '


@dataclass(frozen=True, slots=True)
class _Made:
    """What makes a layer: the torch names of its arguments by place, and the layer's names for the others."""

    function: str
    plain: list[str]
    keywords: dict[str, str]


def _made(column: LayerColumn, signature: Signature, names: Sequence[str], key: str) -> _Made | None:
    """How a layer is made of some parameters, if they stand one for one."""
    lowered = _lowered(column, signature, names)
    if not isinstance(lowered, Lowered):
        return None
    made = lowered.build(lambda node: node, **({"key": "key"} if lowered.draws else {}))
    if not isinstance(made, cst.Call) or any(item.star for item in made.args):
        return None
    plain = [code(item.value) for item in made.args if item.keyword is None]
    keywords = {code(item.value): item.keyword.value for item in made.args if item.keyword is not None}
    if lowered.draws and keywords.pop("key", None) != key:
        return None
    if plain != list(names[: len(plain)]) or sorted([*plain, *keywords]) != sorted(names):
        return None
    return _Made(code(made.func), plain, keywords)


def _is_fixed(parameter: Parameter, taken: Collection[str]) -> bool:
    """Whether a parameter must keep its default: the layer of the target has none for it."""
    return parameter.name not in taken and parameter.name not in IGNORED


def _choices(column: LayerColumn, signature: Signature) -> Iterator[list[str]]:
    """The parameters that a layer may be given: all, all that it has arguments for, and all but one."""
    names = [item.name for item in signature.parameters if item.name not in IGNORED]
    optional = [item.name for item in signature.parameters if item.default is not None]
    yield names
    yield (names := _translated(column, signature))
    yield from ([name for name in names if name != other] for other in optional)


def _translated(column: LayerColumn, signature: Signature) -> list[str]:
    """The parameters that a layer has arguments for."""
    names = [item.name for item in signature.parameters if item.name not in IGNORED]
    optional = [item.name for item in signature.parameters if item.default is not None]
    while isinstance(refused := _lowered(column, signature, names), Refusal) and refused.argument in optional:
        names = [name for name in names if name != refused.argument]
    return names


def _lowered(column: LayerColumn, signature: Signature, names: Sequence[str]) -> Lowered | Refusal:
    given = [cst.Arg(cst.Name(name), keyword=cst.Name(name)) for name in names]
    absent = {item.name for item in signature.parameters if item.default == "None"}
    maybe = UNKNOWN.but(optional=True)
    values = ArgumentFacts(signature, bind(signature, given), lambda node: maybe if code(node) in absent else UNKNOWN)
    return lower(column.make, values)

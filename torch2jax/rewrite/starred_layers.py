"""Layers that are made with `*args` or `**kwargs`.

nn.Conv2d(*args, **kwargs)   ->   layer_from(eqx.nn.Conv2d, "in_channels out_channels ...", 3, {"bias": "use_bias"}, *args, **kwargs, key=key)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.ops.lowering import IGNORED, Lowered, lower
from torch2jax.ops.rules import Facts as ArgumentFacts
from torch2jax.ops.schema import LayerColumn, LayerSpec
from torch2jax.ops.signatures import bind, parse_signature
from torch2jax.syntax.codegen import code
from torch2jax.values import UNKNOWN


def starred_template(spec: LayerSpec, column: LayerColumn, key: str) -> str | None:
    """The text before the arguments of such a call, `layer_from(...`; None where the layer's arguments do not stand one for one.

    A layer whose translation needs a key is given it behind the arguments, as `key`.
    """
    signature = parse_signature(spec.signature)
    names = [item.name for item in signature.parameters if item.name not in IGNORED]
    if any(item.variadic for item in signature.parameters):
        return None
    given = [cst.Arg(cst.Name(name), keyword=cst.Name(name)) for name in names]
    lowered = lower(column.make, ArgumentFacts(signature, bind(signature, given), lambda node: UNKNOWN))
    if not isinstance(lowered, Lowered):
        return None
    made = lowered.build(lambda node: node, **({"key": "key"} if lowered.draws else {}))
    if not isinstance(made, cst.Call) or any(item.star for item in made.args):
        return None
    plain = [code(item.value) for item in made.args if item.keyword is None]
    keywords = {code(item.value): item.keyword.value for item in made.args if item.keyword is not None}
    if lowered.draws and keywords.pop("key", None) != key:
        return None
    if plain != names[: len(plain)] or sorted([*plain, *keywords]) != sorted(names):
        return None
    places = " ".join(item.name for item in signature.parameters)
    renamed = ", ".join(f'"{name}": "{other}"' for name, other in keywords.items() if name != other)
    return f'layer_from({code(made.func)}, "{places}", {len(plain)}, {{{renamed}}}'

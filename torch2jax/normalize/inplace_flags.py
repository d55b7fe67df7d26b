"""`F.relu(x, True)`, normalized to `F.relu(x, inplace=True)`: what changes its argument says so by name."""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.signatures import BindError, bind, parse_signature
from torch2jax.syntax.walk import with_fields

_FUNCTIONS = ("torch.nn.functional.", "torchvision.transforms.functional.", "torchvision.transforms.v2.functional.")


def normalize_inplace_flags(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    if work.effects is None:
        return
    functions = work.effects.tables.functions
    for call in work.index.calls:
        if len(call.args) < 2 or call.args[-1].keyword is not None or call.args[-1].star:
            continue
        name = work.values.torch_name(call.func)
        if name is None or not name.startswith(_FUNCTIONS) or name not in functions:
            continue
        signature = parse_signature(functions[name].signature)
        try:
            given = bind(signature, call.args).one("inplace") if "inplace" in signature else None
        except BindError:
            continue
        if given is call.args[-1].value and work.values(given).const is True:
            named = cst.Arg(
                given, cst.Name("inplace"), cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
            )
            work.edits.replace(
                call,
                lambda rewrite, call=call, named=named: with_fields(  # type: ignore[misc]
                    rewrite.inside(call), args=[*rewrite.inside(call).args[:-1], named]
                ),
            )


__all__ = ["normalize_inplace_flags"]

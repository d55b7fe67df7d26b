"""Which calls change the tensors that they are given."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.ops.schema import is_inplace_name


def changes_values(name: str) -> bool:
    """Whether a method or function of this name changes the values of its tensor."""
    return is_inplace_name(name) and name != "requires_grad_"


def filled_arguments(call: cst.Call) -> Iterator[cst.BaseExpression]:
    """The arguments that a function changes: of `torch.relu_(x)`, `F.relu(x, inplace=True)` and `torch.add(a, b, out=c)`."""
    match call.func:
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            pass
        case _:
            name = ""
    keywords = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    makes_layer = name[:1].isupper()
    if call.args and (("inplace" in keywords and not makes_layer) or changes_values(name)):
        yield call.args[0].value
    if "out" in keywords:
        yield keywords["out"]

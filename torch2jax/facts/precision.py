"""Mixed precision: which contexts of `autocast` change no numbers, here or anywhere.

torch.autocast("cuda", enabled=False)                                        off
torch.cuda.amp.autocast(enabled=amp)                                         for a device that torch does not have on a CPU
torch.autocast(kind, dtype) if kind != "cpu" else nullcontext()              the same
torch.autocast(kind), torch.autocast("cpu", enabled=amp)                     decided when the program runs
torch.autocast("cpu")                                                        rounds
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import libcst as cst

from torch2jax.ops.contexts import AUTOCASTS
from torch2jax.program.program import dotted
from torch2jax.values import Value


def changes_nothing(
    call: cst.Call, name: str, values: Callable[[cst.CSTNode], Value], parents: Mapping[cst.CSTNode, cst.CSTNode]
) -> bool:
    """Whether a context of mixed precision is off, or one of other devices than the CPU, for which JAX takes the types as they are."""
    if is_off(call, name, values) or name == "torch.cuda.amp.autocast":
        return True
    device = _argument(call, "device_type", 0)
    if device is None or name == "torch.cpu.amp.autocast":
        return False
    kind = values(device).const
    if isinstance(kind, str):
        return kind.partition(":")[0] != "cpu"
    return _is_other_than_cpu(call, dotted(device), values, parents)


def is_open(
    call: cst.Call, name: str, values: Callable[[cst.CSTNode], Value], parents: Mapping[cst.CSTNode, cst.CSTNode]
) -> bool:
    """Whether only the running program knows that a context of mixed precision rounds nothing: its device, or whether it is on."""
    if changes_nothing(call, name, values, parents) or any(item.star for item in call.args):
        return False
    kind, enabled = device_type(call, name), _argument(call, "enabled", AUTOCASTS[name])
    is_on = enabled is None or values(enabled).const is True
    return not (is_on and (kind is None or isinstance(values(kind).const, str)))


def device_type(call: cst.Call, name: str) -> cst.BaseExpression | None:
    """The argument that says for which devices a context of mixed precision is; None where its name says so."""
    return _argument(call, "device_type", 0) if "device_type" in _parameters(name) else None


def options(call: cst.Call, name: str) -> dict[str, cst.BaseExpression]:
    """What a context of mixed precision is given of `device_type`, `dtype` and `enabled`."""
    found = {word: _argument(call, word, place) for place, word in enumerate(_parameters(name))}
    return {word: value for word, value in found.items() if value is not None}


def _parameters(name: str) -> tuple[str, ...]:
    return ("enabled", "dtype") if AUTOCASTS[name] == 0 else ("device_type", "dtype", "enabled")


def is_off(call: cst.Call, name: str, values: Callable[[cst.CSTNode], Value]) -> bool:
    """Whether `enabled` is False."""
    enabled = _argument(call, "enabled", AUTOCASTS[name])
    return enabled is not None and values(enabled).const is False


def _argument(call: cst.Call, name: str, place: int) -> cst.BaseExpression | None:
    plain = [item for item in call.args if item.keyword is None]
    named = (item.value for item in call.args if item.keyword is not None and item.keyword.value == name)
    if any(item.star for item in call.args[: place + 1]):
        return None
    return next(named, plain[place].value if place < len(plain) else None)


def _is_other_than_cpu(
    node: cst.CSTNode,
    device: str | None,
    values: Callable[[cst.CSTNode], Value],
    parents: Mapping[cst.CSTNode, cst.CSTNode],
) -> bool:
    """Whether a node stands in that arm of a conditional expression where `device` is not "cpu"."""
    around = parents.get(node)
    if device is None or not isinstance(around, cst.IfExp):
        return False
    match around.test:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
            is_asked = dotted(left) == device and values(right).const == "cpu"
            other = {cst.Equal: around.orelse, cst.NotEqual: around.body}.get(type(operator))
            return is_asked and other is node
    return False


__all__ = ["changes_nothing", "device_type", "is_off", "is_open", "options"]

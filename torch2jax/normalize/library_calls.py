"""Calls that make models of torchvision, with the weights under one name.

resnet18(pretrained=True)                                 ->   resnet18(weights="IMAGENET1K_V1")
resnet18(weights=ResNet18_Weights.DEFAULT, progress=True) ->   resnet18(weights="DEFAULT")
resnet18(False, num_classes=10)                           ->   resnet18(num_classes=10)
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.syntax.quote import quote

_FIRST = "IMAGENET1K_V1"
_KNOWN = frozenset({_FIRST, "IMAGENET1K_V2", "DEFAULT"})
Named = Callable[[cst.BaseExpression], str | None]


def weights_named(path: str) -> str | None:
    """The weights that a name of the library names."""
    parts = path.split(".")
    is_named = parts[0] == "torchvision" and len(parts) > 2 and parts[-2].endswith("_Weights")
    return parts[-1] if is_named and parts[-1] in _KNOWN else None


def call_with_weights(call: cst.Call, named: Named) -> cst.Call | None:
    """A call of a function that makes a model, with `weights` as text or None; None where what it gives is not to be seen."""
    plain = [arg for arg in call.args if arg.keyword is None and not arg.star]
    if len(plain) > 2:
        return None
    given = {arg.keyword.value: arg.value for arg in call.args if arg.keyword is not None}
    if plain and ("weights" in given or "pretrained" in given):
        return None
    kept = [arg for arg in call.args if arg not in plain and not _is_about_weights(arg)]
    if plain:
        value = _positional(plain[0].value, named)
    elif "pretrained" in given:
        value = _flag(given["pretrained"])
    else:
        value = _weights(given.get("weights", cst.Name("None")), named)
    if value is None:
        return None
    if not _is_nothing(value):
        bare = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        kept.insert(0, cst.Arg(value, keyword=cst.Name("weights"), equal=bare))
        kept[0] = kept[0].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
    if kept:
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return call.with_changes(args=kept)


def _is_about_weights(arg: cst.Arg) -> bool:
    return arg.keyword is not None and arg.keyword.value in ("weights", "pretrained", "progress")


def _is_nothing(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Name) and value.value in ("None", "False")


def _text(name: str) -> cst.BaseExpression:
    return cst.SimpleString(f'"{name}"')


def _flag(value: cst.BaseExpression) -> cst.BaseExpression:
    """The weights where a flag says whether there are any."""
    match value:
        case cst.Name("True"):
            return _text(_FIRST)
        case cst.Name("False" | "None"):
            return cst.Name("None")
    return quote(f'"{_FIRST}" if {{value}} else None', value=value.deep_clone())


def _positional(value: cst.BaseExpression, named: Named) -> cst.BaseExpression | None:
    """The first argument: weights, or the flag of former versions."""
    match value:
        case cst.Name("True" | "False") | cst.UnaryOperation(operator=cst.Not()) | cst.Comparison():
            return _flag(value)
    known = _weights(value, named)
    if known is None or not isinstance(value, (cst.Name, cst.Attribute)) or known is not value:
        return known
    if _is_nothing(value):
        return value
    return quote(f'"{_FIRST}" if {{value}} is True else {{again}} or None', value=value, again=value.deep_clone())


def _weights(value: cst.BaseExpression, named: Named) -> cst.BaseExpression | None:
    """Weights by name as text; None for names that are not known."""
    match value:
        case cst.SimpleString():
            return value if value.raw_value in _KNOWN else None
        case cst.IfExp(test=test, body=body, orelse=orelse):
            chosen, other = _weights(body, named), _weights(orelse, named)
            if chosen is None or other is None:
                return None
            return cst.IfExp(test.deep_clone(), chosen.deep_clone(), other.deep_clone())
        case cst.Name("True" | "False"):
            return _flag(value)
        case cst.Name("None"):
            return value
    name = named(value)
    if name is not None:
        return _text(name)
    return value if isinstance(value, (cst.Name, cst.Attribute)) else None


__all__ = ["call_with_weights", "weights_named"]

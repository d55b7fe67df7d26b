"""Torch signatures and the binding of a call's arguments to parameter names."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache

import libcst as cst

from torch2jax.records import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter: `default` is the text of its default (None: required); `variadic` takes several positional ones."""

    name: str
    default: str | None = None
    variadic: bool = False
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class Signature:
    parameters: tuple[Parameter, ...]
    takes_more: bool = False  # other keywords, which say nothing

    def __getitem__(self, name: str) -> Parameter:
        return next(parameter for parameter in self.parameters if parameter.name == name)

    @property
    def takes_anything(self) -> bool:
        """Whether no argument says anything, as those of `nn.Identity`."""
        return self.takes_more and all(parameter.variadic for parameter in self.parameters)

    def __contains__(self, name: str) -> bool:
        return any(parameter.name == name for parameter in self.parameters)


class SignatureError(ValueError):
    """A signature text that does not parse."""


@cache
def parse_signature(text: str) -> Signature:
    """Parse `"input, dim, keepdim=False"` or `"*size, dtype=None"`. Raises SignatureError."""
    try:
        function = ast.parse(f"def f({text}): ...").body[0]
    except SyntaxError as error:
        raise SignatureError(f"not a signature: {text!r}") from error
    assert isinstance(function, ast.FunctionDef)
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + [ast.unparse(node) for node in arguments.defaults]
    found = [Parameter(argument.arg, default) for argument, default in zip(plain, defaults, strict=True)]
    if arguments.vararg:
        found.append(Parameter(arguments.vararg.arg, "()", variadic=True))
    for argument, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(argument.arg, ast.unparse(node) if node else None, keyword_only=True))
    return Signature(tuple(found), arguments.kwarg is not None)


class BindError(ValueError):
    """The arguments of a call do not fit the signature; the message says why."""


Bound = cst.BaseExpression | tuple[cst.BaseExpression, ...]


@dataclass(frozen=True, slots=True)
class BoundArguments:
    """Arguments by parameter name; a variadic parameter holds a tuple of nodes. `method` tells a method call."""

    given: dict[str, Bound]
    method: bool = False

    def one(self, name: str) -> cst.BaseExpression | None:
        """The single node given for a parameter, or None."""
        value = self.given.get(name)
        if isinstance(value, tuple):
            return value[0] if len(value) == 1 else None
        return value


_NUMPY_SPELLINGS = {
    "axis": ("dim", "dims"),
    "keepdims": ("keepdim",),
    "x": ("input",),
    "a": ("input",),
    "x1": ("input",),
    "x2": ("other",),
}


def _torch_spelling(name: str, signature: Signature) -> str:
    """The parameter that a keyword means: torch takes NumPy's `axis`, `keepdims`, ... for its own names too."""
    if name in signature:
        return name
    return next((own for own in _NUMPY_SPELLINGS.get(name, ()) if own in signature), name)


# Where factors stood among the operands before they became keywords (`tools/autograd/deprecated.yaml` of PyTorch, which
# still takes them so), with the first operand: `torch.add(x, 2, y)`, `torch.addmm(1, x, 2, a, b)`.
_OLD_ORDERS = {
    frozenset({"alpha"}): ("_ alpha _",),
    frozenset({"value"}): ("_ value _ _",),
    frozenset({"beta", "alpha"}): ("beta _ alpha _ _", "beta _ _ _"),
}
_FACTORS = frozenset().union(*_OLD_ORDERS)


def _with_old_factors(signature: Signature, arguments: Sequence[cst.Arg], is_method: bool) -> Sequence[cst.Arg]:
    """The arguments with factors as keywords that are given by position among the operands."""
    operands = sum(not parameter.keyword_only for parameter in signature.parameters)
    given = sum(argument.keyword is None and not argument.star for argument in arguments) + is_method
    if given <= operands:
        return arguments
    factors = frozenset(item.name for item in signature.parameters if item.keyword_only and item.name in _FACTORS)
    for order in _OLD_ORDERS.get(factors, ()):
        names = order.split()
        if len(names) != given or names.count("_") != operands:
            continue
        if is_method:
            names.remove("_")
        named = [
            argument.with_changes(keyword=cst.Name(name)) if name != "_" else argument
            for name, argument in zip(names, arguments, strict=False)
        ]
        rest = [*named, *arguments[len(names) :]]
        return [*(item for item in rest if item.keyword is None), *(item for item in rest if item.keyword is not None)]
    return arguments


def bind(
    signature: Signature, arguments: Sequence[cst.Arg], receiver: cst.BaseExpression | None = None
) -> BoundArguments:
    """Bind call arguments; `receiver` (of a method call) is the first parameter. Raises BindError."""
    given: dict[str, Bound] = {}
    arguments = _with_old_factors(signature, arguments, receiver is not None)
    slots = [parameter for parameter in signature.parameters if not parameter.keyword_only]
    if receiver is not None:
        if not slots:
            raise BindError("takes no receiver")
        given[slots.pop(0).name] = receiver
        if not arguments and slots and slots[0].variadic:
            raise BindError(f"gets no `{slots[0].name}`")  # torch's methods take one value at least
    position = 0
    for argument in arguments:
        if argument.star == "**" and signature.takes_anything:
            continue
        if argument.star == "**":
            raise BindError("has `**` arguments")
        if argument.keyword is not None:
            name = _torch_spelling(argument.keyword.value, signature)
            if name not in signature and signature.takes_more:
                continue
            if name not in signature:
                raise BindError(f"has no parameter `{name}`")
            if name in given:
                raise BindError(f"gets `{name}` twice")
            given[name] = argument.value
            continue
        if position >= len(slots):
            raise BindError("gets too many arguments")
        parameter = slots[position]
        if argument.star == "*" and not parameter.variadic:
            raise BindError("has a `*` argument")
        if parameter.variadic:
            value = cst.StarredElement(argument.value) if argument.star else argument.value
            earlier = given.get(parameter.name, ())
            assert isinstance(earlier, tuple)
            given[parameter.name] = (*earlier, value)
            continue
        if parameter.name in given:
            raise BindError(f"gets `{parameter.name}` twice")
        given[parameter.name] = argument.value
        position += 1
    for parameter in signature.parameters:
        if parameter.default is None and parameter.name not in given:
            raise BindError(f"lacks `{parameter.name}`")
    return BoundArguments(given, receiver is not None)

"""Spells the samples of torch's operator database as source text: one small function for each form of a call."""

import cmath
import math
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

HEADER = "import torch\nimport torch.nn.functional as F\n"

_PREFIXES = {
    "F": F,
    "torch.linalg": torch.linalg,
    "torch.fft": torch.fft,
    "torch.special": torch.special,
    "torch": torch,
}
_NAMES = ("x", "y", "z", "w", "v", "u", "t", "s", "r", "q")

_OPERATORS = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.matmul: "@",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.lshift: "<<",
    operator.rshift: ">>",
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.iadd: "+=",
    operator.isub: "-=",
    operator.imul: "*=",
    operator.itruediv: "/=",
    operator.ifloordiv: "//=",
    operator.imod: "%=",
    operator.ipow: "**=",
    operator.imatmul: "@=",
    operator.iand: "&=",
    operator.ior: "|=",
    operator.ixor: "^=",
    operator.ilshift: "<<=",
    operator.irshift: ">>=",
}
_UNARY = {operator.neg: "-", operator.inv: "~", operator.invert: "~", operator.pos: "+"}
_REFLECTED = {
    "__radd__": "+",
    "__rdiv__": "/",
    "__rmul__": "*",
    "__rand__": "&",
    "__ror__": "|",
    "__rxor__": "^",
    "__rmatmul__": "@",
    "__rmod__": "%",
    "__rpow__": "**",
    "__rsub__": "-",
}


class Unspelled(Exception):
    """A sample that has no spelling as source text; the message says why."""


@dataclass(frozen=True, slots=True)
class Program:
    """One function of torch code: the form of its call, parameters with their values, and the lines of its body."""

    form: str
    parameters: tuple[str, ...]
    body: tuple[str, ...]
    tensors: tuple[torch.Tensor, ...]

    @property
    def key(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What makes the text; programs of equal keys are one function, called with several tensors."""
        return self.parameters, self.body

    def text(self, name: str) -> str:
        """The function under that name."""
        parameters = ", ".join(f"{parameter}: torch.Tensor" for parameter in self.parameters)
        return "\n".join([f"def {name}({parameters}):", *(f"    {line}" for line in self.body)])


def programs(op: Any, sample: Any) -> Iterator[Program | Unspelled]:
    """All forms of one sample of an operator, without those whose text is the same as an earlier one's."""
    arguments = (sample.input, *sample.args)
    seen = set()
    for form, build in _forms(op):
        try:
            program = build(form, arguments, sample.kwargs)
        except Unspelled as reason:
            yield Unspelled(f"{form}: {reason}")
            continue
        if program.key not in seen:
            seen.add(program.key)
            yield program


_Build = Callable[[str, Sequence[Any], dict[str, Any]], Program]


def _forms(op: Any) -> Iterator[tuple[str, _Build]]:
    if op.name in _REFLECTED:
        yield "operator", lambda form, args, kwargs: _reflected(form, _REFLECTED[op.name], args)
        return
    if op.name == "__getitem__":
        yield "operator", lambda form, args, kwargs: _subscript(form, args)
        return
    public = spelled_name(op.name)
    if op.name in ("svd_lowrank", "pca_lowrank"):  # the database's function multiplies its arguments first
        yield "function", lambda form, args, kwargs: _lowrank(form, f"torch.{op.name}", args, kwargs)
        return
    if public is not None and _resolve(op.name) is op.op:
        yield "function", lambda form, args, kwargs: _call(form, public, args, kwargs)
    else:
        yield "function", lambda form, args, kwargs: _traced(form, op.op, args, kwargs)
    yield from _member_forms("", op)
    if op.operator_variant is not None:
        yield "operator", lambda form, args, kwargs: _infix(form, op.operator_variant, args, kwargs)
    if op.inplace_operator_variant is not None:
        yield "augmented", lambda form, args, kwargs: _augmented(form, op.inplace_operator_variant, args, kwargs)
    for alias in op.aliases:
        name = spelled_name(alias.name.removeprefix("torch."))
        if name is not None:
            yield f"alias {name}", lambda form, args, kwargs, name=name: _call(form, name, args, kwargs)
        yield from _member_forms(f"alias {alias.name} ", alias)


def _member_forms(prefix: str, op: Any) -> Iterator[tuple[str, _Build]]:
    name = op.name.rpartition(".")[2]
    if op.method_variant is not None and hasattr(torch.Tensor, name):
        yield f"{prefix}method", lambda form, args, kwargs: _method(form, name, args, kwargs)
    inplace = name if name.endswith("_") else f"{name}_"
    if op.inplace_variant is not None and hasattr(torch.Tensor, inplace):
        yield f"{prefix}in-place", lambda form, args, kwargs: _in_place(form, inplace, args, kwargs)


def spelled_name(name: str) -> str | None:
    """How a program names the operator of that name in the database; None if torch has no such public function."""
    if any(part.startswith("_") for part in name.split(".")) or not callable(_resolve(name)):
        return None
    return f"F.{name.removeprefix('nn.functional.')}" if name.startswith("nn.functional.") else f"torch.{name}"


def _resolve(name: str) -> Any:
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


# The forms of a call.


def _call(form: str, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Program:
    speller = _Speller()
    return speller.program(form, f"return {name}({speller.arguments(args, kwargs)})")


def _method(form: str, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Program:
    speller = _Speller()
    target = speller.tensor(args[0])
    if isinstance(getattr(torch.Tensor, name), property | type(torch.Tensor.shape)):
        return speller.program(form, f"return {target}.{name}")
    return speller.program(form, f"return {target}.{name}({speller.arguments(args[1:], kwargs)})")


def _in_place(form: str, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Program:
    speller = _Speller()
    target = speller.tensor(args[0])
    call = f"{target}.{name}({speller.arguments(args[1:], kwargs)})"
    return speller.program(form, f"{target} = {target}.clone()", call, f"return {target}")


def _infix(form: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Program:
    speller = _Speller()
    if kwargs or not any(isinstance(arg, torch.Tensor) for arg in args):
        raise Unspelled("an operator takes no keywords")
    if len(args) == 1 and function in _UNARY:
        return speller.program(form, f"return {_UNARY[function]}{speller.tensor(args[0])}")
    if len(args) == 2 and function in _OPERATORS:
        left, right = (speller.operand(arg) for arg in args)
        return speller.program(form, f"return {left} {_OPERATORS[function]} {right}")
    raise Unspelled("not the operands of an operator")


def _augmented(form: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Program:
    speller = _Speller()
    if kwargs or len(args) != 2 or function not in _OPERATORS:
        raise Unspelled("not the operands of an assignment")
    target, value = speller.tensor(args[0]), speller.operand(args[1])
    return speller.program(
        form, f"{target} = {target}.clone()", f"{target} {_OPERATORS[function]} {value}", f"return {target}"
    )


def _reflected(form: str, sign: str, args: Sequence[Any]) -> Program:
    speller = _Speller()
    right, left = (speller.operand(arg) for arg in args)
    return speller.program(form, f"return {left} {sign} {right}")


def _lowrank(form: str, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Program:
    speller = _Speller()
    left, right = map(speller.tensor, args)
    rest = "".join(f", {key}={speller.value(value)}" for key, value in kwargs.items())
    return speller.program(form, f"return {name}({left} @ {right}.mT{rest})")


def _subscript(form: str, args: Sequence[Any]) -> Program:
    speller = _Speller()
    target = speller.tensor(args[0])
    index = args[1]
    parts = [speller.index(part) for part in index] if isinstance(index, tuple) else [speller.index(index)]
    inside = ", ".join(parts) + ("," if isinstance(index, tuple) and len(parts) == 1 else "")
    return speller.program(form, f"return {target}[{inside or '()'}]")


@dataclass
class _Speller:
    """Gives names to tensors, in the order in which they are met, and writes everything else as literals."""

    names: dict[int, str] = field(default_factory=dict)
    tensors: list[torch.Tensor] = field(default_factory=list)

    def program(self, form: str, *body: str) -> Program:
        parameters = tuple(self.names[id(tensor)] for tensor in self.tensors)
        return Program(form, parameters, body, tuple(self.tensors))

    def tensor(self, value: Any) -> str:
        if not isinstance(value, torch.Tensor):
            raise Unspelled(f"no tensor in front: {type(value).__name__}")
        if id(value) not in self.names:
            if value.layout is not torch.strided or value.is_nested:
                raise Unspelled("a sparse or nested tensor")
            count = len(self.tensors)
            self.names[id(value)] = _NAMES[count] if count < len(_NAMES) else f"x{count}"
            self.tensors.append(value)
        return self.names[id(value)]

    def arguments(self, args: Sequence[Any], kwargs: dict[str, Any]) -> str:
        return ", ".join([*map(self.value, args), *(f"{name}={self.value(value)}" for name, value in kwargs.items())])

    def operand(self, value: Any) -> str:
        text = self.value(value)
        return f"({text})" if text.startswith("-") else text

    def index(self, value: Any) -> str:
        if not isinstance(value, slice):
            return self.value(value)
        start, stop, step = ("" if part is None else self.value(part) for part in (value.start, value.stop, value.step))
        return f"{start}:{stop}" + (f":{step}" if step else "")

    def value(self, value: Any) -> str:
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if isinstance(value, list):
            return f"[{', '.join(map(self.value, value))}]"
        if isinstance(value, tuple):
            return f"({', '.join(map(self.value, value))}{',' if len(value) == 1 else ''})"
        if isinstance(value, dict):
            return f"{{{', '.join(f'{key!r}: {self.value(item)}' for key, item in value.items())}}}"
        return literal(value)


def literal(value: Any) -> str:
    """A value without tensors, as a person would write it."""
    match value:
        case np.generic():
            return literal(value.item())
        case float() if not math.isfinite(value):
            return f'float("{value}")'
        case complex() if not cmath.isfinite(value):
            return f'complex("{value}")'
        case None | bool() | int() | float() | complex():
            return repr(value)
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case torch.dtype() | torch.layout() | torch.memory_format():
            return str(value)
        case torch.device():
            return f'"{value}"'
        case slice():
            return f"slice({literal(value.start)}, {literal(value.stop)}, {literal(value.step)})"
        case type() if value in (bool, int, float, complex):
            return value.__name__
    if value is Ellipsis:
        return "..."
    try:
        name = _public_names().get(value)
    except TypeError:
        name = None
    if name is None:
        raise Unspelled(f"no literal for {type(value).__name__}")
    return name


@cache
def _public_names() -> dict[Any, str]:
    """Public function -> its name in a program; methods under `Tensor.`."""
    found: dict[Any, str] = {}
    for prefix, module in {**_PREFIXES, "Tensor": torch.Tensor}.items():
        for name in dir(module):
            value = getattr(module, name, None)
            if callable(value) and not isinstance(value, type) and (not name.startswith("_") or prefix == "Tensor"):
                found.setdefault(value, f"{prefix}.{name}")
    return found


# Operators that the database has as a function of its own, not as torch's: record what that function calls.


@dataclass(frozen=True, slots=True)
class _Recorded:
    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any


class _Recorder(TorchFunctionMode):
    def __init__(self) -> None:
        super().__init__()
        self.calls: list[_Recorded] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self.calls.append(_Recorded(func, tuple(args), dict(kwargs or {}), result))
        return result


def _traced(form: str, function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Program:
    """Spell what a function of the database itself calls, one call a line."""
    speller = _Speller()
    for value in args:
        if isinstance(value, torch.Tensor):
            speller.tensor(value)
    copies: dict[int, Any] = {}
    fresh = [_copied(value, copies) for value in args]
    fresh_kwargs = {name: _copied(value, copies) for name, value in kwargs.items()}
    speller.names.update({id(copies[id(tensor)]): speller.names[id(tensor)] for tensor in list(speller.tensors)})
    with _Recorder() as recorder:
        try:
            result = function(*fresh, **fresh_kwargs)
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as error:
            raise Unspelled(f"torch raises {type(error).__name__}: {error}".splitlines()[0]) from error
    originals = {
        id(copy): original for original, copy in ((_find(args, kwargs, key), copy) for key, copy in copies.items())
    }
    lines: list[str] = []
    known: dict[int, str] = {}
    for number, call in enumerate(recorder.calls):
        lines += _line(speller, call, f"v{number}", originals, known)
    lines = _without_unused([*lines, f"return {_back(speller, result, originals, known)}"])
    if len(lines) == 2 and lines[0].startswith("v0 = ") and lines[1] == "return v0":
        lines = [f"return {lines[0].removeprefix('v0 = ')}"]
    return speller.program(form, *lines)


def _without_unused(lines: Sequence[str]) -> list[str]:
    """Leave out what is read only by the database's own checks, such as the device."""
    kept: list[str] = []
    for line in reversed(lines):
        name = re.match(r"(v\d+) = ", line)
        if name is None or "_(" in line or any(re.search(rf"\b{name[1]}\b", later) for later in kept):
            kept.insert(0, line)
    return kept


def _line(
    speller: _Speller, call: _Recorded, name: str, originals: dict[int, torch.Tensor], known: dict[int, str]
) -> list[str]:
    texts = [_back(speller, value, originals, known) for value in call.args]
    keywords = [f"{key}={_back(speller, value, originals, known)}" for key, value in call.kwargs.items()]
    if getattr(call.function, "__name__", "") == "__get__":
        return _remember(call.result, f"{texts[0]}.{call.function.__self__.__name__}", name, known)
    public = _public_names().get(call.function)
    if public is None:
        raise Unspelled(f"calls {getattr(call.function, '__name__', call.function)!r}, which is not public")
    if not public.startswith("Tensor."):
        return _remember(call.result, f"{public}({', '.join([*texts, *keywords])})", name, known)
    method = public.removeprefix("Tensor.")
    text = f"{texts[0]}.{method}({', '.join([*texts[1:], *keywords])})"
    if method.startswith("__"):
        raise Unspelled(f"calls {method}")
    if not method.endswith("_"):
        return _remember(call.result, text, name, known)
    copy = [] if id(call.args[0]) in known else [f"{texts[0]} = {texts[0]}.clone()"]
    known[id(call.args[0])] = known[id(call.result)] = texts[0]
    return [*copy, text]


def _remember(result: Any, text: str, name: str, known: dict[int, str]) -> list[str]:
    if isinstance(result, torch.Tensor):
        known[id(result)] = name
    elif isinstance(result, tuple | list):
        known[id(result)] = name
        known.update(
            {id(item): f"{name}[{place}]" for place, item in enumerate(result) if isinstance(item, torch.Tensor)}
        )
    else:
        known[id(result)] = name
    return [f"{name} = {text}"]


def _back(speller: _Speller, value: Any, originals: dict[int, torch.Tensor], known: dict[int, str]) -> str:
    if id(value) in known and not isinstance(value, bool | int | str | type(None)):
        return known[id(value)]
    if isinstance(value, torch.Tensor):
        if id(value) not in originals:
            raise Unspelled("uses a tensor of its own")
        return speller.tensor(originals[id(value)])
    if isinstance(value, list | tuple):
        inner = ", ".join(_back(speller, item, originals, known) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    if id(value) in known:
        return known[id(value)]
    return literal(value)


def _copied(value: Any, copies: dict[int, Any]) -> Any:
    if isinstance(value, torch.Tensor):
        return copies.setdefault(id(value), value.detach().clone())
    if type(value) in (list, tuple):
        return type(value)(_copied(item, copies) for item in value)
    return value


def _find(args: Sequence[Any], kwargs: dict[str, Any], key: int) -> torch.Tensor:
    def walk(value: Any) -> Iterator[torch.Tensor]:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, list | tuple):
            for item in value:
                yield from walk(item)

    return next(tensor for value in [*args, *kwargs.values()] for tensor in walk(value) if id(tensor) == key)

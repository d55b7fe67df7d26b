"""The texts that an expression may be, as far as a program says: first values of parameters, arguments of their calls, choices of options.

parser.add_argument("--act", default="relu", choices=["relu", "elu"])
Net(args.act)                                  name: "relu", "elu", and nothing else
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from torch2jax.facts.command_options import option_name
from torch2jax.facts.infer import Values
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Function, Program
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants

_SPELLED = frozenset({"capitalize", "lower", "strip", "title", "upper"})
_MOST = 64  # more texts than that are none that a program chooses from


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts in the order in which they are found; `is_whole` says that there can be no others."""

    found: tuple[str, ...] = ()
    is_whole: bool = False

    def __add__(self, other: Texts) -> Texts:
        return Texts(tuple(dict.fromkeys((*self.found, *other.found))), self.is_whole and other.is_whole)


_NONE_YET, _OPEN = Texts(is_whole=True), Texts()


def texts_of(program: Program, values: Values, node: cst.BaseExpression) -> Texts:
    """The texts that an expression of a file may be; others are left out, None among them."""
    return _Search(program, values, set()).of(node)


def _all(items: Iterable[Texts]) -> Texts:
    return sum(items, _NONE_YET)


@dataclass(frozen=True, slots=True)
class _Search:
    program: Program
    values: Values
    seen: set[cst.CSTNode]
    """What has been looked at on the way: a function that calls itself with what it is given tells nothing new."""

    def of(self, node: cst.BaseExpression) -> Texts:
        const = self.values(node).const
        if isinstance(const, str):
            return Texts((const,), is_whole=True)
        if const is None or node in self.seen:
            return _NONE_YET
        self.seen.add(node)
        match node:
            case cst.SimpleString() if isinstance(node.evaluated_value, str):
                return Texts((node.evaluated_value,), is_whole=True)
            case cst.IfExp(body=body, orelse=orelse):
                return self.of(body) + self.of(orelse)
            case cst.BooleanOperation(left=left, right=right):
                return self.of(left) + self.of(right)
            case cst.FormattedString(parts=parts):
                return _joined([self.of_part(part) for part in parts])
            case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
                return _joined([self.of(left), self.of(right)])
            case cst.Call(func=cst.Attribute(value=text, attr=cst.Name(method)), args=[]) if method in _SPELLED:
                inner = self.of(text)
                return Texts(tuple(dict.fromkeys(getattr(item, method)() for item in inner.found)), inner.is_whole)
            case cst.Call(func=cst.Attribute(attr=cst.Name("get")), args=[_, cst.Arg(value=default)]):
                return self.of(default) + _OPEN
            case cst.Name():
                return self.of_variable(node)
            case cst.Attribute():
                return self.of_field(node)
        return _OPEN

    def of_part(self, part: cst.BaseFormattedStringContent) -> Texts:
        match part:
            case cst.FormattedStringText(value=text):
                return Texts((text,), is_whole=True)
            case cst.FormattedStringExpression(expression=value, conversion=None, format_spec=None):
                return self.of(value)
        return _OPEN

    def of_variable(self, name: cst.Name) -> Texts:
        bound = self.program.home(name).definitions.of(name)
        found = _NONE_YET if bound else _OPEN
        for item in bound:
            function = self.program.home(name).function_around(item.node)
            if item.how is How.ASSIGNED and item.value is not None:
                found += self.of(item.value)
            elif item.how is How.NEXT and isinstance(item.value, (cst.List, cst.Tuple, cst.Set)):
                found += _all(self.of(element.value) for element in item.value.elements)
            elif item.how is How.PARAMETER and function is not None:
                found += self.of_parameter(function, name.value)
            else:
                found += _OPEN
        return found

    def of_parameter(self, function: Function, name: str) -> Texts:
        """Its first value, and what all calls in sight give for it."""
        default = next((item.default for item in function.parameters if item.name.value == name), None)
        found = self.of(default) if default is not None else _NONE_YET
        own = [call for call in function.callers if isinstance(call, cst.Call)]
        calls = list(dict.fromkeys((*own, *self.values.calls_of(function))))  # those of other files, too
        for call in calls:
            given = dict(arguments_by_parameter(function, call, self.values))
            if name in given:
                found += self.of(given[name])
            elif default is None or any(item.star for item in call.args):
                found += _OPEN
        is_used_elsewhere = bool(function.seen_elsewhere) or self.program.home(function.node).is_imported
        is_seen = bool(calls) and len(own) == len(function.callers)
        return found if is_seen and (self.program.are_users_known or not is_used_elsewhere) else found + _OPEN

    def of_field(self, field: cst.Attribute) -> Texts:
        """What is stored in fields of that name, and the choices of an option."""
        name, found = field.attr.value, list[Texts]()
        for file in self.program.files:
            found += [self.of(item) for item in _stored(file, name)]
            found += [self.of(item) + _OPEN for item in _first_values(file, name)]
            found += [self.of_option(call) for call in file.index.calls if option_name(call) == name]
        is_seen = bool(found) and (self.program.are_users_known or not self.program.is_imported)
        return _all(found) if is_seen else _all(found) + _OPEN

    def of_option(self, call: cst.Call) -> Texts:
        """The first value and the choices of an option of a command."""
        said = {item.keyword.value: item.value for item in call.args if item.keyword is not None}
        choices = said.get("choices")
        found = self.of(said["default"]) if "default" in said else _NONE_YET
        if isinstance(choices, (cst.List, cst.Tuple, cst.Set)):
            return found + _all(self.of(item.value) for item in choices.elements)
        return found + _OPEN


def _joined(parts: Sequence[Texts]) -> Texts:
    """All texts that begin with one of the first texts, go on with one of the second, and so on."""
    is_whole = all(part.is_whole for part in parts)
    several = itertools.islice(itertools.product(*(part.found for part in parts)), _MOST + 1)
    found = tuple(dict.fromkeys(map("".join, several)))
    return Texts(found, is_whole) if len(found) <= _MOST else _OPEN


def _stored(file: Program, name: str) -> Iterator[cst.BaseExpression]:
    """What a file stores in fields of some name: `self.act = act`."""
    for node in file.index.attributes:
        target = file.index.parents[node] if node.attr.value == name else None
        assign = file.index.parents[target] if isinstance(target, cst.AssignTarget) else target
        if isinstance(assign, (cst.Assign, cst.AnnAssign)) and assign.value is not None and assign.value is not node:
            yield assign.value


def _first_values(file: Program, name: str) -> Iterator[cst.BaseExpression]:
    """What classes of a file have under some name: `act: str = "relu"`."""
    for item in file.classes.values():
        for line in descendants(item.node.body, cst.AnnAssign):
            if isinstance(line.target, cst.Name) and line.target.value == name and line.value is not None:
                yield line.value


__all__ = ["Texts", "texts_of"]

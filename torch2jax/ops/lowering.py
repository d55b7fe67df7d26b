"""Lower one bound call to a target expression by its row: choose the alternative, fill the holes.

A keyword `k={p}` of a template is left out where the argument is absent or equals torch's default (rows are written so that
JAX's default is the same; `{p!}` is always printed). `{p|axes}` turns a list of axes into a tuple; a variadic parameter in
a plain hole becomes a tuple, in `{*p}` it is written out, and `{*p|each}` spreads one argument that holds all of the values.
`{p|owner}` is `x` of `x.shape`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import libcst as cst

from torch2jax.ops.rules import Facts, holds
from torch2jax.ops.schema import Alternative
from torch2jax.ops.signatures import Bound
from torch2jax.records import dataclass
from torch2jax.syntax.quote import Hole, quote
from torch2jax.values import NOTHING, Kind

_HOLE = re.compile(r"\{(\*?)([A-Za-z_]\w*)(!?)(?:\|(\w+))?\}")
IGNORED = frozenset(
    {
        "validate_args",
        "device",
        "layout",
        "pin_memory",
        "volatile",
        "memory_format",
        "non_blocking",
        "requires_grad",
        "inplace",
        "copy_if_needed",
    }
    | {
        "params",
        "optimizer",
        "foreach",
        "fused",
        "capturable",
    }  # of optimizers and schedulers: what they update is bound elsewhere; only speed differs
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """No spelling applies: `argument` is the one that none takes (None: `reason` says all)."""

    reason: str
    argument: str | None = None


@dataclass(frozen=True, slots=True)
class Lowered:
    """A chosen spelling: a template whose holes are filled from `arguments` (original nodes) when it is built."""

    template: str
    arguments: Mapping[str, Bound]
    defaults: Mapping[str, str]
    tuples: frozenset[str]

    @property
    def draws(self) -> bool:
        """Whether the spelling needs a random key: `{key}`, or `{rng}` where torch has an argument named `key`."""
        return "{rng}" in self.template or ("{key}" in self.template and "key" not in self.arguments)

    def build(self, rewrite: Callable[[cst.CSTNode], cst.CSTNode], **extra: Hole) -> cst.BaseExpression:
        """The expression, its arguments rewritten; `extra` fills holes such as `key`."""
        holes: dict[str, Hole] = dict(extra)
        if "key" in self.arguments and "key" in holes:
            holes["rng"] = holes.pop("key")
        for hole, name, modifier in _holes(self.template):
            if hole not in holes:
                holes[hole] = self._argument(name, modifier, rewrite)
        return _without_double_not(_without_idle_partial(quote(_plain(self.template), **holes)))

    def _argument(self, name: str, modifier: str | None, rewrite: Callable[[cst.CSTNode], cst.CSTNode]) -> Hole:
        value = self.arguments.get(name)
        if value is None:
            return _modified(cst.parse_expression(self.defaults[name]), modifier)
        if isinstance(value, tuple):
            rewritten = [_rewritten(item, rewrite) for item in value]
            if modifier == "each" and not isinstance(rewritten[0], cst.StarredElement):
                return [cst.Arg(rewritten[0], star="*")]  # type: ignore[list-item, arg-type]
            if name not in self.tuples:
                in_display = f"[{{*{name}}}]" in self.template
                return rewritten if in_display else _as_arguments(rewritten)  # type: ignore[return-value, arg-type]
            return as_tuple(rewritten)
        node = _rewritten(value, rewrite)
        assert isinstance(node, cst.BaseExpression)
        return _modified(node, modifier)


def _rewritten(item: cst.BaseExpression, rewrite: Callable[[cst.CSTNode], cst.CSTNode]) -> cst.CSTNode:
    """An argument. What binding has made is not in the program, and what it was made of is: `xs` of `*xs`, the flag of a choice."""
    if isinstance(item, cst.StarredElement):
        return item.with_changes(value=rewrite(item.value))
    node = rewrite(item)
    if node is item and isinstance(item, cst.IfExp):
        test = rewrite(item.test)
        return node if test is item.test else item.with_changes(test=test)
    return node


def _without_idle_partial(node: cst.BaseExpression) -> cst.BaseExpression:
    """`partial(f)`, its options all left out, is `f`; also as the only argument of a call."""
    if isinstance(node, cst.Call) and len(node.args) == 1 and not node.args[0].star:
        inner = node.args[0].value
        if isinstance(node.func, cst.Name) and node.func.value == "partial":
            return inner
        plain = _without_idle_partial(inner)
        return node if plain is inner else node.with_changes(args=[node.args[0].with_changes(value=plain)])
    return node


def _without_double_not(node: cst.BaseExpression) -> cst.BaseExpression:
    """`f(inference=not not flag)` is `f(inference=flag)`: flags of modules are booleans."""
    if not isinstance(node, cst.Call):
        return node
    if not any(_denied_twice(item.value) for item in node.args):
        return node
    arguments = [item.with_changes(value=_denied_twice(item.value) or item.value) for item in node.args]
    return node.with_changes(args=arguments)


def _denied_twice(node: cst.BaseExpression) -> cst.Attribute | None:
    """The field below `not not self.flag`."""
    if type(node) is not cst.UnaryOperation:  # most are not: asked first, since class patterns are slow
        return None
    match node:
        case cst.UnaryOperation(cst.Not(), cst.UnaryOperation(cst.Not(), cst.Attribute() as flag)):
            return flag
    return None


def _as_arguments(nodes: list[cst.BaseExpression]) -> list[cst.BaseExpression | cst.Arg]:
    """Values for an argument list, where `*xs` is an argument with a star."""
    return [cst.Arg(node.value, star="*") if isinstance(node, cst.StarredElement) else node for node in nodes]


MODIFIERS = ("axes", "first", "second", "each", "owner")


def _modified(node: cst.BaseExpression, modifier: str | None) -> cst.BaseExpression:
    """Apply a hole's modifier: `axes` makes a list display a tuple, `first` and `second` take an element of a pair, `owner`
    what an attribute is read from.
    """
    if modifier is None:
        return node
    if modifier == "owner":
        return cst.ensure_type(node, cst.Attribute).value
    display = isinstance(node, (cst.Tuple, cst.List))
    if modifier == "axes" and isinstance(node, cst.List):
        return as_tuple([element.value for element in node.elements])
    if modifier in ("first", "second"):
        position = MODIFIERS.index(modifier) - 1
        return node.elements[position].value if display else quote(f"{{pair}}[{position}]", pair=node)  # type: ignore[attr-defined]
    return node


def _hole_key(match: re.Match[str]) -> str:
    return f"{match[2]}__{match[4]}" if match[4] else match[2]


def as_tuple(nodes: Sequence[Any]) -> cst.BaseExpression:
    """`(a, b)`; one starred element stays a display."""
    elements = [
        cst.StarredElement(node.value) if isinstance(node, cst.StarredElement) else cst.Element(node) for node in nodes
    ]
    if len(elements) == 1:
        elements[0] = elements[0].with_changes(comma=cst.Comma())
    return cst.Tuple(elements)


@cache
def _holes(template: str) -> tuple[tuple[str, str, str | None], ...]:
    """The key, the name and the modifier of each hole."""
    return tuple((_hole_key(match), match[2], match[4]) for match in _HOLE.finditer(template))


@cache
def _plain(template: str) -> str:
    return _HOLE.sub(lambda match: f"{{{match[1]}{_hole_key(match)}}}", template)


_LATER_KEYWORD = re.compile(r",\s*\b\w+=\{(\w+)(?:\|\w+)?\}(?=\s*[,)])")
_FIRST_KEYWORD = re.compile(r"(?<=\()\b\w+=\{(\w+)(?:\|\w+)?\}(?:,\s*|(?=\)))")


@cache
def _without_keyword(template: str, name: str) -> str:
    """The template without the keyword arguments `k={name}` that may be left out (not those marked `!`)."""
    template = _LATER_KEYWORD.sub(lambda match: "" if match[1] == name else match[0], template)
    return _FIRST_KEYWORD.sub(lambda match: "" if match[1] == name else match[0], template)


def choose(alternatives: tuple[Alternative, ...], facts: Facts) -> Alternative | None:
    """The first alternative whose condition is known to hold."""
    for alternative in alternatives:
        if alternative.when is None or holds(alternative.when, facts):
            return alternative
    return None


def lower(alternatives: tuple[Alternative, ...], facts: Facts) -> Lowered | Refusal:
    """Choose and prepare a spelling; a given argument that the spelling has no place for is a refusal."""
    chosen = choose(alternatives, facts)
    if chosen is None:
        return Refusal("no spelling applies to these arguments")
    if chosen.emit is None:
        return Refusal(chosen.flag or "not translated")
    template = chosen.emit
    for parameter in facts.signature.parameters:
        if _is_default(parameter.name, facts):
            template = _without_keyword(template, parameter.name)
    matches = list(_HOLE.finditer(template))
    used = {match[2] for match in _HOLE.finditer(chosen.emit)} | _asked(chosen.when)
    for name in facts.bound.given:
        if name not in used and name not in IGNORED and not _is_default(name, facts):
            return Refusal(f"the argument `{name}` has no counterpart", name)
    splatted = {match[2] for match in matches if match[1]}
    variadic = {parameter.name for parameter in facts.signature.parameters if parameter.variadic}
    return Lowered(
        template,
        _arguments(facts, variadic, splatted),
        {p.name: p.default for p in facts.signature.parameters if p.default is not None},
        frozenset(variadic - splatted),
    )


@cache
def _asked(when: str | None) -> frozenset[str]:
    """Parameters that a condition has settled by an equality or a test of presence."""
    return frozenset(re.findall(r"(?:const|is_none|absent|given)\((\w+)\)", when or ""))


def _arguments(facts: Facts, variadic: set[str], splatted: set[str]) -> dict[str, Bound]:
    """The bound arguments; a variadic one given as a single sequence stands for that sequence."""
    result: dict[str, Bound] = {}
    for name, value in facts.bound.given.items():
        if name in variadic and not isinstance(value, tuple):
            value = (value,)
        if name in variadic and isinstance(value, tuple) and len(value) == 1:
            result[name] = _single_variadic(value[0], name in splatted, facts)
        else:
            result[name] = value
    return result


def _single_variadic(node: cst.BaseExpression, splatted: bool, facts: Facts) -> Bound:
    if isinstance(node, cst.StarredElement):
        return (node,)
    if splatted and isinstance(node, (cst.Tuple, cst.List)):
        return tuple(element if isinstance(element, cst.StarredElement) else element.value for element in node.elements)
    if splatted:
        return (node,)
    if isinstance(node, cst.List):
        return tuple(element if isinstance(element, cst.StarredElement) else element.value for element in node.elements)
    return node


def _is_default(name: str, facts: Facts) -> bool:
    if not facts.given(name):
        return True
    default = facts.signature[name].default
    if default is None:
        return False
    value = facts.value(name)
    if value.const is NOTHING and not value.is_a(Kind.TUPLE):
        return False
    given = facts.constant(name)
    try:
        return repr(given) == repr(_literal(default)) and not isinstance(given, (list, dict))
    except ValueError:
        return False


@cache
def _literal(text: str) -> object:
    import ast

    return ast.literal_eval(text)

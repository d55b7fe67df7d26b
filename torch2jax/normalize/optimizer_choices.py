"""Decisions in the step of an optimizer that only compiled code takes: both ways are computed, and one is chosen.

if p_norm != 0 and g_norm != 0:          ->    ratio = torch.where(torch.logical_and(p_norm != 0, g_norm != 0), p_norm / g_norm, ratio)
    ratio = p_norm / g_norm

A step has no gradients taken of it: what the other way gives, NaN too, goes nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import libcst as cst

from torch2jax.normalize.rounds import CannotNormalize
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants

_Line = cst.BaseStatement


def as_condition(test: cst.BaseExpression, is_traced: Callable[[cst.CSTNode], bool]) -> cst.BaseExpression:
    """A test in words for arrays; what is known before is asked first, as it was."""
    match test:
        case cst.BooleanOperation(left=left, operator=operator, right=right) if is_traced(test):
            sides = [as_condition(side, is_traced) for side in (left, right)]
            if not is_traced(left):
                return test.with_changes(left=sides[0], right=sides[1])
            word = "and" if isinstance(operator, cst.And) else "or"
            return quote(f"torch.logical_{word}({{a}}, {{b}})", a=sides[0], b=sides[1])
        case cst.UnaryOperation(operator=cst.Not(), expression=asked) if is_traced(asked):
            return quote("torch.logical_not({a})", a=as_condition(asked, is_traced))
        case cst.Comparison(comparisons=[_, _, *_]) if is_traced(test):
            raise CannotNormalize
    return test


@dataclass(slots=True)
class Choice:
    """A decision between two ways. `bound` are the variables and entries that have a value before it, `same` says for which
    entry of the state a variable stands behind it, and `is_later` what is read there.
    """

    test: cst.BaseExpression
    then: list[_Line]
    other: list[_Line]
    bound: frozenset[str]
    same: Mapping[str, str]
    fresh: FreshNames
    is_later: Callable[[str], bool]

    def statements(self) -> list[_Line]:
        """Both ways, and what is chosen."""
        entries = self.take_entries()
        places = {**places_of(self.then), **places_of(self.other)}
        on_both = places_of(self.then, on_each_way=True).keys() & places_of(self.other, on_each_way=True).keys()
        wanted = [text for text in places if text in entries.values() or self.is_later(text)]
        merged = [text for text in wanted if text in self.bound or text in on_both]
        if any("[" in text for text in set(wanted) - set(merged)):
            raise CannotNormalize  # an entry of the state that is there from a step on
        behind = [quote_statement(f"{entry} = {name}") for entry, name in entries.items()]
        lines = [*self.then, *self.other]
        is_short = len(self.then) <= 1 and len(self.other) <= 1 and not any(isinstance(line, cst.If) for line in lines)
        if len(places) == len(merged) == 1 and is_short:
            (text,) = merged
            a, b = (_value(lines[0]) if lines else cst.parse_expression(text) for lines in (self.then, self.other))
            return [quote_statement(f"{text} = torch.where({{test}}, {{a}}, {{b}})", test=self.test, a=a, b=b), *behind]
        return [*self.both(merged), *behind]

    def both(self, merged: Sequence[str]) -> list[_Line]:
        changed, others = places_of(self.then), places_of(self.other)
        asked = {code(node) for line in self.other for node in descendants(line, cst.Name, cst.Subscript)}
        kept = [text for text in {**changed, **others} if text in self.bound and (text in merged or text in asked)]
        chosen = self.fresh("chosen")
        before = {text: self.fresh(f"{_word(text)}_before") for text in kept}
        made = [quote_statement(f"{chosen} = {{test}}", test=self.test)]
        made += [quote_statement(f"{name} = {text}") for text, name in before.items()]
        made += self.then
        taken = {text: text if not self.other else before.get(text, "") for text in merged}
        if self.other:
            for text in changed:
                if text in merged:
                    taken[text] = self.fresh(f"{_word(text)}_then")
                    made.append(quote_statement(f"{taken[text]} = {text}"))
                made += [quote_statement(f"{text} = {before[text]}")] if text in before else []
        made += self.other
        for text in merged:
            left = text if others else before[text]
            made.append(quote_statement(f"{text} = torch.where({chosen}, {taken[text]}, {left})"))
        return made

    def take_entries(self) -> dict[str, str]:
        """Entries of the state for which a variable stands on both ways are written once, behind them."""
        found = {}
        names = {**places_of(self.then), **places_of(self.other)}
        for name, entry in self.same.items():
            lines = [line for line in (*self.then, *self.other) if _writes(line, entry, name)]
            if "[" not in entry or name not in names or name not in self.bound or not lines:
                continue
            rest = [line for line in (*self.then, *self.other) if line not in lines]
            if any(code(node) == entry for line in rest for node in descendants(line, cst.Subscript)):
                continue
            self.then = [line for line in self.then if line not in lines]
            self.other = [line for line in self.other if line not in lines]
            found[entry] = name
        return found


def _value(line: _Line) -> cst.BaseExpression:
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(value=value)]):
            return value
    raise CannotNormalize


def _writes(line: _Line, entry: str, name: str) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[target], value=value)]):
            return code(target.target) == entry and code(value) == name
    return False


def places_of(lines: Sequence[_Line], *, on_each_way: bool = False) -> dict[str, None]:
    """What statements give new values to, as text; with `on_each_way`, what they do whatever they decide."""
    found: dict[str, None] = {}
    for line in lines:
        match line:
            case cst.If(body=cst.IndentedBlock(body=then), orelse=orelse):
                rest = orelse.body.body if isinstance(orelse, cst.Else) else [orelse] if orelse is not None else []
                ways = [places_of(way, on_each_way=on_each_way) for way in (then, rest)]  # type: ignore[arg-type]
                both = {text: None for text in ways[0] if text in ways[1]}
                found |= both if on_each_way else {**ways[0], **ways[1]}
            case cst.SimpleStatementLine(body=[cst.Assign(targets=targets)]):
                parts = [
                    item.value for one in targets if isinstance(one.target, cst.Tuple) for item in one.target.elements
                ]
                for part in [*(one.target for one in targets if not isinstance(one.target, cst.Tuple)), *parts]:
                    if not isinstance(part, (cst.Name, cst.Subscript)):
                        raise CannotNormalize
                    found[code(part)] = None
            case cst.SimpleStatementLine(body=[cst.Pass()]):
                pass
            case _:
                raise CannotNormalize
    return found


def _word(text: str) -> str:
    """A name for what stands at a place: `mu` of `mu` and of `state["mu"]`."""
    word = text.rpartition("[")[2].strip("[]\"'")
    return word if word.isidentifier() else "entry"


__all__ = ["Choice", "as_condition", "places_of"]

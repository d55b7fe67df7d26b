"""Which variables and entries of the state of an optimizer share their storage at a point of its step.

exp_avg = state["exp_avg"]      the same tensor
full = p.data.float()           the same tensor where the parameter has that type
row = exp_avg[0]                may share its storage
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from torch2jax.records import dataclass

VIEWS = frozenset(
    "H T adjoint alias as_strided as_tensor asarray atleast_1d atleast_2d atleast_3d bfloat16 broadcast_to"
    " chunk contiguous cpu cuda data detach diagonal double dsplit expand expand_as flatten float half hsplit"
    " imag mH mT moveaxis movedim narrow permute pin_memory positive ravel real requires_grad_ reshape"
    " reshape_as resolve_conj resolve_neg select split split_with_sizes squeeze swapaxes swapdims t"
    " tensor_split to transpose type type_as unbind unflatten unfold unsafe_chunk unsafe_split unsqueeze view"
    " view_as view_as_complex view_as_real vsplit".split()
)  # what may share the storage of what it is asked of


@dataclass(slots=True)
class Storage:
    """`same` says for what a variable stands, `casts` of what it is a cast, and `others` with what it may share its storage."""

    same: dict[str, str] = field(default_factory=dict)
    casts: dict[str, str] = field(default_factory=dict)
    others: dict[str, frozenset[str]] = field(default_factory=dict)

    def copy(self) -> Storage:
        return Storage(dict(self.same), dict(self.casts), dict(self.others))

    def first_of(self, text: str) -> str:
        """What all that is the same stands for."""
        return self.same.get(text, text)

    def all_same(self, text: str) -> set[str]:
        first = self.first_of(text)
        return {first, *(name for name, other in self.same.items() if other == first)}

    def by_type(self, text: str) -> dict[str, None]:
        """What has the same storage where it has the same type."""
        first = self.first_of(text)
        base = self.first_of(self.casts.get(first, first))
        family = {base, *(name for name, other in self.casts.items() if self.first_of(other) == base)}
        return dict.fromkeys(item for name in family for item in self.all_same(name) - self.all_same(text))

    def closure(self, texts: Iterable[str]) -> frozenset[str]:
        """All with which something may share its storage."""
        found, new = set[str](), set(texts)
        while new:
            found |= new
            near = {
                item for text in new for item in (*self.all_same(text), *self.by_type(text), *self.others.get(text, ()))
            }
            near |= {name for name, shared in self.others.items() if shared & new}
            new = near - found
        return frozenset(found)

    def join(self, text: str, name: str) -> None:
        """A place gets what a variable stands for: both are the same from now on."""
        first = self.first_of(name)
        if first == text:
            return
        self.same[text] = first

    def relate(self, text: str, shared: frozenset[str]) -> None:
        if shared:
            self.others[text] = (self.others.get(text, frozenset()) | self.closure(shared)) - {text}

    def release(self, text: str) -> None:
        """A variable or an entry gets a value of its own: what stood for it stands for the value before."""
        first, *rest = [name for name, other in self.same.items() if other == text] or [""]
        self.same.pop(text, None)
        self.same.pop(first, None)
        self.same |= dict.fromkeys(rest, first)
        cast = self.casts.pop(text, None)
        if first and cast is not None:
            self.casts[first] = cast
        based = [name for name, base in self.casts.items() if base == text]
        for name in based:
            self.casts.pop(name)
        if first:
            self.casts |= dict.fromkeys(based, first)
        elif len(based) > 1:
            self.casts |= dict.fromkeys(based[1:], based[0])
        shared = self.others.pop(text, frozenset())
        if first and shared:
            self.others[first] = shared
        instead = frozenset({first} if first else ())
        self.others = {
            name: (places - {text}) | instead if text in places else places for name, places in self.others.items()
        }

    def forget(self, name: str, instead: str) -> None:
        """A variable that is part of a key gets another value: what stood for such an entry may stand for any other."""
        has_name = re.compile(rf"\[.*\b{name}\b").search
        lost = {one for pair in (*self.same.items(), *self.casts.items()) if any(map(has_name, pair)) for one in pair}
        lost |= {one for one, places in self.others.items() if any(map(has_name, (one, *places)))}
        self.same = {one: other for one, other in self.same.items() if not has_name(one) and not has_name(other)}
        self.casts = {one: other for one, other in self.casts.items() if not has_name(one) and not has_name(other)}
        others = {one: places for one, places in self.others.items() if not has_name(one)}
        self.others = {one: frozenset(item for item in places if not has_name(item)) for one, places in others.items()}
        for one in lost:
            if not has_name(one):
                self.others[one] = self.others.get(one, frozenset()) | {instead}

    def note(self, name: str, same: str | None, cast: str | None) -> None:
        if same is not None:
            self.same[name] = same
        if cast is not None:
            self.casts[name] = cast

    def joined(self, other: Storage, one_way: set[str]) -> Storage:
        """What holds behind a decision, whose ways end with one and the other; names in `one_way` have a value on one way only."""
        result = Storage()
        for name in {**self.same, **other.same, **self.casts, **other.casts}:
            ways = [way for way in (self, other) if name not in one_way or name in {**way.same, **way.casts}]
            same, casts = {way.same.get(name) for way in ways}, {way.casts.get(name) for way in ways}
            bases = {way.same.get(name) or way.casts.get(name) for way in ways}
            if len(same) == len(casts) == 1:
                result.note(name, same.pop(), casts.pop())
            elif len(bases) == 1:
                result.note(name, None, bases.pop())
            else:
                result.others[name] = result.others.get(name, frozenset()) | {
                    base for base in bases if base is not None
                }
        for way in (self, other):
            for name, places in way.others.items():
                result.others[name] = result.others.get(name, frozenset()) | places
        return result


__all__ = ["VIEWS", "Storage"]

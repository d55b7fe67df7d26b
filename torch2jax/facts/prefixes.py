"""What lists of layers may begin with, as states of the walk in `first_layers`: the first elements and what becomes of them.

layers = []                     ()
layers.append(nn.ReLU())        (nn.ReLU(),)
layers.insert(0, norm)          (norm, nn.ReLU(), and perhaps more)
layers = layers[1:]             (nn.ReLU(), and perhaps more)
layers.extend(block(width))     (nn.ReLU(), *block(width), and perhaps more)

Of the single elements a state keeps the first few; those that a list gives, of which nobody knows how many they are, stay between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst

_WIDTH = 2  # so many single elements are kept


class First(NamedTuple):
    """An expression that gives an element of a list, or (`is_list`) a list of such."""

    node: cst.BaseExpression
    is_list: bool = False


class Prefix(NamedTuple):
    """What a list begins with; an open one may go on."""

    items: tuple[First, ...] = ()
    is_open: bool = False

    def and_then(self, others: Sequence[First]) -> Prefix:
        """The list with others behind its own."""
        items, is_open = list(self.items), self.is_open
        for item in others:
            if is_open or _count(items) == _WIDTH:
                return Prefix(tuple(items), is_open=True)
            if not item.is_list or item not in items:  # in a loop once more
                items.append(item)
        return Prefix(tuple(items), is_open)

    def joined(self, other: Prefix) -> Prefix:
        """The list with those of another one behind its own."""
        made = self.and_then(other.items)
        return Prefix(made.items, made.is_open or other.is_open)

    def from_place(self, count: int) -> Prefix | None:
        """`layers[1:]`; None where it cannot be told what that begins with."""
        if any(item.is_list for item in self.items[:count]) or (self.is_open and count >= len(self.items)):
            return None
        return Prefix(self.items[count:], self.is_open)

    def with_item(self, place: int, item: First) -> Prefix | None:
        """What `layers[0] = layer` makes of it."""
        if any(other.is_list for other in self.items[: place + 1]):
            return None
        if place >= len(self.items):
            return self
        return Prefix((*self.items[:place], item, *self.items[place + 1 :]), self.is_open)

    def with_inserted(self, place: int, item: First) -> Prefix | None:
        """What `layers.insert(0, layer)` makes of it."""
        if any(other.is_list for other in self.items[:place]):
            return None
        if place > len(self.items) and self.is_open:
            return self
        before = Prefix(self.items[:place])
        return before.and_then([item]).joined(Prefix(self.items[place:], self.is_open))

    def without_last(self) -> list[Prefix]:
        """What may be left of it when its last element goes."""
        if not self.items:
            return [self]
        if self.items[-1].is_list:
            return [self, Prefix(self.items[:-1])]
        return [Prefix(self.items[:-1]), *([self] if self.is_open else [])]

    def cut(self) -> list[Prefix]:
        """What may be left of it when nobody knows how many of its last elements go."""
        return [Prefix(self.items, is_open=True), *(Prefix(self.items[:end]) for end in range(len(self.items)))]

    def narrowed(self) -> Prefix:
        """The same up to the first single element."""
        end = next((at + 1 for at, item in enumerate(self.items) if not item.is_list), len(self.items))
        return Prefix(self.items[:end], self.is_open or end < len(self.items))


def _count(items: Sequence[First]) -> int:
    return sum(not item.is_list for item in items)


__all__ = ["First", "Prefix"]

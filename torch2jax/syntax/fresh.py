"""New names that collide with nothing visible."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable


class FreshNames:
    """Hands out names that are free in one scope: `fresh("key")` is `key`, then `key_1`, ..."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken) | set(keyword.kwlist) | set(dir(builtins))

    def is_free(self, name: str) -> bool:
        """Whether a name collides with nothing."""
        return name not in self._taken

    def __call__(self, wish: str) -> str:
        name, number = wish, 1
        while name in self._taken:
            name = f"{wish}_{number}"
            number += 1
        self._taken.add(name)
        return name


def words_of(name: str) -> str:
    """The name of a class as words in small letters: `conv_block` of `ConvBlock`."""
    plain = name.replace("ReLU", "Relu").replace("GELU", "Gelu")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", plain).lower()

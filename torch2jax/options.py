"""What a user can choose about a conversion."""

import os
from typing import Literal, get_args

from torch2jax.records import dataclass

Target = Literal["equinox", "nnx", "linen"]
Support = Literal["inline", "module", "import"]
Parallel = Literal["sharding", "pmap"]

TARGETS: tuple[Target, ...] = get_args(Target)
TARGET_NAMES: dict[str, Target] = {
    "equinox": "equinox",
    "nnx": "nnx",
    "flax": "nnx",
    "linen": "linen",
}  # as users may write them
SUPPORTS: tuple[Support, ...] = get_args(Support)
PARALLELS: tuple[Parallel, ...] = get_args(Parallel)


class TableError(ValueError):
    """A mapping table that cannot be used; the message names file and line."""


@dataclass(frozen=True, slots=True)
class Options:
    """The library for modules (`target`), and where support code goes (`support`): into each file that needs some, into one module
    for each package, or nowhere, where it is imported from torch2jax.

    `parallel`: how steps run on several devices; where it is given, programs with `accelerate.Accelerator` are for several, too. `follow_imports`: modules that a file imports which is translated alone are read, too, for what they define. `mappings`:
    YAML files with rows of your own.
    """

    target: Target = "equinox"
    support: Support = "inline"
    follow_imports: bool = False
    mappings: tuple[str, ...] = ()
    parallel: Parallel | None = None

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise ValueError(f"target must be one of {', '.join(TARGETS)}, not {self.target!r}")
        if self.support not in SUPPORTS:
            raise ValueError(f"support must be one of {', '.join(SUPPORTS)}, not {self.support!r}")
        if self.parallel is not None and self.parallel not in PARALLELS:
            raise ValueError(f"parallel must be one of {', '.join(PARALLELS)}, not {self.parallel!r}")
        given: object = self.mappings
        if isinstance(given, str):
            raise ValueError("mappings is a sequence of files, not one string")
        object.__setattr__(self, "mappings", tuple(os.fspath(file) for file in self.mappings))

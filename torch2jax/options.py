"""What a user can choose about a conversion."""

from dataclasses import dataclass
from typing import Literal, get_args

Target = Literal["equinox", "nnx"]
Support = Literal["inline", "import"]

TARGETS: tuple[Target, ...] = get_args(Target)
SUPPORTS: tuple[Support, ...] = get_args(Support)


@dataclass(frozen=True, slots=True)
class Options:
    """The library for modules (`target`), and whether support code is copied into the output or imported (`support`).

    `follow_imports`: modules of the program that a file imports are read, too, for what they define. `files`: all files of
    the program, where it is translated as a whole: how others call a function says what its parameters are.
    """

    target: Target = "equinox"
    support: Support = "inline"
    follow_imports: bool = False
    files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.target not in TARGETS:
            raise ValueError(f"target must be one of {', '.join(TARGETS)}, not {self.target!r}")
        if self.support not in SUPPORTS:
            raise ValueError(f"support must be one of {', '.join(SUPPORTS)}, not {self.support!r}")

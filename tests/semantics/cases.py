"""What a case of the list of differences is, and short names for its inputs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

HEADER = """\
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
"""


@dataclass(frozen=True, slots=True)
class Case:
    """One statement on how torch differs from the obvious JAX, as a function of torch that both libraries run.

    `statement` quotes what the list of differences says it is about. `body` is the function's body, whose last line is
    returned. Where the body is a whole `program`, its function `call` is run.
    """

    statement: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""
    program: bool = False
    grad: bool = False
    """Gradients of a weighted sum of the results are compared too."""
    fixed: tuple[str, ...] = ()
    """Inputs for which torch has no gradient."""
    x64: bool = False
    """64-bit types stay 64 bits wide in JAX."""
    random: bool = False
    """Distributions are compared."""
    raises: bool = False
    """torch raises; so does the translation, or it is refused."""
    flag: str = ""
    """No faithful translation exists: an error that contains this is said about it."""
    gap: str = ""
    """It could be translated; as long as it is not, an error that contains this is said."""
    bug: str = ""
    """Why the translation is wrong at present."""
    bug_plain: str = ""
    """Why it is wrong at present where nothing is annotated."""
    rtol: float = 1e-4
    atol: float = 2e-5

    def source(self, name: str, annotated: bool) -> str:
        """The function, named `name`."""
        assert not self.program
        parameters = ", ".join(
            f"{parameter}: Tensor" if annotated and isinstance(value, torch.Tensor) else parameter
            for parameter, value in self.inputs.items()
        )
        lines = self.body.strip("\n").split("\n")
        if not lines[-1].startswith((" ", "return ")):
            lines[-1] = f"return {lines[-1]}"
        return "\n".join([f"def {name}({parameters}):", *(f"    {line}" for line in lines)])


def case(statement: str, inputs: Mapping[str, Any] | None = None, body: str = "", **options: Any) -> Case:
    """A case whose body is the statement unless one is given."""
    return Case(statement, inputs or {}, body or statement, **options)


def program(statement: str, text: str, inputs: Mapping[str, Any] | None = None, **options: Any) -> Case:
    """A case that is a whole program with a function `call`."""
    return Case(statement, inputs or {}, text, program=True, **options)


def t(values: Any, dtype: torch.dtype | None = None) -> torch.Tensor:
    """A tensor of the given numbers."""
    return torch.tensor(values, dtype=dtype)


def n(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Standard normal numbers, always the same for a shape and seed."""
    return torch.tensor(np.random.default_rng([seed, *shape]).standard_normal(shape)).to(dtype)


def u(*shape: int, seed: int = 0, low: float = 0.05, high: float = 0.95) -> torch.Tensor:
    """Numbers between `low` and `high`, always the same for a shape and seed."""
    return torch.tensor(np.random.default_rng([seed, *shape]).uniform(low, high, shape), dtype=torch.float32)


def k(high: int, *shape: int, seed: int = 0, low: int = 0) -> torch.Tensor:
    """Integers from `low` up to but not including `high`, always the same for a shape and seed."""
    return torch.tensor(np.random.default_rng([seed, *shape]).integers(low, high, shape))


inf, nan = float("inf"), float("nan")
f16, f32, f64, bf16 = torch.float16, torch.float32, torch.float64, torch.bfloat16
i8, u8, i32, i64 = torch.int8, torch.uint8, torch.int32, torch.int64

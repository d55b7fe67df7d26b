"""A diagnostic that still refers to a node: what every stage tells, until `pipeline` knows the lines."""

from __future__ import annotations

import libcst as cst

from torch2jax.records import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """What must be told of a node: a code of the table of diagnostics and the fields of its message."""

    node: cst.CSTNode
    code: str
    fields: dict[str, str]

"""A diagnostic that still refers to a node: what every stage tells, until `pipeline` knows the lines."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst


@dataclass(frozen=True, slots=True)
class Problem:
    """What must be told of a node: a code of the table of diagnostics and the fields of its message."""

    node: cst.CSTNode
    code: str
    fields: dict[str, str]

"""Kernels for GPUs, and the functions that start them: each is one error, and stays as it is.

double_kernel[(n,)](x, y, x.stride(0), n)   ->   # torch2jax: T2J209 `double_kernel` is a kernel in Triton
                                                 double_kernel[(n,)](x, y, x.stride(0), n)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.foreign_kernels import find_kernel_uses
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.walk import descendants


def rewrite_kernels(unit: Unit) -> None:
    """Report them first: what is in them and around their starts is a part of the one error."""
    for use in find_kernel_uses(unit.facts.program, unit.facts.values):
        if use.name:
            unit.problem(use.node, "T2J209", name=use.name, language=use.language)
        unit.settle(use.region)
        unit.in_kernels.append(use.region)


def drop_errors_of_kernels(unit: Unit) -> None:
    """Leave out what others have found in them."""
    inside: set[cst.CSTNode] = {node for region in unit.in_kernels for node in descendants(region)}
    unit.problems = [item for item in unit.problems if item.node not in inside or item.code == "T2J209"]


__all__ = ["drop_errors_of_kernels", "rewrite_kernels"]

"""Reads of switches of torch's kernels, which translations do not have: refused where the program sets them to something else.

if torch.backends.cudnn.benchmark:   ->   if False:      (in a program that never sets it)
"""

from __future__ import annotations

from torch2jax.facts.switches import read_switches
from torch2jax.rewrite.unit import Unit

_HINT = ": assignments to switches of torch's kernels are left out, and this one is read"


def rewrite_switches(unit: Unit) -> None:
    """Refuse reads of switches that have another value than torch's first one; rows say what the others are."""
    if not unit.facts.program.mentions("torch"):
        return
    for node, name in read_switches(unit.facts.program, unit.facts.values):
        unit.problem(node, "T2J200", name=name, hint=_HINT)
        unit.settle(node)


__all__ = ["rewrite_switches"]

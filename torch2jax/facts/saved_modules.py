"""Whole modules that are saved: `torch.save(net, path)`, `torch.save({"net": net, "epoch": epoch}, path)`.

Where the state of a module is a value of its own, it is saved beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.program.program import Program

_DISPLAYS = (cst.Dict, cst.List, cst.Tuple)


def may_read_modules(program: Program) -> bool:
    """Whether a file of the program may read whole modules, which torch refuses unless it is told otherwise (since 2.6)."""
    return any(item.mentions("weights_only") for item in program.files)


def saved_parts(program: Program, node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What is put together to be saved: the parts of a display, also of one in a variable that nothing else reads."""
    display = _display(program, node) if isinstance(node, cst.Name) else None
    if isinstance(node, (*_DISPLAYS, cst.IfExp)):
        for part in parts_said(node):
            yield from saved_parts(program, part)
    elif display is not None:
        yield from saved_parts(program, display)
    else:
        yield node


def parts_said(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The parts of a display, and the branches of a conditional expression."""
    match node:
        case cst.Dict(elements=elements) | cst.List(elements=elements) | cst.Tuple(elements=elements):
            return [item.value for item in elements]
        case cst.IfExp(body=body, orelse=orelse):
            return [body, orelse]
    return []


def _display(program: Program, name: cst.Name) -> cst.BaseExpression | None:
    """The display that a variable was given, if the variable is read nowhere else."""
    found = program.definitions.only(name)
    line = program.definitions.assignment(found) if found is not None else None
    if found is None or line is None or not isinstance(line.value, _DISPLAYS):
        return None
    return line.value if len(program.definitions.uses(found)) == 1 else None


__all__ = ["may_read_modules", "parts_said", "saved_parts"]

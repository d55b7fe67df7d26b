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
    match node:
        case cst.Dict(elements=elements) | cst.List(elements=elements) | cst.Tuple(elements=elements):
            for item in elements:
                yield from saved_parts(program, item.value)
        case cst.IfExp(body=body, orelse=orelse):
            for branch in (body, orelse):
                yield from saved_parts(program, branch)
        case cst.Name():
            display = _display(program, node)
            if display is None:
                yield node
            else:
                yield from saved_parts(program, display)
        case _:
            yield node


def _display(program: Program, name: cst.Name) -> cst.BaseExpression | None:
    """The display that a variable was given, if the variable is read nowhere else."""
    parents, found = program.index.parents, program.definitions.of(name)
    target = parents.get(found[0].node) if len(found) == 1 else None
    line = parents.get(target) if isinstance(target, cst.AssignTarget) else None
    if not isinstance(line, cst.Assign) or not isinstance(line.value, _DISPLAYS):
        return None
    return line.value if len(program.definitions.uses(found[0])) == 1 else None


__all__ = ["may_read_modules", "saved_parts"]

"""Arrays of NumPy that modules keep: compiled code is given modules, so that their arrays have no values there.

self.grid = np.arange(n) / n                    np.cos(self.grid)       basis(x, self.grid), which computes `np.cos(grid)`
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Class, Program, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_NUMPY = ("np", "numpy")
_MAKING = frozenset(
    "arange array asarray concatenate empty eye full geomspace hstack linspace logspace meshgrid ones rand randn stack tile vstack zeros".split()
)


def reads_kept_array(node: cst.Call, values: Values) -> bool:
    """Whether a function of NumPy or Python is given what a module may keep as an array, in a field or by way of a parameter."""
    program, fields = values.program, None
    for part in [part for item in node.args for part in descendants(item.value)]:
        match part:
            case cst.Attribute(value=owner, attr=cst.Name(name)) if values(owner).kind is Kind.MODULE:
                fields = kept_arrays(program, values) if fields is None else fields
                if name in fields:
                    return True
            case cst.Name(name) if values(part).kind is Kind.PYTHON:
                function = program.function_around(part)
                if function is not None and name in function.parameter_names and name != function.self_name:
                    fields = kept_arrays(program, values) if fields is None else fields
                    if fields:
                        return True
    return False


def kept_arrays(program: Program, values: Values) -> frozenset[str]:
    """The names of the fields in which modules of a program keep arrays of NumPy."""
    return frozenset(
        name
        for item in program.module_classes()
        for name, value in item.fields.items()
        if value.kind is Kind.PYTHON and _is_array(program, values, item, name)
    )


def _is_array(program: Program, values: Values, item: Class, name: str) -> bool:
    """Whether a field is set to what NumPy makes of several numbers, here or in a function of the program."""
    place = item.field_nodes.get(name)
    if place is None:
        return False
    parents = program.home(place).index.parents
    assign: cst.CSTNode | None = place
    while assign is not None and not isinstance(assign, (cst.Assign, cst.AnnAssign)):
        assign = parents.get(assign)
    if assign is None or assign.value is None:
        return False
    calls = descendants(assign.value, cst.Call)
    bodies = [reached.node.body for call in calls for reached in values.callees.get(call, ())]
    made = [*calls, *(call for body in bodies for call in descendants(body, cst.Call))]
    return any(_makes_array(call) for call in made)


def _makes_array(call: cst.Call) -> bool:
    path = (dotted(call.func) or "").split(".")
    return len(path) > 1 and path[0] in _NUMPY and path[-1] in _MAKING


__all__ = ["kept_arrays", "reads_kept_array"]

"""Arrays that NumPy makes of numbers of the program: `self.widths = np.array([64, 128, 256])`. No tensor has their memory."""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def is_number_array(field: cst.BaseExpression, values: Values, rank: int | None = None) -> bool:
    """Whether a field of modules holds such an array, of a certain rank if one is asked for."""
    owner = values(field.value) if isinstance(field, cst.Attribute) else None
    if owner is None or owner.kind is not Kind.MODULE or not isinstance(field, cst.Attribute):
        return False
    classes = [values.program.class_by_key.get(key) for key in owner.types]
    given = [
        assign.value
        for item in classes
        if item is not None
        for part in item.lineage
        for function in part.methods.values()
        for assign in descendants(function.node, cst.Assign)
        if any(dotted(target.target) == f"{function.self_name}.{field.attr.value}" for target in assign.targets)
    ]
    ranks = {_rank(value) for value in given}
    return bool(given) and None not in ranks and None not in classes and (rank is None or ranks == {rank})


def _rank(node: cst.BaseExpression) -> int | None:
    """The rank of `np.array([64, 128])`: how deep its lists are; None of anything else."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Name("np" | "numpy"), attr=cst.Name("array")), args=[argument, *_]):
            return _depth(argument.value)
    return None


def _depth(node: cst.BaseExpression) -> int | None:
    if isinstance(node, (cst.List, cst.Tuple)):
        depths = {_depth(element.value) for element in node.elements}
        (depth,) = depths if len(depths) == 1 else (None,)
        return None if depth is None else depth + 1
    return 0 if isinstance(node, cst.BaseNumber) else None

"""Loops that move what optimizers keep to a device: the arrays of JAX are in no such place, and the loops go.

optimizer.load_state_dict(saved)             ->    optimizer.load_state_dict(saved)
for state in optimizer.state.values():
    for k, v in state.items():
        if torch.is_tensor(v):
            state[k] = v.to(device)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.moves import split_move
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import root_name
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_MOVES = frozenset({"cpu", "cuda", "to"})


def normalize_moved_states(work: NormalizationRound) -> None:
    """Take such loops away."""
    if not work.program.mentions("state"):
        return
    for loop in work.index.every(cst.For):
        if _runs_over_state(work, loop) and loop.orelse is None and _only_moves(work, loop):
            work.edits.remove(loop)


def _runs_over_state(work: NormalizationRound, loop: cst.For) -> bool:
    """Whether a loop runs over what an optimizer keeps of its parameters."""
    match loop.iter:
        case cst.Call(
            func=cst.Attribute(
                value=cst.Attribute(value=optimizer, attr=cst.Name("state")), attr=cst.Name("items" | "values")
            ),
            args=[],
        ):
            return work.values(optimizer).kind is Kind.OPTIMIZER
    return False


def _only_moves(work: NormalizationRound, loop: cst.For) -> bool:
    """Whether all that a loop does is to give parts of what it runs over another place."""
    inside = list(descendants(loop.body))
    loops = [loop, *(node for node in inside if isinstance(node, cst.For))]
    bound = set[str]().union(*(bound_names(item.target) for item in loops))
    lines = [node for node in inside if isinstance(node, cst.SimpleStatementLine)]
    blocks = [node for node in inside if isinstance(node, cst.BaseCompoundStatement)]
    return all(isinstance(node, (cst.For, cst.If)) for node in blocks) and all(
        _moves(work, line, bound) for line in lines
    )


def _moves(work: NormalizationRound, line: cst.SimpleStatementLine, bound: set[str]) -> bool:
    """`state[k] = v.to(device)`, `param.data = param.data.cuda()`"""
    match line.body:
        case [
            cst.Assign(
                targets=[cst.AssignTarget(target=cst.Subscript() | cst.Attribute() as target)],
                value=cst.Call(func=cst.Attribute(value=moved, attr=cst.Name(name))) as call,
            )
        ] if name in _MOVES:
            is_own = {root_name(target), root_name(moved)} <= bound
            return is_own and split_move(work.values, call)[1] is None
    return False


__all__ = ["normalize_moved_states"]

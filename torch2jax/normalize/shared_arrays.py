"""Changes of NumPy arrays and tensors that share their memory: the other one is made again behind each.

t = torch.from_numpy(a)        t = torch.from_numpy(a)
np.add(a, 1, out=a)       ->   np.add(a, 1, out=a)
print(t)                       t = torch.from_numpy(a)
                               print(t)

What is shared otherwise, or has a third name, is left alone, to be reported.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.numpy_aliases import UnsaidChange, unsaid_changes
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.definitions import How
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote_statement


def normalize_shared_arrays(work: NormalizationRound) -> None:
    """Normalize all such changes of a file that are statements."""
    done: set[cst.CSTNode] = set()
    for change in unsaid_changes(work.values):
        line = work.index.statement_of(change.name)
        if line not in done and _is_plain(work, change, line) and (call := _made_again(work, change)) is not None:
            done.add(line)
            again = quote_statement("{name} = {call}", name=cst.Name(change.other.value), call=call)
            work.edits.after(line, always_statements([again]))


def _is_plain(work: NormalizationRound, change: UnsaidChange, line: cst.CSTNode) -> bool:
    """Whether a line that only changes what is shared runs where two variables, and nothing else, have it."""
    index, definitions = work.index, work.program.definitions
    is_line = isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1
    is_here = all(index.function_of(node) is index.function_of(change.call) for node in (change.name, *change.reads))
    held = [item for read in change.reads for item in definitions.of(read)]
    sure = all(item in change.held or item.how is How.AUGMENTED for item in held)
    return is_line and is_here and sure and change.is_one_call and not change.kept


def _made_again(work: NormalizationRound, change: UnsaidChange) -> cst.BaseExpression | None:
    """What gives the other name its new values: the call that shared it once more, or its inverse."""
    assigned = work.set_alone(change.target)
    if change.other is change.target:
        return None if assigned is None else work.copy(assigned)
    if change.call is not assigned:
        return None
    torch = work.torch_alias()
    match change.call:
        case cst.Call(func=cst.Attribute(value=cst.Name(), attr=cst.Name("numpy")), args=[]):
            return None if torch is None else cst.parse_expression(f"{torch}.from_numpy({change.target.value})")
        case cst.Call(args=[cst.Arg(value=cst.Name())]):
            return cst.parse_expression(f"{change.target.value}.numpy()")
    return None


__all__ = ["normalize_shared_arrays"]

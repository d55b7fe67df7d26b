"""Lists of recurrent layers that a module keeps only to lay out their weights for cuDNN: they go.

self.to_flatten = []
self.to_flatten += [self.rnn1, self.rnn2]           ->   (nothing)
...
[m.flatten_parameters() for m in self.to_flatten]
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.unread_fields import speaks_of_all_fields
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import descendants

_FLATTEN = "flatten_parameters"


def normalize_flattened_lists(work: NormalizationRound) -> None:
    """Leave out all such fields of a file."""
    if not work.program.mentions(_FLATTEN) or speaks_of_all_fields(work) or work.program.defines_method(_FLATTEN):
        return
    loops = [node for node in work.index.every(cst.For, cst.ListComp) if _flattens(node)]
    found = {node.attr.value for loop in loops if isinstance(node := _gone_through(loop), cst.Attribute)}
    texts = {node.evaluated_value for node in work.index.every(cst.SimpleString)}
    for name in sorted(found - texts - set(work.program.read_elsewhere)):
        lines = [_line(work, node) for node in work.index.attributes if node.attr.value == name]
        if all(line is not None for line in lines):
            for line in dict.fromkeys(lines):
                work.edits.remove(line)  # type: ignore[arg-type]


def _gone_through(loop: cst.CSTNode) -> cst.BaseExpression:
    return loop.for_in.iter if isinstance(loop, cst.ListComp) else cst.ensure_type(loop, cst.For).iter


def _flattens(loop: cst.CSTNode) -> bool:
    """Whether all that a loop over a field of `self` does is to call the method of each layer."""
    match loop:
        case cst.ListComp(elt=call, for_in=cst.CompFor(target=target, ifs=[], inner_for_in=None)):
            pass
        case cst.For(
            target=target,
            body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Expr(value=call)])]),
            orelse=None,
        ):
            pass
        case _:
            return False
    is_field = str(dotted(_gone_through(loop))).count(".") == 1
    is_call = isinstance(call, cst.Call) and not call.args and dotted(call.func) == f"{dotted(target)}.{_FLATTEN}"
    return is_call and is_field


def _line(work: NormalizationRound, node: cst.Attribute) -> cst.CSTNode | None:
    """The statement that fills, or goes through, a list of parts of a module, if nothing else happens in it."""
    function, line, place = work.program.function_around(node), work.index.statement_of(node), dotted(node)
    owner = function.owner if function is not None else None
    if owner is None or not owner.is_module or function is None or place != f"{function.self_name}.{node.attr.value}":
        return None
    if isinstance(line, cst.For):
        return line if line.iter is node and _flattens(line) else None
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.ListComp() as loop)]):
            return line if _gone_through(loop) is node and _flattens(loop) else None
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.List() as value)
                | cst.AugAssign(target=target, operator=cst.AddAssign(), value=cst.List() as value)
            ]
        ):
            given = [item.value for item in value.elements]
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(
                    value=cst.Call(
                        func=cst.Attribute(value=target, attr=cst.Name("append")),
                        args=[cst.Arg(value=part, keyword=None)],
                    )
                )
            ]
        ):
            given = [part]
        case _:
            return None
    is_plain = all(str(dotted(item)).startswith(f"{function.self_name}.") for item in given)
    return line if target is node and is_plain and not any(descendants(line, cst.Lambda)) else None


__all__ = ["normalize_flattened_lists"]

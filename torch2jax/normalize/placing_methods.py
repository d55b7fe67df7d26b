"""Methods of modules that move what torch does not move by itself go: arrays are where they are computed.

def to(self, device):
    self.scale = self.scale.to(device)
    return super().to(device)               ->   (nothing: `policy.to(device)` is torch's own method then)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import PLACING
from torch2jax.program.program import Function, dotted, is_super
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_placing_methods(work: NormalizationRound) -> None:
    """Remove all such methods of a file, where nothing is given another dtype by them."""
    own = [
        function
        for function in work.program.functions.values()
        if function.name in PLACING and function.owner is not None and function.owner.is_module
    ]
    if not own or any(_may_cast(work, call) for call in work.index.calls):
        return
    for function in own:
        body = function.node.body.body
        removable = isinstance(function.owner.node.body, cst.IndentedBlock)  # type: ignore[union-attr]
        if removable and not function.decorators and all(_only_moves(work, function, line) for line in body):
            work.edits.remove(function.node)


def _may_cast(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call of `to` names a dtype, or a tensor whose dtype is taken."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "to":
        return False
    of_modules = work.values(call.func.value).kind not in (Kind.TENSOR, Kind.SIZE)
    return of_modules and any(
        work.values(item.value).kind in (Kind.DTYPE, Kind.TENSOR)
        or "dtype" in ((item.keyword and item.keyword.value) or "")
        for item in call.args
    )


def _only_moves(work: NormalizationRound, function: Function, line: cst.CSTNode) -> bool:
    own = str(function.self_name)
    if is_docstring(line):
        return True
    match line:
        case cst.SimpleStatementLine(body=[small]):
            return _is_move(work, function, small)
        case cst.For(target=cst.Name(variable), body=cst.IndentedBlock(body=lines), orelse=None):
            runs_over_own = any(isinstance(node, cst.Name) and node.value == own for node in descendants(line.iter))
            return runs_over_own and all(_moves_item(function, variable, item) for item in lines)
    return False


def _is_move(work: NormalizationRound, function: Function, small: cst.BaseSmallStatement) -> bool:
    own = str(function.self_name)
    match small:
        case cst.Pass() | cst.Return(value=None | cst.Name(value=_)):
            return not isinstance(small, cst.Return) or small.value is None or dotted(small.value) == own
        case cst.Return(value=cst.Call() as call):
            return _is_super(function, call)
        case cst.Expr(value=cst.Call() as call):
            return _is_super(function, call) or (dotted(_moved(call)) or "").startswith(f"{own}.")
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Call() as call):
            place = dotted(target)
            if place == own:
                return _is_super(function, call)
            return place is not None and place.startswith(f"{own}.") and dotted(_moved(call)) == place
        case cst.Assign(
            targets=[cst.AssignTarget(target=target)],
            value=cst.ListComp(
                elt=cst.Call() as call,
                for_in=cst.CompFor(target=cst.Name(item), iter=source, ifs=[], inner_for_in=None),
            ),
        ):
            place = dotted(target)
            return (
                place is not None
                and place.startswith(f"{own}.")
                and dotted(source) == place
                and dotted(_moved(call)) == item
                and work.values(source).kind is Kind.LIST
            )
    return False


def _moves_item(function: Function, variable: str, line: cst.CSTNode) -> bool:
    """`part.to(device)`, or `self.parts[i] = self.parts[i].to(device)`, in a loop over what a module holds."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
            return dotted(_moved(call)) == variable
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript() as target)], value=cst.Call() as call)]
        ):
            moved = _moved(call)
            is_own = (dotted(target.value) or "").startswith(f"{function.self_name}.")
            return is_own and moved is not None and target.deep_equals(moved)
    return False


def _is_super(function: Function, call: cst.Call) -> bool:
    """`super().to(device)`, where it is torch's."""
    moved = _moved(call)
    if not is_super(moved) or function.owner is None:
        return False
    return not any(item.method(str(method)) for item in function.owner.base_classes for method in PLACING)


def _moved(call: cst.Call) -> cst.BaseExpression | None:
    """What a call moves to a device."""
    match call.func:
        case cst.Attribute(value=value, attr=cst.Name(name)) if name in PLACING:
            return value
    return None


__all__ = ["normalize_placing_methods"]

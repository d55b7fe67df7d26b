"""Report gradients that are kept under another name while torch changes them in place: they are values here.

first = net.weight.grad                  # torch goes on with the same tensor
clip_grad_norm_(net.parameters(), 1.0)   # which this scales, and another `backward()` adds to
print(first)                             # reported
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.field_aliases import dotted_part
from torch2jax.facts.training import is_clip
from torch2jax.ops.schema import is_inplace_name
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.sharing import is_used, points_of, reached_behind
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.codegen import code
from torch2jax.values import Kind

_SAME = frozenset({"detach", "view", "reshape", "flatten", "ravel", "numpy", "cpu"})


def check_kept_gradients(facts: Facts, plan: Plan) -> None:
    if not facts.program.mentions("grad"):
        return
    changes: dict[Function | None, list[cst.CSTNode]] | None = None
    for point, left, gradient in _kept(facts):
        changes = _changes(facts) if changes is None else changes
        function = facts.program.function_running(gradient)
        liveness = facts.flows.liveness(function)
        found = set(changes.get(function, ()))
        for reached in reached_behind(point, {left.partition(".")[0]}, liveness.flow, _clears) if found else ():
            line = facts.program.index.statement_of(reached)
            if reached in found and is_used(left, liveness.after_statement(line), function, is_new=True):
                plan.problem(point, "T2J303", name=code(gradient), other=left)
                break


def _clears(point: cst.CSTNode) -> bool:
    """Whether gradients are None behind a point: `optimizer.zero_grad()`, `p.grad = None`."""
    match point:
        case cst.Expr(value=cst.Call(func=cst.Attribute(attr=cst.Name("zero_grad")), args=args)):
            return not args or code(args[0].value) != "False"
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Name("None")):
            return _is_gradient(target)
    return False


def _kept(facts: Facts) -> Iterator[tuple[cst.CSTNode, str, cst.Attribute]]:
    """The points behind which something else is, or holds, a gradient."""
    index = facts.program.index
    for node in index.attributes:
        if node.attr.value != "grad" or facts.values(node.value).kind is not Kind.TENSOR:
            continue
        point = _holder(facts, node)
        match point:
            case cst.Assign(targets=[cst.AssignTarget(target=target)]) if not _is_gradient(target):
                left = dotted_part(target)
                if left is not None:
                    yield point, left, node
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=container))):
                left = dotted_part(container)
                if left is not None:
                    yield point, left, node


def _holder(facts: Facts, node: cst.CSTNode) -> cst.CSTNode | None:
    """The assignment, or the call that puts it into a container, which keeps an expression as it is."""
    parents = facts.program.index.parents
    while True:
        parent = parents[node]
        match parent:
            case (
                cst.Attribute(attr=cst.Name("data"))
                | cst.List()
                | cst.Tuple()
                | cst.Dict()
                | cst.ListComp()
                | cst.DictComp()
            ):
                node = parent
            case cst.Element() | cst.DictElement():
                node = parents[parent]
            case cst.Attribute(attr=cst.Name(name)) if name in _SAME and isinstance(parents[parent], cst.Call):
                node = parents[parent]
            case cst.Arg():
                call = parents[parent]
                is_append = isinstance(call, cst.Call) and (dotted(call.func) or "").endswith(".append")
                return parents[call] if is_append else None
            case _:
                return parent


def _is_gradient(target: cst.BaseExpression) -> bool:
    return isinstance(target, cst.Attribute) and target.attr.value == "grad"


def _changes(facts: Facts) -> dict[Function | None, list[cst.CSTNode]]:
    """The points that change gradients in place, by function: passes that add to them, clipping, methods in place."""
    found: dict[Function | None, list[cst.CSTNode]] = {}
    for step in facts.steps:
        if step.problem is None and step.adds:
            found.setdefault(step.function, []).extend(points_of(step.backward_statement))
    for call in facts.program.index.calls:
        match call.func:
            case cst.Attribute(value=cst.Attribute(attr=cst.Name("grad" | "data")) as place, attr=cst.Name(name)):
                is_change = is_inplace_name(name) and ".grad" in code(place)
            case _:
                is_change = is_clip(call, facts.values)
        if is_change:
            function = facts.program.function_running(call)
            found.setdefault(function, []).extend(points_of(facts.program.index.statement_of(call)))
    return found


__all__ = ["check_kept_gradients"]

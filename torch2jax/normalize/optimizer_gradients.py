"""What a program does with gradients around the steps of an optimizer that it writes itself, whose step may keep or change them.

optimizer.zero_grad(set_to_none=False)     what a step has kept of a gradient becomes zero, and then the next gradient
optimizer.step()
print(p.grad.norm())                       what a step has done to a gradient is seen
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.training import sets_zeros
from torch2jax.program.program import Class, Program
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import Index, descendants

_IN_PLACE = frozenset({"zero_", "detach_", "fill_", "copy_"})


def fills_gradients(program: Program) -> bool:
    """Whether some file of a program clears gradients, and leaves the tensors that hold them where they are."""
    return any(_fills(call) for file in program.files for call in file.index.calls)


def _fills(call: cst.Call) -> bool:
    match call.func:
        case cst.Attribute(attr=cst.Name("zero_grad")):
            return sets_zeros(call)
        case cst.Attribute(value=cst.Attribute() as given, attr=cst.Name(name)) if name in _IN_PLACE:
            return "grad" in _words(given)
    return False


def _words(node: cst.BaseExpression) -> list[str]:
    found = []
    while isinstance(node, cst.Attribute):
        found.append(node.attr.value)
        node = node.value
    return found


def looks_behind_steps(program: Program, optimizer: Class) -> bool:
    """Whether some file of a program reads gradients where an optimizer may have made its step, or calls what reads some."""
    own = {optimizer.node, *descendants(optimizer.node)}
    return any(_looks(file.index, own) for file in program.files)


def _looks(index: Index, own: set[cst.CSTNode]) -> bool:
    order = index.order
    reads: list[cst.CSTNode] = [node for node in index.attributes if _is_read(index, node) and node not in own]
    readers = {function.name.value for node in reads if (function := index.function_of(node)) is not None}
    reads += [call for call in index.calls if _name(call) in readers and call not in own]
    steps = [call for call in index.calls if _name(call) == "step" and call not in own]
    clears = [call for call in index.calls if _name(call) == "zero_grad" and not _is_decided(index, call)]
    for node in reads:
        around = index.function_of(node)
        events = [call for call in (*steps, *clears) if index.function_of(call) is around and order[call] < order[node]]
        if events and _name(max(events, key=order.__getitem__)) == "step":
            return True
    return False


def _is_decided(index: Index, call: cst.Call) -> bool:
    """Whether only some rounds run a call."""
    around = [node for node in index.ancestors(call) if isinstance(node, (cst.If, cst.IfExp, cst.Try))]
    return any(not isinstance(node, cst.If) or "__name__" not in names_in(node.test) for node in around)


def _is_read(index: Index, node: cst.Attribute) -> bool:
    """Whether a node is the gradient of a tensor, of which more is asked than whether there is one."""
    if node.attr.value != "grad" or (isinstance(node.value, cst.Attribute) and node.value.attr.value == "autograd"):
        return False
    parent = index.parents[node]
    if isinstance(parent, cst.AssignTarget) or (isinstance(node.value, cst.Name) and node.value.value == "autograd"):
        return False
    match parent:
        case cst.Comparison(comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.IsNot())]):
            return False
        case cst.Attribute(attr=cst.Name("zero_" | "detach_")):
            return False
        case cst.Attribute(attr=cst.Name("data")):
            around = index.parents[parent]
            return not (isinstance(around, cst.Attribute) and around.attr.value in ("zero_", "detach_"))
    return True


def _name(call: cst.Call) -> str | None:
    match call.func:
        case cst.Attribute(attr=cst.Name(name)) | cst.Name(name):
            return name
    return None


__all__ = ["fills_gradients", "looks_behind_steps"]

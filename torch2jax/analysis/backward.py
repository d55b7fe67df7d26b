"""`loss.backward()` for tensors of the function's own: their `.grad` is what torch.autograd.grad gives.

x = x.clone().requires_grad_()     ->   x = x.clone().requires_grad_()
loss = f(x)                             loss = f(x)
loss.backward()                         x_grad = torch.autograd.grad(loss, x)[0]
return x.grad.sign()                    return x_grad.sign()
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.analysis.program import Function
from torch2jax.analysis.restating import Restating, bound_in
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_OTHER_GRADIENTS = {"backward", "zero_grad", "step", "retain_grad", "register_hook"}


def restate_backward(work: Restating) -> None:
    """Restate each `backward()` behind which a function asks for gradients of its own tensors."""
    if not _is_named_torch(work):
        return
    for function in work.program.functions.values():
        if not _speaks_of_complex(function):  # whose gradients are conjugated in torch
            _restate(work, function)


def _is_named_torch(work: Restating) -> bool:
    value = work.program.module_env.get("torch")
    return value is not None and value.kind is Kind.TORCH and value.const == "torch"


def _speaks_of_complex(function: Function) -> bool:
    """Whether complex numbers are named in a function."""
    return any(
        type(node) is cst.Imaginary or (type(node) is cst.Name and "complex" in node.value)
        for node in descendants(function.node)
    )


def _restate(work: Restating, function: Function) -> None:
    if not isinstance(function.node.body, cst.IndentedBlock):
        return
    statements = list(function.node.body.body)
    for place, line in enumerate(statements):
        output = _differentiated(line)
        if output is not None:
            _restate_line(work, function, statements, place, output)


def _restate_line(
    work: Restating, function: Function, statements: Sequence[cst.CSTNode], place: int, output: cst.Name
) -> None:
    reads = [
        (at, node)
        for at, statement in enumerate(statements)
        for node in descendants(statement)
        if isinstance(node, cst.Attribute) and node.attr.value == "grad" and _is_leaf(work, node.value)
    ]
    found = {node.value.value for _, node in reads if isinstance(node.value, cst.Name)}
    starts = {name: _bindings(statements, name) for name in found}
    own = {name for name in found if len(starts[name]) == 1 and starts[name][0] < place}
    own -= {node.value.value for at, node in reads if at <= place and isinstance(node.value, cst.Name)}
    asked = [(at, node) for at, node in reads if isinstance(node.value, cst.Name) and node.value.value in own]
    if not asked or any(_is_stored(work, node) for _, node in asked):
        return
    window = statements[min(starts[name][0] for name in own) : max(at for at, _ in asked) + 1]
    inside = [node for statement in window for node in descendants(statement)]
    if sum(isinstance(node, cst.Attribute) and node.attr.value in _OTHER_GRADIENTS for node in inside) != 1:
        return
    if any(isinstance(node, (cst.FunctionDef, cst.Lambda)) and own & names_in(node) for node in inside):
        return
    fresh = work.local(function.node)
    names = list(dict.fromkeys(node.value.value for _, node in asked if isinstance(node.value, cst.Name)))
    made = {name: fresh(f"{name}_grad") for name in names}
    if len(names) == 1:
        text = f"{made[names[0]]} = torch.autograd.grad({{loss}}, {names[0]})[0]"
    else:
        text = f"{', '.join(made.values())} = torch.autograd.grad({{loss}}, ({', '.join(names)}))"
    line = statements[place]
    work.edits.rewrite_statement(line, lambda rewrite: [quote_statement(text, loss=rewrite.expression(output))])
    for _, node in asked:
        assert isinstance(node.value, cst.Name)
        new = cst.Name(made[node.value.value])
        work.edits.replace(node, lambda rewrite, new=new: new.deep_clone())  # type: ignore[misc]


def _bindings(statements: Sequence[cst.CSTNode], name: str) -> list[int]:
    """The statements that bind a name."""
    return [place for place, statement in enumerate(statements) if name in _bound([statement])]


def _differentiated(line: cst.CSTNode) -> cst.Name | None:
    """The name in `name.backward()`."""
    call = (
        line.body[0].value if isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Expr) else None
    )
    match call:
        case cst.Call(func=cst.Attribute(value=cst.Name() as name, attr=cst.Name("backward")), args=[]):
            return name
    return None


def _is_leaf(work: Restating, node: cst.BaseExpression) -> bool:
    """Whether a name holds a tensor of the function's own of which gradients are wanted."""
    value = work.values(node)
    own = all(root.startswith("new:") for root in value.roots)
    return value.kind is Kind.TENSOR and "leaf" in value.types and own


def _bound(statements: Sequence[cst.CSTNode]) -> set[str]:
    targets = [
        node.target
        for statement in statements
        for node in descendants(statement)
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr))
    ]
    return {name for target in targets for name in bound_in(target)}


def _is_stored(work: Restating, node: cst.Attribute) -> bool:
    """Whether a gradient is set or changed, not read."""
    parent = work.index.parents[node]
    if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del, cst.Subscript)):
        return True
    return isinstance(parent, cst.Attribute) and parent.value is node and parent.attr.value.endswith("_")

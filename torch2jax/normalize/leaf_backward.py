"""`loss.backward()` for tensors of the function's own: their `.grad` is what torch.autograd.grad gives.

x = x.clone().requires_grad_()     ->   x = x.clone().requires_grad_()
loss = f(x)                             loss = f(x)
loss.backward()                         x_grad = torch.autograd.grad(loss, x)[0]
return x.grad.sign()                    return x_grad.sign()
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from torch2jax.facts.flag_statements import set_flag
from torch2jax.facts.gradient_accumulation import Gradients
from torch2jax.facts.training import makes_leaf, method_call, speaks_of_complex
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import bound_in
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import bound_names, descendants, own_nodes
from torch2jax.values import Kind

_OTHER_GRADIENTS = {"backward", "step", "retain_grad", "register_hook"}


def normalize_backward(work: NormalizationRound) -> None:
    """Normalize each `backward()` behind which a function asks for gradients of its own tensors."""
    if not _is_named_torch(work):
        return
    for function in work.program.functions.values():
        if not speaks_of_complex(descendants(function.node)):
            _normalize(work, function)


def _is_named_torch(work: NormalizationRound) -> bool:
    value = work.program.module_env.get("torch")
    return value is not None and value.kind is Kind.TORCH and value.const == "torch"


def _normalize(work: NormalizationRound, function: Function) -> None:
    if not isinstance(function.node.body, cst.IndentedBlock):
        return
    for block in own_nodes(function.node):
        if not isinstance(block, cst.IndentedBlock):
            continue
        statements = list(block.body)
        for place, line in enumerate(statements):
            call = _differentiated(line)
            if call is not None:
                _normalize_line(work, function, block, place, call)


def _normalize_line(
    work: NormalizationRound, function: Function, block: cst.IndentedBlock, place: int, call: cst.Call
) -> None:
    statements = list(block.body)
    reads = [
        (at, node)
        for at, statement in enumerate(statements)
        for node in descendants(statement)
        if isinstance(node, cst.Attribute) and node.attr.value == "grad" and _is_leaf(work, node.value)
        if not _empties(statement, dotted(node.value))
    ]
    found = {node.value.value for _, node in reads if isinstance(node.value, cst.Name)}
    elsewhere = _read_elsewhere(function, block)
    starts = {name: _start(work, function, block, place, name, reads) for name in found - elsewhere}
    own = {name: start for name, start in starts.items() if start is not None}
    asked = [(at, node) for at, node in reads if isinstance(node.value, cst.Name) and node.value.value in own]
    if not asked or any(_is_stored(work, node) for _, node in asked):
        return
    window = statements[min(own.values()) : max(at for at, _ in asked) + 1]
    inside = [node for statement in window for node in descendants(statement)]
    if sum(isinstance(node, cst.Attribute) and node.attr.value in _OTHER_GRADIENTS for node in inside) != 1:
        return
    if any(isinstance(node, (cst.FunctionDef, cst.Lambda)) and set(own) & names_in(node) for node in inside):
        return
    line = statements[place]
    if _trains(work, window) and Gradients(work.program, work.values).are_used_behind(line, function):
        return  # it adds to the gradients of the parameters, which `optimizer.step()` uses: reported with the steps
    fresh = work.local(function.node)
    names = list(dict.fromkeys(node.value.value for _, node in asked if isinstance(node.value, cst.Name)))
    made = {name: fresh(f"{name}_grad") for name in names}
    assert isinstance(call.func, cst.Attribute)
    parts = {"loss": call.func.value} | ({"weight": call.args[0].value} if call.args else {})
    given = ", {weight}" if call.args else ""
    if len(names) == 1:
        text = f"{made[names[0]]} = torch.autograd.grad({{loss}}, {names[0]}{given})[0]"
    else:
        text = f"{', '.join(made.values())} = torch.autograd.grad({{loss}}, ({', '.join(names)}){given})"
    work.edits.rewrite_statement(
        line,
        lambda rewrite: [quote_statement(text, **{hole: rewrite.expression(node) for hole, node in parts.items()})],
    )
    for _, node in asked:
        assert isinstance(node.value, cst.Name)
        new = cst.Name(made[node.value.value])
        work.edits.replace(node, lambda rewrite, new=new: new.deep_clone())  # type: ignore[misc]
    for statement in own_nodes(function.node):
        for name in own:
            if set_flag(statement, name) is not None and isinstance(statement.body[0], cst.Assign):  # type: ignore[attr-defined]
                marked = quote_statement(f"{name}.requires_grad_()")
                work.edits.rewrite_statement(statement, lambda rewrite, marked=marked: [marked])  # type: ignore[misc]
    backwards = (node for node in own_nodes(function.node) if isinstance(node, cst.Attribute))
    is_only = sum(node.attr.value == "backward" for node in backwards) == 1
    for at, statement in enumerate(statements):
        # of parameters, of whose gradients nobody asks before they are emptied again, and of the tensors themselves
        clears = method_call(statement, "zero_grad") is not None and (is_only or at < place)
        if clears or any(_empties(statement, name) for name in own):
            work.edits.remove(statement)


def _start(
    work: NormalizationRound,
    function: Function,
    block: cst.IndentedBlock,
    place: int,
    name: str,
    reads: Sequence[tuple[int, cst.Attribute]],
) -> int | None:
    """The statement of the block from which on a tensor has no gradient yet; None where that is not seen."""
    asked = [at for at, node in reads if isinstance(node.value, cst.Name) and node.value.value == name]
    bound = _bindings(block.body, name)
    if min(asked) <= place or any(place <= at < max(asked) for at in bound):
        return None
    before = [at for at in bound if at < place]
    if before:
        return before[-1]
    if any(_empties(statement, name) and not place <= at <= max(asked) for at, statement in enumerate(block.body)):
        others = (node.attr.value for node in descendants(function.node) if isinstance(node, cst.Attribute))
        return 0 if sum(attribute == "backward" for attribute in others) == 1 else None
    if _is_new_each_round(work, function, block, max(asked), name):
        return 0
    marked = [at for at, statement in enumerate(block.body[:place]) if set_flag(statement, name) is not None]
    loop = work.index.parents[block]
    is_renewed = isinstance(loop, (cst.For, cst.While)) and any(at >= max(asked) for at in bound)
    if isinstance(loop, cst.For) and name in bound_names(loop.target):
        is_renewed = True
    is_first = block is function.node.body and name not in function.parameter_names
    return marked[0] if marked and (is_renewed or is_first) else None


def _is_new_each_round(
    work: NormalizationRound, function: Function, block: cst.IndentedBlock, last: int, name: str
) -> bool:
    """Whether the rounds of a loop, which has the only backward pass, leave another tensor in a variable: `x = Variable(x.data, ...)`."""
    made = [at for at, line in enumerate(block.body) if at >= last and _makes_leaf_of(work, line, name)]
    attributes = [node.attr.value for node in descendants(function.node) if isinstance(node, cst.Attribute)]
    return (
        isinstance(work.index.parents[block], (cst.For, cst.While))
        and bool(made)
        and made[-1] == _bindings(block.body, name)[-1]
        and attributes.count("backward") == 1
        and not any(isinstance(node, (cst.Break, cst.Continue)) for node in descendants(block))
    )


def _makes_leaf_of(work: NormalizationRound, line: cst.CSTNode, name: str) -> bool:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(target))], value=cst.Call() as call)]
        ):
            return target == name and makes_leaf(call, work.values)
    return False


def _empties(statement: cst.CSTNode, name: str | None) -> bool:
    """`name.grad.zero_()` or `name.grad = None`."""
    match statement:
        case cst.SimpleStatementLine(
            body=[cst.Expr(value=cst.Call(func=cst.Attribute(value=gradient, attr=cst.Name("zero_"))))]
        ):
            return dotted(gradient) == f"{name}.grad"
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[target], value=cst.Name("None"))]):
            return dotted(target.target) == f"{name}.grad"
    return False


def _read_elsewhere(function: Function, block: cst.IndentedBlock) -> set[str]:
    """The names whose gradients are asked for outside of a block."""
    inside = set(descendants(block))
    return {
        node.value.value
        for node in descendants(function.node)
        if node not in inside
        and isinstance(node, cst.Attribute)
        and node.attr.value == "grad"
        and isinstance(node.value, cst.Name)
    }


# what else the backward pass does


def _trains(work: NormalizationRound, window: Sequence[cst.CSTNode]) -> bool:
    """Whether parameters of modules may get gradients, too: a module is called, or something of which nothing is known."""
    for statement in window:
        for node in descendants(statement):
            if not isinstance(node, cst.Call) or work.values.torch_name(node.func) is not None:
                continue
            kind = work.values(node.func).kind
            if kind is Kind.MODULE:
                if not work.values(node.func).is_loss_module:
                    return True
            elif work.values.callees.get(node) or kind is Kind.UNKNOWN:
                receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
                if receiver is None or work.values(receiver).kind is not Kind.TENSOR:
                    return True
    return False


def _bindings(statements: Sequence[cst.CSTNode], name: str) -> list[int]:
    """The statements that bind a name."""
    return [place for place, statement in enumerate(statements) if name in _bound([statement])]


def _differentiated(line: cst.CSTNode) -> cst.Call | None:
    """A line `name.backward()`, perhaps with the gradient that it begins with."""
    call = (
        line.body[0].value if isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Expr) else None
    )
    match call:
        case cst.Call(func=cst.Attribute(value=cst.Name(), attr=cst.Name("backward")), args=args):
            names = [item.keyword.value if item.keyword is not None else "gradient" for item in args if not item.star]
            return call if names == ["gradient"][: len(args)] else None
    return None


def _is_leaf(work: NormalizationRound, node: cst.BaseExpression) -> bool:
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


def _is_stored(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a gradient is set or changed, not read."""
    parent = work.index.parents[node]
    if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del, cst.Subscript)):
        return True
    return isinstance(parent, cst.Attribute) and parent.value is node and parent.attr.value.endswith("_")

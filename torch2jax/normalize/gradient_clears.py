"""Helpers and loops that empty gradients, normalized to the calls of `zero_grad()` that they make; loops that clip them.

def reset_grad():                   ->    D_loss.backward()
    for net in (G, D):                    D_solver.step()
        net.zero_grad()                   G.zero_grad()
...                                       D.zero_grad()
D_loss.backward()
D_solver.step()
reset_grad()

Of a list of tensors or parameters, the optimizers that are given just these empty the gradients:

for p in params:                    ->    solver.zero_grad(set_to_none=False)
    p.grad.data.zero_()
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import libcst as cst

from torch2jax.facts.training import method_call
from torch2jax.normalize.joined_parameters import joined_sources
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.trained_lists import bindings, optimizers_of
from torch2jax.program.definitions import How
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.syntax.edits import always_statements, is_docstring
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.values import Kind


def normalize_gradient_clears(work: NormalizationRound) -> None:
    """Normalize all loops and helpers of a file that do nothing but empty gradients."""
    if not work.program.mentions("backward"):
        return
    for loop in work.index.every(cst.For):
        calls = _unrolled(work, loop)
        if calls is not None:
            work.edits.rewrite_statement(loop, always_statements(_with_comments(loop, calls)))
    if work.edits.touched():
        return
    for function in work.program.functions.values():
        clears = _clears(function)
        if clears:
            _inline(work, function, clears)


def _with_comments(
    statement: cst.For | cst.SimpleStatementLine, lines: Sequence[cst.BaseStatement]
) -> list[cst.BaseStatement]:
    first, *others = lines
    return [first.with_changes(leading_lines=statement.leading_lines), *others]


# loops


def _unrolled(work: NormalizationRound, loop: cst.For) -> list[cst.BaseStatement] | None:
    """What a loop over modules, or over the parameters of one, does to their gradients, line by line."""
    if not isinstance(loop.target, cst.Name) or not isinstance(loop.body, cst.IndentedBlock):
        return None
    if loop.orelse is not None or loop.asynchronous is not None or _is_read_behind(work, loop, loop.target.value):
        return None
    name, body = loop.target.value, list(loop.body.body)
    module = _parameters_of(work, loop.iter)
    if module is not None:
        limit = _clipped(body, name)
        if limit is not None and _is_named_torch(work):
            text = "torch.nn.utils.clip_grad_value_({module}.parameters(), {limit})"
            return [quote_statement(text, module=module, limit=limit)]
        keyword = _emptied(work, loop, body, name)
        return None if keyword is None else [quote_statement(f"{{module}}.zero_grad({keyword})", module=module)]
    keyword = _emptied(work, loop, body, name)
    if keyword is not None and (modules := _joined(work, loop.iter)):
        return [quote_statement(f"{{module}}.zero_grad({keyword})", module=item.deep_clone()) for item in modules]
    if keyword is not None:
        return [quote_statement(f"{name}.zero_grad({keyword})") for name in optimizers_of(work, loop)] or None
    calls = [method_call(line, "zero_grad") for line in body]
    receivers = [call.func.value for call in calls if call is not None]  # type: ignore[attr-defined]
    if not calls or len(receivers) != len(calls) or any(dotted(item) != name for item in receivers):
        return None
    members = listed_members(work, loop.iter)
    if members is None:
        return None
    keywords = [call.args for call in calls if call is not None]
    return [
        cst.SimpleStatementLine([cst.Expr(cst.Call(quote("{m}.zero_grad", m=member.deep_clone()), args=_copies(args)))])
        for member in members
        for args in keywords
    ]


def _copies(arguments: Sequence[cst.Arg]) -> list[cst.Arg]:
    return [argument.deep_clone() for argument in arguments]


def _is_read_behind(work: NormalizationRound, loop: cst.For, name: str) -> bool:
    assert work.flows is not None
    return name in work.flows.liveness(work.program.function_around(loop)).after_statement(loop)


def _parameters_of(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`model` in `model.parameters()`."""
    match node:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            return module if dotted(module) is not None and work.values(module).kind is Kind.MODULE else None
    return None


def _joined(work: NormalizationRound, node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The modules whose parameters a list holds: `list(a.parameters()) + list(b.parameters())`, or a variable with that."""
    if isinstance(node, cst.Name):
        definition = work.program.definitions.bound_once(node)
        if definition is None or definition.value is None or definition.how is not How.ASSIGNED:
            return []
        node = definition.value
    found = [_parameters_of(work, item) for item in joined_sources(work, node) or ()]
    modules = [item for item in found if isinstance(item, cst.Name)]
    is_settled = all(work.program.definitions.bound_once(item) is not None for item in modules)
    return list(modules) if is_settled and len(modules) == len(found) else []


def _is_named_torch(work: NormalizationRound) -> bool:
    value = work.program.module_env.get("torch")
    return value is not None and value.kind is Kind.TORCH and value.const == "torch"


def _inside(body: Sequence[cst.BaseStatement], name: str) -> Sequence[cst.BaseStatement]:
    """The lines of a loop that are run for parameters with gradients."""
    match body:
        case [cst.If(test=test, body=cst.IndentedBlock() as inner, orelse=None)] if asks_gradient(test, name):
            return list(inner.body)
    return body


def _clipped(body: Sequence[cst.BaseStatement], name: str) -> cst.BaseExpression | None:
    """`c` where the only line of a loop is `p.grad.data.clamp_(-c, c)`."""
    match _inside(body, name):
        case [
            cst.SimpleStatementLine(
                body=[
                    cst.Expr(
                        value=cst.Call(
                            func=cst.Attribute(value=gradient, attr=cst.Name("clamp_")),
                            args=[
                                cst.Arg(value=cst.UnaryOperation(operator=cst.Minus(), expression=low), keyword=None),
                                cst.Arg(value=high, keyword=None),
                            ],
                        )
                    )
                ]
            )
        ] if dotted(gradient) in (f"{name}.grad", f"{name}.grad.data") and low.deep_equals(high):
            return high if isinstance(high, (cst.Integer, cst.Float, cst.Name, cst.Attribute)) else None
    return None


def _emptied(work: NormalizationRound, loop: cst.For, body: Sequence[cst.BaseStatement], name: str) -> str | None:
    """How the lines of a loop empty the gradient of a parameter: the argument of the `zero_grad()` that does the same."""
    found = None
    like = {name, f"{name}.data", f"{name}.grad", f"{name}.grad.data"}  # what has the shape and dtype of the gradient
    for line in _inside(body, name):
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        match small:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=cst.Name("None")):
                if dotted(target) != f"{name}.grad":
                    return None
                found = ""
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=other))], value=value):
                if dotted(value) not in like or other in like or _is_read_behind(work, loop, other):
                    return None
                like.add(other)
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
                if dotted(target) not in (f"{name}.grad", f"{name}.grad.data") or not _is_zeros(work, value, like):
                    return None
                found = "set_to_none=False"
            case cst.Expr(
                value=cst.Call(func=cst.Attribute(value=gradient, attr=cst.Name("zero_" | "detach_" as method)))
            ):
                if dotted(gradient) not in (f"{name}.grad", f"{name}.grad.data"):
                    return None
                found = "set_to_none=False" if method == "zero_" else found
            case _:
                return None
    return found


def _is_zeros(work: NormalizationRound, node: cst.BaseExpression, like: Collection[str]) -> bool:
    """Whether an expression makes zeros of the shape of one of these places: `g.new(g.size()).zero_()`."""
    match node:
        case cst.Call(func=function, args=[cst.Arg(value=inner, keyword=None)]) if work.values.torch_name(function) in (
            "torch.autograd.Variable",
            "torch.zeros_like",
        ):
            is_given = work.values.torch_name(function) == "torch.zeros_like"
            return dotted(inner) in like if is_given else _is_zeros(work, inner, like)
        case cst.Call(func=cst.Attribute(value=filled, attr=cst.Name("zero_")), args=[]):
            return _is_new(filled, like)
    return False


def _is_new(node: cst.BaseExpression, like: Collection[str]) -> bool:
    """Whether an expression makes a tensor of the shape of one of these places."""
    match node:
        case cst.Call(func=cst.Attribute(value=place, attr=cst.Name("clone")), args=[]):
            return dotted(place) in like
        case cst.Call(
            func=cst.Attribute(value=place, attr=cst.Name("new" | "new_empty")),
            args=[cst.Arg(value=cst.Call(func=cst.Attribute(value=other, attr=cst.Name("size")), args=[]))],
        ):
            return dotted(place) in like and dotted(other) in like
    return False


def asks_gradient(test: cst.BaseExpression, name: str) -> bool:
    """Whether a condition is that there is a gradient."""
    match test:
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=cst.IsNot(), comparator=cst.Name("None"))]
        ):
            return dotted(left) == f"{name}.grad"
    return dotted(test) == f"{name}.grad"


def listed_members(work: NormalizationRound, node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """The modules and optimizers that a display holds, or a name that is bound to one, once and for all."""
    if isinstance(node, cst.Name):
        bound = list(bindings(work, node.value))
        parent = work.index.parents[bound[0]] if len(bound) == 1 else None
        if not isinstance(parent, cst.Assign) or len(parent.targets) != 1 or _may_change(work, node.value):
            return None
        here, there = work.program.function_around(node), work.program.function_around(parent)
        if there is not None and there is not here:
            return None
        node = parent.value
    if not isinstance(node, (cst.List, cst.Tuple)):
        return None
    found = [element.value for element in node.elements if isinstance(element, cst.Element)]
    kinds = (Kind.MODULE, Kind.OPTIMIZER)
    if len(found) != len(node.elements) or not all(map(is_place, found)):
        return None
    return found if all(work.values(item).kind in kinds and _is_bound_once(work, item) for item in found) else None


def is_place(node: cst.BaseExpression) -> bool:
    """Whether an expression is a name, a field or an entry by its number: `net.layers[-1]`."""
    match node:
        case cst.Subscript(value=inner, slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
            number = index.expression if isinstance(index, cst.UnaryOperation) else index
            return isinstance(number, cst.Integer) and is_place(inner)
        case cst.Attribute(value=inner):
            return is_place(inner)
    return isinstance(node, cst.Name)


def _is_bound_once(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression is the same object wherever it is read: all that is bound to it is known to be one module."""
    value = work.values(node)
    return len(value.sites) == 1 or not isinstance(node, cst.Name)


def _may_change(work: NormalizationRound, name: str) -> bool:
    """Whether a list may get or lose members: something else than a loop has it."""
    kinds = (cst.For, cst.CompFor, cst.AssignTarget)
    return any(item.value == name and not isinstance(work.index.parents[item], kinds) for item in work.index.names)


# helpers


def _clears(function: Function) -> list[cst.SimpleStatementLine]:
    """The lines of a function, if each of them is a call of `zero_grad()`."""
    node = function.node
    if (
        node.decorators
        or node.asynchronous is not None
        or list(function.parameter_names) != ([function.self_name] if function.self_name is not None else [])
    ):
        return []
    body = [line for line in suite_body(node) if not is_docstring(line)]
    lines = [line for line in body if isinstance(line, cst.SimpleStatementLine)]
    if len(lines) != len(body):
        return []
    for line in lines:
        call = method_call(line, "zero_grad")
        if call is None or dotted(call.func) is None or dotted(call.func) == f"{function.self_name}.zero_grad":
            return []
    return lines


def _inline(work: NormalizationRound, function: Function, clears: Sequence[cst.SimpleStatementLine]) -> None:
    """Put the lines of a helper where it is called, and take it away where nothing else speaks of it."""
    index = work.index
    if function.owner is not None:
        uses = [item for item in index.attributes if item.attr.value == function.name]
    else:
        uses = [item for item in index.names if item.value == function.name and item is not function.node.name]  # type: ignore[misc]
    left = len(uses)
    free = set(free_variables(function.node))
    for use in uses:
        call = index.parents[use]
        around = work.program.function_around(use)
        if not isinstance(call, cst.Call) or call.func is not use or call.args:
            continue
        line = index.statement_of(call)
        if not (isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1):
            continue
        if not (isinstance(line.body[0], cst.Expr) and line.body[0].value is call):
            continue
        if not isinstance(index.parents[line], (cst.IndentedBlock, cst.Module)):
            continue
        if work.values.callees.get(call) is None or set(work.values.callees[call]) != {function}:
            continue
        if function.owner is not None:
            same = around is not None and around.owner is function.owner and around.self_name == function.self_name
            if not same or dotted(call.func) != f"{function.self_name}.{function.name}":
                continue
        elif around is not None and free & (set(around.env) | set(around.parameter_names)):
            if function.outer is not around:
                continue
        lines = [work.copy(item).with_changes(leading_lines=()) for item in clears]
        work.edits.rewrite_statement(line, always_statements(_with_comments(line, lines)))
        left -= 1
    block = index.parents[function.node]
    if uses and not left and isinstance(block, (cst.IndentedBlock, cst.Module)) and len(block.body) > 1:
        work.edits.remove(function.node)


__all__ = ["asks_gradient", "is_place", "listed_members", "normalize_gradient_clears"]

"""Functions that differentiate one of their arguments by another one, written out where they are called.

def penalty(y, x):                                  y = net(x)
    (g,) = torch.autograd.grad(y.sum(), x,          (g,) = torch.autograd.grad(y.sum(), x,
                               create_graph=True)                              create_graph=True)
    return g.pow(2).sum()                     ->    r1 = g.pow(2).sum()
...
y = net(x)
r1 = penalty(y, x)

A gradient is one of a function: what lies between the two is in sight only where they are computed.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import drop_unused, is_row, variables_in, write_out
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import bound_by, read_before_bound
from torch2jax.syntax.codegen import code
from torch2jax.syntax.folding import Folder
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants

GRAD = "torch.autograd.grad"
_ASKING = (GRAD, "torch.ones_like", "torch.zeros_like")
_LISTING = frozenset({"parameters", "named_parameters"})
_MOST = 4  # rounds that are written out
_OF_SHAPES = frozenset(
    {"shape", "size", "dim", "ndim", "numel", "device", "dtype", "new_ones", "requires_grad", "is_cuda"}
)


def normalize_gradient_helpers(work: NormalizationRound) -> None:
    """Write out one call of such functions in each function."""
    changed: set[Function | None] = set()
    for call in work.index.calls:
        if work.values.torch_name(call.func) != GRAD:
            continue
        function = work.program.function_around(call)
        if function is None or _has_others(work, function):
            continue
        is_given_both = _is_given_both(work, function, call)
        if not is_given_both and not _counts_rounds(work, function, call):
            continue
        gone: list[cst.Call] = []
        for use in function.callers:
            around = work.program.function_around(use)
            if not isinstance(use, cst.Call) or use not in work.index.parents or around in (function, *changed):
                continue
            definition: cst.FunctionDef | None = _definition(work, function, use)
            if is_row(function) and definition is not None and definition.deep_equals(function.node):
                definition = None
            if not is_given_both and definition is not None and _rounds(definition):
                continue
            if write_out(work, use, function, definition):
                changed.add(around)
                gone += [use] if function.name not in variables_in((definition or function.node).body) else []
        drop_unused(work, function, *gone)


def _definition(work: NormalizationRound, function: Function, call: cst.Call) -> cst.FunctionDef:
    """The definition of a function with the numbers and names that a call gives it, and without what they decide."""
    given = dict(arguments_by_parameter(function, call, work.values))
    bound = bound_by(function.node.body)
    known: dict[str, str] = {}
    for param in function.parameters:
        argument = given.get(param.name.value, param.default)
        value = work.values(argument).const if argument is not None else None
        if isinstance(argument, cst.BaseExpression) and param.name.value not in bound:
            if isinstance(value, (bool, int, str)) or dotted(argument) in ("None", "True", "False"):
                known[param.name.value] = repr(value) if value is not None else code(argument)
    counted = function.node.with_changes(body=function.node.body.visit(_Counting(known)))
    return cst.ensure_type(counted.visit(_Unrolling()), cst.FunctionDef)


def _counts_rounds(work: NormalizationRound, function: Function, call: cst.Call) -> bool:
    """Whether a function takes a gradient as many times as an argument says: `for _ in range(order):`"""
    around = set(work.index.ancestors(call))
    output = next((item.value for item in call.args if item.keyword is None or item.keyword.value == "outputs"), None)
    counts = [
        argument.value
        for loop, over in _rounds(function.node)
        if loop in around and dotted(output) in read_before_bound(loop) & bound_by(loop.body)
        for argument in over.args
    ]
    return bool(counts) and all(dotted(item) in function.parameter_names for item in counts)


def _rounds(node: cst.CSTNode) -> list[tuple[cst.For, cst.Call]]:
    """The loops over a range, in which a gradient may be taken of a gradient, and their ranges."""
    loops = [(item, item.iter) for item in descendants(node, cst.For)]
    return [(loop, over) for loop, over in loops if isinstance(over, cst.Call) and dotted(over.func) == "range"]


class _Counting(Folder):
    """Takes decisions, and counts: `order - 1` of the second order."""

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        match updated_node:
            case cst.BinaryOperation(left=cst.Integer() as left, operator=cst.Subtract(), right=cst.Integer() as right):
                difference = left.evaluated_value - right.evaluated_value
                return cst.Integer(str(difference)) if difference >= 0 else updated_node
        return updated_node


class _Unrolling(cst.CSTTransformer):
    """Writes out the rounds of loops over few numbers that are known."""

    def leave_For(
        self, original_node: cst.For, updated_node: cst.For
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        match updated_node:
            case cst.For(
                target=cst.Name(value=target),
                iter=cst.Call(func=cst.Name("range"), args=[cst.Arg(value=cst.Integer() as limit)]),
                body=cst.IndentedBlock(body=body),
                orelse=None,
            ):
                leaves = any(isinstance(item, (cst.Break, cst.Continue)) for item in descendants(updated_node.body))
                if leaves or limit.evaluated_value > _MOST or target in bound_by(original_node.body):
                    return updated_node
                rounds = range(limit.evaluated_value)
                return cst.FlattenSentinel(
                    [item.deep_clone().visit(Folder({target: str(i)})) for i in rounds for item in body]  # type: ignore[misc]
                )
        return updated_node


def _is_given_both(work: NormalizationRound, function: Function, call: cst.Call) -> bool:
    """Whether a function is given what it differentiates and by what, and does not compute the one from the other."""
    given = {item.keyword.value if item.keyword is not None else str(i): item.value for i, item in enumerate(call.args)}
    outputs, inputs = (given.get(name, given.get(str(i))) for i, name in enumerate(("outputs", "inputs")))
    if isinstance(inputs, (cst.List, cst.Tuple)) and len(inputs.elements) == 1:
        inputs = inputs.elements[0].value
    if (module := _listed_module(inputs)) is not None and outputs is not None:
        return _is_given_module(function, module, outputs)
    if outputs is None or not isinstance(inputs, cst.Name) or inputs.value not in function.parameter_names:
        return False
    bound = bound_by(function.node.body)
    if inputs.value in bound or names_in(outputs).isdisjoint({*function.parameter_names} | bound):
        return False
    asked: set[cst.CSTNode] = set()
    for node in descendants(function.node.body, cst.Call):
        if work.values.torch_name(node.func) in _ASKING or node in function.callers:
            asked |= {item for argument in node.args for item in (argument.value, *descendants(argument.value))}
    shapes = {node.value for node in descendants(function.node.body, cst.Attribute) if node.attr.value in _OF_SHAPES}
    names = [node for node in descendants(function.node.body, cst.Name) if node.value == inputs.value]
    reads = [node for node in names if not work.index.is_label(node)]
    return all(node in asked or node in shapes for node in reads)


def _listed_module(inputs: cst.BaseExpression | None) -> str | None:
    """`net` where the inputs are `net.parameters()`, a list of them, or those that are trained."""
    match inputs:
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner, star="")]):
            return _listed_module(inner)
        case cst.ListComp(elt=cst.Name(), for_in=loop) | cst.GeneratorExp(elt=cst.Name(), for_in=loop):
            return _listed_module(loop.iter)
        case cst.Call(func=cst.Attribute(value=cst.Name(module), attr=cst.Name(method)), args=[]) if method in _LISTING:
            return module
    return None


def _is_given_module(function: Function, module: str, outputs: cst.BaseExpression) -> bool:
    """Whether a function is given what it differentiates, and the module by whose parameters, which it calls nowhere."""
    bound = bound_by(function.node.body)
    if module not in function.parameter_names or module in bound or not names_in(outputs) & {*function.parameter_names}:
        return False
    body = function.node.body
    listing = {
        node.func.value
        for node in descendants(body, cst.Call)
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in _LISTING
    }
    return all(node in listing for node in descendants(body, cst.Name) if node.value == module)


def _has_others(work: NormalizationRound, function: Function) -> bool:
    """Whether a class that derives from that of a method has another method of the name."""
    owner = function.owner
    return owner is not None and any(
        item is not owner and owner in item.lineage and item.method(function.name) is not function
        for item in work.program.classes.values()
    )


__all__ = ["GRAD", "normalize_gradient_helpers"]

"""Functions with a gradient of their own that only compute what they were given again in the backward pass.

class Recompute(torch.autograd.Function):
    def forward(ctx, run, length, *args):       keeps `run` and `args`, runs it without a graph
    def backward(ctx, *grads):                  runs it again, and gives its gradients

args = tuple(inputs) + tuple(params)
return Recompute.apply(run, len(inputs), *args)   ->   return run(*inputs), noted as a call whose values are computed again
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.quote import fit, quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_FORWARD = re.compile(
    r"@staticmethod\ndef forward\((?P<ctx>\w+), (?P<run>\w+), (?P<length>\w+), \*(?P<args>\w+)\):\n"
    r"    (?P=ctx)\.(?P<kept_run>\w+) = (?P=run)\n"
    r"    (?P=ctx)\.(?P<inputs>\w+) = list\((?P=args)\[:(?P=length)\]\)\n"
    r"    (?P=ctx)\.(?P<params>\w+) = list\((?P=args)\[(?P=length):\]\)\n"
    r"(?:    (?P=ctx)\.\w*autocast\w* = .*\n)?"
    r"    with [\w.]+no_grad\(\):\n"
    r"        (?P<out>\w+) = (?P=ctx)\.(?P=kept_run)\(\*(?P=ctx)\.(?P=inputs)\)\n"
    r"    return (?P=out)"
)
_BACKWARD = (
    r"@staticmethod\ndef backward\((?P<ctx>\w+), \*(?P<grads>\w+)\):\n"
    r"    (?P=ctx)\.{inputs} = \[(?P<x>\w+)\.detach\(\)\.requires_grad_\(True\) for (?P=x) in (?P=ctx)\.{inputs}\]\n"
    r"    with [\w.]+enable_grad\(\)(?:, [\w.]+autocast\([^\n]*\))?:\n"
    r"        (?P<copies>\w+) = \[(?P<y>\w+)\.view_as\((?P=y)\) for (?P=y) in (?P=ctx)\.{inputs}\]\n"
    r"        (?P<out>\w+) = (?P=ctx)\.{kept_run}\(\*(?P=copies)\)\n"
    r"    (?P<found>\w+) = [\w.]+grad\((?P=out), (?P=ctx)\.{inputs} \+ (?P=ctx)\.{params}, (?P=grads), allow_unused=True\)\n"
    r"(?:    del [\w., ]+\n)*"
    r"    return \(None, None\) \+ (?P=found)"
)


def normalize_recomputations(work: NormalizationRound) -> None:
    """Call what such functions are given."""
    for item in work.program.classes.values():
        if _recomputes(item):
            calls = _calls(work, item)
            if calls is not None:
                work.edits.remove(item.node)
                for call in calls:
                    _run(work, call)


def _recomputes(item: Class) -> bool:
    bases = [value.const for value in item.bases if value.kind is Kind.TORCH]
    if bases != ["torch.autograd.Function"] or len(item.bases) != 1 or set(item.methods) != {"forward", "backward"}:
        return False
    forward = _FORWARD.fullmatch(_text(item.methods["forward"].node))
    if forward is None:
        return False
    places = {name: forward[name] for name in ("kept_run", "inputs", "params")}
    return re.fullmatch(_BACKWARD.format(**places), _text(item.methods["backward"].node)) is not None


def _text(function: cst.FunctionDef) -> str:
    """A function without its comments, docstring and layout."""
    node = ast.parse(textwrap.dedent(code(function)).strip()).body[0]
    assert isinstance(node, ast.FunctionDef)
    if ast.get_docstring(node) is not None:
        node.body = node.body[1:]
    return ast.unparse(node)


def _calls(work: NormalizationRound, item: Class) -> Sequence[cst.Call] | None:
    """The calls `Recompute.apply(run, length, *args)`; None where the class is used otherwise."""
    if item.name in work.program.read_elsewhere:
        return None
    calls: list[cst.Call] = []
    for name in work.index.names:
        if name.value != item.name or work.index.parents[name] is item.node:
            continue
        parent = work.index.parents[name]
        call = work.index.parents[parent]
        match call:
            case cst.Call(
                func=cst.Attribute(attr=cst.Name("apply")) as func,
                args=[cst.Arg(star="", keyword=None), cst.Arg(star="", keyword=None), cst.Arg(star="*")],
            ) if func is parent and func.value is name and not _leaves_parameters_out(work, call):
                calls.append(call)
            case _:
                return None
    return calls


def _leaves_parameters_out(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether the function around a call is given no parameters somewhere, which torch would then not train."""
    function = work.index.function_of(call)
    name = function.name.value if isinstance(function, cst.FunctionDef) else None
    given = [item.value for other in work.index.calls if dotted(other.func) == name for item in other.args]
    return any(isinstance(item, (cst.Tuple, cst.List)) and not item.elements for item in given)


def _run(work: NormalizationRound, call: cst.Call) -> None:
    run, length, args = (item.value for item in call.args)
    inputs, statement = _inputs(work, call, length, args)
    if statement is not None:
        work.edits.remove(statement)
    made = cst.Call(fit(run, call, "func"), [cst.Arg(inputs, star="*")])
    work.edits.replace(call, lambda rewrite: made)
    work.copies[made] = call
    work.checkpoints.add(made)


def _inputs(
    work: NormalizationRound, call: cst.Call, length: cst.BaseExpression, args: cst.BaseExpression
) -> tuple[cst.BaseExpression, cst.BaseStatement | None]:
    """What the function is called with, and the line that put the parameters behind it, where nothing else asks for them."""
    function = work.index.function_of(call)
    line = work.index.statement_of(call)
    block = work.index.parents[line]
    siblings = list(block.body) if isinstance(block, cst.IndentedBlock) else []
    before = siblings[siblings.index(line) - 1] if siblings and siblings[0] is not line else None
    match before:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name() as name)],
                    value=cst.BinaryOperation(
                        left=cst.Call(func=cst.Name("tuple"), args=[cst.Arg(value=cst.Name() as inputs)]),
                        operator=cst.Add(),
                    ),
                )
            ]
        ) if dotted(args) == name.value and code(length) == f"len({inputs.value})" and function is not None:
            named = [node for node in descendants(function, cst.Name) if node.value == name.value]
            return inputs, before if len(named) == 2 else None
    return quote("{args}[:{length}]", args=args, length=length), None

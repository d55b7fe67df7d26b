"""What compiles modules and functions for torch, normalized away: what it gives computes what it was given computes.

traced = torch.jit.trace(model.eval(), x)          ->   traced = model.eval()
torch.jit.save(traced, path); traced.save(path)    ->   torch.save(traced, path)
model = torch.jit.load(path)                       ->   model = torch.load(path, weights_only=False)
class Net(torch.jit.ScriptModule):                 ->   class Net(torch.nn.Module):
model.forward = torch.compile(model.forward)       ->   (gone, as `model.compile()`)
torch.jit.wait(torch.jit.fork(f, x))               ->   f(x)

Tracing runs a module, which may change its state, and keeps its mode: modules with either are followed in evaluation mode only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.walk import with_fields
from torch2jax.values import Kind

_TRACERS = frozenset({"torch.jit.trace", "torch.jit.trace_module"})
_GIVE_BACK = {
    "torch.jit.script": "obj", "torch.jit.freeze": "mod", "torch.jit.optimize_for_inference": "mod",
    "torch.jit.wait": "future", "torch.jit.trace": "func", "torch.jit.trace_module": "mod",
}  # fmt: skip
_FILES = {"torch.jit.save": 2, "torch.jit.load": 2}
_SCRIPTED = "scripted"
_ON_LOADING = "weights_only"


def normalize_script_calls(work: NormalizationRound) -> None:
    """Normalize all such calls, classes and lines of a file."""
    if work.program.mentions("jit") or (_SCRIPTED,) in work.program.marks:
        work.marks.add((_SCRIPTED,))  # what has been compiled keeps the methods that come with that
        for node in work.index.every(cst.ClassDef):
            _plain_bases(work, node)
        for call in work.index.calls:
            _normalize(work, call)
    if work.program.mentions("compile"):
        for call in work.index.calls:
            _uncompiled(work, call)
        for line in work.index.every(cst.SimpleStatementLine):
            if len(line.body) == 1 and _only_compiles(work, line.body[0]):
                work.edits.remove(line)


def _normalize(work: NormalizationRound, call: cst.Call) -> None:
    name = work.values.torch_name(call.func)
    if name == "torch.jit.fork" and call.args and not call.args[0].star and call.args[0].keyword is None:
        function, *others = call.args
        work.edits.replace(
            call, lambda rewrite: cst.Call(rewrite.expression(function.value), _rewritten(others, rewrite))
        )
    elif name in _FILES and len(call.args) <= _FILES[name] and not any(arg.star for arg in call.args):
        torch = work.torch_alias()
        if torch is not None:
            work.edits.replace(call, partial(_on_file, call, torch))
    elif name in _GIVE_BACK:
        given = _given(call, _GIVE_BACK[name])
        if given is not None and _gives_back(work, name, given):
            work.edits.replace(call, lambda rewrite: rewrite.expression(given))
    elif name is None and _saves_module(work, call):
        torch = work.torch_alias()
        if torch is not None:
            work.edits.replace(call, partial(_saved, call, torch))


def _uncompiled(work: NormalizationRound, call: cst.Call) -> None:
    """`self.f = torch.compile(self.method)`: a module keeps the method itself."""
    given = _given(call, "model") if work.values.torch_name(call.func) == "torch.compile" else None
    if isinstance(given, cst.Attribute) and work.values(given).kind is Kind.FUNCTION:
        function = work.program.function_around(call)
        if function is not None and function.self_name is not None and dotted(given.value) == function.self_name:
            work.edits.replace(call, lambda rewrite: rewrite.expression(given))


def _rewritten(arguments: list[cst.Arg], rewrite: Rewriter) -> list[cst.Arg]:
    return [cst.ensure_type(rewrite(item), cst.Arg) for item in arguments]


def _given(call: cst.Call, parameter: str) -> cst.BaseExpression | None:
    """What a compiler is given to compile."""
    if call.args and call.args[0].keyword is None and not call.args[0].star:
        return call.args[0].value
    return next((arg.value for arg in call.args if arg.keyword is not None and arg.keyword.value == parameter), None)


def _gives_back(work: NormalizationRound, name: str, given: cst.BaseExpression) -> bool:
    """Whether what a compiler makes may take the place of what it was given."""
    value = work.values(given)
    if name == "torch.jit.script":
        return value.kind is Kind.MODULE  # functions have a row
    if name not in _TRACERS or value.kind is Kind.FUNCTION:
        return True
    assert work.effects is not None
    if value.kind is not Kind.MODULE:
        return False
    is_plain = not work.effects.is_stateful(value) and not work.effects.has_mode(value)
    return is_plain or _is_evaluated(work, given)


def _is_evaluated(work: NormalizationRound, given: cst.BaseExpression) -> bool:
    """Whether a module is put in evaluation mode where it is given, or in a line above."""
    if isinstance(given, cst.Call) and isinstance(given.func, cst.Attribute):
        return given.func.attr.value == "eval"
    modes = list(_mode_calls(work, given))
    lines = [line for name, line in modes if name == "eval" and line is not None]
    return all(name == "eval" for name, _ in modes) and any(work.is_behind(given, line) for line in lines)


def _mode_calls(
    work: NormalizationRound, module: cst.BaseExpression
) -> Iterator[tuple[str, cst.SimpleStatementLine | None]]:
    """The calls that set the mode of a module in the function around a node, with their lines."""
    scope, place = work.index.function_of(module), dotted(module)
    for call in work.index.calls:
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value not in ("train", "eval"):
            continue
        if place is not None and dotted(function.value) == place and work.index.function_of(call) is scope:
            lines = (item for item in work.index.ancestors(call) if isinstance(item, cst.SimpleStatementLine))
            yield function.attr.value, next(lines, None)


def _on_file(call: cst.Call, torch: str, rewrite: Rewriter) -> cst.CSTNode:
    """`torch.save` and `torch.load` of the same file."""
    method = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    assert isinstance(method, cst.Name)
    arguments = _rewritten(list(call.args), rewrite)
    if method.value == "load":
        bare = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
        arguments.append(cst.Arg(cst.Name("False"), keyword=cst.Name(_ON_LOADING), equal=bare))
    return with_fields(call, func=cst.Attribute(cst.Name(torch), cst.Name(method.value)), args=arguments)


def _saves_module(work: NormalizationRound, call: cst.Call) -> bool:
    """`traced.save(path)`: modules that compilers make have such a method, others do not."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "save" or len(call.args) != 1:
        return False
    return _lacks(work, call.func.value, "save")


def _lacks(work: NormalizationRound, holder: cst.BaseExpression, method: str) -> bool:
    """Whether something is a module of known class, which has no such method of its own."""
    value = work.values(holder)
    own = [work.program.class_by_key.get(key) for key in value.types if not key.startswith("torch.")]
    is_known = value.kind is Kind.MODULE and bool(value.types)
    return is_known and all(item is not None and item.method(method) is None for item in own)


def _saved(call: cst.Call, torch: str, rewrite: Rewriter) -> cst.CSTNode:
    assert isinstance(call.func, cst.Attribute)
    first = cst.Arg(rewrite.expression(call.func.value), comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
    arguments = [first, *_rewritten(list(call.args), rewrite)]
    return with_fields(call, func=cst.Attribute(cst.Name(torch), cst.Name("save")), args=arguments)


def _plain_bases(work: NormalizationRound, node: cst.ClassDef) -> None:
    torch = work.torch_alias()
    for base in node.bases:
        if torch is not None and work.values.torch_name(base.value) == "torch.jit.ScriptModule":
            module = cst.Attribute(cst.Attribute(cst.Name(torch), cst.Name("nn")), cst.Name("Module"))
            work.edits.replace(base.value, lambda rewrite, module=module: module)  # type: ignore[misc]


def _only_compiles(work: NormalizationRound, small: cst.BaseSmallStatement) -> bool:
    """`model.compile()` of a module without such a method, and `model.forward = torch.compile(model.forward)`."""
    match small:
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=holder, attr=cst.Name("compile")))):
            return _lacks(work, holder, "compile")
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute() as target)],
            value=cst.Call(func=function, args=[cst.Arg(value=given, star=""), *_]),
        ):
            is_same = dotted(target) == dotted(given) is not None
            is_method = target.attr.value == "forward" or work.values(given).kind is Kind.FUNCTION
            return is_same and is_method and work.values.torch_name(function) == "torch.compile"
    return False


__all__ = ["normalize_script_calls"]

"""Functions that modules apply with more arguments, or that stand there as lambdas, and objects that are called, become functions
with a name.

self.apply(partial(init, std=0.02))         ->   def fill(module):
                                                     init(module, std=0.02)

                                                 self.apply(fill)
model.apply(lambda m: init(m, 0.02))        ->   def fill(m):
                                                     init(m, 0.02)

                                                 model.apply(fill)
model.apply(Clipper(0.1))                   ->   applied = Clipper(0.1)
                                                 def fill(module):
                                                     applied(module)

                                                 model.apply(fill)

What such a function gives back is not looked at by torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_applied_functions(work: NormalizationRound) -> None:
    """Normalize all such calls of a file that are statements."""
    if not work.program.mentions("apply"):
        return
    names: dict[cst.CSTNode | None, FreshNames] = {}
    for line in work.index.every(cst.SimpleStatementLine):
        given = _given(work, line) if isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)) else None
        fresh = names.setdefault(work.index.function_of(line), work.names_at(line)) if given is not None else None
        made = _function(work, given, fresh) if given is not None and fresh is not None else None
        if given is not None and made is not None:
            work.edits.replace(given, lambda rewrite, name=made.name: name.deep_clone())  # type: ignore[misc]
            work.edits.rewrite_statement(line, partial(_behind, line, _kept_object(work, given, made), made))


def _given(work: NormalizationRound, line: cst.SimpleStatementLine) -> cst.BaseExpression | None:
    """What a statement lets a module apply."""
    match line.body:
        case [
            cst.Expr(value=cst.Call(func=cst.Attribute(value=module, attr=cst.Name("apply")), args=[given]))
            | cst.Assign(value=cst.Call(func=cst.Attribute(value=module, attr=cst.Name("apply")), args=[given]))
        ] if not given.star and work.values(module).kind is Kind.MODULE:
            return given.value
    return None


def _function(work: NormalizationRound, given: cst.BaseExpression, fresh: FreshNames) -> cst.FunctionDef | None:
    """The function that a lambda, or a function with some arguments, is."""
    match given:
        case cst.Lambda(params=cst.Parameters(params=[cst.Param(default=None) as parameter]) as params, body=body):
            if list(params.children) != [parameter] or any(
                isinstance(item, cst.NamedExpr) for item in descendants(body)
            ):
                return None
            name, call = parameter.name.value, work.copy(body)
        case cst.Call(args=[cst.Arg(value=function, star="", keyword=None), *others]) if _is_partial(work, given):
            if any(item.star or any(isinstance(node, cst.Call) for node in descendants(item)) for item in others):
                return None
            name = FreshNames(names_in(given))("module")
            plain = [work.copy(item) for item in others if item.keyword is None]
            named = [work.copy(item) for item in others if item.keyword is not None]
            call = cst.Call(work.copy(function), [*_with_commas(plain), cst.Arg(cst.Name(name)), *_with_commas(named)])
        case cst.Call() | cst.Name() | cst.Attribute() if _is_called_object(work, given):
            name = FreshNames(names_in(given))("module")
            called = cst.Name(fresh("applied")) if isinstance(given, cst.Call) else work.copy(given)
            call = cst.Call(called, [cst.Arg(cst.Name(name))])
        case _:
            return None
    text = f"def {fresh('fill')}({name}):\n    {{call}}\n"
    made = quote_statement(text, call=call)
    assert isinstance(made, cst.FunctionDef)
    return made


def _is_called_object(work: NormalizationRound, given: cst.BaseExpression) -> bool:
    """Whether what is applied is an object of a class of the program that says what becomes of a call of it."""
    value = work.values(given)
    classes = [work.program.class_by_key.get(key) for key in value.types]
    is_known = bool(classes) and all(item is not None and item.method("__call__") is not None for item in classes)
    return value.kind is Kind.OBJECT and is_known


def _kept_object(
    work: NormalizationRound, given: cst.BaseExpression, made: cst.FunctionDef
) -> cst.BaseStatement | None:
    """The statement that makes the object once which a function calls for each module."""
    if not isinstance(given, cst.Call) or not _is_called_object(work, given):
        return None
    called = descendants(made.body, cst.Call)[0].func
    assert isinstance(called, cst.Name)
    return quote_statement("{name} = {made}", name=called.value, made=work.copy(given))


def _is_partial(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is `functools.partial` of a function of the program."""
    function = call.args[0].value
    is_known = dotted(function) is not None and work.values(function).kind is Kind.FUNCTION
    return is_known and work.values(call.func).const == "functools.partial"


def _with_commas(args: Sequence[cst.Arg]) -> list[cst.Arg]:
    return [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in args]


def _behind(
    line: cst.SimpleStatementLine, kept: cst.BaseStatement | None, made: cst.FunctionDef, rewrite: Rewriter
) -> list[cst.BaseStatement]:
    """The function, and the statement that speaks of it."""
    last = rewrite.inside(line)
    assert isinstance(last, cst.SimpleStatementLine)
    blank = cst.EmptyLine(indent=False)
    above = made.with_changes(leading_lines=line.leading_lines)
    return [*([kept] if kept is not None else []), above, last.with_changes(leading_lines=[blank])]


__all__ = ["normalize_applied_functions"]

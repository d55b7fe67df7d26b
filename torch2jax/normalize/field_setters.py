"""Functions that set fields of a module by names that they are given, written out where they are called.

register = lambda name, value: self.register_buffer(name, value.float())
register("betas", betas)                        ->   self.register_buffer("betas", betas.float())

register = partial(self.register_buffer, persistent=False)
register("mask", mask)                          ->   self.register_buffer("mask", mask, persistent=False)

def put(self, name, value):
    value = value.float()                            value = betas
    setattr(self, name, value)                       value = value.float()
...
self.put("betas", betas)                        ->   self.betas = value

Which fields a module has is then seen where it is made. A function that nobody calls any more goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.named_fields import sets_by_name, substituted
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import REGISTERING
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, is_docstring
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.walk import INNER_SCOPES, descendants
from torch2jax.values import Kind


@dataclass(frozen=True, slots=True)
class _Setter:
    """A function with a name: its parameters and statements, or the method that it is, with what that is given besides."""

    name: cst.Name
    line: cst.BaseStatement
    params: cst.Parameters | None
    body: Sequence[cst.BaseStatement]
    method: cst.Attribute | None = None
    given: Sequence[cst.Arg] = ()
    owner: Function | None = None


def normalize_field_setters(work: NormalizationRound) -> None:
    """Write out the calls of all such functions of a file."""
    if not any(map(work.program.mentions, (*REGISTERING, "setattr"))):
        return
    for setter in _setters(work):
        calls = _calls(work, setter)
        written = {call.func for call in calls if _write_out(work, setter, call)}
        if written and not _is_named_elsewhere(work, setter, written):
            work.edits.remove(setter.line)
        elif not isinstance(setter.line, cst.FunctionDef):  # whose statements are reported where they stand
            function = work.program.function_around(setter.line)
            module = function.owner.name if function is not None and function.owner is not None else "self"
            shown = setter.method or next(item for item in _nodes(setter.body) if sets_by_name(work, item))
            work.problems.append(Problem(shown, "T2J601", {"name": code(shown), "module": module}))


def _setters(work: NormalizationRound) -> Iterator[_Setter]:
    for function in work.program.functions.values():
        body = [line for line in suite_body(function.node) if not is_docstring(line)]
        if _is_plain(function.node, body) and any(sets_by_name(work, item) for item in _nodes(body)):
            owner = function if function.owner is not None else None
            yield _Setter(function.node.name, function.node, function.node.params, body, owner=owner)
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)], value=value)]:
                yield from _bound(work, name, line, value)


def _bound(
    work: NormalizationRound, name: cst.Name, line: cst.SimpleStatementLine, value: cst.BaseExpression
) -> Iterator[_Setter]:
    """The setter that a variable is bound to."""
    match value:
        case cst.Lambda(params=params, body=body) if any(
            sets_by_name(work, item) for item in (body, *descendants(body))
        ):
            yield _Setter(name, line, params, [cst.SimpleStatementLine([cst.Expr(body)])])
        case cst.Attribute() if _is_method(work, value):
            yield _Setter(name, line, None, (), value)
        case cst.Call(args=[cst.Arg(value=cst.Attribute() as method, star="", keyword=None), *given]):
            is_partial = work.values(value.func).const == "functools.partial"
            if is_partial and _is_method(work, method) and all(item.keyword is not None for item in given):
                yield _Setter(name, line, None, (), method, given)


def _is_method(work: NormalizationRound, node: cst.Attribute) -> bool:
    return node.attr.value in REGISTERING and work.values(node.value).kind is Kind.MODULE and dotted(node) is not None


def _is_plain(node: cst.FunctionDef, body: Sequence[cst.BaseStatement]) -> bool:
    """Whether the statements of a function can stand where it is called."""
    if node.decorators or node.asynchronous is not None or not body:
        return False
    leaving = (cst.Return, cst.Yield, cst.Global, cst.Nonlocal, *INNER_SCOPES)
    return not any(isinstance(item, leaving) for item in _nodes(body))


def _nodes(body: Sequence[cst.BaseStatement]) -> Iterator[cst.CSTNode]:
    for line in body:
        yield line
        yield from descendants(line)


def _calls(work: NormalizationRound, setter: _Setter) -> list[cst.Call]:
    """The calls of a setter: of a method by what is called, of a variable by its name in the same function."""
    if setter.owner is not None:
        calls = [call for call in work.index.calls if work.values.callees.get(call) == (setter.owner,)]
        return [] if _calls_itself(work, setter.owner) else calls
    scope = work.index.function_of(setter.line)
    named = [call for call in work.index.calls if dotted(call.func) == setter.name.value]
    if any(setter.line in work.index.ancestors(call) for call in named):
        return []  # it calls itself
    return [call for call in named if work.index.function_of(call) is scope]


def _calls_itself(work: NormalizationRound, function: Function) -> bool:
    """Whether a function may run itself, directly or through others: written out, it would stand in what it has become."""
    reached: set[Function] = set()
    waiting = [function]
    while waiting:
        for call in descendants(waiting.pop().node, cst.Call):
            found = [item for item in work.values.callees.get(call, ()) if item not in reached]
            reached.update(found)
            waiting += found
    return function in reached


def _is_named_elsewhere(work: NormalizationRound, setter: _Setter, written: set[cst.BaseExpression]) -> bool:
    """Whether something else than the calls that are written out names a setter."""
    if setter.owner is not None:
        named = [node for node in work.index.attributes if node.attr.value == setter.name.value]
        return work.program.is_imported or any(node not in written for node in named)
    scope = work.index.function_of(setter.line) or work.index.module
    names = [node for node in descendants(scope) if isinstance(node, cst.Name) and node.value == setter.name.value]
    return any(node not in written and node is not setter.name and not work.index.is_label(node) for node in names)


def _write_out(work: NormalizationRound, setter: _Setter, call: cst.Call) -> bool:
    """Write out one call, if it stands alone."""
    line = work.index.parents.get(work.index.parents[call])
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or any(item.star for item in call.args):
        return False
    if not isinstance(work.index.parents[call], cst.Expr) or line in work.edits.statements:
        return False
    if setter.method is not None:
        made: list[cst.BaseStatement] | None = [_by_method(work, setter.method, setter.given, call)]
    else:
        made = _statements(work, setter, call)
    if not made:
        return False
    made[0] = made[0].with_changes(leading_lines=line.leading_lines)
    work.edits.rewrite_statement(line, partial(_noted, made, line))
    return True


def _noted(
    made: Sequence[cst.BaseStatement], line: cst.BaseStatement, rewrite: Rewriter
) -> Sequence[cst.BaseStatement]:
    for new in made:
        rewrite.stands_for(new, line)
    return made


def _by_method(
    work: NormalizationRound, method: cst.Attribute, given: Sequence[cst.Arg], call: cst.Call
) -> cst.BaseStatement:
    args = [work.copy(item).with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in (*call.args, *given)]
    made = cst.Call(method.deep_clone(), args)
    work.copies.update(dict.fromkeys((made, *descendants(made.func)), call))
    return cst.SimpleStatementLine([cst.Expr(made)])


def _statements(work: NormalizationRound, setter: _Setter, call: cst.Call) -> list[cst.BaseStatement] | None:
    """The statements of a setter for one call; None where they cannot stand there."""
    given = _arguments(setter, call)
    if given is None:
        return None
    scope = work.index.function_of(call) or work.index.module
    bound = {item.value for item in _targets(setter.body)}
    fresh = work.beside_variables(scope)
    own = {name: cst.Name(fresh(name)) for name in sorted(bound)}
    if setter.owner is not None and _is_shadowed(setter, given, bound, scope):
        return None
    first: list[cst.BaseStatement] = []
    stands: dict[str, cst.BaseExpression] = dict(own)
    for name, value in given.items():
        if name in own or not (_is_simple(value) or _count(setter, name) == 1):
            stands[name] = place = own.get(name) or cst.Name(fresh(name))
            target = cst.AssignTarget(work.copy(place))
            first.append(cst.SimpleStatementLine([cst.Assign([target], work.copy(value))]))
        else:
            stands[name] = value
    return [*first, *(substituted(work, line, stands) for line in setter.body)]


def _arguments(setter: _Setter, call: cst.Call) -> dict[str, cst.BaseExpression] | None:
    """What each parameter of a setter is given."""
    params = setter.params
    if params is None or params.star_kwarg is not None or isinstance(params.star_arg, cst.Param):
        return None
    places = [item.name.value for item in (*params.posonly_params, *params.params)]
    found: dict[str, cst.BaseExpression] = {}
    if setter.owner is not None and setter.owner.self_name is not None:
        if not isinstance(call.func, cst.Attribute) or not isinstance(call.func.value, cst.Name):
            return None
        found[places[0]], places = call.func.value, places[1:]
    plain = [item.value for item in call.args if item.keyword is None]
    found |= dict(zip(places, plain, strict=False))
    found |= {item.keyword.value: item.value for item in call.args if item.keyword is not None}
    every = [*params.posonly_params, *params.params, *params.kwonly_params]
    for item in every:
        if item.name.value not in found and item.default is not None:
            found[item.name.value] = item.default
    return found if len(plain) <= len(places) and found.keys() == {item.name.value for item in every} else None


def _is_shadowed(setter: _Setter, given: Mapping[str, cst.BaseExpression], bound: set[str], scope: cst.CSTNode) -> bool:
    """Whether a name that a method reads from around it means something else where it is called."""
    read = {item.value for item in _nodes(setter.body) if isinstance(item, cst.Name)} - given.keys() - bound
    body = scope.body if isinstance(scope, cst.FunctionDef) else scope
    return bool(read & {item.value for item in _targets([body])})  # type: ignore[list-item]


def _targets(body: Sequence[cst.BaseStatement]) -> Iterator[cst.Name]:
    """The variables that statements bind."""
    for node in _nodes(body):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr)):
            target = node.target
            places = [item.value for item in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
            yield from (item for item in places if isinstance(item, cst.Name))


def _is_simple(node: cst.BaseExpression) -> bool:
    return dotted(node) is not None or isinstance(node, (cst.SimpleString, cst.Integer, cst.Float))


def _count(setter: _Setter, name: str) -> int:
    return sum(1 for node in _nodes(setter.body) if isinstance(node, cst.Name) and node.value == name)


__all__ = ["normalize_field_setters"]

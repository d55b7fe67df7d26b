"""Functions that are given what fills tensors: initializers of torch, and lambdas that call one. Such a function is written for
what it is given, since nothing in a translation can be passed around that changes arrays.

def init(module, weight_init, bias_init, gain=1):      def init(module, gain=1):
    weight_init(module.weight.data, gain=gain)             nn.init.orthogonal_(module.weight.data, gain=gain)
    bias_init(module.bias.data)                            nn.init.constant_(module.bias.data, 0)
    return module                                          return module
                                                  ->
layer = init(nn.Linear(4, 8), nn.init.orthogonal_,     layer = init(nn.Linear(4, 8), gain=2)
             lambda x: nn.init.constant_(x, 0), gain=2)

A function of another file, or one that is given different ones, gets a twin for each.
"""

from __future__ import annotations

import builtins
from collections.abc import Container, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.named_fields import expression_with
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, Program, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.folding import Transformer
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_INIT = "torch.nn.init."
_BUILTINS = frozenset(dir(builtins))
_Given = Mapping[str, cst.BaseExpression]  # parameter -> the initializer, or lambda, that it is


def normalize_given_initializers(work: NormalizationRound) -> None:
    """Normalize all such functions and their calls in a file."""
    if not work.program.mentions("init"):
        return
    given: dict[Function, dict[cst.Call, _Given]] = {}
    for call in work.index.calls:
        callees = set(work.values.callees.get(call, ()))
        if len(callees) == 1:
            function = callees.pop()
            found = _given(work, function, call) if _is_plain(function) else {}
            if found:
                given.setdefault(function, {})[call] = found
    for function, calls in given.items():
        _write_for(work, function, calls)


def _is_plain(function: Function) -> bool:
    is_bare = function.owner is None and function.outer is None and not function.decorators
    return is_bare and not function.star_name and not function.double_star_name


def _given(work: NormalizationRound, function: Function, call: cst.Call) -> _Given:
    """What a call gives for the parameters that a function only calls, where it fills tensors; nothing if one cannot be told."""
    if any(item.star for item in call.args):
        return {}
    defaults = {item.name.value: item.default for item in function.parameters if item.default is not None}
    arguments = defaults | dict(arguments_by_parameter(function, call, work.values))
    filling = {name: given for name, given in arguments.items() if _fills(work, given)}
    called = _called(function, filling) if filling else {}
    is_written = all(_can_be_written(filling[name], calls) for name, calls in called.items())
    return {name: filling[name] for name in called} if is_written else {}


def _called(function: Function, names: Container[str]) -> dict[str, list[cst.Call]]:
    """Those of some parameters that a function does nothing with but call them, in lines of their own, and these calls."""
    called: dict[str, list[cst.Call]] = {}
    counts: dict[str, int] = {}
    for node in descendants(function.node.body):
        match node:
            case cst.Expr(value=cst.Call(func=cst.Name(name)) as call) if name in names:
                called.setdefault(name, []).append(call)
            case cst.Name(name) if name in names:
                counts[name] = counts.get(name, 0) + 1
    return {name: calls for name, calls in called.items() if counts[name] == len(calls)}


def _fills(work: NormalizationRound, given: cst.BaseExpression) -> bool:
    """Whether an expression is an initializer of torch, or a lambda that calls one, and means the same everywhere in the file."""
    if isinstance(given, cst.Lambda):
        own = {item.name.value for item in given.params.params}
        free = set(free_variables(given)) - _BUILTINS
        if len(own) != len(list(descendants(given.params, cst.Param))) or not isinstance(given.body, cst.Call):
            return False
        return _fills(work, given.body.func) and all(_is_of_torch(work.program, name) for name in free)
    name = work.values.torch_name(given) or ""
    root = (dotted(given) or "").partition(".")[0]
    return name.startswith(_INIT) and is_inplace_name(name.rpartition(".")[2]) and _is_of_torch(work.program, root)


def _is_of_torch(program: Program, name: str) -> bool:
    value = program.module_env.get(name)
    return value is not None and value.kind is Kind.TORCH


def _can_be_written(given: cst.BaseExpression, calls: Sequence[cst.Call]) -> bool:
    """Whether an initializer can take the place of a parameter in calls of this: a lambda is asked with simple arguments."""
    if not isinstance(given, cst.Lambda):
        return True
    count = len(given.params.params)
    return all(
        len(call.args) == count
        and all(not item.star and item.keyword is None and dotted(item.value) for item in call.args)
        for call in calls
    )


def _write_for(work: NormalizationRound, function: Function, calls: Mapping[cst.Call, _Given]) -> None:
    """Write a function for what its calls give it, each of these once, and give it no more of that."""
    keys = {call: _key(found) for call, found in calls.items()}
    is_here = function.node in work.index.parents
    if not is_here and not _means_the_same_here(work, function):
        return
    makes_twins = not is_here or len(set(keys.values())) > 1 or not _is_all(work, function, calls)
    names: dict[tuple[tuple[str, str], ...], str] = {}
    twins: list[cst.BaseStatement] = []
    for call, found in calls.items():
        if keys[call] not in names:
            names[keys[call]] = work.fresh(f"{function.name}_{_word(found)}") if makes_twins else function.name
            twins.append(_written(work, function, names[keys[call]], found))
        work.edits.replace(call, partial(_called_with_less, work, function, call, found, names[keys[call]]))
    if not makes_twins:
        work.edits.replace(function.node, always(twins[0]))
    elif is_here:
        work.edits.after(function.node, lambda rewrite: twins)
        if _is_all(work, function, calls):
            work.edits.remove(function.node)
    else:
        first = min((work.index.top_level(call) for call in calls), key=work.index.order.__getitem__)
        work.edits.before(first, lambda rewrite: twins)


def _key(found: _Given) -> tuple[tuple[str, str], ...]:
    return tuple((name, code(given)) for name, given in sorted(found.items()))


def _is_all(work: NormalizationRound, function: Function, calls: Mapping[cst.Call, _Given]) -> bool:
    """Whether a function is called there only, and named nowhere else in the program."""
    if function.seen_elsewhere or work.program.is_imported:
        return False
    named = [node for node in work.index.names if node.value == function.name and not work.index.is_label(node)]
    called = {call.func for call in calls}
    return all(node in called or node is function.node.name for node in named)


def _means_the_same_here(work: NormalizationRound, function: Function) -> bool:
    """Whether all names that a function of another file reads are its own, Python's, or torch's under a name that both files have."""
    home = next((item for item in work.program.files if function in item.functions.values()), None)
    free = set(free_variables(function.node)) - _BUILTINS
    return home is not None and all(
        _is_of_torch(home, name) and home.module_env[name] == work.program.module_env.get(name) for name in free
    )


def _word(found: _Given) -> str:
    """Words for what a function is given: the names of the initializers."""
    filled = (given.body if isinstance(given, cst.Lambda) else given for given in found.values())
    names = (dotted(item.func if isinstance(item, cst.Call) else item) or "given" for item in filled)
    return "_".join(name.rpartition(".")[2].strip("_") for name in names)


def _written(work: NormalizationRound, function: Function, name: str, found: _Given) -> cst.BaseStatement:
    """A function without some of its parameters, in whose calls stands what they are given."""
    params = function.node.params
    kept = {
        place: [
            item.with_changes(comma=cst.MaybeSentinel.DEFAULT)
            for item in getattr(params, place)
            if item.name.value not in found
        ]
        for place in ("posonly_params", "params", "kwonly_params")
    }
    body = function.node.body.visit(_Filled(work, found))
    new = function.node.with_changes(name=cst.Name(name), params=params.with_changes(**kept), body=body)
    copied = new.deep_clone()
    assert isinstance(copied, cst.FunctionDef)
    return copied


class _Filled(Transformer):
    """Puts initializers into the calls of the parameters that they are given for."""

    def __init__(self, work: NormalizationRound, found: _Given) -> None:
        super().__init__()
        self.work, self.found = work, found

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        given = self.found.get(updated_node.func.value) if isinstance(updated_node.func, cst.Name) else None
        if given is None:
            return updated_node
        if not isinstance(given, cst.Lambda):
            return updated_node.with_changes(func=given)
        names = [item.name.value for item in given.params.params]
        places = dict(zip(names, (item.value for item in updated_node.args), strict=True))
        return expression_with(self.work, given.body, places)


def _called_with_less(
    work: NormalizationRound, function: Function, call: cst.Call, found: _Given, name: str, rewrite: Rewriter
) -> cst.CSTNode:
    gone = {id(value) for key, value in arguments_by_parameter(function, call, work.values) if key in found}
    inner = rewrite.inside(call)
    assert isinstance(inner, cst.Call)
    kept = [new for old, new in zip(call.args, inner.args, strict=True) if id(old.value) not in gone]
    return inner.with_changes(func=cst.Name(name), args=kept)


__all__ = ["normalize_given_initializers"]

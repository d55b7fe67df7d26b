"""Whether a call that hands on `*args` and `**kwargs` may pass something for a parameter.

def forward(self, x, *args, **kwargs):
    return self.losses(x, *args, **kwargs)     # `noise` of `losses`, if a call of `forward` says so

model(x)                                       # it does not

The calls are followed outwards (a may-analysis): a function nobody is seen to call may get anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import libcst as cst

from torch2jax.program.program import Function, Program, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

Calls = Callable[[Function], Sequence[cst.Call] | None]
"""The calls in sight of a function, those included that may be of others; None: it may be called from anywhere."""


def may_be_in_stars(
    program: Program, values: Callable[[cst.CSTNode], Value], call: cst.Call, name: str, calls: Calls, depth: int = 3
) -> bool:
    """Whether the starred arguments of a call may hold one for a parameter that no other argument of it stands for."""
    function = program.function_around(call)
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == name:
            return not _is_none(argument.value, values)
        if argument.star and not _hands_on(function, argument.value):
            return True
    if function is None or depth == 0 or function.seen_elsewhere or name in function.parameter_names:
        return True
    every = calls(function)
    if not every or any(True for _ in _said_elsewhere(program, values, name)):
        return True
    return any(_fills(program, values, function, item, name, calls, depth) for item in every)


def is_given_in_sight(
    program: Program, values: Callable[[cst.CSTNode], Value], call: cst.Call, name: str, calls: Calls
) -> bool:
    """Whether a call that the program shows puts something for a parameter into the starred arguments that a call hands on."""
    function = program.function_around(call)
    if function is None or not all(_hands_on(function, item.value) for item in call.args if item.star):
        return True
    stars = {function.star_name, function.double_star_name} - {None}
    if not stars.isdisjoint(function.seen_elsewhere):
        return True
    defined = {item.name for item in program.by_key.values()} | {item.name for item in program.class_by_key.values()}
    said = ((dotted(item.func) or "").rpartition(".")[2] for item in _said_elsewhere(program, values, name))
    if not defined.issuperset(said):
        return True  # which may be an object
    every = calls(function)
    return every is None or any(_fills(program, values, function, item, name, calls, 1) for item in every)


def _is_none(node: cst.BaseExpression, values: Callable[[cst.CSTNode], Value]) -> bool:
    return values(node).kind is Kind.NONE


def _hands_on(function: Function | None, node: cst.BaseExpression) -> bool:
    """Whether a starred argument is what its function has been given so, and has not changed."""
    if function is None or not isinstance(node, cst.Name):
        return False
    if node.value not in (function.star_name, function.double_star_name):
        return False
    names = [
        item for item in descendants(function.node.body) if isinstance(item, cst.Name) and item.value == node.value
    ]
    starred = [item.value for item in descendants(function.node.body) if isinstance(item, cst.Arg) and item.star]
    return all(any(item is other for other in starred) for item in names)


def _said_elsewhere(program: Program, values: Callable[[cst.CSTNode], Value], name: str) -> Iterator[cst.Call]:
    """The calls of other files, and of what is no function of the program, that pass something by a parameter's name."""
    own = (
        call for call in program.index.calls if values(call.func).kind not in (Kind.FUNCTION, Kind.MODULE, Kind.CLASS)
    )
    others = (call for file in program.files if file is not program for call in file.index.calls)
    for call in (*own, *others):
        if any(argument.keyword is not None and argument.keyword.value == name for argument in call.args):
            yield call


def _fills(
    program: Program,
    values: Callable[[cst.CSTNode], Value],
    function: Function,
    call: cst.Call,
    name: str,
    calls: Calls,
    depth: int,
) -> bool:
    """Whether a call of a function puts something for a parameter into its `*args` or `**kwargs`."""
    if any(item.star for item in call.args):
        return may_be_in_stars(program, values, call, name, calls, depth - 1)
    named = [item.value for item in call.args if item.keyword is not None and item.keyword.value == name]
    if any(not _is_none(item, values) for item in named):
        return True
    own = 1 if function.self_name is not None else 0
    return _positional(call.args) > len(function.node.params.params) + len(function.node.params.posonly_params) - own


def _positional(arguments: Iterable[cst.Arg]) -> int:
    return sum(item.keyword is None for item in arguments)


__all__ = ["is_given_in_sight", "may_be_in_stars"]

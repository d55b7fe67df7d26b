"""Functions of `operator` that read something are the reading that they stand for, where what they give is used here.

itemgetter("x", "y")(batch)          ->   (batch["x"], batch["y"])
get = attrgetter("weight.data")      ->   get = lambda item: item.weight.data
map(itemgetter(1), pairs)            ->   map(lambda item: item[1], pairs)
sorted(pairs, key=itemgetter(0))          (as it stands)
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.lowering import as_tuple
from torch2jax.program.program import dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind

_GETTERS = ("itemgetter", "attrgetter", "methodcaller")


def normalize_getters(work: NormalizationRound) -> None:
    """Normalize all such functions of a file."""
    if not any(map(work.program.mentions, _GETTERS)):
        return
    for made in work.index.calls:
        read = _reading(work, made)
        if read is None:
            continue
        parent = work.index.parents[made]
        if isinstance(parent, cst.Call) and parent.func is made:
            given = [item.value for item in parent.args if item.keyword is None and not item.star]
            if len(given) == len(parent.args) == 1 and (_is_one(made) or isinstance(given[0], cst.Name)):
                work.edits.replace(parent, lambda rewrite, read=read, given=given: read(rewrite.expression(given[0])))  # type: ignore[misc]
        elif _is_used_here(work, made) and not any(isinstance(item.value, cst.Name) for item in made.args):
            names = work.beside_variables(work.index.function_of(made) or work.index.module)
            work.edits.replace(made, _as_lambda(names("item"), read))


def _as_lambda(name: str, read: Callable[[cst.BaseExpression], cst.BaseExpression]) -> Callable[[Rewriter], cst.Lambda]:
    parameters = cst.Parameters([cst.Param(cst.Name(name))])
    return lambda rewrite: cst.Lambda(parameters, read(cst.Name(name)))


def _is_one(made: cst.Call) -> bool:
    """Whether a function reads what it is given once."""
    return len(made.args) == 1 or (dotted(made.func) or "").endswith("methodcaller")


def _is_used_here(work: NormalizationRound, made: cst.Call) -> bool:
    """Whether a function gets a name, or is called with each element of something."""
    match work.index.parents[made]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name())]):
            return True
        case cst.Arg() as argument:
            call = work.index.parents[argument]
            return isinstance(call, cst.Call) and dotted(call.func) == "map" and call.args[0] is argument
    return False


def _reading(work: NormalizationRound, made: cst.Call) -> Callable[[cst.BaseExpression], cst.BaseExpression] | None:
    """What a call of `operator.itemgetter` and its like makes, as a function of what that is given."""
    function = work.values(made.func)
    kind, _, name = str(function.const).rpartition(".")
    if function.kind is not Kind.PYTHON or kind != "operator" or name not in _GETTERS or not made.args:
        return None
    if any(item.star or not _is_constant(item.value) for item in made.args):
        return None
    if name == "methodcaller":
        return _call(work, made)
    if any(item.keyword is not None for item in made.args):
        return None
    one = _item if name == "itemgetter" else _attribute
    keys = [item.value for item in made.args]
    if name == "attrgetter" and not all(isinstance(key, cst.SimpleString) for key in keys):
        return None
    if len(keys) == 1:
        return lambda given: one(given, work.copy(keys[0]))
    return lambda given: as_tuple([one(given.deep_clone(), work.copy(key)) for key in keys])


def _is_constant(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        node = node.expression
    return isinstance(node, (cst.BaseNumber, cst.SimpleString, cst.Name))


def _call(work: NormalizationRound, made: cst.Call) -> Callable[[cst.BaseExpression], cst.BaseExpression] | None:
    name, rest = made.args[0].value, made.args[1:]
    if not isinstance(name, cst.SimpleString) or made.args[0].keyword is not None:
        return None
    return lambda given: cst.Call(_attribute(given, name), [work.copy(item) for item in rest])


def _item(given: cst.BaseExpression, key: cst.BaseExpression) -> cst.BaseExpression:
    return quote("{x}[{key}]", x=given, key=key)


def _attribute(given: cst.BaseExpression, path: cst.BaseExpression) -> cst.BaseExpression:
    return quote(f"{{x}}.{cst.ensure_type(path, cst.SimpleString).evaluated_value!s}", x=given)


__all__ = ["normalize_getters"]

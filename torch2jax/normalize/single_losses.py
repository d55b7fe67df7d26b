"""Losses with one element and axes, which `backward()` takes and `jax.grad` does not, lose the axes.

loss = w * x.mean()      with `w` of shape (1,)      ->   loss = (w * x.mean()).squeeze()
loss.backward()                                           loss.backward()
print(loss.item())                                        print(loss.item())

Where somebody may see the axes, only what is differentiated loses them: `loss.squeeze().backward()`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_REDUCING = frozenset({"backward", "item", "max", "mean", "min", "squeeze", "sum"})
_KEEPING = frozenset({"clone", "cpu", "data", "detach"})
_REDUCTIONS = frozenset({"sum", "mean", "prod", "logsumexp", "norm", "std", "var", "amax", "amin", "max", "min"})
_ELEMENTWISE = frozenset(
    "abs add clamp clone cpu cuda div double exp float half log log1p mul neg pow reciprocal relu sigmoid sqrt square sub"
    " tanh to type_as".split()
)


def normalize_single_losses(work: NormalizationRound) -> None:
    """Normalize all such losses of a file."""
    chosen: dict[cst.BaseExpression, None] = {}
    for call in work.index.calls:
        match call:
            case cst.Call(func=cst.Attribute(value=cst.Name() as loss, attr=cst.Name("backward"))):
                if _is_given_gradient(call) or work.values(loss).kind is not Kind.TENSOR:
                    continue
                if not _has_axes(work, loss, set()):
                    continue
                made = _made(work, loss) if work.values(loss).rank == 1 else []
                chosen.update(dict.fromkeys(made or [loss]))
    for store in chosen:
        work.edits.replace(store, partial(_squeezed, store))


def _is_given_gradient(call: cst.Call) -> bool:
    """Whether `backward` is told the gradient of what it goes back from, which has the axes of it then."""
    given = [item.value for item in call.args if item.keyword is None or item.keyword.value == "gradient"]
    return any(not (isinstance(node, cst.Name) and node.value == "None") for node in given[:1])


def _has_axes(work: NormalizationRound, node: cst.BaseExpression, seen: set[cst.CSTNode]) -> bool:
    """Whether what is known of a tensor, or of what it is computed from, tells that it has axes."""
    value = work.values(node)
    if value.rank is not None or node in seen or value.kind not in (Kind.TENSOR, Kind.UNKNOWN):
        return bool(value.rank)
    seen.add(node)
    match node:
        case cst.Name():
            bound = work.program.home(node).definitions.of(node)
            return any(_is_bound_to_axes(work, item, seen) for item in bound)
        case cst.BinaryOperation(left=left, right=right):
            return _has_axes(work, left, seen) or _has_axes(work, right, seen)
        case cst.UnaryOperation(expression=operand):
            return _has_axes(work, operand, seen)
        case cst.IfExp(body=body, orelse=other):
            return _has_axes(work, body, seen) or _has_axes(work, other, seen)
        case cst.Call():
            return _gives_axes(work, node, seen)
    return False


def _is_bound_to_axes(work: NormalizationRound, item: Definition, seen: set[cst.CSTNode]) -> bool:
    match item:
        case Definition(how=How.ASSIGNED, value=cst.BaseExpression() as value):
            return _has_axes(work, value, seen)
        case Definition(how=How.AUGMENTED, node=cst.AugAssign(target=target, value=value)):
            return _has_axes(work, value, seen) or _has_axes(work, target, seen)
        case Definition(how=How.PARAMETER):
            return any(_has_axes(work, given, seen) for given in _given(work, item))
        case Definition(how=How.PART, node=cst.Name() as target, value=cst.Call() as call):
            return any(
                _has_axes(work, result, seen)
                for function in work.values.callees.get(call, ())
                for result in _results(work, function, _position(work, target))
            )
    return False


def _given(work: NormalizationRound, item: Definition) -> Iterator[cst.BaseExpression]:
    """What calls give for a parameter of a function, of this file or of another one."""
    function = work.program.home(item.node).function_around(item.node)
    if function is None:
        return
    for call in function.callers:
        if isinstance(call, cst.Call):
            given = arguments_by_parameter(function, call, work.values)
            yield from (value for name, value in given if name == item.variable.name)


def _gives_axes(work: NormalizationRound, call: cst.Call, seen: set[cst.CSTNode]) -> bool:
    """Whether a call keeps axes: a reduction that is told to, or what works on each element of a tensor with axes."""
    callees = work.values.callees.get(call, ())
    if callees:
        return any(_has_axes(work, item, seen) for function in callees for item in _results(work, function, None))
    name = (work.values.torch_name(call.func) or "").rpartition(".")[2]
    operands, rest = [item.value for item in call.args[:1]], call.args[1:]
    if not name and isinstance(call.func, cst.Attribute):
        name, operands, rest = call.func.attr.value, [call.func.value], call.args
    if name in _REDUCTIONS:
        return any(_is_true(item.value) and _keeps(item, position) for position, item in enumerate(rest))
    return name in _ELEMENTWISE and any(_has_axes(work, item, seen) for item in operands)


def _keeps(argument: cst.Arg, position: int) -> bool:
    """Whether an argument of a reduction says that it keeps axes: the second one behind the tensor, or one of that name."""
    return argument.keyword.value == "keepdim" if argument.keyword is not None else position > 0


def _is_true(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "True"


def _position(work: NormalizationRound, target: cst.Name) -> int | None:
    """Which element of a tuple a name is bound to."""
    parents = work.program.home(target).index.parents
    element = parents[target]
    around = parents[element]
    if isinstance(around, cst.Tuple) and isinstance(element, cst.Element):
        return list(around.elements).index(element)
    return None


def _results(work: NormalizationRound, function: Function, position: int | None) -> list[cst.BaseExpression]:
    """What a function gives back, or one element of it."""
    found = []
    index = work.program.home(function.node).index
    for item in descendants(function.node.body):
        if not isinstance(item, cst.Return) or index.function_of(item) is not function.node:
            continue
        result = item.value
        if position is not None:
            elements = result.elements if isinstance(result, cst.Tuple) else ()
            result = elements[position].value if position < len(elements) else None
        found += [result] if result is not None else []
    return found


def _made(work: NormalizationRound, loss: cst.Name) -> list[cst.BaseExpression]:
    """What a variable is set to whose axis nobody sees; nothing where somebody may."""
    definitions = work.program.definitions
    bound = definitions.of(loss)
    if not bound or not all(_is_assigned(work, item) for item in bound):
        return []
    uses = [use for item in bound for use in definitions.uses(item)]
    if not all(_reduces(work, use) and set(definitions.of(use)) <= set(bound) for use in uses):
        return []
    return [item.value for item in bound if item.value is not None]


def _is_assigned(work: NormalizationRound, item: Definition) -> bool:
    is_set = item.how is How.ASSIGNED and item.value is not None and work.set_alone(item.node) is item.value
    return is_set and work.values(item.value).rank == 1  # type: ignore[arg-type]


def _reduces(work: NormalizationRound, use: cst.BaseExpression) -> bool:
    """Whether what reads a loss takes its only element: `loss.item()`, `float(loss)`, `loss.detach().item()`."""
    around = work.index.parents[use]
    match around:
        case cst.Attribute(attr=cst.Name(name)):
            call = work.index.parents[around]
            is_called = isinstance(call, cst.Call) and call.func is around
            if name in _REDUCING:
                return is_called and not call.args  # type: ignore[attr-defined]
            return name in _KEEPING and _reduces(work, call if is_called else around)  # type: ignore[arg-type]
        case cst.Arg():
            call = work.index.parents[around]
            return isinstance(call, cst.Call) and dotted(call.func) == "float"
    return False


def _squeezed(made: cst.BaseExpression, rewrite: Rewriter) -> cst.BaseExpression:
    return quote("{made}.squeeze()", made=as_expression(rewrite.inside(made)))


__all__ = ["normalize_single_losses"]

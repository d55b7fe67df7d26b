"""Changes in place in the middle of an expression become statements, before the one that they stand in.

                                         total = y.sum()
f(y.sum(), y.add_(1), y.mean())    ->    y.add_(1)
                                         f(total, y, y.mean())

The result of such a method is the tensor itself, so that its name can stand in its place: a variable, a part of one, or a field
(`noise = self.noise.normal_()`). What is evaluated before it, and would be another value after it, gets a name in a statement of
its own; Python's order of evaluation stays. One change is taken out in each round, the one that is evaluated first.

What a statement makes of such a result, and nobody uses, goes: `x.copy_(v).view_as(y)` is `x.copy_(v)`.

A `Sequential` whose first layer is `nn.ReLU(inplace=True)` changes its argument by that layer, which does the same to what it has
given: where somebody looks at the argument again, `out = self.body(x)` becomes `x.relu_()` and that.

A tensor that nobody else has may as well become a new one: `x.max(1)[1].squeeze_(1)` is `x.max(1)[1].squeeze(1)`.

A weight that a function changes last is a statement, too: `return nn.init.zeros_(layer.bias)` is `nn.init.zeros_(layer.bias)` and
`return layer.bias`, or a plain `return` where nobody takes it.

A tensor that has just been made, be it of the memory of others, is given another shape for itself: `t = torch.from_numpy(a)` and
`t.unsqueeze_(0)` are that and `t = t.unsqueeze(0)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.facts.mutations import first_change, is_begun
from torch2jax.facts.storage import VIEWS
from torch2jax.normalize.evaluation_order import evaluated_before, give_name, placed_instead, stays
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.view_writes import changes_metadata, may_change
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import bound_in, statement_above
from torch2jax.syntax.edits import Rewriter, always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import count_name, descendants
from torch2jax.values import DTYPE_CALLS, Kind

_SHAPES = frozenset({"t_", "transpose_", "swapaxes_", "swapdims_", "squeeze_", "unsqueeze_"})
_LINES = (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Return, cst.Expr, cst.Assert)


def normalize_inplace_expressions(work: NormalizationRound) -> None:
    """Normalize all such statements of a file."""
    if work.effects is None:
        return
    done: set[cst.CSTNode] = set()
    for node in work.index.every(cst.Expr):
        _drop_view(work, node, done)
    for call in work.index.calls:
        line = work.index.statement_of(call)
        if line not in done and _is_of_new(work, call):
            assert isinstance(call.func, cst.Attribute)
            name = cst.Name(call.func.attr.value.removesuffix("_"))
            work.edits.replace(call.func.attr, always(name))
            done.add(line)
        if line in done or not _is_change(work, call):
            continue
        changes = [item for item in _evaluated(_head(line)) if isinstance(item, cst.Call) and _is_change(work, item)]
        if changes and _is_in_the_middle(work, line, changes) and _take_out(work, line, _chain(work, changes[0])):
            done.add(line)
    for ending in work.index.every(cst.Return):
        if work.index.statement_of(ending) not in done:
            _change_before_return(work, ending, done)
    _start_sequentials(work, done)
    for line in work.index.every(cst.SimpleStatementLine):
        if line not in done:
            _restate_shape(work, line)


def _drop_view(work: NormalizationRound, node: cst.Expr, done: set[cst.CSTNode]) -> None:
    """`x.copy_(v).view_as(y)`, of which nobody uses the view."""
    call = node.value
    while (
        isinstance(call, cst.Call)
        and isinstance(call.func, cst.Attribute)
        and call.func.attr.value in VIEWS
        and not call.func.attr.value.endswith("_")
        and all(not isinstance(item, cst.Call) for argument in call.args for item in descendants(argument))
    ):
        call = call.func.value
    if call is not node.value and isinstance(call, cst.Call) and _is_change(work, call):
        done.add(work.index.statement_of(node))
        work.edits.replace(node.value, lambda rewrite: rewrite.inside(call))


def _change_before_return(work: NormalizationRound, node: cst.Return, done: set[cst.CSTNode]) -> None:
    """`return nn.init.zeros_(layer.bias)`, `return layer.bias.data.zero_()`."""
    call, line = node.value, work.index.statement_of(node)
    if not isinstance(call, cst.Call) or not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return
    is_initializer = (work.values.torch_name(call.func) or "").startswith("torch.nn.init.") and bool(call.args)
    place = call.args[0].value if is_initializer else _start(work, call)
    if not isinstance(place, cst.Attribute) or dotted(place) is None or not _is_weight(work, place):
        return
    if not is_initializer and not _is_change(work, call):
        return
    function = work.program.function_around(node)
    is_taken = function is None or _is_result_taken(work, function)
    result = cst.Return(work.copy(place)) if is_taken else cst.Return()
    done.add(line)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        changed = placed_instead(work, line, cst.SimpleStatementLine([cst.Expr(rewrite.expression(call))]))
        return [*changed, cst.SimpleStatementLine([result])]

    work.edits.rewrite_statement(line, build)


def _is_weight(work: NormalizationRound, place: cst.Attribute) -> bool:
    """Whether an expression is a parameter of a module, or its data."""
    holder = place.value if place.attr.value == "data" else place
    is_part = isinstance(holder, cst.Attribute) and work.values(holder.value).is_a(Kind.MODULE, Kind.UNKNOWN)
    return is_part and work.values(place).kind is Kind.TENSOR


def _is_result_taken(work: NormalizationRound, function: Function) -> bool:
    """Whether anything may take what a function gives: all that says its name calls it in a statement of its own, otherwise."""
    for file in work.program.files:
        parents = file.index.parents
        for name in file.index.names:
            if name.value != function.name or isinstance(parents[name], (cst.FunctionDef, cst.ImportAlias)):
                continue
            said = parents[name] if isinstance(parents[name], cst.Attribute) else name
            call = parents[said]
            if not isinstance(call, cst.Call) or call.func is not said or not isinstance(parents[call], cst.Expr):
                return True
    return False


def _is_of_new(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call gives a tensor another shape in place that has just been made, by an index or out of several results."""
    match call.func:
        case cst.Attribute(value=cst.Subscript(value=base), attr=cst.Name(method)) if method in _SHAPES:
            if isinstance(base, cst.Call) and work.values(base).kind is Kind.TUPLE:
                function = base.func
                is_method = isinstance(function, cst.Attribute) and work.values(function.value).kind is Kind.TENSOR
                return is_method or work.values.torch_name(function) is not None
            return work.values(base).kind is Kind.TENSOR
    return False


def _restate_shape(work: NormalizationRound, line: cst.SimpleStatementLine) -> None:
    match line.body:
        case [
            cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name(name) as given, attr=cst.Name(method))) as call)
        ] if changes_metadata(call) and method in _SHAPES:
            above = statement_above(work.index, line)
            while isinstance(above, cst.SimpleStatementLine) and not count_name(above, name):
                above = statement_above(work.index, above)
            is_new = all(root.startswith("new:") for root in work.values(given).roots)
            if above is None or is_new or not _makes(work, above, name):
                return
            func = cst.Attribute(work.copy(given), cst.Name(method.removesuffix("_")))
            made = quote_statement("{x} = {value}", x=name, value=work.copy(call).with_changes(func=func))
            work.edits.rewrite_statement(line, lambda rewrite: placed_instead(work, line, made))


def _makes(work: NormalizationRound, line: cst.CSTNode, name: str) -> bool:
    """Whether a line gives a variable a tensor that has just been made, of whatever memory."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(target))], value=value)]
        ):
            return target == name and _is_made(work, value)
    return False


def _is_made(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if work.values.torch_name(node.func) == "torch.from_numpy":
            return True
        if node.func.attr.value not in DTYPE_CALLS and node.func.attr.value not in ("to", "cpu", "cuda"):
            return False  # what may give the very tensor that it is called on
        node = node.func.value
    return isinstance(node, cst.Subscript) and work.values(node.value).kind is Kind.TENSOR


def _start_sequentials(work: NormalizationRound, done: set[cst.CSTNode]) -> None:
    """What the first layers of Sequentials change becomes a statement, where somebody looks at it again."""
    for call in work.index.calls:
        method = first_change(work.values(call.func))
        line = work.index.statement_of(call)
        if method is None or line in done or len(call.args) != 1 or is_begun(work.index, work.values, call):
            continue
        given, before = call.args[0].value, evaluated_before(work.index, call)
        if not isinstance(given, cst.Name) or before is None or not isinstance(line, cst.SimpleStatementLine):
            continue
        if all(isinstance(item, cst.BaseExpression) and dotted(item) is not None for item in before):
            if _is_seen(work, line, call, given):
                done.add(line)
                changed = cst.parse_statement(f"{given.value}.{method}()")
                work.copies[changed] = line
                work.edits.before(line, always_statements([changed]))


def _is_seen(work: NormalizationRound, line: cst.SimpleStatementLine, call: cst.Call, given: cst.Name) -> bool:
    """Whether a variable that a call changes, or what shares its storage, is read behind the call."""
    assert work.flows is not None
    function, roots = work.program.function_around(line), work.values(given).roots
    env = work.values.after.get(line) or (function.env if function is not None else work.program.module_env)
    live = work.flows.liveness(function).after_statement(line)
    beside = [
        item for item in descendants(line) if isinstance(item, cst.Name) and call not in work.index.ancestors(item)
    ]
    return any(name in env and env[name].shares(roots) for name in live) or any(
        item.value == given.value and not isinstance(work.index.parents[item], cst.AssignTarget) for item in beside
    )


def _is_change(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is one of a method that changes its tensor in place and gives it back."""
    func = call.func
    if not isinstance(func, cst.Attribute) or work.values.torch_name(func) is not None or work.values.callees.get(call):
        return False
    return may_change(work, call) and not work.values.is_inplace_layer(call) and not changes_metadata(call)


def _chain(work: NormalizationRound, call: cst.Call) -> cst.Call:
    """`x.add_(1).mul_(2)`, of which `x.add_(1)` is evaluated first."""
    while True:
        attribute = work.index.parents[call]
        outer = work.index.parents.get(attribute)
        if not isinstance(attribute, cst.Attribute) or not isinstance(outer, cst.Call) or outer.func is not attribute:
            return call
        if not _is_change(work, outer):
            return call
        call = outer


def _start(work: NormalizationRound, call: cst.Call) -> cst.BaseExpression:
    node: cst.BaseExpression = call
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and _is_change(work, node):
        node = node.func.value
    return node


def _is_in_the_middle(work: NormalizationRound, line: cst.CSTNode, changes: list[cst.Call]) -> bool:
    """Whether a statement is more than a change itself, or a value of which the change is what is evaluated first."""
    first = _chain(work, changes[0])
    parent = work.index.parents[first]
    if _is_field(work, _start(work, first)) and not isinstance(parent, cst.Expr):
        return not isinstance(parent, cst.Assign) or dotted(_start(work, first)) not in set(_bound(parent))
    if isinstance(parent, (cst.Expr, cst.Assign, cst.AnnAssign, cst.Return)) and changes[-1] in set(descendants(first)):
        return False
    if not isinstance(line, cst.SimpleStatementLine):
        return True
    if not isinstance(line.body[-1], (cst.Assign, cst.AugAssign, cst.Return)):
        return True
    inside = set(descendants(first))
    before = evaluated_before(work.index, first)
    is_first = before is not None and all(
        isinstance(item, cst.BaseExpression) and dotted(item) is not None for item in before
    )
    return not is_first or any(item not in inside for item in changes)


def _take_out(work: NormalizationRound, line: cst.CSTNode, call: cst.Call) -> bool:
    """Make a statement of the first change; False: it may run several times, or never, or its tensor has no plain name."""
    place = _start(work, call)
    before = evaluated_before(work.index, call)
    if before is None or not _is_statement(line):
        return False
    if not _is_plain(work, place):
        return _name_place(work, line, place, before)
    if any(isinstance(item, (cst.NamedExpr, cst.Await, cst.Yield)) for item in descendants(_head(line))):
        return False
    inside = set(descendants(call))
    outer = set(work.index.ancestors(call))
    kept = [node for node in before if node not in inside and not _is_unaffected(work, node, place)]
    targets = {item.target for item in outer if isinstance(item, cst.AugAssign)}
    if any(not isinstance(node, cst.BaseExpression) or node in targets for node in kept):
        return False
    fresh = work.names_at(call)
    for node in kept:
        assert isinstance(node, cst.BaseExpression)
        give_name(work, line, node, fresh("value"))
    work.edits.before(line, partial(_statement, work, call))
    work.edits.replace(call, lambda rewrite: place.deep_clone())
    return True


def _name_place(
    work: NormalizationRound, line: cst.CSTNode, place: cst.BaseExpression, before: list[cst.CSTNode]
) -> bool:
    """`f(x).pow_(2).sum() + y`: what changes gets a name first, where somebody else may have it."""
    if (
        not isinstance(place, cst.Call)
        or work.values.makes_its_own(place)
        or not isinstance(line, cst.SimpleStatementLine)
    ):
        return False
    inside = {place, *descendants(place)}
    said = [node for node in before if node not in inside and not stays(work, node)]
    kept = [node for node in said if any(isinstance(item, cst.BaseExpression) for item in (node, *descendants(node)))]
    if any(not isinstance(node, cst.BaseExpression) for node in kept):
        return False
    fresh = work.names_at(place)
    for node in (*kept, place):
        assert isinstance(node, cst.BaseExpression)
        give_name(work, line, node, fresh("changed" if node is place else "value"))
    return True


def _statement(work: NormalizationRound, call: cst.Call, rewrite: Rewriter) -> list[cst.BaseStatement]:
    inner = rewrite.inside(call)
    assert isinstance(inner, cst.BaseExpression)
    return placed_instead(work, call, cst.SimpleStatementLine([cst.Expr(inner)]))


def _is_statement(line: cst.CSTNode) -> bool:
    if isinstance(line, cst.SimpleStatementLine):
        return len(line.body) == 1 and isinstance(line.body[0], _LINES)
    return isinstance(line, cst.If)


def _head(line: cst.CSTNode) -> cst.CSTNode:
    return line.test if isinstance(line, (cst.If, cst.While)) else line


def _is_plain(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether an expression is a variable, or a part of one by numbers and names, which may be read again."""
    if isinstance(place, cst.Subscript):
        parts = [item for item in descendants(place) if isinstance(item, (cst.Call, cst.List, cst.BinaryOperation))]
        numbers = [item.slice for item in place.slice]
        is_part = all(isinstance(item, cst.Index) and work.values(item.value).kind is Kind.INT for item in numbers)
        return isinstance(place.value, cst.Name) and not parts and is_part
    return isinstance(place, cst.Name) or _is_field(work, place)


def _is_field(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether an expression is a tensor that an object has under a name: `self.noise`."""
    if not isinstance(place, cst.Attribute) or dotted(place) is None:
        return False
    return work.values(place.value).kind in (Kind.MODULE, Kind.OBJECT) and "parameter" not in work.values(place).types


def _bound(line: cst.Assign) -> Iterator[str]:
    for target in line.targets:
        yield from bound_in(target.target)


def _is_unaffected(work: NormalizationRound, node: cst.CSTNode, place: cst.BaseExpression) -> bool:
    """Whether an expression gives the same before and after a change."""
    if isinstance(node, (cst.Name, cst.BaseNumber, cst.SimpleString)):
        return True
    if isinstance(node, cst.BaseExpression) and dotted(node) is not None:
        return True
    assert work.effects is not None
    values, roots = work.values, work.values(place).roots
    for item in descendants(node):
        match item:
            case cst.Call():
                is_torch = values.torch_name(item.func) is not None
                is_method = isinstance(item.func, cst.Attribute) and values(item.func.value).kind is Kind.TENSOR
                if not (is_torch or is_method) or work.effects.draw_of(item) is not Draw.NONE or may_change(work, item):
                    return False
            case cst.Name() | cst.Attribute():
                value = values(item)
                is_open = value.kind is Kind.TENSOR and "*" in value.roots | roots
                is_read = item in values.of_node and not isinstance(work.index.parents.get(item), cst.Call)
                if value.shares(roots) or is_open or (value.kind is Kind.UNKNOWN and is_read):
                    return False
            case cst.NamedExpr() | cst.Await() | cst.Yield():
                return False
    return True


def _evaluated(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes below one, those first that are evaluated first."""
    found: list[cst.CSTNode] = []
    for child in node.children:
        found += _evaluated(child)
    return [*found, node]


__all__ = ["normalize_inplace_expressions"]

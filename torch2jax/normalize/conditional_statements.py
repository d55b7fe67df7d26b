"""Expressions that stand alone and choose what is done become the statements that they abbreviate, where they act on tensors or modules.

model.train() if training else model.eval()    ->   if training:
                                                        model.train()
                                                    else:
                                                        model.eval()
out = self.bn(x) if self.normed else x         ->   if self.normed:
                                                        out = self.bn(x)
                                                    else:
                                                        out = x
return torch.add(x if self.same else self.bn(x), y)
                                               ->   chosen = x if self.same else self.bn(x)
                                                    return torch.add(chosen, y)
init.zeros_(a.bias if first else b.bias)       ->   if first:
                                                        init.zeros_(a.bias)
                                                    else:
                                                        init.zeros_(b.bias)
last and optimizer.step()                      ->   if last:
                                                        optimizer.step()
[part.eval() for part in parts]                ->   for part in parts:
                                                        part.eval()
enc.train(), dec.train()                       ->   enc.train()
                                                    dec.train()
(not same) and nn.Conv2d(...) or None          ->   nn.Conv2d(...) if not same else None
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.moves import is_cast
from torch2jax.normalize.evaluation_order import evaluated_before, give_name, stays
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.view_writes import may_change
from torch2jax.ops.python import stores_arguments
from torch2jax.program.program import dotted
from torch2jax.program.statements import bound_in
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import parenthesized, quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_ACTING = frozenset({Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.TENSOR, Kind.OBJECT, Kind.UNKNOWN})


def normalize_conditional_statements(work: NormalizationRound) -> None:
    """Normalize all such lines of a file, and such choices."""
    for node in work.index.every(cst.BooleanOperation):
        _choose(work, node)
    named = {line for choice in work.index.every(cst.IfExp) if (line := _name_choice(work, choice)) is not None}
    for line in work.index.every(cst.SimpleStatementLine):
        small = line.body[0] if len(line.body) == 1 and line not in named else None
        if not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)):
            continue
        if isinstance(small, (cst.Assign, cst.Return)) and isinstance(small.value, cst.IfExp):
            _divide(work, line, small, small.value)
        elif isinstance(small, cst.Expr) and isinstance(small.value, cst.Tuple):
            _say_each(work, line, small.value)
        elif isinstance(small, cst.Expr):
            made = _statement(work, line, small.value)
            if made is not None and _acts(work, small.value):
                work.copies[made] = line
                work.edits.rewrite_statement(line, always_statements([_with_comment(made, line)]))


def _choose(work: NormalizationRound, node: cst.BooleanOperation) -> None:
    """`test and layer or other` is the layer where the test holds: layers are true."""
    match node:
        case cst.BooleanOperation(
            operator=cst.Or(), left=cst.BooleanOperation(operator=cst.And(), left=test, right=cst.Call() as made)
        ) if _makes_layer(work, made):
            work.edits.replace(
                node,
                lambda rewrite: quote(
                    "{made} if {test} else {other}",
                    made=rewrite.expression(made),
                    test=_bare(rewrite.expression(test)),
                    other=_bare(rewrite.expression(node.right)),
                ),
            )


def _makes_layer(work: NormalizationRound, made: cst.Call) -> bool:
    """Whether a call makes a layer of torch, which is true unless it is a container that holds nothing."""
    name = work.values.torch_name(made.func) or ""
    has_length = name.rpartition(".")[2] in ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")
    is_filled = bool(made.args) and not made.args[0].star and name == "torch.nn.Sequential"
    return work.values(made).kind is Kind.MODULE and name.startswith("torch.nn.") and (not has_length or is_filled)


def _name_choice(work: NormalizationRound, choice: cst.IfExp) -> cst.CSTNode | None:
    """A choice in the middle of a line, of which a branch acts, gets a name in front of it; that line, if it does."""
    line, before = work.index.statement_of(choice), evaluated_before(work.index, choice)
    if before is None or not isinstance(line, cst.SimpleStatementLine) or line in work.edits.statements:
        return None
    is_whole = isinstance(line.body[0], (cst.Assign, cst.Return, cst.Expr)) and line.body[0].value is choice
    acting = (
        _threads(work, branch) or _changes(work, branch) or _makes_scheduler(work, branch)
        for branch in (choice.body, choice.orelse)
    )
    if is_whole or not any(acting):
        return None
    if any(isinstance(node, cst.BaseExpression) and not stays(work, node) for node in before):
        return None
    give_name(work, line, choice, work.names_at(choice)("chosen"))
    return line


def _say_each(work: NormalizationRound, line: cst.SimpleStatementLine, value: cst.Tuple) -> None:
    """Calls that stand beside each other are said one by one."""
    calls = [item.value for item in value.elements if isinstance(item, cst.Element)]
    if (
        len(calls) == len(value.elements) > 0
        and all(isinstance(call, cst.Call) for call in calls)
        and _acts(work, value)
    ):
        made = [cst.SimpleStatementLine([cst.Expr(call)]) for call in calls]
        made[0] = made[0].with_changes(leading_lines=line.leading_lines)
        made[-1] = made[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
        work.copies.update(dict.fromkeys(made, line))
        work.edits.rewrite_statement(line, always_statements(made))


def _divide(
    work: NormalizationRound, line: cst.SimpleStatementLine, small: cst.Assign | cst.Return, choice: cst.IfExp
) -> None:
    """`net = model.train() if training else model.eval()` gives each branch a statement, since one of the modes is set; so
    do `Net() if big else Small()`, whose state is made with it, `StepLR(optimizer, 10) if decays else None`, and `x = self.bn(x) if self.normed else x`, since a module changes in one of them, and `x.mul_(2) if doubled else x + 1`."""
    branches = (choice.body, choice.orelse)
    modes = [branch for branch in branches if _is_mode(work, branch)]
    own = isinstance(small, cst.Assign) and len(small.targets) == 1 and _is_own(small, modes)
    acting = (
        _threads(work, branch)
        or _changes(work, branch)
        or _makes_state(work, choice, branch)
        or _makes_scheduler(work, branch)
        for branch in branches
    )
    if (not modes or own) and not any(acting):
        return
    first = cst.IndentedBlock([cst.SimpleStatementLine([small.with_changes(value=_bare(choice.body))])])
    if isinstance(small, cst.Assign):
        small = small.deep_clone()
    last = cst.SimpleStatementLine([small.with_changes(value=_bare(choice.orelse))])
    if isinstance(small, cst.Return):
        made = cst.If(_bare(choice.test), first)
        work.copies.update({made: line, last: line})
        work.edits.rewrite_statement(line, always_statements([_with_comment(made, line), last]))
        return
    other = cst.IndentedBlock([last])
    made = cst.If(_bare(choice.test), first, None if _is_kept(small, choice.orelse) else cst.Else(other))
    if _is_kept(small, choice.body):
        made = cst.If(_negated(choice.test), other)
    work.copies[made] = line
    work.edits.rewrite_statement(line, always_statements([_with_comment(made, line)]))


def _is_kept(small: cst.Assign, branch: cst.BaseExpression) -> bool:
    """Whether a branch gives a variable the value that it has."""
    return _name(branch) is not None and [_name(item.target) for item in small.targets] == [_name(branch)]


def _name(node: cst.CSTNode) -> str | None:
    return node.value if isinstance(node, cst.Name) else None


def _threads(work: NormalizationRound, branch: cst.BaseExpression) -> bool:
    """Whether a branch holds a call that gives back a changed module or state."""
    assert work.effects is not None
    return work.effects.threads and any(work.effects.threads_state(call) for call in _calls(branch))


def _makes_state(work: NormalizationRound, choice: cst.IfExp, branch: cst.BaseExpression) -> bool:
    """Whether a branch makes a model of a class of the program, beside which its state is made: `Net() if big else Small()`."""
    assert work.effects is not None
    model = work.values(choice)
    if not work.effects.threads or model.kind is not Kind.MODULE or not work.effects.is_stateful(model):
        return False
    function = work.program.function_around(choice)
    while function is not None:
        if function.owner is not None and function.owner.is_module:
            return False
        function = function.outer
    return any(work.values(call.func).kind is Kind.CLASS for call in _calls(branch))


def _makes_scheduler(work: NormalizationRound, branch: cst.BaseExpression) -> bool:
    """Whether a branch makes a scheduler of torch, which sets the learning rate of its optimizer."""
    is_one = work.values(branch).kind is Kind.SCHEDULER
    return is_one and isinstance(branch, cst.Call) and work.values(branch.func).kind is Kind.TORCH


def _changes(work: NormalizationRound, branch: cst.BaseExpression) -> bool:
    """Whether a branch changes a tensor in place, or casts a module."""
    return any(may_change(work, call) or is_cast(work.values, call) for call in _calls(branch))


def _is_mode(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(value=value, attr=cst.Name("train" | "eval"))):
            return work.values(value).kind is Kind.MODULE and dotted(value) is not None
    return False


def _is_own(small: cst.Assign, modes: list[cst.BaseExpression]) -> bool:
    """Whether the place whose module changes is given the new one anyway."""
    place = dotted(small.targets[0].target)
    return all(dotted(mode.func.value) == place for mode in modes)  # type: ignore[attr-defined]


def _statement(
    work: NormalizationRound, line: cst.SimpleStatementLine, value: cst.BaseExpression
) -> cst.If | cst.For | None:
    if (choice := _changed_choice(work, value)) is not None:
        first, second = (value.deep_replace(choice, _bare(branch)) for branch in (choice.body, choice.orelse))
        return cst.If(_bare(choice.test), _block(first), cst.Else(_block(second.deep_clone())))
    match value:
        case cst.IfExp(test=test, body=body, orelse=orelse):
            if isinstance(body, cst.Name | cst.BaseNumber):  # `None if done else step()`
                return cst.If(_negated(test), _block(orelse))
            other = None if isinstance(orelse, cst.Name | cst.BaseNumber) else cst.Else(_block(orelse))
            return cst.If(_bare(test), _block(body), other)
        case cst.BooleanOperation(left=left, operator=cst.And(), right=right):
            return cst.If(_bare(left), _block(right))
        case cst.BooleanOperation(left=left, right=right):
            return cst.If(_negated(left), _block(right))
        case cst.ListComp(elt=elt, for_in=cst.CompFor(ifs=[], inner_for_in=None, asynchronous=None) as loop):
            names = set(bound_in(loop.target))
            scope = work.index.function_of(line) or work.index.module
            if any(_is_outside(work, scope, value, name) for name in names):
                return None  # a comprehension has its variables to itself
            return cst.For(loop.target, _bare(loop.iter), _block(elt))
    return None


def _changed_choice(work: NormalizationRound, value: cst.BaseExpression) -> cst.IfExp | None:
    """The choice of two places in a call that changes one of them: `nn.init.zeros_(a if first else b)`, `(a if first else b).add_(1)`,
    `(biases if p.ndim < 2 else weights).append(p)`.
    """
    if not isinstance(value, cst.Call) or not (may_change(work, value) or _keeps_one(work, value)):
        return None
    place: cst.BaseExpression = value
    while isinstance(place, cst.Call | cst.Attribute):
        is_torch = isinstance(place, cst.Call) and work.values.torch_name(place.func) is not None
        if isinstance(place, cst.Attribute):
            place = place.value
        elif not is_torch:
            place = place.func
        elif place.args and place.args[0].keyword is None and not place.args[0].star:
            place = place.args[0].value
        else:
            return None
    is_choice = isinstance(place, cst.IfExp) and dotted(place.body) is not None and dotted(place.orelse) is not None
    return place if is_choice else None  # type: ignore[return-value]


def _keeps_one(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call puts something of torch's, or what may be, into a container that it chooses."""
    match call.func:
        case cst.Attribute(value=cst.IfExp() as choice, attr=cst.Name(method)) if stores_arguments(method):
            kinds = {work.values(place).kind for place in (choice.body, choice.orelse)}
            given = {work.values(item.value).kind for item in call.args}
            return kinds <= {Kind.LIST, Kind.DICT} and not given.isdisjoint(_ACTING)
    return False


def _is_outside(work: NormalizationRound, scope: cst.CSTNode, comprehension: cst.BaseExpression, name: str) -> bool:
    """Whether a function speaks of a variable elsewhere than in a comprehension."""
    inner = sum(node.value == name for node in descendants(comprehension) if isinstance(node, cst.Name))
    every = sum(node.value == name for node in descendants(scope) if isinstance(node, cst.Name))
    return every > inner


def _acts(work: NormalizationRound, value: cst.BaseExpression) -> bool:
    """Whether something in it is called that may act on what the translation has to give back."""
    return any(
        (isinstance(call.func, cst.Attribute) and work.values(call.func.value).kind in _ACTING)
        or (
            any(work.values(item.value).kind in _ACTING - {Kind.UNKNOWN} for item in call.args)
            and work.values(call.func).kind is Kind.FUNCTION
        )
        or may_change(work, call)
        or _keeps_one(work, call)
        for call in _calls(value)
    )


def _calls(value: cst.BaseExpression) -> Iterator[cst.Call]:
    yield from (node for node in (value, *descendants(value)) if isinstance(node, cst.Call))


def _block(value: cst.BaseExpression) -> cst.IndentedBlock:
    return cst.IndentedBlock([cst.SimpleStatementLine([cst.Expr(_bare(value))])])


def _negated(test: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _bare(test.expression)
    match _bare(test):
        case (
            cst.Comparison(
                comparisons=[cst.ComparisonTarget(operator=cst.Is() | cst.IsNot() as asked) as target]
            ) as same
        ):
            other = cst.IsNot() if isinstance(asked, cst.Is) else cst.Is()
            return same.with_changes(comparisons=[target.with_changes(operator=other)])
    needs = isinstance(test, (cst.BooleanOperation, cst.IfExp, cst.NamedExpr, cst.Lambda)) and not test.lpar
    return cst.UnaryOperation(cst.Not(), parenthesized(test) if needs else test)


def _bare(value: cst.BaseExpression) -> cst.BaseExpression:
    if value.lpar and not isinstance(value, (cst.Tuple, cst.GeneratorExp, cst.NamedExpr)):
        return value.with_changes(lpar=(), rpar=())
    return value


def _with_comment(made: cst.If | cst.For, line: cst.SimpleStatementLine) -> cst.If | cst.For:
    """The comment at the end of the line stands behind the header."""
    return made.with_changes(
        leading_lines=line.leading_lines, body=made.body.with_changes(header=line.trailing_whitespace)
    )

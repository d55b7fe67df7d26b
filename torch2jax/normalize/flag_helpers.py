"""Functions that set the flags of parameters, written out where they are called; and flags among other things in a loop.

def set_requires_grad(nets, flag):              for param in D.parameters():
    for net in nets:                                param.requires_grad = False
        for param in net.parameters():
            param.requires_grad = flag     ->
...
set_requires_grad([D], False)

for p, q in zip(a.parameters(), b.parameters()):      for p, q in zip(a.parameters(), b.parameters()):
    q.data.copy_(p.data)                                  q.data.copy_(p.data)
    q.requires_grad = False                     ->    for q in b.parameters():
                                                          q.requires_grad = False

for p in net.stem.parameters():     ->     if self.fine_tune:
    p.requires_grad = self.fine_tune           for p in net.stem.parameters():
                                                   p.requires_grad = True
                                           else:
                                               for p in net.stem.parameters():
                                                   p.requires_grad = False

self.scale.requires_grad_(not fixed)    ->     if fixed:
                                                   self.scale.requires_grad = False
                                               else:
                                                   self.scale.requires_grad = True

What is frozen, and when, is then seen where it happens (`facts/freezing.py`). A function that nobody calls any more goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.flag_statements import flagged_place, set_flag
from torch2jax.facts.gradient_reads import LEFT_TO_CALLERS
from torch2jax.facts.infer import all_marks
from torch2jax.normalize.gradient_clears import is_place, listed_members
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import uses_of
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always_statements, is_docstring
from torch2jax.syntax.quote import as_node, names_in, quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_FLAGS = frozenset({"requires_grad", "requires_grad_"})


@dataclass(frozen=True, slots=True)
class _Helper:
    """A function that sets the flags of the parameters of the modules in `modules`, a list or (`alone`) one of them."""

    modules: str
    variable: str
    flag: cst.BaseExpression | bool
    alone: bool
    listed: bool


def normalize_flag_helpers(work: NormalizationRound) -> None:
    """Write out the calls of all such functions, and set flags in loops of their own."""
    _write_out_foreign(work)
    if not any(node.attr.value in _FLAGS for node in work.index.attributes):
        return
    for node in work.index.every(cst.For):
        assert isinstance(node, cst.For)
        if not _unroll(work, node):
            _set_apart(work, node)
    helpers = {function: helper for function in work.program.functions.values() if (helper := _helper(function))}
    for function, helper in helpers.items():
        _write_out(work, function, helper)
        if work.program.is_imported and function.owner is None and function.outer is None:
            if not any(True for _ in uses_of(work, function)):
                work.marks.add((LEFT_TO_CALLERS, function.key))
    if not work.edits.touched():
        for statement in work.index.every(cst.For, cst.SimpleStatementLine):
            if work.program.function_around(statement) not in helpers:
                _decide(work, statement)


def _write_out_foreign(work: NormalizationRound) -> None:
    """Write out the calls of such functions of other files, which leave them to their callers."""
    for key in sorted({mark[1] for mark in all_marks(work.program) if mark[0] == LEFT_TO_CALLERS}):
        function = work.program.by_key.get(key)
        helper = _helper(function) if function is not None and function.node not in work.program.functions else None
        if function is None or helper is None:
            continue
        for node in uses_of(work, function):
            call = work.index.parents[node]
            if isinstance(call, cst.Call) and call.func is node:
                _expand(work, function, helper, call)  # what is left is reported where gradients are looked for


def _helper(function: Function) -> _Helper | None:
    body = list(function.node.body.body)
    body = body[1:] if body and is_docstring(body[0]) else body
    names = [name for name in function.parameter_names if name != function.self_name]
    if (
        not names
        or function.star_name
        or function.double_star_name
        or function.decorators not in ([], ["staticmethod"])
    ):
        return None
    modules, listed, alone = names[0], False, True
    if len(body) == 2 and _makes_list(body[0], modules):
        body, listed = body[1:], True
    if len(body) != 1 or not isinstance(body[0], cst.For):
        return None
    loop = body[0]
    inner = _only(loop.body)
    if isinstance(inner, cst.If) and inner.orelse is None and _asks_for_none(inner.test, loop.target):
        inner = _only(inner.body)
    if isinstance(inner, cst.For) and dotted(loop.iter) == modules:
        alone, listed, place, loop = listed, True, dotted(loop.target), inner
    else:
        place = modules
    flag = _flag_of(loop, place)
    if flag is None or (isinstance(flag, cst.BaseExpression) and not _is_given(flag, names)):
        return None
    assert isinstance(loop.target, cst.Name)
    return _Helper(modules, loop.target.value, flag, alone, listed)


def _only(block: cst.BaseSuite) -> cst.CSTNode | None:
    return block.body[0] if isinstance(block, cst.IndentedBlock) and len(block.body) == 1 else None


def _makes_list(node: cst.CSTNode, name: str) -> bool:
    """`if not isinstance(nets, list): nets = [nets]`"""
    line = _only(node.body) if isinstance(node, cst.If) and node.orelse is None else None
    match node, line:
        case (
            cst.If(
                test=cst.UnaryOperation(operator=cst.Not(), expression=cst.Call(func=cst.Name("isinstance")) as call)
            ),
            cst.SimpleStatementLine(
                body=[
                    cst.Assign(
                        targets=[cst.AssignTarget(target=cst.Name(bound))],
                        value=cst.List(elements=[cst.Element(value=cst.Name(inner))]),
                    )
                ]
            ),
        ):
            return bound == inner == name == dotted(call.args[0].value)
    return False


def _asks_for_none(test: cst.BaseExpression, target: cst.BaseExpression) -> bool:
    match test:
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=cst.IsNot(), comparator=cst.Name("None"))]
        ):
            return dotted(left) == dotted(target)
    return False


def _flag_of(loop: cst.For, place: str | None) -> cst.BaseExpression | bool | None:
    """What a loop over the parameters of a module gives to their flags, and does nothing else."""
    line = _only(loop.body)
    match loop.iter:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]) if line is not None:
            if dotted(module) == place is not None and isinstance(loop.target, cst.Name) and loop.orelse is None:
                return set_flag(line, loop.target.value)
    return None


def _is_given(flag: cst.BaseExpression, names: Sequence[str]) -> bool:
    return isinstance(flag, cst.Name) and flag.value in ("True", "False", *names[1:])


def _write_out(work: NormalizationRound, function: Function, helper: _Helper) -> None:
    calls = [call for call, callees in work.values.callees.items() if function in callees]
    calls = [call for call in calls if call in work.index.parents]
    done = {call for call in calls if isinstance(call, cst.Call) and _expand(work, function, helper, call)}
    is_all = done and len(done) == len(calls) and not function.seen_elsewhere
    if is_all and not work.program.is_imported and not _is_mentioned(work, function, done):
        work.edits.remove(function.node)


def _is_mentioned(work: NormalizationRound, function: Function, calls: set[cst.Call]) -> bool:
    """Whether a function is named elsewhere than in some calls."""
    called: set[cst.CSTNode] = {call.func for call in calls}
    if function.owner is not None:
        every = work.values.callees.items()
        called |= {
            call.func for call, callees in every if isinstance(call, cst.Call) and callees and function not in callees
        }
        return any(node.attr.value == function.name and node not in called for node in work.index.attributes)
    named = [node for node in work.index.names if node.value == function.name and not work.index.is_label(node)]
    return any(node not in called and node is not function.node.name for node in named)


def _expand(work: NormalizationRound, function: Function, helper: _Helper, call: cst.Call) -> bool:
    """Write out one call, if it stands alone and says which modules it is about."""
    line = work.index.parents.get(work.index.parents[call])
    if not isinstance(work.index.parents[call], cst.Expr) or not isinstance(line, cst.SimpleStatementLine):
        return False
    if len(line.body) != 1 or set(work.values.callees.get(call, (function,))) != {function}:
        return False
    given = dict(arguments_by_parameter(function, call, work.values))
    defaults = {item.name.value: item.default for item in function.parameters if item.default is not None}
    modules = _modules(work, helper, given.get(helper.modules))
    flag = helper.flag
    if isinstance(flag, cst.Name) and flag.value not in ("True", "False"):
        found = given.get(flag.value, defaults.get(flag.value))
        if found is None or (dotted(found) is None and not isinstance(work.values(found).const, bool)):
            return False
        flag = found
    if not modules or len(given) != len(call.args):
        return False
    scope = work.index.function_of(call) or work.index.module
    name = helper.variable if helper.variable not in names_in(scope) else work.names_at(call)(helper.variable)
    value = as_node(flag)
    made = [_loop(name, module, value) for module in modules]
    made[0] = made[0].with_changes(leading_lines=line.leading_lines)
    work.edits.rewrite_statement(line, always_statements(made))
    return True


def _loop(name: str, module: cst.BaseExpression, value: cst.BaseExpression) -> cst.BaseStatement:
    text = f"for {name} in {{module}}.parameters():\n    {name}.requires_grad = {{value}}"
    return quote_statement(text, module=module.deep_clone(), value=value.deep_clone())


def _modules(work: NormalizationRound, helper: _Helper, given: cst.BaseExpression | None) -> list[cst.BaseExpression]:
    """The modules that a call is about; none where one of them is not known."""
    if given is None:
        return []
    if isinstance(given, (cst.List, cst.Tuple)):
        if not helper.listed or (helper.alone and isinstance(given, cst.Tuple)):
            return []
        found = [item.value for item in given.elements]
    else:
        found = [given] if helper.alone else []
    known = all(is_place(item) and work.values(item).kind is Kind.MODULE for item in found)
    return found if known else []


# flags in other loops


def _unroll(work: NormalizationRound, loop: cst.For) -> bool:
    """Write out `for net in (a, b):` around a line, or a loop over the parameters of `net`, that sets their flags."""
    inner = _only(loop.body)
    if not isinstance(loop.target, cst.Name) or loop.orelse is not None or is_read_outside(work, loop, loop.target):
        return False
    if isinstance(inner, cst.For):
        flag, variable = _flag_of(inner, loop.target.value), dotted(inner.target)
    else:
        flag, variable = set_flag(inner, loop.target.value) if inner is not None else None, None
    if flag is None or (isinstance(flag, cst.BaseExpression) and dotted(flag) in (None, loop.target.value)):
        return False
    members = listed_members(work, loop.iter)
    if not members or any(work.values(item).kind is not Kind.MODULE for item in members):
        return False
    value = as_node(flag)
    made = [_loop(variable, module, value) if variable else _line(module, value) for module in members]
    made[0] = made[0].with_changes(leading_lines=loop.leading_lines)
    work.edits.rewrite_statement(loop, always_statements(made))
    return True


def _line(module: cst.BaseExpression, value: cst.BaseExpression) -> cst.BaseStatement:
    return quote_statement("{module}.requires_grad_({value})", module=module.deep_clone(), value=value.deep_clone())


def _decide(work: NormalizationRound, statement: cst.CSTNode) -> None:
    """Write a line, or a loop over the parameters of a module, out for both values of a flag that is not known."""
    make: Callable[[cst.BaseExpression, cst.BaseExpression], cst.BaseStatement] = _line
    kind, own = Kind.MODULE, frozenset[str]()
    match statement:
        case cst.For(
            target=cst.Name(variable),
            iter=cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]),
        ) if statement.orelse is None:
            line = _only(statement.body)
            flag, make = set_flag(line, variable) if line is not None else None, partial(_loop, variable)
            own = frozenset({variable})
        case cst.SimpleStatementLine(body=[small]) if (flagged := flagged_place(small)) is not None:
            module, flag = flagged
            if work.values(module).kind is not Kind.MODULE:
                kind, make = Kind.TENSOR, _parameter_line
        case _:
            return
    if not isinstance(flag, cst.BaseExpression) or not _is_open(work, flag) or own & names_in(flag):
        return
    found = work.values(module)
    if found.kind is not kind or not is_place(module) or (kind is Kind.TENSOR and "parameter" not in found.types):
        return
    texts = ["True", "False"]
    if _is_trained_so_far(work, statement):
        flag, texts = _negated(flag), ["False"]
    while len(texts) == 2 and isinstance(flag, cst.UnaryOperation):
        flag, texts = flag.expression, texts[::-1]
    ending = "else:\n    pass" if len(texts) == 2 else ""
    choice = quote_statement(f"if {{flag}}:\n    pass\n{ending}", flag=flag.deep_clone())
    assert isinstance(choice, cst.If)
    then, *other = (cst.IndentedBlock([make(module, cst.Name(text))]) for text in texts)
    orelse = choice.orelse.with_changes(body=other[0]) if choice.orelse is not None else None
    made = choice.with_changes(body=then, orelse=orelse, leading_lines=statement.leading_lines)
    work.edits.rewrite_statement(statement, always_statements([made]))


def _negated(flag: cst.BaseExpression) -> cst.BaseExpression:
    return flag.expression if isinstance(flag, cst.UnaryOperation) else quote("not {flag}", flag=flag.deep_clone())


def _is_trained_so_far(work: NormalizationRound, statement: cst.CSTNode) -> bool:
    """Whether a line in `__init__` is the first that may take parameters out of training, of all in the program."""
    own = work.program.function_around(statement)
    if own is None or own.name != "__init__" or any(map(_makes_frozen, work.program.files)):
        return False
    inside = {statement, *descendants(statement)}
    for home in work.program.files:
        for node in home.index.attributes:
            sets = isinstance(home.index.parents[node], (cst.AssignTarget, cst.AugAssign)) or node.attr.value[-1] == "_"
            if node.attr.value in _FLAGS and sets and node not in inside:
                if home.function_around(node) is not own or home.index.order[node] < home.index.order[statement]:
                    return False
    return not any(isinstance(item, (cst.For, cst.While)) for item in work.index.ancestors(statement))


def _makes_frozen(home: Program) -> bool:
    """Whether a file says of any tensor that it makes whether it has a gradient."""
    return any(
        item.keyword is not None and item.keyword.value == "requires_grad"
        for call in home.index.calls
        for item in call.args
    )


def _is_open(work: NormalizationRound, flag: cst.BaseExpression) -> bool:
    """Whether a flag is asked of variables and fields, in a way that does nothing else, and is not known."""
    if isinstance(flag, cst.UnaryOperation) and isinstance(flag.operator, cst.Not):
        return _is_open(work, flag.expression)
    if isinstance(flag, cst.BooleanOperation):
        return _is_open(work, flag.left) and _is_open(work, flag.right)
    return dotted(flag) is not None and not isinstance(work.values(flag).const, bool)


def _parameter_line(place: cst.BaseExpression, value: cst.BaseExpression) -> cst.BaseStatement:
    return quote_statement("{place}.requires_grad = {value}", place=place.deep_clone(), value=value.deep_clone())


def is_read_outside(work: NormalizationRound, loop: cst.For, target: cst.Name) -> bool:
    """Whether the variable of a loop is read behind it."""
    definitions, inside = work.program.definitions, set(descendants(loop))
    found = [item for item in definitions.every_of_name(target) if item.node is target]
    return any(use not in inside for item in found for use in definitions.uses(item))


def _set_apart(work: NormalizationRound, loop: cst.For) -> None:
    """Give the flags that a loop sets, among other things, a loop of their own behind it."""
    if not isinstance(loop.body, cst.IndentedBlock) or len(loop.body.body) < 2 or loop.orelse is not None:
        return
    columns = dict(_columns(loop))
    for line in loop.body.body:
        for name, module in columns.items():
            flag = set_flag(line, name)
            value = work.values(flag).const if isinstance(flag, cst.BaseExpression) else flag
            if not isinstance(value, bool) or _reads_flags(loop, line):
                continue
            made = _loop(name, module, cst.Name(str(value)))
            work.edits.remove(line)
            work.edits.after(loop, partial(_given, made))
            return


def _given(statement: cst.BaseStatement, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    return [statement]


def _columns(loop: cst.For) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The variables of a loop over parameters of modules side by side, with the modules."""
    match loop.target, loop.iter:
        case cst.Tuple(elements=elements), cst.Call(func=cst.Name("zip"), args=args) if len(elements) == len(args):
            pairs = list(zip((item.value for item in elements), (item.value for item in args), strict=True))
        case _:
            pairs = [(loop.target, loop.iter)]
    for target, given in pairs:
        match target, given:
            case (
                cst.Name(name),
                cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]),
            ) if dotted(module) is not None:
                yield name, module


def _reads_flags(loop: cst.For, line: cst.BaseStatement) -> bool:
    """Whether a loop asks for flags, or leaves before it has seen all parameters."""
    leaving = (cst.Break, cst.Continue, cst.Return, cst.Yield)
    nodes = [node for item in loop.body.body if item is not line for node in (item, *descendants(item))]
    return any(
        isinstance(node, leaving) or (isinstance(node, cst.Attribute) and node.attr.value in (*_FLAGS, "grad"))
        for node in nodes
    )


__all__ = ["is_read_outside", "normalize_flag_helpers"]

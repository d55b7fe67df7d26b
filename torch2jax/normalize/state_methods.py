"""Methods that touch the state of their module where no state can be given to them, normalized.

def __init__(self): self.reset()     ->   def __init__(self): self.count = 0     where `reset` runs later, too

self.register_buffer("table", x)     ->   self.table = x                         in a method that runs later

@property
def mean(self): ...                  ->   def mean(self): ...
model.mean                           ->   model.mean()

f(model(x)).backward()               ->   loss = f(model(x))
                                          loss.backward()
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from torch2jax.facts.effects import Effects
from torch2jax.facts.module_state import init_methods
from torch2jax.normalize.evaluation_order import paired, say_one_by_one
from torch2jax.normalize.named_fields import substituted
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import suite_body
from torch2jax.syntax.edits import Rewriter, is_docstring
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import INNER_SCOPES, descendants
from torch2jax.values import Kind

_NOT_ONCE = (
    cst.Lambda, cst.IfExp, cst.BooleanOperation, cst.ListComp, cst.GeneratorExp, cst.DictComp, cst.SetComp
)  # fmt: skip


def normalize_state_methods(work: NormalizationRound) -> None:
    """Normalize the calls in `__init__` of methods that change state later, and properties that read it."""
    effects = work.effects
    assert effects is not None
    if effects.threads:
        _name_modules(work, effects)
        _split_assignments(work, effects)
        _name_losses(work, effects)
    if not effects.module_state.touching:
        return
    for item in work.program.classes.values():
        init = item.methods.get("__init__")
        if init is not None and item.is_module:
            _inline(work, item, init, effects.module_state.writing - effects.module_state.init_only)
        for method in item.methods.values() if effects.threads else ():
            if method.decorators == ["property"] and method in effects.module_state.touching and item.is_module:
                _as_method(work, method)


def normalize_later_buffers(work: NormalizationRound) -> None:
    """Normalize the methods that register buffers of their module anew, where these go with its state."""
    effects = work.effects
    assert effects is not None
    for call in work.index.calls if work.program.mentions("register_buffer") else ():
        if _has_buffer_already(work, effects, call):
            _assign(work, call)
    registered = (
        _registered_later(work, effects) if effects.threads and work.program.mentions("register_buffer") else {}
    )
    for item in work.program.classes.values() if registered else ():
        init = item.methods.get("__init__")
        if init is not None and item.is_module:
            _inline(work, item, init, set(registered.values()))
    for call, method in registered.items():
        name = cst.ensure_type(call.args[0].value, cst.SimpleString).evaluated_value
        if _is_made_with(method, name, registered.values()):
            _assign(work, call)


def _has_buffer_already(work: NormalizationRound, effects: Effects, call: cst.Call) -> bool:
    """Whether a statement outside of modules registers a buffer under the name of one that all such modules are made with."""
    name, function = _registered_name(call), work.program.function_around(call)
    if name is None or len(call.args) != 2 or not isinstance(work.index.parents[call], cst.Expr):
        return False
    while function is not None:
        if function.owner is not None and function.owner.is_module:
            return False
        function = function.outer
    classes = effects.classes_of(work.values(cst.ensure_type(call.func, cst.Attribute).value))
    if call.args[1].keyword is not None or work.values(call.args[1].value).kind is not Kind.TENSOR:
        return False
    return bool(classes) and all(any(part.buffers.get(str(name)) for part in item.lineage) for item in classes)


def _is_made_with(method: Function, name: object, later: Collection[Function]) -> bool:
    """Whether a method that runs only while the module is made registers a buffer, which the method then changes."""
    early = init_methods(method.owner) if method.owner is not None else set()
    lines = [call for item in early - set(later) for call in descendants(item.node.body, cst.Call)]
    return method not in early and any(_registered_name(call) == name for call in lines)


def _registered_name(call: cst.Call) -> object:
    """The name of the buffer that a call registers."""
    match call:
        case cst.Call(
            func=cst.Attribute(value=cst.Name(), attr=cst.Name("register_buffer")),
            args=[cst.Arg(value=cst.SimpleString() as name, keyword=None), cst.Arg(), *_],
        ):
            return name.evaluated_value
    return None


def _registered_later(work: NormalizationRound, effects: Effects) -> dict[cst.Call, Function]:
    """The statements that register a buffer by its name in methods that run when the module has been made."""
    found: dict[cst.Call, Function] = {}
    for call in work.index.calls:
        method = work.program.function_around(call) if _registered_name(call) is not None else None
        if method is None or method.owner is None or not method.owner.is_module or method.name == "__init__":
            continue
        if dotted(cst.ensure_type(call.func, cst.Attribute).value) == method.self_name:
            if method not in effects.module_state.init_only and isinstance(work.index.parents[call], cst.Expr):
                found[call] = method
    return found


def _assign(work: NormalizationRound, call: cst.Call) -> None:
    """`self.register_buffer("table", x)` of a buffer that there is: `self.table = x`."""
    owner, name = cst.ensure_type(call.func, cst.Attribute).value, cst.ensure_type(call.args[0].value, cst.SimpleString)
    place, value = cst.Attribute(work.copy(owner), cst.Name(str(name.evaluated_value))), call.args[1].value
    line = work.index.statement_of(call)
    work.edits.rewrite_statement(
        line,
        lambda rewrite: [cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(place)], rewrite.expression(value))])],
    )


def _inline(work: NormalizationRound, item: Class, init: Function, later: Collection[Function]) -> None:
    """Put the statements of methods that also run later where `__init__` calls them."""
    for line in suite_body(init.node):
        call = line.body[0].value if _is_call(line) else None  # type: ignore[attr-defined]
        if not isinstance(call, cst.Call) or line not in work.index.parents:
            continue
        reached = work.values.callees.get(call, ())
        if len(reached) != 1 or reached[0] not in later or reached[0] not in init_methods(item):
            continue
        statements = _inlined(work, init, reached[0], call)
        if statements is not None:
            first = statements[0].with_changes(leading_lines=line.leading_lines)  # type: ignore[attr-defined]
            work.edits.rewrite_statement(line, lambda rewrite, new=[first, *statements[1:]]: new)  # type: ignore[misc]


def _name_modules(work: NormalizationRound, effects: Effects) -> None:
    """`Net()(x)` -> `model = Net()` and `model(x)`: a module with state needs a name that its state can go with."""
    names: dict[cst.CSTNode, FreshNames] = {}  # of this round, by function
    lines: set[cst.CSTNode] = set()
    for call in work.index.calls:
        node: cst.BaseExpression = call.func
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
        if not isinstance(node, cst.Call) or not effects.is_stateful(work.values(node)) or node in work.edits.nodes:
            continue
        is_read = isinstance(call.func, cst.Attribute) and call.func.attr.value == "state_dict"
        if work.values(node.func).kind is not Kind.CLASS or not (is_read or effects.threads_state(call)):
            continue
        function = work.program.function_around(call)
        line = work.index.statement_of(call)
        if function is not None and function.owner is not None and function.owner.is_module:
            continue
        if not isinstance(line, cst.SimpleStatementLine) or any(
            isinstance(item, _NOT_ONCE) for item in work.index.ancestors(call)
        ):
            continue
        if line in lines:
            continue  # in the next round
        lines.add(line)
        scope = function.node if function is not None else work.index.module
        if scope not in names:
            names[scope] = work.local(scope)
        name = names[scope]("model")
        work.edits.before(
            line,
            lambda rewrite, made=node, name=name: [  # type: ignore[misc]
                cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], rewrite.inside(made))])
            ],
        )
        work.edits.replace(node, lambda rewrite, name=name: cst.Name(name))  # type: ignore[misc]


def _split_assignments(work: NormalizationRound, effects: Effects) -> None:
    """`a, b = Net(), Net()` -> two assignments: each of the modules has a state that stands beside it; and
    `body, head = model.body, model.head`, of which each becomes another name for a part.
    """
    for line in work.index.every(cst.SimpleStatementLine):
        pairs = paired(line) if line not in work.edits.statements else []
        stateful = [value for _, value in pairs if effects.is_stateful(work.values(value))]
        function = work.program.function_around(line)
        kinds = (cst.Attribute,) if function is not None and _is_in_module(function) else (cst.Attribute, cst.Call)
        if not stateful or not all(isinstance(item, kinds) for item in stateful):
            continue
        if all(isinstance(place, cst.Name) for place, _ in pairs):
            say_one_by_one(work, line)


def _name_losses(work: NormalizationRound, effects: Effects) -> None:
    """`f(model(x)).backward()` -> `loss = f(model(x))` and `loss.backward()`: the call of a module with state gives two results."""
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Expr(value=cst.Call(func=cst.Attribute(value=loss, attr=cst.Name("backward"))))]:
                pass
            case _:
                continue
        parts = [loss, *descendants(loss)] if isinstance(loss, (cst.Call, cst.BinaryOperation)) else []
        if not any(isinstance(part, cst.Call) and effects.threads_state(part) for part in parts):
            continue
        name = work.names_at(line)("loss")

        def named(rewrite: Rewriter, loss: cst.BaseExpression = loss, name: str = name) -> list[cst.BaseStatement]:
            value = rewrite.inside(loss)
            assert isinstance(value, cst.BaseExpression)
            return [cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], value)])]

        work.edits.before(line, named)
        work.edits.replace(loss, lambda rewrite, name=name: cst.Name(name))  # type: ignore[misc]


def _is_in_module(function: Function) -> bool:
    return function.owner is not None and function.owner.is_module


def _is_call(line: cst.BaseStatement) -> bool:
    return (
        isinstance(line, cst.SimpleStatementLine)
        and len(line.body) == 1
        and isinstance(line.body[0], cst.Expr)
        and isinstance(line.body[0].value, cst.Call)
    )


def _inlined(
    work: NormalizationRound, init: Function, method: Function, call: cst.Call
) -> list[cst.BaseStatement] | None:
    """The statements of a method for a place in `__init__`; None if they cannot stand there."""
    given = dict(arguments_by_parameter(method, call, work.values))
    parameters = method.parameters
    if method.self_name != init.self_name or method.node.params.star_kwarg is not None or method.node.decorators:
        return None
    if isinstance(method.node.params.star_arg, cst.Param) or any(item.star for item in call.args):
        return None
    body = [line for line in suite_body(method.node) if not is_docstring(line)]
    if not body or any(isinstance(node, (cst.Return, cst.Yield, *INNER_SCOPES)) for node in _nodes(body)):
        return None
    names = {item.value for item in descendants(init.node, cst.Name) if not work.index.is_label(item)}
    fresh, bound = work.beside_variables(init.node), {node.value for node in _bound(body)}
    read = {item.value for item in _nodes(body) if isinstance(item, cst.Name) and not work.index.is_label(item)}
    if (read - bound - set(method.parameter_names)) & init.env.keys():
        return None  # what it finds at module level
    own = {param.name.value for param in parameters[1:]}
    same = {name for name in own - bound if dotted(given.get(name)) == name}
    stands = {name: cst.Name(fresh(name)) for name in sorted((bound | own - same) & names)}
    statements: list[cst.BaseStatement] = []
    for param in parameters[1:]:
        name, value = param.name.value, given.get(param.name.value, param.default)
        if value is None:
            return None
        if name not in same:
            target = cst.AssignTarget(work.copy(stands.get(name, param.name)))
            statements.append(cst.SimpleStatementLine([cst.Assign([target], work.copy(value))]))
    return [*statements, *(substituted(work, line, dict(stands)) for line in body)]


def _nodes(body: list[cst.BaseStatement]) -> Iterator[cst.CSTNode]:
    for line in body:
        yield from descendants(line)


def _bound(body: list[cst.BaseStatement]) -> Iterator[cst.Name]:
    """The variables that statements bind."""
    for node in _nodes(body):
        target = getattr(node, "target", None) if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.For)) else None
        for item in (target, *descendants(target)) if target is not None else ():
            if isinstance(item, cst.Name) and not isinstance(target, cst.Attribute):
                yield item


def _as_method(work: NormalizationRound, method: Function) -> None:
    """A property becomes a method, and what reads it calls that."""
    owner, values = method.owner, work.values
    assert owner is not None
    node = method.node
    heirs = {item.key for item in work.program.class_by_key.values() if owner in item.lineage}
    reads: list[cst.Attribute] = []
    for attribute in work.index.attributes:
        if attribute.attr.value == method.name:
            base = values(attribute.value)
            if isinstance(work.index.parents[attribute], (cst.AssignTarget, cst.AugAssign, cst.Del)):
                return  # which torch refuses, as there is no setter
            if base.kind is Kind.MODULE and base.types and base.types <= heirs:
                reads.append(attribute)
            elif base.kind in (Kind.MODULE, Kind.UNKNOWN, Kind.OBJECT) and (not base.types or base.types & heirs):
                return
    lines = node.decorators[0].leading_lines
    work.edits.replace(
        node,
        lambda rewrite: rewrite.inside(node).with_changes(
            decorators=(), lines_after_decorators=(), leading_lines=[*node.leading_lines, *lines]
        ),
    )
    for attribute in reads:
        work.edits.replace(attribute, lambda rewrite, read=attribute: quote("{x}()", x=rewrite.inside(read)))  # type: ignore[misc]

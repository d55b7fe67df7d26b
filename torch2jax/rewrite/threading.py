"""Signatures, returns and calls of what is threaded; the statements that split keys.

def evaluate(model, x):                  ->   def evaluate(model, state, x):
    return model(x).mean()                        y, state = model(x, state)
                                                  return state, y.mean()
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.facts.infer import is_differentiated_lambda
from torch2jax.facts.module_state import LAYER_FIELDS, module_place, runs_only_at_init
from torch2jax.facts.training import Step
from torch2jax.ops.modules import WRAPPING
from torch2jax.plan.keys import comprehension_length
from torch2jax.plan.model import CallPlan, FunctionPlan, KeySequence, KeySplit
from torch2jax.plan.names import is_bound
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.rewrite.kept_frozen import FROZEN_AS_BEFORE, exchanges_parts
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Build, BuildStatements, Rewriter, always, always_statements
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import held_together, names_in, parenthesized, quote, quote_statement
from torch2jax.syntax.walk import children, descendants, own_nodes, with_fields
from torch2jax.values import Kind

_KEPT = "set_fields({own}, {new})"
_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def rewrite_threading(unit: Unit) -> None:
    """Signatures, returns, call results and keys of the whole file."""
    for statement in unit.plan.new_keys:
        text = unit.facts.target.new_key
        key = unit.plan.module_key
        unit.edits.before(
            statement, always_statements([quote_statement("{key} = {new}", key=key, new=quote(text, seed=0))])
        )
    for function, planned in unit.plan.functions.items():
        _evasions(unit, function, planned)
    for owner, split in unit.plan.splits:
        _split(unit, owner, split)
    for owner, sequence in unit.plan.sequences.items():
        _sequence(unit, owner, sequence)
    for alternative, draw in unit.plan.keyed.items():
        unit.edits.replace(alternative, partial(_with_key, unit, alternative, draw is not None))
    for node, function in unit.plan.passed.items():
        unit.edits.replace(node, partial(_passed, unit, node, function))
    for init, template in unit.plan.kept:
        text = template.replace("{self}", str(init.self_name)).replace("{key}", unit.plan.of(init).key_name)
        made = quote_statement(unit.spell(text))
        unit.edits.prologue(init.node.body, partial(_only, made))
    for comprehension, (source, element, count) in unit.plan.comprehension_keys.items():
        _comprehension(unit, comprehension, source, element, count)
    for node in {node: None for _, node, _, _ in unit.plan.aliases}:
        _taken_over(unit, node, [item for item in unit.plan.aliases if item[1] is node])
    for loop, (source, name, optional) in unit.plan.loops.items():
        _loop(unit, loop, source, name, optional)
    for function, planned in unit.plan.functions.items():
        _signature(unit, function, planned)
        _returns(unit, function, planned)
    _first_states(unit)  # in front of what takes a call out of its statement
    for call in _in_order(unit, list(unit.plan.calls)):
        gained = unit.plan.calls[call]
        if gained.rebinds or gained.first_of_pair:
            _results(unit, call, gained)
    for call, modes in unit.plan.modes.items():
        for place, mode in modes:
            _mode_behind(unit, call, place, mode)


def _first_states(unit: Unit) -> None:
    """`__init__` that calls methods which read or change the state of the module: it is given as it is then, and kept."""
    found: dict[Function, tuple[cst.BaseStatement, str]] = {}
    for call, planned in unit.plan.calls.items():
        function = unit.facts.program.function_around(call)
        if function is None or function.name != "__init__" or function.owner is None or not function.owner.is_module:
            continue
        state = unit.plan.of(function).state_name
        place = unit.facts.program.index.statement_of(call)
        if state in planned.behind and not isinstance(place, cst.SimpleStatementLine):
            reason = "a condition of `__init__` cannot be given the state that it changes"
            unit.problem(call, "T2J606", name=code(call.func), module=function.owner.name, reason=reason)
        elif state in planned.behind:
            own = str(function.self_name)
            unit.edits.before(place, always_statements([unit.statement(f"{state} = state_so_far({own})")]))
            kept = unit.statement(f"keep_state({own}, {state})")
            unit.edits.after(place, always_statements([kept]))
        elif any(item.value == state for item in planned.arguments):
            found.setdefault(function, (place, state))
    for line, state in found.values():
        unit.edits.before(line, always_statements([unit.statement(f"{state} = FirstState()")]))


def set_mode(unit: Unit, place: str, mode: str) -> cst.BaseStatement:
    """`model = eqx.nn.inference_mode(model)`"""
    target = unit.facts.target
    template = f"{place} = " + (target.train_mode if mode == "train" else target.eval_mode)
    return quote_statement(template, model=cst.parse_expression(place))


def _mode_behind(unit: Unit, call: cst.Call, place: str, mode: str) -> None:
    """`model = eqx.nn.inference_mode(model)` behind `evaluate(model, loader)`, which leaves the model in that mode."""
    line = unit.facts.program.index.statement_of(call)
    unit.edits.after(line, lambda rewrite: [set_mode(unit, place, mode)])


def _in_order(unit: Unit, calls: Sequence[cst.Call]) -> list[cst.Call]:
    """Calls in the order in which they happen: those in the arguments of others before them."""
    found: list[cst.Call] = []
    waiting: list[cst.Call] = []
    for call in calls:
        around = set(unit.facts.program.index.ancestors(call)) if waiting else set()
        while waiting and waiting[-1] not in around:
            found.append(waiting.pop())
        waiting.append(call)
    return [*found, *reversed(waiting)]


# keys


def _split(unit: Unit, owner: Function | Step | None, split: KeySplit) -> None:
    targets = [split.source, *split.targets] if split.renew else split.targets
    count = len(targets)
    if split.optional:
        value = unit.quote("split_key({key}, {n})", key=split.source, n=count)
    elif count == 2:
        value = quote("jax.random.split({key})", key=split.source)
    else:
        value = quote("jax.random.split({key}, {n})", key=split.source, n=count)
    statement = quote_statement(f"{', '.join(targets)} = {{value}}", value=value)
    anchors = {step.anchor for step in unit.facts.steps if step.problem is None}
    if split.statement is not None and split.statement in anchors and not isinstance(owner, Step):
        unit.edits.before_place(split.statement, lambda rewrite: [statement])
    elif split.statement is not None:
        unit.edits.before(split.statement, lambda rewrite: [statement])
    elif isinstance(owner, Function):
        assert isinstance(owner.node.body, cst.IndentedBlock), "a function on one line draws only once"
        unit.edits.prologue(owner.node.body, lambda rewrite: [statement])
    elif isinstance(owner, Step) and any(remark.node is owner.backward for remark in unit.problems):
        first = owner.forward[0] if owner.forward else owner.backward_statement  # it stays where it stands
        unit.edits.before(first, lambda rewrite: [statement])
    elif isinstance(owner, Step):
        unit.plan.step_prologues.setdefault(id(owner), []).append(statement)


def _only(statement: cst.BaseStatement, rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [statement]


def _with_key(unit: Unit, node: cst.CSTNode, draws: bool, rewrite: Rewriter) -> cst.CSTNode:
    """`lambda x: x` -> `lambda x, *, key=None: x`."""
    rewritten = rewrite.inside(node)
    assert isinstance(rewritten, cst.Lambda)
    params = rewritten.params
    default = {} if draws else {"default": cst.Name("None"), "equal": _EQUAL}
    key = cst.Param(cst.Name(unit.facts.target.key), **default)  # type: ignore[arg-type]
    star = params.star_arg if isinstance(params.star_arg, (cst.Param, cst.ParamStar)) else cst.ParamStar()
    own = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in params.params]
    given = params.with_changes(params=own, star_arg=star, kwonly_params=[*params.kwonly_params, key])
    return rewritten.with_changes(params=given, whitespace_after_lambda=cst.SimpleWhitespace(" "))


def _passed(unit: Unit, node: cst.CSTNode, function: Function, rewrite: Rewriter) -> cst.CSTNode:
    """`noise`, given to a function that calls it -> `lambda x: noise(x, key=next(keys))`."""
    own = function.node.params
    names = [name for name in function.parameter_names if name != function.self_name]
    key = f"{unit.plan.of(function).key_parameter}={unit.plan.keys[node]}"
    plain = (
        isinstance(node, (cst.Name, cst.Attribute))
        and not own.kwonly_params
        and not isinstance(own.star_arg, cst.Param)
        and own.star_kwarg is None
    )
    if plain and not any(param.default for param in own.params):
        given = taken = ", ".join(names)
    else:
        given, taken = "*args, **kwargs", "*args, **kwargs"
    called = rewrite.inside(node)
    assert isinstance(called, cst.BaseExpression)
    return quote(f"lambda {taken}: {{function}}({given}, {key})", function=called)


def _sequence(unit: Unit, owner: Function | Step | None, sequence: KeySequence) -> None:
    """`keys = KeySequence(key)` where a frame begins."""
    if sequence.new is not None:
        key = quote(unit.facts.target.new_key, seed=0)
        made = unit.statement("{name} = KeySequence({key})", name=sequence.name, key=key)
        unit.edits.before(sequence.new, lambda rewrite: [made])
    if sequence.source is None:
        return
    statement = unit.statement("{name} = KeySequence({key})", name=sequence.name, key=sequence.source)
    if isinstance(owner, Function):
        unit.edits.prologue(owner.node.body, lambda rewrite: [statement])
    elif isinstance(owner, Step) and any(remark.node is owner.backward for remark in unit.problems):
        first = owner.forward[0] if owner.forward else owner.backward_statement
        unit.edits.before(first, lambda rewrite: [statement])
    elif isinstance(owner, Step):
        unit.plan.step_prologues.setdefault(id(owner), []).append(statement)


def _comprehension(unit: Unit, node: cst.CSTNode, source: str, element: str, count: int) -> None:
    """`[Block(c) for _ in range(n)]` -> `[Block(c, key=subkey) for subkey in jax.random.split(key, n)]`."""
    first = node.for_in  # type: ignore[attr-defined]
    optional = unit.plan.keys.get(node) == "optional"
    iterable = first.iter
    length = comprehension_length(unit.facts, iterable)
    assert length is not None, "such comprehensions draw from a sequence of keys"
    used = any(name in names_in(part) for part in _elements(node) for name in names_in(first.target))
    used = used or any(name in names_in(test) for test in first.ifs for name in names_in(first.target))
    is_range = isinstance(iterable, cst.Call) and dotted(iterable.func) == "range"

    def build(rewrite: Rewriter) -> cst.CSTNode:
        rewritten = rewrite.inside(first)
        assert isinstance(rewritten, cst.CompFor)
        size = rewrite.expression(length) if isinstance(length, cst.BaseExpression) else length
        shape = quote("({n}, {m})", n=size, m=count) if count > 1 else size
        template = "split_key({key}, {n})" if optional else "jax.random.split({key}, {n})"
        keys = unit.quote(template, key=source, n=shape)
        if not used and is_range and not first.ifs:
            return rewritten.with_changes(target=_target(element), iter=keys)
        target = quote("({x}, {k})", x=_as_expression(rewritten.target), k=element)
        assert isinstance(target, cst.Tuple)
        bare = target.with_changes(lpar=(), rpar=())
        return rewritten.with_changes(target=bare, iter=quote("zip({x}, {keys})", x=rewritten.iter, keys=keys))

    unit.edits.replace(first, build)


def _taken_over(unit: Unit, node: cst.Assign, aliases: Sequence[tuple[Function | None, cst.Assign, str, str]]) -> None:
    """`self.model = model` takes the state of the module along, `a, b = b, a` the states of both."""
    for kind in ("state", "opt_state", "grads"):
        places = [
            (companion_place(unit, function, left, kind), companion_place(unit, function, right, kind))
            for function, _, left, right in aliases
        ]
        pairs = [(to, source) for to, source in places if to is not None and source is not None and to != source]
        if pairs:
            text = f"{', '.join(to for to, _ in pairs)} = {', '.join(source for _, source in pairs)}"
            statement = unit.facts.program.index.statement_of(node)
            unit.edits.after(statement, always_statements([quote_statement(text)]))


def companion_place(unit: Unit, function: Function | None, place: str, kind: str) -> str | None:
    """The place of the state that belongs to an optimizer or module, if any code needs it."""
    root, _, rest = place.partition(".")
    plan = unit.plan
    if kind == "state" and function is not None and root == function.self_name and plan.of(function).state:
        return plan.of(function).state_name  # which a method is given for its module
    if rest and function is not None and function.owner is not None and root == function.self_name:
        return plan.companions.get((None, f"{function.owner.keeper(rest).key}.{rest}", kind))
    while function is not None and (function, place, kind) not in plan.companions and root not in function.env:
        function = function.outer
    return plan.companions.get((function, place, kind))


def _loop(unit: Unit, loop: cst.For, source: str, name: str, optional: bool) -> None:
    """`for block in self.blocks` -> `for block, subkey in zip(self.blocks, jax.random.split(key, len(self.blocks)))`."""
    template = "split_key({key}, len({x}))" if optional else "jax.random.split({key}, len({x}))"

    def iterable(rewrite: Rewriter) -> cst.BaseExpression:
        original = rewrite.inside(loop.iter)
        assert isinstance(original, cst.BaseExpression)
        return quote("zip({x}, {keys})", x=original, keys=unit.quote(template, key=source, x=original))

    def target(rewrite: Rewriter) -> cst.BaseExpression:
        original = rewrite.inside(loop.target)
        assert isinstance(original, cst.BaseExpression)
        pair = quote("({x}, {k})", x=_as_expression(original), k=name)
        return pair.with_changes(lpar=(), rpar=())

    unit.edits.replace(loop.iter, iterable)
    unit.edits.replace(loop.target, target)


def _as_expression(node: cst.BaseExpression) -> cst.BaseExpression:
    return parenthesized(node) if isinstance(node, cst.Tuple) and not node.lpar else node


def _target(text: str) -> cst.BaseExpression:
    node = cst.parse_expression(text)
    return node.with_changes(lpar=(), rpar=()) if isinstance(node, cst.Tuple) else node


def _elements(node: cst.CSTNode) -> list[cst.CSTNode]:
    return [node.key, node.value] if isinstance(node, cst.DictComp) else [node.elt]  # type: ignore[attr-defined]


# signatures


def _evasions(unit: Unit, function: Function, planned: FunctionPlan) -> None:
    """Parameters of the usual names, where the function has variables of its own that are called so: `rng_key = key`."""
    taken = [(planned.key_name, planned.key_parameter)] if planned.key is not Draw.NONE else []
    taken += [(planned.state_name, planned.state_parameter)] if planned.state else []
    for name, parameter in taken:
        if name != parameter:
            unit.edits.prologue(function.node.body, always_statements([quote_statement(f"{name} = {parameter}")]))


def _signature(unit: Unit, function: Function, planned: FunctionPlan) -> None:
    node = function.node
    is_forward = function.name == "forward" and function.owner is not None and function.owner.is_module
    gains = planned.key or planned.state or planned.companions
    if not gains and not is_forward and not planned.outer_names and not planned.enclosing_names:
        return
    if planned.enclosing_names and isinstance(node.body, cst.IndentedBlock):
        enclosing = ", ".join(planned.enclosing_names)
        unit.edits.prologue(node.body, lambda rewrite: [quote_statement(f"nonlocal {enclosing}")])
    if planned.outer_names and isinstance(node.body, cst.IndentedBlock):
        names = ", ".join(planned.outer_names)
        unit.edits.prologue(node.body, lambda rewrite: [quote_statement(f"global {names}")])
    if gains:
        unit.edits.replace(node.params, lambda rewrite: _parameters(unit, function, planned, rewrite))
    if is_forward:
        name = unit.facts.target.forward_name
        unit.edits.replace(node.name, lambda rewrite: cst.Name(name))


def _parameters(unit: Unit, function: Function, planned: FunctionPlan, rewrite: Rewriter) -> cst.CSTNode:
    rewritten = rewrite.inside(function.node.params)
    assert isinstance(rewritten, cst.Parameters)
    params: list[cst.Param] = []
    for position, param in enumerate(rewritten.params):
        params.append(with_fields(param, comma=cst.MaybeSentinel.DEFAULT))
        if planned.state and position == (1 if len(rewritten.params) > 1 else 0):
            params.append(cst.Param(cst.Name(planned.state_parameter)))
        params += _companions(planned, param)
    params = _defaults_last(params)
    kwonly: list[cst.Param] = []
    for param in rewritten.kwonly_params:
        kwonly += [param.with_changes(comma=cst.MaybeSentinel.DEFAULT), *_companions(planned, param)]
    if planned.key is Draw.OPTIONAL:
        kwonly.append(cst.Param(cst.Name(planned.key_parameter), default=cst.Name("None"), equal=_EQUAL))
    elif planned.key is Draw.REQUIRED:
        kwonly.append(cst.Param(cst.Name(planned.key_parameter)))
    star = rewritten.star_arg
    if kwonly and not isinstance(star, (cst.Param, cst.ParamStar)):
        star = cst.ParamStar()
    if isinstance(star, cst.Param):
        star = star.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    original = function.node.params
    last = [*original.params, *original.kwonly_params][-1:]
    changed = with_fields(rewritten, params=params, kwonly_params=kwonly, star_arg=star)
    return _keep_line_breaks(original, changed) if last else changed


def _companions(planned: FunctionPlan, param: cst.Param) -> Iterator[cst.Param]:
    """The parameters with what is kept beside a model or an optimizer."""
    default = cst.Name("None") if param.default is not None else None
    for name in planned.companions.get(param.name.value, ()):
        yield cst.Param(cst.Name(name), default=default, equal=_EQUAL if default else cst.MaybeSentinel.DEFAULT)


def _defaults_last(params: list[cst.Param]) -> list[cst.Param]:
    """A parameter without default may not follow one with: give it a default of None then."""
    seen = False
    result = []
    for param in params:
        if param.default is not None:
            seen = True
        elif seen:
            param = param.with_changes(default=cst.Name("None"), equal=_EQUAL)
        result.append(param)
    return result


def _keep_line_breaks(original: cst.Parameters, changed: cst.Parameters) -> cst.Parameters:
    """Where the parameters stood on lines of their own, the new ones do too."""
    every = [*original.params, *original.kwonly_params]
    breaks = [
        param.comma.whitespace_after
        for param in every
        if isinstance(param.comma, cst.Comma) and isinstance(param.comma.whitespace_after, cst.ParenthesizedWhitespace)
    ]
    if not breaks:
        return changed
    inner = cst.Comma(whitespace_after=breaks[0])
    final = (
        cst.Comma(whitespace_after=breaks[-1]) if isinstance(every[-1].comma, cst.Comma) else cst.MaybeSentinel.DEFAULT
    )
    params = [param.with_changes(comma=inner) for param in changed.params]
    kwonly = [param.with_changes(comma=inner) for param in changed.kwonly_params]
    star = changed.star_arg
    if isinstance(star, cst.ParamStar):
        star = cst.ParamStar(comma=inner)
    if kwonly:
        kwonly[-1] = kwonly[-1].with_changes(comma=final)
    elif params and not isinstance(star, cst.Param) and changed.star_kwarg is None:
        params[-1] = params[-1].with_changes(comma=final)
    return changed.with_changes(params=params, kwonly_params=kwonly, star_arg=star)


# returns


def _behind(unit: Unit, function: Function, planned: FunctionPlan) -> list[str]:
    if planned.gives_state and function.name != "__init__":
        return [planned.state_name]
    if planned.behind:
        return planned.behind
    if unit.facts.effects.of(function).seeds and function.name != "__init__":
        return [planned.key_name]
    return []


def _behind_return(planned: FunctionPlan, value: cst.BaseExpression | None, behind: list[str]) -> list[str]:
    """What a function gives back behind its result: the states of the very models that it returns, none where it gives nothing."""
    if value is not None:
        states = planned.behind_returns.get(value, [])
    else:
        states = ["None" for _ in next(iter(planned.behind_returns.values()), [])]
    return [*states, *behind[len(states) :]]


def _with_state(unit: Unit, place: str, state: str, rewrite: Rewriter) -> list[cst.BaseStatement]:
    """`model, state = eqx.nn.make_with_state(lambda: model)()` in front of the line that returns both."""
    make = unit.facts.target.make_stateful
    assert make is not None
    return [quote_statement(f"{place}, {state} = {unit.spell(make.format(cls=f'lambda: {place}'))}()")]


def _returns(unit: Unit, function: Function, planned: FunctionPlan) -> None:
    behind = _behind(unit, function, planned)
    before = [] if planned.returns_changed else planned.extras
    if (not before and not behind) or function.name == "__init__":
        return
    if any(isinstance(node, (cst.Yield,)) for node in own_nodes(function.node)):
        unit.problem(function.node, "T2J302", name=(before + behind)[0], operation=function.name)
        return
    _annotate_result(unit, function, planned, before, behind)
    for node in own_nodes(function.node):
        if isinstance(node, cst.Return) and node not in unit.edits.nodes:
            given = _behind_return(planned, node.value, behind)
            if _already_complete(unit, node, before, given):
                continue
            unit.edits.replace(node, partial(_return, unit, node, before, given, planned))
            for late in planned.made_at_returns.get(node.value, ()) if node.value is not None else ():
                unit.edits.before(unit.facts.program.index.statement_of(node), partial(_with_state, unit, *late))
    last = function.node.body.body[-1]
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else None
    if not isinstance(small, (cst.Return, cst.Raise)) and isinstance(function.node.body, cst.IndentedBlock):
        if not _always_returns(last):
            result = ["None"] if planned.has_result else []
            text = ", ".join([*before, *result, *_behind_return(planned, None, behind)])
            left = unit.edits.moved.get(last)
            if left is None:
                unit.edits.after(last, lambda rewrite: [quote_statement(f"return {text}")])
            else:  # the last statement of a step: it goes, the place behind it stays
                unit.edits.moved[last] = lambda rewrite: [*left(rewrite), quote_statement(f"return {text}")]


def _annotate_result(
    unit: Unit, function: Function, planned: FunctionPlan, before: list[str], behind: list[str]
) -> None:
    """Say in the annotation of a result what comes beside it; without the type of one of these there is no annotation."""
    returns = function.node.returns
    if returns is None:
        return
    types = _types_of_results(unit, function, planned)
    own = [returns.annotation] if planned.has_result and planned.returned is None else []
    found = [*map(types.get, before), *own, *map(types.get, behind)]
    known = [item for item in found if item is not None]
    if len(known) < len(found):
        unit.edits.drop(returns)
        return

    def build(rewrite: Rewriter) -> cst.CSTNode:
        items = [rewrite.expression(item) for item in known]
        if len(items) == 1:
            return returns.with_changes(annotation=items[0])
        elements = [cst.SubscriptElement(cst.Index(item)) for item in items]
        return returns.with_changes(annotation=cst.Subscript(cst.Name("tuple"), elements))

    unit.edits.replace(returns, build)


def _types_of_results(unit: Unit, function: Function, planned: FunctionPlan) -> dict[str, cst.BaseExpression]:
    """The annotations of what a function may return besides its result: its parameters, and what they gain."""
    target, found = unit.facts.target, dict[str, cst.BaseExpression]()
    gained = {Kind.MODULE: target.state_type, Kind.OPTIMIZER: target.optimizer_state_type}
    for param in function.parameters:
        if param.annotation is not None:
            found[param.name.value] = param.annotation.annotation
        spelled = gained.get(unit.facts.values(param.name).kind)
        if spelled is not None:
            for name in planned.companions.get(param.name.value, ()):
                found[name] = cst.parse_expression(unit.spell(spelled))
    if target.state_type is not None:
        found[planned.state_name] = cst.parse_expression(unit.spell(target.state_type))
    return found


def _always_returns(statement: cst.CSTNode) -> bool:
    """Whether control cannot leave a statement at its end."""
    match statement:
        case cst.SimpleStatementLine():
            return any(isinstance(small, (cst.Return, cst.Raise)) for small in statement.body)
        case cst.If():
            other = statement.orelse
            if other is None:
                return False
            tail = _always_returns(other) if isinstance(other, cst.If) else _always_returns(other.body.body[-1])
            return _always_returns(statement.body.body[-1]) and tail
        case cst.With():
            return _always_returns(statement.body.body[-1])
    return False


def _already_complete(unit: Unit, node: cst.Return, before: list[str], behind: list[str]) -> bool:
    """`return self.layer(x)` where the call gives exactly what is to be returned."""
    planned = unit.plan.calls.get(node.value) if isinstance(node.value, cst.Call) else None
    return planned is not None and planned.before == before and planned.behind == behind and planned.has_result


def _return(
    unit: Unit, node: cst.Return, before: list[str], behind: list[str], planned: FunctionPlan, rewrite: Rewriter
) -> cst.CSTNode:
    values: list[cst.BaseExpression] = [cst.parse_expression(name) for name in before]
    if planned.returned is not None:
        pass  # one of those before
    elif node.value is not None:
        value = rewrite.expression(node.value)
        if node in unit.constants:
            value = quote(unit.constants[node], x=value)
        values.append(parenthesized(value) if isinstance(value, cst.Tuple) else value)
    elif planned.has_result:
        values.append(cst.Name("None"))
    values.extend(cst.parse_expression(name) for name in behind)
    space = cst.SimpleWhitespace(" ")
    if len(values) == 1:
        return node.with_changes(value=values[0], whitespace_after_return=space)
    bare = cst.Tuple([cst.Element(value) for value in values], lpar=(), rpar=())
    return node.with_changes(value=bare, whitespace_after_return=space)


# results of calls


def _outermost(unit: Unit, call: cst.Call) -> cst.CSTNode:
    """The call with the wrappers around it that pass tuples through: `Net().to(device).eval()`."""
    parents = unit.facts.program.index.parents
    node: cst.CSTNode = call
    while True:
        attribute = parents.get(node)
        outer = parents.get(attribute) if attribute is not None else None
        if isinstance(attribute, cst.Attribute) and attribute.attr.value in WRAPPING and isinstance(outer, cst.Call):
            node = outer
            continue
        return node


def _results(unit: Unit, call: cst.Call, planned: CallPlan) -> None:
    index = unit.facts.program.index
    node = _outermost(unit, call)
    parent = index.parents.get(node)
    line = index.statement_of(call)
    if _is_differentiated(unit, node) and not (planned.before or planned.parts):
        _beside_gradient(unit, index.parents[index.parents[index.parents[node]]], planned.behind)
        return
    alone = len(planned.before) == 1 and not planned.behind and not planned.has_result
    if planned.parts and alone and isinstance(parent, cst.Expr) and parent.value is call:
        _exchanged(unit, parent, call, *planned.parts[planned.before[0]])
        return
    own = _module_being_made(unit, call)
    if alone and planned.before == [own] and isinstance(parent, cst.Expr) and parent.value is call:
        kept = lambda rewrite: cst.Expr(unit.quote(_KEPT, own=str(own), new=rewrite.expression(call)))  # noqa: E731
        unit.edits.replace(parent, kept)
        return
    parts = [*_named_parts(unit, call, planned), *_named_whole(unit, call, planned, own), *_taken(unit, call)]
    writes = unit.facts.effects.module_state.writes
    if (
        isinstance(parent, cst.Assign)
        and len(parent.targets) == 1
        and any(item in writes for item in descendants(parent.targets[0]))
    ):
        _hoisted(unit, call, node, planned, parts)  # the statement becomes another one
    elif isinstance(parent, cst.Assign) and len(parent.targets) == 1 and parent.value is node:
        _follow(unit.edits.after, line, parts)
        if planned.same and node is call:
            _assigned_too(unit, parent, planned.before[0])
        elif planned.returned_at is not None:
            _assigned_one(unit, parent, planned, planned.returned_at)
        else:
            _assigned(unit, parent, planned)
    elif isinstance(parent, cst.Expr) and not planned.first_of_pair:
        _follow(unit.edits.after, line, parts)
        _discarded(unit, parent, node, planned)
    elif (isinstance(parent, cst.Return) and _returns_same(unit, parent, planned)) or planned.first_of_pair:
        return
    else:
        _hoisted(unit, call, node, planned, parts)


def _is_differentiated(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a call is all that a differentiated lambda computes: `y, y_vjp = jax.vjp(lambda x: net(x), x)`."""
    parents = unit.facts.program.index.parents
    made = parents.get(node)
    outer = parents[parents[made]] if isinstance(made, cst.Lambda) else None
    return outer is not None and is_differentiated_lambda(outer) and isinstance(parents[outer], cst.Assign)


def _beside_gradient(unit: Unit, outer: cst.CSTNode, behind: Sequence[str]) -> None:
    """`y, y_vjp = jax.vjp(f, x)` -> `y, y_vjp, state = jax.vjp(f, x, has_aux=True)`."""
    (own,) = behind
    assign = unit.facts.program.index.parents[outer]

    def build(rewrite: Rewriter) -> cst.CSTNode:
        made = rewrite.inside(assign)
        assert isinstance(made, cst.Assign) and isinstance(made.value, cst.Call)
        target = made.targets[0].target
        assert isinstance(target, cst.Tuple)
        flag = cst.Arg(cst.Name("True"), keyword=cst.Name("has_aux"), equal=_EQUAL)
        names = target.with_changes(elements=[*target.elements, cst.Element(cst.parse_expression(own))])
        value = made.value.with_changes(args=[*made.value.args, flag])
        return made.with_changes(targets=[cst.AssignTarget(names)], value=value)

    unit.edits.replace(assign, build)


def _exchanged(unit: Unit, node: cst.Expr, call: cst.Call, holder: str, path: str) -> None:
    """`f(model.head)` -> `model = eqx.tree_at(lambda m: m.head, model, f(model.head))`."""
    target = cst.AssignTarget(cst.parse_expression(holder))  # type: ignore[arg-type]
    unit.edits.replace(
        node, lambda rewrite: cst.Assign([target], _with_changed(unit, call, holder, path, rewrite.expression(call)))
    )


def _with_changed(unit: Unit, call: cst.Call, holder: str, path: str, value: cst.BaseExpression) -> cst.BaseExpression:
    """A module with the part that a call has changed."""
    new = with_part(unit, holder, path, value)
    if not exchanges_parts(unit, call, holder):
        return new
    return unit.quote(FROZEN_AS_BEFORE, new=new, m=cst.parse_expression(holder))


def _named_parts(unit: Unit, call: cst.Call, planned: CallPlan) -> list[cst.BaseStatement]:
    """Give the parts of modules that a call changes names of their own; the statements that then exchange them."""
    if not planned.parts:
        return []
    fresh = _free_names(unit, call)
    made: list[cst.BaseStatement] = []
    for text, (holder, path) in planned.parts.items():
        name = fresh((re.findall(r"[a-zA-Z_]\w*", path) or ["part"])[-1])
        planned.before = [name if item == text else item for item in planned.before]
        made.append(
            quote_statement("{m} = {new}", m=holder, new=_with_changed(unit, call, holder, path, cst.Name(name)))
        )
    return made


def _free_names(unit: Unit, call: cst.Call) -> FreshNames:
    """Names that are free where a call stands."""
    index = unit.facts.program.index
    return FreshNames(
        node.value
        for node in descendants(index.function_of(call) or index.module)
        if isinstance(node, cst.Name) and getattr(index.parents.get(node), "attr", None) is not node
    )


def _module_being_made(unit: Unit, call: cst.Call) -> str | None:
    """What a function that makes a module calls it; it fills its fields, and cannot exchange it for another module."""
    function = unit.facts.program.function_around(call)
    is_making = unit.facts.target.immutable and runs_only_at_init(unit.facts.program, function)
    return function.self_name if is_making and function is not None else None


def _named_whole(unit: Unit, call: cst.Call, planned: CallPlan, own: str | None) -> list[cst.BaseStatement]:
    """Give a module that is being made, and that a call changes, a name of its own; the statement that keeps what it holds."""
    if own is None or own not in planned.before:
        return []
    name = _free_names(unit, call)("changed")
    planned.before = [name if item == own else item for item in planned.before]
    return [unit.statement(_KEPT, own=own, new=name)]


def _taken(unit: Unit, call: cst.Call) -> list[cst.BaseStatement]:
    """The statement by which a module takes what a call has made of its parameters from its state."""
    place, state = unit.plan.written.get(call, ("", ""))
    return [take_written(unit, place, state)] if place else []


def take_written(unit: Unit, model: str, state: str) -> cst.BaseStatement:
    """`model, state = take_written(model, state)`."""
    return quote_statement(unit.spell(f"{model}, {state} = take_written({model}, {state})"))


def _follow(
    edit: Callable[[cst.CSTNode, BuildStatements], None], line: cst.BaseStatement, made: Sequence[cst.BaseStatement]
) -> None:
    if made:
        edit(line, always_statements(made))


def with_part(
    unit: Unit, holder: str | cst.BaseExpression, path: str, value: cst.BaseExpression, may_lack: bool = False
) -> cst.BaseExpression:
    """`eqx.tree_at(lambda m: m.head, model, value)`: a module with another part, for targets whose modules cannot change;
    `may_lack`: what is there now may be None.
    """
    template = unit.facts.target.restored if may_lack else unit.facts.target.replaced
    assert template is not None
    where = cst.parse_expression(f"lambda m: m{path}")
    return quote(template, model=holder, where=where, value=value)


def _returns_same(unit: Unit, node: cst.Return, planned: CallPlan) -> bool:
    function = unit.facts.program.function_around(node)
    if function is None or node.value is None:
        return False
    own = unit.plan.of(function)
    is_same = planned.same == own.returns_changed and (planned.returned_at is None) == (own.returned is None)
    behind = _behind_return(own, node.value, _behind(unit, function, own))
    return is_same and own.extras == planned.before and behind == planned.behind


def _assigned(unit: Unit, node: cst.Assign, planned: CallPlan) -> None:
    target = node.targets[0]

    def build(rewrite: Rewriter) -> cst.CSTNode:
        rewritten = rewrite.inside(node)
        assert isinstance(rewritten, cst.Assign)
        own = rewritten.targets[0].target
        behind = ["_"] if planned.first_of_pair else planned.behind
        combined = _targets(planned.before, own if planned.has_result or planned.first_of_pair else None, behind)
        return rewritten.with_changes(targets=[target.with_changes(target=combined)])

    unit.edits.replace(node, build)


def _assigned_too(unit: Unit, node: cst.Assign, place: str) -> None:
    """`copy = changed(model)`, which gives back what it was given: `copy = model = changed(model)`."""
    if code(node.targets[0].target) != place:
        target = cst.AssignTarget(cst.parse_expression(place))  # type: ignore[arg-type]
        unit.edits.replace(node, partial(_with_target, node, target))


def _assigned_one(unit: Unit, node: cst.Assign, planned: CallPlan, position: int) -> None:
    """`model = train(model, optimizer)`, where one of what the call gives back is its own result."""
    target, before = code(node.targets[0].target), list(planned.before)
    if before[position] not in ("_", target):
        line = unit.facts.program.index.statement_of(node)
        unit.edits.after(line, always_statements([quote_statement(f"{target} = {before[position]}")]))
    else:
        before[position] = target
    combined = cst.AssignTarget(_targets(before, None, planned.behind))  # type: ignore[arg-type]
    unit.edits.replace(node, partial(_with_targets, node, [combined]))


def _with_targets(node: cst.Assign, targets: Sequence[cst.AssignTarget], rewrite: Rewriter) -> cst.CSTNode:
    rewritten = rewrite.inside(node)
    assert isinstance(rewritten, cst.Assign)
    return rewritten.with_changes(targets=targets)


def _with_target(node: cst.Assign, target: cst.AssignTarget, rewrite: Rewriter) -> cst.CSTNode:
    rewritten = rewrite.inside(node)
    assert isinstance(rewritten, cst.Assign)
    return rewritten.with_changes(targets=[*rewritten.targets, target])


def _targets(before: Sequence[str], own: cst.BaseExpression | None, behind: Sequence[str]) -> cst.BaseExpression:
    nodes = [cst.parse_expression(name) for name in before]
    if own is not None:
        nodes.append(parenthesized(own) if isinstance(own, cst.Tuple) else own)
    nodes.extend(cst.parse_expression(name) for name in behind)
    if len(nodes) == 1:
        return nodes[0]
    return cst.Tuple([cst.Element(item) for item in nodes], lpar=(), rpar=())


def _discarded(unit: Unit, node: cst.Expr, call: cst.CSTNode, planned: CallPlan) -> None:
    own = cst.Name("_") if planned.has_result else None
    target = _targets(planned.before, own, planned.behind)
    unit.edits.replace(
        node,
        lambda rewrite: cst.Assign([cst.AssignTarget(target)], rewrite.expression(call)),  # type: ignore[arg-type]
    )


def _hoisted(
    unit: Unit, call: cst.Call, node: cst.CSTNode, planned: CallPlan, behind: Sequence[cst.BaseStatement]
) -> None:
    """A call inside a larger expression is evaluated in a statement before it."""
    index = unit.facts.program.index
    statement = index.statement_of(call)
    for ancestor in index.ancestors(node):
        if ancestor is statement:
            break
        if isinstance(
            ancestor,
            (cst.Lambda, cst.IfExp, cst.BooleanOperation, cst.ListComp, cst.GeneratorExp, cst.DictComp, cst.SetComp),
        ):
            unit.problem(call, "T2J302", name=code(call.func), operation=code(call))
            return
    in_test = isinstance(statement, cst.While) or (
        isinstance(statement, cst.If) and isinstance(index.parents.get(statement), cst.If)
    )
    if in_test:
        unit.problem(call, "T2J302", name=code(call.func), operation=code(call))
        return
    changed = {re.split(r"\W", place)[0] for place in (*planned.before, *planned.parts)} - {"_"}
    for item in _evaluated_before(unit, statement, call):
        if (isinstance(item, cst.Name) and item.value in changed) or _reads_state(unit, item, planned.behind):
            unit.problem(call, "T2J302", name=code(item), operation=code(call))
            return
    name = _result_name(unit, planned, statement, call)
    if isinstance(statement, (cst.SimpleStatementLine, cst.If, cst.For, cst.With)):
        unit.hoists.append((node, name))
        own = cst.Name(name) if planned.has_result else None
        target = _targets(planned.before, own, planned.behind)
        unit.edits.before(
            statement,
            lambda rewrite: [
                cst.SimpleStatementLine(
                    [cst.Assign([cst.AssignTarget(target)], held_together(unit.hoisted[node](rewrite)))]  # type: ignore[arg-type]
                )
            ],
        )
        _follow(unit.edits.before, statement, behind)


def _evaluated_before(
    unit: Unit, statement: cst.BaseStatement, call: cst.Call
) -> Iterator[cst.Name | cst.Attribute | cst.Call]:
    """The variables, fields and calls that a statement evaluates before a call in it happens, and that stay in that statement."""
    hoisted = {node for node, _ in unit.hoists}
    around = set(unit.facts.program.index.ancestors(call))
    waiting: list[cst.CSTNode] = [statement]
    while waiting:
        node = waiting.pop()
        if node is call:
            return
        if node in hoisted or isinstance(node, cst.AssignTarget):
            continue
        is_label = isinstance(node, cst.Name) and getattr(unit.facts.program.index.parents[node], "attr", None) is node
        if isinstance(node, (cst.Name, cst.Attribute, cst.Call)) and node not in around and not is_label:
            yield node
        waiting += reversed(children(node))


def _reads_state(unit: Unit, node: cst.Name | cst.Attribute | cst.Call, states: Sequence[str]) -> bool:
    """Whether a number is computed from one of some states; of a tensor that is only handed on torch, too, shows what it becomes."""
    if isinstance(node, cst.Call):
        planned = unit.plan.calls.get(node)
        return planned is not None and any(item.value in states for item in planned.arguments)
    parent = unit.facts.program.index.parents[node]
    if not isinstance(node, cst.Attribute) or isinstance(parent, (cst.Element, cst.Return)):
        return False
    if node not in unit.facts.effects.module_state.reads and node.attr.value not in LAYER_FIELDS:
        return False
    place = module_place(unit.facts.program, unit.facts.values, node.value)
    function = unit.facts.program.function_around(node)
    return place is not None and companion_place(unit, function, place, "state") in states


def _result_name(unit: Unit, planned: CallPlan, statement: cst.BaseStatement, call: cst.Call) -> str:
    """The variable that holds the result of a call that is hoisted."""
    if planned.same:
        return planned.before[0]
    position = planned.returned_at
    if position is not None and planned.before[position] != "_":
        return planned.before[position]
    if position is None and not planned.has_result:
        return "None"
    name = _temporary(unit, statement, call)
    if position is not None:
        planned.before[position] = name
    return name


def finish_hoists(unit: Unit) -> None:
    """Where a call was hoisted its name stands now; what stood there is built in the statement before."""
    for node, name in unit.hoists:
        build = unit.edits.nodes.pop(node, None)
        unit.hoisted[node] = partial(_hoisted_value, node, build)
        text = unit.inlined.get(node, name)
        unit.edits.replace(node, always(quote(text)))


def _hoisted_value(node: cst.CSTNode, build: Build | None, rewrite: Rewriter) -> cst.BaseExpression:
    value = build(rewrite) if build is not None else rewrite.inside(node)
    assert isinstance(value, cst.BaseExpression)
    return value


def _temporary(unit: Unit, statement: cst.BaseStatement, call: cst.Call) -> str:
    """A name for an intermediate result: that of the statement's own target where nothing else reads it there."""
    is_module = unit.facts.values(call).kind is Kind.MODULE
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        small = statement.body[0]
        if isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.targets[0].target, cst.Name):
            wish = small.targets[0].target.value
            reads = reads_and_writes(cst.Expr(_without(small.value, call)))[0]
            reduced = unit.facts.values(small.value).rank == 0 and unit.facts.values(call).rank != 0
            becomes_other = is_module and unit.facts.values(small.value).kind is not Kind.MODULE
            others = [node for node, name in unit.hoists if name == wish]
            is_taken = any(unit.facts.program.index.statement_of(node) is statement for node in others)
            if wish not in reads and not reduced and not becomes_other and not is_taken:
                return wish
        if isinstance(small, cst.Return) and small.value is not None and call.args:
            first = call.args[0].value
            if _is_own_tensor(unit, first):
                reads = reads_and_writes(cst.Expr(_without(small.value, call)))[0]
                if code(first) not in reads:
                    return code(first)
    function = unit.facts.program.index.function_of(statement)
    taken = unit.temporaries.setdefault(function, set(names_in(function or unit.facts.program.index.module)))
    usual = "module" if is_module else "out"
    name = next(wish for wish in (usual, *(f"{usual}_{number}" for number in range(1, 1000))) if wish not in taken)
    taken.add(name)
    return name


def _is_own_tensor(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether an expression is a variable of the function that it stands in, with a tensor."""
    function = unit.facts.program.function_running(node)
    is_tensor = isinstance(node, cst.Name) and unit.facts.values(node).kind is Kind.TENSOR
    return is_tensor and function is not None and is_bound(unit.facts.flows, function, code(node))


def _without(node: cst.BaseExpression, call: cst.Call) -> cst.BaseExpression:
    if node is call:
        return cst.Name("_")
    replaced = node.deep_replace(call, cst.Name("_"))
    assert isinstance(replaced, cst.BaseExpression)
    return replaced

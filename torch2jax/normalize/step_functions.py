"""Functions that hold a part of a training step, normalized to their statements where they are called.

loss = self.compute_loss(batch)         ->    x, y = batch
loss.backward()                               loss = F.cross_entropy(self.model(x), y)
update(self.optimizer)                        loss.backward()
                                              self.optimizer.step()

The gradient is taken of one function: what lies in methods of an object that is no tree of arrays, in functions that read the
trained module from around them, and behind a loss that is handed to a function with `backward()` in it, has to stand in sight. A
function that leaves gradients to its caller, and one that uses them for it, stand there, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.facts.captures import hidden_module, reached
from torch2jax.facts.contexts import turns_off
from torch2jax.facts.gradient_accumulation import Gradients
from torch2jax.facts.steps import find_steps
from torch2jax.facts.training import NO_MODULE, Step
from torch2jax.normalize.evaluation_order import evaluated_before, give_name
from torch2jax.normalize.one_ending import with_one_ending
from torch2jax.normalize.rounds import Node, NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, dotted, place_of
from torch2jax.program.statements import suite_body
from torch2jax.records import dataclass
from torch2jax.syntax.edits import always, always_statements, is_docstring
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in, quote_statement, quote_statements
from torch2jax.syntax.walk import bound_names, descendants, own_nodes
from torch2jax.values import Kind

_OF_TORCH = (Kind.TENSOR, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.TORCH)
_STAYING = (cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.FunctionDef, cst.ClassDef, cst.Lambda)


def normalize_step_functions(work: NormalizationRound) -> None:
    """Normalize one call of each function around that holds a part of a step."""
    if not work.program.mentions("backward"):
        return
    assert work.flows is not None
    changed: set[Function | None] = set()
    for step in find_steps(work.program, work.values, work.flows):
        if not step.is_refused and not _is_given_loss(step):
            continue
        for call, function in _parts(work, step):
            around = work.program.function_around(call)
            if around in changed or function is around:
                continue
            is_own = (
                _is_method_of_self(call, function, step.function) and work.values(call.func).kind is not Kind.MODULE
            )
            if is_own and is_row(function) and not function.is_static and _name_differentiated(work, call):
                changed.add(around)
            elif function.is_static and _is_method_of_self(call, function, step.function):
                _name_class(work, call, function, around)
            elif write_out(work, call, function, _with_one_ending(work, call, function)):
                changed.add(around)
                drop_unused(work, function, call)


def _with_one_ending(work: NormalizationRound, call: cst.Call, function: Function) -> cst.FunctionDef | None:
    """A function that returns in several branches, or runs under `@torch.no_grad()`, as one that returns at its end only; None
    where it need not be, or cannot.
    """
    returns = [node for node in own_nodes(function.node) if isinstance(node, cst.Return)]
    context = _context(work, function)
    if context is None and (len(returns) < 2 or is_row(function)):
        return None
    around = work.program.function_around(call)
    here = names_in(around.node) if around is not None else work.names_of_file()
    target = _only_target(work.index.statement_of(call), call)
    if target is None or target in names_in(function.node):
        target = FreshNames({*here, *names_in(function.node)})("result")
    return with_one_ending(function.node, target) if context is None else _in_block(function.node, context, target)


def _context(work: NormalizationRound, function: Function) -> cst.BaseExpression | None:
    """`torch.no_grad()` where it is the only decorator of a function."""
    if len(decorators := function.node.decorators) != 1:
        return None
    context = decorators[0].decorator
    if not turns_off(context, work.values):
        return None
    return context if isinstance(context, cst.Call) else cst.Call(context)


def _in_block(node: cst.FunctionDef, context: cst.BaseExpression, target: str) -> cst.FunctionDef | None:
    """A function without its decorator, its statements in a `with` block that leaves the result in `target`."""
    body = [item for item in suite_body(node) if not is_docstring(item)]
    gives = any(isinstance(item, cst.Return) and item.value is not None for item in own_nodes(node))
    ended = with_one_ending(node.with_changes(body=cst.IndentedBlock(body)), target) if gives else node
    if ended is None:
        return None
    body = list(suite_body(ended))
    last = [body.pop()] if gives else []
    block = cst.With([cst.WithItem(context.deep_clone())], cst.IndentedBlock(body))
    return ended.with_changes(decorators=(), body=cst.IndentedBlock([block, *last]))


def _only_target(line: cst.CSTNode, call: cst.Call) -> str | None:
    """`loss` in the line `loss = self.loss_of(x)` of a call."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)]
        ) if value is call:
            return name
    return None


def _name_differentiated(work: NormalizationRound, call: cst.Call) -> bool:
    """Give the lambda around a call a name, and lines, if it is what a gradient is taken of: `u, u_vjp = jax.vjp(lambda x: f(x), x)`."""
    line = work.index.statement_of(call)
    found = next((node for node in work.index.ancestors(call) if isinstance(node, cst.Lambda)), None)
    if found is None or line not in work.index.ancestors(found):
        return False
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Tuple(elements=[first, *_]))],
                    value=cst.Call(
                        func=cst.Attribute(value=cst.Name("jax"), attr=cst.Name("vjp")), args=[cst.Arg(value=given), *_]
                    ),
                )
            ]
        ) if given is found:
            names = [param.name.value for param in found.params.params]
            name = work.names_at(call)("_of_".join([str(dotted(first.value)), "_".join(names)]))
            text = f"def {name}({', '.join(names)}):\n    return {{value}}\n"
            work.edits.before(line, always_statements(quote_statements(text, value=work.copy(found.body))))
            work.edits.replace(found, always(cst.Name(name)))
            return True
    return False


def _name_class(work: NormalizationRound, call: cst.Call, function: Function, around: Function | None) -> None:
    """`Trainer.distance(x, y)` for `self.distance(x, y)` of a static method: it needs no object."""
    owner = function.owner
    assert owner is not None and isinstance(call.func, cst.Attribute)
    if not _runs_only(work, call, function) or owner.node not in work.program.classes or owner.outer is not None:
        return
    if around is not None and owner.name not in around.env and call.func not in work.edits.nodes:
        work.edits.replace(call.func.value, always(cst.Name(owner.name)))


def _parts(work: NormalizationRound, step: Step) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of functions whose statements the step needs in sight."""
    own = step.function
    if own is not None and _is_given_loss(step):
        yield from _callers(work, own)
    yield from _with_gradients(work, step)
    stepping = {item for update in step.updates for item in (*update.lines.values(), *update.clears.values())}
    for function in sorted((item for item in stepping if item is not None), key=lambda item: item.key):
        for call in function.callers if function is not own and not passes_back(work, function) else ():
            if isinstance(call, cst.Call) and call in work.index.parents and work.program.function_around(call) is own:
                yield call, function
    body = list(step.block.body)
    end = next(at for at, line in enumerate(body) if step.backward_statement in (line, *descendants(line)))
    own_lines = body[step.begin : end]
    before = [line for line in own_lines if not step.brought.isdisjoint(_assigned(line))]
    nodes = [node for part in (*before, *step.forward, step.loss) for node in descendants(part)]
    inner = []
    for node in nodes:
        if isinstance(node, cst.Call) and len(reached := work.values.callees.get(node, ())) == 1:
            (function,) = reached
            if _is_method_of_self(node, function, own) or hidden_module([node], step.models, work.values):
                inner.append((node, function))
    yield from inner
    if not inner and own is not None and not _is_given_loss(step) and _is_given_outputs(step):
        yield from _callers(work, own)


def _callers(work: NormalizationRound, function: Function) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of a function that stand in this file."""
    for call in function.callers:
        if isinstance(call, cst.Call) and call in work.index.parents:
            yield call, function


def _assigned(line: cst.CSTNode) -> set[str]:
    """The variables that a line of assignments binds."""
    return {name for node in descendants(line, cst.AssignTarget) for name in bound_names(node.target)}


def _is_given_loss(step: Step) -> bool:
    """Whether a function passes back through what it is given, and not through what it computes itself."""
    given = step.function.parameter_names if step.function is not None else ()
    return not step.models and not step.leaves and not names_in(step.loss).isdisjoint(given)


def _is_given_outputs(step: Step) -> bool:
    """Whether the loss is one of what a function is given, `loss = self.loss_fn(estimate, target)`, and no module is in sight."""
    given = step.function.parameter_names if step.function is not None else ()
    return step.problem == NO_MODULE and any(not names_in(line).isdisjoint(given) for line in step.forward)


def _with_gradients(work: NormalizationRound, step: Step) -> Iterator[tuple[cst.Call, Function]]:
    """The calls of the function that leaves the gradients of a step to others, and of those that use what it leaves."""
    own = step.function
    if own is None or step.step_statement is not None or step.leaves or not step.models:
        return
    around = [call for call in own.callers if isinstance(call, cst.Call) and call in work.index.parents]
    calls = [node for node in own_nodes(own.node) if isinstance(node, cst.Call)]
    using = [(call, function) for call in calls if (function := _user(work, call)) is not None]
    yield from using
    if not using and not _uses_gradients(work, own):
        if Gradients(work.program, work.values).are_used_behind(step.backward_statement, own):
            yield from ((call, own) for call in around)


def _user(work: NormalizationRound, call: cst.Call) -> Function | None:
    """The function that a call runs, if that uses or empties the gradients of an optimizer's parameters and takes none."""
    functions = work.values.callees.get(call, ())
    if len(functions) != 1:
        return None
    (function,) = functions
    return function if _uses_gradients(work, function) and not passes_back(work, function) else None


def _uses_gradients(work: NormalizationRound, function: Function) -> bool:
    """Whether a function, or one that it calls, uses or empties the gradients of an optimizer's parameters."""
    bodies = [function.node, *(item.node for item in reached([function.node.body], work.values))]
    for node in (node for body in bodies for node in descendants(body, cst.Call)):
        match node:
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("step" | "zero_grad"))):
                if work.values(owner).kind is Kind.OPTIMIZER:
                    return True
    return False


def passes_back(work: NormalizationRound, function: Function) -> bool:
    """Whether a function, or one that it calls, takes gradients."""
    bodies = [function.node, *(item.node for item in reached([function.node.body], work.values))]
    return any(node.attr.value == "backward" for body in bodies for node in descendants(body, cst.Attribute))


def _is_method_of_self(call: cst.Call, function: Function, own: Function | None) -> bool:
    owner = own.owner if own is not None else None
    if owner is None or owner.is_module or own is None or function.owner is None:
        return False
    return isinstance(call.func, cst.Attribute) and dotted(call.func.value) == own.self_name


def write_out(
    work: NormalizationRound, call: cst.Call, function: Function, definition: cst.FunctionDef | None = None
) -> bool:
    """Put the statements of a function in front of the line that calls it; False where they do not mean the same there.

    `definition` is what its own comes to for this call, of the same parameters.
    """
    node = definition if definition is not None else function.node
    line = work.index.statement_of(call)
    before = evaluated_before(work.index, call)
    if not isinstance(line, (cst.SimpleStatementLine, cst.If, cst.For)) or before is None:
        return False
    if not _runs_only(work, call, function):
        return False
    if not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)) or not is_row(function, definition):
        return False
    around = work.program.function_around(call)
    here = names_in(around.node) if around is not None else work.names_of_file()
    fresh = FreshNames(here)
    spread = _spread(call, function, fresh)
    plain, left, keywords = _without_rest(call if spread is None else spread.call, function)
    given = _arguments(work, plain, function)
    if given is None or not _means_the_same(work, function):
        return False
    if around is not None and set(free_variables(function.node)) & (set(around.env) | set(around.parameter_names)):
        return False
    over = _gone_through(function, given)
    if definition is not None:
        given = {name: item for name, item in given.items() if name in names_in(node.body)}
    names, first = _names(function, {name: item for name, item in given.items() if name not in over}, here, fresh)
    if spread is not None:
        first.insert(0, spread.line)
    if (others := function.double_star_name) is not None:
        names[others] = fresh(others) if others in here else others
        made = cst.Dict(
            [cst.DictElement(cst.SimpleString(f'"{name}"'), item.deep_clone()) for name, item in keywords.items()]
        )
        first.append(quote_statement(f"{names[others]} = {{made}}", made=made))
    rest = _named_rest(function, left, first, fresh)
    body = [item for item in suite_body(node) if not is_docstring(item)]
    last = body[-1] if body else None
    result: cst.BaseExpression | None = None
    if isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Return):
        result = last.body[-1].value
        body = body[:-1] if len(last.body) == 1 else [*body[:-1], last.with_changes(body=last.body[:-1])]
    loops = {names[name]: item for name, item in over.items()}
    statements = [*first, *(_going_through(rest.put(renamed(work, item, names)), loops) for item in body)]
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    is_statement = isinstance(small, cst.Expr) and small.value is call
    if is_statement:
        acts = result is not None and any(isinstance(node, cst.Call) for node in descendants(result))
        kept = (
            [cst.SimpleStatementLine([cst.Expr(rest.put(renamed(work, result, names)))])]
            if result is not None and acts
            else []
        )
        work.edits.rewrite_statement(line, always_statements([*statements, *kept]))
        return bool(statements or kept)
    if result is None:
        return False
    value = rest.put(renamed(work, result, names))
    is_named = definition is not None and isinstance(value, cst.Name) and _only_target(line, call) == value.value
    if is_named and statements:
        work.edits.before(line, always_statements(statements[:-1]))
        work.edits.rewrite_statement(line, always_statements(statements[-1:]))
        return True
    if not statements:  # it stands where the call does
        work.edits.replace(call, always(value))
        return True
    has_name = definition is not None and isinstance(value, cst.Name)
    if not has_name and not (isinstance(small, (cst.Assign, cst.Return)) and small.value is call):
        name = fresh("result")
        statements.append(quote_statement(f"{name} = {{value}}", value=value))
        value = cst.Name(name)
    needed = [item for item in map(_own_value, before) if _comes_first(item, body)]
    earlier = [item for item in needed if isinstance(item, cst.BaseExpression) and item not in work.edits.nodes]
    if len(earlier) < len(needed):
        return False
    for item in earlier:
        give_name(work, line, item, fresh("term"))
    work.edits.before(line, always_statements(statements))
    work.edits.replace(call, always(value))
    return True


def _runs_only(work: NormalizationRound, call: cst.Call, function: Function) -> bool:
    """Whether a call runs one function whatever its object is: no class that derives from that of the object has another one."""
    return work.effects is None or next(iter(work.effects.overriding(call, [function])), None) is None


def _own_value(node: cst.CSTNode) -> cst.CSTNode:
    """`f(x)` of `f(x).add` in `f(x).add(g(x))`: what is evaluated before `g(x)` and can have a name."""
    while isinstance(node, cst.Attribute) and any(isinstance(item, cst.Call) for item in descendants(node)):
        node = node.value
    return node


def _comes_first(node: cst.CSTNode, body: Sequence[cst.BaseStatement]) -> bool:
    """Whether an expression has to be evaluated before some statements: it calls something, or reads what they may change."""
    parts = [node, *descendants(node)]
    if any(isinstance(item, cst.Call) for item in parts):
        return True
    nodes = [item for statement in body for item in descendants(statement)]
    changes = any(
        isinstance(item, cst.Expr)
        or (isinstance(item, (cst.AssignTarget, cst.AugAssign)) and not isinstance(item.target, (cst.Name, cst.Tuple)))
        for item in nodes
    )
    return changes and any(isinstance(item, (cst.Attribute, cst.Subscript)) for item in parts)


def _means_the_same(work: NormalizationRound, function: Function) -> bool:
    """Whether the names that a function reads from around it stand for the same in this file."""
    if "super" in names_in(function.node):
        return False
    if function.node in work.program.functions:
        return True
    home, here = work.program.modules.get(place_of(function.key)), work.program.module_env
    names = free_variables(function.node) if home is not None else ()
    return home is not None and all(
        here.get(name) == home.module_env[name] for name in names if name in home.module_env
    )


def is_row(function: Function, definition: cst.FunctionDef | None = None) -> bool:
    """Whether a function, or what its definition comes to, is a row of statements that gives something back at its end only."""
    node = definition if definition is not None else function.node
    if node.decorators or node.asynchronous is not None:
        return False
    nodes = own_nodes(node)
    spread = [item.value for item in nodes if isinstance(item, cst.Arg) and item.star == "*"]
    rest = [item for item in nodes if isinstance(item, cst.Name) and item.value == function.star_name]
    if any(item not in spread for item in rest[1:]):
        return False  # more is done with the arguments that are left than to hand them on
    if any(isinstance(item, _STAYING) and item is not node for item in nodes):
        return False
    body = suite_body(node)
    last = body[-1].body[-1] if body and isinstance(body[-1], cst.SimpleStatementLine) else None
    return all(item is last for item in nodes if isinstance(item, cst.Return))


@dataclass(frozen=True, slots=True)
class _Spread:
    """A call with names for what `*batch` gives, and the line that binds them."""

    call: cst.Call
    line: cst.BaseStatement


def _spread(call: cst.Call, function: Function, fresh: FreshNames) -> _Spread | None:
    """`x, y = batch` for `f(*batch)` where all parameters that are left have to be given."""
    if not call.args or call.args[-1].star != "*" or any(item.star or item.keyword for item in call.args[:-1]):
        return None
    own = function.self_name is not None and isinstance(call.func, cst.Attribute)
    left = function.parameters[len(call.args) - 1 + own :]
    if not left or any(item.default is not None for item in left) or function.node.params.kwonly_params:
        return None
    names = [fresh(item.name.value) for item in left]
    plain = [*call.args[:-1], *(cst.Arg(cst.Name(name)) for name in names)]
    targets = ", ".join(names) + ("," if len(names) == 1 else "")
    line = quote_statement(f"{targets} = {{value}}", value=call.args[-1].value.deep_clone())
    return _Spread(call.with_changes(args=plain), line)


def _without_rest(call: cst.Call, function: Function) -> tuple[cst.Call, list[cst.Arg], dict[str, cst.BaseExpression]]:
    """A call without the arguments that `*args` and `**kwargs` take, and these; with them where they are not all in sight."""
    params = function.node.params
    own = function.self_name is not None and isinstance(call.func, cst.Attribute)
    number = len(params.posonly_params) + len(params.params) - own
    positional = [item for item in call.args if item.keyword is None]
    left = positional[number:] if function.star_name is not None else []
    if any(item.star for item in call.args):
        return call, [], {}
    named = [
        item for item in call.args if item.keyword is not None and item.keyword.value not in function.parameter_names
    ]
    named = named if function.double_star_name is not None else []
    kept = [item for item in call.args if item not in left and item not in named]
    return (
        call.with_changes(args=kept),
        left,
        {item.keyword.value: item.value for item in named if item.keyword is not None},
    )


@dataclass(frozen=True, slots=True)
class _Rest:
    """What stands in the place of `*args` where a function is written out."""

    name: str | None
    given: Sequence[cst.Arg]

    def put(self, node: Node) -> Node:
        return node.visit(_Spreading(self)) if self.name is not None else node  # type: ignore[return-value]


def _named_rest(
    function: Function, left: Sequence[cst.Arg], first: list[cst.BaseStatement], fresh: FreshNames
) -> _Rest:
    """The arguments that are left, each a constant or a name; a line in `first` gives one to what is more."""
    given = []
    for item in left:
        if dotted(item.value) is None and not isinstance(item.value, (cst.BaseNumber, cst.BaseString)):
            name = fresh(str(function.star_name).removesuffix("s"))
            first.append(quote_statement(f"{name} = {{value}}", value=item.value.deep_clone()))
            item = item.with_changes(value=cst.Name(name))
        given.append(item)
    return _Rest(function.star_name, given)


class _Spreading(cst.CSTTransformer):
    def __init__(self, rest: _Rest) -> None:
        super().__init__()
        self.rest = rest

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg | cst.FlattenSentinel[cst.Arg]:
        is_rest = original_node.star == "*" and dotted(original_node.value) == self.rest.name
        given = [cst.Arg(item.value.deep_clone()) for item in self.rest.given]
        return cst.FlattenSentinel(given) if is_rest else updated_node


def _arguments(work: NormalizationRound, call: cst.Call, function: Function) -> dict[str, cst.BaseExpression] | None:
    """What each parameter is given; None if that is not in sight."""
    if any(item.star for item in call.args):
        return None
    given = dict(arguments_by_parameter(function, call, work.values))
    if function.self_name is not None and function.self_name not in given:
        if not isinstance(call.func, cst.Attribute) or not isinstance(call.func.value, cst.Name):
            return None
        if work.values(call.func.value).kind is Kind.CLASS or work.values(call.func).kind is Kind.MODULE:
            return None
        given[function.self_name] = call.func.value
    for param in function.parameters:
        if param.name.value not in given:
            if param.default is None or not isinstance(
                param.default, (cst.Integer, cst.Float, cst.Name, cst.SimpleString)
            ):
                return None
            given[param.name.value] = param.default
    return given if set(given) == set(function.parameter_names) else None


def _names(
    function: Function, given: Mapping[str, cst.BaseExpression], here: frozenset[str] | set[str], fresh: FreshNames
) -> tuple[dict[str, str], list[cst.BaseStatement]]:
    """What the variables of a function are called where it is called, and the lines that give parameters their values."""
    bound = {
        name
        for node in own_nodes(function.node)
        if isinstance(
            node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.CompFor, cst.AsName)
        )
        for name in (names_in(node.name) if isinstance(node, cst.AsName) else bound_names(node.target))
    }
    names: dict[str, str] = {}
    first: list[cst.BaseStatement] = []
    for name in dict.fromkeys((*function.parameter_names, *sorted(set(function.env) & bound))):
        argument = given.get(name)
        if isinstance(argument, cst.Name) and name not in bound:
            names[name] = argument.value
            continue
        names[name] = fresh(name) if name in here else name
        if argument is not None:
            first.append(quote_statement(f"{names[name]} = {{value}}", value=argument.deep_clone()))
    return names, first


def _gone_through(function: Function, given: Mapping[str, cst.BaseExpression]) -> dict[str, cst.BaseExpression]:
    """Lists of variables and the parameters of modules that a function is given, and only goes through: the loop may name them."""
    found: dict[str, cst.BaseExpression] = {}
    for name, argument in given.items():
        reads = [node for node in descendants(function.node.body) if isinstance(node, cst.Name) and node.value == name]
        loops = [node for node in descendants(function.node.body) if isinstance(node, cst.For) and node.iter in reads]
        if len(reads) == len(loops) == 1 and is_listed(argument):
            found[name] = argument
    return found


def is_listed(node: cst.BaseExpression) -> bool:
    """`[w, b]`, `model.parameters()`, `model.named_parameters()`, and what joins such: `list(a.parameters()) + list(b.parameters())`"""
    match node:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return bool(elements) and all(dotted(item.value) is not None for item in elements)
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name("parameters" | "named_parameters")), args=[]):
            return dotted(owner) is not None
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner, star="", keyword=None)]):
            return is_listed(inner)
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return is_listed(left) and is_listed(right)
        case cst.Call(func=function, args=args) if dotted(function) == "itertools.chain":
            return bool(args) and all(not item.star and is_listed(item.value) for item in args)
    return False


class _GoingThrough(cst.CSTTransformer):
    def __init__(self, loops: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self.loops = loops

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:
        over = self.loops.get(dotted(original_node.iter) or "")
        return updated_node.with_changes(iter=over.deep_clone()) if over is not None else updated_node


def _going_through(node: Node, loops: Mapping[str, cst.BaseExpression]) -> Node:
    """A statement whose loops over some variables name what these hold."""
    return node.visit(_GoingThrough(loops)) if loops else node  # type: ignore[return-value]


class _Renaming(cst.CSTTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self.names = names

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:
        return updated_node.with_changes(value=self.names.get(original_node.value, original_node.value))

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr.deep_clone())

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        keyword = original_node.keyword
        return updated_node.with_changes(keyword=keyword.deep_clone() if keyword is not None else None)


def renamed(work: NormalizationRound, node: Node, names: Mapping[str, str]) -> Node:
    """A copy of a node with other names of variables."""
    made = node.deep_clone().visit(_Renaming(names))
    work.copies.update(zip(descendants(made), descendants(node), strict=True))  # type: ignore[arg-type]
    return made  # type: ignore[return-value]


def drop_unused(work: NormalizationRound, function: Function, *calls: cst.Call) -> None:
    """Take the definition of a function away that nothing but some calls refers to."""
    node, index = function.node, work.index
    if function.owner is not None:
        every = [item for item in index.attributes if item.attr.value == function.name]
        uses = [item for item in every if work.values(item.value).kind not in _OF_TORCH]
    else:
        uses = [item for item in index.names if item.value == function.name and item is not node.name]  # type: ignore[misc]
    own = set(descendants(node))
    uses = [item for item in uses if item not in own]
    block = index.parents.get(node)  # none for a function of another file
    if function.name in work.program.read_elsewhere:
        return
    if (
        uses
        and {*uses} <= {call.func for call in calls}
        and isinstance(block, (cst.IndentedBlock, cst.Module))
        and len(block.body) > 1
    ):
        work.edits.remove(node)


__all__ = ["drop_unused", "is_listed", "is_row", "normalize_step_functions", "passes_back", "renamed", "write_out"]

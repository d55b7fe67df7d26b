"""Functions that are returned by the one around them, and train what that one was given: they are given it at each call.

def make_step(model, optimizer):             def make_step(model, optimizer):
    def step(x):                                 def step(model, optimizer, x):
        loss = model(x).sum()                        loss = model(x).sum()
        ...                                ->        ...
    return step                                  return step

step = make_step(net, opt)                   step = make_step(net, opt)
step(x)                                      step(net, opt, x)

In torch all these names stand for the same objects. What the outer function makes itself, such as the optimizer, it returns
beside the inner one. The same holds of `step = partial(train_step, net, opt)`. Where the inner function goes on to other
functions, these are given the objects, too. It stays as it is where one of its calls is not in sight.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial

import libcst as cst

from torch2jax.facts.captures import reached, surroundings
from torch2jax.facts.kept_fields import field_of, stores_of
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.scopes import Scope, Variable
from torch2jax.records import dataclass
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, elements_of, own_nodes
from torch2jax.values import Kind, Partial, Value

_CHANGING = frozenset({"backward", "step", "train", "eval", "load_state_dict"})
_HELD = (Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER)
_LOOPS = (cst.For, cst.While)
Anchors = Sequence[cst.Name | cst.Attribute]
Names = Mapping[str, str]  # variables that an inner function sees, and their names where it is called


class _NotInSightError(Exception):
    """A way that a function takes is not followed."""


def normalize_outliving_steps(work: NormalizationRound) -> None:
    """Normalize all such functions of a file, one in each round."""
    is_value = work.effects is not None and work.effects.threads
    if not is_value or not work.program.mentions("backward"):
        return
    trained = surroundings(work.program, work.values).changed_modules
    for function in list(work.program.functions.values()):
        if function.outer is not None and function.owner is None and _normalize_returned(work, function, trained):
            return
    for call in work.index.calls:
        made = work.values(call).const
        if isinstance(made, Partial) and len(made.keys) == 1 and call not in work.values.partials:
            if _normalize_partial(work, call, *made.keys):
                return


# a function that is returned


def _normalize_returned(work: NormalizationRound, inner: Function, trained: frozenset[int]) -> bool:
    maker = inner.outer
    assert maker is not None
    helpers = list(_helpers(work, inner, maker))
    names = _held_from_around(work, inner, maker, trained) if not helpers else _free_held(helpers[0], maker)
    returned = _returned(work, inner, maker) if names else None
    if returned is None or not _can_gain(inner) or maker.seen_elsewhere or inner.seen_elsewhere:
        return False
    if {*names, *_free_held(inner, maker)}.isdisjoint({*maker.parameter_names, *returned.names}):
        return False  # nobody else has them
    if helpers:
        return _normalize_helper(work, helpers[0], maker)
    follower = _Follower(work, inner, names)
    made = [name for name in names if name not in maker.parameter_names and name not in returned.names]
    try:
        for call in _calls_of(work, maker):
            follower.follow_result(call, maker, returned, made)
    except _NotInSightError:
        return False
    follower.edit()
    if made:
        work.edits.replace(returned.value, partial(_with_more, returned.value, made))
    _give_parameters(work, inner, names)
    return True


def _helpers(work: NormalizationRound, inner: Function, maker: Function) -> Iterator[Function]:
    """Functions beside an inner one that it calls, and that read models or optimizers from around them."""
    beside = {item.name: item for item in work.program.functions.values() if item.outer is maker and item is not inner}
    seen, waiting = {inner}, [inner]
    while waiting:
        for name in free_variables(waiting.pop().node):
            other = beside.get(name)
            if other is not None and other not in seen:
                seen.add(other)
                waiting.append(other)
                if _free_held(other, maker):
                    yield other


def _free_held(inner: Function, maker: Function) -> list[str]:
    """The models, optimizers and schedulers of a function that an inner one reads, in their order there: parameters first."""
    free = free_variables(inner.node)
    order = [*maker.parameter_names, *(name for name in maker.env if name not in maker.parameter_names)]
    return [name for name in order if name in free and (value := maker.env.get(name)) is not None and _is_held(value)]


def _normalize_helper(work: NormalizationRound, helper: Function, maker: Function) -> bool:
    """Give a function beside an inner one what it reads from around, which has the same name wherever it is called."""
    names = _free_held(helper, maker)
    scopes = work.program.definitions.scopes
    if not _can_gain(helper) or not all(_is_settled(work, maker, name) for name in names):
        return False
    try:
        calls = _calls_of(work, helper)
    except _NotInSightError:
        return False
    for call in calls:
        if any(scopes.lookup(name, scopes.around(call)) != Variable(maker.node, name) for name in names):
            return False
    for call in calls:
        work.edits.replace(call, partial(_with_arguments, call, names, {}, {}))
    _give_parameters(work, helper, names)
    return True


def _held_from_around(work: NormalizationRound, inner: Function, maker: Function, trained: frozenset[int]) -> list[str]:
    """What an inner function reads from around and changes, or sees changing."""
    found = _free_held(inner, maker)
    acts = any(
        isinstance(node, cst.Attribute) and node.attr.value in _CHANGING
        for part in (inner.node, *(item.node for item in reached([inner.node.body], work.values)))
        for node in descendants(part)
    )
    sees = any((value := maker.env.get(name)) is not None and value.sites & trained for name in found)
    return found if (acts or sees) and all(_is_settled(work, maker, name) for name in found) else []


def _is_held(value: Value) -> bool:
    return value.kind in _HELD and not value.is_loss_module


def _is_settled(work: NormalizationRound, maker: Function, name: str) -> bool:
    """Whether a variable of a function is bound once, and nothing else in the function, other than by its own lines, has it."""
    definitions = work.program.definitions.every(Variable(maker.node, name))
    return len(definitions) == 1 and definitions[0].how in (How.PARAMETER, How.ASSIGNED)


@dataclass(frozen=True, slots=True)
class _Returned:
    """What a function returns, and which one of several results (None: the only one) the inner function is."""

    value: cst.BaseExpression
    position: int | None
    names: Mapping[str, int] = field(
        default_factory=dict
    )  # of variables that are returned beside it, and their positions


def _returned(work: NormalizationRound, inner: Function, maker: Function) -> _Returned | None:
    """Where a function returns an inner one, which it otherwise calls at most."""
    returns = [node for node in own_nodes(maker.node) if isinstance(node, cst.Return)]
    if (
        len(returns) != 1
        or returns[0].value is None
        or any(isinstance(item, cst.Yield) for item in own_nodes(maker.node))
    ):
        return None
    value = returns[0].value
    results = elements_of(value)
    uses = [
        node
        for node in descendants(maker.node.body)
        if isinstance(node, cst.Name) and node.value == inner.name
        if node is not inner.node.name and not work.index.is_label(node)
    ]
    if len(uses) != 1 or uses[0] not in results or len(work.program.definitions.every_of_name(uses[0])) != 1:
        return None
    if not isinstance(value, cst.Tuple):
        return _Returned(value, None)
    beside = {item.value: position for position, item in enumerate(results) if isinstance(item, cst.Name)}
    return _Returned(value, results.index(uses[0]), beside)


def _calls_of(work: NormalizationRound, function: Function) -> list[cst.Call]:
    """All calls of a function, which nothing does other than to call it."""
    found = []
    for use in work.index.names:
        if use.value != function.name or use is function.node.name or work.index.is_label(use):
            continue
        call = work.index.parents[use]
        if not isinstance(call, cst.Call) or call.func is not use:
            raise _NotInSightError
        if tuple(work.values.callees.get(call, ())) != (function,):
            raise _NotInSightError
        found.append(call)
    if len(found) != sum(isinstance(call, cst.Call) for call in function.callers) or function.owner is not None:
        raise _NotInSightError
    return found


def _can_gain(function: Function) -> bool:
    """Whether a function can get more parameters in front."""
    decorators = {name.removesuffix("()") for name in function.decorators}
    return not function.node.params.posonly_params and decorators <= {"torch.no_grad", "torch.enable_grad"}


# where it goes


@dataclass(slots=True)
class _Follower:
    """Follows an inner function to its calls: these, with what they are to be given, and the functions that it is passed to."""

    work: NormalizationRound
    inner: Function
    names: Sequence[str]
    calls: dict[cst.Call, list[str]] = field(default_factory=dict)
    passed: dict[cst.Arg, list[str]] = field(default_factory=dict)
    takers: dict[cst.Param, list[str]] = field(default_factory=dict)
    fresh: dict[cst.CSTNode, FreshNames] = field(default_factory=dict)
    by_keyword: frozenset[str] = frozenset()  # what is given by its name
    known: dict[cst.Param, list[str | None]] = field(default_factory=dict)
    targets: dict[cst.BaseExpression, list[str]] = field(default_factory=dict)

    def follow_result(self, call: cst.Call, maker: Function, returned: _Returned, made: Sequence[str]) -> None:
        """Follow what a call of the outer function gives."""
        work = self.work
        given = dict(arguments_by_parameter(maker, call, work.values))
        anchors = {name: self.place_of(call, given.get(name)) for name in self.names if name in maker.parameter_names}
        parent = work.index.parents[call]
        if isinstance(parent, cst.Arg) and not parent.star and len(anchors) == len(self.names):
            self.follow_argument(parent, [str(dotted(anchors[name])) for name in self.names])
            return
        target, line = self.target_of(call)
        whole = target
        if returned.position is not None:
            elements = self.elements_of(target)
            target = elements[returned.position]
            beside = {name: elements[at] for name, at in returned.names.items() if name in self.names}
            anchors |= {name: self.place_of(call, item) for name, item in beside.items() if name not in anchors}
        names = {name: str(dotted(item)) for name, item in anchors.items()}
        if made:
            fresh = self.fresh_at(call)
            names |= {name: fresh(name) for name in made}
            self.targets[whole] = [names[name] for name in made]
        self.follow_target(target, line, names, list(anchors.values()))

    def elements_of(self, target: cst.BaseExpression) -> list[cst.BaseExpression]:
        if not isinstance(target, cst.Tuple) or any(isinstance(item, cst.StarredElement) for item in target.elements):
            raise _NotInSightError
        return [item.value for item in target.elements]

    def fresh_at(self, node: cst.CSTNode) -> FreshNames:
        """Names that are free in the function around a node, those given away before it among the others."""
        around = self.work.index.function_of(node) or self.work.index.module
        return self.fresh.setdefault(around, self.work.names_at(node))

    def place_of(self, call: cst.Call, node: cst.BaseExpression | None) -> cst.Name | cst.Attribute:
        """What a call is given, or gives: a variable, or a field that only the constructor sets."""
        function = self.work.program.function_around(call)
        if isinstance(node, cst.Attribute) and function is not None and function.owner is not None:
            own, _, name = (dotted(node) or "").partition(".")
            if own == function.self_name and not function.owner.is_module and stores_of(function.owner, name):
                return node
        if not isinstance(node, cst.Name):
            raise _NotInSightError
        return node

    def target_of(self, call: cst.CSTNode) -> tuple[cst.BaseExpression, cst.BaseStatement]:
        """What an expression is assigned to, and nothing else."""
        parents = self.work.index.parents
        assign = parents[call]
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
            raise _NotInSightError
        return assign.targets[0].target, self.work.index.statement_of(call)

    def follow_target(
        self, target: cst.BaseExpression, line: cst.BaseStatement, names: Names, anchors: Anchors
    ) -> None:
        """Follow a variable that holds the inner function, where `anchors` are the names of what it was given."""
        if isinstance(target, cst.Attribute):
            self.follow_field(target, names, anchors)
            return
        definitions = self.work.program.definitions
        definition = definitions.bound_once(target) if isinstance(target, cst.Name) else None
        if definition is None or definition.how not in (How.ASSIGNED, How.PART):
            raise _NotInSightError
        made = set(names.values()) - {dotted(item) for item in anchors}
        for use in definitions.uses(definition):
            is_same = all(_means_the_same(self.work, anchor, use, line) for anchor in anchors)
            if not is_same or not _sees_all(self.work, definition, use, made):
                raise _NotInSightError
            self.follow(use, names, anchors)

    def follow_field(self, target: cst.Attribute, names: Names, anchors: Anchors) -> None:
        """Follow a field that the constructor of an object keeps the inner function in, beside what that is given."""
        work, name = self.work, target.attr.value
        init = work.program.function_around(target)
        owner = init.owner if init is not None and init.name == "__init__" else None
        if init is None or owner is None or dotted(target) != f"{init.self_name}.{name}" or not stores_of(owner, name):
            raise _NotInSightError
        if {dotted(item) for item in anchors} != set(names.values()):
            raise _NotInSightError
        kept = {own: self.field_with(init, owner, given) for own, given in names.items()}
        for use in work.index.attributes:
            if use.attr.value != name or use is target:
                continue
            function = work.program.function_around(use)
            is_own = function is not None and function.owner is not None and owner in function.owner.lineage
            if is_own and function is not None and dotted(use) == f"{function.self_name}.{name}":
                self.follow(use, {own: f"{function.self_name}.{field}" for own, field in kept.items()}, ())
            elif self.is_inner(use) or work.values(use.value).kind in (Kind.UNKNOWN, Kind.OBJECT):
                raise _NotInSightError

    def field_with(self, init: Function, owner: Class, given: str) -> str:
        """The field that holds what a constructor gives, a field itself or an argument."""
        own, _, name = given.partition(".")
        found = name if own == init.self_name else field_of(self.work.values, init, owner, given)
        if not found or "." in found:
            raise _NotInSightError
        return found

    def follow(self, use: cst.CSTNode, names: Names, anchors: Anchors) -> None:
        """Follow an expression that is the inner function."""
        parent = self.work.index.parents[use]
        given = [names[name] for name in self.names]
        if isinstance(parent, cst.Call) and parent.func is use:
            values = self.work.values
            if tuple(values.callees.get(parent, ()) or values.partials.get(parent, ())) != (self.inner,):
                raise _NotInSightError
            self.calls[parent] = given
        elif isinstance(parent, cst.Arg) and not parent.star:
            self.follow_argument(parent, given)
        elif isinstance(parent, cst.Assign) and parent.value is use and len(parent.targets) == 1:
            self.follow_target(parent.targets[0].target, self.work.index.statement_of(parent), names, anchors)
        else:
            raise _NotInSightError

    def follow_argument(self, argument: cst.Arg, given: Sequence[str]) -> None:
        """Follow an argument into the function that is called with it, which must be called with it everywhere."""
        call = self.work.index.parents[argument]
        callees = self.work.values.callees.get(call, ()) if isinstance(call, cst.Call) else ()
        if not isinstance(call, cst.Call) or len(callees) != 1 or any(item.star for item in call.args):
            raise _NotInSightError
        taker, pairs = callees[0], arguments_by_parameter(callees[0], call, self.work.values)
        name = next((name for name, node in pairs if node is argument.value), None)
        param = next((item for item in taker.parameters if item.name.value == name), None)
        if param is None or param.default is not None or taker.node.decorators or taker.seen_elsewhere:
            raise _NotInSightError
        own = {dotted(node): name for name, node in pairs}
        known = [own.get(name) for name in given]
        if self.known.setdefault(param, known) != known or not all(map(partial(self.is_bound_once, taker), known)):
            raise _NotInSightError  # it has some of the objects by other names
        self.passed[argument] = [name for name, own_name in zip(given, known, strict=True) if own_name is None]
        if param not in self.takers:
            self.enter(taker, param, known)

    def is_bound_once(self, taker: Function, name: str | None) -> bool:
        """Whether a parameter keeps what it is given."""
        return name is None or len(self.work.program.definitions.every(Variable(taker.node, name))) == 1

    def enter(self, taker: Function, param: cst.Param, known: Sequence[str | None]) -> None:
        """Follow a parameter that holds the inner function, where some of the objects are parameters already."""
        work = self.work
        calls = _calls_of(work, taker)
        values = [dict(arguments_by_parameter(taker, call, work.values)).get(param.name.value) for call in calls]
        if any(value is None or not self.is_inner(value) for value in values):
            raise _NotInSightError
        definition = work.program.definitions.bound_once(param.name)
        if definition is None or param not in (*taker.node.params.params, *taker.node.params.kwonly_params):
            raise _NotInSightError
        fresh = work.local(taker.node)
        new = [own or fresh(name) for name, own in zip(self.names, known, strict=True)]
        self.takers[param] = [name for name, own in zip(new, known, strict=True) if own is None]
        for use in work.program.definitions.uses(definition):
            if work.program.function_around(use) is not taker:
                raise _NotInSightError
            self.follow(use, dict(zip(self.names, new, strict=True)), ())

    def is_inner(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is the inner function, or holds its first arguments."""
        value = self.work.values(node)
        types = value.const.keys if isinstance(value.const, Partial) else value.types
        return types == {self.inner.key}

    def edit(self) -> None:
        """Write what was found: arguments, parameters, and results."""
        edits = self.work.edits
        by_call: dict[cst.Call, list[cst.Arg]] = {}
        for argument in self.passed:
            call = self.work.index.parents[argument]
            assert isinstance(call, cst.Call)
            by_call.setdefault(call, []).append(argument)
        for call, given in self.calls.items():
            behind = {item: self.passed[item] for item in by_call.pop(call, [])}
            first = [name for own, name in zip(self.names, given, strict=True) if own not in self.by_keyword]
            instead = {
                item.keyword.value for item in call.args if item.keyword is not None
            }  # of what `partial` was given
            named = self.by_keyword - instead
            last = {own: name for own, name in zip(self.names, given, strict=True) if own in named}
            edits.replace(call, partial(_with_arguments, call, first, behind, last))
        for call, arguments in by_call.items():
            behind = {item: self.passed[item] for item in arguments}
            edits.replace(call, partial(_with_arguments, call, [], behind, {}))
        for params, found in self._takers_by_function().items():
            edits.replace(params, partial(_with_parameters, params, found))
        for target, more in self.targets.items():
            edits.replace(target, partial(_with_more, target, more))

    def _takers_by_function(self) -> dict[cst.Parameters, dict[cst.Param, list[str]]]:
        found: dict[cst.Parameters, dict[cst.Param, list[str]]] = {}
        for param, names in self.takers.items():
            around = self.work.index.parents[param]
            assert isinstance(around, cst.Parameters)
            found.setdefault(around, {})[param] = names
        return found


def _means_the_same(
    work: NormalizationRound, given: cst.BaseExpression, use: cst.CSTNode, line: cst.BaseStatement
) -> bool:
    """Whether a variable that was given to the outer function means the same object where the inner one is used."""
    scopes, definitions = work.program.definitions.scopes, work.program.definitions
    while isinstance(given, cst.Attribute):
        given = given.value
    variable = scopes.variable(given) if isinstance(given, cst.Name) else None
    if variable is None or scopes.lookup(variable.name, scopes.around(use)) != variable:
        return False
    every = definitions.every(variable)
    if len(every) == 1:
        return work.is_behind(use, line) or not _stands_in_loop(work, every[0].node)
    own = all(work.index.function_of(item.node) is work.index.function_of(given) for item in every)
    return own and not _stands_in_loop(work, line) and all(_comes_before(work, item.node, line) for item in every)


def _comes_before(work: NormalizationRound, node: cst.CSTNode, line: cst.BaseStatement) -> bool:
    """Whether a statement around a node stands in front of a line, in its block or in one around that."""
    statement = work.index.statement_of(node) if not isinstance(node, cst.Param) else None
    if statement is None:
        return True
    for around in (line, *work.index.ancestors(line)):
        block = work.index.parents.get(around)
        body = list(block.body) if isinstance(block, (cst.IndentedBlock, cst.Module)) else []
        top: cst.CSTNode | None = statement
        while top is not None and work.index.parents.get(top) is not block:
            top = work.index.parents.get(top)
        if top in body and around in body:
            return body.index(top) < body.index(around)  # type: ignore[arg-type]
    return False


def _sees_all(work: NormalizationRound, definition: Definition, use: cst.CSTNode, names: Collection[str]) -> bool:
    """Whether names that are bound beside a variable mean the same where that is used."""
    scopes = work.program.definitions.scopes
    scope: Scope | None = scopes.around(use)
    owner = definition.variable.owner
    while scope is not owner and scope is not None:
        if isinstance(scope, (cst.Module, cst.CompFor)) or not scopes.bound(scope).isdisjoint(names):
            return False
        scope = scopes.around(scope)
    return True


def _stands_in_loop(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether a node may run more than once in its function."""
    for item in work.index.ancestors(node):
        if isinstance(item, _LOOPS):
            return True
        if isinstance(item, (cst.FunctionDef, cst.Lambda)):
            return False
    return False


# partial(train_step, model, optimizer)


def _normalize_partial(work: NormalizationRound, call: cst.Call, key: str) -> bool:
    """Give what a partial call holds, models and optimizers among it, where its result is called."""
    inner = next((item for item in work.program.functions.values() if item.key == key), None)
    line = work.index.statement_of(call)
    if inner is None or inner.owner is not None or not _can_gain(inner) or inner.seen_elsewhere:
        return False
    held = [item.value for item in call.args[1:]]
    if not any(_is_held(work.values(item)) for item in held) or not _is_plain_line(line):
        return False
    if any(item.star for item in call.args) or len(held) > len(inner.parameter_names):
        return False
    params = [
        item.keyword.value if item.keyword is not None else name
        for item, name in zip(call.args[1:], inner.parameter_names, strict=False)
    ]
    follower = _Follower(work, inner, params)
    follower.by_keyword = frozenset(item.keyword.value for item in call.args if item.keyword is not None)
    fresh = follower.fresh_at(call)
    names = {
        name: item.value if isinstance(item, cst.Name) else fresh(name) for name, item in zip(params, held, strict=True)
    }
    anchors = [item for item in held if isinstance(item, cst.Name)]
    try:
        target, statement = follower.target_of(call)
        follower.follow_target(target, statement, names, anchors)
    except _NotInSightError:
        return False
    follower.edit()
    work.edits.replace(call, lambda rewrite: rewrite(call.args[0].value))
    bound = [(names[name], item) for name, item in zip(params, held, strict=True) if not isinstance(item, cst.Name)]
    work.edits.before(line, partial(_bind, bound))
    return True


def _is_plain_line(line: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1


def _bind(bound: Sequence[tuple[str, cst.BaseExpression]], rewrite: Rewriter) -> list[cst.BaseStatement]:
    return [quote_statement("{name} = {value}", name=name, value=rewrite.expression(value)) for name, value in bound]


# text


def _give_parameters(work: NormalizationRound, inner: Function, names: Sequence[str]) -> None:
    params = inner.node.params
    new = [cst.Param(cst.Name(name)) for name in names]
    work.edits.replace(params, always(params.with_changes(params=[*new, *params.params])))


def _with_parameters(
    params: cst.Parameters, found: Mapping[cst.Param, Sequence[str]], rewrite: Rewriter
) -> cst.CSTNode:
    """Parameters with more behind those that hold an inner function."""
    inner = rewrite.inside(params)
    assert isinstance(inner, cst.Parameters)

    def grown(old: Sequence[cst.Param], new: Sequence[cst.Param]) -> list[cst.Param]:
        every: list[cst.Param] = []
        for before, after in zip(old, new, strict=True):
            more = [cst.Param(cst.Name(name)) for name in found.get(before, ())]
            every += [after.with_changes(comma=cst.MaybeSentinel.DEFAULT), *more] if more else [after]
        return every

    changed = {
        "params": grown(params.params, inner.params),
        "kwonly_params": grown(params.kwonly_params, inner.kwonly_params),
    }
    return inner.with_changes(**changed)


def _with_arguments(
    call: cst.Call,
    first: Sequence[str],
    behind: Mapping[cst.Arg, Sequence[str]],
    last: Mapping[str, str],
    rewrite: Rewriter,
) -> cst.CSTNode:
    """A call with more arguments: some in front, some behind those that are an inner function, and some by keyword."""
    inner = rewrite.inside(call)
    assert isinstance(inner, cst.Call)
    args = [cst.Arg(cst.parse_expression(name)) for name in first]
    for before, after in zip(call.args, inner.args, strict=True):
        args.append(after)
        args += [cst.Arg(cst.parse_expression(name)) for name in behind.get(before, ())]
    args += [_named(cst.Arg(cst.parse_expression(name)), keyword) for keyword, name in last.items()]
    return inner.with_changes(args=_apart(args) if len(args) > len(inner.args) else args)


def _named(argument: cst.Arg, name: str) -> cst.Arg:
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return argument.with_changes(keyword=cst.Name(name), equal=equal)


def _apart(args: Sequence[cst.Arg]) -> list[cst.Arg]:
    return [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in args]


def _with_more(node: cst.BaseExpression, names: Sequence[str], rewrite: Rewriter) -> cst.CSTNode:
    """What is returned, or assigned to, with more names behind it."""
    inner = rewrite.inside(node)
    assert isinstance(inner, cst.BaseExpression)
    kept = elements_of(inner)
    elements = [cst.Element(item) for item in (*kept, *(cst.Name(name) for name in names))]
    return (
        cst.Tuple(elements, lpar=inner.lpar, rpar=inner.rpar)
        if isinstance(inner, cst.Tuple)
        else cst.Tuple(elements, lpar=(), rpar=())
    )


__all__ = ["normalize_outliving_steps"]

"""Methods that change parts of their module, after it has been made: they give the module back.

def crop(self, n):                               ->   def crop(self, n):
    self.table.weight = Parameter(...[:n])                self.table.weight = Parameter(...[:n])
                                                          return self
model.crop(4)                                         model = model.crop(4)

def reset_classifier(self, n):                   ->   def reset_classifier(self, n):
    self.head = nn.Linear(self.dim, n)                    self.head = nn.Linear(self.dim, n)
                                                          return self

def restore(self, path):                         ->   def restore(self, path):
    ckpt = torch.load(path)                               ckpt = torch.load(path)
    self.load_state_dict(ckpt["model"])                   self.load_state_dict(ckpt["model"])
    return ckpt["epoch"]                                  return self, ckpt["epoch"]
epoch = model.restore(path)                           model, epoch = model.restore(path)
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import libcst as cst

from torch2jax.facts.changed_parts import changes_each, changes_part
from torch2jax.facts.contexts import turns_off
from torch2jax.facts.hooks import applied_functions
from torch2jax.facts.module_state import (
    GIVES_SELF,
    LAYER_FIELDS,
    giving_self,
    init_methods,
    is_state,
    runs_only_at_init,
)
from torch2jax.facts.moves import changes_parameters
from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.facts.replaced_submodules import has_exchanged_part, is_setting
from torch2jax.facts.storage import without_data
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted, root_name
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in, parenthesized, quote, quote_statement
from torch2jax.syntax.walk import descendants, is_label, own_nodes
from torch2jax.values import WITHOUT_TENSORS, Kind, Value


def normalize_changed_modules(work: NormalizationRound) -> None:
    """Normalize all such methods whose calls in sight are statements about variables."""
    if work.effects is None or not work.effects.threads:
        return  # modules that change in place
    known = giving_self(work.program)
    _bind_calls_of_others(work, known)
    for item in work.program.classes.values():
        for method in item.methods.values() if item.is_module else ():
            if method.key not in known and changes_parts(work, method) and _gives_back(work, method, known):
                _give_back(work, method)


def _gives_back(
    work: NormalizationRound, method: Function, known: Set[str], seen: frozenset[Function] = frozenset()
) -> bool:
    """Whether a method may give its module back: each of its calls can bind that again, and what calls it on parts of its own
    module gives that back in its turn.
    """
    assert work.effects is not None
    if method.key in known or method in seen:
        return True
    if method.owner is None or not _may_give(method.owner, method):
        return False
    if not _changes_only_parts(work, method) or not all(
        turns_off(item.decorator, work.values) for item in method.node.decorators
    ):
        return False
    for call in calls_here(work, method):
        others = set(work.values.callees[call]) - {method}
        if _statement(work, call) is None or not _are_alike(work, [method, *others]):
            return False
        if not all(item.key in known or _gives_back(work, item, known, seen | {method}) for item in others):
            return False
        around = work.program.function_around(call)
        is_in_module = around is not None and around.owner is not None and around.owner.is_module
        if is_in_module and not _only_loads_state(work, method):
            return False
        if is_in_module and around is not None and not runs_only_at_init(work.program, around):
            if not _gives_back(work, around, known, seen | {method}):
                return False
    return True


def _are_alike(work: NormalizationRound, methods: Sequence[Function]) -> bool:
    """Whether methods that one call may run give back alike, and take the state of their modules alike."""
    effects = work.effects
    assert effects is not None
    stateful = {item.owner is not None and effects.class_is_stateful(item.owner) for item in methods}
    return len(stateful) == len(set(map(_gives_more, methods))) == 1


def _only_loads_state(work: NormalizationRound, method: Function) -> bool:
    """Whether a method needs the state of its module for nothing but to set all of it: `self.load_state_dict(values)`."""
    assert work.effects is not None
    if not work.effects.of(method).state:
        return True
    calls = work.effects.calls[method]
    asking = [call for call in calls if work.effects.asks_state(call)]
    is_whole = all(isinstance(call.func, cst.Attribute) and isinstance(call.func.value, cst.Name) for call in asking)
    touches = method in work.effects.module_state.touching or any(map(work.effects.threads_state, calls))
    return bool(asking) and is_whole and not touches


def calls_here(work: NormalizationRound, method: Function) -> list[cst.Call]:
    """The calls of a method in the file."""
    found = [call for call, callees in work.values.callees.items() if method in callees]
    return [call for call in found if isinstance(call, cst.Call) and call in work.index.parents]


def _give_back(work: NormalizationRound, method: Function) -> None:
    last, own, gives_more = method.node.body.body[-1], str(method.self_name), _gives_more(method)
    if not isinstance(last, cst.SimpleStatementLine) or not isinstance(last.body[-1], (cst.Return, cst.Raise)):
        text = f"return {own}, None" if gives_more else f"return {own}"
        work.edits.after(last, lambda rewrite: [quote_statement(text)])
    for node in own_nodes(method.node):
        if isinstance(node, cst.Return):
            work.edits.replace(node, lambda rewrite, node=node: _given(own, node, gives_more, rewrite))  # type: ignore[misc]
    for call in calls_here(work, method):
        _bind(work, call, gives_more)
    work.marks.add((GIVES_SELF, method.key))


def _given(own: str, node: cst.Return, gives_more: bool, rewrite: Rewriter) -> cst.Return:
    """What a method gives back, behind its module."""
    value: cst.BaseExpression = cst.Name(own)
    if gives_more:
        more = cst.Name("None") if node.value is None else rewrite.expression(node.value)
        value = quote("{own}, {more}", own=own, more=parenthesized(more) if isinstance(more, cst.Tuple) else more)
    return cst.Return(value, whitespace_after_return=cst.SimpleWhitespace(" "))


def _bind(work: NormalizationRound, call: cst.Call, gives_more: bool) -> None:
    """A statement about a variable binds it again, in front of what else the method gives."""
    statement = _statement(work, call)
    assert statement is not None and isinstance(call.func, cst.Attribute)
    if (not gives_more and _is_bound(work, call)) or statement in work.edits.nodes:
        return  # by itself, or for another class that the module may be of
    targets = [call.func.value.deep_clone()]
    if isinstance(statement, cst.Assign):
        more = statement.targets[0].target.deep_clone()
        targets.append(parenthesized(more) if isinstance(more, cst.Tuple) else more)
    elif gives_more:
        targets.append(cst.Name("_"))
    target = targets[0] if len(targets) == 1 else cst.Tuple([cst.Element(item) for item in targets], lpar=(), rpar=())
    work.edits.replace(
        statement,
        lambda rewrite: cst.Assign([cst.AssignTarget(target)], rewrite.expression(call)),  # type: ignore[arg-type]
    )


def _bind_calls_of_others(work: NormalizationRound, known: Set[str]) -> None:
    """Calls of such methods of other files: statements about variables bind these again, all others are reported."""
    for call, callees in work.values.callees.items():
        if not any(item.key in known and item.node not in work.program.functions for item in callees):
            continue
        if call not in work.index.parents or not isinstance(call, cst.Call) or _is_bound(work, call):
            continue
        are_known = all(item.key in known for item in callees)
        if _statement(work, call) is not None and are_known and _are_alike(work, callees):
            _bind(work, call, _gives_more(callees[0]))
        elif isinstance(call.func, cst.Attribute):
            fields = {"name": code(call.func.value), "other": "a container, a field or a caller"}
            work.problems.append(Problem(call, "T2J303", fields))


def _is_bound(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is `model = model.crop(4)` or `model, epoch = model.restore(path)` already."""
    parent = work.index.parents[call]
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1 or not isinstance(call.func, cst.Attribute):
        return False
    target = parent.targets[0].target
    first = target.elements[0].value if isinstance(target, cst.Tuple) and target.elements else target
    return first.deep_equals(call.func.value)


def _may_give(item: Class, method: Function) -> bool:
    """Whether a method runs after `__init__`, is called by its name, and gives nothing, its module, or what is no part of it."""
    if method.self_name is None or method.name == "forward" or method.name.startswith("__"):
        return False
    if method in init_methods(item) or not isinstance(method.node.body, cst.IndentedBlock):
        return False
    if any(isinstance(node, cst.Yield) for node in own_nodes(method.node)):
        return False
    own = {method.self_name}
    return not _gives_more(method) or all(own.isdisjoint(names_in(node)) for node in _returns(method))


def _returns(method: Function) -> list[cst.Return]:
    return [node for node in own_nodes(method.node) if isinstance(node, cst.Return)]


def _gives_more(method: Function) -> bool:
    """Whether a method gives something else than nothing, or its module."""
    return any(
        node.value is not None
        and not (isinstance(node.value, cst.Name) and node.value.value in ("None", method.self_name))
        for node in _returns(method)
    )


def changes_parts(work: NormalizationRound, method: Function) -> bool:
    """Whether a method gives parameters of its module other values, exchanges or loads them, and changes nothing else of it."""
    ways = (_changes_places, _loads_itself, _is_given_itself, _changes_each_part)
    return any(way(work, method) for way in ways) and _changes_only_parts(work, method)


def _loads_itself(work: NormalizationRound, method: Function) -> bool:
    """Whether a method gives its module other values: `self.load_state_dict(torch.load(path))`, `self.apply(init)`, or casts it,
    or does so with a part of it.
    """
    for node in own_nodes(method.node):
        match node:
            case cst.Expr(cst.Call(func=cst.Attribute(value=cst.Attribute() as part) as func) as call):
                is_part = root_name(part) == method.self_name and work.values(part).kind is Kind.MODULE
                is_method = changes_parameters(call) and func not in work.values.callees
                if is_part and is_method and not _only_looks(work, call):
                    return True
            case cst.Expr(cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name(word)) as func) as call):
                if changes_parameters(call) and name == method.self_name and func not in work.values.callees:
                    return method.owner is not None and method.owner.method(word) is None
    return False


def _only_looks(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether all that a part does with its own parts is to show them to a function, which leaves them as they are."""
    functions = applied_functions(work.program, work.values, call)
    return bool(functions) and not any(
        changes_part(work.program, work.values, item.node.body, name)
        for item in functions
        for name in item.parameter_names[:1]
    )


def _is_given_itself(work: NormalizationRound, method: Function) -> bool:
    """Whether a method gives its module, or a part of it, to a function that fills it: `init_weights(self)`."""
    own, calls = str(method.self_name), [node for node in own_nodes(method.node) if isinstance(node, cst.Call)]
    given = [call for call in calls if any(root_name(item.value) == own for item in call.args)]
    functions = [call for call in given if any(item.owner is None for item in work.values.callees.get(call, ()))]
    return any(changes_part(work.program, work.values, call, own) for call in functions)


def _changes_each_part(work: NormalizationRound, method: Function) -> bool:
    """Whether a method goes through its own parts or parameters, and changes them."""
    own, loops = str(method.self_name), [node for node in own_nodes(method.node) if isinstance(node, cst.For)]
    return any(changes_each(work.program, work.values, loop, own) for loop in loops)


def _changes_places(work: NormalizationRound, method: Function) -> bool:
    """Whether a method changes something in its module that is not kept beside it."""
    changed = _changed_of_module(work, method)
    return any(not _is_in_state(work, place) and not _is_setting(work, place) for place in changed)


def _changes_only_parts(work: NormalizationRound, method: Function) -> bool:
    ways = (_is_in_state, _is_tensor_of_module, _is_given_back, _is_exchanged, _is_setting)
    return all(any(way(work, place) for way in ways) for place in _changed_of_module(work, method))


def _changed_of_module(work: NormalizationRound, method: Function) -> list[cst.BaseExpression]:
    """The places in its module that a method changes."""
    changed = [place for node in own_nodes(method.node) for place in _changed(work, node)]
    own = [place for place in changed if root_name(place) == method.self_name]
    return [place for place in own if not _is_in_object(work, place)]


def _is_given_back(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether a part is bound again to itself, changed: `self.head = self.head.crop(4)`."""
    target = work.index.parents.get(place)
    assign = work.index.parents.get(target) if isinstance(target, cst.AssignTarget) else None
    if not isinstance(assign, cst.Assign) or not isinstance(assign.value, cst.Call):
        return False
    known = giving_self(work.program)
    callees = work.values.callees.get(assign.value, ())
    return _is_bound(work, assign.value) and bool(callees) and all(item.key in known for item in callees)


def _is_exchanged(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether a part that `__init__` has made is exchanged for another module: `self.head = nn.Linear(4, n)`."""
    assign = _own_assignment(work, place)
    if assign is None or not isinstance(place, cst.Attribute):
        return False
    assert work.effects is not None
    return has_exchanged_part(work.program, work.effects, work.values(place.value), place.attr.value, assign.value)


def _is_setting(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether a number or text that `__init__` has set gets another value: `self.pool = "max"`."""
    assign = _own_assignment(work, place)
    if assign is None or not isinstance(place, cst.Attribute):
        return False
    assert work.effects is not None
    return is_setting(work.program, work.effects, place, work.values(assign.value))


def _own_assignment(work: NormalizationRound, place: cst.BaseExpression) -> cst.Assign | None:
    """The statement that gives a field of the module itself, and nothing else, a value."""
    target, around = work.index.parents.get(place), work.program.function_around(place)
    assign = work.index.parents.get(target) if isinstance(target, cst.AssignTarget) else None
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not isinstance(place, cst.Attribute):
        return None
    is_own = around is not None and around.owner is not None and dotted(place.value) == around.self_name
    return assign if is_own else None


def _changed(work: NormalizationRound, node: cst.CSTNode) -> list[cst.BaseExpression]:
    match node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(method))) if changes_values(method):
            is_own = work.values(owner).kind is Kind.TENSOR  # and no function: `nn.init.zeros_(self.weight)`
            places = [owner, *(item.value for item in node.args[:1] if not is_own)]
        case cst.Call():
            places = list(filled_arguments(node))
            if changes_values((dotted(node.func) or "").split(".")[-1]):
                places += [item.value for item in node.args[:1]]
        case cst.AssignTarget() | cst.AugAssign():
            places = [node.target]
        case _:
            return []
    return [without_data(place) for place in places if isinstance(place, (cst.Attribute, cst.Subscript))]


def _is_in_object(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether a place is a field of an object of the program that changes in place, such as a configuration."""
    return isinstance(place, cst.Attribute) and work.values(place.value).kind is Kind.OBJECT


def _is_in_state(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether a place is kept beside the module: statistics of a layer, or a field that is state."""
    return isinstance(place, cst.Attribute) and (
        place.attr.value in LAYER_FIELDS or is_state(work.program, work.values, place)
    )


def _is_tensor_of_module(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether a place holds a parameter, or a buffer that is no state."""
    if not isinstance(place, cst.Attribute):
        return False
    return work.values(place.value).kind is Kind.MODULE and work.values(place).kind is Kind.TENSOR


def _statement(work: NormalizationRound, call: cst.CSTNode) -> cst.Expr | cst.Assign | None:
    """The statement that a call is, on a variable that holds the module, or which binds what else it gives."""
    statement = work.index.parents.get(call)
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    if isinstance(statement, cst.Assign):
        gives_more = all(map(_gives_more, work.values.callees[call]))
        if len(statement.targets) != 1 or not (gives_more or _is_bound(work, call)):
            return None
    elif not isinstance(statement, cst.Expr):
        return None
    around, owner = work.program.function_around(call), call.func.value
    if isinstance(owner, cst.Name):
        return statement if _is_only_name(work, around, owner.value, call) else None
    path = dotted(owner.value if isinstance(owner, cst.Subscript) and _is_member(work, owner) else owner)
    if path is None or around is None or around.owner is None or path.rpartition(".")[0] != around.self_name:
        return None
    if isinstance(owner, cst.Subscript) and not around.owner.is_module:
        return None
    made_here = runs_only_at_init(work.program, around) or not around.owner.is_module or _may_give(around.owner, around)
    return statement if made_here and not _has_other_names(work, around, path, call) else None


def _has_other_names(work: NormalizationRound, around: Function, path: str, call: cst.Call) -> bool:
    """Whether a variable may hold what a field of `self` holds or a part of it, or names a module behind the call that it
    may have been given before.
    """
    behind, before = False, set[cst.CSTNode]()
    loops = [item for item in work.index.ancestors(call) if isinstance(item, (cst.For, cst.While))]
    again = {node for loop in loops for node in descendants(loop)}  # which runs before the call, too
    for node in descendants(around.node.body):
        behind = behind or node is call
        if not behind:
            before.add(node)
        if isinstance(node, cst.Assign) and isinstance(node.value, (cst.Attribute, cst.Subscript, cst.List, cst.Tuple)):
            if not isinstance(node.targets[0].target, cst.Attribute) and _mentions(node.value, path):
                return True
        if behind and isinstance(node, cst.Name) and work.values(node).kind is Kind.MODULE:
            if node.value != around.self_name and not is_label(node, work.index.parents[node]):
                bound = [item.node for item in work.program.definitions.of(node)]
                is_open = not bound and not work.program.definitions.is_bound(node)
                if is_open or any(item in before or item in again or item in loops for item in bound):
                    return True
    return False


def _mentions(node: cst.CSTNode, path: str) -> bool:
    return any(dotted(item) == path for item in (node, *descendants(node)) if isinstance(item, cst.Attribute))


def _is_member(work: NormalizationRound, owner: cst.BaseExpression) -> bool:
    """Whether a place is `self.layers[i]` or `self.parts["head"]`, one of a list or a dict of modules."""
    match owner:
        case cst.Subscript(
            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name() | cst.Integer() | cst.SimpleString()))]
        ):
            return work.values(owner.value).types in ({"torch.nn.ModuleList"}, {"torch.nn.ModuleDict"})
    return False


def _may_hold_modules(value: Value) -> bool:
    """Whether something is a module or an object, or a container of what may be one: `{k: v * 2 for k, v in values}` is none."""
    if value.is_a(Kind.LIST, Kind.DICT):
        return not value.parts or any(part.kind not in {*WITHOUT_TENSORS, Kind.TENSOR} for part in value.parts)
    return value.is_a(Kind.MODULE, Kind.OBJECT)


def _is_only_name(work: NormalizationRound, around: Function | None, name: str, call: cst.Call) -> bool:
    """Whether a variable is bound in the function of a call, to a module that nothing has under another name by then."""
    bound, behind = around is not None and name in around.parameter_names, False
    loops = [item for item in work.index.ancestors(call) if isinstance(item, (cst.For, cst.While))]
    again = {node for loop in loops for node in descendants(loop)}  # which runs before the call, too
    for node in work.index.every(cst.Assign, cst.Call):
        behind = behind or node is call
        if not isinstance(node, cst.Assign) or work.program.function_around(node) is not around or node.value is call:
            continue
        if behind and node not in again:
            continue
        names = {target.target.value for target in node.targets if isinstance(target.target, cst.Name)}
        shares = isinstance(node.value, (cst.Name, cst.Attribute, cst.Subscript, cst.List, cst.Tuple, cst.Dict))
        shares = shares or _may_hold_modules(work.values(node.value))
        given = {item.value for item in descendants(node.value) if isinstance(item, cst.Name)}
        is_other = isinstance(node.value, (cst.Name, cst.Attribute, cst.Subscript))
        shares = shares and not (names == {name} and isinstance(node.value, cst.Call))  # `model = model.to(device)`
        if shares and (name in given or (is_other and name in names)):
            return False
        bound = bound or name in names or _is_one_of_results(work, node, name)
    return bound


def _is_one_of_results(work: NormalizationRound, node: cst.Assign, name: str) -> bool:
    """Whether a variable is bound to one of several results of a function, which does no more with it than make it."""
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=targets))], value=cst.Call() as call):
            places = [place for place, item in enumerate(targets) if dotted(item.value) == name]
            callees = work.values.callees.get(call, ())
            return len(places) == 1 and bool(callees) and all(_only_makes(item, places[0]) for item in callees)
    return False


def _only_makes(function: Function, place: int) -> bool:
    """Whether the result of a function at a place is a variable that is bound there, has its methods called, and is returned."""
    nodes = list(descendants(function.node.body))
    returned = [node.value for node in nodes if isinstance(node, cst.Return)]
    rows = [node.elements for node in returned if isinstance(node, cst.Tuple) and len(node.elements) > place]
    names = {dotted(row[place].value) for row in rows}
    if len(rows) != len(returned) or len(names) != 1 or None in names:
        return False
    asked = {id(node.value) for node in nodes if isinstance(node, cst.Attribute)}
    bound = {id(node.target) for node in nodes if isinstance(node, cst.AssignTarget)}
    given = {id(row[place].value) for row in rows}
    uses = [node for node in nodes if isinstance(node, cst.Name) and {node.value} == names]
    makers = [node.value for node in nodes if isinstance(node, cst.Assign) and dotted(node.targets[0].target) in names]
    return (
        all(id(node) in asked | bound | given for node in uses)
        and bool(makers)
        and all(isinstance(item, cst.Call) for item in makers)
    )


__all__ = ["calls_here", "changes_parts", "normalize_changed_modules"]

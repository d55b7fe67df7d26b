"""Methods that change parts of their module, after it has been made: they give the module back.

def crop(self, n):                               ->   def crop(self, n):
    self.table.weight = Parameter(...[:n])                self.table.weight = Parameter(...[:n])
                                                          return self
model.crop(4)                                         model = model.crop(4)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.infer import all_marks
from torch2jax.facts.module_state import GIVES_SELF, init_methods, is_state
from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.facts.storage import without_data
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind


def normalize_changed_modules(work: NormalizationRound) -> None:
    """Normalize all such methods whose calls in sight are statements about variables."""
    if work.effects is None or not work.effects.threads:
        return  # modules that change in place
    known = {mark[1] for mark in all_marks(work.program) if mark[0] == GIVES_SELF}
    _bind_calls_of_others(work, known)
    for item in work.program.classes.values():
        if not item.is_module or work.effects.class_is_stateful(item):
            continue
        for method in item.methods.values():
            if method.key in known or not _may_give(item, method) or not _changes_parts(work, method):
                continue
            calls = [call for call, callees in work.values.callees.items() if method in callees]
            statements = [_statement(work, call) for call in calls if call in work.index.parents]
            if any(statement is None for statement in statements) or any(
                work.values.callees[c] != (method,) for c in calls
            ):
                continue
            last = method.node.body.body[-1]
            work.edits.after(last, lambda rewrite, name=str(method.self_name): [quote_statement(f"return {name}")])  # type: ignore[misc]
            for statement in statements:
                assert statement is not None
                work.edits.replace(statement, lambda rewrite, statement=statement: _bound(statement))  # type: ignore[misc]
            work.marks.add((GIVES_SELF, method.key))


def _bind_calls_of_others(work: NormalizationRound, known: set[str]) -> None:
    """Calls of such methods of other files: statements about variables bind these again, all others are reported."""
    for call, callees in work.values.callees.items():
        if not any(item.key in known and item.node not in work.program.functions for item in callees):
            continue
        if call not in work.index.parents or not isinstance(call, cst.Call) or _is_bound(work, call):
            continue
        statement = _statement(work, call)
        if statement is not None and len(callees) == 1:
            work.edits.replace(statement, lambda rewrite, statement=statement: _bound(statement))  # type: ignore[misc]
        elif isinstance(call.func, cst.Attribute):
            fields = {"name": code(call.func.value), "other": "a container, a field or a caller"}
            work.problems.append(Problem(call, "T2J303", fields))


def _is_bound(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is `model = model.crop(4)` already."""
    parent = work.index.parents[call]
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1 or not isinstance(call.func, cst.Attribute):
        return False
    return parent.targets[0].target.deep_equals(call.func.value)


def _may_give(item: Class, method: Function) -> bool:
    """Whether a method runs after `__init__`, is called by its name, and gives nothing."""
    if method.self_name is None or method.name == "forward" or method.name.startswith("__") or method.decorators:
        return False
    if method in init_methods(item) or not isinstance(method.node.body, cst.IndentedBlock):
        return False
    return not any(isinstance(node, (cst.Return, cst.Yield, cst.Raise)) for node in own_nodes(method.node))


def _changes_parts(work: NormalizationRound, method: Function) -> bool:
    """Whether a method gives parameters of its module other values, or exchanges them, and changes nothing else of it."""
    changed = [place for node in own_nodes(method.node) for place in _changed(node)]
    own = [place for place in changed if _root(place) == method.self_name]
    parts = [place for place in own if not _is_in_object(work, place)]
    return bool(parts) and all(_is_tensor_of_module(work, place) for place in parts)


def _changed(node: cst.CSTNode) -> list[cst.BaseExpression]:
    match node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(method))) if changes_values(method):
            places = [owner, *(item.value for item in node.args[:1])]
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


def _is_tensor_of_module(work: NormalizationRound, place: cst.BaseExpression) -> bool:
    """Whether a place holds a parameter, or a buffer that is no state."""
    if not isinstance(place, cst.Attribute) or is_state(work.program, work.values, place):
        return False
    return work.values(place.value).kind is Kind.MODULE and work.values(place).kind is Kind.TENSOR


def _root(node: cst.BaseExpression) -> str | None:
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
    return node.value if isinstance(node, cst.Name) else None


def _statement(work: NormalizationRound, call: cst.CSTNode) -> cst.Expr | None:
    """The statement that a call is, on a variable that holds the module."""
    statement = work.index.parents.get(call)
    if (
        not isinstance(statement, cst.Expr)
        or not isinstance(call, cst.Call)
        or not isinstance(call.func, cst.Attribute)
    ):
        return None
    around, owner = work.program.function_around(call), call.func.value
    if isinstance(owner, cst.Name):
        return statement if _is_only_name(work, around, owner.value, call) else None
    path = dotted(owner)
    if path is None or around is None or around.owner is None or not path.startswith(f"{around.self_name}."):
        return None
    made_here = around.name == "__init__" or not around.owner.is_module
    return statement if made_here and path.count(".") == 1 else None


def _is_only_name(work: NormalizationRound, around: Function | None, name: str, call: cst.Call) -> bool:
    """Whether a variable is bound in the function of a call, to a module that nothing here has under another name."""
    if around is not None and name in around.parameter_names:
        return False
    bound = False
    for node in work.index.every(cst.Assign):
        if work.program.function_around(node) is not around:
            continue
        names = {target.target.value for target in node.targets if isinstance(target.target, cst.Name)}
        shares = isinstance(node.value, (cst.Name, cst.Attribute, cst.Subscript, cst.List, cst.Tuple, cst.Dict))
        shares = shares or work.values(node.value).is_a(Kind.MODULE, Kind.OBJECT, Kind.LIST, Kind.DICT)
        given = {item.value for item in descendants(node.value) if isinstance(item, cst.Name)}
        is_other = isinstance(node.value, (cst.Name, cst.Attribute, cst.Subscript))
        if shares and (name in given or (is_other and name in names)):
            return False
        bound = bound or name in names
    in_loop = any(isinstance(item, (cst.For, cst.While)) for item in work.index.ancestors(call))
    return bound and not in_loop


def _bound(statement: cst.Expr) -> cst.Assign:
    call = cst.ensure_type(statement.value, cst.Call)
    owner = cst.ensure_type(call.func, cst.Attribute).value
    assert isinstance(owner, (cst.Name, cst.Attribute))
    return cst.Assign([cst.AssignTarget(owner.deep_clone())], call)


__all__ = ["normalize_changed_modules"]

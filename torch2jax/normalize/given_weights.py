"""Weights that a module is given to share, normalized to lines of the module that has both.

class Head(nn.Module):                                        class Head(nn.Module):
    def __init__(self, weight):                                   def __init__(self, weight):
        self.decoder = nn.Linear(8, 100, bias=False)                  self.decoder = nn.Linear(8, 100, bias=False)
        self.decoder.weight = weight                      ->
...                                                           ...
self.head = Head(self.body.wte.weight)                        self.head = Head(self.body.wte.weight)
                                                              self.head.decoder.weight = self.body.wte.weight

A method that `__init__` calls may tie them as well; where modules are values, what such a method says of two parts of its module is
said in `__init__`. A variable that names a weight is that place: `w = self.wte.weight`. Weights that are given by nobody in sight, or
are tied elsewhere, are reported where something is trained: the translation would have two of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

import libcst as cst

from torch2jax.facts.module_state import init_methods
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, dotted, root_name
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_TIED_ABOVE = "tied above"  # marks (function, place): a field that is a weight of another module, as its callers say

_Kept = tuple[cst.SimpleStatementLine, cst.Attribute]  # a line that makes a variable a field, and that field


@dataclass(frozen=True, slots=True)
class _Tie:
    """A line of a function that makes a weight of its module one that it is given: by the parameter, or by a part of it."""

    function: Function
    line: cst.SimpleStatementLine
    place: cst.Attribute
    given: cst.BaseExpression
    parameter: str

    @property
    def is_field(self) -> bool:
        """Whether the weight is a field of the module itself, which has to have a value."""
        return isinstance(self.place.value, cst.Name)


def normalize_given_weights(work: NormalizationRound) -> None:
    """Normalize all such lines of a file."""
    stores: dict[Function | None, list[cst.SimpleStatementLine]] = {}
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute())], value=cst.Name() | cst.Attribute())]:
                stores.setdefault(work.program.function_around(line), []).append(line)
    for item in work.program.module_classes() if stores else ():
        if item.node not in work.index.parents:
            continue
        for function in sorted(init_methods(item), key=lambda method: method.key):
            if function.owner is item and function in stores:
                for tie in _ties(work, function, stores[function]):
                    _lift(work, tie)
                if work.effects is not None and work.effects.threads and function.name != "__init__":
                    _move_to_init(work, item, function)
                if function.name == "__init__":
                    _move_behind_fields(work, function, stores[function])
    for line in (line for lines in stores.values() for line in lines):
        _refuse_elsewhere(work, line)


def _move_to_init(work: NormalizationRound, item: Class, method: Function) -> None:
    """Say in `__init__`, behind the calls of a method there, which parts of the module have one weight by it."""
    init = item.methods.get("__init__")
    if init is None or init.self_name != method.self_name or not isinstance(method.node.body, cst.IndentedBlock):
        return
    calls = [call for call in method.callers if work.program.function_around(call) is init]
    lines = [work.index.statement_of(call) for call in calls]
    if not lines or not all(isinstance(work.index.parents[line], cst.IndentedBlock) for line in lines):
        return
    for statement in method.node.body.body:
        if _is_tying(work, method, statement):
            for line in lines:
                work.edits.after(line, always_statements([work.copy(statement)]))
            work.edits.rewrite_statement(statement, always_statements([quote_statement("pass")]))


def _move_behind_fields(work: NormalizationRound, init: Function, stores: Sequence[cst.SimpleStatementLine]) -> None:
    """Tie the weights of layers that become fields later where they are fields: `head.weight = self.wte.weight; self.head = head`."""
    kept: dict[str, list[_Kept]] = {}
    for line in stores:
        match line.body:
            case [
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(owner)) as field)],
                    value=cst.Name(name),
                )
            ]:
                if owner == init.self_name:
                    kept.setdefault(name, []).append((line, field))
    for line in stores if kept else ():
        tied = _tied(work, line)
        owners = [node for node in (_owner(item) for item in tied or ()) if node is not None]
        places = [kept.get(node.value, []) for node in owners if node.value != init.self_name]
        if tied is None or not isinstance(tied[1], cst.Attribute):
            continue  # a weight by its own name
        if not places or len(owners) < 2 or any(len(found) != 1 for found in places):
            continue
        if any(work.program.definitions.bound_once(node) is None for node in owners if node.value != init.self_name):
            continue
        lines = [found[0][0] for found in places]
        last = max((line, *lines), key=work.index.order.__getitem__)
        if any(work.index.parents[item] is not work.index.parents[line] for item in lines) or _is_between(
            work, {node.value for node in owners} - {init.self_name}, line, last, lines
        ):
            continue
        place, source = (code(_renamed(node, kept, init)) for node in tied)
        work.edits.after(last, always_statements([quote_statement(f"{place} = {source}")]))
        work.edits.remove(line)


def _is_between(
    work: NormalizationRound,
    names: Set[str],
    first: cst.SimpleStatementLine,
    last: cst.SimpleStatementLine,
    besides: Sequence[cst.SimpleStatementLine],
) -> bool:
    """Whether something behind a line, and not behind another one, speaks of some variables."""
    order, around = work.index.order, work.index.parents[first]
    assert isinstance(around, (cst.IndentedBlock, cst.Module))
    between = [item for item in around.body if order[first] < order[item] < order[last] and item not in besides]
    return any(not names.isdisjoint(names_in(item)) for item in between)


def _owner(node: cst.BaseExpression) -> cst.Name | None:
    """The variable that a place begins with: `head` of `head.weight`."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return node if isinstance(node, cst.Name) else None


def _renamed(node: cst.BaseExpression, kept: Mapping[str, Sequence[_Kept]], init: Function) -> cst.BaseExpression:
    """A place with the field of a module in the place of the variable that becomes one."""
    owner = _owner(node)
    if owner is None or owner.value == init.self_name:
        return node
    return cst.parse_expression(code(kept[owner.value][0][1]) + code(node).removeprefix(owner.value))


def _is_tying(work: NormalizationRound, method: Function, statement: cst.CSTNode) -> bool:
    """Whether a statement does no more than tie weights of a method's own object, perhaps where a field of it says so."""
    if isinstance(statement, cst.If):
        is_plain = statement.orelse is None and isinstance(statement.body, cst.IndentedBlock)
        asked = {node.value for node in descendants(statement.test, cst.Name) if not work.index.is_label(node)}
        is_plain = is_plain and asked <= {method.self_name, "True", "False", "None"}
        calls = descendants(statement.test, cst.Call)
        return is_plain and not calls and all(_is_tying(work, method, item) for item in statement.body.body)
    tied = _tied(work, statement)
    return tied is not None and all(root_name(node) == method.self_name for node in tied)


def _tied(work: NormalizationRound, line: cst.CSTNode) -> tuple[cst.Attribute, cst.BaseExpression] | None:
    """The weight that a line gives a name of another one, and that one."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as place)], value=value)]
        ) if _is_weight(work, place, value) and "parameter" in work.values(value).types:
            return place, value
    return None


def _refuse_elsewhere(work: NormalizationRound, line: cst.SimpleStatementLine) -> None:
    """Refuse what ties weights where that has no form: outside of the modules that have both, where these are no objects. Nobody
    sees it where nothing is trained.
    """
    tied, function = _tied(work, line), work.program.function_around(line)
    if tied is None or work.effects is None or code(tied[0]) == code(tied[1]) or not work.program.is_trained:
        return
    if function is not None and function.owner is not None and function in init_methods(function.owner):
        is_own = all(root_name(node) == function.self_name for node in tied)
        if is_own and (function.name == "__init__" or not work.effects.threads):
            return
        is_given = root_name(tied[1]) in set(function.parameter_names) - {function.self_name}
        if is_given and root_name(tied[0]) == function.self_name:
            return  # which has been looked at
    if work.has_objects and isinstance(tied[1], cst.Attribute):
        return
    work.problems.append(Problem(line, "T2J604", {"name": code(tied[0]), "other": code(tied[1])}))


def _ties(work: NormalizationRound, function: Function, stores: Sequence[cst.SimpleStatementLine]) -> Iterator[_Tie]:
    for line in stores:
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as place)], value=value)]:
                if root_name(place) != function.self_name or not _is_weight(work, place, value):
                    continue
                given = _place(work, value)
                root = root_name(given) if given is not None else None
                if given is None or root is None:
                    continue
                if root == function.self_name and given is not value:
                    work.edits.replace(value, always(given.deep_clone()))
                elif root in function.parameter_names and root != function.self_name:
                    if (_TIED_ABOVE, function.key, code(place)) not in work.program.marks:
                        yield _Tie(function, line, place, given, root)


def _is_weight(work: NormalizationRound, place: cst.Attribute, value: cst.BaseExpression) -> bool:
    """Whether a parameter of a module is given a tensor that has a name already; torch takes nothing else but None."""
    given = work.values(value)
    is_named = isinstance(value, (cst.Name, cst.Attribute)) and (
        "parameter" in given.types or given.kind is Kind.UNKNOWN
    )
    return is_named and "parameter" in work.values(place).types


def _place(work: NormalizationRound, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The place of a weight that an expression names, perhaps by a variable that is bound to it once."""
    if isinstance(node, cst.Name):
        definition = work.program.definitions.bound_once(node)
        if definition is not None and definition.how is How.ASSIGNED and isinstance(definition.value, cst.Attribute):
            return definition.value if dotted(definition.value) is not None else None
    return node if isinstance(node, (cst.Name, cst.Attribute)) else None


def _lift(work: NormalizationRound, tie: _Tie) -> None:
    """Say in the functions that give a weight where it is shared, if all of them can."""
    function = tie.function
    calls = [call for call in function.callers if isinstance(call, cst.Call)]
    given = [dict(arguments_by_parameter(function, call, work.values)).get(tie.parameter) for call in calls]
    if calls and all(item is not None and _is_new(work, item) for item in given):
        return
    above = [_line_above(work, tie, call, item) for call, item in zip(calls, given, strict=True)]
    is_known = bool(calls) and tie.parameter not in function.seen_elsewhere
    if not is_known or any(item is None for item in above):
        if work.has_objects and isinstance(tie.given, cst.Attribute):
            return  # it is the same object there
        fields = {"name": code(tie.place), "other": code(tie.given)}
        work.problems.append(Problem(tie.line, "T2J604", fields))
        return
    for found in above:
        if found is not None:
            work.edits.after(found[0], always_statements([found[1]]))
    if tie.is_field:
        work.marks.add((_TIED_ABOVE, function.key, code(tie.place)))
    else:
        work.edits.remove(tie.line)


def _is_new(work: NormalizationRound, given: cst.BaseExpression) -> bool:
    """Whether a call gives a parameter that nothing else has: `nn.Parameter(vectors)`."""
    return isinstance(given, cst.Call) and work.values(given).kind is Kind.TENSOR


def _line_above(
    work: NormalizationRound, tie: _Tie, call: cst.Call, given: cst.BaseExpression | None
) -> tuple[cst.SimpleStatementLine, cst.BaseStatement] | None:
    """The line of a module that gives a weight to a part of it, or to a method, with the line that says of both that they are one."""
    line, caller = work.index.statement_of(call), work.program.function_around(call)
    source = _place(work, given) if given is not None else None
    if caller is None or caller.owner is None or source is None or not isinstance(line, cst.SimpleStatementLine):
        return None
    if caller not in init_methods(caller.owner) or caller.self_name is None or call not in work.index.parents:
        return None
    match line.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(name)) as made)], value=value)]:
            if value is not call or name != caller.self_name or tie.function.name != "__init__":
                return None
            owner = code(made)
        case [cst.Expr(value=value)] if value is call and tie.function.owner in caller.owner.lineage:
            owner = caller.self_name
        case _:
            return None
    place = code(tie.place).split(".", 1)[1]
    rest = code(tie.given).removeprefix(tie.parameter)
    return line, quote_statement(f"{owner}.{place} = {code(source)}{rest}")


__all__ = ["normalize_given_weights"]

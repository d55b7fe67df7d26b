"""Schedulers, of torch or of the program, beside an optimizer that may be another one than theirs: a function made several.

opt_a, sched_a = make(net, 0.1)
opt_b, sched_b = make(other, 0.2)
run(net, opt_a, sched_b)

A scheduler is of an optimizer where both go back to one call, through the same parameters and fields. What cannot be followed
may be of another, as far as there are several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

import libcst as cst

from torch2jax.facts.infer import MADE, Values
from torch2jax.facts.kept_fields import field_of, made_class
from torch2jax.facts.outdated_schedulers import may_be_outdated
from torch2jax.facts.shared_rates import own_optimizers
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_REPEATING = (cst.For, cst.While, cst.CompFor, cst.BaseComp)
Origin = tuple[str, cst.CSTNode]


@dataclass(slots=True)
class OptimizerPairs:
    """Which optimizer a scheduler belongs to, of several that may be meant."""

    program: Program
    values: Values
    _asked: set[tuple[str, str, cst.CSTNode]] = field(default_factory=set)

    def belongs(self, scheduler: str, optimizer: str, at: cst.CSTNode) -> bool:
        """Whether a scheduler was made for the optimizer of these variables or fields, wherever the code at a node runs."""
        if (scheduler, optimizer, at) in self._asked:
            return True  # as far as what asks for it is
        self._asked.add((scheduler, optimizer, at))
        holders = [place.rpartition(".")[0] for place in (scheduler, optimizer)]
        if holders[0] and holders[0] == holders[1]:
            return True  # what one object holds was stored together
        if not holders[0] and not holders[1]:
            if may_be_outdated(self.program.definitions, scheduler, optimizer, at):
                return False
            if self._is_made_for(scheduler, optimizer, at):
                return True
        first, second = (self._origin(place, at) for place in (scheduler, optimizer))
        if first is None or first != second:
            return False
        if first[0] != "parameter" or not isinstance(first[1], cst.FunctionDef):
            return True
        return self._given(self.program.functions[first[1]], scheduler, optimizer)

    def _is_made_for(self, scheduler: str, optimizer: str, at: cst.CSTNode) -> bool:
        """Whether what a variable holds was made for what another one held, and still holds, in the same scope."""
        found, scopes = self._bindings(scheduler, at), self.program.definitions.scopes
        owner = scopes.lookup(optimizer, scopes.around(at))
        for item in found:
            value = _if_any(item.value) if item.value is not None and item.how is How.ASSIGNED else None
            given = [arg.value for arg in value.args] if isinstance(value, cst.Call) else []
            given = [node for node in given if self.values(node).kind is Kind.OPTIMIZER]
            if (
                owner is None
                or item.variable.owner is not owner.owner
                or [dotted(node) for node in given] != [optimizer]
            ):
                return False
        return bool(found)

    def are_stored_together(self, keys: frozenset[str], is_scheduler: Callable[[Value], bool]) -> bool:
        """Whether each object that keeps a scheduler beside one of some optimizers got both together."""
        every = [(node, *pair) for node in self.program.index.every(cst.Assign) for pair in _stores(node)]
        kept = [item for item in every if is_scheduler(self.values(item[1]))]
        for node, target, value in kept:
            function, base = self.program.function_around(node), dotted(target.value)
            beside = [
                (place, given)
                for line, place, given in every
                if self._may_be(place, keys)
                and dotted(place.value) == base
                and self.program.function_around(line) is function
            ]
            if not all(self._are_made_together(value, dotted(place), given, node) for place, given in beside):
                return False
        return True

    def _may_be(self, place: cst.Attribute, keys: frozenset[str]) -> bool:
        value = self.values(place)
        return value.kind is Kind.OPTIMIZER and bool(value.types & keys)

    def _are_made_together(
        self, scheduler: cst.BaseExpression, place: str | None, optimizer: cst.BaseExpression, at: cst.CSTNode
    ) -> bool:
        """Whether a scheduler that is handed on is one for the optimizer beside it, which `place` holds as well."""
        if scheduler is optimizer:
            return True
        scheduler = _if_any(scheduler)
        if isinstance(scheduler, cst.Call):
            given = [item.value for item in scheduler.args if self.values(item.value).kind is Kind.OPTIMIZER]
            scheduler = given[0] if len(given) == 1 else scheduler
        name, other = dotted(scheduler), dotted(optimizer)
        return name is not None and (name in (place, other) or (other is not None and self.belongs(name, other, at)))

    def _given(self, function: Function, scheduler: str, optimizer: str) -> bool:
        """Whether all calls of a function give a scheduler with its optimizer."""
        for call in self.values.calls_of(function):
            given = dict(arguments_by_parameter(function, call, self.values))
            if scheduler not in given or dotted(given[scheduler]) == "None":
                continue
            home = OptimizerPairs(self.program.home(call), self.values, self._asked)
            if optimizer not in given or not home._are_made_together(given[scheduler], None, given[optimizer], call):
                return False
        return True

    def _origin(self, place: str, at: cst.CSTNode) -> Origin | None:
        """The call that gives what a place holds, or the function whose parameter it is."""
        first, _, rest = place.partition(".")
        found = self._bindings(first, at)
        if len(found) != 1:
            return None
        if rest:
            return self._origin_of_field(found[0].value, rest)
        if found[0].how is How.PARAMETER:
            return "parameter", found[0].variable.owner
        value = _if_any(found[0].value) if found[0].value is not None else None
        if isinstance(value, cst.Call):
            return self._origin_of_call(value)
        name = dotted(value)
        return self._origin(name, found[0].node) if name is not None and name != place else None

    def _bindings(self, name: str, at: cst.CSTNode) -> list[Definition]:
        definitions = self.program.definitions
        variable = definitions.scopes.lookup(name, definitions.scopes.around(at))
        here = next((node for node in descendants(at) if isinstance(node, cst.Name) and node.value == name), None)
        read = definitions.of(here) if here is not None and not definitions.index.is_label(here) else ()
        every = read or (definitions.every(variable) if variable is not None else ())
        return [item for item in every if item.value is None or dotted(item.value) != "None"]

    def _origin_of_field(self, made: cst.BaseExpression | None, name: str) -> Origin | None:
        """What a new object is given for the parameter that it keeps in a field."""
        callees = self.values.callees.get(made, ()) if isinstance(made, cst.Call) else ()
        owner = made_class(self.program, self.values, made) if isinstance(made, cst.Call) else None
        if not isinstance(made, cst.Call) or owner is None or len(callees) != 1 or callees[0].name != "__init__":
            return None
        for parameter, given in arguments_by_parameter(callees[0], made, self.values):
            place = dotted(given)
            if place is not None and field_of(self.values, callees[0], owner, parameter) == name:
                return self._origin(place, made)
        return None

    def _origin_of_call(self, call: cst.Call) -> Origin | None:
        """What makes a scheduler for an optimizer that it is given goes back to that; else it makes both."""
        given = [item.value for item in call.args if self.values(item.value).kind is Kind.OPTIMIZER]
        place = dotted(given[0]) if len(given) == 1 else None
        if given:
            return self._origin(place, call) if place is not None else None
        return "call", call


def _if_any(value: cst.BaseExpression) -> cst.BaseExpression:
    """`value` of `value if test else None`."""
    match value:
        case cst.IfExp(body=one, orelse=cst.Name("None")) | cst.IfExp(body=cst.Name("None"), orelse=one):
            return one
    return value


def _stores(node: cst.Assign) -> Iterator[tuple[cst.Attribute, cst.BaseExpression]]:
    """The fields that an assignment fills, with what fills them."""
    for item in node.targets:
        elements = item.target.elements if isinstance(item.target, cst.Tuple) else []
        values = node.value.elements if isinstance(node.value, cst.Tuple) else []
        is_paired = bool(elements) and len(elements) == len(values)
        for number, target in enumerate([element.value for element in elements] or [item.target]):
            if isinstance(target, cst.Attribute):
                yield target, values[number].value if is_paired else node.value


def may_be_several(program: Program, values: Values, keys: frozenset[str]) -> bool:
    """Whether some optimizers are more than one, or made by other files."""
    if own_optimizers(program, keys) != keys:
        return True
    makers = [node for node, site in values.sites.items() if f"{MADE}{program.prefix}{site}" in keys]
    calls = [node for node in makers if isinstance(node, cst.Call)]
    return len(keys) > 1 or any(_runs_again(program, values, call, set()) for call in calls)


def _runs_again(program: Program, values: Values, call: cst.Call, seen: set[Function]) -> bool:
    home = program.home(call)
    function = home.function_around(call)
    for ancestor in home.index.ancestors(call):
        if isinstance(ancestor, (cst.FunctionDef, cst.Lambda)):
            break
        if isinstance(ancestor, _REPEATING):
            return True
    if function is None:
        return False
    calls = values.calls_of(function)
    if function in seen or len(calls) > 1:
        return True
    return any(_runs_again(program, values, item, seen | {function}) for item in calls)


__all__ = ["OptimizerPairs", "may_be_several"]

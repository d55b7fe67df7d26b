"""Report modules that become a part of a new module which an object keeps and trains, where they go on to be used by themselves.

class Trainer:
    def __init__(self, encoder):
        self.net = Critic(encoder)

first, second = Trainer(encoder), Trainer(encoder)

In torch both train the same `encoder`; in JAX there are two from the first step on. Where one name is enough, the caller goes on
with it (`normalize/kept_modules.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.facts.given_modules import LENT
from torch2jax.facts.infer import all_marks
from torch2jax.plan.model import Facts, Plan
from torch2jax.plan.sharing import held_places, is_field_of_plain_layers, is_read, makes_module
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

EventsOfField = Callable[[Function | None, str], set[str]]
Takers = Callable[[Function, str], Iterator[tuple[Function, str]]]
_MOVING = frozenset({"value", "state"})
_DEPTH = 3  # functions that hand a module on to each other


def find_parts(facts: Facts, plan: Plan) -> None:
    """Note the fields that hold a new module with arguments as its parts: (function, node, left place, right place)."""
    for node in facts.program.index.every(cst.Assign):
        function = facts.program.function_around(node)
        if function is None or function.self_name is None or function.owner is None or function.owner.is_module:
            continue
        if not _is_new_module(facts, node.value):
            continue
        made = dotted(node.targets[0].target)
        places = [made, *(left for other, _, left, right in plan.aliases if other is function and right == made)]
        fields = [place for place in places if place is not None and place.startswith(f"{function.self_name}.")]
        given = [name for name in held_places(facts, node.value) if "." not in name]
        plan.parts += [
            (function, node, place, name)
            for place in fields
            for name in given
            if not is_field_of_plain_layers(facts, place, name, node.value)
        ]


def _is_new_module(facts: Facts, node: cst.BaseExpression) -> bool:
    """Whether an expression is a new module that keeps some module that it is given."""
    if not isinstance(node, cst.Call) or facts.values(node).kind is not Kind.MODULE or not makes_module(facts, node):
        return False
    items = [facts.program.class_by_key.get(name) for name in facts.values(node).types]
    fields = [value for item in items if item is not None for _, value in item.all_fields()]
    sites = {site for value in fields if value.kind is Kind.MODULE for site in value.sites}
    return not any(items) or any(sites & facts.values(item.value).sites for item in node.args)


class SharedParts:
    """What becomes of the arguments of functions as parts of modules that objects train."""

    def __init__(
        self,
        facts: Facts,
        plan: Plan,
        calls: Mapping[Function | None, Sequence[cst.Call]],
        events: EventsOfField,
        taken_over: Takers,
    ) -> None:
        self.facts = facts
        self.plan = plan
        self.calls = calls
        self.events = events
        self.taken_over = taken_over

    def check_call(
        self, caller: Function | None, call: cst.Call, reached: Function, parameter: str, place: str
    ) -> None:
        """Report an argument that is trained by an object, or as a part of something else, and read again by the caller."""
        of_fields = (left for _, left in self.taken_over(reached, parameter)) if "." in place else iter(())
        kept = next(iter((*self.trained(reached, parameter), *of_fields)), None)
        if kept is not None and not self.comes_back(caller, place) and self.is_read_again(caller, call, place):
            self.plan.problem(call, "T2J303", name=place, other=kept)

    def comes_back(self, caller: Function | None, place: str) -> bool:
        """Whether the place of an argument is bound to what the object has made of it."""
        return any(
            function is caller and left == place and "." in right and self.facts.values(node.value).kind is Kind.MODULE
            for function, node, left, right in self.plan.aliases
        )

    def note_taken(self) -> None:
        """Note for other files which functions let an object train what they are given, and do not give it back."""
        for function in self.facts.program.functions.values():
            for parameter in function.parameter_names if function.name != "__init__" else ():
                kept = next(self.trained(function, parameter), None)
                if kept is not None:
                    self.plan.taken[function, parameter] = kept

    def check_fields(self) -> None:
        """Report fields with one module in both of them, as a part or as it is: one of the two trains, and the other is read."""
        for function, node, left, right in self.plan.parts:
            for other, second, kept, given in (*self.plan.aliases, *self.plan.parts):
                if other is function and given == right and kept != left and self.is_one(node, second, right):
                    fields = (left, kept), (kept, left)
                    if any("value" in self.events(function, a) and is_read(self.facts, b) for a, b in fields):
                        self.plan.problem(node, "T2J303", name=left, other=kept)

    def is_one(self, first: cst.Assign, second: cst.Assign, name: str) -> bool:
        """Whether a variable may hold one module in two assignments of a file."""
        if first not in self.facts.program.index.parents or second not in self.facts.program.index.parents:
            return False
        one, two = (self.sites(node, name) for node in (first, second))
        return bool(one & two) or not one or not two

    def sites(self, node: cst.Assign, name: str) -> set[object]:
        """Where what a variable holds in an assignment was made."""
        found = [
            item for item in (node.value, *descendants(node.value)) if isinstance(item, cst.Name) and item.value == name
        ]
        return {site for item in found for site in self.facts.values(item).sites}

    def trained(self, function: Function, parameter: str, depth: int = _DEPTH) -> Iterator[str]:
        """The fields that a function, or one that it calls, keeps an argument in, and whose module changes."""
        for owner, _, left, right in self.plan.parts:
            if owner is function and right == parameter and _MOVING & self.events(function, left):
                yield left
        if (function, parameter) in self.plan.taken:
            yield self.plan.taken[function, parameter]
        is_given_back = (LENT, function.key, parameter) in {mark[:3] for mark in all_marks(self.facts.program)}
        for call in self.calls.get(function, ()) if depth else ():
            for callee in self.facts.values.callees.get(call, ()):
                if callee.owner is None or not callee.owner.is_module:
                    for name, given in arguments_by_parameter(callee, call, self.facts.values):
                        if dotted(given) == parameter:
                            yield from self.trained(callee, name, depth - 1)
                            if not is_given_back:
                                yield from (left for _, left in self.taken_over(callee, name))

    def is_read_again(self, caller: Function | None, call: cst.Call, place: str) -> bool:
        """Whether what a call is given is read elsewhere: behind it, beside it, or by the next one."""
        root, dot, _ = place.partition(".")
        index = self.facts.program.index
        statement = index.statement_of(call)
        if root in self.facts.flows.liveness(caller).after_statement(statement):
            return True
        around = [item for item in index.ancestors(call) if isinstance(item, cst.BaseComp)]
        if around or (dot and caller is not None and root == caller.self_name and is_read(self.facts, place)):
            return True
        own = set(descendants(call))
        if any(
            isinstance(node, cst.Name) and node.value == root and node not in own for node in descendants(statement)
        ):
            return root != (caller.self_name if caller is not None else None)
        return any(
            function is caller and right == place and is_read(self.facts, left)
            for function, _, left, right in self.plan.aliases
        )


__all__ = ["SharedParts", "find_parts"]

"""Names for what is threaded: keys and states stand in variables of their own, whatever the program calls its own.

    state = env.reset()                        state = env.reset()
    out = net(state)                     ->    out, net_state = net(state, net_state)

A name is free in a function if no code in it, nor in functions inside of it, names a variable so (also not one from around it). A
name is free at module level if no code of the module names a variable of the module so, in functions and classes, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

import libcst as cst

from torch2jax.facts.training import Flows, Step
from torch2jax.program.flow import flow_of
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.syntax.walk import descendants, own_nodes


class OwnNames:
    """Which names mean something in a program, and the names that were given besides, by the scope they stand in."""

    def __init__(self, program: Program, flows: Flows) -> None:
        self._program = program
        self._flows = flows
        self._scopes: dict[str, frozenset[Function | None]] = {}
        self._given: dict[Function | Class | None, set[str]] = {}

    def fresh(self, function: Function | None, wishes: Iterable[str], users: Iterable[Function] = ()) -> str:
        """The first of some names that is free in a scope and in the functions that read it from there; it is given away."""
        wishes = list(wishes)
        given = self._given.setdefault(function, set())
        scopes = [function, *users]
        for name in _numbered(wishes):
            if name not in given and not any(self.is_taken(scope, name) for scope in scopes):
                given.add(name)
                return name
        raise AssertionError("there are enough numbers")

    def fresh_field(self, owner: Class, wishes: Iterable[str]) -> str:
        """The first of some names that no field, method or class variable of a class or its relatives has; it is given away."""
        taken = self._given.setdefault(owner, set())
        taken |= {name for item in self._relatives(owner) for name in _members(item)}
        name = next(wish for wish in _numbered(list(wishes)) if wish not in taken)
        taken.add(name)
        return name

    def is_taken(self, function: Function | None, name: str) -> bool:
        """Whether code of the program names a variable so that is seen in a function, or at module level."""
        return function in self.scopes(name)

    def scopes(self, name: str) -> frozenset[Function | None]:
        """The functions in which a name means something (None: the module, one of its variables)."""
        if name not in self._scopes:
            self._scopes[name] = frozenset(self._find_scopes(name)) if self._program.mentions(name) else frozenset()
            if name in self._program.module_env:
                self._scopes[name] |= {None}  # it may come from an import of all names
        return self._scopes[name]

    def _find_scopes(self, name: str) -> set[Function | None]:
        found: set[Function | None] = set()
        index = self._program.index
        for node in index.names:
            if node.value != name or index.is_label(node) or self._is_member(node):
                continue
            around = list(self._functions_around(node))
            found.update(around)
            if not any(is_bound(self._flows, function, name) for function in around):
                found.add(None)
        return found

    def _functions_around(self, node: cst.Name) -> Iterable[Function]:
        parent = self._program.index.parents[node]
        names_itself = isinstance(parent, cst.FunctionDef) and parent.name is node
        function = self._program.function_around(parent if names_itself else node)
        while function is not None:
            yield function
            function = function.outer

    def _is_member(self, node: cst.Name) -> bool:
        """Whether a name stands in the body of a class that binds it."""
        child: cst.CSTNode = node
        for ancestor in self._program.index.ancestors(node):
            if isinstance(ancestor, (cst.FunctionDef, cst.Lambda)) and child is not getattr(ancestor, "name", None):
                return False
            if isinstance(ancestor, cst.ClassDef):
                return child is ancestor.body and _binds(ancestor, node.value)
            child = ancestor
        return False

    def _relatives(self, owner: Class) -> list[Class]:
        """A class with those that it is made from and that are made from it."""
        below = [item for item in self._program.class_by_key.values() if owner in item.lineage]
        return [owner, *owner.lineage, *(other for item in below for other in item.lineage)]


_OF_STEPS = {
    "loss_fn": "compute_loss",
    "grads": "gradients",
    "updates": "changes",
    "params": "trained",
    "static": "others",
    "opt_state": "optimizer_state",
    "state": "module_state",
}
_OF_LOSSES = frozenset({"models", "params", "primals", "static", "state"})  # that the function of the loss uses


def names_of_step(step: Step, program: Program, key: str) -> dict[str, str]:
    """What the function of a training step calls its own variables, by their usual names: none as a global variable that the
    loss reads, or as a variable that it binds in their function. Its inputs take another name there (see `rewrite.training`).
    """
    parts = [*step.forward, step.loss]
    nodes = [node for part in parts for node in descendants(part) if isinstance(node, cst.Name)]
    used = {node.value for node in nodes if not program.index.is_label(node)}
    given = {*step.inputs, *step.models, *step.trained, dotted(step.optimizer)}
    found: dict[str, str] = {}
    several = {"models": "trained_models"} if len(step.trained) > 1 else {}
    several |= {"primals": "starts"} if step.carried else {}
    for name, other in {**_OF_STEPS, **several, key: f"rng_{key}"}.items():
        is_local = name in step.written
        meets = name in used and name not in given and (not is_local or name in _OF_LOSSES or name == key)
        taken = used | given | set(found.values())
        found[name] = next(wish for wish in _numbered([other]) if wish not in taken) if meets else name
    if step.carries:
        found["loss_fn"] = next(wish for wish in _numbered(["forward"]) if wish not in used | given)
    return found


def states_of_step(step: Step, stateful: Sequence[str], names: Mapping[str, str]) -> dict[str, str]:
    """What the function of a training step calls the states of the modules in it: `state`, or each one's with its name."""
    if len(stateful) < 2:
        return dict.fromkeys(stateful, names["state"])
    nodes = [node for part in (*step.forward, step.loss) for node in descendants(part) if isinstance(node, cst.Name)]
    taken = {*(node.value for node in nodes), *step.inputs, *step.models, *names.values(), str(dotted(step.optimizer))}
    found: dict[str, str] = {}
    for place in stateful:
        wishes = _numbered([f"{place.rpartition('.')[2]}_state"])
        found[place] = next(wish for wish in wishes if wish not in taken)
        taken.add(found[place])
    return found


def is_bound(flows: Flows, function: Function, name: str) -> bool:
    """Whether a name is a variable of a function."""
    flow = flows.liveness(function).flow
    given = [*function.parameter_names, function.star_name, function.double_star_name]
    bound = name in given or any(name in (*found.defs, *found.may_defs) for found in flow.accesses_by_index)
    return bound and name not in flow.global_names | flow.nonlocal_names


def _numbered(wishes: list[str]) -> Iterable[str]:
    yield from wishes
    for number in count(1):
        yield f"{wishes[-1]}_{number}"


def _binds(node: cst.ClassDef, name: str) -> bool:
    return any(name in (*found.defs, *found.may_defs) for found in flow_of(node).accesses_by_index)


def _members(owner: Class) -> set[str]:
    """What instances of a class have besides its fields of a known kind: class variables, methods, whatever is stored."""
    found = {name for name, _ in owner.all_fields()} | set(owner.methods)
    for item in flow_of(owner.node).accesses_by_index:
        found.update(item.defs, item.may_defs)
    for method in owner.methods.values():
        found.update(
            node.attr.value
            for node in own_nodes(method.node)
            if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name)
            if node.value.value == method.self_name
        )
    return found


__all__ = ["OwnNames", "is_bound", "names_of_step"]

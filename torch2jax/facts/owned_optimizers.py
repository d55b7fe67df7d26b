"""What an optimizer trains where several modules may be meant: by how an object makes it, and by what calls are given.

`agent.critic.optimizer` trains `agent.critic.network`:

class Critic:
    def __init__(self, lr):
        self.network = Network()
        self.optimizer = Adam(self.network.parameters(), lr)

Objects of one class have their modules from one line, so that where these are made does not tell them apart.

`run(teacher, optimizer_of_teacher)` and `run(student, optimizer_of_student, teacher)` train their first argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.parameters import optimized
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Program, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def trained_beside(optimizer: cst.BaseExpression, values: Values) -> tuple[str, ...]:
    """The places of the modules that the optimizer in a field of an object trains; none where that is not for sure."""
    if not isinstance(optimizer, cst.Attribute):
        return ()
    owner, value = dotted(optimizer.value), values(optimizer.value)
    if owner is None or value.kind is not Kind.OBJECT or len(value.types) != 1:
        return ()
    item = values.program.class_by_key.get(next(iter(value.types)))
    made = _only_value(item, optimizer.attr.value, values.program) if item is not None else None
    if item is None or not isinstance(made, cst.Call):
        return ()
    found = optimized(made, values.program.home(made).definitions, values)
    roots = [dotted(root) for root in found.roots] if found is not None and not found.grouped else []
    fields = [str(root).removeprefix("self.") for root in roots]
    if not roots or any(root != f"self.{name}" or "." in name for root, name in zip(roots, fields, strict=True)):
        return ()
    is_kept = all(_only_value(item, name, values.program) is not None for name in fields)
    return tuple(f"{owner}.{name}" for name in fields) if is_kept else ()


def trained_at_calls(optimizer: cst.BaseExpression, places: Sequence[str], values: Values) -> tuple[str, ...]:
    """The parameter of a function whose modules its parameter `optimizer` trains wherever the function is called; none if calls
    differ in that, or if one of them leaves it open.
    """
    function = values.program.function_running(optimizer)
    name = dotted(optimizer)
    if function is None or name not in function.parameter_names:
        return ()
    found: set[str] = set()
    for call in function.callers:
        if not isinstance(call, cst.Call) or any(item.star for item in call.args):
            return ()
        given = dict(arguments_by_parameter(function, call, values))
        if name not in given or values(given[name]).kind is Kind.NONE:
            continue  # nothing is trained there
        sites = values(given[name]).sites
        known = {place: values(given[place]) for place in places if place in given}
        if not sites or any(not value.sites and value.kind is not Kind.NONE for value in known.values()):
            return ()
        trained = [place for place, value in known.items() if value.sites & sites]
        if len(trained) != 1:
            return ()
        found.update(trained)
    return tuple(found) if len(found) == 1 else ()


def _only_value(item: Class, name: str, program: Program) -> cst.BaseExpression | None:
    """What `__init__` gives a field, where nothing else in the program gives a field of this name anything later."""
    if any(name in file.changed_fields or _is_set_through(file, name) for file in program.files):
        return None
    stores = [store for part in item.lineage for store in _stores(part.node, name)]
    init = item.method("__init__")
    if len(stores) != 1 or init is None or stores[0] not in set(descendants(init.node)):
        return None
    return stores[0].value


def _is_set_through(program: Program, name: str) -> bool:
    """Whether a file gives a field of an object something that is no variable: `self.critic.optimizer = ...`."""
    return any(
        node.attr.value == name
        and not isinstance(node.value, cst.Name)
        and isinstance(program.index.parents[node], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign))
        for node in program.index.attributes
    )


def _stores(node: cst.CSTNode, name: str) -> Iterator[cst.Assign | cst.AnnAssign]:
    """The assignments to a field of any object."""
    for part in descendants(node):
        if isinstance(part, (cst.Assign, cst.AnnAssign)):
            targets = [target.target for target in part.targets] if isinstance(part, cst.Assign) else [part.target]
            if any(isinstance(target, cst.Attribute) and target.attr.value == name for target in targets):
                yield part


__all__ = ["trained_at_calls", "trained_beside"]

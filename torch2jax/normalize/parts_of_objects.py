"""Parts that a plain object has twice, by a field and in a container in another field, normalized to those in the container.

self.conv = nn.Conv2d(3, 3, 5)               ->   conv = nn.Conv2d(3, 3, 5)
self.net = nn.Sequential(pad, self.conv)          self.net = nn.Sequential(pad, conv)
...                                               ...
self.conv.weight.data.copy_(kernel)               self.net[1].weight.data.copy_(kernel)

In torch both are the same module; where modules are values, the object would hold two.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.kept_fields import stores_of
from torch2jax.normalize.collected_parts import changes_elsewhere
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.scratch_fields import is_asked_early, is_set_before, names_of, stands_before
from torch2jax.normalize.unread_fields import WrittenField, is_known_whole, is_stored, reads_of, speaks_of_all_fields
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.edits import always
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_CONTAINERS = frozenset({"torch.nn.Sequential", "torch.nn.ModuleList"})


def normalize_parts_of_objects(work: NormalizationRound) -> None:
    """Normalize all such fields of a file where modules are values."""
    if work.effects is None or not work.effects.threads or speaks_of_all_fields(work):
        return
    for owner in work.program.classes.values():
        method = owner.methods.get("__init__")
        if owner.is_module or method is None:
            continue
        for line in method.node.body.body:
            for holder, position, part in _members(work, owner, line, method):
                _normalize(work, owner, method, line, holder, position, part)


def _members(
    work: NormalizationRound, owner: Class, line: cst.CSTNode, method: Function
) -> Iterator[tuple[str, int, str]]:
    """The fields with parts that a line of `__init__` puts into a container: its field, the place in it, and theirs."""
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)], value=cst.Call() as made)]
        ) if work.values.torch_name(made.func) in _CONTAINERS:
            pass
        case _:
            return
    holder = target.attr.value
    if dotted(target.value) != method.self_name or len(stores_of(owner, holder)) != 1:
        return
    if changes_elsewhere(work, owner, target, holder):
        return
    match made.args:
        case [cst.Arg(value=cst.List(elements=elements) | cst.Tuple(elements=elements), star="")]:
            given: list[cst.CSTNode] = [
                item if isinstance(item, cst.StarredElement) else item.value for item in elements
            ]
        case args:
            given = [item if item.star or item.keyword is not None else item.value for item in args]
    if any(isinstance(item, (cst.StarredElement, cst.Arg)) for item in given):
        return
    names = [item.attr.value if isinstance(item, cst.Attribute) else None for item in given]
    for position, item in enumerate(given):
        if isinstance(item, cst.Attribute) and dotted(item.value) == method.self_name:
            if names.count(item.attr.value) == 1 and item.attr.value != holder:
                yield holder, position, item.attr.value


def _normalize(
    work: NormalizationRound, owner: Class, method: Function, line: cst.CSTNode, holder: str, position: int, name: str
) -> None:
    own = [
        node for node in descendants(method.node.body, cst.Attribute) if dotted(node) == f"{method.self_name}.{name}"
    ]
    stores = [node for node in own if is_stored(work, node)]
    values = stores_of(owner, name)
    if len(stores) != 1 or len(values) != 1 or not isinstance(values[0], cst.Call):
        return
    item = WrittenField(name, owner, stores)
    if work.values(values[0]).kind is not Kind.MODULE or not is_known_whole(work, item, of_parts=True):
        return
    reads = list(reads_of(work, item))
    early = [node for node in reads if stands_before(work, method, node, line)]
    late = [node for node in reads if node not in early]
    if not late or any(is_stored(work, node) or not _is_own(work, node) for node in late):
        return
    is_first = stands_before(work, method, stores[0], line) and is_set_before(work, method, stores, early)
    if not is_first or is_asked_early(work, method, line, late):
        return
    chosen = work.names_at(stores[0])(name) if name in names_of(work, method) else name
    for node in (*stores, *early):
        work.edits.replace(node, always(cst.Name(chosen)))
    for node in late:
        index = cst.SubscriptElement(cst.Index(cst.Integer(str(position))))
        place = node.with_changes(attr=cst.Name(holder))
        work.edits.replace(node, always(cst.Subscript(place, [index])))


def _is_own(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a method reads a field of its own object."""
    function = work.program.function_around(node)
    return function is not None and function.self_name is not None and dotted(node.value) == function.self_name


__all__ = ["normalize_parts_of_objects"]

"""Tensors in the slots of lists and dicts that plain objects keep, changed in place: where each slot has a tensor of its own,
the line is right as it stands, since whoever has the container finds the new tensor in its slot.

class Cache:
    def __init__(self, n, length, width):
        self.keys = [torch.zeros(length, width) for _ in range(n)]
    def update(self, layer, start, k):
        self.keys[layer][start : start + len(k)] = k       (settled)

A may-analysis over the file: all that may put a tensor into a field of this name must make the tensor. Who has taken one out of a
slot, and would not see the change, is told by `normalize/object_fields.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.normalize.object_fields import SlotWrite, are_related, slot_writes
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.view_writes import may_change
from torch2jax.ops.python import STORES_ONE, changes_container, stores_arguments
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_READERS = frozenset({"len", "enumerate", "zip", "list", "tuple", "range", "sum", "min", "max", "isinstance", "iter", "reversed", "print"})  # fmt: skip
_EMPTY = frozenset({"list", "dict", "OrderedDict", "collections.OrderedDict"})


def normalize_slot_writes(work: NormalizationRound) -> None:
    """Settle all such lines of a file."""
    if work.effects is None or work.flows is None:
        return
    owned: dict[tuple[str, frozenset[str]], bool] = {}
    for write in slot_writes(work):
        key = write.place.attr.value, work.values(write.place.value).types
        if key not in owned:
            owned[key] = all(_is_harmless(work, node) for node in _fields(work, *key))
        if owned[key] and not _changes_more(work, write):
            work.settled.add(write.line)


def _fields(work: NormalizationRound, name: str, classes: frozenset[str]) -> Iterator[cst.Attribute]:
    """The places of a file that name a field of objects of some classes, or may do so."""
    for node in work.index.attributes:
        owner = work.values(node.value)
        is_other = owner.kind is Kind.OBJECT and owner.types and not are_related(work, owner.types, classes)
        if node.attr.value == name and not is_other:
            yield node


def _changes_more(work: NormalizationRound, write: SlotWrite) -> bool:
    """Whether the line of a write changes another tensor as well."""
    return any(node is not write.node and may_change(work, node) for node in descendants(write.line, cst.Call))


def _is_harmless(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether what stands around a field, or a slot of it, puts no tensor into the container that something else may hold."""
    parents = work.index.parents
    child: cst.CSTNode = node
    parent = parents[node]
    while isinstance(parent, cst.Subscript) and parent.value is child and work.values(child).kind is not Kind.TENSOR:
        child, parent = parent, parents[parent]
    if isinstance(child, cst.Subscript) and work.values(child).kind is Kind.TENSOR and not _is_target(parent, child):
        return True
    match parent:
        case cst.Subscript(value=value):
            return value is child
        case cst.AssignTarget():
            made = work.set_alone(child)
            return made is not None and _is_own(work, made)
        case cst.AnnAssign(value=value):
            return value is None or _is_own(work, value)
        case cst.Attribute(attr=cst.Name(method)):
            call = parents[parent]
            return isinstance(call, cst.Call) and call.func is parent and _is_harmless_call(work, call, method, child)
        case cst.Arg():
            call = parents[parent]
            return isinstance(call, cst.Call) and _only_reads(work, call)
        case cst.For() | cst.CompFor():
            return parent.iter is child
    return isinstance(parent, (cst.Comparison, cst.ComparisonTarget, cst.If, cst.While, cst.UnaryOperation, cst.BooleanOperation, cst.Del))  # fmt: skip


def _only_reads(work: NormalizationRound, call: cst.Call) -> bool:
    name = work.values.torch_name(call.func) or dotted(call.func)
    return not work.values.callees.get(call) and name is not None and (name in _READERS or name.startswith("torch."))


def _is_target(parent: cst.CSTNode, child: cst.CSTNode) -> bool:
    return isinstance(parent, (cst.AssignTarget, cst.AnnAssign)) and parent.target is child


def _is_harmless_call(work: NormalizationRound, call: cst.Call, method: str, owner: cst.CSTNode) -> bool:
    """Whether a method of the container puts nothing into it but tensors that are made there."""
    kind = work.values(owner).kind
    if kind not in (Kind.LIST, Kind.DICT):
        return False
    if not changes_container(method, kind) or not stores_arguments(method, kind):
        return True
    if method in STORES_ONE:
        return all(_is_own(work, item.value) for item in call.args)
    return all(_is_own(work, item.value) and isinstance(item.value, (cst.List, cst.Dict)) for item in call.args)


def _is_own(work: NormalizationRound, node: cst.BaseExpression | None) -> bool:
    """Whether an expression makes all of the tensors that it holds, each for one slot."""
    match node:
        case cst.List(elements=elements) | cst.Dict(elements=elements):
            return all(not isinstance(item, _STARRED) and _is_own(work, item.value) for item in elements)
        case cst.ListComp(elt=made) | cst.DictComp(value=made):
            return _is_own(work, made)
        case cst.Call() if dotted(node.func) in _EMPTY and not node.args:
            return True
        case cst.BinaryOperation(left=cst.List(elements=elements), operator=cst.Multiply()):
            return all(work.values(item.value).kind is Kind.NONE for item in elements)
    if node is None or work.values(node).kind in (Kind.NONE, Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR):
        return True
    return work.values(node).kind is Kind.TENSOR and work.values.makes_its_own(node)


_STARRED = (cst.StarredElement, cst.StarredDictElement)

__all__ = ["normalize_slot_writes"]

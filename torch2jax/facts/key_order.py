"""Where the order of the keys of dicts is looked at: JAX sorts them wherever a dict goes through one of its transformations.

batch = {"query": q, "key": k}
loss = train_step(model, batch)        in `train_step`, `batch.values()` would give the key first

An `OrderedDict` keeps its order (JAX's documentation of pytrees).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.captures import code_of
from torch2jax.facts.infer import Values
from torch2jax.ops.python import changes_container
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Program, dotted
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_VIEWS = ("items", "keys", "values")
_IN_ORDER = ("enumerate", "iter", "list", "map", "print", "repr", "reversed", "str", "tuple", "zip")
_WITHOUT_ORDER = ("all", "any", "dict", "len", "max", "min", "set", "sorted", "sum")


def looks_at_order(nodes: Sequence[cst.CSTNode], values: Values) -> bool:
    """Whether code, with all that it calls, may go through the keys of a dict one after the other."""
    inside = (node for root, _ in code_of(nodes, values) for node in descendants(root))
    return any(True for node in inside for _ in _seen(node, values))


def _seen(node: cst.CSTNode, values: Values) -> Iterator[cst.BaseExpression]:
    """The dicts whose order a node, without its parts, looks at."""
    parts: list[cst.BaseExpression] = []
    match node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name)), args=[]) if name in _VIEWS:
            if values(owner).kind in (Kind.DICT, Kind.UNKNOWN) and not _forgets_order(node, values):
                yield owner
        case cst.For(iter=iterated) | cst.CompFor(iter=iterated):
            parts = [iterated]
        case cst.Call(func=cst.Name(name), args=arguments) if name in _IN_ORDER:
            parts = [item.value for item in arguments]
        case cst.FormattedStringExpression(expression=shown):
            parts = [shown]
    yield from (part for part in parts if values(part).kind is Kind.DICT)


def _forgets_order(call: cst.Call, values: Values) -> bool:
    """Whether a view is only counted, sorted, summed or the like: `sum(losses.values())`."""
    parents = values.program.index.parents
    parent = parents.get(parents.get(call, call))
    return isinstance(parent, cst.Call) and isinstance(parent.func, cst.Name) and parent.func.value in _WITHOUT_ORDER


def holds_dict(value: Value, depth: int = 3) -> bool:
    """Whether a value is a dict, or holds one."""
    if value.kind is Kind.DICT:
        return True
    parts = [*(value.items or ()), *([value.elem] if value.elem is not None else ())]
    return depth > 0 and value.kind in (Kind.LIST, Kind.TUPLE) and any(holds_dict(part, depth - 1) for part in parts)


def is_flat(value: Value) -> bool:
    """Whether a dict holds no other ones."""
    return value.kind is Kind.DICT and not (value.elem is not None and holds_dict(value.elem))


def is_seen_outside(nodes: Sequence[cst.CSTNode], values: Values, place: str | None = None) -> bool:
    """Whether other code of the file than `nodes` may look at the order of a dict (of the one that is kept in a place)."""
    inside = {node for part in nodes for node in descendants(part)}
    seen = (item for node in values.program.index.nodes if node not in inside for item in _seen(node, values))
    return any(place is None or dotted(item) == place for item in seen)


def unsorted_fields(item: Class, values: Values) -> frozenset[str]:
    """The dicts in fields of a module whose order the file may look at, and that JAX would change."""
    found = set()
    for name, value in item.fields.items():
        assignment = assignment_of(item, name, values) if value.kind is Kind.DICT else None
        if assignment is not None and not has_sorted_keys(assignment.value) and _is_field_seen(name, values):
            found.add(name)
    return frozenset(found)


def assignment_of(item: Class, name: str, values: Values) -> cst.Assign | None:
    """The first assignment to a field of a class."""
    parents = values.program.index.parents
    line = parents.get(parents.get(item.field_nodes.get(name, item.node), item.node))
    return line if isinstance(line, cst.Assign) else None


def _is_field_seen(name: str, values: Values) -> bool:
    """Whether the order of a field may be looked at, under its own name or another one that it is given."""
    index = values.program.index
    seen = [owner for node in index.nodes for owner in _seen(node, values)]
    if any(isinstance(owner, cst.Attribute) and owner.attr.value == name for owner in seen):
        return True
    others = [owner for owner in seen if not isinstance(owner, cst.Attribute)]
    return bool(others) and any(node.attr.value == name and _is_handed_on(node, values) for node in index.attributes)


def _is_handed_on(node: cst.Attribute, values: Values) -> bool:
    """Whether a field is read as a whole, so that another name may stand for it."""
    parent = values.program.index.parents.get(node)
    return not isinstance(parent, (cst.Subscript, cst.Attribute, cst.AssignTarget, cst.ComparisonTarget))


def is_new_dict(node: cst.BaseExpression, values: Values) -> bool:
    """Whether nobody else has a dict yet; a parameter's is new if all calls in sight write it out."""
    if not isinstance(node, cst.Name):
        return isinstance(node, (cst.Dict, cst.DictComp, cst.Call))
    function = values.program.function_around(node)
    if function is None:
        return False
    is_label = values.program.index.is_label
    names = [item for item in descendants(function.node.body) if isinstance(item, cst.Name) and not is_label(item)]
    if [item.value for item in names].count(node.value) != 1:
        return False
    calls = [call for call in function.callers if isinstance(call, cst.Call)]
    given = [dict(arguments_by_parameter(function, call, values)).get(node.value) for call in calls]
    return bool(given) and all(isinstance(item, (cst.Dict, cst.DictComp)) for item in given)


def are_changed(values: Values) -> bool:
    """Whether a dict of the file is changed where it is."""
    return any(values(owner).kind is Kind.DICT for owner in _changed_containers(values))


def changed_by_giver(node: cst.BaseExpression, values: Values) -> str | None:
    """The variable that a caller gives for a parameter, and whose list or dict it changes where it is, behind the call."""
    program = values.program
    function = program.function_around(node)
    if not isinstance(node, cst.Name) or function is None:
        return None
    for call in function.callers:
        given = (
            dict(arguments_by_parameter(function, call, values)).get(node.value) if isinstance(call, cst.Call) else None
        )
        if isinstance(given, cst.Name) and _changes_behind(given.value, call, values, program.home(call)):
            return given.value
    return None


def _changes_behind(name: str, call: cst.CSTNode, values: Values, home: Program) -> bool:
    """Whether the file of a call changes the list or dict in a variable where it is, behind the call."""
    owners = [item for item in _changed_containers(values, home) if isinstance(item, cst.Name) and item.value == name]
    if not owners:
        return False
    order = home.index.order
    for owner in owners:
        loops = [item for item in home.index.ancestors(owner) if isinstance(item, (cst.For, cst.While))]
        if order[owner] > order.get(call, -1) or any(item in loops for item in home.index.ancestors(call)):
            return True
    return False


def _changed_containers(values: Values, home: Program | None = None) -> Iterator[cst.BaseExpression]:
    """The lists and dicts that a file changes where they are."""
    home = home or values.program
    kinds = (Kind.DICT, Kind.LIST) if home is values.program else (Kind.DICT, Kind.LIST, Kind.UNKNOWN)
    for node in home.index.nodes:
        match node:
            case cst.AssignTarget(target=cst.Subscript(value=owner)) | cst.AugAssign(target=cst.Subscript(value=owner)):
                if values(owner).kind in kinds:
                    yield owner
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(method))):
                kind = values(owner).kind
                if kind in kinds and changes_container(method, kind):
                    yield owner


def has_sorted_keys(node: cst.BaseExpression) -> bool:
    """Whether a dict is written out, with keys in the order that JAX gives them."""
    match node:
        case cst.Dict(elements=[_, *_] as elements):
            keys = [item.key.raw_value if isinstance(item, cst.DictElement) and isinstance(item.key, cst.SimpleString) else None
                    for item in elements]  # fmt: skip
        case cst.Call(func=cst.Name("dict"), args=[_, *_] as arguments):
            keys = [item.keyword.value if item.keyword is not None else None for item in arguments]
        case cst.Call(func=function):
            return dotted(function) in ("OrderedDict", "collections.OrderedDict")
        case _:
            return False
    return None not in keys and keys == sorted(map(str, keys))


__all__ = [
    "are_changed",
    "assignment_of",
    "changed_by_giver",
    "has_sorted_keys",
    "holds_dict",
    "is_flat",
    "is_new_dict",
    "is_seen_outside",
    "looks_at_order",
    "unsorted_fields",
]

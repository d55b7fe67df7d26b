"""NumPy arrays and tensors that share their memory in torch, and of which one is changed while the other is still read.

    t = torch.from_numpy(a)      t and a are one array
    a[0] = 10                    torch sees it in t; a JAX array keeps what it was made of
    print(t)

A may-analysis over definitions: both variables must hold what they held where they came to share. The memory of a field of an
object (`torch.from_numpy(self.data[i])`), and of an argument that callers keep, is taken to be read by somebody.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.mutations import changes_values
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, Definitions, How
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import own_nodes
from torch2jax.values import Kind

_MAKERS = frozenset({"torch.as_tensor", "torch.asarray"})
_SAME_MEMORY = frozenset(
    {"detach", "cpu", "view", "reshape", "ravel", "squeeze", "unsqueeze", "t", "transpose", "permute"}
)
_VIEWS_OF_ARRAYS = frozenset({"reshape", "ravel", "squeeze", "swapaxes", "transpose", "view"})
_CHANGES_ARRAY = frozenset({"fill", "itemset", "partition", "put", "resize", "sort"})


def changed_numpy_aliases(values: Values) -> Iterator[tuple[cst.CSTNode, str, str]]:
    """Where an array or a tensor is changed, its name, and that of the other, which is read behind the change."""
    program = values.program
    if not any(program.mentions(word) for word in ("numpy", "from_numpy", "as_tensor", "asarray")):
        return
    definitions, order = program.definitions, program.index.order
    places = [(call, *pair) for call in program.index.calls if (pair := _shared(call, values)) is not None]
    shares = [
        _Shared(call, _Side(target, _bindings(definitions, target)), _Side(source, definitions.of(source)))
        for call, target, source in places
        if isinstance(source, cst.Name)
    ]
    for share in shares:
        own = (share.target.name, share.source.name)
        twins = [
            (share.target, other.target) for other in shares if other is not share and other.is_of(share, definitions)
        ]
        for changed, other in ((share.target, share.source), (share.source, share.target), *twins):
            for name in _changes_behind(values, order, changed, share.call):
                reads = (item for item in _names_of(definitions, other.name) if item not in (*own, other.name))
                if any(
                    _is_behind(definitions, order, read, name) and _holds(definitions, read, other.held)
                    for read in reads
                ):
                    yield name, changed.name.value, other.name.value
                    break
    for call, target, source in places:
        kept = _kept_by_others(source, values)
        changes = _changes_behind(values, order, _Side(target, _bindings(definitions, target)), call)
        if kept is not None and (first := next(changes, None)) is not None:
            yield first, target.value, kept


def _changes_behind(values: Values, order: dict[cst.CSTNode, int], side: _Side, call: cst.Call) -> Iterator[cst.Name]:
    """Where what a variable holds at a call that makes it share its memory may be changed behind that."""
    definitions = values.program.definitions
    for name in _names_of(definitions, side.name):
        if name is not side.name and _is_changed(name, values) and _holds(definitions, name, side.held):
            if _is_behind(definitions, order, name, call):
                yield name


def _kept_by_others(node: cst.BaseExpression, values: Values, depth: int = 4) -> str | None:
    """Who else has the memory of an array: a field, or whoever gave an argument."""
    while isinstance(node, cst.Subscript):
        node = node.value
    if isinstance(node, cst.Attribute):
        of_tensor = values(node.value).kind is Kind.TENSOR
        if of_tensor and node.attr.value == "data":
            return _kept_by_others(node.value, values, depth)
        of_tensor = of_tensor and node.attr.value == "grad"
        is_field = of_tensor or values(node.value).kind in (Kind.OBJECT, Kind.MODULE, Kind.DATASET)
        is_field = is_field and dotted(node) is not None
        return dotted(node) if is_field else None
    if not isinstance(node, cst.Name) or (bound := values.program.definitions.only(node)) is None or not depth:
        return None
    match bound.value if bound.how is How.NEXT else None:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters" | "buffers")), args=[]):
            return dotted(module)
    if bound.how is How.PARAMETER:
        function = values.program.function_around(node)
        return "a caller" if function is not None and _is_kept_by_callers(function, node.value, values) else None
    return (
        _kept_by_others(bound.value, values, depth - 1)
        if bound.how is How.ASSIGNED and bound.value is not None
        else None
    )


def _is_kept_by_callers(function: Function, parameter: str, values: Values) -> bool:
    """Whether callers give an argument that has a name; what they make for the call is nobody's."""
    calls = [call for call in function.callers if isinstance(call, cst.Call)]
    given = [
        value for call in calls for name, value in arguments_by_parameter(function, call, values) if name == parameter
    ]
    return not calls or any(dotted(value) is not None or isinstance(value, cst.Subscript) for value in given)


@dataclass(frozen=True, slots=True)
class _Side:
    """A variable, where it stands, and what it holds there."""

    name: cst.Name
    held: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class _Shared:
    """A call that gives the variable `target` a tensor, or an array, of the memory of that in `source`."""

    call: cst.Call
    target: _Side
    source: _Side

    def is_of(self, other: _Shared, definitions: Definitions) -> bool:
        """Whether two calls are given the same array."""
        variable = definitions.scopes.variable
        is_same = variable(self.source.name) == variable(other.source.name)
        return is_same and any(item in other.source.held for item in self.source.held)


def _bindings(definitions: Definitions, target: cst.Name) -> tuple[Definition, ...]:
    return tuple(item for item in definitions.every_of_name(target) if item.node is target)


def _shared(call: cst.Call, values: Values) -> tuple[cst.Name, cst.BaseExpression] | None:
    """The variable that holds the result of `torch.from_numpy(a)` or `t.numpy()`, and the place of the argument."""
    parents = values.program.index.parents
    name = values.torch_name(call.func)
    is_array = bool(call.args) and values(call.args[0].value).kind is Kind.PYTHON
    if call.args and (name == "torch.from_numpy" or (name in _MAKERS and is_array)):
        source: cst.BaseExpression = call.args[0].value
    elif isinstance(call.func, cst.Attribute) and call.func.attr.value == "numpy":
        source = call.func.value
    else:
        return None
    while isinstance(source, cst.Call) and isinstance(source.func, cst.Attribute):
        if source.func.attr.value not in _SAME_MEMORY:
            return None
        source = source.func.value
    while isinstance(source, cst.Subscript):
        source = source.value
    node: cst.CSTNode = call
    while (above := _view_of(node, parents)) is not None:
        node = above
    assign = parents.get(node)
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    target = assign.targets[0].target
    return (target, source) if isinstance(target, cst.Name) and target.value != dotted(source) else None


def _view_of(node: cst.CSTNode, parents: dict[cst.CSTNode, cst.CSTNode]) -> cst.CSTNode | None:
    """The call of `x.unsqueeze(0)` around `x`."""
    parent = parents.get(node)
    is_view = isinstance(parent, cst.Attribute) and parent.value is node and parent.attr.value in _SAME_MEMORY
    call = parents.get(parent) if is_view and parent is not None else None
    return call if isinstance(call, cst.Call) else None


def _names_of(definitions: Definitions, name: cst.Name) -> list[cst.Name]:
    """The names that stand for the same variable."""
    variable, index = definitions.scopes.variable(name), definitions.index
    same = (item for item in index.names if item.value == name.value and not index.is_label(item))
    return [item for item in same if definitions.scopes.variable(item) == variable]


def _holds(definitions: Definitions, name: cst.Name, held: tuple[Definition, ...]) -> bool:
    """Whether a variable may still hold what a binding gave it, or that changed by `+=`."""
    return any(item in held or item.how is How.AUGMENTED for item in definitions.of(name))


def _is_changed(name: cst.Name, values: Values) -> bool:
    """Whether the array in a variable is changed in place: `a[0] = 1`, `a += 1`, `t.add_(1)`, `a.fill(0)`."""
    parents = values.program.index.parents
    place: cst.CSTNode = name
    parent = parents[place]
    if isinstance(parent, cst.AugAssign):
        return parent.target is place and not values(name).is_number
    while isinstance(parent, cst.Subscript) and parent.value is place:
        place, parent = parent, parents[parent]
    if isinstance(parent, (cst.AssignTarget, cst.AugAssign)):
        return place is not name and parent.target is place
    if isinstance(parent, cst.Attribute) and isinstance(parents[parent], cst.Call) and parent.value is place:
        method, is_tensor = parent.attr.value, values(name).kind is Kind.TENSOR
        return changes_values(method) if is_tensor else method in _CHANGES_ARRAY
    return False


def _is_behind(definitions: Definitions, order: dict[cst.CSTNode, int], name: cst.Name, other: cst.CSTNode) -> bool:
    """Whether a variable may be read behind a node, with what it holds there: it stands below it, or in a loop with it that
    does not give it another value first."""
    index = definitions.index
    if index.function_of(name) is not index.function_of(other) or order[name] > order[other]:
        return True
    loops = {item for item in index.ancestors(other) if isinstance(item, (cst.For, cst.While))}
    bound = [
        item for item in definitions.every_of_name(name) if item.how is How.ASSIGNED and order[item.node] < order[name]
    ]
    renewed = {index.parents.get(index.parents[index.statement_of(item.node)]) for item in bound}
    return any(item in loops - renewed for item in index.ancestors(name))


def written_arrays(values: Values) -> frozenset[cst.Call]:
    """The calls of `t.numpy()` that make arrays which the program changes in place: a JAX array gives one that it cannot change."""
    found: set[cst.Call] = set()
    if values.program.mentions("numpy"):
        for name in values.program.index.names:
            if _is_changed(name, values) and values(name).kind is not Kind.TENSOR:
                found.update(_makers(name, values, set()))
    return frozenset(found)


def _makers(node: cst.CSTNode, values: Values, seen: set[cst.CSTNode]) -> Iterator[cst.Call]:
    """The calls of `t.numpy()` whose memory an array may have, through variables, views and functions."""
    if node in seen:
        return
    seen.add(node)
    match node:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(method))):
            if method == "numpy":
                yield node
            elif method in _VIEWS_OF_ARRAYS:
                yield from _makers(inner, values, seen)
        case cst.Subscript(value=inner) | cst.Attribute(value=inner, attr=cst.Name("T")):
            yield from _makers(inner, values, seen)
        case cst.IfExp(body=body, orelse=orelse):
            yield from (call for part in (body, orelse) for call in _makers(part, values, seen))
        case cst.Name():
            for item in values.program.definitions.of(node):
                if isinstance(item.node, cst.AugAssign):
                    yield from _makers(item.node.target, values, seen)
                elif item.how is How.ASSIGNED and item.value is not None:
                    yield from _makers(item.value, values, seen)
    for function in values.callees.get(node, ()) if isinstance(node, cst.Call) else ():
        for returned in (item for item in own_nodes(function.node) if isinstance(item, cst.Return)):
            if returned.value is not None and returned in values.program.index.parents:
                yield from _makers(returned.value, values, seen)


__all__ = ["changed_numpy_aliases", "written_arrays"]

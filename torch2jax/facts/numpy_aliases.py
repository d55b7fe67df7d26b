"""NumPy arrays and tensors that share their memory in torch, and of which one is changed while the other is still read.

    t = torch.from_numpy(a)      t and a are one array
    a[0] = 10                    torch sees it in t; a JAX array keeps what it was made of
    print(t)

A may-analysis over definitions: both variables must hold what they held where they came to share. The memory of a field of an
object (`torch.from_numpy(self.data[i])`), and of an argument that callers keep, is taken to be read by somebody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.mutations import changes_values
from torch2jax.facts.storage import VIEWS, index_step
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
_CHANGES_FIRST = frozenset(
    f"numpy.{name}"
    for name in ("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "random.shuffle")
)
_CHANGES_ARRAY = frozenset({"fill", "itemset", "partition", "put", "resize", "sort"})


def changed_numpy_aliases(values: Values) -> Iterator[tuple[cst.CSTNode, str, str]]:
    """Where an array or a tensor is changed, its name, and that of the other, which is read behind the change."""
    seen: set[tuple[cst.Name, cst.Name]] = set()
    for item in unsaid_changes(values):
        if (item.changed, item.other) not in seen:
            seen.add((item.changed, item.other))
            yield item.name, item.changed.value, item.other.value
    definitions = values.program.definitions
    for call, target, source in _places(values):
        kept = _kept_by_others(source, values)
        changes = _changes_behind(values, _Side(target, _bindings(definitions, target)), call)
        if kept is not None and (first := next(changes, None)) is not None:
            yield first, target.value, kept


@dataclass(frozen=True, slots=True)
class UnsaidChange:
    """A change of the array or tensor in `changed`, at `name`, that `other`, which has its memory and is read behind, is not
    told of; both names stand in the assignment of the call that makes them share it, or each in one of two. `kept` says
    whether what `other` holds goes by a third name.
    """

    name: cst.Name
    changed: cst.Name
    other: cst.Name
    call: cst.Call
    target: cst.Name
    reads: tuple[cst.Name, ...]
    kept: bool
    is_one_call: bool
    held: tuple[Definition, ...]


def unsaid_changes(values: Values) -> Iterator[UnsaidChange]:
    """The changes of what shares its memory with an array or a tensor of another name that is read behind."""
    definitions, order = values.program.definitions, values.program.index.order
    shares = _shares(values)
    made = {share.target.name for share in shares}
    for share, changed, other, name in _changes(values, shares):
        own = (share.target.name, share.source.name)
        if _is_told(values, name, other.name, made):
            continue
        reads = tuple(
            read
            for read in _names_of(definitions, other.name)
            if read not in (*own, other.name)
            and not _bindings(definitions, read)
            and _is_behind(definitions, order, read, name)
            and _holds(definitions, read, other.held)
        )
        if reads:
            is_one_call = other.name in own
            kept = any(
                _is_kept(read, values)
                for read in _names_of(definitions, other.name)
                if read not in own and _holds(definitions, read, other.held)
            )
            target = share.target.name
            yield UnsaidChange(name, changed.name, other.name, share.call, target, reads, kept, is_one_call, other.held)


def changes_of_pairs(values: Values) -> frozenset[tuple[cst.Name, str]]:
    """The changes of one of two variables that one call makes share their memory, with the name of the other one."""
    return frozenset((name, other.name.value) for _, _, other, name in _changes(values, _shares(values)))


def _shares(values: Values) -> list[_Shared]:
    definitions = values.program.definitions
    return [
        _Shared(call, _Side(target, _bindings(definitions, target)), _Side(source, definitions.of(source)))
        for call, target, source in _places(values)
        if isinstance(source, cst.Name)
    ]


def _changes(values: Values, shares: list[_Shared]) -> Iterator[tuple[_Shared, _Side, _Side, cst.Name]]:
    """What may be changed of each side of what shares its memory, the other side, and where."""
    definitions = values.program.definitions
    for share in shares:
        twins = [
            (share.target, other.target)
            for other in shares
            if other.is_of(share, definitions) and not _is_same(definitions, other.target.name, share.target.name)
        ]
        for changed, other in ((share.target, share.source), (share.source, share.target), *twins):
            for name in _changes_behind(values, changed, share.call):
                yield share, changed, other, name


def _places(values: Values) -> list[tuple[cst.Call, cst.Name, cst.BaseExpression]]:
    """The calls that make memory shared, with the variable of the result and the place of the argument."""
    if not any(values.program.mentions(word) for word in ("numpy", "from_numpy", "as_tensor", "asarray")):
        return []
    return [(call, *pair) for call in values.program.index.calls if (pair := _shared(call, values)) is not None]


def _is_kept(read: cst.Name, values: Values) -> bool:
    """Whether what is read goes by another name from then on, or is part of something that does."""
    parents = values.program.index.parents
    node: cst.CSTNode = read
    while (part := _part_of(node, parents)) is not None:
        node = part
    parent = parents[node]
    kept = (cst.Assign, cst.Element, cst.DictElement, cst.NamedExpr, cst.Yield)
    return isinstance(parent, kept) and values(node).is_a(Kind.TENSOR, Kind.PYTHON, Kind.UNKNOWN)


def _is_told(values: Values, name: cst.Name, other: cst.Name, made: Collection[cst.Name]) -> bool:
    """Whether the line behind a change gives the other name what is shared now."""
    index = values.program.index
    line = index.statement_of(name)
    block = index.parents.get(line)
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return False
    match next(iter(block.body[list(block.body).index(line) + 1 :]), None):
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)])]):
            return target in made and _is_same(values.program.definitions, target, other)
    return False


def _is_same(definitions: Definitions, left: cst.Name, right: cst.Name) -> bool:
    """Whether two names stand for the same variable."""
    return left.value == right.value and definitions.scopes.variable(left) == definitions.scopes.variable(right)


def _changes_behind(values: Values, side: _Side, call: cst.Call) -> Iterator[cst.Name]:
    """Where what a variable holds at a call that makes it share its memory may be changed behind that."""
    definitions, order = values.program.definitions, values.program.index.order
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
        is_same = _is_same(definitions, self.source.name, other.source.name)
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
        if values(source.value).kind is Kind.TENSOR and index_step(source, values) == "copy":
            return None
        source = source.value
    node: cst.CSTNode = call
    while (above := _view_of(node, parents)) is not None:
        node = above
    assign = parents.get(node)
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    target = assign.targets[0].target
    return (target, source) if isinstance(target, cst.Name) and target.value != dotted(source) else None


def _part_of(node: cst.CSTNode, parents: dict[cst.CSTNode, cst.CSTNode]) -> cst.CSTNode | None:
    """The row or view around `x` that has its memory: `x[0]`, `x.narrow(0, 1, 2)`, `x.numpy()`."""
    match parents.get(node):
        case cst.Subscript(value=base) as part if base is node:
            return part
        case cst.Attribute(value=base, attr=cst.Name(name)) as method if base is node:
            call = parents[method]
            is_method = isinstance(call, cst.Call) and call.func is method
            return call if is_method and name in VIEWS | {"numpy"} else method if name in ("T", "data") else None
    return None


def _view_of(node: cst.CSTNode, parents: dict[cst.CSTNode, cst.CSTNode]) -> cst.CSTNode | None:
    """The call of `x.unsqueeze(0)` around `x`."""
    parent = parents.get(node)
    is_view = isinstance(parent, cst.Attribute) and parent.value is node and parent.attr.value in _SAME_MEMORY
    call = parents.get(parent) if is_view and parent is not None else None
    return call if isinstance(call, cst.Call) else None


def _names_of(definitions: Definitions, name: cst.Name) -> list[cst.Name]:
    """The names that stand for the same variable."""
    index = definitions.index
    same = (item for item in index.names if item.value == name.value and not index.is_label(item))
    return [item for item in same if _is_same(definitions, item, name)]


def _holds(definitions: Definitions, name: cst.Name, held: tuple[Definition, ...]) -> bool:
    """Whether a variable may still hold what a binding gave it, or that changed by `+=`."""
    return any(item in held or item.how is How.AUGMENTED for item in definitions.of(name))


def _is_changed(name: cst.Name, values: Values) -> bool:
    """Whether the array in a variable is changed in place: `a[0] = 1`, `a += 1`, `t.add_(1)`, `np.add(a, 1, out=a)`."""
    parents = values.program.index.parents
    place: cst.CSTNode = name
    parent = parents[place]
    if isinstance(parent, cst.Arg):
        return _is_written_argument(parent, parents[parent], values)
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


def _is_written_argument(argument: cst.Arg, call: cst.CSTNode, values: Values) -> bool:
    """Whether a function of NumPy or torch writes to what it is given: `out=a`, `np.copyto(a, b)`."""
    if not isinstance(call, cst.Call):
        return False
    if argument.keyword is not None:
        return argument.keyword.value == "out"
    function = values(call.func)
    return call.args[0] is argument and function.kind is Kind.PYTHON and function.const in _CHANGES_FIRST


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


__all__ = ["UnsaidChange", "changed_numpy_aliases", "changes_of_pairs", "unsaid_changes", "written_arrays"]

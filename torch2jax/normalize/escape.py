"""Which variables of a function hold tensors that something else may come to hold, too: a container, an object, a closure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

import libcst as cst

from torch2jax.facts.infer import Values, keeps_arguments
from torch2jax.facts.replaced_submodules import assigns_field
from torch2jax.facts.storage import is_new
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import REGISTERING
from torch2jax.ops.python import stores_arguments
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import out_of_displays
from torch2jax.syntax.walk import bound_names, children, descendants
from torch2jax.values import Kind, Value

_HOLDING = (Kind.OBJECT, Kind.MODULE, Kind.PYTHON, Kind.FUNCTION, Kind.TORCH_OBJECT, Kind.DATASET, Kind.LOADER)
_CONTAINERS = (Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.UNKNOWN)
_WITHOUT_TENSORS = (Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.DEVICE, Kind.DTYPE, Kind.SIZE)


def is_given_inside(values: Values, function: Function | None, roots: frozenset[str]) -> bool:
    """Whether a function is given a tensor with one of these roots in a container or an object."""
    given = [values(param.name) for param in function.parameters] if function is not None else []
    return any(value.kind is not Kind.TENSOR and value.shares(roots) for value in given)


def contained_names(
    work: NormalizationRound, function: Function | None, besides: cst.Call | None = None
) -> frozenset[str]:
    """The names that stand, somewhere in a function, where a container or an object is made of them or given them; what the
    result of the call `besides` may hold is left out.
    """
    scope: cst.CSTNode = function.node if function is not None else work.index.module
    if besides is not None:
        inside = set(descendants(besides))
        return _names_below(part for part in _kept_parts(work, scope) if part not in inside)
    if function not in work.contained:
        work.contained[function] = _names_below(_kept_parts(work, scope))
    return work.contained[function]


def is_given_new_display(work: NormalizationRound, function: Function, name: str) -> bool:
    """Whether all callers of a function give a parameter a list that they write out there, of tensors which nobody looks at
    behind the call but in that list: `return self.masked([y, gates], lengths)`.
    """
    calls = list(function.callers)
    used = (item for item in work.index.attributes if item.attr.value == function.name)
    is_in_sight = all(work.index.parents[item] in calls for item in used)
    return (
        bool(calls)
        and function.owner is not None
        and is_in_sight
        and not function.seen_elsewhere
        and all(
            isinstance(call, cst.Call) and call in work.index.parents and _gives_new_display(work, function, name, call)
            for call in calls
        )
    )


def _gives_new_display(work: NormalizationRound, function: Function, name: str, call: cst.Call) -> bool:
    given = dict(arguments_by_parameter(function, call, work.values)).get(name)
    line, caller = work.index.statement_of(call), work.program.function_around(call)
    if not isinstance(given, cst.List) or not isinstance(line, cst.SimpleStatementLine) or caller is None:
        return False
    assert work.flows is not None
    below = set(descendants(call))
    elements = [work.values(item.value) for item in given.elements]
    roots = frozenset[str]().union(*(item.roots for item in elements))
    makers = work.values.makers(roots)
    is_new = len(makers) == len(roots) == sum(len(item.roots) for item in elements) and all(
        work.program.function_around(item) is caller for item in makers
    )
    if not is_new or any(item.kind is not Kind.TENSOR or not item.roots for item in elements):
        return False
    live = work.flows.liveness(caller).after_statement(line)
    beside = {item.value for item in descendants(line, cst.Name) if item not in below}
    env = work.values.after.get(line, caller.env)
    looking = (live | beside) - _bound_by(line)
    names = {item.value for item in descendants(given, cst.Name) if work.values(item).shares(roots)}
    return not any(item in env and env[item].shares(roots) for item in looking) and names.isdisjoint(
        contained_names(work, caller, besides=call)
    )


def _bound_by(line: cst.SimpleStatementLine) -> frozenset[str]:
    """The variables that a statement gives another value."""
    targets = (item.target for item in descendants(line, cst.AssignTarget))
    return frozenset[str]().union(*(bound_names(target) for target in targets))


def is_given_what_lasts(work: NormalizationRound, function: Function, name: str) -> bool:
    """Whether a caller of a function, of which all are known, gives a parameter something that it may look at again."""
    given = [
        value
        for call in function.callers
        if isinstance(call, cst.Call)
        for parameter, value in arguments_by_parameter(function, call, work.values)
        if parameter == name
    ]
    return not given or any(not isinstance(value, cst.Call) for value in given)


def is_of_all(work: NormalizationRound, function: Function | None, node: cst.BaseExpression) -> bool:
    """Whether a place holds a tensor that a class has for all of its objects, or a default for all calls of a function."""
    match node:
        case cst.Name(value=name) if function is not None:
            defaults = [item.default for item in function.parameters if item.name.value == name]
            bound = [
                item for item in descendants(function.node.body, cst.AssignTarget) if name in bound_names(item.target)
            ]
            return not bound and any(item is not None and work.values(item).kind is Kind.TENSOR for item in defaults)
        case cst.Attribute(value=owner, attr=cst.Name(value=name)) if work.values(owner).kind in (
            Kind.OBJECT,
            Kind.MODULE,
        ):
            items = [work.program.class_by_key.get(key) for key in work.values(owner).types]
            return any(item is not None and _is_of_class(work, item, name) for item in items)
    return False


def _is_of_class(work: NormalizationRound, item: Class, name: str) -> bool:
    """Whether the body of a class, or of one that it derives from, names a tensor, and no object is given its own one."""
    lines = [line for part in item.lineage for line in part.node.body.body if isinstance(line, cst.SimpleStatementLine)]
    return not assigns_field(item, name) and any(
        isinstance(small, cst.Assign)
        and work.values(small.value).kind is Kind.TENSOR
        and any(dotted(target.target) == name for target in small.targets)
        for line in lines
        for small in line.body
    )


def _names_below(parts: Iterable[cst.CSTNode]) -> frozenset[str]:
    return frozenset(item.value for part in parts for item in descendants(part, cst.Name))


def _kept_parts(work: NormalizationRound, scope: cst.CSTNode) -> list[cst.CSTNode]:
    values, parts = work.values, list[cst.CSTNode]()
    for node in descendants(scope):
        match node:
            case cst.List() | cst.Tuple() | cst.Dict() | cst.Set():
                if not isinstance(work.index.parents[node], cst.Return) and not _is_bound(work, node):
                    parts.append(node)
            case cst.Call() if puts_in_container(values, node):
                parts += node.args
            case cst.Call():
                made = values(node)
                is_kept = made.is_a(*_HOLDING) or "parameter" in made.types or keeps_arguments(values(node.func))
                is_taken_apart = _is_taken_apart(work, node)
                parts_are_new = bool(made.items) and all(
                    _holds_nothing(values, node, item) or (is_taken_apart and item.kind is Kind.TENSOR and item.roots)
                    for item in made.items or ()
                )
                if is_kept or (made.is_a(*_CONTAINERS) and values.callees.get(node) and not parts_are_new):
                    parts += node.args
            case cst.Assign():
                kept = [value for target, value in _bindings(node) if _keeps_value(values, target)]
                parts += [value for value in kept if not _is_computed(values, value)]
            case cst.Param() if node.default is not None:
                parts.append(node.default)
            case cst.ClassDef() if node is not scope:
                parts.append(node.body)
    return parts


def _is_taken_apart(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether nothing but its parts is left of what a call gives: `x, mask = self.embed(x, mask)`."""
    match work.index.parents[call]:
        case cst.Assign(targets=targets):
            return all(isinstance(item.target, (cst.Tuple, cst.List)) for item in targets)
    return False


def _is_bound(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether names are bound in the place of a display: `for i, (a, b) in ...`."""
    parent, display = out_of_displays(work.index, node)
    if isinstance(parent, (cst.For, cst.CompFor)):
        return parent.target is display
    return isinstance(parent, (cst.AssignTarget, cst.AsName))


def _keeps_value(values: Values, target: cst.BaseExpression) -> bool:
    """Whether a container or an object is given a value; a tensor takes a copy of it."""
    is_slot = isinstance(target, cst.Subscript) and values(target.value).kind is not Kind.TENSOR
    return is_slot or isinstance(target, cst.Attribute)


def puts_in_container(values: Values, call: cst.Call) -> bool:
    """Whether a call is one of a method that puts its arguments into a container; `meter.update(loss)` is none, since a
    container is updated with what others hold.
    """
    match call.func:
        case cst.Attribute(attr=cst.Name(name)) if stores_arguments(name):
            if values.callees.get(call):
                return False
            is_given = [not item.star and item.keyword is None and _is_array(values, item.value) for item in call.args]
            return name != "update" or not all(is_given)
    return False


def _is_array(values: Values, node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(value=base, attr=cst.Name("numpy")), args=[]):
            return values(base).kind is Kind.TENSOR
    return values(node).kind is Kind.TENSOR


def kept_names(work: NormalizationRound, function: Function) -> frozenset[str]:
    """The names of whose tensors something that lives on behind a call may come to hold: a container or an object that was
    given, a variable of a function around. Those that functions called keep are among them.
    """
    if function not in work.kept:
        work.kept[function] = frozenset()  # for one that calls itself
        names: set[str] = set()
        given: dict[cst.CSTNode, frozenset[str]] = {}
        while True:
            parts = list(_lasting_parts(work, function, names, names))
            given.update((part, frozenset(_names_given(work.values, part))) for part in parts if part not in given)
            found = frozenset[str]().union(*(given[part] for part in parts))
            if found <= names:
                break
            names |= found
        work.kept[function] = frozenset(names)
    return work.kept[function]


def _lasting_parts(
    work: NormalizationRound, function: Function, names: Collection[str], held: Collection[str]
) -> Iterator[cst.CSTNode]:
    """What is put into something that lives on behind a call, such as the variables `names`, or containers in `held`."""
    values = work.values
    nodes = descendants(function.node.body, *_KEEPING)
    outside = {item.name.value for node in nodes if isinstance(node, (cst.Global, cst.Nonlocal)) for item in node.names}
    for node in nodes:
        match node:
            case cst.Call(func=cst.Attribute(value=holder)) if puts_in_container(values, node):
                if values(holder).kind is not Kind.TENSOR and not _is_own_new(function, holder, held):
                    yield from node.args
            case cst.Call(func=cst.Name("setattr")):
                yield from node.args
            case cst.Call(func=cst.Attribute(attr=cst.Name(method))) if method in REGISTERING:
                yield from node.args
            case cst.Call():
                for callee in values.callees.get(node, ()):
                    yield from kept_arguments(work, callee, node)
            case cst.FunctionDef(name=cst.Name(name)) if name in names:  # with all that it reads
                yield node
            case (
                cst.AnnAssign(target=place, value=cst.BaseExpression() as given)
                | cst.NamedExpr(target=place, value=given)
            ):
                if _keeps_value(values, place) or dotted(place) in {*names, *outside}:
                    yield given
            case cst.For(target=place, iter=given) if not bound_names(place).isdisjoint({*names, *outside}):
                yield given
            case cst.Assign():
                for target, value in _bindings(node):
                    is_lasting = isinstance(target, cst.Name) and target.value in {*names, *outside}
                    is_own = isinstance(target, cst.Subscript) and _is_own_new(function, target.value, held)
                    if is_lasting or (_keeps_value(values, target) and not is_own):
                        yield value
            case cst.AugAssign(target=target, value=value):  # `self.items += [x]`: no tensor takes a list
                is_list = any(values(item).kind in (Kind.LIST, Kind.TUPLE, Kind.DICT) for item in (target, value))
                holder = target.value if isinstance(target, cst.Subscript) else target
                name = holder.value if isinstance(holder, cst.Name) else ""
                is_own = name not in {*held, *outside} and _is_made_here(values, function, name)
                if is_list and not is_own:
                    yield value
            case cst.Yield() if node.value is not None:
                yield node.value


_KEEPING = (
    *(cst.Call, cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Yield),
    *(cst.NamedExpr, cst.For, cst.Global, cst.Nonlocal, cst.FunctionDef),
)


def kept_arguments(work: NormalizationRound, callee: Function, call: cst.Call) -> Iterator[cst.BaseExpression]:
    """The arguments of a call of whose tensors something that lives on behind it may come to hold."""
    kept = kept_names(work, callee)
    names = {id(value): name for name, value in arguments_by_parameter(callee, call, work.values)}
    more = kept & {callee.star_name, callee.double_star_name}
    for item in call.args if kept else ():
        name = names.get(id(item.value))
        if item.star or name in kept or (more and name not in callee.parameter_names):
            yield item.value


def _is_own_new(function: Function, holder: cst.BaseExpression, names: Collection[str]) -> bool:
    """Whether a container is one that the function has made for itself, which nothing that lives on holds."""
    return isinstance(holder, cst.Name) and holder.value not in names and _is_new(function, holder.value)


def _is_made_here(values: Values, function: Function, name: str) -> bool:
    """Whether a variable holds nothing but containers that the function makes for itself, and tensors."""
    nodes = descendants(function.node.body, cst.Assign)
    bound = [value for node in nodes for target, value in _bindings(node) if dotted(target) == name]
    is_made = all(_is_display(value) or values(value).kind is Kind.TENSOR for value in bound)
    return bool(bound) and is_made and name not in function.parameter_names


@lru_cache(maxsize=2048)
def _is_new(function: Function, name: str) -> bool:
    """Whether a variable holds nothing but containers that the function makes for itself: `h = []`."""
    if name in (*function.parameter_names, function.star_name, function.double_star_name):
        return False
    made = False
    for node in descendants(function.node.body, cst.Assign, cst.Global, cst.Nonlocal, *_BINDINGS):
        if isinstance(node, (cst.Global, cst.Nonlocal)):
            if any(item.name.value == name for item in node.names):
                return False
        elif isinstance(node, cst.Assign):
            for target, value in _bindings(node):
                if isinstance(target, cst.Name) and target.value == name:
                    made = True
                    if not _is_display(value):
                        return False
        elif any(item.value == name for item in descendants(node.target, cst.Name)):  # type: ignore[attr-defined]
            return False
    return made


_BINDINGS = (cst.AnnAssign, cst.For, cst.CompFor, cst.NamedExpr)


_CONTAINER_CLASSES = frozenset(
    {"list", "dict", "set", "OrderedDict", "collections.OrderedDict", "defaultdict", "collections.defaultdict"}
)


def _is_display(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call():
            return dotted(node.func) in _CONTAINER_CLASSES
        case cst.BinaryOperation(operator=cst.Multiply() | cst.Add(), left=left, right=right):  # `[None] * n`
            return isinstance(left, cst.List) or isinstance(right, cst.List)
    return isinstance(node, (cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp))


def keeps_result(work: NormalizationRound, function: Function) -> bool:
    """Whether an object, or something around a function, may hold a tensor that the function gives to its caller, too."""
    if function not in work.keeps_result:
        work.keeps_result[function] = False  # for one that calls itself
        given = _roots(function.returns) if function.returns is not None else frozenset()
        work.keeps_result[function] = _gives_kept_container(work, function) or any(
            not given.isdisjoint(_roots(work.values(part))) for part in _parts_kept_outside(work, function)
        )
    return work.keeps_result[function]


def _gives_kept_container(work: NormalizationRound, function: Function) -> bool:
    """Whether a function gives its caller a container that it has made and put somewhere: `self.last = d; return d`."""
    kept = kept_names(work, function)
    given = (item.value for item in descendants(function.node.body, cst.Return) if item.value is not None)
    names = frozenset(name for value in given for name in _names_given(work.values, value)) if kept else frozenset()
    return any(_is_new(function, name) for name in names & kept)


def _parts_kept_outside(work: NormalizationRound, function: Function) -> Iterator[cst.CSTNode]:
    kept = kept_names(work, function)
    for part in _lasting_parts(work, function, (), kept):
        parent = work.index.parents.get(part)
        holder = parent.func if isinstance(part, cst.Arg) and isinstance(parent, cst.Call) else None
        if isinstance(holder, cst.Attribute) and _is_own_variable(function, holder.value, kept):
            continue
        yield part.value if isinstance(part, cst.Arg) else part
    for call in descendants(function.node.body, cst.Call):
        if any(keeps_result(work, callee) for callee in work.values.callees.get(call, ())):
            yield call


def _is_own_variable(function: Function, node: cst.BaseExpression, kept: Collection[str]) -> bool:
    """Whether an expression is a variable that a function itself has made, and nobody keeps: a list of its own, mostly."""
    is_own = isinstance(node, cst.Name) and node.value in function.env and node.value not in function.parameter_names
    return is_own and node.value not in kept  # type: ignore[attr-defined]


def _roots(value: Value) -> frozenset[str]:
    return value.roots.union(*map(_roots, value.parts))


def _bindings(node: cst.Assign) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What an assignment binds, with what: `a, b.c = x, y` binds `a` to `x` and `b.c` to `y`."""
    waiting: list[tuple[cst.BaseExpression, cst.BaseExpression]] = [(item.target, node.value) for item in node.targets]
    while waiting:
        target, value = waiting.pop()
        if not isinstance(target, (cst.Tuple, cst.List)):
            yield target, value
        elif isinstance(value, (cst.Tuple, cst.List)) and len(value.elements) == len(target.elements):
            pairs = zip(target.elements, value.elements, strict=True)
            waiting += [(left.value, right.value) for left, right in pairs]
        else:
            waiting += [(element.value, value) for element in target.elements]


def _is_computed(values: Values, part: cst.CSTNode) -> bool:
    """Whether an expression gives a tensor that it makes itself."""
    value = values(part)
    is_computed = isinstance(part, cst.Call | cst.BinaryOperation) and value.kind is Kind.TENSOR
    return is_computed and is_new(value.roots) and values.makes_its_own(part)


def _wraps_tensor(values: Values, part: cst.CSTNode) -> bool:
    """Whether a call makes a parameter of a tensor, which has the same elements."""
    return isinstance(part, cst.Call) and values.torch_name(part.func) in ("torch.nn.Parameter", "torch.nn.Buffer")


def _names_given(values: Values, part: cst.CSTNode) -> Iterator[str]:
    """The variables whose tensors an expression may give or hold: `x` and `y` of `[x, y.view(-1)]`, none of `x.device`."""
    value = values(part)
    if value.kind in _WITHOUT_TENSORS:
        return
    if _is_computed(values, part) and not _wraps_tensor(values, part):
        return
    match part:
        case cst.Lambda() | cst.FunctionDef():
            yield from (item.value for item in descendants(part, cst.Name))
        case cst.Name(name):
            yield name
        case cst.Attribute(attr=cst.Name("device" | "dtype")):
            return
        case cst.Call(func=cst.Attribute(value=owner)) if (
            values(owner).kind is Kind.TENSOR
        ):  # `cache.to(x)` is none of `x`
            yield from _names_given(values, owner)
        case cst.Attribute(value=owner) | cst.Arg(value=owner):
            yield from _names_given(values, owner)
        case cst.BinaryOperation() if not may_join(values, part):
            return
        case _:
            for child in children(part):
                yield from _names_given(values, child)


def may_join(values: Values, node: cst.BaseExpression) -> bool:
    """Whether an operation may join two lists or dicts, or repeat one, and computes no numbers as in `a * b + c`."""
    if values(node).kind not in (Kind.UNKNOWN, Kind.PYTHON):
        return values(node).kind in (Kind.LIST, Kind.TUPLE, Kind.DICT)
    if not isinstance(node, cst.BinaryOperation):
        return True
    sides = (node.left, node.right)
    if isinstance(node.operator, cst.Multiply):
        return any(values(side).kind in (Kind.LIST, Kind.TUPLE) for side in sides)
    are_lists = all(
        values(side).kind is not Kind.TENSOR and not values(side).is_number and may_join(values, side) for side in sides
    )
    return isinstance(node.operator, (cst.Add, cst.BitOr)) and are_lists


def _holds_nothing(values: Values, node: cst.Call, value: Value) -> bool:
    """Whether a part of what a call gives is a number, or a tensor that it has made."""
    makers = values.makers(value.roots)
    is_own = value.kind is Kind.TENSOR and len(makers) == len(value.roots) and all(maker is node for maker in makers)
    return value.is_number or is_own


__all__ = [
    "contained_names",
    "is_given_what_lasts",
    "is_of_all",
    "keeps_result",
    "kept_arguments",
    "kept_names",
    "may_join",
    "puts_in_container",
]

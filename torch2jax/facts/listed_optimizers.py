"""Lists of optimizers that are made for the modules of another list, one for each and in its order.

self.opts = [Adam(net.parameters()) for net in self.nets]        `self.opts` trains `self.nets`, place by place
for i in range(n):
    opts.append(Adam(nets[i].parameters()))

The lists are fields of the objects of a class, or variables of a function or the file. What is made otherwise, or whose places
get other modules or optimizers later, trains nothing that is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.parameters import given_parameters
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

MUTATING = frozenset({"append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault", "sort", "update"})  # fmt: skip


@dataclass(frozen=True)
class ListPlace:
    """A list: a field of the objects of a class, or a variable of a function (None: of the file)."""

    owner: Class | Function | None
    name: str


def list_place(program: Program, node: cst.BaseExpression) -> ListPlace | None:
    """The list that a name or a field of the own object stands for."""
    place, function = dotted(node), program.function_around(node)
    if place is None:
        return None
    root, _, rest = place.partition(".")
    if rest:
        is_own = function is not None and function.owner is not None and root == function.self_name
        if not is_own or "." in rest:
            return None
        assert function is not None and function.owner is not None
        return ListPlace(function.owner.keeper(rest), rest)
    variable = program.definitions.scopes.variable(node) if node in program.index.parents else None  # type: ignore[arg-type]
    if variable is not None and isinstance(variable.owner, (cst.FunctionDef, cst.Module)):
        owner = variable.owner
        return ListPlace(program.functions.get(owner) if isinstance(owner, cst.FunctionDef) else None, root)
    while function is not None and root not in function.env:
        function = function.outer
    return ListPlace(function, root)


def trained_lists(program: Program, values: Values) -> Mapping[ListPlace, ListPlace]:
    """For every such list of optimizers the list of what it trains."""
    found: dict[ListPlace, ListPlace] = {}
    refused: set[ListPlace] = set()
    for optimizers, modules in _made(program, values):
        if optimizers in found or modules is None:
            refused.add(optimizers)
        if modules is not None:
            found[optimizers] = modules
    if not found:
        return {}
    unsettled = _unsettled(program, {*found, *found.values()})
    return {
        optimizers: modules
        for optimizers, modules in found.items()
        if optimizers not in refused and unsettled.isdisjoint((optimizers, modules))
    }


def _made(program: Program, values: Values) -> Iterator[tuple[ListPlace, ListPlace | None]]:
    """The lists that lines fill with optimizers, with the list of what these train, if that is known."""
    for call in program.index.calls:
        if values(call).kind is not Kind.OPTIMIZER or values.torch_name(call.func) is None:
            continue
        stored = _stored(program, call)
        if stored is not None:
            yield stored, _modules(program, call)


def _stored(program: Program, call: cst.Call) -> ListPlace | None:
    """The list in which a new optimizer is put: by a comprehension, or by `append`, if only behind a variable."""
    parents = program.index.parents
    match parents[call]:
        case cst.ListComp(elt=elt) as made if elt is call:
            match parents[made]:
                case cst.Assign(targets=[cst.AssignTarget(target=target)]):
                    return list_place(program, target)
        case cst.Arg() as argument:
            return _filled(program, parents[argument])
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]):
            block = parents[program.index.statement_of(call)]
            inside = descendants(block, cst.Name) if isinstance(block, (cst.IndentedBlock, cst.Module)) else ()
            uses = [item for item in inside if item.value == name.value and isinstance(parents[item], cst.Arg)]
            own = [item for item in uses if [found.value for found in program.definitions.of(item)] == [call]]
            calls = [parents[parents[item]] for item in own]
            return next((filled for item in calls if (filled := _filled(program, item)) is not None), None)
    return None


def _filled(program: Program, node: cst.CSTNode) -> ListPlace | None:
    """The list of `opts.append(opt)`."""
    match node:
        case cst.Call(func=cst.Attribute(value=container, attr=cst.Name("append"))):
            return list_place(program, container)
    return None


def _modules(program: Program, call: cst.Call) -> ListPlace | None:
    """The list whose elements, in their order, get an optimizer each by a call in a loop."""
    match given_parameters(call):
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            pass
        case _:
            return None
    around = list(program.index.ancestors(call))
    loops = [item for item in around if isinstance(item, (cst.ListComp, cst.For, cst.While, cst.FunctionDef))]
    loop = loops[0] if loops else None
    if isinstance(loop, cst.ListComp):
        part = loop.for_in
        if part.ifs or part.inner_for_in is not None:
            return None
        return _element_of(program, module, part.target, part.iter)
    if not isinstance(loop, cst.For):
        return None
    body = around[: around.index(loop)]
    if any(isinstance(item, (cst.If, cst.Try, cst.While)) for item in body) or _leaves(loop):
        return None
    found = _element_of(program, module, loop.target, loop.iter)
    return found if found is not None else _put_beside(program, module, loop)


def _leaves(loop: cst.For) -> bool:
    return any(isinstance(item, (cst.Break, cst.Continue, cst.Return)) for item in descendants(loop.body))


def _element_of(
    program: Program, module: cst.BaseExpression, target: cst.BaseExpression, over: cst.BaseExpression
) -> ListPlace | None:
    """The list of which a module is the element that a loop has come to: all from the first on."""
    match module:
        case cst.Name():
            source = source_of(target, over, module.value)
            if source is not None:
                return list_place(program, source)
            bound = program.definitions.of(module)
            taken = bound[0].value if len(bound) == 1 and bound[0].how is How.ASSIGNED else None
            return _element_of(program, taken, target, over) if isinstance(taken, cst.Subscript) else None
        case cst.Subscript(
            value=container, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Name() as position))]
        ) if counts_from_first(target, over, position.value):
            return list_place(program, container)
    return None


def source_of(target: cst.BaseExpression, over: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """The list whose elements, from the first on, a loop gives a variable: `nets` of `for i, (net, opt) in enumerate(zip(nets, opts))`."""
    match over, target:
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner), *_]), cst.Tuple(elements=[_, last]):
            return source_of(last.value, inner, name)
        case cst.Call(func=cst.Name("zip"), args=args), cst.Tuple(elements=elements) if len(args) == len(elements):
            if any(item.star or item.keyword is not None for item in args):
                return None
            found = [source_of(element.value, item.value, name) for element, item in zip(elements, args, strict=True)]
            return next((item for item in found if item is not None), None)
        case cst.Name() | cst.Attribute(), cst.Name(value) if value == name and dotted(over) is not None:
            return over
    return None


def counts_from_first(target: cst.BaseExpression, over: cst.BaseExpression, name: str) -> bool:
    """Whether the variable of a loop is the place of what it has come to: `i` of `range(n)`, or of `enumerate(nets)`."""
    match over, target:
        case cst.Call(func=cst.Name("range"), args=[cst.Arg(star="")]), cst.Name(value):
            return value == name
        case (
            cst.Call(func=cst.Name("enumerate"), args=[cst.Arg()]),
            cst.Tuple(elements=[cst.Element(value=cst.Name(value)), _]),
        ):
            return value == name
    return False


def _put_beside(program: Program, module: cst.BaseExpression, loop: cst.For) -> ListPlace | None:
    """The list to which a loop adds the module, in the same pass: `nets.append(net)`."""
    if not isinstance(module, cst.Name):
        return None
    lines = [line for line in loop.body.body if isinstance(line, cst.SimpleStatementLine)]
    added = [
        item.value.func.value
        for line in lines
        for item in line.body
        if isinstance(item, cst.Expr)
        and isinstance(item.value, cst.Call)
        and _filled(program, item.value) is not None
        and isinstance(item.value.func, cst.Attribute)
        and len(item.value.args) == 1
        and dotted(item.value.args[0].value) == module.value
    ]
    bound = program.definitions.of(module)
    is_own = len(bound) == 1 and any(around is loop for around in program.index.ancestors(bound[0].node))
    return list_place(program, added[0]) if is_own and len(added) == 1 else None


def _unsettled(program: Program, places: set[ListPlace]) -> set[ListPlace]:
    """The lists of which more than a beginning is set, or whose places get something else than what was taken out of them."""
    names = {place.name for place in places}
    found: set[ListPlace] = set()
    made: dict[ListPlace, list[cst.CSTNode]] = {}
    added: set[cst.CSTNode] = set()
    for node in program.index.every(cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del, cst.Call):
        match node:
            case cst.Call(func=cst.Attribute(value=container, attr=cst.Name(method))) if method in MUTATING:
                if method == "append":
                    added.add(node)
                    made.setdefault(_known(program, container, names), []).append(node)
                else:
                    found.add(_known(program, container, names))
            case cst.AssignTarget(target=cst.Subscript(value=container)):
                if not puts_back(program, node):
                    found.add(_known(program, container, names))
            case cst.AssignTarget(target=cst.Name() | cst.Attribute() | cst.Tuple() as whole):
                for target, value in assigned_pairs(whole, program.index.parents[node].value):  # type: ignore[attr-defined]
                    if isinstance(target, cst.Tuple):
                        found.update(_known(program, item.value, names) for item in target.elements)
                    else:
                        made.setdefault(_known(program, target, names), []).append(value)
            case (
                cst.AssignTarget(target=target)
                | cst.AnnAssign(target=target)
                | cst.AugAssign(target=target)
                | cst.Del(target=target)
            ):
                found.update(
                    _known(program, item, names)
                    for item in (target, *descendants(target))
                    if isinstance(item, (cst.Name, cst.Attribute))
                )
    for place, nodes in made.items():
        bound = [node for node in nodes if node not in added]
        is_empty = len(bound) == 1 and isinstance(bound[0], cst.List) and not bound[0].elements
        if len(bound) > 1 or len(nodes) > 2 or (len(nodes) > len(bound) and not is_empty):
            found.add(place)
    return found


def _known(program: Program, node: cst.BaseExpression, names: set[str]) -> ListPlace:
    place = dotted(node)
    if place is None or place.rpartition(".")[2] not in names:
        return ListPlace(None, "")
    return list_place(program, node) or ListPlace(None, "")


def puts_back(program: Program, target: cst.AssignTarget) -> bool:
    """Whether a line puts back what was taken out of the place: `nets[i] = net`, behind `net = nets[i]`."""
    parent = program.index.parents[target]
    if not isinstance(parent, cst.Assign) or not isinstance(parent.value, cst.Name):
        return False
    place = target.target
    if not isinstance(place, cst.Subscript):
        return False
    bound = program.definitions.of(parent.value)
    return bool(bound) and all(_takes(program, item.node, place, parent.value.value) for item in bound)


def _takes(program: Program, node: cst.CSTNode, place: cst.Subscript, name: str) -> bool:
    """Whether a variable is bound to the element of a list at a place."""
    for around in program.index.ancestors(node):
        match around:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=value):
                return place.deep_equals(value)
            case cst.For(target=target, iter=over):
                source = source_of(target, over, name)
                match place.slice:
                    case [cst.SubscriptElement(slice=cst.Index(value=cst.Name(position)))]:
                        is_same = source is not None and dotted(source) == dotted(place.value)
                        return is_same and counts_from_first(target, over, position)
                return False
            case cst.BaseStatement() | cst.BaseSmallStatement():
                return False
    return False


def element_taken(element: cst.Subscript) -> cst.BaseExpression | None:
    """The one index of an element of a list that has a name, if it is made of variables, fields and numbers."""
    match element.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=index, star=None))] if dotted(element.value) is not None:
            inner = [item for item in (index, *descendants(index)) if isinstance(item, cst.BaseExpression)]
            return index if all(isinstance(item, _PLAIN) for item in inner) else None
    return None


_PLAIN = (cst.Name, cst.Integer, cst.BinaryOperation, cst.UnaryOperation, cst.SimpleString, cst.Attribute)


def lists_put_back(program: Program, values: Values, statement: cst.CSTNode, name: str) -> Iterator[cst.BaseExpression]:
    """The lists to which an element, which a variable has, goes back behind a statement before anybody reads the list: right
    behind it, or behind the rest of a training step.
    """
    parent = program.index.parents.get(statement)
    if not isinstance(parent, (cst.IndentedBlock, cst.Module)):
        return
    body = list(parent.body)
    for line in body[body.index(statement) + 1 :]:  # type: ignore[arg-type]
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Subscript() as target) as stored], value=value)]
            ) if puts_back(program, stored):
                if dotted(value) == name:
                    yield target.value
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]) if _is_of_step(values, call):
                pass
            case _:
                return


_STEPPING = frozenset({"backward", "step", "update", "unscale_", "zero_grad"})


def _is_of_step(values: Values, call: cst.Call) -> bool:
    """Whether a line belongs to a training step, and reads no list: `loss.backward()`, `opt.step()`, clipping."""
    if values.callees.get(call):
        return False
    if (values.torch_name(call.func) or "").startswith("torch.nn.utils.clip_grad"):
        return True
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in _STEPPING


__all__ = [
    "ListPlace",
    "counts_from_first",
    "element_taken",
    "list_place",
    "lists_put_back",
    "puts_back",
    "source_of",
    "trained_lists",
]

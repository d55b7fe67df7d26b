"""The parameters of modules that torch.autograd.grad is asked for: the gradient of a module is a module that holds theirs.

loss = f(net(x))                                           loss, loss_vjp = jax.vjp(lambda net: f(net(x)), net)
grads = torch.autograd.grad(loss, net.parameters())   ->   grads = tuple(loss_vjp(jnp.ones_like(loss))[0].parameters())

What lists the parameters is asked of the gradient in the place of the module. All that the loss asks of a module has to stand in
sight: a function that reads it from around it, or another name of it or of a part, would see no gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.facts.captures import hidden_module, reached
from torch2jax.normalize.rounds import CannotNormalize, NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.definitions import How
from torch2jax.program.flow import free_variables
from torch2jax.program.program import dotted
from torch2jax.program.statements import bound_in
from torch2jax.records import dataclass
from torch2jax.syntax.folding import Insertion
from torch2jax.syntax.quote import names_in, quote, quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value

_LISTS = ("list", "tuple")
_LISTING = ("parameters", "named_parameters")
_MAY_BE_MODULES = (Kind.MODULE, Kind.UNKNOWN, Kind.OBJECT, Kind.PYTHON)  # of other files
# Methods of modules that change them, or what comes of them
_CHANGING = frozenset(
    {"train", "eval", "zero_grad", "load_state_dict", "apply", "requires_grad_", "to", "cuda", "cpu", "half", "float"}
    | {"double", "bfloat16", "register_forward_hook", "register_full_backward_hook", "register_parameter", "add_module"}
)


@dataclass(frozen=True, slots=True)
class Modules:
    """The variables whose values are modules, and what lists their parameters, or is one of them (`single`)."""

    names: tuple[str, ...]
    listed: cst.BaseExpression
    single: bool


class InField(CannotNormalize):
    """The module of some parameters is in a field of an object, `self.net`."""

    def __init__(self, place: cst.BaseExpression) -> None:
        super().__init__("its inputs are the parameters of something without a name")
        self.place = place


def asked_modules(work: NormalizationRound, call: cst.Call, inputs: cst.BaseExpression) -> Modules | None:
    """The modules whose parameters are the inputs of a call, if they are some; a field that holds one gets a name before."""
    listed = _listed(work, call, inputs)
    single = listed is None and _is_parameter(work, inputs)
    if listed is None and not single:
        return None
    places = list(_places(listed if listed is not None else inputs))
    roots: dict[str, None] = {}
    for place in places:
        root = _root(work, place)
        if root is None:
            raise InField(place)
        roots[root] = None
    return Modules(tuple(roots), listed if listed is not None else inputs, single)


def _listed(work: NormalizationRound, call: cst.Call, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """What lists parameters of modules, written without variables in between and without asking which of them are trained."""
    match node:
        case cst.Name():
            bound = work.program.definitions.only(node)
            if bound is None or bound.how is not How.ASSIGNED or bound.value is None:
                return None
            found = _listed(work, call, bound.value)
            if found is not None and not _means_the_same(work, call, bound.value, found):
                raise CannotNormalize("the module of its inputs may be another one where they are listed")
            return found
        case cst.Call(func=cst.Name(function), args=[cst.Arg(value=inner, keyword=None, star="")]) if (
            function in _LISTS
        ):
            return _listed(work, call, inner)
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            is_module = dotted(module) is not None and work.values(module).kind in _MAY_BE_MODULES
            return node if is_module else None
        case cst.Call(
            func=cst.Name("filter"),
            args=[
                cst.Arg(value=cst.Lambda(params=cst.Parameters(params=[cst.Param(name=cst.Name(item))]), body=test)),
                cst.Arg(value=inner),
            ],
        ) if dotted(test) == f"{item}.requires_grad":
            return _listed(work, call, inner)
        case cst.ListComp(elt=cst.Name(item), for_in=loop) | cst.GeneratorExp(elt=cst.Name(item), for_in=loop):
            if loop.inner_for_in is not None or loop.asynchronous is not None:
                return None
            if any(dotted(part.test) != f"{item}.requires_grad" for part in loop.ifs):
                return None
            if dotted(loop.target) == item:
                return _listed(work, call, loop.iter)
            return _of_pairs(work, loop, item)
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            first, second = _listed(work, call, left), _listed(work, call, right)
            if first is None or second is None:
                return None
            return cst.Tuple([cst.StarredElement(first), cst.StarredElement(second)])
        case cst.List(elements=elements) | cst.Tuple(elements=elements) if elements:
            found_parts = [_element(work, call, element) for element in elements]
            if any(part is None for part in found_parts):
                return None
            return cst.Tuple([part for part in found_parts if part is not None])
    if work.values(node).kind is Kind.MODULE and dotted(node) is not None:
        is_list = work.values(node).types == frozenset({"torch.nn.ParameterList"})
        return quote("{module}.parameters()", module=node) if is_list else None
    return None


def listing_line(work: NormalizationRound, inputs: cst.BaseExpression) -> cst.SimpleStatementLine | None:
    """The line `params = net.parameters()` of a variable that is read for the inputs of a call alone."""
    bound = work.program.definitions.only(inputs) if isinstance(inputs, cst.Name) else None
    if bound is None or work.program.definitions.uses(bound) != [inputs]:
        return None
    line = work.index.statement_of(bound.node)
    if not isinstance(line, cst.SimpleStatementLine) or not isinstance(line.body[0], cst.Assign):
        return None
    is_alone = len(line.body) == 1 and len(line.body[0].targets) == 1 and line.body[0].value is bound.value
    return line if is_alone else None


def _of_pairs(work: NormalizationRound, loop: cst.CompFor, item: str) -> cst.BaseExpression | None:
    """`net.parameters()` for `[p for name, p in net.named_parameters()]`."""
    match loop:
        case cst.CompFor(
            target=cst.Tuple(elements=[cst.Element(value=cst.Name(name)), cst.Element(value=cst.Name(own))]),
            iter=cst.Call(func=cst.Attribute(value=module, attr=cst.Name("named_parameters")), args=[]),
        ) if own == item != name and dotted(module) is not None and work.values(module).kind in _MAY_BE_MODULES:
            return quote("{module}.parameters()", module=module)
    return None


def _element(work: NormalizationRound, call: cst.Call, element: cst.BaseElement) -> cst.BaseElement | None:
    if isinstance(element, cst.StarredElement):
        found = _listed(work, call, element.value)
        return cst.StarredElement(found) if found is not None else None
    return cst.Element(element.value) if _is_parameter(work, element.value) else None


def _is_parameter(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression is a parameter in a field of a module: `net.fc.weight`."""
    if not isinstance(node, cst.Attribute) or dotted(node) is None:
        return False
    value = work.values(node)
    return value.kind is Kind.TENSOR and "parameter" in value.types and work.values(node.value).kind is Kind.MODULE


def _means_the_same(
    work: NormalizationRound, call: cst.Call, value: cst.BaseExpression, listed: cst.BaseExpression
) -> bool:
    """Whether the modules whose parameters a variable lists are the same where a call stands."""
    definitions = work.program.definitions
    names = {_first(place).value for place in _places(listed)}
    roots = [
        node
        for node in (value, *descendants(value))
        if isinstance(node, cst.Name) and node.value in names and not work.index.is_label(node)
    ]
    here = definitions.scopes.around(call)
    return all(
        definitions.bound_once(root) is not None
        and definitions.scopes.lookup(root.value, here) == definitions.scopes.variable(root)
        for root in roots
    )


def _places(listed: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The modules whose parameters an expression lists, and the parameters that it names."""
    below: set[cst.CSTNode] = set()
    for node in (listed, *descendants(listed)):
        if node in below:
            continue
        match node:
            case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method))) if method in _LISTING:
                below |= set(descendants(node))
                yield module
            case cst.Attribute():
                below |= set(descendants(node))
                yield node.value


def _first(place: cst.BaseExpression) -> cst.Name:
    while isinstance(place, cst.Attribute):
        place = place.value
    return cst.ensure_type(place, cst.Name)


def _root(work: NormalizationRound, place: cst.BaseExpression) -> str | None:
    """The variable of the module that a place is a part of, which is asked for a gradient as a whole."""
    first = _first(place)
    kind = work.values(first).kind
    return first.value if kind is Kind.MODULE or (first is place and kind in _MAY_BE_MODULES) else None


def name_module(work: NormalizationRound, call: cst.Call, place: cst.BaseExpression) -> None:
    """Give the module in a field a name of its own in the statements before a call: `net = self.net`."""
    text, line = dotted(place) or "", work.index.statement_of(call)
    function = work.program.function_around(call)
    suite = list(getattr(work.index.parents[line], "body", ()))
    nodes = [item for item in suite[: suite.index(line) + 1] if text in _dotted_in(item)]
    around = function.node.body if function is not None else work.index.module
    owner, _, field = text.rpartition(".")
    for node in descendants(around):
        if isinstance(node, cst.AssignTarget | cst.AugAssign | cst.For) and {owner, text} & set(bound_in(node.target)):
            raise CannotNormalize(f"`{text}` is set in the function that asks")
    for other in reached(nodes, work.values):
        is_related = function is None or function.owner is None or other.owner in (function.owner, None)
        if is_related and any(node.attr.value == field for node in descendants(other.node.body, cst.Attribute)):
            raise CannotNormalize(f"`{other.name}` may read `{text}`, too")
    name = work.names_at(call)(field)
    first, *_ = nodes
    work.edits.before(first, lambda rewrite: [quote_statement(f"{name} = {{place}}", place=place)])
    for item in nodes:
        for node in descendants(item, cst.Attribute):
            if dotted(node) == text:
                work.edits.replace(node, lambda rewrite: cst.Name(name))


def _dotted_in(node: cst.CSTNode) -> set[str | None]:
    return {dotted(item) for item in descendants(node, cst.Attribute)}


# what a call gives


def gradients_of(modules: Modules, holders: Mapping[str, cst.BaseExpression]) -> cst.BaseExpression:
    """What lists the parameters of modules, asked of what holds their gradients: one for each module."""
    asked = modules.listed.visit(Insertion(holders))
    assert isinstance(asked, cst.BaseExpression)
    if modules.single:
        return cst.Tuple([cst.Element(asked, comma=cst.Comma())])
    return asked if isinstance(asked, cst.Tuple) else quote("tuple({listed})", listed=asked)


def are_asked_once(modules: Modules) -> bool:
    """Whether there is one module, and it is asked for its parameters once."""
    return len(list(_places(modules.listed))) == 1


# what is in sight


def check_in_sight(
    work: NormalizationRound,
    modules: Modules,
    moved: Sequence[cst.CSTNode],
    kept: Collection[cst.CSTNode],
    output: cst.BaseExpression,
) -> None:
    """Raise CannotNormalize unless all that statements and an output ask of modules is asked by their names."""
    nodes = [*moved, output]
    for statement in moved:
        _check_statement(modules, statement, statement in kept)
    hidden = hidden_module(nodes, modules.names, work.values)
    if hidden is not None:
        raise CannotNormalize(f"`{hidden[0].name}` reads `{hidden[1]}` from around it")
    defined = {node for part in nodes for node in descendants(part) if isinstance(node, cst.FunctionDef)}
    for function in reached(nodes, work.values):
        own = sorted({*modules.names}.intersection(free_variables(function.node)))
        if own and function.node not in defined:
            raise CannotNormalize(f"`{function.name}` reads `{own[0]}` from around it")
    sites = _sites_within(work, modules, nodes)
    for node in (item for part in nodes for item in descendants(part)):
        if isinstance(node, (cst.Name, cst.Attribute)) and (dotted(node) or "").split(".")[0] not in modules.names:
            value = work.values(node)
            if value.kind is Kind.MODULE and value.sites & sites:
                raise CannotNormalize(f"`{dotted(node)}` may be one of its modules, or a part of one")


def check_given(
    work: NormalizationRound,
    call: cst.Call,
    modules: Modules,
    nodes: Sequence[cst.CSTNode],
    spread: Callable[[cst.CSTNode, cst.Call, set[str], str | None], set[str]],
) -> None:
    """Raise CannotNormalize if a variable of a scope around the function that asks may have been computed from modules."""
    scopes = work.program.definitions.scopes
    here = scopes.around(call)
    own = [work.values(node) for node in descendants(here, cst.Name) if node.value in modules.names]
    sites = frozenset[int]().union(*(value.sites for value in own if value.kind is Kind.MODULE))
    read = [item for node in nodes for item in descendants(node, cst.Name) if not work.index.is_label(item)]
    variables = {scopes.variable(item) for item in read}
    around = {work.index.module, *work.index.ancestors(call)} - {here}
    for variable in sorted(filter(None, variables), key=lambda item: item.name):
        name = variable.name
        if variable.owner not in around:
            continue
        alike = {
            node.value
            for node in descendants(variable.owner, cst.Name)
            if (value := work.values(node)).kind is Kind.MODULE and (not sites or value.sites & sites)
        }
        if name not in alike and name in spread(variable.owner, call, alike, None):
            raise CannotNormalize(f"`{name}` may have been computed from its modules outside of the function")


def changes_modules(modules: Modules, statement: cst.CSTNode) -> bool:
    """Whether a statement may change modules, and binds nothing: it fills their parameters, or sets their mode."""
    names = {*modules.names}
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=value)]):
            return not names.isdisjoint(names_in(value))
        case cst.For() | cst.With():
            rows = _rows([statement, *descendants(statement)])
            return any(_changes(node, names, rows) for node in descendants(statement))
    return False


def _check_statement(modules: Modules, statement: cst.CSTNode, is_needed: bool) -> None:
    names = {*modules.names}
    nodes = [statement, *descendants(statement)]
    if not any(isinstance(node, cst.Name) and node.value in names for node in nodes):
        return
    is_assignment = isinstance(statement, cst.SimpleStatementLine) and any(
        isinstance(small, (cst.Assign, cst.AnnAssign, cst.AugAssign)) for small in statement.body
    )
    if not is_needed and not is_assignment and not isinstance(statement, cst.FunctionDef):
        raise CannotNormalize("something is done with its modules between the loss and what it is computed of")
    rows = _rows(nodes)
    if any(_changes(node, names, rows) for node in nodes):
        raise CannotNormalize("its modules are changed between the loss and what it is computed of")


def _rows(nodes: Sequence[cst.CSTNode]) -> set[str]:
    """The variables of loops."""
    return {
        name.value
        for loop in nodes
        if isinstance(loop, (cst.For, cst.CompFor))
        for name in (loop.target, *descendants(loop.target))
        if isinstance(name, cst.Name)
    }


def _changes(node: cst.CSTNode, names: set[str], rows: set[str]) -> bool:
    """Whether an operation changes one of some modules, or what loops go through, which may be their parameters."""
    match node:
        case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(method))):
            root = (dotted(base) or "").split(".")[0]
            given = {dotted(argument.value) or "" for argument in node.args}
            if root in names and (method in _CHANGING or is_inplace_name(method)):
                return True
            return is_inplace_name(method) and (
                root in rows or any(item.split(".")[0] in rows | names for item in given)
            )
        case cst.AugAssign(target=target) | cst.AssignTarget(target=target):
            found = {item.split(".")[0] for item in bound_in(target)}
            is_bound = isinstance(node, cst.AssignTarget) and isinstance(target, (cst.Name, cst.Tuple, cst.List))
            return not found.isdisjoint(names | rows) and not is_bound
    return False


def _sites_within(work: NormalizationRound, modules: Modules, nodes: Sequence[cst.CSTNode]) -> frozenset[int]:
    """The allocation sites of modules and of the parts of them that the file makes."""
    waiting: list[Value] = [
        work.values(node)
        for part in nodes
        for node in descendants(part)
        if isinstance(node, cst.Name) and node.value in modules.names
    ]
    sites, seen = set[int](), set[str]()
    while waiting:
        value = waiting.pop()
        if value.kind is Kind.MODULE:
            sites |= value.sites
        waiting += value.parts
        for key in value.types - seen:
            seen.add(key)
            item = work.program.class_by_key.get(key)
            waiting += item.fields.values() if item is not None else ()
    return frozenset(sites)


__all__ = [
    "InField",
    "Modules",
    "are_asked_once",
    "asked_modules",
    "changes_modules",
    "check_given",
    "check_in_sight",
    "gradients_of",
    "listing_line",
    "name_module",
]

"""Whose parameters an optimizer is given: those of modules, all of them or some, and tensors that stand by themselves.

    SGD(model.parameters())                            the model
    Adam(list(a.parameters()) + [scale])               a and scale
    AdamW([{"params": decayed}, {"params": others}])   parts of the model from which the lists were picked

What is picked and grouped is a matter of Python that runs when the optimizer is made; here is said which modules and tensors
it is picked from, the *roots*: what the optimizer updates is a part of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field

import libcst as cst

from torch2jax.ops.python import changes_container
from torch2jax.program.definitions import Definition, Definitions, How
from torch2jax.program.program import Class, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind, Value

OWN_UPDATE = "update_parameter"
GROUP_NUMBER = "group_number"  # the option that says which group it is
CHANGED_OPTIONS = "changed_options"  # of an own optimizer: what the program changes while it trains
SHARED_OPTIONS = "shared_options"  # of an own optimizer: what it takes of one group for all groups
_FLAG = "requires_grad"
_PARTS = frozenset({"parameters", "named_parameters", "modules", "named_modules", "children", "named_children"})
_GROWING = frozenset({"append", "extend", "add", "insert", "update", "setdefault"})
_LIST_MAKERS = frozenset({"list", "tuple", "iter"})
_CHAINS = frozenset({"chain", "itertools.chain"})
_PLAIN_CALLS = (
    _LIST_MAKERS
    | _CHAINS
    | frozenset({"dict", "filter", "map", "set", "sorted", "zip", "len", "id", "reversed", "enumerate"})
)

_REGISTERING = frozenset({"register_parameter", "ParameterList", "ParameterDict", "setattr"})
_DISPLAYS = (
    cst.Element, cst.DictElement, cst.List, cst.Tuple, cst.Dict, cst.ListComp, cst.DictComp,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Optimized:
    """What an optimizer is given. `grouped`: some of the parameters of the roots, or groups of them with options of their own;
    `options` are the names of those, None where they are not all in sight.
    """

    roots: tuple[cst.BaseExpression, ...]
    grouped: bool = False
    options: frozenset[str] | None = frozenset()

    def tree(self, rewrite: Callable[[cst.CSTNode], cst.CSTNode]) -> cst.BaseExpression:
        """The one root, or the tuple of all."""
        nodes = [rewrite(root) for root in self.roots]
        elements = [cst.Element(node) for node in nodes]  # type: ignore[arg-type]
        return cst.Tuple(elements) if len(nodes) > 1 else nodes[0]  # type: ignore[return-value]


def optimized(call: cst.Call, definitions: Definitions, values: Callable[[cst.CSTNode], Value]) -> Optimized | None:
    """What a call that makes an optimizer is given; None where no module or tensor can be seen in it."""
    given = given_parameters(call)
    if given is None or values(given).kind is Kind.MODULE:
        return None
    search = _Search(definitions, values)
    whole = search.whole(given)
    if whole is not None and all(search.is_root(node, len(whole) == 1) for node in whole):
        return Optimized(tuple(whole))
    return search.grouped(given)


def own_optimizer_base(item: Class) -> bool:
    """Whether a class of a program is an optimizer by its base alone."""
    return len(item.node.bases) == len(item.bases) == 1 and item.bases[0].const == "torch.optim.Optimizer"


def is_own_optimizer(item: Class) -> bool:
    """Whether a class of a program is an optimizer that says how one parameter is updated."""
    return own_optimizer_base(item) and OWN_UPDATE in item.methods


def shared_options(item: Class) -> set[str]:
    """The options that an optimizer of a program takes of one group for all groups."""
    body = item.node.body.body
    lines = [line.body[0] for line in body if isinstance(line, cst.SimpleStatementLine)]
    given = [
        line.value
        for line in lines
        if isinstance(line, cst.Assign) and dotted(line.targets[0].target) == SHARED_OPTIONS
    ]
    return {str(node.raw_value) for value in given for node in descendants(value, cst.SimpleString)}


def is_optimizer(name: str) -> bool:
    """Whether a name of torch is a class of optimizers."""
    return name.startswith("torch.optim.") and name.count(".") == 2


def makes_optimizer(call: cst.Call, values: Callable[[cst.CSTNode], Value]) -> bool:
    """Whether a call makes an optimizer, of a class of torch or of the program, and does not ask a function for one."""
    return values(call).kind is Kind.OPTIMIZER and values(call.func).kind in (Kind.TORCH, Kind.CLASS)


def given_parameters(call: cst.Call) -> cst.BaseExpression | None:
    """The argument `params` of a call that makes an optimizer."""
    named = [item.value for item in call.args if item.keyword is not None and item.keyword.value == "params"]
    if named:
        return named[0]
    first = call.args[0] if call.args else None
    return first.value if first is not None and first.keyword is None and not first.star else None


def parameter_flag(call: cst.Call) -> cst.BaseExpression | None:
    """The argument `requires_grad` of a call of `nn.Parameter`."""
    for position, item in enumerate(call.args):
        if item.keyword is not None and item.keyword.value == _FLAG:
            return item.value
        if position == 1 and item.keyword is None and not item.star:
            return item.value
    return None


def plain_container(program: Program, values: Callable[[cst.CSTNode], Value], call: cst.Call) -> cst.Attribute | None:
    """The field whose plain list, tuple or dict alone holds a parameter that a call makes: `self.scales = [nn.Parameter(x)]`.

    The module does not know such a parameter. None for one that it knows, or may know, since some method registers it.
    """
    field, function = _container_of(program, call), program.function_around(call)
    if field is None or function is None or function.owner is None or not function.owner.is_module:
        return None
    if values(field).kind not in (Kind.LIST, Kind.TUPLE, Kind.DICT):
        return None
    return None if any(_may_register(program, node) for node in _named(program, field)) else field


def optimizer_of(program: Program, values: Callable[[cst.CSTNode], Value], field: cst.Attribute) -> cst.Call | None:
    """The call that makes an optimizer of what a field holds."""
    for found in _named(program, field):
        node: cst.CSTNode = found
        while not isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement | cst.Module):
            if isinstance(node, cst.Call) and makes_optimizer(node, values):
                return node
            node = program.index.parents[node]
    return None


def _named(program: Program, field: cst.Attribute) -> list[cst.Attribute]:
    return [node for node in program.index.attributes if node.attr.value == field.attr.value]


def _container_of(program: Program, call: cst.Call) -> cst.Attribute | None:
    """The field in whose list, tuple or dict a call puts what it makes; None where it is bound to anything else."""
    parents = program.index.parents
    node: cst.CSTNode = call
    while isinstance(parents[node], _DISPLAYS):
        node = parents[node]
    match parents[node]:
        case cst.Assign(targets=[cst.AssignTarget(cst.Attribute() as field)]) if node is not call:
            return field
        case cst.Assign(targets=[cst.AssignTarget(cst.Subscript(value=cst.Attribute() as field))]):
            return field
        case cst.Assign(targets=[cst.AssignTarget(cst.Name(name))]) if node is call:
            block = parents[program.index.statement_of(call)]
            reads = [item for item in descendants(block) if isinstance(item, cst.Name) and item.value == name][1:]
            return _grown_field(parents, parents[reads[0]]) if len(reads) == 1 else None
        case cst.Arg() as argument:
            return _grown_field(parents, argument)
    return None


def _grown_field(parents: Mapping[cst.CSTNode, cst.CSTNode], argument: cst.CSTNode) -> cst.Attribute | None:
    """The field to whose list an argument is appended."""
    match parents[argument]:
        case cst.Call(func=cst.Attribute(value=cst.Attribute() as field, attr=cst.Name("append"))):
            return field
    return None


def _may_register(program: Program, field: cst.Attribute) -> bool:
    """Whether a tensor of a list may become a parameter of a module: in a loop over it, or under a name for the list."""
    function, parents = program.function_around(field), program.index.parents
    if function is None:
        return False
    node: cst.CSTNode = function.node if isinstance(parents[field], cst.Assign) else field
    while node is not function.node and parents[node] not in (function.node.body, function.node):
        node = parents[node]
    return any(isinstance(item, cst.Name) and item.value in _REGISTERING for item in descendants(node))


@dataclass(slots=True)
class _Search:
    """The way back from what an optimizer is given to what that was made of."""

    definitions: Definitions
    values: Callable[[cst.CSTNode], Value]
    seen: set[object] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    is_clear: bool = True  # whether all options of the groups are in sight

    # all parameters of some modules

    def whole(self, node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
        """The modules and tensors, where an expression is all their parameters one after the other."""
        match node:
            case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
                return [module]
            case cst.Call(func=cst.Name(name), args=[cst.Arg(value=inner, star="", keyword=None)]) if (
                name in _LIST_MAKERS
            ):
                return self.whole(inner)
            case cst.Call(args=args) if dotted(node.func) in _CHAINS:
                return None if any(item.star for item in args) else self._together(item.value for item in args)
            case cst.Call(func=cst.Name("filter"), args=[cst.Arg(value=cst.Lambda() as chosen), cst.Arg(value=inner)]):
                first = chosen.params.params[0].name.value if chosen.params.params else None
                return self.whole(inner) if dotted(chosen.body) == f"{first}.{_FLAG}" else None
            case cst.ListComp() | cst.GeneratorExp():
                loop = node.for_in
                if loop.inner_for_in is not None:
                    return self._of_each(node)
                if not isinstance(node.elt, cst.Name) or dotted(loop.target) != node.elt.value:
                    return None
                asked = [dotted(condition.test) for condition in loop.ifs]
                return self.whole(loop.iter) if asked in ([], [f"{node.elt.value}.{_FLAG}"]) else None
            case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
                return self._together((left, right))
            case cst.List(elements=elements) | cst.Tuple(elements=elements):
                return self._together(elements)
            case cst.Name():
                bound = self.definitions.only(node)
                if bound is None or bound.how is not How.ASSIGNED or bound.value is None or bound in self.seen:
                    return None
                self.seen.add(bound)
                if isinstance(bound.value, cst.Name) or any(map(self._is_changed, self.definitions.uses(bound))):
                    return None
                return self.whole(bound.value)
        return None

    def _of_each(self, node: cst.ListComp | cst.GeneratorExp) -> list[cst.BaseExpression] | None:
        """The modules of `[p for net in (a, b) for p in net.parameters()]`."""
        match node.for_in:
            case cst.CompFor(
                target=cst.Name(module),
                iter=cst.List(elements=elements) | cst.Tuple(elements=elements),
                ifs=[],
                inner_for_in=cst.CompFor(
                    target=cst.Name(name),
                    iter=cst.Call(func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("parameters")), args=[]),
                    ifs=[],
                    inner_for_in=None,
                ),
            ) if module == owner and dotted(node.elt) == name:
                found = {str(dotted(item.value)): item.value for item in elements if isinstance(item, cst.Element)}
                is_known = len(found) == len(elements) and "None" not in found
                modules = list(found.values())
                return modules if is_known and all(self.values(item).kind is Kind.MODULE for item in modules) else None
        return None

    def _together(self, nodes: Iterable[cst.BaseExpression | cst.BaseElement]) -> list[cst.BaseExpression] | None:
        found: list[cst.BaseExpression] = []
        for item in nodes:
            part: list[cst.BaseExpression] | None = None
            if isinstance(item, cst.Element):
                part = [item.value] if self._is_leaf(item.value) else None
            elif isinstance(item, cst.StarredElement):
                part = self.whole(item.value)
            elif isinstance(item, cst.BaseExpression):
                part = self.whole(item)
            if part is None:
                return None
            found += [node for node in part if dotted(node) not in {dotted(other) for other in found}]
        return found

    def _is_leaf(self, node: cst.BaseExpression) -> bool:
        """Whether a place holds a tensor that is trained."""
        value = self.values(node)
        return (
            isinstance(node, (cst.Name, cst.Attribute))
            and value.kind is Kind.TENSOR
            and not value.types.isdisjoint(("leaf", "parameter"))
        )

    def _is_changed(self, use: cst.Name) -> bool:
        """Whether a list is changed: `params += others`, `params.extend(others)`, `params[0] = p`."""
        parents = self.definitions.index.parents
        parent = parents[use]
        match parent:
            case cst.AugAssign():
                return parent.target is use
            case cst.Attribute(attr=cst.Name(method)):
                return isinstance(parents[parent], cst.Call) and changes_container(method, Kind.LIST)
            case cst.Subscript():
                return isinstance(parents[parent], (cst.AssignTarget, cst.Del))
        return False

    def is_root(self, node: cst.BaseExpression, alone: bool) -> bool:
        """Whether a module, or tensor, is no part of another module; in its methods, a field of a module may be one alone."""
        root = self.root(node)
        if alone and root is not None and self.values(root).roots == {"self"}:
            return dotted(node) is not None
        return root is not None and dotted(root) == dotted(node) and dotted(node) is not None

    def root(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The module around all others that an expression goes through; None where a variable is another module each time."""
        found = node
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
            if self.values(node).kind is Kind.MODULE:
                found = node
        if dotted(found) is None or (isinstance(found, cst.Name) and self._sources(found)):
            return None
        return found

    def _sources(self, name: cst.Name) -> list[cst.BaseExpression]:
        """What the modules, or tensors, that a variable stands for one after the other are parts of."""
        found: list[cst.BaseExpression] = []
        for item in self.definitions.every_of_name(name):
            value = item.value
            is_part = isinstance(value, (cst.Attribute, cst.Subscript)) and item.how is How.ASSIGNED
            is_part = is_part and value is not None and self._is_in_module(value)
            if value is not None and (is_part or (item.how is How.NEXT and self._runs_over_parts(value))):
                found.append(value)
        return found

    def _runs_over_parts(self, node: cst.BaseExpression) -> bool:
        """Whether a loop runs over parts of a module, or its parameters."""
        if isinstance(node, cst.Call) and dotted(node.func) in _PLAIN_CALLS:
            return any(self._runs_over_parts(item.value) for item in node.args)
        calls = [item.func for item in descendants(node) if isinstance(item, cst.Call)]
        if any(isinstance(item, cst.Attribute) and item.attr.value in _PARTS for item in calls):
            return True
        return self.values(node).kind is Kind.MODULE or self._is_in_module(node)

    def _is_in_module(self, node: cst.BaseExpression) -> bool:
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
            if self.values(node).kind is Kind.MODULE:
                return True
        return False

    # some parameters of some modules

    def grouped(self, given: cst.BaseExpression) -> Optimized | None:
        self.seen = set()
        roots: dict[str, cst.BaseExpression] = {}
        for node in self._roots(given):
            roots.setdefault(str(dotted(node)), node)
        if not roots or None in map(self._seen_outside, roots.values()):
            return None
        options = frozenset(self.options) if self.is_clear else None
        return Optimized(tuple(roots.values()), True, options)

    def _seen_outside(self, node: cst.BaseExpression) -> str | None:
        """The name of a root, unless its variable is one of a comprehension or lambda."""
        first = next(iter(node for node in descendants(node) if isinstance(node, cst.Name)))
        variable = self.definitions.scopes.variable(first)
        inner = variable is not None and isinstance(variable.owner, (cst.CompFor, cst.Lambda))
        return None if inner else first.value

    def _roots(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """The modules and tensors from which an expression may pick parameters, in the order of the text."""
        if node in self.seen:
            return
        self.seen.add(node)
        if isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
            value = self.values(node)
            if value.kind is Kind.MODULE or self._is_in_module(node):
                root = self.root(node)
                if root is not None:
                    yield root
                    return
            elif self._is_leaf(node) and (not isinstance(node, cst.Name) or not self._sources(node)):
                yield node
                return
        match node:
            case cst.Name():
                for item in self.definitions.every_of_name(node):
                    yield from self._bound(item)
            case cst.Attribute():
                yield from self._roots(node.value)
            case cst.Lambda():
                yield from self._roots(node.body)
            case cst.Dict() | cst.Call():
                yield from self._display(node)
            case _:
                for child in children(node):
                    yield from self._roots(child)

    def _display(self, node: cst.Dict | cst.Call) -> Iterator[cst.BaseExpression]:
        """The groups that a display makes, or what a call is given."""
        keys = dict(_keyed(node))
        if "params" in keys:
            self.options |= keys.keys() - {"params"}
            yield from self._roots(keys["params"])
            return
        if isinstance(node, cst.Call):
            method = isinstance(node.func, cst.Attribute)
            if not method and dotted(node.func) not in _PLAIN_CALLS and self.values(node.func).kind is not Kind.TORCH:
                self.is_clear = False
            if method:
                yield from self._roots(node.func.value)  # type: ignore[attr-defined]
            for argument in node.args:
                yield from self._roots(argument.value)
            return
        for element in node.elements:
            yield from self._roots(element)

    def _bound(self, item: Definition) -> Iterator[cst.BaseExpression]:
        """What a binding of a variable, and what changes the container in it, takes parameters from."""
        if item in self.seen or item.how in (How.IMPORTED, How.DEFINED, How.DELETED):
            return
        self.seen.add(item)
        if item.how is How.PARAMETER:
            self.is_clear = False
        if item.value is not None:
            yield from self._roots(item.value)
        for use in self.definitions.uses(item, self._may_store):
            yield from self._stored(use)

    def _may_store(self, use: cst.Name) -> bool:
        """Whether a name stands where something may be put into what it holds."""
        parent = self.definitions.index.parents[use]
        return isinstance(parent, cst.Subscript) or (
            isinstance(parent, cst.Attribute) and parent.value is use and parent.attr.value in _GROWING
        )

    def _stored(self, use: cst.Name) -> Iterator[cst.BaseExpression]:
        """What a statement puts into the container in a variable, or into one that this holds: `groups[k]["params"].append(p)`."""
        parents = self.definitions.index.parents
        node: cst.CSTNode = use
        while isinstance(parents[node], cst.Subscript) and parents[node].value is node:  # type: ignore[attr-defined]
            node = parents[node]
        match parents[node]:
            case cst.Attribute(attr=cst.Name(method)) as function if method in _GROWING:
                call = parents[function]
                for argument in call.args if isinstance(call, cst.Call) else ():
                    yield from self._roots(argument.value)
            case cst.AssignTarget() as target if node is not use:
                assignment = parents[target]
                assert isinstance(assignment, cst.Assign)
                key = last_key(node)
                self.options |= {key} - {"params"} if key is not None else set()
                yield from self._roots(assignment.value)


def last_key(node: cst.CSTNode) -> str | None:
    """`lr` of `group["lr"]`."""
    match node:
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]):
            return str(key.evaluated_value)
    return None


def _keyed(node: cst.Dict | cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The keys and values of `{"params": p, "lr": 1}` and of `dict(params=p, lr=1)`."""
    if isinstance(node, cst.Dict):
        for element in node.elements:
            if isinstance(element, cst.DictElement) and isinstance(element.key, cst.SimpleString):
                yield str(element.key.evaluated_value), element.value
    elif dotted(node.func) == "dict":
        for argument in node.args:
            if argument.keyword is not None:
                yield argument.keyword.value, argument.value


__all__ = [
    "CHANGED_OPTIONS",
    "GROUP_NUMBER",
    "OWN_UPDATE",
    "SHARED_OPTIONS",
    "Optimized",
    "given_parameters",
    "is_optimizer",
    "is_own_optimizer",
    "last_key",
    "makes_optimizer",
    "optimized",
    "own_optimizer_base",
    "parameter_flag",
    "shared_options",
]

"""Arguments of classes that are numbers, if anything, or lists of such: nothing that is made with them holds what they hold.

def __init__(self, channels, kernel):
    head, *rest = channels[::-1]
    sizes = [head] + list(rest)
    self.blocks = nn.ModuleList([Block(n, m, kernel) for n, m in zip(sizes, sizes[1:])])

Each use of the argument, and of the variables that come from it, has to be one that numbers have, too: layers are made with it, it
is computed with, compared or counted. One use that only numbers have is enough for a variable with one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set

import libcst as cst

from torch2jax.facts.bindings import CONTAINERS
from torch2jax.ops.signatures import parse_signature
from torch2jax.plan.model import Facts
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.syntax.walk import bound_names, descendants, is_label, own_nodes
from torch2jax.values import Kind, Value

OF_MODULES = frozenset(
    {*CONTAINERS, "torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel", "torch.nn.Transformer",
     "torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder"}
)  # fmt: skip
"""Layers that are made with other modules."""

_ASKING = frozenset({"int", "float", "range", "len", "str", "print", "isinstance", "bool", "type"})
_HANDING_ON = frozenset(
    {"list", "tuple", "zip", "reversed", "enumerate", "sorted", "max", "min", "sum", "set", "iter", "next"}
)
_NUMBERS = frozenset(
    {"in_features", "out_features", "in_channels", "out_channels", "num_features", "num_channels", "num_groups", "num_embeddings",
     "embedding_dim", "kernel_size", "stride", "padding", "dilation", "groups", "input_size", "hidden_size", "num_layers"}
)  # fmt: skip
_MOST = 4  # classes within each other


def is_counted(facts: Facts, maker: Function, call: cst.Call, given: cst.BaseExpression) -> bool:
    """Whether `__init__` uses an argument of a call for nothing but numbers, and layers that are made with numbers."""
    names = {name for name, node in arguments_by_parameter(maker, call, facts.values) if node is given}
    return bool(names) and _are_counted(facts, maker, _of_maker(maker, names), _MOST)


def _of_maker(maker: Function, names: Set[str]) -> set[str]:
    """The parameters of a function that take what some names are given: all others are in `**kwargs`."""
    others = {maker.double_star_name} if maker.double_star_name is not None else set()
    return {*names} if names <= set(maker.parameter_names) else {*names} & set(maker.parameter_names) | others


def _are_counted(facts: Facts, function: Function, names: Set[str], depth: int) -> bool:
    parents = facts.program.home(function.node).index.parents
    nodes = [node for node in descendants(function.node.body, cst.Name) if not is_label(node, parents[node])]
    found = _Uses(facts, parents, {*names}, depth)
    done: set[str] = set()
    while names := found.names - done:
        done |= names
        for name in names:
            uses = [node for node in nodes if node.value == name]
            if not (_has_one_value(function, name) and any(map(found.proves, uses))):
                if not all(map(found.counts, uses)):
                    return False
    return bool(done)


def _has_one_value(function: Function, name: str) -> bool:
    """Whether a variable of a function is bound once: a parameter by its call only."""
    bound = [
        name
        for node in own_nodes(function.node)
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For, cst.CompFor))
        for found in bound_names(node.target)
        if found == name
    ]
    return len(bound) == (name not in function.parameter_names)


class _Uses:
    """The variables of a function that hold what an argument is, or parts of it, so far."""

    def __init__(self, facts: Facts, parents: Mapping[cst.CSTNode, cst.CSTNode], names: set[str], depth: int) -> None:
        self.facts, self.parents, self.names, self.depth = facts, parents, names, depth

    def proves(self, node: cst.CSTNode) -> bool:
        """Whether a use is one that nothing but a number has, or a list of them: `nn.Linear(n, m)`, `nn.Linear(sizes[0], m)`."""
        match self.parents[node]:
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer()))]) as element:
                node = element
        match self.parents[node]:
            case cst.Arg(star="", keyword=keyword) as given:
                call = self.parents[given]
                name = self.facts.values.torch_name(call.func) if isinstance(call, cst.Call) else None
                spec = self.facts.tables.layers.get(name) if name is not None else None
                if spec is None or not isinstance(call, cst.Call):
                    return False
                taken = [item.name for item in parse_signature(spec.signature).parameters]
                position = call.args.index(given)
                ahead = taken[position] if position < len(taken) and not any(item.star for item in call.args) else None
                return (keyword.value if keyword is not None else ahead) in _NUMBERS
        return False

    def counts(self, node: cst.CSTNode) -> bool:
        """Whether a use is one of numbers; the variables that it binds are among the names then."""
        is_computed = False
        while True:
            parent = self.parents[node]
            match parent:
                case (
                    cst.AssignTarget()
                    | cst.Param()
                    | cst.Comparison()
                    | cst.ComparisonTarget()
                    | cst.Index()
                    | cst.Slice()
                ):
                    return True
                case (
                    cst.If() | cst.While() | cst.Assert() | cst.Expr() | cst.FormattedStringExpression() | cst.CompIf()
                ):
                    return True
                case cst.UnaryOperation(operator=cst.Not()):
                    return True
                case cst.IfExp() if parent.test is node:
                    return True
                case cst.For() | cst.CompFor():
                    self.names |= bound_names(parent.target) if parent.iter is node else set()
                    return True
                case cst.Assign():
                    targets = [item.target for item in parent.targets]
                    if is_computed and any(isinstance(item, cst.Attribute) for item in targets):
                        return True
                    if not all(_binds_variables(item) for item in targets):
                        return False
                    self.names |= {name for item in targets for name in bound_names(item)}
                    return True
                case cst.Element() if isinstance(
                    self.parents.get(self.parents[parent]), (cst.AssignTarget, cst.For, cst.CompFor)
                ):
                    return self.parents[parent] is not getattr(self.parents[self.parents[parent]], "iter", None)
                case cst.BinaryOperation() | cst.UnaryOperation():
                    is_computed = True
                case cst.Arg():
                    call = self.parents[parent]
                    if not isinstance(call, cst.Call) or not self._hands_on(call):
                        return isinstance(call, cst.Call) and self._takes(call, parent)
                    parent = call
                case (
                    cst.Subscript()
                    | cst.Element()
                    | cst.StarredElement()
                    | cst.List()
                    | cst.Tuple()
                    | cst.ListComp()
                    | cst.GeneratorExp()
                    | cst.IfExp()
                    | cst.BooleanOperation()
                ):
                    pass
                case _:
                    return False
            node = parent

    def _hands_on(self, call: cst.Call) -> bool:
        return (
            isinstance(call.func, cst.Name)
            and call.func.value in _HANDING_ON
            and not self.facts.values.callees.get(call)
        )

    def _takes(self, call: cst.Call, given: cst.Arg) -> bool:
        """Whether what is called uses an argument as a number, or only makes layers of its own with it."""
        values, layers = self.facts.values, self.facts.tables.layers
        name = values.torch_name(call.func)
        if name is not None or dotted(call.func) in _ASKING:
            return dotted(call.func) in _ASKING or (name in layers and name not in OF_MODULES)
        if values(call.func).kind is not Kind.CLASS or self.depth == 0:
            return False
        made = self.facts.effects.classes_of(values(call))
        makers = [item.method("__init__") for item in made]
        return bool(makers) and all(
            maker is not None
            and _are_counted(self.facts, maker, set(_parameters(maker, call, given, values)), self.depth - 1)
            for maker in makers
        )


def _parameters(
    maker: Function, call: cst.Call, given: cst.Arg, values: Callable[[cst.CSTNode], Value]
) -> Iterator[str]:
    """The parameters of `__init__` that may be given an argument of a call."""
    if given.star:
        yield from (*maker.parameter_names[1:], *filter(None, (maker.star_name, maker.double_star_name)))
        return
    names = {name for name, node in arguments_by_parameter(maker, call, values) if node is given.value}
    yield from _of_maker(maker, names)


def _binds_variables(target: cst.BaseExpression) -> bool:
    """Whether a target is a variable, or several: `head, *rest`."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return all(_binds_variables(item.value) for item in target.elements)
    return isinstance(target, cst.Name)


__all__ = ["OF_MODULES", "is_counted"]

"""The single walk over a tree: parents, and the nodes that later stages loop over.

LibCST's own visitors rebuild or re-dispatch every node; this walk touches each syntactic node once and never whitespace.
"""

from __future__ import annotations

import dataclasses
from abc import ABCMeta
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, TypeVar, overload

import libcst as cst

from torch2jax.records import dataclass

_SKIPPED_FIELDS = frozenset(
    {
        "lpar",
        "rpar",
        "lbracket",
        "rbracket",
        "lbrace",
        "rbrace",
        "comma",
        "semicolon",
        "colon",
        "equal",
        "dot",
        "header",
    }
    | {"footer", "leading_lines", "lines_after_decorators", "trailing_whitespace", "indent", "newline", "comment"}
)
NodeT = TypeVar("NodeT", bound=cst.CSTNode)


class _NodeType(ABCMeta):
    """The type of the classes of nodes, which are asked as plain classes are: nothing is registered as one of them."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


def _ask_quickly(kind: type[cst.CSTNode]) -> None:
    """Nodes are equal by identity, and Python's own hash for that takes a tenth of the time of LibCST's: facts are in
    dictionaries by nodes. Of which kind a node is, is asked even more often: that takes a third of the time of abstract classes.
    """
    type.__setattr__(kind, "__hash__", object.__hash__)
    type.__setattr__(kind, "__class__", _NodeType)
    for below in kind.__subclasses__():
        _ask_quickly(below)


_ask_quickly(cst.CSTNode)  # type: ignore[type-abstract]

_LEAVES = (cst.Name, cst.SimpleString, cst.Integer, cst.Float, cst.Imaginary, cst.Ellipsis)
_LEAF_TYPES = frozenset(_LEAVES)


@cache
def child_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """Names of the fields of a node class that can hold syntax rather than layout."""
    if issubclass(kind, _LEAVES):
        return ()
    return tuple(
        field.name
        for field in dataclasses.fields(kind)
        if field.name not in _SKIPPED_FIELDS
        and not field.name.startswith("whitespace")
        and not field.name.startswith("_")
    )


@cache
def is_node_type(kind: type) -> bool:
    """Whether objects of a type are nodes: asked of the type, since `isinstance` is slow for abstract classes."""
    return issubclass(kind, cst.CSTNode)


@cache
def _is_statement(kind: type) -> bool:
    return issubclass(kind, (cst.SimpleStatementLine, cst.BaseCompoundStatement))


@cache
def _access(kind: type[cst.CSTNode]) -> tuple[tuple[str, ...], Callable[[cst.CSTNode], tuple[Any, ...]]]:
    names = tuple(field.name for field in dataclasses.fields(kind))
    if len(names) > 1:
        return names, attrgetter(*names)
    return names, lambda node: tuple(getattr(node, name) for name in names)


def fields_of(node: cst.CSTNode) -> tuple[Any, ...]:
    """The values of all fields of a node, layout included."""
    return _access(type(node))[1](node)


def with_fields(node: NodeT, **changes: object) -> NodeT:
    """As `node.with_changes(**changes)` for fields that are known to fit: nothing is validated, in half the time."""
    kind = type(node)
    names, get = _access(kind)
    new: NodeT = object.__new__(kind)
    put = object.__setattr__
    for name, value in zip(names, get(node), strict=True):
        put(new, name, value)
    for name, value in changes.items():
        put(new, name, value)
    return new


class _ChildAccess(dict[type[cst.CSTNode], Callable[[cst.CSTNode], tuple[Any, ...]] | None]):
    """Kind of nodes -> what gives the values of the fields that can hold syntax; None if there are none."""

    def __missing__(self, kind: type[cst.CSTNode]) -> Callable[[cst.CSTNode], tuple[Any, ...]] | None:
        names = child_fields(kind)
        get = attrgetter(*names) if names else None
        self[kind] = (lambda node: (get(node),)) if get is not None and len(names) == 1 else get
        return self[kind]


class _IsNode(dict[type, bool]):
    """Kind of values -> whether they are nodes: what `is_node_type` says, without a call."""

    def __missing__(self, kind: type) -> bool:
        self[kind] = issubclass(kind, cst.CSTNode)
        return self[kind]


_CHILD_ACCESS = _ChildAccess()
_IS_NODE = _IsNode()


def children(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The syntactic children of a node, in source order."""
    found: list[cst.CSTNode] = []
    get = _CHILD_ACCESS[type(node)]
    if get is None:
        return found
    for value in get(node):
        kind: type[Any] = type(value)
        if kind is tuple or kind is list:
            found += value  # such fields hold nothing but nodes
        elif _IS_NODE[kind]:
            found.append(value)
    return found


@lru_cache(maxsize=65536)
def _below(node: cst.CSTNode, kinds: tuple[type[cst.CSTNode], ...]) -> tuple[cst.CSTNode, ...]:
    found: list[cst.CSTNode] = []
    stack = [node]
    while stack:
        current = stack.pop()
        kind = type(current)
        if not kinds or kind in kinds:
            found.append(current)
        if (get := _CHILD_ACCESS[kind]) is None:
            continue
        for value in get(current)[::-1]:  # as in `children`, the last one first
            kind = type(value)
            if kind is tuple or kind is list:
                stack += value[::-1]
            elif _IS_NODE[kind]:
                stack.append(value)
    return tuple(found)


@overload
def descendants(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]: ...
@overload
def descendants(node: cst.CSTNode, *kinds: type[NodeT]) -> tuple[NodeT, ...]: ...
def descendants(node: cst.CSTNode, *kinds: type[cst.CSTNode]) -> tuple[cst.CSTNode, ...]:
    """The node and everything below it, parents before children, in source order; only nodes of some kinds, if any are given.
    Many ask for the same, for which the tree is walked once.
    """
    return _below(node, kinds)


INNER_SCOPES = (cst.FunctionDef, cst.ClassDef, cst.Lambda)
_INNER_TYPES = frozenset(INNER_SCOPES)


@lru_cache(maxsize=2048)
def own_nodes(scope: cst.FunctionDef | cst.Module) -> tuple[cst.CSTNode, ...]:
    """The nodes of the body of a function, or of a file, without those of functions and classes in it."""
    found: list[cst.CSTNode] = []
    stack: list[cst.CSTNode] = [scope.body] if isinstance(scope, cst.FunctionDef) else []
    stack += [item for item in scope.body if type(item) not in _INNER_TYPES] if isinstance(scope, cst.Module) else []
    while stack:
        node = stack.pop()
        found.append(node)
        if type(node) not in _LEAF_TYPES:
            stack += [child for child in children(node) if type(child) not in _INNER_TYPES]
    return tuple(found)


def ways(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions whose value another one may have: those of a choice."""
    return [*ways(node.body), *ways(node.orelse)] if isinstance(node, cst.IfExp) else [node]


def bound_names(target: cst.CSTNode) -> set[str]:
    """The variables that a target binds."""
    if isinstance(target, cst.Name):
        return {target.value}
    if isinstance(target, (cst.Tuple, cst.List)):
        return {name for element in target.elements for name in bound_names(element.value)}
    return set()


def choices(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What an expression may be: each side of a conditional one."""
    if isinstance(node, cst.IfExp):
        yield from choices(node.body)
        yield from choices(node.orelse)
    else:
        yield node


def elements_of(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions of a tuple as it is written; a node that is none, alone."""
    return [item.value for item in node.elements] if isinstance(node, cst.Tuple) else [node]


def returned_tuples(function: cst.FunctionDef) -> list[cst.Tuple] | None:
    """What each `return` of a function gives; None where one gives anything else than a tuple that is written out."""
    found: list[cst.Tuple] = []
    for node in own_nodes(function):
        if isinstance(node, cst.Return):
            given = node.value
            if not isinstance(given, cst.Tuple) or any(isinstance(item, cst.StarredElement) for item in given.elements):
                return None
            found.append(given)
    return found


def lines_of(suite: cst.CSTNode) -> list[cst.BaseStatement]:
    """The statements of a suite, as whole lines."""
    if isinstance(suite, cst.IndentedBlock):
        return list(suite.body)
    assert isinstance(suite, cst.SimpleStatementSuite)
    return [cst.SimpleStatementLine([small]) for small in suite.body]


def count_name(node: cst.CSTNode, name: str) -> int:
    """How often a name stands below a node."""
    return sum(type(item) is cst.Name and item.value == name for item in descendants(node))


NOT_ALWAYS = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
"""Expressions of which some parts are not evaluated where they stand, or not once."""


@dataclass(frozen=True, slots=True)
class Index:
    """What one walk found. `parents` maps each node (by identity) to the node that holds it; `nodes` are all of them,
    parents before children, in source order.
    """

    module: cst.Module
    parents: dict[cst.CSTNode, cst.CSTNode]
    calls: Sequence[cst.Call]
    attributes: Sequence[cst.Attribute]
    names: Sequence[cst.Name]
    functions: Sequence[cst.FunctionDef]
    classes: Sequence[cst.ClassDef]
    imports: Sequence[cst.Import | cst.ImportFrom]
    nodes: Sequence[cst.CSTNode]
    by_kind: Mapping[type[cst.CSTNode], Sequence[Any]]
    _order: dict[cst.CSTNode, int] = dataclasses.field(default_factory=dict)

    @property
    def order(self) -> dict[cst.CSTNode, int]:
        """The number of each node, in source order."""
        if not self._order:
            self._order.update(zip(self.nodes, range(len(self.nodes)), strict=True))
        return self._order

    def every(self, *kinds: type[NodeT]) -> Sequence[NodeT]:
        """The nodes of some kinds, in source order."""
        return _select(kinds, self.nodes, self.by_kind)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes that hold `node`, innermost first."""
        current = self.parents.get(node)
        while current is not None:
            yield current
            current = self.parents.get(current)

    def is_label(self, node: cst.CSTNode) -> bool:
        """Whether a name stands for no variable: it follows a dot, or says which argument is given."""
        parent = self.parents.get(node)
        return isinstance(parent, (cst.Attribute, cst.Arg)) and parent.value is not node

    def top_level(self, node: cst.CSTNode) -> cst.CSTNode:
        """The statement of the module that holds `node` (or is it)."""
        while not isinstance(self.parents[node], cst.Module):
            node = self.parents[node]
        return node

    def statement_of(self, node: cst.CSTNode) -> cst.SimpleStatementLine | cst.BaseCompoundStatement:
        """The innermost whole statement that holds `node` (or is it)."""
        current: cst.CSTNode | None = node
        while current is not None:
            if _is_statement(type(current)):
                return current  # type: ignore[return-value]
            current = self.parents.get(current)
        raise AssertionError("every expression stands in a statement")

    def are_exclusive(self, a: cst.CSTNode, b: cst.CSTNode) -> bool:
        """Whether no run comes to both nodes: they stand in different branches of one condition."""
        branches: dict[cst.CSTNode, cst.CSTNode] = {}
        child = a
        for ancestor in self.ancestors(a):
            if isinstance(ancestor, (cst.If, cst.IfExp, cst.Match)):
                branches[ancestor] = child
            child = ancestor
        child = b
        for ancestor in self.ancestors(b):
            if ancestor in branches:
                tests = (getattr(ancestor, "test", None), getattr(ancestor, "subject", None))
                return branches[ancestor] is not child and branches[ancestor] not in tests and child not in tests
            child = ancestor
        return False

    def function_of(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The innermost function definition around `node`, or None at module or class level."""
        current = self.parents.get(node)
        while current is not None and type(current) is not cst.FunctionDef:
            current = self.parents.get(current)
        return current


def _select(
    kinds: Sequence[type[NodeT]],
    nodes: Sequence[cst.CSTNode],
    by_kind: Mapping[type[cst.CSTNode], Sequence[Any]],
) -> Sequence[NodeT]:
    present = by_kind.keys() & set(kinds)
    if len(present) < 2:
        return by_kind[present.pop()] if present else ()
    return [node for node in nodes if type(node) in present]  # type: ignore[misc]


def build_index(module: cst.Module, *, separates: bool = False) -> Index:
    """Walk the module once. A new tree, which is nobody else's yet, `separates` what stands in it in several places: it gets
    nodes of its own in each.
    """
    parents: dict[cst.CSTNode, cst.CSTNode] = {}
    nodes: list[cst.CSTNode] = []
    by_kind: defaultdict[type[cst.CSTNode], list[Any]] = defaultdict(list)
    stack: list[cst.CSTNode] = [module]
    while stack:
        node = stack.pop()
        kind = type(node)
        nodes.append(node)
        by_kind[kind].append(node)
        if kind in _LEAF_TYPES:
            continue
        below = children(node)
        if separates and not parents.keys().isdisjoint(below):
            again = {child: child.deep_clone() for child in below if child in parents}
            _exchange(node, again)
            _below.cache_clear()
            below = [again.get(child, child) for child in below]
        for child in below:
            parents[child] = node
        below.reverse()
        stack.extend(below)
    kinds = (cst.Call, cst.Attribute, cst.Name, cst.FunctionDef, cst.ClassDef)
    calls, attributes, names, functions, classes = (by_kind.get(kind, []) for kind in kinds)
    imports: Sequence[Any] = _select((cst.Import, cst.ImportFrom), nodes, by_kind)
    return Index(module, parents, calls, attributes, names, functions, classes, imports, nodes, dict(by_kind))


def _exchange(node: cst.CSTNode, others: Mapping[cst.CSTNode, cst.CSTNode]) -> None:
    """Put other nodes in the place of direct children."""
    names, get = _access(type(node))
    for name, value in zip(names, get(node), strict=True):
        if isinstance(value, (tuple, list)):
            if any(item in others for item in value if isinstance(item, cst.CSTNode)):
                object.__setattr__(node, name, type(value)(others.get(item, item) for item in value))
        elif isinstance(value, cst.CSTNode) and value in others:
            object.__setattr__(node, name, others[value])


def is_label(name: cst.Name, parent: cst.CSTNode) -> bool:
    """Whether a name stands behind a dot or in front of the value of an argument, and so binds nothing."""
    if isinstance(parent, cst.Attribute):
        return parent.attr is name
    return isinstance(parent, cst.Arg) and parent.keyword is name

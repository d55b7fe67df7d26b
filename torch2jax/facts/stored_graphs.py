"""Lists in which a program keeps what it computes from trained values, for the loss of a later step.

log_probs = []                                   log_probs = []
                                                 log_prob_vjps = []
for t in range(n):                               for t in range(n):
    ...                                   ->         ...
    log_probs.append(dist.log_prob(action))          log_prob, log_prob_vjp = compute_log_prob(policy, state, action)
                                                     log_probs.append(log_prob)
                                                     log_prob_vjps.append(log_prob_vjp)
loss = -(torch.stack(log_probs) * returns).sum()
loss.backward()                                  the gradients of the entries, taken on by the pullback of each, add up

Each value is computed once, at the place and with the parameters and draws with which torch computes it. What one round puts into
several lists is one part of the loss, with one list of pullbacks.

A field of an object may keep one such value, too: `self.log_prob = dist.log_prob(action)` in one method, for the loss of another.
Its pullback is kept in a field beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

import libcst as cst

from torch2jax.facts import named_tuples
from torch2jax.facts.dependence import Dependence
from torch2jax.facts.infer import Values
from torch2jax.facts.mutations import changes_values
from torch2jax.facts.provenance import Graphs
from torch2jax.facts.training import (
    Block,
    Flows,
    Step,
    Stores,
    find_forward,
    find_interface,
    step_ends,
    value_of_place,
    written_by,
)
from torch2jax.program.calls import is_backward
from torch2jax.program.program import Function, Program, dotted, owner_name
from torch2jax.records import dataclass
from torch2jax.syntax.walk import Index, descendants
from torch2jax.values import Kind

__all__ = ["StoredGraphs", "emptied_lists", "given_to", "paired"]

_LEAVING = (cst.Break, cst.Continue, cst.Return, cst.Raise, cst.Yield)
_READERS = frozenset({"len", "zip", "enumerate", "reversed", "sum", "list", "tuple", "range", "iter", "isinstance"})


@dataclass(frozen=True, slots=True)
class _Store:
    """A list: the line that adds a value to it, and those that make or empty it. A field for one value is never emptied."""

    place: str
    line: cst.SimpleStatementLine
    value: cst.BaseExpression
    emptied: tuple[cst.SimpleStatementLine, ...]


class StoredGraphs:
    """The lists of a file that keep graphs."""

    def __init__(self, program: Program, values: Values, graphs: Graphs) -> None:
        self.program, self.values, self.graphs = program, values, graphs

    def find(self) -> Stores:
        """All places that get values by `append`, with graphs or without, and the fields that keep one."""
        full, others, mixed = set[str](), set[str](), set[str]()
        for call in self.program.index.calls:
            added = _appended(call)
            if not isinstance(call.func, cst.Attribute):
                continue
            place = dotted(call.func.value)
            if place is not None and added is not None:
                (full if self.graphs.is_computed(added) else others).add(place)
            elif place is not None:
                mixed |= {place} if call.func.attr.value in ("extend", "insert") else set()
        fields = self._kept_for_others()
        places = frozenset(place for node in fields if (place := dotted(node)) is not None)
        return Stores(frozenset(full) | places, frozenset(others - full - mixed), fields)

    def _kept_for_others(self) -> frozenset[cst.Attribute]:
        """The fields of objects to which a function gives what it computes, and which the steps of others read."""
        index = self.program.index
        users = {self.program.function_around(call) for call in index.calls if is_backward(call)}
        read = dict[str, set[Function | None]]()
        for node in index.attributes:
            if (around := self.program.function_around(node)) in users and not self._is_bound(node):
                read.setdefault(node.attr.value, set()).add(around)
        found = set[cst.Attribute]()
        for node in index.attributes:
            readers = read.get(node.attr.value)
            if readers is None or not readers - {self.program.function_around(node)} or dotted(node) is None:
                continue
            value = given_to(index, node)
            if value is None or self.values(node.value).kind is not Kind.OBJECT:
                continue
            if self.graphs.is_computed(value):
                found.add(node)
        return frozenset(found)

    def _is_bound(self, node: cst.BaseExpression) -> bool:
        """Whether a statement gives a place another value, or takes it away."""
        match parent := self.program.index.parents[node]:
            case cst.AssignTarget() | cst.Del():
                return True
            case cst.AugAssign(target=target) | cst.AnnAssign(target=target):
                return target is node
            case cst.Element() | cst.StarredElement():
                around = self.program.index.parents[parent]
                return isinstance(around, cst.Tuple) and self._is_bound(around)
            case cst.For(target=target) | cst.CompFor(target=target):
                return target is node
        return False

    def parts(self, step: Step, names: Sequence[str], flows: Flows) -> list[Step] | None:
        """The parts of the loss of a step that lists bring into it; None where one of them cannot be computed apart."""
        stores = [self._store(step.function, name) or self._field(step.function, name) for name in names]
        blocks: dict[cst.CSTNode, list[_Store]] = {}
        for store in stores:
            if store is None:
                return None
            blocks.setdefault(self.program.index.parents[store.line], []).append(store)
        parts = [self._part(self._block_of(group), group, step, flows) for group in blocks.values()]
        return [part for part in parts if part is not None] if all(parts) else None

    def _block_of(self, stores: Sequence[_Store]) -> cst.CSTNode:
        """The block that computes what the lines of one block keep: one around it, where they stand under a condition."""
        index = self.program.index
        block = index.parents[stores[0].line]
        names = {store.value.value for store in stores if isinstance(store.value, cst.Name)}
        dependence = Dependence(self.values, self.program.function_around(stores[0].line))
        while len(names) == len(stores) and isinstance(block, cst.IndentedBlock):
            if any(not names.isdisjoint(written_by(line, dependence)) for line in block.body):
                break
            around = index.parents[block]
            while isinstance(around, (cst.If, cst.Else)):
                around = index.parents[around]
            if not isinstance(around, (cst.IndentedBlock, cst.Module)):
                break
            block = around
        return block

    # lists

    def _store(self, function: Function | None, place: str) -> _Store | None:
        """A list that one line adds to, and which nobody has by another name."""
        lines: list[tuple[cst.SimpleStatementLine, cst.BaseExpression]] = []
        emptied: list[cst.SimpleStatementLine] = []
        for node in self._uses(function, place):
            line = self.program.index.statement_of(node)
            if isinstance(node, cst.Attribute) and self.values(node.value).kind is not Kind.OBJECT:
                return None  # a module is another one with each entry
            if not isinstance(line, cst.SimpleStatementLine):
                if not self._only_reads(node):
                    return None
                continue
            added = self._added(node, line)
            if added is not None:
                lines.append((line, added))
            elif any(place is node for place, _ in _emptied(line)):
                emptied.append(line)
            elif not self._only_reads(node):
                return None
        if len(lines) != 1 or not emptied or not self._is_plain(lines[0][1]):
            return None
        return _Store(place, *lines[0], tuple(dict.fromkeys(emptied)))

    def _field(self, function: Function | None, place: str) -> _Store | None:
        """A field of an object that one line gives a value, in another function than a step; others may make it `None` again."""
        given: list[tuple[cst.SimpleStatementLine, cst.BaseExpression]] = []
        for node in self._uses(function, place) if "." in place else ():
            line, value = self.program.index.statement_of(node), given_to(self.program.index, node)
            assert isinstance(node, cst.Attribute)
            if self.values(node.value).kind is not Kind.OBJECT:
                return None
            if value is None:
                if self._is_bound(node) or self._is_changed(node):
                    return None
            elif not isinstance(self.program.index.parents[node], cst.AssignTarget):
                return None
            elif not (isinstance(value, cst.Name) and value.value == "None"):
                assert isinstance(line, cst.SimpleStatementLine)
                given.append((line, value))
        if len(given) != 1 or self.program.function_around(given[0][0]) is function or not self._is_plain(given[0][1]):
            return None
        return _Store(place, *given[0], ())

    def _is_changed(self, node: cst.BaseExpression) -> bool:
        """Whether a value is changed in place, or one of its entries."""
        parent = self.program.index.parents[node]
        if isinstance(parent, cst.Subscript):
            return self._is_bound(parent)
        return isinstance(parent, cst.Attribute) and changes_values(parent.attr.value)

    def _uses(self, function: Function | None, place: str) -> Iterator[cst.BaseExpression]:
        """Where a list is named."""
        index = self.program.index
        if "." not in place:
            scope = self.graphs.scope(function, place)
            for name in index.names:
                if name.value == place and not index.is_label(name) and not self._is_declared(name):
                    if self.graphs.scope(self.program.function_around(name), place) is scope:
                        yield name
            return
        field = place.rpartition(".")[2]
        nodes = [node for node in index.attributes if node.attr.value == field]
        named = [node for node in nodes if dotted(node) == place and self.program.function_around(node) is function]
        types = frozenset[str]().union(*(self.values(node.value).types for node in named))
        for node in nodes:
            if (
                not types or not (own := self.values(node.value).types) or own & types
            ):  # a field of another class is another
                yield node

    def _is_declared(self, name: cst.Name) -> bool:
        """Whether a name stands in `global` or `nonlocal`."""
        return isinstance(self.program.index.parents[name], cst.NameItem)

    def _added(self, node: cst.BaseExpression, line: cst.SimpleStatementLine) -> cst.BaseExpression | None:
        """What a line adds to a list, if it does nothing else."""
        match line:
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
                added = _appended(call)
                is_own = isinstance(call.func, cst.Attribute) and call.func.value is node
                return added if added is not None and is_own else None
        return None

    def _only_reads(self, node: cst.BaseExpression) -> bool:
        """Whether a place where a list is named looks at its entries, and gives nobody the list itself."""
        parents = self.program.index.parents
        parent = parents[node]
        match parent:
            case cst.For(iter=item) | cst.CompFor(iter=item):
                return item is node
            case cst.Subscript(value=value):
                return value is node and not isinstance(parents[parent], (cst.AssignTarget, cst.AugAssign, cst.Del))
            case cst.Arg():
                call = parents[parent]
                assert isinstance(call, cst.Call)
                name = call.func.value if isinstance(call.func, cst.Name) else None
                return name in _READERS or self.values.torch_name(call.func) is not None
        return False

    def _is_plain(self, node: cst.BaseExpression) -> bool:
        """Whether an entry is a tensor of real numbers, or a tuple of such, with names or without."""
        value = self.values(node)
        if isinstance(node, cst.Tuple):
            return all(isinstance(item, cst.Element) and self._is_plain(item.value) for item in node.elements)
        if isinstance(node, cst.Call) and self.values(node.func).const == named_tuples.CLASS:
            return all(not item.star and self._is_plain(item.value) for item in node.args)
        return value.kind is Kind.TENSOR and not (value.dtype or "").startswith("complex")

    # parts

    def _part(self, block: cst.CSTNode, stores: Sequence[_Store], step: Step, flows: Flows) -> Step | None:
        """What computes the entries that one block adds to lists, as a part of the loss of a step."""
        if not isinstance(block, Block) or not self._are_emptied_together(stores):
            return None
        body: Sequence[cst.BaseStatement] = list(block.body)
        stores = sorted(stores, key=lambda store: self.program.index.order[store.line])
        lines, places = [store.line for store in stores], {store.place for store in stores}
        own = [self._statement_in(block, line) for line in lines]
        first, last = body.index(own[0]), body.index(own[-1])
        if any(item not in own and _mentions(item, places) for item in body[first:last]):
            return None
        function = self.program.function_around(stores[0].line)
        scope = function.node if function is not None else self.program.index.module
        index = self.program.index
        taken = {node.value for node in descendants(scope) if isinstance(node, cst.Name) and not index.is_label(node)}
        carries = tuple(_name_of(store, taken) for store in stores)
        loss = stores[0].value if len(stores) == 1 else cst.Tuple([cst.Element(store.value) for store in stores])
        made = self._made(stores, body[: last + 1], first, Dependence(self.values, function))
        if made is None and own != lines:
            return None
        end = stores[-1].line if made is None else made
        part = Step(function, block, end.body[0], end, loss, carries=carries)  # type: ignore[arg-type]
        part.stores = tuple(store.place for store in stores)
        part.emptied, part.added = stores[0].emptied, tuple(lines)
        if made is None:
            part.dropped, part.end = list(lines[:-1]), last
        else:
            part.stays, part.end = True, body.index(made) + 1
        part.begin = max((place + 1 for place in step_ends(body, self.values) if place < part.end), default=0)
        find_forward(part, self.values, flows)
        if not part.is_refused:
            find_interface(part, self.program, self.values, flows)
        part.results = [name for name in part.results if name not in carries]
        if part.uses_earlier or part.leaves or not part.models:
            return None
        is_same = all(self._means_the_same(place, function, step.function) for place in part.models)
        return part if is_same and not any(self._grows(part, place) for place in part.models) else None

    def _statement_in(self, block: cst.CSTNode, line: cst.BaseStatement) -> cst.BaseStatement:
        """The statement of a block in which a line stands."""
        node: cst.CSTNode = line
        while (around := self.program.index.parents[node]) is not block:
            node = around
        assert isinstance(node, cst.BaseStatement)
        return node

    def _made(
        self, stores: Sequence[_Store], body: Sequence[cst.BaseStatement], first: int, dependence: Dependence
    ) -> cst.SimpleStatementLine | None:
        """The line that computes the last of some entries, if each has a name: they are added where they were."""
        names = {store.value.value for store in stores if isinstance(store.value, cst.Name)}
        binding = [place for place, line in enumerate(body) if not names.isdisjoint(written_by(line, dependence))]
        if len(names) < len(stores) or not binding or binding[-1] > first:
            return None
        line = body[binding[-1]]
        leaves = any(isinstance(node, _LEAVING) for item in body[first:] for node in descendants(item))
        return line if isinstance(line, cst.SimpleStatementLine) and not leaves else None

    def _grows(self, part: Step, place: str) -> bool:
        """Whether a module keeps lists that grow: its gradients would be another tree in each round."""
        value = value_of_place(part.region, place, self.values)
        for call in self.program.index.calls:
            match call.func:
                case cst.Attribute(
                    value=cst.Attribute(value=owner), attr=cst.Name("append" | "extend" | "insert" | "pop" | "clear")
                ) if self.values(owner).kind is Kind.MODULE:
                    if value is None or not value.types or self.values(owner).types & value.types:
                        return True
        return False

    def _are_emptied_together(self, stores: Sequence[_Store]) -> bool:
        """Whether lists always have entries of the same rounds: those that one is made or emptied beside the others."""
        parents = self.program.index.parents
        if len({bool(store.emptied) for store in stores}) > 1:
            return False
        first, *others = ([parents[line] for line in store.emptied] for store in stores)
        if any(blocks != first for blocks in others):
            return False
        places = {store.place for store in stores}
        for lines in zip(*(store.emptied for store in stores), strict=True):
            body = list(parents[lines[0]].body)  # type: ignore[attr-defined]
            numbers = [body.index(line) for line in lines]
            between = body[min(numbers) : max(numbers)]
            if any(item not in lines and _mentions(item, places) for item in between):
                return False
        return True

    def _means_the_same(self, place: str, one: Function | None, other: Function | None) -> bool:
        """Whether a place is the same in two functions."""
        root = place.partition(".")[0]
        if one is other:
            return True
        if one is not None and other is not None and owner_name(one) == root == owner_name(other):
            return one.owner is other.owner
        return self.graphs.scope(one, root) is self.graphs.scope(other, root)


def given_to(index: Index, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """What a line that is one assignment gives one of its targets; of what it takes apart, the whole."""
    match index.statement_of(node):
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            return next((given for place, given in paired(target, value) if place is node), None)
    return None


def paired(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What an assignment gives each of its targets; of what it takes apart, the whole."""
    pairs = _pairs(target, value)
    if len(pairs) == 1 and isinstance(target, cst.Tuple):
        pairs = [(item.value, value) for item in target.elements]
    for place, given in pairs:
        yield from paired(place, given) if isinstance(place, cst.Tuple) else [(place, given)]


def emptied_lists(part: Step) -> Iterator[tuple[cst.SimpleStatementLine, cst.BaseExpression, bool]]:
    """The lines that make or empty the first list of a part, each with its place there, and whether that is given a new list."""
    for line in part.emptied:
        for place, is_made in _emptied(line):
            if _ends_as(place, part.stores[0]):
                yield line, place, is_made


def _ends_as(node: cst.CSTNode, place: str) -> bool:
    """Whether an expression names a variable, or the field of some object."""
    field = place.rpartition(".")[2]
    if isinstance(node, cst.Attribute):
        return "." in place and node.attr.value == field
    return isinstance(node, cst.Name) and "." not in place and node.value == place


def _appended(call: cst.Call) -> cst.BaseExpression | None:
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name("append")), args=[cst.Arg(value=value, keyword=None, star="")]):
            return value
    return None


def _emptied(line: cst.SimpleStatementLine) -> Iterator[tuple[cst.BaseExpression, bool]]:
    """The lists that a line empties, each with whether it makes a new one: `values = []`, `del values[:]`, `values.clear()`."""
    for small in line.body:
        match small:
            case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
                yield from ((place, True) for place, made in _pairs(target, value) if _is_empty(made))
            case cst.AnnAssign(target=target, value=cst.BaseExpression() as value) if _is_empty(value):
                yield target, True
            case cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name("clear")))):
                yield place, False
            case cst.Del(target=target):
                items = [item.value for item in target.elements] if isinstance(target, cst.Tuple) else [target]
                yield from ((item.value, False) for item in items if _is_whole(item))


def _is_whole(node: cst.CSTNode) -> TypeGuard[cst.Subscript]:
    """Whether an expression takes all entries of a list: `values[:]`."""
    match node:
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Slice(lower=None, upper=None, step=None))]):
            return True
    return False


def _pairs(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> list[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What an assignment gives each of its targets."""
    if isinstance(target, cst.Tuple) and isinstance(value, (cst.Tuple, cst.List)):
        if len(target.elements) == len(value.elements):
            return [(one.value, other.value) for one, other in zip(target.elements, value.elements, strict=True)]
    return [(target, value)]


def _is_empty(value: cst.BaseExpression) -> bool:
    match value:
        case cst.List(elements=[]) | cst.Call(func=cst.Name("list"), args=[]):
            return True
    return False


def _mentions(statement: cst.CSTNode, places: set[str]) -> bool:
    """Whether a statement names one of some lists."""
    return any(
        isinstance(node, (cst.Name, cst.Attribute)) and any(_ends_as(node, place) for place in places)
        for node in descendants(statement)
    )


def _name_of(store: _Store, taken: set[str]) -> str:
    """A name for one entry of a list: its own, or `log_prob` of `self.saved_log_probs`."""
    if isinstance(store.value, cst.Name):
        return store.value.value
    plural = store.place.rpartition(".")[2].removeprefix("saved_")
    if not store.emptied:
        wish = plural
    elif plural.endswith("ies"):
        wish = f"{plural[:-3]}y"
    elif plural.endswith("sses"):
        wish = plural[:-2]
    elif plural.endswith("s") and len(plural) > 1:
        wish = plural[:-1]
    else:
        wish = f"{plural}_entry"
    name, number = wish, 0
    while name in taken:
        number += 1
        name = f"{wish}_{number}"
    taken.add(name)
    return name

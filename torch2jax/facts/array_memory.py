"""Memory that NumPy's arrays and tensors have in common in torch, by whatever way they have come to it, and changes of one in place
that others do not see in JAX, which copies arrays of NumPy.

    def scaled(image):                      def scaled(image):
        image = torch.from_numpy(image)         image = jnp.asarray(image)
        image /= 255                            image = image / 255
        return image                            return image

A may-analysis over definitions: what a variable, a field or an expression holds goes back to where its memory was made, or to a
field or an argument, and crosses bridges on the way: `torch.from_numpy(a)`, `t.numpy()`. What has come to the same memory over
other bridges is another array in JAX.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.facts.numpy_aliases import changes_of_pairs
from torch2jax.facts.storage import VIEWS, index_step
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import out_of_displays
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants, elements_of, own_nodes
from torch2jax.values import DTYPE_CALLS, Kind, class_dtype

_BRIDGES = frozenset({"torch.from_numpy", "torch.as_tensor", "torch.asarray"})
_ARRAY_VIEWS = frozenset(
    f"numpy.{name}"
    for name in "asarray asanyarray ascontiguousarray atleast_1d atleast_2d atleast_3d broadcast_to expand_dims flip"
    " fliplr flipud moveaxis ravel reshape rollaxis rot90 squeeze swapaxes transpose".split()
)
_PASSED_ON = frozenset({"enumerate", "iter", "list", "next", "reversed", "sorted", "tuple", "tqdm", "zip"})
_HOLDERS = frozenset({"get", "items", "pop", "values"})
_COUNTS = frozenset(f"numpy.{name}" for name in ("arange", "argsort", "argwhere", "flatnonzero", "nonzero", "where"))
_DRAWN = frozenset({"numpy.random.choice", "numpy.random.randint", "numpy.random.permutation"})
_RESHAPING = frozenset({"resize_", "squeeze_", "swapaxes_", "swapdims_", "t_", "transpose_", "unsqueeze_"})
_MOST = 64  # places that the memory of an argument is followed to

Root = Definition | str  # where memory was made, or the name of the field that has it


@dataclass(frozen=True, slots=True)
class _Memory:
    """Whose memory something has, the bridges that it has come over, the calls that have given it as an argument, and which part
    it is, as far as that is known: `("image",)` of `sample["image"]`; nothing is told apart behind `ANY`.
    """

    root: Root
    bridges: frozenset[cst.Call] = frozenset()
    calls: tuple[cst.Call, ...] = ()
    path: tuple[object, ...] = ()

    def part(self, key: object) -> _Memory:
        return self if ANY in self.path else replace(self, path=(*self.path, key))

    def given(self, inner: _Memory, calls: tuple[cst.Call, ...] = ()) -> _Memory:
        """The same of what has been given as an argument."""
        path = inner.path if ANY in inner.path else inner.path + self.path
        return _Memory(inner.root, inner.bridges | self.bridges, (*self.calls, *calls, *inner.calls), path)

    def is_unseen_by(self, other: _Memory) -> bool:
        """Whether two arrays have the same memory in torch, and are two in JAX."""
        if self.root != other.root or self.bridges == other.bridges:
            return False
        return all(ANY in pair or pair[0] == pair[1] for pair in zip(self.path, other.path, strict=False))


ANY = "*"
_Memories = frozenset[_Memory]


@dataclass(frozen=True, slots=True)
class UnseenChange:
    """A change at `node` of what is called `name` that `other` does not see."""

    node: cst.CSTNode
    name: str
    other: str


def unseen_changes(values: Values) -> Iterator[UnseenChange]:
    """The changes in place of arrays and tensors whose memory something else has over another bridge."""
    if not any(values.program.mentions(word) for word in ("numpy", "from_numpy", "as_tensor", "asarray")):
        return
    walk = _Walk(values, changes_of_pairs(values))
    if any(walk.bridged(call) is not None for call in values.program.index.calls):
        for place in _changed_places(values):
            other = walk.unseen(place)
            if other is not None:
                yield UnseenChange(place, _spelled(place), other)


def _spelled(place: cst.BaseExpression) -> str:
    """The name of the array that an expression gives a part of."""
    return dotted(_base(place)) or "an array"


def _base(place: cst.BaseExpression) -> cst.BaseExpression:
    """`x` of `x[0][1]`."""
    while isinstance(place, cst.Subscript):
        place = place.value
    return place


def _changed_places(values: Values) -> Iterator[cst.BaseExpression]:
    """What is changed in place: `x` of `x += 1`, `x[0] = 1`, `x.view(-1).add_(1)` and `np.add(a, 1, out=x)`."""
    index = values.program.index
    for update in index.every(cst.AugAssign):
        if not values(update.target).is_number:
            yield update.target
    for target in index.every(cst.AssignTarget):
        yield from (item.value for item in elements_of(target.target) if isinstance(item, cst.Subscript))
    for call in index.calls:
        if isinstance(call.func, cst.Attribute) and values.torch_name(call.func) is None:
            if changes_values(call.func.attr.value) and call.func.attr.value not in _RESHAPING:
                yield call.func.value
        if any(item.keyword is not None and item.keyword.value in ("out", "inplace") for item in call.args):
            yield from filled_arguments(call)


@dataclass(slots=True)
class _Walk:
    """The walk over the expressions and definitions of a file."""

    values: Values
    pairs: frozenset[tuple[cst.Name, str]]
    known: dict[cst.CSTNode | Definition, _Memories] = field(default_factory=dict)
    fields: dict[str, list[cst.BaseExpression]] | None = None
    callers: dict[Definition, list[tuple[cst.Call, cst.BaseExpression]]] = field(default_factory=dict)
    kept_results: list[tuple[cst.Call, _Memories]] | None = None

    def unseen(self, place: cst.BaseExpression) -> str | None:
        """Who does not see a change."""
        for memory in self.given(self.of(place)):
            if memory.bridges and isinstance(memory.root, str):
                return memory.root
            if memory.bridges and isinstance(memory.root, Definition) and self.is_of_caller(memory.root):
                return "a caller"
            if memory.bridges and isinstance(memory.root, Definition) and (kept := self.kept(memory.root)) is not None:
                return kept
            for point in (place, *memory.calls):
                for read in self.reads_behind(point):
                    if self.misses(memory, point, read):
                        return read.value
            for call, crossed in self.collected():
                others = [item for item in crossed if memory.is_unseen_by(item)]
                if others and self.is_behind(place, call) and not self.is_of_next_round(memory.root, call, place):
                    return "a container"
        return None

    def misses(self, memory: _Memory, point: cst.BaseExpression, read: cst.Name) -> bool:
        """Whether a variable that is read behind a change does not see it."""
        if self.is_same_variable(point, read) or self.is_of_next_round(memory.root, point, read):
            return False
        if (_base(point), read.value) in self.pairs:  # which are told of each other's changes, or reported
            return False
        others = [item for item in self.given(self.of(read)) if memory.is_unseen_by(item)]
        return any(not self.is_crossed_between(point, read, memory.bridges ^ item.bridges) for item in others)

    def is_same_variable(self, place: cst.BaseExpression, read: cst.Name) -> bool:
        """Whether a variable is read that held what has been changed: what it has got since then comes from elsewhere."""
        place = _base(place)
        variable = self.values.program.definitions.scopes.variable
        return isinstance(place, cst.Name) and place.value == read.value and variable(place) == variable(read)

    def is_of_next_round(self, root: Root, point: cst.CSTNode, read: cst.CSTNode) -> bool:
        """Whether what is read, or changed, in the next round of a loop has been made in that round."""
        index = self.values.program.index
        if index.order[read] > index.order[point] or not isinstance(root, Definition):
            return False
        loops = [item for item in index.ancestors(read) if isinstance(item, (cst.For, cst.While))]
        made = set(index.ancestors(root.node))
        return any(loop in made for loop in loops) and index.order[root.node] < index.order[read]

    def is_crossed_between(self, point: cst.CSTNode, read: cst.Name, bridges: frozenset[cst.Call]) -> bool:
        """Whether all bridges by which two arrays differ are crossed behind a point, and so with what has been changed there."""
        index = self.values.program.index
        return all(
            index.function_of(call) is index.function_of(point)
            and index.order[point] < index.order[call] < index.order[read]
            for call in bridges
        )

    def collected(self) -> list[tuple[cst.Call, _Memories]]:
        """The bridges whose results are put into containers, and what those have."""
        if self.kept_results is None:
            calls = [call for call in self.values.program.index.calls if self.bridged(call) is not None]
            self.kept_results = [(call, frozenset(self.given(self.of(call)))) for call in calls if self.is_put(call)]
        return self.kept_results

    def is_put(self, call: cst.Call) -> bool:
        """Whether what a call gives, or a variable that gets it, goes into a container."""
        holder, whole = out_of_displays(self.values.program.index, call)
        match holder:
            case cst.Arg():
                return _puts(self.values.program.index.parents[holder])
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as name)]) if whole is call:
                definitions = self.values.program.definitions
                return any(self.kept(item) == "a container" for item in definitions.every_of_name(name))
        return False

    def is_behind(self, place: cst.CSTNode, call: cst.Call) -> bool:
        """Whether something may happen behind a call."""
        index = self.values.program.index
        if index.function_of(place) is not index.function_of(call) or index.order[place] > index.order[call]:
            return True
        around = set(index.ancestors(place))
        return any(isinstance(item, (cst.For, cst.While)) and item in around for item in index.ancestors(call))

    def is_of_caller(self, root: Definition) -> bool:
        return root.how is How.PARAMETER and not self.is_own_object(root)

    def is_own_object(self, root: Definition) -> bool:
        function = self.values.program.function_around(root.node)
        return function is not None and function.self_name == root.variable.name

    def kept(self, root: Definition) -> str | None:
        """What else holds the array that a variable was given: a container or a field."""
        index, definitions = self.values.program.index, self.values.program.definitions
        for read in definitions.uses(root):
            holder, whole = out_of_displays(index, read)
            match holder:
                case cst.Assign(targets=[cst.AssignTarget(target=target), *_]) if whole is not read or not isinstance(
                    target, cst.Name
                ):
                    return dotted(target) or "a container"
                case cst.Arg() if whole is read and _puts(index.parents[holder]):
                    return "a container"
        return None

    def reads_behind(self, point: cst.CSTNode) -> Iterator[cst.Name]:
        """The variables that are read behind a point of their function."""
        index, definitions = self.values.program.index, self.values.program.definitions
        function, line = index.function_of(point), index.statement_of(point)
        inside = set(descendants(point if isinstance(point, cst.Call) and point in self.values.callees else line))
        loops = [item for item in index.ancestors(point) if isinstance(item, (cst.For, cst.While))]
        for name in index.names:
            if index.function_of(name) is not function or index.is_label(name) or definitions.is_bound(name):
                continue
            if self.values(name).is_number or name in inside:
                continue
            if index.order[name] > index.order[point] or any(loop in index.ancestors(name) for loop in loops):
                yield name

    # memory

    def of(self, node: cst.CSTNode) -> _Memories:
        """The memory that an expression gives, or a part of it; none where it makes its own."""
        if node not in self.known:
            self.known[node] = frozenset()  # for what goes round
            self.known[node] = frozenset(self.found(node))
        return self.known[node]

    def found(self, node: cst.CSTNode) -> Iterator[_Memory]:
        match node:
            case cst.Name():
                for item in self.values.program.definitions.of(node):
                    yield from self.of_definition(item)
            case cst.Attribute(value=owner, attr=cst.Name(name)):
                if name in ("T", "mT", "data", "real") and self.values(owner).kind is not Kind.OBJECT:
                    yield from self.views(owner)
                elif self.values(node).kind is not Kind.LOADER and self.values(owner).is_a(
                    Kind.OBJECT, Kind.MODULE, Kind.DATASET
                ):
                    yield _Memory(f"{dotted(owner) or '...'}.{name}")
                    for value in self.given_to_field(name):
                        yield from (item for item in self.of(value) if item.bridges or item.root != value)
            case cst.Subscript(value=base):
                if not self.picks(node):
                    yield from (item.part(_key(node)) for item in self.of(base))
            case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
                yield from (*self.of(left), *self.of(right))
            case cst.NamedExpr(value=value) | cst.StarredElement(value=value):
                yield from self.of(value)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                for element in elements:
                    yield from self.of(element.value)
            case cst.ListComp(elt=made) | cst.GeneratorExp(elt=made) | cst.DictComp(value=made):
                yield from self.views(made)
            case cst.Call():
                yield from self.of_call(node)

    def of_definition(self, item: Definition) -> _Memories:
        if item not in self.known:
            self.known[item] = frozenset()
            value: cst.CSTNode | None = item.value
            if item.how is How.AUGMENTED and isinstance(item.node, cst.AugAssign):
                value = item.node.target
            followed = item.how in (How.ASSIGNED, How.PART, How.NEXT, How.AUGMENTED) and value is not None
            if item.how is How.NEXT and isinstance(value, cst.BaseExpression):
                value = _source(value, self.way_to(item.node))
            found = self.of(value) if followed and value is not None else frozenset[_Memory]()
            if item.how in (How.PART, How.NEXT):
                found = frozenset(memory.part(self.place(item)) for memory in found)
            if item.how is How.NEXT:  # a loader makes what it gives
                found = frozenset(memory for memory in found if self.holds_arrays(memory.root))
            self.known[item] = found or frozenset({_Memory(item)})
        return self.known[item]

    def holds_arrays(self, root: Root) -> bool:
        """Whether what a loop goes through has its elements, and is given no new ones: an array, a container, an argument."""
        if isinstance(root, str) or root.how is not How.ASSIGNED or root.value is None:
            return True
        return self.values(root.value).is_a(Kind.TENSOR, Kind.PYTHON, Kind.LIST, Kind.TUPLE, Kind.DICT)

    def views(self, node: cst.CSTNode) -> Iterator[_Memory]:
        """What gives the memory of something in other order."""
        yield from (item.part(ANY) for item in self.of(node))

    def place(self, item: Definition) -> object:
        """Which part of its value a variable gets."""
        way = self.way_to(item.node) if item.how is How.PART else ()
        return way[0] if len(way) == 1 else ANY

    def way_to(self, name: cst.CSTNode) -> tuple[int, ...]:
        """The numbers by which a target finds a variable: `(1, 0)` of `a` in `for i, (a, b) in ...`."""
        parents, way = self.values.program.index.parents, list[int]()
        element = parents.get(name)
        while isinstance(element, cst.Element):
            whole = parents[element]
            assert isinstance(whole, (cst.Tuple, cst.List))
            if any(isinstance(other, cst.StarredElement) for other in whole.elements):
                return ()
            way.insert(0, list(whole.elements).index(element))
            element = parents.get(whole)
        return tuple(way)

    def of_call(self, node: cst.Call) -> Iterator[_Memory]:
        values = self.values
        if (given := self.bridged(node)) is not None:
            yield from (replace(item, bridges=item.bridges | {node}) for item in self.of(given))
            return
        if callees := values.callees.get(node, ()):
            for callee in callees:
                yield from self.of_result(callee, node)
            return
        name = values.torch_name(node.func)
        if name is not None:
            last = name.rpartition(".")[2]
            if (last in VIEWS or changes_values(last)) and node.args and not node.args[0].star:
                yield from self.views(node.args[0].value)
            return
        const = str(values(node.func).const)
        if const in _ARRAY_VIEWS and node.args:
            yield from self.views(node.args[0].value)
        elif isinstance(node.func, cst.Attribute):
            yield from self.of_method(node, node.func)
        elif dotted(node.func) in _PASSED_ON:
            for argument in node.args:
                yield from self.views(argument.value)

    def of_method(self, node: cst.Call, method: cst.Attribute) -> Iterator[_Memory]:
        name, owner = method.attr.value, self.values(method.value)
        if owner.is_a(Kind.OBJECT, Kind.MODULE) or (name == "flatten" and owner.kind is not Kind.TENSOR):
            return
        if name in DTYPE_CALLS and (owner.dtype or self.type_of(method.value, 8)) not in (None, DTYPE_CALLS[name]):
            return
        if name in VIEWS or name in _HOLDERS or changes_values(name):
            is_same = name in ("detach", "cpu", "to", "contiguous") or changes_values(name)
            yield from self.of(method.value) if is_same else self.views(method.value)

    def type_of(self, node: cst.CSTNode | None, depth: int) -> str | None:
        """The type of the elements of an array, where it is written out: `uint8` of `x.astype(np.uint8)[0]`."""
        match node:
            case cst.Call(func=cst.Attribute(attr=cst.Name("astype")), args=[cst.Arg(value=kind), *_]):
                return (dotted(kind) or "").rpartition(".")[2] or None
            case cst.Call(args=args) if kinds := [
                item.value for item in args if item.keyword is not None and item.keyword.value == "dtype"
            ]:
                return (dotted(kinds[0]) or "").rpartition(".")[2] or None
            case cst.Call() if depth and (given := self.bridged(node, depth - 1)) is not None:
                return self.type_of(given, depth - 1)
            case cst.Subscript(value=inner):
                return self.type_of(inner, depth - 1) if depth else None
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(name))) if name in VIEWS - DTYPE_CALLS.keys():
                return self.type_of(inner, depth - 1) if depth else None
            case cst.Name():
                bound = self.values.program.definitions.only(node)
                value = bound.value if bound is not None and bound.how is How.ASSIGNED else None
                return self.type_of(value, depth - 1) if depth else None
            case cst.Attribute(attr=cst.Name(name)):
                found = {self.type_of(value, depth - 1) for value in self.given_to_field(name)} if depth else set()
                return found.pop() if len(found) == 1 else None
        return None

    def of_result(self, callee: Function, call: cst.Call) -> Iterator[_Memory]:
        """What a function of the program gives of what it is given, or of a field."""
        program = self.values.program
        given = dict(arguments_by_parameter(callee, call, self.values))
        for line in own_nodes(callee.node):
            if not isinstance(line, cst.Return) or line.value is None or line not in program.index.parents:
                continue
            for item in self.of(line.value):
                if isinstance(item.root, str):
                    yield item
                elif item.root.how is How.PARAMETER and (argument := given.get(item.root.variable.name)) is not None:
                    yield from (item.given(inner) for inner in self.of(argument))

    def given(self, memories: _Memories) -> list[_Memory]:
        """Memory that callers have given, as theirs; that of callers that are not in sight stays an argument."""
        found: list[_Memory] = []
        waiting, seen = list(memories), set[tuple[object, ...]]()
        while waiting and len(seen) < _MOST:
            item = waiting.pop()
            if (key := (item.root, item.bridges, item.path)) in seen:
                continue
            seen.add(key)
            inner = self.given_by_callers(item)
            waiting += inner or ()
            if inner is None:
                found.append(item)
        return found

    def given_by_callers(self, item: _Memory) -> list[_Memory] | None:
        """What the callers of a function have given for an argument; None where that is nobody in sight."""
        root = item.root
        function = self.values.program.function_around(root.node) if isinstance(root, Definition) else None
        if not isinstance(root, Definition) or root.how is not How.PARAMETER or function is None:
            return None
        if function.seen_elsewhere:
            return None
        if root not in self.callers:
            self.callers[root] = [
                (call, argument)
                for call in function.callers
                if isinstance(call, cst.Call) and call in self.values.program.index.parents
                for name, argument in arguments_by_parameter(function, call, self.values)
                if name == root.variable.name
            ]
        calls = self.callers[root]
        return [item.given(one, (call,)) for call, argument in calls for one in self.of(argument)] if calls else None

    def given_to_field(self, name: str) -> Sequence[cst.BaseExpression]:
        """What the file assigns to fields of a name."""
        if self.fields is None:
            self.fields = {}
            for line in self.values.program.index.every(cst.Assign):
                for target in line.targets:
                    if isinstance(target.target, cst.Attribute):
                        self.fields.setdefault(target.target.attr.value, []).append(line.value)
        return self.fields.get(name, ())

    def bridged(self, call: cst.Call, depth: int = 8) -> cst.BaseExpression | None:
        """The array or tensor of which a call makes the other kind, without a copy in torch."""
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "numpy" and not call.args:
            return call.func.value
        if not call.args or call.args[0].star:
            return None
        given, name = call.args[0].value, self.values.torch_name(call.func)
        value = self.values(given)
        if str(self.values(call.func).const) in _ARRAY_VIEWS:
            return given if value.kind is Kind.TENSOR else None
        kind = "float32" if name == "torch.Tensor" else class_dtype(name or "")
        if kind is not None and (len(call.args) > 1 or self.type_of(given, depth) not in (None, kind)):
            return None
        makes_tensor = name in _BRIDGES or (kind is not None and not str(name).startswith("torch.cuda."))
        is_array = not value.is_a(Kind.TENSOR, Kind.LIST, Kind.TUPLE) and not value.is_number  # lists are copied
        return given if makes_tensor and is_array else None

    def picks(self, node: cst.Subscript) -> bool:
        """Whether an index picks elements, which are copied."""
        if index_step(node, self.values) == "copy":
            return True
        return any(
            isinstance(element.slice, cst.Index) and self.is_made_of_numbers(element.slice.value)
            for element in node.slice
        )

    def is_made_of_numbers(self, index: cst.BaseExpression) -> bool:
        """Whether an index is an array of places, as NumPy draws or finds them, or a mask."""
        if isinstance(index, cst.Name):
            bound = self.values.program.definitions.only(index)
            return bound is not None and bound.value is not None and self.is_made_of_numbers(bound.value)
        if isinstance(index, cst.Comparison):
            return True
        if not isinstance(index, cst.Call):
            return False
        name = str(self.values(index.func).const)
        is_sized = len(index.args) > 2 or any(
            item.keyword is not None and item.keyword.value == "size" for item in index.args
        )
        return name in _COUNTS or (name in _DRAWN and (is_sized or not name.endswith("randint")))


def _source(over: cst.BaseExpression, way: tuple[int, ...]) -> cst.BaseExpression | None:
    """What a variable of a loop takes its elements from: `b` of `for i, (x, y) in enumerate(zip(a, b))` for `y`."""
    match over, way:
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner), *_]), (number, *rest):
            return _source(inner, tuple(rest)) if number else None
        case cst.Call(func=cst.Name("zip"), args=args), (number, *rest) if number < len(args):
            return _source(args[number].value, tuple(rest))
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name("items"))), (number, *_):
            return inner if number else None
    return over


def _key(node: cst.Subscript) -> object:
    """Which part an index takes, if it is a text or a number that is written out."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as text))]:
            return text.evaluated_value
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Integer() as number))]:
            return number.evaluated_value
    return ANY


def _puts(call: cst.CSTNode) -> bool:
    """Whether a method puts its argument into a container."""
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name("append" | "insert" | "setdefault"))):
            return True
    return False


__all__ = ["UnseenChange", "unseen_changes"]

"""What may change around compiled code between two of its calls.

A function under `jax.jit` sees the variables and objects around it as they were when it was traced: a global variable that the
program binds again, or a field that it sets, would keep its first value there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.facts.storage import without_data
from torch2jax.ops.python import changes_container
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.syntax.walk import descendants, elements_of, own_nodes
from torch2jax.values import UNKNOWN, Kind

_HELD_BY_VALUE = (Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.TENSOR, Kind.TUPLE, Kind.LIST, Kind.DICT)
_ARITHMETIC = ("add", "sub", "mul", "truediv", "pow", "floordiv", "mod", "matmul")
_OPERATORS = tuple(f"__{side}{name}__" for name in _ARITHMETIC for side in ("", "r"))
_COMPARISONS = ("__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_PASSING = ("__iter__", "__next__", "__getitem__", "__len__")
_CONVERSIONS = ("__bool__", "__float__", "__int__")
_CHANGING = (Kind.LIST, Kind.DICT, Kind.PYTHON, Kind.UNKNOWN)
_ANY = "*"  # a field whose name is not known
_OBJECTS = (Kind.OBJECT, Kind.CLASS, Kind.UNKNOWN, Kind.PYTHON)


def reached(nodes: Sequence[cst.CSTNode], values: Values) -> list[Function]:
    """The functions of the program that run when nodes run."""
    return [function for _, function in code_of(nodes, values) if function is not None]


def code_of(nodes: Sequence[cst.CSTNode], values: Values) -> Iterator[tuple[cst.CSTNode, Function | None]]:
    """Nodes, and the bodies of the functions that they call."""
    seen: set[Function] = set()
    waiting: list[tuple[cst.CSTNode, Function | None]] = [(node, None) for node in nodes]
    while waiting:
        root, where = waiting.pop()
        yield root, where
        for function in _run_by(root, values):
            if function not in seen:
                seen.add(function)
                waiting.append((function.node.body, function))


def _run_by(root: cst.CSTNode, values: Values) -> tuple[Function, ...]:
    """The functions that a node runs itself, each once, in the order of the text."""
    if root not in values.runs:
        found: dict[Function, None] = {}
        for node in descendants(root) if _unseen(values) else descendants(root, cst.Call):
            called = values.reached_by(node) if isinstance(node, cst.Call) else ()
            found.update(dict.fromkeys(called or _run_unseen(node, values)))
        values.runs[root] = tuple(found)
    return values.runs[root]


def _unseen(values: Values) -> frozenset[str]:
    """The names of properties, and of methods of operators, that classes in sight have."""
    if values.unseen is None:
        methods = [method for item in values.program.class_by_key.values() for method in item.methods.values()]
        operators = {*_OPERATORS, *_COMPARISONS, *_PASSING, *_CONVERSIONS, "__neg__"}
        found = (item.name for item in methods if "property" in item.decorators or item.name in operators)
        values.unseen = frozenset(found)
    return values.unseen


def _run_unseen(node: cst.CSTNode, values: Values) -> Iterator[Function]:
    """The methods that an expression runs without calling them: `box.size` of a property, `box[0]`, `box * 2`, `len(box)`."""
    match node:
        case cst.Attribute(value=owner, attr=cst.Name(name)):
            yield from (item for item in _methods(owner, (name,), values) if "property" in item.decorators)
        case cst.Subscript(value=owner):
            yield from _methods(owner, ("__getitem__",), values)
        case cst.BinaryOperation(left=left, right=right):
            yield from (item for side in (left, right) for item in _methods(side, _OPERATORS, values))
        case cst.Comparison(left=left, comparisons=others):
            sides = (left, *(item.comparator for item in others))
            yield from (item for side in sides for item in _methods(side, _COMPARISONS, values))
        case (
            cst.If(test=tested)
            | cst.IfExp(test=tested)
            | cst.While(test=tested)
            | cst.UnaryOperation(expression=tested)
        ):
            yield from _methods(tested, ("__neg__", "__bool__", "__len__"), values)
        case cst.For(iter=passed) | cst.CompFor(iter=passed):
            yield from _methods(passed, _PASSING, values)
        case cst.Call(func=cst.Name(), args=args):
            yield from (item for part in args for item in _methods(part.value, (*_PASSING, *_CONVERSIONS), values))


def _methods(owner: cst.BaseExpression, names: Sequence[str], values: Values) -> Iterator[Function]:
    """The methods of some names that an object of the program has."""
    names = [name for name in names if name in _unseen(values)]
    value = values(owner) if names else UNKNOWN
    for key in sorted(value.types) if value.kind in (Kind.OBJECT, Kind.MODULE) else ():
        item = values.program.class_by_key.get(key)
        found = [item.method(name) for name in names] if item is not None else []
        yield from (method for method in found if method is not None)


def hidden_module(
    nodes: Sequence[cst.CSTNode], models: Sequence[str], values: Values, before: Sequence[cst.CSTNode] = ()
) -> tuple[Function, str] | None:
    """A function that code calls, and a module which that reads from around it: one of `models`, in the words of the code, or of
    that which ran `before`.
    """
    program, functions = values.program, reached(nodes, values)
    every = [node for part in (*nodes, *before) for node in descendants(part) if isinstance(node, cst.BaseExpression)]
    sites = frozenset[int]().union(*(values(node).sites for node in every if dotted(node) in models))
    defined = {node for part in nodes for node in descendants(part) if isinstance(node, cst.FunctionDef)}
    around = program.function_around(nodes[0]) if nodes else None
    own = around.owner.lineage if around is not None and around.owner is not None else []
    for function in functions:
        if function.node in defined:
            continue  # it sees the model that the code is given
        if (kept := _kept_by_other(function, own, sites, values)) is not None:
            return function, kept
        for name in sorted(free_variables(function.node)):
            owner = program.scope_of(function.outer, name)
            value = program.variables_of(owner).get(name)
            if value is None or owner in functions:
                continue
            if value.kind is Kind.MODULE and (name in models or value.sites & sites):
                return function, name
            if value.kind is not Kind.MODULE and (part := _part_of(name, function, sites, values)) is not None:
                return function, part
    return None


def _kept_by_other(function: Function, own: Sequence[Class], sites: frozenset[int], values: Values) -> str | None:
    """A module among those made at some `sites` that a method of an object reads from a field, which is none of the code's `own`."""
    if function.owner is None or function.self_name is None or function.owner.is_module or function.owner in own:
        return None
    for node in descendants(function.node.body, cst.Attribute):
        value = values(node)
        if value.kind is Kind.MODULE and value.sites & sites and dotted(node.value) == function.self_name:
            return dotted(node)
    return None


def _part_of(name: str, function: Function, sites: frozenset[int], values: Values) -> str | None:
    """A module among those made at some `sites` that a function reads from a field of a variable, if only in its methods."""
    for part, where in code_of([function.node.body], values):
        if where is None:
            own = name
        elif where.owner is not None and where.self_name is not None and not where.owner.is_module:
            own = where.self_name
        else:
            continue
        for node in descendants(part, cst.Attribute):
            place, value = dotted(node) or "", values(node)
            if place.split(".")[0] == own and value.kind is Kind.MODULE and value.sites & sites:
                return place
    return None


class Surroundings:
    """The global variables and the fields of objects of a file that may change once its functions run."""

    def __init__(self, program: Program, values: Values) -> None:
        self.program = program
        self.values = values
        index = program.index
        self._order = index.order
        runs = [call for call in index.calls if values.callees.get(call) or _calls_method(call, "backward", "step")]
        starts = [self._order[call] for call in runs if program.function_around(call) is None]
        self._start = min(starts, default=len(self._order))  # what is bound above it is bound before anything runs
        self._free: dict[Function, frozenset[str]] = {}
        self._changed_in_place: set[str] = set()
        self.changed_by_functions: set[str] = set()
        self.names = frozenset(self._changing_names())
        self.changed_modules = self._changed_modules()
        self.set_in_files: set[str] = set()  # variables of other files: `models.scale = 2`
        self._elsewhere: list[Surroundings] | None = None
        self.stores: dict[str, list[cst.CSTNode]] = {}
        for place in index.attributes:
            node = self._binding(place)
            if node is not None and values(place.value).kind in _OBJECTS and not self._is_made(place):
                self.stores.setdefault(place.attr.value, []).append(node)
                if values(place.value).kind is Kind.PYTHON:
                    self.set_in_files.add(place.attr.value)
        for node, held in self._changes_in_place():
            for place in self._fields(held):
                self.stores.setdefault(place.attr.value, []).append(node)
        for call in index.calls:
            if (name := self._field_set(call)) is not None:
                self.stores.setdefault(name, []).append(call)

    def _is_made(self, place: cst.Attribute) -> bool:
        """Whether a field is set while its object is being made."""
        function = self.program.function_around(place)
        return function is not None and function.name == "__init__" and dotted(place.value) == function.self_name

    def _field_set(self, call: cst.Call) -> str | None:
        """The field of an object that a call sets, or `_ANY`: `setattr(self, name, x)`, `self.__dict__.update(state)`."""
        match call:
            case cst.Call(func=cst.Name("setattr"), args=[cst.Arg(value=owner), cst.Arg(value=asked), _]):
                name = self.values(asked).const
            case cst.Call(func=cst.Attribute(value=cst.Attribute(value=owner, attr=cst.Name("__dict__")), attr=method)):
                name = None
                if not changes_container(method.value, Kind.DICT):
                    return None
            case _:
                return None
        if self.values(owner).kind is not Kind.OBJECT:
            return None
        return name if isinstance(name, str) else _ANY

    def _changes_in_place(self) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
        """The statements and calls that change what a list or dict holds, each with that: `x[i] = y`, `del x[i]`, `x.append(y)`."""
        for node in self.program.index.every(cst.AssignTarget, cst.AugAssign, cst.Del):
            if isinstance(node.target, cst.Subscript):  # type: ignore[attr-defined]
                yield node, node.target.value  # type: ignore[attr-defined]
        for call in self.program.index.calls:
            function = call.func
            if isinstance(function, cst.Attribute) and not self.values.reached_by(call):
                if changes_container(function.attr.value, self.values(function.value).kind):
                    yield call, function.value
                elif changes_values(function.attr.value):
                    yield call, without_data(function.value)
            for filled in filled_arguments(call):
                yield call, filled

    def _fields(self, held: cst.BaseExpression, seen: frozenset[cst.CSTNode] = frozenset()) -> Iterator[cst.Attribute]:
        """The fields of objects that hold a list or dict, if only in another one, or under a name of its own, which loops bind to what it held (`node = node[key]`)."""
        while isinstance(held, cst.Subscript):
            held = held.value
        if isinstance(held, cst.Attribute):
            owner, kind = self.values(held.value).kind, self.values(held).kind
            is_changing = (owner in _OBJECTS and kind in _CHANGING) or (owner is Kind.OBJECT and kind is Kind.TENSOR)
            if is_changing and not self._is_made(held):
                yield held
        elif isinstance(held, cst.Name):
            made = [item.value for item in self.program.definitions.of(held)]
            for value in made:
                if isinstance(value, (cst.Attribute, cst.Subscript)) and value not in seen:
                    yield from self._fields(value, seen | {value})

    def _changed_modules(self) -> frozenset[int]:
        """The modules whose parameters somebody asks for, to train them or otherwise, or which are loaded."""
        found = set[int]()
        for node in (*self.program.index.calls, *self.program.index.names, *self.program.index.attributes):
            if self.values(node).is_a(Kind.PARAMETERS, Kind.OPTIMIZER):
                found |= self.values(node).sites
        for call in self.program.index.calls:
            if _calls_method(call, "load_state_dict"):
                found |= self.values(call.func.value).sites  # type: ignore[attr-defined]
        return frozenset(found)

    def _changing_names(self) -> set[str]:
        index, found = self.program.index, set[str]()
        known = self.program.module_env
        for function in self.program.functions.values():
            for node in descendants(function.node.body):
                if isinstance(node, cst.Global):
                    found |= {item.name.value for item in node.names}
        self.changed_by_functions |= found
        bindings: dict[str, list[cst.CSTNode]] = {}
        for node in index.names:
            if node.value not in known or node.value in found:
                continue
            scope, statement = self.program.function_around(node), self._binding(node)
            if scope is not None and node.value not in self._free_in(scope):
                continue
            if statement is not None:
                bindings.setdefault(node.value, []).append(statement)
            elif self._order[node] > self._start or scope is not None:
                if self._is_changed(node, index.parents[node]):
                    found.add(node.value)
                    self._changed_in_place.add(node.value)
                    self.changed_by_functions |= {node.value} if scope is not None else set()
        for name, statements in bindings.items():
            late = [node for node in statements if self._order[node] > self._start]
            if late and (len(statements) > 1 or any(map(self._repeats, late))):
                found.add(name)
        return found

    def _binding(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """What binds a name or field, if it stands among the targets of an assignment or loop."""
        parents = self.program.index.parents
        while isinstance(parents[node], (cst.Element, cst.StarredElement, cst.Tuple, cst.List)):
            node = parents[node]
        parent = parents[node]
        kinds = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For)
        return parent if isinstance(parent, kinds) and parent.target is node else None

    def _repeats(self, binding: cst.CSTNode) -> bool:
        """Whether a binding may come to be again, or changes what was there."""
        if isinstance(binding, (cst.AugAssign, cst.For)):
            return True
        return any(isinstance(item, (cst.For, cst.While)) for item in self.program.index.ancestors(binding))

    def _is_changed(self, node: cst.Name, parent: cst.CSTNode) -> bool:
        """Whether the value of a variable is changed in place: `x[i] = y`, `x.append(y)`, `x.mul_(y)`, `init_(x)`."""
        above = self.program.index.parents[parent]
        if self.values(node).is_a(Kind.TORCH, Kind.FUNCTION):
            return False  # `torch.relu_(x)`
        if isinstance(parent, cst.Subscript) and parent.value is node:
            return isinstance(above, (cst.AssignTarget, cst.AugAssign)) and above.target is parent
        if isinstance(parent, cst.Arg) and isinstance(above, cst.Call):
            name = self.values.torch_name(above.func) or ""
            return is_inplace_name(name) or (parent.keyword is not None and parent.keyword.value == "out")
        if not isinstance(parent, cst.Attribute) or parent.value is not node or not isinstance(above, cst.Call):
            return False
        return changes_container(parent.attr.value, self.values(node).kind) or is_inplace_name(parent.attr.value)

    def passed(self, name: str) -> bool:
        """Whether a global variable that may change can be an input of compiled code, which then sees what it holds."""
        value = self.program.module_env.get(name)  # None: only functions bind it
        if name not in self.names or value is None:
            return False
        is_only_bound = value.kind is Kind.PYTHON and name not in self._changed_in_place
        return value.kind in _HELD_BY_VALUE or is_only_bound

    def hidden(
        self,
        node: cst.CSTNode,
        where: Function | None,
        region: cst.CSTNode,
        given: Collection[str],
        inside: Collection[Function | None],
    ) -> str | None:
        """What a node of compiled code, in the function `where` or in `region` itself, reads that may change unseen. The
        region is `given` some names, and the functions `inside` run in it.
        """
        if node not in self._order:
            return self._hidden_elsewhere(node, where, region)
        if isinstance(node, cst.Name) and self._is_read(node):
            name, owner = node.value, self._owner(node.value, where)
            variable = self.program.definitions.scopes.variable(node)
            if variable is not None and isinstance(variable.owner, (cst.CompFor, cst.Lambda)):
                return None  # `i` of `[t**i for i in range(3)]`, whatever else has the name
            if where is None:
                return name if name in self.names and name not in given else None
            if owner is not None and owner in inside:
                return None
            if self.values(node).kind is Kind.MODULE:
                sites = self.values(node).sites
                return name if not sites or sites & self.changed_modules else None
            changing = name in self.names if owner is None else self._is_bound_again(name, owner, where)
            return name if changing else None
        if isinstance(node, cst.Attribute) and self.values(node.value).kind in _OBJECTS:
            function = self.program.function_around(region)
            own = function.self_name if function is not None else None
            if where is None and own is not None and dotted(node.value) == own:
                return None  # it is an input
            return self._kept_module(node, where, function) or self._field_between(node, region)
        return None

    def _kept_module(self, node: cst.Attribute, where: Function | None, function: Function | None) -> str | None:
        """A module that another object keeps than the one whose method the code is of, and that is trained somewhere."""
        is_own = (
            where is not None and function is not None and where.owner is not None and where.owner is function.owner
        )
        if is_own or self.values(node).kind is not Kind.MODULE:
            return None
        return dotted(node) if self.values(node).sites & self.changed_modules else None

    def _owner(self, name: str, where: Function | None) -> Function | None:
        """The function, the one at hand or one around it, whose variable a name is; None: it is global."""
        while where is not None and (name not in where.env or name in self._free_in(where)):
            where = where.outer
        return where

    def _field_between(self, node: cst.Attribute, region: cst.CSTNode) -> str | None:
        """A field that is read, if some file of the program may set it between two calls of a region."""
        name = node.attr.value
        names = (name, _ANY) if self.values(node.value).kind is Kind.OBJECT else (name,)
        stores = [store for item in (self, *self._others()) for word in names for store in item.stores.get(word, ())]
        is_set = any(self._may_lie_between(store, region) for store in stores)
        return (dotted(node) or name) if is_set else None

    def _others(self) -> list[Surroundings]:
        """Those of the other files of the program."""
        if self._elsewhere is None:
            others = [item for item in self.program.files if item is not self.program]
            self._elsewhere = [Surroundings(item, self.values) for item in others]
        return self._elsewhere

    def _hidden_elsewhere(self, node: cst.CSTNode, where: Function | None, region: cst.CSTNode) -> str | None:
        """What a node in a function of another file reads that may change unseen."""
        home = next((item for item in self._others() if node in item._order), None)
        if home is None:
            return None
        if isinstance(node, cst.Name) and home._is_read(node):
            name = node.value
            if home._owner(name, where) is None and self.values(node).kind in _HELD_BY_VALUE:
                files = (self, *self._others())
                is_set = name in home.changed_by_functions or any(name in item.set_in_files for item in files)
                return name if is_set and name in home.program.module_env else None
        if isinstance(node, cst.Attribute) and self.values(node.value).kind in _OBJECTS:
            return self._field_between(node, region)
        return None

    def _is_bound_again(self, name: str, owner: Function, inner: Function) -> bool:
        """Whether a variable of a function is bound below an inner function that reads it."""
        for node in self.program.index.names:
            if node.value != name or self._order[node] < self._order[inner.node]:
                continue
            parent = self.program.index.parents[node]
            if isinstance(parent, cst.NameItem) and isinstance(self.program.index.parents[parent], cst.Nonlocal):
                return True
            changed = self._binding(node) is not None or self._is_changed(node, parent)
            if changed and self.program.function_around(node) is owner:
                return True
        return False

    def _free_in(self, function: Function) -> frozenset[str]:
        if function not in self._free:
            self._free[function] = frozenset(free_variables(function.node))
        return self._free[function]

    def _is_read(self, node: cst.Name) -> bool:
        index = self.program.index
        return not index.is_label(node) and not isinstance(index.parents[node], (cst.AssignTarget, cst.Param))

    def _may_lie_between(self, store: cst.CSTNode, region: cst.CSTNode) -> bool:
        """Whether a statement may run between two calls of a region: not if it stands above, outside of the loops around it."""
        if store not in self._order:
            return self._may_run_between(store, region, frozenset())
        index = self.program.index
        if self.program.function_around(store) is not self.program.function_around(region):
            return True
        loops = [node for node in index.ancestors(region) if isinstance(node, (cst.For, cst.While))]
        inside = any(loop in index.ancestors(store) for loop in loops)
        return inside or self._order[store] > self._order.get(region, -1)

    def _may_run_between(self, node: cst.CSTNode, region: cst.CSTNode, seen: frozenset[cst.CSTNode]) -> bool:
        """Whether a node in another file may run between two calls of a region: not if it stands above all calls that come to
        the region, outside of the loops around these, in a function for which this holds where it is called.
        """
        home, target = self.program.home(node), self.program.function_around(region)
        around = home.function_around(node)
        if target is None or node in seen or (around is not None and around.key == target.key):
            return around is not None
        calls = [call for call in home.index.calls if home.function_around(call) is around]
        order = home.index.order
        for call in calls:
            if any(item.key == target.key for item in reached([call], self.values)):
                loops = [item for item in home.index.ancestors(call) if isinstance(item, (cst.For, cst.While))]
                if order[node] > order[call] or any(loop in home.index.ancestors(node) for loop in loops):
                    return True
        if around is None:
            return False
        sites = [
            call for item in self.program.files for call in item.index.calls if around in self.values.reached_by(call)
        ]
        return not sites or any(self._may_run_between(call, region, seen | {node}) for call in sites)


def surroundings(program: Program, values: Values) -> Surroundings:
    """What may change around compiled code of a file; worked out when first asked for."""
    if program.surroundings is None:
        program.surroundings = Surroundings(program, values)
    assert isinstance(program.surroundings, Surroundings)
    return program.surroundings


def _calls_method(call: cst.Call, *names: str) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in names


def kept_globals(init: Function, values: Values) -> Iterator[cst.Name]:
    """The variables of the file with modules that an `__init__` puts into fields: `self.inner = backbone`."""
    definitions, module = values.program.definitions, values.program.index.module
    for node in own_nodes(init.node):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(own)))], value=value):
                names = [item for item in elements_of(value) if isinstance(item, cst.Name)]
                for item in names if own == init.self_name else ():
                    owners = {one.variable.owner for one in definitions.of(item)}
                    if owners == {module} and values(item).kind is Kind.MODULE:
                        yield item

"""Values that bring a graph into a training step: `jax.grad` sees nothing of what was computed before its function.

log_probs.append(policy(state).log_prob(action))     computed from the parameters, outside of the step
...
loss = -torch.stack(log_probs).sum()                 torch's backward() goes on into the past, a translated step cannot
loss.backward()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property

import libcst as cst

from torch2jax.facts.contexts import turns_off
from torch2jax.facts.cut_results import NO_VALUE, CutResults, cuts, has_no_gradient
from torch2jax.facts.effects import is_discrete
from torch2jax.facts.graphs_elsewhere import LEAF, GraphsElsewhere, functions_that_keep
from torch2jax.facts.infer import Values
from torch2jax.ops.python import stores_arguments
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition
from torch2jax.program.program import Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import bound_names, children, descendants, own_nodes
from torch2jax.values import Kind, Value

_WITHOUT_GRAPH = {Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.SIZE, Kind.DEVICE, Kind.DTYPE, Kind.OPTIMIZER,
                  Kind.SCHEDULER, Kind.GENERATOR, Kind.STATE_DICT, Kind.PARAMETERS, Kind.CLASS, Kind.TORCH}  # fmt: skip
_STORES = (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.CompFor, cst.Return, cst.Yield)
_RESULT = "return"
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Origin:
    """What a value was computed from: modules of some classes (and sites), or leaf tensors. `place` is where it is kept,
    `is_own`: the module is the `self` of the method that computes it.
    """

    types: frozenset[str]
    sites: frozenset[int]
    place: str = ""
    is_own: bool = False


Origins = frozenset[Origin]
_NONE: Origins = frozenset()
_Variable = tuple[Function | None, str]


@dataclass(frozen=True, slots=True)
class _Binding:
    """One place where a value is stored: `target` becomes, or (`grows`) gets as a part, `value`."""

    node: cst.CSTNode
    function: Function | None
    target: cst.CSTNode
    value: cst.CSTNode
    grows: bool


def _is_detached(value: cst.BaseExpression) -> bool:
    match value:
        case cst.Call(func=cst.Attribute(attr=cst.Name("detach")), args=[]) | cst.Attribute(attr=cst.Name("data")):
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Store:
    """Who stores into fields of a name: a function, in objects of some classes (none: not known), as a part or (not `grows`) anew."""

    function: Function | None
    classes: frozenset[str]
    grows: bool


@dataclass(slots=True)
class _Known:
    """What variables, results of functions and fields (by name) hold."""

    variables: dict[_Variable, Origins] = field(default_factory=dict)
    fields: dict[str, dict[_Store, Origins]] = field(default_factory=dict)


class Graphs:
    """Follows what is computed from trained values through variables, containers, fields, arguments and results."""

    def __init__(self, program: Program, values: Values) -> None:
        self.program = program
        self.values = values
        self._followed = functions_that_keep(program, values)
        self._own = {*program.functions.values(), *self._followed}
        self._bound = {function: _bound_names(function) for function in self._own}
        self.constant = self._find_constant()
        self._cut = {
            node.value.value for node in program.index.attributes if cuts(node) and isinstance(node.value, cst.Name)
        }
        self.bindings = list(self._find_bindings())
        self.cut_results = CutResults(values)
        self.elsewhere = GraphsElsewhere(program, values, self.cut_results)
        self._detached: dict[cst.Name, bool] = {}
        self._closures: dict[str, frozenset[str]] = {}
        self._everything: _Pass | None = None  # what all of the program computes

    def brought_into(
        self,
        region: Sequence[cst.CSTNode],
        loss: cst.CSTNode,
        read: set[str],
        models: Sequence[Value] | None,
        leaves: bool,
        keeps: bool,
        function: Function | None,
    ) -> frozenset[str]:
        """The places whose values, computed outside of a region from what `models` train, the loss depends on. Without
        `models` whatever may be trained counts.

        `function` is that around a loss that is no node of the file: its variables are asked elsewhere, fields here.
        `read` are the variables that the region reads before it binds them. `keeps`: graphs are kept behind `backward()`, so
        that what the region itself has computed before may bring one.
        """
        inside = frozenset(node for part in (*region, loss) for node in descendants(part))
        reached = self.values.run_in(node for node in inside if isinstance(node, cst.Call))
        renewed = _renewed([*region, loss])
        before, found = self._everywhere().known, []
        ways = (False,) if keeps else (False, True)
        for is_exact in ways:  # mostly nothing comes in, even if what the region does itself counts as outside
            if is_exact:
                before = self._settle(_Pass(self, _Known(), inside, frozenset(), frozenset(), outside=True))
            after = _Pass(self, before, inside, reached, frozenset(read), outside=False, renewed=renewed)
            self._settle(after)
            origins = after.origins(loss, self.program.function_around(loss))
            if function is not None:
                origins |= {origin for origin in after.origins(loss, function) if "." in origin.place}
            found = [origin for origin in origins if self._is_trained(origin, models, leaves)]
            if not found:
                return frozenset()
        return frozenset(origin.place for origin in found)

    def is_cut(self, node: cst.Name) -> bool:
        """Whether all that a variable may hold where it is read has been cut from its graph, `x = y.detach()`, and got no other since."""
        if node not in self._detached:
            definition = self.program.definitions.only(node) if node in self.program.index.parents else None
            line = self.program.definitions.assignment(definition) if definition is not None else None
            self._detached[node] = (
                line is not None
                and _is_detached(line.value)
                and not any(definition in self.program.definitions.of(name) for name in self._grown.get(node.value, ()))
                and not self._has_grown_views(definition)  # type: ignore[arg-type]
            )
        return self._detached[node]

    def _has_grown_views(self, definition: Definition) -> bool:
        """Whether a variable that may share storage with what another one holds is changed in place: `z = x[0]`, `z += y`."""
        for use in self.program.definitions.uses(definition):
            line = self.program.index.statement_of(use)
            for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                if not isinstance(small, cst.Assign) or not self.values(small.value).shares(self.values(use).roots):
                    continue
                names = {name for item in small.targets for name in bound_names(item.target)}
                if not names.isdisjoint(self._grown.keys() - {use.value}):
                    return True
        return False

    @cached_property
    def _grown(self) -> dict[str, list[cst.Name]]:
        """The variables that get other parts or values in place, by their names."""
        found: dict[str, list[cst.Name]] = {}
        for binding in self.bindings:
            root = binding.target
            while isinstance(root, (cst.Subscript, cst.Attribute)):
                root = root.value
            is_added = isinstance(self.program.index.parents.get(root), cst.AugAssign)
            if not isinstance(root, cst.Name) or root not in self.program.index.parents:
                continue  # a variable of another file is never taken to be cut
            if is_added or not self.program.definitions.is_bound(root):
                found.setdefault(root.value, []).append(root)
        return found

    def is_computed(self, node: cst.BaseExpression) -> bool:
        """Whether the value of an expression was computed from what may be trained."""
        return bool(self._everywhere().origins(node, self.program.function_around(node)))

    def _everywhere(self) -> _Pass:
        if self._everything is None:
            self._everything = _Pass(self, _Known(), frozenset(), frozenset(), frozenset(), outside=True)
            self._settle(self._everything)
        return self._everything

    def _settle(self, step: _Pass) -> _Known:
        for _ in range(_ROUNDS):
            if not step.run():
                break
        return step.known

    # what is trained

    def _is_trained(self, origin: Origin, models: Sequence[Value] | None, leaves: bool) -> bool:
        if models is None:
            return True
        if LEAF in origin.types:
            return leaves
        for model in models:
            if origin.types == model.types and origin.sites and model.sites:
                if origin.sites & model.sites:
                    return True
            elif origin.types & self._closure(model.types) or self._closure(origin.types) & model.types:
                return True
        return False

    def _closure(self, types: frozenset[str]) -> frozenset[str]:
        return frozenset().union(*(self._parts(name, frozenset()) for name in types))

    def _parts(self, name: str, seen: frozenset[str]) -> frozenset[str]:
        """A class, its base classes, and those of its parts."""
        if name in seen:
            return frozenset({name})
        if name not in self._closures:
            found = {name}
            item = self.program.class_by_key.get(name)
            for base in item.lineage if item is not None else ():
                found.add(base.key)
                for value in base.fields.values():
                    for part in _module_types(value):
                        found |= self._parts(part, seen | {name})
            self._closures[name] = frozenset(found)
        return self._closures[name]

    def family(self, value: Value) -> frozenset[str]:
        """The classes of the program that an object may be of, with their base classes."""
        items = [self.program.class_by_key[name] for name in value.types if name in self.program.class_by_key]
        return frozenset(base.key for item in items for base in item.lineage)

    def _find_constant(self) -> frozenset[cst.CSTNode]:
        """The nodes that run under `torch.no_grad`."""
        found: set[cst.CSTNode] = set()
        elsewhere = (
            node for function in self._followed for node in own_nodes(function.node) if isinstance(node, cst.With)
        )
        for item in (*self.program.index.every(cst.With), *elsewhere):
            if any(turns_off(part.item, self.values) for part in item.items):
                found.update(descendants(item.body))
        for function in self._own:
            if any(turns_off(decorator.decorator, self.values) for decorator in function.node.decorators):
                found.update(descendants(function.node.body))
        if found:
            self._add_called_below(found)
        return frozenset(found)

    def _add_called_below(self, found: set[cst.CSTNode]) -> None:
        """Add the functions that are called from such places only."""
        bodies = (own_nodes(function.node) for function in self._followed)
        nodes = [*self.program.index.every(cst.Name, cst.Call), *(node for body in bodies for node in body)]
        mentioned = Counter(node.value for node in nodes if isinstance(node, cst.Name))
        mentioned.subtract(function.name for function in self.program.functions.values())
        calls: dict[Function, list[cst.CSTNode]] = {}
        for node in nodes:
            reached = self.values.reached_by(node) if isinstance(node, cst.Call) else ()
            for function in reached:
                calls.setdefault(function, []).append(node)
            if reached:
                mentioned.subtract({reached[0].name} & {code(node.func).rpartition(".")[2]})  # type: ignore[attr-defined]
        given_out = {*self.program.functions.values()} if self.program.is_imported else set()
        waiting = {
            function: given
            for function, given in calls.items()
            if function in self._own - given_out and not mentioned[function.name]
        }
        while inner := [function for function, given in waiting.items() if found.issuperset(given)]:
            for function in inner:
                del waiting[function]
                found.update(descendants(function.node.body))

    # where values are stored

    def _find_bindings(self) -> Iterator[_Binding]:
        index, around = self.program.index, self.program.function_around
        yield from self._bindings_of((node, around(node)) for node in (*index.every(*_STORES), *index.calls))
        for function in self._followed:
            yield from self._bindings_of((node, function) for node in own_nodes(function.node))

    def _bindings_of(self, nodes: Iterable[tuple[cst.CSTNode, Function | None]]) -> Iterator[_Binding]:
        for node, function in nodes:
            if node in self.constant:
                continue
            match node:
                case cst.Assign():
                    for target in node.targets:
                        yield from self._paired(node, function, target.target, node.value)
                case cst.AnnAssign(value=cst.BaseExpression() as value) | cst.NamedExpr(value=value):
                    yield from self._paired(node, function, node.target, value)
                case cst.AugAssign():
                    grows = function is None or not _begins_anew(function, node)
                    yield from self._paired(node, function, node.target, node.value, grows)
                case cst.For() | cst.CompFor():
                    yield from self._paired(node, function, node.target, node.iter)
                case cst.Return(value=cst.BaseExpression() as value) if function is not None:
                    yield _Binding(node, function, node, value, False)
                case cst.Yield(value=cst.BaseExpression() as value) if function is not None:
                    yield _Binding(node, function, node, value, False)
                case cst.Call():
                    yield from self._given(node, function)

    def _given(self, call: cst.Call, function: Function | None) -> Iterator[_Binding]:
        base = call.func.value if isinstance(call.func, cst.Attribute) else None
        if base is not None and call not in self.values.callees and stores_arguments(call.func.attr.value):  # type: ignore[attr-defined]
            for argument in call.args:
                yield _Binding(call, function, base, argument.value, True)
        for callee in self.values.callees.get(call, ()):
            for name, value in arguments_by_parameter(callee, call, self.values):
                yield _Binding(call, function, _Parameter(callee, name), value, False)  # type: ignore[arg-type]

    def _paired(
        self,
        node: cst.CSTNode,
        function: Function | None,
        target: cst.CSTNode,
        value: cst.BaseExpression,
        grows: bool = False,
    ) -> Iterator[_Binding]:
        if isinstance(target, (cst.Tuple, cst.List)):
            parts = [element.value for element in target.elements]
            given = [element.value for element in value.elements] if isinstance(value, (cst.Tuple, cst.List)) else []
            paired = len(given) == len(parts)
            for position, part in enumerate(parts):
                yield from self._paired(node, function, part, given[position] if paired else value, grows)
        elif isinstance(target, cst.StarredElement):
            yield from self._paired(node, function, target.value, value, grows)
        elif not self._is_cut(target):
            yield _Binding(node, function, target, value, grows or isinstance(target, cst.Subscript))

    def _is_cut(self, target: cst.CSTNode) -> bool:
        """Whether all reads of what is bound here cut it from its graph: `k = k + net(x).mean()`, and then `k = k.detach()`."""
        definitions, parents = self.program.definitions, self.program.index.parents
        if not isinstance(target, cst.Name) or target.value not in self._cut or target not in parents:
            return False
        bound = (target, parents[target])
        uses = [
            use
            for item in definitions.every_of_name(target)
            if any(item.node is node for node in bound)
            for use in definitions.uses(item)
        ]
        return bool(uses) and all(cuts(parents[use]) for use in uses)

    def scope(self, function: Function | None, name: str) -> Function | None:
        """The function whose variable a name is, as read in `function`; None for the module."""
        while function is not None and name not in self._bound.get(function, ()):
            function = function.outer
        return function

    def is_local(self, function: Function | None) -> bool:
        return function in self._own

    def is_any_local(self, functions: Iterable[Function]) -> bool:
        return any(function in self._own for function in functions)


@dataclass(frozen=True, slots=True, eq=False)
class _Parameter:
    """The parameter of a function as the target of a binding."""

    function: Function
    name: str


class _Pass:
    """One look at a program: at what runs outside of a region, or at the region and all that it calls.

    Inside, calls of modules are what the translated step differentiates: only what comes from outside counts.
    """

    def __init__(
        self,
        graphs: Graphs,
        before: _Known,
        inside: frozenset[cst.CSTNode],
        reached: frozenset[Function],
        read: frozenset[str],
        outside: bool,
        renewed: frozenset[cst.CSTNode] = frozenset(),
    ) -> None:
        self.renewed = renewed
        self.graphs, self.before, self.inside, self.reached, self.read = graphs, before, inside, reached, read
        self.outside = outside
        self.values = graphs.values
        self.known = _Known()
        self.bindings = [item for item in graphs.bindings if self._runs(item) and not self._is_parameter(item)]

    def run(self) -> bool:
        """Follow every binding once; whether something new was found."""
        changed = False
        for binding in self.bindings:
            new = self.origins(binding.value, binding.function)
            if self.outside and isinstance(binding.node, (cst.For, cst.CompFor)):
                new |= self._of_parameters(binding.value)
            if new:
                changed |= self._store(binding, new)
        return changed

    def _runs(self, binding: _Binding) -> bool:
        in_region = binding.node in self.inside
        return not in_region if self.outside else in_region or binding.function in self.reached

    def _is_parameter(self, binding: _Binding) -> bool:
        """Whether a field gets a parameter itself, as tied weights do: nothing is computed."""
        value = self.values(binding.value)
        return isinstance(binding.target, cst.Attribute) and value.kind is Kind.TENSOR and "parameter" in value.types

    def _store(self, binding: _Binding, new: Origins) -> bool:
        target, grows = binding.target, binding.grows
        while isinstance(target, cst.Subscript):
            target, grows = target.value, True
        variables = self.known.variables
        match target:
            case _Parameter():
                return _add(variables, (target.function, target.name), new)
            case cst.Return() | cst.Yield():
                return _add(variables, (binding.function, _RESULT), new)
            case cst.Name():
                return _add(variables, (self.graphs.scope(binding.function, target.value), target.value), new)
            case cst.Attribute():
                store = _Store(binding.function, self.graphs.family(self.values(target.value)), grows)
                return _add(self.known.fields.setdefault(target.attr.value, {}), store, new)
        return False

    def origins(self, node: cst.CSTNode, function: Function | None) -> Origins:
        """What the value of an expression was computed from."""
        if node in self.graphs.constant:
            return _NONE
        value = self.values(node)
        if value.kind in _WITHOUT_GRAPH or (value.kind is Kind.TENSOR and is_discrete(value.dtype)):
            return _NONE
        match node:
            case cst.Name():
                return self._of_variable(node, value, function)
            case cst.Attribute():
                return self._of_attribute(node, value, function)
            case cst.Call():
                return self._of_call(node, function)
            case cst.Subscript():
                return self.origins(node.value, function)
            case cst.IfExp():
                return self.origins(node.body, function) | self.origins(node.orelse, function)
            case cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
                return self.origins(node.elt, function)
            case cst.DictComp():
                return self.origins(node.value, function)
            case cst.Comparison() | cst.BaseString():
                return _NONE
        found = _NONE
        for child in children(node):
            found |= self.origins(child, function)
        return found

    def _of_variable(self, node: cst.Name, value: Value, function: Function | None) -> Origins:
        if self.graphs.is_cut(node):
            return _NONE
        scope = self.graphs.scope(function, node.value)
        found = self.known.variables.get((scope, node.value), _NONE)
        if self.outside:
            return found | {Origin(frozenset({LEAF}), frozenset())} if LEAF in value.types else found
        in_region = node in self.inside
        if scope not in self.reached and (not in_region or node.value in self.read or scope is not function):
            found |= _kept(self.before.variables.get((scope, node.value), _NONE), node.value)
        return found

    def _of_parameters(self, node: cst.CSTNode) -> Origins:
        """The modules whose parameters a loop goes over."""
        match node:
            case cst.Call(func=cst.Name("zip" | "enumerate" | "list" | "tuple" | "reversed" | "filter"), args=args):
                return _NONE.union(*(self._of_parameters(item.value) for item in args))
        value = self.values(node)
        is_known = value.kind is Kind.PARAMETERS and bool(value.types)
        return frozenset({Origin(value.types, value.sites)}) if is_known else _NONE

    def _of_attribute(self, node: cst.Attribute, value: Value, function: Function | None) -> Origins:
        name = node.attr.value
        if name in NO_VALUE:
            return _NONE
        base = self.values(node.value)
        classes = self.graphs.family(base)
        found = _NONE
        for store, origins in self.known.fields.get(name, {}).items():
            if not classes or not store.classes or classes & store.classes:
                found |= origins
        before = self.before.fields.get(name, {}) if node not in self.renewed else {}
        for store, origins in before.items():
            if not classes or not store.classes or classes & store.classes:
                if store.grows or store.function not in self.reached:
                    found |= _kept(origins, dotted(node) or code(node))
        for method, grows in self.graphs.elsewhere.stores(classes, name):
            if self.outside or (node not in self.renewed and (grows or method not in self.reached)):
                found |= _kept(_of_each_module(self.graphs.elsewhere.called_in(method)), dotted(node) or code(node))
        if base.kind is Kind.MODULE:
            is_parameter = value.kind is Kind.TENSOR and "parameter" in value.types
            return found | self._of_module(node.value, function) if self.outside and is_parameter else found
        return found if base.kind is Kind.OBJECT else found | self.origins(node.value, function)

    def _of_module(self, node: cst.BaseExpression, function: Function | None) -> Origins:
        """A module, or the outermost one of those that a path goes through."""
        outermost: Value = self.values(node)
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            node = node.value
            if self.values(node).kind is Kind.MODULE:
                outermost = self.values(node)
        is_own = function is not None and isinstance(node, cst.Name) and node.value == function.self_name
        return frozenset({Origin(outermost.types, outermost.sites, is_own=is_own)}) if outermost.types else _NONE

    def _of_result(self, item: Function, node: cst.Call, function: Function | None) -> Origins:
        """What a function gives; of a method that computes with its own module, what it was computed from is seen here."""
        found = self.known.variables.get((item, _RESULT), _NONE)
        base = node.func.value if isinstance(node.func, cst.Attribute) else None
        called = node.func if self.values(node.func).kind is Kind.MODULE else base
        if called is None or self.values(called).kind is not Kind.MODULE or not any(origin.is_own for origin in found):
            return found
        others = frozenset(origin for origin in found if not origin.is_own)
        return others | self._of_module(called, function) if self.outside else others

    def _of_call(self, node: cst.Call, function: Function | None) -> Origins:
        name = (dotted(node.func) or code(node.func)).split(".")[-1]
        callees = self.values.callees.get(node, ())
        called = self.values(node.func)
        given = [argument.value for argument in node.args]
        found = _NONE
        if callees and all(self.graphs.is_local(item) for item in callees):
            for item in callees:
                found |= self._of_result(item, node, function)
                if not self.outside and item not in self.reached:
                    found |= _kept(self.before.variables.get((item, _RESULT), _NONE), item.name)
                if item.name == "__init__":
                    found |= self._of_each(given, function)
        elif not callees and (has_no_gradient(name) or self._draws(node)):
            return _NONE
        elif callees and not self.graphs.is_any_local(callees) and all(map(self.graphs.cut_results.gives_cut, callees)):
            return self._of_each(given, function)
        else:
            found |= self._of_each(given, function)
            if isinstance(node.func, cst.Attribute):
                found |= self.origins(node.func.value, function)
            elif isinstance(node.func, cst.Name):
                found |= self.origins(node.func, function)
        if called.kind is Kind.MODULE and not called.is_loss_module:
            if self.outside:
                found |= self._of_module(node.func, function)
            elif not callees:
                found |= self._of_each(given, function) | self._of_parts(node)
        elif callees and not all(self.graphs.is_local(item) for item in callees):
            found |= self._from_elsewhere(node, given, function)
        return found

    def _of_parts(self, node: cst.Call) -> Origins:
        """What the parts of a container, which it runs, give by what they keep: `nn.Sequential(self.scale, self.head)(x)`."""
        results = (self.known.variables.get((item, _RESULT), _NONE) for item in self.values.reached_by(node))
        return frozenset(origin for origin in _NONE.union(*results) if not origin.is_own)

    def _from_elsewhere(
        self, node: cst.Call, given: Sequence[cst.BaseExpression], function: Function | None
    ) -> Origins:
        """What the result of a function of another file was computed from, apart from what it is given."""
        elsewhere = self.graphs.elsewhere
        if not self.outside:
            return _kept(_of_each_module(elsewhere.kept_for(node, self.reached)), dotted(node.func) or code(node.func))
        if self.values(node).kind is Kind.MODULE:
            return _NONE
        places = list(given)
        if isinstance(node.func, cst.Attribute) and elsewhere.trains(node):
            places.append(node.func.value)
        modules = (place for place in places if self.values(place).kind is Kind.MODULE)
        found = _NONE.union(*(self._of_module(place, function) for place in modules))
        return found | _of_each_module(elsewhere.called_by(node))

    def _draws(self, node: cst.Call) -> bool:
        """Whether a call is one of `sample` of a distribution, not of what the program calls so."""
        match node.func:
            case cst.Attribute(value=owner, attr=cst.Name("sample")):
                return self.values(owner).kind is Kind.TORCH_OBJECT
        return False

    def _of_each(self, nodes: Sequence[cst.BaseExpression], function: Function | None) -> Origins:
        return _NONE.union(*(self.origins(node, function) for node in nodes)) if nodes else _NONE


def _of_each_module(values: Iterable[Value]) -> Origins:
    """The origins that modules, and leaves, are."""
    return frozenset(
        Origin(frozenset({LEAF}), frozenset()) if LEAF in value.types else Origin(value.types, value.sites)
        for value in values
    )


def _renewed(region: Sequence[cst.CSTNode]) -> frozenset[cst.CSTNode]:
    """The fields that are read behind a statement of a region which has given them another value."""
    places: set[str] = set()
    found: set[cst.CSTNode] = set()
    for part in region:
        found.update(node for node in descendants(part) if isinstance(node, cst.Attribute) and dotted(node) in places)
        for small in part.body if isinstance(part, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Assign):
                targets = [item.target for item in small.targets if isinstance(item.target, cst.Attribute)]
                places |= {place for target in targets if (place := dotted(target)) is not None}
    return frozenset(found)


def _begins_anew(function: Function, node: cst.AugAssign) -> bool:
    """Whether a function always gives a field another value before it adds to it: `self.total = 0` at its beginning."""
    place = dotted(node.target) if isinstance(node.target, cst.Attribute) else None
    for line in function.node.body.body:
        if place is None or node in descendants(line):
            return False
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Assign) and any(dotted(item.target) == place for item in small.targets):
                return not any(dotted(part) == place for part in descendants(small.value, cst.Attribute))
    return False


def _kept(origins: Origins, place: str) -> Origins:
    return frozenset(Origin(origin.types, origin.sites, origin.place or place) for origin in origins)


def _add(places: dict, place: object, new: Origins) -> bool:  # type: ignore[type-arg]
    known = places.get(place, _NONE)
    if new <= known:
        return False
    places[place] = known | new
    return True


_BINDING = frozenset(
    {
        cst.AssignTarget,
        cst.AnnAssign,
        cst.AugAssign,
        cst.NamedExpr,
        cst.For,
        cst.CompFor,
        cst.AsName,
        cst.Global,
        cst.Nonlocal,
    }
)


def _bound_names(function: Function) -> frozenset[str]:
    """The names that are variables of a function, those of nested functions left out."""
    found = set(function.parameter_names)
    outer: set[str] = set()
    for node in own_nodes(function.node):
        if type(node) not in _BINDING:
            continue
        match node:
            case cst.AssignTarget() | cst.AnnAssign() | cst.AugAssign() | cst.NamedExpr() | cst.For() | cst.CompFor():
                found.update(bound_names(node.target))
            case cst.AsName():
                found.update(bound_names(node.name))
            case cst.Global() | cst.Nonlocal():
                outer |= {item.name.value for item in node.names}
    return frozenset(found - outer)


def _module_types(value: Value) -> frozenset[str]:
    own = value.types if value.kind is Kind.MODULE else frozenset()
    return own.union(*(_module_types(part) for part in value.parts))


__all__ = ["Graphs", "Origin"]

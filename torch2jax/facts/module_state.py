"""Fields of modules that change after `__init__`: running averages, caches, counters, what is kept for inspection.

    def __init__(self): self.count = 0
    def forward(self, x): self.count += 1       `count` is state of the module, as the statistics of BatchNorm are

A may-analysis: a field is state if some method that runs after `__init__`, of its own module or of one around it, may write
to it. Parameters, submodules and what cannot be kept in arrays are not; writes to them are refused elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from enum import StrEnum
from functools import lru_cache

import libcst as cst

from torch2jax.facts.infer import Values, all_marks
from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.facts.part_makers import uses_of_makers
from torch2jax.ops.python import changes_container
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, Program, dotted, root_name
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import children, descendants, own_nodes
from torch2jax.values import NONE, UNKNOWN, Kind, Value, join_all

Made = tuple[cst.CSTNode, cst.BaseExpression | None]  # a statement or a call of register_buffer, and the first value
_NUMBERS = (Kind.INT, Kind.FLOAT, Kind.BOOL)


class Form(StrEnum):
    """What a field that changes holds: always an array, always a number, or anything made of these and None."""

    ARRAY = "array"
    NUMBER = "number"
    ANY = "any"


@dataclass(slots=True)
class ModuleState:
    """The places in a file where state is touched. `reads` and `writes` are the attributes `self.k`, `model.k`; of writes
    the outermost expression that is stored to or changed in place stands beside. `touching` are the functions around
    them, `writing` those around writes. `changes` are all writes, those to fields that are not state among them. `made` says
    where `__init__` gives a field its first value: the statement and the value. `loose` are the fields that may get values
    of another shape or dtype; rewriting finds them. `filled` are the fields, by class and name, of modules of other files to
    which code outside of these gives tensors. `makers` are the functions that give modules, with what becomes of these.
    `begun` are the methods of classes of other files that are called here, with whether a module is being made there.
    """

    reads: list[cst.Attribute] = field(default_factory=list)
    writes: dict[cst.Attribute, cst.CSTNode] = field(default_factory=dict)
    changes: dict[cst.Attribute, cst.CSTNode] = field(default_factory=dict)
    at_init: list[cst.Attribute] = field(default_factory=list)
    touching: set[Function] = field(default_factory=set)
    writing: set[Function] = field(default_factory=set)
    made: dict[Class, dict[str, list[Made]]] = field(default_factory=dict)
    init_only: set[Function] = field(default_factory=set)
    loose: set[tuple[Class, str]] = field(default_factory=set)
    filled: set[tuple[str, str]] = field(default_factory=set)
    makers: set[tuple[str, bool]] = field(default_factory=set)
    begun: set[tuple[str, bool]] = field(default_factory=set)


GIVES_SELF = "gives self"  # marks (method): it gives its module back, whose parts it changes
WRITTEN = "written"  # marks (class, parameter): what it has become in methods of its module is state of that
LAYER_FIELDS = frozenset({"running_mean", "running_var", "num_batches_tracked"})


def gives_self(program: Program, function: Function | None) -> bool:
    """Whether a method gives its module back, changed."""
    return function is not None and (GIVES_SELF, function.key) in program.marks


def giving_self(program: Program) -> frozenset[str]:
    """The methods, those of other files included, that are known to give their module back."""
    return frozenset(mark[1] for mark in all_marks(program) if mark[0] == GIVES_SELF)


def written_names(name: str) -> tuple[str, str]:
    """The fields with what a parameter has become, and with whether it has, since it was last given the value of its own."""
    return f"written_{name}", f"{name}_is_written"


def writes_parameters(program: Program, value: Value) -> bool:
    """Whether methods of a module, or of a part of it, change parameters, which its state then holds."""
    written = {mark[1] for mark in all_marks(program) if mark[0] == WRITTEN}
    seen: set[str] = set()
    waiting = [value] if written else []
    while waiting:
        part = waiting.pop()
        for key in part.types - seen:
            seen.add(key)
            item = program.class_by_key.get(key)
            if item is not None and any(base.key in written for base in item.lineage):
                return True
            waiting += [field for _, field in item.all_fields()] if item is not None else []
        waiting += [*(part.items or ()), *([part.elem] if part.elem is not None else [])]
    return False


def find_module_state(program: Program, values: Values, keeps_state: Callable[[str], bool]) -> ModuleState:
    """Find the fields that are state, note them in their classes, and where they are read and written; `keeps_state` says
    whether a layer has statistics that are state.
    """
    found = ModuleState()
    modules = [item for item in program.classes.values() if item.is_module]
    _note_early(program, modules)
    found.begun = set(_begun(program, values, modules))
    for item in modules:
        found.made[item] = {}
        for method in init_methods(item):
            is_asked = program.is_imported and method.name in program.read_elsewhere and changes_buffers(method)
            if method.owner is item and runs_only_at_init(program, method) and not is_asked:
                found.init_only.add(method)
                _note_made(method, values, found.made[item])
    written: list[tuple[cst.Attribute, cst.CSTNode]] = []
    for node in program.index.attributes:
        if values(node.value).kind is Kind.MODULE and not _is_making(program, found, node):
            changed = written_through(program, values, node)
            if changed is not None:
                written.append((node, changed))
    exchanged = _exchanged_buffers(program, values, written) | _exchanged_settings(program, values, found, written)
    for node, _ in written:
        is_kept = _is_inside_module(program, node) or _fills_empty_field(program, values, found, node)
        if is_kept and node not in exchanged and not _is_of_new_part(program, found, node):
            for item in _own_classes(program, values(node.value)):
                _note_state(program, values, found, item, node.attr.value)
    found.filled = set(_filled_elsewhere(program, values, written))
    found.makers = set(uses_of_makers(program, values))
    for item in modules:
        for name in [name for key, name in sorted(program.filled) if key == item.key]:
            if _is_made_empty(values, found, item, name):
                _note_state(program, values, found, item, name)
    has_own = any(item.state for item in program.class_by_key.values())
    changes = found.changes = dict(written)
    for node in program.index.attributes:
        of_layer = node.attr.value in LAYER_FIELDS and any(map(keeps_state, values(node.value).types))
        if of_layer or (has_own and is_state(program, values, node)):
            if _is_making(program, found, node):
                found.at_init.append(node)
                continue
            if node in changes:
                found.writes[node] = changes[node]
            else:
                found.reads.append(node)
            function = program.function_around(node)
            while function is not None:
                found.touching.add(function)
                if node in changes:
                    found.writing.add(function)
                function = function.outer
    return found


def _exchanged_buffers(
    program: Program, values: Values, written: Sequence[tuple[cst.Attribute, cst.CSTNode]]
) -> set[cst.Attribute]:
    """Buffers that only methods change which exchange parameters of their module as well: these make another module,
    as `crop` does, instead of keeping state between calls.
    """
    around = {node: program.function_around(node) for node, _ in written}
    exchanging = {
        function
        for node, function in around.items()
        if function is not None and "parameter" in values(node).types and root_name(node) == function.self_name
        if not runs_in_forward(program, function)
    }
    kept = {
        (owner, node.attr.value)
        for node, function in around.items()
        if function not in exchanging
        for owner in values(node.value).types or {""}
    }
    return {
        node
        for node, function in around.items()
        if function in exchanging and _is_buffer(program, values, node)
        if function is not None and dotted(node.value) != function.self_name
        if not any((owner, node.attr.value) in kept for owner in (*values(node.value).types, ""))
    }


def _exchanged_settings(
    program: Program, values: Values, state: ModuleState, written: Sequence[tuple[cst.Attribute, cst.CSTNode]]
) -> set[cst.Attribute]:
    """Settings that only methods change which exchange a part of their module as well: the new module has others; and those of a
    part that `__init__` of the module around it has made, and sets: `self.model.n = n`.
    """
    found, kept = set(), set()
    for node, changed in written:
        function = program.function_around(node)
        is_own = function is not None and dotted(node.value) == function.self_name
        is_setting = changed is node and values(node).kind not in (Kind.TENSOR, Kind.MODULE)
        is_of_part = not is_own and function in state.init_only and root_name(node) == function.self_name
        if is_setting and (is_of_part or (is_own and _exchanges_part(program, values, function))):
            found.add(node)
        else:
            kept |= {(owner, node.attr.value) for owner in values(node.value).types or {""}}
    return {
        node for node in found if not any((owner, node.attr.value) in kept for owner in (*values(node.value).types, ""))
    }


def _exchanges_part(program: Program, values: Values, function: Function | None) -> bool:
    """Whether a method that no forward pass runs gives its module another part: `self.head = nn.Linear(4, n)`."""
    if function is None or runs_in_forward(program, function):
        return False
    for node in own_nodes(function.node):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(owner)))], value=value):
                if owner == function.self_name and values(value).kind is Kind.MODULE:
                    return True
    return False


def _is_buffer(program: Program, values: Values, node: cst.Attribute) -> bool:
    """Whether a field of a module is registered as a buffer, whatever it is given later."""
    classes = _own_classes(program, values(node.value))
    return bool(classes) and all(any(node.attr.value in part.buffers for part in item.lineage) for item in classes)


def changes_in_place(program: Program, values: Values, found: ModuleState) -> Iterator[cst.Attribute]:
    """The fields of modules whose tensors are changed in place, at each place where one is."""
    for node, written in found.changes.items():
        if isinstance(program.index.parents.get(node), cst.AugAssign):
            if values(node).kind is Kind.TENSOR:
                yield node
        elif written is not node or program.index.statement_of(node) in program.in_place:
            yield node


def is_state(program: Program, values: Values, node: cst.Attribute) -> bool:
    """Whether an attribute is a field of a module that changes after `__init__`."""
    base = values(node.value)
    return base.kind is Kind.MODULE and any(
        node.attr.value in part.state for item in _own_classes(program, base) for part in item.lineage
    )


def holder_of(program: Program, values: Values, node: cst.Attribute) -> Class | None:
    """The class that makes a field that is state."""
    for item in _own_classes(program, values(node.value)):
        for part in item.lineage:
            if node.attr.value in part.state:
                return part
    return None


def module_place(program: Program, values: Values, node: cst.BaseExpression) -> str | None:
    """The place of the module around all others in an expression, which the state belongs to: `model` of
    `model.encoder.layers[0]`, and of `layer` in `for layer in model.layers`.
    """
    for _ in range(8):
        found, current = node, node
        while isinstance(current, (cst.Attribute, cst.Subscript)):
            current = current.value
            if values(current).kind is Kind.MODULE:
                found = current
        source = _source_of_part(program, values, found) if isinstance(found, cst.Name) else None
        if source is None:
            return dotted(found)
        node = source
    return None


def _source_of_part(program: Program, values: Values, name: cst.Name) -> cst.BaseExpression | None:
    """The module, or what holds it, that the module in a variable is a part of."""
    function = program.function_around(name)
    while function is not None and name.value not in function.env:
        function = function.outer
    variable = program.definitions.scopes.variable(name)
    clause = variable.owner if variable is not None and isinstance(variable.owner, cst.CompFor) else None
    found: list[cst.BaseExpression | None] = []
    for node in program.assigned_in(function, name.value) if clause is None else (clause,):
        if isinstance(node, cst.CompFor) and node is not clause:
            continue  # a variable of its own
        inner = program.function_around(node)
        if inner is not function and inner is not None and name.value in inner.env:
            continue  # a variable of a function within
        if isinstance(node, cst.Assign):
            is_part = isinstance(node.value, (cst.Attribute, cst.Subscript)) and _is_in_module(values, node.value)
            found.append(node.value if is_part else None)
        elif (part := _iterated(node.target, node.iter, name.value)) is not None:
            found.append(_holder_of_all(program, values, part))
    is_same = len({code(item) if item is not None else None for item in found}) == 1
    return found[0] if found and is_same else None


def _holder_of_all(
    program: Program, values: Values, node: cst.BaseExpression, depth: int = 4
) -> cst.BaseExpression | None:
    """The module, or what one holds, that all elements of a list come from: `net` of `[m for m in net if isinstance(m, Block)]`,
    also where a variable has the list.
    """
    if values(node).kind is Kind.MODULE or _is_in_module(values, node):
        return node
    match node:
        case cst.ListComp(elt=cst.Name(value=name), for_in=cst.CompFor(target=target, iter=source, inner_for_in=None)):
            part = _iterated(target, source, name)
        case cst.Call(func=cst.Name(value="list" | "tuple" | "reversed"), args=[cst.Arg(value=part, star="")]):
            pass
        case cst.Call(func=cst.Attribute(value=part, attr=cst.Name(value="modules" | "children")), args=[]):
            pass
        case cst.Name(value=name) if depth:
            bound = [item.value for item in program.definitions.of(node) if item.how is How.ASSIGNED]
            is_alone = len(bound) == len(program.definitions.of(node)) == 1 and not _grows(program, name)
            part = bound[0] if is_alone else None
        case _:
            return None
    return _holder_of_all(program, values, part, depth - 1) if part is not None else None


def _grows(program: Program, name: str) -> bool:
    """Whether a list with this name may get other elements somewhere."""
    found = (node for node in program.index.attributes if isinstance(node.value, cst.Name) and node.value.value == name)
    return any(changes_container(node.attr.value, Kind.LIST) for node in found)


def _is_in_module(values: Values, node: cst.BaseExpression) -> bool:
    while isinstance(node, (cst.Attribute, cst.Subscript)):
        node = node.value
        if values(node).kind is Kind.MODULE:
            return True
    return False


def _iterated(target: cst.BaseExpression, source: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """What a loop takes the values of a variable from."""
    match source:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("modules" | "children")), args=[]):
            return module if isinstance(target, cst.Name) and target.value == name else None
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("named_modules" | "named_children")), args=[]):
            last = target.elements[-1].value if isinstance(target, cst.Tuple) else None
            return module if isinstance(last, cst.Name) and last.value == name else None
    if isinstance(target, cst.Name):
        return source if target.value == name else None
    if not isinstance(target, cst.Tuple) or not isinstance(source, cst.Call) or not isinstance(source.func, cst.Name):
        return None
    places = [item.value.value if isinstance(item.value, cst.Name) else None for item in target.elements]
    if name not in places or any(item.star for item in source.args):
        return None
    position = places.index(name)
    if source.func.value == "enumerate" and position == 1:
        return source.args[0].value
    return source.args[position].value if source.func.value == "zip" and position < len(source.args) else None


def form_of(program: Program, values: Values, node: cst.Attribute) -> Form:
    """The form of a field that is state."""
    forms = {
        part.state[node.attr.value]
        for item in _own_classes(program, values(node.value))
        for part in item.lineage
        if node.attr.value in part.state
    }
    if not forms and node.attr.value in LAYER_FIELDS:
        return Form.ARRAY
    return Form(forms.pop()) if len(forms) == 1 else Form.ANY


def init_methods(item: Class) -> set[Function]:
    """The methods that run while the module is made: `__init__` and what it, or that of a derived class, calls on `self`."""
    found: set[Function] = set()
    names = [(part, name) for part in item.lineage for name in ("__init__", *sorted(part.early))]
    waiting = [part.methods[name] for part, name in names if name in part.methods]
    while waiting:
        method = waiting.pop()
        if method in found:
            continue
        found.add(method)
        for owner, name in _methods_called(method.node):
            called = item.method(name) if owner == method.self_name else None
            if called is not None:
                waiting.append(called)
    return found


def changes_buffers(method: Function) -> bool:
    """Whether a method, other than `__init__`, gives buffers of its module other values."""
    if method.owner is None or method.name == "__init__":
        return False
    for node in own_nodes(method.node):
        match node:
            case cst.AssignTarget(target=place) | cst.AugAssign(target=place):
                pass
            case cst.Call(func=cst.Attribute(value=place, attr=cst.Name(name))) if is_inplace_name(name):
                pass
            case _:
                continue
        while isinstance(place, cst.Subscript):
            place = place.value
        owner, _, name = (dotted(place) or "").removesuffix(".data").partition(".")
        if owner == method.self_name and any(item.is_registered(name) for item in method.owner.lineage):
            return True
    return False


def _note_early(program: Program, modules: Sequence[Class]) -> None:
    """Note in base classes the methods that run where modules of derived classes are made, of this file or of others, only."""
    for item in modules:
        item.early = {name for name, method in item.methods.items() if method.key in program.early_elsewhere}
    for item in modules:
        for base in item.lineage[1:]:
            for method in init_methods(item) if base in modules else ():
                if method.owner is base and method.name != "__init__" and method not in init_methods(base):
                    if runs_only_at_init(program, method):
                        base.early.add(method.name)


def _begun(program: Program, values: Values, modules: Sequence[Class]) -> Iterator[tuple[str, bool]]:
    """The methods of modules of other files that are called here: while a module of a derived class is made, or otherwise."""
    making = {method for item in modules for method in init_methods(item)}
    yield from ((method.key, True) for method in making if method.owner not in modules and method.name != "__init__")
    for call, reached in values.callees.items():
        if call in program.index.parents and program.function_around(call) not in making:
            yield from ((method.key, False) for method in reached if _is_of_other_file(method, modules))


def _is_of_other_file(method: Function, modules: Sequence[Class]) -> bool:
    """Whether something is a method of a module of another file, which may run while one is made or later."""
    is_method = method.owner is not None and method.owner.is_module and method.owner not in modules
    return is_method and method.name not in ("__init__", "forward")


def early_methods(begun: Iterable[Iterable[tuple[str, bool]]]) -> frozenset[str]:
    """The methods that files call where modules of derived classes are made, and nowhere else, by what each of them says."""
    every = frozenset[tuple[str, bool]]().union(*begun)
    return frozenset(key for key, is_early in every if is_early and (key, False) not in every)


def runs_only_at_init(program: Program, method: Function | None) -> bool:
    """Whether a method of a module runs while one is made, of its class or of those that derive from it, and not later."""
    owner = method.owner if method is not None else None
    if method is None or owner is None or not owner.is_module:
        return False
    if method.name in ("__init__", "forward"):
        return method.name == "__init__"
    early = {part for item in _heirs(program, owner) for part in init_methods(item)}
    return method in early and all(program.function_around(call) in early for call in method.callers)


@lru_cache(maxsize=2048)
def _methods_called(function: cst.FunctionDef) -> tuple[tuple[str, str], ...]:
    """(`a`, `f`) for each `a.f()` in a function."""
    return tuple(
        (node.func.value.value, node.func.attr.value)
        for node in descendants(function.body)
        if type(node) is cst.Call and type(node.func) is cst.Attribute and type(node.func.value) is cst.Name
    )


def runs_in_forward(program: Program, function: Function | None, seen: frozenset[Function] = frozenset()) -> bool:
    """Whether a method of a module may run within its `forward`, or within that of a module around it."""
    if function is None or function in seen or function.owner is None or not function.owner.is_module:
        return False
    callers = (program.function_around(call) for call in function.callers)
    return function.name == "forward" or any(runs_in_forward(program, item, seen | {function}) for item in callers)


def runs_in_methods(program: Program, function: Function | None, seen: frozenset[Function] = frozenset()) -> bool:
    """Whether a function is a method of a module that has been made, which it cannot give back, or runs only in such methods."""
    if function is None or function in seen:
        return function is not None
    if function.owner is not None:
        is_early = runs_only_at_init(program, function)
        return function.owner.is_module and not is_early and not gives_self(program, function)
    callers = [program.function_around(call) for call in function.callers]
    return bool(callers) and all(runs_in_methods(program, item, seen | {function}) for item in callers)


def _is_making(program: Program, found: ModuleState, node: cst.Attribute) -> bool:
    """Whether a field of `self` is meant, in code that runs while the module is made."""
    function = program.function_around(node)
    return (
        function in found.init_only
        and function is not None
        and isinstance(node.value, cst.Name)
        and node.value.value == function.self_name
    )


def _is_of_new_part(program: Program, found: ModuleState, node: cst.Attribute) -> bool:
    """Whether a field of a part in a variable is meant, in code that runs while the module around is made."""
    function = program.function_around(node)
    is_variable = function is not None and isinstance(node.value, cst.Name)
    return is_variable and function in found.init_only and node.value.value not in function.parameter_names  # type: ignore[attr-defined]


def _is_inside_module(program: Program, node: cst.CSTNode) -> bool:
    function = around = program.function_around(node)
    while around is not None and around.owner is None:
        around = around.outer
    if around is None:  # a function that methods give a part
        return runs_in_methods(program, function)
    return around.owner is not None and around.owner.is_module


def _fills_empty_field(program: Program, values: Values, found: ModuleState, node: cst.Attribute) -> bool:
    """Whether code outside of a module gives a tensor to a field of it that is None when it is made: `model.mask = mask`."""
    classes = _own_classes(program, values(node.value)) if _is_given_tensor(program, values, node) else []
    return bool(classes) and all(_is_made_empty(values, found, item, node.attr.value) for item in classes)


def _is_given_tensor(program: Program, values: Values, node: cst.Attribute) -> bool:
    """Whether a line of its own gives a field a tensor that is no parameter."""
    assign = program.index.parents.get(program.index.parents[node])
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or assign.targets[0].target is not node:
        return False
    given = values(assign.value)
    return given.kind is Kind.TENSOR and "parameter" not in given.types


def _is_made_empty(values: Values, found: ModuleState, item: Class, name: str) -> bool:
    """Whether `__init__` gives a field None and nothing else."""
    made = [value for part in item.lineage for _, value in found.made.get(part, {}).get(name, ())]
    return bool(made) and all(value is not None and values(value).kind is Kind.NONE for value in made)


def _filled_elsewhere(
    program: Program, values: Values, written: Sequence[tuple[cst.Attribute, cst.CSTNode]]
) -> Iterator[tuple[str, str]]:
    """The fields of modules of other files that lines of their own give tensors: `model.mask = mask`."""
    for node, _ in written:
        if _is_given_tensor(program, values, node):
            classes = [part for item in _own_classes(program, values(node.value)) for part in item.lineage]
            yield from ((item.key, node.attr.value) for item in classes if item.node not in program.classes)


def _own_classes(program: Program, value: Value) -> list[Class]:
    return [program.class_by_key[key] for key in sorted(value.types) if key in program.class_by_key]


_GIVING = frozenset({cst.Assign, cst.AnnAssign, cst.Call})


def _note_made(method: Function, values: Values, made: dict[str, list[Made]]) -> None:
    """The fields that a method gives a value while the module is made."""
    for node in descendants(method.node.body):
        if type(node) not in _GIVING:
            continue
        match node:
            case cst.Assign():
                for part, value in _assigned(node):
                    if isinstance(part, cst.Attribute) and _is_field_of(part, method.self_name):
                        made.setdefault(part.attr.value, []).append((node, value))
            case cst.AnnAssign(target=cst.Attribute() as part) if _is_field_of(part, method.self_name):
                made.setdefault(part.attr.value, []).append((node, node.value))
            case cst.Call(func=cst.Attribute(attr=cst.Name(value=registers), value=cst.Name(value=owner))):
                if registers in ("register_buffer", "register_parameter") and owner == method.self_name:
                    given = {item.keyword.value: item.value for item in node.args if item.keyword is not None}
                    plain = [item.value for item in node.args if item.keyword is None]
                    name = plain[0] if plain else given.get("name")
                    value = plain[1] if len(plain) > 1 else given.get("tensor", given.get("param"))
                    const = values(name).const if name is not None else None
                    if isinstance(const, str):
                        made.setdefault(const, []).append((node, value))


def _is_field_of(node: cst.CSTNode, name: str | None) -> bool:
    return isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name) and node.value.value == name


def _assigned(node: cst.Assign) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression | None]]:
    """The places that an assignment gives values, with the value where it is written for this place alone."""
    for target in node.targets:
        alone = len(node.targets) == 1
        if not isinstance(target.target, (cst.Tuple, cst.List)):
            yield target.target, node.value if alone else None
            continue
        places, values = target.target.elements, node.value.elements if isinstance(node.value, cst.Tuple) else ()
        alone = alone and len(places) == len(values) and isinstance(target.target, cst.Tuple)
        for number, place in enumerate(places):
            yield place.value, values[number].value if alone else None


def _note_state(program: Program, values: Values, found: ModuleState, item: Class, name: str) -> None:
    """Note a field as state in the class that makes it."""
    if item.method(name) is not None or name in ("training", "requires_grad", "grad", "data"):
        return
    makers = [part for part in item.lineage if name in found.made.get(part, {})]
    holder = makers[-1] if makers else item
    if holder not in found.made or name in _class_names(holder.node):
        return  # of another file, or a default of the class
    value = join_all([part.fields[name] for part in [*item.lineage, *_heirs(program, holder)] if name in part.fields])
    form = _form(found.made[holder].get(name, []), values, value)
    if (
        form is None
        and _is_made_empty(values, found, holder, name)
        and _is_used_as_tensor(program, values, holder, name)
    ):
        form = Form.ANY
    if form is not None:
        holder.state[name] = form


def _is_used_as_tensor(program: Program, values: Values, holder: Class, name: str) -> bool:
    """Whether a field of which nothing is known but that it may be None is an operand of tensors, wherever it is read."""
    parents, used = program.index.parents, False
    for node in program.index.attributes:
        if node.attr.value != name or holder not in [
            part for one in _own_classes(program, values(node.value)) for part in one.lineage
        ]:
            continue
        above = parents[node]
        if is_target(program, node):
            if values(node).kind not in (Kind.UNKNOWN, Kind.NONE, Kind.TENSOR):
                return False
        elif isinstance(above, cst.Comparison):
            if not all(isinstance(item.operator, (cst.Is, cst.IsNot)) for item in above.comparisons):
                return False
        elif isinstance(above, cst.Arg) and isinstance(call := parents[above], cst.Call):
            receiver = call.func.value if isinstance(call.func, cst.Attribute) else None
            if not ((receiver is not None and values(receiver).kind is Kind.TENSOR) or values.torch_name(call.func)):
                return False
            used = True
        elif isinstance(above, cst.BinaryOperation):
            if Kind.TENSOR not in (values(above.left).kind, values(above.right).kind):
                return False
            used = True
        else:
            return False
    return used


def _heirs(program: Program, item: Class) -> list[Class]:
    return [other for other in program.class_by_key.values() if item in other.lineage]


def _class_names(node: cst.ClassDef) -> set[str]:
    """The names that a class body gives values."""
    found: set[str] = set()
    for line in children(node.body):
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            match small:
                case cst.Assign():
                    found |= {target.target.value for target in small.targets if isinstance(target.target, cst.Name)}
                case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression()):
                    found.add(name)
    return found


def _form(made: list[Made], values: Values, value: Value) -> Form | None:
    """How a field can be kept in the state; None if it cannot."""
    first = [values(what) if what is not None else UNKNOWN for _, what in made]
    is_unknown = value.kind is Kind.UNKNOWN and "parameter" not in value.types
    may_lack = any(item.optional for item in first)  # an argument that is None by default
    if (
        made
        and not may_lack
        and all(item.kind in _NUMBERS for item in first)
        and (is_unknown or value.kind in _NUMBERS)
    ):
        return Form.NUMBER if len({item.kind for item in first}) == 1 else Form.ANY
    if not (_is_kept(value) or is_unknown):
        return None
    if made and not may_lack and all(item.kind is Kind.TENSOR for item in first):
        return Form.ARRAY
    return Form.ANY if not is_unknown else None


def _is_kept(value: Value) -> bool:
    """Whether a value is made of arrays, numbers and None."""
    if value.kind is Kind.TENSOR:
        return "parameter" not in value.types
    if value.kind in (Kind.TUPLE, Kind.LIST):
        return all(_is_kept(item) for item in value.items or [value.elem or NONE])
    return value.kind in (*_NUMBERS, Kind.NONE)


def written_through(program: Program, values: Values, node: cst.Attribute) -> cst.CSTNode | None:
    """What a field is written through: itself (`self.k = v`), a part (`self.k[0] = v`), the call that changes it in place
    (`self.k.add_(1)`, `torch.add(a, b, out=self.k)`); None if it is only read.
    """
    parents = program.index.parents
    place: cst.CSTNode = node
    while True:
        parent = parents.get(place)
        part = isinstance(parent, cst.Subscript) or (isinstance(parent, cst.Attribute) and parent.attr.value == "data")
        if not part or parent.value is not place:  # type: ignore[union-attr]
            break
        assert parent is not None
        place = parent
    if is_target(program, place):
        return place
    if isinstance(parent, cst.Attribute) and parent.value is place and changes_values(parent.attr.value):
        call = parents.get(parent)
        if isinstance(call, cst.Call) and call.func is parent and values(place).kind in (Kind.TENSOR, Kind.UNKNOWN):
            return call
    if isinstance(parent, cst.Arg):
        call = parents.get(parent)
        if isinstance(call, cst.Call) and values.torch_name(call.func) and place in set(filled_arguments(call)):
            return call
    return None


_READING = frozenset({cst.Attribute, cst.Call, cst.Arg, cst.Subscript, cst.Index, cst.BinaryOperation})


def is_target(program: Program, node: cst.CSTNode) -> bool:
    """Whether an expression is a place that is given a value (or deleted, or declared `global`), not one that is read."""
    parents = program.index.parents
    child, parent = node, parents.get(node)
    if type(parent) in _READING:
        return False
    while isinstance(parent, (cst.Element, cst.StarredElement, cst.Tuple, cst.List)):
        child, parent = parent, parents.get(parent)
    match parent:
        case cst.AssignTarget() | cst.AsName() | cst.Del() | cst.NameItem():
            return True
        case cst.AnnAssign() | cst.AugAssign() | cst.NamedExpr() | cst.For() | cst.CompFor():
            return parent.target is child
    return False

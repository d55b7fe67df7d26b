"""Assignments that exchange a part of a finished module: `model.head = nn.Identity()`, `model.body[1] = nn.Tanh()`,
`model.scale = torch.ones(3)` of a buffer, and `model.dropout.p = 0.1` of a setting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from torch2jax.facts.effects import Effects
from torch2jax.facts.infer import EINOPS_LAYERS, Values
from torch2jax.facts.module_state import gives_self
from torch2jax.facts.unset_fields import given_name
from torch2jax.ops.python import changes_container
from torch2jax.ops.schema import Tables
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.norm_families import INSTANCE_NORMS
from torch2jax.program.program import Class, Function, Program, dotted, root_name
from torch2jax.program.statements import bound_parts
from torch2jax.syntax.walk import descendants
from torch2jax.values import NOTHING, Kind, Value, module_sites

_SEQUENTIAL = frozenset({"torch.nn.Sequential"})
_WITHOUT_WEIGHTS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential"})
_PLAIN = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE})
_OPEN = frozenset({Kind.UNKNOWN, Kind.PYTHON})
_CONTAINERS = frozenset({Kind.DICT, Kind.LIST, Kind.TUPLE})
DROPOUTS = frozenset(f"torch.nn.{name}" for name in ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout"))

_INSTANCE_NORMS = frozenset(f"torch.nn.{name}" for name in INSTANCE_NORMS)
_BATCH_NORMS = frozenset({*(f"torch.nn.BatchNorm{ndim}d" for ndim in (1, 2, 3)), "torch.nn.SyncBatchNorm"})


def find_replaced_parts(program: Program, values: Values, effects: Effects) -> Iterator[cst.BaseExpression]:
    """The targets of all such assignments where the module has the part already, and neither old nor new keep state, or the
    module is made in the same function: the plan asks whether it has any so far.
    """
    for node in program.index.every(cst.AssignTarget):
        if not isinstance(node.target, (cst.Attribute, cst.Subscript)):
            continue
        target, assignment = node.target, program.index.parents[node]
        if not isinstance(assignment, cst.Assign) or len(assignment.targets) != 1 or root_name(target) is None:
            continue
        owner, new = values(target.value), values(assignment.value)
        if owner.kind is not Kind.MODULE:
            continue
        if effects.is_stateful(new) or _has_state(program, effects, owner, target):
            if is_new_part(program, values, effects, target, assignment.value):
                yield target
            continue
        function = program.function_around(node)
        own = function.self_name if function is not None else None
        in_module = function is not None and function.owner is not None and function.owner.is_module
        if own is not None and dotted(target.value) == own and in_module and not gives_self(program, function):
            continue  # a field that the module gives itself
        if new.kind not in (Kind.MODULE, Kind.TENSOR):
            if isinstance(target, cst.Attribute) and (
                is_setting(program, effects, target, new)
                or (new.kind is Kind.NONE and _has_module(program, effects, owner, target.attr.value))
            ):
                yield target
        elif isinstance(target, cst.Subscript):
            if (
                new.kind is Kind.MODULE
                and owner.types == _SEQUENTIAL
                and not effects.is_stateful(owner)
                and len(target.slice) == 1
            ):
                yield target
        elif new.kind is Kind.TENSOR and "parameter" not in new.types:
            if _has_buffer(program, effects, owner, target.attr.value, _is_there(program, target)):
                yield target
        elif _has_part(program, owner, target.attr.value, effects) or (
            new.kind is Kind.TENSOR and _is_weight(effects, owner, target.attr.value)
        ):
            yield target


def _has_state(program: Program, effects: Effects, owner: Value, target: cst.Attribute | cst.Subscript) -> bool:
    """Whether a module of the program may keep state in the part that it gets another one for."""
    if not isinstance(target, cst.Attribute):
        return False
    items = [program.class_by_key.get(key) for key in owner.types]
    held = [item.field_value(target.attr.value) if item is not None else None for item in items]
    return any(value is not None and effects.is_stateful(value) for value in held)


def is_new_part(
    program: Program,
    values: Values,
    effects: Effects,
    target: cst.Attribute | cst.Subscript,
    new: cst.BaseExpression,
) -> bool:
    """Whether a module that a function makes gets another part there, which the function makes, too: state begins with what
    the whole has in the end, where that is a part of another module.
    """
    makers = (Kind.CLASS, Kind.FUNCTION, Kind.TORCH)
    if not isinstance(target, cst.Attribute) or not isinstance(new, cst.Call) or values(new.func).kind not in makers:
        return False
    function, owner = program.function_around(target), values(target.value)
    made = list(_made_there(program, function, target.value)) if function is not None else []
    are_made = all(isinstance(item, cst.Call) and values(item.func).kind in makers for item in made)
    is_module = values(new).kind is Kind.MODULE
    return (
        bool(made) and are_made and is_module and _has_part(program, owner, target.attr.value, effects, with_state=True)
    )


def _made_there(program: Program, function: Function, place: cst.BaseExpression) -> Iterator[cst.BaseExpression | None]:
    """All that a variable of a function is bound to, or a field of the module that its `__init__` makes."""
    if isinstance(place, cst.Name) and place.value in function.env:
        yield from (item.value for item in program.definitions.every_of_name(place))
    elif function.name == "__init__" and function.owner is not None and isinstance(place, cst.Attribute):
        path = dotted(place) if dotted(place.value) == function.self_name else None
        for node in descendants(function.owner.node, cst.AssignTarget) if path is not None else ():
            assign = program.index.parents[node]
            if dotted(node.target) == path and isinstance(assign, cst.Assign):
                yield assign.value


def _has_part(program: Program, owner: Value, name: str, effects: Effects, *, with_state: bool = False) -> bool:
    """Whether a module of the program has a part of this name from its own methods."""
    if not owner.types or not owner.types <= program.class_by_key.keys():
        return False
    for key in owner.types:
        item = program.class_by_key[key]
        value = item.field_value(name)
        is_kept = value is not None and effects.is_stateful(value) and not with_state
        if value is None or is_kept or not assigns_field(item, name):
            return False
    return True


def has_exchanged_part(program: Program, effects: Effects, owner: Value, name: str, made: cst.BaseExpression) -> bool:
    """Whether a module has a part of this name, and gets another module without state for it."""
    new, known = effects.values(made), [program.class_by_key.get(key) for key in owner.types]
    held = [item.field_value(name) if item is not None else None for item in known]
    is_part = bool(held) and all(value is not None and value.kind is Kind.MODULE for value in held)
    return (
        is_part
        and new.kind is Kind.MODULE
        and not effects.is_stateful(new)
        and _has_part(program, owner, name, effects)
    )


def _has_module(program: Program, effects: Effects, owner: Value, name: str) -> bool:
    """Whether a module of the program has a module without state under this name, which may be taken away."""
    known = [program.class_by_key[key].field_value(name) for key in owner.types if key in program.class_by_key]
    is_module = all(value is not None and value.kind is Kind.MODULE for value in known)
    return is_module and _has_part(program, owner, name, effects)


def is_setting(program: Program, effects: Effects, target: cst.Attribute, new: Value) -> bool:
    """Whether a field of a module holds a number, a text or None, and is given another one."""
    owner, name = effects.values(target.value), target.attr.value
    if owner.types and owner.types <= DROPOUTS:
        is_rate = new.kind in _OPEN or (new.is_number and new.const != 1)  # dropping everything has no gradient
        is_all = not isinstance(target.value, cst.Name) or not _has_transformers(program)
        return name == "p" and is_rate and is_all and not is_in_two_fields(program, owner)
    if owner.types and (owner.types <= _BATCH_NORMS or _is_stateful_norm(effects.tables, owner)):
        is_number = new.kind in _OPEN or new.is_number
        return name in ("eps", "momentum") and is_number and not is_in_two_fields(program, owner)
    items = [program.class_by_key.get(key) for key in owner.types]
    assign = program.index.parents[program.index.parents[target]]
    is_plain = is_plain_value(new) or (
        isinstance(assign, cst.Assign) and is_plain_entry(program, effects.values, assign.value)
    )
    return bool(items) and all(
        item is not None and _has_setting(program, effects, item, name, new, is_plain) for item in items
    )


def _is_stateful_norm(tables: Tables, owner: Value) -> bool:
    """Whether a module is a norm of instances in a program where these may keep statistics."""
    return owner.types <= _INSTANCE_NORMS and all("state" in tables.layers[name].effects for name in owner.types)


def is_plain_layer(tables: Tables, value: Value) -> bool:
    """Whether a module is a layer without parameters and state: an activation, a dropout, another arrangement of axes."""
    plain = {*EINOPS_LAYERS, *DROPOUTS}
    return (
        value.kind is Kind.MODULE
        and bool(value.types)
        and all(name in plain or tables.is_function(name) for name in value.types)
    )


def is_in_two_fields(program: Program, layer: Value) -> bool:
    """Whether a module of the program may hold a layer in two of its fields, of which JAX holds two copies."""
    sites = module_sites(layer)
    return any(
        sum(not sites.isdisjoint(module_sites(value)) for value in item.fields.values()) > 1
        for item in program.class_by_key.values()
    )


def _has_transformers(program: Program) -> bool:
    """Whether a program may have layers of torch with dropout inside, which are no layers of their own in JAX."""
    fields = (value for item in program.class_by_key.values() for value in item.fields.values())
    parts = (part for value in fields for part in (value, *value.parts))
    in_fields = any(name.startswith("torch.nn.Transformer") for part in parts for name in part.types)
    names = ("Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer")
    return in_fields or any(program.mentions(name) for name in names)


def _has_setting(program: Program, effects: Effects, item: Class, name: str, new: Value, is_plain: bool) -> bool:
    """Whether a module holds a setting of this name from its `__init__`, which a value of this kind may follow: of what is not
    known to be no tensor, see `find_opened`.
    """
    known = item.field_value(name)
    if known is None or item.method(name) is not None or any(name in part.state for part in item.lineage):
        return False
    if item.node not in program.classes:  # its own file is translated without this one in sight
        is_same = known.kind is new.kind or (known.kind is Kind.FLOAT and new.kind is Kind.INT)
        return is_same and known.kind in _PLAIN and known.const is NOTHING and assigns_field(item, name)
    made = [value for part in item.lineage for _, value in effects.module_state.made.get(part, {}).get(name, ())]
    kinds = {effects.values(value).kind if value is not None else Kind.UNKNOWN for value in made}
    if new.kind in _OPEN and not is_plain:
        return bool(made) and kinds <= _PLAIN | _OPEN
    if not (bool(made) and is_plain and kinds <= _PLAIN | _OPEN | _CONTAINERS):
        return False
    held = [value for value in made if value is not None and effects.values(value).kind in _CONTAINERS]
    if new.kind in _CONTAINERS | _OPEN or held:
        return all(is_plain_value(effects.values(value)) for value in held) and stays_the_same(program, name)
    return True


def find_opened(program: Program, values: Values, replaced: Iterable[cst.BaseExpression]) -> Iterator[tuple[str, str]]:
    """The fields, by class and name, that hold numbers or texts and are given something from outside that may be a tensor: it
    would be none that is trained.
    """
    for target in replaced:
        assign = program.index.parents[program.index.parents[target]]
        if not isinstance(target, cst.Attribute) or not isinstance(assign, cst.Assign):
            continue
        if values(assign.value).kind in _OPEN:
            classes = [program.class_by_key.get(key) for key in values(target.value).types]
            yield from ((part.key, target.attr.value) for item in classes if item is not None for part in item.lineage)


def is_plain_value(value: Value) -> bool:
    """Whether a value is a number, a text, None, or a container of nothing else, which no optimizer takes for a parameter."""
    is_filled = value.kind in _CONTAINERS and bool(value.parts) and all(map(is_plain_value, value.parts))
    return value.kind in _PLAIN or is_filled


def stays_the_same(program: Program, name: str) -> bool:
    """Whether nothing changes the container in a field of this name in place, nor in a variable that is the same one."""
    known = {name}
    for node in program.index.every(cst.Assign):
        sides = [node.value, *(item.target for item in node.targets)]
        if any(_names(side, {name}) for side in sides):
            known |= {side.value for side in sides if isinstance(side, cst.Name)}
    return not any(_changes(node, known) for node in program.index.parents)


def is_plain_entry(program: Program, values: Values, node: cst.BaseExpression) -> bool:
    """Whether an expression reads a number, a text, or a container of these from a table that is written out and stays as it
    is: `settings["mean"]` behind `settings = TABLE["tiny"][name]`.
    """
    names: set[str] = set()
    found = list(_entries(program, values, node, names))
    return bool(names) and bool(found) and all(map(_is_written_out, found)) and not _is_changed(program, names)


def _entries(
    program: Program, values: Values, node: cst.BaseExpression, names: set[str], depth: int = 8
) -> Iterator[cst.BaseExpression | None]:
    """What an expression may find in tables; None for what is not in sight. `names` gets the variables that it goes through."""
    match node:
        case cst.Name() if depth and node.value not in ("None", "True", "False"):
            names.add(node.value)
            for part in _given_to(program, values, node):
                yield from _entries(program, values, part, names, depth - 1) if part is not None else [None]
        case cst.Subscript(value=base, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
            const = values(key).const
            for table in _entries(program, values, base, names, depth):
                for element in table.elements if isinstance(table, cst.Dict) else [None]:
                    if not isinstance(element, cst.DictElement):
                        yield None
                    elif const is NOTHING or values(element.key).const in (NOTHING, const):
                        yield element.value
        case _:
            yield node


def _given_to(program: Program, values: Values, name: cst.Name) -> Iterator[cst.BaseExpression | None]:
    """What a variable may be bound to where it is read; a parameter to what all calls in the file give it."""
    around = program.function_around(name)
    for bound in program.definitions.of(name):
        is_own = bound.how is How.PARAMETER and around is not None and name.value in around.parameter_names
        if around is not None and is_own and around.name not in program.read_elsewhere:
            for call in (call for call, callees in values.callees.items() if around in callees):
                yield dict(arguments_by_parameter(around, call, values)).get(name.value)
        else:
            yield bound.value if bound.how is How.ASSIGNED else None


def _is_written_out(node: cst.BaseExpression | None) -> bool:
    """Whether an expression is a number, a text, None, or a display of such."""
    match node:
        case cst.List(elements=elements) | cst.Tuple(elements=elements) | cst.Dict(elements=elements):
            return all(_is_written_out(item.value) for item in elements)
        case cst.UnaryOperation(expression=inner):
            return _is_written_out(inner)
        case cst.BinaryOperation(left=left, right=right):
            return _is_written_out(left) and _is_written_out(right)
        case cst.Name(value=word):
            return word in ("None", "True", "False")
    return isinstance(node, (cst.BaseNumber, cst.SimpleString, cst.ConcatenatedString))


def _is_changed(program: Program, names: set[str]) -> bool:
    """Whether something may change, in place, what variables of these names hold, or what is read from it."""
    known = set(names)
    for assign in program.index.every(cst.Assign):
        if root_name(assign.value) in known:
            known |= {item.target.value for item in assign.targets if isinstance(item.target, cst.Name)}
    for node in program.index.parents:
        match node:
            case (
                cst.AssignTarget(target=cst.Subscript() as place) | cst.Del(target=place) | cst.AugAssign(target=place)
            ):
                if root_name(place) in known:
                    return True
            case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(value=method))):
                if changes_container(method) and root_name(base) in known:
                    return True
    return False


def _names(node: cst.CSTNode, names: set[str]) -> bool:
    found = node.attr if isinstance(node, cst.Attribute) else node
    return isinstance(found, cst.Name) and found.value in names


def _changes(node: cst.CSTNode, names: set[str]) -> bool:
    """Whether a node changes, in place, the container in a variable or field of one of these names."""
    match node:
        case cst.AssignTarget(target=cst.Subscript(value=base)) | cst.Del(target=cst.Subscript(value=base)):
            return _names(base, names)
        case cst.AugAssign(target=target):
            return _names(target.value if isinstance(target, cst.Subscript) else target, names)
        case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(value=method))):
            return changes_container(method) and _names(base, names)
    return False


def _is_weight(effects: Effects, owner: Value, name: str) -> bool:
    """Whether a part is the weight or bias of a layer of the library, in all of its classes that have any."""
    layers = [effects.tables.layers.get(key) for key in owner.types - _WITHOUT_WEIGHTS]
    return name in ("weight", "bias") and bool(layers) and all(layer is not None for layer in layers)


def _is_there(program: Program, target: cst.Attribute) -> bool:
    """Whether a place stands below a test that it is not None."""
    below: cst.CSTNode = target
    for item in program.index.ancestors(target):
        if isinstance(item, cst.If) and below is item.body:
            match item.test:
                case cst.Comparison(
                    left=left, comparisons=[cst.ComparisonTarget(operator=cst.IsNot(), comparator=cst.Name("None"))]
                ) if left.deep_equals(target):
                    return True
        below = item
    return False


def _has_buffer(program: Program, effects: Effects, owner: Value, name: str, is_there: bool) -> bool:
    """Whether a module of the program has a buffer of this name that no call of it changes. A class of another file that only
    gets the field from outside has none: the class that makes it is translated without this file in sight.
    """
    items = [program.class_by_key.get(key) for key in owner.types]
    return bool(items) and all(
        item is not None
        and not any(name in part.state or (not is_there and _may_be_none(effects, part, name)) for part in item.lineage)
        and (value := item.field_value(name)) is not None
        and value.kind is Kind.TENSOR
        and any(name in part.buffers for part in item.lineage)
        and bool(makers := [part for part in item.lineage if assigns_field(item, name, part.methods.values())])
        and all(part.node in program.classes or name in part.buffers for part in makers)
        for item in items
    )


def _may_be_none(effects: Effects, item: Class, name: str) -> bool:
    """Whether a module may be made with None in a field, or in a way that is not seen."""
    made = effects.module_state.made.get(item, {}).get(name, ())
    return any(value is None or effects.values(value).kind is not Kind.TENSOR for _, value in made)


def assigns_field(item: Class, name: str, methods: Iterable[Function] | None = None) -> bool:
    """Whether a method of a class, or of one that it derives from, or one of some methods, sets a field of its own."""
    places = [part.node for part in item.lineage] if methods is None else [method.node for method in methods]
    return any(
        given_name(node, "self") == name
        if isinstance(node, cst.Call)
        else any(_is_own_field(target, name) for target in bound_parts(node.target))  # type: ignore[attr-defined]
        for place in places
        for node in descendants(place, cst.Call, cst.AssignTarget, cst.AnnAssign)
    )


def _is_own_field(place: cst.CSTNode, name: str) -> bool:
    return isinstance(place, cst.Attribute) and dotted(place) == f"self.{name}"


__all__ = [
    "DROPOUTS",
    "assigns_field",
    "find_opened",
    "find_replaced_parts",
    "has_exchanged_part",
    "is_in_two_fields",
    "is_new_part",
    "is_plain_entry",
    "is_plain_layer",
    "is_plain_value",
    "is_setting",
    "stays_the_same",
]

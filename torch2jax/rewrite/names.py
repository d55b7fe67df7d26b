"""Torch names and attributes that are not called: constants, types, functions passed around, properties of tensors.

torch.float32 -> jnp.float32        isinstance(m, nn.Linear) -> isinstance(m, eqx.nn.Linear)
self.training -> not self.inference
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import libcst as cst

from torch2jax.facts.effects import Draw
from torch2jax.facts.infer import CONTAINERS
from torch2jax.facts.module_state import LAYER_FIELDS, is_target
from torch2jax.facts.restored_modes import restores_mode
from torch2jax.facts.torch_names import names_of_torch, second_names
from torch2jax.ops.lowering import Lowered, lower
from torch2jax.ops.rules import DTYPE_TEXTS, is_dtype
from torch2jax.ops.rules import Facts as ArgumentFacts
from torch2jax.ops.schema import LayerSpec
from torch2jax.ops.signatures import BoundArguments, parse_signature
from torch2jax.program.program import dotted, is_super
from torch2jax.rewrite.calls import layer_factory, made_layer, takes_same_arguments
from torch2jax.rewrite.held_tests import is_held_to_test
from torch2jax.rewrite.passed_functions import function_text
from torch2jax.rewrite.trained_flags import rewrite_flag
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, as_expression
from torch2jax.syntax.quote import fit, names_in, quote
from torch2jax.syntax.walk import bound_names, descendants, with_fields
from torch2jax.values import NOTHING, TYPED_TENSORS, Kind, class_dtype

TYPES = {
    **{f"torch.{name}": "jax.Array" for name in ("Tensor", *TYPED_TENSORS)},
    "torch.nn.Parameter": "jax.Array",
    "torch.device": "jax.Device",
    "torch.Generator": "KeySequence",
    "torch.dtype": "jnp.dtype",
    "torch.Size": "tuple",
    "torch.optim.lr_scheduler.LRScheduler": "optax.Schedule",
    "torch.optim.lr_scheduler._LRScheduler": "optax.Schedule",
}


# What arrays of JAX have under the same name.
KEPT_ATTRIBUTES = frozenset({"shape", "dtype", "ndim", "real", "imag", "T", "mT", "device", "at", "values", "indices"})
DTYPE_ATTRIBUTES = {
    "is_complex": "jnp.issubdtype({x}, jnp.complexfloating)",
    "is_floating_point": "jnp.issubdtype({x}, jnp.floating)",
    "is_signed": "jnp.issubdtype({x}, jnp.inexact) or jnp.issubdtype({x}, jnp.signedinteger)",
    "itemsize": "jnp.dtype({x}).itemsize",
}
_TABLES = frozenset({"_buffers", "_modules", "_parameters"})  # what torch keeps of a module beside its fields
_OF_LAYERS = frozenset(
    {"all_weights", "_all_weights", "_flat_weights", "_flat_weights_names"}
)  # and beside their parameters
_OF_GRAPHS = frozenset(
    {"requires_grad", "grad_fn", "is_leaf", "is_cuda", "grad_dtype", "output_nr", "retains_grad", "volatile"}
)
_COUNTERS = ("len", "enumerate", "list", "tuple", "zip", "reversed", "iter")


_MAKE_SPARSE = (
    "to_sparse", "to_sparse_coo", "to_sparse_csr", "to_sparse_csc", "to_sparse_bsr", "to_sparse_bsc", "sparse_coo_tensor", "sparse_csr_tensor",
    "sparse_csc_tensor", "sparse_bsr_tensor", "sparse_bsc_tensor", "sparse_compressed_tensor", "sparse",
)  # fmt: skip
"""The names without which a file makes no sparse tensors, which become dense arrays."""


def rewrite_names(unit: Unit) -> None:
    """Decide every torch name and tensor attribute that no other pass has settled."""
    index, values = unit.facts.program.index, unit.facts.values
    bound = _bound_to_torch(unit)
    for call in index.calls:
        is_named = isinstance(call.func, cst.Name) and call.func.value == "getattr"
        if is_named and values.torch_name(call) is not None and not _is_called(unit, call):
            if call not in unit.settled and call not in unit.edits.nodes and not _is_inner(unit, call):
                _torch_reference(unit, call)
    for attribute in index.attributes:
        if (
            attribute in unit.settled
            or attribute in unit.edits.nodes
            or attribute in unit.facts.effects.module_state.writes
        ):
            continue
        if _dtype_attribute(unit, attribute):
            continue
        if values.torch_name(attribute) is not None:
            if values.torch_name(attribute.value) is None and values(attribute.value).kind is not Kind.PYTHON:
                unit.settled.add(
                    attribute
                )  # a field that holds something of torch: decided where it was given its value
            elif is_stored(unit, attribute):
                unit.problem(attribute, "T2J200", name=str(values.torch_name(attribute)))
            elif not _is_inner(unit, attribute):
                _torch_reference(unit, attribute)
        elif values(attribute.value).kind is Kind.TORCH_OBJECT:
            _object_attribute(unit, attribute)
        elif _is_forward_of_unknown_base(unit, attribute):
            unit.problem(attribute, "T2J603", name=code(attribute))
        elif attribute.attr.value == "forward" and _is_forward_as_value(unit, attribute):
            _forward_as_value(unit, attribute)
        elif values(attribute.value).kind is Kind.MODULE and (kept := _kept_object(unit, attribute)) is not None:
            _mark_object(unit, kept)
        elif (
            values(attribute.value).kind is Kind.MODULE
            and attribute.attr.value in LAYER_FIELDS
            and unit.facts.target.state is not None
            and _is_layer_field(unit, attribute)
        ):
            unit.problem(attribute, "T2J603", name=code(attribute))
        elif values(attribute.value).kind in (Kind.TENSOR, Kind.MODULE) and is_stored(unit, attribute):
            _stored_attribute(unit, attribute)
        elif values(attribute.value).kind is Kind.TENSOR or _asks_device_of_state(unit, attribute):
            _tensor_attribute(unit, attribute)
        elif _may_be_gradient(unit, attribute):
            unit.problem(attribute, "T2J503", name=code(attribute.value))
        elif attribute.attr.value in ("type", "index") and _is_device(unit, attribute.value):
            _device_attribute(unit, attribute)
        elif (values(attribute.value).kind is Kind.MODULE and attribute.attr.value in _TABLES) or (
            attribute.attr.value in _OF_LAYERS and _is_layer_field(unit, attribute)
        ):
            unit.problem(attribute, "T2J603", name=code(attribute))
        elif values(attribute.value).kind is Kind.MODULE and attribute.attr.value == "training":
            _training_flag(unit, attribute)
        elif _may_be_of_layer(unit, attribute):
            unit.problem(attribute, "T2J603", name=code(attribute))
        elif _is_lacking(unit, attribute):
            _lacking_field(unit, attribute)
        elif attribute.attr.value == "data" and _may_be_storage(unit, attribute):
            _open_data(unit, attribute)
        elif values(attribute.value).kind is Kind.OPTIMIZER:
            if not isinstance(index.parents.get(attribute), cst.Call):
                unit.problem(attribute, "T2J203", name=attribute.attr.value, owner="an optimizer")
    _sequences(unit)
    for node in index.every(cst.Subscript):
        _index(unit, node)
    for name in index.names:
        if name in unit.settled or name in unit.edits.nodes or values(name).kind is not Kind.TORCH:
            continue
        if _is_import(unit, name) or _is_store(unit, name) or is_stored(unit, name):
            unit.settled.add(name)
        elif values.torch_name(name) is None:
            if name.value in bound and not any(item in unit.settled for item in index.ancestors(name)):
                unit.problem(name, "T2J200", name=name.value)  # several things of torch, and which one is not known
        elif name.value not in bound:
            unit.settled.add(name)  # a variable that holds something of torch: decided where it was given its value
        elif not _is_inner(unit, name):
            _torch_reference(unit, name)


def _is_called(unit: Unit, node: cst.CSTNode) -> bool:
    parent = unit.facts.program.index.parents.get(node)
    return isinstance(parent, cst.Call) and parent.func is node


def _is_device(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether something is a device: `x.device` is one even where nothing is known of `x`, if it is asked for its type."""
    kind = unit.facts.values(node).kind
    named = isinstance(node, cst.Attribute) and node.attr.value == "device"
    return kind is Kind.DEVICE or (kind is Kind.UNKNOWN and named)


_PLATFORMS = {"cuda": "gpu", "xla": "tpu"}  # others have the same names, or are no platforms of JAX


def _device_attribute(unit: Unit, attribute: cst.Attribute) -> None:
    """`x.device.type == "cuda"` -> `x.device.platform == "gpu"`: some of JAX's platforms have other names.

    Where `x` may be traced, and so be in no place, it is the platform that JAX computes on.
    """
    parents = unit.facts.program.index.parents
    if any(item in unit.settled for item in unit.facts.program.index.ancestors(attribute)):
        return
    parent = parents[parents[attribute]] if isinstance(parents[attribute], cst.ComparisonTarget) else parents[attribute]
    sides = (
        [parent.left, *(item.comparator for item in parent.comparisons)] if isinstance(parent, cst.Comparison) else []
    )
    names = [name for side in sides for name in _strings(side)]
    owner = attribute.value
    is_nowhere = isinstance(owner, cst.Attribute) and owner.attr.value == "device" and _may_be_traced(unit, owner)
    if attribute.attr.value != "type":
        unit.problem(attribute, "T2J200", name=f"torch.device.{attribute.attr.value}")
        return
    if len(sides) != 2 or not (names or all(_is_type(unit, side) for side in sides)):
        place = (
            (lambda rewrite: quote("jax.devices()[0]")) if is_nowhere else (lambda rewrite: rewrite.expression(owner))
        )
        unit.edits.replace(attribute, lambda rewrite: unit.quote("type_of_device({device})", device=place(rewrite)))
        return
    if is_nowhere:
        unit.edits.replace(attribute, lambda rewrite: unit.quote("jax.default_backend()"))
    else:
        unit.edits.replace(
            attribute,
            lambda rewrite: attribute.with_changes(value=rewrite.expression(owner), attr=cst.Name("platform")),
        )
    for name in names:
        if name.raw_value in _PLATFORMS:
            unit.edits.replace(name, always(cst.SimpleString(f"{name.quote}{_PLATFORMS[name.raw_value]}{name.quote}")))


def _is_type(unit: Unit, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "type" and _is_device(unit, node.value)


def _strings(node: cst.BaseExpression) -> list[cst.SimpleString]:
    """A string, or those of a display that holds nothing else."""
    if isinstance(node, cst.SimpleString):
        return [node]
    elements = node.elements if isinstance(node, (cst.Tuple, cst.List, cst.Set)) else ()
    found = [item.value for item in elements if isinstance(item.value, cst.SimpleString)]
    return found if len(found) == len(elements) else []


def _may_be_of_layer(unit: Unit, attribute: cst.Attribute) -> bool:
    """Whether `x.running_mean` may be that of a layer, where nothing is known of `x`: not if the program has such fields."""
    if attribute.attr.value not in LAYER_FIELDS or unit.facts.values(attribute.value).kind is not Kind.UNKNOWN:
        return False
    same = (other for other in unit.facts.program.index.attributes if other.attr.value == attribute.attr.value)
    return not any(dotted(other.value) == "self" and is_stored(unit, other) for other in same)


def _may_be_storage(unit: Unit, attribute: cst.Attribute) -> bool:
    """Whether `x.data` may be that of a tensor: of `x` nothing is known, and nothing is asked that tensors do not have."""
    values, owner = unit.facts.values, attribute.value
    is_held = isinstance(owner, cst.Attribute)  # `module.weight.data`, `self.last.data.cpu()`
    if (
        not (is_held or isinstance(owner, (cst.Name, cst.Call, cst.Subscript)))
        or values(owner).kind is not Kind.UNKNOWN
    ):
        return False
    index = unit.facts.program.index
    if isinstance(owner, cst.Attribute) and owner.attr.value not in ("weight", "bias"):
        if not _is_asked_as_tensor(unit, attribute):
            return False
    function = index.function_of(attribute)
    if function is None and not _is_asked_as_tensor(unit, attribute):
        return False
    if not isinstance(owner, cst.Name):  # `x.cpu().data`, `model(x).data`, `batch[0].data`
        holders = [attribute, index.parents[attribute]]  # `x[0].data = y`, `x[0].data[1] = y`
        return not any(is_stored(unit, node) for node in holders)
    for other in index.attributes:
        if other.attr.value == "data" and is_stored(unit, other):
            return False  # a field of the program's own
        if dotted(other.value) in (owner.value, f"{owner.value}.data") and index.function_of(other) is function:
            if not _is_of_tensors(unit, other.attr.value):
                return False
    return True


def _is_asked_as_tensor(unit: Unit, attribute: cst.Attribute) -> bool:
    """Whether a method of tensors is called of `x.data` or its parts: `x.data[0].numpy()`; data sets, too, have such a field."""
    parents = unit.facts.program.index.parents
    node: cst.CSTNode = parents[attribute]
    while isinstance(node, cst.Subscript):
        node = parents[node]
    if not isinstance(node, cst.Attribute):
        return False
    return node.attr.value in ("cpu", "cuda", "numpy") or unit.facts.tables.method(node.attr.value) is not None


def _open_data(unit: Unit, attribute: cst.Attribute) -> None:
    """`x.data` where it is read, of what may be a tensor or something else that has such a field."""
    if is_stored(unit, attribute):
        unit.problem(attribute, "T2J204", name="data", receiver=code(attribute.value))
        return
    unit.edits.replace(attribute, lambda rewrite: unit.quote("data_of({x})", x=as_expression(rewrite(attribute.value))))


def _is_of_tensors(unit: Unit, name: str) -> bool:
    tables = unit.facts.tables
    return name in _ATTRIBUTES or any(tables.method(text) is not None for text in (name, name.removesuffix("_")))


_ATTRIBUTES = {"data", "grad", "shape", "dtype", "device", "ndim", "T", "mT", "requires_grad", "is_cuda"} | set(
    "backward cpu cuda requires_grad_ resize_ resize_as_ to type xpu".split()
)  # beside those that have rows


def _dtype_attribute(unit: Unit, attribute: cst.Attribute) -> bool:
    """Decide `x.dtype.is_floating_point` and its like; False for everything else."""
    template, base = DTYPE_ATTRIBUTES.get(attribute.attr.value), attribute.value
    if template is None or isinstance(unit.facts.program.index.parents.get(attribute), cst.Call):
        return False
    if unit.facts.values.torch_name(attribute) is not None:
        return False
    if not is_dtype(unit.facts.values(base)) and not (isinstance(base, cst.Attribute) and base.attr.value == "dtype"):
        return False
    unit.edits.replace(attribute, lambda rewrite: quote(template, x=rewrite.expression(base)))
    return True


def _bound_to_torch(unit: Unit) -> frozenset[str]:
    """The names that stand for torch and will be gone; lines that only give its modules other names go here."""
    program, values, tables = unit.facts.program, unit.facts.values, unit.facts.tables
    for node in second_names(program, values, tables):
        if node not in unit.settled:
            unit.settle(node)
            unit.edits.remove(program.index.parents[node])
    return names_of_torch(program, values, tables)


def is_stored(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an expression is a place that is given a value (or deleted), parameters included."""
    parent = unit.facts.program.index.parents.get(node)
    return parent.name is node if type(parent) is cst.Param else is_target(unit.facts.program, node)


def _stored_attribute(unit: Unit, node: cst.Attribute) -> None:
    """Attributes of tensors and the mode of modules cannot be assigned to."""
    name = node.attr.value
    if unit.facts.values(node.value).kind is Kind.MODULE:
        if name == "training":
            unit.problem(node, "T2J603", name=code(node))
        elif name in LAYER_FIELDS and _is_of_objects(unit) and _is_layer_field(unit, node):
            filled = "{layer}.{name}[...]".replace("{name}", name)  # the variable that the layer keeps it in
            unit.edits.replace(node, lambda rewrite: quote(filled, layer=rewrite.expression(node.value)))
    elif name == "grad":
        unit.problem(node, "T2J503", name=code(node.value))
    elif name == "requires_grad":
        unit.problem(node, "T2J502", name=code(node.value))
    elif unit.facts.tables.method(name) is not None and not isinstance(
        unit.facts.program.index.parents[node], cst.AugAssign
    ):
        unit.problem(node, "T2J203", name=name)


def _is_of_objects(unit: Unit) -> bool:
    """Whether layers are objects that keep statistics in variables of their own."""
    target = unit.facts.target
    return not target.immutable and target.setup is None


def _is_forward_of_unknown_base(unit: Unit, node: cst.Attribute) -> bool:
    """Whether `super().forward` of a module is that of a class which only its subclasses put behind it."""
    if node.attr.value != "forward" or not is_super(node.value):
        return False
    function, call = unit.facts.program.function_around(node), unit.facts.program.index.parents.get(node)
    in_module = function is not None and function.owner is not None and function.owner.is_module
    if isinstance(call, cst.Call) and call.func is node:
        return in_module and not unit.facts.values.callees.get(call, ())
    return in_module and unit.facts.values(node.value).kind is not Kind.MODULE


def _is_forward_as_value(unit: Unit, node: cst.Attribute) -> bool:
    """Whether `model.forward` is handed on, and not called here."""
    stored = is_stored(unit, node) or _is_called(unit, node)
    return unit.facts.values(node.value).kind is Kind.MODULE and not stored and node not in unit.edits.nodes


def _forward_as_value(unit: Unit, node: cst.Attribute) -> None:
    """`map(model.forward, batches)` is `map(model, batches)`, where that needs no key and no state."""
    effects, owner = unit.facts.effects, unit.facts.values(node.value)
    forwards = [item.method("forward") for item in effects.classes_of(owner)]
    if effects.is_stateful(owner) or any(item is None or effects.of(item).draw is not Draw.NONE for item in forwards):
        unit.problem(node, "T2J603", name=code(node))
    elif is_super(node.value):
        unit.edits.replace(node, lambda rewrite: quote("super().__call__"))
    else:
        unit.edits.replace(node, lambda rewrite: rewrite(node.value))


def _is_layer_field(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a field of one of the library's layers is meant, not a method that is called."""
    value, parent = unit.facts.values(node.value), unit.facts.program.index.parents.get(node)
    called = isinstance(parent, cst.Call) and parent.func is node
    return not called and value.kind is Kind.MODULE and any(name in unit.facts.tables.layers for name in value.types)


def _is_lacking(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a layer of the library does not have the field that is read, or not in torch's form."""
    is_module = unit.facts.values(node.value).kind is Kind.MODULE
    return is_module and any(form != f"{{layer}}.{node.attr.value}" for form in _forms_of_field(unit, node))


def _forms_of_field(unit: Unit, node: cst.Attribute) -> set[str | None]:
    """How a field is read of the layers of torch that may be meant."""
    layers, types = unit.facts.tables.layers, unit.facts.values(node.value).types
    return {unit.facts.target.field_of_layer(layers[name], node.attr.value) for name in types if name in layers}


def _lacking_field(unit: Unit, node: cst.Attribute) -> None:
    """`norm.normalized_shape` is `norm.shape`."""
    types, forms = unit.facts.values(node.value).types, _forms_of_field(unit, node)
    form = forms.pop()
    if form is None or forms or not types <= unit.facts.tables.layers.keys():
        unit.problem(node, "T2J603", name=code(node))
        return
    spelled, held = unit.spell(form), node.value
    unit.edits.replace(node, lambda rewrite: quote(spelled, layer=rewrite.expression(held)))


def _layers(template: str, node: cst.CSTNode, rewrite: Rewriter) -> cst.BaseExpression:
    return quote(template, layers=as_expression(rewrite.inside(node)))


def _sequences(unit: Unit) -> None:
    """Sequences of layers that are indexed, counted or run through."""
    template, index, values = unit.facts.target.sequential_members, unit.facts.program.index, unit.facts.values
    if template == "{layers}":
        return
    for parent in index.parents:
        node: cst.CSTNode | None = None
        match parent:
            case (
                cst.Subscript(value=node) | cst.For(iter=node) | cst.CompFor(iter=node) | cst.StarredElement(value=node)
            ):
                pass
            case cst.Arg(value=node):
                call = index.parents[parent]
                if not parent.star and not (isinstance(call, cst.Call) and code(call.func) in _COUNTERS):
                    continue
        if node is None or values(node).types != {"torch.nn.Sequential"}:
            continue
        if (
            node in unit.edits.nodes
            or "slice" in code(parent)
            or (isinstance(parent, cst.Subscript) and ":" in code(parent))
        ):
            unit.problem(node, "T2J603", name=code(parent))
        else:
            unit.edits.replace(node, partial(_layers, template, node))


_LISTING = frozenset({"tolist", "load", "loads"})
_NUMBERS = frozenset({"item", "int", "len", "round", "next"})


def _index(unit: Unit, node: cst.Subscript) -> None:
    """Index forms that mean something else in JAX: a bare list; ints and a tensor with a slice between them."""
    values = unit.facts.values
    kind = values(node.value).kind
    if kind not in (Kind.TENSOR, Kind.UNKNOWN):
        return
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        listed = node.slice[0].slice.value
        plain = kind is Kind.TENSOR or (
            isinstance(listed, cst.List) and _holds_ints(listed) and not is_stored(unit, node)
        )
        template = _array_of_list(unit, kind, listed)
        if isinstance(listed, cst.List) and plain and listed not in unit.edits.nodes:
            made = template or "jnp.array({x})"
            unit.edits.replace(listed, lambda rewrite: quote(made, x=as_expression(rewrite.inside(listed))))
        elif not isinstance(listed, cst.List) and template is not None and not _is_range(unit, listed):
            index = node.slice[0].slice
            unit.edits.replace(index, lambda rewrite: cst.Index(quote(template, x=as_expression(rewrite(listed)))))
        elif kind is Kind.TENSOR and _may_be_list(unit, listed):
            index = node.slice[0].slice
            unit.edits.replace(
                index, lambda rewrite: cst.Index(unit.quote("as_index({x})", x=rewrite.expression(listed)))
            )
    for element in node.slice:
        if kind is Kind.TENSOR and isinstance(element.slice, cst.Index):
            if _is_range(unit, element.slice.value):
                _range_as_index(unit, element.slice)
            elif len(node.slice) > 1 and _may_name_range(unit, element.slice.value):
                unit.edits.replace(element.slice, partial(_as_array, element.slice))
    kinds = [_index_kind(unit, element.slice) for element in node.slice]
    surely = kind is Kind.TENSOR and "unknown" not in kinds
    if not _places_differ(["tensor" if item == "unknown" else item for item in kinds]):
        return
    if (
        not is_stored(unit, node)
        and node not in unit.edits.nodes
        and (rest := _ints_first(unit, node, kinds)) is not None
    ):
        last = max(number for number, item in enumerate(kinds) if item == "int")
        unit.edits.replace(node, lambda rewrite: _indexed_twice(node, kinds, last, rest, rewrite))
    elif surely or (kind is Kind.TENSOR and is_stored(unit, node)):
        unit.problem(node, "T2J201", name="x[...]", argument="an int and a tensor with a slice between them")


def _is_range(unit: Unit, node: cst.BaseExpression) -> bool:
    is_call = isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "range"
    return is_call and unit.facts.values(node).kind is Kind.LIST


def _may_name_range(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a variable may be a range, which is no index in JAX."""
    if not isinstance(node, cst.Name) or unit.facts.values(node).kind is not Kind.LIST:
        return False
    bound = unit.facts.program.definitions.of(node)
    return any(item.value is not None and _is_range(unit, item.value) for item in bound)


def _as_array(index: cst.Index, rewrite: Rewriter) -> cst.Index:
    return cst.Index(quote("jnp.array({x}, int)", x=as_expression(rewrite(index.value))))


def _range_as_index(unit: Unit, index: cst.Index) -> None:
    """`x[range(n), y]`: JAX takes arrays only."""
    call = cst.ensure_type(index.value, cst.Call)
    unit.edits.replace(
        index,
        lambda rewrite: cst.Index(with_fields(cst.ensure_type(rewrite(call), cst.Call), func=quote("jnp.arange"))),
    )


def _may_be_list(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether an index of which nothing is known may be a list when the program runs."""
    value = unit.facts.values(node)
    if value.kind is Kind.PYTHON:
        definitions = unit.facts.program.definitions
        made = [item.value for item in definitions.of(node)] if isinstance(node, cst.Name) else [node]
        return any(item is not None and _calls_method(item, _LISTING) for item in made)
    is_given = isinstance(node, (cst.Name, cst.Attribute, cst.Subscript, cst.Call)) and not _calls_method(
        node, _NUMBERS
    )
    if value.kind is not Kind.UNKNOWN or value.optional or not is_given:
        return False
    function, name = unit.facts.program.function_around(node), _name_gone_through(unit, node)
    while function is not None and name not in function.parameter_names:
        function = function.outer
    return function is None or bool(function.callers)


def _name_gone_through(unit: Unit, node: cst.BaseExpression) -> str | None:
    """The variable that an index is, or of whose parts it is one: `for i in positions`."""
    if not isinstance(node, cst.Name):
        return None
    definition = unit.facts.program.definitions.only(node)
    loop = unit.facts.program.index.parents.get(definition.node) if definition is not None else None
    goes_through = loop.iter if isinstance(loop, (cst.For, cst.CompFor)) else None
    return goes_through.value if isinstance(goes_through, cst.Name) else node.value


def _calls_method(node: cst.CSTNode, names: frozenset[str]) -> bool:
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(name)) | cst.Name(name)):
            return name in names
    return False


def _array_of_list(unit: Unit, kind: Kind, listed: cst.BaseExpression) -> str | None:
    """What a list that is an index becomes, which JAX refuses; None where the index is none, or what is indexed no array.

    torch takes a list for a tuple as soon as there is a tensor, a list or a slice in it.
    """
    value = unit.facts.values(listed)
    if value.kind is not Kind.LIST:
        return None
    elements = value.items or [value.element()]
    if any(item.kind is Kind.INT for item in elements) and all(item.kind in (Kind.INT, Kind.BOOL) for item in elements):
        return "jnp.array({x})" if value.items else "jnp.array({x}, dtype=int)"  # it may be empty
    if kind is not Kind.TENSOR:
        return None
    if any(item.kind in (Kind.TENSOR, Kind.LIST, Kind.TUPLE, Kind.NONE) for item in elements):
        return "tuple({x})"
    return "np.array({x}, dtype=bool)" if all(item.kind is Kind.BOOL for item in elements) else "jnp.array({x})"


def _holds_ints(node: cst.List) -> bool:
    return bool(node.elements) and all(isinstance(element.value, cst.Integer) for element in node.elements)


def _ints_first(unit: Unit, node: cst.Subscript, kinds: list[str]) -> list[cst.SubscriptElement] | None:
    """What is left of an index after its ints, which torch applies first; None if what stands before one of them may take
    another number of axes than one (a mask, `None`, `...`).
    """
    last = max(number for number, item in enumerate(kinds) if item == "int")
    for element, item in zip(node.slice[:last], kinds, strict=False):
        assert isinstance(element.slice, (cst.Index, cst.Slice))
        if item == "unknown" or (item == "slice" and isinstance(element.slice, cst.Index)):
            return None
        if item == "tensor" and isinstance(element.slice, cst.Index):
            if unit.facts.values(element.slice.value).dtype in (None, "bool"):
                return None
    return [element for element, item in zip(node.slice, kinds, strict=True) if item != "int"]


def _indexed_twice(
    node: cst.Subscript,
    kinds: list[str],
    last: int,
    rest: list[cst.SubscriptElement],
    rewrite: Callable[[cst.CSTNode], cst.CSTNode],
) -> cst.BaseExpression:
    """`x[0, :, i]` -> `x[0][:, i]`."""
    whole = cst.SubscriptElement(cst.Slice(lower=None, upper=None))
    first = [element if item == "int" else whole for element, item in zip(node.slice[: last + 1], kinds, strict=False)]
    value = as_expression(rewrite(node.value))
    taken = cst.Subscript(value, _in_line([rewrite(element) if element is not whole else whole for element in first]))
    return cst.Subscript(taken, _in_line([rewrite(element) for element in rest]))


def _in_line(elements: list[cst.CSTNode]) -> list[cst.SubscriptElement]:
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    parts = [element for element in elements if isinstance(element, cst.SubscriptElement)]
    ends = [comma] * (len(parts) - 1) + [cst.MaybeSentinel.DEFAULT]
    return [part.with_changes(comma=end) for part, end in zip(parts, ends, strict=True)]


def _index_kind(unit: Unit, node: cst.BaseSlice) -> str:
    if isinstance(node, cst.Slice):
        return "slice"
    assert isinstance(node, cst.Index)
    value = unit.facts.values(node.value)
    if value.kind is Kind.INT or value.kind is Kind.BOOL:
        return "int"
    if value.kind in (Kind.NONE, Kind.PYTHON):
        return "slice"
    if value.kind in (Kind.TENSOR, Kind.LIST):
        return "int" if value.kind is Kind.TENSOR and value.rank == 0 else "tensor"
    return "unknown"


def _places_differ(kinds: list[str]) -> bool:
    """Whether torch, which applies ints first, and NumPy, for which they are index arrays and which puts their common axis
    to the front where a slice stands between them, disagree about the place of the indexed axis."""
    if "tensor" not in kinds or "int" not in kinds:
        return False
    without_ints = [kind for kind in kinds if kind != "int"]
    if _is_split(without_ints, ("tensor",)) or not _is_split(kinds, ("tensor", "int")):
        return False
    return without_ints[0] != "tensor"


def _is_split(kinds: list[str], advanced: tuple[str, ...]) -> bool:
    places = [number for number, kind in enumerate(kinds) if kind in advanced]
    return places[-1] - places[0] + 1 != len(places)


def _is_inner(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a torch name is the beginning of a longer one."""
    parent = unit.facts.program.index.parents.get(node)
    return isinstance(parent, cst.Attribute) and unit.facts.values.torch_name(parent) is not None


def _is_import(unit: Unit, node: cst.CSTNode) -> bool:
    return any(isinstance(item, (cst.Import, cst.ImportFrom)) for item in unit.facts.program.index.ancestors(node))


def _is_store(unit: Unit, node: cst.CSTNode) -> bool:
    return isinstance(
        unit.facts.program.index.parents.get(node), (cst.AssignTarget, cst.Param, cst.Arg)
    ) and not _is_value(unit, node)


def _is_value(unit: Unit, node: cst.CSTNode) -> bool:
    parent = unit.facts.program.index.parents.get(node)
    if isinstance(parent, cst.Arg):
        return parent.value is node
    if isinstance(parent, cst.Param):
        return parent.default is node
    return False


def _torch_reference(unit: Unit, node: cst.BaseExpression) -> None:
    name = unit.facts.values.torch_name(node)
    assert name is not None
    tested = unit.facts.target.tested_types.get(name) if _is_asked_for(unit, node) else None
    text = tested or _dtype_text(unit, node, name) or type_text(unit, name)
    spec = unit.facts.tables.layers.get(name)
    column = unit.facts.target.column(spec) if spec is not None else None
    if spec is not None and column is not None and (text is not None or column.call == "function"):
        text = _class_text(unit, node, text, spec)
        if text is None:
            unit.problem(node, "T2J205", name=name)
            return
    if text is None:
        text = function_text(unit, node, name)
    if text is None:
        known = name in unit.facts.tables.functions or name in unit.facts.tables.layers
        unit.problem(node, "T2J205" if known else "T2J200", name=name)
        return
    unit.settle(node)
    spelled = unit.spell(text)
    parent = unit.facts.program.index.parents[node]
    field = "value" if isinstance(parent, cst.Attribute) else "func" if isinstance(parent, cst.Call) else "left"
    unit.edits.replace(node, lambda rewrite: fit(quote(spelled), parent, field))


def _dtype_text(unit: Unit, node: cst.BaseExpression, name: str) -> str | None:
    """A class such as `torch.FloatTensor` where it says what dtype to use, and no test or annotation does."""
    dtype = class_dtype(name)
    if dtype is None:
        return None
    parents = unit.facts.program.index.parents
    for ancestor in unit.facts.program.index.ancestors(node):
        if isinstance(ancestor, (cst.Annotation, cst.Comparison)):
            return None
        if isinstance(ancestor, cst.Call):
            if dotted(ancestor.func) == "map":  # which calls it
                return f"lambda data: jnp.array(data, dtype={DTYPE_TEXTS[dtype]})"
            return None if dotted(ancestor.func) in ("isinstance", "issubclass") else DTYPE_TEXTS[dtype]
        if isinstance(parents.get(ancestor), cst.SimpleStatementLine):
            return DTYPE_TEXTS[dtype]
    return DTYPE_TEXTS[dtype]


def _class_text(unit: Unit, node: cst.BaseExpression, text: str | None, spec: LayerSpec) -> str | None:
    """The class of a layer where it is one to be tested for or to be called; all functions are layers of one class, or none."""
    parents = unit.facts.program.index.parents
    is_function = text is None or text == unit.facts.target.function_layer.split("(")[0]
    child, parent = node, parents.get(node)
    while isinstance(parent, (cst.Element, cst.Tuple, cst.List, cst.Set)):
        child, parent = parent, parents[parent]  # type: ignore[assignment]
    if is_held_to_test(unit, child, parent):
        return None if is_function else text
    if isinstance(parent, cst.Arg) and isinstance(call := parents[parent], cst.Call):
        if dotted(call.func) in ("isinstance", "issubclass"):
            return None if is_function else text
        if dotted(call.func) in ("partial", "functools.partial") and call.args[0] is parent:
            keywords = list(call.args[1:])
            named = all(item.keyword is not None for item in keywords)
            required = [item for item in parse_signature(spec.signature).parameters if item.default is None]
            if not named:
                return None
            told = {item.keyword.value for item in keywords if item.keyword is not None}
            free = [item.name for item in required if not item.variadic and item.name not in told]
            given = [cst.Arg(cst.Name(name)) for name in free]
            is_same = takes_same_arguments(unit.facts.target, spec, [*given, *keywords])
            factory = layer_factory(unit.facts.target, spec) if is_same else None
            if factory is not None and factory.startswith("lambda"):
                return factory
            return text if is_same or _respell_partial(unit, spec, given, keywords) else None
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget, cst.MatchClass)):
        return None if is_function else text
    is_value = (
        isinstance(
            parent, (cst.Arg, cst.Param, cst.Assign, cst.BooleanOperation, cst.IfExp, cst.DictElement, cst.Return)
        )
        or child is not node
    )
    return layer_factory(unit.facts.target, spec) if is_value else text


def _respell_partial(unit: Unit, spec: LayerSpec, required: list[cst.Arg], keywords: list[cst.Arg]) -> bool:
    """Give the arguments of `partial(nn.Linear, bias=False)` the names that the layer's translation has for them."""
    names = [code(item.value) for item in required]
    idle = _idle_keywords(unit, spec, required, keywords)
    keywords = [item for item in keywords if item not in idle]
    if any(isinstance(node, cst.Name) and node.value in names for item in keywords for node in descendants(item.value)):
        return False
    made = _made_with(unit, spec, [*required, *keywords])
    if made is None:
        return False
    plain = [code(item.value) for item in made.args if item.keyword is None]
    named = [item for item in made.args if item.keyword is not None and item.keyword.value != unit.facts.target.key]
    by_value = {code(item.value): item.keyword for item in named}
    if (
        plain != names
        or not len(by_value) == len(named) == len(keywords)
        or {code(item.value) for item in keywords} != set(by_value)
    ):
        return False
    for item in keywords:
        unit.edits.replace(item, partial(_renamed, item, by_value[code(item.value)]))
    for item in idle:
        unit.edits.drop(item)
    return True


def _idle_keywords(unit: Unit, spec: LayerSpec, required: list[cst.Arg], keywords: list[cst.Arg]) -> list[cst.Arg]:
    """Constants without which a layer's translation is made as it is with them."""
    kept = list(keywords)
    for item in keywords:
        rest = [each for each in kept if each is not item]
        before, after = (_made_with(unit, spec, [*required, *some]) for some in (kept, rest))
        is_constant = unit.facts.values(item.value).const is not NOTHING
        if is_constant and before is not None and after is not None and code(before) == code(after):
            kept = rest
    return [item for item in keywords if item not in kept]


def _made_with(unit: Unit, spec: LayerSpec, given: list[cst.Arg]) -> cst.Call | None:
    return made_layer(unit.facts.target, spec, given, unit.facts.values)


def _renamed(argument: cst.Arg, keyword: cst.Name | None, rewrite: Rewriter) -> cst.Arg:
    return with_fields(argument, value=rewrite.expression(argument.value), keyword=keyword)


def _is_asked_for(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether `isinstance` asks for a class, alone or among others."""
    parents = unit.facts.program.index.parents
    above = parents[node]
    while isinstance(above, (cst.Element, cst.Tuple)):
        above = parents[above]
    call = parents.get(above) if isinstance(above, cst.Arg) else None
    return isinstance(call, cst.Call) and dotted(call.func) == "isinstance"


def type_text(unit: Unit, name: str) -> str | None:
    target = unit.facts.target
    if name in TYPES:
        return TYPES[name]
    if name == "torch.nn.Module":
        return target.module_base
    if name == "torch.optim.Optimizer":
        return target.optimizer_type
    if name in CONTAINERS:
        return {"torch.nn.Sequential": target.sequential_type, "torch.nn.ModuleList": target.module_list_type}.get(
            name, target.module_dict_type
        )
    spec = unit.facts.tables.layers.get(name)
    if spec is not None:
        column = target.column(spec)
        return column.type if column is not None and column.call != "function" else None
    return None


def _may_be_traced(unit: Unit, attribute: cst.Attribute) -> bool:
    """Whether the tensor of `x.device` may be in no place: what a function or a module is given may be traced."""
    function = unit.facts.program.function_around(attribute)
    names = names_in(attribute.value)
    while function is not None:
        if not names.isdisjoint(function.parameter_names) or (function.owner is not None and function.owner.is_module):
            return True
        function = function.outer
    return False


def _may_be_gradient(unit: Unit, node: cst.Attribute) -> bool:
    """Whether `p.grad` may be the gradient of a tensor: nothing is known of `p`, and no object of the program has such a field."""
    index, program = unit.facts.program.index, unit.facts.program
    parent = index.parents.get(node)
    is_called = isinstance(parent, cst.Call) and parent.func is node
    if node.attr.value != "grad" or is_called or unit.facts.values(node.value).kind is not Kind.UNKNOWN:
        return False
    classes = program.class_by_key.values()
    return not any("grad" in item.fields or item.method("grad") is not None for item in classes)


def _asks_device_of_state(unit: Unit, node: cst.Attribute) -> bool:
    """Whether `self.mask.device` is that of a field that changes, of which no more is known."""
    state = unit.facts.effects.module_state
    return node.attr.value == "device" and (node.value in state.reads or node.value in state.writes)


def _tensor_attribute(unit: Unit, node: cst.Attribute) -> None:
    index = unit.facts.program.index
    parent = index.parents.get(node)
    if isinstance(parent, cst.Call) and parent.func is node:
        return
    name = node.attr.value
    if name == "grad":
        unit.problem(node, "T2J503", name=code(node.value))
        return
    if name in ("is_sparse", "layout") and any(
        file.mentions(word) for file in unit.facts.program.files for word in _MAKE_SPARSE
    ):
        unit.problem(node, "T2J200", name=f"Tensor.{name}")
        return
    if name == "device" and _may_be_traced(unit, node):
        if not isinstance(parent, cst.Attribute):
            unit.edits.replace(node, lambda rewrite: unit.quote("device_of({x})", x=as_expression(rewrite(node.value))))
        return
    if name in KEPT_ATTRIBUTES:
        if name != "T" or unit.facts.values(node.value).rank in (0, 1, 2):
            return
    if name == "requires_grad" and not isinstance(parent, cst.AssignTarget) and rewrite_flag(unit, node):
        return
    if name == "grad_fn" and (shown := _shown(unit, node)) is not None:
        unit.problem(node, "T2J210", name=code(shown))
        unit.edits.replace(shown, lambda rewrite: cst.Name("None"))
        return
    spec = unit.facts.tables.method(name)
    if spec is None or spec.unsupported is not None or spec.signature != "input":
        if isinstance(parent, cst.AssignTarget) and name == "requires_grad":
            unit.problem(node, "T2J502", name=code(node.value))
        elif spec is not None or name in _OF_GRAPHS:
            unit.problem(node, "T2J203", name=name)
        return
    bound = BoundArguments({"input": node.value}, True)
    facts = ArgumentFacts(parse_signature(spec.signature), bound, unit.facts.values)
    lowered = lower(spec.alternatives, facts)
    if not isinstance(lowered, Lowered):
        unit.problem(node, "T2J203", name=name)
        return
    spelled = Lowered(unit.spell(lowered.template), lowered.arguments, lowered.defaults, lowered.tuples)
    unit.edits.replace(node, lambda rewrite: spelled.build(rewrite))


def _shown(unit: Unit, node: cst.Attribute) -> cst.BaseExpression | None:
    """The whole of `y.grad_fn.next_functions[0][0]`, where it is only printed."""
    parents = unit.facts.program.index.parents
    whole: cst.CSTNode = node
    while True:
        match parent := parents.get(whole):
            case cst.Attribute(value=base) | cst.Subscript(value=base) if base is whole:
                whole = parent
            case cst.Call(func=func, args=[]) if func is whole:
                whole = parent
            case _:
                break
    outer = parent
    while isinstance(outer, (cst.FormattedStringExpression, cst.FormattedString)):
        outer = parents.get(outer)
    call = parents.get(outer) if isinstance(outer, cst.Arg) else None
    is_print = isinstance(call, cst.Call) and isinstance(call.func, cst.Name) and call.func.value == "print"
    is_line = is_print and call is not None and isinstance(parents.get(call), cst.Expr)
    return as_expression(whole) if is_line else None


def _object_attribute(unit: Unit, node: cst.Attribute) -> None:
    """A field or property of something that torch made, by the rows of its class; fields cannot be assigned to."""
    parent = unit.facts.program.index.parents.get(node)
    if isinstance(parent, cst.Call) and parent.func is node:
        return
    name, base = node.attr.value, unit.facts.values(node.value)
    spec = unit.facts.tables.method_of(base.types, name)
    signature = parse_signature(spec.signature) if spec is not None and spec.unsupported is None else None
    if spec is None or signature is None or len(signature.parameters) != 1 or spec.effects or is_stored(unit, node):
        owner = min(base.types, default="this object").split(".")[-1]
        named = spec.name if spec is not None and spec.unsupported is not None else name
        unit.problem(node, "T2J203", name=named, owner=owner)
        return
    facts = ArgumentFacts(signature, BoundArguments({signature.parameters[0].name: node.value}), unit.facts.values)
    lowered = lower(spec.alternatives, facts)
    if isinstance(lowered, Lowered):
        spelled = Lowered(unit.spell(lowered.template), lowered.arguments, lowered.defaults, lowered.tuples)
        unit.edits.replace(node, lambda rewrite: spelled.build(rewrite))
    else:
        unit.problem(node, "T2J203", name=name, owner=min(base.types, default="this object"))


def _kept_object(unit: Unit, node: cst.Attribute) -> cst.BaseExpression | None:
    """The object that torch made elsewhere and that becomes a field of a module which has to mark it."""
    target = unit.facts.program.index.parents.get(node)
    line = unit.facts.program.index.parents.get(target) if isinstance(target, cst.AssignTarget) else None
    if not isinstance(line, cst.Assign) or unit.facts.target.kept_object == "{value}":
        return None
    is_made = isinstance(line.value, cst.Call)  # where it is made, it is marked
    return line.value if unit.facts.values(line.value).kind is Kind.TORCH_OBJECT and not is_made else None


def _mark_object(unit: Unit, value: cst.BaseExpression) -> None:
    """`self.prior = prior` says that what is kept holds arrays."""
    text = unit.spell(unit.facts.target.kept_object)
    unit.edits.replace(value, lambda rewrite: quote(text, value=as_expression(rewrite.inside(value))), override=True)


def _is_own_module(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a place is the `self` of a method: that of a function in a decorator may be of any class."""
    function = unit.facts.program.function_around(node)
    while function is not None and "self" not in function.parameter_names:
        function = function.outer
    return dotted(node) == "self" and (function is None or function.self_name == "self")


def _training_flag(unit: Unit, node: cst.Attribute) -> None:
    parent = unit.facts.program.index.parents[node]
    classes = [unit.facts.program.class_by_key.get(name) for name in unit.facts.values(node.value).types]
    has_flag = bool(classes) and all(item is not None and unit.facts.effects.reads_training(item) for item in classes)
    if not _is_own_module(unit, node.value) and not has_flag:
        target = unit.facts.target
        if not is_stored(unit, node) and (target.modes_of_parts or not _sets_modes_of_parts(unit)):
            template, owner = unit.spell(target.mode_of), node.value
            if _is_only_restored(unit, node) and not target.modes_of_parts:
                template = template.replace("{model}", "{model}, default=True")
            elif not target.modes_of_parts and not unit.facts.effects.has_mode(unit.facts.values(owner)):
                if any(map(unit.facts.program.mentions, ("eval", "train"))):
                    unit.problem(node, "T2J603", name=code(node))  # nothing in such a module keeps the mode
                    return
                template = "True"
            unit.settle(node)
            unit.edits.replace(node, lambda rewrite: quote(template, model=rewrite.expression(owner)))
            return
        unit.problem(node, "T2J603", name=code(node))
        return
    template = unit.spell(unit.facts.target.training_flag)
    if isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not) and template.startswith("not "):
        unit.edits.replace(parent, lambda rewrite: quote(template[4:], self=rewrite.expression(node.value)))
        unit.settle(node)
        return
    field = "left" if isinstance(parent, (cst.Comparison, cst.BooleanOperation)) else "value"
    unit.edits.replace(node, lambda rewrite: fit(quote(template, self=rewrite.expression(node.value)), parent, field))


def _sets_modes_of_parts(unit: Unit) -> bool:
    """Whether a program gives parts of modules modes of their own: one part then does not tell the mode of the whole."""
    applied = {key for call in unit.facts.program.index.calls for key in _applied(unit, call)}
    for call in unit.facts.program.index.calls:
        match call.func:
            case cst.Attribute(value=place, attr=cst.Name("train" | "eval")):
                function = unit.facts.program.function_around(call)
                own = function.self_name if function is not None else None
                is_part = not isinstance(place, cst.Name) and not _is_of_object(unit, place)
                is_element = isinstance(place, cst.Name) and _is_run_through(unit, call, place.value)
                is_applied = function is not None and function.key in applied  # `net.apply(rest)`
                is_part = is_part and not restores_mode(unit.facts.effects, function, dotted(place))
                if is_part or is_element or is_applied or (own is not None and dotted(place) == own):
                    return True
    return False


def _applied(unit: Unit, call: cst.Call) -> frozenset[str]:
    """The functions that a call applies to all parts of a module."""
    match call:
        case cst.Call(func=cst.Attribute(attr=cst.Name("apply")), args=[cst.Arg(value=function)]):
            return unit.facts.values(function).types
    return frozenset()


def _is_of_object(unit: Unit, place: cst.BaseExpression) -> bool:
    """Whether a place is a field of an object that is no module, such as `trainer.model`, or a call that makes the module."""
    if isinstance(place, cst.Call) and isinstance(place.func, cst.Attribute):
        return isinstance(place.func.value, cst.Name) or _is_of_object(unit, place.func.value)
    if isinstance(place, cst.Call):
        return True
    return isinstance(place, cst.Attribute) and unit.facts.values(place.value).kind is Kind.OBJECT


def _is_run_through(unit: Unit, node: cst.CSTNode, name: str) -> bool:
    """Whether a name is the variable of a loop around a node."""
    return any(
        isinstance(item, (cst.For, cst.CompFor)) and name in bound_names(item.target)
        for item in unit.facts.program.index.ancestors(node)
    )


def _is_only_restored(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a mode is kept for nothing but to be set again: `was = model.training` ... `model.train(was)`."""
    parents, function = unit.facts.program.index.parents, unit.facts.program.index.function_of(node)
    assign = parents[node]
    match assign:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))]) if function is not None:
            pass
        case _:
            return False
    reads = [item for item in descendants(function.body) if isinstance(item, cst.Name) and item.value == name]
    others = [item for item in reads if parents[item] not in assign.targets]
    return all(_restores(unit, item) for item in others)


def _restores(unit: Unit, name: cst.Name) -> bool:
    parents = unit.facts.program.index.parents
    match parents[name]:
        case cst.Arg() as argument:
            call = parents[argument]
            return isinstance(call, cst.Call) and _is_training_call(call)
        case cst.If(
            test=test,
            orelse=None,
            body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)])]),
        ):
            return test is name and _is_training_call(call)
    return False


def _is_training_call(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "train"

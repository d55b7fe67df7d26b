"""Fields of modules that change after `__init__`: kept in the state that calls take and give back, or in variables.

self.count = 0                     ->   self.count = eqx.nn.StateIndex(0)
self.count += 1                    ->   state = state.set(self.count, state.get(self.count) + 1)
self.last = attention              ->   state = set_state(state, self.last, attention)
model.count                        ->   state.get(model.count)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.contexts import is_under_no_grad
from torch2jax.facts.field_aliases import find_shown_state, reads_before_changes
from torch2jax.facts.module_state import Form, Made, form_of, holder_of, is_target, module_place
from torch2jax.facts.training import Step
from torch2jax.ops.python import changes_container
from torch2jax.ops.rules import DTYPE_TEXTS
from torch2jax.program.program import Class, Function, dotted
from torch2jax.rewrite.promotion import augmented
from torch2jax.rewrite.threading import companion_place
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.targets.base import FieldSpelling
from torch2jax.values import Kind, Value

OPERATORS = {
    cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*", cst.DivideAssign: "/", cst.PowerAssign: "**",
    cst.FloorDivideAssign: "//", cst.ModuloAssign: "%", cst.MatrixMultiplyAssign: "@", cst.BitAndAssign: "&",
    cst.BitOrAssign: "|", cst.BitXorAssign: "^",
}  # fmt: skip
_REFLECTION = frozenset({"hasattr", "getattr", "setattr", "delattr"})
_ELEMENTWISE = frozenset(
    "abs add sub mul div clamp clip clone contiguous detach lerp maximum minimum max_ relu sigmoid tanh where zeros_like "
    "ones_like full_like empty_like rand_like randn_like neg round floor ceil sqrt square exp pow fmod remainder roll flip "
    "masked_fill logical_or logical_and logical_not logical_xor index_copy index_add index_fill scatter scatter_add "
    "cumsum sort_ triu tril addcmul addcdiv float_power".split()
)


_DRAWING = frozenset(
    {"normal_", "uniform_", "random_", "bernoulli_", "exponential_", "log_normal_", "cauchy_", "geometric_", "zero_"}
)
_LISTING = ("state_dict", "load_state_dict", "buffers", "named_buffers")


def rewrite_module_state(unit: Unit) -> None:
    """Rewrite every place where such a field is made, read or assigned to; what changes parts of it are statements."""
    found = unit.facts.effects.module_state
    for item, made in found.made.items():
        if item.state:
            _definitions(unit, item, made)
    for read, call in reads_before_changes(unit.facts.program, unit.facts.effects):
        _refuse_field(unit, read, f"`{code(call)}` may change it in the same statement, after it was read")
    for problem in find_shown_state(unit.facts.program, unit.facts.effects, unit.facts.flows):
        unit.problem(problem.node, problem.code, **problem.fields)
    _refuse_reflection(unit)
    _refuse_growing(unit)
    _find_loose(unit)
    for node in found.at_init:
        _at_init(unit, node)
    for node in found.reads:
        _read(unit, node)
    claimed: set[cst.CSTNode] = set()
    for node, changed in found.writes.items():
        _write(unit, node, changed, claimed)


def is_state(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an expression is a field that changes after `__init__`, in code that runs then."""
    return node in unit.facts.effects.module_state.writes or node in unit.facts.effects.module_state.reads


def spelling(unit: Unit, node: cst.Attribute) -> FieldSpelling:
    return unit.facts.target.state_fields[form_of(unit.facts.program, unit.facts.values, node)]


def field_type(unit: Unit, item: Class, name: str) -> str | None:
    """The annotation of a field of a class, if it is state."""
    if name not in item.state:
        return None
    text = unit.facts.target.state_fields[item.state[name]].type
    mark = "buffer(persistent=False)" if item.is_registered(name) else "unregistered()"
    return text if item.buffers.get(name) else f"{text} = {unit.spell(mark)}"


# where fields are made


def _definitions(unit: Unit, item: Class, made: Mapping[str, Sequence[Made]]) -> None:
    """The first values of the fields of a class, or the None that they hold until they are given one."""
    together: dict[cst.CSTNode, dict[str, str]] = {}
    for name in item.state:
        template = _template(unit, item, name)
        for node, value in made.get(name, ()):
            if value is None:
                _refuse(unit, node, name, item.name, "it is made together with others")
            elif not isinstance(node, cst.Call):  # a buffer that is registered is a statement
                together.setdefault(node, {})[name] = template
        if not made.get(name):
            _undefined(unit, item, name, template)
    for node, templates in together.items():
        if any(template != "{value}" for template in templates.values()):
            unit.edits.replace(node, partial(_made, unit, node, templates))


def _template(unit: Unit, item: Class, name: str) -> str:
    """What a field of a class is made with: `eqx.nn.StateIndex({value})`."""
    form = item.state[name]
    template = unit.facts.target.state_fields[form].made
    kept = item.field_value(name)
    if form == "array" and not unit.facts.target.immutable and kept is not None and "frozen" in kept.types:
        template = unit.spell(unit.facts.target.frozen_parameter)
    elif form == "array" and not any(part.is_registered(name) for part in item.lineage):
        template = unit.facts.target.unregistered or template
    return unit.facts.target.named(template, "self", name)


def as_made(unit: Unit, place: cst.BaseExpression, value: cst.BaseExpression) -> cst.BaseExpression:
    """What a field is bound to where the module that is being made changes it: `self.mean.zero_()` in `__init__`."""
    if not isinstance(place, cst.Attribute) or not unit.facts.target.immutable:
        return value
    holder = holder_of(unit.facts.program, unit.facts.values, place)
    if holder is None or place not in unit.facts.effects.module_state.at_init:
        return value
    return quote(_template(unit, holder, place.attr.value), value=value)


def with_own_dtype(value: cst.BaseExpression, made: Value) -> cst.BaseExpression:
    """An array that is kept: one whose type others may decide could not be exchanged for one of a type of its own."""
    dtype = DTYPE_TEXTS.get(str(made.dtype)) if made.kind is Kind.TENSOR and "weak" in made.types else None
    if dtype is None or dtype == "bool":
        return value
    match value:
        case cst.Call(
            func=cst.Attribute(value=cst.Name("jnp"), attr=cst.Name("array")), args=[cst.Arg(keyword=None) as given]
        ):
            return quote(f"jnp.array({{x}}, {dtype})", x=given.value)
    return quote(f"jnp.asarray({{x}}, {dtype})", x=value)


def _undefined(unit: Unit, item: Class, name: str, template: str) -> None:
    init = item.methods.get("__init__")
    if init is None or not isinstance(init.node.body, cst.IndentedBlock):
        _refuse(unit, item.node, name, item.name, "no `__init__` gives it a first value")
        return
    text = f"{init.self_name}.{name} = {template.replace('{value}', 'None')}"
    unit.edits.after(init.node.body.body[-1], lambda rewrite: [quote_statement(text)])


def _made(unit: Unit, node: cst.CSTNode, templates: Mapping[str, str], rewrite: Rewriter) -> cst.CSTNode:
    """`self.k = value` -> `self.k = eqx.nn.StateIndex(value)`, also for several at once."""
    rewritten = rewrite.inside(node)
    if isinstance(rewritten, cst.AnnAssign):
        assert rewritten.value is not None
        rewritten = cst.Assign([cst.AssignTarget(rewritten.target)], rewritten.value)
    assert isinstance(rewritten, cst.Assign)
    target, value = rewritten.targets[0].target, rewritten.value
    if isinstance(target, cst.Attribute):
        assert isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None
        kept = with_own_dtype(value, unit.facts.values(node.value)) if unit.facts.target.immutable else value
        return rewritten.with_changes(value=quote(templates[target.attr.value], value=kept))
    assert isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple)
    elements = [
        new.with_changes(value=quote(templates[part.value.attr.value], value=new.value))
        if isinstance(part.value, cst.Attribute) and part.value.attr.value in templates
        else new
        for part, new in zip(target.elements, value.elements, strict=True)
    ]
    return rewritten.with_changes(value=value.with_changes(elements=elements))


def _at_init(unit: Unit, node: cst.Attribute) -> None:
    """What `__init__` reads of a field that it has made."""
    parent = unit.facts.program.index.parents.get(node)
    if is_target(unit.facts.program, node) and not isinstance(parent, cst.AugAssign):
        return
    if isinstance(parent, cst.AugAssign) and parent.target is node:
        line = unit.facts.program.index.statement_of(node)
        if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 and unit.facts.target.setup is None:
            _augmented(unit, line, node, parent)
        else:
            _refuse_field(unit, node, "`__init__` changes it")
        return
    template = spelling(unit, node).initial
    if template != "{place}" and node not in unit.edits.nodes:
        unit.edits.replace(node, lambda rewrite: quote(template, place=as_expression(rewrite.inside(node))))


# reads


def _read(unit: Unit, node: cst.Attribute) -> None:
    template, state = spelling(unit, node).read, _state_of(unit, node)
    if template == "{place}" or node in unit.edits.nodes or state is None:
        return
    if form_of(unit.facts.program, unit.facts.values, node) is Form.NUMBER and _is_on_host(unit, node):
        template += ".item()"
    unit.edits.replace(node, lambda rewrite: quote(template, state=state, place=as_expression(rewrite.inside(node))))


def _state_of(unit: Unit, node: cst.Attribute) -> str | None:
    """The variable with the state that a field lives in; None if there is none, which the user is told."""
    if unit.facts.target.state is None:
        return "_"
    function = unit.facts.program.function_around(node)
    method = _method_of_module(function)
    if method is not None:
        if "property" in method.decorators or (method.name.startswith("__") and method.name != "__call__"):
            _refuse_field(unit, node, f"`{method.name}` cannot be given the state")
            return None
        return unit.plan.of(method).state_name
    step = _step_around(unit, node)
    place = module_place(unit.facts.program, unit.facts.values, node.value)
    if step is not None:
        return unit.plan.step_states[step].get(str(place), unit.plan.step_names[step]["state"])
    state = companion_place(unit, function, place, "state") if place is not None else None
    if state is None:
        _refuse_field(unit, node, "the state of this module cannot be found here")
    return state


def _method_of_module(function: Function | None) -> Function | None:
    """The method of a module that a function is or stands in."""
    while function is not None and function.owner is None:
        function = function.outer
    return function if function is not None and function.owner is not None and function.owner.is_module else None


def _is_on_host(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether code is neither part of a module nor of what is compiled: a number is a number there, not an array."""
    if _method_of_module(unit.facts.program.function_around(node)) is not None:
        return False
    compiled = {line for evaluation in unit.facts.evaluations for line in evaluation.inside}
    inside = any(item in compiled for item in unit.facts.program.index.ancestors(node))
    return not inside and _step_around(unit, node) is None


def _step_around(unit: Unit, node: cst.CSTNode) -> Step | None:
    """The step in whose forward pass a node stands."""
    steps: dict[cst.CSTNode, Step] = {
        line: step for step in unit.facts.steps if step.problem is None for line in step.forward
    }
    return next((steps[item] for item in (node, *unit.facts.program.index.ancestors(node)) if item in steps), None)


# writes


def _write(unit: Unit, node: cst.Attribute, changed: cst.CSTNode, claimed: set[cst.CSTNode]) -> None:
    index = unit.facts.program.index
    line = index.statement_of(node)
    state = _state_of(unit, node)
    if state is None:
        return
    function = unit.facts.program.function_around(node)
    if line in claimed:
        return
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        _refuse_field(unit, node, "it is not changed by a statement of its own")
        return
    inner = function is not None and function.owner is None and function.outer is not None
    if inner and unit.facts.target.state is not None and _method_of_module(function) is not None:
        _refuse_field(unit, node, "a function inside of the method changes it")
        return
    if _mixes_gradients(unit, function) and not _is_drawn(line.body[0], node):
        _refuse_field(unit, node, "with gradients in some calls and without in others")
        return
    small = line.body[0]
    parent = index.parents.get(node)
    if not isinstance(small, cst.Assign) and _is_no_variable(unit) and _is_listed_later(unit, node):
        _refuse_field(
            unit, node, "it is a buffer that may be None at first, which `state_dict` lists when it has a value"
        )
        return
    if changed is not node:
        read = spelling(unit, node).read
        if read != "{place}":
            unit.edits.replace(
                node, lambda rewrite: quote(read, state=state, place=as_expression(rewrite.inside(node)))
            )
        return
    claimed.add(line)
    match small:
        case cst.Assign(targets=[cst.AssignTarget(target=target)]) if target is node:
            _assigned(unit, line, node, small.value)
        case cst.AnnAssign(target=target, value=cst.BaseExpression() as value) if target is node:
            _assigned(unit, line, node, value)
        case cst.AugAssign(target=target) if target is node:
            _augmented(unit, line, node, small)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple() as several)]) if parent is not None:
            _unpacked(unit, line, several, small.value)
        case _:
            _refuse_field(unit, node, "it is not changed by a statement of its own")


def _assigned(unit: Unit, line: cst.SimpleStatementLine, node: cst.Attribute, value: cst.BaseExpression) -> None:
    """`self.k = value`."""
    if _is_listed_later(unit, node):
        _refuse_field(unit, node, "it is a buffer without a value at first, which `state_dict` lists when it has one")
        return
    keeps = _is_fixed(unit, node)
    unit.edits.rewrite_statement(
        line, lambda rewrite: [write_field(unit, line, node, rewrite.expression(value), keeps=keeps)]
    )


def _is_no_variable(unit: Unit) -> bool:
    """Whether what may be None is kept in another way than what is an array at first."""
    fields = unit.facts.target.state_fields
    return fields[Form.ANY].type != fields[Form.ARRAY].type


def _is_listed_later(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a module that is an object has a buffer that may be None, in a program that asks for state dicts: what is no
    array when the module is made is none of its variables.
    """
    program, values = unit.facts.program, unit.facts.values
    holder = holder_of(program, values, node)
    if unit.facts.target.state is not None or holder is None or not holder.buffers.get(node.attr.value, False):
        return False
    is_asked = any(item.mentions(word) for item in program.files for word in _LISTING)
    return is_asked and form_of(program, values, node) is Form.ANY


def _augmented(unit: Unit, line: cst.SimpleStatementLine, node: cst.Attribute, small: cst.AugAssign) -> None:
    """`self.k += value`: a tensor keeps its dtype, anything else gets a new value."""
    operator = OPERATORS.get(type(small.operator))
    values = unit.facts.values
    target = values(node)
    if operator is None:
        _refuse_field(unit, node, f"`{code(small.operator).strip()}` has no translation")
        return
    plain = f"{{x}} {operator} {{y}}"
    template = augmented(operator, target, values(small.value)) if target.kind is Kind.TENSOR else plain
    form = form_of(unit.facts.program, values, node)
    keeps = _is_fixed(unit, node) or (form is Form.ARRAY and target.kind is Kind.TENSOR)
    is_made = unit.facts.target.immutable and node in unit.facts.effects.module_state.at_init
    read = spelling(unit, node).initial if is_made else spelling(unit, node).read
    state = None if is_made else _state_of(unit, node)

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        old = quote(read, state=str(state), place=as_expression(rewrite.inside(node)))
        value = unit.quote(template, x=old, y=rewrite.expression(small.value))
        if is_made:
            return [quote_statement("{place} = {value}", place=node.deep_clone(), value=as_made(unit, node, value))]
        return [write_field(unit, line, node, value, keeps=keeps)]

    if read == "{place}" and template == plain:
        return  # it stays as it is
    unit.edits.rewrite_statement(line, build)


def _unpacked(unit: Unit, line: cst.SimpleStatementLine, target: cst.Tuple, value: cst.BaseExpression) -> None:
    """`self.h, self.c = h, c`: the values are there before any of them is kept."""
    places = [element.value for element in target.elements]
    fields = [node for node in places if isinstance(node, cst.Attribute) and is_state(unit, node)]
    if len({id(node) for node in fields}) != sum(isinstance(node, cst.Attribute) for node in places) or any(
        isinstance(element, cst.StarredElement) for element in target.elements
    ):
        _refuse_field(unit, fields[0], "it is not changed by a statement of its own")
        return
    names = [
        unit.fresh(node.attr.value) if isinstance(node, cst.Attribute) and node in fields else None for node in places
    ]

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        elements = [
            element.with_changes(value=cst.Name(name)) if name is not None else rewrite(element)
            for element, name in zip(target.elements, names, strict=True)
        ]
        bound = target.with_changes(elements=elements)
        first = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(bound)], rewrite.expression(value))])
        kept = [
            write_field(unit, line, node, cst.Name(name), keeps=_is_fixed(unit, node))
            for node, name in zip(places, names, strict=True)
            if isinstance(node, cst.Attribute) and name is not None
        ]
        return [first, *kept]

    unit.edits.rewrite_statement(line, build)


def write_field(
    unit: Unit, line: cst.SimpleStatementLine, node: cst.Attribute, value: cst.BaseExpression, *, keeps: bool
) -> cst.BaseStatement:
    """The statement that gives a field another value."""
    spelled = spelling(unit, node)
    if _is_without_gradient(unit, line) and unit.facts.values(node).kind not in (Kind.INT, Kind.BOOL, Kind.FLOAT):
        value = quote("jax.lax.stop_gradient({x})", x=value)
    template = unit.spell(spelled.written if keeps else spelled.replaced)
    return quote_statement(template, state=str(_state_of(unit, node)), place=node.deep_clone(), value=value)


def _find_loose(unit: Unit) -> None:
    """Note the fields that some statement gives a value that may be of another shape or dtype."""
    found = unit.facts.effects.module_state
    for node, changed in found.writes.items():
        holder = holder_of(unit.facts.program, unit.facts.values, node)
        if holder is not None and changed is node and not _keeps(unit, node):
            found.loose.add((holder, node.attr.value))


def _keeps(unit: Unit, node: cst.Attribute) -> bool:
    """Whether the statement that stores to a field keeps the form of its value."""
    parents = unit.facts.program.index.parents
    match parents.get(node):
        case cst.AssignTarget() as target:
            parent = parents[target]
            return isinstance(parent, cst.Assign) and keeps_form(unit, node, parent.value)
        case cst.AnnAssign(value=value):
            return keeps_form(unit, node, value)
        case cst.AugAssign(operator=operator, value=value):
            form = form_of(unit.facts.program, unit.facts.values, node)
            if form is Form.NUMBER:
                kind, made = _number_of(unit.facts.values, value), _made_value(unit, node)
                is_whole = kind is Kind.INT and not isinstance(operator, cst.DivideAssign)
                is_float = made is not None and made.kind is Kind.FLOAT
                return is_whole or (is_float and kind is not None)
            return form is Form.ARRAY
        case cst.Element() as element:
            several = parents[element]
            assign = parents.get(parents[several])
            if isinstance(assign, cst.Assign) and isinstance(assign.value, cst.Tuple):
                places = [item.value for item in several.elements]  # type: ignore[attr-defined]
                if len(places) == len(assign.value.elements):
                    return keeps_form(unit, node, assign.value.elements[places.index(node)].value)
    return False


def _is_fixed(unit: Unit, node: cst.Attribute) -> bool:
    """Whether every value of a field has the shape and dtype of its first one."""
    holder = holder_of(unit.facts.program, unit.facts.values, node)
    form = form_of(unit.facts.program, unit.facts.values, node)
    return form is not Form.ANY and (holder, node.attr.value) not in unit.facts.effects.module_state.loose


def keeps_form(unit: Unit, node: cst.Attribute, value: cst.BaseExpression | None) -> bool:
    """Whether a value surely has the shape and dtype that a field has from the beginning."""
    values = unit.facts.values
    form = form_of(unit.facts.program, values, node)
    if value is None or form is Form.ANY:
        return False
    made = _made_value(unit, node)
    if form is Form.NUMBER:
        given = _number_of(values, value)
        return given is not None and made is not None and given is made.kind
    new = values(value)
    if made is None or (new.dtype is not None and made.dtype is not None and new.dtype != made.dtype):
        return False
    return _is_like(unit, value, dotted(node) or "", unit.facts.program.function_around(node), 4)


def _number_of(values: Callable[[cst.CSTNode], Value], value: cst.BaseExpression) -> Kind | None:
    kind = values(value).kind
    if kind in (Kind.INT, Kind.FLOAT, Kind.BOOL):
        return kind
    match value:
        case cst.BinaryOperation(left=left, right=right) | cst.IfExp(body=left, orelse=right):
            parts = [left, right]
        case cst.Call(func=cst.Name(value="min" | "max"), args=args):
            parts = [item.value for item in args]
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value="item")), args=[]):
            dtype = values(receiver).dtype
            return Kind.FLOAT if dtype is not None and dtype.startswith(("float", "bfloat")) else None
        case _:
            return None
    kinds = {_number_of(values, part) for part in parts}
    if isinstance(value, cst.BinaryOperation) and kinds == {Kind.INT, Kind.FLOAT}:
        return Kind.FLOAT
    return kinds.pop() if len(kinds) == 1 and not isinstance(value, cst.BinaryOperation) else None


def _made_value(unit: Unit, node: cst.Attribute) -> Value | None:
    """What `__init__` gives a field."""
    found = unit.facts.effects.module_state.made
    for item in unit.facts.effects.classes_of(unit.facts.values(node.value)):
        for part in item.lineage:
            for _, value in found.get(part, {}).get(node.attr.value, []):
                return unit.facts.values(value) if value is not None else None
    return None


def _is_like(unit: Unit, value: cst.BaseExpression, place: str, function: Function | None, depth: int) -> bool:
    """Whether a value has the shape of a field, being computed from it element by element."""

    def again(node: cst.BaseExpression) -> bool:
        return _is_like(unit, node, place, function, depth)

    match value:
        case cst.Attribute():
            return dotted(value) == place
        case cst.Name(value=name) if function is not None and depth:
            given = _only_value(function, name)
            return given is not None and _is_like(unit, given, place, function, depth - 1)
        case cst.UnaryOperation(expression=inner):
            return again(inner)
        case cst.BinaryOperation(operator=operator) if not isinstance(operator, cst.MatrixMultiply):
            return again(value.left) or again(value.right)
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=method))) if method in _ELEMENTWISE or (
            method.endswith("_") and method.removesuffix("_") in _ELEMENTWISE
        ):
            is_function = unit.facts.values.torch_name(value.func) is not None
            parts = [argument.value for argument in value.args] if is_function else [receiver]
            return any(again(part) for part in parts)
    return False


def _only_value(function: Function, name: str) -> cst.BaseExpression | None:
    """The value of a variable that is bound in one place only."""
    found: list[cst.BaseExpression | None] = []
    for node in own_nodes(function.node):
        match node:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=other))], value=value) if other == name:
                found.append(value)
            case cst.AssignTarget(target=cst.Tuple()) | cst.NamedExpr() | cst.For() | cst.With():
                if any(isinstance(item, cst.Name) and item.value == name for item in descendants(node)):
                    target = getattr(node, "target", node)
                    if any(isinstance(item, cst.Name) and item.value == name for item in descendants(target)):
                        found.append(None)
    return found[0] if len(found) == 1 and name not in function.parameter_names else None


# gradients


def _is_without_gradient(unit: Unit, node: cst.CSTNode, seen: frozenset[Function] = frozenset()) -> bool:
    """Whether code runs under `no_grad` while what is around it may be differentiated."""
    function = unit.facts.program.function_around(node)
    if not seen and not unit.differentiated.holds(unit.facts.program, node):
        return False
    if is_under_no_grad(node, unit.facts.values):
        return True
    if function is None:
        return False
    callers = [call for call in function.callers if unit.facts.program.function_around(call) not in seen | {function}]
    return bool(callers) and all(_is_without_gradient(unit, call, seen | {function}) for call in callers)


def _is_drawn(small: cst.BaseSmallStatement, node: cst.Attribute) -> bool:
    """Whether a line fills a field with numbers that have no gradient: `self.noise.normal_()`."""
    match small:
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=field, attr=cst.Name(method)))):
            return field is node and method in _DRAWING
    return False


def _mixes_gradients(unit: Unit, function: Function | None) -> bool:
    """Whether a function is called under `no_grad` in some places, and without in others, of what is differentiated."""
    if function is None or function not in unit.differentiated.functions or function.name == "forward":
        return False
    found = {_is_without_gradient(unit, call, frozenset({function})) for call in function.callers}
    return len(found) > 1


# remarks


def _refuse_reflection(unit: Unit) -> None:
    """`hasattr(self, "cache")`: the field is there from the beginning."""
    names = {name for item in unit.facts.effects.module_state.made for name in item.state}
    for call in unit.facts.program.index.calls if names else ():
        if not isinstance(call.func, cst.Name) or call.func.value not in _REFLECTION or len(call.args) < 2:
            continue
        name = unit.facts.values(call.args[1].value).const
        owner = unit.facts.values(call.args[0].value)
        if name in names and owner.kind in (Kind.MODULE, Kind.UNKNOWN):
            _refuse(unit, call, str(name), code(call.args[0].value), f"`{call.func.value}` asks for it by name")


def _refuse_growing(unit: Unit) -> None:
    """`self.history.append(x)` on an immutable module: other copies of it, and compiled code, would not see the change."""
    if unit.facts.target.state is None:
        return
    values, index = unit.facts.values, unit.facts.program.index
    for node in index.attributes:
        if values(node.value).kind is not Kind.MODULE or values(node).kind not in (Kind.LIST, Kind.DICT):
            continue
        function = unit.facts.program.function_around(node)
        if function is None or function.self_name is None or function in unit.facts.effects.module_state.init_only:
            continue
        if function.owner is None or not function.owner.is_module or dotted(node.value) != function.self_name:
            continue
        parent = index.parents.get(node)
        outer = index.parents.get(parent) if parent is not None else None
        method = parent.attr.value if isinstance(parent, cst.Attribute) and isinstance(outer, cst.Call) else ""
        grows = changes_container(method, values(node).kind)
        stored = isinstance(parent, cst.Subscript) and parent.value is node and is_target(unit.facts.program, parent)
        if grows or stored:
            _refuse_field(unit, node, f"it is a {values(node).kind} that is changed in place")


def reason_against(unit: Unit, method: Function, name: str) -> str | None:
    """Why a field that a method changes cannot be kept in the state; None if it is a part of the module."""
    owner = method.owner
    value = owner.field_value(name) if owner is not None else None
    if owner is None or value is None or value.kind is Kind.MODULE or "parameter" in value.types:
        return None
    if all(name not in made for item, made in unit.facts.effects.module_state.made.items() if item in owner.lineage):
        if any(item.node not in unit.facts.program.classes for item in owner.lineage[1:]):
            return "its class stands in another file"
        return "no `__init__` makes it"
    return "it is not made of tensors and numbers only, as far as can be seen"


def _refuse_field(unit: Unit, node: cst.Attribute, reason: str) -> None:
    classes = unit.facts.effects.classes_of(unit.facts.values(node.value))
    _refuse(unit, node, node.attr.value, classes[0].name if classes else code(node.value), reason)


def _refuse(unit: Unit, node: cst.CSTNode, name: str, module: str, reason: str) -> None:
    unit.problem(node, "T2J606", name=name, module=module, reason=reason)


__all__ = [
    "field_type",
    "is_state",
    "keeps_form",
    "reason_against",
    "rewrite_module_state",
    "with_own_dtype",
    "write_field",
]

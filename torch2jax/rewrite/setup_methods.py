"""Classes of modules for libraries in which a module is a definition: constructor arguments are fields, `__init__` becomes `setup`.

class Block(nn.Module):                      class Block(nn.Module):
    def __init__(self, dim, rate=0.1):           dim: int
        super().__init__()            ->         rate: float = 0.1
        self.dim = dim
        self.fc = nn.Linear(dim, dim)            def setup(self):
                                                     self.fc = Linear(self.dim, self.dim)

`setup` runs whenever a module is used, and its variables lie outside: what could not be said of that is reported here.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.bindings import Bindings, makes_module
from torch2jax.facts.captures import kept_globals
from torch2jax.facts.compiled import obstacle_at
from torch2jax.facts.infer import LISTED_MODULE
from torch2jax.facts.module_state import init_methods, is_state
from torch2jax.facts.moves import split_move
from torch2jax.facts.object_changes import Change, object_changes
from torch2jax.facts.outside_methods import acts_on_model, has_module, method_around
from torch2jax.ops.modules import PLACING
from torch2jax.ops.signatures import parse_signature
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, Function, dotted, is_super, root_name
from torch2jax.program.statements import assigned_pairs
from torch2jax.rewrite.layer_notes import is_note_on_layer
from torch2jax.rewrite.setup_arguments import takes_arguments
from torch2jax.rewrite.setup_changes import lost_changes, unseen_changes
from torch2jax.rewrite.setup_constants import hold_constants, makes_something
from torch2jax.rewrite.setup_measures import measured_names, measures, rewrite_measures
from torch2jax.rewrite.setup_parts import check_made_once, grow_parts, holds_arrays, is_plain_list
from torch2jax.rewrite.setup_sources import changed_sources
from torch2jax.rewrite.setup_starts import (
    group_starts,
    is_parameter,
    is_plain_array,
    makes_variable,
    reads_variable,
    started_parts,
)
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements, as_expression
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind, Value

_CODE = "T2J612"
_PLAIN = (Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.STR, Kind.NONE)
_SET_ANYWHERE = ("requires_grad", "data", "grad")
_LISTS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict"})
_GROWING = frozenset("append extend insert pop remove clear update setdefault popitem sort reverse add discard".split())
_CHANGING = _GROWING | {"add_module", "register_module"}
_CONTAINERS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential"})
_VARIABLES = frozenset({"parameter", "buffer", "frozen"})
_REGISTERING = frozenset({"register_buffer", "register_parameter"})
_OUTSIDE = (
    "numpy.random.",
    "random.",
    "time.",
    "os.",
    "builtins.open",
    "torch.load",
    "builtins.input",
    "builtins.print",
)
_OF_PATHS = ("os.path.join", "os.path.basename", "os.path.dirname", "os.path.split", "os.path.normpath")


def rewrite_setup(unit: Unit, item: Class, starting: frozenset[Function]) -> None:
    """Rewrite the class of a module, and report what it does that a definition cannot do."""
    _check_names(unit, item)
    at_init = init_methods(item)
    for method in item.methods.values():
        if method in at_init and method not in starting:
            group_starts(unit, item, method, starting)
    making = _making_methods(unit, item, at_init) - starting
    for method in item.methods.values():
        if method in making:
            _check_making(unit, item, method, grow_parts(unit, method))
            _check_changes(unit, method)
        elif method not in starting:
            _check_method(unit, method)
    hold_constants(unit, [method for method in item.methods.values() if method in making])
    check_made_once(unit, item, at_init)
    init = item.methods.get("__init__")
    if init is not None:
        if takes_arguments(unit, item):
            _setup_with(unit, item, init)
        else:
            _check_asked(unit, item, init)
            _setup(unit, item, init)


def _making_methods(unit: Unit, item: Class, at_init: set[Function]) -> set[Function]:
    """Those of the methods that run in `__init__` which run whenever `setup` does, and not only for first values of variables."""
    guarded = {node for line in unit.edits.moved for node in descendants(line)}
    found: set[Function] = set()
    waiting = [
        method
        for method in at_init
        if method.name == "__init__" or method.owner is not item or method.name in item.early
    ]
    while waiting:
        method = waiting.pop()
        found.add(method)
        named = [node for node in descendants(method.node, cst.Attribute) if node not in guarded]
        called = {node.attr.value for node in named if dotted(node.value) == method.self_name or is_super(node.value)}
        waiting += [other for other in at_init if other.name in called and other not in found and other not in waiting]
    return found


def _check_asked(unit: Unit, item: Class, init: Function) -> None:
    """Each argument is a field there: whether a module has one by that name says something else than in torch."""
    always: set[str] = set()
    for line in init.node.body.body:
        if any(isinstance(node, cst.Return) for node in descendants(line)):
            break
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Assign):
                always |= {
                    target.target.attr.value for target in small.targets if isinstance(target.target, cst.Attribute)
                }
    for call in unit.facts.program.index.calls:
        if dotted(call.func) not in ("hasattr", "getattr") or len(call.args) < 2:
            continue
        name, asked = unit.facts.values(call.args[1].value).const, unit.facts.values(call.args[0].value)
        classes = unit.facts.effects.classes_of(asked)
        is_item = item in classes or asked.kind is Kind.UNKNOWN or (asked.kind is Kind.MODULE and not asked.types)
        if is_item and name in init.parameter_names and name not in always:
            _refuse(unit, call, "each argument of `__init__` is a field there")


def _refuse(unit: Unit, node: cst.CSTNode, reason: str, name: str | None = None) -> None:
    unit.problem(node, _CODE, name=name or code(node), reason=reason)


def _check_names(unit: Unit, item: Class) -> None:
    """Methods, fields and arguments that the library's own would hide, or would be hidden by."""
    init = item.methods.get("__init__")
    given = () if init is None or takes_arguments(unit, item) else init.parameter_names
    names = {*item.methods, *item.fields, *given}
    for name in sorted(names & unit.facts.target.taken_names):
        method = item.methods.get(name)
        node = method.node.name if method is not None else unit.field_node(item, name)
        _refuse(unit, node, "the library has something else under this name in each module", f"{item.name}.{name}")
    for statement in item.node.body.body:
        match statement:
            case cst.SimpleStatementLine(body=[cst.AnnAssign() as small]):
                _without_annotation(unit, statement, small)
    for name, form in item.state.items():
        held = item.field_value(name)
        if form == "array" and held is not None and {"parameter", "frozen"} & held.types:
            _refuse(unit, item.node, "it is a parameter, and methods change it", f"{item.name}.{name}")


def _without_annotation(unit: Unit, statement: cst.SimpleStatementLine, small: cst.AnnAssign) -> None:
    """`size: int = 3` of a class would be an argument that modules are made with; `size = 3` is none."""
    unit.settle(small.annotation)
    if small.value is None:
        unit.edits.remove(statement)
        return
    value = small.value

    def build(rewrite):  # type: ignore[no-untyped-def]
        return cst.Assign([cst.AssignTarget(small.target)], rewrite.expression(value))

    unit.edits.replace(small, build)


# what runs while a module is made


def _check_making(unit: Unit, item: Class, method: Function, growing: frozenset[cst.CSTNode]) -> None:
    """What `setup` would do again whenever the module is used, or to parts that have no arrays yet."""
    index, started = unit.facts.program.index, started_parts(unit, item, method)
    moved = {node for line in unit.edits.moved if line in set(own_nodes(method.node)) for node in descendants(line)}
    freezing = [item.statement for item in unit.facts.freezing.statements if item.statement in unit.edits.statements]
    moved |= {node for line in freezing for node in descendants(line)}
    measured = measured_names(unit, method)
    for name in kept_globals(method, unit.facts.values):
        _refuse(unit, name, "a module that is being used stands outside of the definition")
    for measure in measures(unit, method):
        if measure.number is None and measure.call not in moved:
            _refuse(unit, measure.call, "`setup` runs whenever the module is used, and would run this part each time")
    for node in own_nodes(method.node):
        if node in moved or (isinstance(node, cst.AssignTarget) and index.statement_of(node) in unit.edits.statements):
            continue
        if reads_variable(unit, node) and not _is_for_first_values(unit, method, node):
            _refuse(unit, node, "`setup` runs whenever the module is used, and this may have other values then")
        match node:
            case cst.Expr(value=cst.Call() as call) if node not in growing:
                _check_statement(unit, item, method, call)
            case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.AnnAssign(target=target):
                if node not in growing and index.parents[node] not in growing:
                    _check_target(unit, method, target)
            case cst.Call() if node in started:
                continue
            case cst.Call():
                _check_call(unit, method, node, measured)
            case cst.Attribute() if _is_of_new_part(unit, method, node):
                _refuse(unit, node, "a part that is being made has no parts and variables yet")
            case cst.Del(target=cst.Name()):
                continue
            case cst.With() if _is_no_grad(unit, node):
                continue
            case cst.Try() if not makes_something(unit, node):
                continue
            case cst.For() if any(loop.loop is node for loop in unit.facts.loops):
                _refuse(
                    unit,
                    node,
                    "`setup` runs whenever the module is used, and would change these values each time",
                    code(node).strip().splitlines()[0],
                )
            case cst.Del() | cst.Global() | cst.Nonlocal() | cst.With() | cst.Try():
                _refuse(unit, node, "`setup` runs whenever the module is used", code(node).strip().splitlines()[0])


def _is_for_first_values(unit: Unit, method: Function, node: cst.CSTNode, seen: frozenset[str] = frozenset()) -> bool:
    """Whether nothing comes of an expression but the first values of variables, be it by way of local variables."""
    index = unit.facts.program.index
    if any(makes_variable(unit, around) for around in index.ancestors(node)):
        return True
    match index.statement_of(node):
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)]
        ) if node in (value, *descendants(value)):
            seen |= {name}
            uses = [item for item in descendants(method.node, cst.Name) if item.value == name]
            reads = [
                item for item in uses if not index.is_label(item) and not unit.facts.program.definitions.is_bound(item)
            ]
            return name not in method.parameter_names and all(
                _binds_one_of(index.statement_of(item), seen) or _is_for_first_values(unit, method, item, seen)
                for item in reads
            )
    return False


def _binds_one_of(line: cst.CSTNode, names: frozenset[str]) -> bool:
    """Whether a line gives a value to one of some variables that are being looked at."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))])]):
            return name in names
    return False


def _check_statement(unit: Unit, item: Class, method: Function, call: cst.Call) -> None:
    """A call that stands alone is there for what it changes."""
    function, values = call.func, unit.facts.values
    text = code(function)
    if text.startswith("super(") or text in ("nn.Module.__init__", "torch.nn.Module.__init__"):
        plain = text.startswith("super(") and text.endswith(".__init__") and not call.args
        if item.base_classes and not plain and not takes_arguments(unit, item):
            _refuse(unit, call, "the class that it derives from is made with arguments of its own")
        return
    match call:
        case cst.Call(func=cst.Name("setattr"), args=[holder, _, given]) if dotted(holder.value) == method.self_name:
            if values(given.value).kind is Kind.MODULE:
                return
    if isinstance(function, cst.Attribute):
        owner, name = function.value, function.attr.value
        if dotted(owner) == method.self_name and name in _REGISTERING and call.args:
            return
        if dotted(owner) == method.self_name and name in ("add_module", "register_module") and len(call.args) == 2:
            return
        if dotted(owner) == method.self_name and item.method(name) is not None:
            return
        if name in PLACING and values(owner).kind is Kind.MODULE and split_move(values, call)[1] is None:
            return  # JAX places arrays itself
        if name in ("train", "eval") and values(owner).kind is Kind.MODULE and not call.args:
            is_own = dotted(owner) == method.self_name
            effects = unit.facts.effects
            if not (effects.has_own_mode(item) if is_own else effects.has_mode(values(owner))):
                return  # it makes no difference
        if name.endswith("_") and is_plain_array(unit, owner):
            return
        is_list = values(owner).kind in (Kind.LIST, Kind.DICT) or is_plain_list(unit, method, owner)
        if isinstance(owner, cst.Name) and name in _GROWING and is_list:
            return
        is_own = isinstance(owner, cst.Name) and owner.value not in method.parameter_names
        if is_own and values(owner).kind is Kind.TENSOR and not values(owner).types & _VARIABLES:
            return
    _refuse(unit, call, "`setup` runs whenever the module is used, and its parts have no arrays to change there")


def _check_target(unit: Unit, method: Function, target: cst.BaseExpression) -> None:
    """Only fields of the module itself are set in `setup`."""
    inner = target.value if isinstance(target, (cst.Attribute, cst.Subscript)) else target
    if isinstance(inner, cst.Name) and inner is not target and "parameter" in unit.facts.values(inner).types:
        _refuse(unit, target, "`setup` runs whenever the module is used, and its parts have no arrays to change there")
    is_given = root_name(target) in method.parameter_names and unit.facts.values(inner).kind is Kind.MODULE
    if isinstance(target, cst.Name) or (root_name(target) != method.self_name and not is_given):
        return
    is_setting = isinstance(target, cst.Attribute) and target.attr.value == "requires_grad"
    if is_plain_array(unit, inner) and (is_setting or isinstance(target, cst.Subscript)):
        return
    is_plain = dotted(inner) == method.self_name and isinstance(target, cst.Attribute)
    if not is_plain and not (isinstance(target, cst.Attribute) and is_note_on_layer(unit, target)):
        _refuse(unit, target, "its parts, and lists of them, stay as they are made")


def _is_no_grad(unit: Unit, node: cst.With) -> bool:
    """Whether a block only says that nothing is differentiated."""
    calls = [item.item for item in node.items if item.asname is None]
    names = [unit.facts.values.torch_name(call.func) for call in calls if isinstance(call, cst.Call)]
    return len(names) == len(node.items) and all(name in ("torch.no_grad", "torch.inference_mode") for name in names)


def _check_call(unit: Unit, method: Function, call: cst.Call, measured: frozenset[cst.CSTNode]) -> None:
    """Draws, and what gives another result each time."""
    values = unit.facts.values
    const = values(call.func).const
    named = const if isinstance(const, str) else dotted(call.func) or ""
    if (named.startswith(_OUTSIDE) and not named.startswith(_OF_PATHS)) or dotted(call.func) in (
        "open",
        "input",
        "print",
    ):
        _refuse(unit, call, "`setup` runs whenever the module is used, and this may give something else each time")
    if obstacle_at(call, values) and any(
        makes_variable(unit, node) for node in unit.facts.program.index.ancestors(call)
    ):
        _refuse(unit, call, "first values of variables are computed again, without values, to know their shapes")
    if call in unit.plan.keys and call not in measured and not _draws_first_values(unit, call):
        _refuse(unit, call, "only first values of parameters and buffers are drawn in `setup`")
    if is_parameter(unit, call) and variable_name(unit, call) is None:
        _refuse(unit, call, "a parameter is a field of its module there, made by an assignment of its own")
    if _fills_given(unit, call):
        _refuse(unit, call, "`setup` runs whenever the module is used, and its parts have no arrays to change there")
    if _asks_new_part(unit, method, call):
        _refuse(unit, call, "a part that is being made has no parts and variables yet")
    name = values.torch_name(call.func) or ""
    is_helper = name.startswith("torch.nn.utils.") and name not in unit.facts.tables.layers
    if name in ("torch.nn.ParameterList", "torch.nn.ParameterDict") or is_helper:
        _refuse(unit, call, "parameters are fields of their module")
    bound, functions = unit.facts.effects.bound, unit.facts.program.functions
    others = [item for item in values.callees.get(call, ()) if item.node not in functions and not item.is_method]
    if others and not (bound is not None and bound.known_inside.issuperset(item.key for item in others)):
        if has_module(values(call)):
            _refuse(unit, call, "another file makes the module, which gets variables of its own there")


def _check_changes(unit: Unit, method: Function) -> None:
    """What a module is made with, and what stands around it, is there once: `setup` would change it again."""
    changes, own = object_changes(unit.facts.values), list(own_nodes(method.node))
    names = set(method.parameter_names) - {method.self_name, method.star_name, method.double_star_name}

    def is_around(change: Change) -> bool:
        if change.variable.owner is method.node:
            return change.variable.name in names
        holder, index = change.variable.owner, unit.facts.program.index
        if not isinstance(holder, cst.FunctionDef) or holder.name.value in unit.facts.program.read_elsewhere:
            return True
        uses = [node for node in index.names if node.value == holder.name.value and node is not holder.name]
        made_here = bool(uses) and all(node in own for node in uses)
        return not made_here  # variables of a function that runs here are new each time

    found = [change for change in changes.of(method).values() if is_around(change)]
    stores = {node for change in found for node in change.stores}
    for store in [node for node in own if node in stores and not _says_once(unit, method, node)]:
        _refuse(unit, store, "`setup` runs whenever the module is used, and would change this again", _stored(store))
    if all(change.node in own for change in found):
        return
    for call in [node for node in own if isinstance(node, cst.Call) and node not in stores]:
        called = unit.facts.values.reached_by(call)
        is_told_there = bool(called) and all(_makes_parts(item) for item in called)
        if not is_told_there and any(is_around(item) and item.node not in own for item in changes.within([call])):
            _refuse(unit, call, "`setup` runs whenever the module is used, and would change again what this changes")


def _makes_parts(function: Function) -> bool:
    """Whether a method runs in the `setup` of its module."""
    owner = function.owner
    return owner is not None and owner.is_module and function in init_methods(owner)


def _stored(store: cst.CSTNode) -> str:
    return code(store.target if isinstance(store, (cst.AssignTarget, cst.AugAssign)) else store).strip()


def _says_once(unit: Unit, method: Function, store: cst.CSTNode) -> bool:
    """`config.causal = True`: stored again it is the same, where nothing else stores it and no part was given it before."""
    index = unit.facts.program.index
    statement = index.parents[store]
    if not isinstance(statement, cst.Assign) or not isinstance(store, cst.AssignTarget):
        return False
    if unit.facts.values(statement.value).kind is Kind.MODULE:
        return False  # modules that have been made keep the parts that they have
    loops = [node for node in index.ancestors(store) if isinstance(node, (cst.For, cst.While))]
    if not isinstance(store.target, cst.Attribute) or loops:
        return False
    name, own = store.target.attr.value, own_nodes(method.node)  # from the last statement to the first
    read = list(descendants(statement.value))
    local = {node.value for node in own if isinstance(node, cst.Name) and _is_bound(index, node)}
    stored = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Element)
    others = [node for node in index.every(cst.Attribute) if isinstance(index.parents[node], stored)]
    places = [node for node in others if node is not store.target and not _is_first_value(unit, node)]
    before = [node for node in own[own.index(store) :] if isinstance(node, cst.Call)]
    makers = [call for call in before if has_module(unit.facts.values(call))]
    given = {root_name(argument.value) for call in makers for argument in call.args}
    return (
        not any(isinstance(node, cst.Name) and node.value in local for node in read)
        and not any(isinstance(node, cst.Attribute) and node.attr.value == name for node in (*read, *places))
        and root_name(store.target) not in given
    )


def _is_first_value(unit: Unit, place: cst.CSTNode) -> bool:
    """Whether an object gives itself a value while it is made."""
    function = unit.facts.program.function_around(place)
    if function is None or not isinstance(place, cst.Attribute):
        return False
    return function.name == "__init__" and root_name(place) == function.self_name


def _draws_first_values(unit: Unit, call: cst.Call) -> bool:
    """Whether a draw, or each of a function that makes parts, is evaluated only where variables get their first values."""
    index = unit.facts.program.index
    if any(makes_variable(unit, around) or around in unit.edits.moved for around in index.ancestors(call)):
        return True
    callees = unit.facts.values.callees.get(call, ())
    makers = [item for item in callees if item.owner is None and isinstance(item.node, cst.FunctionDef)]
    drawing = [node for item in makers for node in own_nodes(item.node) if node in unit.plan.keys and node is not call]
    known = bool(makers) and len(makers) == len(callees)
    return known and all(isinstance(node, cst.Call) and _draws_first_values(unit, node) for node in drawing)


def _fills_given(unit: Unit, call: cst.Call) -> bool:
    """Whether a function of the program is given the module, or a part, and may change parameters of what it is given."""
    values, program = unit.facts.values, unit.facts.program
    if not any(values(argument.value).kind is Kind.MODULE for argument in call.args):
        return False
    seen: set[Function] = set()
    waiting = [item for item in values.callees.get(call, ()) if item.owner is None]
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        for node in own_nodes(function.node) if isinstance(function.node, cst.FunctionDef) else ():
            if isinstance(node, cst.Call):
                called = node.func.attr.value if isinstance(node.func, cst.Attribute) else ""
                name = values.torch_name(node.func) or ""
                if (
                    name.startswith("torch.nn.init.")
                    or (called.endswith("_") and called[0] != "_")
                    or called == "apply"
                ):
                    return True
                waiting += values.callees.get(node, ())
    return any(program.function_around(node) in seen for node in unit.facts.effects.module_state.changes)


def variable_name(unit: Unit, call: cst.Call) -> tuple[str, str] | None:
    """The module and the field that a parameter is made for: `self` and `w` of `self.w = nn.Parameter(x)`."""
    index = unit.facts.program.index
    function, parent = index.function_of(call), index.parents.get(call)
    owner = unit.facts.program.functions.get(function) if function is not None else None
    if owner is None or owner.owner is None or not owner.owner.is_module or owner not in init_methods(owner.owner):
        return None
    while isinstance(parent, cst.IfExp):
        parent = index.parents.get(parent)
    if isinstance(parent, cst.Assign) and len(parent.targets) == 1:
        target = parent.targets[0].target
        if isinstance(target, cst.Attribute) and dotted(target.value) == owner.self_name:
            return str(owner.self_name), target.attr.value
    outer = index.parents.get(parent) if isinstance(parent, cst.Arg) else None
    if isinstance(outer, cst.Call) and isinstance(outer.func, cst.Attribute):
        if outer.func.attr.value == "register_parameter" and dotted(outer.func.value) == owner.self_name:
            const = unit.facts.values(outer.args[0].value).const
            return (str(owner.self_name), const) if isinstance(const, str) else None
    return None


# what runs later


def _check_method(unit: Unit, method: Function) -> None:
    """What a method may not do to the module that it is called on."""
    values, bound = unit.facts.values, unit.facts.effects.bound
    if bound is None or method in bound.outside:
        return

    def makes_model(call: cst.Call) -> bool:
        return makes_module(values, call) and not _is_function_call(unit, call)

    for node, reason in acts_on_model(unit.facts.program, values, method, makes_model):
        _refuse(unit, node, reason)
    for item in [item for item in unit.facts.loops if item.function is method]:
        _refuse(unit, item.loop, "methods of modules compute, and change no parameters", f"this loop over {item.place}")
    for node in descendants(method.node.body):
        match node:
            case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name))) if name in _GROWING:
                is_held = root_name(owner) == method.self_name and not isinstance(owner, cst.Name)
                if is_held and values(owner).kind in (Kind.LIST, Kind.DICT):
                    _refuse(unit, node, "what a module holds stays as it was made")


def _check_maker(unit: Unit, function: Function) -> None:
    """What a function that makes parts of modules asks of parts that have no variables yet."""
    is_own = function.owner is None and function.node in unit.facts.program.functions
    for node in own_nodes(function.node) if is_own else ():
        if isinstance(node, cst.Call) and _asks_new_part(unit, function, node):
            _refuse(unit, node, "a part that is being made has no parts and variables yet")
        elif isinstance(node, cst.Call) and unit.facts.program.index.statement_of(node) not in unit.edits.moved:
            if _fills_given(unit, node):
                _refuse(
                    unit, node, "`setup` runs whenever the module is used, and its parts have no arrays to change there"
                )


def _asks_new_part(unit: Unit, function: Function, call: cst.Call) -> bool:
    """Whether a new module that is nobody's part yet is asked what it consists of: `list(make_body().children())`."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _ASKING:
        return False
    owner, values, definitions = call.func.value, unit.facts.values, unit.facts.program.definitions
    if values(owner).kind is not Kind.MODULE or any(
        item.method(call.func.attr.value) for item in unit.facts.effects.classes_of(values(owner))
    ):
        return False
    if not isinstance(owner, cst.Name):
        return isinstance(owner, cst.Call) and not _is_function_call(unit, owner)
    made = [item.value for item in definitions.of(owner)]
    kept = [
        node
        for node in own_nodes(function.node)
        if isinstance(node, cst.Assign) and isinstance(node.value, cst.Name) and node.value.value == owner.value
    ]
    return bool(made) and not kept and all(isinstance(value, cst.Call) for value in made)


def _is_of_new_part(unit: Unit, method: Function, node: cst.Attribute) -> bool:
    """Whether a part is asked for of a module that is made in a method and is nobody's part yet: `resnet.conv1`."""
    owner, values = node.value, unit.facts.values
    if values(node).kind is not Kind.MODULE or not isinstance(owner, cst.Name) or owner.value == method.self_name:
        return False
    if owner.value in method.parameter_names:
        return False
    made = [item.value for item in unit.facts.program.definitions.of(owner)]
    classes = unit.facts.effects.classes_of(values(owner))
    is_own = any(node.attr.value in item.field_nodes for each in classes for item in each.lineage)
    return is_own and bool(made) and all(isinstance(value, cst.Call) for value in made)


def _is_function_call(unit: Unit, call: cst.Call) -> bool:
    name = unit.facts.values.torch_name(call.func)
    return name is not None and unit.facts.target.is_function(unit.facts.tables, name)


_ASKING = frozenset("children named_children modules named_modules load_state_dict".split())
_OF_MODULES = frozenset("children named_children modules named_modules load_state_dict train eval apply to".split())


# the class itself


def _setup_with(unit: Unit, item: Class, init: Function) -> None:
    """`def __init__(self, *args)` -> `def setup_with(self, *args)`, which is given what the module was made with."""
    if any("__init__" in base.methods and not takes_arguments(unit, base) for base in item.lineage[1:]):
        reason = "the class that it derives from is made with arguments of its own"
        _refuse(unit, init.node.name, reason, f"{item.name}.__init__")
        return
    unit.edits.replace(init.node.name, always(cst.Name(str(unit.facts.target.setup_with))))
    _super_setup(unit, item, init, str(unit.facts.target.setup_with))


def _setup(unit: Unit, item: Class, init: Function) -> None:
    params = init.node.params
    own = [param for param in (*params.params, *params.kwonly_params) if param.name.value != init.self_name]
    lines = [_field(unit, init, param) for param in own]
    if lines:
        unit.edits.prologue(item.node.body, lambda rewrite: [build(rewrite) for build in lines])
    unit.edits.replace(init.node.name, always(cst.Name(str(unit.facts.target.setup))))
    only = [param for param in params.params if param.name.value == init.self_name]
    kept = only[0].with_changes(comma=cst.MaybeSentinel.DEFAULT) if only else cst.Param(cst.Name("self"))
    unit.edits.replace(params, always(cst.Parameters([kept])), override=True)
    _arguments(unit, item, init, {param.name.value for param in own})
    _super_setup(unit, item, init, str(unit.facts.target.setup))


def _field(unit: Unit, init: Function, param: cst.Param):  # type: ignore[no-untyped-def]
    """`dim=64` -> `dim: int = 64`."""
    kind = _kind(unit, init, param)

    def build(rewrite):  # type: ignore[no-untyped-def]
        note = rewrite.expression(param.annotation.annotation) if param.annotation is not None else quote(kind)
        if param.default is None:
            return quote_statement(f"{param.name.value}: {{note}}", note=note)
        default = rewrite.expression(param.default)
        return quote_statement(f"{param.name.value}: {{note}} = {{default}}", note=note, default=default)

    return build


_KINDS = {
    Kind.INT: "int", Kind.FLOAT: "float", Kind.BOOL: "bool", Kind.STR: "str", Kind.TUPLE: "tuple",
}  # fmt: skip


def _kind(unit: Unit, init: Function, param: cst.Param) -> str:
    """The annotation of a field, by what the argument is seen to be."""
    default = unit.facts.values(param.default) if param.default is not None else None
    value = init.seen.get(param.name.value)
    kinds = {_KINDS.get(item.kind) for item in (default, value) if item is not None and item.kind is not Kind.UNKNOWN}
    return str(kinds.pop()) if len(kinds) == 1 and None not in kinds else "Any"


def _arguments(unit: Unit, item: Class, init: Function, names: set[str]) -> None:
    """In `setup`, arguments are fields: `dim` -> `self.dim`; `self.dim = dim` says nothing then.

    Those whose fields get values of their own, or become parts behind others, are taken first: `dim = arguments(self, "dim")`.
    """
    index, body = unit.facts.program.index, init.node.body
    own = str(init.self_name)
    bound = {node.value for node in descendants(body) if isinstance(node, cst.Name) and _is_bound(index, node)} & names
    kept = names - bound
    taken = {name for name in names if _has_own_value(unit, item, name, kept) or _is_later_part(unit, init, name)}
    for name in sorted(bound - taken):
        unit.edits.prologue(body, always_statements([quote_statement(f"{name} = {own}.{name}")]))
    if taken:
        ordered = [name for name in init.parameter_names if name in taken]
        given = ", ".join(f'"{name}"' for name in ordered)
        text = str(unit.facts.target.taken_arguments).replace("{self}", own).replace("{names}", given)
        taking = quote_statement(f"{', '.join(ordered)} = {unit.spell(text)}")
        unit.edits.prologue(body, always_statements([taking]))
    for line in [node for node in descendants(body) if isinstance(node, cst.SimpleStatementLine)]:
        if (
            len(line.body) == 1
            and _keeps_argument(line.body[0], own, names - bound - taken)
            and line not in unit.edits.statements
        ):
            unit.settle(line)
            unit.edits.remove(line)
    for node in descendants(body):
        if isinstance(node, cst.Name) and node.value in names - bound - taken and not index.is_label(node):
            if node not in unit.edits.nodes:
                unit.edits.replace(node, always(quote(f"{own}.{node.value}")))


def _has_own_value(unit: Unit, item: Class, name: str, kept: set[str]) -> bool:
    """Whether the field by the name of an argument changes, or is given something else than the argument."""
    if any(name in part.state for part in item.lineage):
        return True
    for method in init_methods(item):
        for node in descendants(method.node.body):
            match node:
                case cst.Attribute(attr=cst.Name(field)) if field == name and dotted(node.value) == method.self_name:
                    parent = unit.facts.program.index.parents.get(node)
                    if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Element)):
                        line = unit.facts.program.index.statement_of(node)
                        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
                        if small is None or not _keeps_argument(small, str(method.self_name), {name} & kept):
                            return True
                case cst.Call(func=cst.Attribute(attr=cst.Name(called)), args=[first, *_]) if called in _REGISTERING:
                    if unit.facts.values(first.value).const == name:
                        return True
    return False


def _is_later_part(unit: Unit, init: Function, name: str) -> bool:
    """Whether an argument is a module that becomes a part under another name, or behind other parts: its place is theirs."""
    own, has_parts, is_kept, program = str(init.self_name), False, False, unit.facts.program
    for node in [node for node in program.index.every(cst.Assign) if program.function_around(node) is init]:
        value = unit.facts.values(node.value)
        if isinstance(node.value, cst.Name) and node.value.value == name and holds_arrays(value):
            if has_parts or not _keeps_argument(node, own, {name}):
                return True
            is_kept = True
        is_field = any(root_name(target.target) == own for target in node.targets)
        has_parts = has_parts or (
            is_field and holds_arrays(value) and not _keeps_argument(node, own, {*init.parameter_names})
        )
    seen = init.seen.get(name)
    return not is_kept and seen is not None and has_module(seen)


def _is_bound(index, node: cst.Name) -> bool:  # type: ignore[no-untyped-def]
    """Whether a name is given a value where it stands."""
    parent = index.parents[node]
    match parent:
        case cst.AssignTarget() | cst.AugAssign() | cst.AnnAssign() | cst.NamedExpr() | cst.Param():
            return getattr(parent, "target", None) is node or getattr(parent, "name", None) is node
        case cst.For() | cst.CompFor():
            return parent.target is node
        case cst.Element():
            around = index.parents[parent]
            while isinstance(around, (cst.Tuple, cst.List, cst.Element)):
                parent, around = around, index.parents[around]
            return isinstance(around, cst.AssignTarget) or getattr(around, "target", None) is parent
    return False


def _keeps_argument(small: cst.CSTNode, own: str, names: set[str]) -> bool:
    match small:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(owner), attr=cst.Name(field)))],
            value=cst.Name(name),
        ):
            return owner == own and field == name and name in names
    return False


def _super_setup(unit: Unit, item: Class, init: Function, name: str) -> None:
    """`super().__init__()` sets up what the class derives from, if that is a class of the program with something to set up."""
    has_more = any("__init__" in base.methods for base in item.lineage[1:])
    for node in own_nodes(init.node):
        if (
            not isinstance(node, cst.Call)
            or not code(node.func).startswith("super(")
            or not isinstance(node.func, cst.Attribute)
            or node.func.attr.value != "__init__"
        ):
            continue
        line = unit.facts.program.index.statement_of(node)
        if has_more:
            unit.edits.replace(node.func, always(quote(f"super().{name}")), override=True)
        elif isinstance(line, cst.SimpleStatementLine) and line not in unit.edits.statements:
            unit.settle(line)
            unit.edits.remove(line)


def rewrite_bound(unit: Unit) -> None:
    """`model = Net(8)` -> `model = bind(Net(8), key)`, where the module is nobody's part."""
    template, bound = unit.facts.target.bound, unit.facts.effects.bound
    if bound is None:
        return
    _copy_parts(unit, bound)
    _ask_classes(unit)
    _start_parts(unit)
    rewrite_measures(unit)
    _check_held(unit, bound)
    given: dict[tuple[Function | None, str], cst.CSTNode] = {}
    for call in [node for node in unit.facts.program.index.calls if node in bound.calls]:
        key = unit.plan.keys.get(call)
        if template is None or (call in unit.settled and call not in unit.edits.nodes):
            continue
        if key is None:
            unit.problem(call, "T2J400", name=code(call.func), place="this place")
            continue
        inner = (node for item in call.args for node in (item.value, *descendants(item.value)))
        is_list = unit.facts.values.torch_name(call.func) in _LISTS
        if is_list and any(isinstance(node, cst.Call) and makes_module(unit.facts.values, node) for node in inner):
            _refuse(unit, call, "a list of models is a module in a field of another one only", code(call.func))
            continue
        _check_given_models(unit, call, given)
        made, before = template.replace("{key}", key), unit.edits.nodes.get(call)

        def build(rewrite, call=call, made=made, before=before):  # type: ignore[no-untyped-def]
            inner = before(rewrite) if before is not None else rewrite.inside(call)
            return quote(unit.spell(made), module=as_expression(inner))

        unit.edits.replace(call, build, override=True)


def _ask_classes(unit: Unit) -> None:
    """`type(m) is Linear` -> `m.__class__ is Linear`: a model is bound to its variables, and says of what class the module is."""
    for call in unit.facts.program.index.calls:
        match call:
            case cst.Call(func=cst.Name("type"), args=[cst.Arg(value=asked, star="")]):
                if call in unit.edits.nodes or unit.facts.values(asked).kind not in (Kind.MODULE, Kind.UNKNOWN):
                    continue

                def build(rewrite, asked=asked):  # type: ignore[no-untyped-def]
                    return quote("{m}.__class__", m=rewrite.expression(asked))

                unit.edits.replace(call, build)


def _start_parts(unit: Unit) -> None:
    """`init(nn.Linear(3, 4), 0.1)` in `setup` -> `started(init, Linear(3, 4), 0.1)`: it is run where the layer has variables."""
    template = unit.facts.target.started
    methods = [(item, method) for item in unit.facts.program.classes.values() for method in init_methods(item)]
    for item, method in methods if template is not None else ():
        is_own = method.owner is item and item.is_module
        for call in started_parts(unit, item, method) if is_own else ():
            before, draws = unit.edits.nodes.get(call), unit.plan.keys.get(call) is not None

            def build(rewrite, call=call, before=before, method=method, draws=draws):  # type: ignore[no-untyped-def]
                made = cst.ensure_type(before(rewrite) if before is not None else rewrite.inside(call), cst.Call)
                keys = str(unit.facts.target.started_key).replace("{self}", str(method.self_name))
                given = [item for item in made.args if not (draws and item.keyword and item.keyword.value == "key")]
                more = [cst.ensure_type(quote(f"f({keys})"), cst.Call).args[0]] if draws else []
                return made.with_changes(func=cst.Name(str(template)), args=[cst.Arg(made.func), *given, *more])

            unit.edits.replace(call, build, override=True)


_OVER_PARTS = frozenset({"children", "get_submodule", "modules", "named_children", "named_modules"})


def _check_given_models(unit: Unit, call: cst.Call, given: dict[tuple[Function | None, str], cst.CSTNode]) -> None:
    """A model becomes a part of one other model; a part of a model stays where it is."""
    values, index = unit.facts.values, unit.facts.program.index
    for argument in call.args:
        node = argument.value
        value = values(node)
        if value.kind is not Kind.MODULE or _is_function_value(unit, value):
            continue
        if _is_part_of_model(unit, node):
            _refuse(unit, node, "a part of a model would be a part of another one, too")
        calls = _calls_giving(unit, node) if isinstance(node, cst.Name) else []
        for around, named in ((call, node), *calls):
            if (name := dotted(named)) is not None:
                other = given.setdefault((unit.facts.program.function_around(around), name), around)
                if other is not around and not index.are_exclusive(other, around):
                    _refuse(unit, named, "a model would be a part of two others")


def _is_part_of_model(unit: Unit, node: cst.BaseExpression, depth: int = 3) -> bool:
    """Whether a module is a part of another one: `net.fc`, `getattr(net, "fc")`, or what a loop over such parts gives a variable."""
    values, definitions = unit.facts.values, unit.facts.program.definitions
    owner = node
    while isinstance(owner, (cst.Attribute, cst.Subscript)):
        owner = owner.value
        if values(owner).kind is Kind.MODULE:
            return True
    match owner:
        case cst.Call(func=cst.Name("getattr"), args=[cst.Arg(value=whole), *_]):
            return values(whole).kind is Kind.MODULE
        case cst.Call(func=cst.Attribute(value=whole, attr=cst.Name(method))) if method in _OVER_PARTS:
            return values(whole).kind is Kind.MODULE
        case cst.Name() if owner in unit.facts.program.index.parents:
            made = [item.value for item in definitions.of(owner) if item.value is not None and item.value is not node]
            made += [part.value for item in made if isinstance(item, (cst.List, cst.Tuple)) for part in item.elements]
            made += _given_for(unit, owner) if depth else []
            kinds = (cst.Call, cst.Attribute)
            return any(isinstance(item, kinds) and _is_part_of_model(unit, item, depth - 1) for item in made)
    return False


def _given_for(unit: Unit, name: cst.Name) -> list[cst.BaseExpression]:
    """What calls in the file give a function, and not a module, for one of its parameters that it binds to nothing else."""
    return [given for _, given in _calls_giving(unit, name)]


def _calls_giving(unit: Unit, name: cst.Name) -> list[tuple[cst.Call, cst.BaseExpression]]:
    """The calls in the file of a function, and not of a module, with what they give for such a parameter."""
    function, bound = unit.facts.program.function_around(name), unit.facts.program.definitions.bound_once(name)
    if (
        function is None
        or bound is None
        or bound.how is not How.PARAMETER
        or (function.owner and function.owner.is_module)
    ):
        return []
    calls = [call for call in function.callers if isinstance(call, cst.Call)]
    given = ((call, dict(arguments_by_parameter(function, call, unit.facts.values)).get(name.value)) for call in calls)
    return [(call, item) for call, item in given if item is not None]


def _copy_parts(unit: Unit, bound: Bindings) -> None:
    """`copy.deepcopy(block)` -> `copied_part(block)`: a part of its own that starts with the values of the other one."""
    for call in unit.facts.program.index.calls:
        if unit.facts.values(call.func).const in ("copy.deepcopy", "copy.copy") and call.args:
            given = unit.facts.values(call.args[0].value)
            is_module = has_module(given) or given.kind is Kind.UNKNOWN
            if not is_module or not bound.is_inside(unit.facts.program, call):
                continue
            is_deep = unit.facts.values(call.func).const == "copy.deepcopy" and len(call.args) == 1
            if not is_deep or not _runs_in_setup(unit, call):
                _refuse(unit, call, "a copy of a part would have no variables of its own")
            elif call not in unit.edits.nodes:
                unit.edits.replace(
                    call.func, always(quote(unit.spell(str(unit.facts.target.copied_part)))), override=True
                )


def _runs_in_setup(unit: Unit, call: cst.Call) -> bool:
    """Whether a call that runs inside of modules does so only while they are made."""
    method = method_around(unit.facts.program, call)
    return method is None or (method.owner is not None and method in init_methods(method.owner))


_OF_BATCHES = frozenset(f"torch.nn.{name}" for name in ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d"))


def _is_setting(unit: Unit, place: cst.Attribute) -> bool:
    """Whether a number or text is set where a model has one: a field of a class of the program, how often a layer drops, or how
    statistics of batches are used; or the place of a part gets a layer that has no variables and is called as a function.
    """
    values, owner, name = unit.facts.values, unit.facts.values(place.value), place.attr.value
    given = _given_to(unit, place)
    if given is None or not owner.types:
        return False
    if isinstance(given, cst.Call) and _is_function_call(unit, given):
        return True
    if isinstance(given, cst.Call) and values.torch_name(given.func) == "torch.nn.Identity":
        return True
    if values(given).kind not in _PLAIN:
        return False
    layers = [unit.facts.tables.layers[item] for item in owner.types if item in unit.facts.tables.layers]
    known = layers or unit.facts.effects.classes_of(owner)
    drops = all(name == "p" and any(item.startswith("rng") for item in spec.effects) for spec in layers)
    averages = name in ("eps", "momentum") and owner.types <= _OF_BATCHES
    return (
        bool(known) and (drops or averages) and not has_module(values(place)) and values(place).kind is not Kind.TENSOR
    )


def _is_new_part(unit: Unit, bound: Bindings, place: cst.Attribute | cst.Subscript) -> bool:
    """Whether the place of a part gets a model that nothing else has (`model.fc = nn.Linear(8, 2)`, `model.body[0] = nn.ReLU()`),
    and nothing keeps the old one.
    """
    program = unit.facts.program
    parts = [node for node in program.index.every(type(place)) if has_module(unit.facts.values(node))]
    kept = [node for node in parts if isinstance(program.index.parents[node], (cst.Assign, cst.Element, cst.Return))]
    is_read = any(_field_of(node) == _field_of(place) for node in kept)
    return _is_new_model(unit, bound, _given_to(unit, place)) and not is_read


def _is_new_model(unit: Unit, bound: Bindings, given: cst.BaseExpression | None) -> bool:
    """Whether a value is a model that nothing else has."""
    program, made = unit.facts.program, [given]
    if isinstance(given, cst.Name):
        made = [item.value if item.how is How.ASSIGNED else None for item in program.definitions.of(given)]
        uses = [node for item in program.definitions.of(given) for node in program.definitions.uses(item)]
        around = [(program.index.parents[node], program.index.parents[program.index.parents[node]]) for node in uses]
        if sum(isinstance(inner, (cst.Assign, cst.Element)) or call in bound.calls for inner, call in around) > 1:
            return False
    return bool(made) and all(item in bound.calls for item in made)


def _field_of(node: cst.BaseExpression) -> str | None:
    """The name of the field that is read, or of whose value an item is read."""
    while isinstance(node, cst.Subscript):
        node = node.value
    return node.attr.value if isinstance(node, cst.Attribute) else None


def _given_to(unit: Unit, place: cst.BaseExpression) -> cst.BaseExpression | None:
    """What an assignment gives to a place, alone or beside others."""
    parents = unit.facts.program.index.parents
    statement = next((node for node in unit.facts.program.index.ancestors(place) if isinstance(node, cst.Assign)), None)
    if statement is None or not isinstance(parents[place], (cst.AssignTarget, cst.Element)):
        return None
    pairs = [pair for item in statement.targets for pair in assigned_pairs(item.target, statement.value)]
    return next((value for target, value in pairs if target is place), None)


def _check_held(unit: Unit, bound: Bindings) -> None:
    """Lists and dicts that modules hold stay as they are made, also for code around them."""
    index, values = unit.facts.program.index, unit.facts.values

    def is_held(node: cst.BaseExpression) -> bool:
        is_field = isinstance(node, cst.Attribute) and values(node.value).kind is Kind.MODULE
        return is_field and values(node).kind in (Kind.LIST, Kind.DICT)

    def is_set_anew(statement: cst.CSTNode | None) -> bool:
        function = unit.facts.program.function_around(statement) if statement is not None else None
        return statement in unit.edits.nodes and function is not None and _makes_parts(function)

    for node in index.every(cst.Subscript):
        parent = index.parents[node]
        stored = isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Del))
        if is_set_anew(index.parents.get(parent)):
            continue
        if stored and (is_held(_container(node)) or _takes_no_part(unit, bound, node)):
            _refuse(unit, node, "what a module holds stays as it was made")
    for change in _changed_otherwise(unit, bound):
        _refuse(unit, change, "what a module holds stays as it was made")
    for change in unseen_changes(unit):
        _refuse(unit, change, "lists and dicts that a module is given are copied there", _stored(change))
    for change in changed_sources(unit):
        _refuse(
            unit,
            change,
            "`setup` reads this whenever the module is used, and would find the new value",
            _stored(change),
        )
    for change, field in lost_changes(unit):
        if not is_held(field) or not _is_told_as_held(change, field):
            _refuse(unit, change, "what a module holds stays as it was made", _stored(change))
    for maker in bound.inside:
        _check_maker(unit, maker)
    for call in index.calls:
        function = call.func
        if not isinstance(function, cst.Attribute):
            continue
        around = unit.facts.program.function_around(call)
        is_own = around is not None and (around.outer is not None or dotted(function.value) == around.self_name)
        if function.attr.value == "register_buffer" and values(function.value).kind is Kind.MODULE and not is_own:
            _refuse(unit, call, "what a module holds stays as it was made")
        is_growing = function.attr.value in _GROWING and is_held(function.value)
        if is_growing and not is_set_anew(index.parents[call]):
            _refuse(unit, call, "what a module holds stays as it was made")
        is_container = not values(function.value).types.isdisjoint(("torch.nn.ModuleList", "torch.nn.ModuleDict"))
        is_inside = bound.is_inside(unit.facts.program, call)
        is_outside = not is_inside and _is_held_container(unit, function.value)
        if (
            is_container
            and function.attr.value in _OF_MODULES
            and not (is_outside and function.attr.value != "load_state_dict")
            and not (is_inside and function.attr.value == "apply")
        ):
            _refuse(unit, call, "a list or dict of parts is no module there")
    for target in index.every(cst.AssignTarget):
        places = target.target.elements if isinstance(target.target, cst.Tuple) else [cst.Element(target.target)]
        for place in [item.value for item in places if isinstance(item.value, cst.Attribute)]:
            is_outside = values(place.value).kind is Kind.MODULE and not bound.is_inside(unit.facts.program, target)
            given = _given_to(unit, place)
            is_array = values(place).kind is Kind.TENSOR and (given is None or values(given).kind is not Kind.NONE)
            is_array = is_array and not _is_made_plain(unit, place)
            is_tuple = values(place).kind is Kind.TUPLE and is_state(unit.facts.program, values, place)
            known = is_array or is_tuple or place.attr.value in _SET_ANYWHERE
            if (is_outside and not known and not _is_setting(unit, place) and not _is_new_part(unit, bound, place)) or (
                place.attr.value not in _SET_ANYWHERE
                and (_changes_listed(unit, bound, place) or _sets_option(unit, bound, place))
            ):
                _refuse(unit, place, "what a module holds stays as it was made")


def _container(place: cst.Subscript) -> cst.BaseExpression:
    """What an entry lies in, if only in a list or dict of that."""
    held = place.value
    while isinstance(held, cst.Subscript):
        held = held.value
    return held


def _is_told_as_held(change: cst.CSTNode, field: cst.Attribute) -> bool:
    """Whether a change is one of a list or dict itself that is looked for among the stores and calls."""
    match change:
        case cst.AssignTarget() | cst.AugAssign() | cst.Del():
            return isinstance(change.target, cst.Subscript) and _container(change.target) is field
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(name))):
            return owner is field and name in _GROWING
    return False


def _changes_listed(unit: Unit, bound: Bindings, place: cst.Attribute) -> bool:
    """Whether one of `model.modules()`, of whatever class, is given more than a number or a text, or anything while it runs; or
    a method gives a part of its module a setting: `self.block.mode = mode`.
    """
    values, given = unit.facts.values, _given_to(unit, place)
    is_inside = bound.is_inside(unit.facts.program, place)
    if LISTED_MODULE in values(place.value).types:
        return is_inside or given is None or values(given).kind not in _PLAIN
    function = unit.facts.program.function_around(place)
    owner = function.owner if function is not None else None
    if function is None or owner is None or not is_inside or function in init_methods(owner):
        return False
    is_setting = given is not None and values(given).kind is not Kind.TENSOR and values(place).kind is not Kind.TENSOR
    is_part = values(place.value).kind is Kind.MODULE and dotted(place.value) != function.self_name
    return is_part and is_setting and place not in unit.facts.effects.module_state.writes


def _sets_option(unit: Unit, bound: Bindings, place: cst.Attribute) -> bool:
    """Whether code that makes modules sets an option of a layer of torch: `self.conv.stride = (1, 1)`, or `m.p = 0.1` in a loop."""
    values, given, name = unit.facts.values, _given_to(unit, place), place.attr.value
    layers = [unit.facts.tables.layers.get(item) for item in values(place.value).types]
    known = bool(layers) and all(layer is not None and name in parse_signature(layer.signature) for layer in layers)
    if given is None or not known or not bound.is_inside(unit.facts.program, place):
        return False
    is_told = values(given).kind in _PLAIN and not isinstance(place.value, cst.Name)  # among what `setup` sets
    return not is_told and values(given).kind in (*_PLAIN, Kind.TUPLE, Kind.LIST)


def _is_made_plain(unit: Unit, place: cst.Attribute) -> bool:
    """Whether a constructor gives a field something of which it is not known that it is a tensor: it is no variable there."""
    values, name = unit.facts.values, place.attr.value
    for item in unit.facts.effects.classes_of(values(place.value)):
        for part in item.lineage:
            maker = part.methods.get("__init__")
            if maker is None or name in part.state:
                continue
            for line in descendants(maker.node.body, cst.Assign):
                own = [target.target for target in line.targets]
                if any(dotted(target) == f"{maker.self_name}.{name}" for target in own):
                    if values(line.value).kind in (Kind.UNKNOWN, Kind.NONE):
                        return True
    return False


def _takes_no_part(unit: Unit, bound: Bindings, place: cst.Subscript) -> bool:
    """Whether a place in a list, a dict or a sequence of a finished model gets something else than a new part, or is deleted."""
    if bound.is_inside(unit.facts.program, place) or not _is_held_container(unit, place.value):
        return False
    given = _given_to(unit, place)
    is_function = isinstance(given, cst.Call) and _is_function_call(unit, given)
    return not is_function and not _is_new_part(unit, bound, place)


def _changed_otherwise(unit: Unit, bound: Bindings) -> Iterator[cst.CSTNode]:
    """Where a finished model loses parts, or those of a list, a dict or a sequence in it become others than one by one."""
    program, values = unit.facts.program, unit.facts.values
    for node in program.index.every(cst.Del):
        is_part = isinstance(node.target, cst.Attribute) and values(node.target.value).kind is Kind.MODULE
        if is_part and not bound.is_inside(program, node):
            yield node
    for item in program.index.every(cst.AugAssign):
        is_field = isinstance(item.target, cst.Attribute) and values(item.target.value).kind is Kind.MODULE
        grows = has_module(values(item.value)) or values(item.value).kind in (Kind.LIST, Kind.DICT)
        if is_field and grows and not bound.is_inside(program, item):
            yield item
    for call in program.index.calls:
        match call.func:
            case cst.Name("delattr") if call.args and values(call.args[0].value).kind is Kind.MODULE:
                if not bound.is_inside(program, call):
                    yield call
            case cst.Attribute(value=cst.Attribute() as owner, attr=cst.Name(name)) if name in _CHANGING:
                is_list = name == "append" and values(owner).types == {"torch.nn.ModuleList"}
                grows = is_list and len(call.args) == 1 and _is_new_model(unit, bound, call.args[0].value)
                if _is_held_container(unit, owner) and not grows and not bound.is_inside(program, call):
                    yield call


def _is_held_container(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether this is a list, a dict or a sequence of parts in a field of a module."""
    values = unit.facts.values
    is_field = isinstance(node, cst.Attribute) and values(node.value).kind is Kind.MODULE
    return is_field and values(node).kind is Kind.MODULE and not values(node).types.isdisjoint(_CONTAINERS)


def _is_function_value(unit: Unit, value: Value) -> bool:
    names = [name for name in value.types if unit.facts.target.is_function(unit.facts.tables, name)]
    return bool(value.types) and len(names) == len(value.types)


__all__ = ["rewrite_bound", "rewrite_setup", "variable_name"]

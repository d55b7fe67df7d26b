"""Loops that give the parameters of a module other values: averages of models, weight clipping, initialisation, plain descent.

for p, q in zip(ema.parameters(), model.parameters()):
    p.mul_(decay).add_(q, alpha=1 - decay)

What the loop changes is found here; the body becomes a function of one parameter (and of what stands beside it). Loops over
modules are of the kind, also those that exchange them: `setattr(model, name, Wrapper(part))`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

import libcst as cst

from torch2jax.facts.changed_parts import changes_part, sets_mode
from torch2jax.facts.gradient_reads import gradient_change
from torch2jax.facts.infer import Values
from torch2jax.facts.training import Flows
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import Function, Program, dotted
from torch2jax.program.statements import reads_and_writes
from torch2jax.records import dataclass
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind

_METHODS = frozenset({"parameters", "named_parameters"})
_MODULES = frozenset({"modules", "named_modules"})
_PARTS = frozenset({"children", "named_children"})
_OPEN = (Kind.MODULE, Kind.TENSOR, Kind.PARAMETERS, Kind.FUNCTION, Kind.UNKNOWN)
_LISTS = (Kind.LIST, Kind.TUPLE, Kind.PARAMETERS)
_STORES = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)
_MARKS = frozenset({"requires_grad_", "retain_grad_", "share_memory_"})


@dataclass(frozen=True, slots=True, eq=False)
class ParameterLoop:
    """A loop that changes the parameters at `place`, each as the variable `changed`; `name` holds its name, `others` are the
    other variables with the modules or lists that they run through. With `of_modules` it runs through the module at `place` and
    all modules below it, or with `of_parts` through its direct parts, and changes their parameters and options, or exchanges them.
    With `of_gradients` it changes the gradients of the parameters.
    """

    loop: cst.For
    function: Function | None
    place: str
    changed: str
    name: str | None = None
    others: tuple[tuple[str, cst.BaseExpression], ...] = ()
    of_modules: bool = False
    of_parts: bool = False
    carried: tuple[str, ...] = ()  # other variables that go from round to round: counters, sums
    exchanges: tuple[
        cst.Call, ...
    ] = ()  # `setattr(model, name, layer)`: the module gets another part for the one of this round
    of_gradients: bool = False

    @property
    def is_own(self) -> bool:
        """Whether a module changes its own parameters."""
        return not self.of_gradients and self.function is not None and self.place == self.function.self_name


@dataclass(frozen=True, slots=True)
class _Column:
    """A variable of a loop and what it runs through: a module's parameters, their names beside, or a list of tensors."""

    variable: str
    source: cst.BaseExpression
    is_module: bool
    name: str | None = None


def find_parameter_loops(program: Program, values: Values, flows: Flows) -> Iterator[ParameterLoop]:
    """Every loop over parameters that changes those of one module, and nothing else that the code behind it could see."""
    for node in program.index.every(cst.For):
        if node.orelse is not None or node.asynchronous is not None:
            continue
        if runs_over_modules(node.iter, values):
            found = _module_loop(node, program, values, flows)
            if found is not None:
                yield found
            continue
        columns = _columns(node.target, node.iter, values)
        if not any(column.is_module for column in columns):
            continue
        found = _loop(node, columns, program, values, flows)
        if found is not None:
            yield found


def _columns(target: cst.BaseExpression, iterable: cst.BaseExpression, values: Values) -> list[_Column]:
    """The variables of a loop; none if it has another form."""
    match iterable:
        case cst.Call(func=cst.Name("zip"), args=args) if isinstance(target, cst.Tuple):
            if len(args) != len(target.elements) or any(item.star or item.keyword for item in args):
                return []
            pairs = zip(target.elements, args, strict=True)
            found = [_columns(element.value, item.value, values) for element, item in pairs]
            return [column for part in found for column in part] if all(found) else []
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner, star="", keyword=None), *start]):
            return _numbered(target, inner, start, values)
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner, star="", keyword=None)]):
            return _columns(target, inner, values)
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method)), args=[]) if method in _METHODS:
            if dotted(module) is None or values(module).kind is not Kind.MODULE:
                return []
            if method == "parameters" and isinstance(target, cst.Name):
                return [_Column(target.value, module, True)]
            match target:
                case cst.Tuple(elements=[cst.Element(value=cst.Name(name)), cst.Element(value=cst.Name(variable))]):
                    return [_Column(variable, module, True, name)] if method == "named_parameters" else []
            return []
    value = values(iterable)
    if isinstance(target, cst.Name) and value.kind in _LISTS and dotted(iterable) is not None:
        return [_Column(target.value, iterable, False)]
    return []


def _numbered(
    target: cst.BaseExpression, inner: cst.BaseExpression, start: Sequence[cst.Arg], values: Values
) -> list[_Column]:
    """The variables of a loop over `enumerate(inner, start)`: the first one counts."""
    match target:
        case cst.Tuple(elements=[cst.Element(value=cst.Name(number)), cst.Element(value=rest)]):
            columns = _columns(rest, inner, values)
            plain = all(item.star == "" and _is_plain_number(item.value, values) for item in start)
            count = quote("itertools.count({*start})", start=[item.value for item in start])
            return [*columns, _Column(number, count, False)] if columns and plain else []
    return []


def _is_plain_number(node: cst.BaseExpression, values: Values) -> bool:
    """Whether an expression is a whole number that it computes of literals and variables alone."""
    parts = (cst.Integer, cst.Name, cst.BinaryOperation, cst.BaseBinaryOp, cst.BaseParenthesizableWhitespace)
    return values(node).kind is Kind.INT and all(isinstance(part, parts) for part in (node, *descendants(node)))


def runs_over_modules(iterated: cst.BaseExpression, values: Values) -> bool:
    """Whether a loop goes over `model.modules()`, `model.named_children()` and their like."""
    match iterated:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method)), args=[]):
            return method in _MODULES | _PARTS and dotted(module) is not None and values(module).kind is Kind.MODULE
    return False


def _module_loop(node: cst.For, program: Program, values: Values, flows: Flows) -> ParameterLoop | None:
    match node.iter, node.target:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("modules" | "children" as method))), cst.Name(
            part
        ):
            name = None
        case (
            cst.Call(func=cst.Attribute(value=module, attr=cst.Name("named_modules" | "named_children" as method))),
            cst.Tuple(elements=[cst.Element(value=cst.Name(name)), cst.Element(value=cst.Name(part))]),
        ) if name != part:
            pass
        case _:
            return None
    place, function = str(dotted(module)), program.function_around(node)
    is_listing = method == "named_children" and name is not None
    exchanges = tuple(_exchanges(node, place, str(name))) if is_listing else tuple[cst.Call, ...]()
    if not exchanges and not changes_part(program, values, node.body, part) and not sets_mode(values, node.body, part):
        return None
    names = [part] if name in (None, "_") else [part, name]
    carried = _carried(node, names, function, flows)
    told = {item for call in exchanges for item in (call.args[0].value, *descendants(call.args[0].value))}
    if not _can_be_a_function(node, names, carried, place, function, program, values, flows, [part], told):
        return None
    if any(_is_read_behind(node, call, part) for call in exchanges):
        return None
    return ParameterLoop(node, function, place, part, name, (), True, method in _PARTS, carried, exchanges)


def _exchanges(node: cst.For, place: str, name: str) -> Iterator[cst.Call]:
    """The statements `setattr(model, name, layer)` in a loop over the parts of a model and their names."""
    for line in descendants(node.body, cst.Expr):
        call = line.value
        if isinstance(call, cst.Call) and dotted(call.func) == "setattr" and len(call.args) == 3:
            if [dotted(item.value) for item in call.args[:2]] == [place, name]:
                yield call


def _is_read_behind(loop: cst.For, call: cst.Call, part: str) -> bool:
    """Whether the body of a loop may go on to the part that a call has exchanged, which is the new one in a variable."""
    block: cst.CSTNode = loop.body
    while True:
        lines = list(children(block))
        place = next((index for index, line in enumerate(lines) if call in descendants(line)), None)
        if place is None:
            return False
        is_other_way = isinstance(block, cst.If)  # its test has been asked, and of the two blocks one runs
        if not is_other_way and any(part in names_in(line) for line in lines[place + 1 :]):
            return True
        block = lines[place]


def _loop(
    node: cst.For, columns: Sequence[_Column], program: Program, values: Values, flows: Flows
) -> ParameterLoop | None:
    changed = [column for column in columns if changes_tensor(node.body, column.variable, values)]
    of_gradients = gradient_change(node)
    if of_gradients is not None and not changed:
        changed = [column for column in columns if column.variable == of_gradients.variable]
    elif of_gradients is not None:
        return None
    if len(changed) != 1 or not changed[0].is_module:
        return None
    (own,) = changed
    names = [name for column in columns for name in (column.variable, column.name) if name is not None and name != "_"]
    place, function = str(dotted(own.source)), program.function_around(node)
    carried = _carried(node, names, function, flows)
    kept = [name for name in (own.variable, own.name) if name is not None]
    if len(set(names)) < len(names) or not _can_be_a_function(
        node, names, carried, place, function, program, values, flows, kept
    ):
        return None
    others = tuple((column.variable, column.source) for column in columns if column is not own)
    told = {column.name for column in columns if column is not own} - {None, "_"}
    if any(name in names_in(node.body) for name in told):
        return None
    if of_gradients is not None:
        others = ((own.variable, own.source), *others)
        return ParameterLoop(
            node, function, place, of_gradients.held, own.name, others, carried=carried, of_gradients=True
        )
    return ParameterLoop(node, function, place, own.variable, own.name, others, carried=carried)


def _can_be_a_function(
    node: cst.For,
    names: Sequence[str],
    carried: Sequence[str],
    place: str,
    function: Function | None,
    program: Program,
    values: Values,
    flows: Flows,
    kept: Sequence[str] | None = None,
    told: Container[cst.CSTNode] = (),
) -> bool:
    """Whether the body binds nothing that is read elsewhere but what it carries along, none of the variables of the loop (or of
    those to be `kept`), and does not look at the module as a whole, but in places of which it is `told`.
    """
    live = flows.liveness(function).after_statement(node)
    bound = _bound(node)
    if any("." in name for name in carried) or (bound.difference(carried) | set(names)) & live:
        return False
    own = function.self_name if function is not None else None
    labels = {id(label) for item in descendants(node.body) for label in _labels(item)}
    for item in descendants(node.body):
        if id(item) in labels or item in told:
            continue
        if isinstance(item, (cst.Break, cst.Return, cst.Yield, cst.Await, cst.Global, cst.Nonlocal)):
            return False
        if isinstance(item, (cst.Name, cst.Attribute)):
            text = dotted(item)
            if text == place and place != own:
                return False
            if place == own and text is not None and text.startswith(f"{own}.") and text.count(".") == 1:
                if values(item).kind in _OPEN and not _is_called_on_parts(program, values, item, frozenset()):
                    return False
        if isinstance(item, (cst.AssignTarget, cst.AugAssign)) and _is_named(item.target, kept or names):
            if isinstance(item, cst.AssignTarget):
                return False  # from here on the variable is another tensor
    return True


def _is_called_on_parts(
    program: Program, values: Values, node: cst.Name | cst.Attribute, seen: frozenset[Function]
) -> bool:
    """Whether `self.fill` is called, as a method that asks its own module for nothing but plain fields and such methods."""
    call = program.index.parents.get(node)
    callees = values.callees.get(call, ()) if isinstance(call, cst.Call) and call.func is node else ()
    return bool(callees) and all(
        item in seen or _asks_for_plain_fields(program, values, item, seen | {item}) for item in callees
    )


def _asks_for_plain_fields(program: Program, values: Values, method: Function, seen: frozenset[Function]) -> bool:
    named = [item for item in descendants(method.node.body, cst.Name) if item.value == method.self_name]
    if method.owner is None or (named and method.node not in program.functions):
        return False
    for item in named:
        if program.index.is_label(item):
            continue
        field = program.index.parents[item]
        if not isinstance(field, cst.Attribute) or isinstance(program.index.parents[field], _STORES):
            return False
        if values(field).kind in _OPEN and not _is_called_on_parts(program, values, field, seen):
            return False
    return True


def _labels(node: cst.CSTNode) -> tuple[cst.Name | None, ...]:
    """The names in a node that stand for no variable."""
    match node:
        case cst.Attribute(attr=label) | cst.Arg(keyword=label):
            return (label,)
    return ()


def _bound(node: cst.For) -> set[str]:
    return {name for statement in node.body.body for name in reads_and_writes(statement)[1]}


def _carried(node: cst.For, names: Sequence[str], function: Function | None, flows: Flows) -> tuple[str, ...]:
    """The variables that the body reads as an earlier round, or what stands before the loop, has left them, and binds again."""
    liveness, first = flows.liveness(function), node.body.body[0]
    before = liveness.before_statement(first) if isinstance(first, cst.BaseStatement) else liveness.before(first)
    return tuple(sorted(_bound(node) & before - set(names)))


def _is_named(node: cst.CSTNode, names: Sequence[str]) -> bool:
    return isinstance(node, cst.Name) and node.value in names


def root_of_tensor(node: cst.CSTNode) -> str | None:
    """`p` in `p.data[0]` and in `p.mul_(2).add_(1)`: the variable whose values such an expression holds."""
    match node:
        case cst.Name(value=name):
            return name
        case cst.Attribute(value=inner, attr=cst.Name("data")):
            return root_of_tensor(inner)
        case cst.Subscript(value=inner):
            return root_of_tensor(inner)
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(method))):
            return root_of_tensor(inner) if is_inplace_name(method) or method == "detach" else None
    return None


def _root_object(node: cst.CSTNode) -> str | None:
    """`m` in `m.weight.data[0]` and in `m.weight.mul_(2)`; None for `m` itself, which is no tensor."""
    inner = getattr(node, "value", None) if isinstance(node, (cst.Attribute, cst.Subscript)) else None
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return _root_object(node.func.value) if is_inplace_name(node.func.attr.value) else None
    if isinstance(inner, cst.Name):
        return inner.value
    return _root_object(inner) if inner is not None else None


def changes_tensor(body: cst.CSTNode, variable: str, values: Values, of_module: bool = False) -> bool:
    """Whether a block changes the values of the tensor, or of a parameter of the module, in a variable."""
    root_variable = _root_object if of_module else root_of_tensor
    for node in descendants(body):
        match node:
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(method))):
                name = values.torch_name(node.func)
                if name is None and is_inplace_name(method) and method not in _MARKS:
                    if root_variable(inner) == variable:
                        return True
                first = node.args[0].value if node.args else None
                if name is not None and first is not None and root_variable(first) == variable:
                    if name.startswith("torch.nn.init.") or is_inplace_name(name.rpartition(".")[2]):
                        return True
            case cst.Call() if node.args:
                name = values.torch_name(node.func) or ""
                if name.startswith("torch.nn.init.") and root_variable(node.args[0].value) == variable:
                    return True
            case cst.AugAssign(target=target) if root_variable(target) == variable:
                return True
            case cst.AssignTarget(target=cst.Attribute() | cst.Subscript() as target):
                if root_variable(target) == variable:
                    return True
    return False


__all__ = ["ParameterLoop", "changes_tensor", "find_parameter_loops", "root_of_tensor", "runs_over_modules"]

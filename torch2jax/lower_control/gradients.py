"""torch.autograd.grad(outputs, inputs): the statements between become a local function, which jax.vjp differentiates.

u = net(x)                                               ->   u, u_vjp = jax.vjp(lambda x: net(x), x)
u_x = torch.autograd.grad(u, x, torch.ones_like(u))[0]        u_x = u_vjp(torch.ones_like(u))[0]

Behind an outer block that has computed what the outputs depend on, the gradient of that is taken first:

for i in range(3):                                            for i in range(3):
    u_x = torch.autograd.grad(u[i], x)[0]                         u_x = u_vjp(torch.autograd.grad(u[i], u)[0])[0]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set

import libcst as cst

from torch2jax.facts.mutations import changes_values, filled_arguments
from torch2jax.lower_control.module_gradients import (
    InField,
    Modules,
    are_asked_once,
    asked_modules,
    changes_modules,
    check_given,
    check_in_sight,
    gradients_of,
    listing_line,
    name_module,
)
from torch2jax.normalize.gradient_helpers import GRAD
from torch2jax.normalize.rounds import CannotNormalize, NormalizationRound
from torch2jax.ops.python import changes_container
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.definitions import Definition, How
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import bound_in, read_before_bound
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import quote, quote_statement, quote_statements
from torch2jax.syntax.walk import children, descendants
from torch2jax.values import Kind

_ORDER = ("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph", "only_inputs", "allow_unused",
          "is_grads_batched", "materialize_grads")  # fmt: skip
_WITHOUT_GRADIENT = re.compile(
    r".*_like$|^(size|detach|item|dim|numel|argmax|argmin|tolist|numpy|rand|randn|len|range)$"
)
_MODULES = re.compile(r"(torch|nn|init|functional|[A-Z]\w*)\b")  # whose functions fill what they are given
_NO_VALUE = {"shape", "dtype", "device", "ndim", "data"}
_LEAVING = (
    cst.Return,
    cst.Yield,
    cst.Break,
    cst.Continue,
    cst.Global,
    cst.Nonlocal,
    cst.Del,
    cst.Import,
    cst.ImportFrom,
)
_SAFE_KINDS = {Kind.MODULE, Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE, Kind.FUNCTION, Kind.CLASS, Kind.TORCH,
               Kind.DEVICE, Kind.DTYPE, Kind.SIZE, Kind.OPTIMIZER, Kind.GENERATOR, Kind.LOADER, Kind.DATASET}  # fmt: skip


def normalize_gradients(work: NormalizationRound) -> None:
    """Normalize the first call of each block that can be; the others are problems."""
    blocks: set[cst.CSTNode] = set()
    for call in work.index.calls:
        if work.values.torch_name(call.func) != GRAD:
            continue
        function = work.index.function_of(call) or work.index.module
        if function in blocks or any(work.index.function_of(item) for item in blocks if item in _around(work, call)):
            continue
        try:
            try:
                _normalize(work, call)
            except InField as found:
                name_module(work, call, found.place)
            blocks.add(function)
        except CannotNormalize as reason:
            work.refuse(call, GRAD, str(reason))


def _around(work: NormalizationRound, node: cst.CSTNode) -> set[cst.CSTNode]:
    return set(work.index.ancestors(node))


@dataclass(frozen=True, slots=True)
class _Arguments:
    """What one call asks for: the value to differentiate, the names of what it depends on, and the gradient to start from."""

    output: cst.BaseExpression
    inputs: list[str]
    packed: bool
    of_values: bool
    start: cst.BaseExpression | None
    differentiable: bool
    modules: Modules | None = None  # whose parameters they are


def _normalize(work: NormalizationRound, call: cst.Call) -> None:
    asked = _arguments(work, call)
    line = work.index.statement_of(call)
    for ancestor in work.index.ancestors(call):
        if ancestor is line:
            break
        if isinstance(ancestor, (cst.Lambda, cst.ListComp, cst.GeneratorExp, cst.DictComp, cst.SetComp)):
            if not isinstance(ancestor, cst.Lambda) and _is_gone_through(ancestor.for_in, call):
                continue  # evaluated once, before it
            raise CannotNormalize("it stands in a lambda or a comprehension")
    if not isinstance(line, cst.SimpleStatementLine):
        raise CannotNormalize("it stands in the head of a compound statement")
    output = asked.output
    outer = _outer(work, line, asked)
    if outer is not None and not (isinstance(output, cst.Name) and output.value == outer.name):
        _split(work, call, asked, outer.name)
        return
    around = outer.statement if outer is not None else line
    named = isinstance(output, cst.Name)
    fresh = work.names_at(call)
    name = output.value if isinstance(output, cst.Name) else fresh("value")
    start = asked.start if asked.start is not None else quote("jnp.ones_like({x})", x=name)
    if work.values(output).kind in (Kind.TUPLE, Kind.LIST, Kind.PARAMETERS):
        if asked.start is None:
            raise CannotNormalize("several outputs")
        start = quote("tuple({start})", start=start)
    statements, (first, last, kept) = _way(work, around, asked, name if named else None)
    if named and len(kept) == 1 and (known := _known_vjp(statements[kept[0]], name, asked)) is not None:
        _replace(work, call, line, asked, known, start)
        return
    function = work.index.function_of(call) or work.index.module
    inside = list(statements[first : last + 1])
    moved = [statement for statement in inside if not _independent(statement, inside, asked.inputs)]
    listing = listing_line(work, _given(call)["inputs"]) if asked.modules is not None else None
    if listing is not None:
        work.edits.remove(listing)
    needed = {statements[position] for position in kept}
    moved = [
        statement
        for statement in moved
        if statement is not listing and (statement in needed or not isinstance(statement, cst.FunctionDef))
    ]
    late = _late(work, moved, needed, statements, function)
    moved = [statement for statement in moved if statement not in late]
    asking = next(at for at, item in enumerate(statements) if item in (line, *work.index.ancestors(line)))
    behind = [*late, *statements[last + 1 : asking]] if moved else []
    if not named and any(_writes(item) & _reads(output) for item in behind):  # `scores[0, scores.argmax().item()]`
        between = _reads(output, values_only=True) & {item for statement in moved for item in _writes(statement)}
        if len(between) != 1 or asked.modules is not None or asked.of_values:
            raise CannotNormalize("its output asks for numbers of what was computed from its inputs")
        _split(work, call, asked, min(between))
        return
    _check_inside(work, moved)
    _check_outside(work, call, statements[:first], moved, asked, output if not named else None)
    if asked.modules is not None:
        check_in_sight(work, asked.modules, moved, needed, output)
    written = {item for statement in moved for item in _writes(statement)}
    own = [function] if function is not work.index.module else []
    later = _read_elsewhere(work, [*moved, output], own)
    both = [
        item for item in moved if isinstance(item, cst.FunctionDef) and item.name.value in later
    ]  # inside and outside
    if both:
        later = _read_elsewhere(work, [*(item for item in moved if item not in both), output], own)
    aux = sorted(item for item in written & later if item != name and item not in {item.name.value for item in both})
    if any(isinstance(item, cst.ClassDef) and item.name.value in aux for item in moved):
        raise CannotNormalize("a class defined between the two is used elsewhere")
    carried = _read_before_written(moved, written, asked.inputs)
    vjp = fresh(f"{name}_vjp")
    copied = [work.copy(item) if item in both else item for item in moved]
    made = _definition(fresh, copied, asked, name, output if not named else None, aux, carried, vjp)
    if moved:
        *gone, end = moved
        for statement in (*gone, *late):
            if statement not in both:
                work.edits.remove(statement)
        made += [statement for statement in late if isinstance(statement, cst.BaseStatement)]
        lines = list(getattr(moved[0], "leading_lines", ()))
        above = [item for item in statements[:first] if not any(_marks(item, wanted) for wanted in asked.inputs)]
        own = [] if not above or lines else list(made[0].leading_lines)  # type: ignore[attr-defined]
        made[0] = made[0].with_changes(leading_lines=[*own, *lines])
        work.edits.rewrite_statement(end, lambda rewrite: made)
    else:
        work.edits.before(line, lambda rewrite: made)
    _replace(work, call, line, asked, vjp, start)


def _read_elsewhere(work: NormalizationRound, nodes: Sequence[cst.CSTNode], around: Sequence[cst.CSTNode]) -> set[str]:
    """The names that are read, in the function around if there is one, outside of some nodes."""
    below = {item for node in nodes for item in descendants(node)}
    return {
        node.value
        for node in work.index.names
        if node not in below and _is_read(work, node) and set(around) <= set(work.index.ancestors(node))
    }


def _is_gone_through(loop: cst.CompFor, call: cst.Call) -> bool:
    return any(node is call for node in (loop.iter, *descendants(loop.iter)))


def _replace(
    work: NormalizationRound,
    call: cst.Call,
    line: cst.SimpleStatementLine,
    asked: _Arguments,
    vjp: str,
    start: cst.BaseExpression,
) -> None:
    """Put the gradient for a call; those of several modules, or of one that is asked several times, have names."""
    if asked.modules is None:
        work.edits.replace(call, lambda rewrite: quote(_gradient(asked, vjp), start=start))
        return
    if are_asked_once(asked.modules):
        holders = {asked.inputs[0]: quote(f"{vjp}({{start}})[0]", start=start)}
    else:
        fresh = work.names_at(call)
        names = {name: fresh(f"{name}_gradients") for name in asked.inputs}
        taken = quote_statement(f"{', '.join(names.values())}, = {vjp}({{start}})", start=start)
        work.edits.before(line, lambda rewrite: [taken])
        holders = {name: cst.Name(holder) for name, holder in names.items()}
    given: cst.BaseExpression = gradients_of(asked.modules, holders)
    place: cst.BaseExpression = call
    match work.index.parents[call], given:
        case (
            cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer("0")))]) as first,
            cst.Tuple(elements=[one]),
        ):
            place, given = first, one.value
    template = "{given}" if asked.differentiable else "jax.lax.stop_gradient({given})"
    work.edits.replace(place, lambda rewrite: quote(template, given=given))


def _way(
    work: NormalizationRound, line: cst.CSTNode, asked: _Arguments, output: str | None
) -> tuple[Sequence[cst.CSTNode], tuple[int, int, list[int]]]:
    """A block around the line that asks, and the range of the statements in it that lie on the way from the
    inputs to the output: the block of the line, or one around branches of `if` that leave both as they are.
    """
    used = {*asked.inputs, *([output] if output is not None else _reads(asked.output))}
    reason: CannotNormalize | None = None
    while True:
        suite = work.index.parents[line]
        statements: Sequence[cst.CSTNode] = getattr(suite, "body", ())
        place = list(statements).index(line)
        try:
            return statements, _range(work, statements, place, asked, output)
        except CannotNormalize as found:
            reason = reason or found
        holder = _holder(work, line)
        written = {name for item in statements[:place] for name in _writes(item)}
        if not isinstance(holder, (cst.If, cst.With)) or written & used:
            raise reason
        line = holder


def _known_vjp(statement: cst.CSTNode, name: str, asked: _Arguments) -> str | None:
    """What another branch calls the function that takes the same gradient: `y_vjp` of `y, y_vjp = jax.vjp(f, x)`."""
    match statement:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Tuple(elements=[result, function, *_]))],
                    value=cst.Call(func=asking, args=[_, *given]),
                )
            ]
        ) if dotted(asking) == "jax.vjp" and dotted(result.value) == name:
            inputs = [dotted(item.value) for item in given if item.keyword is None]
            return dotted(function.value) if inputs == asked.inputs else None
    return None


def _gradient(asked: _Arguments, vjp: str) -> str:
    """The gradient, as the text of a template."""
    gradient = f"{vjp}({{start}})[0]" if asked.packed else f"{vjp}({{start}})"
    if asked.of_values:  # in the order of the dict itself
        gradient = f"list(map({vjp}({{start}})[0].get, {asked.inputs[0]}))"
    return gradient if asked.differentiable else f"jax.lax.stop_gradient({gradient})"


def _given(call: cst.Call) -> dict[str, cst.BaseExpression]:
    given: dict[str, cst.BaseExpression] = {}
    for position, argument in enumerate(call.args):
        if argument.star:
            raise CannotNormalize("starred arguments")
        given[argument.keyword.value if argument.keyword is not None else _ORDER[position]] = argument.value
    return given


def _arguments(work: NormalizationRound, call: cst.Call) -> _Arguments:
    given = _given(call)
    if set(given) - set(_ORDER) or not {"outputs", "inputs"} <= set(given):
        raise CannotNormalize("arguments that are not known")
    for name in ("is_grads_batched",):
        if name in given and code(given[name]) != "False":
            raise CannotNormalize(f"`{name}`")
    graph = code(given["create_graph"]) if "create_graph" in given else "False"
    if graph not in ("True", "False"):
        raise CannotNormalize("`create_graph` is no constant")
    output = _one(given["outputs"])
    inputs = given["inputs"]
    modules = asked_modules(work, call, inputs)
    if modules is not None and code(given.get("allow_unused", cst.Name("False"))) != "False":
        raise CannotNormalize("`allow_unused` where its inputs are the parameters of a module")
    table = _table(work, inputs)
    inputs = table if table is not None else inputs
    packed = False
    names: list[str | None]
    if modules is not None:
        names = [*modules.names]
    elif isinstance(inputs, (cst.Tuple, cst.List)):
        names = [dotted(element.value) for element in inputs.elements]
    else:
        names = [dotted(inputs)]
        kind = work.values(inputs).kind
        packed = kind in (Kind.LIST, Kind.TUPLE)
        if kind in (Kind.PARAMETERS, Kind.DICT, Kind.MODULE) and table is None:
            raise CannotNormalize("its inputs are the parameters of a module")
    if not all(name is not None and "." not in name for name in names) or len(set(names)) != len(names):
        raise CannotNormalize("its inputs are no names of variables")
    start = _one(given["grad_outputs"]) if "grad_outputs" in given else None
    if start is not None and dotted(start) == "None":
        start = None
    match output:
        case cst.Call(func=cst.Attribute(value=cst.Name() as summed, attr=cst.Name("sum")), args=[]) if start is None:
            output = summed  # from ones
    return _Arguments(output, [str(name) for name in names], packed, table is not None, start, graph == "True", modules)


@dataclass(frozen=True, slots=True)
class _Outer:
    """What an outer block has computed from the inputs, on which alone the output depends, and its statement around the call."""

    name: str
    statement: cst.CSTNode


def _outer(work: NormalizationRound, line: cst.CSTNode, asked: _Arguments) -> _Outer | None:
    inputs, parents = set(asked.inputs), work.index.parents
    own = list(getattr(parents[line], "body", ()))
    needed = _reads(asked.output, values_only=True)
    for statement in reversed(own[: own.index(line)]):
        written = _writes(statement)
        if written & needed:
            is_bound = isinstance(statement, cst.SimpleStatementLine)
            needed = (needed - written if is_bound else needed) | _reads(statement, values_only=True)
    holder: cst.CSTNode = line
    while not asked.of_values and inputs.isdisjoint(needed):
        found = _holder(work, holder)
        if not isinstance(found, (cst.For, cst.While, cst.If, cst.With)) or _writes(found) & inputs:
            return None
        if isinstance(found, cst.For):
            needed = needed - set(bound_in(found.target)) | _reads(found.iter, values_only=True)
        holder = found
        block = list(getattr(parents[holder], "body", ()))
        before = block[: block.index(holder)]
        given = [_writes(item) | {name for name in inputs if _marks(item, name)} for item in before]
        if inputs <= set[str]().union(*given):
            begin = max(place for place, some in enumerate(given) if some & inputs)
            names = needed & _depending([*before[begin:], holder], inputs)
            return _Outer(min(names), holder) if len(names) == 1 and names.isdisjoint(_writes(holder)) else None
    return None


def _holder(work: NormalizationRound, statement: cst.CSTNode) -> cst.CSTNode | None:
    """The compound statement in whose blocks a statement stands; of an `elif`, the first `if`."""
    found = work.index.parents.get(work.index.parents[statement])
    while isinstance(found, cst.Else) or (isinstance(found, cst.If) and isinstance(work.index.parents[found], cst.If)):
        found = work.index.parents[found]
    return found


def _depending(statements: Sequence[cst.CSTNode], inputs: set[str]) -> set[str]:
    """The variables that some statements compute from others, in any order."""
    nodes = [node for statement in statements for node in (statement, *descendants(statement))]
    lines: list[tuple[cst.CSTNode, set[str]]] = [
        (node, _writes(node)) for node in nodes if isinstance(node, cst.SimpleStatementLine)
    ]
    lines += [(node.iter, set(bound_in(node.target))) for node in nodes if isinstance(node, (cst.For, cst.CompFor))]
    lines += [
        (node.item, set(bound_in(node.asname.name))) for node in nodes if isinstance(node, cst.WithItem) and node.asname
    ]
    found = set(inputs)
    while True:
        more = {name for line, names in lines if _reads(line, values_only=True) & found for name in names}
        if more <= found:
            return found
        found |= more


def _split(work: NormalizationRound, call: cst.Call, asked: _Arguments, between: str) -> None:
    """The gradient of what an outer block has computed, from that of the output: the chain rule."""
    graph = ", create_graph=True" if asked.differentiable else ""
    text = f"{{function}}({{value}}, {{inputs}}, {{function}}({{output}}, {{value}}{{start}}{graph})[0]{graph})"
    holes = {"output": asked.output, "inputs": _given(call)["inputs"]} | ({"start": asked.start} if asked.start else {})
    template = text.replace("{function}", code(call.func)).replace("{value}", between)
    template = template.replace("{start}", ", {start}" if asked.start else "")
    work.edits.replace(
        call, lambda rewrite: quote(template, **{name: rewrite.expression(node) for name, node in holes.items()})
    )


def _table(work: NormalizationRound, inputs: cst.BaseExpression) -> cst.BaseExpression | None:
    """The dict whose values are the inputs: `params` of `params.values()`, `list(params.values())`."""
    match inputs:
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner, star="")]):
            return _table(work, inner)
        case cst.Call(func=cst.Attribute(value=cst.Name() as table, attr=cst.Name("values")), args=[]):
            return table if work.values(table).kind is Kind.DICT else None
    return None


def _one(node: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(node, (cst.Tuple, cst.List)):
        if len(node.elements) != 1 or isinstance(node.elements[0], cst.StarredElement):
            raise CannotNormalize("several outputs")
        return node.elements[0].value
    return node


# what is read and written


def _is_read(work: NormalizationRound, node: cst.Name) -> bool:
    stored = isinstance(work.index.parents[node], (cst.AssignTarget, cst.Param, cst.FunctionDef))
    return not stored and not work.index.is_label(node)


def _writes(statement: cst.CSTNode) -> set[str]:
    """The names that a statement binds or changes; functions defined in it are their names."""
    found: set[str] = set()
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        return {statement.name.value}
    for node in _own(statement):
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            found.add(node.name.value)
        targets: list[cst.CSTNode] = []
        match node:
            case cst.AssignTarget() | cst.AugAssign() | cst.AnnAssign() | cst.For() | cst.NamedExpr():
                targets = [node.target]
            case cst.AsName():
                targets = [node.name]
            case cst.Call(func=cst.Attribute(attr=cst.Name(value=method), value=base)) if _in_place(method):
                targets = [base, *(filled_arguments(node) if _MODULES.match(code(base)) else ())]
            case cst.Call():
                targets = [*filled_arguments(node)]
        for target in targets:
            found |= set(bound_in(target))
    return found


def _in_place(method: str) -> bool:
    return changes_container(method) or changes_values(method)


def _own(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What lies below a node, bodies of functions left out."""
    yield node
    for child in children(node):
        if isinstance(child, (cst.FunctionDef, cst.ClassDef)):
            yield child
        elif not isinstance(child, cst.Lambda):
            yield from _own(child)


def _reads(node: cst.CSTNode, values_only: bool = False, of: str | None = None) -> set[str]:
    """The names that a node reads from outside, and the fields of the object `of`; `values_only`: only where their values,
    not their shapes, matter.
    """
    match node:
        case cst.Name(value=name):
            return {name}
        case cst.Attribute():
            if values_only and node.attr.value in _NO_VALUE:
                return set()
            field = of is not None and isinstance(node.value, cst.Name) and node.value.value == of
            return {f"{of}.{node.attr.value}"} if field else _reads(node.value, values_only, of)
        case cst.Call() if values_only and _WITHOUT_GRADIENT.match(
            (dotted(node.func) or code(node.func)).split(".")[-1]
        ):
            return set()
        case cst.Arg():
            return _reads(node.value, values_only, of)
        case cst.AssignTarget():
            inner = node.target
            return _reads(inner, values_only, of) if isinstance(inner, (cst.Subscript, cst.Attribute)) else set()
        case cst.GeneratorExp() | cst.ListComp() if values_only and _asks_for_shapes(node):
            return _reads(node.elt, values_only, of)
        case cst.FunctionDef() | cst.Lambda():
            params = node.params
            own = {param.name.value for param in (*params.params, *params.kwonly_params, *params.posonly_params)}
            body = {name for child in children(node.body) for name in _reads(child, values_only, of)}
            if isinstance(node, cst.Lambda):
                body = _reads(node.body, values_only, of)
            else:
                own |= {name for child in children(node.body) for name in _writes(child)}
            return body - own
    return {name for child in children(node) for name in _reads(child, values_only, of)}


def _asks_for_shapes(node: cst.GeneratorExp | cst.ListComp) -> bool:
    """`p.numel() for p in net.parameters()`."""
    is_plain = node.for_in.inner_for_in is None and not node.for_in.ifs
    return is_plain and _reads(node.elt, values_only=True).isdisjoint(bound_in(node.for_in.target))


# the range of statements


def _range(
    work: NormalizationRound, statements: Sequence[cst.CSTNode], place: int, asked: _Arguments, output: str | None
) -> tuple[int, int, list[int]]:
    """The first and the last statement of the block that lie on the way from the inputs to the output (empty: last < first), and
    all of them.
    """
    begin = 0
    for position in range(place):
        statement = statements[position]
        if set(asked.inputs) & _writes(statement) or any(_marks(statement, name) for name in asked.inputs):
            begin = position + 1
        elif asked.modules is not None and changes_modules(asked.modules, statement):
            begin = position + 1  # what was computed before may not matter to the loss: that is looked at
    tainted = set(asked.inputs)
    on_the_way = []
    for position in range(begin, place):
        statement = statements[position]
        if tainted & _reads(statement, values_only=True):
            written = _writes(statement)
            if any("." in name or name == "*" for name in written):
                raise CannotNormalize("what depends on its inputs is stored in an object")
            tainted |= written
            on_the_way.append(position)
    needed = {output} if output is not None else _reads(asked.output, values_only=True)
    kept: list[int] = []
    for position in reversed(on_the_way):
        written = _writes(statements[position])
        if written & needed:
            kept.append(position)
            needed = needed - _bound_anew(statements[position]) | _reads(statements[position])
    if output is not None and not kept:
        raise CannotNormalize(f"`{output}` is not computed from its inputs in the same block")
    if not kept:
        if not set(asked.inputs) <= _reads(asked.output, values_only=True):
            raise CannotNormalize("its outputs are not computed from its inputs in the same block")
        return place, place - 1, []
    first, last = min(kept), max(kept)
    if not kept or first > last:
        raise CannotNormalize("its outputs are not computed from its inputs in the same block")
    reads = {name for position in kept for name in _reads(statements[position], values_only=True)}
    if output is None:
        reads |= _reads(asked.output, values_only=True)
    if missing := [name for name in asked.inputs if name not in reads]:
        raise CannotNormalize(f"its outputs do not depend on `{missing[0]}` in the same block")
    if output is None:
        last = max(last, max(kept))
    return first, last, kept


def _bound_anew(statement: cst.CSTNode) -> set[str]:
    """The variables whose values before it a statement surely ends."""
    found: set[str] = set()
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        for target in small.targets if isinstance(small, cst.Assign) else ():
            match target.target:
                case cst.Name(value=name):
                    found.add(name)
                case cst.Tuple(elements=elements) | cst.List(elements=elements):
                    found |= {part.value.value for part in elements if isinstance(part.value, cst.Name)}
    return found


def _marks(statement: cst.CSTNode, name: str) -> bool:
    return any(
        isinstance(node, cst.Call) and dotted(node.func) == f"{name}.requires_grad_" for node in descendants(statement)
    ) or any(
        isinstance(node, cst.AssignTarget) and dotted(node.target) == f"{name}.requires_grad"
        for node in descendants(statement)
    )


def _independent(statement: cst.CSTNode, inside: Sequence[cst.CSTNode], inputs: Sequence[str]) -> bool:
    """Whether a statement between can stay in front of the function: nothing before it in the range matters to it."""
    before = inside[: inside.index(statement)]
    written = set(inputs)
    touched: set[str] = set(inputs)
    for item in before:
        written |= _writes(item)
        touched |= _writes(item) | _reads(item)
    own = _writes(statement)
    if any("." in name or name == "*" for name in own):
        return False
    return (
        not (_reads(statement) & (written - set(inputs)))
        and not (own & touched)
        and not (_reads(statement, values_only=True) & set(inputs))
    )


def _late(
    work: NormalizationRound,
    moved: Sequence[cst.CSTNode],
    kept: set[cst.CSTNode],
    block: Sequence[cst.CSTNode],
    function: cst.CSTNode,
) -> list[cst.CSTNode]:
    """The statements between that can wait until the output has been computed: they only look at values, or leave."""
    found: list[cst.CSTNode] = []
    for position, statement in reversed(list(enumerate(moved))):
        behind = [item for item in moved[position + 1 :] if item not in found]
        acts = any(map(_reads_values, descendants(statement)))
        leaves = _leaves(work, statement)
        if statement in kept or not (acts or leaves) or any(map(_declares, _own(statement))):
            continue
        own, later = _writes(statement), {name for item in behind for name in _writes(item)}
        touched = later.union(*map(_reads, behind)) if behind else later
        if own & touched or _reads(statement) & later or any("." in name or name == "*" for name in own):
            continue
        if leaves and not _stays_unseen(work, later, statement, block, function):
            continue
        found.insert(0, statement)
    return found


def _declares(node: cst.CSTNode) -> bool:
    return isinstance(node, _LEAVING) and not isinstance(node, (cst.Return, cst.Break, cst.Continue))


def _stays_unseen(
    work: NormalizationRound,
    names: set[str],
    statement: cst.CSTNode,
    block: Sequence[cst.CSTNode],
    function: cst.CSTNode,
) -> bool:
    """Whether variables are read only behind a statement in its block: nobody sees whether they were bound before it left."""
    behind = {node for item in block[list(block).index(statement) + 1 :] for node in descendants(item)}
    uses = [node for node in work.index.names if node.value in names and not work.index.is_label(node)]
    return function is not work.index.module and all(
        node in behind for node in uses if function in work.index.ancestors(node)
    )


def _leaves(work: NormalizationRound, statement: cst.CSTNode) -> bool:
    return any(isinstance(node, _LEAVING) for node in _own(statement) if not _in_function(work, node, statement))


def _reads_values(node: cst.CSTNode) -> bool:
    """Whether a call shows something, or takes numbers of tensors."""
    return isinstance(node, cst.Call) and (dotted(node.func) or code(node.func)).split(".")[-1] in (
        "print", "item", "tolist", "numpy"
    )  # fmt: skip


def _check_inside(work: NormalizationRound, moved: Sequence[cst.CSTNode]) -> None:
    for statement in moved:
        if _leaves(work, statement):
            raise CannotNormalize("the flow of control may leave the statements between its inputs and its outputs")
        if any("." in name or name == "*" for name in _writes(statement)):
            raise CannotNormalize("an object is changed between its inputs and its outputs")
        for node in descendants(statement):
            if isinstance(node, cst.Call) and (dotted(node.func) or "").split(".")[-1] in (
                "print", "item", "backward", "step", "zero_grad", "tolist", "numpy"
            ):  # fmt: skip
                raise CannotNormalize("something is printed, read or trained between its inputs and its outputs")


def _in_function(work: NormalizationRound, node: cst.CSTNode, statement: cst.CSTNode) -> bool:
    function = work.index.function_of(node)
    return function is not None and statement in (function, *work.index.ancestors(function))


def _check_outside(
    work: NormalizationRound,
    call: cst.Call,
    before: Sequence[cst.CSTNode],
    moved: Sequence[cst.CSTNode],
    asked: _Arguments,
    output: cst.BaseExpression | None,
) -> None:
    """What comes from outside of the range must not depend on the inputs."""
    function = work.program.function_around(call)
    nodes = [*moved, *([output] if output is not None else [])]
    written = {name for statement in moved for name in _writes(statement)}
    outside = {name for node in nodes for name in _reads(node, values_only=True)} - set(asked.inputs) - written
    if asked.modules is not None:
        outside |= set(_read_before_written(moved, written, asked.inputs))
        check_given(work, call, asked.modules, nodes, _spread)
    body = function.node.body if function is not None else work.index.module
    for name in sorted(outside):
        own = set(asked.inputs)
        for item in _seen_inside(work, nodes, name):
            older = {wanted for wanted in own if _is_bound_before(work, nodes, wanted, item)}
            if item.value is not None and _may_be(work, item.value, older):
                raise CannotNormalize(f"`{name}` may be the same tensor as what it is computed from")
            if _captures(work, item, own):
                raise CannotNormalize(f"`{name}` is a function that reads what the gradient is of")
    bound = {name for statement in before for name in _writes(statement)}
    bound |= {name for name in asked.inputs if _starts_anew(work, body, before, name)}
    if set(asked.inputs) <= bound and asked.modules is None:
        return  # bound in this block: what was computed before knows nothing of them
    inside = {node for statement in moved for node in descendants(statement)}
    tainted = set(asked.inputs)
    lines = [
        node
        for node in descendants(body)
        if isinstance(node, (cst.SimpleStatementLine, cst.For, cst.With))
        and node not in inside
        and not any(child is call for child in descendants(node))
    ]
    changed = True
    while changed:
        changed = False
        for line in lines:
            parts = _head(line)
            written_here = set[str]().union(*map(_writes, parts), *(bound_in(item) for item in _targets(line)))
            if any(_reads(part, values_only=True) & tainted for part in parts) and not written_here <= tainted:
                tainted |= written_here
                changed = True
    if found := sorted(outside & tainted):
        raise CannotNormalize(f"`{found[0]}` may have been computed from its inputs outside of the block")
    if function is None:
        return
    parameters = set(function.parameter_names)
    marked = {name for name in asked.inputs if any(_marks(statement, name) for statement in before)}
    for name in sorted(outside & parameters):
        if _is_given_twice(work, function, name, set(asked.inputs) & parameters):
            raise CannotNormalize(f"the argument `{name}` may be what it is computed from, or a function that reads it")
        if (set(asked.inputs) & parameters) - marked and not _is_safe(work, function, name, nodes, asked):
            if not _apart_at_calls(
                work, function, name, [item for item in asked.inputs if item in parameters - marked]
            ):
                raise CannotNormalize(f"whether the argument `{name}` was computed from its inputs is not seen")


def _seen_inside(work: NormalizationRound, nodes: Sequence[cst.CSTNode], name: str) -> Sequence[Definition]:
    """The bindings of a variable that some statements see."""
    uses = (item for node in nodes for item in descendants(node, cst.Name) if item.value == name)
    use = next((item for item in uses if item in work.index.parents and not work.index.is_label(item)), None)
    return work.program.definitions.of(use) if use is not None else ()


def _captures(work: NormalizationRound, item: Definition, names: Set[str], seen: Set[Definition] = frozenset()) -> bool:
    """Whether a function, or one that it calls, reads some variables of the scope around it."""
    node = item.node if isinstance(item.node, cst.FunctionDef) else item.value
    if item in seen or not isinstance(node, (cst.FunctionDef, cst.Lambda)):
        return False
    free = set(free_variables(node))
    if free & names:
        return True
    called = (use for use in descendants(node, cst.Name) if use.value in free and not work.index.is_label(use))
    others = {other for use in called if use in work.index.parents for other in work.program.definitions.of(use)}
    return any(_captures(work, other, names, {*seen, item}) for other in others)


def _is_bound_before(work: NormalizationRound, nodes: Sequence[cst.CSTNode], name: str, other: Definition) -> bool:
    """Whether a variable may have been bound in front of another one, to what some statements see."""
    order = work.index.order
    found = _seen_inside(work, nodes, name)
    return not found or any(item.how is How.PARAMETER or order[item.node] < order[other.node] for item in found)


def _may_be(work: NormalizationRound, value: cst.BaseExpression, inputs: Set[str]) -> bool:
    """Whether an expression may be one of some variables itself, which gets a gradient by this name, too."""
    match value:
        case cst.Name(name):
            return name in inputs
        case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
            return _may_be(work, left, inputs) or _may_be(work, right, inputs)
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return any(_may_be(work, item.value, inputs) for item in elements)
        case cst.Call(func=cst.Attribute(value=tensor, attr=cst.Name(method))) if (
            work.values(tensor).kind is Kind.TENSOR
        ):
            return (method in _SAME or is_inplace_name(method)) and _may_be(work, tensor, inputs)
        case cst.Call(func=func, args=args) if work.values.torch_name(func) is None:
            given = [item.value for item in args if _may_be(work, item.value, inputs)]
            roots, own = work.values(value).roots, frozenset[str]().union(*(work.values(item).roots for item in given))
            is_open = work.values(value).is_a(Kind.UNKNOWN, Kind.TENSOR) and (not roots or "*" in roots)
            is_open &= len(args) == 1  # as identities are, which stand for what may be done to it
            return bool(given) and work.values(func).kind is not Kind.MODULE and (is_open or not own.isdisjoint(roots))
    return False


_SAME = frozenset("contiguous cpu cuda double float half requires_grad_ to type type_as".split())


def _starts_anew(work: NormalizationRound, body: cst.CSTNode, before: Sequence[cst.CSTNode], name: str) -> bool:
    """Whether a variable is marked in front of a range for the first time since it was detached: nothing has been computed from
    it that knows of its gradient.
    """
    marks = [line for line in descendants(body, cst.SimpleStatementLine) if _marks(line, name)]
    if len(marks) != 1 or marks[0] not in before:
        return False
    use = next((node for node in descendants(marks[0], cst.Name) if node.value == name), None)
    found = work.program.definitions.of(use) if use in work.index.parents else ()
    return bool(found) and all(item.how is How.ASSIGNED and _is_detached(item.value) for item in found)


def _is_detached(value: cst.BaseExpression | None) -> bool:
    """`x.clone().detach().to(device)`"""
    while isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        if value.func.attr.value == "detach":
            return True
        value = value.func.value if value.func.attr.value in _PLAIN else None
    return False


_PLAIN = frozenset({"clone", "contiguous", "cpu", "cuda", "float", "to"})


def _head(line: cst.CSTNode) -> list[cst.CSTNode]:
    """What a line computes itself: of a loop or a context whose body has lines of its own the first line."""
    match line:
        case cst.For(body=cst.IndentedBlock()):
            return [line.iter]
        case cst.With(body=cst.IndentedBlock()):
            return [item.item for item in line.items]
    return [line]


def _targets(line: cst.CSTNode) -> list[cst.CSTNode]:
    """What the first line of a loop or a context binds."""
    match line:
        case cst.For():
            return [line.target]
        case cst.With():
            return [item.asname.name for item in line.items if item.asname is not None]
    return []


def _safe(work: NormalizationRound, function: Function, name: str, nodes: Sequence[cst.CSTNode]) -> bool:
    """Whether a parameter is no array: known by its kind, or called like a function."""
    for node in nodes:
        for item in descendants(node):
            if isinstance(item, cst.Name) and item.value == name:
                if work.values(item).kind in _SAFE_KINDS:
                    return True
                parent = work.index.parents.get(item)
                if isinstance(parent, cst.Call) and parent.func is item:
                    return True
    return False


def _is_safe(
    work: NormalizationRound, function: Function, name: str, nodes: Sequence[cst.CSTNode], asked: _Arguments
) -> bool:
    """Whether a parameter is no array; where gradients of modules are asked for, nor a part of one, as far as calls are in sight."""
    is_safe = _safe(work, function, name, nodes)
    return is_safe if asked.modules is None else is_safe and not function.callers


def _apart_at_calls(
    work: NormalizationRound,
    function: Function,
    name: str,
    inputs: Sequence[str],
    seen: frozenset[Function] = frozenset(),
) -> bool:
    """Whether at every call the argument is a value that was not computed from those given for the inputs."""
    if not function.callers or function in seen:
        return bool(seen)
    names = function.parameter_names[1 if function.is_method else 0 :]
    for call in function.callers:
        if not isinstance(call, cst.Call) or any(argument.star for argument in call.args):
            return False
        given = {
            argument.keyword.value if argument.keyword is not None else names[position]: argument.value
            for position, argument in enumerate(call.args)
            if argument.keyword is not None or position < len(names)
        }
        if name not in given:
            continue
        around = work.program.function_around(call)
        holder = _holder_of(work, given.values())
        owner = holder.value if holder is not None else None
        sources = {item for wanted in inputs if wanted in given for item in _reads(given[wanted], of=owner)}
        asked = _reads(given[name], values_only=True, of=owner)
        if asked & _computed_from(work, call, sources, holder):
            return False
        parameters = {*around.parameter_names} if around is not None else set()
        wanted = sorted(sources & parameters)
        if around is not None and wanted and around.owner is None:
            later = {*seen, function}
            if not all(_apart_at_calls(work, around, item, wanted, frozenset(later)) for item in asked & parameters):
                return False
    return True


def _is_given_twice(work: NormalizationRound, function: Function, name: str, inputs: Iterable[str]) -> bool:
    """Whether some call gives one tensor for an input and for another parameter, or a function that reads it."""
    for call in function.callers:
        given = dict(arguments_by_parameter(function, call, work.values)) if isinstance(call, cst.Call) else {}
        texts = {item: code(value) for item, value in given.items() if isinstance(value, cst.BaseExpression)}
        if name in texts and any(texts.get(item) == texts[name] for item in inputs):
            return True
        function_given = given.get(name)
        if isinstance(function_given, cst.Name) and function_given in work.index.parents:
            own = {texts[item] for item in inputs if item in texts}
            if any(_captures(work, item, own) for item in work.program.definitions.of(function_given)):
                return True
    return False


def _holder_of(work: NormalizationRound, given: Iterable[cst.BaseExpression]) -> cst.Name | None:
    """The object of the program whose fields a call is given: `self` of `f(self.x, self.t)`."""
    for node in given:
        match node:
            case cst.Attribute(value=cst.Name() as holder) if work.values(holder).kind in (Kind.OBJECT, Kind.MODULE):
                return holder
    return None


def _computed_from(work: NormalizationRound, call: cst.Call, sources: set[str], holder: cst.Name | None) -> set[str]:
    """The variables around a call, and the fields of an object, that may have been computed from some before it."""
    around = work.program.function_around(call)
    body: cst.CSTNode = around.node.body if around is not None else work.index.module
    if holder is None:
        return _spread(body, call, sources, None)
    types = work.values(holder).types
    classes = [item for item in work.program.classes.values() if any(base.key in types for base in item.lineage)]
    kin = {base for item in classes for base in item.lineage}
    methods = [item for item in work.program.functions.values() if item.owner in kin and item.self_name is not None]
    own = f"{holder.value}."
    fields = {name.removeprefix(own) for name in sources if name.startswith(own)}
    while True:
        before = len(fields)
        for method in methods:
            given = set() if method.name == "__init__" else {*method.parameter_names[1:]}
            mine = f"{method.self_name}."
            found = _spread(method.node.body, call, given | {mine + name for name in fields}, method.self_name)
            fields |= {name.removeprefix(mine) for name in found if name.startswith(mine)}
        if len(fields) == before:
            fields |= _set_by_others(work, methods)
            return _spread(body, call, sources | {own + name for name in fields}, holder.value)


def _set_by_others(work: NormalizationRound, methods: Sequence[Function]) -> set[str]:
    """The fields that something else than some methods sets in their objects."""
    found = set()
    for node in descendants(work.index.module, cst.AssignTarget):
        around = work.program.function_around(node)
        if isinstance(node.target, cst.Attribute) and not (
            around in methods and around is not None and dotted(node.target.value) == around.self_name
        ):
            found.add(node.target.attr.value)
    return found


def _spread(body: cst.CSTNode, call: cst.Call, tainted: set[str], owner: str | None) -> set[str]:
    """The variables, and the fields of `owner`, that the lines of a body compute from some of them, and these; the line of a call left out."""
    lines = [
        node
        for node in descendants(body)
        if isinstance(node, (cst.SimpleStatementLine, cst.For, cst.With))
        and not any(item is call for item in descendants(node))
    ]
    found = set(tainted)
    for _ in lines:
        before = len(found)
        for line in lines:
            if _reads(line, values_only=True, of=owner) & found:
                found |= _writes(line)
        if len(found) == before:
            break
    return found


# the new statements


def _read_before_written(moved: Sequence[cst.CSTNode], written: set[str], inputs: Sequence[str]) -> list[str]:
    done: set[str] = set()
    found: set[str] = set()
    for statement in moved:
        found |= read_before_bound(statement) & written - done - set(inputs)
        if isinstance(statement, (cst.SimpleStatementLine, cst.FunctionDef)):
            done |= _writes(statement)
        elif isinstance(statement, cst.With):
            done |= {name for line in getattr(statement.body, "body", ()) for name in _bound_anew(line)}
    return sorted(found)


def _definition(
    fresh: FreshNames,
    moved: Sequence[cst.CSTNode],
    asked: _Arguments,
    name: str,
    output: cst.BaseExpression | None,
    aux: Sequence[str],
    carried: Sequence[str],
    vjp: str,
) -> list[cst.BaseStatement]:
    """The local function, if one expression does not say it, and the statement that calls jax.vjp."""
    parameters = ", ".join(asked.inputs)
    single = output if not moved else _single_value(moved, name) if output is None else None
    if single is not None and not aux and not carried:
        return [quote_statement(f"{name}, {vjp} = jax.vjp(lambda {parameters}: {{body}}, {parameters})", body=single)]
    function = fresh("_of_".join([name, "_".join(asked.inputs)]))
    returned = f"({', '.join(aux)})" if len(aux) > 1 else "".join(aux)
    (definition,) = quote_statements(f"def {function}({', '.join([*asked.inputs, *carried])}):\n    pass\n")
    value = output if output is not None else cst.Name(name)
    end = quote_statement(f"return {{value}}, {returned}" if aux else "return {value}", value=value)
    body = [*moved, end]
    first = body[0].with_changes(leading_lines=[]) if hasattr(body[0], "leading_lines") else body[0]
    definition = definition.with_changes(body=cst.IndentedBlock([first, *body[1:]]))  # type: ignore[list-item]
    targets = f"{name}, {vjp}, {returned}" if aux else f"{name}, {vjp}"
    called = f"lambda {parameters}: {function}({', '.join([*asked.inputs, *carried])}), {parameters}"
    flag = ", has_aux=True" if aux else ""
    blank = [cst.EmptyLine(indent=False)]
    return [
        definition.with_changes(leading_lines=blank),
        quote_statement(f"{targets} = jax.vjp({called}{flag})").with_changes(leading_lines=blank),
    ]


def _single_value(moved: Sequence[cst.CSTNode], name: str) -> cst.BaseExpression | None:
    match moved:
        case [cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)])]:
            return value if dotted(target) == name else None
    return None

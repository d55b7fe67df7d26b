"""What `__init__` does to parameters that it has made, for libraries in which a module is a definition.

def __init__(self, dim):                      def setup(self):
    super().__init__()                            self.fc = Linear(self.dim, self.dim)
    self.fc = nn.Linear(dim, dim)       ->        if self.is_initializing():
    nn.init.zeros_(self.fc.bias)                      set_variable(self.fc, "bias", ...)

`setup` runs whenever the module is used: first values are given only where a model gets its variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

import libcst as cst

from torch2jax.facts.bindings import makes_module
from torch2jax.facts.infer import Values
from torch2jax.facts.module_state import init_methods, runs_only_at_init
from torch2jax.facts.parameter_loops import ParameterLoop, runs_over_modules
from torch2jax.facts.parameters import plain_container
from torch2jax.program.program import Class, Function, dotted, root_name
from torch2jax.program.statements import reads_and_writes
from torch2jax.rewrite.setup_new_parts import new_parts, start_parts, started_in
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import names_in, quote_statement
from torch2jax.syntax.walk import bound_names, descendants, own_nodes
from torch2jax.values import Kind


def group_starts(unit: Unit, item: Class, method: Function, starting: frozenset[Function]) -> None:
    """`self.apply(init)` in `__init__` -> `if self.is_initializing(): self.apply(init)`, together with its like beside it."""
    new = new_parts(unit, method)
    for run in _runs(unit, item, method, starting, new) if not _runs_later(unit, item, method) else ():
        of_new = [line for line in run if started_in(line, new)]
        if of_new:
            start_parts(unit, method, of_new, new)
            run = [line for line in run if line not in of_new and starts_variables(unit, item, method, line, starting)]
        if run:
            _guard(unit, method, run)
    for node in own_nodes(method.node):
        if isinstance(node, cst.SimpleStatementLine) and (places := _tied(unit, method, node)) is not None:
            left, right = places
            names = (f'"{left.attr.value}"', f'"{right.attr.value}"')
            text = str(unit.facts.target.tied).replace("{left_name}", names[0]).replace("{right_name}", names[1])
            unit.settle(node)
            unit.edits.rewrite_statement(node, partial(_tie, unit.spell(text), left.value, right.value))


def start_in_makers(unit: Unit) -> None:
    """The same in functions that make parts of modules: `layer = nn.Linear(3, 4); nn.init.zeros_(layer.bias); return layer`."""
    bound = unit.facts.effects.bound
    own = unit.facts.program.functions
    for function in (item for item in bound.inside if item.node in own) if bound is not None else ():
        new = new_parts(unit, function) if function.owner is None else frozenset()
        for run in _runs(unit, None, function, frozenset(), new) if new else ():
            if of_new := [line for line in run if started_in(line, new)]:
                start_parts(unit, function, of_new, new)


def _runs(
    unit: Unit, item: Class | None, method: Function, starting: frozenset[Function], new: frozenset[str]
) -> Iterator[list[cst.BaseStatement]]:
    """The lines that start variables, with their like beside them; of loops over several new parts, those inside."""
    blocks = [method.node.body, *(node for node in own_nodes(method.node) if isinstance(node, cst.IndentedBlock))]
    done: set[cst.CSTNode] = set()
    for block in blocks:
        if block in done or not isinstance(block, cst.IndentedBlock):
            continue
        done.add(block)
        found = _starting_lines(unit, item, method, block, starting)
        chosen = {line for line in found if not isinstance(line, cst.For) or len(started_in(line, new)) < 2}
        for is_chosen, group in groupby(block.body, chosen.__contains__):
            run = [line for line in group if isinstance(line, cst.BaseStatement)]
            if is_chosen:
                done.update(node for line in run for node in descendants(line) if isinstance(node, cst.IndentedBlock))
                yield run


def _starting_lines(
    unit: Unit, item: Class | None, method: Function, block: cst.IndentedBlock, starting: frozenset[Function]
) -> set[cst.BaseStatement]:
    """The lines of a block that start variables, and those that work out what only they are given."""
    lines = [line for line in block.body if isinstance(line, cst.BaseStatement)]
    chosen = {line for line in lines if starts_variables(unit, item, method, line, starting)}
    chosen -= {line for line in chosen if _counts_for_others(unit, method, line, chosen)}
    for line in reversed(lines):
        if line not in chosen and _is_harmless(unit, line) and _is_read_in(unit, method, line, chosen):
            chosen.add(line)
    return chosen


def _counts_for_others(unit: Unit, method: Function, line: cst.BaseStatement, chosen: set[cst.BaseStatement]) -> bool:
    """Whether a line gives a variable a value that lines behind it read, other than some that are chosen."""
    bound = reads_and_writes(line)[1] & unit.facts.flows.liveness(method).after_statement(line)
    return bool(bound) and not _are_named_in(unit, method, bound, chosen)


def _are_named_in(unit: Unit, method: Function, names: set[str], lines: set[cst.BaseStatement]) -> bool:
    """Whether all lines of a method that read some variables are among these."""
    inside = {node for line in lines for node in descendants(line)}
    named = (node for node in descendants(method.node.body) if isinstance(node, cst.Name) and node.value in names)
    is_bound = unit.facts.program.definitions.is_bound
    return all(node in inside or unit.facts.program.index.is_label(node) or is_bound(node) for node in named)


def _is_read_in(unit: Unit, method: Function, line: cst.BaseStatement, lines: set[cst.BaseStatement]) -> bool:
    """Whether the variables that a line binds to no module are named in some lines, and nowhere else."""
    index = unit.facts.program.index
    made = [node for node in descendants(line) if isinstance(node, cst.Assign)]
    bound = {name for node in made for target in node.targets for name in bound_names(target.target)}
    if any(unit.facts.values(node.value).kind is Kind.MODULE for node in made):
        return False
    inside = {node for other in (line, *lines) for node in descendants(other)}
    named = [node for node in descendants(method.node.body) if isinstance(node, cst.Name) and node.value in bound]
    used = [node for node in named if not index.is_label(node)]
    return len(used) > len(bound) and all(node in inside for node in used)


def _guard(unit: Unit, method: Function, run: Sequence[cst.BaseStatement]) -> None:
    """The statements in a block of their own, which runs when the module gets its first variables."""
    for line in run:
        unit.edits.move(line)
    test = str(unit.facts.target.is_made).replace("{self}", str(method.self_name))

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        inner = [statement for line in run for statement in rewrite.statement(line)]
        block = quote_statement(f"if {test}:\n    pass")
        return [block.with_changes(body=cst.IndentedBlock(inner or [cst.SimpleStatementLine([cst.Pass()])]))]

    unit.edits.before_place(run[0], build)


def _tie(
    template: str, left: cst.BaseExpression, right: cst.BaseExpression, rewrite: Rewriter
) -> list[cst.BaseStatement]:
    return [quote_statement(template, left=rewrite.expression(left), right=rewrite.expression(right))]


def _tied(unit: Unit, method: Function, line: cst.SimpleStatementLine) -> tuple[cst.Attribute, cst.Attribute] | None:
    """The two parameters of `self.head.weight = self.wte.weight`."""
    match line.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as left)], value=cst.Attribute() as right)]:
            is_own = root_name(left) == root_name(right) == method.self_name and dotted(left.value) != method.self_name
            is_parameter = "parameter" in unit.facts.values(right).types
            return (left, right) if is_own and is_parameter and unit.facts.target.tied is not None else None
    return None


def started_parts(unit: Unit, item: Class, method: Function) -> tuple[cst.Call, ...]:
    """The calls in a method of functions that give a new layer first values, and hand it back: `init(nn.Linear(3, 4), 0.1)`."""
    found: list[cst.Call] = []
    for node in own_nodes(method.node):
        callees = unit.facts.values.callees.get(node, ()) if isinstance(node, cst.Call) and node.args else ()
        if isinstance(node, cst.Call) and callees and not (node.args[0].star or node.args[0].keyword):
            is_new = makes_module(unit.facts.values, node.args[0].value)
            if is_new and all(_starts_its_first(unit, item, callee) for callee in callees):
                found.append(node)
    return tuple(found)


def _starts_its_first(unit: Unit, item: Class, function: Function) -> bool:
    body = function.node.body
    if function.owner is not None or not function.parameters or not isinstance(body, cst.IndentedBlock):
        return False
    lines = [line for line in body.body if isinstance(line, cst.BaseStatement) and not _is_harmless(unit, line)]
    match lines:
        case [*first, cst.SimpleStatementLine(body=[cst.Return(value=cst.Name(name))])]:
            starts = all(starts_variables(unit, item, function, line, frozenset()) for line in first)
            return starts and name == function.parameter_names[0]
    return False


def starts_variables(
    unit: Unit, item: Class | None, method: Function, line: cst.CSTNode, starting: frozenset[Function]
) -> bool:
    """Whether a statement of `__init__` gives parameters their first values, or says something, and does nothing else."""
    return _starts(unit, item, method, line, starting) and not any(
        makes_variable(unit, node) or isinstance(node, cst.Return) for node in descendants(line)
    )


def _starts(unit: Unit, item: Class | None, method: Function, line: cst.CSTNode, starting: frozenset[Function]) -> bool:
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call() as call)]):
            return _starts_by_call(unit, item, method, call, starting)
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            kind = unit.facts.values(value).kind
            if isinstance(target, cst.Attribute) and kind in (Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.STR, Kind.NONE):
                return False  # a note on a part, or a parameter that it then lacks
            is_place = not isinstance(target, cst.Name) and _is_variable_of_part(unit, method, target)
            return is_place and _tied(unit, method, line) is None
        case cst.SimpleStatementLine(body=[cst.AugAssign(target=target)]):
            return _is_variable_of_part(unit, method, target)
        case cst.For() if any(loop.loop is line and not loop.exchanges for loop in _loops(unit)):
            return True
        case cst.For(body=body, orelse=None) | cst.With(body=body):
            return _start_together(unit, item, method, body, starting)
        case cst.If(body=body, orelse=orelse):
            rest = orelse.body if isinstance(orelse, cst.Else) else orelse
            others = [] if rest is None else [rest]
            found = [
                _start_together(unit, item, method, part, starting)
                for part in (body, *others)
                if not isinstance(part, cst.If)
            ]
            return all(found) and all(
                _starts(unit, item, method, part, starting) for part in others if isinstance(part, cst.If)
            )
    return False


def _loops(unit: Unit) -> Iterator[ParameterLoop]:
    """The loops over parameters of this file, and of those that are translated with it."""
    return (loop for facts in (unit.facts, *unit.others) for loop in facts.loops)


def _first_name(function: Function) -> str | None:
    """What a method calls its module, and any other function its first argument."""
    return function.self_name or next(iter(function.parameter_names), None)


def _start_together(
    unit: Unit, item: Class | None, method: Function, block: cst.BaseSuite, starting: frozenset[Function]
) -> bool:
    """Whether the statements of a block start variables, beside such as only work out what with."""
    lines = [line for line in block.body if not _is_harmless(unit, line)]
    return bool(lines) and all(_starts(unit, item, method, line, starting) for line in lines)


def _is_harmless(unit: Unit, line: cst.CSTNode) -> bool:
    """Whether a statement works out values that others are given, and does nothing else."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Pass() | cst.Continue() | cst.Expr(value=cst.SimpleString())]):
            return True
        case cst.SimpleStatementLine(body=[cst.Assign(targets=targets)]):
            names = [target.target for target in targets]
            parts = [part.value for name in names if isinstance(name, cst.Tuple) for part in name.elements]
            return all(isinstance(name, (cst.Name, cst.Tuple)) for name in names) and all(
                isinstance(part, cst.Name) for part in parts
            )
        case cst.SimpleStatementLine(body=[cst.AugAssign(target=cst.Name() as name)]):
            return unit.facts.values(name).kind in (Kind.INT, Kind.FLOAT)
        case cst.If(body=cst.IndentedBlock(body=lines), orelse=None | cst.Else()) as choice:
            others = choice.orelse.body.body if isinstance(choice.orelse, cst.Else) else ()
            return all(_is_harmless(unit, part) for part in (*lines, *others))
    return False


def _starts_by_call(
    unit: Unit, item: Class | None, method: Function, call: cst.Call, starting: frozenset[Function]
) -> bool:
    values, name = unit.facts.values, unit.facts.values.torch_name(call.func) or ""
    if name.startswith("torch.nn.init.") and call.args:
        return True
    if dotted(call.func) == "print" or (dotted(call.func) or "").split(".")[0] in ("logger", "logging", "warnings"):
        return True
    callees = values.callees.get(call, ())
    if isinstance(call.func, cst.Attribute) and (
        not callees or any(function.owner is not None for function in callees)
    ):
        owner, called = call.func.value, call.func.attr.value
        is_container = not values(owner).types.isdisjoint(("torch.nn.ModuleList", "torch.nn.ModuleDict"))
        if called == "apply" and (values(owner).kind is Kind.MODULE or is_container):
            return True
        if item is not None and dotted(owner) == method.self_name and item.method(called) in starting:
            return True
        if values(owner).kind is Kind.MODULE and callees and starting.issuperset(callees):
            return True
        return called.endswith("_") and _is_variable_of_part(unit, method, owner)
    parts = _parts_of_module(unit, method, call)
    given = [argument.value for argument in call.args if root_name(argument.value) in parts]
    return (
        bool(callees) and bool(given) and all(item.owner is None for item in callees) and not _gives_value(values, call)
    )


def _parts_of_module(unit: Unit, method: Function, call: cst.Call) -> set[str]:
    """The names of the module itself, and of its parts in the loops around a call: `m` of `for m in self.modules()`."""
    first = _first_name(method)
    found = {first} if first is not None else set[str]()
    for loop in unit.facts.program.index.ancestors(call):
        if isinstance(loop, cst.For) and runs_over_modules(loop.iter, unit.facts.values):
            is_own = isinstance(loop.iter, cst.Call) and root_name(loop.iter.func) == first
            found |= names_in(loop.target) if is_own else set()
    return found


def _gives_value(values: Values, call: cst.Call) -> bool:
    return values(call).kind is not Kind.NONE


def _is_variable_of_part(unit: Unit, method: Function, node: cst.BaseExpression) -> bool:
    """Whether `self.fc.weight`, `m.bias.data` or `self.w[0]` is a parameter, or a field of a layer of torch."""
    while True:
        match node:
            case cst.Subscript(value=inner) | cst.Attribute(value=inner, attr=cst.Name("data")):
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(name))) if name.endswith("_"):
                node = inner  # of several changes in place, one behind the other
            case _:
                break
    if not isinstance(node, cst.Attribute):
        return isinstance(node, cst.Name) and "parameter" in unit.facts.values(node).types
    if dotted(node.value) == method.self_name:
        return not unit.facts.values(node).types.isdisjoint(("parameter", "frozen")) or (
            _is_buffer(method, node) and _runs_nowhere_else(unit, method)
        )
    is_layer = any(name in unit.facts.tables.layers for name in unit.facts.values(node.value).types)
    return is_layer or "parameter" in unit.facts.values(node).types


def starting_methods(unit: Unit) -> frozenset[Function]:
    """The methods of modules that only give variables their first values: they run while a module is made, or are applied to
    its parts.
    """
    index = unit.facts.program.index
    found = {
        method: item
        for item in unit.facts.program.classes.values()
        if item.is_module
        for method in item.methods.values()
        if method.name not in ("__init__", "forward") and method.parameter_names
        if isinstance(method.node.body, cst.IndentedBlock)
        if (named := [node for node in index.attributes if node.attr.value == method.name])
        if all(_runs_at_init(unit, item, method, node) for node in named)
    }
    while True:
        left = {method: item for method, item in found.items() if _only_starts(unit, item, method, frozenset(found))}
        if left == found:
            return frozenset(found)
        found = left


def _only_starts(unit: Unit, item: Class, method: Function, starting: frozenset[Function]) -> bool:
    lines = [line for line in method.node.body.body if not _is_harmless(unit, line) and not _is_bare_return(line)]
    return bool(lines) and all(starts_variables(unit, item, method, line, starting) for line in lines)


def _is_bare_return(line: cst.CSTNode) -> bool:
    return (
        isinstance(line, cst.SimpleStatementLine)
        and isinstance(line.body[0], cst.Return)
        and line.body[0].value is None
    )


def _runs_at_init(unit: Unit, item: Class, method: Function, node: cst.Attribute) -> bool:
    """Whether a method is named in `__init__`, or a method that runs there, or where it is defined for something else."""
    around = unit.facts.program.function_around(node)
    if around is method or around is None:
        return around is method or unit.facts.values(node.value).kind is not Kind.MODULE
    if dotted(node.value) != around.self_name or around.owner is None or around.owner not in (item, *item.lineage):
        is_making = around.owner is not None and around.owner.is_module and around in init_methods(around.owner)
        return unit.facts.values(node.value).kind is not Kind.MODULE or is_making
    return around in init_methods(item) or around.name in ("__init__",)


def is_parameter(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a call makes a parameter or a buffer that its module knows."""
    values = unit.facts.values
    if not isinstance(node, cst.Call) or values.torch_name(node.func) not in ("torch.nn.Parameter", "torch.nn.Buffer"):
        return False
    return plain_container(unit.facts.program, values, node) is None


def makes_variable(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an expression is evaluated only where a variable gets its first value."""
    if not isinstance(node, cst.Call):
        return False
    registers = isinstance(node.func, cst.Attribute) and node.func.attr.value == "register_buffer"
    return registers or is_parameter(unit, node)


def is_plain_array(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an expression is a tensor that the module only holds, or a part of one: `setup` makes it anew each time, as it is."""
    while isinstance(node, cst.Subscript):
        node = node.value
    method = unit.facts.program.function_around(node)
    if not isinstance(node, cst.Attribute) or method is None or method.owner is None:
        return False
    if dotted(node.value) != method.self_name or _is_buffer(method, node):
        return False
    is_state = any(node.attr.value in item.state for item in method.owner.lineage)
    value = unit.facts.values(node)
    return value.kind is Kind.TENSOR and not is_state and value.types.isdisjoint(("parameter", "frozen"))


def _runs_later(unit: Unit, item: Class, method: Function) -> bool:
    """Whether this file calls a method, other than `__init__`, where no module is being made."""
    program, at_init = unit.facts.program, init_methods(item)
    calls = [call for call in method.callers if call in program.index.parents]
    around = [program.function_around(call) for call in calls]
    return method.name != "__init__" and not all(
        function in at_init or runs_only_at_init(program, function) for function in around
    )


def _runs_nowhere_else(unit: Unit, method: Function) -> bool:
    """Whether a method runs where modules are made, and later neither in this file nor in another."""
    program = unit.facts.program
    is_named = method.name != "__init__" and method.name in program.read_elsewhere
    return runs_only_at_init(program, method) and not is_named


def _is_buffer(method: Function, node: cst.Attribute) -> bool:
    """Whether a field of the module itself is a buffer that it knows."""
    return method.owner is not None and any(item.is_registered(node.attr.value) for item in method.owner.lineage)


_OF_SHAPES = frozenset("shape size dim ndim numel nelement dtype device data requires_grad is_floating_point".split())


def reads_variable(unit: Unit, node: cst.CSTNode) -> bool:
    """Whether an expression is a parameter or buffer whose values are computed with, where it stands."""
    if not isinstance(node, (cst.Name, cst.Attribute)) or unit.facts.program.index.is_label(node):
        return False
    if unit.facts.values(node).types.isdisjoint(("parameter", "buffer", "frozen")) or is_plain_array(unit, node):
        return False
    index = unit.facts.program.index
    match index.parents.get(node):
        case cst.Attribute(attr=cst.Name(name)) as used:
            return name not in _OF_SHAPES or (name == "data" and reads_variable(unit, used))
        case cst.Subscript(value=value):
            return value is node
        case cst.Arg() as given:
            called = index.parents.get(given)
            return isinstance(called, cst.Call) and dotted(called.func) not in ("len", "isinstance")
        case cst.BinaryOperation() | cst.UnaryOperation() | cst.Comparison() | cst.ComparisonTarget():
            return True
    return False


__all__ = [
    "group_starts",
    "is_parameter",
    "is_plain_array",
    "makes_variable",
    "reads_variable",
    "start_in_makers",
    "started_parts",
    "starting_methods",
]

"""In-place operations inside expressions: `y = torch.empty(3).uniform_(0, 1)`, `x = x.add_(1)`, `return x.mul_(2)`, and calls of
transforms of torchvision that are made with `inplace=True`.

Where nobody else can see the tensor that is changed, the operation is the one without underscore; else it is refused.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.array_memory import unseen_changes
from torch2jax.facts.datasets import changes_argument
from torch2jax.facts.numpy_aliases import changed_numpy_aliases
from torch2jax.facts.storage import without_data
from torch2jax.normalize.escape import is_given_inside
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.program import dotted
from torch2jax.rewrite.calls import inplace_row
from torch2jax.rewrite.inplace_layers import check_inplace_layers
from torch2jax.rewrite.statements import may_write
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.walk import count_name, descendants
from torch2jax.values import Kind

_NO_CHANGE = {"requires_grad_", "share_memory_", "retain_grad_"}
_INNER_SCOPES = (cst.Lambda, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


def rewrite_inplace_expressions(unit: Unit) -> None:
    """Refuse the in-place operations left in expressions that others can see; calls are decided as such later."""
    check_inplace_layers(unit)
    said = {
        unit.facts.program.index.statement_of(item.node) for item in unit.problems if item.code in ("T2J301", "T2J303")
    }
    for node, name, other in changed_numpy_aliases(unit.facts.values):
        if unit.facts.program.index.statement_of(node) not in said:
            unit.problem(node, "T2J303", name=name, other=other)
            said.add(unit.facts.program.index.statement_of(node))
    for change in unseen_changes(unit.facts.values):
        if unit.facts.program.index.statement_of(change.node) not in said:
            unit.problem(change.node, "T2J303", name=change.name, other=change.other)
    for call in unit.facts.program.index.calls:
        if call in unit.settled or call in unit.edits.nodes or _is_claimed(unit, call):
            continue
        changed = changed_tensor(unit, call)
        if changed is not None and not _is_unseen(unit, call, changed):
            unit.problem(call, "T2J302", name=code(changed), operation=code(call))


def _is_claimed(unit: Unit, call: cst.Call) -> bool:
    """Whether a statement has been made of the call."""
    line = unit.facts.program.index.statement_of(call)
    is_statement = isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Expr)
    return is_statement and line in unit.edits.statements


def changed_tensor(unit: Unit, call: cst.Call) -> cst.BaseExpression | None:
    """The tensor that a call changes in place; behind a chain of such calls the first one."""
    receiver = _receiver(unit, call)
    while receiver is not None:
        inner = _receiver(unit, receiver) if isinstance(receiver, cst.Call) else None
        if inner is None:
            return without_data(receiver, unit.facts.values)
        receiver = inner
    return None


def _receiver(unit: Unit, call: cst.Call) -> cst.BaseExpression | None:
    values, tables = unit.facts.values, unit.facts.tables
    name = values.torch_name(call.func)
    if name is not None:
        spec = tables.functions.get(name)
        mutates = "mutates" in spec.effects if spec is not None else inplace_row(tables, name) is not None
        mutates = mutates or values.is_inplace(call)
        return call.args[0].value if mutates and call.args and not call.args[0].star else None
    if changes_argument(values(call.func)) and len(call.args) == 1 and not call.args[0].star:
        return call.args[0].value
    if not isinstance(call.func, cst.Attribute) or values(call.func.value).kind is not Kind.TENSOR:
        return None
    method = call.func.attr.value
    if not is_inplace_name(method) or method in _NO_CHANGE:
        return None
    return call.func.value if tables.method(method) or tables.method(method.removesuffix("_")) else None


def _is_unseen(unit: Unit, call: cst.Call, changed: cst.BaseExpression) -> bool:
    line = unit.facts.program.index.statement_of(call)
    if line in unit.facts.program.settled and not _is_store(line):
        return True
    if not all(root.startswith("new:") for root in unit.facts.values(changed).roots):
        return False
    if not isinstance(changed, (cst.Name, cst.Attribute, cst.Subscript)):
        return unit.facts.values.makes_its_own(changed)
    if not isinstance(changed, cst.Name) or not isinstance(line, cst.SimpleStatementLine):
        return False
    for ancestor in unit.facts.program.index.ancestors(call):
        if isinstance(ancestor, _INNER_SCOPES):
            return False
        if ancestor is line:
            break
    if _is_from_outside(unit, changed):
        return False
    mentions = count_name(line, changed.value)
    if _is_rebound(line, changed.value):
        first = _first_call(unit, call)  # its arguments are there before it changes anything
        if mentions > 2 + sum(count_name(argument, changed.value) for argument in first.args):
            return False
    else:
        function = unit.facts.program.function_around(call)
        if mentions > 1 or changed.value in unit.facts.flows.liveness(function).after_statement(line):
            return False
    return may_write(unit, line, changed)


def _is_from_outside(unit: Unit, changed: cst.Name) -> bool:
    """Whether a tensor may be one that a function has been given, in a container, or that functions around it have made."""
    program, values = unit.facts.program, unit.facts.values
    function = program.function_around(changed)
    if function is None:
        return False
    roots = values(changed).roots
    if is_given_inside(values, function, roots):
        return True
    if function.outer is None:
        return False
    inside = set(descendants(function.node))
    return any(
        node not in inside and function.outer.node in program.index.ancestors(node) for node in values.makers(roots)
    )


def _first_call(unit: Unit, call: cst.Call) -> cst.Call:
    """The innermost of a chain of calls in place."""
    while isinstance(inner := _receiver(unit, call), cst.Call) and _receiver(unit, inner) is not None:
        call = inner
    return call


def _is_store(statement: cst.CSTNode | None) -> bool:
    """Whether a line itself writes to a tensor, which is then what has been decided about it."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    return isinstance(small, cst.AugAssign) or (
        isinstance(small, cst.Assign) and any(isinstance(item.target, cst.Subscript) for item in small.targets)
    )


def _is_rebound(line: cst.SimpleStatementLine, name: str) -> bool:
    small = line.body[0]
    return isinstance(small, cst.Assign) and len(small.targets) == 1 and dotted(small.targets[0].target) == name

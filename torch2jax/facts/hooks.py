"""Which calls attach hooks to modules, and what the files of a program have noted of the places of these modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.infer import Values, all_marks
from torch2jax.ops.modules import MODULE_HOOKS
from torch2jax.ops.python import changes_container
from torch2jax.program.program import Function, Program, dotted
from torch2jax.program.statements import bound_in
from torch2jax.syntax.walk import descendants, elements_of, own_nodes
from torch2jax.values import Kind

Hook = cst.FunctionDef | cst.Lambda

HOOKED = "hooked"
"""Marks: this word, the key of a function (none at module level), and a place in it that holds a module that takes hooks."""


def hook_calls(program: Program) -> Iterator[cst.Call]:
    """The calls of a file that attach a hook to a module."""
    for call in program.index.calls:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in MODULE_HOOKS:
            yield call


def takes_hooks(program: Program) -> bool:
    """Whether modules of a program have hooks, as far as its translation allows it."""
    return any(mark[0] == HOOKED for mark in all_marks(program))


def hook_functions(program: Program, node: cst.BaseExpression) -> list[Hook]:
    """The functions that may be the hook that an expression gives; none where they are not in sight."""
    match node:
        case cst.Lambda():
            return [node]
        case cst.Call(func=func, args=args):
            if dotted(func) in ("partial", "functools.partial") and args:
                return hook_functions(program, args[0].value)
            inner = [item for outer in hook_functions(program, func) for item in descendants(outer.body)]
            return [item for item in inner if isinstance(item, Hook)]
        case cst.Name():
            bound = [item.node for item in program.definitions.of(node)]
            return [item for item in bound if isinstance(item, cst.FunctionDef)]
        case cst.Attribute(value=cst.Name() as base, attr=attr):
            function = program.function_around(node)
            if function is not None and function.owner is not None and function.self_name == base.value:
                method = function.owner.method(attr.value)
                return [method.node] if method is not None and not function.owner.is_module else []
    return []


def attached_during(program: Program, call: cst.Call) -> list[Sequence[cst.BaseStatement]] | None:
    """The statements from where a hook is attached to where it is removed in any case, wherever that is done; None where some
    are not in sight. `hooks` may be a list of a function around, or what functions return:

    cache, hooks = model.install_hooks()
    logits = model(tokens)
    for hook in hooks:
        hook.remove()
    """
    parents, held = program.index.parents, program.index.parents[call]
    is_listed = isinstance(held, cst.Element) or (isinstance(held, cst.ListComp) and held.elt is call)
    while isinstance(held, cst.Element | cst.List) or (is_listed and isinstance(held, cst.ListComp)):
        held = parents[held]
    match parents[held] if isinstance(held, cst.Arg) else held:
        case cst.Call(func=cst.Attribute(value=cst.Name(value=kept), attr=cst.Name(value="append"))):
            pass
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=kept))]):
            pass
        case _:
            return None
    return _attached_by(program, program.function_around(call), kept)


def _attached_by(
    program: Program, function: Function | None, name: str, depth: int = 4
) -> list[Sequence[cst.BaseStatement]] | None:
    """The same for the handles that a variable of a function, or of one around it, holds."""
    makers = _bindings(program, function, name)
    while function is not None and not makers and name not in function.parameter_names:
        function = function.outer
        makers = _bindings(program, function, name)
    if len(makers) != 1 or _loses(program, name):
        return None
    line = program.index.statement_of(makers[0])
    suite = program.index.parents[line]
    lines = list(suite.body) if isinstance(suite, cst.IndentedBlock | cst.Module) else []
    start = lines.index(line) if line in lines else len(lines)
    for place, other in enumerate(lines[start:], start):
        if _removes(other, name):
            return [lines[start : place + 1]]
        if _may_leave(program, other) and not _gives(other, name):
            return None
    return _attached_by_callers(program, function, name, depth - 1) if function is not None and depth else None


def _bindings(program: Program, function: Function | None, name: str) -> list[cst.Assign]:
    """The assignments to a variable in the code of a function itself, or in that of the file."""
    own = own_nodes(function.node) if function is not None else program.index.every(cst.Assign)
    found = [node for node in own if isinstance(node, cst.Assign) and program.function_around(node) is function]
    return [node for node in found for part in node.targets if name in bound_in(part.target)]


def _attached_by_callers(
    program: Program, function: Function, name: str, depth: int
) -> list[Sequence[cst.BaseStatement]] | None:
    """The same for the handles that a function returns."""
    given = [node.value for node in own_nodes(function.node) if isinstance(node, cst.Return)]
    if len(given) != 1 or given[0] is None or not function.callers:
        return None
    parts = [item.value for item in given[0].elements] if isinstance(given[0], cst.Tuple) else [given[0]]
    places = [place for place, part in enumerate(parts) if isinstance(part, cst.Name) and part.value == name]
    found: list[Sequence[cst.BaseStatement]] = []
    for call in function.callers:
        assign = program.index.parents.get(call)
        if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not places:
            return None
        target = assign.targets[0].target
        held = elements_of(target)
        kept = held[places[0]] if len(held) == len(parts) else None
        around = program.function_around(call)
        spans = _attached_by(program, around, kept.value, depth) if isinstance(kept, cst.Name) else None
        if spans is None:
            return None
        found += spans
    return found


_LEAVING = (cst.Return, cst.Raise, cst.Yield, cst.Try)


def _may_leave(program: Program, line: cst.BaseStatement) -> bool:
    """Whether what follows a statement may not run behind it."""
    for node in () if isinstance(line, cst.FunctionDef | cst.ClassDef) else (line, *descendants(line)):
        if isinstance(node, _LEAVING):
            return True
        if isinstance(node, cst.Break | cst.Continue):
            around = next(item for item in program.index.ancestors(node) if isinstance(item, cst.For | cst.While))
            if around not in (line, *descendants(line)):
                return True
    return False


def _loses(program: Program, name: str) -> bool:
    """Whether a list of this name may lose what it holds somewhere."""
    for call in program.index.calls:
        match call.func:
            case cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=method)) if own == name:
                is_handle = method == "remove" and not call.args
                if changes_container(method, Kind.LIST) and method not in _ADDING and not is_handle:
                    return True
    return False


_ADDING = frozenset({"append", "extend", "insert"})


def _gives(line: cst.BaseStatement, name: str) -> bool:
    """Whether a statement is the `return` of a function, of a variable and perhaps others."""
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(small, cst.Return) and any(node.value == name for node in descendants(small, cst.Name))


def _removes(line: cst.BaseStatement, name: str) -> bool:
    """Whether a statement removes all handles of a variable."""
    match line:
        case cst.For(
            target=cst.Name(value=each),
            iter=cst.Name(value=gone_through),
            body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=removal))])]),
        ):
            return gone_through == name and dotted(removal) == f"{each}.remove"
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=removal))]):
            return dotted(removal) == f"{name}.remove"
    return False


def modules_given(program: Program, values: Values) -> Iterator[cst.Name]:
    """The names in the functions of a file that stand for the module which a hook, or what modules apply, is given."""
    functions = [
        hook for call in hook_calls(program) if call.args for hook in hook_functions(program, call.args[0].value)
    ]
    functions += [item.node for call in program.index.calls for item in applied_functions(program, values, call)]
    for hook in functions:
        function = program.functions.get(hook) if isinstance(hook, cst.FunctionDef) else None
        names = [item.name.value for item in hook.params.params]
        first = names[1:2] if function is not None and function.is_method else names[:1]
        yield from (node for node in descendants(hook.body) if isinstance(node, cst.Name) and node.value in first)


def applied_functions(program: Program, values: Values, call: cst.Call) -> list[Function]:
    """The functions that `model.apply(function)` may mean."""
    match call:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(value="apply")), args=[cst.Arg(value=given), *_]):
            found = [program.by_key.get(key) for key in sorted(values(given).types)]
            is_module = values(module).kind is Kind.MODULE
            return [item for item in found if item is not None] if is_module else []
    return []

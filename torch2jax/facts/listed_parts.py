"""Places that list the parts of modules and do more with them than to ask what they are or to fill them: layers without
parameters are among the parts there.

nn.Sequential(*list(net.children())[:-1])      for name, part in net.named_modules(): print(name)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from torch2jax.facts.hooks import applied_functions
from torch2jax.facts.infer import Values
from torch2jax.facts.module_state import init_methods
from torch2jax.program.program import Function, Program, dotted, root_name
from torch2jax.program.statements import assigned_pairs, bound_in, suite_body
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind

_KEEPING = frozenset({"append", "add", "extend", "insert", "write", "info", "debug"})
_LISTINGS = frozenset({"children", "modules", "named_children", "named_modules"})


def lists_parts(program: Program, values: Values) -> bool:
    """Whether a file has such a place."""
    return any(lists_all(program, values, call) for call in program.index.calls)


def lists_parts_of_others(program: Program, values: Values) -> bool:
    """Whether a file has such a place, and the module may be of another file."""
    listing = (call for call in program.index.calls if lists_all(program, values, call))
    return any(not is_made_here(program, values, call) for call in listing)


def is_made_here(program: Program, values: Values, call: cst.Call) -> bool:
    """Whether the module whose parts are listed is of classes of the file."""
    types = values(cst.ensure_type(call.func, cst.Attribute).value).types
    classes = [program.class_by_key.get(name) for name in types]
    return bool(types) and all(item is not None and item.node in program.classes for item in classes)


def lists_all(program: Program, values: Values, call: cst.Call) -> bool:
    """Whether a call lists the parts of a module to be called, counted or shown, or gives them to a function that does so."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in (*_LISTINGS, "apply"):
        return False
    if values(call.func.value).kind is not Kind.MODULE:
        return False
    if call.func.attr.value == "apply":
        return any(not _leaves_out_parts(item) for item in applied_functions(program, values, call))
    loop = program.index.parents[call]
    if not isinstance(loop, (cst.For, cst.CompFor)) or loop.iter is not call:
        return True
    names = names_in(loop.target)
    body = loop.body if isinstance(loop, cst.For) else program.index.parents[loop]
    calls = [node for node in descendants(body) if isinstance(node, cst.Call)]
    if isinstance(loop, cst.CompFor) and _counts_some(program, loop, names):
        return False
    return any(dotted(node.func) in names for node in calls) or not _leaves_out_functions(loop, names)


def exchanges_functions(program: Program, values: Values, is_function: Callable[[str], bool]) -> bool:
    """Whether a file puts a layer without parameters in the place of a part of a finished module, or a part in its place."""
    for call in program.index.calls:
        match call:
            case cst.Call(func=cst.Name("setattr"), args=[cst.Arg(value=module), _, cst.Arg(value=given)]):
                is_part = values(module).is_a(Kind.MODULE, Kind.UNKNOWN) and values(given).kind is Kind.MODULE
                if is_part and any(is_function(name) for name in values(given).types):
                    return True
    for item in program.index.every(cst.Assign):
        for place, given in [pair for target in item.targets for pair in assigned_pairs(target.target, item.value)]:
            if isinstance(place, (cst.Attribute, cst.Subscript)) and not _is_own_field(program, place):
                both = values(place), values(given)
                are_modules = values(place.value).kind is Kind.MODULE and both[1].kind is Kind.MODULE
                if are_modules and any(is_function(name) for value in both for name in value.types):
                    return True
    return False


def _is_own_field(program: Program, place: cst.Attribute | cst.Subscript) -> bool:
    """Whether a method that makes the parts of a module sets a field of it."""
    function = program.function_around(place)
    is_init = function is not None and function.owner is not None and function in init_methods(function.owner)
    return is_init and function is not None and dotted(place.value) == function.self_name


def _counts_some(program: Program, loop: cst.CompFor, names: frozenset[str]) -> bool:
    """Whether parts of some classes are counted, or looked for: `sum(isinstance(m, kinds) for m in model.modules())`."""
    parents = program.index.parents
    match parents[loop]:
        case cst.GeneratorExp() | cst.ListComp() as made:
            pass
        case _:
            return False
    match made.elt, parents.get(made):
        case (
            cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=cst.Name(tested)), cst.Arg(value=kinds)]),
            cst.Arg() as given,
        ):
            call = parents[given]
            is_counted = isinstance(call, cst.Call) and dotted(call.func) in ("sum", "any")
            return is_counted and tested in names and not names_in(kinds) & {"Module", *names}
    return False


def _leaves_out_functions(loop: cst.For | cst.CompFor, names: frozenset[str]) -> bool:
    """Whether a loop over parts does nothing for one that has no parameters: it asks each what it is, or fills it."""
    if isinstance(loop, cst.CompFor):
        return any(names & names_in(item.test) for item in loop.ifs)
    return _ask_first(loop.body.body, names)


def _leaves_out_parts(function: Function) -> bool:
    """The same of a function that modules apply: what it has computed of a part asks what that is, too."""
    names = frozenset(function.parameter_names[1 if function.is_method else 0 :][:1])
    for node in own_nodes(function.node):
        if isinstance(node, cst.Assign) and names & names_in(node.value):
            names |= {name for target in node.targets for name in bound_in(target.target)}
    return _ask_first(suite_body(function.node), names)


def _ask_first(lines: Sequence[cst.CSTNode], names: frozenset[str]) -> bool:
    """Whether statements ask what a part is before they do anything else than to read or fill it."""
    for line in lines:
        if isinstance(line, cst.If):
            if not names & names_in(line.test):
                return False
        elif not isinstance(line, cst.SimpleStatementLine) or not all(_is_of_part(item, names) for item in line.body):
            return False
    return True


def _is_of_part(statement: cst.BaseSmallStatement, names: frozenset[str]) -> bool:
    """Whether a statement reads or fills the part of a loop, and keeps or shows nothing."""
    match statement:
        case cst.Expr(value=cst.SimpleString()) | cst.Pass():
            return True
        case cst.Expr(value=cst.Call(func=func) as call):
            keeps = dotted(func) == "print" or (isinstance(func, cst.Attribute) and func.attr.value in _KEEPING)
            return bool(names & names_in(call)) and not keeps
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name())], value=value):
            return bool(names & names_in(value)) and not isinstance(value, cst.Name)
        case cst.Assign(targets=[cst.AssignTarget(target=target)], value=value):
            return root_name(target) in names or (bool(names & names_in(value)) and not isinstance(value, cst.Name))
    return False


__all__ = ["exchanges_functions", "is_made_here", "lists_all", "lists_parts", "lists_parts_of_others"]

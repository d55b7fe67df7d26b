"""Lists that a module keeps only for the code around it, normalized to variables beside the module.

class Policy(nn.Module):                     class Policy(nn.Module):
    def __init__(self):                          def __init__(self):
        super().__init__()                           super().__init__()
        self.fc = nn.Linear(4, 2)                    self.fc = nn.Linear(4, 2)
        self.rewards = []                ->
policy = Policy()                            policy = Policy()
                                             rewards = []
...                                          ...
policy.rewards.append(reward)                rewards.append(reward)

In JAX a module is a tree of arrays: what grows in it from round to round would make it another module each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import receiver_of, write_out
from torch2jax.program.definitions import Definition
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import assigned_pairs, suite_body
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_GROWING = frozenset({"append", "extend", "insert"})


def normalize_host_lists(work: NormalizationRound) -> None:
    """Take all such lists out of their modules."""
    lists: list[tuple[Class, cst.BaseStatement, str]] = []
    for item in work.program.module_classes():
        made = item.method("__init__")
        if made is not None and made.owner is item and len(suite_body(made.node)) > 1:
            named = [(line, _made_list(line, str(made.self_name))) for line in suite_body(made.node)]
            lists += [(item, line, name) for line, name in named if name is not None]
    methods = {method for item, _, name in lists for method in _methods_of(work, item, name)}
    if not _write_out(work, methods):
        for item, line, name in lists:
            _take_out(work, item, line, name)


def _made_list(line: cst.BaseStatement, owner: str) -> str | None:
    """The field that a line makes an empty list."""
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(base), attr=cst.Name(name)))],
                    value=cst.List(elements=[]),
                )
            ]
        ) if base == owner:
            return name
    return None


def _take_out(work: NormalizationRound, item: Class, line: cst.BaseStatement, name: str) -> None:
    """Make a list a variable, if one variable holds the only module of its class, and all uses go by that."""
    uses = [node for node in work.index.attributes if node.attr.value == name and _may_be_of(work, node, item)]
    others = [node for node in uses if work.index.statement_of(node) is not line]
    if len(uses) != len(others) + 1 or any(other.mentions(name) for other in work.program.files[1:]):
        return
    made = _only_module(work, item)
    if made is None or not any(_grows(work, node) for node in others):
        return
    if not all(_is_of(work, node, made) and not _is_bound(work, node) for node in others):
        return
    wish = name.lstrip("_")
    variable = work.fresh(wish if work.fresh.is_free(wish) else f"{made.variable.name}_{wish}")
    for node in others:
        alias = _alias(work, node)
        if alias is None:
            work.edits.replace(node, lambda rewrite: cst.Name(variable))
            continue
        work.edits.remove(work.index.statement_of(node))
        for use in work.program.definitions.uses(alias):
            work.edits.replace(use, lambda rewrite: cst.Name(variable))
    work.edits.remove(line)
    work.edits.after(work.index.statement_of(made.node), partial(_empty_list, variable))


def _own_method(work: NormalizationRound, node: cst.Attribute, item: Class) -> Function | None:
    """The method of a class in which a field of its own object is named."""
    function = work.program.function_around(node)
    is_own = function is not None and function.owner is item and dotted(node.value) == function.self_name
    return function if is_own else None


def _is_called_on(work: NormalizationRound, function: Function, made: Definition) -> bool:
    """Whether all that is done with a method is to call it of what a variable holds."""
    if function.name == "forward" and work.program.mentions("_hook"):
        return False
    if function.name not in ("forward", "__call__") and any(
        node.attr.value == function.name and not isinstance(work.index.parents[node], cst.Call)
        for node in work.index.attributes
    ):
        return False
    return bool(function.callers) and all(
        isinstance(call, cst.Call) and call in work.index.parents and _is_named(work, receiver_of(work, call), made)
        for call in function.callers
    )


def _methods_of(work: NormalizationRound, item: Class, name: str) -> set[Function]:
    """The methods that name a list of their own object which one of them adds to, if it is the only object of its class and they are
    called of its variable only.
    """
    uses = [node for node in work.index.attributes if node.attr.value == name and _may_be_of(work, node, item)]
    found = {function for node in uses if (function := _own_method(work, node, item)) is not None}
    methods = {function for function in found if function.name != "__init__"}
    if not any(_grows(work, node) and _own_method(work, node, item) in methods for node in uses):
        return set()
    made = _only_module(work, item)
    return methods if made is not None and all(_is_called_on(work, function, made) for function in methods) else set()


def _write_out(work: NormalizationRound, methods: Iterable[Function]) -> bool:
    """Put the statements of methods where they are called, one call in each function around; methods go with their last call."""
    changed: set[Function | None] = set()
    for function in sorted(methods, key=lambda item: item.key):
        for call in function.callers:
            assert isinstance(call, cst.Call)
            around = work.program.function_around(call)
            if around not in changed and write_out(work, call, function):
                changed.add(around)
                if len(function.callers) == 1:
                    work.edits.remove(function.node)
    return bool(changed)


def _may_be_of(work: NormalizationRound, node: cst.Attribute, item: Class) -> bool:
    """Whether a field may be one of an object of a class: all but those of objects that are known to be of others."""
    value = work.values(node.value)
    is_known = value.kind in (Kind.OBJECT, Kind.MODULE) and bool(value.types)
    return not is_known or item.key in value.types


def _alias(work: NormalizationRound, node: cst.Attribute) -> Definition | None:
    """Another name of a list, `saved = policy.saved`, in a function where it is nothing else."""
    match work.index.parents[node]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)]) as line if (
            len(work.index.statement_of(line).body) == 1  # type: ignore[arg-type]
        ):
            function = work.program.function_around(node)
            return work.program.definitions.bound_once(target) if function is not None else None
    return None


def _empty_list(name: str, rewrite: Rewriter) -> Sequence[cst.BaseStatement]:
    return [quote_statement(f"{name} = []")]


def _only_module(work: NormalizationRound, item: Class) -> Definition | None:
    """What gives a variable, for good, the only module that is made of a class; none where a class is made from it."""
    calls = [call for call in work.index.calls if item.key in work.values(call.func).types and _makes(work, call)]
    below = [other for other in work.program.class_by_key.values() if other is not item and item in other.lineage]
    if len(calls) != 1 or below:
        return None
    line = work.index.statement_of(calls[0])
    match line:
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)]):
            pairs = assigned_pairs(target, value)  # `env, policy = Env(), Policy()`
        case _:
            return None
    named, held = next((pair for pair in pairs if calls[0] in (pair[1], *descendants(pair[1]))), (target, value))
    known, is_starred = work.values(held), isinstance(work.index.parents[named], cst.StarredElement)
    if not isinstance(named, cst.Name) or is_starred or known.kind is not Kind.MODULE or known.types != {item.key}:
        return None
    made = work.program.definitions.bound_once(named)
    block = work.index.parents[line]
    in_place = isinstance(block, cst.Module) or isinstance(work.index.parents[block], cst.FunctionDef)
    return made if in_place else None


def _makes(work: NormalizationRound, call: cst.Call) -> bool:
    return work.values(call.func).kind is Kind.CLASS


def _is_of(work: NormalizationRound, node: cst.Attribute, made: Definition) -> bool:
    """Whether a field is read of what a variable holds."""
    return _is_named(work, node.value, made)


def _is_named(work: NormalizationRound, node: cst.BaseExpression | None, made: Definition) -> bool:
    """Whether an expression is the name of a variable."""
    if not isinstance(node, cst.Name) or node.value != made.variable.name:
        return False
    scopes = work.program.definitions.scopes
    return scopes.lookup(node.value, scopes.around(node)) == made.variable


def _is_bound(work: NormalizationRound, node: cst.Attribute) -> bool:
    """Whether a field is given another list where its variable would be a local one."""
    parent = work.index.parents[node]
    return isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Element, cst.Del))


def _grows(work: NormalizationRound, node: cst.Attribute) -> bool:
    parent = work.index.parents[node]
    return isinstance(parent, cst.Attribute) and parent.attr.value in _GROWING


__all__ = ["normalize_host_lists"]

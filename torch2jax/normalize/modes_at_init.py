"""Modules that are made in evaluation: the mode is said of the parts that they have by then, each of which keeps its own.

def __init__(self):                            def __init__(self):
    super().__init__()                             super().__init__()
    self.net = nn.Sequential(...)        ->        self.net = nn.Sequential(...)
    self.eval()                                    self.net.eval()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from torch2jax.facts.training import method_call
from torch2jax.normalize.mode_calls import is_no_layer, sets_own_mode
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import calls_base_init
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, lines_of, own_nodes
from torch2jax.values import Kind

_ADDING = frozenset({"add_module", "register_module", "setattr", "__setattr__"})


def normalize_modes_at_init(work: NormalizationRound) -> None:
    """Normalize all such lines of a file that stand in the body of an `__init__` itself."""
    for function in work.program.functions.values():
        if function.name != "__init__" or function.owner is None or not function.owner.is_module:
            continue
        lines = lines_of(function.node.body)
        for number, line in enumerate(lines):
            if _is_evaluation(line, function) and _is_said_of_parts(work, function.owner):
                parts = _parts_by_then(work, function, lines[:number])
                if parts:
                    made = [quote_statement(f"{function.self_name}.{name}.eval()") for name in parts]
                    work.edits.rewrite_statement(line, always_statements(made))


def _is_evaluation(line: cst.BaseStatement, function: Function) -> bool:
    """Whether a line is `self.eval()` or `self.train(False)`."""
    if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1:
        for name, given in (("eval", []), ("train", ["False"])):
            call = method_call(line, name)
            if call is not None and [dotted(item.value) for item in call.args] == given:
                return dotted(call.func) == f"{function.self_name}.{name}"
    return False


def _is_said_of_parts(work: NormalizationRound, owner: Class) -> bool:
    """Whether nothing but the parts of a module, of which no class sets modes in a way of its own, has a mode."""
    assert work.effects is not None
    every = work.program.class_by_key.values()
    heirs = [item for item in every if owner in item.lineage]
    return is_no_layer(work, owner) and not any(
        work.effects.reads_training(item) or any(item.method(name) for name in ("train", "eval")) for item in heirs
    ) and not any(map(sets_own_mode, every))  # fmt: skip


def _parts_by_then(work: NormalizationRound, function: Function, lines: Sequence[cst.BaseStatement]) -> list[str]:
    """The fields of a module that hold its parts, where it is certain which these are."""
    owner, parts = function.owner, dict[str, None]()
    assert owner is not None
    for line in lines:
        if calls_base_init(line):
            for base in owner.lineage[1:]:
                init = base.methods.get("__init__")
                parts.update(dict.fromkeys(_set_in(work, init, lines_of(init.node.body)) if init is not None else ()))
        parts.update(dict.fromkeys(_set_in(work, function, [line])))
    return [] if "" in parts else list(parts)


def _set_in(work: NormalizationRound, function: Function, lines: Sequence[cst.BaseStatement]) -> Iterator[str]:
    """The fields that get modules in lines which always run; an empty name where others may be set."""
    for line in lines:
        inside: Iterable[cst.CSTNode] = descendants(line)
        match line:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute() as target)], value=value)]
            ):
                if _is_part(work, function, target):
                    yield target.attr.value if work.values(target).kind is Kind.MODULE else ""
                inside = (value, *descendants(value))
            case cst.SimpleStatementLine(body=[cst.Expr(value=call)]) if (name := _added(function, call)) is not None:
                yield name
                inside = descendants(cst.ensure_type(call, cst.Call).args[1])
        if any(_may_set(work, function, node) for node in inside):
            yield ""


def _added(function: Function, call: cst.BaseExpression) -> str | None:
    """The name that `self.add_module("norm", part)` gives a part, where it is written out."""
    match call:
        case cst.Call(
            func=cst.Attribute(value=cst.Name(owner), attr=cst.Name("add_module" | "register_module" as method)),
            args=[cst.Arg(value=cst.SimpleString() as text, star="", keyword=None), _],
        ) if owner == function.self_name and function.owner is not None and not function.owner.method(method):
            name = str(text.evaluated_value)
            return name if name.isidentifier() else None
    return None


def _is_part(work: NormalizationRound, function: Function, target: cst.Attribute) -> bool:
    """Whether a field of the own module that gets a value is a part, or may be one."""
    kind = work.values(target).kind
    is_own = dotted(target.value) == function.self_name
    return is_own and (kind is Kind.MODULE or (kind is Kind.UNKNOWN and _acts(function, target.attr.value)))


def _may_set(
    work: NormalizationRound, function: Function, node: cst.CSTNode, seen: frozenset[Function] = frozenset()
) -> bool:
    """Whether something in a line may give a module a part: a field that is set there, a call that is told its name, or a
    method that does such a thing.
    """
    match node:
        case cst.AssignTarget(target=target) | cst.AnnAssign(target=target):
            fields = [item for item in (target, *descendants(target)) if isinstance(item, cst.Attribute)]
            return any(_is_part(work, function, item) for item in fields)
        case cst.Attribute(attr=cst.Name("_modules" | "__dict__")):
            return True
        case cst.Call(func=called):
            owner, _, name = (dotted(called) or "").rpartition(".")
            method = function.owner.method(name) if function.owner is not None and owner == function.self_name else None
            if method is not None:
                known = seen | {method}
                inside = own_nodes(method.node) if method not in seen else ()
                return any(_adds(item) or _may_set(work, method, item, known) for item in inside)
            is_given = owner == function.self_name or any(
                dotted(item.value) == function.self_name for item in node.args
            )
            return is_given and (_adds(node) or name == "__init__")
    return False


def _adds(node: cst.CSTNode) -> bool:
    """Whether a call gives something a part by its name."""
    return isinstance(node, cst.Call) and (dotted(node.func) or "").rpartition(".")[2] in _ADDING


def _acts(function: Function, name: str) -> bool:
    """Whether a class calls what a field of its modules holds, or asks it to do something."""
    assert function.owner is not None
    calls = descendants(function.owner.node.body, cst.Call)
    return any(f"{dotted(call.func)}.".startswith(f"{function.self_name}.{name}.") for call in calls)


__all__ = ["normalize_modes_at_init"]

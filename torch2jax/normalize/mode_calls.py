"""Modes that are set in the middle of an expression are set in front of it: torch changes the module that the place holds.

return self.model.eval()      ->   self.model.eval()
                                   return self.model
net = model.to(device).eval() ->   model.eval()
                                   net = model.to(device)
model.eval()                  ->   model.train(False)        where its class has a `train` of its own, which `eval` calls
model.eval()                  ->   model.eval()              which says it of all its parts, as it does in front of that
model.training = False
self.train()                  ->   (nothing)                 in an `__init__` that makes all its parts: they are in training
self.training = False         ->   (nothing)                 where nobody asks a module for its mode: its parts keep theirs
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.left_modes import is_made_for_training
from torch2jax.facts.module_state import runs_only_at_init
from torch2jax.facts.outside_methods import has_module
from torch2jax.facts.training import method_call
from torch2jax.normalize.evaluation_order import say_apart
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import GIVING_BACK
from torch2jax.program.calls import chain_start
from torch2jax.program.program import Class, Program, dotted, is_super
from torch2jax.syntax.codegen import code
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import UNKNOWN, Kind, Value

_LATER = (cst.IfExp, cst.BooleanOperation, cst.Lambda, cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


def normalize_mode_calls(work: NormalizationRound) -> None:
    """Normalize all such lines of a file, one call of each line in a round."""
    if _have_own_modes(work):
        for call in work.index.calls:
            _normalize_own(work, call)
    for line in work.index.every(cst.SimpleStatementLine):
        if _says_again(work, line) or _is_idle(work, line) or _is_never_asked(work, line):
            work.edits.remove(line)
            continue
        small = line.body[0]
        if len(line.body) == 1 and isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)):
            for call, place in _mode_calls(work, small):
                if not _is_plain(work, small, call, place):
                    _normalize(work, line, call, place)
                    break


def _says_again(work: NormalizationRound, line: cst.SimpleStatementLine) -> bool:
    """Whether a line gives a module the mode that the line above has given it and its parts, `net.training = True`, or that a
    line below sets anew before anybody asks.
    """
    block = work.index.parents[line]
    match line.body:
        case [
            cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=owner, attr=cst.Name("training")))],
                value=cst.Name("True" | "False" as mode),
            )
        ] if work.values(owner).kind is Kind.MODULE and isinstance(block, (cst.IndentedBlock, cst.Module)):
            place = dotted(owner)
        case _:
            return False
    if place is None or _have_own_modes(work):
        return False
    position = list(block.body).index(line)
    name = "train" if mode == "True" else "eval"
    return (position > 0 and _sets(block.body[position - 1], place, (name,))) or _sets_below(
        work, block.body[position + 1 :], place
    )


def _sets(line: cst.CSTNode, place: str, names: tuple[str, ...]) -> bool:
    """Whether a line is `net.train()`, or `net.eval()`."""
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    said = [call for name in names if (call := method_call(line, name)) is not None and not call.args]
    return any(dotted(call.func) == f"{place}.{name}" for call in said for name in names)


def _sets_below(work: NormalizationRound, lines: Sequence[cst.CSTNode], place: str) -> bool:
    """Whether one of some lines sets the mode of a module and its parts, and those above it do not run the module."""
    for line in lines:
        if _sets(line, place, ("train", "eval")):
            return True
        if not isinstance(line, cst.SimpleStatementLine) or rebinds(line, place):
            return False
        if any(may_ask(work, node) for node in descendants(line)):
            return False
    return False


def rebinds(line: cst.CSTNode, place: str) -> bool:
    """Whether a line gives a place, or what it is a part of, another value."""
    targets = [node.target for node in descendants(line) if isinstance(node, (cst.AssignTarget, cst.AnnAssign))]
    named = [item for target in targets for item in descendants(target) if isinstance(item, (cst.Name, cst.Attribute))]
    return any(f"{place}.".startswith(f"{dotted(item)}.") for item in named)


def may_ask(work: NormalizationRound, node: cst.CSTNode) -> bool:
    """Whether something in a line runs code of the program, or modules, which may ask for their mode, or sets it."""
    match node:
        case cst.Return() | cst.Raise() | cst.Break() | cst.Continue() | cst.Await() | cst.Yield():
            return True
        case cst.Attribute(attr=cst.Name("training")):
            return True
        case cst.Call(func=func):
            name = func.attr.value if isinstance(func, cst.Attribute) else ""
            is_library = work.values(func).kind in (Kind.TORCH, Kind.PYTHON) or name in (
                "parameters",
                "named_parameters",
            )
            is_given = any(has_module(work.values(item.value)) for item in node.args)
            return not is_library or is_given or bool(work.values.callees.get(node))
    return False


def _is_idle(work: NormalizationRound, line: cst.SimpleStatementLine) -> bool:
    """Whether a line sets a new module to training, in which it is, with all its parts."""
    said = method_call(line, "train")
    function = work.program.function_around(line) if said is not None else None
    if said is None or said.args or function is None or len(line.body) != 1 or _have_own_modes(work):
        return False
    owner, is_own = function.owner, dotted(said.func) == f"{function.self_name}.train"
    if not is_own or owner is None or owner.method("train") is not None:
        return False
    assert work.effects is not None
    return runs_only_at_init(work.program, function) and is_made_for_training(work.effects, owner)


def _is_never_asked(work: NormalizationRound, line: cst.SimpleStatementLine) -> bool:
    """Whether a module that is no layer of torch itself is given a mode of its own, which nothing reads."""
    function = work.program.function_around(line)
    match line.body:
        case [
            cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(name), attr=cst.Name("training")))],
                value=cst.Name("True" | "False"),
            )
        ] if function is not None and function.owner is not None and name == function.self_name:
            return (
                is_no_layer(work, function.owner)
                and function.owner.is_module
                and not any(_asks_modes(file) for file in work.program.files)
            )
    return False


def is_no_layer(work: NormalizationRound, owner: Class) -> bool:
    """Whether a class, and those that derive from it, have no layer of torch, or anything else that is not known, as a base."""
    heirs = [item for item in work.program.class_by_key.values() if owner in item.lineage]
    bases = [base for heir in heirs for item in heir.lineage for base in item.bases]
    return all(base.kind is Kind.CLASS or base.const in ("torch.nn.Module", "object") for base in bases)


def _asks_modes(file: Program) -> bool:
    """Whether a file reads the mode of something: `net.training`, `getattr(net, "training")`."""
    read = [node for node in file.index.attributes if node.attr.value == "training"]
    if any(not isinstance(file.index.parents[node], cst.AssignTarget) for node in read):
        return True
    return any(node.value.strip("rbu\"'") == "training" for node in file.index.every(cst.SimpleString))


def _have_own_modes(work: NormalizationRound) -> bool:
    """Whether a class of modules sets the mode in a way of its own."""
    return any(item.is_module and sets_own_mode(item) for item in work.program.class_by_key.values())


def sets_own_mode(item: Class) -> bool:
    """Whether the `train` of a class stands for torch's: it takes a mode, and nothing else."""
    method = item.method("train")
    if method is None or len(method.parameters) != 2:
        return False
    mode = method.parameters[1]
    return mode.name.value == "mode" or (isinstance(mode.default, cst.Name) and mode.default.value == "True")


def _normalize_own(work: NormalizationRound, call: cst.Call) -> None:
    """torch's `eval` calls `train`, and that calls those of the parts; what sets modes in JAX calls neither."""
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in ("train", "eval"):
        return
    assert work.effects is not None
    value, is_whole = _set_by(work, call.func.value)
    if value.kind is not Kind.MODULE:
        return
    classes = work.effects.classes_of(value)
    own = [item for item in classes if is_whole and item.method(call.func.attr.value) is not None]
    if own and not any(map(sets_own_mode, own)):
        return  # a method that trains, whose name is all that it has in common
    of_train = [item for item in classes if is_whole and sets_own_mode(item)]
    if own and len(own) == len(value.types):
        return
    if of_train and len(of_train) == len(value.types) and not own:
        text = code(call.func.value)
        work.edits.replace(call, lambda rewrite: quote("{model}.train(False)", model=cst.parse_expression(text)))
    elif own or of_train or not value.types or _parts_have_own(work, value, frozenset()):
        work.problems.append(Problem(call, "T2J603", {"name": code(call.func)}))


def _set_by(work: NormalizationRound, receiver: cst.BaseExpression) -> tuple[Value, bool]:
    """The module whose mode a call sets, and whether by the methods of its own class: `super()` means those of torch."""
    function = work.program.function_around(receiver)
    if not is_super(receiver) or function is None or function.owner is None or not function.owner.is_module:
        return work.values(receiver), True
    if any(sets_own_mode(item) for item in function.owner.base_classes):
        return UNKNOWN, True  # a method of the program's own
    return Value(Kind.MODULE, types=frozenset({function.owner.key})), False


def _parts_have_own(work: NormalizationRound, value: Value, seen: frozenset[str]) -> bool:
    """Whether a part of a module, at any depth, sets its mode in a way of its own."""
    assert work.effects is not None
    parts = [*work.effects.members(value)]
    for item in work.effects.classes_of(value):
        parts += [] if item.key in seen else [part for _, part in item.all_fields()]
    seen |= value.types
    return any(
        any(sets_own_mode(item) for item in work.effects.classes_of(part)) or _parts_have_own(work, part, seen)
        for part in parts
    )


def _mode_calls(work: NormalizationRound, small: cst.CSTNode) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
    """The calls in a statement that set a mode, with the places that hold their modules, innermost first."""
    for call in reversed([*descendants(small, cst.Call)]):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in ("train", "eval"):
            place, value = _place(call.func.value), work.values(call.func.value)
            if place is not None and value.kind is Kind.MODULE and _sets_mode(work, call, isinstance(small, cst.Expr)):
                yield call, place


def _sets_mode(work: NormalizationRound, call: cst.Call, alone: bool) -> bool:
    """Whether a call sets a mode that matters, or stands in a line of its own, which says nothing else."""
    assert isinstance(call.func, cst.Attribute) and work.effects is not None
    value = work.values(call.func.value)
    return work.effects.is_mode_method(value, call.func.attr.value) and (alone or work.effects.has_mode(value))


def _place(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The place whose module an expression gives: `self.model` of `self.model.to(device)`."""
    node = chain_start(node, GIVING_BACK)
    return node if dotted(node) is not None else None


def _is_plain(work: NormalizationRound, small: cst.CSTNode, call: cst.Call, place: cst.BaseExpression) -> bool:
    """Whether a call is a statement, gives its place the new value, or nobody knows the module but who is given it."""
    match small:
        case cst.Expr(value=value):
            return value is call and place is call.func.value  # type: ignore[attr-defined]
        case cst.Assign(targets=[cst.AssignTarget(target=target)]) if dotted(target) == dotted(place):
            return True
        case cst.Return() if isinstance(place, cst.Name):
            return _is_made_here(work, place)
    return False


def _is_made_here(work: NormalizationRound, name: cst.Name) -> bool:
    """Whether a local variable is bound to nothing but modules that are made there."""
    function = work.program.function_around(name)
    if function is None or name.value in function.parameter_names:
        return False
    found = [
        node.value
        for node in descendants(function.node)
        if isinstance(node, cst.Assign) and any(dotted(item.target) == name.value for item in node.targets)
    ]
    return bool(found) and all(isinstance(item, cst.Call) and _makes(work, item) for item in found)


def _makes(work: NormalizationRound, call: cst.Call) -> bool:
    return work.values(call.func).kind in (Kind.CLASS, Kind.TORCH)


def _normalize(
    work: NormalizationRound, line: cst.SimpleStatementLine, call: cst.Call, place: cst.BaseExpression
) -> None:
    if not _comes_first(work, line, call):
        work.problems.append(Problem(call, "T2J603", {"name": code(call.func)}))
        return
    say_apart(work, line, call, place)


def _comes_first(work: NormalizationRound, line: cst.SimpleStatementLine, call: cst.Call) -> bool:
    """Whether nothing else is called in a line before a call, which surely is."""
    inside, found = {call, *descendants(call)}, False
    around = set(work.index.ancestors(call))
    if any(isinstance(node, _LATER) and node in around for node in descendants(line)):
        return False
    for node in descendants(line):
        found = found or node is call
        if isinstance(node, (cst.Call, cst.Await, cst.NamedExpr)) and node not in inside and node not in around:
            return found
    return True


__all__ = ["is_no_layer", "may_ask", "normalize_mode_calls", "rebinds", "sets_own_mode"]

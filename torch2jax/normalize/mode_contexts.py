"""Contexts of the program's own that set modes for a while, written out where they are entered.

with torch.no_grad(), eval_mode(self.agent):        with torch.no_grad():
    action = self.agent.act(obs)             ->         was_training = self.agent.training
                                                        self.agent.train(False)
                                                        try:
                                                            action = self.agent.act(obs)
                                                        finally:
                                                            self.agent.train(was_training)

Where models are values, a context that holds one sees nothing of it later. What has a `train` of its own, and is no module, is asked
for that. A context that nothing enters any more goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from torch2jax.facts.mode_contexts import LEFT_CONTEXT, ModeContext, context_of_class, context_of_function
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.program.statements import bound_parts
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants, with_fields
from torch2jax.values import Kind

_STORES = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr, cst.AsName, cst.Del)


@dataclass(frozen=True, slots=True)
class _Entered:
    """A `with` and the place of its item that enters a context, the models that this is given, and what it does."""

    node: cst.With
    place: int
    models: tuple[cst.BaseExpression, ...]
    context: ModeContext


def normalize_mode_contexts(work: NormalizationRound) -> None:
    """Write out all such contexts that a file enters; where modules are objects, those of what may be no module."""
    if work.effects is None:
        return
    found = _contexts(work)
    if not found:
        return
    uses = {key: [*_uses(work, item)] for key, (item, _) in found.items()}
    done: set[cst.FunctionDef | None] = set()  # one new name for each function in a round
    for key, (item, context) in found.items():
        for use in uses[key]:
            entered = _entered(work, use, context)
            if entered is None or not _is_asked_for(work, entered.models):
                is_left = item.node not in work.index.parents and work.effects.threads
                if entered is None and (is_left or _holds_object(work, use)):
                    work.problems.append(Problem(use, "T2J603", {"name": code(use)}))
                continue
            function = work.index.function_of(use)
            if function not in done:
                done.add(function)
                _write_out(work, entered)
        if work.effects.threads and item.node in work.index.parents and not _is_named(work, item):
            _leave(work, item)


def _contexts(work: NormalizationRound) -> dict[str, tuple[Class | Function, ModeContext]]:
    """The contexts of the program that a file may enter, by their keys."""
    found: dict[str, tuple[Class | Function, ModeContext]] = {}
    for key, item in work.program.class_by_key.items():
        if "__exit__" in item.methods and (of_class := context_of_class(item)) is not None:
            found[key] = item, of_class
    for key, function in work.program.by_key.items():
        if function.node.decorators and (of_function := context_of_function(function)) is not None:
            found[key] = function, of_function
    return found


def _uses(work: NormalizationRound, item: Class | Function) -> Iterator[cst.BaseExpression]:
    """Where a file names a context."""
    kind = Kind.CLASS if isinstance(item, Class) else Kind.FUNCTION
    for node in (*work.index.names, *work.index.attributes):
        value, parent = work.values(node), work.index.parents[node]
        is_end = isinstance(parent, cst.Attribute) and parent.attr is node
        if isinstance(parent, (cst.FunctionDef, cst.ClassDef, cst.ImportAlias, cst.AsName)) or is_end:
            continue
        if value.kind is kind and item.key in value.types:
            yield node


def _is_named(work: NormalizationRound, item: Class | Function) -> bool:
    """Whether the file of a context may still speak of it."""
    name, own = item.node.name.value, item.node.name
    return any(node.value == name and node is not own for node in work.index.names)


def _entered(work: NormalizationRound, use: cst.BaseExpression, context: ModeContext) -> _Entered | None:
    """The `with` that enters a context where it is named, if it can be written out."""
    call = work.index.parents[use]
    item = work.index.parents.get(call)
    node = work.index.parents[item] if isinstance(item, cst.WithItem) else None
    if not isinstance(call, cst.Call) or call.func is not use or not isinstance(node, cst.With):
        return None
    assert isinstance(item, cst.WithItem)
    models = [arg.value for arg in call.args if not arg.star]
    is_given = len(models) == len(call.args) and (len(models) == 1 or (context.several and models))
    if item.asname is not None or node.asynchronous is not None or not is_given:
        return None
    if not isinstance(node.body, cst.IndentedBlock) or not all(_stays(work, node, model) for model in models):
        return None
    if _leaves(node.body.body[:-1]) or (_leaves(node.body.body[-1:]) and _result(node) is None):
        return None
    return _Entered(node, list(node.items).index(item), tuple(models), context)


def _is_asked_for(work: NormalizationRound, models: Sequence[cst.BaseExpression]) -> bool:
    assert work.effects is not None
    kinds = {work.values(model).kind for model in models}
    if work.effects.threads or Kind.OBJECT in kinds:
        return True
    return kinds != {Kind.MODULE} and any(map(_has_train, work.program.class_by_key.values()))


def _has_train(item: Class) -> bool:
    """Whether objects that are no modules are asked for a mode as these are."""
    method = item.methods.get("train")
    return not item.is_module and method is not None and len(method.parameters) == 2


def _holds_object(work: NormalizationRound, use: cst.BaseExpression) -> bool:
    """Whether a context is given what is no module, and has modes of its own."""
    call = work.index.parents[use]
    given = [work.values(arg.value) for arg in call.args] if isinstance(call, cst.Call) and call.func is use else []
    return any(Kind.OBJECT in (value.kind, value.element().kind) for value in given)


def _stays(work: NormalizationRound, node: cst.With, model: cst.BaseExpression) -> bool:
    """Whether a place holds the same model while a context lasts."""
    path = dotted(model)
    if path is None:
        return False
    parts = [part for inner in descendants(node.body, *_STORES) for part in _bound(inner)]
    bound = {part.value for part in parts if isinstance(part, cst.Name)}
    if isinstance(model, cst.Name):
        return path not in bound
    fields = set(path.split(".")[1:])
    for target in work.index.every(cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For):
        function = work.program.function_around(target)
        if function is None or function.name != "__init__":
            if any(isinstance(part, cst.Attribute) and part.attr.value in fields for part in _bound(target)):
                return False
    return path.split(".", 1)[0] not in bound


def _bound(node: cst.CSTNode) -> list[cst.CSTNode]:
    target = node.name if isinstance(node, cst.AsName) else node.target  # type: ignore[attr-defined]
    return list(bound_parts(target))


def _leaves(body: Sequence[cst.BaseStatement]) -> bool:
    """Whether statements may leave a context before its end."""
    inner = [item for line in body for item in (line, *descendants(line))]
    return any(isinstance(item, (cst.Return, cst.Break, cst.Continue, cst.Yield, cst.Await)) for item in inner)


def _result(node: cst.With) -> cst.Return | None:
    """What a context ends with, if that gives the result of a function."""
    match node.body.body[-1]:
        case cst.SimpleStatementLine(body=[cst.Return() as last]) if last.value is not None:
            return None if any(isinstance(item, (cst.Yield, cst.Await)) for item in descendants(last)) else last
    return None


def _write_out(work: NormalizationRound, entered: _Entered) -> None:
    free = work.names_at(entered.node)
    names = [free("was_training") for _ in entered.models]
    result = free("result") if _result(entered.node) is not None else None
    work.edits.rewrite_statement(entered.node, partial(_statements, entered, names, result))


def _statements(
    entered: _Entered, names: Sequence[str], result: str | None, rewrite: Rewriter
) -> list[cst.BaseStatement]:
    node = entered.node
    body = cst.ensure_type(rewrite(node.body), cst.IndentedBlock)
    behind: list[cst.BaseStatement] = []
    if result is not None:
        value = cst.ensure_type(cst.ensure_type(body.body[-1], cst.SimpleStatementLine).body[0], cst.Return).value
        assert value is not None
        kept = quote_statement(f"{result} = {{value}}", value=value)
        body = with_fields(body, body=[*body.body[:-1], kept])
        behind = [quote_statement(f"return {result}")]
    inner = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in node.items[entered.place + 1 :]]
    if inner:
        body = cst.IndentedBlock(body=[cst.With(items=inner, body=body)])
    lines: list[cst.BaseStatement] = []
    mode = "train(True)" if entered.context.mode else "train(False)"
    for name, model in zip(names, entered.models, strict=True):
        lines.append(quote_statement(f"{name} = {{model}}.training", model=model.deep_clone()))
        lines.append(quote_statement(f"{{model}}.{mode}", model=model.deep_clone()))
    last = [
        quote_statement(f"{{model}}.train({name})", model=model.deep_clone())
        for name, model in zip(names, entered.models, strict=True)
    ]
    if entered.context.is_safe:
        lines.append(cst.Try(body=body, finalbody=cst.Finally(body=cst.IndentedBlock(body=last))))
    else:
        lines += [*body.body, *last]
    outer = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in node.items[: entered.place]]
    if outer:
        lines = [cst.With(items=outer, body=cst.IndentedBlock(body=[*lines, *behind]))]
        behind = []
    lines[0] = lines[0].with_changes(leading_lines=node.leading_lines)
    return [*lines, *behind]


def _leave(work: NormalizationRound, item: Class | Function) -> None:
    """Take a context away that nothing names any more."""
    if work.program.is_imported:
        work.marks.add((LEFT_CONTEXT, item.key))
    elif not any(file.mentions(item.node.name.value) for file in work.program.files if file is not work.program):
        work.edits.remove(item.node)


__all__ = ["normalize_mode_contexts"]

"""`loss.backward()` for tensors of the function's own: their `.grad` is what torch.autograd.grad gives.

x = x.clone().requires_grad_()         ->   x = x.clone().requires_grad_()
out = f(x)                                  out = f(x)
for i in range(3):                          for i in range(3):
    if x.grad is not None:
        x.grad.zero_()
    out[i].backward(retain_graph=True)          x_grad = torch.autograd.grad(out[i], x, retain_graph=True)[0]
    rows.append(x.grad.clone())                 rows.append(x_grad.clone())

What `.grad` may hold is followed forward through the function (sets of sums of backward passes; join is union; a may-analysis):
each read has to see sums of whole gradients, and each pass either the first of them or what others have left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from torch2jax.facts.flag_statements import set_flag
from torch2jax.facts.training import method_call, speaks_of_complex
from torch2jax.normalize.followed_gradients import (
    GIVEN_NEW,
    GIVES_GRADIENT,
    HAS_GRADIENT,
    LEAVES,
    Followed,
    Reads,
    Scope,
    empties,
    is_backward,
    is_detached,
    passes_of,
    retained,
)
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind


def normalize_backward(work: NormalizationRound) -> None:
    """Normalize each `backward()` behind which a function, or the file itself, asks for gradients of its own tensors."""
    if not _is_named_torch(work):
        return
    followed = Followed(work)
    for function in (*work.program.functions.values(), None):
        scope = Scope(function, function.node if function is not None else work.index.module)
        is_block = function is None or isinstance(function.node.body, cst.IndentedBlock)
        if is_block and _mentions_both(scope) and not speaks_of_complex(descendants(scope.node)):
            _normalize(work, scope, followed)


def _is_named_torch(work: NormalizationRound) -> bool:
    value = work.program.module_env.get("torch")
    return value is not None and value.kind is Kind.TORCH and value.const == "torch"


def _mentions_both(scope: Scope) -> bool:
    attributes = {node.attr.value for node in scope.nodes if isinstance(node, cst.Attribute)}
    return {"grad", "backward"} <= attributes and "register_hook" not in attributes


def _normalize(work: NormalizationRound, scope: Scope, followed: Followed) -> None:
    reads: dict[str, list[cst.Attribute]] = {}
    for node in sorted(scope.nodes, key=work.index.order.__getitem__):
        match node:
            case cst.Attribute(value=cst.Name(name), attr=cst.Name("grad")):
                reads.setdefault(name, []).append(node)
    inner = {retained(line) for line in scope.nodes}
    seen: dict[str, Reads] = {}
    adding: dict[str, set[cst.Call]] = {}
    for name, nodes in reads.items():
        variable = followed.variable(scope.function, name)
        variable.is_inner = name in inner
        found = variable.reads(nodes)
        if found:
            seen[name], adding[name] = found, variable.adding
    passes: dict[cst.Call, list[str]] = {}
    for name, found in seen.items():
        for call in passes_of(found):
            passes.setdefault(call, []).append(name)
    if any(len(names) > 1 and not inner.isdisjoint(names) for names in passes.values()):
        return  # they are computed from each other
    trains = _trains(work, scope.body)
    if trains:
        used = {
            call for call in passes if followed.gradients.are_used_behind(work.index.statement_of(call), scope.function)
        }  # reported with the steps
        while kept := used.union(*(passes_of(seen[name]) for call in used for name in passes[call])) - used:
            used |= kept
        seen = {name: found for name, found in seen.items() if used.isdisjoint(passes_of(found))}
        passes = {call: names for call, names in passes.items() if call not in used}
    if passes:
        _write(work, scope, seen, passes, adding)
        _note(work, scope.function, seen, followed, trains)


def _note(
    work: NormalizationRound, function: Function | None, names: Iterable[str], followed: Followed, trains: bool
) -> None:
    """Mark what nobody sees any more: that tensors have gradients, arguments are to have none, and results may have some."""
    work.marks |= {(HAS_GRADIENT, function.key if function is not None else "", name) for name in names}
    work.marks |= {(GIVEN_NEW, item.key, name) for item, name in followed.given_new}
    if function is None:
        return
    if not followed.results_are_new(function):
        work.marks.add((GIVES_GRADIENT, function.key))
    if trains:
        work.marks.add((LEAVES, function.key))


def _write(
    work: NormalizationRound,
    scope: Scope,
    seen: dict[str, Reads],
    passes: dict[cst.Call, list[str]],
    adding: dict[str, set[cst.Call]],
) -> None:
    fresh = work.local(scope.node)
    made = {name: fresh(f"{name}_grad") for name in seen}
    for call, names in passes.items():
        _write_pass(work, call, names, made, {name for name in names if call in adding[name]})
    for name, found in seen.items():
        for node in found:
            new = cst.Name(made[name])
            work.edits.replace(node, lambda rewrite, new=new: new.deep_clone())  # type: ignore[misc]
    for statement in scope.nodes:
        for name in seen:
            if isinstance(statement, cst.SimpleStatementLine) and _sets(statement, name):
                marked = quote_statement(f"{name}.requires_grad_()")
                work.edits.rewrite_statement(statement, lambda rewrite, marked=marked: [marked])  # type: ignore[misc]
            if retained(statement) == name:
                work.edits.remove(statement)
            if (empties(statement, name) or is_detached(statement, name)) and not _stands_in_guard(
                work, statement, name
            ):
                work.edits.remove(statement)
    cleared = list(_cleared_around(work, scope, passes))
    for line in (*cleared, *_without_use(work, scope, cleared)):
        work.edits.remove(line)


def _write_pass(
    work: NormalizationRound, call: cst.Call, names: Sequence[str], made: dict[str, str], adding: set[str]
) -> None:
    """Take the gradients of one pass, and add those of `adding` to what is there of passes before."""
    assert isinstance(call.func, cst.Attribute)
    parts, options = {"loss": call.func.value}, []
    for argument in call.args:
        keyword = argument.keyword.value if argument.keyword is not None else "gradient"
        parts[keyword] = argument.value
        options.append("{gradient}" if keyword == "gradient" else "retain_graph={retain_graph}")
    texts = _taken(work, names, made, adding, options)
    work.edits.rewrite_statement(
        work.index.statement_of(call),
        lambda rewrite: [
            quote_statement(texts[0], **{hole: rewrite.expression(node) for hole, node in parts.items()}),
            *map(quote_statement, texts[1:]),
        ],
    )


def _taken(
    work: NormalizationRound, names: Sequence[str], made: dict[str, str], adding: set[str], options: Sequence[str]
) -> list[str]:
    """Lines that take the gradients of some tensors: `x_grad, y_grad = torch.autograd.grad({loss}, (x, y))`."""
    given = ", ".join([names[0] if len(names) == 1 else f"({', '.join(names)})", *options])
    asked = f"torch.autograd.grad({{loss}}, {given})"
    if len(names) == 1:
        (name,) = names
        before = f"{made[name]} + " if name in adding else ""
        return [f"{made[name]} = {before}{asked}[0]"]
    new = {name: work.fresh(f"{made[name]}_more") if name in adding else made[name] for name in names}
    sums = [f"{made[name]} = {made[name]} + {new[name]}" for name in names if name in adding]
    return [f"{', '.join(new.values())} = {asked}", *sums]


def _cleared_around(
    work: NormalizationRound, scope: Scope, passes: dict[cst.Call, list[str]]
) -> Iterator[cst.SimpleStatementLine]:
    """The lines that empty gradients of parameters, and of the tensors themselves, of which nobody asks before they are emptied again."""
    inside = scope.nodes
    others = {node for node in inside if is_backward(node) and node not in passes}
    if not others:
        yield from (line for line in inside if method_call(line, "zero_grad") is not None)  # type: ignore[misc]
        return
    for line in dict.fromkeys(work.index.statement_of(call) for call in passes):
        body = list(work.index.parents[line].body)  # type: ignore[attr-defined]
        for statement in reversed(body[: body.index(line)]):
            if not others.isdisjoint(descendants(statement)):
                break
            if method_call(statement, "zero_grad") is not None:
                yield statement


def _without_use(
    work: NormalizationRound, scope: Scope, cleared: Sequence[cst.SimpleStatementLine]
) -> Iterator[cst.SimpleStatementLine]:
    """The lines that make optimizers of which nothing was asked but to empty gradients."""
    nodes = scope.nodes
    gone = {node for line in cleared for node in descendants(line)}
    asked = {node.value for node in gone if isinstance(node, cst.Name)}
    stores = [line for line in nodes if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1]
    for line in stores:
        match line.body[0]:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name) as target)], value=value):
                if work.values(value).kind is Kind.OPTIMIZER and name in asked:
                    reads = [node for node in nodes if isinstance(node, cst.Name) and node.value == name]
                    if all(node in gone or node is target for node in reads):
                        yield line


def _sets(line: cst.SimpleStatementLine, name: str) -> bool:
    """`name.requires_grad = True`."""
    flag = set_flag(line, name)
    return isinstance(line.body[0], cst.Assign) and isinstance(flag, cst.Name) and flag.value == "True"


def _stands_in_guard(work: NormalizationRound, statement: cst.CSTNode, name: str) -> bool:
    around = work.index.parents.get(work.index.parents[statement])
    return isinstance(around, cst.If) and empties(around, name)


# what else the backward pass does


def _trains(work: NormalizationRound, window: Sequence[cst.CSTNode]) -> bool:
    """Whether parameters of modules may get gradients, too: a module is called, or something of which nothing is known."""
    for statement in window:
        for node in descendants(statement):
            if not isinstance(node, cst.Call) or work.values.torch_name(node.func) is not None:
                continue
            kind = work.values(node.func).kind
            if kind is Kind.MODULE:
                if not work.values(node.func).is_loss_module:
                    return True
            elif work.values.callees.get(node) or kind is Kind.UNKNOWN:
                receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
                if receiver is None or work.values(receiver).kind is not Kind.TENSOR:
                    return True
    return False

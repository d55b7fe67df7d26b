"""Names of a program's own for the context of mixed precision, with what it does where torch has none.

try:                                                 with torch.cuda.amp.autocast(enabled=self.mixed):
    autocast = torch.cuda.amp.autocast        ->         x = self.body(x)
except AttributeError:
    class autocast: ...
with autocast(enabled=self.mixed):
    x = self.body(x)

A variable that holds one that changes no numbers, to be entered later, holds a context that does nothing:

context = partial(autocast, "cuda", enabled=False) if exact else nullcontext   ->   context = nullcontext if exact else nullcontext
with context(): ...                                                                  with context(): ...
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.precision import changes_nothing
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.contexts import AUTOCASTS
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants


@dataclass(frozen=True, slots=True)
class _Named:
    """A statement that does no more than name the context, and the parts of it that never run."""

    line: cst.BaseStatement
    name: str
    context: cst.Attribute
    unreached: tuple[cst.CSTNode, ...] = ()


def normalize_autocast_names(work: NormalizationRound) -> None:
    """Write the context out where such a name is called."""
    if not work.program.mentions("autocast"):
        return
    for call in work.index.calls if work.program.mentions("partial") else ():
        if _is_idle(work, call):
            work.edits.replace(call, lambda rewrite: cst.Name("nullcontext"))
    for line in work.index.module.body:
        found = _named(work, line)
        uses = list(_uses(work, found)) if found is not None else []
        if found is None or None in uses or found.name in work.program.read_elsewhere:
            continue
        for use in uses:
            if use is not None:
                work.edits.replace(use, lambda rewrite, context=found.context: work.copy(context))  # type: ignore[misc]
        for part in found.unreached:
            work.note_unreached(part)
        work.edits.remove(found.line)


def _is_idle(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call is `partial` of a context that changes no numbers, for a variable that is only entered."""
    values, parents = work.values, work.index.parents
    if values(call.func).const != "functools.partial" or not call.args:
        return False
    made = cst.Call(call.args[0].value, call.args[1:])
    name = values.torch_name(made.func)
    if name not in AUTOCASTS or not changes_nothing(made, name, values, parents):
        return False
    node: cst.CSTNode = call
    while isinstance(parents[node], cst.IfExp):
        node = parents[node]
    match parents[node]:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as target)]):
            users = [(use, parents[use]) for use in work.program.definitions.uses_at(target)]
            return all(isinstance(user, cst.Call) and user.func is use and not user.args for use, user in users)
    return False


def _named(work: NormalizationRound, line: cst.CSTNode) -> _Named | None:
    match line:
        case cst.Try(body=cst.IndentedBlock(body=[inner]), handlers=handlers, orelse=None, finalbody=None) if handlers:
            found = _named(work, inner)
            if found is None or found.unreached:
                return None
            blocks = [handler.body for handler in handlers]
            is_plain = all(len(block.body) == 1 and _only_names(block.body[0], found.name) for block in blocks)
            return _Named(line, found.name, found.context, tuple(blocks)) if is_plain else None
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Attribute() as context)]
        ) if work.values.torch_name(context) in AUTOCASTS:
            return _Named(line, name, context)
    return None


def _only_names(line: cst.CSTNode, name: str) -> bool:
    """Whether a statement does nothing but bind a name."""
    match line:
        case cst.ClassDef(name=cst.Name(own)) | cst.FunctionDef(name=cst.Name(own)):
            return own == name
        case cst.SimpleStatementLine(body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(own))])]):
            return own == name
    return False


def _uses(work: NormalizationRound, found: _Named) -> Iterator[cst.Name | None]:
    """The names that stand for the context; None for one that is bound to something else, or not called."""
    own = set(descendants(found.line))
    for node in work.index.names:
        if node.value != found.name or node in own or work.index.is_label(node):
            continue
        parent = work.index.parents[node]
        is_called = isinstance(parent, cst.Call) and parent.func is node
        yield node if is_called and not work.program.definitions.is_bound(node) else None


__all__ = ["normalize_autocast_names"]

"""Modules around a module that is trained, normalized to what is trained: they have no parameters but its own.

optimizer = Adam(unet.parameters())              diffusion = Diffusion(unet)    # made first; an optimizer reads nothing of it
diffusion = Diffusion(unet)               ->     optimizer = Adam(diffusion.parameters())
...                                              ...
clip_grad_norm_(unet.parameters(), 1.0)          clip_grad_norm_(diffusion.parameters(), 1.0)

What reads the module by its own name, reads it in the one around it (`normalize.kept_modules`) before this is looked at again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.kept_fields import made_class
from torch2jax.facts.parameters import makes_optimizer
from torch2jax.facts.self_training import holds_parameters
from torch2jax.facts.training import is_clip
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, dotted
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_GROWING = ("add_module", "register_module", "register_parameter", "setattr", "__setattr__")


def normalize_wrapped_models(work: NormalizationRound) -> None:
    """Make the modules of a file that are around others before the optimizers of these, and let them train the whole."""
    if not work.program.is_trained:
        return
    for node in (*work.index.every(cst.IndentedBlock), work.index.module):
        _make_earlier(work, list(node.body))  # type: ignore[attr-defined]
    for call in work.index.calls:
        match call.func:
            case cst.Attribute(value=cst.Attribute(value=whole) as part, attr=cst.Name("parameters" | "zero_grad")):
                asks = call.func.attr.value == "zero_grad" or _is_given(work, call)
                if asks and not call.args and dotted(whole) is not None and _has_no_other(work, whole, part):
                    work.edits.replace(part, always(work.copy(whole)))


def _make_earlier(work: NormalizationRound, body: Sequence[cst.BaseStatement]) -> None:
    """Make a module that is around another one before the optimizer of this one, and before its schedulers."""
    for place, line in enumerate(body):
        made = _assigned(line)
        if made is None or work.values(made[1]).kind is not Kind.MODULE:
            continue
        if made_class(work.program, work.values, made[1]) is None:
            continue  # a layer of torch
        first = place
        while first > 0 and _may_wait(work, body[first - 1], made):
            first -= 1
        given = {name for arg in descendants(made[1], cst.Arg) for name in names_in(arg)}
        if any(given & set(_trained_by(work, item)) for item in body[first:place]):
            work.edits.rewrite_statement(body[first], always_statements([work.copy(line), work.copy(body[first])]))
            work.edits.remove(line)
            return


def _assigned(line: cst.CSTNode) -> tuple[str, cst.Call] | None:
    match line:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=cst.Call() as value)]
        ):
            return name, value
    return None


def _may_wait(work: NormalizationRound, line: cst.CSTNode, made: tuple[str, cst.Call]) -> bool:
    """Whether a line that makes an optimizer or a scheduler has nothing to do with a module that is made behind it."""
    own = _assigned(line)
    if own is None:
        return False
    given = [item.value for item in own[1].args]
    kinds = {work.values(item).kind for item in (own[1], *given)}
    if not kinds & {Kind.OPTIMIZER, Kind.SCHEDULER}:
        return False
    return own[0] not in names_in(made[1]) and made[0] not in names_in(line)


def _trained_by(work: NormalizationRound, line: cst.CSTNode) -> Iterator[str]:
    """The variables whose modules an optimizer that a line makes trains."""
    for call in descendants(line, cst.Call):
        match call.func:
            case cst.Attribute(value=cst.Name(name) as module, attr=cst.Name("parameters")):
                if work.values(module).kind is Kind.MODULE:
                    yield name


def _is_given(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether parameters are what an optimizer is made of, or whose gradients are clipped."""
    for node in work.index.ancestors(call):
        if isinstance(node, cst.Call) and dotted(node.func) not in ("dict", "list"):
            return makes_optimizer(node, work.values) or is_clip(node, work.values)
    return False


def _has_no_other(work: NormalizationRound, whole: cst.BaseExpression, part: cst.Attribute) -> bool:
    """Whether all parameters of a module are those of one part, which is a module itself."""
    value, classes = work.values(whole), work.program.class_by_key
    if value.kind is not Kind.MODULE or not value.types or not value.types <= classes.keys():
        return False
    return work.values(part).kind is Kind.MODULE and all(
        _holds_only(classes[key], part.attr.value) for key in value.types
    )


def _holds_only(item: Class, field: str) -> bool:
    """Whether the modules of a class have no parameters but those in one field."""
    fields = dict(item.all_fields())
    words = {node.value for each in item.lineage for node in descendants(each.node, cst.Name)}
    others = [value for name, value in fields.items() if name != field]
    return (
        field in fields
        and words.isdisjoint(_GROWING)
        and not any(value.kind is Kind.UNKNOWN or holds_parameters(value) for value in others)
    )


__all__ = ["normalize_wrapped_models"]

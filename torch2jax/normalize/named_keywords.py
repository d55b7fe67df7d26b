"""Models, optimizers and schedulers that a function takes out of its `**kwargs`: keywords of its own.

def __init__(self, *args, **kwargs):                    def __init__(self, args, model):
    self.args = kwargs["args"]                    ->        self.args = args
    self.model = kwargs["model"].to(self.args.device)       self.model = model.to(self.args.device)

Trainer(model=net, args=args)                           (as it stands)

Nothing but such subscripts of constant names sees the dict, and each of them is read whenever the function runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Function
from torch2jax.syntax.edits import always
from torch2jax.syntax.walk import descendants
from torch2jax.values import UNKNOWN, Kind

_FOLLOWED = (Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER)


def normalize_named_keywords(work: NormalizationRound) -> None:
    """Name what the functions of a file read of their `**kwargs`, where a call gives them what has to be followed."""
    for function in work.program.functions.values():
        star = function.node.params.star_kwarg
        reads = _reads(work, function, star.name.value) if star is not None else {}
        if reads and _is_given_some(work, function, reads):
            _name(work, function, reads)


def _reads(work: NormalizationRound, function: Function, kwargs: str) -> dict[cst.Subscript, str]:
    """The subscripts that read entries of `**kwargs`, with their names; none where anything else is done with it."""
    found: dict[cst.Subscript, str] = {}
    for node in descendants(function.node.body):
        if not isinstance(node, cst.Name) or node.value != kwargs or work.index.is_label(node):
            continue
        read = work.index.parents[node]
        match read:
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(cst.SimpleString() as text))]):
                name = str(text.evaluated_value)
            case _:
                return {}
        if read.value is not node or not _is_always_read(work, function, read):
            return {}
        if not _may_be_parameter(work, function, name):
            return {}
        found[read] = name
    return found


def _is_always_read(work: NormalizationRound, function: Function, read: cst.Subscript) -> bool:
    """Whether a line of the body of a function reads an entry, and does no more than that with it."""
    parents = work.index.parents
    line = work.index.statement_of(read)
    is_own = isinstance(line, cst.SimpleStatementLine) and parents[line] is function.node.body
    around = [node for node in work.index.ancestors(read) if line in work.index.ancestors(node)]
    is_open = any(isinstance(node, (cst.Lambda, cst.IfExp, cst.BooleanOperation, cst.BaseComp)) for node in around)
    is_kept = isinstance(parents[read], (cst.AssignTarget, cst.AugAssign, cst.Del))
    return is_own and not is_open and not is_kept


def _may_be_parameter(work: NormalizationRound, function: Function, name: str) -> bool:
    """Whether a keyword may be a parameter: nothing else in the function has this name, except a star that nobody reads."""
    if not name.isidentifier() or iskeyword(name) or name in function.parameter_names:
        return False
    used = (node for node in descendants(function.node.body) if isinstance(node, cst.Name) and node.value == name)
    return all(map(work.index.is_label, used))


def _is_given_some(work: NormalizationRound, function: Function, reads: dict[cst.Subscript, str]) -> bool:
    """Whether a call of a function gives it a model, an optimizer or a scheduler that it reads of its `**kwargs`."""
    for name in (str(function.double_star_name), *reads.values()):  # another file may have heard of the names already
        seen = function.seen_elsewhere.get(name, UNKNOWN)
        classes = (work.program.class_by_key.get(key) for key in seen.called)
        if seen.is_a(*_FOLLOWED) or seen.may_train or any(item is not None and item.is_module for item in classes):
            return True
    return any(
        arg.keyword is not None and arg.keyword.value in reads.values() and work.values(arg.value).is_a(*_FOLLOWED)
        for call in function.callers
        if isinstance(call, cst.Call)
        for arg in call.args
    )


def _name(work: NormalizationRound, function: Function, reads: dict[cst.Subscript, str]) -> None:
    """Give a function parameters for what it reads; by their names alone where a call may give it anything else."""
    params, names = function.node.params, list(dict.fromkeys(reads.values()))
    new = [cst.Param(cst.Name(name)) for name in names]
    if _are_all(function, names):
        own = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in params.params]
        changed = params.with_changes(params=[*own, *new], star_arg=cst.MaybeSentinel.DEFAULT, star_kwarg=None)
    else:
        star = params.star_arg if isinstance(params.star_arg, cst.Param) else cst.ParamStar()
        if isinstance(star, cst.Param) and star.name.value in names:
            star = star.with_changes(name=cst.Name(work.local(function.node)("rest")))
        own = [item.with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in params.kwonly_params]
        changed = params.with_changes(star_arg=star, kwonly_params=[*own, *new])
    work.edits.replace(params, always(changed))
    for read, name in reads.items():
        work.edits.replace(read, always(cst.Name(name)))


def _are_all(function: Function, names: Sequence[str]) -> bool:
    """Whether some keywords, and parameters without defaults in front of them, are all that calls give a function."""
    params = function.node.params
    own = params.params[int(function.is_method) :]
    star = params.star_arg.name.value if isinstance(params.star_arg, cst.Param) else None
    used = {node.value for node in descendants(function.node.body) if isinstance(node, cst.Name)}
    if (
        params.kwonly_params
        or function.seen_elsewhere
        or any(item.default is not None for item in params.params)
        or star in used - {*names}
    ):
        return False
    known = {*names, *(item.name.value for item in own)}
    return all(
        isinstance(call, cst.Call)
        and not any(arg.star for arg in call.args)
        and {arg.keyword.value for arg in call.args if arg.keyword is not None} <= known
        and sum(arg.keyword is None for arg in call.args) <= len(own)
        for call in function.callers
    )


__all__ = ["normalize_named_keywords"]

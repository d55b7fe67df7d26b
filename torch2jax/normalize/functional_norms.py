"""Norms as functions that update the running statistics that they are given: the update becomes a statement before it.

                                                    if self.training:
                                                        self.mean.lerp_(x.detach().mean((0, 2, 3)), 0.1)
                                                        self.var.lerp_(x.detach().var((0, 2, 3)), 0.1)
F.batch_norm(x, self.mean, self.var, w, b,     ->   F.batch_norm(x, self.mean, self.var, w, b,
             self.training)                                      self.training, momentum=0.0)

With a momentum of zero nothing is updated. Nobody sees an update of what has just been made for the call, as in `mean.repeat(b)`.
What is normalized, if it is more than a variable, is evaluated before the update and gets a name.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.combined_schedulers import argument
from torch2jax.facts.storage import is_new
from torch2jax.normalize.evaluation_order import evaluated_before, give_name
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.records import dataclass
from torch2jax.syntax.quote import quote_statements, template_holes
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_BATCH, _INSTANCE = "torch.nn.functional.batch_norm", "torch.nn.functional.instance_norm"
_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


@dataclass(frozen=True, slots=True)
class _Norm:
    """A call that may update statistics: what it normalizes, the places of these, whether it does, and how much."""

    call: cst.Call
    given: cst.BaseExpression
    mean: cst.BaseExpression
    var: cst.BaseExpression
    trains: cst.BaseExpression | None
    momentum: cst.BaseExpression | None
    of_batches: bool


def normalize_functional_norms(work: NormalizationRound) -> None:
    """Normalize all such calls of a file."""
    if work.effects is None or not any(map(work.program.mentions, ("batch_norm", "instance_norm"))):
        return
    done: set[cst.CSTNode] = set()
    for call in work.index.calls:
        norm, line = _norm(work, call), work.index.statement_of(call)
        if norm is None or line in done or not isinstance(line, cst.SimpleStatementLine):
            continue
        before = evaluated_before(work.index, call)
        if before is not None and all(isinstance(item, cst.BaseExpression) and dotted(item) for item in before):
            done.add(line)
            _normalize(work, line, norm)


def _norm(work: NormalizationRound, call: cst.Call) -> _Norm | None:
    """The norm that a call is, if it may update statistics that it is given."""
    name = work.values.torch_name(call.func)
    if name not in (_BATCH, _INSTANCE) or any(item.star for item in call.args):
        return None
    given, mean, var = (argument(call, n, text) for n, text in enumerate(("input", "running_mean", "running_var")))
    trains = argument(call, 5, "training" if name == _BATCH else "use_input_stats")
    momentum = argument(call, 6, "momentum")
    if given is None or mean is None or var is None or (trains is None and name == _BATCH):
        return None
    is_kept = momentum is not None and work.values(momentum).const == 0
    idle = is_kept or (trains is not None and work.values(trains).const is False)
    if idle or Kind.NONE in (work.values(mean).kind, work.values(var).kind):
        return None
    return _Norm(call, given, mean, var, trains, momentum, name == _BATCH)


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, norm: _Norm) -> None:
    """Take the update of one call out, or first what is normalized."""
    asked = [item for item in (norm.trains, norm.momentum) if item is not None]
    if not all(map(_is_pure, asked)) or not all(_computes(work, item.value) for item in norm.call.args[1:]):
        return
    if all(_is_unseen(work, line, place) for place in (norm.mean, norm.var)):
        _keep(work, norm)
    elif dotted(norm.mean) is None or dotted(norm.var) is None:
        return
    elif dotted(norm.given) is None:
        give_name(work, line, norm.given, work.names_at(norm.call)("batch"))
    else:
        _keep(work, norm)
        made = _updates(work, norm)
        for statement in made:
            work.copies[statement] = line
        work.edits.before(line, lambda rewrite: made)


def _is_pure(node: cst.BaseExpression) -> bool:
    """Whether asking for a value twice is like asking once."""
    match node:
        case cst.BooleanOperation(left=left, right=right):
            return _is_pure(left) and _is_pure(right)
        case cst.UnaryOperation(expression=inner):
            return _is_pure(inner)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
            return _is_pure(left) and _is_pure(right)
    return isinstance(node, cst.BaseNumber) or dotted(node) is not None


def _computes(work: NormalizationRound, node: cst.BaseExpression) -> bool:
    """Whether an expression calls nothing but functions and methods of tensors, which do not look at the statistics."""
    for item in (node, *descendants(node)):
        if isinstance(item, cst.Call) and work.values.torch_name(item.func) is None:
            func = item.func
            if not isinstance(func, cst.Attribute) or work.values(func.value).kind is not Kind.TENSOR:
                return False
    return True


def _is_unseen(work: NormalizationRound, line: cst.SimpleStatementLine, place: cst.BaseExpression) -> bool:
    """Whether nobody looks at a tensor behind the call: it is made in it, or for it."""
    if not isinstance(place, cst.Name):
        return work.values.makes_its_own(place)
    assert work.flows is not None
    function, roots = work.program.function_around(line), work.values(place).roots
    if work.values(place).kind is not Kind.TENSOR or not roots or not is_new(roots) or function is None:
        return False
    env = work.values.after.get(line) or function.env
    live = work.flows.liveness(function).after_statement(line)
    return not any(name in env and env[name].shares(roots) for name in live)


def _keep(work: NormalizationRound, norm: _Norm) -> None:
    """Say that a call updates nothing."""
    if norm.momentum is not None:
        work.edits.replace(norm.momentum, lambda rewrite: cst.Float("0.0"))
        return
    zero = cst.Arg(cst.Float("0.0"), keyword=cst.Name("momentum"), equal=_EQUAL)
    work.edits.replace(norm.call, lambda rewrite: _with_argument(rewrite.inside(norm.call), zero))


def _with_argument(call: cst.CSTNode, more: cst.Arg) -> cst.Call:
    assert isinstance(call, cst.Call)
    return call.with_changes(args=[*call.args, more])


def _updates(work: NormalizationRound, norm: _Norm) -> list[cst.BaseStatement]:
    """The statements that update the statistics."""
    rank = work.values(norm.given).rank
    inner = ", ".join(map(str, range(2, rank))) if rank is not None else "*range(2, {dim}.dim())"
    every = f"(0, {inner})" if inner else "0"
    var = f"{{given2}}.detach().var({every})" if norm.of_batches else f"{{given2}}.detach().var(({inner},)).mean(0)"
    text = f"{{mean}}.lerp_({{given}}.detach().mean({every}), {{rate}})\n{{var}}.lerp_({var}, {{rate2}})"
    tests = _tests(work, norm)
    if tests:
        text = f"if {' and '.join(tests)}:\n    " + text.replace("\n", "\n    ")
    while "{dim}" in text:
        text = text.replace("{dim}", f"{{dim{len(text)}}}", 1)
    momentum = norm.momentum if norm.momentum is not None else cst.Float("0.1")
    holes = {"mean": norm.mean, "asked": norm.mean, "var": norm.var, "trains": norm.trains}
    holes |= dict.fromkeys(("rate", "rate2"), momentum)
    return quote_statements(
        text, **{name: work.copy(holes.get(name) or norm.given) for name in dict.fromkeys(template_holes(text))}
    )


def _tests(work: NormalizationRound, norm: _Norm) -> list[str]:
    """What has to hold for statistics to be updated."""
    is_fixed = norm.trains is None or work.values(norm.trains).const is True
    mean = work.values(norm.mean)
    is_there = mean.kind is Kind.TENSOR and not mean.optional
    return [*([] if is_fixed else ["{trains}"]), *([] if is_there else ["{asked} is not None"])]


__all__ = ["normalize_functional_norms"]

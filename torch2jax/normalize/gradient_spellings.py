"""Other ways to change gradients, one parameter after the other, normalized to changes of `p.grad`.

g = p.grad.data                                                   p.grad.data.mul_(2)
g.mul_(2)                                                  ->
torch.clamp(p.grad, -1, 1, out=p.grad)                     ->     p.grad = torch.clamp(p.grad, -1, 1)
nn.utils.clip_grad_value_(p, 1)                            ->     p.grad.clamp_(-1, 1)
nn.utils.clip_grad_norm_(p, 1)                             ->     if p.grad is not None:
                                                                      p.grad.mul_(torch.clamp(1 / (torch.norm(p.grad, 2.0) + 1e-6), max=1.0))
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.gradient_reads import source_of
from torch2jax.facts.training import is_clip
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import dotted
from torch2jax.program.statements import bound_by
from torch2jax.syntax.edits import Rewriter, always
from torch2jax.syntax.quote import quote_statements
from torch2jax.syntax.walk import bound_names, descendants
from torch2jax.values import Kind

_BY_NORM = "torch.nn.utils.clip_grad_norm_"
_OPTIONS = {_BY_NORM: ("max_norm", "norm_type"), "torch.nn.utils.clip_grad_value_": ("clip_value",)}


def normalize_gradient_spellings(work: NormalizationRound) -> None:
    """Normalize all such statements in loops over the parameters of a module."""
    if not work.program.mentions("backward"):
        return
    for loop in work.index.every(cst.For):
        assert isinstance(loop, cst.For)
        for variable in sorted(bound_names(loop.target)):
            module = source_of(loop.target, loop.iter, variable)
            if module is None or work.values(module).kind is not Kind.MODULE or variable in bound_by(loop.body):
                continue
            _rename_aliases(work, loop, variable)
            for line in descendants(loop.body, cst.SimpleStatementLine):
                _normalize(work, line, variable)


def _rename_aliases(work: NormalizationRound, loop: cst.For, variable: str) -> None:
    """`p.grad` for a variable that stands for it in a part of each round of a loop, and nowhere else."""
    if _gives_another(loop, variable):
        return
    for line in descendants(loop.body, cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(held) as target)], value=value)]:
                if dotted(value) not in (f"{variable}.grad", f"{variable}.grad.data") or held == variable:
                    continue
            case _:
                continue
        bound, block = work.program.definitions.every_of_name(target), work.index.parents[line]
        uses = [use for item in bound for use in work.program.definitions.uses(item)]
        inside = set(descendants(block))
        if len(bound) == 1 and line not in work.edits.statements and isinstance(block, cst.IndentedBlock):
            if all(use in inside and work.is_behind(use, line) for use in uses) and len(block.body) > 1:
                for use in uses:
                    work.edits.replace(use, always(value.deep_clone()))
                work.edits.remove(line)


def _gives_another(loop: cst.For, variable: str) -> bool:
    """Whether a loop makes another tensor, or none, the gradient of its variable."""
    targets = [item.target for item in descendants(loop.body, cst.AssignTarget)]
    return any(dotted(target) in (f"{variable}.grad", f"{variable}.grad.data") for target in targets)


def _normalize(work: NormalizationRound, line: cst.SimpleStatementLine, variable: str) -> None:
    match line.body:
        case [cst.Expr(value=cst.Call() as call)]:
            pass
        case _:
            return
    if line in work.edits.statements:
        return
    if is_clip(call, work.values):
        _clip(work, line, call, variable)
        return
    out = next((item for item in call.args if item.keyword is not None and item.keyword.value == "out"), None)
    place = dotted(out.value) if out is not None else None
    if out is None or place not in (f"{variable}.grad", f"{variable}.grad.data"):
        return
    if work.values.torch_name(call.func) is None or not call.args or dotted(call.args[0].value) != place:
        return
    kept = [item for item in call.args if item is not out]

    def build(rewrite: Rewriter) -> list[cst.BaseStatement]:
        arguments = [rewrite(item) for item in kept]
        made = call.with_changes(
            func=rewrite.expression(call.func),
            args=[cst.ensure_type(item, cst.Arg).with_changes(comma=cst.MaybeSentinel.DEFAULT) for item in arguments],
        )
        return list(quote_statements(f"{place} = {{value}}", value=made))

    work.edits.rewrite_statement(line, build)


def _clip(work: NormalizationRound, line: cst.SimpleStatementLine, call: cst.Call, variable: str) -> None:
    """The gradient of one parameter is clipped."""
    name = str(work.values.torch_name(call.func))
    given = call.args[0].value if call.args and call.args[0].keyword is None else None
    if isinstance(given, (cst.List, cst.Tuple)) and len(given.elements) == 1:
        given = given.elements[0].value
    names = _OPTIONS[name]
    rest = call.args[1:]
    options = {
        item.keyword.value if item.keyword is not None else names[min(place, len(names) - 1)]: item.value
        for place, item in enumerate(rest)
    }
    torch = work.torch_alias()
    if given is None or dotted(given) != variable or len(options) != len(rest) or not set(options) <= set(names):
        return
    limit = options.get(names[0])
    kind = options.get("norm_type")
    plain = (cst.Integer, cst.Float, cst.Name, cst.Attribute)
    if torch is None or limit is None or any(item.star for item in call.args):
        return
    if name != _BY_NORM and not isinstance(limit, plain):  # which is named twice
        return
    if kind is not None and not isinstance(kind, (cst.Integer, cst.Float)):
        return
    grad = f"{variable}.grad"
    if name == _BY_NORM:
        norm = f"{torch}.norm({grad}, {kind.value if kind is not None else 2.0})"
        text = f"if {grad} is not None:\n    {grad}.mul_({torch}.clamp({{limit}} / ({norm} + 1e-6), max=1.0))\n"
    else:  # torch stops where there is none
        text = f"{grad}.clamp_(-{{limit}}, {{limit}})\n"
    statements = quote_statements(text, limit=limit)
    work.edits.rewrite_statement(line, lambda rewrite: list(statements))


__all__ = ["normalize_gradient_spellings"]

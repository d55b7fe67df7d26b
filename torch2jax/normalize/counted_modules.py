"""Loops that count the modules which they change, normalized to a count of their own: their bodies become functions of one module.

for i, m in enumerate(net.modules()):        ->   i = -1
    if isinstance(m, nn.Linear):                  for m in net.modules():
        nn.init.constant_(m.bias, i)                  i += 1
                                                      if isinstance(m, nn.Linear): ...
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.parameter_loops import changes_tensor, runs_over_modules
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants


def normalize_counted_modules(work: NormalizationRound) -> None:
    """Normalize all such loops of a file where modules are values."""
    if work.effects is None or not work.effects.threads:
        return
    for node in work.index.every(cst.For):
        match node.iter, node.target:
            case (
                cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=over, star="", keyword=None), *rest]),
                cst.Tuple(elements=[cst.Element(value=cst.Name(counter)), cst.Element(value=part)]),
            ) if runs_over_modules(over, work.values) and isinstance(node.body, cst.IndentedBlock):
                start = work.values(rest[0].value).const if len(rest) == 1 else 0
                names = [item.value for item in (part, *descendants(part)) if isinstance(item, cst.Name)]
                changes = any(changes_tensor(node.body, name, work.values, of_module=True) for name in names)
                if isinstance(start, int) and len(rest) < 2 and changes and node.orelse is None:
                    work.edits.rewrite_statement(node, partial(_counted, node, over, part, counter, start))


def _counted(
    node: cst.For, over: cst.BaseExpression, part: cst.BaseExpression, counter: str, start: int, rewrite: Rewriter
) -> list[cst.BaseStatement]:
    assert isinstance(node.body, cst.IndentedBlock)
    first = quote_statement(f"{counter} = {start - 1}").with_changes(leading_lines=node.leading_lines)
    body = node.body.with_changes(body=[quote_statement(f"{counter} += 1"), *map(rewrite, node.body.body)])
    target = part.with_changes(lpar=[], rpar=[]) if isinstance(part, cst.Tuple) else part
    loop = node.with_changes(target=target, iter=rewrite(over), body=body, leading_lines=[])
    rewrite.stands_for(loop, node)
    return [first, loop]


__all__ = ["normalize_counted_modules"]

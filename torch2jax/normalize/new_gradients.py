"""Models that loops make anew have no gradients, whatever an earlier round has left with another one.

for seed in seeds:                          for seed in seeds:
    net = Net()                                 net = Net()
    f(net(x)).backward()            ->          net.zero_grad()
    optim.SGD(net.parameters()).step()          f(net(x)).backward()
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.bindings import makes_module
from torch2jax.facts.gradient_accumulation import Gradients
from torch2jax.facts.training import method_call
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.modules import CASTING, PLACING, SETTING
from torch2jax.program.calls import chain_start
from torch2jax.program.program import Function
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.values import Kind


def normalize_new_gradients(work: NormalizationRound) -> None:
    """Empty them where a backward pass in the loop may find those of an earlier round."""
    if not work.program.mentions("backward"):
        return
    gradients = Gradients(work.program, work.values)
    lines = [line for line in work.index.every(cst.SimpleStatementLine) if method_call(line, "backward") is not None]
    left = [line for line in lines if gradients.are_left_before(line, _around(work, line))]
    for name, line, loop in _made_in_loops(work) if left else ():
        inside = [item for item in left if loop in work.index.ancestors(item)]
        behind = [item for item in inside if work.index.order[item] > work.index.order[line]]
        if any(_around(work, item) is _around(work, line) for item in behind):
            clear = always_statements([quote_statement(f"{name}.zero_grad()")])
            if line is loop:
                work.edits.prologue(loop.body, clear)
            else:
                work.edits.after(line, clear)


def _around(work: NormalizationRound, node: cst.CSTNode) -> Function | None:
    return work.program.function_around(node)


def _made_in_loops(work: NormalizationRound) -> Iterator[tuple[str, cst.CSTNode, cst.For | cst.While]]:
    """The variables that each round of a loop gives a model of its own, with the line that does, and the loop: the loop itself
    may be that line, if no other runs it again.
    """
    for line in work.index.every(cst.SimpleStatementLine):
        match line.body:
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)]:
                loop = _loop_around(work, line)
                if loop is not None and makes_module(work.values, chain_start(value, PLACING | SETTING | CASTING)):
                    yield name, line, loop
    for loop in work.index.every(cst.For):
        is_model = isinstance(loop.target, cst.Name) and work.values(loop.target).kind is Kind.MODULE
        if is_model and isinstance(loop.target, cst.Name) and _loop_around(work, loop) is None:
            yield loop.target.value, loop, loop


def _loop_around(work: NormalizationRound, node: cst.CSTNode) -> cst.For | cst.While | None:
    for around in work.index.ancestors(node):
        if isinstance(around, (cst.For, cst.While)):
            return around
        if isinstance(around, (cst.FunctionDef, cst.ClassDef)):
            return None
    return None

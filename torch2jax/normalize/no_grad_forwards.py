"""A `forward` under `@torch.no_grad()`, normalized to one whose statements stand in a `with` block.

@torch.no_grad()                  ->   def forward(self, x):
def forward(self, x):                      with torch.no_grad():
    y = self.scale * x                         y = self.scale * x
    return y.cos(), y.sin()                    return y.cos(), y.sin()

What such a block gives back are constants in code that is differentiated. An argument that is handed back is none in torch:
where a result may be one, the decorator stays, and is reported.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.contexts import is_constant, turns_off
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import is_docstring
from torch2jax.syntax.walk import own_nodes, with_fields


def normalize_constant_forwards(work: NormalizationRound) -> None:
    """Normalize all such methods of the modules of a file."""
    for function in work.program.functions.values():
        node = function.node
        if node.name.value != "forward" or function.owner is None or not function.owner.is_module:
            continue
        contexts = [(item, context) for item in node.decorators if (context := _context(work, item)) is not None]
        if len(contexts) == 1 and isinstance(node.body, cst.IndentedBlock) and _gives_constants(work, node, node.body):
            work.edits.replace(node, lambda rewrite, node=node, found=contexts[0]: _moved(node, *found))  # type: ignore[misc]


def _context(work: NormalizationRound, decorator: cst.Decorator) -> cst.Call | None:
    """`torch.no_grad()` of a decorator, with or without parentheses."""
    expression = decorator.decorator
    called = expression if isinstance(expression, cst.Call) else cst.Call(expression)
    return called if turns_off(expression, work.values) else None


def _gives_constants(work: NormalizationRound, node: cst.FunctionDef, body: cst.IndentedBlock) -> bool:
    """Whether a method ends with its only `return`, of new tensors."""
    results = [item for item in own_nodes(node) if isinstance(item, (cst.Return, cst.Yield))]
    last = body.body[-1]
    if len(results) != 1 or not isinstance(last, cst.SimpleStatementLine) or last.body[-1] is not results[0]:
        return False
    result = results[0].value
    return isinstance(result, cst.BaseExpression) and is_constant(work.values(result))


def _moved(node: cst.FunctionDef, decorator: cst.Decorator, context: cst.Call) -> cst.FunctionDef:
    body = list(node.body.body)
    above = [body.pop(0)] if is_docstring(body[0]) else []
    block = cst.With([cst.WithItem(context)], cst.IndentedBlock(body))  # type: ignore[arg-type]
    kept = [item for item in node.decorators if item is not decorator]
    return with_fields(node, decorators=kept, body=with_fields(node.body, body=[*above, block]))

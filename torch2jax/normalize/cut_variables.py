"""Variables of old programs around what was computed: `Variable(x)` is a tensor without the graph of `x`.

loss = criterion(net(x), Variable(teacher(x)))    ->    loss = criterion(net(x), teacher(x).detach())

Around data, which has no graph, it is the tensor itself. A parameter that no module gets to know is not trained, either:

x + nn.Parameter(self.pe, requires_grad=False).to(device)    ->    x + self.pe.detach().to(device)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.provenance import Graphs
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote

_VARIABLE = "torch.autograd.Variable"
_MOVES = frozenset({"to", "cuda", "cpu", "float", "type_as"})


def normalize_cut_variables(work: NormalizationRound) -> None:
    """Normalize all such variables of a file."""
    for call in work.index.calls:
        if work.values.torch_name(call.func) == "torch.nn.Parameter" and _is_constant_operand(work, call):
            tensor = call.args[0].value
            work.edits.replace(call, lambda rewrite, tensor=tensor: _detached(rewrite, tensor))  # type: ignore[misc]
    if not work.program.mentions("Variable"):
        return
    graphs: Graphs | None = None
    for call in work.index.calls:
        if len(call.args) != 1 or call.args[0].star or work.values.torch_name(call.func) != _VARIABLE:
            continue
        graphs = graphs or Graphs(work.program, work.values)
        tensor = call.args[0].value
        if graphs.is_computed(tensor) or _is_given(work, tensor):
            work.edits.replace(call, lambda rewrite, tensor=tensor: _detached(rewrite, tensor))  # type: ignore[misc]


def _is_constant_operand(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a parameter that is not trained is only computed with."""
    parents = work.index.parents
    match call.args:
        case [cst.Arg(keyword=None, star=""), cst.Arg(keyword=cst.Name("requires_grad"), value=cst.Name("False"))]:
            node: cst.CSTNode = call
            while True:
                match parents.get(node):
                    case cst.Attribute(attr=cst.Name(name)) as method if name in _MOVES:
                        node = parents[method]
                        if not isinstance(node, cst.Call) or node.func is not method:
                            return False
                    case cst.BinaryOperation():
                        return True
                    case _:
                        return False
    return False


def _is_given(work: NormalizationRound, tensor: cst.BaseExpression) -> bool:
    """Whether a module is called with a tensor, as it is: by whom, and with what, is not known."""
    function = work.program.function_around(tensor)
    if function is None or function.owner is None or not function.owner.is_module or function.name != "forward":
        return False
    if not isinstance(tensor, cst.Name) or tensor.value not in function.parameter_names:
        return False
    return all(item.value is None for item in work.program.definitions.of(tensor))


def _detached(rewrite: Rewriter, tensor: cst.BaseExpression) -> cst.BaseExpression:
    return quote("{x}.detach()", x=rewrite.expression(tensor))


__all__ = ["normalize_cut_variables"]

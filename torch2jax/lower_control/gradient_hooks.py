"""Hooks that change the gradient of what was computed: identities with a gradient of their own.

                                                     class HookedOut(torch.autograd.Function):
                                                         @staticmethod
                                                         def forward(ctx, out):
out, _ = self.rnn(x)                          ->             return out
out.register_hook(lambda g: g.clamp(-1, 1))
return self.fc(out)                                      @staticmethod
                                                         def backward(ctx, g):
                                                             return g.clamp(-1, 1)

                                                     out, _ = self.rnn(x)
                                                     out = HookedOut.apply(out)
                                                     return self.fc(out)

Nothing may read the tensor before its hook, whose gradient would not go through the identity; and what the hook says must be
computed from its argument and from names of the file. Other hooks, and those of leaves, stay, and are reported.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.mutations import changes_values
from torch2jax.facts.storage import is_new
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.shared_results import FACTS_OF_TENSORS
from torch2jax.ops.python import changes_container
from torch2jax.program.definitions import How
from torch2jax.program.flow import free_variables
from torch2jax.program.program import Function, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants

_COMPUTED = (cst.Call, cst.BinaryOperation, cst.UnaryOperation, cst.Subscript)


@dataclass(frozen=True, slots=True)
class _Hook:
    """What a hook does: the name of the gradient, and the new one that it gives."""

    name: str
    result: cst.BaseExpression


def normalize_gradient_hooks(work: NormalizationRound) -> None:
    """Normalize the hooks of a file that only change gradients, one in each round."""
    alias = work.torch_alias()
    for call in work.index.calls if alias is not None else ():
        match call:
            case cst.Call(
                func=cst.Attribute(value=cst.Name() as tensor, attr=cst.Name("register_hook")),
                args=[cst.Arg(value=given, star="")],
            ):
                hook = _hook(work, given)
                if hook is not None and _is_alone(work, call) and _is_computed(work, tensor, call):
                    _write(work, call, tensor.value, hook, str(alias))
                    return


def _hook(work: NormalizationRound, given: cst.BaseExpression) -> _Hook | None:
    """What a lambda, or a function of the file with one line, makes of a gradient."""
    node: cst.Lambda | cst.FunctionDef
    match given:
        case cst.Lambda(
            params=cst.Parameters(params=[cst.Param(name=name, default=None)], kwonly_params=[]), body=result
        ):
            node = given
        case cst.Name():
            found = [work.program.by_key.get(key) for key in work.values(given).types]
            function = found[0] if len(found) == 1 else None
            said = _only_line(function) if function is not None else None
            if function is None or said is None or len(function.node.params.params) != 1:
                return None
            node, name, result = function.node, function.node.params.params[0].name, said
        case _:
            return None
    around = work.program.function_around(given)
    local = set(around.env) if around is not None else set()
    is_plain = not local.intersection(free_variables(node)) and _computes(work, result)
    return _Hook(name.value, result) if is_plain else None


def _only_line(function: Function) -> cst.BaseExpression | None:
    """What a function that is no method gives back, if its body says nothing else."""
    match function.node.body:
        case cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Return(value=value)])]) if (
            function.owner is None
        ):
            return value
    return None


def _computes(work: NormalizationRound, result: cst.BaseExpression) -> bool:
    """Whether an expression computes a new tensor, and does nothing else."""
    for node in descendants(result, cst.Call):
        name = work.values.torch_name(node.func)
        method = node.func.attr.value if isinstance(node.func, cst.Attribute) else ""
        is_in_place = changes_container(method) or changes_values(method)
        if is_in_place or (name is None and method not in _METHODS):
            return False
    return isinstance(result, (cst.Call, cst.BinaryOperation, cst.UnaryOperation))


_METHODS = frozenset(
    "abs add clamp clip detach div double exp float mean mul neg norm pow sign sqrt sub sum tanh to type_as".split()
)  # of tensors; what else is called may keep what it is given


def _is_alone(work: NormalizationRound, call: cst.Call) -> bool:
    """Whether a call stands alone in its line, and what it gives is asked for nothing."""
    parent = work.index.parents[call]
    line = work.index.statement_of(call)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return False
    match parent:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name() as handle)]):
            return not work.program.definitions.uses_at(handle)
    return isinstance(parent, cst.Expr)


def _is_computed(work: NormalizationRound, tensor: cst.Name, call: cst.Call) -> bool:
    """Whether a variable holds what its function has computed, and nothing has read it before its hook is registered."""
    definition = work.program.definitions.only(tensor)
    if definition is None or definition.how not in (How.ASSIGNED, How.PART) or "leaf" in work.values(tensor).types:
        return False
    if not isinstance(definition.value, _COMPUTED) or _makes_leaf(definition.value):
        return False
    is_own = isinstance(definition.value, cst.Call) and bool(work.values.callees.get(definition.value))
    if definition.how is How.PART and is_own:
        return False  # other parts may have been computed from it: value, hidden = dynamics(hidden)
    if not is_new(work.values(tensor).roots):
        return False
    order, line = work.index.order, work.index.statement_of(call)
    made = work.index.statement_of(definition.node)
    inside = set(descendants(made))
    uses = [use for use in work.program.definitions.uses(definition) if use not in inside]
    before = [use for use in uses if order[made] < order[use] < order[line]]  # in the next round it has its hook
    return all(_only_asks(work, use) for use in before)


def _makes_leaf(value: cst.BaseExpression) -> bool:
    """Whether an expression may give a tensor that was not computed from others: `torch.ones(3, requires_grad=True)`, `p[0]`."""
    words = {node.value for node in descendants(value, cst.Name)}
    return not words.isdisjoint({"requires_grad", "requires_grad_", "Parameter", "Variable", "parameters", "pop"})


def _only_asks(work: NormalizationRound, use: cst.Name) -> bool:
    """`x.requires_grad`, `x.shape`"""
    around = work.index.parents[use]
    return isinstance(around, cst.Attribute) and around.attr.value in FACTS_OF_TENSORS


def _write(work: NormalizationRound, call: cst.Call, tensor: str, hook: _Hook, torch: str) -> None:
    name = work.fresh(f"Hooked{''.join(part.title() for part in tensor.split('_'))}")
    lines = [
        f"class {name}({torch}.autograd.Function):",
        "    @staticmethod",
        f"    def forward(ctx, {tensor}):",
        f"        return {tensor}",
        "",
        "    @staticmethod",
        f"    def backward(ctx, {hook.name}):",
        f"        return {code(hook.result).strip()}",
    ]
    blank = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
    made = quote_statement("\n".join(lines)).with_changes(leading_lines=blank)
    work.edits.before(work.index.top_level(call), always_statements([made]))
    applied = quote_statement(f"{tensor} = {name}.apply({tensor})")
    work.edits.rewrite_statement(_with_guard(work, call, tensor), always_statements([applied]))


def _with_guard(work: NormalizationRound, call: cst.Call, tensor: str) -> cst.CSTNode:
    """The line of a call, or the `if x.requires_grad:` around it: without a gradient the identity changes nothing."""
    line = work.index.statement_of(call)
    holder = work.index.parents.get(work.index.parents[line])
    match holder:
        case cst.If(test=test, body=cst.IndentedBlock(body=[_]), orelse=None):
            return holder if dotted(test) == f"{tensor}.requires_grad" else line
    return line


__all__ = ["normalize_gradient_hooks"]

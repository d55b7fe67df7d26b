"""Lines that change the gradient of one parameter of a module, normalized to loops that change it among all of the module; and
those of a tensor that stands alone, which is given another one.

net.emb.weight.grad[0] = 0        ->    for name, p in net.named_parameters():
                                            if name == "emb.weight":
                                                p.grad[0] = 0
setattr(p, "grad", g)             ->    p.grad = g
delta.grad.div_(norms)            ->    gradient = delta.grad.clone()
                                        gradient.div_(norms)
                                        delta.grad = gradient
"""

from __future__ import annotations

import re

import libcst as cst

from torch2jax.facts.parameters import given_parameters
from torch2jax.normalize.gradient_changes import owner_of_gradient
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.definitions import How
from torch2jax.program.program import dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import always, always_statements
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LISTING = frozenset({"parameters", "named_parameters"})
_NO_VALUES = frozenset({"detach_", "requires_grad_", "zero_"})  # what empties a gradient has words of its own


def normalize_part_gradients(work: NormalizationRound) -> None:
    """Normalize all such lines of a file, in programs that train."""
    if not work.program.mentions("grad") or not work.program.is_trained:
        return
    for line in work.index.every(cst.SimpleStatementLine):
        assert isinstance(line, cst.SimpleStatementLine)
        match line.body:
            case [cst.Expr(value=cst.Call(func=cst.Name("setattr"), args=[holder, word, given]))] if (
                isinstance(word.value, cst.SimpleString)
                and word.value.evaluated_value == "grad"
                and isinstance(holder.value, (cst.Name, cst.Attribute, cst.Subscript))
                and not any(item.star or item.keyword for item in (holder, word, given))
            ):
                made = quote_statement("{it}.grad = {value}", it=holder.value, value=given.value)
                work.edits.rewrite_statement(line, always_statements([made]))
                continue
        parameter = _changed(line)
        if parameter is None or work.values(parameter).kind is not Kind.TENSOR:
            continue
        if isinstance(parameter, cst.Name):
            _give_another(work, line, parameter)
            continue
        found = _module_and_name(work, parameter)
        if found is None or not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)):
            continue
        module, named = found
        fresh = work.names_at(line)
        name, p = fresh("name"), fresh("p")
        loop = quote_statement(
            f'for {name}, {p} in {{module}}.named_parameters():\n    if {name} == "{named}":\n        pass',
            module=module,
        )
        assert isinstance(loop, cst.For)
        text = re.sub(rf"(?<![\w.]){re.escape(code(parameter))}(?!\w)", p, code(line.with_changes(leading_lines=[])))
        choice = cst.ensure_type(loop.body.body[0], cst.If)
        choice = choice.with_changes(body=cst.IndentedBlock([cst.parse_statement(text)]))
        made = loop.with_changes(body=cst.IndentedBlock([choice]), leading_lines=line.leading_lines)
        for node in descendants(made):
            work.copies.setdefault(node, line)
        work.edits.replace(line, always(made))


def _give_another(work: NormalizationRound, line: cst.SimpleStatementLine, tensor: cst.Name) -> None:
    """Let a line change a copy of the gradient of a tensor, which the tensor gets for it."""
    is_set = isinstance(line.body[0], cst.Assign) and dotted(line.body[0].targets[0].target) == f"{tensor.value}.grad"
    bindings = work.program.definitions.of(tensor)
    is_made_here = bool(bindings) and all(item.how is How.ASSIGNED for item in bindings)
    if is_set or not is_made_here or not isinstance(work.index.parents[line], (cst.IndentedBlock, cst.Module)):
        return
    held = [item.value for item in work.index.every(cst.Assign) if item is not line.body[0]]
    if any(isinstance(owner := _owner(value), cst.Name) and owner.value == tensor.value for value in held):
        return  # another name for it would have to see the change
    gradient = work.names_at(line)("gradient")
    first = quote_statement(f"{gradient} = {tensor.value}.grad.clone()")
    text = re.sub(rf"(?<![\w.]){tensor.value}\.grad(?!\w)", gradient, code(line.with_changes(leading_lines=[])))
    made = [first, cst.parse_statement(text), quote_statement(f"{tensor.value}.grad = {gradient}")]
    made[0] = made[0].with_changes(leading_lines=line.leading_lines)
    for one in made:
        for node in (one, *descendants(one)):
            work.copies.setdefault(node, line)
    work.edits.rewrite_statement(line, always_statements(made))


def _changed(line: cst.SimpleStatementLine) -> cst.BaseExpression | None:
    """The parameter whose gradient a line changes: `net.fc.weight` of `net.fc.weight.grad.data.mul_(2)`."""
    match line.body:
        case [cst.Assign(targets=[cst.AssignTarget(target=target)], value=value)] if dotted(value) != "None":
            return _owner(target)
        case [cst.AugAssign(target=target)]:
            return _owner(target)
        case [cst.Expr(value=cst.Call(func=cst.Attribute(value=changed, attr=cst.Name(method))))]:
            return _owner(changed) if is_inplace_name(method) and method not in _NO_VALUES else None
    return None


def _owner(node: cst.CSTNode) -> cst.Name | cst.Attribute | None:
    owner = owner_of_gradient(node)
    return owner if isinstance(owner, (cst.Name, cst.Attribute)) else None


def _module_and_name(work: NormalizationRound, parameter: cst.BaseExpression) -> tuple[cst.BaseExpression, str] | None:
    """The module that is trained and has a parameter, and what torch calls it there: `net` and "fc.0.weight"."""
    trained = {
        code(node.func.value)
        for call in work.index.calls
        if work.values(call).kind is Kind.OPTIMIZER and (given := given_parameters(call)) is not None
        for node in (given, *descendants(given))
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in _LISTING
    }
    names: list[str] = []
    module, found = parameter, None
    while True:
        match module:
            case cst.Attribute(value=owner, attr=cst.Name(name)):
                names.insert(0, name)
            case cst.Subscript(
                value=owner, slice=[cst.SubscriptElement(slice=cst.Index(value=cst.Integer(value=name)))]
            ):
                names.insert(0, name)
            case _:
                return found
        module = owner
        if dotted(module) is not None and work.values(module).kind is Kind.MODULE:
            if found is None or code(module) in trained or code(found[0]) not in trained:
                found = module, ".".join(names)


__all__ = ["normalize_part_gradients"]

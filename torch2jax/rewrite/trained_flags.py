"""Flags of parameters where they are read: is this one trained?

sum(p.numel() for p in net.parameters() if p.requires_grad)   ->   ... eqx.filter(net, unfrozen(net))
for name, p in net.named_parameters():                             trained = trained_names(net)
    if p.requires_grad:                                       ->   for name, p in named_parameters(net):
        print(name)                                                    if name in trained:

Where nothing is frozen, all are trained, and nothing is asked.
"""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.recorded import is_recorded
from torch2jax.program.definitions import How
from torch2jax.program.program import dotted
from torch2jax.rewrite.local_names import local_name
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.edits import Rewriter, as_expression
from torch2jax.syntax.quote import names_in, quote
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind, Value


def rewrite_flag(unit: Unit, node: cst.Attribute) -> bool:
    """Decide a read of `requires_grad`; False where nothing that is known of it has a translation."""
    parent, value = unit.facts.program.index.parents.get(node), unit.facts.values(node.value)
    if value.kind is Kind.TENSOR and not value.types & {"parameter", "leaf"} and _drop_assertion(unit, node):
        return True
    if isinstance(parent, cst.CompIf) and _chooses_trained(unit, node, parent):
        return True
    if value.kind is Kind.TENSOR and "parameter" not in value.types:
        recorded = is_recorded(node.value, unit.facts.values, unit.facts.tables)
        if recorded is not None:
            unit.edits.replace(node, lambda rewrite: cst.Name(str(recorded)))
            return True
    freezes = _freezes(unit, node)
    if not freezes and "frozen" in value.types and "parameter" not in value.types:
        unit.edits.replace(node, lambda rewrite: cst.Name("False"))
        return True
    if freezes or _may_be_made_frozen(unit, node.value):
        return _asks_model(unit, node)
    unit.settled.add(node)
    if not _records_gradients(value) or _chooses_for_given(unit, node, value):
        unit.problem(node, "T2J203", name="requires_grad")
    elif isinstance(parent, cst.CompIf):
        _drop_condition(unit, parent)
    else:
        unit.edits.replace(node, lambda rewrite: cst.Name("True"))
    return True


def _drop_assertion(unit: Unit, node: cst.Attribute) -> bool:
    """`assert target.requires_grad is False`, of what is computed or given: arrays say nothing of that, and torch goes on where it holds."""
    parents = unit.facts.program.index.parents
    test: cst.CSTNode = node
    match parents[node]:
        case cst.UnaryOperation(operator=cst.Not()) as negated:
            test = negated
        case (
            cst.Comparison(
                left=left, comparisons=[cst.ComparisonTarget(comparator=cst.Name("True" | "False"))]
            ) as compared
        ):
            test = compared if left is node else node
    match parents[test], parents.get(parents[test]):
        case cst.Assert(msg=message) as asserted, cst.SimpleStatementLine(body=[_]) as line:
            if asserted.test is not test or (message is not None and any(descendants(message, cst.Call))):
                return False
        case _:
            return False
    unit.settled.add(node)
    unit.edits.remove(line)
    return True


def _records_gradients(value: Value) -> bool:
    """Whether a value may be a parameter, or has been asked for gradients; what is computed has them where its parts do."""
    is_made_here = bool(value.roots) and all(root.startswith("new:") for root in value.roots)
    return value.kind is not Kind.TENSOR or not is_made_here or bool(value.types & {"parameter", "leaf"})


def _chooses_for_given(unit: Unit, node: cst.Attribute, value: Value) -> bool:
    """Whether a branch is chosen by the flag of a tensor that a function is given: callers may compute it, or read it somewhere."""
    if value.kind is not Kind.TENSOR or "parameter" in value.types or not isinstance(node.value, cst.Name):
        return False
    found, parents = unit.facts.program.definitions.only(node.value), unit.facts.program.index.parents
    test: cst.CSTNode = node
    while isinstance(parents[test], (cst.BooleanOperation, cst.UnaryOperation, cst.Comparison, cst.ComparisonTarget)):
        test = parents[test]
    is_test = isinstance(parents[test], (cst.If, cst.IfExp, cst.While))
    return found is not None and found.how is How.PARAMETER and is_test


def _freezes(unit: Unit, read: cst.Attribute) -> bool:
    """Whether anything in the file freezes parameters, so that `requires_grad` says something where it is read."""
    statements = {item.statement: item.sites for item in unit.facts.freezing.statements if item.is_idle}
    idle = list(statements.values())
    for ancestor in unit.facts.program.index.ancestors(read) if idle else ():
        if isinstance(ancestor, (cst.For, cst.CompFor, cst.ListComp, cst.GeneratorExp)):
            loop = ancestor.for_in if isinstance(ancestor, (cst.ListComp, cst.GeneratorExp)) else ancestor
            if any(unit.facts.values(loop.iter).sites & sites for sites in idle):
                return True
    for node in unit.facts.program.index.attributes:
        parent = unit.facts.program.index.parents.get(node)
        sets = node.attr.value == "requires_grad" and isinstance(parent, cst.AssignTarget)
        sets |= node.attr.value == "requires_grad_" and isinstance(parent, cst.Call) and bool(parent.args)
        if sets and not any(item in statements for item in unit.facts.program.index.ancestors(node)):
            return True  # and in no statement that freezes what nothing trains
    if any(_makes_perhaps_frozen(unit, call) for item in unit.facts.program.files for call in item.index.calls):
        return True
    return bool(unit.facts.effects.frozen) and _is_of_frozen(unit, read)


def _is_of_frozen(unit: Unit, read: cst.Attribute) -> bool:
    """Whether a loop around goes through the parameters of a module of which another file may have frozen some."""
    for loop in unit.facts.program.index.ancestors(read):
        runs = loop.for_in if isinstance(loop, (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)) else loop
        if isinstance(runs, (cst.For, cst.CompFor)):
            match runs.iter:
                case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters" | "named_parameters"))):
                    value = unit.facts.values(module)
                    if not value.types or unit.facts.effects.has_frozen(value):
                        return True
    return False


def _makes_perhaps_frozen(unit: Unit, call: cst.Call) -> bool:
    """Whether a value says whether a parameter is made to be trained: `nn.Parameter(table, requires_grad=learn)`."""
    if unit.facts.values.torch_name(call.func) != "torch.nn.Parameter":
        return False
    flags = [item.value for item in call.args if item.keyword is not None and item.keyword.value == "requires_grad"]
    flags += [item.value for item in call.args[1:2] if item.keyword is None and not item.star]
    return any(
        dotted(flag) not in ("True", "False") and not isinstance(unit.facts.values(flag).const, bool) for flag in flags
    )


def _chooses_trained(unit: Unit, node: cst.Attribute, condition: cst.CompIf) -> bool:
    """`for p in model.parameters() if p.requires_grad`, where the model says which are frozen."""
    loop = unit.facts.program.index.parents[condition]
    assert isinstance(loop, cst.CompFor)
    match loop.iter:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            value = unit.facts.values(module)
            if value.kind is not Kind.MODULE or dotted(loop.target) != dotted(node.value) or len(loop.ifs) != 1:
                return False
            effects = unit.facts.effects
            has_frozen = effects.has_frozen(value)
            if not unit.facts.target.immutable or not (has_frozen or effects.has_frozen_parameters(value)):
                return False
            trained = unit.facts.target.with_buffers(unit.facts.target.parameters, frozen=has_frozen)
            unit.settled.add(node)
            unit.edits.replace(
                loop.iter, lambda rewrite: unit.quote(trained, model=as_expression(rewrite(module))), override=True
            )
            unit.edits.replace(loop, lambda rewrite: _without_conditions(rewrite.inside(loop)))
            return True
    return False


def _without_conditions(loop: cst.CSTNode) -> cst.CSTNode:
    assert isinstance(loop, cst.CompFor)
    return loop.with_changes(ifs=())


def _drop_condition(unit: Unit, condition: cst.CompIf) -> None:
    comprehension = unit.facts.program.index.parents[condition]
    assert isinstance(comprehension, cst.CompFor)

    def build(rewrite: Rewriter) -> cst.CSTNode:
        changed = rewrite.inside(comprehension)
        assert isinstance(changed, cst.CompFor)
        kept = [item for item, old in zip(changed.ifs, comprehension.ifs, strict=True) if old is not condition]
        return changed.with_changes(ifs=kept)

    unit.edits.replace(comprehension, build)


def in_doubt(unit: Unit, node: cst.Attribute) -> bool:
    """Whether a flag that is read may be unset: something is frozen later, or made frozen."""
    return _freezes(unit, node) or _may_be_made_frozen(unit, node.value)


def _may_be_made_frozen(unit: Unit, node: cst.BaseExpression) -> bool:
    """Whether a tensor may be a parameter that a module made with requires_grad=False."""
    value = unit.facts.values(node)
    if isinstance(node, cst.Attribute) and value.kind is Kind.TENSOR and value.types:
        return "frozen" in value.types
    is_of_model = value.kind is not Kind.TENSOR or "parameter" in value.types or not value.types
    return is_of_model and unit.facts.effects.makes_frozen_parameters


def ask_by_name(unit: Unit, node: cst.Attribute, name: str, model: str) -> None:
    """Where the name of a parameter is at hand, the model says whether it is trained."""
    template = unit.spell(unit.facts.target.trained_names)
    unit.settled.add(node)
    unit.edits.replace(node, lambda rewrite: quote(f"{name} in {template}", model=quote(model)))


def _asks_model(unit: Unit, node: cst.Attribute) -> bool:
    """`p.requires_grad` in a loop over the parameters of a model, which says which are trained."""
    for loop in unit.facts.program.index.ancestors(node):
        if not isinstance(loop, (cst.For, cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.DictComp)):
            continue
        runs = loop if isinstance(loop, cst.For) else loop.for_in
        match runs.iter:
            case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters" | "named_parameters")), args=[]):
                bound = _bound(runs.target)
                if not bound or dotted(node.value) != bound[-1] or loop in unit.settled or dotted(module) is None:
                    continue
                if unit.facts.values(module).kind is not Kind.MODULE:
                    continue
                ask_by_name(
                    unit, node, bound[0] if len(bound) == 2 else _named(unit, runs, module), str(dotted(module))
                )
                return True
    return False


def _bound(target: cst.BaseExpression) -> list[str]:
    """The variables that a loop over `parameters()` or `named_parameters()` binds."""
    match target:
        case cst.Name(value=name):
            return [name]
        case cst.Tuple(elements=[cst.Element(value=cst.Name(name)), cst.Element(value=cst.Name(variable))]):
            return [name, variable]
    return []


def _named(unit: Unit, runs: cst.For | cst.CompFor, module: cst.BaseExpression) -> str:
    """The variable with the names of the parameters, in a loop that now runs over `named_parameters()`."""
    if runs in unit.names_of_parameters:
        return unit.names_of_parameters[runs]
    outer = unit.facts.program.index.parents[runs]
    is_free = isinstance(runs, cst.CompFor) and "name" not in names_in(outer)
    name = unit.names_of_parameters[runs] = "name" if is_free else local_name(unit, runs, "name")
    listed = unit.spell(str(unit.facts.target.named_parameters))
    elements = [cst.Element(cst.Name(name)), cst.Element(cst.Name(str(dotted(runs.target))))]
    unit.edits.replace(runs.target, lambda rewrite: cst.Tuple(elements, lpar=(), rpar=()))
    unit.edits.replace(
        runs.iter, lambda rewrite: unit.quote(listed, model=as_expression(rewrite(module))), override=True
    )
    return name


__all__ = ["rewrite_flag"]

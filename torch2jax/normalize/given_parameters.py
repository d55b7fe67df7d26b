"""Parameters that are made outside of a module and become a field of it: they are read there.

net.register_parameter("scale", scale)      ->   net.scale = scale
loss = (scale * net(x) - y).pow(2).mean()        loss = (net.scale * net(x) - y).pow(2).mean()

self.scale = nn.Parameter(torch.ones(1))              scale = nn.Parameter(torch.ones(1))
self.net.register_parameter("scale", self.scale)  ->  self.net.scale = scale
... self.scale * self.net(x) ...                      ... self.net.scale * self.net(x) ...

Training gives the field another value. A variable, or a field of a plain object, that is read where the field of the module
cannot take its place is reported.
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.facts.kept_fields import stores_of
from torch2jax.normalize.parameter_aliases import is_read_here
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, dotted
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter, always, always_statements
from torch2jax.syntax.problem import Problem
from torch2jax.syntax.quote import quote_statement
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_LOOPS = (cst.For, cst.While)


def normalize_given_parameters(work: NormalizationRound) -> None:
    """Normalize all such lines of a file."""
    for line in work.index.every(cst.SimpleStatementLine):
        assert isinstance(line, cst.SimpleStatementLine)
        match line.body:
            case [
                cst.Expr(
                    value=cst.Call(
                        func=cst.Attribute(value=module, attr=cst.Name("register_parameter")),
                        args=[cst.Arg(value=name, star="", keyword=None), cst.Arg(value=given, star="", keyword=None)],
                    )
                )
            ] if _is_from_outside(work, module):
                text = work.values(name).const
                if isinstance(text, str) and text.isidentifier():
                    work.edits.rewrite_statement(line, partial(_assigned, module, text, given))
                    _declare(work, module, text)
                    if isinstance(given, cst.Attribute):
                        _read_through_object(work, line, module, text, given)
            case [cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=module) as field)], value=given)]:
                if not _is_from_outside(work, module):
                    continue
                if "parameter" in work.values(given).types and isinstance(given, (cst.Name, cst.Call, cst.Attribute)):
                    _declare(work, module, field.attr.value)
                if isinstance(given, cst.Name):
                    _read_from_field(work, line, field, given)
                if isinstance(given, cst.Attribute):
                    _read_through_object(work, line, module, field.attr.value, given)


def _is_from_outside(work: NormalizationRound, module: cst.BaseExpression) -> bool:
    function = work.program.function_around(module)
    own = function.self_name if function is not None else None
    return work.values(module).kind is Kind.MODULE and dotted(module) not in (None, own)


def _declare(work: NormalizationRound, module: cst.BaseExpression, name: str) -> None:
    """Where modules are values, their class has the field from the start: `self.register_parameter("scale", None)`."""
    types = work.values(module).types
    owner = work.program.class_by_key.get(next(iter(types))) if len(types) == 1 else None
    init = owner.methods.get("__init__") if owner is not None else None
    if work.effects is None or not work.effects.threads or owner is None or init is None:
        return
    if init.node not in work.program.functions or not isinstance(init.node.body, cst.IndentedBlock):
        return
    if any(_names_field(node, name, init.self_name) for part in owner.lineage for node in descendants(part.node)):
        return
    declared = quote_statement(f'{init.self_name}.register_parameter("{name}", None)')
    work.edits.after(init.node.body.body[-1], always_statements([declared]))


def _names_field(node: cst.CSTNode, name: str, own: str | None) -> bool:
    """Whether a class speaks of a field of its own."""
    match node:
        case cst.Attribute(value=cst.Name(value), attr=cst.Name(field)):
            return value == own and field == name
        case cst.SimpleString():
            return node.evaluated_value == name
    return False


def _assigned(
    module: cst.BaseExpression, name: str, given: cst.BaseExpression, rewrite: Rewriter
) -> list[cst.BaseStatement]:
    holder, value = rewrite.expression(module), rewrite.expression(given)
    return [quote_statement(f"{{module}}.{name} = {{value}}", module=holder, value=value)]


def _read_from_field(
    work: NormalizationRound, line: cst.SimpleStatementLine, field: cst.Attribute, given: cst.Name
) -> None:
    """Where a variable that holds a new parameter is read behind the line that gives it to a module, the field is."""
    definitions, order = work.program.definitions, work.index.order
    definition = definitions.bound_once(given)
    if definition is None or not isinstance(definition.value, cst.Call):
        return
    if work.values.torch_name(definition.value.func) != "torch.nn.Parameter":
        return
    behind = [use for use in definitions.uses(definition) if use is not given and order[use] > order[line]]
    root: cst.BaseExpression = field
    while isinstance(root, cst.Attribute):
        root = root.value
    is_one = isinstance(root, cst.Name) and definitions.bound_once(root) is not None
    is_again = any(isinstance(item, _LOOPS) for item in work.index.ancestors(line))
    if behind and (not is_one or is_again or not all(is_read_here(work, use, line) for use in behind)):
        fields = {"name": code(field), "other": given.value}
        work.problems.append(Problem(line, "T2J604", fields))
        return
    for use in behind:
        work.edits.replace(use, lambda rewrite: field.deep_clone())


def _read_through_object(
    work: NormalizationRound,
    line: cst.SimpleStatementLine,
    module: cst.BaseExpression,
    name: str,
    given: cst.Attribute,
) -> None:
    """Where a field of a plain object holds a new parameter that a module of the object is given, that of the module is read."""
    function = work.program.function_around(given)
    owner = function.owner if function is not None else None
    if function is None or owner is None or owner.is_module or "parameter" not in work.values(given).types:
        return
    field = given.attr.value
    reads = [item for item in work.index.attributes if item.attr.value == field and item is not given]
    reads = [item for item in reads if work.values(item.value).kind is not Kind.MODULE]
    stores = [item for item in work.field_stores(field) if item in reads]
    block, order = work.index.parents[line], work.index.order
    makes = [work.index.statement_of(item) for item in stores]
    is_plain = (
        function.name == "__init__"
        and _makes_parameter(work, owner, given)
        and dotted(given) == f"{function.self_name}.{field}"
        and isinstance(module, cst.Attribute)
        and dotted(module.value) == function.self_name
        and len(work.field_stores(module.attr.value)) == 1
        and all(dotted(item) == dotted(given) and order[item] < order[line] for item in stores)
        and all(work.index.parents[item] is block for item in makes)
        and owner.method(field) is None
        and field not in work.program.read_elsewhere
        and f".{field}" not in work.program.read_elsewhere
        and all(work.values(item.value).types == {owner.key} for item in reads)
    )
    if not is_plain:
        fields = {"name": f"{code(module)}.{name}", "other": code(given)}
        work.problems.append(Problem(line, "T2J604", fields))
        return
    local = work.fresh(field)
    assert isinstance(module, cst.Attribute)
    for item in [given, *reads]:
        is_earlier = work.program.function_around(item) is function and order[item] <= order[given]
        build = always(cst.Name(local)) if is_earlier else partial(_in_module, item, module.attr.value, name)
        work.edits.replace(item, build)


def _in_module(item: cst.Attribute, held: str, name: str, rewrite: Rewriter) -> cst.BaseExpression:
    return cst.Attribute(cst.Attribute(rewrite.expression(item.value), cst.Name(held)), cst.Name(name))


def _makes_parameter(work: NormalizationRound, owner: Class, given: cst.Attribute) -> bool:
    """Whether the last thing that a field of an object is set to is a new parameter."""
    made = stores_of(owner, given.attr.value)
    last = made[-1] if made else None
    return isinstance(last, cst.Call) and work.values.torch_name(last.func) == "torch.nn.Parameter"


__all__ = ["normalize_given_parameters"]

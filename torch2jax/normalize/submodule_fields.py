"""Parts of modules in the one form that all else knows.

self.transformer.wte(x)                      ->   self.transformer["wte"](x)

m = self.mlp                                 ->   def mlpf(self, x):
self.mlpf = lambda x: m.drop(m.fc(x))                 return self.mlp.drop(self.mlp.fc(x))
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.program.program import Class, Function, dotted
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import descendants, is_label, own_nodes

_Made = cst.Lambda | cst.FunctionDef

_MODULE_DICT = frozenset({"torch.nn.ModuleDict"})
DICT_ATTRIBUTES = frozenset(
    "keys values items pop clear update training apply children modules named_children named_modules parameters "
    "named_parameters buffers named_buffers state_dict load_state_dict to cuda cpu float half double bfloat16 train eval "
    "requires_grad_ zero_grad register_module add_module register_buffer register_parameter get_submodule get_parameter "
    "get_buffer forward extra_repr type share_memory __dict__ __class__".split()
)


def normalize_dict_fields(work: NormalizationRound) -> None:
    """Attributes of `nn.ModuleDict` that are its entries."""
    for node in work.index.attributes:
        if work.values(node.value).types == _MODULE_DICT and node.attr.value not in DICT_ATTRIBUTES:
            read_as_entry(work, node)


def read_as_entry(work: NormalizationRound, node: cst.Attribute) -> None:
    """`self.layers.conv` -> `self.layers["conv"]`."""
    key = cst.SimpleString(f'"{node.attr.value}"')
    work.edits.replace(node, lambda rewrite: quote("{d}[{k}]", d=rewrite.expression(node.value), k=key))


def normalize_lambda_fields(work: NormalizationRound) -> None:
    """Lambdas and functions that `__init__` keeps in fields, made into methods.

    Transformed functions compute with copies of modules, or with modules that replace them: a method has the one that it is called on.
    """
    for item in work.program.classes.values():
        init = item.methods.get("__init__")
        if not item.is_module or init is None or not isinstance(item.node.body, cst.IndentedBlock):
            continue
        for line in init.node.body.body:
            found = _lambda_field(line, init) or _function_field(work, line, init)
            if found is None or not _is_only(work, item, init, found[0], found[1]):
                continue
            name, made = found
            parts = _parts(work, init, made)
            if parts is None:
                continue
            work.edits.remove(line)
            if isinstance(made, cst.FunctionDef):
                work.edits.remove(made)
            for node in _names(made.body):
                if node.value in parts and not is_label(node, work.index.parents[node]):
                    part = parts[node.value].deep_clone()
                    work.edits.replace(node, lambda rewrite, part=part: part)  # type: ignore[misc]
            work.edits.after(init.node, partial(_method, init, name, made))


def _lambda_field(line: cst.CSTNode, init: Function) -> tuple[str, cst.Lambda] | None:
    """The field and the lambda of `self.f = lambda x: ...`."""
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    match line.body[0]:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(owner), attr=cst.Name(name)))],
            value=cst.Lambda() as made,
        ) if owner == init.self_name:
            return name, made
    return None


def _function_field(work: NormalizationRound, line: cst.CSTNode, init: Function) -> tuple[str, cst.FunctionDef] | None:
    """The field and the function of `self.f = f`, where `__init__` defines `f` and does nothing else with it."""
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(owner), attr=cst.Name(field)))],
                    value=cst.Name(name),
                )
            ]
        ) if owner == init.self_name:
            named = [node for node in _names(init.node.body) if node.value == name and not work.index.is_label(node)]
            found = [node for node in init.node.body.body if isinstance(node, cst.FunctionDef) and node.name in named]
            is_plain = len(found) == 1 and len(named) == 2 and not found[0].decorators and found[0].asynchronous is None
            if is_plain and not descendants(found[0], cst.Nonlocal, cst.Yield):
                return field, found[0]
    return None


def _is_only(work: NormalizationRound, item: Class, init: Function, name: str, made: _Made) -> bool:
    """Whether a function is all that a field ever holds, and its parameters are none of the method's own."""
    given = {parameter.name.value for parameter in _parameters(made)}
    if init.self_name in given or any(name in part.methods for part in item.lineage):
        return False
    stores = [
        node
        for node in work.index.attributes
        if node.attr.value == name
        and isinstance(work.index.parents.get(node), (cst.AssignTarget, cst.AugAssign))
        and not _is_of_another_class(work, item, node)
    ]
    return len(stores) == 1


def _is_of_another_class(work: NormalizationRound, item: Class, node: cst.Attribute) -> bool:
    """Whether `self.f` stands in a class that has nothing to do with `item`."""
    function = work.program.function_around(node)
    owner = function.owner if function is not None else None
    is_own = function is not None and isinstance(node.value, cst.Name) and node.value.value == function.self_name
    return is_own and owner is not None and owner not in item.lineage and item not in owner.lineage


def _parameters(made: _Made) -> list[cst.Param]:
    params = made.params
    stars = [item for item in (params.star_arg, params.star_kwarg) if isinstance(item, cst.Param)]
    return [*params.posonly_params, *params.params, *params.kwonly_params, *stars]


def _parts(work: NormalizationRound, init: Function, made: _Made) -> dict[str, cst.BaseExpression] | None:
    """The parts of the module that local names of `__init__` stand for in a lambda.

    None if it reads anything else of `__init__`, or no part of the module at all.
    """
    given = {parameter.name.value for parameter in _parameters(made)}
    inner = _bound_inside(made)
    local = {param.name.value for param in init.parameters} | _bound(init)
    found: dict[str, cst.BaseExpression] = {}
    reads_self = False
    for name in _names(made.body):
        if name.value in given | inner or is_label(name, work.index.parents[name]):
            continue
        if name.value == init.self_name:
            reads_self = True
        elif name.value in local:
            part = _part(init, name.value)
            if part is None:
                return None
            found[name.value] = part
    return found if found or reads_self else None


def _bound_inside(made: _Made) -> set[str]:
    """What a function binds by itself, or another one inside of it."""
    binding = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.CompFor, cst.NamedExpr)
    targets = [node.target for node in descendants(made.body) if isinstance(node, binding)]
    aliases = [
        node.name for node in descendants(made.body) if isinstance(node, (cst.AsName, cst.Param, cst.FunctionDef))
    ]
    plain = [node for node in targets if not isinstance(node, (cst.Attribute, cst.Subscript))]
    return {
        name.value for node in (*plain, *aliases) for name in ([node] if isinstance(node, cst.Name) else _names(node))
    }


def _names(node: cst.CSTNode) -> list[cst.Name]:
    return [item for item in descendants(node) if isinstance(item, cst.Name)]


def _bound(init: Function) -> set[str]:
    return {
        name.value
        for node in own_nodes(init.node)
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.AsName, cst.NamedExpr))
        for name in _names(node.target if not isinstance(node, cst.AsName) else node.name)
        if name.value != init.self_name
    }


def _part(init: Function, name: str) -> cst.BaseExpression | None:
    """`self.mlp`, where `m = self.mlp` is the only value of `m`."""
    made = [
        node
        for node in own_nodes(init.node)
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.AsName, cst.NamedExpr))
        and name in {item.value for item in _names(node)}
        and not (isinstance(node, cst.AssignTarget) and isinstance(node.target, (cst.Attribute, cst.Subscript)))
    ]
    assigned = [
        node.value
        for node in own_nodes(init.node)
        if isinstance(node, cst.Assign) and len(node.targets) == 1 and node.targets[0] in made
    ]
    path = dotted(assigned[0]) if len(made) == len(assigned) == 1 else None
    if path is None or not path.startswith(f"{init.self_name}.") or name in init.parameter_names:
        return None
    return assigned[0]


def _method(init: Function, name: str, made: _Made, rewrite: Rewriter) -> list[cst.BaseStatement]:
    statement = quote_statement(f"def {name}({init.self_name}):\n    return x\n")
    assert isinstance(statement, cst.FunctionDef)
    owner = statement.params.params[0]
    if isinstance(made, cst.FunctionDef):
        body = rewrite(made.body)
    else:
        body = cst.IndentedBlock([cst.SimpleStatementLine([cst.Return(rewrite.expression(made.body))])])
    changed = statement.with_changes(
        params=made.params.with_changes(params=[owner, *made.params.params]),
        leading_lines=[cst.EmptyLine(indent=False)],
        body=body,
    )
    return [changed]


__all__ = ["DICT_ATTRIBUTES", "normalize_dict_fields", "normalize_lambda_fields", "read_as_entry"]

"""The fields in which objects keep what their `__init__` is given, and whether their methods train that."""

from __future__ import annotations

import libcst as cst

from torch2jax.facts.captures import reached
from torch2jax.facts.infer import Values
from torch2jax.ops.modules import PLACING, SETTING
from torch2jax.ops.schema import is_inplace_name
from torch2jax.program.calls import arguments_by_parameter, chain_start
from torch2jax.program.program import Class, Function, Program, dotted
from torch2jax.program.statements import assigned_pairs
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import bound_names, descendants


def stores_of(owner: Class, name: str) -> list[cst.BaseExpression]:
    """What a field of a class is set to, where all statements that set it are lines of `__init__`; none else."""
    found: list[cst.BaseExpression] = []
    for item in owner.lineage:
        init = item.methods.get("__init__")
        lines = [line for line in init.node.body.body if isinstance(line, cst.SimpleStatementLine)] if init else []
        own = {statement for line in lines for statement in line.body}
        for node in descendants(item.node):
            if isinstance(node, (cst.Assign, cst.AugAssign, cst.AnnAssign)):
                targets = node.targets if isinstance(node, cst.Assign) else [node]
                named = [target.target for target in targets if names_field(target.target, name)]
                if named and (not isinstance(node, cst.Assign) or node not in own):
                    return []
                pairs = [pair for target in named for pair in assigned_pairs(target, node.value or target)]
                found += [value for target, value in pairs if names_field(target, name)]
    return found


def names_field(target: cst.CSTNode, name: str) -> bool:
    return any(
        isinstance(node, cst.Attribute) and node.attr.value == name and isinstance(node.value, cst.Name)
        for node in (target, *descendants(target))
    )


def made_class(program: Program, values: Values, made: cst.BaseExpression) -> Class | None:
    """The class of an object that is made, whose methods may be those of a base class."""
    types = values(made).types
    return program.class_by_key.get(next(iter(types))) if len(types) == 1 else None


def trains(values: Values, owner: Class) -> bool:
    """Whether methods of a class, or functions that they call, train, or give parameters other values."""
    own = [item.node for item in owner.lineage]
    return any(map(_sets_parameters, own)) or any(
        node.attr.value == "backward"
        for part in (*own, *(function.node for function in reached(own, values)))
        for node in descendants(part, cst.Attribute)
    )


def _sets_parameters(node: cst.CSTNode) -> bool:
    """Whether loops over the parameters of a module set them, or change them in place: `for p in self.model.parameters(): p.data = ...`."""
    return any(
        _is_set(item, set(bound_names(loop.target)))
        for loop in descendants(node, cst.For)
        if names_in(loop.iter) & {"parameters", "named_parameters", "state_dict"}
        for item in descendants(loop.body)
    )


def _is_set(node: cst.CSTNode, names: set[str]) -> bool:
    """`p.data = x`, `p.data += x`, `p.data.add_(x)` or `p.add_(x)` for one of some variables."""
    match node:
        case cst.AssignTarget(target=cst.Attribute(attr=cst.Name("data"))):
            return True
        case cst.AugAssign(target=cst.Name(name) | cst.Attribute(value=cst.Name(name), attr=cst.Name("data"))):
            return name in names
        case cst.Call(
            func=cst.Attribute(
                value=cst.Name(name) | cst.Attribute(value=cst.Name(name), attr=cst.Name("data")), attr=cst.Name(method)
            )
        ):
            return name in names and is_inplace_name(method) and method != "requires_grad_"
    return False


def field_of(values: Values, init: Function, owner: Class, parameter: str, depth: int = 3) -> str | None:
    """The field in which `__init__`, or that of a base class to which it is handed on, keeps what it is given for a parameter,
    where nothing else is ever kept.
    """
    if any(
        isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For)) and dotted(node.target) == parameter
        for node in descendants(init.node)
    ):
        return None
    for line in init.node.body.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) and depth:
                if (name := _field_of_base(values, small.value, owner, parameter, depth - 1)) is not None:
                    return name
            pairs = assigned_pairs(small.targets[0].target, small.value) if isinstance(small, cst.Assign) else ()
            for target, value in pairs:
                own, _, name = (dotted(target) or "").partition(".")
                if itself(value) != parameter or own != init.self_name:
                    continue
                stores = stores_of(owner, name)
                if stores and all(itself(item) in {parameter, f"{own}.{name}"} for item in stores):
                    return name
    return None


def _field_of_base(values: Values, call: cst.Call, owner: Class, parameter: str, depth: int) -> str | None:
    """The field in which `super().__init__(model)` keeps what it is given."""
    callees = values.callees.get(call, ())
    if len(callees) != 1 or callees[0].name != "__init__" or not _is_of_lineage(callees[0], owner):
        return None
    for name, given in arguments_by_parameter(callees[0], call, values):
        if isinstance(given, cst.Name) and given.value == parameter:
            return field_of(values, callees[0], owner, name, depth)
    return None


def _is_of_lineage(method: Function, owner: Class) -> bool:
    return method.owner is not None and method.owner.key in {item.key for item in owner.lineage}


def itself(value: cst.BaseExpression) -> str | None:
    """The place of the module that an expression is, which may be moved or put into a mode."""
    return dotted(chain_start(value, PLACING | SETTING))


__all__ = ["field_of", "itself", "made_class", "names_field", "stores_of", "trains"]

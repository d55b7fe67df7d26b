"""Statements that say which parameters of modules are trained: `p.requires_grad = False`, `model.requires_grad_(False)`, and loops
over parameters that do nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Program, dotted, root_name
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

Found = tuple[cst.BaseStatement, cst.BaseExpression, bool | None, str | None, str | None]


def flag_statements(program: Program, values: Values) -> Iterator[Found]:
    """(statement, module, whether it is trained, variable with names, variable with parameters)."""
    for node in program.index.every(cst.SimpleStatementLine, cst.For):
        yield from _setting(node, values)


def sets_flags(node: cst.CSTNode, values: Values) -> bool:
    """Whether a statement does nothing but say which parameters of a module are trained."""
    return any(True for _ in _setting(node, values))


def _setting(node: cst.CSTNode, values: Values) -> Iterator[Found]:
    if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
        small = node.body[0]
        single = _single_flag(small, values)
        if single is not None:
            yield node, *single, None, None
        if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
            function = small.value.func
            if isinstance(function, cst.Attribute) and function.attr.value == "requires_grad_":
                flag = _argument(small.value, values)
                if values(function.value).kind is Kind.MODULE and flag is not None:
                    yield node, function.value, flag, None, None
    elif isinstance(node, cst.For) and node.orelse is None:
        loop = _loop(node, values)
        if loop is not None:
            yield loop


def flagged_place(small: cst.BaseSmallStatement) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """`place` and `flag` of `place.requires_grad = flag` and `place.requires_grad_(flag)`."""
    match small:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=place, attr=cst.Name("requires_grad")))], value=flag
        ):
            return place, flag
        case cst.Expr(
            value=cst.Call(
                func=cst.Attribute(value=place, attr=cst.Name("requires_grad_")),
                args=[cst.Arg(value=flag, star="", keyword=None | cst.Name("requires_grad"))],
            )
        ):
            return place, flag
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=place, attr=cst.Name("requires_grad_")), args=[])):
            return place, cst.Name("True")
    return None


def _single_flag(small: cst.BaseSmallStatement, values: Values) -> tuple[cst.BaseExpression, bool] | None:
    """`self.scale.requires_grad = False` and `self.fc[3].bias.requires_grad = False`, of a parameter of a module."""
    match flagged_place(small):
        case cst.Attribute() as place, flag:
            text, value = dotted(flag), values(place)
            const = text == "True" if text in ("True", "False") else values(flag).const
            is_part = values(place.value).kind is Kind.MODULE and root_name(place) is not None
            if is_part and value.kind is Kind.TENSOR and "parameter" in value.types and isinstance(const, bool):
                return place, const
    return None


def _argument(call: cst.Call, values: Values) -> bool | None:
    if not call.args:
        return True
    const = values(call.args[0].value).const
    return const if isinstance(const, bool) and len(call.args) == 1 else None


def _loop(node: cst.For, values: Values) -> Found | None:
    """A loop over the parameters of a module that does nothing but set their flags."""
    iterable = node.iter
    match iterable:
        case cst.Call(func=cst.Name("list"), args=[cst.Arg(value=inner, star="", keyword=None)]):
            iterable = inner
    match iterable:
        case cst.Call(
            func=cst.Attribute(value=module, attr=cst.Name("parameters" | "named_parameters" as kind)), args=[]
        ):
            pass
        case _:
            return None
    if values(module).kind is not Kind.MODULE:
        return None
    name: str | None = None
    match node.target:
        case cst.Name(value=variable) if kind == "parameters":
            pass
        case cst.Tuple(elements=[cst.Element(value=cst.Name(first)), cst.Element(value=cst.Name(variable))]):
            if kind == "parameters":
                return None
            name = first
        case _:
            return None
    body = list(node.body.body)
    flag = set_flag(body[0], variable) if len(body) == 1 else None
    if flag is not None:
        const = values(flag).const if isinstance(flag, cst.CSTNode) else flag
        if isinstance(const, bool):
            return node, module, const, None, None
    if name is None or not only_flags(body, variable) or dotted(module) is None:
        return None
    return node, module, None, name, variable


def set_flag(line: cst.CSTNode, variable: str) -> cst.BaseExpression | bool | None:
    """The value that a line gives to the flag of the parameter in a variable."""
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    match line.body[0]:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(name), attr=cst.Name("requires_grad")))],
            value=value,
        ) if name == variable:
            return value
        case cst.Expr(
            value=cst.Call(func=cst.Attribute(value=cst.Name(name), attr=cst.Name("requires_grad_")), args=args)
        ) if name == variable:
            return args[0].value if args else True
    return None


def only_flags(body: Sequence[cst.CSTNode], variable: str) -> bool:
    """Whether a block only decides about flags: the parameter is not read otherwise."""
    whole = [node for item in body for node in (item, *descendants(item))]
    lines = list(dict.fromkeys(node for node in whole if isinstance(node, cst.SimpleStatementLine)))
    flagged = [line for line in lines if set_flag(line, variable) is not None]
    mentions = sum(node.value == variable for node in {*whole} if isinstance(node, cst.Name))
    inner = (cst.Break, cst.Return, cst.For, cst.While, cst.FunctionDef, cst.Yield, cst.With, cst.Try, cst.Continue)
    if any(isinstance(node, inner) for item in body for node in descendants(item)):
        return False
    rest = [line for line in lines if line not in flagged]
    bound = any(isinstance(node, (cst.AssignTarget, cst.AugAssign)) for line in rest for node in descendants(line))
    return bool(flagged) and mentions == len(flagged) and not bound


__all__ = ["flag_statements", "flagged_place", "only_flags", "set_flag", "sets_flags"]

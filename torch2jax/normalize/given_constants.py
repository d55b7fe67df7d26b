"""What a function comes to for one call: with the constants and places that it is given for its parameters, decisions taken.

def clip(parameters, limit, norm_type=2):                   def clip(parameters, limit, norm_type=2):
    if isinstance(parameters, torch.Tensor):                    total = 0
        parameters = [parameters]                               for p in parameters:
    norm_type = float(norm_type)                      ->            total += p.grad.norm(2.0).item() ** 2.0
    if limit is not None:                                       return total
        limit = float(limit)
    total = 0
    for p in parameters:
        total += p.grad.norm(norm_type).item() ** norm_type
        if limit is not None:
            p.grad.clamp_(-limit, limit)
    return total
...
clip(model.parameters(), None)
"""

from __future__ import annotations

import libcst as cst

from torch2jax.normalize.one_ending import with_one_ending
from torch2jax.normalize.rounds import NormalizationRound
from torch2jax.normalize.written_out import is_row, write_out
from torch2jax.program.calls import arguments_by_parameter
from torch2jax.program.program import Function, dotted
from torch2jax.program.statements import bound_by, reads_and_writes, suite_body
from torch2jax.syntax.codegen import code
from torch2jax.syntax.folding import Folder, literal_value
from torch2jax.syntax.fresh import FreshNames
from torch2jax.syntax.quote import names_in
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_NUMBERS = ("float", "int")
_LISTING = frozenset({"parameters", "named_parameters"})


def with_arguments(work: NormalizationRound, function: Function, call: cst.Call) -> cst.FunctionDef:
    """The definition of a function with what a call gives it, as far as that is said in it."""
    given = dict(arguments_by_parameter(function, call, work.values))
    node = in_its_context(function)
    own = bound_by(node.body) | set(function.parameter_names)
    match call.func:
        case cst.Attribute(value=cst.Name(receiver)) if receiver == function.self_name:
            own -= {receiver}  # it is the same object here as there
    for param in function.parameters:
        name, argument = param.name.value, given.get(param.name.value, param.default)
        if not isinstance(argument, cst.BaseExpression):
            continue
        if work.values(argument).kind is Kind.MODULE:
            node = _as_list(_visited(node, _Alone(name)), name, argument)
        if _lists_parameters(work, argument):
            node = _visited(node, _NoTensor(name))
        elif (literal := literal_value(argument)) is not None:
            node = _with_constant(node, name, literal.value)
        elif name not in bound_by(node.body) and _is_place(node, argument, own):
            node = _visited(node, Folder({name: code(argument)}))
    return node


def in_its_context(function: Function) -> cst.FunctionDef:
    """The definition of a function that is written out; what `@torch.no_grad()` says of one that gives nothing back is said inside
    of it, and that a method has no object says nothing any more.
    """
    plain = [item for item in function.node.decorators if dotted(item.decorator) != "staticmethod"]
    node = (
        function.node if len(plain) == len(function.node.decorators) else function.node.with_changes(decorators=plain)
    )
    match plain:
        case [cst.Decorator(decorator=cst.Call(func=cst.Attribute(attr=cst.Name("no_grad")), args=[]) as context)]:
            if isinstance(node.body, cst.IndentedBlock) and not descendants(node.body, cst.Return):
                inner = cst.With([cst.WithItem(context)], node.body)
                return node.with_changes(decorators=[], body=cst.IndentedBlock([inner]))
    return node


def write_out_as_given(work: NormalizationRound, call: cst.Call, function: Function) -> bool:
    """Put the statements that a function comes to for a call where that stands; False where they do not mean the same there."""
    definition = with_arguments(work, function, call)
    if not is_row(function, definition):
        here = names_in(work.index.function_of(call) or work.index.module)
        ended = with_one_ending(definition, FreshNames({*names_in(function.node), *here})("result"))
        if ended is None:
            return False
        definition = ended
    for node in descendants(definition.body):
        if node not in work.index.parents:
            work.copies.setdefault(node, call)  # what is to be told of it is told of the call
    return write_out(work, call, function, definition)


def _visited(node: cst.FunctionDef, visitor: cst.CSTTransformer) -> cst.FunctionDef:
    return node.with_changes(body=node.body.visit(visitor))


def _with_constant(node: cst.FunctionDef, name: str, value: object) -> cst.FunctionDef:
    """A definition with a constant for a parameter, unless it gets another value, but for its own as a number."""
    number = _Number(name)
    cast = _visited(node, number)
    if number.cast is not None and isinstance(value, (int, float)):
        value = float(value) if number.cast == "float" else int(value)
    made = _visited(cast if isinstance(value, (int, float)) else node, Folder({name: repr(value)}))
    return node if any(map(_binds_constant, descendants(made.body))) or name in bound_by(made.body) else made


def _binds_constant(node: cst.CSTNode) -> bool:
    """Whether a constant stands where a variable is bound: it was one that has more than one value."""
    match node:
        case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.For(target=target):
            return any(
                isinstance(item, cst.BaseExpression) and literal_value(item) is not None
                for item in (target, *descendants(target))
            )
        case cst.CompFor(target=target) | cst.AnnAssign(target=target) | cst.NamedExpr(target=target):
            return literal_value(target) is not None
    return False


def _is_place(node: cst.FunctionDef, argument: cst.BaseExpression, own: frozenset[str] | set[str]) -> bool:
    """Whether an argument is a field of something, `self.optimizer`, that a body neither hides nor gives another value."""
    place = dotted(argument)
    if place is None or "." not in place or place.split(".")[0] in own:
        return False
    root = place.split(".")[0]
    return not any(_may_set(item, root) for item in descendants(node.body))


def _may_set(node: cst.CSTNode, root: str) -> bool:
    """Whether a node binds a variable, or a field of what is in it, or hands that to others."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Name(name))) | cst.Arg(value=cst.Name(name)):
            return name == root
        case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.AnnAssign(target=target):
            return (dotted(target) or "").split(".")[0] == root
    return False


def _lists_parameters(work: NormalizationRound, argument: cst.BaseExpression) -> bool:
    """Whether an argument is surely no tensor, but parameters of a module, or a list of them."""
    match argument:
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(method)), args=[]) if method in _LISTING:
            return work.values(module).kind is Kind.MODULE
        case cst.Call(func=cst.Name("list" | "tuple" | "filter")) | cst.ListComp() | cst.List():
            return True
    return False


def _as_list(node: cst.FunctionDef, name: str, argument: cst.BaseExpression) -> cst.FunctionDef:
    """A definition with `[self.net]` for what it reads of a parameter behind `nets = [nets]`."""
    body = list(suite_body(node))
    made = [line for line in body if _is_list_of_itself(line, name)]
    if len(made) != 1 or dotted(argument) is None:
        return node
    at = body.index(made[0])
    if any(name in reads_and_writes(line)[1] for line in (*body[:at], *body[at + 1 :])):
        return node
    once, folder = _Once(name, code(argument)), Folder({name: f"[{code(argument)}]"})
    block = cst.IndentedBlock(body[at + 1 :]).visit(once).visit(folder)  # type: ignore[union-attr]
    after = list(block.body) if isinstance(block, cst.IndentedBlock) else []
    return node.with_changes(body=node.body.with_changes(body=[*body[:at], *after]))


def _is_list_of_itself(line: cst.BaseStatement, name: str) -> bool:
    """`nets = [nets]`"""
    match line:
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name(target))],
                    value=cst.List(elements=[cst.Element(value=cst.Name(value))]),
                )
            ]
        ):
            return target == value == name
    return False


class _Once(cst.CSTTransformer):
    """Takes loops over a list of one place away: `for net in nets: clip(net.parameters())`."""

    def __init__(self, name: str, place: str) -> None:
        super().__init__()
        self.name, self.place = name, place

    def leave_For(
        self, original_node: cst.For, updated_node: cst.For
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        match updated_node:
            case cst.For(target=cst.Name(target), iter=cst.Name(name), body=cst.IndentedBlock() as body, orelse=None):
                leaves = any(isinstance(node, (cst.Break, cst.Continue)) for node in descendants(body))
                if name == self.name and not leaves and target not in bound_by(body):
                    once = body.visit(Folder({target: self.place}))
                    return cst.FlattenSentinel(list(once.body)) if isinstance(once, cst.IndentedBlock) else updated_node
        return updated_node


class _Alone(Folder):
    """Takes the decisions whether the variable of a module is a list."""

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name = name

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        match updated_node:
            case cst.Call(
                func=cst.Name("isinstance"),
                args=[cst.Arg(value=cst.Name(name)), cst.Arg(value=cst.Name("list" | "tuple"))],
            ) if name == self.name:
                return cst.Name("False")
        return updated_node


class _NoTensor(Folder):
    """Takes the decisions whether the variable of a list is a tensor."""

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name = name

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        match updated_node:
            case cst.Call(func=cst.Name("isinstance"), args=[cst.Arg(value=cst.Name(name)), cst.Arg(value=kind)]):
                if name == self.name and (dotted(kind) or "").rpartition(".")[2] in ("Tensor", "Variable", "Parameter"):
                    return cst.Name("False")
        return updated_node


class _Number(cst.CSTTransformer):
    """Takes `limit = float(limit)` away, and says which number the variable becomes."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.cast: str | None = None

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        match updated_node.body:
            case [
                cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name(target))],
                    value=cst.Call(func=cst.Name(cast), args=[cst.Arg(value=cst.Name(name))]),
                )
            ] if target == name == self.name and cast in _NUMBERS:
                self.cast = cast
                return cst.RemoveFromParent()
        return updated_node


__all__ = ["in_its_context", "with_arguments", "write_out_as_given"]

"""Pieces of statements: the body of a function, blocks, the names that targets bind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import libcst as cst

from torch2jax.program.flow import accesses, free_variables
from torch2jax.program.program import dotted
from torch2jax.syntax.walk import Index, children, lines_of


def assigned_pairs(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What an assignment gives its targets one by one: `self.net, self.optimizer = net, optimizer`."""
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        for one, other in zip(target.elements, value.elements, strict=True):
            yield one.value, other.value
    else:
        yield target, value


def gone_through(
    target: cst.BaseExpression, source: cst.BaseExpression
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """What a loop binds, each with what it goes through for that: both pairs of `for a, b in zip(x, y)`."""
    match source, target:
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner), *_]), cst.Tuple(elements=[_, last]):
            yield from gone_through(last.value, inner)
        case cst.Call(func=cst.Name("zip"), args=args), cst.Tuple(elements=elements) if len(args) == len(elements):
            if any(item.star for item in args):
                yield target, source
            else:
                for element, item in zip(elements, args, strict=True):
                    yield from gone_through(element.value, item.value)
        case _:
            yield target, source


def out_of_displays(index: Index, node: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
    """What holds a node outside of all tuples and lists around it, and what it holds there: the loop, and `(i, (a, b))`, for
    `a` in `for i, (a, b) in pairs`.
    """
    parent = index.parents[node]
    while isinstance(parent, (cst.Element, cst.StarredElement, cst.Tuple, cst.List)):
        node, parent = parent, index.parents[parent]
    return parent, node


def is_assigned(index: Index, node: cst.CSTNode) -> bool:
    """Whether a node is the whole target of an assignment: `x` of `x = y` and of `x += y`."""
    parent = index.parents[node]
    return isinstance(parent, cst.AssignTarget) or (isinstance(parent, cst.AugAssign) and parent.target is node)


def suite_body(node: cst.FunctionDef | cst.If | cst.Else | cst.With) -> list[cst.BaseStatement]:
    """The statements of a function or a branch, as whole lines."""
    return lines_of(node.body)


def is_pass(line: cst.CSTNode) -> bool:
    """Whether a line does nothing."""
    return isinstance(line, cst.SimpleStatementLine) and all(isinstance(item, cst.Pass) for item in line.body)


def target_of_call(line: cst.CSTNode, call: cst.Call) -> str | None:
    """The variable that a line gives what a call gives back, or nothing; None for another line."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=value)]) if value is call:
            return ""
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(name))], value=value)]
        ) if value is call:
            return name
    return None


def calls_base_init(line: cst.BaseStatement, *, bare: bool = False) -> bool:
    """Whether a line is `super().__init__(...)`, if `bare` without arguments, or else `nn.Module.__init__(self)`, too."""
    match line:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=function, args=args))]):
            match function:
                case cst.Attribute(value=cst.Call(func=cst.Name("super")), attr=cst.Name("__init__")):
                    return not args or not bare
            return not bare and (dotted(function) or "").endswith("Module.__init__")
    return False


def block(statements: Sequence[cst.BaseStatement]) -> cst.IndentedBlock:
    return cst.IndentedBlock(list(statements))


def bound_parts(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A target, or those that a tuple or list of targets holds."""
    match target:
        case cst.Tuple() | cst.List():
            for element in target.elements:
                yield from bound_parts(element.value)
        case cst.StarredElement():
            yield from bound_parts(target.value)
        case _:
            yield target


def bound_in(target: cst.CSTNode) -> Iterator[str]:
    """The names that a target binds, or into whose values it writes; an attribute is its dotted text, or `*`."""
    match target:
        case cst.Name(value=name):
            yield name
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from bound_in(element.value)
        case cst.Subscript(value=value):
            yield from bound_in(value)
        case cst.Attribute():
            yield dotted(target) or "*"


def statement_above(index: Index, line: cst.CSTNode) -> cst.CSTNode | None:
    """The statement in front of one, in its block."""
    body = list(getattr(index.parents[line], "body", ()))
    place = body.index(line) if line in body else 0
    return body[place - 1] if place else None


def statement_behind(index: Index, line: cst.CSTNode) -> cst.CSTNode | None:
    """The statement behind one, in its block."""
    body = list(getattr(index.parents[line], "body", ()))
    return body[body.index(line) + 1] if line in body[:-1] else None


def reads_and_writes(statement: cst.CSTNode) -> tuple[set[str], set[str]]:
    """The names that a whole statement may read, and those it may bind."""
    reads: set[str] = set()
    writes: set[str] = set()
    for point in _points(statement):
        found = accesses(point)
        reads.update(found.uses)
        writes.update(found.defs)
        if isinstance(point, cst.FunctionDef):
            reads.update(free_variables(point))
    return reads, writes


@lru_cache(maxsize=2048)
def bound_by(suite: cst.BaseSuite) -> frozenset[str]:
    """The names that the body of a function may bind."""
    return frozenset(reads_and_writes(suite)[1])


def read_before_bound(statement: cst.CSTNode) -> set[str]:
    """The names that a statement reads as they were before it: not the variable of a loop, or what its body binds first."""
    match statement:
        case cst.For():
            inner = _before_bound_in_order(statement.body)
            bound = reads_and_writes(statement.with_changes(body=cst.IndentedBlock([]), orelse=None))[1]
            found = reads_and_writes(cst.Expr(statement.iter))[0] | (inner - bound)
            return found | (_before_bound_in_order(statement.orelse.body) if statement.orelse is not None else set())
        case cst.If():
            found = reads_and_writes(cst.Expr(statement.test))[0] | _before_bound_in_order(statement.body)
            if isinstance(statement.orelse, cst.Else):
                return found | _before_bound_in_order(statement.orelse.body)
            return found | (read_before_bound(statement.orelse) if statement.orelse is not None else set())
        case cst.With():
            found, bound = reads_and_writes(statement.with_changes(body=cst.IndentedBlock([])))
            return found | (_before_bound_in_order(statement.body) - bound)
    return reads_and_writes(statement)[0]


def _before_bound_in_order(suite: cst.BaseSuite) -> set[str]:
    found: set[str] = set()
    bound: set[str] = set()
    for part in suite.body:
        found |= read_before_bound(part) - bound
        bound |= _bound_by_lines(part)
    return found


def _bound_by_lines(part: cst.CSTNode) -> set[str]:
    """What a line binds, or the lines of a `with` statement."""
    if isinstance(part, cst.With):
        return set().union(*(_bound_by_lines(inner) for inner in part.body.body))
    return reads_and_writes(part)[1] if isinstance(part, (cst.SimpleStatementLine, cst.BaseSmallStatement)) else set()


def _points(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(statement, cst.SimpleStatementLine):
        yield from statement.body
        return
    yield statement
    if isinstance(statement, cst.FunctionDef):
        return  # what its body binds is its own
    if isinstance(statement, cst.For):
        yield statement.target
    if isinstance(statement, cst.With):
        yield from [item.asname for item in statement.items if item.asname is not None]
    for child in children(statement):
        if isinstance(child, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            for inner in child.body:
                yield from _points(inner) if isinstance(inner, cst.BaseStatement) else [inner]
        elif isinstance(child, (cst.If, cst.Else)):
            yield from _points(child) if isinstance(child, cst.If) else [p for s in child.body.body for p in _points(s)]

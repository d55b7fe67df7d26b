"""Loops that look at the gradients of a module, parameter by parameter: norms that are logged, histograms; or that scale them.

for name, p in model.named_parameters():
    writer.add_scalar(name, p.grad.norm(), step)

for p in model.parameters():
    p.grad.mul_(limit / norm)

or give them other values, as a loop does that is normalized (`normalize.gradient_changes`):

for p in model.parameters():
    grad = p.grad.clone()
    ...
    p.grad = grad
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from torch2jax.facts.infer import Values
from torch2jax.program.program import Function, Program, dotted
from torch2jax.records import dataclass
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

OPEN_TO_CALLERS = (
    "open to callers"  # marks (method): a call of its name may be one of it, where nothing says of which class
)
LEFT_TO_CALLERS = "left to callers"  # marks (function): its statements stand where other files call it, and it goes


@dataclass(frozen=True, slots=True, eq=False)
class GradientRead:
    """A loop, or part of a comprehension, over the parameters of the module at `place`: `reads` are the gradients of its
    `variable`, `name` the variable with the name of each. `is_used`: the parameter itself is read, too; `asks`: whether there is
    a gradient makes a difference; `stops`: torch stops where there is none. `factor`: the loop does nothing but multiply each
    gradient by that, or (`divides`) divide it. `changes`: it gives each gradient another value.
    """

    loop: cst.For | cst.CompFor
    function: Function | None
    place: str
    variable: str
    name: str | None
    reads: tuple[cst.Attribute, ...]
    is_used: bool
    asks: bool
    stops: bool
    factor: cst.BaseExpression | None = None
    divides: bool = False
    changes: bool = False

    @property
    def is_for_some(self) -> bool:
        """Whether a loop does all that it does for those gradients that are there, and needs nothing else of parameters."""
        return not self.is_used and self.factor is None and not self.changes and _asks_first(self.loop, self.variable)


def find_gradient_reads(program: Program, values: Values) -> Iterator[GradientRead]:
    """All such loops of a file in which gradients are read, not given other values."""
    if not any(node.attr.value == "grad" for node in program.index.attributes):
        return
    for loop in program.index.every(cst.For, cst.CompFor):
        assert isinstance(loop, (cst.For, cst.CompFor))
        found = _look(loop, program, values)
        if found is not None:
            yield found


def left_to_callers(program: Program) -> list[Function]:
    """The functions of a file that go, since their statements stand where other files call them."""
    keys = {mark[1] for mark in program.marks if mark[0] == LEFT_TO_CALLERS}
    return [item for item in program.functions.values() if item.key in keys]


@dataclass(frozen=True, slots=True)
class GradientChange:
    """What the first line of a loop takes as `held` of the gradient of `variable`, and the last one gives back."""

    variable: str
    held: str
    first: cst.SimpleStatementLine
    last: cst.SimpleStatementLine
    gradients: tuple[cst.Attribute, cst.Attribute]


def gradient_change(loop: cst.CSTNode) -> GradientChange | None:
    """`grad = p.grad.clone()` and `p.grad = grad` around the body of a loop."""
    match loop:
        case cst.For(
            body=cst.IndentedBlock(
                body=[
                    cst.SimpleStatementLine(
                        body=[
                            cst.Assign(
                                targets=[cst.AssignTarget(target=cst.Name(held))],
                                value=cst.Call(
                                    func=cst.Attribute(
                                        value=cst.Attribute(value=cst.Name(variable), attr=cst.Name("grad")) as taken,
                                        attr=cst.Name("clone"),
                                    ),
                                    args=[],
                                ),
                            )
                        ]
                    ) as first,
                    *_,
                    cst.SimpleStatementLine(
                        body=[
                            cst.Assign(
                                targets=[cst.AssignTarget(target=cst.Attribute() as given)], value=cst.Name(again)
                            )
                        ]
                    ) as last,
                ]
            )
        ) if again == held and dotted(given) == f"{variable}.grad":
            return GradientChange(variable, held, first, last, (taken, given))
    return None


def source_of(target: cst.BaseExpression, iterable: cst.BaseExpression, variable: str) -> cst.BaseExpression | None:
    """The module whose parameters a variable of a loop stands for: `model` of `for p in model.parameters()`, also where `zip`
    or `enumerate` go through something else beside.
    """
    match iterable:
        case cst.Call(func=cst.Name("zip"), args=args) if isinstance(target, cst.Tuple):
            for element, item in zip(target.elements, args, strict=False):
                if (found := source_of(element.value, item.value, variable)) is not None:
                    return found
        case cst.Call(func=cst.Name("enumerate"), args=[cst.Arg(value=inner), *_]) if isinstance(target, cst.Tuple):
            return source_of(target.elements[-1].value, inner, variable)
        case cst.Call(func=cst.Name("list" | "tuple"), args=[cst.Arg(value=inner)]):
            return source_of(target, inner, variable)
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("parameters")), args=[]):
            return module if dotted(target) == variable else None
        case cst.Call(func=cst.Attribute(value=module, attr=cst.Name("named_parameters")), args=[]):
            match target:
                case cst.Tuple(elements=[_, cst.Element(value=cst.Name(name))]) if name == variable:
                    return module
    return None


def _change(loop: cst.For, program: Program, values: Values) -> GradientRead | None:
    change = gradient_change(loop)
    module = source_of(loop.target, loop.iter, change.variable) if change is not None else None
    if change is None or module is None or values(module).kind is not Kind.MODULE:
        return None
    function, place = program.function_around(loop), str(dotted(module))
    return GradientRead(loop, function, place, change.variable, None, change.gradients, True, False, True, changes=True)


def _look(loop: cst.For | cst.CompFor, program: Program, values: Values) -> GradientRead | None:
    if isinstance(loop, cst.For) and (changed := _change(loop, program, values)) is not None:
        return changed
    match loop.iter:
        case cst.Call(
            func=cst.Attribute(value=module, attr=cst.Name("parameters" | "named_parameters" as method)), args=[]
        ):
            place = dotted(module)
        case _:
            return None
    if place is None or values(module).kind is not Kind.MODULE:
        return None
    match method, loop.target:
        case "parameters", cst.Name(variable):
            name = None
        case "named_parameters", cst.Tuple(
            elements=[cst.Element(value=cst.Name(name)), cst.Element(value=cst.Name(variable))]
        ):
            pass
        case _:
            return None
    if isinstance(loop, cst.For) and (scaling := _scaling(loop, variable)) is not None:
        factor, divides, reads, asks = scaling
        function = program.function_around(loop)
        return GradientRead(loop, function, place, variable, name, reads, False, asks, not asks, factor, divides)
    scope: cst.CSTNode = loop if isinstance(loop, cst.For) else program.index.parents[loop]
    own = set(descendants(loop.iter)) | set(descendants(loop.target))
    names = [
        node
        for node in descendants(scope)
        if isinstance(node, cst.Name)
        and node.value == variable
        and node not in own
        and not program.index.is_label(node)
    ]
    parents = program.index.parents
    found: list[cst.Attribute] = []
    others = 0
    for node in names:
        parent = parents[node]
        if isinstance(parent, cst.Attribute) and parent.value is node and parent.attr.value == "grad":
            if not stays_as_it_is(parent, program):
                return None
            found.append(parent)
        elif isinstance(parent, (cst.AssignTarget, cst.For, cst.CompFor, cst.Del)) or (
            isinstance(parent, cst.AugAssign) and parent.target is node
        ):
            return None
        else:
            others += 1
    if not found:
        return None
    asks = any(isinstance(parents[node], (cst.Comparison, cst.If, cst.BooleanOperation)) for node in found)
    stops = all(_needs_tensor(node, program, values) for node in found)
    function = program.function_around(loop)
    return GradientRead(loop, function, place, variable, name, tuple(found), bool(others), asks, stops)


def _scaling(loop: cst.For, variable: str) -> tuple[cst.BaseExpression, bool, tuple[cst.Attribute, ...], bool] | None:
    """By what a loop multiplies or divides the gradients of its variable, where it names them, and whether it asks if they are
    there, if it does nothing else.
    """
    body, reads = loop.body, list[cst.Attribute]()
    match body:
        case cst.IndentedBlock(body=[cst.If(test=test, body=inner, orelse=None)]):
            asked = _there(test, variable)
            if asked is None:
                return None
            body, reads = inner, [asked]
    if not isinstance(body, cst.IndentedBlock) or len(body.body) != 1 or loop.orelse is not None:
        return None
    match body.body[0]:
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(
                    value=cst.Call(
                        func=cst.Attribute(value=place, attr=cst.Name("mul_" | "div_" as method)),
                        args=[cst.Arg(value=factor, keyword=None, star="")],
                    )
                )
            ]
        ):
            divides = method == "div_"
        case cst.SimpleStatementLine(
            body=[
                cst.AugAssign(
                    target=place, operator=cst.MultiplyAssign() | cst.DivideAssign() as operator, value=factor
                )
            ]
        ):
            divides = isinstance(operator, cst.DivideAssign)
        case cst.SimpleStatementLine(
            body=[
                cst.Assign(
                    targets=[cst.AssignTarget(target=place)],
                    value=cst.BinaryOperation(
                        left=left, operator=cst.Multiply() | cst.Divide() as operator, right=right
                    ),
                )
            ]
        ):
            divides = isinstance(operator, cst.Divide)
            swaps = not divides and _gradient(left, variable) is None
            scaled, factor = (right, left) if swaps else (left, right)
            if (read := _gradient(scaled, variable)) is None:
                return None
            reads.append(read)
        case _:
            return None
    gradient = _gradient(place, variable)
    names = {node.value for node in (factor, *descendants(factor)) if isinstance(node, cst.Name)}
    acts = any(isinstance(node, (cst.Call, cst.Await, cst.NamedExpr)) for node in (factor, *descendants(factor)))
    targets = {node.value for node in descendants(loop.target) if isinstance(node, cst.Name)} | {variable}
    if gradient is None or acts or names & targets:
        return None
    return factor, divides, (*reads, gradient), body is not loop.body


def scales_gradients(loop: cst.For, variable: str) -> bool:
    """Whether a loop does nothing but multiply or divide the gradients of its variable by a number."""
    return _scaling(loop, variable) is not None


def _gradient(place: cst.BaseExpression, variable: str) -> cst.Attribute | None:
    """`p.grad` itself, or of `p.grad.data`."""
    if isinstance(place, cst.Attribute) and place.attr.value == "data":
        place = place.value
    return place if isinstance(place, cst.Attribute) and dotted(place) == f"{variable}.grad" else None


def _there(test: cst.BaseExpression, variable: str) -> cst.Attribute | None:
    """The gradient of a test whether it is there."""
    match test:
        case cst.Comparison(
            left=cst.Attribute() as left,
            comparisons=[cst.ComparisonTarget(operator=cst.IsNot(), comparator=cst.Name("None"))],
        ):
            return _gradient(left, variable)
    return None


def _asks_first(loop: cst.For | cst.CompFor, variable: str) -> bool:
    """Whether a loop passes over variables without gradient before all else."""
    match loop:
        case cst.CompFor(ifs=[cst.CompIf(test=test), *_]):
            return _there(_first_asked(test), variable) is not None
        case cst.For(body=cst.IndentedBlock(body=[cst.If(test=test, orelse=None)])):
            return _there(_first_asked(test), variable) is not None
        case cst.For(
            body=cst.IndentedBlock(
                body=[
                    cst.If(
                        test=cst.Comparison(
                            left=cst.Attribute() as left,
                            comparisons=[cst.ComparisonTarget(operator=cst.Is(), comparator=cst.Name("None"))],
                        ),
                        body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Continue()])]),
                        orelse=None,
                    ),
                    *_,
                ]
            )
        ):
            return _gradient(left, variable) is not None
    return False


def _first_asked(test: cst.BaseExpression) -> cst.BaseExpression:
    """`a` of `a and b and c`: what has to hold for the others to be asked."""
    while isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        test = test.left
    return test


def _needs_tensor(node: cst.Attribute, program: Program, values: Values) -> bool:
    """Whether torch stops where a gradient is None."""
    parent = program.index.parents[node]
    if isinstance(parent, cst.Arg):
        call = program.index.parents[parent]
        return isinstance(call, cst.Call) and values.torch_name(call.func) is not None
    return isinstance(parent, (cst.Attribute, cst.Subscript, cst.BinaryOperation, cst.UnaryOperation))


def stays_as_it_is(node: cst.Attribute, program: Program) -> bool:
    """Whether a gradient is looked at, and stays as it is."""
    parents = program.index.parents
    whole: cst.CSTNode = node
    parent = parents[whole]
    while isinstance(parent, (cst.Attribute, cst.Subscript)) and parent.value is whole:
        if (
            isinstance(parent, cst.Attribute)
            and parent.attr.value.endswith("_")
            and not parent.attr.value.endswith("__")
        ):
            return False
        whole, parent = parent, parents[parent]
        if isinstance(parent, cst.Call):
            whole, parent = parent, parents[parent]
    if isinstance(parent, cst.AugAssign):
        return parent.target is not whole
    return not isinstance(parent, (cst.AssignTarget, cst.Del))


__all__ = [
    "LEFT_TO_CALLERS",
    "OPEN_TO_CALLERS",
    "GradientChange",
    "GradientRead",
    "find_gradient_reads",
    "gradient_change",
    "left_to_callers",
    "scales_gradients",
    "source_of",
    "stays_as_it_is",
]

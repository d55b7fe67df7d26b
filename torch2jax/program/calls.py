"""Which argument of a call of a function of the program stands for which parameter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import libcst as cst

from torch2jax.program.program import Function, Program, dotted
from torch2jax.syntax.walk import descendants, own_nodes
from torch2jax.values import Kind, Value


def chain_start(node: cst.BaseExpression, methods: Collection[str]) -> cst.BaseExpression:
    """What a chain of calls of some methods begins with: `model` of `model.to(device).eval()`."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in methods:
        node = node.func.value
    return node


def spread_to_callers(
    found: dict[Function | None, set[str]],
    calls: Mapping[Function | None, Sequence[cst.Call]],
    of_call: Callable[[cst.Call], set[str]],
) -> None:
    """Add to what is found of each function what its calls reach, until nothing new is found."""
    again = True
    while again:
        again = False
        for function, own in calls.items():
            known = found.setdefault(function, set())
            reached = {name for call in own for name in of_call(call)}
            again |= not reached <= known
            known |= reached


def outlives(program: Program, function: Function, owner: Function) -> bool:
    """Whether a function, or one between it and `owner`, may run behind that one: it is not just called where it is made."""
    inner: Function | None = function
    while inner is not None and inner is not owner:
        around = inner.outer
        for node in descendants(around.node.body, cst.Name) if around is not None else ():
            if node.value == inner.name and node is not inner.node.name and not program.index.is_label(node):
                parent = program.index.parents.get(node)
                if not (isinstance(parent, cst.Call) and parent.func is node):
                    return True
        inner = around
    return False


def arguments_by_parameter(
    function: Function, call: cst.Call, values: Callable[[cst.CSTNode], Value]
) -> list[tuple[str, cst.BaseExpression]]:
    """(parameter name, argument) of a call of a function of the program; starred arguments end the positional ones."""
    names = function.parameter_names
    offset = 1 if function.is_method and not _through_class(function, call, values) else 0
    found: list[tuple[str, cst.BaseExpression]] = []
    position = offset
    for argument in call.args:
        if argument.star:
            break
        if argument.keyword is not None:
            found.append((argument.keyword.value, argument.value))
        elif position < len(names):
            found.append((names[position], argument.value))
            position += 1
    return found


def _through_class(function: Function, call: cst.Call, values: Callable[[cst.CSTNode], Value]) -> bool:
    """Whether a method is called as `Class.method(self, ...)`."""
    if function.name == "__init__" or not isinstance(call.func, cst.Attribute):
        return False
    return "classmethod" not in function.decorators and values(call.func.value).kind is Kind.CLASS


def decorators_of(
    function: Function, program: Program, values: Callable[[cst.CSTNode], Value]
) -> Iterator[tuple[cst.BaseExpression, Value, list[Function]]]:
    """The decorators of a function, what each is called as, and which functions of the program that may be."""
    for item in function.node.decorators:
        node = item.decorator
        value = values(node.func if isinstance(node, cst.Call) else node)
        yield node, value, [program.by_key[key] for key in value.types if key in program.by_key]


def reached_from(functions: Iterable[Function], callees: Mapping[cst.Call, Sequence[Function]]) -> list[Function]:
    """Functions of the program, and those that run in them; `callees` says which functions a call may run."""
    found = list(dict.fromkeys(functions))
    for function in found:  # it grows
        inner = descendants(function.node, cst.Call)
        found += [item for node in inner for item in callees.get(node, ()) if item not in found]
    return found


def wrappers_of(decorator: Function) -> list[cst.FunctionDef]:
    """The functions that a decorator puts in the place of others."""
    inner = [node for node in own_nodes(decorator.node) if isinstance(node, cst.IndentedBlock)]
    outer = [line for block in inner for line in block.body if isinstance(line, cst.FunctionDef)]
    return [node for wrapper in outer for node in _innermost(wrapper)]


def _innermost(node: cst.FunctionDef) -> list[cst.FunctionDef]:
    """The function, or the functions that a decorator with arguments defines in it."""
    inner = [line for line in node.body.body if isinstance(line, cst.FunctionDef)]
    return inner or [node]


def gives_back_its_own(node: cst.FunctionDef) -> bool:
    """Whether a function gives back the one thing that it is given, and calls it nowhere."""
    name = node.params.params[0].name.value if len(node.params.params) == 1 else None
    returns = [dotted(item.value) for item in own_nodes(node) if isinstance(item, cst.Return)]
    called = {dotted(item.func) for item in own_nodes(node) if isinstance(item, cst.Call)}
    return name is not None and bool(returns) and set(returns) == {name} and name not in called


def is_backward(call: cst.Call) -> bool:
    """Whether a call takes gradients, as it is written: `loss.backward()`."""
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == "backward"


def parametrized(function: Function) -> Iterator[tuple[list[str], cst.BaseExpression]]:
    """The parameters that pytest gives one value after another, with the list of these: `@pytest.mark.parametrize("n", [1, 2])`."""
    for item in function.node.decorators:
        match item.decorator:
            case cst.Call(func=func, args=[cst.Arg(value=names), cst.Arg(value=given), *_]):
                if (dotted(func) or "").endswith("mark.parametrize"):
                    texts = (
                        [one.value for one in names.elements] if isinstance(names, (cst.List, cst.Tuple)) else [names]
                    )
                    if all(isinstance(one, cst.SimpleString) for one in texts):
                        joined = ",".join(str(one.evaluated_value) for one in texts)  # type: ignore[attr-defined]
                        yield [name.strip() for name in joined.split(",")], given


def is_fixture(function: Function) -> bool:
    """Whether pytest gives tests what a function returns."""
    return any(text.partition("(")[0] in ("fixture", "pytest.fixture") for text in function.decorators)

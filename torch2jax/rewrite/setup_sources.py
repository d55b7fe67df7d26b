"""What modules are made of besides numbers, where `setup` makes them anew at each use: it has to stay as it was.

net = Net(args)                      setup: self.gain = self.args.gain
args.gain = 3.0                      the net would have the new gain                             T2J612
SCALE = 5.0                          and the new scale, where `__init__` reads this variable     T2J612
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import libcst as cst

from torch2jax.facts.captures import code_of
from torch2jax.facts.module_state import init_methods
from torch2jax.facts.object_changes import object_changes
from torch2jax.program.definitions import How
from torch2jax.program.program import Class, dotted
from torch2jax.program.scopes import Variable
from torch2jax.records import dataclass
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.walk import descendants
from torch2jax.values import Kind

_AS_THEY_WERE = (
    Kind.LIST,
    Kind.DICT,
    Kind.TUPLE,
    Kind.INT,
    Kind.FLOAT,
    Kind.BOOL,
    Kind.STR,
    Kind.NONE,
    Kind.TENSOR,
    Kind.MODULE,
)


@dataclass(frozen=True, slots=True, eq=False)
class _Sources:
    """What the making of modules reads: variables outside of all functions, and fields and keys of other objects than itself."""

    variables: set[Variable] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)


def changed_sources(unit: Unit) -> Iterator[cst.CSTNode]:
    """The places that change, when a module may have been made, what it was made of."""
    program, values = unit.facts.program, unit.facts.values
    making = {item: _sources(unit, item) for item in program.class_by_key.values() if item.is_module}
    variables = set[Variable]().union(*(found.variables for found in making.values()))
    fields = set[str]().union(*(found.fields for found in making.values()))
    for variable in variables:
        for definition in program.definitions.every(variable):
            if definition.how in (How.ASSIGNED, How.PART, How.AUGMENTED, How.NEXT):
                if any(variable in making[item].variables for _, item in _makers_before(unit, definition.node, making)):
                    yield definition.node
    for node, held in object_changes(values).every():
        root = _root(held)
        variable_held = program.definitions.scopes.variable(root) if root is not None else None
        key = _key(node)
        if (
            variable_held is None
            or (key not in fields and key is not None)
            or (key is None and variable_held not in variables)
        ):
            continue
        for call, item in _makers_before(unit, node, making):
            is_read = variable_held in making[item].variables
            is_given = key is not None and any(_gives(unit, given.value, variable_held) for given in call.args)
            if (is_read or is_given) and (key is None or key in making[item].fields):
                yield node
                break


def _sources(unit: Unit, item: Class) -> _Sources:
    found, scopes = _Sources(), unit.facts.program.definitions.scopes
    methods = init_methods(item)
    own = {str(method.self_name) for method in methods}
    for root, _ in code_of([method.node.body for method in methods], unit.facts.values):
        is_here = root in unit.facts.program.index.parents
        for node in descendants(root):
            match node:
                case cst.Attribute(value=owner, attr=cst.Name(name)) if dotted(owner) not in own:
                    found.fields.add(name)
                case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]):
                    found.fields.add(str(key.evaluated_value))
                case cst.Name() if is_here and not unit.facts.program.index.is_label(node):
                    variable = scopes.variable(node)
                    if variable is not None and isinstance(variable.owner, cst.Module):
                        found.variables.add(variable)
    return found


def _makers_before(unit: Unit, node: cst.CSTNode, making: dict[Class, _Sources]) -> Iterator[tuple[cst.Call, Class]]:
    """The calls beside a change, in the same function, behind which it may stand, with the modules that they make."""
    index, program, values = unit.facts.program.index, unit.facts.program, unit.facts.values
    function, around = program.function_around(node), set(index.ancestors(node))
    for call in index.calls:
        if program.function_around(call) is not function:
            continue
        loops = [item for item in index.ancestors(call) if isinstance(item, (cst.For, cst.While))]
        if index.order[node] > index.order[call] or any(item in around for item in loops):
            for _, reached in code_of([call], values):
                owner = reached.owner if reached is not None and reached.name == "__init__" else None
                if owner in making:
                    yield call, owner


def _gives(unit: Unit, given: cst.BaseExpression, variable: Variable) -> bool:
    """Whether an argument is an object that a variable leads to, and no copy of it."""
    name = _root(given)
    is_same = name is not None and unit.facts.program.definitions.scopes.variable(name) == variable
    return is_same and unit.facts.values(given).kind not in _AS_THEY_WERE


def _root(held: cst.BaseExpression) -> cst.Name | None:
    while isinstance(held, (cst.Subscript, cst.Attribute)):
        held = held.value
    return held if isinstance(held, cst.Name) else None


def _key(node: cst.CSTNode) -> str | None:
    """The field or the key that a change gives another value; None for a call that may change all of an object."""
    target = node.target if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)) else node
    match target:
        case cst.Attribute(attr=cst.Name(name)):
            return name
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]):
            return str(key.evaluated_value)
    return None


__all__ = ["changed_sources"]

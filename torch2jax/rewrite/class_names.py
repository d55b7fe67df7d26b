"""Names of the classes of modules, read as text: torch's names, where the layers of the target have others.

name = m.__class__.__name__           ->   name = dict(BatchNorm="BatchNorm2d").get(type(m).__name__, type(m).__name__)
if name.find("BatchNorm2d") != -1:

m.__class__.__name__.find("Conv")     left as it is: the names of both are found, or neither

It is asked which layers of the program the text tells apart. Where these have one class in the target, it is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import libcst as cst

from torch2jax.facts.hooks import modules_given
from torch2jax.facts.infer import LISTED_MODULE
from torch2jax.program.definitions import How
from torch2jax.program.program import dotted
from torch2jax.rewrite.unit import Unit
from torch2jax.syntax.codegen import code
from torch2jax.syntax.edits import Rewriter
from torch2jax.syntax.quote import quote
from torch2jax.values import Kind, Value

Test = Callable[[str], object]
"""What a use of a name makes of it."""


def rewrite_class_names(unit: Unit) -> None:
    """Rewrite all such names; runs before calls and names."""
    given = frozenset(modules_given(unit.facts.program, unit.facts.values))
    for node in unit.facts.program.index.attributes:
        owner = _owner(node)
        if owner is None or node in unit.edits.nodes or node in unit.settled:
            continue
        value = unit.facts.values(owner)
        if owner in given and not value.types:
            value = Value(types=frozenset({LISTED_MODULE}))
        is_module = value.kind is Kind.MODULE or LISTED_MODULE in value.types
        if not is_module and value.kind is not Kind.UNKNOWN:
            continue
        names = _names(unit, value)
        is_layer = is_module and (bool(value.types) or _is_run_through(unit, owner))
        tests = [test for test in _tests(unit, node) if is_layer or test is not _whole]
        if all(test(ours) == test(theirs) for test in tests for theirs, ours in names.items()):
            continue
        table = _table(names, tests)
        if table is None:
            unit.problem(node, "T2J603", name=code(node))
            continue
        unit.settled.add(node)
        unit.edits.replace(node, _named(unit, owner, table))


def _is_run_through(unit: Unit, owner: cst.BaseExpression) -> bool:
    """Whether a module is one of those that a loop goes through, and hardly a whole model."""
    bound = unit.facts.program.definitions.of(owner) if isinstance(owner, cst.Name) else ()
    return any(item.how is How.NEXT for item in bound)


def _named(unit: Unit, owner: cst.BaseExpression, table: Mapping[str, str]) -> Callable[[Rewriter], cst.BaseExpression]:
    """The name that torch has for the class of a module: a model that is bound to its variables says of what class that is."""
    words = ", ".join(f'{ours}="{theirs}"' for ours, theirs in sorted(table.items()))
    name = "type({m}).__name__" if unit.facts.target.bound is None else "{m}.__class__.__name__"
    template = f"dict({words}).get({name}, {name})"
    return lambda rewrite: quote(template, m=rewrite.expression(owner))


def _owner(node: cst.Attribute) -> cst.BaseExpression | None:
    """`m` of `m.__class__.__name__` and `type(m).__name__`, where it is a variable or field."""
    match node:
        case cst.Attribute(value=cst.Attribute(value=owner, attr=cst.Name("__class__")), attr=cst.Name("__name__")):
            return owner if dotted(owner) is not None else None
        case cst.Attribute(
            value=cst.Call(func=cst.Name("type"), args=[cst.Arg(value=owner)]), attr=cst.Name("__name__")
        ):
            return owner if dotted(owner) is not None else None
    return None


def _names(unit: Unit, value: Value) -> dict[str, str]:
    """The names of the layers that a module may be one of, with those of their classes in the target."""
    tables, target = unit.facts.tables, unit.facts.target
    known = value.types - {LISTED_MODULE} or _layers(unit) or frozenset(tables.layers)
    found = {}
    for name in sorted(known & tables.layers.keys()):
        column = target.column(tables.layers[name])
        if column is not None:
            found[name.rpartition(".")[2]] = column.type.partition("[")[0].rpartition(".")[2]
    of_dicts = "OrderedDict" if target.immutable else target.module_dict_type
    containers = {"ModuleList": target.module_list_type, "ModuleDict": of_dicts}
    if target.bound is None:  # there, those that are listed have torch's names
        found |= {name: kind.rpartition(".")[2] for name, kind in containers.items() if f"torch.nn.{name}" in known}
    return found


def _layers(unit: Unit) -> frozenset[str]:
    """The layers of torch that a program makes, as far as can be seen."""
    program = unit.facts.program
    fields = [value for item in program.class_by_key.values() for value in item.fields.values()]
    held = {name for value in fields for part in _within(value) for name in part.types}
    made = {str(unit.facts.values.torch_name(call.func)) for call in program.index.calls}
    return frozenset((held | made) & {*unit.facts.tables.layers, "torch.nn.ModuleList", "torch.nn.ModuleDict"})


def _within(value: Value, depth: int = 4) -> Iterator[Value]:
    yield value
    for part in value.parts if depth else ():
        yield from _within(part, depth - 1)


def _table(names: Mapping[str, str], tests: list[Test]) -> dict[str, str] | None:
    """For each class of the target the layer whose name it is given; None where the program tells layers of one class apart."""
    table: dict[str, str] = {}
    for theirs, ours in names.items():
        first = table.setdefault(ours, theirs)
        if any(test(first) != test(theirs) for test in tests):
            return None
    return {ours: theirs for ours, theirs in table.items() if any(test(ours) != test(theirs) for test in tests)}


def _whole(name: str) -> object:
    return name


def _tests(unit: Unit, node: cst.BaseExpression) -> Iterator[Test]:
    """What a program makes of a name, also where a variable holds it."""
    index, definitions = unit.facts.program.index, unit.facts.program.definitions
    target = index.parents.get(node)
    if isinstance(target, cst.Assign) and len(target.targets) == 1 and isinstance(target.targets[0].target, cst.Name):
        name = target.targets[0].target
        bound = definitions.bound_once(name)
        if bound is not None and bound.how is How.ASSIGNED:
            for use in definitions.uses(bound):
                yield _test(unit, use)
            return
    yield _test(unit, node)


def _test(unit: Unit, use: cst.BaseExpression) -> Test:
    """What one expression makes of a name: the answer of a comparison with texts, or the name as a whole."""
    parents, values = unit.facts.program.index.parents, unit.facts.values
    parent = parents[use]
    call = parents.get(parent)
    if isinstance(parent, cst.Attribute) and isinstance(call, cst.Call) and call.func is parent and len(call.args) == 1:
        text, method = values(call.args[0].value).const, parent.attr.value
        if isinstance(text, str) and method in ("startswith", "endswith"):
            return lambda name: getattr(name, method)(text)
        if isinstance(text, str) and method == "find":
            return lambda name: name.find(text) != -1
    if isinstance(parent, (cst.ComparisonTarget, cst.Comparison)):
        return _comparison(unit, use, parent if isinstance(parent, cst.Comparison) else parents[parent])
    return _whole


def _comparison(unit: Unit, use: cst.BaseExpression, node: cst.CSTNode) -> Test:
    """`name == "ReLU"`, `"Conv" in name`, `name in ("ReLU", "GELU")`."""
    assert isinstance(node, cst.Comparison)
    if len(node.comparisons) != 1:
        return _whole
    right, operator = node.comparisons[0].comparator, node.comparisons[0].operator
    other = node.left if right is use else right
    texts = [item.value for item in other.elements] if isinstance(other, (cst.Tuple, cst.List, cst.Set)) else [other]
    found = [unit.facts.values(item).const for item in texts]
    words = [item for item in found if isinstance(item, str)]
    if len(words) != len(found):
        return _whole
    if isinstance(operator, (cst.In, cst.NotIn)) and right is use:
        return lambda name: words[0] in name
    if isinstance(operator, (cst.Equal, cst.NotEqual, cst.In, cst.NotIn)) and (other is not right or words):
        if isinstance(operator, (cst.In, cst.NotIn)) and not isinstance(other, (cst.Tuple, cst.List, cst.Set)):
            return lambda name: name in words[0]
        return lambda name: name in words
    return _whole

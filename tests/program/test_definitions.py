"""Definitions and uses: annotated source. `#: 3, 5` behind a line: its reads of `x` see the bindings in lines 3 and 5."""

import re

import libcst as cst
import pytest

from torch2jax.program.definitions import Definitions, How
from torch2jax.program.scopes import Scopes
from torch2jax.syntax.positions import find_positions
from torch2jax.syntax.walk import build_index

PROGRAMS = {
    "straight": """\
x = 1
y = x  #: 1
x = x + 1  #: 1
print(x)  #: 3
""",
    "branches": """\
def f(x, flag):
    if flag:
        x = g(x)  #: 1
    elif x:  #: 1
        x += 1  #: 1
    return x  #: 1, 3, 5
""",
    "loops": """\
x = 0
for x in range(x):  #: 1
    print(x)  #: 2
    if x > 3:  #: 2
        x = 4
        continue
    with open(x) as x:  #: 2
        print(x)  #: 7
print(x)  #: 1, 5, 7
""",
    "outer variables": """\
x = 1
def f():
    return x  #: 1, 6, 9
def g():
    global x
    x = 2
    def h():
        return x  #: 1, 6, 9
x = 3
""",
    "own variables": """\
x = 1
def f(x):
    return x  #: 2
def g():
    def h():
        nonlocal x
        x = 5
        return x  #: 7, 9
    x = 2
    return x  #: 7, 9
""",
    "comprehensions": """\
x = [1]
y = [x for x in x]  #: 1, 2
z = lambda x: x  #: 3
print([x for _ in x], x)  #: 1
""",
    "class bodies": """\
x = 1
class A:
    x = x  #: 1
    y = x  #: 3
    def f(self):
        return x  #: 1
""",
    "parts and walrus": """\
x, y = y, 2
(x, *z), w = y
if (x := w):
    print(x)  #: 3
""",
    "imports and handlers": """\
import x.y
try:
    from m import n as x
except Error as x:
    print(x)  #: 4
def x(): pass
del x  #: 6
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_reads_see_bindings(name: str) -> None:
    text = PROGRAMS[name]
    module = cst.parse_module(text)
    index = build_index(module)
    definitions = Definitions(index)
    reads = [
        item for item in index.names if item.value == "x" and not index.is_label(item) and not is_bound(index, item)
    ]
    bindings = {item: definitions.of(item) for item in reads}
    nodes = [*reads, *(definition.node for found in bindings.values() for definition in found)]
    lines = {node: position[0] for node, position in find_positions(module, nodes).items()}
    seen: dict[int, set[int]] = {}
    for read, found in bindings.items():
        seen.setdefault(lines[read], set()).update(lines[item.node] for item in found)
    for number, line in enumerate(text.splitlines(), 1):
        wanted = re.search(r"#: (.*)", line)
        if wanted:
            assert seen.get(number) == {int(item) for item in wanted[1].split(",")}, line


def is_bound(index, name: cst.Name) -> bool:
    parent = index.parents[name]
    kinds = (
        cst.AssignTarget,
        cst.For,
        cst.CompFor,
        cst.Param,
        cst.NameItem,
        cst.FunctionDef,
        cst.AsName,
        cst.NamedExpr,
    )
    is_target = isinstance(parent, kinds) and getattr(parent, "iter", None) is not name
    is_element = isinstance(parent, cst.Element) and isinstance(index.parents[index.parents[parent]], cst.AssignTarget)
    return (
        is_target or is_element or any(isinstance(item, (cst.Import, cst.ImportFrom)) for item in index.ancestors(name))
    )


def definitions_of(text: str) -> tuple[Definitions, cst.Name]:
    index = build_index(cst.parse_module(text))
    return Definitions(index), [item for item in index.names if item.value == "x"][-1]


def test_only_one_binding() -> None:
    definitions, use = definitions_of("x = f()\nprint(x)\n")
    found = definitions.only(use)
    assert found is not None and found.how is How.ASSIGNED and isinstance(found.value, cst.Call)
    assert definitions.uses(found) == [use]


def test_augmented_is_another_binding() -> None:
    definitions, use = definitions_of("x = list(a)\nx += list(b)\nprint(x)\n")
    assert definitions.bound_once(use) is None
    assert [item.how for item in definitions.of(use)] == [How.AUGMENTED]


def test_a_part_knows_what_it_is_a_part_of() -> None:
    definitions, use = definitions_of("a, x = pair\nprint(x)\n")
    found = definitions.only(use)
    assert found is not None and found.how is How.PART
    assert isinstance(found.value, cst.Name) and found.value.value == "pair"


def test_builtins_belong_to_nobody() -> None:
    index = build_index(cst.parse_module("print(len(y))\n"))
    scopes = Scopes(index)
    assert all(scopes.variable(name) is None for name in index.names)

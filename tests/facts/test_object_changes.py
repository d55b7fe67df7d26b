"""What functions change that they have not made: annotated source, `#: mutates log` behind the line of a function."""

import re

import libcst as cst
import pytest

from torch2jax.facts.infer import infer_values
from torch2jax.facts.object_changes import ObjectChanges, object_changes
from torch2jax.ops.tables import load_tables
from torch2jax.program.program import Program, build_program
from torch2jax.syntax.walk import build_index

PROGRAMS = {
    "methods of containers": """\
def f(seen, x):  #: mutates seen
    seen.append(x)
def g(queue, x):  #: mutates queue
    queue.appendleft(x)
def h(order):  #: mutates order
    order.reverse()
def i(x, y):  #:
    return x.add(y)
""",
    "stores": """\
def f(log, x):  #: mutates log
    log["n"] += 1
def g(config, x):  #: mutates config
    config.a, config.b = x
def h(log):  #: mutates log
    del log["n"]
def i(log, x):  #:
    log = x
""",
    "aliases and copies": """\
def f(log):  #: mutates log
    entry = log.setdefault("a", [])
    entry.append(1)
def g(log):  #:
    log = dict(log)
    log["n"] = 1
def h(log):  #: mutates log
    copy = dict(log)
    copy["inner"]["n"] = 1
def i(parts):  #: mutates parts
    for number, part in enumerate(parts):
        part.append(number)
def j(parts, flag):  #: mutates parts
    if flag:
        parts = []
    parts.append(1)
def k(parts):  #:
    parts = [*parts]
    parts += [1]
def l(*parts, **named):  #: mutates parts
    named["a"] = 1
    for part in parts:
        part.append(1)
""",
    "calls": """\
def note(log, x):  #: mutates log
    log.append(x)
def f(seen):  #: mutates seen
    note(x=1, log=seen)
def g():  #:
    seen = []
    note(seen, 1)
    return seen
def first(parts, other):  #:
    return parts[0]
def h(parts, other):  #: mutates parts
    note(first(parts, other), 1)
def i(parts):  #: mutates parts
    g()
    j(parts)
def j(parts):  #: mutates parts
    i(parts)
    note(parts, 1)
def k(*given):  #: mutates given
    note(*given)
""",
    "around functions": """\
seen, count = [], 0
def f(x):  #: mutates seen
    seen.append(x)
def g():  #: mutates seen
    f(1)
def h():  #: rebinds count
    global count
    count += 1
def i():  #:
    parts, total = [], 0
    def keep(x):  #: mutates parts, rebinds total
        nonlocal total
        total += x
        parts.append(x)
    keep(1)
    return parts
def j(parts):  #: mutates parts
    def keep(x):  #: mutates parts
        parts.append(x)
    list(map(keep, [1]))
""",
    "objects": """\
class Meter:
    def __init__(self):  #: mutates self
        self.sums = {}
    def add(self, x):  #: mutates self
        self.sums["x"] = x
    def both(self, other):  #: mutates self, mutates other
        self.add(1)
        other.add(2)
def f():  #:
    meter = Meter()
    meter.add(1)
def g(meter: Meter):  #: mutates meter
    meter.add(1)
""",
}


def changes_of(text: str) -> tuple[Program, ObjectChanges]:
    program = build_program(build_index(cst.parse_module(text)))
    return program, object_changes(infer_values(program, load_tables()))


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_functions_change(name: str) -> None:
    program, changes = changes_of(PROGRAMS[name])
    wanted = re.findall(r"def (\w+)\(.*?#:(.*)", PROGRAMS[name])
    assert len(wanted) == len(program.functions)
    for function, (word, text) in zip(program.functions.values(), wanted, strict=True):
        assert function.name == word
        found = changes.of(function).values()
        said = {f"{'rebinds' if item.rebinds else 'mutates'} {item.variable.name}" for item in found}
        assert said == {part.strip() for part in text.split(",") if part.strip()}, word


def test_a_region_sees_what_was_there_before() -> None:
    text = (
        "def f(x):\n    old = []\n    for _ in x:\n        new = []\n        new.append(1)\n        old.append(new)\n"
    )
    program, changes = changes_of(text)
    loop = program.index.every(cst.For)[0]
    assert [item.variable.name for item in changes.within(loop.body.body)] == ["old"]

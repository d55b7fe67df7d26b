"""Fields that `__init__` sets on some ways only: each class says in its docstring which those are."""

import textwrap

import libcst as cst
import pytest

from torch2jax.facts.unset_fields import unset_fields
from torch2jax.program.program import build_program
from torch2jax.syntax.walk import build_index

BODIES = {
    "if a: self.x = 1": "x",
    "if a: self.x = 1\nelse: self.y = 1": "x y",
    "if a: self.x = 1\nelse: self.x = 2": "",
    "if a: self.x = 1\nelse: raise ValueError": "",
    "if a: return\nself.x = 1": "x",
    "if a:\n    self.x = 1\n    return\nself.x = 2": "",
    "for i in a: self.x = i": "x",
    "self.x, self.y = a\nfor i in a: self.x = i": "",
    "with a as self.x: self.y = 1": "",
    "try: self.x = 1\nexcept ValueError: pass": "x",
    "try: self.x = 1\nexcept ValueError: self.x = 2": "",
    "match a:\n    case 1: self.x = 1\n    case _: self.x = 2": "",
    "match a:\n    case 1: self.x = 1": "x",
    "self.build(a)": "z",
    "if a: self.register_buffer('x', a)": "x",
    "self.x = self.other.z = 1": "",
    "def f(): self.x = 1": "",
}


@pytest.mark.parametrize("body", BODIES)
def test_fields_on_some_ways(body: str) -> None:
    build = "    def build(self, a):\n        self.w = 1\n        if a:\n            self.z = 1\n"
    text = f"class C:\n    def __init__(self, a):\n{textwrap.indent(body, ' ' * 8)}\n\n{build}"
    program = build_program(build_index(cst.parse_module(text)))
    (item,) = program.classes.values()
    assert " ".join(unset_fields(item)) == BODIES[body]

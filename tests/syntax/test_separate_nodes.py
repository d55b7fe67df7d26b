"""What stands in a tree several times stands in it as nodes of its own each time."""

import libcst as cst

from torch2jax.syntax.quote import quote, quote_statement
from torch2jax.syntax.walk import build_index


def test_parts_of_templates_are_other_nodes_in_each_place() -> None:
    lines = [quote_statement("results = []"), quote_statement("results = []")]
    lines += [quote_statement("y = f({x}, None)", x=quote(text)) for text in ("a", "b")]
    lines += [quote_statement("def g(self):\n    self.x = f({x})\n", x=quote(text)) for text in ("a", "b")]
    nodes = build_index(cst.Module(lines)).nodes
    assert len(nodes) == len(set(nodes))


def test_nodes_in_several_places_become_others() -> None:
    value = cst.parse_expression("f(a, None)")
    module = cst.Module([quote_statement(f"{name} = {{value}}", value=value) for name in ("x", "y")])
    before = module.code
    index = build_index(module, separates=True)
    assert module.code == before
    assert len(index.nodes) == len(set(index.nodes))


def test_nodes_that_stand_once_are_kept() -> None:
    module = cst.parse_module("a = f(b, None)\nif a:\n    a = f(b, None)\n")
    nodes = build_index(module).nodes
    assert build_index(module, separates=True).nodes == nodes

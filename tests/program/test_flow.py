"""The control-flow graph, and what single points read and bind."""

from __future__ import annotations

import textwrap

import libcst as cst
import pytest

from torch2jax.program import flow as flow_module
from torch2jax.program.flow import Accesses, Boundary, Flow, Point, accesses, build_flow, flow_of, free_variables


def flow_from(source: str) -> Flow:
    return flow_of(cst.parse_module(textwrap.dedent(source)))


def label(point: Point) -> str:
    """The first line of the point, without its suite: `if c`, `for x in xs`, `x = 1`."""
    if isinstance(point, Boundary):
        return point.kind
    return cst.Module([]).code_for_node(point).strip().splitlines()[0].split("  #")[0].rstrip(":")


def edges(source: str) -> set[str]:
    flow = flow_from(source)
    return {f"{label(a)} -> {label(b)}" for a in flow.points for b in flow.successors(a)}


EDGES = {
    "empty": ("", ["entry -> exit"]),
    "line": ("a\nb\n", ["entry -> a", "a -> b", "b -> exit"]),
    "if": (
        """
        if a:
            b
        elif c:
            d
        e
        """,
        ["entry -> if a", "if a -> b", "if a -> if c", "if c -> d", "if c -> e", "b -> e", "d -> e", "e -> exit"],
    ),
    "while": (
        """
        while a:
            if b: continue
            if c: break
            d
        else:
            e
        g
        """,
        [
            "entry -> while a",
            "while a -> if b: continue",
            "if b: continue -> continue",
            "continue -> while a",
            "if b: continue -> if c: break",
            "if c: break -> break",
            "break -> g",
            "if c: break -> d",
            "d -> while a",
            "while a -> e",
            "e -> g",
            "g -> exit",
        ],
    ),
    "for": (
        """
        for x in xs:
            a
        b
        """,
        ["entry -> for x in xs", "for x in xs -> x", "x -> a", "a -> x", "a -> b", "for x in xs -> b", "b -> exit"],
    ),
    "return in finally order": (
        """
        def f(): pass
        try:
            a
        finally:
            b
        c
        """,
        [
            "entry -> def f(): pass",
            "def f(): pass -> try",
            "try -> a",
            "try -> b",
            "a -> b",
            "b -> c",
            "b -> exit",
            "c -> exit",
        ],
    ),
    "handlers": (
        """
        try:
            a
        except A:
            b
        except:
            c
        else:
            d
        e
        """,
        [
            "entry -> try",
            "try -> a",
            "try -> except A",
            "a -> except A",
            "except A -> b",
            "except A -> except",
            "except -> c",
            "a -> d",
            "b -> e",
            "c -> e",
            "d -> e",
            "e -> exit",
        ],
    ),
    "match": (
        """
        match a:
            case 1:
                b
            case x if y:
                c
            case _:
                d
        """,
        [
            "entry -> match a",
            "match a -> 1",
            "1 -> case 1",
            "case 1 -> b",
            "1 -> x",
            "x -> case x if y",
            "case x if y -> c",
            "case x if y -> _",
            "_ -> case _",
            "case _ -> d",
            "b -> exit",
            "c -> exit",
            "d -> exit",
        ],
    ),
    "raise": ("raise a\nb\n", ["entry -> raise a", "raise a -> exit", "b -> exit"]),
}


@pytest.mark.parametrize("name", EDGES)
def test_edges(name: str) -> None:
    source, expected = EDGES[name]
    assert edges(source) == set(expected)


def test_points_are_in_source_order_and_edges_agree() -> None:
    flow = flow_from("for x in xs:\n    with a: b\nelse: c\ntry: d\nexcept E as e: g\nfinally: h\n")
    assert [label(point) for point in flow][:4] == ["for x in xs", "x", "with a: b", "b"]
    assert [label(point) for point in flow][4:] == ["c", "try: d", "d", "except E as e: g", "as e", "g", "h"]
    assert flow.points[0] is flow.entry
    assert flow.points[-1] is flow.exit
    for point in flow.points:
        assert all(point in flow.predecessors(target) for target in flow.successors(point))
        assert all(point in flow.successors(source) for source in flow.predecessors(point))


def test_break_outside_of_a_loop_does_not_fail() -> None:
    assert edges("break\n") == {"entry -> break", "break -> exit"}


def test_a_stranger_is_refused() -> None:
    flow = flow_from("a\n")
    assert cst.Pass() not in flow
    with pytest.raises(KeyError, match="Pass is not a point"):
        flow.successors(cst.Pass())


def test_entry_binds_parameters() -> None:
    function = cst.parse_statement("def f(a, /, b, *c, d=1, **e): pass")
    assert isinstance(function, cst.FunctionDef)
    flow = flow_of(function)
    assert flow.accesses(flow.entry).defs == ("a", "b", "c", "d", "e")


def test_declared_names() -> None:
    function = cst.parse_statement("def f():\n    global a, b\n    if a:\n        nonlocal c\n")
    assert isinstance(function, cst.FunctionDef)
    flow = flow_of(function)
    assert flow.global_names == {"a", "b"}
    assert flow.nonlocal_names == {"c"}
    assert flow.accesses(flow.entry).captures == ("a", "b", "c")


def test_client_decides_what_suppresses() -> None:
    module = cst.parse_module("with a:\n    b\nc\n")
    flow = build_flow(module.body, may_suppress=lambda statement: True)
    (header,) = [point for point in flow if isinstance(point, cst.With)]
    assert {label(point) for point in flow.successors(header)} == {"b", "c", "exit"}


def test_long_elif_chain() -> None:
    source = "if a: pass\n" + "".join(f"elif a{i}: pass\n" for i in range(300))
    assert len(list(flow_from(source))) == 602


ACCESSES = {
    "x = a.b[c] + d(e, k=g)": Accesses(("a", "c", "d", "e", "g"), ("x",)),
    "x = y = x": Accesses(("x",), ("x", "y")),
    "(a, *b), [c, d.e] = f": Accesses(("f", "d"), ("a", "b", "c")),
    "i, x[i] = f": Accesses(("f", "x"), ("i",)),
    "x += x": Accesses(("x",), ("x",)),
    "x[i] += v": Accesses(("x", "i", "v")),
    "x: T = y": Accesses(("y",), ("x",)),
    "x: T": Accesses(),
    "self.x: T": Accesses(("self",)),
    "del x, y[i]": Accesses(("x", "y", "i"), ("x",)),
    "f(x := 1, x)": Accesses(("f",), ("x",)),
    "a if (b := c) else (d := b)": Accesses(("c", "a"), ("b",), ("d",)),
    "a < (b := c) < (d := e)": Accesses(("a", "c", "e"), ("b",), ("d",)),
    "assert (a := b), (c := d)": Accesses(("b", "d"), ("a",), ("c",)),
    "[x for x in x]": Accesses(("x",)),
    "[y := x for x in xs]": Accesses(("xs",), (), ("y",)),
    "{a: b for a, (b, c.d) in e if f for g in a}": Accesses(("e", "c", "f")),
    "{*a, *b}": Accesses(("a", "b")),
    "{**a, b: c}": Accesses(("a", "b", "c")),
    "x[a:b:c, ..., None]": Accesses(("x", "a", "b", "c")),
    "f'{a!r:>{b}} {c=}'": Accesses(("a", "b", "c")),
    "yield a": Accesses(("a",)),
    "yield from a": Accesses(("a",)),
    "await a": Accesses(("a",)),
    "return not a, -b": Accesses(("a", "b")),
    "raise a from b": Accesses(("a", "b")),
    "import a.b, c.d as e": Accesses((), ("a", "e")),
    "from a import *": Accesses(),
    "from a import (b, c as d)": Accesses((), ("b", "d")),
    "lambda a, *b, c=d: a + b + c + e": Accesses(("d", "e"), (), (), ("e",)),
    "[lambda: x + y for x in xs]": Accesses(("xs", "y"), (), (), ("y",)),
    "g = (x + y for x in xs)": Accesses(("xs", "y"), ("g",), (), ("y",)),
    "g = sum(x + y for x in xs)": Accesses(("sum", "xs", "y"), ("g",)),
    "def f(a: T = b) -> U: return a + c + f": Accesses(("b", "c"), ("f",), (), ("c", "f")),
    "@d\ndef f():\n    x = 1\n    return x": Accesses(("d",), ("f",)),
    "def f():\n    nonlocal x\n    x = y": Accesses(("y", "x"), ("f",), (), ("y", "x"), ("x",)),
    "def f():\n    global x\n    x = 1": Accesses((), ("f",), (), ("x",), ("x",)),
    "def f():\n    def g():\n        return a + b\n    b = 1\n    return g": Accesses(("a",), ("f",), (), ("a",)),
    "def f():\n    for i in a:\n        with b as c: c, i": Accesses(("a", "b"), ("f",), (), ("a", "b")),
    "class A(B, m=M):\n    x = y\n    z = x": Accesses(("B", "M", "y"), ("A",)),
    "class A:\n    n = 1\n    xs = [n for i in n]": Accesses(("n",), ("A",)),
    "class A:\n    n = 1\n    def g(self): return n": Accesses(("n",), ("A",), (), ("n",)),
    "class A:\n    def g(self): return g": Accesses((), ("A",), (), ("g",)),
    "class A[T](B[T]):\n    def g[U](self, x=U): return T, U": Accesses(("B",), ("A",)),
    "class A:\n    if a: n = 1\n    m = n": Accesses(("a", "n"), ("A",)),
    "if (a := b) and a: c": Accesses(("b",), ("a",)),
    "with a as b, b.c() as d: e": Accesses(("a",), ("b", "d")),
    "for x in y: z": Accesses(("y",)),
    "while x: y": Accesses(("x",)),
    "try: x\nfinally: y": Accesses(),
    "match a:\n    case b: c": Accesses(("a",)),
}


@pytest.mark.parametrize("source", ACCESSES)
def test_accesses(source: str) -> None:
    statement = cst.parse_statement(source)
    point: cst.CSTNode = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else statement
    expected = ACCESSES[source]
    found = accesses(point)
    assert found._replace(uses=tuple(sorted(found.uses))) == expected._replace(uses=tuple(sorted(expected.uses)))
    assert len(found.uses) == len(expected.uses)


PATTERNS = {
    "[a, *b, (c, _)]": ((), ("a", "b", "c")),
    "{m.J: a, m.K: 1, **rest}": (("m",), ("a", "rest")),
    "A(x, k=B.c | B.d as y)": (("A", "B"), ("x", "y")),
    "None": ((), ()),
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns(pattern: str) -> None:
    statement = cst.parse_statement(f"match v:\n    case {pattern} if g:\n        pass\n")
    assert isinstance(statement, cst.Match)
    case = statement.cases[0]
    uses, defs = PATTERNS[pattern]
    assert accesses(case.pattern) == Accesses(uses)
    assert accesses(case) == Accesses(("g",), defs)


def test_uses_are_in_evaluation_order() -> None:
    statement = cst.parse_statement("a[b] = c(d) if e else f")
    assert isinstance(statement, cst.SimpleStatementLine)
    assert accesses(statement.body[0]).uses == ("e", "c", "d", "f", "a", "b")


def test_free_variables() -> None:
    function = cst.parse_statement("def f(a=b):\n    x = a\n    return x + c + (lambda y: y + z)(1)\n")
    assert isinstance(function, cst.FunctionDef)
    assert set(free_variables(function)) == {"b", "c", "z"}


def subclasses(kind: type) -> set[type]:
    direct = set(kind.__subclasses__())
    return direct.union(*map(subclasses, direct))


LEAVES = {"Name", "Integer", "Float", "Imaginary", "Ellipsis", "SimpleString", "Pass", "Break", "Continue"}


def test_every_kind_of_expression_and_statement_is_known() -> None:
    known = flow_module._CHILDREN.keys() | flow_module._SPECIAL.keys()
    for base in (cst.BaseExpression, cst.BaseStatement, cst.BaseSmallStatement):
        for kind in subclasses(base):
            concrete = not kind.__name__.startswith(("_", "Base"))
            if concrete and kind.__module__.startswith("libcst._nodes") and kind.__name__ not in LEAVES:
                assert getattr(cst, kind.__name__) in known, kind

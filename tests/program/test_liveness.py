"""Liveness and reaching definitions, specified by annotated source.

`#: live a, b` at the end of a line says what is live behind the statement that starts there, `#: needs a, b` what is live before it;
`#: needs a -> b` says both. `-` is nobody. The function's `exit` comment lists what the client wants live at the exit.
"""

from __future__ import annotations

import builtins
import contextlib
import random
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType

import libcst as cst
import pytest

from torch2jax.program.flow import Accesses, Point, flow_of
from torch2jax.program.liveness import live_variables, reaching_definitions


def function(source: str) -> cst.FunctionDef:
    node = cst.parse_module(textwrap.dedent(source)).body[0]
    assert isinstance(node, cst.FunctionDef)
    return node


def statements(node: cst.CSTNode) -> Iterator[cst.BaseStatement]:
    """All statements of the scope of `node`, and those of its blocks."""
    for child in node.children:
        if isinstance(child, cst.BaseStatement):
            yield child
        if not isinstance(child, (cst.FunctionDef, cst.ClassDef)):
            yield from statements(child)


def annotation(statement: cst.BaseStatement) -> str | None:
    place = statement.trailing_whitespace if isinstance(statement, cst.SimpleStatementLine) else None
    if place is None:
        body = getattr(statement, "body", None)
        place = body.header if isinstance(body, cst.IndentedBlock) else statement.whitespace_after_colon
    comment = getattr(place, "comment", None)
    return comment.value[2:].strip() if comment is not None and comment.value.startswith("#:") else None


def names(text: str) -> set[str]:
    return set() if text.strip() == "-" else {name.strip() for name in text.split(",")}


def check_live(source: str, live_at_exit: frozenset[str] = frozenset()) -> None:
    node = function(source)
    live = live_variables(flow_of(node), live_at_exit)
    builtin = set(dir(builtins))
    checked = 0
    for statement in statements(node.body):
        text = annotation(statement)
        if text is None:
            continue
        where = cst.Module([]).code_for_node(statement)
        verb, _, rest = text.partition(" ")
        before, arrow, after = rest.partition("->")
        if verb == "live":
            assert live.after_statement(statement) - builtin == names(rest), where
        else:
            assert verb == "needs", text
            assert live.before_statement(statement) - builtin == names(before), where
            if arrow:
                assert live.after_statement(statement) - builtin == names(after), where
        checked += 1
    assert checked, "the source has no annotation"


CASES = {
    "straight line": """
        def f(g, h):
            a = g()         #: needs g, h -> a, h
            b = h(a)        #: live b
            return b        #: live -
    """,
    "one line, two statements": """
        def f(a, b):
            x = a; y = b    #: needs a, b -> x, y
            return x + y
    """,
    "a value that is never read is dead": """
        def f(a):
            x = a           #: needs a -> a
            x = a + 1       #: needs a -> x
            return x
    """,
    "if without else keeps the old value": """
        def f(a, c):
            x = 0           #: needs a, c -> a, c, x
            if c:           #: needs a, c, x -> x
                x = a       #: live x
            return x
    """,
    "if with else binds on both paths": """
        def f(a, b, c):
            x = 0           #: needs a, b, c -> a, b, c
            if c:           #: needs a, b, c -> x
                x = a
            elif b:         #: needs b -> x
                x = b
            else:
                x = 1
            return x
    """,
    "if whose branches return has no end": """
        def f(a, b, c):
            if c:           #: needs a, b, c -> -
                return a
            else:
                return b
    """,
    "while": """
        def f(n, step):
            i = 0               #: live i, n, step
            total = 0           #: live i, n, step, total
            while i < n:        #: needs i, n, step, total -> total
                i = step(i)     #: live i, n, step, total
                total += i      #: live i, n, step, total
            return total
    """,
    "while True ends only at its breaks": """
        def f(a, b):
            while True:         #: needs a, b -> b
                if a():
                    break
            return b
    """,
    "endless loop": """
        def f(a, b):
            while True:         #: needs a -> -
                a()
            return b
    """,
    "for evaluates its iterable once": """
        def f(xs, g):
            for x in xs:        #: needs g, xs -> -
                g(x)            #: live g
    """,
    "for may run zero times": """
        def f(xs):
            x = None            #: live x, xs
            for x in xs:        #: needs x, xs -> x
                pass
            return x
    """,
    "for else, break and continue": """
        def f(xs, g, best, other):
            for x in xs:        #: needs g, other, xs -> best
                if g(x):        #: needs g, other, x -> x
                    continue
                best = x        #: live best
                break           #: live best
            else:
                best = other    #: needs other -> best
            return best
    """,
    "break skips the else clause": """
        def f(xs, a):
            while xs():
                if a:
                    y = 1       #: live y
                    break
            else:
                y = 2           #: needs - -> y
            return y
    """,
    "loop-carried names": """
        def f(xs, step, model, state):
            for x in xs:                            #: needs model, state, step, xs -> model
                model, state = step(model, state, x)    #: needs model, state, step, x -> model, state, step
            return model
    """,
    "for targets that are no names": """
        def f(xs, out, i):
            for out[i] in xs:       #: needs i, out, xs -> out
                pass
            return out
    """,
    "a try body may fail before its first binding": """
        def f(g):
            x = 0               #: live g, x
            try:                #: needs g, x -> x
                x = g()         #: live x
            except ValueError:
                pass
            return x
    """,
    "a try body may fail half-way": """
        def f(g, h):
            a = 0               #: live a, g, h
            try:
                a = g()         #: live a, h
                h()
            except ValueError:
                return a        #: needs a
            return None
    """,
    "what a statement behind try else needs": """
        def f(g, a, b):
            try:                #: needs a, b, g -> x
                x = g()         #: live a, b, x
            except ValueError as e:
                x = a(e)        #: needs a, e -> x
            else:
                x = b(x)        #: needs b, x -> x
            return x
    """,
    "finally is on every path": """
        def f(g, log, y):
            try:                #: needs g, log, y -> y
                if g():
                    return g    #: live log, y
            finally:
                log()           #: needs log, y -> y
            return y
    """,
    "break through finally": """
        def f(xs, g, a, b):
            for x in xs:        #: needs a, b, g, xs -> a
                try:
                    g(x)
                    break
                finally:
                    b()
            return a
    """,
    "an outer handler sees the state before the inner try": """
        def f(g, h):
            x = 0               #: live g, h, x
            try:
                try:
                    x = g()
                except:
                    pass
                x = h()
            except ValueError:
                return x
    """,
    "raise goes to the handler": """
        def f(a, b):
            try:                            #: needs a, b -> -
                if a:
                    raise ValueError(a)     #: live b
                return a
            except ValueError:
                return b
    """,
    "with": """
        def f(a, b):
            with a() as c, c(b) as d:       #: needs a, b -> d
                e = c                       #: needs c, d -> d
            return d
    """,
    "with that swallows exceptions": """
        def f(g, suppress):
            x = 0                   #: live g, suppress, x
            with suppress(KeyError):
                x = g()
            return x
    """,
    "match": """
        def f(v, a, b, c):
            match v:                        #: needs a, b, c, v -> r
                case [x, *y] if a:
                    r = (x, y)              #: needs x, y -> r
                case {"k": c.K, **rest}:
                    r = rest                #: needs rest -> r
                case _:
                    r = b                   #: needs b -> r
            return r
    """,
    "match that may not match": """
        def f(v, r):
            match v:                #: needs r, v -> r
                case 1:
                    r = 2
            return r
    """,
    "item and attribute assignment binds nothing": """
        def f(x, i, v):
            x[i] = v            #: needs i, v, x -> v, x
            x.a = v             #: needs v, x -> x
            return x
    """,
    "augmented assignment reads first": """
        def f(x, y):
            x += y              #: needs x, y -> x
            x[0] -= x           #: needs x -> x
            return x
    """,
    "walrus": """
        def f(g):
            y = 0                           #: needs g -> g
            if (y := g()) > 0:              #: needs g -> y
                pass
            return y
    """,
    "a walrus behind `and` may not run": """
        def f(a, g):
            y = 0                           #: needs a, g -> a, g, y
            a and (y := g())                #: needs a, g, y -> y
            return y
    """,
    "comprehension targets are local": """
        def f(xs, x, k):
            ys = [x + k for x in xs if x for z in x]    #: needs k, x, xs -> x, ys
            return ys, x
    """,
    "lambda parameters are local; captured names stay live": """
        def f(a, b):
            g = lambda b, c=b: a + b + c    #: needs a, b -> a, g
            y = g(1)                        #: needs a, g -> a, y
            return y
    """,
    "captured names stay live though they are bound again": """
        def f(x):
            def g():                        #: needs x -> g, x
                return x
            x = 1                           #: needs g, x -> g, x
            h = g                           #: needs g, x -> h, x
            return h
    """,
    "names are captured only after the definition": """
        def f(a):
            x = 0                           #: needs a -> a
            x = a                           #: needs a -> x
            def g():
                return x
            return g
    """,
    "a recursive function does not need itself": """
        def f(n):
            def g(k):                       #: needs n -> g, n
                return g(k - 1)
            return g(n)
    """,
    "class bodies run, methods capture": """
        def f(a, b, base):
            class C(base):                  #: needs a, b, base -> C, b
                n = a
                m = n
                def g(self):
                    return b
            return C
    """,
    "nonlocal outlives the function": """
        def f(a):
            nonlocal count
            count = a                       #: needs a, count -> count
            return None                     #: live count
    """,
    "an unconsumed generator reads later": """
        def f(xs, k):
            g = (x * k for x in xs)         #: needs k, xs -> g, k
            s = sum(x for x in g)           #: needs g, k -> k, s
            return s
    """,
    "a consumed generator does not": """
        def f(xs, k):
            s = sum(x * k for x in xs)      #: needs k, xs -> s
            return s
    """,
    "annotations are not read": """
        def f(a, T):
            x: T = a            #: needs a -> x
            y: T                #: needs x -> x
            return x
    """,
    "del needs the name": """
        def f(a):
            b = a               #: live a, b
            del b, a            #: needs a, b -> -
    """,
    "assert": """
        def f(a, b):
            assert a, b         #: needs a, b -> a
            return a
    """,
    "strings": """
        def f(a, w):
            s = f"{a:{w}}" "x"  #: needs a, w -> s
            return s
    """,
    "imports bind": """
        def f(np):
            import numpy.linalg as np, os.path      #: needs - -> np, os
            from a import b as c, d                 #: needs np, os -> c, d, np, os
            return np, os, c, d
    """,
    "async": """
        async def f(xs, m):
            async with m as k:                          #: needs m, xs -> k, ys
                async for x in xs:                      #: needs k, xs, ys -> k, ys
                    ys = [await y async for y in x]     #: needs k, x -> k, ys
            return k, ys
    """,
}
CASES["async"] = CASES["async"].replace("#: needs m, xs ->", "#: needs m, xs, ys ->")


@pytest.mark.parametrize("name", CASES)
def test_live(name: str) -> None:
    check_live(CASES[name])


def test_live_at_exit() -> None:
    source = """
        def f(a):
            x = a           #: needs a, y -> x, y
            z = 1           #: live x, y
    """
    check_live(source, frozenset({"x", "y"}))


def test_a_line_without_body_and_the_boundaries() -> None:
    flow = flow_of(function("def f(a): return a"))
    live = live_variables(flow)
    assert live.after(flow.entry) == {"a"}
    assert live.before(flow.entry) == frozenset()
    assert live.before(flow.exit) == frozenset()


def test_module_functions_keep_globals_live() -> None:
    module = cst.parse_module("x = 1\ndef f():\n    return x\nx = 2\ny = 3\n")
    live = live_variables(flow_of(module))
    assert live.after_statement(module.body[0]) == {"x"}
    assert live.after_statement(module.body[3]) == {"x"}


def test_lambda() -> None:
    assignment = cst.parse_statement("g = lambda a, b=1: a + (c := b) + c + d")
    assert isinstance(assignment, cst.SimpleStatementLine)
    assign = assignment.body[0]
    assert isinstance(assign, cst.Assign) and isinstance(assign.value, cst.Lambda)
    flow = flow_of(assign.value)
    assert live_variables(flow).before(assign.value) == {"a", "b", "d"}
    assert live_variables(flow).before(flow.entry) == {"d"}


def test_pseudo_variables() -> None:
    node = function(
        """
        def f(model, x):
            model.eval()
            y = model(x)
            model.train()
            return y
        """
    )
    flow = flow_of(node)
    evaluate, call, train, _ = node.body.body
    facts = {
        evaluate.body[0]: Accesses((), ("model@mode",)),
        call.body[0]: Accesses(("model@mode",), ()),
        train.body[0]: Accesses((), ("model@mode",)),
    }

    def extra(point: Point) -> Accesses:
        return facts.get(point, Accesses())

    live = live_variables(flow, extra=extra)
    assert "model@mode" not in live.before_statement(evaluate)
    assert "model@mode" in live.before_statement(call)
    assert "model@mode" not in live.after_statement(train)


def reaching_lines(source: str) -> list[set[str]]:
    """For each `return NAME`, the texts of the points that may have bound NAME."""
    node = function(source)
    flow = flow_of(node)
    reaching = reaching_definitions(flow)
    found = []
    for point in flow:
        if isinstance(point, cst.Return):
            assert isinstance(point.value, cst.Name)
            points = reaching.reaching(point, point.value.value)
            assert points == reaching.before(point).get(point.value.value, ())
            found.append({text(source) for source in points})
    return found


def text(point: Point) -> str:
    return cst.Module([]).code_for_node(point).strip() if isinstance(point, cst.CSTNode) else point.kind


REACHING = {
    "parameters": ("def f(x):\n    return x\n", [{"entry"}]),
    "killed": ("def f(x):\n    x = 1\n    x = 2\n    return x\n", [{"x = 2"}]),
    "branches": ("def f(x, c):\n    if c:\n        x = 1\n    return x\n", [{"entry", "x = 1"}]),
    "loop": ("def f(xs):\n    x = 0\n    for x in xs:\n        pass\n    return x\n", [{"x = 0", "x"}]),
    "try": (
        "def f(g):\n    x = 0\n    try:\n        x = g()\n    except A:\n        return x\n    return x\n",
        [{"x = 0", "x = g()"}, {"x = g()"}],
    ),
    "maybe": (
        "def f(a, g):\n    x = 0\n    a and (x := g())\n    return x\n",
        [{"x = 0", "a and (x := g())"}],
    ),
    "nested": (
        "def f():\n    x = 0\n    def g():\n        nonlocal x\n        x = 1\n    x = 2\n    return x\n",
        [{"def g():\n    nonlocal x\n    x = 1", "x = 2"}],
    ),
    "deleted": ("def f(x):\n    del x\n    return x\n", [{"del x"}]),
    "nothing": ("def f():\n    return x\n", [set()]),
}


@pytest.mark.parametrize("name", REACHING)
def test_reaching(name: str) -> None:
    source, expected = REACHING[name]
    assert reaching_lines(source) == expected


# --- liveness by experiment: a value that is dead may be overwritten without anybody noticing

VARIABLES = ("a", "b", "c", "d")


class Program:
    """Writes a random function, one statement a line, every one with a number."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["def f(q, a, b, c, d):"]
        self.functions = 0
        self.block(1, 0, False)
        self.add(1, f"return {self.name()}")

    def add(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + f"{line}  #{len(self.lines)}")

    def name(self) -> str:
        return self.random.choice(VARIABLES)

    def block(self, depth: int, nesting: int, loop: bool) -> None:
        for _ in range(self.random.randint(1, 4)):
            if nesting < 4 and self.random.random() < 0.5:
                self.compound(depth, nesting + 1, loop)
            else:
                self.simple(depth, loop)

    def simple(self, depth: int, loop: bool) -> None:
        x, y, z = self.name(), self.name(), self.name()
        lines = [f"{x} = q({y})"] * 6 + [f"{x} = {y} + 1"] * 3
        lines += [
            f"{x} += q({y})",
            f"{x}, {y} = {y}, q({z})",
            f"q({x} := {y} + 1)",
            f"{x} = len([q({y}) for {y} in range({z} % 3)]) + {z}",
        ]
        lines += [f"q({x}) > 4 and q({y} := 3)", f"{x} = (q({y}) if {z} % 2 else ({y} := 5))", f"return {x}"]
        lines += [f"raise KeyError({x})", f"q({x}) < ({y} := {z}) < ({z} := 4)"]
        lines += ["break", "continue"] * loop
        self.add(depth, self.random.choice(lines))

    def compound(self, depth: int, nesting: int, loop: bool) -> None:
        kind = self.random.choice(["if", "if", "while", "for", "try", "try", "finally", "with", "match", "def"])
        x, y = self.name(), self.name()
        match kind:
            case "if":
                self.add(depth, f"if q({x}) > 4:")
                self.block(depth + 1, nesting, loop)
                self.clause("else:", depth, nesting, loop)
            case "while" | "for":
                self.add(depth, f"while q({x}) > 3:" if kind == "while" else f"for {x} in range(q({y}) % 3):")
                self.block(depth + 1, nesting, True)
                self.clause("else:", depth, nesting, loop)
            case "try":
                self.add(depth, "try:")
                self.block(depth + 1, nesting, loop)
                self.clause(f"except ZeroDivisionError if q({x}) > 4 else KeyError:", depth, nesting, loop)
                self.clause("except:", depth, nesting, loop, always=True)
                self.clause("else:", depth, nesting, loop)
                self.clause("finally:", depth, nesting, False)
            case "finally":
                self.add(depth, "try:")
                self.block(depth + 1, nesting, loop)
                self.clause("finally:", depth, nesting, False, always=True)
            case "with":
                self.add(depth, f"with contextlib.suppress((KeyError, ZeroDivisionError)[q({x}) % 2]) as {y}:")
                self.add(depth + 1, f"{y} = 1")
                self.block(depth + 1, nesting, loop)
                self.add(depth, f"{y} = 2")
            case "match":
                self.add(depth, f"match (q({x}) % 3, q({y}) % 3):")
                self.clause(f"    case (0, {x}) if q({y}) > 3:", depth, nesting, loop, always=True, extra=1)
                self.clause(f"    case ({y}, 1):", depth, nesting, loop, extra=1)
            case "def":
                self.functions += 1
                function = f"g{self.functions}"
                self.add(depth, f"def {function}(): nonlocal_ = q({x}); return nonlocal_")
                self.simple(depth, loop)
                self.add(depth, f"{y} = {function}()")

    def clause(self, line: str, depth: int, nesting: int, loop: bool, always: bool = False, extra: int = 0) -> None:
        if always or self.random.random() < 0.4:
            self.lines.append("    " * depth + line)
            self.block(depth + 1 + extra, nesting, loop)


def outcome(code: CodeType, seed: int) -> tuple[object, list[object]]:
    """What a function returns or raises, and all that it has told `q`, which answers and fails at random."""
    answers = random.Random(seed)
    log: list[object] = []

    def q(value: object) -> int:
        log.append(value)
        if len(log) > 60 or answers.random() < 0.15:
            raise answers.choice([KeyError, ZeroDivisionError])(value)
        return answers.randint(0, 9)

    scope: dict[str, Callable[..., object]] = {"contextlib": contextlib}  # type: ignore[dict-item]
    exec(code, scope)
    try:
        return scope["f"](q, 1, 2, 3, 4), log
    except (KeyError, ZeroDivisionError) as error:
        return repr(error), log


@pytest.mark.parametrize("chunk", range(10))
def test_dead_values_do_not_matter(chunk: int) -> None:
    overwritten = 0
    for seed in range(chunk * 10, chunk * 10 + 10):
        lines = Program(seed).lines
        node = function("\n".join(lines) + "\n")
        live = live_variables(flow_of(node))
        poisoned = list(lines)
        for statement in statements(node.body):
            number = line_number(statement)
            dead = sorted(set(VARIABLES) - live.before_statement(statement))
            overwritten += len(dead)
            line = lines[number]
            indent = line[: len(line) - len(line.lstrip())]
            poisoned[number] = "".join(f"{indent}{name} = 777\n" for name in dead) + line
        original, changed = (compile("\n".join(text), "program", "exec") for text in (lines, poisoned))
        for answers in range(8):
            assert outcome(original, answers) == outcome(changed, answers), f"seed {seed}\n" + "\n".join(poisoned)
    assert overwritten > 100


def line_number(statement: cst.BaseStatement) -> int:
    first = cst.Module([]).code_for_node(statement).strip().splitlines()[0]
    return int(first.rpartition("#")[2])
